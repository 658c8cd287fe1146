// compact_rows.c: values of a row, of any edition, and the order of its blocks.

#include "compact/compact_rows.h"

#include <stdlib.h>

static uint8_t code_of(const uint8_t *values, int width, uint64_t k)
{
    int depth = table_value(values + k * (uint64_t)width, width);
    return depth < 0 ? 1 : depth % 2 != 0 ? 2 : 0;
}

enum status merels_compact_rows_start(const struct compact_game *game, struct tablebase *base,
                                      struct subspace s, uint8_t stored,
                                      struct compact_rows *rows, struct error *err)
{
    *rows = (struct compact_rows){.game = game, .subspace = s, .stored = stored};
    enum status status = merels_tablebase_table(base, s, &rows->table, err);
    if (status == STATUS_OK)
        status = merels_index_rows(merels_tablebase_index(base), s.b, &rows->sets, err);
    if (status != STATUS_OK)
        return status;
    const struct table_header *header = merels_table_header(rows->table);
    rows->n_columns = header->n_slots / rows->sets->n_rows;
    rows->n_pieces = (uint32_t)((rows->n_columns - 1) / COMPACT_PIECE + 1);
    rows->room.values = malloc(COMPACT_PIECE);
    rows->room.nodes = malloc(merels_compact_nodes(game, s.a, s.b, s.ha) + 1);
    rows->room.weights = malloc(merels_compact_weights(game) * sizeof *rows->room.weights);
    rows->room.row = malloc(merels_compact_row_bytes());
    rows->values = malloc(rows->n_columns * MAX_VALUE_BYTES);
    if (rows->room.values != NULL && rows->room.nodes != NULL && rows->room.weights != NULL &&
        rows->room.row != NULL && rows->values != NULL)
        return STATUS_OK;
    merels_compact_rows_end(rows);
    return merels_error(err, STATUS_NO_MEMORY, "out of memory for a row");
}

void merels_compact_rows_end(struct compact_rows *rows)
{
    free(rows->room.values);
    free(rows->room.nodes);
    free(rows->room.weights);
    free(rows->room.row);
    free(rows->values);
    *rows = (struct compact_rows){0};
}

enum status merels_compact_rows_read(struct compact_rows *rows, uint32_t row, struct error *err)
{
    int width = merels_table_header(rows->table)->value_bytes;
    enum status status = merels_table_read(rows->table, row * rows->n_columns, rows->n_columns,
                                           rows->values, err);
    if (status != STATUS_OK)
        return status;
    for (uint64_t k = 0; k < rows->n_columns; k++) // in place: no code lies behind its value
        rows->values[k] = code_of(rows->values, width, k);
    return STATUS_OK;
}

struct compact_block merels_compact_rows_block(const struct compact_rows *rows, uint32_t row,
                                               uint32_t k)
{
    struct subspace s = rows->subspace;
    return (struct compact_block){.a = s.a,
                                  .b = s.b,
                                  .ha = s.ha,
                                  .hb = s.hb,
                                  .stored = rows->stored,
                                  .other = rows->sets->sets[row],
                                  .first_column = k * COMPACT_PIECE};
}
