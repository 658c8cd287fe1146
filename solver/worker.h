// worker.h: one rank of a crew does what the chief says.

#ifndef MERELS_SOLVER_WORKER_H
#define MERELS_SOLVER_WORKER_H

#include "solver/plan.h"
#include "work/progress.h"

// Works until the chief has no more to do. Of the options those count that are a rank's own:
// directory, threads, level, upkeep. What the watch reports goes to the chief; its flag stops
// the rank. STATUS_INTERRUPTED if it was stopped, by the chief or by its own flag; what the
// worker itself failed at, the chief knows, too.
MERELS_CHECKED enum status merels_worker_run(const struct rules *rules,
                                             const struct solve_options *options,
                                             const atomic_int *stop, struct error *err);

#endif
