// solve.h: what has to be solved for given rules and start, what it will take, and doing it.

#ifndef MERELS_SOLVER_SOLVE_H
#define MERELS_SOLVER_SOLVE_H

#include "db/tablebase.h"
#include "work/progress.h"

// ---- the plan ------------------------------------------------------------------------------

enum { MAX_UNIT_SUBSPACES = 2 };

// A strongly connected component of the graph of subspaces: solved as one piece.
struct work_unit {
    int n_subspaces;
    struct subspace subspaces[MAX_UNIT_SUBSPACES];
    uint64_t n_slots;
    uint64_t memory_bytes; // working memory while it is solved
    uint64_t disk_bytes;   // estimate of its files
    bool finished;         // its files are already there
};

// The subspaces of a unit, "9-8 8-9"; returns `out`.
enum { UNIT_NAME_BYTES = MAX_UNIT_SUBSPACES * SUBSPACE_NAME_BYTES };
const char *merels_unit_name(const struct work_unit *unit, char out[UNIT_NAME_BYTES]);

struct plan {
    size_t n_units;
    struct work_unit *units; // in the order of solving; malloc'ed
    size_t n_subspaces;
    uint64_t n_slots;
    uint64_t peak_memory_bytes; // of the whole run, process included
    uint64_t disk_bytes;        // of all files together
    double cpu_seconds;         // estimate for the units not yet finished
};

struct solve_options {
    const char *dir;       // directory of the tablebase; created, its parents too
    int n_threads;         // 0: all processors
    uint64_t memory_bytes; // limit; 0: three quarters of what is free
    int max_men;           // only subspaces with at most so many men in all; 0: no limit
    bool moving_only;      // only subspaces with empty hands
    const char *cpu_level; // NULL: the best; "portable", "v3", "v4" to force one
};

// Finds the subspaces that can arise from `start`, their work units and what they take.
// STATUS_UNSUPPORTED names a rule that the solver does not handle. dir may not exist yet.
MERELS_CHECKED enum status merels_plan_make(const struct rules *rules,
                                            const struct start *start,
                                            const struct solve_options *options,
                                            struct plan *plan, struct error *err);
void merels_plan_free(struct plan *plan);

// Fails with STATUS_TOO_LITTLE if the plan needs more memory than the limit or more disk than
// is free.
MERELS_CHECKED enum status merels_plan_check(const struct plan *plan,
                                             const struct solve_options *options,
                                             struct error *err);

// ---- solving -------------------------------------------------------------------------------

// Solves every unfinished unit of the plan and writes its tables and manifest. On any failure
// or stop the tables finished before stay valid and a later call goes on from there. One call
// per directory at a time. The pieces of its progress are the units of the plan, numbered as
// there, in slots; `watch` may be NULL.
MERELS_CHECKED enum status merels_solve(const struct rules *rules, const struct plan *plan,
                                        const struct solve_options *options,
                                        const struct watch *watch, struct error *err);

#endif
