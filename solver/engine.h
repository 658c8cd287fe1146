// engine.h: solves one work unit and writes its tables: the run's tools, and the way through.
//
//     unit -> look at the sources' tables -> sweep.c   one pass over the rows
//                                         or depths.c  step by step of the metric, in windows
//             both:  source.c  finished tables into row shape
//                    store.c   in little memory: codes in a temporary file
//                    side_output.c  counts, and the table file

#ifndef MERELS_SOLVER_ENGINE_H
#define MERELS_SOLVER_ENGINE_H

#include "db/tablebase.h"
#include "solver/unit.h"
#include "work/progress.h"

struct exchange;

struct engine {
    const struct rules *rules;
    const struct kernels *kernels;
    struct tablebase *base; // the finished tables
    const char *dir;        // where they are, and new ones go
    int n_threads;
    int n_codes; // steps that a window of byte codes holds: MAX_DEPTH + 1, less in tests
    uint32_t dense_cost;    // as workspace.dense_cost; 0: DENSE_COST_ONE
    struct workspace *work; // one per thread
    struct arena *arena;    // of the units, one after another
    struct unit *unit;
    struct store *store;       // of the unit's codes (store.h); NULL: they are in memory
    struct exchange *exchange; // with the other ranks of the unit; NULL: there are none
    struct meter *meter;
};

// Solves a unit and writes its tables; the manifest is the caller's. Errors of reading and
// writing tables; STATUS_NO_MEMORY; STATUS_INTERRUPTED; STATUS_UNSUPPORTED for a depth that no
// table can hold (over 65,534 plies).
MERELS_CHECKED enum status merels_engine_solve(struct engine *engine,
                                               const struct work_unit *work, struct error *err);

// Bytes beside the unit's own arrays: workspaces, pieces of tables, blocks to write.
uint64_t merels_engine_thread_bytes(const struct rules *rules, const struct work_unit *work,
                                    int n_threads);

// The parts of merels_engine_solve, for tests: makes engine->unit and the workspaces, and frees
// them; the way and what is in memory are the caller's choice.
MERELS_CHECKED enum status merels_engine_open(struct engine *engine,
                                              const struct work_unit *work,
                                              enum way_to_solve way, struct holding holding,
                                              struct error *err);
void merels_engine_close(struct engine *engine);

// Rows per piece of work: enough pieces for every thread, few enough to cost nothing.
uint32_t merels_engine_piece(const struct engine *engine, uint32_t n_rows);

#endif
