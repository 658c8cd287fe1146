// game_text.h: the text of a position or a game, from the command line or from a stream.

#ifndef MERELS_QUERY_GAME_TEXT_H
#define MERELS_QUERY_GAME_TEXT_H

#include <stdio.h>

#include "query/args.h"

// The operands from `first` on, one space between; the caller frees it. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_game_text_join(const struct arguments *args, int first,
                                                 char **text, struct error *err);

// All that is left of a stream, which a failure calls `name`; the caller frees it.
// STATUS_BAD_INPUT if it is over a megabyte or no text, STATUS_IO, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_game_text_load(FILE *in, const char *name, char **text,
                                                 struct error *err);

#endif
