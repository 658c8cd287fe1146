// test_turns.c: lists of turns to rows of other ranks: nothing is lost or taken twice, whatever
// the room for what is taken, and also what finds no place in the pool.

#include <stdlib.h>

#include "kernels/turns.h"
#include "tests/solver/support.h"

enum { N_CHUNKS = 8, N_BUCKETS_USED = 3, N_ITEMS = 7 * CHUNK_ITEMS };

struct fixture {
    void *memory;
    struct turn_pool pool;
    struct turn_lists lists;
};

static void open_lists(struct fixture *f)
{
    size_t n_bytes = N_CHUNKS * CHUNK_ITEMS * sizeof(uint32_t);
    *f = (struct fixture){.memory = aligned_alloc(4096, n_bytes)};
    cr_assert_not_null(f->memory);
    merels_turn_pool_open(f->memory, n_bytes, &f->pool);
    OK(merels_turn_lists_create(&f->pool, 1, 1000, 1000, 2, &f->lists, &test_error));
    cr_assert_geq(f->lists.n_buckets, N_BUCKETS_USED);
}

static void close_lists(struct fixture *f)
{
    merels_turn_lists_destroy(&f->lists);
    free(f->memory);
}

// Item k goes to bucket k % N_BUCKETS_USED; what the pool has no room for is kept.
static size_t send_all(struct fixture *f)
{
    size_t n_kept = 0;
    for (uint32_t k = 0; k < N_ITEMS; k++) {
        uint32_t bucket = k % N_BUCKETS_USED;
        if (turn_push(&f->pool, &f->lists.ends[bucket], k))
            continue;
        merels_turn_keep(&f->lists, 0, bucket, k);
        n_kept++;
    }
    return n_kept;
}

static void see(uint8_t *seen, uint32_t bucket, uint32_t item)
{
    cr_assert_lt(item, N_ITEMS);
    cr_assert_eq(item % N_BUCKETS_USED, bucket);
    cr_assert_eq(seen[item], 0, "item %u twice", item);
    seen[item] = 1;
}

static size_t take_all(struct fixture *f, size_t room, uint8_t *seen)
{
    uint32_t *items = malloc(room * sizeof *items);
    size_t n_taken = 0, n;
    cr_assert_not_null(items);
    for (uint32_t bucket = 0; bucket < N_BUCKETS_USED; bucket++)
        while ((n = merels_turn_take(&f->lists, bucket, room, items)) > 0) {
            cr_assert_leq(n, room);
            for (size_t k = 0; k < n; k++)
                see(seen, bucket, items[k]);
            n_taken += n;
        }
    free(items);
    return n_taken;
}

Test(turns, what_goes_to_other_ranks)
{
    static const size_t rooms[] = {1, 7, CHUNK_ITEMS - 1, CHUNK_ITEMS, 10 * CHUNK_ITEMS};
    for (size_t r = 0; r < sizeof rooms / sizeof *rooms; r++) {
        struct fixture f;
        static uint8_t seen[N_ITEMS];
        memset(seen, 0, sizeof seen);
        open_lists(&f);
        size_t n_kept = send_all(&f);
        const struct turn_rest *rest = &f.lists.rests[0];
        cr_expect_gt(n_kept, 0, "the pool is empty at last");
        cr_expect_eq(rest->n, n_kept);
        cr_expect(!rest->lost);
        for (size_t k = 0; k < rest->n; k++)
            see(seen, (uint32_t)(rest->items[k] >> 32), (uint32_t)rest->items[k]);
        cr_expect_eq(take_all(&f, rooms[r], seen), N_ITEMS - n_kept, "room for %zu", rooms[r]);
        close_lists(&f);
    }
}
