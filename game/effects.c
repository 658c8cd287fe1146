// effects.c: counts before and after a ply.

#include "game/effects.h"

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

bool merels_men_only_place(const struct rules *rules, int board_men, int hand)
{
    return hand > 0 && (board_men == 0 || !merels_hand_moves(rules, hand));
}

bool merels_all_convert(const struct rules *rules, struct subspace s)
{
    return merels_men_only_place(rules, s.a, s.ha) || merels_men_only_place(rules, s.b, s.hb);
}

int merels_removals_due(const struct rules *rules, int n_mills)
{
    if (rules->mill == MILL_WINS)
        return 0;
    return rules->removals == REMOVALS_ONE && n_mills > 1 ? 1 : n_mills;
}

int merels_highest_class(const struct rules *rules, point_set other)
{
    if (rules->mill == MILL_WINS)
        return 1;
    return bit_count(rules->mill_men == MILL_MEN_SAFE ? merels_position_removable(rules, other)
                                                      : other);
}

// The most mills that a ply can close at once with so many men.
static int most_mills_closed(const struct board *board, int men)
{
    int most = 0;
    while (most < MAX_MILLS_AT && board->men_in_mills[most + 1] <= men)
        most++;
    return most;
}

// Classes 1 and up if closed mills take men.
static int add_removals(const struct rules *rules, const struct effect *quiet, int most,
                        struct effect *effects)
{
    int n = 0;
    struct effect effect = *quiet;
    while (effect.class < most && effect.after.a > 0 && !effect.ends) {
        effect.class ++;
        effect.n_removed++;
        effect.after.a--;
        effect.ends = merels_too_few(rules, effect.after.a + effect.after.ha);
        effects[n++] = effect;
    }
    return n;
}

// The effects of one step, given the counts after it, still seen by who made it.
static int add_effects(const struct rules *rules, enum ply_kind kind, struct subspace stepped,
                       struct effect *effects)
{
    int n_mills = most_mills_closed(&rules->board, stepped.a);
    struct effect *quiet = &effects[0];
    *quiet = (struct effect){kind, 0, 0, false, {stepped.b, stepped.a, stepped.hb, stepped.ha}};
    quiet->ends = merels_too_few(rules, stepped.b + stepped.hb);
    if (rules->mill == MILL_REMOVES)
        return 1 + add_removals(rules, quiet, merels_removals_due(rules, n_mills), effects + 1);
    if (n_mills == 0)
        return 1;
    effects[1] = *quiet;
    effects[1].class = 1;
    effects[1].ends = true;
    return 2;
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
    bool passes = rules->blocked == BLOCKED_PASSES && s.ha == 0;
    if (merels_hand_moves(rules, s.ha) && (s.a > 0 || passes))
        n += add_effects(rules, PLY_MOVES, s, effects + n);
    return n;
}
