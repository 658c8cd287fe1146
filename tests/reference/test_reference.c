// test_reference.c: the reference code against published figures and against itself.

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/reference/reference.h"
#include "tests/support/tsv.h"

// Rules of one test at a time; each test is a process of its own.
static struct reference_rules rules;

static enum reference_kind kind_of(const char *board)
{
    static const char *const names[] = {"three", "six", "seven", "nine", "nine-diagonal"};
    for (int kind = 0; kind < 5; kind++)
        if (strcmp(board, names[kind]) == 0)
            return (enum reference_kind)kind;
    cr_assert_fail("no board %s", board);
    return REFERENCE_NINE;
}

// The rules that the tables of figures name.
static void use_rules(const char *name)
{
    if (strcmp(name, "three") == 0) {
        reference_rules_init(&rules, REFERENCE_THREE);
        rules.mill_wins = true;
        rules.fly = 0;
    } else if (strcmp(name, "twelve") == 0) {
        reference_rules_init(&rules, REFERENCE_NINE_DIAGONAL);
    } else {
        reference_rules_init(&rules, REFERENCE_NINE);
        rules.place_or_move = strcmp(name, "nine") != 0;
    }
}

static uint32_t image_of_set(const struct reference_board *board, int i, uint32_t set)
{
    struct reference_position pos = {.own = set};
    return reference_image(board, i, &pos).own;
}

Test(reference, boards_have_the_published_sizes)
{
    struct tsv *presets = tsv_open("presets.tsv");
    for (int row = 0; row < tsv_rows(presets); row++) {
        reference_rules_init(&rules, kind_of(tsv_text(presets, row, "board")));
        cr_assert_eq(rules.board.n_points, tsv_number(presets, row, "points"));
        cr_assert_eq(rules.board.n_edges, tsv_number(presets, row, "edges"));
        cr_assert_eq(rules.board.n_mills, tsv_number(presets, row, "mills"));
    }
    tsv_close(presets);
}

Test(reference, images_keep_edges_and_mills)
{
    for (int kind = 0; kind <= REFERENCE_NINE_DIAGONAL; kind++) {
        struct reference_board board;
        reference_board_init(&board, (enum reference_kind)kind);
        for (int i = 0; i < board.n_images; i++) {
            const int *image = board.images[i];
            for (int e = 0; e < board.n_edges; e++)
                cr_assert(board.adjacent[image[board.edges[e][0]]][image[board.edges[e][1]]]);
            for (int m = 0; m < board.n_mills; m++) {
                uint32_t mill = image_of_set(&board, i, board.mills[m]);
                bool found = false;
                for (int n = 0; n < board.n_mills; n++)
                    found |= board.mills[n] == mill;
                cr_assert(found, "board %d, image %d, mill %d", kind, i, m);
            }
            for (int j = 0; j < i; j++)
                cr_assert(memcmp(image, board.images[j], sizeof board.images[j]) != 0);
        }
    }
}

Test(reference, perft)
{
    struct tsv *perft = tsv_open("perft.tsv");
    int n_checked = 0;
    for (int row = 0; row < tsv_rows(perft); row++) {
        if (tsv_number(perft, row, "count") > (MERELS_SHORT_TESTS ? 100000 : 10000000))
            continue;
        reference_rules_init(&rules, REFERENCE_NINE);
        rules.place_or_move = strcmp(tsv_text(perft, row, "id"), "lasker") == 0;
        const char *text = tsv_text(perft, row, "position");
        struct reference_position pos = reference_position_read(&rules.board, text);
        int depth = (int)tsv_number(perft, row, "depth");
        cr_expect_eq((long long)reference_perft(&rules, &pos, depth),
                     tsv_number(perft, row, "count"), "%s to depth %d", text, depth);
        n_checked++;
    }
    cr_expect_eq(n_checked, MERELS_SHORT_TESTS ? 20 : 26);
    tsv_close(perft);
}

Test(reference, plies_of_the_checked_positions)
{
    struct tsv *positions = tsv_open("positions.tsv");
    int n_checked = 0;
    reference_rules_init(&rules, REFERENCE_NINE);
    for (int row = 0; row < tsv_rows(positions); row++) {
        struct reference_ply plies[REFERENCE_PLIES];
        if (!tsv_known(positions, row, "plies"))
            continue;
        const char *text = tsv_text(positions, row, "position");
        struct reference_position pos = reference_position_read(&rules.board, text);
        int n = reference_plies(&rules, &pos, plies), n_removing = 0;
        for (int i = 0; i < n; i++)
            n_removing += plies[i].removed != 0;
        cr_expect_eq(n, tsv_number(positions, row, "plies"), "%s", text);
        cr_expect_eq(n_removing, tsv_number(positions, row, "removing"), "%s", text);
        n_checked++;
    }
    cr_expect_eq(n_checked, 6);
    tsv_close(positions);
}

