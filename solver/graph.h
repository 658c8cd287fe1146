// graph.h: which subspaces can arise from a start, and how they hang together.

#ifndef MERELS_SOLVER_GRAPH_H
#define MERELS_SOLVER_GRAPH_H

#include "db/arise.h"
#include "solver/plan.h"

// Every subspace that can arise from the start and passes the filter of the options, as work
// units (strongly connected components), successors before predecessors. *units is malloc'ed.
// STATUS_NO_MEMORY; STATUS_UNSUPPORTED for a unit of more than MAX_UNIT_SUBSPACES subspaces.
MERELS_CHECKED enum status merels_graph_units(const struct rules *rules,
                                              const struct start *start,
                                              const struct solve_options *options,
                                              struct work_unit **units, size_t *n_units,
                                              struct error *err);

// The number of subspaces that can arise from the start, 0 if out of memory.
size_t merels_graph_count(const struct rules *rules, const struct start *start);

#endif
