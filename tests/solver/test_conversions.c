// test_conversions.c: metric dtc and n-move: every value of small games against the counting
// solver of tests/reference, which knows nothing of depths; the ways to solve; positions solved
// by hand.

#include "game/effects.h"
#include "game/notation.h"
#include "tests/solver/whole_games.h"
#include "tests/support/tsv.h"

static const struct start three_men = {3, 3}, four_men = {4, 4}, four_three = {4, 3};

// ---- against the counting solver -----------------------------------------------------------

static void check_standing(const int *numbers, struct tablebase *base,
                           struct reference_counter *counter, const struct position *pos)
{
    uint64_t slot;
    OK(merels_index_rank(merels_tablebase_index(base), pos, &slot, &test_error));
    const struct reference_position twin = {to_reference(pos->own), to_reference(pos->other),
                                            pos->own_hand, pos->other_hand, 0};
    struct reference_standing expected = reference_stands(counter, &twin);
    int result = numbers[slot] < 0 ? 0 : value_wins(numbers[slot]) ? 1 : -1;
    int plies = numbers[slot] < 0 ? 0 : value_plies(EDITION_DTC, numbers[slot]);
    cr_assert(result == expected.result && plies == expected.plies,
              "own %x other %x in hand %d %d: %d in %d, not %d in %d", pos->own, pos->other,
              pos->own_hand, pos->other_hand, result, plies, expected.result, expected.plies);
}

// Of any count the table answers what so many plies left are worth.
static void check_counts(const struct rules *rules, struct tablebase *base,
                         struct reference_counter *counter, struct position pos)
{
    const struct reference_position twin = {to_reference(pos.own), to_reference(pos.other),
                                            pos.own_hand, pos.other_hand, 0};
    struct reference_standing expected = reference_stands(counter, &twin);
    bool counted = !merels_all_convert(rules, merels_subspace_of(&pos));
    for (int count = 0; count <= (counted ? rules->n_move : 0); count++) {
        struct answer answer;
        pos.count = (uint16_t)count;
        OK(merels_tablebase_probe(base, &pos, &answer, &test_error));
        bool stands = expected.plies + count <= rules->n_move;
        cr_assert_eq((int)answer.value, stands ? expected.result : 0, "own %x other %x n%d",
                     pos.own, pos.other, count);
    }
}

static void check_table(const struct rules *rules, struct tablebase *base,
                        struct reference_counter *counter, struct subspace s)
{
    struct sets own = sets_of(&rules->board, s.a), other = sets_of(&rules->board, s.b);
    int *numbers = read_plies(base, s);
    for (uint32_t i = 0; i < own.n; i++)
        for (uint32_t k = 0; k < other.n; k++) {
            struct position pos = {own.sets[i], other.sets[k], s.ha, s.hb, 0, WHITE, 0, 0};
            if ((pos.own & pos.other) == 0 &&
                merels_position_check(rules, &pos, NULL) == STATUS_OK)
                check_standing(numbers, base, counter, &pos);
            if ((pos.own & pos.other) == 0 && rules->n_move > 0 && (i + k) % 97 == 0 &&
                merels_position_check(rules, &pos, NULL) == STATUS_OK)
                check_counts(rules, base, counter, pos);
        }
    free(numbers);
    free(own.sets);
    free(other.sets);
}

static void check_directory(const char *dir, const struct rules *rules)
{
    struct subspace *list;
    size_t n;
    copy_rules(rules);
    struct reference_counter *counter = reference_counter_create(&reference, rules->n_move);
    struct tablebase *base = open_base(dir, rules);
    OK(merels_tablebase_list(base, &list, &n, &test_error));
    cr_assert_gt(n, 0);
    for (size_t k = 0; k < n; k++)
        check_table(rules, base, counter, list[k]);
    cr_expect(reference_is_steady(counter));
    free(list);
    merels_tablebase_close(base);
    reference_counter_destroy(counter);
}

static void check_conversions(const char *text, struct start start, bool moving_only)
{
    char *dir = make_dir("merels-dtc");
    struct rules *rules = make_rules(text);
    struct solve_options options = moving(dir, 0);
    options.moving_only = moving_only;
    solve(rules, start, &options);
    check_directory(dir, rules);
    free(rules);
    remove_dir(dir);
}

Test(conversions, sixteen_points, .timeout = 300)
{
    check_conversions("six,metric=dtc", MERELS_SHORT_TESTS ? three_men : four_men, true);
    check_conversions("six-fly,metric=dtc", MERELS_SHORT_TESTS ? three_men : four_three, true);
}

