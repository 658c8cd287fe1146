// test_memory.c: arrays are zeroed and aligned, an arena gives room out and takes it back.

#include "work/memory.h"

#include <criterion/criterion.h>
#include <string.h>

Test(memory, arrays_are_zeroed_and_aligned)
{
    static const size_t sizes[] = {0, 1, 63, 4096, 5000000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        uint8_t *array = merels_array_create(sizes[k]);
        cr_assert_not_null(array);
        cr_expect_eq((uintptr_t)array % 64, 0);
        for (size_t i = 0; i < sizes[k]; i++)
            cr_assert_eq(array[i], 0, "byte %zu of %zu", i, sizes[k]);
        memset(array, 0xFF, sizes[k]);
        merels_array_destroy(array, sizes[k]);
    }
    merels_array_destroy(NULL, 100);
    cr_expect_null(merels_array_create(SIZE_MAX / 2));
}

// Pieces are aligned, do not overlap, and never reach over the end.
Test(memory, arena_pieces)
{
    struct arena arena = {0};
    cr_assert(merels_arena_reserve(&arena, 10 * ARENA_ALIGNMENT));
    uint8_t *first = merels_arena_take(&arena, 1);
    uint8_t *second = merels_arena_take(&arena, ARENA_ALIGNMENT);
    uint8_t *third = merels_arena_take(&arena, ARENA_ALIGNMENT + 1);
    cr_assert(first && second && third);
    cr_expect_eq((uintptr_t)first % 64, 0);
    cr_expect_eq(second - first, ARENA_ALIGNMENT);
    cr_expect_eq(third - second, ARENA_ALIGNMENT);
    cr_expect_null(merels_arena_take(&arena, 6 * ARENA_ALIGNMENT + 1));
    cr_expect_null(merels_arena_take(&arena, SIZE_MAX));
    cr_expect_eq(merels_arena_take(&arena, 6 * ARENA_ALIGNMENT), third + 2 * ARENA_ALIGNMENT);
    cr_expect_null(merels_arena_take(&arena, 1));
    merels_arena_destroy(&arena);
    cr_expect_null(merels_arena_take(&arena, 1), "nothing is left of it");
}

// A second unit that needs no more gets the same memory, as it is; a larger one new memory.
Test(memory, arena_is_used_again)
{
    struct arena arena = {0};
    cr_assert(merels_arena_reserve(&arena, 3 * ARENA_ALIGNMENT));
    uint8_t *first = merels_arena_take(&arena, 100);
    first[99] = 7;
    cr_assert(merels_arena_reserve(&arena, 2 * ARENA_ALIGNMENT));
    cr_expect_eq(merels_arena_take(&arena, 100), first);
    cr_expect_eq(first[99], 7);
    cr_assert(merels_arena_reserve(&arena, 1000 * ARENA_ALIGNMENT));
    cr_expect_not_null(merels_arena_take(&arena, 1000 * ARENA_ALIGNMENT));
    cr_expect_not(merels_arena_reserve(&arena, SIZE_MAX / 2), "more than there is");
    cr_expect_null(merels_arena_take(&arena, 1));
    merels_arena_destroy(&arena);
}

Test(memory, machine)
{
    cr_expect_gt(merels_memory_free(), 1 << 20);
    cr_expect_geq(merels_processors(), 1);
}
