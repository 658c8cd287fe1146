// reader.h: tables that share a pool of files, and reading by whole blocks: for the tablebase.

#ifndef MERELS_DB_READER_H
#define MERELS_DB_READER_H

#include "db/pool.h"
#include "db/table.h"

// As merels_table_open, with files and workspaces of `pool`, which must outlive the table.
MERELS_CHECKED enum status merels_table_open_pooled(const char *dir, const struct rules *rules,
                                                    struct subspace subspace, struct pool *pool,
                                                    struct table **table, struct error *err);

// Bytes of values in a block.
size_t merels_table_block_bytes(const struct table *table, uint64_t block);

// All values of one block; `values` has merels_table_block_bytes bytes. Any thread.
MERELS_CHECKED enum status merels_table_read_block(const struct table *table, uint64_t block,
                                                   uint8_t *values, struct error *err);

const char *merels_table_path(const struct table *table);

#endif
