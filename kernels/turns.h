// turns.h: turns on their way to other rows, collected by destination.
//
// A turn leads to a place in any row, and a place touched at random costs a cache miss and a
// TLB miss. So a turn is first appended to the list of its destination's bucket (a group of
// rows whose arrays fit in the second-level cache), and all lists of a bucket are worked off
// together later, by the one thread that owns those rows then:
//
//     thread 0   bucket 0 [items....][items..]   bucket 1 [items...]   ...
//     thread 1   bucket 0 [items.]               bucket 1 [items....]  ...
//                -> apply: bucket 0, 1, ...
//
// Lists are chains of chunks of one page from a common pool. When the pool runs low the threads
// meet and apply all lists; when it is empty before, a turn is carried out at once. So its size
// decides the speed and never a result. No item in a list needs an atomic operation.
//
// Where rows belong to several ranks the buckets are those of all of them, and lists of rows of
// another rank are sent there as they are. A turn that cannot be carried out at once, since its
// row is elsewhere, is kept in an array of its thread when the pool is empty.

#ifndef MERELS_KERNELS_TURNS_H
#define MERELS_KERNELS_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/status.h"

enum { CHUNK_ITEMS = 1024, ITEM_PLACE_BITS = 24, NO_CHUNK = 0xFFFFFFFF };

// Chunks of CHUNK_ITEMS words; the first word of a chunk is the number of the chunk before it
// in its list.
struct turn_pool {
    uint32_t *chunks;
    uint32_t n_chunks;
    uint32_t n_used; // atomic
};

// Turns that found no chunk, by thread: bucket << 32 | item.
struct turn_rest {
    uint64_t *items;
    size_t n, room;
    bool lost; // there was no memory for one
};

struct turn_lists {
    struct turn_pool *pool;
    int n_threads;
    uint32_t n_buckets;
    int row_bits;            // rows of a bucket: 2^row_bits
    int column_bits;         // place in a bucket: row << column_bits | column
    uint32_t **ends;         // per thread and bucket: where the next item goes; NULL: no list
    struct turn_rest *rests; // per thread; NULL where all rows are here
};

// A pool in n_bytes of the caller's memory, which begins at a multiple of a chunk's size.
void merels_turn_pool_open(void *memory, uint64_t n_bytes, struct turn_pool *pool);

// Empties the pool; every list must have been applied.
void merels_turn_pool_reset(struct turn_pool *pool);

// Three quarters are used: time to apply the lists. An empty pool is not low.
static inline bool turn_pool_is_low(const struct turn_pool *pool)
{
    return __atomic_load_n(&pool->n_used, __ATOMIC_RELAXED) > pool->n_chunks / 4 * 3;
}

// Lists for the rows and columns of a side, whose rows so many ranks have. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_turn_lists_create(struct turn_pool *pool, int n_threads,
                                                    uint32_t n_rows, uint32_t n_columns,
                                                    int n_ranks, struct turn_lists *lists,
                                                    struct error *err);
void merels_turn_lists_destroy(struct turn_lists *lists);

// The rows of a bucket, in powers of two, for lists of so many rows and columns.
int merels_turn_row_bits(uint32_t n_rows, uint32_t n_columns, int n_ranks);

// Bytes that lists take, those of a chunk for each, and the number of items that a pool surely
// holds beside them.
uint64_t merels_turn_lists_bytes(int n_threads, uint32_t n_rows, uint32_t n_columns,
                                 int n_ranks);
uint64_t merels_turn_begun_bytes(int n_threads, uint32_t n_rows, uint32_t n_columns,
                                 int n_ranks);
uint64_t merels_turn_room(const struct turn_lists *lists);

// A new chunk at the end of a list that ends at `end` (NULL: none yet); NULL if the pool is
// empty.
uint32_t *merels_turn_chunk(struct turn_pool *pool, uint32_t *end);

// Has a list that ends at `end` (NULL: none yet) no room in its last chunk?
static inline bool turn_chunk_is_full(const uint32_t *end)
{
    return ((uintptr_t)end & (CHUNK_ITEMS * sizeof *end - 1)) == 0;
}

// Appends an item to the thread's list of a bucket; false if there is no room.
static inline bool turn_push(struct turn_pool *pool, uint32_t **list, uint32_t item)
{
    uint32_t *end = *list;
    if (turn_chunk_is_full(end)) {
        end = merels_turn_chunk(pool, end);
        if (end == NULL)
            return false;
    }
    *end = item;
    *list = end + 1;
    return true;
}

// Keeps a turn of a thread to a row that is not here.
void merels_turn_keep(const struct turn_lists *lists, int thread, uint32_t bucket,
                      uint32_t item);

// Moves items out of the lists of a bucket, as many as there is room for; returns how many.
size_t merels_turn_take(struct turn_lists *lists, uint32_t bucket, size_t room,
                        uint32_t *items);

// Calls `apply` with every piece of the lists of a bucket, and empties them.
typedef void turn_apply(void *context, const uint32_t *items, size_t n);
void merels_turn_apply(struct turn_lists *lists, uint32_t bucket, turn_apply *apply,
                       void *context);

#endif
