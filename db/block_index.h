// block_index.h: where the blocks of a table lie: two levels of entries behind the header.
//
//     0        256            256 + 16 G                        data
//     | header | G groups     | B blocks                        | block 0 | block 1 | ...
//              | begin, hash  | end, hash                       |
//                  of the entries of 128 blocks   of the stored bytes of one
//
// A reader loads the header with all groups in one piece, then the 128 entries of the group
// that it needs, then the block. docs/FORMAT.md is the law.

#ifndef MERELS_DB_BLOCK_INDEX_H
#define MERELS_DB_BLOCK_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INDEX_ENTRY_BYTES = 16, GROUP_BLOCKS = 128 };

// An entry of either level: where a group's first block begins, or where a block ends, both as
// offsets in the file; and XXH64 of the group's entries, or of the block's stored bytes.
struct index_entry {
    uint64_t offset;
    uint64_t checksum;
};

// The numbers of a table that say where everything is.
struct block_index {
    uint64_t n_blocks;
    uint64_t n_groups;
    uint64_t entries; // offset of the second level
    uint64_t data;    // offset of block 0
};

struct block_index merels_block_index(uint64_t n_blocks);

// The blocks of one group: GROUP_BLOCKS, of the last one the rest.
uint64_t merels_group_blocks(const struct block_index *index, uint64_t group);

// Entries to the bytes of a file and back; n_entries * INDEX_ENTRY_BYTES bytes.
void merels_index_encode(const struct index_entry *entries, uint64_t n_entries, uint8_t *bytes);
void merels_index_decode(const uint8_t *bytes, uint64_t n_entries, struct index_entry *entries);

#endif
