// test_kernels.c: the row kernels of every processor level against loops over sets.

#include <stdio.h>

#include "kernels/naive.h"
#include "tests/kernels/unit_fixture.h"
#include "tests/support/own_boards.h"

// Says which levels the tests below, and those of the solver, do without.
Test(kernels, levels_of_this_machine)
{
    cr_assert_not_null(merels_kernels("portable"));
    for (int k = 0; k < N_LEVELS; k++) {
        const struct kernels *kernels = merels_kernels(levels[k]);
        if (kernels == NULL)
            fprintf(stderr, "level %s is not tested: this machine cannot run it\n", levels[k]);
        else
            cr_assert_str_eq(kernels->level, levels[k]);
    }
}

// ---- step back -----------------------------------------------------------------------------

enum { DENSITIES = 4 };

enum { SOME_CLASSES = 3 };

// A row of `board` and what can be asked of it; planes have a bit for every compact set.
struct shape {
    const struct rules *rules;
    point_set set; // the other side's men
    int n_points, n_men, n_classes;
    enum ply_kind kind;
    bool flies;
    size_t n_words;
    uint64_t *good[SOME_CLASSES], *out, *expected, *scratch[N_SCRATCH];
};

enum { N_PLANES = SOME_CLASSES + 2 + N_SCRATCH };

static void list_planes(struct shape *shape, uint64_t **planes[N_PLANES])
{
    int n = 0;
    for (int k = 0; k < SOME_CLASSES; k++)
        planes[n++] = &shape->good[k];
    planes[n++] = &shape->out;
    planes[n++] = &shape->expected;
    for (int k = 0; k < N_SCRATCH; k++)
        planes[n++] = &shape->scratch[k];
}

static void open_shape(struct shape *shape)
{
    uint64_t **planes[N_PLANES];
    size_t bits = (size_t)1 << (shape->n_points < 9 ? 9 : shape->n_points);
    shape->n_words = bits / 64;
    list_planes(shape, planes);
    for (int k = 0; k < N_PLANES; k++) {
        *planes[k] = aligned_alloc(64, bits / 8);
        cr_assert_not_null(*planes[k]);
        memset(*planes[k], 0, bits / 8);
    }
}

static void close_shape(struct shape *shape)
{
    uint64_t **planes[N_PLANES];
    list_planes(shape, planes);
    for (int k = 0; k < N_PLANES; k++)
        free(*planes[k]);
}

static bool plane_bit(const uint64_t *plane, uint32_t set)
{
    return plane[set / 64] >> (set % 64) & 1;
}

static int arrived_men(const struct shape *shape)
{
    return shape->n_men + (shape->kind == PLY_PLACES);
}

// Each set of the arrived men with a chance of 1/2, 1/64, 0 or 1, by the density.
static void fill_plane(const struct shape *shape, int density, uint64_t *plane, uint64_t *seed)
{
    memset(plane, 0, shape->n_words * 8);
    for (uint32_t set = 0; set < UINT32_C(1) << shape->n_points; set++) {
        if (bit_count(set) != arrived_men(shape))
            continue;
        uint64_t x = density < 2 ? next_random(seed) : 0;
        bool in = density == 0 ? x & 1 : density == 1 ? x % 64 == 0 : density == 3;
        plane[set / 64] |= (uint64_t)in << (set % 64);
    }
}

// Is it good to arrive with `after` (on the board) on point `to`?
static bool is_good(const struct shape *shape, point_set after, int to)
{
    const struct board *board = &shape->rules->board;
    int highest = merels_highest_class(shape->rules, shape->set);
    int n_mills = highest == 0 ? 0 : merels_board_mills_closed(board, after, to);
    int class = n_mills < shape->n_classes ? n_mills : shape->n_classes - 1;
    uint32_t compact = (uint32_t)bit_extract_portable(after, board->points & ~shape->set);
    return plane_bit(shape->good[class], compact);
}

