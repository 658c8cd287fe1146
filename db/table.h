// table.h: one subspace's file: its header, its writer and its reader. docs/FORMAT.md is the
// law.
//
// Edition dtm: one byte a slot. VALUE_DRAW, or the depth in plies (0 = lost now, odd = win,
// even = loss for the mover). The format also knows a width of two bytes, for rules with longer
// wins. Edition wdl: an enum wdl_code a slot, in blocks four to a byte, the lowest slot lowest.

#ifndef MERELS_DB_TABLE_H
#define MERELS_DB_TABLE_H

#include "db/hash.h"
#include "db/index.h"

enum { VALUE_DRAW = 255, MAX_DEPTH = 254, BLOCK_SLOTS = 65536 };

enum edition { EDITION_DTM = 1, EDITION_WDL = 2 };

enum wdl_code { WDL_DRAW = 0, WDL_WIN = 1, WDL_LOSS = 2 };

// "dtm" or "wdl".
const char *merels_edition_name(enum edition edition);

// What is known of the values as a whole; -1 for a depth that does not occur.
struct table_stats {
    uint64_t win, draw, loss; // in orbits
    int max_win, max_loss;    // plies; -1 if there is none; -1 in edition wdl
    uint64_t max_win_slot;    // the first slot with that depth (0 if there is none)
    uint64_t max_loss_slot;
};

struct table_header {
    int version;
    enum edition edition;
    int value_bytes; // 1 or 2; edition wdl: 0
    uint8_t fingerprint[FINGERPRINT_BYTES];
    int n_points;
    struct subspace subspace;
    uint32_t block_slots;
    uint64_t n_slots, n_rows, n_columns, n_orbits;
    struct table_stats stats;
    uint8_t value_hash[SHA256_BYTES]; // of the uncompressed values (wdl: packed)
};

// ---- writing -------------------------------------------------------------------------------
// Blocks are compressed by anyone, in any order, and appended in order by one thread. Until
// merels_table_finish succeeds only a temporary file (".part") exists; nothing is left by
// abort.

struct table_writer;

// Starts DIR/<subspace>.mtb for a dtm table with 1-byte values. STATUS_IO, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_table_create(const char *dir, const struct rules *rules,
                                               struct subspace subspace,
                                               struct table_writer **writer, struct error *err);

// The same for any edition: dtm with 1-byte values, or wdl.
MERELS_CHECKED enum status
merels_table_create_edition(const char *dir, const struct rules *rules,
                            struct subspace subspace, enum edition edition,
                            struct table_writer **writer, struct error *err);

// The slots of a full block of an edition: BLOCK_SLOTS bytes of packed codes in edition wdl.
uint32_t merels_edition_block_slots(enum edition edition);

// Packs the codes of n slots of edition wdl, from dtm values of one or two bytes, into
// (n + 3) / 4 bytes. n is a multiple of 4 except at the end of a table.
void merels_wdl_pack(const uint8_t *values, int value_bytes, size_t n_slots, uint8_t *packed);

static inline int wdl_unpack(const uint8_t *packed, uint64_t slot)
{
    return packed[slot / 4] >> (2 * (slot % 4)) & 3;
}

// Room that a compressed block of n_bytes of values may need.
size_t merels_block_bound(size_t n_bytes);

// Compresses the values of one block; *out_bytes is the length used. Thread-safe; deterministic
// for one version of zstd. One workspace per thread (create once, use often).
struct block_coder;
MERELS_CHECKED enum status merels_block_coder_create(struct block_coder **coder,
                                                     struct error *err);

// As above, for the blocks of an edition; wdl: about 2 MB; some 10 million slots a second.
MERELS_CHECKED enum status merels_block_coder_create_edition(enum edition edition,
                                                             struct block_coder **coder,
                                                             struct error *err);
void merels_block_coder_destroy(struct block_coder *coder);
MERELS_CHECKED enum status merels_block_compress(struct block_coder *coder,
                                                 const uint8_t *values, size_t n_bytes,
                                                 uint8_t *out, size_t out_room,
                                                 size_t *out_bytes, struct error *err);

// Appends the next block: a full block's slots each, the last one the rest.
MERELS_CHECKED enum status merels_table_append(struct table_writer *writer,
                                               const uint8_t *block, size_t n_bytes,
                                               struct error *err);

// Writes index and header, flushes, syncs, renames, syncs the directory, frees the writer (also
// on failure).
MERELS_CHECKED enum status merels_table_finish(struct table_writer *writer,
                                               const struct table_stats *stats,
                                               const uint8_t value_hash[SHA256_BYTES],
                                               struct error *err);
void merels_table_abort(struct table_writer *writer); // NULL is allowed

// ---- reading -------------------------------------------------------------------------------

struct table;

// Opens and validates DIR/<subspace>.mtb (header, block index, length of the file); no block is
// read. rules == NULL accepts any rules. STATUS_MISSING, _CORRUPT, _NEWER, _OTHER_RULES, _IO,
// _NO_MEMORY. Keeps one file open and the block index in memory (16 bytes a block).
MERELS_CHECKED enum status merels_table_open(const char *dir, const struct rules *rules,
                                             struct subspace subspace, struct table **table,
                                             struct error *err);
void merels_table_close(struct table *table); // NULL is allowed
const struct table_header *merels_table_header(const struct table *table);
uint64_t merels_table_file_bytes(const struct table *table);

// Copies the values of n_slots slots from first_slot on; values has n_slots * value_bytes
// bytes, or n_slots bytes, each an enum wdl_code, in edition wdl. Every block touched is read
// and its checksum checked. Any number of threads may read one table.
MERELS_CHECKED enum status merels_table_read(const struct table *table, uint64_t first_slot,
                                             uint64_t n_slots, uint8_t *values,
                                             struct error *err);

#endif
