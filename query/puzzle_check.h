// puzzle_check.h: puzzles of a list, one a line, held against the tables.
//
// A line is a position and what is claimed of it, or the JSON object of one:
//
//     w a7,d7,g4 a1,d1,g1 0/0 ; id "1" ; win 7 ; solution g4-g7xa1 d1-d2 ...
//     {"id": "1", "position": "w ...", "goal": "win", "plies": 7, "solution": ["g4-g7xa1",
//     ...]}
//
// Claims: win or win N (plies), dm N (moves of the solver), hold or draw, solution (plies of
// both sides), bm (the first ply), each once, and not both a win and a draw. Other fields are
// skipped.

#ifndef MERELS_QUERY_PUZZLE_CHECK_H
#define MERELS_QUERY_PUZZLE_CHECK_H

#include "query/puzzle.h"

enum { CLAIM_TEXT_BYTES = 4096, MAX_CLAIMED = 100000 };

// What a line claims; what it does not is 0, false or empty.
struct claim {
    char position[CLAIM_TEXT_BYTES], id[128], solution[CLAIM_TEXT_BYTES];
    bool win, hold;
    int plies, moves;
};

enum verdict_kind {
    PUZZLE_RIGHT,
    PUZZLE_SEVERAL, // the claims are true, but more than one ply is right somewhere
    PUZZLE_WRONG,   // a claim is not true
};

// Reads a line. STATUS_BAD_INPUT.
MERELS_CHECKED enum status merels_claim_read(const char *line, struct claim *claim,
                                             struct error *err);

// Judges a claim; `words` says what is wrong, or what was proved. Fails where there is no
// answer.
MERELS_CHECKED enum status merels_claim_check(struct context *context,
                                              const struct claim *claim,
                                              enum verdict_kind *verdict,
                                              char words[ERROR_TEXT_BYTES], struct error *err);

#endif
