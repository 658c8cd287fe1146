// cache.c: the block cache of a tablebase.
//
//     shard 0   mutex   buckets [.][.][.][.]      each bucket a chain of entries
//     shard 1   mutex                |
//      ...                         entry -> entry
//                       newest <-> ... <-> oldest  all entries of the shard, by last use
//
// A key always falls into the same shard. Threads meet only if they ask for the same shard;
// nothing is read or decompressed under a lock. Values are copied out under the lock, so that
// no reader ever holds a block that may be dropped. A small cache has one shard, so that its
// bound is one bound and not a sixteenth of it sixteen times.

#include "db/cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

enum { MAX_SHARDS = 16, SHARD_BYTES = 1 << 20, BYTES_PER_BUCKET = 1 << 16 };

struct cached_block {
    uint64_t key;
    uint8_t *values;
    size_t n_bytes;
    LIST_ENTRY(cached_block) in_bucket;
    TAILQ_ENTRY(cached_block) by_age;
};

LIST_HEAD(bucket, cached_block);
TAILQ_HEAD(ages, cached_block);

struct shard {
    pthread_mutex_t mutex;
    size_t room;      // bytes that may be used
    size_t used;      // by values and entries
    size_t n_buckets; // a power of two
    struct bucket *buckets;
    struct ages ages; // the latest used first
};

struct cache {
    int n_shards; // a power of two
    struct shard shards[MAX_SHARDS];
};

// Spreads neighbouring keys: a multiplication by an odd constant, high bits taken.
static uint64_t spread(uint64_t key)
{
    return (key * 0x9E3779B97F4A7C15u) >> 20;
}

static struct shard *shard_of(struct cache *cache, uint64_t key)
{
    return &cache->shards[spread(key) & (uint64_t)(cache->n_shards - 1)];
}

static struct bucket *bucket_of(struct shard *shard, uint64_t key)
{
    return &shard->buckets[(spread(key) / MAX_SHARDS) & (shard->n_buckets - 1)];
}

static size_t cost(const struct cached_block *entry)
{
    return entry->n_bytes + sizeof *entry;
}

// ---- making and freeing --------------------------------------------------------------------

static bool init_shard(struct shard *shard, size_t room)
{
    shard->room = room;
    shard->n_buckets = 1;
    while (shard->n_buckets < room / BYTES_PER_BUCKET)
        shard->n_buckets *= 2;
    shard->buckets = calloc(shard->n_buckets, sizeof *shard->buckets);
    if (shard->buckets == NULL) // zeroed: empty lists
        return false;
    TAILQ_INIT(&shard->ages);
    if (pthread_mutex_init(&shard->mutex, NULL) == 0)
        return true;
    free(shard->buckets);
    return false;
}

static void drop_oldest(struct shard *shard)
{
    struct cached_block *entry = TAILQ_LAST(&shard->ages, ages);
    TAILQ_REMOVE(&shard->ages, entry, by_age);
    LIST_REMOVE(entry, in_bucket);
    shard->used -= cost(entry);
    free(entry->values);
    free(entry);
}

static void free_shard(struct shard *shard)
{
    while (!TAILQ_EMPTY(&shard->ages))
        drop_oldest(shard);
    free(shard->buckets);
    pthread_mutex_destroy(&shard->mutex);
}

enum status merels_cache_create(size_t bytes, struct cache **cache, struct error *err)
{
    struct cache *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a block cache");
    int n_shards = 1;
    while (n_shards < MAX_SHARDS && bytes / SHARD_BYTES >= 2 * (size_t)n_shards)
        n_shards *= 2;
    for (made->n_shards = 0; made->n_shards < n_shards; made->n_shards++)
        if (!init_shard(&made->shards[made->n_shards], bytes / (size_t)n_shards)) {
            merels_cache_destroy(made);
            return merels_error(err, STATUS_NO_MEMORY, "out of memory for a block cache");
        }
    *cache = made;
    return STATUS_OK;
}

void merels_cache_destroy(struct cache *cache)
{
    if (cache == NULL)
        return;
    for (int i = 0; i < cache->n_shards; i++)
        free_shard(&cache->shards[i]);
    free(cache);
}

// ---- use -----------------------------------------------------------------------------------

static struct cached_block *find(struct shard *shard, uint64_t key)
{
    struct cached_block *entry;
    LIST_FOREACH(entry, bucket_of(shard, key), in_bucket)
    if (entry->key == key)
        break;
    return entry;
}

bool merels_cache_get(struct cache *cache, uint64_t key, size_t offset, size_t n_bytes,
                      uint8_t *out)
{
    struct shard *shard = shard_of(cache, key);
    pthread_mutex_lock(&shard->mutex);
    struct cached_block *entry = find(shard, key);
    bool found =
        entry != NULL && offset <= entry->n_bytes && n_bytes <= entry->n_bytes - offset;
    if (found) {
        memcpy(out, entry->values + offset, n_bytes);
        if (TAILQ_FIRST(&shard->ages) != entry) {
            TAILQ_REMOVE(&shard->ages, entry, by_age);
            TAILQ_INSERT_HEAD(&shard->ages, entry, by_age);
        }
    }
    pthread_mutex_unlock(&shard->mutex);
    return found;
}

// Adds an entry unless its key is there or it has no room; returns what has to be freed.
static struct cached_block *insert(struct shard *shard, struct cached_block *entry)
{
    if (cost(entry) > shard->room || find(shard, entry->key) != NULL)
        return entry;
    while (shard->used + cost(entry) > shard->room)
        drop_oldest(shard);
    LIST_INSERT_HEAD(bucket_of(shard, entry->key), entry, in_bucket);
    TAILQ_INSERT_HEAD(&shard->ages, entry, by_age);
    shard->used += cost(entry);
    return NULL;
}

void merels_cache_put(struct cache *cache, uint64_t key, uint8_t *values, size_t n_bytes)
{
    struct shard *shard = shard_of(cache, key);
    struct cached_block *entry = malloc(sizeof *entry);
    if (entry == NULL) { // only a cache: the value was read all the same
        free(values);
        return;
    }
    *entry = (struct cached_block){.key = key, .values = values, .n_bytes = n_bytes};
    pthread_mutex_lock(&shard->mutex);
    struct cached_block *refused = insert(shard, entry);
    pthread_mutex_unlock(&shard->mutex);
    if (refused != NULL) {
        free(refused->values);
        free(refused);
    }
}

size_t merels_cache_bytes(struct cache *cache)
{
    size_t bytes = 0;
    for (int i = 0; i < cache->n_shards; i++) {
        pthread_mutex_lock(&cache->shards[i].mutex);
        bytes += cache->shards[i].used;
        pthread_mutex_unlock(&cache->shards[i].mutex);
    }
    return bytes;
}
