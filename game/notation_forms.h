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

position_reader merels_read_short; // form 1: "w a7,d7 a1 0/0"
position_reader merels_read_fen;   // form 2: "********/... w p p 0 9 0 9 ..."
position_reader merels_read_game;  // form 3: "startpos moves d6 f4"

// Reads a point name; sets an error that points at the token if it is none.
enum status merels_read_point(const struct rules *rules, const char *form, struct token token,
                              int *point, struct error *err);

#endif
