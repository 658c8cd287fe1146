// test_check_row.c: the row checks of every processor level and width of marks against each
// other and against plain loops over plies, on rows of random marks.

#include <stdio.h>

#include "game/rules_text.h"
#include "tests/db/support.h"
#include "tests/support/own_boards.h"
#include "verify/check_levels.h"

static const char *const levels[] = {"portable", "v3-slow-pext", "v3"};
enum { N_LEVELS = 3, MOST_COLUMNS = 1 << 20 };

// Says which levels the tests of this folder do without.
Test(check_row, levels_of_this_machine)
{
    cr_assert_not_null(merels_verify_row_checks("portable"));
    for (int k = 0; k < N_LEVELS; k++) {
        const struct row_checks *checks = merels_verify_row_checks(levels[k]);
        if (checks == NULL)
            fprintf(stderr, "verifier: level %s is not tested: this machine cannot run it\n",
                    levels[k]);
        else
            cr_expect(strcmp(checks->level, levels[k]) == 0 && checks->mark_bytes == 1 &&
                      strcmp(checks->wide->level, levels[k]) == 0 &&
                      checks->wide->mark_bytes == 2 && checks->wide->wide == NULL);
    }
    cr_expect_null(merels_verify_row_checks("v9"));
}

// ---- bits ----------------------------------------------------------------------------------

static uint32_t random_state = 1;

