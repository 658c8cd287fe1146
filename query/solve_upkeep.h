// solve_upkeep.h: how a solve checks and converts its tables: the verifier and the export,
// asked by the solver, which knows neither.

#ifndef MERELS_QUERY_SOLVE_UPKEEP_H
#define MERELS_QUERY_SOLVE_UPKEEP_H

#include "query/command.h"
#include "solver/upkeep.h"

struct solve_upkeep;

// Of a run with these options, which with the context must outlive it; `stop` as in struct
// watch. STATUS_UNSUPPORTED for rules that the verifier refuses, where options->verifier asks
// for one; STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_solve_upkeep_create(const struct context *context,
                                                      const struct solve_options *options,
                                                      const atomic_int *stop,
                                                      struct solve_upkeep **made,
                                                      struct error *err);
void merels_solve_upkeep_destroy(struct solve_upkeep *upkeep); // NULL is allowed

const struct upkeep *merels_solve_upkeep(const struct solve_upkeep *upkeep);

// Adds to a plan the memory that checking its units takes.
MERELS_CHECKED enum status merels_solve_upkeep_plan(const struct context *context,
                                                    const struct solve_options *options,
                                                    struct plan *plan, struct error *err);

#endif
