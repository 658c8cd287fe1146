// test_deep.c: a win or loss deeper than a value can tell is an error, never a wrong value.
//
// A made-up table of 3-3, in which every position is lost in the same even number of plies,
// stands under the unit 3-4 4-3: what is won by a mill there is won one ply later.

#include "tests/solver/by_plies.h"

static const struct start four_three = {4, 3};
static const struct subspace s33 = {3, 3, 0, 0};

static void write_lost_in(const char *dir, const struct rules *rules, int plies)
{
    struct table_writer *writer;
    uint8_t hash[SHA256_BYTES];
    uint64_t n_slots = merels_subspace_slots(&rules->board, s33);
    uint8_t *values = malloc(n_slots);
    memset(values, plies, n_slots);
    const struct table_stats stats = {
        .loss = merels_subspace_orbits(&rules->board, s33), .max_win = -1, .max_loss = plies};
    OK(merels_sha256(values, n_slots, hash, &test_error));
    OK(merels_table_create(dir, rules, s33, EDITION_DTM, 1, &writer, &test_error));
    append_values(writer, values, n_slots);
    OK(merels_table_finish(writer, &stats, hash, &test_error));
    free(values);
}

// A directory with such a 3-3 and what follows from it.
static char *solve_over(const struct rules *rules, int plies, enum status expected)
{
    char *dir = make_dir("merels-deep");
    const struct solve_options options = moving(dir, 7);
    write_lost_in(dir, rules, plies);
    FAILS(solve_with(rules, four_three, &options, NULL), expected);
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
        t.values[list[k].a][list[k].b] = read_values(t.base, list[k]);
    for (int k = 1; k < 3; k++) {
        const struct table_stats stats = merels_table_header(table_of(t.base, list[k]))->stats;
        deepest = stats.max_win > deepest ? stats.max_win : deepest;
        deepest = stats.max_loss > deepest ? stats.max_loss : deepest;
        check_by_plies(&t, list[k], MERELS_SHORT_TESTS ? 4999 : 101);
    }
    for (int k = 0; k < 3; k++)
        free(t.values[list[k].a][list[k].b]);
    merels_tablebase_close(t.base);
    return deepest;
}

// The greatest depth over a 3-3 that is lost in so many plies.
static int deepest_over(const struct rules *rules, int plies)
{
    char *dir = solve_over(rules, plies, STATUS_OK);
    int deepest = check_values(rules, dir);
    remove_dir(dir);
    return deepest;
}

static void check_refused(const struct rules *rules, int plies)
{
    char *dir = solve_over(rules, plies, STATUS_UNSUPPORTED);
    cr_expect_not_null(strstr(test_error.text, "254 plies"), "%s", test_error.text);
    cr_expect(!has_file(dir, "3-4.mtb") && !has_file(dir, "4-3.mtb"));
    cr_expect_eq(count_files(dir), 2); // 3-3 and the manifest
    remove_dir(dir);
}

Test(deep, depth_that_does_not_fit_is_refused, .timeout = 300)
{
    struct rules *rules = make_rules("nine");
    int deepest = deepest_over(rules, 100);
    cr_assert(deepest > 104 && deepest < 200, "%d", deepest);
    // Lost in 254 would ask for one more round, won in 255: 253 is the most that is accepted.
    int more = (MAX_DEPTH - 1 - deepest) / 2 * 2;
    int deepest_that_fits = deepest_over(rules, 100 + more);
    cr_expect_eq(deepest_that_fits, deepest + more);
    check_refused(rules, 100 + more + 2);
    check_refused(rules, MAX_DEPTH - 2);
    check_refused(rules, MAX_DEPTH);
    free(rules);
}
