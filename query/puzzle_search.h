// puzzle_search.h: looks for puzzles in random positions, spread over the game.
//
// Phases take turns, and so do goals; no depth and no subspace gives more than its share, and
// no puzzle is a near copy of another. Equal seeds and tables give equal puzzles.

#ifndef MERELS_QUERY_PUZZLE_SEARCH_H
#define MERELS_QUERY_PUZZLE_SEARCH_H

#include "query/analysis.h"
#include "query/puzzle.h"

struct puzzle_wish {
    int count;
    bool goals[2];              // by enum puzzle_goal
    bool phases[N_GAME_PHASES]; // of the solver at the first step
    int min_plies, max_plies;   // of the line
    int max_men;                // on the board and in hand, both sides
    uint64_t seed;
};

// Calls `found` for each puzzle; *n_tried are the positions that were looked at. Ends after
// `count` puzzles, or when so many positions have been tried that more are unlikely. Fails as
// merels_puzzle_prove and merels_tablebase_list do, and as `found` does.
typedef enum status puzzle_found(void *user, const struct puzzle *puzzle, int number,
                                 struct error *err);

MERELS_CHECKED enum status merels_puzzle_search(struct context *context,
                                                const struct puzzle_wish *wish,
                                                puzzle_found *found, void *user,
                                                uint64_t *n_tried, struct error *err);

#endif