// True if some ply from `before` (on the board) leads to a good arrival.
static bool has_good_ply(const struct shape *shape, point_set before)
{
    const struct board *board = &shape->rules->board;
    point_set free = board->points & ~shape->set & ~before;
    for (int to = 0; to < board->n_points; to++) {
        if (!(free >> to & 1))
            continue;
        if (shape->kind == PLY_PLACES && is_good(shape, before | (point_set)1 << to, to))
            return true;
        for (int from = 0; shape->kind == PLY_MOVES && from < board->n_points; from++) {
            bool reached = shape->flies || (board->neighbours[from] >> to & 1);
            point_set after = (before & ~((point_set)1 << from)) | (point_set)1 << to;
            if ((before >> from & 1) && reached && is_good(shape, after, to))
                return true;
        }
    }
    return false;
}

static void step_back_slowly(struct shape *shape)
{
    point_set free = shape->rules->board.points & ~shape->set;
    memset(shape->expected, 0, shape->n_words * 8);
    for (uint32_t set = 0; set < UINT32_C(1) << shape->n_points; set++)
        if (bit_count(set) == shape->n_men &&
            has_good_ply(shape, (point_set)bit_deposit_portable(set, free)))
            shape->expected[set / 64] |= (uint64_t)1 << (set % 64);
}

// Scratch planes may hold anything from rows before, but only in the cells of the columns.
static void soil(const struct columns *columns, int cell_points, uint64_t *plane)
{
    size_t words = (size_t)1 << (cell_points - 6);
    for (uint32_t k = 0; k < columns->all.n; k++)
        memset(plane + columns->all.cells[k] * words, 0xA5, words * 8);
}

static void check_level(struct shape *shape, const struct kernels *kernels, const char *text)
{
    struct columns columns, arrived;
    struct row row;
    const struct side side = {.rules = shape->rules, .flies = shape->flies};
    OK(merels_columns_create(shape->n_points, shape->n_men, kernels->cell_points, &columns,
                             &test_error));
    OK(merels_columns_create(shape->n_points, arrived_men(shape), kernels->cell_points,
                             &arrived, &test_error));
    kernels->row_open(&side, 0, shape->set, &columns, &row);
    for (int k = 0; k < N_SCRATCH; k++)
        soil(&arrived, kernels->cell_points, shape->scratch[k]);
    memset(shape->out, 0, shape->n_words * 8);
    if (shape->kind == PLY_PLACES)
        kernels->place_back(&row, &arrived, shape->good, shape->n_classes, shape->out,
                            shape->scratch);
    else
        kernels->step_back(&row, shape->good, shape->n_classes, shape->out, shape->scratch);
    cr_assert_eq(memcmp(shape->out, shape->expected, shape->n_words * 8), 0,
                 "%s: level %s, other set %x", text, kernels->level, shape->set);
    merels_columns_destroy(&columns);
    merels_columns_destroy(&arrived);
}

static point_set random_set(const struct board *board, int men, uint64_t *seed)
{
    point_set set = 0;
    while (bit_count(set) < men)
        set |= (point_set)1 << next_random(seed) % (unsigned)board->n_points;
    return set;
}

static void check_planes(struct shape *shape, const char *what, uint64_t *seed)
{
    char text[96];
    bool large = merels_choose(shape->n_points, arrived_men(shape)) > 20000;
    for (int density = 0; density < (large ? 1 : DENSITIES); density++) {
        snprintf(text, sizeof text, "%s, %d kinds, density %d", what, shape->n_classes,
                 density);
        for (int k = 0; k < SOME_CLASSES; k++)
            fill_plane(shape, (density + k) % DENSITIES, shape->good[k], seed);
        step_back_slowly(shape);
        for (int k = 0; k < N_LEVELS; k++)
            if (merels_kernels(levels[k]) != NULL)
                check_level(shape, merels_kernels(levels[k]), text);
    }
}

// Moves of two kinds, without and with a removal; on smaller planes also of one and of three
// kinds, and placements.
static void check_shape(const struct rules *rules, int a, int b, bool flies, uint64_t seed)
{
    char text[64];
    struct shape shape = {.rules = rules, .n_men = a, .n_classes = 2, .flies = flies};
    shape.n_points = rules->board.n_points - b;
    shape.set = random_set(&rules->board, b, &seed);
    shape.kind = PLY_MOVES;
    open_shape(&shape);
    snprintf(text, sizeof text, "%d-%d, %s", a, b, flies ? "flying" : "sliding");
    check_planes(&shape, text, &seed);
    bool small = shape.n_points <= 15;
    for (shape.n_classes = 1; small && shape.n_classes <= SOME_CLASSES; shape.n_classes += 2)
        check_planes(&shape, text, &seed);
    snprintf(text, sizeof text, "%d-%d, placing", a, b);
    shape.kind = PLY_PLACES;
    for (shape.n_classes = 1; small && a < shape.n_points && shape.n_classes <= SOME_CLASSES;
         shape.n_classes++)
        check_planes(&shape, text, &seed);
    close_shape(&shape);
}

