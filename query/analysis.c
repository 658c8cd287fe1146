// analysis.c: the plies of a game, judged one by one.

#include "query/analysis.h"

#include <string.h>

#include "game/over.h"
#include "query/game_past.h"

const char *merels_game_phase_name(enum game_phase phase)
{
    static const char *const names[] = {"placing", "moving", "flying", "picking"};
    return names[phase];
}

int merels_n_game_phases(const struct rules *rules)
{
    return rules->chooser == CHOOSER_OPPONENT ? N_GAME_PHASES : PHASE_PICKING;
}

static void add(struct tally *sum, const struct tally *part)
{
    sum->plies += part->plies;
    sum->judged += part->judged;
    sum->wins_thrown += part->wins_thrown;
    sum->draws_thrown += part->draws_thrown;
}

void merels_tallies_add(struct tallies *sum, const struct tallies *part)
{
    for (int phase = 0; phase < N_GAME_PHASES; phase++)
        for (int side = WHITE; side <= BLACK; side++)
            add(&sum->of[phase][side], &part->of[phase][side]);
    sum->n_turns += part->n_turns;
}

struct tally merels_tallies_all(const struct tallies *tallies)
{
    struct tally all = {.plies = 0};
    for (int phase = 0; phase < N_GAME_PHASES; phase++)
        for (int side = WHITE; side <= BLACK; side++)
            add(&all, &tallies->of[phase][side]);
    all.plies = tallies->n_turns;
    return all;
}

enum game_phase merels_game_phase(const struct rules *rules, const struct position *pos)
{
    if (pos->own_hand > 0)
        return PHASE_PLACING;
    return merels_position_flies(rules, pos) ? PHASE_FLYING : PHASE_MOVING;
}

static const struct ranked_ply *find(const struct ranking *ranking, const char *text)
{
    for (int i = 0; i < ranking->n_plies; i++)
        if (strcmp(ranking->plies[i].text, text) == 0)
            return &ranking->plies[i];
    return NULL;
}

static void count(bool judged, bool mistake, enum value best, struct tally *tally)
{
    tally->plies++;
    tally->judged += judged;
    tally->wins_thrown += mistake && best == VALUE_WIN;
    tally->draws_thrown += mistake && best == VALUE_DRAW;
}

// The value that the side which picks had, for itself.
static enum value turned(enum value value)
{
    return (enum value)(-(int)value);
}

enum value merels_analysis_pick_value(const struct verdict *v)
{
    return v->before->due > 0 ? v->ranking->answer.value : v->entry->value;
}

// Counts a turn: what the mover chose of it, and what the other side picked.
static void count_turn(const struct verdict *v, struct tallies *tallies)
{
    enum colour picker = merels_side_that_picks(v->rules, v->before);
    enum game_phase phase = merels_game_phase(v->rules, v->before);
    bool judged = v->entry != NULL;
    tallies->n_turns++;
    if (v->before->due == 0 || !v->picks)
        count(judged, v->mistake, judged ? v->ranking->answer.value : VALUE_LOSS,
              &tallies->of[phase][v->before->mover]);
    if (v->picks)
        count(judged, v->pick_mistake,
              judged ? turned(merels_analysis_pick_value(v)) : VALUE_LOSS,
              &tallies->of[PHASE_PICKING][picker]);
}

void merels_analysis_judge(struct context *context, const struct game_record *record, size_t i,
                           struct tallies *tallies, struct verdict *v)
{
    *v = (struct verdict){
        .number = i, .before = merels_game_record_before(record, i), .rules = record->rules};
    const struct ply *ply = &record->turns[i].ply;
    v->picks = ply->n_removed > 0 &&
               merels_side_that_picks(record->rules, v->before) != v->before->mover;
    merels_ply_format(record->rules, *ply, v->text);
    if (merels_context_rank(context, v->before, &v->failure) == STATUS_OK) {
        v->ranking = context->ranking;
        v->entry = find(v->ranking, v->text);
    }
    if (v->entry) {
        bool own = v->before->due == 0 || !v->picks;
        v->mistake = own && v->entry->value < v->ranking->answer.value;
        v->pick_mistake = v->picks && v->entry->pick_value > merels_analysis_pick_value(v);
    }
    count_turn(v, tallies);
}

