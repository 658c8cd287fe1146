// memory.h: large arrays on huge pages, and how much memory the machine has free.

#ifndef MERELS_SOLVER_MEMORY_H
#define MERELS_SOLVER_MEMORY_H

#include <stddef.h>
#include <stdint.h>

// A zeroed array of at least n_bytes, aligned to 64 bytes, or NULL. Large ones ask for huge
// pages.
void *merels_array_create(size_t n_bytes);
void merels_array_destroy(void *array, size_t n_bytes); // NULL is allowed

// Bytes that can be used without swapping, by the system's own estimate; 0 if it gives none.
uint64_t merels_memory_free(void);

// Processors that this process may run on.
int merels_processors(void);

#endif
