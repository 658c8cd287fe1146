// test_heap.c: a large piece of memory is not kept by the process when it is freed.

#include <criterion/criterion.h>
#include <malloc.h>
#include <stdlib.h>

#include "query/heap.h"

#ifdef __GLIBC__
// Without the setting the first piece raises the size from which pieces are mapped, and the
// second one lies on the heap, where what is allocated behind it holds it.
Test(heap, large_pieces_go_back)
{
    merels_heap_give_back();
    void *first = malloc(16 << 20);
    cr_assert_not_null(first);
    free(first);
    size_t mapped = mallinfo2().hblkhd;
    void *second = malloc(1 << 20);
    cr_assert_not_null(second);
#ifndef __SANITIZE_ADDRESS__ // its allocator is another
    cr_expect_geq(mallinfo2().hblkhd, mapped + (1 << 20));
#endif
    free(second);
    cr_expect_eq(mallinfo2().hblkhd, mapped);
}
#endif
