// turns.c: turns on their way to other rows, collected by destination.

#include "kernels/turns.h"

#include <stdlib.h>

enum { CHUNK_BYTES = CHUNK_ITEMS * sizeof(uint32_t), MAX_BUCKETS = 256 };

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

static void choose_buckets(uint32_t n_rows, uint32_t n_columns, struct turn_lists *lists)
{
    lists->column_bits = bits_for(n_columns);
    lists->row_bits = 0;
    while (n_rows >> lists->row_bits >= MAX_BUCKETS &&
           lists->row_bits + lists->column_bits < ITEM_PLACE_BITS)
        lists->row_bits++;
    lists->n_buckets = ((n_rows - 1) >> lists->row_bits) + 1;
}

int merels_turn_row_bits(uint32_t n_rows, uint32_t n_columns)
{
    struct turn_lists lists;
    choose_buckets(n_rows, n_columns, &lists);
    return lists.row_bits;
}

uint64_t merels_turn_lists_bytes(int n_threads, uint32_t n_rows, uint32_t n_columns)
{
    struct turn_lists lists;
    choose_buckets(n_rows, n_columns, &lists);
    return (uint64_t)n_threads * lists.n_buckets * sizeof *lists.ends;
}

enum status merels_turn_lists_create(struct turn_pool *pool, int n_threads, uint32_t n_rows,
                                     uint32_t n_columns, struct turn_lists *lists,
                                     struct error *err)
{
    choose_buckets(n_rows, n_columns, lists);
    lists->pool = pool;
    lists->n_threads = n_threads;
    lists->ends = calloc((size_t)n_threads * lists->n_buckets, sizeof *lists->ends);
    if (lists->ends == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for lists of turns");
    return STATUS_OK;
}

void merels_turn_lists_destroy(struct turn_lists *lists)
{
    free(lists->ends);
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
