// test_solve.c: whole solves against published figures, and the same bytes whatever the number
// of threads and the processor level.

#include "kernels/kernels.h"
#include "tests/solver/support.h"
#include "tests/support/tsv.h"

static const struct start nine_men = {9, 9};

// ---- published figures ---------------------------------------------------------------------

static void check_known(struct tablebase *base, const struct tsv *known, int row)
{
    struct subspace s;
    const char *name = tsv_text(known, row, "subspace");
    OK(merels_subspace_parse(name, &s, &test_error));
    const struct table_stats stats = merels_table_header(table_of(base, s))->stats;
    int deepest = stats.max_win > stats.max_loss ? stats.max_win : stats.max_loss;
    cr_expect_eq((long long)stats.win, tsv_number(known, row, "win"), "%s", name);
    cr_expect_eq((long long)stats.draw, tsv_number(known, row, "draw"), "%s", name);
    cr_expect_eq((long long)stats.loss, tsv_number(known, row, "loss"), "%s", name);
    cr_expect_eq(deepest < 0 ? 0 : deepest, tsv_number(known, row, "deepest"), "%s", name);
}

// The statistics of the header against the values themselves.
static void check_stats(struct tablebase *base, struct subspace s)
{
    const struct table_header *header = merels_table_header(table_of(base, s));
    uint8_t *values = read_values(base, s);
    int max_win = -1, max_loss = -1;
    for (uint64_t slot = 0; slot < header->n_slots; slot++) {
        int value = values[slot];
        if (value != DTM_DRAW && value % 2 == 1)
            max_win = value > max_win ? value : max_win;
        else if (value != DTM_DRAW)
            max_loss = value > max_loss ? value : max_loss;
    }
    const struct table_stats *stats = &header->stats;
    cr_expect_eq(stats->max_win, max_win);
    cr_expect_eq(stats->max_loss, max_loss);
    cr_expect(max_win < 0 || values[stats->max_win_slot] == max_win);
    cr_expect(max_loss < 0 || values[stats->max_loss_slot] == max_loss);
    cr_expect_eq(stats->win + stats->draw + stats->loss, header->n_orbits);
    free(values);
}

// Wins of 3-3 by plies; a row stands for all images of its set.
static void check_histogram(struct tablebase *base, const struct rules *rules)
{
    const struct subspace s = {3, 3, 0, 0};
    const struct row_sets *rows;
    uint64_t counts[256] = {0}, win = 0;
    uint8_t *values = read_values(base, s);
    OK(merels_index_rows(merels_tablebase_index(base), 3, &rows, &test_error));
    uint64_t n_columns = merels_subspace_columns(&rules->board, s);
    for (uint32_t row = 0; row < rows->n_rows; row++)
        for (uint64_t k = 0; k < n_columns; k++)
            counts[values[row * n_columns + k]] +=
                (uint64_t)(rules->board.n_symmetries / bit_count(row_stabilizer(rows, row)));
    struct tsv *histogram = tsv_open("nine-3-3-wins-by-ply.tsv");
    for (int row = 0; row < tsv_rows(histogram); row++) {
        int plies = (int)tsv_number(histogram, row, "plies");
        win += counts[plies];
        cr_expect_eq((long long)counts[plies], tsv_number(histogram, row, "positions"),
                     "won in %d", plies);
    }
    cr_expect_eq(win, 2232160);
    cr_expect_eq(counts[DTM_DRAW], 4112);
    tsv_close(histogram);
    free(values);
}

Test(solve, figures_of_the_moving_phase, .timeout = 600)
{
    int max_men = MERELS_SHORT_TESTS ? 7 : 10, n_checked = 0;
    char *dir = make_dir("merels-solve");
    struct rules *rules = make_rules("nine");
    struct solve_options options = moving(dir, max_men);
    options.n_threads = 2;
    solve(rules, nine_men, &options);
    struct tablebase *base = open_base(dir, rules);
    struct tsv *known = tsv_open("nine-moving-known.tsv");
    for (int row = 0; row < tsv_rows(known); row++) {
        const char *name = tsv_text(known, row, "subspace"); // "3-7", or "total"
        if (name[1] == '-' && name[0] - '0' + name[2] - '0' <= max_men) {
            check_known(base, known, row);
            n_checked++;
        }
    }
    cr_expect_eq(n_checked, MERELS_SHORT_TESTS ? 3 : 15);
    check_histogram(base, rules);
    check_stats(base, (struct subspace){3, 3, 0, 0});
    check_stats(base, (struct subspace){3, 4, 0, 0});
    check_stats(base, (struct subspace){4, 3, 0, 0});
    tsv_close(known);
    merels_tablebase_close(base);
    free(rules);
    remove_dir(dir);
}

