// chief.h: rank 0 of a crew: carries out a plan by all ranks.

#ifndef MERELS_SOLVER_CHIEF_H
#define MERELS_SOLVER_CHIEF_H

#include "solver/plan.h"
#include "work/progress.h"

// Solves what is not finished by the ranks of the options, of which this process is number 0
// and works, too; the others run merels_worker_run. The directory exists and is reserved. As
// merels_solve otherwise; the progress has one piece, since several units are at work at a
// time. After a failure all ranks have been told to stop.
MERELS_CHECKED enum status merels_chief_lead(const struct rules *rules, const struct plan *plan,
                                             const struct solve_options *options,
                                             const struct watch *watch, struct error *err);

#endif
