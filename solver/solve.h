// solve.h: carries out a plan.

#ifndef MERELS_SOLVER_SOLVE_H
#define MERELS_SOLVER_SOLVE_H

#include "solver/plan.h"
#include "work/progress.h"

// Solves every unfinished unit of the plan and writes its tables and manifest. On any failure
// or stop the tables finished before stay valid and a later call goes on from there. One call
// per directory at a time. The pieces of its progress are the units of the plan, numbered as
// there, in slots; `watch` may be NULL.
MERELS_CHECKED enum status merels_solve(const struct rules *rules, const struct plan *plan,
                                        const struct solve_options *options,
                                        const struct watch *watch, struct error *err);

#endif
