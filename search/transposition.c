// transposition.c: what is already proved of the positions of a search.
//
// A bucket is half a cache line: four entries. Threads read and write entries as whole words
// without any order between them: each entry is true on its own. Two threads that write the
// same bucket may lose an entry or keep one twice, which costs time, never a wrong value.

#include "search/transposition.h"

#include "search/position_key.h"
#include "work/memory.h"

enum { BUCKET_ENTRIES = 4, PROVED_BIT = POSITION_KEY_BITS, EFFORT_SHIFT = 58 };

static const uint64_t key_mask = ((uint64_t)1 << PROVED_BIT) - 1;

enum status merels_transposition_create(uint64_t n_bytes, struct transposition *table,
                                        struct error *err)
{
    uint64_t bucket_bytes = BUCKET_ENTRIES * sizeof *table->entries;
    uint64_t n_buckets = n_bytes / bucket_bytes;
    n_buckets = n_buckets < 1 ? 1 : n_buckets > UINT32_MAX ? UINT32_MAX : n_buckets;
    table->n_buckets = n_buckets;
    table->entries = merels_array_create((size_t)(n_buckets * bucket_bytes));
    if (table->entries == NULL)
        return merels_error(err, STATUS_NO_MEMORY,
                            "out of memory for a transposition table of %llu bytes",
                            (unsigned long long)(n_buckets * bucket_bytes));
    return STATUS_OK;
}

void merels_transposition_destroy(struct transposition *table)
{
    merels_array_destroy((void *)table->entries,
                         (size_t)(table->n_buckets * BUCKET_ENTRIES * sizeof *table->entries));
    *table = (struct transposition){0};
}

static _Atomic uint64_t *bucket_of(const struct transposition *table, uint64_t key)
{
    uint64_t hash = key * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
    return table->entries + ((hash >> 32) * table->n_buckets >> 32) * BUCKET_ENTRIES;
}

void merels_transposition_prefetch(const struct transposition *table, uint64_t key)
{
    bit_prefetch((const void *)bucket_of(table, key));
}

int merels_transposition_get(const struct transposition *table, uint64_t key)
{
    const _Atomic uint64_t *bucket = bucket_of(table, key);
    for (int k = 0; k < BUCKET_ENTRIES; k++) {
        uint64_t entry = atomic_load_explicit(&bucket[k], memory_order_relaxed);
        if ((entry & key_mask) == key)
            return (int)(entry >> PROVED_BIT & 1);
    }
    return -1;
}

void merels_transposition_put(struct transposition *table, uint64_t key, bool proved,
                              uint64_t n_nodes)
{
    _Atomic uint64_t *bucket = bucket_of(table, key);
    uint64_t effort = n_nodes == 0 ? 0 : 63 - (uint64_t)__builtin_clzll(n_nodes);
    uint64_t least = UINT64_MAX;
    int place = 0;
    for (int k = 0; k < BUCKET_ENTRIES; k++) {
        uint64_t entry = atomic_load_explicit(&bucket[k], memory_order_relaxed);
        if (entry == 0 || (entry & key_mask) == key) {
            place = k;
            break;
        }
        if (entry >> EFFORT_SHIFT < least) {
            least = entry >> EFFORT_SHIFT;
            place = k;
        }
    }
    atomic_store_explicit(&bucket[place],
                          key | (uint64_t)proved << PROVED_BIT | effort << EFFORT_SHIFT,
                          memory_order_relaxed);
}
