// test_values.c: every value of small tables against the naive solver of tests/reference, and
// the values of the 24-point board against its plies.

#include "tests/reference/reference.h"
#include "tests/solver/support.h"

// ---- from the program's points to those of the reference and back ---------------------------

enum { HALF = 1 << 12 };

static struct reference_rules reference;
static uint32_t to_low[HALF], to_high[HALF];     // reference sets of the halves of a set
static uint32_t from_low[HALF], from_high[HALF]; // and the other way

static void map_points(const struct board *board)
{
    int to[MAX_POINTS] = {0}, from[MAX_POINTS] = {0};
    for (int p = 0; p < board->n_points; p++) {
        to[p] = reference_point(&reference.board, board->names[p]);
        cr_assert_geq(to[p], 0);
        from[to[p]] = p;
    }
    for (uint32_t half = 0; half < HALF; half++) {
        to_low[half] = to_high[half] = from_low[half] = from_high[half] = 0;
        for (int i = 0; i < 12; i++)
            if (half >> i & 1) {
                to_low[half] |= UINT32_C(1) << to[i];
                to_high[half] |= UINT32_C(1) << to[i + 12];
                from_low[half] |= UINT32_C(1) << from[i];
                from_high[half] |= UINT32_C(1) << from[i + 12];
            }
    }
}

static uint32_t to_reference(point_set set)
{
    return to_low[set % HALF] | to_high[set / HALF];
}

static point_set from_reference(uint32_t set)
{
    return from_low[set % HALF] | from_high[set / HALF];
}

static void copy_rules(const struct rules *rules)
{
    reference_rules_init(&reference, (enum reference_kind)rules->board.kind);
    reference.fly = rules->fly;
    reference.mill_men = (enum reference_mill_men)rules->mill_men;
    reference.blocked_draws = rules->blocked == BLOCKED_DRAWS;
    reference.full_board_mover_loses = rules->full_board == FULL_BOARD_MOVER_LOSES;
    reference.least = rules->least;
    map_points(&rules->board);
}

// ---- all positions of a tablebase ----------------------------------------------------------

struct sets {
    point_set *sets;
    uint32_t n;
};

static struct sets sets_of(const struct board *board, int men)
{
    struct sets list = {malloc(merels_choose(board->n_points, men) * sizeof(point_set)), 0};
    cr_assert_not_null(list.sets);
    for (point_set set = 0; set <= board->points; set++)
        if (bit_count(set) == men)
            list.sets[list.n++] = set;
    return list;
}

static void check_position(struct tablebase *base, const struct reference_solver *solver,
                           const uint8_t *values, const struct position *pos)
{
    uint64_t slot;
    OK(merels_index_rank(merels_tablebase_index(base), pos, &slot, &test_error));
    const struct reference_position twin = {to_reference(pos->own), to_reference(pos->other),
                                            pos->own_hand, pos->other_hand, 0};
    int expected = reference_value(solver, &twin);
    cr_assert_eq(values[slot], expected, "own %x other %x in hand %d %d: %d, not %d", pos->own,
                 pos->other, pos->own_hand, pos->other_hand, values[slot], expected);
}

// Every pair of sets, with no use of symmetry.
static void check_subspace(struct tablebase *base, const struct board *board,
                           const struct reference_solver *solver, struct subspace s)
{
    struct sets own = sets_of(board, s.a), other = sets_of(board, s.b);
    uint8_t *values = read_values(base, s);
    for (uint32_t i = 0; i < own.n; i++)
        for (uint32_t k = 0; k < other.n; k++) {
            struct position pos = {own.sets[i], other.sets[k], s.ha, s.hb, 0, WHITE};
            if ((pos.own & pos.other) == 0)
                check_position(base, solver, values, &pos);
        }
    free(values);
    free(own.sets);
    free(other.sets);
}

// Solves and compares.
static void check_rules(const char *text, struct start start, bool moving_only)
{
    char *dir = make_dir("merels-values");
    struct rules *rules = make_rules(text);
    struct solve_options options = moving(dir, 0);
    options.moving_only = moving_only;
    solve(rules, start, &options);
    copy_rules(rules);
    struct reference_solver *solver = reference_solver_create(&reference);
    struct tablebase *base = open_base(dir, rules);
    struct subspace *list;
    size_t n;
    OK(merels_tablebase_list(base, &list, &n, &test_error));
    cr_assert_gt(n, 0);
    for (size_t k = 0; k < n; k++) {
        cr_assert(reference_solve(solver, list[k].a, list[k].b, list[k].ha, list[k].hb));
        check_subspace(base, &rules->board, solver, list[k]);
    }
    free(list);
    merels_tablebase_close(base);
    reference_solver_destroy(solver);
    free(rules);
    remove_dir(dir);
}

static const struct start three_men = {3, 3}, four_men = {4, 4}, four_three = {4, 3};

Test(values, sixteen_points_sliding, .timeout = 300)
{
    check_rules("six", MERELS_SHORT_TESTS ? four_three : four_men, true);
    check_rules("six,blocked=draws", four_three, true);
    check_rules("six,mill-men=removable", four_three, true);
}

Test(values, sixteen_points_flying, .timeout = 300)
{
    check_rules("six-fly", four_three, true);
    check_rules("six,fly=4,mill-men=removable,blocked=draws", four_three, true);
}