// ---- the same bytes ------------------------------------------------------------------------

// A directory with links to the tables of another, but for one unit and the manifest.
static char *linked_dir(const char *dir, const char *left_out, const char *left_out_too)
{
    char from[512], to[512];
    struct names names;
    char *copy = make_dir("merels-threads");
    OK(merels_dir_list(dir, &names, &test_error));
    for (size_t k = 0; k < names.n; k++) {
        const char *name = names.names[k];
        if (!ends_with(name, ".mtb") || strcmp(name, left_out) == 0 ||
            strcmp(name, left_out_too) == 0)
            continue;
        file_path(from, dir, name);
        file_path(to, copy, name);
        cr_assert_eq(link(from, to), 0, "%s", to);
    }
    merels_names_free(&names);
    return copy;
}

static void check_threads(const struct rules *rules, struct start start, const char *dir,
                          const char *x, const char *y, int n_threads)
{
    char *copy = linked_dir(dir, x, y);
    struct solve_options options = moving(copy, 0);
    options.n_threads = n_threads;
    cr_assert(!has_file(copy, x) && !has_file(copy, y));
    solve(rules, start, &options);
    assert_same_dirs(copy, dir);
    remove_dir(copy);
}

// 3-9 has 82,880 rows, 9-3 has 158 long ones.
Test(solve, threads_make_the_same_bytes, .timeout = 600, .disabled = MERELS_SHORT_TESTS)
{
    const struct start start = {3, 9};
    char *dir = make_dir("merels-threads");
    struct rules *rules = make_rules("nine");
    struct solve_options options = moving(dir, 0);
    options.n_threads = 2;
    solve(rules, start, &options);
    check_threads(rules, start, dir, "3-9.mtb", "9-3.mtb", 1);
    check_threads(rules, start, dir, "3-9.mtb", "9-3.mtb", 3);
    free(rules);
    remove_dir(dir);
}

// More threads than rows, and a whole game.
Test(solve, many_threads_make_the_same_bytes, .timeout = 300)
{
    struct rules *rules = make_rules("six");
    const struct start start = {4, 4};
    char *dirs[3];
    for (int k = 0; k < 3; k++) {
        static const int n_threads[] = {1, 2, 5};
        dirs[k] = make_dir("merels-threads");
        solve(rules, start, &(struct solve_options){.dir = dirs[k], .n_threads = n_threads[k]});
        assert_same_dirs(dirs[k], dirs[0]);
    }
    for (int k = 0; k < 3; k++)
        remove_dir(dirs[k]);
    free(rules);
}

static void check_levels(const char *text, struct start start, int max_men, bool moving_only)
{
    struct rules *rules = make_rules(text);
    char *dirs[N_LEVELS];
    for (int k = 0; k < N_LEVELS; k++) {
        dirs[k] = make_dir("merels-levels");
        if (merels_kernels(levels[k]) == NULL)
            continue;
        solve(rules, start,
              &(struct solve_options){.dir = dirs[k],
                                      .n_threads = 1,
                                      .max_men = max_men,
                                      .moving_only = moving_only,
                                      .cpu_level = levels[k]});
        assert_same_dirs(dirs[k], dirs[0]);
    }
    for (int k = 0; k < N_LEVELS; k++)
        remove_dir(dirs[k]);
    free(rules);
}

Test(solve, levels_make_the_same_bytes, .timeout = 600)
{
    check_levels("nine", nine_men, MERELS_SHORT_TESTS ? 6 : 8, true);
    check_levels("six", (struct start){4, 4}, 0, false);
    check_levels("three,mill=removes", (struct start){4, 4}, 0, false);
    if (!MERELS_SHORT_TESTS)
        check_levels("six-fly", (struct start){6, 6}, 0, true);
}
