// test_cache.c: the block cache keeps what it is given, within its bound, the latest used
// longest.

#include <pthread.h>

#include "db/cache.h"
#include "tests/db/support.h"

static uint8_t *block_of(uint64_t key, size_t n)
{
    uint8_t *values = malloc(n);
    for (size_t i = 0; i < n; i++)
        values[i] = (uint8_t)mix(key + i);
    return values;
}

static bool holds(struct cache *cache, uint64_t key, size_t offset)
{
    uint8_t got[2];
    if (!merels_cache_get(cache, key, offset, 2, got))
        return false;
    cr_assert(got[0] == (uint8_t)mix(key + offset) && got[1] == (uint8_t)mix(key + offset + 1));
    return true;
}

Test(cache, bounded_and_latest_used_last)
{
    struct cache *cache;
    OK(merels_cache_create(1 << 20, &cache, &test_error));
    for (uint64_t key = 0; key < 100; key++) {
        merels_cache_put(cache, key, block_of(key, 65536), 65536);
        cr_assert_leq(merels_cache_bytes(cache), 1 << 20);
        cr_assert(holds(cache, key, key * 600));
        cr_assert(key == 0 || holds(cache, 0, 7)); // used all the time: stays
    }
    cr_assert(!holds(cache, 50, 0));
    cr_assert(holds(cache, 95, 0));
    cr_assert(!merels_cache_get(cache, 99, 65536, 1, (uint8_t[2]){0}));
    merels_cache_destroy(cache);
}

Test(cache, twice_the_same_and_too_large)
{
    struct cache *cache;
    OK(merels_cache_create(100000, &cache, &test_error));
    merels_cache_put(cache, 1, block_of(1, 65536), 65536);
    merels_cache_put(cache, 1, block_of(1, 65536), 65536);
    merels_cache_put(cache, 2, block_of(2, 131072), 131072);
    cr_assert(holds(cache, 1, 65534));
    cr_assert(!holds(cache, 2, 0));
    merels_cache_destroy(cache);
    OK(merels_cache_create(0, &cache, &test_error));
    merels_cache_put(cache, 1, block_of(1, 10), 10);
    cr_assert(!holds(cache, 1, 0));
    cr_assert_eq(merels_cache_bytes(cache), 0);
    merels_cache_destroy(cache);
    merels_cache_destroy(NULL);
}

struct user {
    struct cache *cache;
    uint64_t seed;
};

static void *use_cache(void *context)
{
    struct user *user = context;
    struct cache *cache = user->cache;
    for (int i = 0; i < 5000; i++) {
        uint64_t key = next_random(&user->seed) % 600;
        if (!holds(cache, key, 100))
            merels_cache_put(cache, key, block_of(key, 16384), 16384);
    }
    return NULL;
}

Test(cache, many_threads)
{
    struct cache *cache;
    pthread_t threads[8];
    struct user users[8];
    OK(merels_cache_create(4 << 20, &cache, &test_error));
    for (int i = 0; i < 8; i++) {
        users[i] = (struct user){cache, mix((uint64_t)i)};
        cr_assert_eq(pthread_create(&threads[i], NULL, use_cache, &users[i]), 0);
    }
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    cr_assert_leq(merels_cache_bytes(cache), 4 << 20);
    merels_cache_destroy(cache);
}
