// plan.h: what has to be solved for given rules and start, and what it will take.

#ifndef MERELS_SOLVER_PLAN_H
#define MERELS_SOLVER_PLAN_H

#include "solver/rates.h"

// Which tables of a run stay when nothing needs them any more: all of them; as edition wdl; or
// none but those of the opening.
enum keep { KEEP_ALL, KEEP_WDL, KEEP_NONE, N_KEEPS };

struct plan {
    struct start start;
    size_t n_units;
    struct work_unit *units; // in the order of solving; malloc'ed
    size_t n_subspaces;
    uint64_t n_slots;
    uint64_t peak_memory_bytes;        // of the whole run, process included
    uint64_t least_memory_bytes;       // the lowest limit that it can be done in
    size_t n_again;                    // units that were made before, not kept, and are needed
    uint64_t disk_bytes;               // of all files together
    uint64_t peak_disk_bytes[N_KEEPS]; // the most at a time, by what is kept
    uint64_t temporary_bytes;          // and beside them at a time, if memory is short
    uint64_t spill_bytes;              // and beside them while a unit has depths over MAX_DEPTH
    double cpu_seconds;                // estimate for the units not yet finished
    struct effort effort;              // of the same units
    struct rates rates;                // what a piece of that takes
};

struct upkeep;
struct ranks;

struct solve_options {
    const char *dir;             // directory of the tablebase; created, its parents too
    int n_threads;               // 0: all processors
    uint64_t memory_bytes;       // limit; 0: three quarters of what is free
    int max_men;                 // only subspaces with at most so many men in all; 0: no limit
    bool moving_only;            // only subspaces with empty hands
    enum keep keep;              // what stays of the tables that are made
    int verifier;                // version of the verifier by which units are checked; 0: none
    const struct upkeep *upkeep; // how (upkeep.h); may be NULL for plans and where all is kept
                                 // and nothing checked
    struct ranks *ranks;         // that work side by side (crew.h); NULL: this process alone
    int n_ranks;                 // of a plan without them: as if there were so many; 0: none
    int group;                   // ranks on each unit that can be divided; 0: by the plan
    const char *cpu_level;       // NULL: the fastest; a level of kernels/kernels.h to force one
    int n_codes;                 // for tests: steps that fit a byte; 0: MAX_DEPTH + 1
    uint32_t max_rows; // for tests: rows in memory of units without turns; 0: what fits
    int holding;       // for tests: merels_unit_holding of units with turns; 0: what fits
};

// Finds the subspaces that can arise from `start`, their work units and what they take.
// STATUS_UNSUPPORTED names a rule that the solver does not handle. dir may not exist yet.
MERELS_CHECKED enum status merels_plan_make(const struct rules *rules,
                                            const struct start *start,
                                            const struct solve_options *options,
                                            struct plan *plan, struct error *err);
void merels_plan_free(struct plan *plan);

// Measures what the units that are not finished are made of, on this machine at the level that
// will solve them, and states their time by it; the shorter the solve the shorter: a twentieth
// of it, a second at most, and nothing for what takes no second. STATUS_UNSUPPORTED for a level
// that this machine lacks; STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_plan_measure(const struct rules *rules,
                                               const struct solve_options *options,
                                               struct plan *plan, struct error *err);

// Fails with STATUS_TOO_LITTLE if the plan needs more memory than the limit or more disk than
// is free.
MERELS_CHECKED enum status merels_plan_check(const struct plan *plan,
                                             const struct solve_options *options,
                                             struct error *err);

// The most memory of a rank, process included, where each unit that is not solved yet is worked
// on by so many ranks (n_ranks, by unit); 1: alone, held as the plan says.
uint64_t merels_plan_rank_bytes(const struct rules *rules, const struct plan *plan,
                                const int *n_ranks, int n_threads);

// The options with their defaults filled in; a limit of 0 means that it is unknown.
// STATUS_UNSUPPORTED for a level that this processor or build does not have.
MERELS_CHECKED enum status merels_solve_kernels(const struct solve_options *options,
                                                const struct kernels **kernels,
                                                struct error *err);
int merels_solve_threads(const struct solve_options *options);
int merels_solve_ranks(const struct solve_options *options);
uint64_t merels_solve_memory_limit(const struct solve_options *options);

#endif