Test(values, seventeen_points, .timeout = 300)
{
    check_rules("seven", MERELS_SHORT_TESTS ? three_men : four_three, true);
}

// Rows of less than a word of columns, and crowded boards, up to the full one.
Test(values, nine_points, .timeout = 300)
{
    check_rules("three,mill=removes", four_three, true);
    check_rules("three-fly,mill=removes", four_men, true);
    check_rules("three,mill=removes", (struct start){5, 4}, true);
    check_rules("three,mill=removes,blocked=draws,full-board=mover-loses", (struct start){5, 4},
                true);
}

Test(values, nofly_with_24_points, .timeout = 300, .disabled = MERELS_SHORT_TESTS)
{
    check_rules("nine-nofly", three_men, true);
}

Test(values, diagonals, .timeout = 300, .disabled = MERELS_SHORT_TESTS)
{
    check_rules("twelve-nofly", three_men, true);
}

Test(values, whole_games, .timeout = 300)
{
    check_rules("three,mill=removes", four_men, false);
    check_rules("six,mill-men=removable", three_men, false);
    check_rules("six-fly", three_men, false);
}

// ---- nine: values follow from those one ply later ------------------------------------------
// A table in which every win is one ply longer than its shortest loss for the other side, every
// loss one ply longer than its longest, and every draw has a drawn ply and no winning one, is
// right: the depths leave no room for a circle.

struct table_values {
    struct tablebase *base;
    uint8_t *values[5][5]; // of a-b
};

static int value_of_next(const struct table_values *t, const struct reference_position *next)
{
    struct position pos = {.own = from_reference(next->own),
                           .other = from_reference(next->other)};
    uint64_t slot;
    if (bit_count(pos.own) < 3)
        return 0;
    OK(merels_index_rank(merels_tablebase_index(t->base), &pos, &slot, &test_error));
    return t->values[bit_count(pos.own)][bit_count(pos.other)][slot];
}

static int value_by_plies(const struct table_values *t, const struct reference_position *pos)
{
    struct reference_ply plies[REFERENCE_PLIES];
    int n = reference_plies(&reference, pos, plies), win = VALUE_DRAW, loss = -1;
    bool draws = false;
    for (int i = 0; i < n; i++) {
        struct reference_position next = reference_play(pos, plies[i]);
        int value = value_of_next(t, &next);
        if (value == VALUE_DRAW)
            draws = true;
        else if (value % 2 == 0)
            win = value + 1 < win ? value + 1 : win;
        else
            loss = value > loss ? value : loss;
    }
    return win != VALUE_DRAW || draws ? win : loss + 1;
}

static void check_by_plies(const struct table_values *t, struct subspace s, uint64_t step)
{
    uint64_t n_slots = merels_table_header(table_of(t->base, s))->n_slots;
    for (uint64_t slot = 0; slot < n_slots; slot += step) {
        struct position pos;
        OK(merels_index_unrank(merels_tablebase_index(t->base), s, slot, &pos, &test_error));
        struct reference_position twin = {to_reference(pos.own), to_reference(pos.other), 0, 0,
                                          0};
        int value = t->values[s.a][s.b][slot], expected = value_by_plies(t, &twin);
        cr_assert_eq(value, expected, "%d-%d slot %llu: %d, not %d", s.a, s.b,
                     (unsigned long long)slot, value, expected);
    }
}

// All images of a position share one value: every slot that holds it.
static void check_images(const struct table_values *t, const struct board *board,
                         struct subspace s, uint64_t step)
{
    uint64_t n_slots = merels_table_header(table_of(t->base, s))->n_slots;
    for (uint64_t slot = 0; slot < n_slots; slot += step) {
        struct index *index = merels_tablebase_index(t->base);
        struct position pos;
        uint64_t place;
        OK(merels_index_unrank(index, s, slot, &pos, &test_error));
        for (int i = 0; i < board->n_symmetries; i++) {
            struct position image = {.own = board_image(board, i, pos.own),
                                     .other = board_image(board, i, pos.other)};
            OK(merels_index_rank(index, &image, &place, &test_error));
            cr_assert_eq(t->values[s.a][s.b][place], t->values[s.a][s.b][slot]);
        }
    }
}

Test(values, nine_follows_from_its_plies, .timeout = 300)
{
    static const struct subspace list[] = {
        {3, 3, 0, 0}, {3, 4, 0, 0}, {4, 3, 0, 0}, {4, 4, 0, 0}};
    static const uint64_t steps[] = {1, 17, 17, 67};
    char *dir = make_dir("merels-values");
    struct rules *rules = make_rules("nine");
    const struct solve_options options = moving(dir, 8);
    solve(rules, four_men, &options);
    copy_rules(rules);
    struct table_values t = {.base = open_base(dir, rules)};
    for (int k = 0; k < 4; k++)
        t.values[list[k].a][list[k].b] = read_values(t.base, list[k]);
    for (int k = 0; k < 4; k++) {
        check_by_plies(&t, list[k], steps[k] * (MERELS_SHORT_TESTS ? 101 : 1));
        check_images(&t, &rules->board, list[k], MERELS_SHORT_TESTS ? 501 : 5);
    }
    for (int k = 0; k < 4; k++)
        free(t.values[list[k].a][list[k].b]);
    merels_tablebase_close(t.base);
    free(rules);
    remove_dir(dir);
}
