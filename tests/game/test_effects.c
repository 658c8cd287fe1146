// test_effects.c: what counts say of a ply against the plies that there are.

#include "game/effects.h"
#include "tests/game/random_positions.h"

enum { ROUNDS = 4000 };

static int list_effects(const struct rules *rules, const struct position *pos,
                        struct effect effects[MAX_EFFECTS])
{
    return merels_effects(rules, merels_subspace_of(pos), effects);
}

static void check_ply(const struct rules *rules, const char *text, const struct position *pos,
                      const struct ply *ply, const struct effect *effects, int n)
{
    enum ply_kind kind = ply->from < 0 ? PLY_PLACES : PLY_MOVES;
    const struct effect *found = merels_effect_among(effects, n, kind, ply->n_removed);
    struct position after = merels_play(rules, pos, *ply);
    // A removal that ends the game is the last one that has an effect of its own.
    for (int k = ply->n_removed - 1; found == NULL && k > 0; k--) {
        const struct effect *last = merels_effect_among(effects, n, kind, k);
        if (last != NULL && last->ends)
            return;
    }
    cr_assert_not_null(found, "%s: a ply that takes %d men", text, ply->n_removed);
    cr_assert(merels_subspace_equal(found->after, merels_subspace_of(&after)), "%s", text);
    int men = bit_count(after.own) + after.own_hand;
    cr_assert_eq(found->ends, men < rules->least, "%s: %d men left", text, men);
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
    cr_expect_eq(count_effects("three", (struct subspace){3, 3, 0, 0}), 1); // a mill wins
    cr_expect_eq(count_effects("six", (struct subspace){8, 8, 0, 0}), 0);   // full
    cr_expect_eq(count_effects("nine,removals=each", (struct subspace){8, 8, 0, 0}), 3);
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
