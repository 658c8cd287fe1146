// test_verify_marks.c: marks against single plies: of every value that a width holds the mark
// leads to the value one ply earlier, and a better mark never to a worse one.

#include "tests/db/support.h"
#include "verify/verify_marks.h"

struct kind {
    int mark_bytes;
    enum measure measure;
    bool quiet_converts;
    int n_move;
};

struct maps {
    const void *quiet, *taken, *values;
    int n;
};

static struct maps maps_of(const struct kind *kind, const void **made)
{
    struct verify_plies plies = {.quiet_converts = kind->quiet_converts, .blocked_value = LOSS};
    OK(merels_verify_marks(kind->mark_bytes, kind->measure, &plies, kind->n_move, made,
                           &test_error));
    if (kind->mark_bytes == 2) {
        const struct wide_marks *wide = *made;
        return (struct maps){wide->quiet, wide->taken, wide->values, N_WIDE};
    }
    const struct marks *narrow = *made;
    return (struct maps){narrow->quiet, narrow->taken, narrow->values, N_NARROW};
}

static int entry(const struct kind *kind, const void *map, int k)
{
    return kind->mark_bytes == 2 ? ((const uint16_t *)map)[k] : ((const uint8_t *)map)[k];
}

// A stored value as the verifier holds it; and the entry of it.
static int value_at(const struct kind *kind, const void *map, int k)
{
    int stored = entry(kind, map, k);
    return kind->mark_bytes == 2 ? stored : verify_widened((uint8_t)stored);
}

static int index_of(const struct kind *kind, int value)
{
    return kind->mark_bytes == 1 && value == DRAW ? BYTE_DRAW : value;
}

static bool holds(const struct kind *kind, int value)
{
    bool narrow = kind->mark_bytes == 1;
    if (value == DRAW)
        return true;
    if (kind->measure == MEASURE_NONE)
        return value <= WIN;
    int loss = narrow ? DEEPEST_BYTE_LOSS : DEEPEST_LOSS;
    int conversion = narrow ? DEEPEST_BYTE_CONVERSION : DEEPEST_CONVERSION;
    return kind->measure == MEASURE_END
               ? value <= loss + 1
               : merels_verify_plies_of(value, kind->measure) <= conversion;
}

static int before(const struct kind *kind, int value, bool converts)
{
    int follows = merels_verify_value_before(value, kind->measure, converts);
    return merels_verify_stands(follows, kind->measure, kind->n_move) ? follows : DRAW;
}

static void check_values(const struct kind *kind, const struct maps *maps)
{
    int n_held = 0;
    for (int value = 0; value <= DRAW; value++) {
        if (!holds(kind, value))
            continue;
        int at = index_of(kind, value);
        int quiet = entry(kind, maps->quiet, at), taken = entry(kind, maps->taken, at);
        cr_assert(quiet != MARK_NONE && taken != MARK_NONE);
        cr_assert_eq(value_at(kind, maps->values, quiet),
                     before(kind, value, kind->quiet_converts), "%d bytes, measure %d: %d",
                     kind->mark_bytes, (int)kind->measure, value);
        cr_assert_eq(value_at(kind, maps->values, taken), before(kind, value, true));
        n_held++;
    }
    cr_assert_geq(n_held, kind->measure == MEASURE_NONE ? 3 : maps->n - 4);
}

// For the mover a better mark is a better value or the same.
static void check_order(const struct kind *kind, const struct maps *maps)
{
    for (int m = 2; m < maps->n; m++) {
        int worse = -merels_verify_worth(value_at(kind, maps->values, m - 1));
        int better = -merels_verify_worth(value_at(kind, maps->values, m));
        cr_assert_leq(worse, better, "%d bytes, measure %d: mark %d", kind->mark_bytes,
                      (int)kind->measure, m);
    }
    cr_assert_eq(value_at(kind, maps->values, MARK_NONE), LOSS);
}

static void check_kind(const struct kind *kind)
{
    const void *made;
    struct maps maps = maps_of(kind, &made);
    check_values(kind, &maps);
    check_order(kind, &maps);
    free((void *)made);
}

Test(verify_marks, all_values_of_both_widths)
{
    static const enum measure measures[] = {MEASURE_END, MEASURE_CONVERSION, MEASURE_NONE};
    static const int n_moves[] = {0, 1, 30, 300};
    for (int width = 1; width <= 2; width++)
        for (size_t m = 0; m < 3; m++)
            for (int converts = 0; converts < 2; converts++)
                for (size_t n = 0; n < 4; n++)
                    check_kind(&(struct kind){width, measures[m], converts, n_moves[n]});
}