static int compare_positions(const void *x, const void *y)
{
    return reference_compare(x, y);
}

// Sorts a list of positions of equal hands and drops what stands twice; returns the rest.
static int sort_and_merge(struct reference_position *list, int n)
{
    int kept = 0;
    qsort(list, (size_t)n, sizeof *list, compare_positions);
    for (int i = 0; i < n; i++)
        if (kept == 0 || reference_compare(&list[i], &list[kept - 1]) != 0)
            list[kept++] = list[i];
    return kept;
}

// All positions one ply after those of `list`, one of each orbit; frees the list.
static struct reference_position *one_ply_later(struct reference_position *list, int *n)
{
    struct reference_position *later = malloc(sizeof *later * 72 * (size_t)*n);
    int n_later = 0;
    cr_assert_not_null(later);
    for (int i = 0; i < *n; i++) {
        struct reference_ply plies[REFERENCE_PLIES];
        int n_plies = reference_plies(&rules, &list[i], plies);
        for (int k = 0; k < n_plies; k++) {
            struct reference_position next = reference_play(&list[i], plies[k]);
            later[n_later++] = reference_canonical(&rules.board, &next);
        }
    }
    free(list);
    *n = sort_and_merge(later, n_later);
    return later;
}

Test(reference, positions_after_so_many_plies)
{
    struct tsv *reachable = tsv_open("placing-reachable.tsv");
    reference_rules_init(&rules, REFERENCE_NINE);
    struct reference_position *list = malloc(sizeof *list);
    int n = 1;
    cr_assert_not_null(list);
    list[0] = reference_position_read(&rules.board, "w - - 9/9");
    for (int row = 0; row < (MERELS_SHORT_TESTS ? 4 : 6); row++) {
        list = one_ply_later(list, &n);
        cr_expect_eq(n, tsv_number(reachable, row, "positions"), "after %d plies", row + 1);
    }
    free(list);
    tsv_close(reachable);
}

// ---- the naive solver ----------------------------------------------------------------------

static struct reference_solver *solved(int a, int b, int ha, int hb)
{
    struct reference_solver *solver = reference_solver_create(&rules);
    cr_assert_not_null(solver);
    cr_assert(reference_solve(solver, a, b, ha, hb));
    return solver;
}

static void expect_value(const struct reference_solver *solver, const char *id)
{
    struct tsv *positions = tsv_open("positions.tsv");
    int row = tsv_find(positions, "id", id);
    const char *text = tsv_text(positions, row, "position");
    struct reference_position pos = reference_position_read(&rules.board, text);
    int value = reference_value(solver, &pos);
    if (tsv_known(positions, row, "depth"))
        cr_expect_eq(value, tsv_number(positions, row, "depth"), "%s: %d", text, value);
    else
        cr_expect_eq(value, REFERENCE_DRAW, "%s: %d", text, value);
    tsv_close(positions);
}

// Win, draw, loss in orbits and the longest depth as in nine-moving-known.tsv.
static void expect_known(const struct reference_solver *solver, int a, int b)
{
    char name[16];
    struct tsv *known = tsv_open("nine-moving-known.tsv");
    snprintf(name, sizeof name, "%d-%d", a, b);
    int row = tsv_find(known, "subspace", name);
    struct reference_counts counts = reference_count(solver, a, b, 0, 0, true);
    int deepest = counts.max_win > counts.max_loss ? counts.max_win : counts.max_loss;
    cr_expect_eq((long long)counts.win, tsv_number(known, row, "win"), "%s", name);
    cr_expect_eq((long long)counts.draw, tsv_number(known, row, "draw"), "%s", name);
    cr_expect_eq((long long)counts.loss, tsv_number(known, row, "loss"), "%s", name);
    cr_expect_eq(deepest, tsv_number(known, row, "deepest"), "%s", name);
    tsv_close(known);
}

// The histogram of 3-3, symmetric positions counted separately.
static void expect_histogram(const struct reference_counts *counts)
{
    uint64_t win = 0;
    struct tsv *histogram = tsv_open("nine-3-3-wins-by-ply.tsv");
    for (int row = 0; row < tsv_rows(histogram); row++) {
        int plies = (int)tsv_number(histogram, row, "plies");
        win += counts->by_plies[plies];
        cr_expect_eq((long long)counts->by_plies[plies],
                     tsv_number(histogram, row, "positions"), "won in %d", plies);
    }
    cr_expect_eq(win, counts->win);
    tsv_close(histogram);
}

