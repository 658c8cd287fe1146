// planning.h: what plan and solve share: their options as the solver wants them, and the
// plan as text.

#ifndef MERELS_QUERY_PLANNING_H
#define MERELS_QUERY_PLANNING_H

#include "query/command.h"
#include "solver/solve.h"

// The options that plan and solve take.
#define PLANNING_OPTIONS                                                                       \
    (TAKES(OPTION_DB) | TAKES(OPTION_THREADS) | TAKES(OPTION_MEMORY) | TAKES(OPTION_MAX_MEN) | \
     TAKES(OPTION_PHASE) | TAKES(OPTION_CPU) | TAKES(OPTION_METRIC) | TAKES(OPTION_KEEP) |     \
     TAKES(OPTION_VERIFY))

// The solver's options; without --threads all processors that this process may use.
struct solve_options merels_planning_options(const struct context *context);

// "all", "wdl" or "none".
const char *merels_keep_name(enum keep keep);

// Makes the plan. STATUS_BAD_INPUT if the options leave nothing to solve.
MERELS_CHECKED enum status merels_planning_make(const struct context *context,
                                                const struct solve_options *options,
                                                struct plan *plan, struct error *err);

// The same, its time measured on this machine (merels_plan_measure).
MERELS_CHECKED enum status merels_planning_measure(const struct context *context,
                                                   const struct solve_options *options,
                                                   struct plan *plan, struct error *err);

// A command on these rules, this directory and this record, to be typed:
// "merels solve six --db /data/six".
// Returns `out`.
enum { PLANNING_ADVICE_BYTES = ERROR_TEXT_BYTES + 64 };
const char *merels_planning_command(const struct context *context, const char *name,
                                    char out[PLANNING_ADVICE_BYTES]);

// What to do about missing tables, as " (merels solve six makes tables)": only what would not
// be refused is recommended; empty if there is nothing to recommend. Returns `out`.
const char *merels_planning_advice(const struct context *context,
                                   char out[PLANNING_ADVICE_BYTES]);

size_t merels_planning_finished(const struct plan *plan); // units

// The plan as facts: in a dozen lines; with `verbose` a line for each unit too.
// STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_planning_print(const struct context *context,
                                                 const struct solve_options *options,
                                                 const struct plan *plan, bool verbose,
                                                 struct output *out, struct error *err);

// The plan with all units as JSON. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_planning_print_json(const struct context *context,
                                                      const struct solve_options *options,
                                                      const struct plan *plan,
                                                      struct output *out, struct error *err);

#endif
