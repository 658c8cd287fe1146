// test_naive.c: rows of random contents, on several boards, decided by the kernels of every
// level and by kernels/naive.c, which goes by the rules and one position at a time.

#include "kernels/fastest.h"
#include "kernels/naive.h"
#include "tests/kernels/unit_fixture.h"
#include "tests/support/own_boards.h"

enum { RULES_BYTES = 2048, N_ROWS = 12 };

// ---- the choice of a level -----------------------------------------------------------------

Test(levels, the_first_is_taken_unless_another_is_clearly_faster)
{
    cr_expect_eq(merels_fastest_of((double[]){1e-5, 1e-5, 1e-5}, 3), 0);
    cr_expect_eq(merels_fastest_of((double[]){1e-5, 0.95e-5, 3e-5}, 3), 0);
    cr_expect_eq(merels_fastest_of((double[]){4e-5, 2e-5, 3e-5}, 3), 1);
    cr_expect_eq(merels_fastest_of((double[]){4e-5, 3e-5, 2e-5}, 3), 2);
    cr_expect_eq(merels_fastest_of((double[]){5e-5}, 1), 0);
}

// Without a clock, or without memory for one of them, nothing is compared.
Test(levels, without_times_the_first_is_taken)
{
    cr_expect_eq(merels_fastest_of((double[]){0, 0, 0}, 3), 0);
    cr_expect_eq(merels_fastest_of((double[]){4e-5, 2e-5, 0}, 3), 0);
    cr_expect_eq(merels_fastest_of((double[]){4e-5, -1, 1e-5}, 3), 0);
}

Test(levels, the_fastest_is_one_that_runs_here_and_stays)
{
    const struct kernels *kernels = merels_kernels(NULL);
    cr_assert_not_null(kernels);
    cr_expect_eq(merels_kernels(kernels->level), kernels);
    cr_expect_eq(merels_kernels(NULL), kernels);
    cr_expect_null(merels_kernels("v9"));
}

// ---- columns of planes ---------------------------------------------------------------------

static bool bit_of(const uint64_t *bits, uint32_t k)
{
    return bits[k / 64] >> (k % 64) & 1;
}

static void check_plane(int n_points, int n_men, const struct kernels *kernels, uint64_t *seed)
{
    struct columns columns;
    OK(merels_columns_create(n_points, n_men, kernels->cell_points, &columns, &test_error));
    size_t n_words = words_of_bits(columns.n_columns);
    size_t plane_words = ((size_t)1 << (n_points < 9 ? 9 : n_points)) / 64;
    uint64_t *bits = calloc(n_words + 1, 8), *back = calloc(n_words + 1, 8);
    uint64_t *plane = calloc(plane_words, 8);
    for (uint32_t k = 0; k < columns.n_columns; k++)
        bits[k / 64] |= (next_random(seed) & 1) << (k % 64);
    kernels->bits_to_plane(&columns, bits, plane);
    for (uint32_t k = 0, set = 0; set < UINT32_C(1) << n_points; set++) {
        bool expected = bit_count(set) == n_men && bit_of(bits, k);
        k += bit_count(set) == n_men;
        cr_assert_eq(bit_of(plane, set), expected, "level %s, %d men on %d points, set %x",
                     kernels->level, n_men, n_points, set);
    }
    kernels->plane_to_bits(&columns, plane, back);
    cr_assert_eq(memcmp(bits, back, n_words * 8), 0, "level %s, %d men on %d points",
                 kernels->level, n_men, n_points);
    for (size_t w = 0; w < plane_words; w++)
        cr_assert_eq(plane[w], 0);
    free(bits);
    free(back);
    free(plane);
    merels_columns_destroy(&columns);
}

Test(naive, columns_of_planes)
{
    uint64_t seed = 11;
    for (int k = 0; k < N_LEVELS; k++)
        for (int n_points = 1; n_points <= 16 && merels_kernels(levels[k]) != NULL; n_points++)
            for (int n_men = 0; n_men <= n_points; n_men++)
                check_plane(n_points, n_men, merels_kernels(levels[k]), &seed);
}

// ---- rows ----------------------------------------------------------------------------------

struct row_case {
    const char *board; // facts of a board of one's own; NULL: `options` is a preset
    const char *options;
    struct subspace subspace;
};

static void open_case(struct fixture *f, const struct row_case *c, enum way_to_solve way,
                      const struct kernels *kernels)
{
    char text[RULES_BYTES];
    open_fixture(f, c->board == NULL ? c->options : own_rules(c->board, c->options, text),
                 c->subspace, way, kernels);
}

static void open_row(const struct kernels *kernels, const struct side *side, uint32_t number,
                     struct row *row)
{
    kernels->row_open(side, number, side->rows->rows->sets[number], &side->columns, row);
}