static uint32_t random_word(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static uint32_t plain_together(uint32_t set, uint32_t mask)
{
    uint32_t out = 0;
    for (int p = 0, n = 0; p < 32; p++)
        if (mask >> p & 1)
            out |= (set >> p & 1) << n++;
    return out;
}

// In the form of the portable level, which is the one that this file is compiled for.
Test(check_row, bits_together_and_apart)
{
    static struct bit_tables tables;
    verify_fill_bits(&tables);
    for (int k = 0; k < 100000; k++) {
        uint32_t set = random_word(), mask = random_word() & random_word();
        uint32_t together = verify_together(&tables, set, mask);
        cr_assert_eq(together, plain_together(set, mask), "%08x %08x", set, mask);
        cr_assert_eq(verify_apart(&tables, together, mask), set & mask, "%08x %08x", set, mask);
    }
}

// ---- numbers of both widths ----------------------------------------------------------------

static uint32_t number_at(const void *numbers, int width, size_t k)
{
    return width == 2 ? ((const uint16_t *)numbers)[k] : ((const uint8_t *)numbers)[k];
}

static void put_number(void *numbers, int width, size_t k, uint32_t number)
{
    if (width == 2)
        ((uint16_t *)numbers)[k] = (uint16_t)number;
    else
        ((uint8_t *)numbers)[k] = (uint8_t)number;
}

static void put_random(void *numbers, int width, size_t n, uint32_t least)
{
    uint32_t most = width == 2 ? 65535 : 255;
    for (size_t k = 0; k < n; k++)
        put_number(numbers, width, k, least + random_word() % (most + 1 - least));
}

// ---- a view without files
// --------------------------------------------------------------------

struct fixture {
    struct verify_index *index;
    struct classes rows, arrived;
    struct table_view view;
    struct room room;
    void *bytes, *stored, *quiet_marks, *taken_marks, *values; // these: of view.marks
};

static uint32_t *sets_of(const struct fixture *f, int n_points, int men, uint32_t *n)
{
    uint32_t *sets;
    *n = (uint32_t)f->index->choose[n_points][men];
    OK(merels_verify_sets(f->index, n_points, men, &sets, &test_error));
    return sets;
}

// A pair is two marks, one behind the other.
static void *random_pairs(const struct table_view *view)
{
    size_t n = 2 * (size_t)view->arrived->n_rows * view->n_pair_columns;
    void *pairs = malloc(n * (size_t)view->mark_bytes);
    put_random(pairs, view->mark_bytes, n, 1);
    return pairs;
}

// All maps random, but of no value there is the mark that says "no ply".
static void random_marks(struct fixture *f)
{
    if (f->view.mark_bytes == 2) {
        struct wide_marks *wide = malloc(sizeof *wide);
        f->view.marks = wide;
        f->quiet_marks = wide->quiet, f->taken_marks = wide->taken, f->values = wide->values;
    } else {
        struct marks *narrow = malloc(sizeof *narrow);
        f->view.marks = narrow;
        f->quiet_marks = narrow->quiet, f->taken_marks = narrow->taken;
        f->values = narrow->values;
    }
    size_t n = f->view.mark_bytes == 2 ? N_WIDE : N_NARROW;
    put_random(f->quiet_marks, f->view.mark_bytes, n, 1);
    put_random(f->taken_marks, f->view.mark_bytes, n, 1);
    put_random(f->values, f->view.mark_bytes, n, 0);
}

static void open_lists(struct fixture *f)
{
    struct table_view *view = &f->view;
    int n = f->index->rules.n_points;
    view->columns = sets_of(f, view->n_free, view->a, &view->n_columns);
    view->targets = sets_of(f, view->n_free, view->a_after, &view->n_targets);
    view->pair_columns = sets_of(f, n - view->a_after, view->b, &view->n_pair_columns);
    view->pairs = random_pairs(view);
    random_marks(f);
    f->bytes = calloc(row_room_bytes(view->n_free, view->mark_bytes), 1);
    row_room_divide(f->bytes, view->n_free, view->mark_bytes, &f->room);
    f->room.smaller = calloc(MOST_COLUMNS, 2);
    f->stored = calloc(view->n_columns, 2);
}

static struct fixture open_fixture(const char *rules, struct counts counts, int mark_bytes)
{
    char text[RULES_TEXT_BYTES];
    struct fixture f = {0};
    if (strncmp(rules, "points", 6) == 0) {
        strcpy(text, rules);
    } else {
        struct rules *parsed = make_rules(rules);
        merels_rules_text(parsed, text);
        free(parsed);
    }
    OK(merels_verify_index_create(text, true, &f.index, &test_error));
    struct verify_plies plies = merels_verify_plies(&f.index->rules, counts);
    cr_assert(plies.plain && !plies.over, "%s", rules);
    f.view = (struct table_view){.index = f.index,
                                 .plies = plies,
                                 .a = counts.a,
                                 .b = counts.b,
                                 .a_after = plies.quiet.b,
                                 .mark_bytes = mark_bytes,
                                 .n_free = f.index->rules.n_points - counts.b};
    OK(merels_verify_classes(f.index, counts.b, &f.rows, &test_error));
    OK(merels_verify_classes(f.index, f.view.a_after, &f.arrived, &test_error));
    return f;
}

static void close_fixture(struct fixture *f)
{
    merels_verify_classes_free(&f->rows);
    merels_verify_classes_free(&f->arrived);
    free((void *)f->view.columns);
    free((void *)f->view.targets);
    free((void *)f->view.pair_columns);
    free((void *)f->view.pairs);
    free((void *)f->view.marks);
    free(f->room.smaller);
    free(f->bytes);
    free(f->stored);
    free(f->index);
}

// ---- plainly -------------------------------------------------------------------------------

static uint32_t rank_of(const struct fixture *f, uint32_t set, uint32_t mask, int men)
{
    return verify_rank(f->index, men, plain_together(set, mask));
}

static bool in_mill(const struct fixture *f, uint32_t set, int p)
{
    bool found = false;
    for (int k = 0; k < f->index->rules.n_mills; k++)
        found |= (f->index->rules.mills[k] >> p & 1) && (f->index->rules.mills[k] & ~set) == 0;
    return found;
}

// What the mover's set is worth after a man came to j, the other side's being `other`.
static uint32_t worth_of(const struct fixture *f, uint32_t own, int j, uint32_t other)
{
    const struct table_view *view = &f->view;
    uint32_t entry = f->arrived.entries[verify_rank(f->index, view->a_after, own)];
    uint32_t image = verify_image(f->index, (int)(entry & 255), other);
    uint32_t free = f->index->rules.all & ~f->arrived.smallest[entry >> 8];
    size_t pair =
        (size_t)(entry >> 8) * view->n_pair_columns + rank_of(f, image, free, view->b);
    return number_at(view->pairs, view->mark_bytes, 2 * pair + in_mill(f, own, j));
}

static uint32_t best_of(const struct fixture *f, uint32_t own, uint32_t other)
{
    const struct verify_rules *rules = &f->index->rules;
    uint32_t best = MARK_NONE;
    for (int j = 0; j < rules->n_points; j++) {
        uint32_t to = (uint32_t)1 << j;
        if (((own | other) & to) != 0)
            continue;
        for (int i = 0; i < rules->n_points; i++) {
            uint32_t from = f->view.plies.places ? 0 : (uint32_t)1 << i;
            bool step =
                f->view.plies.places || f->view.plies.flies || (rules->joined[i] >> j & 1);
            if ((own & from) != from || !step)
                continue;
            uint32_t worth = worth_of(f, (own & ~from) | to, j, other);
            best = worth > best ? worth : best;
        }
    }
    return best;
}

// ---- rows ----------------------------------------------------------------------------------

static void check_levels(struct fixture *f, uint32_t set)
{
    const struct table_view *view = &f->view;
    int width = view->mark_bytes;
    for (int k = 0; k < N_LEVELS; k++) {
        const struct row_checks *checks = merels_verify_row_checks(levels[k]);
        if (checks == NULL)
            continue;
        checks = row_checks_for(checks, view);
        memset(f->room.best, 0xAA, row_room_bytes(view->n_free, width));
        cr_assert_eq(checks->check_row(view, set, f->stored, &f->room), view->n_columns,
                     "%s, %d bytes, row %06x", levels[k], width, set);
        uint32_t column = random_word() % view->n_columns;
        uint32_t right = number_at(f->stored, width, column),
                 wrong = right ^ 1 << (width - 1) * 8;
        put_number(f->stored, width, column, wrong); // in the high byte of two
        cr_assert_eq(checks->check_row(view, set, f->stored, &f->room), column);
        put_number(f->stored, width, column, right);
    }
}

static void compare_rows_of(const char *rules, struct counts counts, uint32_t n_rows, int width)
{
    struct fixture f = open_fixture(rules, counts, width);
    f.view.rows = &f.rows;
    f.view.arrived = &f.arrived;
    open_lists(&f);
    for (uint32_t k = 0; k < n_rows; k++) {
        uint32_t set = f.rows.smallest[random_word() % f.rows.n_rows];
        uint32_t free = f.index->rules.all & ~set;
        for (uint32_t c = 0; c < f.view.n_columns; c++)
            put_number(
                f.stored, width, c,
                number_at(
                    f.values, width,
                    best_of(&f, verify_apart(&f.index->bits, f.view.columns[c], free), set)));
        check_levels(&f, set);
    }
    close_fixture(&f);
}

static void compare_rows(const char *rules, struct counts counts, uint32_t n_rows)
{
    for (int width = 1; width <= 2; width++)
        compare_rows_of(rules, counts, n_rows, width);
}

Test(check_row, moves_and_placements, .timeout = 300)
{
    compare_rows("nine", (struct counts){4, 4, 0, 0}, 2);
    compare_rows("nine", (struct counts){3, 5, 0, 0}, 2); // flies: more steps than a word
    compare_rows("nine", (struct counts){4, 5, 2, 1}, 2);
    compare_rows("nine", (struct counts){0, 1, 9, 8}, 2);
    compare_rows("twelve", (struct counts){5, 4, 0, 0}, 1);
    compare_rows("seven", (struct counts){5, 4, 0, 0}, 6);
    compare_rows("seven", (struct counts){4, 8, 1, 0}, 6); // fewer free points than a block
    compare_rows("three,mill=removes", (struct counts){3, 3, 0, 0}, 6);
    compare_rows("three,mill=removes", (struct counts){2, 2, 1, 1}, 6);
    compare_rows(BOARD_THREE_LINES, (struct counts){4, 3, 0, 0}, 20);
    compare_rows(BOARD_CUBE, (struct counts){3, 3, 0, 0}, 6);
    compare_rows(BOARD_CUBE, (struct counts){2, 2, 1, 1}, 6);
}

// ---- pairs ---------------------------------------------------------------------------------

struct plain_pair {
    uint32_t quiet, closed;
};

static struct plain_pair plain_pair(const struct fixture *f, uint32_t own, uint32_t other,
                                    const void *plain, const void *smaller, uint32_t column)
{
    const struct table_view *view = &f->view;
    int width = view->mark_bytes;
    const struct verify_rules *rules = &f->index->rules;
    uint32_t free = rules->all & ~own, unsafe = 0;
    struct plain_pair pair = {number_at(f->quiet_marks, width, number_at(plain, width, column)),
                              0};
    bool mill = false;
    for (int p = 0; p < rules->n_points; p++) {
        mill |= (own >> p & 1) && in_mill(f, own, p);
        if ((other >> p & 1) && !in_mill(f, other, p))
            unsafe |= (uint32_t)1 << p;
    }
    uint32_t takable = rules->taking == TAKE_ANY                        ? other
                       : rules->taking == TAKE_SAFE_LAST && unsafe == 0 ? other
                                                                        : unsafe;
    if (!mill || takable == 0)
        pair.closed = pair.quiet;
    for (int p = 0; p < rules->n_points && mill; p++) {
        if (!(takable >> p & 1))
            continue;
        uint32_t mark = width == 2 ? WIDE_MARK_ENDED : MARK_ENDED;
        uint32_t left = other & ~((uint32_t)1 << p);
        if (!view->plies.removal_ends)
            mark = number_at(f->taken_marks, width,
                             number_at(smaller, width, rank_of(f, left, free, view->b - 1)));
        pair.closed = mark > pair.closed ? mark : pair.closed;
    }
    return pair;
}

static void compare_pairs_of(const struct fixture *f, uint32_t own, const void *plain,
                             const void *smaller, void *pairs)
{
    const struct table_view *view = &f->view;
    int width = view->mark_bytes;
    for (int k = 0; k < N_LEVELS; k++) {
        const struct row_checks *checks = merels_verify_row_checks(levels[k]);
        if (checks == NULL)
            continue;
        struct room room = f->room;
        checks = row_checks_for(checks, view);
        checks->prepare_row(view, own, plain, view->plies.removes ? smaller : NULL, &room,
                            pairs);
        for (uint32_t c = 0; c < view->n_pair_columns; c++) {
            uint32_t other = verify_apart(&f->index->bits, view->pair_columns[c],
                                          f->index->rules.all & ~own);
            struct plain_pair pair = plain_pair(f, own, other, plain, smaller, c);
            cr_assert(number_at(pairs, width, 2 * c) == pair.quiet &&
                          number_at(pairs, width, 2 * c + 1) == pair.closed,
                      "%s, %d bytes, row %06x, %06x", levels[k], width, own, other);
        }
    }
}

static void compare_all_pairs(const char *rules, struct counts counts, uint32_t n_rows,
                              int width)
{
    struct fixture f = open_fixture(rules, counts, width);
    f.view.rows = &f.rows;
    f.view.arrived = &f.arrived;
    open_lists(&f);
    uint8_t *plain = malloc(2 * MOST_COLUMNS), *smaller = malloc(2 * MOST_COLUMNS);
    void *pairs = malloc(f.view.n_pair_columns * sizeof(struct wide_pair));
    for (uint32_t k = 0; k < n_rows; k++) {
        put_random(plain, width, MOST_COLUMNS, 0);
        put_random(smaller, width, MOST_COLUMNS, 0);
        compare_pairs_of(&f, f.arrived.smallest[random_word() % f.arrived.n_rows], plain,
                         smaller, pairs);
    }
    free(plain);
    free(smaller);
    free(pairs);
    close_fixture(&f);
}

static void compare_pairs(const char *rules, struct counts counts, uint32_t n_rows)
{
    for (int width = 1; width <= 2; width++)
        compare_all_pairs(rules, counts, n_rows, width);
}

Test(check_row, pairs_of_a_row, .timeout = 300)
{
    compare_pairs("nine", (struct counts){3, 6, 0, 0}, 20);
    compare_pairs("nine,mill-men=removable", (struct counts){3, 5, 0, 0}, 20);
    compare_pairs("nine,mill-men=safe", (struct counts){3, 4, 0, 0}, 20);
    compare_pairs("nine", (struct counts){3, 3, 0, 0}, 10); // a removal ends the game
    compare_pairs("seven", (struct counts){4, 6, 1, 1}, 20);
}
