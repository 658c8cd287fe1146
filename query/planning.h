// planning.h: what plan and solve share: their options as the solver wants them, and the
// plan as text.

#ifndef MERELS_QUERY_PLANNING_H
#define MERELS_QUERY_PLANNING_H

#include "query/args.h"
#include "query/setting.h"
#include "solver/solve.h"

// The options that plan and solve take.
#define PLANNING_OPTIONS                                                                       \
    (TAKES(OPTION_DB) | TAKES(OPTION_THREADS) | TAKES(OPTION_MEMORY) | TAKES(OPTION_MAX_MEN) | \
     TAKES(OPTION_PHASE) | TAKES(OPTION_CPU))

// The solver's options; without --threads all processors that this process may use.
struct solve_options merels_planning_options(const struct setting *setting,
                                             const struct arguments *args);

// Makes the plan. STATUS_BAD_INPUT if the options leave nothing to solve.
MERELS_CHECKED enum status merels_planning_make(const struct setting *setting,
                                                const struct solve_options *options,
                                                struct plan *plan, struct error *err);

size_t merels_planning_finished(const struct plan *plan); // units

// The plan in a dozen lines on `stream`; with `verbose` a line for each unit too.
void merels_planning_print(const struct setting *setting, const struct solve_options *options,
                           const struct plan *plan, bool verbose, struct output *out);

#endif
