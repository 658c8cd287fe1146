// divided_output.h: a table whose rows several ranks have, written by all of them.
//
//     rank 0  |======== rows ========|
//     rank 1                         |======= rows =======|
//     pieces  |----------|----------|----------|----------|
//             '----------- rank 0 ------------'- rank 1 --'
//
// A piece belongs to the rank that has its first slot; the others send it what they have of it.
// Each rank compresses and hashes its pieces, in memory; then all know where in the file the
// blocks of each go, and write them there. Rank 0 of the group adds index and header and gives
// the file its name.

#ifndef MERELS_SOLVER_DIVIDED_OUTPUT_H
#define MERELS_SOLVER_DIVIDED_OUTPUT_H

#include "solver/engine.h"

// Values of slots of the rows in memory: n of them from number `first` on, counted from the
// first slot of these rows.
typedef enum status read_values(void *context, uint64_t first, size_t n, uint8_t *values,
                                struct error *err);

struct divided_table {
    const struct side *side;
    int value_bytes;
    read_values *read;
    void *context;
};

// Writes the table of a side; the ranks of engine->exchange make this call together, with the
// statistics of the whole table. Ticks the stage at work. STATUS_IO,
// STATUS_NO_MEMORY, STATUS_INTERRUPTED.
MERELS_CHECKED enum status merels_divided_write(struct engine *engine,
                                                const struct divided_table *table,
                                                const struct table_stats *stats,
                                                struct error *err);

// Bytes that a rank needs for it beside the rows, of which it has n_slots.
uint64_t merels_divided_bytes(uint64_t n_slots);

#endif
