// test_moves_reference.c: plies and unmoves against slow code, on random positions and options.

#include <stdlib.h>

#include "tests/game/random_positions.h"
#include "tests/reference/rules.h"

enum { N_RULES = 60, N_POSITIONS = 60, SEED = 17 };

static struct reference_rules reference;

static int point_of(const struct board *board, int point)
{
    return point < 0 ? -1 : merels_board_point(board, reference.board.names[point]);
}

static point_set set_from(const struct board *board, uint32_t set)
{
    point_set result = 0;
    for (int p = 0; p < board->n_points; p++)
        if (set >> p & 1)
            result |= (point_set)1 << point_of(board, p);
    return result;
}

static uint32_t set_to(const struct board *board, point_set set)
{
    uint32_t result = 0;
    for (int p = 0; p < board->n_points; p++)
        if (set >> point_of(board, p) & 1)
            result |= UINT32_C(1) << p;
    return result;
}

// One number for a ply: its points and the set it removes.
static uint64_t key(int from, int to, point_set removed)
{
    return (uint64_t)(from + 1) << 40 | (uint64_t)(to + 1) << 32 | removed;
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int fast_keys(const struct rules *rules, const struct position *pos, uint64_t *keys)
{
    static struct ply plies[MAX_PLIES];
    int n = merels_plies(rules, pos, plies);
    for (int i = 0; i < n; i++) {
        point_set removed = 0;
        for (int k = 0; k < plies[i].n_removed; k++)
            removed |= (point_set)1 << plies[i].removed[k];
        keys[i] = key(plies[i].from, plies[i].to, removed);
    }
    qsort(keys, (size_t)n, sizeof keys[0], compare_keys);
    return n;
}

static int slow_keys(const struct rules *rules, const struct position *pos, uint64_t *keys)
{
    static struct reference_ply plies[REFERENCE_PLIES];
    const struct board *board = &rules->board;
    struct reference_position slow = {set_to(board, pos->own), set_to(board, pos->other),
                                      pos->own_hand, pos->other_hand, pos->due};
    int n = reference_plies(&reference, &slow, plies);
    for (int i = 0; i < n; i++)
        keys[i] = key(point_of(board, plies[i].from), point_of(board, plies[i].to),
                      set_from(board, plies[i].removed));
    qsort(keys, (size_t)n, sizeof keys[0], compare_keys);
    return n;
}

Test(moves_reference, plies)
{
    static uint64_t fast[MAX_PLIES], slow[MAX_PLIES];
    struct random random = {SEED};
    char text[256], position[POSITION_TEXT_BYTES];
    for (int r = 0; r < N_RULES; r++) {
        const struct rules *rules = random_rules(&random, text);
        reference_rules_copy(&reference, rules);
        for (int i = 0; i < N_POSITIONS; i++) {
            struct position pos = random_position(&random, rules);
            int n_fast = fast_keys(rules, &pos, fast), n_slow = slow_keys(rules, &pos, slow);
            merels_position_format(rules, &pos, position);
            cr_assert_eq(n_fast, n_slow, "%s: %s: %d, not %d", text, position, n_fast, n_slow);
            cr_assert_eq(merels_count_plies(rules, &pos), n_fast);
            cr_assert_eq(memcmp(fast, slow, (size_t)n_fast * sizeof fast[0]), 0, "%s: %s", text,
                         position);
        }
    }
}

static bool same(const struct position *a, const struct position *b)
{
    return a->own == b->own && a->other == b->other && a->own_hand == b->own_hand &&
           a->other_hand == b->other_hand && a->due == b->due && a->mover == b->mover;
}

// How often `wanted` is among the unmoves of `pos`.
static int n_found(const struct rules *rules, const struct position *pos,
                   const struct position *wanted)
{
    static struct position before[MAX_PLIES];
    int n = merels_unmoves(rules, pos, before), n_same = 0;
    for (int i = 0; i < n; i++)
        n_same += same(&before[i], wanted);
    return n_same;
}

// How many plies of `pos` remove nothing and lead to `wanted`.
static int n_leading(const struct rules *rules, const struct position *pos,
                     const struct position *wanted)
{
    static struct ply plies[MAX_PLIES];
    int n = merels_plies(rules, pos, plies), n_same = 0;
    for (int i = 0; i < n; i++) {
        struct position next = merels_play(rules, pos, plies[i]);
        n_same += plies[i].n_removed == 0 && same(&next, wanted);
    }
    return n_same;
}

// Every ply without removal of `pos` is taken back once, every unmove is undone by one ply.
static void check_unmoves(const struct rules *rules, const struct position *pos)
{
    static struct ply plies[MAX_PLIES];
    static struct position before[MAX_PLIES];
    int n = merels_plies(rules, pos, plies);
    for (int i = 0; i < n && pos->due == 0; i++) {
        struct position next = merels_play(rules, pos, plies[i]);
        if (plies[i].n_removed == 0)
            cr_assert_eq(n_found(rules, &next, pos), 1);
    }
    n = merels_unmoves(rules, pos, before);
    for (int i = 0; i < n; i++)
        cr_assert_eq(n_leading(rules, &before[i], pos), 1);
}

Test(moves_reference, unmoves_invert_plies)
{
    struct random random = {SEED + 1};
    char text[256];
    for (int r = 0; r < N_RULES; r++) {
        const struct rules *rules = random_rules(&random, text);
        for (int i = 0; i < N_POSITIONS / 4; i++) {
            struct position pos = random_position(&random, rules);
            check_unmoves(rules, &pos);
        }
    }
}
