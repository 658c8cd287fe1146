// game_past.c: repetitions, plies without a removal, and what to play for or against a draw.

#include "query/game_past.h"

enum { FLOWN_MEN = 3 };

static const struct position *now(const struct past *past)
{
    return merels_game_record_position(past->record);
}

int merels_past_times(const struct past *past, const struct position *pos)
{
    int n = 0;
    for (size_t i = 0; i <= past->record->n_turns; i++)
        n += merels_game_record_same(pos, merels_game_record_before(past->record, i));
    return n;
}

int merels_past_quiet_plies(const struct past *past)
{
    const struct game_record *record = past->record;
    size_t n = record->n_turns;
    while (n > 0 && record->turns[n - 1].ply.n_removed == 0 &&
           record->turns[n - 1].ply.from >= 0)
        n--;
    return (int)(record->n_turns - n) + (n == 0 ? past->quiet_before : 0);
}

int merels_past_quiet_limit(const struct past *past, const struct position *pos)
{
    const struct draw_rules *rules = &past->rules;
    bool flown = bit_count(pos->own) + pos->own_hand <= FLOWN_MEN ||
                 bit_count(pos->other) + pos->other_hand <= FLOWN_MEN;
    return flown && rules->quiet_plies_flown > 0 ? rules->quiet_plies_flown
                                                 : rules->quiet_plies;
}

bool merels_past_is_draw(const struct past *past)
{
    const struct position *pos = now(past);
    int limit = merels_past_quiet_limit(past, pos);
    return pos->due == 0 &&
           ((past->rules.repetition && merels_past_times(past, pos) >= THIRD_TIME) ||
            (limit > 0 && merels_past_quiet_plies(past) >= limit));
}

bool merels_past_leads_to_draw(const struct past *past, const struct ply *ply)
{
    const struct position *pos = now(past);
    int limit = merels_past_quiet_limit(past, pos), value;
    if (ply->from < 0 || ply->n_removed > 0)
        return false;
    const struct position after = merels_play(past->record->rules, pos, *ply);
    if (merels_position_over(past->record->rules, &after, &value))
        return false;
    return (past->rules.repetition && merels_past_times(past, &after) >= THIRD_TIME - 1) ||
           (limit > 0 && merels_past_quiet_plies(past) + 1 >= limit);
}

bool merels_past_is_too_long(const struct past *past, int plies)
{
    int limit = merels_past_quiet_limit(past, now(past));
    return limit > 0 && plies > 0 && merels_past_quiet_plies(past) + plies > limit;
}

// ---- choices -------------------------------------------------------------------------------

static bool was_there(const struct past *past, const struct ply *ply)
{
    const struct position after = merels_play(past->record->rules, now(past), *ply);
    return merels_past_times(past, &after) > 0;
}

int merels_past_choose_win(const struct past *past, const struct ranking *ranking,
                           const int *places, int n)
{
    int second = -1;
    bool too_long = merels_past_is_too_long(past, ranking->plies[places[0]].plies);
    for (int k = 0; too_long && k < n; k++)
        if (ranking->plies[places[k]].ply.n_removed > 0)
            return k;
    for (int k = 0; k < n; k++) {
        const struct ply *ply = &ranking->plies[places[k]].ply;
        if (merels_past_leads_to_draw(past, ply))
            continue;
        if (!past->rules.repetition || !was_there(past, ply))
            return k;
        second = second < 0 ? k : second;
    }
    return second < 0 ? 0 : second;
}

int merels_past_choose_loss(const struct past *past, const struct ranking *ranking,
                            const int *places, int n)
{
    for (int k = 0; k < n; k++)
        if (merels_past_leads_to_draw(past, &ranking->plies[places[k]].ply))
            return k;
    for (int k = 0; past->rules.repetition && k < n; k++)
        if (ranking->plies[places[k]].plies == ranking->plies[places[0]].plies &&
            was_there(past, &ranking->plies[places[k]].ply))
            return k;
    return 0;
}
