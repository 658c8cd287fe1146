// store.h: a unit with turns inside, solved in less memory than its codes take.
//
// What the steps ask at random stays in memory, a bit each: undecided, won, fresh. Codes are
// touched row by row, and wait in a temporary file (row_log.h) until it is their turn:
//
//     sources     a range of rows after the other: brought, cut by step -----> log of a source
//     a step      log of a source: the rows with news -> codes of one row --+
//                                                                decide_row |
//                 log of the side <----- columns that have been decided <---+
//     the end     log of the side: a range of rows after the other -> codes -> the table
//
// The kernels see a view of the side: one row long, with arrays of a thread's own for its
// codes. So no kernel knows of it, and the tables are the same. What is paid for it is that
// finished tables are read once for each range, and some nanoseconds a slot for the logs.

#ifndef MERELS_SOLVER_STORE_H
#define MERELS_SOLVER_STORE_H

#include "solver/row_log.h"
#include "solver/side_output.h"

// Makes engine->store for a unit with room for codes; to be destroyed in any case. STATUS_IO,
// STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_store_create(struct engine *engine, struct error *err);
void merels_store_destroy(struct engine *engine);

// Bytes beside the unit's arrays; and those that its temporary file has room in: each code of a
// side and of its sources stands there once (merels_row_log_row_bytes).
uint64_t merels_store_bytes(const struct rules *rules, const struct work_unit *work,
                            int n_threads);
uint64_t merels_store_disk(const struct rules *rules, const struct work_unit *work);

// The greatest length that the temporary file has had so far.
uint64_t merels_store_used(const struct engine *engine);

// Puts the next rows of a side into range, from `first` on, as many as there is room for with
// so many columns.
void merels_store_range(const struct engine *engine, struct side *side, uint32_t n_columns,
                        uint32_t first);

// Takes the codes of a source of the rows in range. Errors of the temporary file.
MERELS_CHECKED enum status merels_store_source(struct engine *engine, const struct side *side,
                                               const struct source *source, struct error *err);

// Works off a step in the rows of a bucket, as decide_row does in each; returns how many slots
// were decided. A failure waits for merels_store_status.
uint32_t merels_store_decide(struct engine *engine, const struct side *side, int step,
                             uint32_t bucket);
MERELS_CHECKED enum status merels_store_status(const struct engine *engine, struct error *err);

// Hands over what has been decided since the window began, as merels_side_output_take does, and
// forgets it and the sources.
MERELS_CHECKED enum status merels_store_hand_over(struct engine *engine,
                                                  struct side_output *outputs, bool more,
                                                  struct error *err);

#endif
