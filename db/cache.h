// cache.h: decompressed blocks, bounded in bytes, least recently used ones dropped first.

#ifndef MERELS_DB_CACHE_H
#define MERELS_DB_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/status.h"

struct cache;

// A cache of at most `bytes` bytes of values (0: keeps nothing). Its own memory is small and
// counted.
MERELS_CHECKED enum status merels_cache_create(size_t bytes, struct cache **cache,
                                               struct error *err);
void merels_cache_destroy(struct cache *cache); // NULL is allowed

// Copies n_bytes bytes from `offset` of the block with this key; false if it is not there. Any
// thread; about 50 ns.
bool merels_cache_get(struct cache *cache, uint64_t key, size_t offset, size_t n_bytes,
                      uint8_t *out);

// Gives the cache a block in malloc'ed memory: the cache owns it from now on, and may free it
// at once if it has no room or another thread was faster. Any thread.
void merels_cache_put(struct cache *cache, uint64_t key, uint8_t *values, size_t n_bytes);

// Bytes of values held now, for tests and statistics. Any thread.
size_t merels_cache_bytes(struct cache *cache);

#endif
