// analysis.c: the plies of a game, judged one by one.

#include "query/analysis.h"

#include <string.h>

#include "query/over.h"

const char *merels_game_phase_name(enum game_phase phase)
{
    static const char *const names[] = {"placing", "moving", "flying"};
    return names[phase];
}

void merels_tallies_add(struct tallies *sum, const struct tallies *part)
{
    for (int phase = 0; phase < N_GAME_PHASES; phase++)
        for (int side = WHITE; side <= BLACK; side++) {
            struct tally *s = &sum->of[phase][side];
            const struct tally *p = &part->of[phase][side];
            s->plies += p->plies;
            s->judged += p->judged;
            s->wins_thrown += p->wins_thrown;
            s->draws_thrown += p->draws_thrown;
        }
}

struct tally merels_tallies_all(const struct tallies *tallies)
{
    struct tallies all = {.of[PHASE_PLACING][WHITE] = {.plies = 0}};
    for (int phase = 0; phase < N_GAME_PHASES; phase++)
        for (int side = WHITE; side <= BLACK; side++) {
            struct tallies one = {.of[PHASE_PLACING][WHITE] = tallies->of[phase][side]};
            merels_tallies_add(&all, &one);
        }
    return all.of[PHASE_PLACING][WHITE];
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

static void count(const struct verdict *v, struct tally *tally)
{
    tally->plies++;
    tally->judged += v->entry != NULL;
    tally->wins_thrown += v->mistake && v->ranking->answer.value == VALUE_WIN;
    tally->draws_thrown += v->mistake && v->ranking->answer.value == VALUE_DRAW;
}

void merels_analysis_judge(struct context *context, const struct game_record *record, size_t i,
                           struct tallies *tallies, struct verdict *v)
{
    *v = (struct verdict){.number = i, .before = merels_game_record_before(record, i)};
    merels_ply_format(record->rules, record->turns[i].ply, v->text);
    if (merels_context_rank(context, v->before, &v->failure) == STATUS_OK) {
        v->ranking = context->ranking;
        v->entry = find(v->ranking, v->text);
        v->mistake = v->entry && v->entry->value < v->ranking->answer.value;
    }
    enum game_phase phase = merels_game_phase(record->rules, v->before);
    count(v, &tallies->of[phase][v->before->mover]);
}

int merels_analysis_keeping(const struct ranking *ranking)
{
    int n = 0;
    while (n < ranking->n_plies && ranking->plies[n].value == ranking->answer.value)
        n++;
    return n;
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

struct ending merels_analysis_end(struct context *context, const struct game_record *record)
{
    int value = 0;
    struct answer answer;
    const struct position *pos = merels_game_record_position(record);
    struct ending end = {.claimed = record->result,
                         .over = merels_over_reason(record->rules, pos, &value)};
    end.known =
        end.over || merels_tablebase_probe(context->base, pos, &answer, NULL) == STATUS_OK;
    if (end.known && !end.over)
        value = (int)answer.value;
    end.value = pos->mover == WHITE ? value : -value;
    end.agrees = !end.known || agrees(end.claimed, end.value);
    return end;
}
