// test_deep.c: wins and losses deeper than a byte can tell.
//
// A made-up table of 3-3, in which every position is lost in the same even number of plies,
// stands under the unit 3-4 4-3: what is won by a mill there is won one ply later.

#include "tests/solver/by_plies.h"
#include "work/table_output.h"

static const struct start four_three = {4, 3};
static const struct subspace s33 = {3, 3, 0, 0};

static void write_lost_in(const char *dir, const struct rules *rules, int plies)
{
    struct table_output *output;
    int width = plies <= MAX_DEPTH ? 1 : 2;
    uint64_t n_slots = merels_subspace_slots(&rules->board, s33);
    uint8_t *values = malloc(n_slots * (size_t)width);
    for (size_t k = 0; k < n_slots * (size_t)width; k++)
        values[k] = (uint8_t)(k % (size_t)width == 0 ? plies : plies >> 8);
    const struct table_stats stats = {
        .loss = merels_subspace_orbits(&rules->board, s33), .max_win = -1, .max_loss = plies};
    OK(merels_table_output_create(dir, rules, s33, EDITION_DTM, width, 1, &output,
                                  &test_error));
    OK(merels_table_output_append(output, values, n_slots, &test_error));
    OK(merels_table_output_finish(output, &stats, &test_error));
    free(values);
}

// A directory with such a 3-3 and what follows from it.
static char *solve_over(const struct rules *rules, int plies, int n_codes)
{
    char *dir = make_dir("merels-deep");
    struct solve_options options = moving(dir, 7);
    options.n_codes = n_codes;
    write_lost_in(dir, rules, plies);
    OK(solve_with(rules, four_three, &options, NULL));
    return dir;
}

// Every win and loss by its plies; returns the greatest depth.
static int check_values(const struct rules *rules, const char *dir)
{
    static const struct subspace list[] = {{3, 3, 0, 0}, {3, 4, 0, 0}, {4, 3, 0, 0}};
    struct table_values t = {.base = open_base(dir, rules)};
    int deepest = -1;
    copy_rules(rules);
    for (int k = 0; k < 3; k++)
        t.plies[list[k].a][list[k].b] = read_plies(t.base, list[k]);
    for (int k = 1; k < 3; k++) {
        const struct table_stats stats = merels_table_header(table_of(t.base, list[k]))->stats;
        deepest = stats.max_win > deepest ? stats.max_win : deepest;
        deepest = stats.max_loss > deepest ? stats.max_loss : deepest;
        check_by_plies(&t, list[k], MERELS_SHORT_TESTS ? 4999 : 101);
    }
    for (int k = 0; k < 3; k++)
        free(t.plies[list[k].a][list[k].b]);
    merels_tablebase_close(t.base);
    return deepest;
}

static int width_of(const struct rules *rules, const char *dir, struct subspace s)
{
    struct tablebase *base = open_base(dir, rules);
    int width = merels_table_header(table_of(base, s))->value_bytes;
    merels_tablebase_close(base);
    return width;
}

// Every value is right, whatever is beyond a byte, and so is the width of the files; returns
// the greatest depth over a 3-3 that is lost in so many plies.
static int check_over(const struct rules *rules, int plies)
{
    char *dir = solve_over(rules, plies, 0);
    int deepest = check_values(rules, dir);
    for (int k = 0; k < 2; k++) {
        struct subspace s = {(uint8_t)(3 + k), (uint8_t)(4 - k), 0, 0};
        struct tablebase *base = open_base(dir, rules);
        const struct table_stats stats = merels_table_header(table_of(base, s))->stats;
        bool deep = stats.max_win > MAX_DEPTH || stats.max_loss > MAX_DEPTH;
        merels_tablebase_close(base);
        cr_expect_eq(width_of(rules, dir, s), deep ? 2 : 1, "lost in %d", plies);
    }
    cr_expect_eq(count_files(dir), 4); // three tables and the manifest: no spill is left
    remove_dir(dir);
    return deepest;
}

Test(deep, depths_beyond_a_byte, .timeout = 600)
{
    struct rules *rules = make_rules("nine");
    int deepest = check_over(rules, 100);
    cr_assert(deepest > 104 && deepest < 200, "%d", deepest);
    // The last that fits, the first that does not, and 3-3 itself of two bytes.
    const int plies[] = {100 + (MAX_DEPTH - deepest) / 2 * 2,
                         102 + (MAX_DEPTH - deepest) / 2 * 2,
                         MAX_DEPTH - 2,
                         MAX_DEPTH,
                         MAX_DEPTH + 2,
                         1000};
    for (int k = 0; k < (MERELS_SHORT_TESTS ? 3 : 6); k++)
        cr_expect_eq(check_over(rules, plies[k]), deepest + plies[k] - 100);
    free(rules);
}

// ---- narrow windows ------------------------------------------------------------------------
// With few steps in a byte most units go through several windows and read tables that do not
// fit one: the same files come out. With an odd number of steps turns of either pool wait when
// a window ends.

static void check_windows(const char *text, struct start start, int max_men, bool moving_only,
                          int n_codes)
{
    char *dir = make_dir("merels-deep"), *narrow = make_dir("merels-deep");
    struct rules *rules = make_rules(text);
    struct solve_options options = moving(dir, max_men);
    options.moving_only = moving_only;
    options.n_threads = 2;
    solve(rules, start, &options);
    options.dir = narrow;
    options.n_codes = n_codes;
    solve(rules, start, &options);
    assert_same_dirs(dir, narrow);
    free(rules);
    remove_dir(dir);
    remove_dir(narrow);
}

Test(deep, twenty_plies_in_a_byte, .timeout = 900)
{
    check_windows("nine", (struct start){9, 9}, MERELS_SHORT_TESTS ? 6 : 8, true, 21);
    check_windows("six", (struct start){4, 4}, 0, false, 21);
    check_windows("three,mill=removes", (struct start){4, 4}, 0, false, 21);
    if (!MERELS_SHORT_TESTS)
        check_windows("nine", (struct start){4, 3}, 0, false, 21);
}

// Units of two deep sources, more rows than one round of turns holds.
Test(deep, few_plies_in_a_byte, .timeout = 900)
{
    check_windows("six", (struct start){5, 5}, 0, true, 5);
    check_windows("six", (struct start){5, 5}, 0, true, 4);
    check_windows("six,turn=place-or-move", (struct start){4, 3}, 0, false, 3);
    if (!MERELS_SHORT_TESTS) {
        check_windows("nine", (struct start){9, 9}, 9, true, 9);
        check_windows("nine", (struct start){9, 9}, 9, true, 20);
    }
}

// Units without turns in a part of the memory, and those that have to go by depths then.
Test(deep, twenty_plies_and_rows_in_parts, .timeout = 900)
{
    char *dir = make_dir("merels-deep");
    struct rules *rules = make_rules("six");
    struct solve_options options = moving(dir, 0);
    struct start start = {4, 4};
    options.moving_only = false;
    solve(rules, start, &options);
    for (int narrow = 0; narrow < 2; narrow++) {
        char *parts = make_dir("merels-deep");
        options.dir = parts;
        options.n_codes = narrow ? 9 : 0;
        options.max_rows = 7;
        solve(rules, start, &options);
        assert_same_dirs(dir, parts);
        remove_dir(parts);
    }
    free(rules);
    remove_dir(dir);
}