Test(conversions, whole_games, .timeout = 300)
{
    check_conversions("three,metric=dtc", three_men, false);
    check_conversions("three,mill=removes,metric=dtc", four_men, false);
    check_conversions("three-fly,mill=removes,blocked=draws,metric=dtc", (struct start){3, 5},
                      false);
    check_conversions("six,metric=dtc", MERELS_SHORT_TESTS ? three_men : four_three, false);
}

// A placement converts, a move with men in hand does not, unless the other side has no man.
Test(conversions, place_or_move, .timeout = 300)
{
    check_conversions("three,mill=removes,turn=place-or-move,metric=dtc", three_men, false);
    check_conversions("three,mill=removes,turn=place-or-move,fly=3,fly-count=total,metric=dtc",
                      four_men, false);
}

// A mill that takes no man converts nothing.
Test(conversions, men_in_mills_are_safe, .timeout = 300)
{
    check_conversions("three,mill=removes,mill-men=safe,metric=dtc", four_men, false);
    check_conversions("six,mill-men=safe,metric=dtc", three_men, false);
}

Test(conversions, choices_and_passes, .timeout = 300)
{
    check_conversions("three,mill=removes,chooser=opponent,mill-men=removable,fly=3,metric=dtc",
                      four_men, false);
    check_conversions("three,mill=removes,removals=each,metric=dtc", (struct start){5, 4},
                      false);
    check_conversions("three,mill=removes,blocked=passes,least=1,metric=dtc",
                      (struct start){3, 5}, false);
    check_conversions("three,blocked=passes,metric=dtc", four_men, false);
}

// ---- a draw after so many plies ------------------------------------------------------------

// The counting solver carries the plies that are left; a result that stands with some stands
// with more (reference_is_steady).
Test(conversions, plies_are_counted, .timeout = 600)
{
    static const int counts[] = {6, 10, 20};
    for (int k = 0; k < (MERELS_SHORT_TESTS ? 1 : 3); k++) {
        char text[64];
        snprintf(text, sizeof text, "six,n-move=%d", counts[k]);
        check_conversions(text, MERELS_SHORT_TESTS ? three_men : four_three, false);
    }
}

Test(conversions, few_plies_are_counted, .timeout = 300)
{
    check_conversions("three,n-move=1", three_men, false);
    check_conversions("three,n-move=3", three_men, false);
    check_conversions("three,mill=removes,n-move=2", four_men, false);
    check_conversions("three,mill=removes,turn=place-or-move,n-move=3", four_men, false);
    check_conversions("three,mill=removes,blocked=passes,least=1,n-move=4",
                      (struct start){3, 5}, false);
    check_conversions("three,mill=removes,mill-men=safe,n-move=5", four_men, false);
    check_conversions("three,mill=removes,removals=each,chooser=opponent,n-move=2", four_men,
                      false);
}

// ---- the ways to solve ---------------------------------------------------------------------

// The same files by one thread and two, in windows of few steps (of both parities), in a part
// of the memory, and by every level of kernels.
static void check_ways(const char *text, struct start start, bool moving_only)
{
    static const struct solve_options ways[] = {
        {.n_threads = 2},
        {.n_threads = 2, .n_codes = 2},
        {.n_threads = 1, .n_codes = 5},
        {.n_threads = 2, .n_codes = 20},
        {.n_threads = 2, .max_rows = 7},
        {.n_threads = 1, .cpu_level = "portable"},
    };
    char *dir = make_dir("merels-dtc");
    struct rules *rules = make_rules(text);
    struct solve_options options = moving(dir, 0);
    options.moving_only = moving_only;
    solve(rules, start, &options);
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        char *other = make_dir("merels-dtc");
        options = ways[k];
        options.dir = other;
        options.moving_only = moving_only;
        solve(rules, start, &options);
        assert_same_dirs(dir, other);
        remove_dir(other);
    }
    free(rules);
    remove_dir(dir);
}

Test(conversions, all_ways_give_the_same_files, .timeout = 600)
{
    check_ways("six,metric=dtc", four_three, false);
    check_ways("six,metric=dtc", (struct start){5, 4}, true);
    check_ways("three,mill=removes,turn=place-or-move,metric=dtc", four_men, false);
}

// ---- the same results ----------------------------------------------------------------------

