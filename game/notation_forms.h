// notation_forms.h: the reader of each text form of a position, between the notation*.c files.
//
// merels_position_parse picks a form by the text's tokens; each reader checks what it returns.
// A new form is a new reader plus a row in the table of notation.c.

#ifndef MERELS_GAME_NOTATION_FORMS_H
#define MERELS_GAME_NOTATION_FORMS_H

#include "game/notation.h"
#include "game/token.h"

typedef enum status position_reader(const struct rules *rules, const struct start *start,
                                    const char *text, struct position *pos, struct error *err);

position_reader merels_read_short;     // "w a7,d7 a1 0/0"
position_reader merels_read_fen;       // "********/... w p p 0 9 0 9 ..."
position_reader merels_read_side_form; // "w:wa7,d7:ba1:3"
position_reader merels_read_game;      // "startpos moves d6 f4", "1. d6 f4", ...

// Ends a message about a text with one that fits; once, whoever asks first.
enum example { EXAMPLE_SHORT, EXAMPLE_FEN, EXAMPLE_SIDE_FORM, EXAMPLE_GAME };

void merels_add_example(const struct rules *rules, const struct start *start,
                        enum example example, struct error *err);

// The same with a ply that is legal in `pos`.
void merels_add_example_ply(const struct rules *rules, const struct position *pos,
                            struct error *err);

// Reads a point name; sets an error that points at the token if it is none.
enum status merels_read_point(const struct rules *rules, const char *form, struct token token,
                              int *point, struct error *err);

#endif
