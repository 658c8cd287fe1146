// solve.h: carries out a plan.

#ifndef MERELS_SOLVER_SOLVE_H
#define MERELS_SOLVER_SOLVE_H

#include "solver/plan.h"
#include "work/progress.h"

// Solves every unfinished unit of the plan and writes its tables and manifest. On any failure
// or stop the tables finished before stay valid and a later call goes on from there. One call
// per directory at a time. What the options check, convert and let go is done unit by unit
// (upkeep.h). The pieces of its progress are the units of the plan, numbered as there, in
// slots; with a verifier each unit has two, solved and checked; `watch` may be NULL.
// STATUS_MISMATCH if a table is found wrong: its unit is put aside. With several ranks in the
// options this is rank 0, and the others run merels_worker_run (worker.h); after a failure they
// have been told to stop, unless it came before the work began.
MERELS_CHECKED enum status merels_solve(const struct rules *rules, const struct plan *plan,
                                        const struct solve_options *options,
                                        const struct watch *watch, struct error *err);

#endif
