// verify_plies.c: plies by counts, and mills.

#include "verify/verify_plies.h"

#include "verify/verify_value.h"

bool merels_verify_too_few(const struct verify_rules *rules, int men)
{
    return men < rules->least;
}

int merels_verify_removals_due(const struct verify_rules *rules, int n_closed)
{
    if (rules->mill_wins)
        return 0;
    return rules->each || n_closed < 2 ? n_closed : 1;
}

// Too few men come before a full board (docs/FORMAT.md, section 8); who has no man at all,
// where that is enough, has no ply but a pass.
static bool is_over(const struct verify_rules *rules, struct counts k, int *value)
{
    bool too_few = merels_verify_too_few(rules, k.a + k.ha),
         full = k.a + k.b == rules->n_points;
    bool loses = too_few || (full ? rules->full_board_loses : rules->blocked_loses);
    *value = loses ? LOSS : DRAW;
    return too_few || full || (k.a + k.ha == 0 && !rules->blocked_passes);
}

// A ply that takes or places a man cannot be taken back, nor one after which the other side
// must place: it has men in hand, and none on the board or may not move them yet.
static bool converts(const struct verify_rules *rules, const struct ply_way *way)
{
    return way->places || way->n_taken > 0 ||
           (way->after.ha > 0 && (way->after.a == 0 || !rules->place_or_move));
}

// The ways of one kind of ply; `a` men of the mover stand on the board after it, `ha` are in
// hand.
static void add_ways(const struct verify_rules *rules, struct counts k, bool places,
                     struct verify_plies *plies)
{
    int a = places ? k.a + 1 : k.a, ha = places ? k.ha - 1 : k.ha, most = 0;
    while (most < VERIFY_MILLS_AT && a >= rules->men_for[most + 1])
        most++;
    most = merels_verify_removals_due(rules, most);
    for (int taken = 0; taken <= most && taken <= k.b; taken++) {
        bool ends = taken > 0 && merels_verify_too_few(rules, k.b - taken + k.hb);
        struct ply_way *way = &plies->ways[plies->n_ways++];
        *way = (struct ply_way){.places = places,
                                .n_taken = taken,
                                .ends = ends,
                                .after = {k.b - taken, a, k.hb, ha}};
        way->converts = converts(rules, way);
        if (ends)
            break;
    }
}

static void fill_plain(struct verify_plies *plies)
{
    plies->quiet = plies->ways[0].after;
    plies->quiet_converts = plies->ways[0].converts;
    if (plies->n_ways == 1)
        return;
    plies->removal = plies->ways[1].after;
    plies->removal_ends = plies->ways[1].ends;
    plies->removes = !plies->removal_ends;
}

struct verify_plies merels_verify_plies(const struct verify_rules *rules, struct counts k)
{
    int flying = rules->fly_total ? k.a + k.ha : k.a;
    bool special = rules->each || rules->mill_wins || rules->other_picks;
    struct verify_plies plies = {.places = k.ha > 0,
                                 .moves = k.ha == 0 || rules->place_or_move,
                                 .flies =
                                     flying <= rules->fly && (rules->fly_total || k.ha == 0),
                                 .blocked_value = rules->blocked_loses ? LOSS : DRAW};
    plies.over = is_over(rules, k, &plies.over_value);
    plies.plain = plies.over ? !rules->mill_wins : !special && plies.places != plies.moves;
    if (plies.over)
        return plies;
    plies.moves = plies.moves && (k.a > 0 || k.ha == 0);
    if (plies.moves && rules->blocked_passes)
        plies.plain = false;
    if (plies.places)
        add_ways(rules, k, true, &plies);
    if (plies.moves)
        add_ways(rules, k, false, &plies);
    if (plies.plain)
        fill_plain(&plies);
    return plies;
}

int merels_verify_way(const struct verify_plies *plies, bool places, int n_taken)
{
    for (int w = 0; w < plies->n_ways; w++)
        if (plies->ways[w].places == places && plies->ways[w].n_taken == n_taken)
            return w;
    return -1;
}

uint32_t merels_verify_in_mills(const struct verify_rules *rules, uint32_t set)
{
    uint32_t safe = 0;
    for (int k = 0; k < rules->n_mills; k++)
        if ((rules->mills[k] & set) == rules->mills[k])
            safe |= rules->mills[k];
    return safe;
}
