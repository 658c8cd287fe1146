// test_index.c: rank and unrank, row sets, images, and the values of docs/FORMAT.md.

#include <pthread.h>

#include "tests/db/support.h"

static struct index *make_index(const struct rules *rules)
{
    struct index *index;
    OK(merels_index_create(&rules->board, &index, &test_error));
    return index;
}

Test(index, ranks_ascend_with_the_sets)
{
    const struct rank_tables *tables = merels_rank_tables();
    uint32_t expected[25] = {0};
    for (point_set set = 0; set < 1 << 24; set++) {
        int k = bit_count(set);
        uint32_t rank = rank_set(tables, k, set);
        if (rank != expected[k])
            cr_assert_fail("set %06x has rank %u, not %u", set, rank, expected[k]);
        expected[k]++;
    }
    for (int k = 0; k <= 24; k++)
        cr_assert_eq(expected[k], merels_choose(24, k));
}

Test(index, unrank_inverts_rank)
{
    const struct rank_tables *tables = merels_rank_tables();
    for (point_set set = 0; set < 1 << 24; set += 1 + (set >> 8) % 7)
        if (merels_unrank_set(bit_count(set), rank_set(tables, bit_count(set), set)) != set)
            cr_assert_fail("set %06x", set);
}

// Ascending, canonical, and so many that the orbits of the sets fill all sets.
static void check_rows(const char *preset)
{
    struct rules *rules = make_rules(preset);
    const struct board *board = &rules->board;
    struct index *index = make_index(rules);
    for (int men = 0; men <= board->n_points; men++) {
        const struct row_sets *rows;
        uint64_t n_sets = 0;
        OK(merels_index_rows(index, men, &rows, &test_error));
        cr_assert_eq(rows->n_rows,
                     merels_subspace_rows(board, (struct subspace){.b = (uint8_t)men}));
        for (uint32_t r = 0; r < rows->n_rows; r++) {
            cr_assert_eq(bit_count(rows->sets[r]), men);
            cr_assert(r == 0 || rows->sets[r - 1] < rows->sets[r]);
            for (int s = 0; s < board->n_symmetries; s++) {
                point_set image = board_image(board, s, rows->sets[r]);
                cr_assert(image >= rows->sets[r]);
                cr_assert_eq(image == rows->sets[r], row_stabilizer(rows, r) >> s & 1);
            }
            n_sets += (uint64_t)(board->n_symmetries / bit_count(row_stabilizer(rows, r)));
        }
        cr_assert_eq(n_sets, merels_choose(board->n_points, men));
    }
    merels_index_destroy(index);
    free(rules);
}

Test(index, row_sets)
{
    check_rows("nine");
    check_rows("twelve");
    check_rows("seven");
    check_rows("six");
    check_rows("three");
}

// One set by its entry and by the binary search of merels_index_rank: without men of the mover
// the slot is the row, with one man on any point it tells the symmetry as well.
static void check_entry(struct index *index, const struct board *board,
                        const struct row_sets *rows, point_set set, uint32_t entry)
{
    struct position pos = {.other = set};
    uint32_t row = entry >> CANON_ROW_SHIFT, n_free = (uint32_t)(board->n_points - rows->men);
    int s = (int)(entry & CANON_SYMMETRY_MASK);
    uint64_t slot;
    OK(merels_index_rank(index, &pos, &slot, &test_error));
    if (row != slot || board_image(board, s, set) != rows->sets[row])
        cr_assert_fail("set %06x: entry %x, row %u", set, entry, (unsigned)slot);
    cr_assert_eq((entry & CANON_SYMMETRIC) != 0, row_stabilizer(rows, row) != 1);
    for (int t = 0; t < s; t++)
        cr_assert(board_image(board, t, set) != rows->sets[row], "set %06x: %d", set, t);
    for (point_set rest = board->points & ~set; rest != 0; rest &= rest - 1) {
        pos.own = rest & -rest;
        point_set own = board_image(board, s, pos.own);
        uint32_t column = (uint32_t)bit_count(board->points & ~rows->sets[row] & (own - 1));
        OK(merels_index_rank(index, &pos, &slot, &test_error));
        cr_assert_eq(slot, (uint64_t)row * n_free + column, "set %06x", set);
    }
}

