// puzzle.h: positions with one right ply at every step of the solver, found or proved.
//
// A win: the solver is to move and wins. At each of its steps one ply wins and no other does,
// along every line in which the other side resists as long as it can. Plies that end the game
// at once by the same step count as one, whatever man they take. A hold: the position is drawn,
// at each step of the solver one ply holds the draw and all others lose, and the other side
// answers so that this goes on, as far as the line is given.

#ifndef MERELS_QUERY_PUZZLE_H
#define MERELS_QUERY_PUZZLE_H

#include "query/command.h"

enum { MAX_PUZZLE_PLIES = 255 };

enum puzzle_goal { PUZZLE_WIN, PUZZLE_HOLD };

// What one step of the solver is proved by.
struct puzzle_step {
    char text[PLY_TEXT_BYTES]; // the right ply
    int n_others;              // the other plies
    enum value best_other;     // the best of these; a loss if there are none
};

struct puzzle {
    enum puzzle_goal goal;
    struct position pos;
    int plies;            // of the line: to the end of the game of a win
    int n_steps;          // of the solver
    uint64_t n_positions; // of the solver that were looked at to find the line
    struct puzzle_step steps[(MAX_PUZZLE_PLIES + 1) / 2];
    char replies[(MAX_PUZZLE_PLIES + 1) / 2][PLY_TEXT_BYTES]; // between the steps
};

// Proves that a position is a puzzle, with a line of at most max_plies plies for a hold, and
// fills it in. *is_one is false if it is none, and then *why says why (room for
// ERROR_TEXT_BYTES). Uses context->ranking. Fails as merels_rank_plies does; STATUS_UNSUPPORTED
// without depths.
MERELS_CHECKED enum status merels_puzzle_prove(struct context *context,
                                               const struct position *pos, int max_plies,
                                               struct puzzle *puzzle, bool *is_one, char *why,
                                               struct error *err);

// True if, seen through some symmetry of the board, at most one man of y stands elsewhere.
bool merels_puzzle_near(const struct rules *rules, const struct position *x,
                        const struct position *y);

#endif
