// block_index.c: the layout of the block index, and its entries as bytes.

#include "db/block_index.h"

#include "db/header.h"

struct block_index merels_block_index(uint64_t n_blocks)
{
    uint64_t n_groups = n_blocks / GROUP_BLOCKS + (n_blocks % GROUP_BLOCKS != 0);
    uint64_t entries = TABLE_HEADER_BYTES + n_groups * INDEX_ENTRY_BYTES;
    return (struct block_index){n_blocks, n_groups, entries,
                                entries + n_blocks * INDEX_ENTRY_BYTES};
}

uint64_t merels_group_blocks(const struct block_index *index, uint64_t group)
{
    uint64_t rest = index->n_blocks - group * GROUP_BLOCKS;
    return rest < GROUP_BLOCKS ? rest : GROUP_BLOCKS;
}

void merels_index_encode(const struct index_entry *entries, uint64_t n_entries, uint8_t *bytes)
{
    for (uint64_t i = 0; i < n_entries; i++, bytes += INDEX_ENTRY_BYTES) {
        put_le(bytes, 8, entries[i].offset);
        put_le(bytes + 8, 8, entries[i].checksum);
    }
}

void merels_index_decode(const uint8_t *bytes, uint64_t n_entries, struct index_entry *entries)
{
    for (uint64_t i = 0; i < n_entries; i++, bytes += INDEX_ENTRY_BYTES)
        entries[i] = (struct index_entry){get_le(bytes, 8), get_le(bytes + 8, 8)};
}
