// compact_rows.h: the rows of a table as edition compact sees them: values, block by block.

#ifndef MERELS_COMPACT_COMPACT_ROWS_H
#define MERELS_COMPACT_COMPACT_ROWS_H

#include "compact/compact_game.h"
#include "db/tablebase.h"

// One table at work, and the room of one thread to walk over its rows.
struct compact_rows {
    const struct compact_game *game;
    const struct table *table;
    const struct row_sets *sets;
    struct subspace subspace;
    uint8_t stored;
    uint64_t n_columns;
    uint32_t n_pieces;
    struct compact_room room;
    uint8_t *values; // of the row at work, 0 lost, 1 drawn, 2 won
};

// STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_compact_rows_start(const struct compact_game *game,
                                                     struct tablebase *base,
                                                     struct subspace subspace, uint8_t stored,
                                                     struct compact_rows *rows,
                                                     struct error *err);
void merels_compact_rows_end(struct compact_rows *rows);

// Reads the values of a row. As merels_table_read.
MERELS_CHECKED enum status merels_compact_rows_read(struct compact_rows *rows, uint32_t row,
                                                    struct error *err);

// Block number k of a row: one for each piece.
struct compact_block merels_compact_rows_block(const struct compact_rows *rows, uint32_t row,
                                               uint32_t k);

#endif