Test(reference_solver, three_against_three, .disabled = MERELS_SHORT_TESTS)
{
    reference_rules_init(&rules, REFERENCE_NINE);
    struct reference_solver *solver = solved(3, 3, 0, 0);
    struct reference_counts counts = reference_count(solver, 3, 3, 0, 0, false);
    cr_expect_eq(counts.win, 2232160);
    cr_expect_eq(counts.draw, 4112);
    cr_expect_eq(counts.loss, 455648);
    expect_histogram(&counts);
    expect_known(solver, 3, 3);
    expect_value(solver, "P9");
    expect_value(solver, "P10");
    expect_value(solver, "P11");
    reference_solver_destroy(solver);
}

Test(reference_solver, four_against_three, .disabled = MERELS_SHORT_TESTS)
{
    reference_rules_init(&rules, REFERENCE_NINE);
    struct reference_solver *solver = solved(4, 3, 0, 0);
    expect_known(solver, 3, 4);
    expect_known(solver, 4, 3);
    expect_value(solver, "P12");
    expect_value(solver, "P12b");
    reference_solver_destroy(solver);
}

// Whole games of three men a side, from the empty board.
Test(reference_solver, small_games)
{
    struct tsv *games = tsv_open("small-games-known.tsv");
    int n_checked = 0;
    for (int row = 0; row < tsv_rows(games); row++) {
        const char *name = tsv_text(games, row, "rules");
        int men = (int)tsv_number(games, row, "men");
        if (men > 3 || (MERELS_SHORT_TESTS && strcmp(name, "three") != 0))
            continue;
        use_rules(name);
        struct reference_solver *solver = solved(0, 0, men, men);
        struct reference_position pos = {.own_hand = men, .other_hand = men};
        cr_expect_eq(reference_value(solver, &pos), tsv_number(games, row, "plies"), "%s",
                     name);
        reference_solver_destroy(solver);
        n_checked++;
    }
    cr_expect_eq(n_checked, MERELS_SHORT_TESTS ? 1 : 4);
    tsv_close(games);
}

// First placements of `three`: only the centre wins, a corner draws, an edge loses.
Test(reference_solver, first_placements_of_three)
{
    use_rules("three");
    struct reference_solver *solver = solved(0, 0, 3, 3);
    const struct {
        const char *text;
        int parity; // of the value for the side that replies; -1: draw
    } placements[] = {{"b b2 - 2/3", 0}, {"b a1 - 2/3", -1}, {"b b1 - 2/3", 1}};
    for (int i = 0; i < 3; i++) {
        const char *text = placements[i].text;
        struct reference_position pos = reference_position_read(&rules.board, text);
        int value = reference_value(solver, &pos);
        cr_expect_eq(value == REFERENCE_DRAW ? -1 : value % 2, placements[i].parity, "%s",
                     text);
    }
    reference_solver_destroy(solver);
}

// A value is what the values one ply later say, on a board that no figure is published for.
Test(reference_solver, values_agree_with_their_successors)
{
    reference_rules_init(&rules, REFERENCE_SIX);
    rules.fly = 0;
    struct reference_solver *solver = solved(4, 4, 0, 0);
    struct reference_counts raw = reference_count(solver, 4, 4, 0, 0, false);
    cr_expect_eq(raw.win + raw.draw + raw.loss, 1820 * 495); // C(16, 4) * C(12, 4)
    for (uint32_t own = 0; own < 1 << 16; own++) {
        uint32_t other = (own * 40503u >> 3) & 0xFFFF & ~own;
        struct reference_position pos = {.own = own, .other = other};
        if (__builtin_popcount(own) != 4 || __builtin_popcount(other) != 4)
            continue;
        struct reference_ply plies[REFERENCE_PLIES];
        int n = reference_plies(&rules, &pos, plies), value = reference_value(solver, &pos);
        int n_wins = 0, n_losses = 0;
        for (int i = 0; i < n; i++) {
            struct reference_position next = reference_play(&pos, plies[i]);
            int later = reference_value(solver, &next);
            n_losses += later != REFERENCE_DRAW && later % 2 == 0;
            n_wins += later != REFERENCE_DRAW && later % 2 == 1;
        }
        int expected = n_losses > 0 ? 1 : n_wins == n ? 0 : -1;
        cr_expect_eq(value == REFERENCE_DRAW ? -1 : value % 2, expected, "own %x other %x", own,
                     other);
    }
    reference_solver_destroy(solver);
}
