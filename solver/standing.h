// standing.h: how far a run is: which units are finished, which have to be made, for the first
// time or again, and what disk that takes.

#ifndef MERELS_SOLVER_STANDING_H
#define MERELS_SOLVER_STANDING_H

#include "solver/needs.h"
#include "solver/plan.h"

// Says of every unit of the plan whether it is finished, there, and to be made again.
// Errors of tables and of the manifest; STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_standing_find(const struct rules *rules,
                                                const struct solve_options *options,
                                                struct plan *plan, struct error *err);

// Fills plan->peak_disk_bytes, by the subspaces and the disk of the units.
MERELS_CHECKED enum status merels_standing_disk(const struct rules *rules,
                                                const struct solve_options *options,
                                                struct plan *plan, struct error *err);

// The needs of the game as a run with this plan finds them: what the manifest lacks, and what
// the plan has still to do, is open.
MERELS_CHECKED enum status merels_standing_needs(const struct rules *rules,
                                                 const struct plan *plan,
                                                 const struct manifest *manifest,
                                                 struct needs **needs, struct error *err);

// The manifest of the directory; without one an empty one.
MERELS_CHECKED enum status merels_standing_manifest(const struct rules *rules, const char *dir,
                                                    struct manifest *manifest,
                                                    struct error *err);

#endif