static void check_canon(const char *preset, int max_men)
{
    struct rules *rules = make_rules(preset);
    const struct board *board = &rules->board;
    struct index *index = make_index(rules);
    for (int men = 0; men <= max_men; men++) {
        const struct row_sets *rows;
        uint32_t n_sets = (uint32_t)merels_choose(board->n_points, men);
        uint32_t *entries = malloc(n_sets * sizeof *entries);
        cr_assert_not_null(entries);
        OK(merels_index_rows(index, men, &rows, &test_error));
        OK(merels_index_fill_canon(index, men, entries, &test_error));
        for (uint32_t rank = 0; rank < n_sets; rank++)
            check_entry(index, board, rows, merels_unrank_set(men, rank), entries[rank]);
        free(entries);
    }
    merels_index_destroy(index);
    free(rules);
}

Test(index, canonical_look_up, .timeout = 280)
{
    check_canon("nine", 6);
    check_canon("twelve", 5);
    check_canon("seven", 17);
    check_canon("six", 16);
    check_canon("three", 9);
}

// Slot to position and back, for one slot.
static void check_slot(struct index *index, struct subspace s, uint64_t slot,
                       struct position *pos)
{
    uint64_t back = 0;
    OK(merels_index_unrank(index, s, slot, pos, &test_error));
    OK(merels_index_rank(index, pos, &back, &test_error));
    if (back != slot)
        cr_assert_fail("%u-%u: slot %llu comes back as %llu", s.a, s.b,
                       (unsigned long long)slot, (unsigned long long)back);
}

// Every image has a slot, and that slot holds an image of the position; the very same slot
// unless the position has several.
static void check_images(struct index *index, const struct board *board, struct subspace s,
                         uint64_t slot, const struct position *pos, int copies)
{
    uint64_t orbit = orbit_of(board, pos->own, pos->other);
    for (int t = 0; t < board->n_symmetries; t++) {
        struct position image = *pos, there;
        uint64_t image_slot;
        image.own = board_image(board, t, pos->own);
        image.other = board_image(board, t, pos->other);
        OK(merels_index_rank(index, &image, &image_slot, &test_error));
        if (image_slot == slot)
            continue;
        cr_assert(copies > 1, "%u-%u slot %llu", s.a, s.b, (unsigned long long)slot);
        OK(merels_index_unrank(index, s, image_slot, &there, &test_error));
        cr_assert_eq(orbit_of(board, there.own, there.other), orbit);
    }
}

// All slots of a subspace: round trip, images, and orbits counted with weights.
static void check_subspace(struct index *index, const struct board *board, struct subspace s,
                           bool images)
{
    uint64_t n_slots = merels_subspace_slots(board, s), sixteenths = 0;
    for (uint64_t slot = 0; slot < n_slots; slot++) {
        struct position pos;
        int copies;
        check_slot(index, s, slot, &pos);
        OK(merels_index_copies(index, &pos, &copies, &test_error));
        sixteenths += 16u / (unsigned)copies;
        if (images)
            check_images(index, board, s, slot, &pos, copies);
    }
    cr_assert_eq(sixteenths, 16 * merels_subspace_orbits(board, s), "%u-%u", s.a, s.b);
}

static void check_board(const char *preset, int max_men, int max_men_images)
{
    struct rules *rules = make_rules(preset);
    struct index *index = make_index(rules);
    for (int men = 0; men <= max_men; men++)
        for (int a = 0; a <= men; a++)
            check_subspace(index, &rules->board,
                           (struct subspace){(uint8_t)a, (uint8_t)(men - a), 0, 0},
                           men <= max_men_images);
    merels_index_destroy(index);
    free(rules);
}

Test(index, every_position_up_to_eight_men, .timeout = 280)
{
    check_board("nine", 8, 5);
}

Test(index, every_position_of_the_small_boards, .timeout = 280)
{
    check_board("three", 9, 9);
    check_board("six", 7, 5);
    check_board("seven", 6, 5);
    check_board("twelve", 5, 5);
}

