// writer.h: writes one subspace's table file.
//
// Blocks are compressed by anyone, in any order (db/codec.h), and appended in order by one
// thread. Until merels_table_finish succeeds only a temporary file (".part") exists; nothing is
// left by abort.

#ifndef MERELS_DB_WRITER_H
#define MERELS_DB_WRITER_H

#include "db/header.h"

struct table_writer;

// Starts the file of a table of an edition: dtm with values of value_bytes (1 or 2) bytes each,
// or wdl with value_bytes 0. STATUS_BAD_INPUT (a width that the edition does not have, a
// subspace without slots), STATUS_IO, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_table_create(const char *dir, const struct rules *rules,
                                               struct subspace subspace, enum edition edition,
                                               int value_bytes, struct table_writer **writer,
                                               struct error *err);

// Appends the next block: a full block's slots each, the last one the rest.
MERELS_CHECKED enum status merels_table_append(struct table_writer *writer,
                                               const uint8_t *block, size_t n_bytes,
                                               struct error *err);

// A run of blocks as they stand in the file, made and written apart from the writer.
struct written_blocks {
    uint64_t n;
    uint32_t *n_bytes;   // of each
    uint64_t *checksums; // merels_xxh64
};

// Where the next block goes in the file, of which no other writer is to be at work.
uint64_t merels_table_end(const struct table_writer *writer);

// Takes in blocks that others have written there, one behind the other.
MERELS_CHECKED enum status merels_table_append_written(struct table_writer *writer,
                                                       const struct written_blocks *blocks,
                                                       struct error *err);

// Writes bytes of blocks into the file of another process's writer, and syncs them.
// STATUS_MISSING if it is not there (yet).
MERELS_CHECKED enum status merels_table_write_part(const char *dir, struct subspace subspace,
                                                   enum edition edition, uint64_t offset,
                                                   const uint8_t *bytes, uint64_t n_bytes,
                                                   struct error *err);

// Writes index and header, flushes, syncs, renames, syncs the directory, frees the writer (also
// on failure).
MERELS_CHECKED enum status merels_table_finish(struct table_writer *writer,
                                               const struct table_stats *stats,
                                               const uint8_t value_hash[SHA256_BYTES],
                                               struct error *err);
void merels_table_abort(struct table_writer *writer); // NULL is allowed

#endif
