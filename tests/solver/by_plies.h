// by_plies.h: positions in the terms of tests/reference, and tables checked ply by ply.

#ifndef MERELS_TESTS_SOLVER_BY_PLIES_H
#define MERELS_TESTS_SOLVER_BY_PLIES_H

#include "tests/reference/rules.h"
#include "tests/solver/support.h"

// ---- from the program's points to those of the reference and back ---------------------------

enum { HALF = 1 << 12 };

static struct reference_rules reference;
static uint32_t to_low[HALF], to_high[HALF];     // reference sets of the halves of a set
static uint32_t from_low[HALF], from_high[HALF]; // and the other way

static inline void map_points(const struct board *board)
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

static inline uint32_t to_reference(point_set set)
{
    return to_low[set % HALF] | to_high[set / HALF];
}

static inline point_set from_reference(uint32_t set)
{
    return from_low[set % HALF] | from_high[set / HALF];
}

static inline void copy_rules(const struct rules *rules)
{
    reference_rules_copy(&reference, rules);
    map_points(&rules->board);
}

// ---- values follow from those one ply later ------------------------------------------------
// A table in which every win is one ply longer than its shortest loss for the other side, every
// loss one ply longer than its longest, and every draw has a drawn ply and no winning one, is
// right: the depths leave no room for a circle.

struct table_values {
    struct tablebase *base;
    int *plies[5][5]; // of a-b; -1 for a draw
};

static inline int value_of_next(const struct table_values *t,
                                const struct reference_position *next)
{
    struct position pos = {.own = from_reference(next->own),
                           .other = from_reference(next->other)};
    uint64_t slot;
    if (bit_count(pos.own) < 3)
        return 0;
    OK(merels_index_rank(merels_tablebase_index(t->base), &pos, &slot, &test_error));
    return t->plies[bit_count(pos.own)][bit_count(pos.other)][slot];
}

static inline int value_by_plies(const struct table_values *t,
                                 const struct reference_position *pos)
{
    struct reference_ply plies[REFERENCE_PLIES];
    int n = reference_plies(&reference, pos, plies), win = -1, loss = -1;
    bool draws = false;
    for (int i = 0; i < n; i++) {
        struct reference_position next = reference_play(pos, plies[i]);
        int value = value_of_next(t, &next);
        if (value < 0)
            draws = true;
        else if (value % 2 == 0)
            win = win < 0 || value + 1 < win ? value + 1 : win;
        else
            loss = value > loss ? value : loss;
    }
    return win >= 0 || draws ? win : loss + 1;
}

static inline void check_by_plies(const struct table_values *t, struct subspace s,
                                  uint64_t step)
{
    uint64_t n_slots = merels_table_header(table_of(t->base, s))->n_slots;
    for (uint64_t slot = 0; slot < n_slots; slot += step) {
        struct position pos;
        OK(merels_index_unrank(merels_tablebase_index(t->base), s, slot, &pos, &test_error));
        struct reference_position twin = {to_reference(pos.own), to_reference(pos.other), 0, 0,
                                          0};
        int value = t->plies[s.a][s.b][slot], expected = value_by_plies(t, &twin);
        cr_assert_eq(value, expected, "%d-%d slot %llu: %d, not %d", s.a, s.b,
                     (unsigned long long)slot, value, expected);
    }
}

#endif
