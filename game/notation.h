// notation.h: positions and plies as text. The forms are described in docs/NOTATION.md.
//
// Form 1, short: "w a7,d7,g4,b6 a1,d1,g1 0/0" (side, white men, black men, hands); "-" for no
// men; side "w!" or "b!2" when removals are due. Form 2, FEN: 17 fields, for boards of 24
// points. Form 3, game: "startpos moves d6 f4 a1-a4xd7", removals also as tokens of their own;
// one that is missing at the end gives a position with removals due. "startpos" alone is the
// start; any other position may stand in its place. Reading accepts any run of spaces and, but
// for the FEN, either case.

#ifndef MERELS_GAME_NOTATION_H
#define MERELS_GAME_NOTATION_H

#include <stddef.h>

#include "game/moves.h"

#define PASS_TEXT "pass" // the ply of a blocked mover, under `blocked passes`

enum { POSITION_TEXT_BYTES = 160, FEN_TEXT_BYTES = 96, PLY_TEXT_BYTES = 24 };

// Reads a position in any form and checks it (merels_position_check). `start` is where form 3
// begins; NULL refuses that form. STATUS_BAD_INPUT (malformed, or contradicts itself) or
// STATUS_ILLEGAL (well formed, but breaks the rules); the text names the form tried, the
// offending token and its column in bytes (from 1). *pos is written only on STATUS_OK.
MERELS_CHECKED enum status merels_position_parse(const struct rules *rules,
                                                 const struct start *start, const char *text,
                                                 struct position *pos, struct error *err);

// Writes form 1 and returns its length.
size_t merels_position_format(const struct rules *rules, const struct position *pos,
                              char out[POSITION_TEXT_BYTES]);

// Writes form 2 with the fields that a position does not hold (last mills, counters) as they
// are at the start. STATUS_UNSUPPORTED on a board that does not have 24 points.
MERELS_CHECKED enum status merels_position_format_fen(const struct rules *rules,
                                                      const struct position *pos,
                                                      char out[FEN_TEXT_BYTES],
                                                      struct error *err);

// ---- games, turn by turn -------------------------------------------------------------------

// A game text being read; the text must outlive it.
struct game_reader {
    const char *text;
    int at;              // where the next turn begins
    struct position pos; // after what was read
};

// True if the text is of form 3: it begins with "startpos", or "moves" follows a position.
bool merels_game_is(const char *text);

// Reads the position that the game begins with, into reader->pos, and "moves" if there is one.
// Fails as merels_position_parse does.
MERELS_CHECKED enum status merels_game_begin(const struct rules *rules,
                                             const struct start *start, const char *text,
                                             struct game_reader *reader, struct error *err);

// Reads the next turn, removals included, and plays it on reader->pos. *read becomes false at
// the end of the text. Only the last turn of a text can be unfinished: then reader->pos has
// removals due. reader->pos may be in the middle of a turn before; *ply is then only the rest
// of it. On failure the reader stands where it was. A caller without a position text may fill
// in the reader by hand: text, 0, and any legal position.
MERELS_CHECKED enum status merels_game_next(const struct rules *rules,
                                            struct game_reader *reader, struct ply *ply,
                                            bool *read, struct error *err);

// ---- plies ---------------------------------------------------------------------------------

// Writes "d6", "a1-a4", "a1-a4xd7", "xd7", "pass" and returns its length.
size_t merels_ply_format(const struct rules *rules, struct ply ply, char out[PLY_TEXT_BYTES]);

// Reads one legal ply of `pos`, complete with its removals, in any order, glued or after
// spaces. STATUS_BAD_INPUT (not a ply), STATUS_ILLEGAL (not legal here; the text says why).
MERELS_CHECKED enum status merels_ply_parse(const struct rules *rules,
                                            const struct position *pos, const char *text,
                                            struct ply *ply, struct error *err);

#endif
