// turns.c: turns on their way to other rows, collected by destination.

#include "kernels/turns.h"

#include <stdlib.h>
#include <string.h>

// With many ranks more buckets, so that all have about as many rows.
enum { CHUNK_BYTES = CHUNK_ITEMS * sizeof(uint32_t), MAX_BUCKETS = 256, BUCKETS_OF_RANK = 32 };

void merels_turn_pool_open(void *memory, uint64_t n_bytes, struct turn_pool *pool)
{
    pool->chunks = memory;
    pool->n_chunks = (uint32_t)(n_bytes / CHUNK_BYTES);
    pool->n_used = 0;
}

void merels_turn_pool_reset(struct turn_pool *pool)
{
    pool->n_used = 0;
}

// ---- lists ---------------------------------------------------------------------------------

static int bits_for(uint32_t n) // of the numbers 0 .. n - 1
{
    int bits = 0;
    while (((uint64_t)1 << bits) < n)
        bits++;
    return bits;
}

static void choose_buckets(uint32_t n_rows, uint32_t n_columns, int n_ranks,
                           struct turn_lists *lists)
{
    uint32_t most = (uint32_t)n_ranks * BUCKETS_OF_RANK;
    most = most < MAX_BUCKETS ? MAX_BUCKETS : most;
    lists->column_bits = bits_for(n_columns);
    lists->row_bits = 0;
    while (n_rows >> lists->row_bits >= most &&
           lists->row_bits + lists->column_bits < ITEM_PLACE_BITS)
        lists->row_bits++;
    lists->n_buckets = ((n_rows - 1) >> lists->row_bits) + 1;
}

int merels_turn_row_bits(uint32_t n_rows, uint32_t n_columns, int n_ranks)
{
    struct turn_lists lists;
    choose_buckets(n_rows, n_columns, n_ranks, &lists);
    return lists.row_bits;
}

uint64_t merels_turn_lists_bytes(int n_threads, uint32_t n_rows, uint32_t n_columns,
                                 int n_ranks)
{
    struct turn_lists lists;
    choose_buckets(n_rows, n_columns, n_ranks, &lists);
    return (uint64_t)n_threads * lists.n_buckets * sizeof *lists.ends;
}

uint64_t merels_turn_begun_bytes(int n_threads, uint32_t n_rows, uint32_t n_columns,
                                 int n_ranks)
{
    struct turn_lists lists;
    choose_buckets(n_rows, n_columns, n_ranks, &lists);
    return (uint64_t)n_threads * lists.n_buckets * CHUNK_BYTES;
}

enum status merels_turn_lists_create(struct turn_pool *pool, int n_threads, uint32_t n_rows,
                                     uint32_t n_columns, int n_ranks, struct turn_lists *lists,
                                     struct error *err)
{
    choose_buckets(n_rows, n_columns, n_ranks, lists);
    lists->pool = pool;
    lists->n_threads = n_threads;
    lists->ends = calloc((size_t)n_threads * lists->n_buckets, sizeof *lists->ends);
    if (n_ranks > 1)
        lists->rests = calloc((size_t)n_threads, sizeof *lists->rests);
    if (lists->ends == NULL || (n_ranks > 1 && lists->rests == NULL))
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for lists of turns");
    return STATUS_OK;
}

void merels_turn_lists_destroy(struct turn_lists *lists)
{
    free(lists->ends);
    for (int k = 0; lists->rests != NULL && k < lists->n_threads; k++)
        free(lists->rests[k].items);
    free(lists->rests);
    *lists = (struct turn_lists){0};
}

uint64_t merels_turn_room(const struct turn_lists *lists)
{
    uint64_t begun = (uint64_t)lists->n_threads * lists->n_buckets; // chunks that are not full
    return lists->pool->n_chunks > begun
               ? (lists->pool->n_chunks - begun) * (uint64_t)(CHUNK_ITEMS - 1)
               : 0;
}

uint32_t *merels_turn_chunk(struct turn_pool *pool, uint32_t *end)
{
    if (__atomic_load_n(&pool->n_used, __ATOMIC_RELAXED) >= pool->n_chunks)
        return NULL;
    uint32_t number = __atomic_fetch_add(&pool->n_used, 1, __ATOMIC_RELAXED);
    if (number >= pool->n_chunks)
        return NULL;
    uint32_t *chunk = pool->chunks + (size_t)number * CHUNK_ITEMS;
    chunk[0] = end == NULL ? NO_CHUNK : (uint32_t)((end - pool->chunks) / CHUNK_ITEMS) - 1;
    return chunk + 1;
}

void merels_turn_keep(const struct turn_lists *lists, int thread, uint32_t bucket,
                      uint32_t item)
{
    struct turn_rest *rest = &lists->rests[thread];
    if (rest->n == rest->room) {
        size_t room = rest->room == 0 ? CHUNK_ITEMS : 2 * rest->room;
        uint64_t *items = realloc(rest->items, room * sizeof *items);
        if (items == NULL) {
            rest->lost = true;
            return;
        }
        rest->items = items;
        rest->room = room;
    }
    rest->items[rest->n++] = (uint64_t)bucket << 32 | item;
}

// Takes items off the end of a list; returns how many.
static size_t take_items(const struct turn_pool *pool, uint32_t **list, size_t room,
                         uint32_t *items)
{
    size_t n = 0;
    while (*list != NULL && n < room) {
        uint32_t *end = *list;
        size_t number = (size_t)(end - 1 - pool->chunks) / CHUNK_ITEMS;
        uint32_t *chunk = pool->chunks + number * CHUNK_ITEMS;
        size_t here = (size_t)(end - chunk - 1), m = here < room - n ? here : room - n;
        memcpy(items + n, end - m, m * sizeof *items);
        n += m;
        *list = end - m;
        if (m == here)
            *list = chunk[0] == NO_CHUNK ? NULL
                                         : pool->chunks + ((size_t)chunk[0] + 1) * CHUNK_ITEMS;
    }
    return n;
}

size_t merels_turn_take(struct turn_lists *lists, uint32_t bucket, size_t room, uint32_t *items)
{
    size_t n = 0;
    for (int thread = 0; thread < lists->n_threads && n < room; thread++)
        n += take_items(lists->pool, &lists->ends[(size_t)thread * lists->n_buckets + bucket],
                        room - n, items + n);
    return n;
}

static void apply_list(const struct turn_pool *pool, const uint32_t *end, turn_apply *apply,
                       void *context)
{
    size_t number = (size_t)(end - 1 - pool->chunks) / CHUNK_ITEMS;
    const uint32_t *chunk = pool->chunks + number * CHUNK_ITEMS;
    for (;;) {
        apply(context, chunk + 1, (size_t)(end - chunk - 1));
        if (chunk[0] == NO_CHUNK)
            return;
        chunk = pool->chunks + (size_t)chunk[0] * CHUNK_ITEMS;
        end = chunk + CHUNK_ITEMS;
    }
}

void merels_turn_apply(struct turn_lists *lists, uint32_t bucket, turn_apply *apply,
                       void *context)
{
    for (int thread = 0; thread < lists->n_threads; thread++) {
        uint32_t **list = &lists->ends[(size_t)thread * lists->n_buckets + bucket];
        if (*list != NULL)
            apply_list(lists->pool, *list, apply, context);
        *list = NULL;
    }
}
