// limits.h: sizes that the plan and the run must agree on.

#ifndef MERELS_SOLVER_LIMITS_H
#define MERELS_SOLVER_LIMITS_H

#include "solver/solve.h"

// Slots of a finished table that a thread reads at a time.
enum { PIECE_SLOTS = 1 << 19 };

struct workspace_sizes {
    int max_points;
    uint32_t max_columns;
};

// What the rows of a unit ask of a thread's workspace.
struct workspace_sizes merels_solve_workspace(const struct board *board,
                                              const struct work_unit *work);

// The options with their defaults filled in; a limit of 0 means that it is unknown.
int merels_solve_threads(const struct solve_options *options);
uint64_t merels_solve_memory_limit(const struct solve_options *options);

#endif
