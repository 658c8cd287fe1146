// test_kernels.c: the row kernels of every processor level against loops over sets.

#include "kernels/kernels.h"
#include "tests/solver/support.h"

// ---- step back -----------------------------------------------------------------------------

enum { DENSITIES = 4 };

// A row of `board` and what can be asked of it; planes have a bit for every compact set.
struct shape {
    const struct rules *rules;
    point_set set; // the other side's men
    int n_points, n_men;
    bool flies;
    size_t n_words;
    uint64_t *arrivals, *removals, *out, *expected, *scratch[3];
};

static uint64_t *make_plane(size_t n_words)
{
    uint64_t *plane = aligned_alloc(64, n_words * 8);
    cr_assert_not_null(plane);
    memset(plane, 0, n_words * 8);
    return plane;
}

static void open_shape(struct shape *shape)
{
    size_t bits = (size_t)1 << (shape->n_points < 9 ? 9 : shape->n_points);
    shape->n_words = bits / 64;
    uint64_t **planes[] = {&shape->arrivals,  &shape->removals,   &shape->out,
                           &shape->expected,  &shape->scratch[0], &shape->scratch[1],
                           &shape->scratch[2]};
    for (int k = 0; k < 7; k++)
        *planes[k] = make_plane(shape->n_words);
}

static void close_shape(struct shape *shape)
{
    free(shape->arrivals);
    free(shape->removals);
    free(shape->out);
    free(shape->expected);
    for (int k = 0; k < 3; k++)
        free(shape->scratch[k]);
}

static bool plane_bit(const uint64_t *plane, uint32_t set)
{
    return plane[set / 64] >> (set % 64) & 1;
}

// Each set of n_men men with a chance of 1/2, 1/64, 0 or 1, by the density.
static void fill_plane(const struct shape *shape, int density, uint64_t *plane, uint64_t *seed)
{
    memset(plane, 0, shape->n_words * 8);
    for (uint32_t set = 0; set < UINT32_C(1) << shape->n_points; set++) {
        if (bit_count(set) != shape->n_men)
            continue;
        uint64_t x = density < 2 ? next_random(seed) : 0;
        bool in = density == 0 ? x & 1 : density == 1 ? x % 64 == 0 : density == 3;
        plane[set / 64] |= (uint64_t)in << (set % 64);
    }
}

// True if some step from `before` (on the board) leads to a good arrival.
static bool has_good_step(const struct shape *shape, point_set before)
{
    const struct board *board = &shape->rules->board;
    point_set free = board->points & ~shape->set;
    for (int from = 0; from < board->n_points; from++)
        for (int to = 0; to < board->n_points; to++) {
            bool reached = shape->flies || (board->neighbours[from] >> to & 1);
            if (!(before >> from & 1) || !(free & ~before) || !((free & ~before) >> to & 1) ||
                !reached)
                continue;
            point_set after = (before & ~((point_set)1 << from)) | (point_set)1 << to;
            bool closes = board_closes_mill(board, after, to);
            uint32_t compact = (uint32_t)bit_extract_portable(after, free);
            if (plane_bit(closes ? shape->removals : shape->arrivals, compact))
                return true;
        }
    return false;
}

static void step_back_slowly(struct shape *shape)
{
    point_set free = shape->rules->board.points & ~shape->set;
    memset(shape->expected, 0, shape->n_words * 8);
    for (uint32_t set = 0; set < UINT32_C(1) << shape->n_points; set++)
        if (bit_count(set) == shape->n_men &&
            has_good_step(shape, (point_set)bit_deposit_portable(set, free)))
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
    struct columns columns;
    struct row row;
    const struct side side = {.rules = shape->rules, .flies = shape->flies};
    OK(merels_columns_create(shape->n_points, shape->n_men, kernels->cell_points, &columns,
                             &test_error));
    kernels->row_open(&side, 0, shape->set, &columns, &row);
    for (int k = 0; k < 3; k++)
        soil(&columns, kernels->cell_points, shape->scratch[k]);
    memset(shape->out, 0, shape->n_words * 8);
    kernels->step_back(&row, shape->arrivals, shape->removals, shape->out, shape->scratch);
    cr_assert_eq(memcmp(shape->out, shape->expected, shape->n_words * 8), 0,
                 "%s: level %s, other set %x", text, kernels->level, shape->set);
    merels_columns_destroy(&columns);
}

static point_set random_set(const struct board *board, int men, uint64_t *seed)
{
    point_set set = 0;
    while (bit_count(set) < men)
        set |= (point_set)1 << next_random(seed) % (unsigned)board->n_points;
    return set;
}

