// engine.h: the stages of solving one work unit that is in memory: moving.c, placing.c,
// bring.c, output.c.

#ifndef MERELS_SOLVER_ENGINE_H
#define MERELS_SOLVER_ENGINE_H

#include "kernels/kernels.h"

enum solve_stage { STAGE_REMOVALS, STAGE_DEPTHS, STAGE_WRITING, N_STAGES };

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

// Brings the values of a finished subspace into the shape of `side`, whose mover has just
// arrived in each column: to side->value what a ply without removal leads to (`finished` has
// the other side to move with all its men), or to side->removal the best removal after a closed
// mill (`finished` has it with one man less). Places that are draws are not written. Counts
// done_slots from `before` on. Errors of reading the table; STATUS_NO_MEMORY,
// STATUS_INTERRUPTED. (bring.c)
enum bring { BRING_PLAIN, BRING_REMOVALS };
MERELS_CHECKED enum status merels_engine_bring(struct engine *engine, struct side *side,
                                               struct subspace finished, enum bring what,
                                               uint64_t before, struct error *err);

// Rows per piece of work: enough pieces for every thread, few enough to cost nothing.
uint32_t merels_engine_piece(const struct engine *engine, uint32_t n_rows);

// Moving phase: removal values, then every depth in turn until nothing new is decided.
// STATUS_UNSUPPORTED if a depth does not fit the value byte. (moving.c)
MERELS_CHECKED enum status merels_engine_moving(struct engine *engine, struct error *err);

// Placing phase: arrivals and removal values, then one sweep over the rows. Same errors.
// (placing.c)
MERELS_CHECKED enum status merels_engine_placing(struct engine *engine, struct error *err);

// Compresses and writes one side's table.
MERELS_CHECKED enum status merels_engine_write(struct engine *engine, const struct side *side,
                                               const char *dir, struct error *err);

// Bytes that writing takes on top of the unit, for so many threads.
uint64_t merels_engine_write_bytes(int n_threads);

#endif
