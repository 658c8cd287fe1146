// source.h: the values of finished tables, brought into the shape of a unit's rows.

#ifndef MERELS_SOLVER_SOURCE_H
#define MERELS_SOLVER_SOURCE_H

#include "solver/engine.h"

// Slots of a finished table that a thread reads at a time.
enum { PIECE_SLOTS = 1 << 19 };

// Opens the tables behind a unit's sources and notes their greatest depths.
MERELS_CHECKED enum status merels_sources_find(struct engine *engine, struct error *err);

// The greatest depth behind the unit's sources; -1 if they only have draws or there are none.
int merels_sources_deepest(const struct unit *unit);

// Fills the sources of the rows in memory with the codes of the window that begins at the
// sides' source_base. Ticks the meter with the part that is done, of the stage at work, if
// `ticks`. Errors of reading the tables; STATUS_NO_MEMORY, STATUS_INTERRUPTED.
MERELS_CHECKED enum status merels_sources_bring(struct engine *engine, bool ticks,
                                                struct error *err);

#endif
