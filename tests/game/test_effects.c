// test_effects.c: what counts say of a ply against the plies that there are.

#include "game/effects.h"
#include "tests/game/random_positions.h"

enum { ROUNDS = 4000 };

static int list_effects(const struct rules *rules, const struct position *pos,
                        struct effect effects[MAX_EFFECTS])
{
    return merels_effects(rules, merels_subspace_of(pos), effects);
}

// The class of a ply: the mills closed that count, at most the highest of the subspace.
static int class_of(const struct rules *rules, const struct position *pos,
                    const struct ply *ply, int highest)
{
    if (rules->mill != MILL_WINS)
        return ply->n_removed;
    point_set rest = ply->from < 0 ? pos->own : pos->own & ~((point_set)1 << ply->from);
    int n = ply->to < 0 ? 0 : merels_board_mills_closed(&rules->board, rest, ply->to);
    return n < highest ? n : highest;
}

static void check_ply(const struct rules *rules, const char *text, const struct position *pos,
                      const struct ply *ply, const struct effect *effects, int n)
{
    enum ply_kind kind = ply->from < 0 && ply->to >= 0 ? PLY_PLACES : PLY_MOVES;
    struct position after = merels_play(rules, pos, *ply);
    const struct effect *found = NULL;
    int value, class = class_of(rules, pos, ply, merels_highest_class(rules, pos->other));
    for (int k = 0; k < n; k++)
        found = effects[k].kind == kind && effects[k].class == class ? &effects[k] : found;
    cr_assert_not_null(found, "%s: a ply that takes %d men", text, ply->n_removed);
    cr_assert_eq(found->n_removed, ply->n_removed, "%s", text);
    cr_assert_leq(class, merels_highest_class(rules, pos->other), "%s", text);
    cr_assert(merels_subspace_equal(found->after, merels_subspace_of(&after)), "%s", text);
    int men = bit_count(after.own) + after.own_hand;
    bool by_mill = rules->mill == MILL_WINS && class > 0;
    cr_assert_eq(found->ends, men < rules->least || by_mill, "%s: %d men left", text, men);
    if (found->ends)
        cr_assert(merels_position_over(rules, &after, &value) && value == -1, "%s", text);
}

Test(effects, cover_every_ply)
{
    static struct ply plies[MAX_PLIES];
    struct random random = {.state = 20};
    for (int round = 0; round < ROUNDS; round++) {
        char text[256];
        struct effect effects[MAX_EFFECTS];
        const struct rules *rules = random_rules(&random, text);
        struct position pos = random_position(&random, rules);
        if (pos.due > 0)
            continue;
        int n = list_effects(rules, &pos, effects);
        int n_plies = merels_plies(rules, &pos, plies);
        cr_assert(n > 0 || n_plies == 0, "%s", text);
        for (int k = 0; k < n_plies; k++)
            check_ply(rules, text, &pos, &plies[k], effects, n);
    }
}

static int count_effects(const char *rules, struct subspace s)
{
    struct effect effects[MAX_EFFECTS];
    return merels_effects(rules_of(rules), s, effects);
}

Test(effects, of_single_subspaces)
{
    cr_expect_eq(count_effects("nine", (struct subspace){9, 9, 0, 0}), 2);
    cr_expect_eq(count_effects("nine", (struct subspace){0, 0, 9, 9}), 1);
    cr_expect_eq(count_effects("nine", (struct subspace){2, 2, 3, 3}), 2);
    cr_expect_eq(count_effects("nine", (struct subspace){1, 2, 3, 3}), 1); // no mill of two men
    cr_expect_eq(count_effects("nine", (struct subspace){2, 4, 0, 0}), 0); // over
    cr_expect_eq(count_effects("lasker", (struct subspace){4, 4, 3, 3}), 4);
    cr_expect_eq(count_effects("three", (struct subspace){3, 3, 0, 0}), 2); // a mill wins
    cr_expect_eq(count_effects("three", (struct subspace){1, 1, 2, 2}), 1);
    cr_expect_eq(count_effects("six", (struct subspace){8, 8, 0, 0}), 0); // full
    cr_expect_eq(count_effects("nine,removals=each", (struct subspace){8, 8, 0, 0}), 3);
    cr_expect_eq(count_effects("nine,removals=each", (struct subspace){4, 8, 0, 0}), 2);
    cr_expect_eq(count_effects("nine,removals=each", (struct subspace){8, 3, 0, 0}), 2); // ends
    cr_expect_eq(count_effects("nine,removals=each", (struct subspace){8, 3, 0, 1}), 3);
    cr_expect_eq(count_effects("nine,blocked=passes,least=0", (struct subspace){0, 3, 0, 0}),
                 1);
}

// Fewer men than make a mill: nothing is taken, and no table is asked for that cannot arise.
Test(effects, of_few_men)
{
    struct effect effects[MAX_EFFECTS];
    const struct rules *rules = rules_of("three,mill=removes,least=1,men=3");
    cr_assert_eq(merels_effects(rules, (struct subspace){2, 2, 0, 0}, effects), 1);
    cr_expect_eq(effects[0].n_removed, 0);
    cr_assert_eq(merels_effects(rules, (struct subspace){3, 1, 0, 0}, effects), 2);
    cr_expect(effects[1].ends);
    rules = rules_of("three,mill=removes,least=0,men=3");
    cr_assert_eq(merels_effects(rules, (struct subspace){3, 0, 0, 0}, effects), 1);
    cr_assert_eq(merels_effects(rules, (struct subspace){0, 3, 0, 0}, effects), 0);
    cr_assert_eq(merels_effects(rules, (struct subspace){3, 1, 0, 0}, effects), 2);
    cr_expect(!effects[1].ends && effects[1].after.a == 0);
}