static void check_shapes(const char *text, int max_men, int max_points)
{
    struct rules *rules = make_rules(text);
    int n = rules->board.n_points;
    for (int a = 1; a <= max_men; a++)
        for (int b = 0; b <= max_men && a + b <= n; b++) {
            if (n - b > max_points)
                continue;
            check_shape(rules, a, b, false, (uint64_t)(a * 100 + b));
            if (a <= 4)
                check_shape(rules, a, b, true, (uint64_t)(a * 100 + b + 50));
        }
    free(rules);
}

Test(kernels, step_back_on_the_board_of_nine, .timeout = 300)
{
    check_shapes("nine", 9, MERELS_SHORT_TESTS ? 16 : 20);
}

// The widest planes: 2^21 bits.
Test(kernels, step_back_against_three_men, .timeout = 300, .disabled = MERELS_SHORT_TESTS)
{
    struct rules *rules = make_rules("nine");
    for (int a = 4; a <= 9; a++)
        check_shape(rules, a, 3, false, (uint64_t)a);
    check_shape(rules, 3, 3, true, 1);
    free(rules);
}

Test(kernels, step_back_on_other_boards, .timeout = 300)
{
    check_shapes("six", 8, MERELS_SHORT_TESTS ? 10 : 16);
    check_shapes("seven", 7, MERELS_SHORT_TESTS ? 11 : 14);
    check_shapes("three", 5, 9);
    check_shapes("twelve", 12, MERELS_SHORT_TESTS ? 13 : 15);
}

// ---- removals ------------------------------------------------------------------------------

// How much the remover wants the value that the other side would have.
static int worth(uint8_t value)
{
    return value == DTM_DRAW ? 0 : value % 2 == 0 ? 1000 - value : value - 1000;
}

// The best of `smaller`, a row over the other side's men less one, after C closed a mill.
static uint8_t remove_slowly(const struct rules *rules, point_set own, point_set other,
                             const uint8_t *smaller)
{
    point_set free = rules->board.points & ~own;
    point_set may_go = merels_position_removable(rules, other);
    uint8_t best = 0;
    bool any = false;
    for (int p = 0; p < rules->board.n_points; p++) {
        if (!(may_go >> p & 1))
            continue;
        point_set rest = (point_set)bit_extract_portable(other & ~((point_set)1 << p), free);
        uint8_t value = smaller[rank_set(merels_rank_tables(), bit_count(other) - 1, rest)];
        best = !any || worth(value) > worth(best) ? value : best;
        any = true;
    }
    return best;
}

// Every slot that holds the pair, or an image of it, has the value (or is untouched: a draw).
static void check_removal(const struct fixture *f, const struct side *side,
                          const struct source *source, uint32_t number, const uint8_t *smaller)
{
    const struct board *board = &f->rules->board;
    point_set own = source->arrivals->rows->sets[number], free = board->points & ~own;
    struct columns victims;
    OK(merels_columns_create(bit_count(free), side->subspace.b, 6, &victims, &test_error));
    for (uint32_t k = 0; k < victims.n_columns; k++) {
        point_set other = (point_set)bit_deposit_portable(victims.sets[k], free);
        uint8_t expected = remove_slowly(f->rules, own, other, smaller);
        for (int s = 0; s < board->n_symmetries; s++) {
            struct position pos = {.own = board_image(board, s, own),
                                   .other = board_image(board, s, other)};
            uint64_t slot;
            OK(merels_index_rank(f->index, &pos, &slot, &test_error));
            cr_assert_eq(source->value[slot], expected, "own %x other %x: %d, not %d", own,
                         other, source->value[slot], expected);
        }
    }
    merels_columns_destroy(&victims);
}

