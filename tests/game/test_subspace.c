// test_subspace.c: names, order and closed counts of subspaces.

#include "tests/db/support.h"

// Orbits of a-b, moving phase, a <= b from 3 to 9 (published and computed independently).
static const uint64_t moving_orbits[7][7] = {
    {169626, 760398, 2580390, 6875320, 14725688, 25763836, 37209228},
    {0, 3225597, 10310496, 25765792, 51516528, 83705798, 111597612},
    {0, 0, 30914424, 72116072, 133910896, 200852988, 245479248},
    {0, 0, 0, 156229360, 267793288, 368205516, 409106740},
    {0, 0, 0, 0, 420793096, 525979400, 525979400},
    {0, 0, 0, 0, 0, 591726690, 525979400},
    {0, 0, 0, 0, 0, 0, 409106740},
};

Test(subspace, orbits_of_the_moving_phase)
{
    struct rules *rules = make_rules("nine");
    uint64_t orbits = 0, slots = 0;
    for (int a = 3; a <= 9; a++)
        for (int b = 3; b <= 9; b++) {
            struct subspace s = {(uint8_t)a, (uint8_t)b, 0, 0};
            uint64_t n = merels_subspace_orbits(&rules->board, s);
            cr_assert_eq(n, moving_orbits[(a < b ? a : b) - 3][(a < b ? b : a) - 3]);
            orbits += n;
            slots += merels_subspace_slots(&rules->board, s);
        }
    cr_assert_eq(orbits, 8904593601u);
    cr_assert_eq(slots, 9193626407u);
    cr_assert_eq(merels_subspace_slots(&rules->board, (struct subspace){8, 8, 0, 0}),
                 603332730u);
    free(rules);
}

Test(subspace, rows)
{
    static const uint64_t rows[] = {1,     4,     30,    158,    757,    2830,  8774,
                                    22188, 46879, 82880, 124124, 157668, 170854};
    struct rules *rules = make_rules("twelve");
    for (int men = 0; men <= 24; men++) {
        struct subspace s = {0, (uint8_t)men, 0, 0};
        cr_assert_eq(merels_subspace_rows(&rules->board, s), rows[men <= 12 ? men : 24 - men]);
        cr_assert_eq(merels_subspace_columns(&rules->board, s), 1);
    }
    free(rules);
}

Test(subspace, too_many_men_have_no_slots)
{
    struct rules *rules = make_rules("six");
    cr_assert_eq(merels_subspace_slots(&rules->board, (struct subspace){9, 8, 0, 0}), 0);
    cr_assert_eq(merels_subspace_orbits(&rules->board, (struct subspace){9, 8, 0, 0}), 0);
    cr_assert_eq(merels_subspace_slots(&rules->board, (struct subspace){24, 24, 0, 0}), 0);
    free(rules);
}

Test(subspace, whole_game_of_three)
{
    struct rules *rules = make_rules("three");
    uint64_t slots = 0, orbits = 0;
    for (int placed = 0; placed <= 6; placed++) {
        struct subspace s = {(uint8_t)(placed / 2), (uint8_t)(placed - placed / 2), 0, 0};
        slots += merels_subspace_slots(&rules->board, s);
        orbits += merels_subspace_orbits(&rules->board, s);
    }
    cr_assert_eq(slots, 812);
    cr_assert_eq(orbits, 564);
    free(rules);
}

Test(subspace, binomials)
{
    cr_assert_eq(merels_choose(24, 12), 2704156);
    cr_assert_eq(merels_choose(0, 0), 1);
    cr_assert_eq(merels_choose(5, 6), 0);
    cr_assert_eq(merels_choose(5, -1), 0);
    for (int n = 1; n <= 24; n++)
        for (int k = 1; k <= n; k++)
            cr_assert_eq(merels_choose(n, k),
                         merels_choose(n - 1, k - 1) + merels_choose(n - 1, k));
}

Test(subspace, names)
{
    char name[SUBSPACE_NAME_BYTES];
    cr_assert_eq(merels_subspace_name((struct subspace){9, 8, 0, 0}, name), 3);
    cr_assert_str_eq(name, "9-8");
    cr_assert_eq(merels_subspace_name((struct subspace){24, 0, 24, 24}, name), 10);
    cr_assert_str_eq(name, "24-0-24-24");
    merels_subspace_name((struct subspace){9, 8, 0, 1}, name);
    cr_assert_str_eq(name, "9-8-0-1");
}

Test(subspace, parsing)
{
    static const char *const wrong[] = {
        "",      "9",       "9-",     "9-8-",           "9-8-1", "9-8-0-1-2",
        "09-8",  "9-8 ",    " 9-8",   "9--8",           "-9-8",  "25-0",
        "12-13", "9-8-0-x", "9-8-0-", "999999999999-1", "9-8\n"};
    struct subspace s;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        FAILS(merels_subspace_parse(wrong[i], &s, &test_error), STATUS_BAD_INPUT);
    OK(merels_subspace_parse("9-8", &s, &test_error));
    cr_assert(merels_subspace_equal(s, (struct subspace){9, 8, 0, 0}));
    OK(merels_subspace_parse("10-0-12-9", &s, &test_error));
    cr_assert(merels_subspace_equal(s, (struct subspace){10, 0, 12, 9}));
}

Test(subspace, order)
{
    static const struct subspace sorted[] = {{3, 3, 0, 0}, {3, 4, 0, 0}, {4, 3, 0, 0},
                                             {4, 4, 0, 0}, {3, 3, 0, 1}, {3, 3, 1, 0},
                                             {3, 4, 0, 1}, {0, 0, 9, 9}};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            int order = merels_subspace_compare(sorted[i], sorted[j]);
            cr_assert_eq((order > 0) - (order < 0), (i > j) - (i < j), "%d %d", i, j);
        }
}