// Codes up to `highest`, and draws for one in four.
static void fill_codes(const struct side *side, uint32_t row, unsigned highest, uint64_t *seed)
{
    for (int k = 0; k < side->n_sources; k++) {
        uint8_t *values = source_values(side, &side->sources[k], row);
        for (uint32_t column = 0; column < side->sources[k].n_columns; column++) {
            uint64_t x = next_random(seed);
            values[column] = x % 4 == 0 ? DTM_DRAW : (uint8_t)((x >> 8) % (highest + 1));
        }
    }
}

// The first rows, with the most symmetries, and some of the others.
static uint32_t row_of(const struct side *side, uint32_t i)
{
    return i < N_ROWS / 2 ? i : (uint32_t)(mix(i) % side->n_rows);
}

static void check_sweep(const struct row_case *c, const struct kernels *kernels)
{
    struct fixture f;
    uint64_t seed = 21;
    open_case(&f, c, SOLVE_BY_SWEEP, kernels);
    const struct side *side = &f.unit.sides[0];
    for (uint32_t i = 0; i < N_ROWS; i++) {
        struct row row;
        uint32_t number = row_of(side, i);
        if (number >= side->n_rows)
            continue;
        fill_codes(side, number, NARROW_STEPS - 1, &seed);
        kernels->place_row(side, number, &f.space);
        open_row(kernels, side, number, &row);
        cr_assert(merels_naive_agrees_with_sweep(&row, side_values(side, number)),
                  "level %s, %s, row %u", kernels->level, c->options, number);
    }
    close_fixture(&f);
}

