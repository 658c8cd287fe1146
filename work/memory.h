// memory.h: large arrays on huge pages, and how much memory the machine has free.

#ifndef MERELS_WORK_MEMORY_H
#define MERELS_WORK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A zeroed array of at least n_bytes, aligned to 64 bytes, or NULL. Large ones ask for huge
// pages.
void *merels_array_create(size_t n_bytes);
void merels_array_destroy(void *array, size_t n_bytes); // NULL is allowed

// One large array from which others are taken, used again for unit after unit: fresh memory
// costs the system a fault and a cleared page each time. Zeroed only when it is new.
struct arena {
    uint8_t *base;
    size_t n_bytes;
    size_t n_used;
};

enum { ARENA_ALIGNMENT = 4096 };

// Makes room for n_bytes (in pieces: each takes up to ARENA_ALIGNMENT more) and takes
// everything back; false if there is no memory. The old contents may be lost.
bool merels_arena_reserve(struct arena *arena, size_t n_bytes);
void *merels_arena_take(struct arena *arena,
                        size_t n_bytes); // aligned; NULL if it does not fit
void merels_arena_destroy(struct arena *arena);

// Takes everything back and gives the memory to the system until it is used again.
void merels_arena_release(struct arena *arena);

// Bytes that can be used without swapping, by the system's own estimate, and no more than the
// process may have addresses for (ulimit -v); 0 if the system gives no estimate.
uint64_t merels_memory_free(void);

// The bytes that a run keeps to: as many as were asked for, 0: three quarters of what is free.
uint64_t merels_memory_limit(uint64_t asked);

// Processors that this process may run on.
int merels_processors(void);

// So many of these threads can work at a time.
int merels_threads_at_once(int n_threads);

// The threads of a run: as many as were asked for, 0: one for each processor. A build without
// OpenMP has one, whatever is asked.
int merels_threads(uint64_t asked);

#endif