static void check_shape(const struct rules *rules, int a, int b, bool flies, uint64_t seed)
{
    char text[64];
    struct shape shape = {.rules = rules, .n_men = a, .flies = flies};
    shape.n_points = rules->board.n_points - b;
    shape.set = random_set(&rules->board, b, &seed);
    open_shape(&shape);
    bool large = merels_choose(shape.n_points, a) > 20000;
    for (int density = 0; density < (large ? 1 : DENSITIES); density++) {
        snprintf(text, sizeof text, "%d-%d, %s, density %d", a, b, flies ? "flying" : "sliding",
                 density);
        fill_plane(&shape, density, shape.arrivals, &seed);
        fill_plane(&shape, (density + 1) % DENSITIES, shape.removals, &seed);
        step_back_slowly(&shape);
        for (int k = 0; k < N_LEVELS; k++)
            if (merels_kernels(levels[k]) != NULL)
                check_level(&shape, merels_kernels(levels[k]), text);
    }
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

// ---- units in memory -----------------------------------------------------------------------

struct fixture {
    struct rules *rules;
    struct index *index;
    struct unit unit;
    struct work_unit work;
    struct workspace space;
};

static void open_fixture(struct fixture *f, const char *rules, struct subspace s,
                         const struct kernels *kernels)
{
    const struct subspace twin = {s.b, s.a, 0, 0};
    f->rules = make_rules(rules);
    f->work = (struct work_unit){.n_subspaces = s.a == s.b ? 1 : 2, .subspaces = {s, twin}};
    OK(merels_index_create(&f->rules->board, &f->index, &test_error));
    OK(merels_unit_create(f->rules, f->index, &f->work, kernels->cell_points, 1, NULL, &f->unit,
                          &test_error));
    OK(merels_workspace_create(f->rules->board.n_points, 400000, 0, &f->space, &test_error));
    for (int k = 0; k < f->unit.n_sides; k++) // without lists turns go straight to their place
        for (int parity = 0; parity < 2; parity++)
            merels_turn_lists_destroy(&f->unit.sides[k].lists[parity]);
}

static void close_fixture(struct fixture *f)
{
    merels_workspace_destroy(&f->space);
    merels_unit_destroy(&f->unit);
    merels_index_destroy(f->index);
    free(f->rules);
}

// ---- canonical look-up ---------------------------------------------------------------------

static void check_entry(const struct board *board, const struct canon *canon, point_set set)
{
    uint32_t entry = canon->entries[rank_set(merels_rank_tables(), canon->men, set)];
    point_set least = set;
    bool symmetric = false;
    for (int s = 0; s < board->n_symmetries; s++) {
        point_set image = board_image(board, s, set);
        symmetric |= s > 0 && image == set;
        least = image < least ? image : least;
    }
    cr_assert_eq(canon->rows->sets[entry >> TURN_ROW_SHIFT], least, "set %x", set);
    cr_assert_eq(board_image(board, (int)(entry & TURN_SYMMETRY_MASK), set), least, "set %x",
                 set);
    cr_assert_eq((entry & TURN_SYMMETRIC) != 0, symmetric, "set %x", set);
}

Test(kernels, canonical_look_up)
{
    static const char *const rules[] = {"nine", "six", "three", "twelve"};
    for (int k = 0; k < 4; k++) {
        struct fixture f;
        open_fixture(&f, rules[k], (struct subspace){4, 3, 0, 0}, merels_kernels(NULL));
        for (int i = 0; i < 2; i++)
            for (point_set set = 0; set <= f.rules->board.points; set++)
                if (bit_count(set) == f.unit.canons[i].men)
                    check_entry(&f.rules->board, &f.unit.canons[i], set);
        close_fixture(&f);
    }
}

// ---- removals ------------------------------------------------------------------------------

// How much the remover wants the value that the other side would have.
static int worth(uint8_t value)
{
    return value == VALUE_DRAW ? 0 : value % 2 == 0 ? 1000 - value : value - 1000;
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
static void check_removal(const struct fixture *f, const struct side *side, uint32_t number,
                          const uint8_t *smaller)
{
    const struct board *board = &f->rules->board;
    point_set own = side->movers->rows->sets[number], free = board->points & ~own;
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
            cr_assert_eq(side->removal[slot], expected, "own %x other %x: %d, not %d", own,
                         other, side->removal[slot], expected);
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
        values[k] = x % 3 == 0 ? VALUE_DRAW : (uint8_t)((x >> 8) % (MAX_DEPTH + 1));
    }
}

static void check_removal_row(const char *text, struct subspace s,
                              const struct kernels *kernels)
{
    struct fixture f;
    struct columns victims, fewer;
    open_fixture(&f, text, s, kernels);
    struct side *side = &f.unit.sides[0];
    int n_free = f.rules->board.n_points - s.a;
    OK(merels_columns_create(n_free, s.b, kernels->cell_points, &victims, &test_error));
    OK(merels_columns_create(n_free, s.b - 1, kernels->cell_points, &fewer, &test_error));
    uint8_t *smaller = malloc(fewer.n_columns);
    memset(side->removal, VALUE_DRAW, (size_t)side->n_rows * side->n_columns);
    uint32_t n_rows = side->movers->rows->n_rows, step = n_rows < 20 ? 1 : n_rows / 20;
    for (uint32_t row = 0; row < n_rows; row += step) {
        fill_smaller(&f.rules->board, side->movers->rows->sets[row], &fewer, row, smaller);
        kernels->removal_row(side, &victims, &fewer, row, smaller, &f.space);
        check_removal(&f, side, row, smaller);
    }
    free(smaller);
    merels_columns_destroy(&victims);
    merels_columns_destroy(&fewer);
    close_fixture(&f);
}

Test(kernels, removals, .timeout = 300)
{
    static const struct {
        const char *rules;
        struct subspace subspace;
    } cases[] = {{"nine", {3, 4, 0, 0}},   {"nine", {4, 4, 0, 0}},
                 {"six", {4, 5, 0, 0}},    {"six,mill-men=removable", {4, 4, 0, 0}},
                 {"twelve", {3, 4, 0, 0}}, {"three,mill=removes", {4, 4, 0, 0}}};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < N_LEVELS; k++)
            if (merels_kernels(levels[k]) != NULL)
                check_removal_row(cases[i].rules, cases[i].subspace, merels_kernels(levels[k]));
}
