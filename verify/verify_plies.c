// verify_plies.c: plies by counts, and mills.

#include "verify/verify_plies.h"

#include "verify/verify_value.h"

enum { MEN_OF_A_MILL = 3 };

// Too few men come before a full board (docs/FORMAT.md, section 8); who has no man at all,
// where that is enough, has no ply.
static bool is_over(const struct verify_rules *rules, struct counts k, int *value)
{
    bool too_few = k.a + k.ha < rules->least, full = k.a + k.b == rules->n_points;
    bool loses = too_few || (full ? rules->full_board_loses : rules->blocked_loses);
    *value = loses ? LOSS : DRAW;
    return too_few || full || k.a + k.ha == 0;
}

struct verify_plies merels_verify_plies(const struct verify_rules *rules, struct counts k)
{
    struct verify_plies plies = {.places = k.ha > 0,
                                 .flies = k.ha == 0 && k.a <= rules->fly,
                                 .blocked_value = rules->blocked_loses ? LOSS : DRAW};
    plies.over = is_over(rules, k, &plies.over_value);
    if (plies.over)
        return plies;
    int a = k.a + plies.places, ha = k.ha - plies.places;
    plies.quiet = (struct counts){k.b, a, k.hb, ha};
    plies.removal = (struct counts){k.b - 1, a, k.hb, ha};
    plies.removal_ends = k.b - 1 + k.hb < rules->least;
    plies.removes = !plies.removal_ends && k.b > 0 && a >= MEN_OF_A_MILL;
    return plies;
}

uint32_t merels_verify_in_mills(const struct verify_rules *rules, uint32_t set)
{
    uint32_t safe = 0;
    for (int k = 0; k < rules->n_mills; k++)
        if ((rules->mills[k] & set) == rules->mills[k])
            safe |= rules->mills[k];
    return safe;
}
