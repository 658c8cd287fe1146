// value_text.h: values and positions in words, and the texts of the command line as one text.

#ifndef MERELS_QUERY_VALUE_TEXT_H
#define MERELS_QUERY_VALUE_TEXT_H

#include "query/args.h"
#include "query/ranking.h"
#include "query/render.h"

enum { VALUE_TEXT_BYTES = 64 };

// "win", "draw", "loss".
const char *merels_value_name(enum value value);

// "dtm" or "wdl".
const char *merels_metric_name(enum edition edition);

// "wins in 5 plies", "wins" (no depth known), "draws", "has lost"; what follows a colour's name
// or a ply.
const char *merels_value_words(enum value value, int plies, char out[VALUE_TEXT_BYTES]);

// Prints the short form of a position, an empty line, the drawing, and who has what to do.
void merels_print_board(struct output *out, const struct rules *rules,
                        const struct position *pos, struct render_style style);

// The operands from `first` on, one space between; the caller frees it. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_join_operands(const struct arguments *args, int first,
                                                char **text, struct error *err);

#endif
