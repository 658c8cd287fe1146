// heap.c: memory that is freed goes back to the system.
//
// glibc maps a large piece for itself and unmaps it when it is freed, but raises the size that
// counts as large to that of what was freed, up to 32 MiB. Then the columns and tables of one
// work unit after another lie on the heap, small things that stay (the block indexes of open
// tables) settle between them, and a solve of the whole game holds some 260 MiB more at its end
// than it uses. With a fixed size it keeps to the memory that the plan states.

#include "query/heap.h"

#include <malloc.h>

void merels_heap_give_back(void)
{
#ifdef M_MMAP_THRESHOLD
    enum { LARGE_BYTES = 256 * 1024 };
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES); // on failure more is held, nothing else
#endif
}
