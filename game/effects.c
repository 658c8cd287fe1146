// effects.c: counts before and after a ply.

#include "game/effects.h"

#include <stddef.h>

enum { MEN_OF_A_MILL = 3 };

bool merels_too_few(const struct rules *rules, int men)
{
    return men < rules->least;
}

bool merels_hand_places(const struct rules *rules, int hand)
{
    (void)rules;
    return hand > 0;
}

bool merels_hand_moves(const struct rules *rules, int hand)
{
    return hand == 0 || rules->turn == TURN_PLACE_OR_MOVE;
}

bool merels_men_fly(const struct rules *rules, int board_men, int hand)
{
    if (rules->fly_count == FLY_TOTAL)
        return board_men + hand <= rules->fly;
    return hand == 0 && board_men <= rules->fly;
}

int merels_removals_due(const struct rules *rules, int n_mills)
{
    if (rules->mill == MILL_WINS)
        return 0;
    return rules->removals == REMOVALS_ONE && n_mills > 1 ? 1 : n_mills;
}

static int most_mills_at_a_point(const struct board *board)
{
    int most = 0;
    for (int p = 0; p < board->n_points; p++)
        most = board->n_mills_at[p] > most ? board->n_mills_at[p] : most;
    return most;
}

// The effects of one step, given the counts after it, still seen by who made it.
static int add_effects(const struct rules *rules, enum ply_kind kind, struct subspace stepped,
                       struct effect *effects)
{
    int most = merels_removals_due(rules, most_mills_at_a_point(&rules->board));
    if (stepped.a < MEN_OF_A_MILL)
        most = 0;
    int n = 0;
    for (int taken = 0; taken <= most && taken <= stepped.b; taken++) {
        struct subspace after = {(uint8_t)(stepped.b - taken), stepped.a, stepped.hb,
                                 stepped.ha};
        bool ends = merels_too_few(rules, after.a + after.ha);
        effects[n++] = (struct effect){kind, taken, ends, after};
        if (ends)
            break; // no further man is asked for
    }
    return n;
}

int merels_effects(const struct rules *rules, struct subspace s,
                   struct effect effects[MAX_EFFECTS])
{
    int n = 0;
    if (merels_too_few(rules, s.a + s.ha) || s.a + s.b == rules->board.n_points)
        return 0;
    if (merels_hand_places(rules, s.ha)) {
        struct subspace placed = {(uint8_t)(s.a + 1), s.b, (uint8_t)(s.ha - 1), s.hb};
        n += add_effects(rules, PLY_PLACES, placed, effects);
    }
    if (merels_hand_moves(rules, s.ha) && s.a > 0)
        n += add_effects(rules, PLY_MOVES, s, effects + n);
    return n;
}

const struct effect *merels_effect_among(const struct effect *effects, int n,
                                         enum ply_kind kind, int n_removed)
{
    for (int k = 0; k < n; k++)
        if (effects[k].kind == kind && effects[k].n_removed == n_removed)
            return &effects[k];
    return NULL;
}
