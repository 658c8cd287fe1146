// whole_games.h: all values and depths of a tablebase against the naive solver of
// tests/reference, position by position, without symmetry.

#ifndef MERELS_TESTS_WHOLE_GAMES_H
#define MERELS_TESTS_WHOLE_GAMES_H

#include "game/options.h"
#include "tests/solver/by_plies.h"

// ---- all positions of a tablebase ----------------------------------------------------------

struct sets {
    point_set *sets;
    uint32_t n;
};

static inline struct sets sets_of(const struct board *board, int men)
{
    struct sets list = {malloc(merels_choose(board->n_points, men) * sizeof(point_set)), 0};
    cr_assert_not_null(list.sets);
    for (point_set set = 0; set <= board->points; set++)
        if (bit_count(set) == men)
            list.sets[list.n++] = set;
    return list;
}

static inline void check_position(struct tablebase *base, const struct rules *rules,
                                  const struct reference_solver *solver, const uint8_t *values,
                                  const struct position *pos)
{
    uint64_t slot;
    if (merels_position_check(rules, pos, NULL) == STATUS_ILLEGAL)
        return; // a mill that has won stands on the board
    OK(merels_index_rank(merels_tablebase_index(base), pos, &slot, &test_error));
    const struct reference_position twin = {to_reference(pos->own), to_reference(pos->other),
                                            pos->own_hand, pos->other_hand, 0};
    int expected = reference_value(solver, &twin);
    cr_assert_eq(values[slot], expected, "own %x other %x in hand %d %d: %d, not %d", pos->own,
                 pos->other, pos->own_hand, pos->other_hand, values[slot], expected);
}

// Every pair of sets, with no use of symmetry.
static inline void check_subspace(struct tablebase *base, const struct rules *rules,
                                  const struct reference_solver *solver, struct subspace s)
{
    struct sets own = sets_of(&rules->board, s.a), other = sets_of(&rules->board, s.b);
    uint8_t *values = read_values(base, s);
    for (uint32_t i = 0; i < own.n; i++)
        for (uint32_t k = 0; k < other.n; k++) {
            struct position pos = {own.sets[i], other.sets[k], s.ha, s.hb, 0, WHITE, 0, 0};
            if ((pos.own & pos.other) == 0)
                check_position(base, rules, solver, values, &pos);
        }
    free(values);
    free(own.sets);
    free(other.sets);
}

// Solves and compares.
static inline void check_rules(const char *text, struct start start, bool moving_only)
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
        check_subspace(base, rules, solver, list[k]);
    }
    free(list);
    merels_tablebase_close(base);
    reference_solver_destroy(solver);
    free(rules);
    remove_dir(dir);
}

// The whole game from the start that the text says.
static inline void check_game(const char *text)
{
    struct start start;
    free(rules_with_start(text, &start));
    check_rules(text, start, false);
}

#endif