Test(naive, placements, .timeout = 300)
{
    static const struct row_case cases[] = {
        {NULL, "nine", {3, 3, 3, 3}},
        {NULL, "twelve", {2, 3, 4, 3}},
        {NULL, "six", {3, 4, 2, 1}},
        {NULL, "nine,removals=each", {4, 3, 2, 2}},
        {BOARD_CUBE "men 4\n", "fly=0", {2, 2, 2, 2}},
        {BOARD_CUBE "men 4\n", "removals=each,least=2", {2, 3, 2, 1}},
        {BOARD_TRIVIAL "men 4\n", "least=2,mill-men=safe", {2, 3, 2, 1}},
        {BOARD_THREE_LINES "men 5\n", "removals=each", {3, 4, 2, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int k = 0; k < N_LEVELS; k++)
            if (merels_kernels(levels[k]) != NULL)
                check_sweep(&cases[i], merels_kernels(levels[k]));
}

// ---- deciding ------------------------------------------------------------------------------

// What a test keeps of a row: what was new of each source, and of the side itself.
struct news {
    uint64_t *now[MAX_EFFECTS + 1];
    uint64_t *undecided;
};

static uint64_t *bits_of_row(uint32_t n_columns)
{
    uint64_t *bits = calloc(words_of_bits(n_columns) + 1, 8);
    cr_assert_not_null(bits);
    return bits;
}

static void open_news(const struct side *side, struct news *news)
{
    *news = (struct news){.undecided = bits_of_row(side->n_columns)};
    for (int k = 0; k < side->n_sources; k++)
        news->now[k] = bits_of_row(side->sources[k].n_columns);
    news->now[MAX_EFFECTS] = bits_of_row(side->n_columns);
}

static void close_news(const struct side *side, struct news *news)
{
    for (int k = 0; k < side->n_sources; k++)
        free(news->now[k]);
    free(news->now[MAX_EFFECTS]);
    free(news->undecided);
}

// Nothing is decided or on its way, and the other side has won nowhere.
static void clear_row(const struct side *side, uint32_t row)
{
    uint64_t *undecided = side_bits(side, side->undecided, row);
    memset(undecided, 0, side->row_words * 8);
    for (uint32_t k = 0; k < side->n_columns; k++)
        undecided[k / 64] |= (uint64_t)1 << (k % 64);
    side->left[side_place(side, row)] = side->n_columns;
    if (side->passes != NULL)
        memset(side_bits(side, side->passes, row), 0, side->row_words * 8);
    if (side->moves_stay) {
        memset(side_bits(side, side->won, row), 0, side->row_words * 8);
        for (int k = 0; k < 2; k++) {
            memset(side_bits(side, side->fresh[k], row), 0, side->row_words * 8);
            side->touched[k][side_place(side, row)] = 0;
        }
    }
    for (int k = 0; k < side->n_sources; k++)
        memset(source_won(side, &side->sources[k], row), 0, side->sources[k].row_words * 8);
}

// A row of bits: each of n with a chance of `eighths`.
static void fill_bits(uint32_t n, unsigned eighths, uint64_t *bits, uint64_t *seed)
{
    memset(bits, 0, words_of_bits(n) * 8);
    for (uint32_t k = 0; k < n; k++)
        bits[k / 64] |= (uint64_t)(next_random(seed) % 8 < eighths) << (k % 64);
}

// Arrivals that are new at a step, of the side and of its sources.
static void bring_news(const struct side *side, uint32_t row, int step, unsigned eighths,
                       struct news *news, uint64_t *seed)
{
    for (int k = 0; k < side->n_sources; k++) {
        const struct source *source = &side->sources[k];
        uint8_t *values = source_values(side, source, row);
        fill_bits(source->n_columns, eighths, news->now[k], seed);
        for (uint32_t c = 0; c < source->n_columns; c++)
            values[c] = bit_of(news->now[k], c) ? (uint8_t)step : DTM_DRAW;
        memset(source->codes[side_place(side, row)], 0, sizeof *source->codes);
        source->codes[side_place(side, row)][0] = (uint64_t)1 << step;
    }
    if (side->moves_stay) {
        size_t bytes = side->row_words * 8;
        fill_bits(side->n_columns, eighths, news->now[MAX_EFFECTS], seed);
        memcpy(side_bits(side, side->fresh[step & 1], row), news->now[MAX_EFFECTS], bytes);
        side->touched[step & 1][side_place(side, row)] = 1;
    }
}

static struct known known_of(const struct side *side, uint32_t row, const struct news *news)
{
    struct known known = {0};
    for (int k = 0; k < side->n_sources; k++) {
        const struct effect *effect = &side->sources[k].effect;
        known.arrivals[effect->kind][effect->class] =
            (struct arrivals){news->now[k], source_won(side, &side->sources[k], row)};
    }
    if (side->moves_stay)
        known.arrivals[PLY_MOVES][0] =
            (struct arrivals){news->now[MAX_EFFECTS], side_bits(side, side->won, row)};
    return known;
}

// One step of a row by the kernels, and what the rules say of it.
static void check_step(const struct kernels *kernels, const struct side *side, uint32_t number,
                       int step, struct fixture *f, struct news *news, const char *text)
{
    struct row row;
    uint64_t *undecided = side_bits(side, side->undecided, number);
    uint64_t *found = bits_of_row(side->n_columns), *after = bits_of_row(side->n_columns);
    memcpy(news->undecided, undecided, side->row_words * 8);
    kernels->decide_row(side, number, step, &f->space);
    memcpy(after, undecided, side->row_words * 8);
    for (size_t w = 0; w < side->row_words; w++) {
        found[w] = news->undecided[w] & ~after[w];
        if (step < 0 && side->passes != NULL)
            found[w] |= side_bits(side, side->passes, number)[w];
    }
    struct known known = known_of(side, number, news);
    open_row(kernels, side, number, &row);
    memcpy(undecided, news->undecided, side->row_words * 8);
    cr_assert(merels_naive_agrees(&row, &known, step, found),
              "level %s, %s, row %u, step %d, way %d", kernels->level, text, number, step,
              (int)f->space.way);
    memcpy(undecided, after, side->row_words * 8);
    free(found);
    free(after);
}

// The blocked, then wins by few and by many arrivals, then losses.
static void check_decisions(const struct row_case *c, const struct kernels *kernels,
                            enum way way)
{
    static const struct {
        int step;
        unsigned eighths;
    } steps[] = {{4, 1}, {6, 4}, {5, 7}, {7, 8}};
    struct fixture f;
    struct news news;
    uint64_t seed = 31;
    open_case(&f, c, SOLVE_BY_DEPTHS, kernels);
    f.space.way = way;
    const struct side *side = &f.unit.sides[0];
    open_news(side, &news);
    for (uint32_t i = 0; i < N_ROWS; i++)
        for (int k = 0; k < 4; k++) {
            uint32_t number = row_of(side, i);
            if (number >= side->n_rows)
                continue;
            clear_row(side, number);
            bring_news(side, number, 2, 0, &news, &seed);
            check_step(kernels, side, number, -1, &f, &news, c->options);
            bring_news(side, number, steps[k].step, steps[k].eighths, &news, &seed);
            check_step(kernels, side, number, steps[k].step, &f, &news, c->options);
        }
    close_news(side, &news);
    close_fixture(&f);
}

Test(naive, decisions, .timeout = 300)
{
    static const struct row_case cases[] = {
        {NULL, "nine", {4, 4, 0, 0}},
        {NULL, "nine", {3, 4, 0, 0}},
        {NULL, "six", {4, 5, 0, 0}},
        {NULL, "twelve", {4, 3, 0, 0}},
        {NULL, "nine,removals=each,mill-men=safe", {4, 3, 0, 0}},
        {BOARD_CUBE "men 4\n", "fly=0", {4, 3, 0, 0}},
        {BOARD_CUBE "men 4\n", "turn=place-or-move,removals=each,least=2", {2, 3, 1, 1}},
        {BOARD_TRIVIAL "men 4\n", "blocked=passes,fly=0,least=2", {3, 4, 0, 0}},
        {BOARD_THREE_LINES "men 5\n", "turn=place-or-move,removals=each", {3, 4, 1, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int k = 0; k < N_LEVELS; k++)
            for (int way = WAY_SPARSE; way <= WAY_DENSE; way++)
                if (merels_kernels(levels[k]) != NULL)
                    check_decisions(&cases[i], merels_kernels(levels[k]), (enum way)way);
}