bool merels_analysis_kept(const struct verdict *v, int i, struct ranked_ply *kept)
{
    const struct ranking *ranking = v->ranking;
    int k = 0;
    for (; i > 0 && k < ranking->n_plies; i--)
        k = merels_ranking_choice_end(ranking, v->rules, k);
    if (k >= ranking->n_plies || ranking->plies[k].value != ranking->answer.value)
        return false;
    *kept = ranking->plies[k];
    if (merels_other_side_picks(v->rules, &kept->ply))
        merels_ply_format(v->rules, ply_step(kept->ply), kept->text);
    return true;
}

bool merels_analysis_pick_kept(const struct verdict *v, int i, struct ranked_ply *kept)
{
    const struct ranking *ranking = v->ranking;
    for (int k = 0; k < ranking->n_plies; k++) {
        const struct ranked_ply *entry = &ranking->plies[k];
        if (!plies_share_step(&entry->ply, &v->entry->ply) ||
            entry->pick_value != merels_analysis_pick_value(v) || i-- > 0)
            continue;
        *kept = *entry;
        merels_ply_format(v->rules, ply_removals(entry->ply), kept->text);
        return true;
    }
    return false;
}

static bool agrees(enum game_result claimed, int value)
{
    switch (claimed) {
    case RESULT_WHITE:
        return value == 1;
    case RESULT_BLACK:
        return value == -1;
    case RESULT_DRAW:
        return value == 0;
    default:
        return true;
    }
}

static bool is_quiet(const struct ply *ply)
{
    return ply->from >= 0 && ply->n_removed == 0;
}

// How often the position before turn `i` was there before: no further back than to a ply that
// cannot be undone.
static int times_before(const struct game_record *record, size_t i)
{
    int n = 0;
    const struct position *pos = merels_game_record_before(record, i);
    for (; i > 0 && is_quiet(&record->turns[i - 1].ply); i--)
        n += merels_game_record_same(merels_game_record_before(record, i - 1), pos);
    return n;
}

static void count_quiet(const struct game_record *record, struct counted *counted)
{
    size_t n = 0;
    for (size_t i = 0; i < record->n_turns; i++) {
        n = is_quiet(&record->turns[i].ply) ? n + 1 : 0;
        if (n > counted->n_quiet) {
            counted->n_quiet = n;
            counted->quiet_from = i + 2 - n;
        }
    }
}

struct counted merels_analysis_count(const struct game_record *record)
{
    struct counted counted = {.n_thirds = 0};
    for (size_t i = 1; i <= record->n_turns; i++) {
        if (times_before(record, i) < THIRD_TIME - 1)
            continue;
        counted.first_third = counted.n_thirds == 0 ? i : counted.first_third;
        counted.n_thirds++;
    }
    count_quiet(record, &counted);
    return counted;
}

struct ending merels_analysis_end(struct context *context, const struct game_record *record)
{
    int value = 0;
    struct answer answer;
    const struct position *pos = merels_game_record_position(record);
    struct ending end = {.claimed = record->result,
                         .over = merels_over_reason(record->rules, pos, &value)};
    if (!end.over)
        end.failure.status = merels_tablebase_probe(context->base, pos, &answer, &end.failure);
    end.known = end.failure.status == STATUS_OK;
    end.plies = end.known && !end.over ? answer.plies : 0;
    if (end.known && !end.over)
        value = (int)answer.value;
    end.value = pos->mover == WHITE ? value : -value;
    end.agrees = !end.known || agrees(end.claimed, end.value) ||
                 (end.claimed == RESULT_DRAW && !end.over &&
                  merels_game_record_times(record) >= THIRD_TIME);
    return end;
}