// Values of a row that agree for images, as those of a finished table do.
static void fill_smaller(const struct board *board, point_set own, const struct columns *fewer,
                         uint64_t seed, uint8_t *values)
{
    point_set free = board->points & ~own;
    for (uint32_t k = 0; k < fewer->n_columns; k++) {
        point_set rest = (point_set)bit_deposit_portable(fewer->sets[k], free);
        uint64_t x = mix(seed ^ orbit_of(board, rest, own));
        values[k] = x % 3 == 0 ? DTM_DRAW : (uint8_t)((x >> 8) % (NARROW_STEPS + 1));
    }
}

// The plain way, on values of two bytes, finds the same.
static void check_naive(const struct fixture *f, const struct source *source,
                        const struct columns *men, uint32_t number, const uint8_t *smaller)
{
    const struct columns *victims = &men[1];
    point_set own = source->arrivals->rows->sets[number];
    point_set open = f->rules->board.points & ~own;
    size_t n_fewer = (size_t)merels_choose(victims->n_points, victims->n_men - 1);
    uint16_t *wide = malloc(n_fewer * sizeof *wide);
    uint16_t *best = malloc(victims->n_columns * sizeof *best);
    for (size_t k = 0; k < n_fewer; k++)
        wide[k] = smaller[k] == DTM_DRAW ? WIDE_DTM_DRAW : smaller[k];
    merels_naive_removals(f->rules, own, men, 1, wide, best);
    for (uint32_t k = 0; k < victims->n_columns; k++) {
        point_set other = (point_set)bit_deposit_portable(victims->sets[k], open);
        uint8_t expected = remove_slowly(f->rules, own, other, smaller);
        cr_assert_eq(best[k], expected == DTM_DRAW ? WIDE_DTM_DRAW : expected);
    }
    free(wide);
    free(best);
}

static void check_removal_row(const char *text, struct subspace s,
                              const struct kernels *kernels)
{
    struct fixture f;
    struct columns men[2]; // fewer, and all of them
    open_fixture(&f, text, s, SOLVE_BY_DEPTHS, kernels);
    struct side *side = &f.unit.sides[0];
    int n_free = f.rules->board.n_points - s.a;
    OK(merels_columns_create(n_free, s.b, kernels->cell_points, &men[1], &test_error));
    OK(merels_columns_create(n_free, s.b - 1, kernels->cell_points, &men[0], &test_error));
    uint8_t *smaller = malloc(men[0].n_columns);
    const struct source *source = merels_side_source(side, PLY_MOVES, 1);
    memset(source->value, DTM_DRAW, (size_t)side->n_rows * side->n_columns);
    uint32_t n_rows = source->arrivals->rows->n_rows, step = n_rows < 20 ? 1 : n_rows / 20;
    for (uint32_t row = 0; row < n_rows; row += step) {
        fill_smaller(&f.rules->board, source->arrivals->rows->sets[row], &men[0], row, smaller);
        kernels->removal_row(side, source, men, row, smaller, &f.space);
        check_removal(&f, side, source, row, smaller);
        check_naive(&f, source, men, row, smaller);
    }
    free(smaller);
    merels_columns_destroy(&men[0]);
    merels_columns_destroy(&men[1]);
    close_fixture(&f);
}

Test(kernels, removals, .timeout = 300)
{
    char cube[2048], lines[2048];
    const struct {
        const char *rules;
        struct subspace subspace;
    } cases[] = {
        {"nine", {3, 4, 0, 0}},
        {"nine", {4, 4, 0, 0}},
        {"six", {4, 5, 0, 0}},
        {"six,mill-men=removable", {4, 4, 0, 0}},
        {"twelve", {3, 4, 0, 0}},
        {"three,mill=removes", {4, 4, 0, 0}},
        {own_rules(BOARD_CUBE "men 4\n", "fly=0", cube), {3, 4, 0, 0}},
        {own_rules(BOARD_THREE_LINES "men 5\n", "fly=0", lines), {3, 4, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int k = 0; k < N_LEVELS; k++)
            if (merels_kernels(levels[k]) != NULL)
                check_removal_row(cases[i].rules, cases[i].subspace, merels_kernels(levels[k]));
}