// Results do not depend on the metric, and in a game without removals depths of the moving
// phase do not, either.
Test(conversions, results_are_those_of_dtm, .timeout = 300)
{
    static const char *const texts[2] = {"three", "three,metric=dtc"};
    int *numbers[2];
    uint64_t n_slots = 0;
    const struct subspace s = {3, 3, 0, 0};
    for (int k = 0; k < 2; k++) {
        char *dir = make_dir("merels-dtc");
        struct rules *rules = make_rules(texts[k]);
        struct solve_options options = moving(dir, 0);
        solve(rules, three_men, &options);
        struct tablebase *base = open_base(dir, rules);
        n_slots = merels_table_header(table_of(base, s))->n_slots;
        numbers[k] = read_plies(base, s);
        merels_tablebase_close(base);
        free(rules);
        remove_dir(dir);
    }
    for (uint64_t slot = 0; slot < n_slots; slot++) {
        cr_assert_eq(numbers[0][slot] < 0, numbers[1][slot] < 0);
        cr_assert_eq(value_wins(numbers[0][slot]), value_wins(numbers[1][slot]));
        cr_assert_eq(numbers[0][slot], value_plies(EDITION_DTC, numbers[1][slot]));
    }
    free(numbers[0]);
    free(numbers[1]);
}

// ---- positions solved by hand --------------------------------------------------------------

static void check_by_hand(const char *text, struct start start, int max_men, bool moving_only)
{
    char *dir = make_dir("merels-dtc");
    struct tsv *table = tsv_open("conversions.tsv");
    int n_checked = 0;
    struct rules *rules = make_rules(text);
    struct solve_options options = moving(dir, max_men);
    options.moving_only = moving_only;
    solve(rules, start, &options);
    struct tablebase *base = open_base(dir, rules);
    for (int row = 0; row < tsv_rows(table); row++) {
        struct position pos;
        struct answer answer;
        if (strcmp(tsv_text(table, row, "rules"), text) != 0)
            continue;
        OK(merels_position_parse(rules, &start, tsv_text(table, row, "position"), &pos,
                                 &test_error));
        OK(merels_tablebase_probe(base, &pos, &answer, &test_error));
        const char *result = tsv_text(table, row, "result");
        enum value value = strcmp(result, "win") == 0    ? VALUE_WIN
                           : strcmp(result, "loss") == 0 ? VALUE_LOSS
                                                         : VALUE_DRAW;
        long long plies = tsv_known(table, row, "plies") ? tsv_number(table, row, "plies") : -1;
        cr_expect_eq(answer.value, value, "%s", tsv_text(table, row, "id"));
        cr_expect_eq(answer.plies, plies, "%s", tsv_text(table, row, "id"));
        cr_expect_eq(answer.edition, EDITION_DTC);
        n_checked++;
    }
    cr_expect_gt(n_checked, 0);
    merels_tablebase_close(base);
    tsv_close(table);
    free(rules);
    remove_dir(dir);
}

Test(conversions, positions_solved_by_hand, .timeout = 300)
{
    check_by_hand("six,metric=dtc", (struct start){6, 6}, 10, true);
    check_by_hand("nine,metric=dtc", (struct start){9, 9}, 7, true);
    check_by_hand("three,metric=dtc", three_men, 0, false);
    check_by_hand("six,n-move=1", (struct start){6, 6}, 10, true);
    check_by_hand("six,n-move=2", (struct start){6, 6}, 10, true);
    check_by_hand("nine,n-move=2", (struct start){9, 9}, 7, true);
}

// ---- identity ------------------------------------------------------------------------------

// Tables of either metric never stand for the other's.
Test(conversions, a_directory_is_of_one_metric, .timeout = 300)
{
    char *dir = make_dir("merels-dtc");
    struct rules *dtc = make_rules("three,metric=dtc"), *dtm = make_rules("three");
    struct solve_options options = moving(dir, 0);
    struct table *table;
    struct tablebase *base;
    const struct subspace s = {3, 3, 0, 0};
    solve(dtc, three_men, &options);
    cr_expect_eq(merels_tablebase_open(dir, dtm, 0, &base, &test_error), STATUS_OTHER_RULES);
    cr_expect_not_null(strstr(test_error.text, "metric is dtc there, dtm here"), "%s",
                       test_error.text);
    cr_expect_eq(merels_table_open(dir, dtm, s, EDITION_DTM, &table, &test_error),
                 STATUS_OTHER_RULES);
    cr_expect_eq(merels_table_open(dir, dtc, s, EDITION_DTM, &table, &test_error),
                 STATUS_CORRUPT);
    OK(merels_table_open(dir, dtc, s, EDITION_DTC, &table, &test_error));
    merels_table_close(table);
    free(dtc);
    free(dtm);
    remove_dir(dir);
}
