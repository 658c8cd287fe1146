// depths.h: a work unit solved step by step of the metric.

#ifndef MERELS_SOLVER_DEPTHS_H
#define MERELS_SOLVER_DEPTHS_H

#include "solver/side_output.h"

// Solves engine->unit (made for SOLVE_BY_DEPTHS, sources found), range after range of its rows,
// into one output for each side. Takes nine parts in ten of the piece on the meter, the rest is
// for the outputs' finish.
MERELS_CHECKED enum status merels_engine_depths(struct engine *engine,
                                                struct side_output *outputs, struct error *err);

#endif
