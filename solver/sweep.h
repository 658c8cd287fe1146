// sweep.h: a work unit whose plies are placements that leave it, solved by one pass over its
// rows.

#ifndef MERELS_SOLVER_SWEEP_H
#define MERELS_SOLVER_SWEEP_H

#include "solver/side_output.h"

// Solves engine->unit (made for SOLVE_BY_SWEEP, sources found, none deeper than NARROW_STEPS -
// 1), range after range of its rows, into the output of its side.
MERELS_CHECKED enum status merels_engine_sweep(struct engine *engine,
                                               struct side_output *output, struct error *err);

#endif
