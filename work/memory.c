// memory.c: large arrays on huge pages, and how much memory the machine has free.
//
// The random accesses of a turn touch hundreds of megabytes; with 4 KiB pages nearly each of
// them would miss the second-level TLB as well.

#include "work/memory.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

void *merels_array_create(size_t n_bytes)
{
    if (n_bytes == 0)
        n_bytes = 1;
    void *array =
        mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (array == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(array, n_bytes, MADV_HUGEPAGE); // advice only: the array works without it
#endif
    return array;
}

void merels_array_destroy(void *array, size_t n_bytes)
{
    if (array != NULL)
        (void)munmap(array, n_bytes == 0 ? 1 : n_bytes);
}

bool merels_arena_reserve(struct arena *arena, size_t n_bytes)
{
    arena->n_used = 0;
    if (n_bytes <= arena->n_bytes)
        return true;
    merels_arena_destroy(arena);
    arena->base = merels_array_create(n_bytes);
    arena->n_bytes = arena->base == NULL ? 0 : n_bytes;
    return arena->base != NULL;
}

void *merels_arena_take(struct arena *arena, size_t n_bytes)
{
    size_t rounded = (n_bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    if (rounded < n_bytes || rounded > arena->n_bytes - arena->n_used)
        return NULL;
    arena->n_used += rounded;
    return arena->base + arena->n_used - rounded;
}

void merels_arena_destroy(struct arena *arena)
{
    merels_array_destroy(arena->base, arena->n_bytes);
    *arena = (struct arena){0};
}

void merels_arena_release(struct arena *arena)
{
    arena->n_used = 0;
#ifdef MADV_DONTNEED
    if (arena->base != NULL)
        (void)madvise(arena->base, arena->n_bytes, MADV_DONTNEED); // else it stays in use
#endif
}

uint64_t merels_memory_free(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    if (file == NULL)
        return 0;
    char line[256];
    unsigned long long kib = 0;
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
            break;
    (void)fclose(file);
    struct rlimit room;
    uint64_t bytes = (uint64_t)kib * 1024;
    if (getrlimit(RLIMIT_AS, &room) == 0 && room.rlim_cur < bytes)
        bytes = room.rlim_cur;
    return bytes;
}

uint64_t merels_memory_limit(uint64_t asked)
{
    return asked > 0 ? asked : merels_memory_free() / 4 * 3;
}

int merels_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
}

int merels_threads_at_once(int n_threads)
{
    int n = merels_processors();
    return n_threads < n ? n_threads : n;
}

int merels_threads(uint64_t asked)
{
#ifdef _OPENMP
    return asked > 0 ? (int)asked : merels_processors();
#else
    (void)asked;
    return 1;
#endif
}
