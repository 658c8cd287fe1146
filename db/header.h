// header.h: the fixed header of a table file: 192 bytes, little-endian, read byte by byte.
// docs/FORMAT.md gives every field; the offsets stand in header.c.

#ifndef MERELS_DB_HEADER_H
#define MERELS_DB_HEADER_H

#include "db/table.h"

enum {
    TABLE_VERSION = 1,
    TABLE_HEADER_BYTES = 192,
    INDEX_ENTRY_BYTES = 16,
    MAX_BLOCK_BYTES = 2 * BLOCK_SLOTS
};

// Where the block index lies, and its checksum.
struct table_layout {
    uint64_t index_offset;
    uint64_t n_blocks;
    uint64_t index_checksum;
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
