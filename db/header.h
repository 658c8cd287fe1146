// header.h: the fixed header of a table file: 256 bytes, little-endian, read byte by byte.
// docs/FORMAT.md gives every field; the offsets stand in header.c.

#ifndef MERELS_DB_HEADER_H
#define MERELS_DB_HEADER_H

#include "db/edition.h"
#include "db/hash.h"
#include "game/subspace.h"

enum {
    TABLE_VERSION = 2,
    TABLE_HEADER_BYTES = 256,
    MAX_BLOCK_BYTES = WDL_BLOCK_SLOTS / 4 // more than MAX_VALUE_BYTES * DTM_BLOCK_SLOTS
};

// What is known of the values as a whole; -1 for a depth that does not occur.
struct table_stats {
    uint64_t win, draw, loss; // in orbits
    uint64_t none;            // orbits that are no position: the game was over before
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
    uint8_t value_hash[SHA256_BYTES]; // db/value_hash.h
};

// How many blocks there are, and what the file as a whole must be.
struct table_layout {
    uint64_t n_blocks;
    uint64_t file_bytes;
    uint64_t index_checksum; // XXH64 of the first level of the block index
};

void merels_header_encode(const struct table_header *header, const struct table_layout *layout,
                          uint8_t bytes[TABLE_HEADER_BYTES]);

// Reads the n_bytes (all of the header, or fewer if the file is shorter) of `path`: magic,
// version, checksum, and what every field may hold on its own. STATUS_CORRUPT, STATUS_NEWER.
MERELS_CHECKED enum status merels_header_decode(const uint8_t *bytes, size_t n_bytes,
                                                const char *path, struct table_header *header,
                                                struct table_layout *layout, struct error *err);

// Checks the counts of a header against the closed formulas of a board, or, if board is NULL,
// against what holds for every board, and against each other. STATUS_CORRUPT.
MERELS_CHECKED enum status merels_header_check(const struct table_header *header,
                                               const struct table_layout *layout,
                                               const struct board *board, const char *path,
                                               struct error *err);

// The name of a table's file: "9-8.mtb", "9-8.wdl". Returns its length.
enum { TABLE_NAME_BYTES = SUBSPACE_NAME_BYTES + EDITION_SUFFIX_BYTES };
size_t merels_table_name(struct subspace s, enum edition edition, char out[TABLE_NAME_BYTES]);

// True if `name` is the file of a table of an edition, as merels_table_name spells it.
bool merels_table_named(const char *name, enum edition edition, struct subspace *s);

// The number of blocks of a table.
uint64_t merels_block_count(const struct table_header *header);

// The slots of block `block` of a table, and the bytes of their values.
uint64_t merels_block_slots(const struct table_header *header, uint64_t block);
size_t merels_block_bytes(const struct table_header *header, uint64_t block);

// Little-endian numbers in byte arrays.
static inline void put_le(uint8_t *to, int n_bytes, uint64_t value)
{
    for (int i = 0; i < n_bytes; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static inline uint64_t get_le(const uint8_t *from, int n_bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < n_bytes; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

#endif