Test(index, samples_of_every_moving_subspace, .timeout = 280)
{
    struct rules *rules = make_rules("nine");
    struct index *index = make_index(rules);
    uint64_t seed = 20;
    for (int a = 0; a <= 12; a++)
        for (int b = 0; b <= 12; b++) {
            struct subspace s = {(uint8_t)a, (uint8_t)b, (uint8_t)(a % 4), (uint8_t)(b % 3)};
            uint64_t n_slots = merels_subspace_slots(&rules->board, s);
            for (int i = 0; i < 200; i++) {
                uint64_t slot = i == 0   ? 0
                                : i == 1 ? n_slots - 1
                                         : next_random(&seed) % n_slots;
                struct position pos;
                int copies;
                check_slot(index, s, slot, &pos);
                cr_assert(merels_subspace_equal(merels_subspace_of(&pos), s));
                OK(merels_index_copies(index, &pos, &copies, &test_error));
                check_images(index, &rules->board, s, slot, &pos, copies);
            }
        }
    merels_index_destroy(index);
    free(rules);
}

Test(index, slots_out_of_range)
{
    struct rules *rules = make_rules("nine");
    struct index *index = make_index(rules);
    struct position pos;
    const struct row_sets *rows;
    struct subspace s = {3, 3, 0, 0};
    FAILS(merels_index_unrank(index, s, 210140, &pos, &test_error), STATUS_BAD_INPUT);
    FAILS(merels_index_unrank(index, s, UINT64_MAX, &pos, &test_error), STATUS_BAD_INPUT);
    FAILS(merels_index_unrank(index, (struct subspace){20, 20, 0, 0}, 0, &pos, &test_error),
          STATUS_BAD_INPUT);
    FAILS(merels_index_rows(index, 25, &rows, &test_error), STATUS_BAD_INPUT);
    FAILS(merels_index_rows(index, -1, &rows, &test_error), STATUS_BAD_INPUT);
    FAILS(merels_index_fill_canon(index, 25, NULL, &test_error), STATUS_BAD_INPUT);
    merels_index_destroy(index);
    merels_index_destroy(NULL);
    free(rules);
}

// The test values of docs/FORMAT.md.
Test(index, documented_slots)
{
    static const struct {
        const char *own, *other;
        uint64_t slot;
        int copies;
    } cases[] = {
        {"a7,g7,g4", "d7,g1,d1", 7989, 1},
        {"d7,g4,d1", "a7,g7,a1", 6655, 2},
        {"d7,d1,d6,d2", "b6,c5,e5", 69310, 1},
        {"d7,d1,d6,d2", "a7,c5,e5", 512211, 1},
        {"", "d6", 3, 1},
        {"a7,d7,b6,d5,c4,c3,d3,a1", "d6,f6,c5,a4,e3,b2,g1", 418162079, 1},
    };
    struct rules *rules = make_rules("nine");
    struct index *index = make_index(rules);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct position pos = {.own = set_of(&rules->board, cases[i].own),
                               .other = set_of(&rules->board, cases[i].other)};
        uint64_t slot;
        int copies;
        OK(merels_index_rank(index, &pos, &slot, &test_error));
        OK(merels_index_copies(index, &pos, &copies, &test_error));
        cr_assert_eq(slot, cases[i].slot, "%s / %s: %llu", cases[i].own, cases[i].other,
                     (unsigned long long)slot);
        cr_assert_eq(copies, cases[i].copies);
    }
    merels_index_destroy(index);
    free(rules);
}

// The outer and the middle ring may not be exchanged: two positions that differ by that alone.
Test(index, outer_and_middle_ring_are_different)
{
    struct rules *rules = make_rules("nine");
    const struct board *board = &rules->board;
    cr_assert_neq(orbit_of(board, set_of(board, "d7,d1,d6,d2"), set_of(board, "b6,c5,e5")),
                  orbit_of(board, set_of(board, "d7,d1,d6,d2"), set_of(board, "a7,c5,e5")));
    free(rules);
}

static void *ask_for_rows(void *context)
{
    struct index *index = context;
    uint64_t sum = 0;
    for (int men = 0; men <= 24; men++) {
        const struct row_sets *rows;
        struct error error;
        if (merels_index_rows(index, men, &rows, &error) == STATUS_OK)
            sum += rows->sets[rows->n_rows - 1];
    }
    return (void *)(uintptr_t)sum;
}

Test(index, many_threads_build_one_index)
{
    struct rules *rules = make_rules("nine");
    struct index *index = make_index(rules);
    pthread_t threads[8];
    void *sums[8];
    for (int i = 0; i < 8; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, ask_for_rows, index), 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], &sums[i]);
    for (int i = 1; i < 8; i++)
        cr_assert_eq(sums[i], sums[0]);
    cr_assert_neq(sums[0], NULL);
    merels_index_destroy(index);
    free(rules);
}
