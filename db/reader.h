// reader.h: one subspace's table file, opened, checked, and its values read. docs/FORMAT.md is
// the law.

#ifndef MERELS_DB_READER_H
#define MERELS_DB_READER_H

#include "db/header.h"

struct table;
struct pool;

// Opens and validates DIR/<subspace>.mtb (header, block index, length of the file); no block is
// read. rules == NULL accepts any rules. STATUS_MISSING, _CORRUPT, _NEWER, _OTHER_RULES, _IO,
// _NO_MEMORY. Keeps one file open and the block index in memory (16 bytes a block).
MERELS_CHECKED enum status merels_table_open(const char *dir, const struct rules *rules,
                                             struct subspace subspace, struct table **table,
                                             struct error *err);

// As merels_table_open, with files and workspaces of `pool`, which must outlive the table.
MERELS_CHECKED enum status merels_table_open_pooled(const char *dir, const struct rules *rules,
                                                    struct subspace subspace, struct pool *pool,
                                                    struct table **table, struct error *err);
void merels_table_close(struct table *table); // NULL is allowed
const struct table_header *merels_table_header(const struct table *table);
const char *merels_table_path(const struct table *table);
uint64_t merels_table_file_bytes(const struct table *table);

// Copies the values of n_slots slots from first_slot on; values has n_slots * value_bytes
// bytes, or n_slots bytes, each an enum wdl_code, in edition wdl. Every block touched is read
// and its checksum checked. Any number of threads may read one table.
MERELS_CHECKED enum status merels_table_read(const struct table *table, uint64_t first_slot,
                                             uint64_t n_slots, uint8_t *values,
                                             struct error *err);

// Bytes of values in a block.
size_t merels_table_block_bytes(const struct table *table, uint64_t block);

// All values of one block; `values` has merels_table_block_bytes bytes. Any thread.
MERELS_CHECKED enum status merels_table_read_block(const struct table *table, uint64_t block,
                                                   uint8_t *values, struct error *err);

#endif
