// reader.h: one subspace's table, loaded, checked, and its values read. docs/FORMAT.md is the
// law.

#ifndef MERELS_DB_READER_H
#define MERELS_DB_READER_H

#include "db/byte_source.h"
#include "db/header.h"

// ---- what the tables of one source share ---------------------------------------------------

struct table_reader;

// A reader of the tables of a source, which must outlive it. It keeps some room for decoding,
// about 0.3 MB a thread, at most four times. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_reader_create(const struct byte_source *source,
                                                struct table_reader **reader,
                                                struct error *err);

// The same for the files of a directory, at most max_files of them open at a time.
MERELS_CHECKED enum status merels_directory_reader_create(const char *dir, int max_files,
                                                          struct table_reader **reader,
                                                          struct error *err);
void merels_reader_destroy(struct table_reader *reader); // all tables closed; NULL is allowed

// ---- tables --------------------------------------------------------------------------------

struct table;

// Loads and validates the file of a table (header, groups of the block index, length); no block
// is read, and the entries of blocks when they are first needed. rules == NULL accepts any
// rules. file_bytes, if not 0, is what a manifest says of its length: it helps to ask for the
// right bytes at once and is never believed. STATUS_MISSING, _NOT_YET, _CORRUPT, _NEWER,
// _OLDER, _OTHER_RULES, _IO, _NO_MEMORY. Keeps in memory 24 bytes for each group of 128 blocks,
// and 16 for each block of the groups that were used.
MERELS_CHECKED enum status merels_reader_load_table(struct table_reader *reader,
                                                    const struct rules *rules,
                                                    struct subspace subspace,
                                                    enum edition edition, uint64_t file_bytes,
                                                    struct table **table, struct error *err);

// The same for a file of a directory with a reader of its own, which keeps one file open.
MERELS_CHECKED enum status merels_table_open(const char *dir, const struct rules *rules,
                                             struct subspace subspace, enum edition edition,
                                             struct table **table, struct error *err);
void merels_table_close(struct table *table); // NULL is allowed

const struct table_header *merels_table_header(const struct table *table);
const char *merels_table_path(const struct table *table); // for messages
uint64_t merels_table_file_bytes(const struct table *table);

// ---- values --------------------------------------------------------------------------------

// Copies the values of n_slots slots from first_slot on; values has n_slots * value_bytes
// bytes, or n_slots bytes, each an enum wdl_code, in edition wdl. Every block touched is read
// and its checksum checked. After STATUS_NOT_YET the source has been told of all of them. Any
// number of threads may read one table.
MERELS_CHECKED enum status merels_table_read(const struct table *table, uint64_t first_slot,
                                             uint64_t n_slots, uint8_t *values,
                                             struct error *err);

// Bytes of values in a block.
size_t merels_table_block_bytes(const struct table *table, uint64_t block);

// All values of one block; `values` has merels_table_block_bytes bytes. Any thread.
MERELS_CHECKED enum status merels_table_read_block(const struct table *table, uint64_t block,
                                                   uint8_t *values, struct error *err);

#endif
