// engine.h: the stages of solving one work unit that is in memory.

#ifndef MERELS_SOLVER_ENGINE_H
#define MERELS_SOLVER_ENGINE_H

#include "solver/kernels.h"

struct engine {
    const struct rules *rules;
    const struct kernels *kernels;
    struct tablebase *base; // the finished tables
    int n_threads;
    struct workspace *work; // one per thread
    struct unit *unit;
    // Reports progress and returns true to stop; called by one thread, between pieces of work.
    bool (*tick)(void *context, enum solve_stage stage, int depth, uint64_t done_slots);
    void *context;
};

// Stage 1: the value of the best removal for every slot in which the mover has just closed a
// mill.
MERELS_CHECKED enum status merels_engine_removals(struct engine *engine, struct error *err);

// Stages 2 and 3: every depth in turn, until nothing new is decided. STATUS_UNSUPPORTED if a
// depth does not fit the value byte.
MERELS_CHECKED enum status merels_engine_depths(struct engine *engine, struct error *err);

// Statistics of one side's finished values.
struct table_stats merels_engine_stats(const struct engine *engine, const struct side *side);

// Stage 4: compresses and writes one side's table.
MERELS_CHECKED enum status merels_engine_write(struct engine *engine, const struct side *side,
                                               const char *dir, struct error *err);

// Bytes that writing takes on top of the unit, for so many threads.
uint64_t merels_engine_write_bytes(int n_threads);

#endif
