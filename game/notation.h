// notation.h: positions and plies as text. The forms are described in docs/NOTATION.md.
//
// Form 1, short: "w a7,d7,g4,b6 a1,d1,g1 0/0" (side, white men, black men, hands); "-" for no
// men; side "w!" or "b!2" when removals are due. Form 3, game: "startpos moves d6 f4 a1-a4xd7",
// removals also as tokens of their own; one that is missing at the end gives a position with
// removals due. "startpos" alone is the start. Reading accepts either case and any run of
// spaces.

#ifndef MERELS_GAME_NOTATION_H
#define MERELS_GAME_NOTATION_H

#include <stddef.h>

#include "game/moves.h"

enum { POSITION_TEXT_BYTES = 160, PLY_TEXT_BYTES = 24 };

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

// Writes "d6", "a1-a4", "a1-a4xd7", "xd7" and returns its length.
size_t merels_ply_format(const struct rules *rules, struct ply ply, char out[PLY_TEXT_BYTES]);

// Reads one legal ply of `pos`, complete with its removals, in any order, glued or after
// spaces. STATUS_BAD_INPUT (not a ply), STATUS_ILLEGAL (not legal here; the text says why).
MERELS_CHECKED enum status merels_ply_parse(const struct rules *rules,
                                            const struct position *pos, const char *text,
                                            struct ply *ply, struct error *err);

#endif
