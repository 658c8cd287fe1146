// engine_player.c: rules, position and choice of the engine.

#include "query/engine_player.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "game/over.h"
#include "query/player.h"

enum { SAME_PERCENT = 2, WORSE_PERCENT = 4, WORSE_LEVEL = 10 };

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

// A number from 0 to n - 1, the same in every run with the same seed.
static int random_below(struct engine *engine, int n)
{
    engine->random =
        engine->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((engine->random >> 33) % (uint64_t)n);
}

// ---- rules and tables ----------------------------------------------------------------------

static void open_tables(struct engine *engine)
{
    struct context *context = engine->context;
    merels_placing_search_destroy(context->search);
    context->search = NULL;
    merels_tablebase_close(context->base);
    free(context->dir);
    free(context->ranking);
    context->base = NULL;
    context->dir = NULL;
    context->ranking = NULL;
    engine->tables.status = STATUS_OK;
    if (merels_context_tables(context, NEEDS_RANKING, &engine->tables) != STATUS_OK)
        context->ranking = malloc(sizeof *context->ranking);
}

// Writes the rules that are wanted as a text.
static enum status write_rules(struct engine *engine, char *text, size_t room,
                               struct error *err)
{
    char name[RULES_NAME_BYTES];
    const struct engine_rules *wanted = &engine->wanted;
    struct rules *rules = malloc(sizeof *rules);
    int values[N_RULE_OPTIONS];
    if (!rules)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the rules");
    memcpy(values, wanted->values, sizeof values);
    merels_options_settle(values);
    merels_board_init(&rules->board, wanted->board);
    merels_options_set(rules, values);
    merels_rules_name(rules, name);
    free(rules);
    snprintf(text, room, "%s,men=%d-%d", name, wanted->start.first_men,
             wanted->start.second_men);
    return STATUS_OK;
}

static enum status change_rules(struct engine *engine, struct error *err)
{
    struct context *context = engine->context;
    char text[sizeof engine->rules_text];
    enum status status = write_rules(engine, text, sizeof text, err);
    if (status != STATUS_OK)
        return status;
    merels_game_record_free(&context->game);
    memcpy(engine->rules_text, text, sizeof text);
    status = merels_context_rules(context, engine->rules_text, err);
    // A directory of the command line holds the tables of the rules of the command line.
    char tables[RULES_NAME_BYTES];
    if (status == STATUS_OK)
        status = merels_variant_tables_name(&context->variant, tables, err);
    bool first = status == STATUS_OK && strcmp(tables, engine->first_tables) == 0;
    struct arguments args = *context->args;
    const struct arguments *given = context->args;
    if (!first)
        args.db = NULL;
    context->args = &args;
    if (status == STATUS_OK)
        open_tables(engine);
    context->args = given;
    return status;
}

void merels_engine_settle(struct engine *engine)
{
    if (!engine->wanted_changed)
        return;
    engine->wanted_changed = false;
    enum status status = change_rules(engine, &engine->refusal);
    if (status == STATUS_OK)
        engine->refusal.status = STATUS_OK;
    merels_engine_new_game(engine);
}

enum status merels_engine_begin(struct context *context, struct engine *engine,
                                struct error *err)
{
    *engine =
        (struct engine){.context = context,
                        .settings = {.skill = MAX_SKILL, .draws.repetition = true, .seed = 1}};
    engine->first.board = context->rules->board.kind;
    engine->first.start = context->variant.start;
    merels_options_get(context->rules, engine->first.values);
    engine->wanted = engine->first;
    enum status status =
        merels_variant_tables_name(&context->variant, engine->first_tables, err);
    if (status != STATUS_OK)
        return status;
    open_tables(engine);
    if (!context->ranking)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the plies");
    merels_engine_new_game(engine);
    return STATUS_OK;
}

// ---- the position --------------------------------------------------------------------------

// Plies without a removal before the game: field 16 of its FEN, 0 if it has none.
static int quiet_of_fen(const char *text)
{
    int n = 0;
    const char *at = strstr(text, "fen ");
    if (!at)
        return 0;
    at += strlen("fen ");
    for (int field = 1; field < 16; field++) {
        at += strspn(at, " \t");
        if (strncmp(at, "moves", 5) == 0) // fields were left out
            return 0;
        at += strcspn(at, " \t");
    }
    at += strspn(at, " \t");
    for (; *at >= '0' && *at <= '9' && n < 100000; at++)
        n = 10 * n + *at - '0';
    return n;
}

void merels_engine_set_position(struct engine *engine, const char *text)
{
    struct context *context = engine->context;
    struct error reason = {.status = STATUS_OK};
    struct game_record record;
    merels_engine_settle(engine);
    enum status status = merels_game_record_read(context->rules, &context->variant.start, text,
                                                 0, &record, &reason);
    engine->position = reason;
    engine->position.status = status;
    if (status != STATUS_OK)
        return;
    merels_game_record_free(&context->game);
    context->game = record;
    engine->quiet_before = quiet_of_fen(text);
}

void merels_engine_new_game(struct engine *engine)
{
    engine->random = engine->settings.seed;
    engine->rest = (struct ply){.from = -1, .to = -1};
    merels_engine_set_position(engine, "startpos");
}

static const struct position *now(const struct engine *engine)
{
    return merels_game_record_position(&engine->context->game);
}

// ---- draws by rules outside the tables -----------------------------------------------------

static struct past past_of(const struct engine *engine)
{
    return (struct past){.record = &engine->context->game,
                         .rules = engine->settings.draws,
                         .quiet_before = engine->quiet_before};
}

// ---- the choice ----------------------------------------------------------------------------

// The plies that may be chosen, best first, by their places in the ranking.
struct choice {
    int places[MAX_PLIES];
    int n;
};

// True if a ply, or what comes in front of its removals, is one of n_bytes bytes of words.
static bool is_among(const char *text, const char *words, size_t n_bytes)
{
    size_t length = strlen(text), step = strcspn(text, "x");
    for (size_t at = 0; at < n_bytes;) {
        size_t n = strcspn(words + at, " \t\r");
        if ((n == length || (n == step && n > 0)) && strncasecmp(words + at, text, n) == 0)
            return true;
        at += n + strspn(words + at + n, " \t\r");
    }
    return false;
}

static bool may_choose(const struct ranked_ply *entry, const struct engine_question *question)
{
    return (entry->picked || !entry->known) &&
           (!question->only_moves ||
            is_among(entry->text, question->only_moves, question->only_bytes));
}

static void list_choice(const struct ranking *ranking, const struct engine_question *question,
                        struct choice *choice, struct engine_answer *answer)
{
    choice->n = choice->places[0] = 0;
    for (int i = 0; i < ranking->n_plies; i++)
        if (may_choose(&ranking->plies[i], question))
            choice->places[choice->n++] = i;
    if (choice->n > 0)
        return;
    snprintf(answer->words, sizeof answer->words,
             "go: searchmoves names no legal ply, so all are looked at; for example: go "
             "searchmoves %s",
             ranking->plies[0].text);
    for (int i = 0; i < ranking->n_plies; i++)
        if (ranking->plies[i].picked || !ranking->plies[i].known)
            choice->places[choice->n++] = i;
}

static const struct ranked_ply *ply_at(const struct engine *engine, const struct choice *choice,
                                       int k)
{
    return &engine->context->ranking->plies[choice->places[k]];
}

// How many of the choice stand at its front with the value of the first.
static int n_of_value(const struct engine *engine, const struct choice *choice)
{
    int n = 1;
    const struct ranked_ply *first = ply_at(engine, choice, 0);
    while (n < choice->n && ply_at(engine, choice, n)->known == first->known &&
           (!first->known || ply_at(engine, choice, n)->value == first->value))
        n++;
    return n;
}

// Of unknown plies one that closes a mill, if there is any.
static int choose_unknown(const struct engine *engine, const struct choice *choice, int n)
{
    for (int k = 0; k < n; k++)
        if (ply_at(engine, choice, k)->ply.n_removed > 0)
            return k;
    return 0;
}

static int choose_draw(struct engine *engine, const struct choice *choice, int n,
                       const struct engine_question *question)
{
    struct context *context = engine->context;
    int first = choice->places[0];
    struct player_limits limits = {.move_ms = question->move_ms,
                                   .n_look_ups = question->n_nodes,
                                   .endless = question->endless,
                                   .only_replies =
                                       question->n_plies == 1 || question->n_plies == 2,
                                   .stops = question->stops,
                                   .user = question->user};
    if (choice->places[n - 1] - first != n - 1)
        return 0; // only some plies were asked for
    return merels_player_draw(context, now(engine), first, n, &limits, NULL) - first;
}

static int choose_best(struct engine *engine, const struct choice *choice, int n,
                       const struct engine_question *question)
{
    const struct ranked_ply *first = ply_at(engine, choice, 0);
    const struct ranking *ranking = engine->context->ranking;
    const struct past past = past_of(engine);
    if (!first->known)
        return choose_unknown(engine, choice, n);
    if (first->value == VALUE_WIN)
        return merels_past_choose_win(&past, ranking, choice->places, n);
    return first->value == VALUE_LOSS
               ? merels_past_choose_loss(&past, ranking, choice->places, n)
               : choose_draw(engine, choice, n, question);
}

// One of the plies that are as good as ply k: of the same value and depth.
static int shuffle(struct engine *engine, const struct choice *choice, int n, int k)
{
    const struct ranked_ply *best = ply_at(engine, choice, k);
    if (!best->known || best->value == VALUE_DRAW || best->plies < 0)
        return k;
    int first = k, last = k;
    while (first > 0 && ply_at(engine, choice, first - 1)->plies == best->plies)
        first--;
    while (last + 1 < n && ply_at(engine, choice, last + 1)->plies == best->plies)
        last++;
    int other = first + random_below(engine, last - first + 1);
    const struct past past = past_of(engine);
    bool to_draw = merels_past_leads_to_draw(&past, &ply_at(engine, choice, k)->ply);
    return merels_past_leads_to_draw(&past, &ply_at(engine, choice, other)->ply) != to_draw
               ? k
               : other;
}

// What a level of skill makes of the best choice `k` among n of its value.
static int weaken(struct engine *engine, const struct choice *choice, int n, int k)
{
    int skill = engine->settings.skill;
    int same = SAME_PERCENT * (MAX_SKILL - skill);
    int worse = skill < WORSE_LEVEL ? WORSE_PERCENT * (WORSE_LEVEL - skill) : 0;
    if (skill >= MAX_SKILL)
        return k;
    if (random_below(engine, 100) < worse && n < choice->n)
        return n + random_below(engine, choice->n - n);
    return random_below(engine, 100) < same ? random_below(engine, n) : k;
}

// Plies to the end of the game; -1 where the tables count to a removal that is not the end.
static int plies_to_end(const struct engine *engine, const struct ranked_ply *entry)
{
    int value;
    const struct rules *rules = engine->context->rules;
    const struct position after = merels_play(rules, now(engine), entry->ply);
    bool ends = merels_position_over(rules, &after, &value);
    return rules->metric == METRIC_DTM || ends ? entry->plies : -1;
}

static void take_ply(const struct engine *engine, const struct ranked_ply *entry,
                     struct engine_answer *answer)
{
    answer->outcome = ENGINE_PLY;
    answer->ply = entry->ply;
    answer->known = entry->known;
    answer->value = entry->known ? entry->value : VALUE_DRAW;
    answer->plies = entry->known ? plies_to_end(engine, entry) : -1;
    answer->counted_plies = entry->known ? entry->plies : -1;
    merels_ply_format(engine->context->rules, entry->ply, answer->text);
}

static void choose(struct engine *engine, const struct engine_question *question,
                   struct engine_answer *answer)
{
    struct choice choice;
    list_choice(engine->context->ranking, question, &choice, answer);
    int n = n_of_value(engine, &choice);
    int k = choose_best(engine, &choice, n, question);
    if (engine->settings.shuffling)
        k = shuffle(engine, &choice, n, k);
    k = weaken(engine, &choice, n, k);
    take_ply(engine, ply_at(engine, &choice, k), answer);
}

// ---- answers -------------------------------------------------------------------------------

const char *merels_engine_why_not(const struct engine *engine, char words[ERROR_TEXT_BYTES])
{
    static const char example[] = "; for example: position startpos moves d6 f4";
    const char *why = engine->position.text;
    if (engine->refused != 0)
        snprintf(words, ERROR_TEXT_BYTES, "%s", engine->refused_text);
    else if (engine->refusal.status != STATUS_OK)
        snprintf(words, ERROR_TEXT_BYTES, "these rules are not played: %.400s",
                 engine->refusal.text);
    else if (engine->position.status != STATUS_OK)
        snprintf(words, ERROR_TEXT_BYTES,
                 "there is no position, as the last one was refused: %.400s%s", why,
                 strstr(why, "; for example: ") ? "" : example);
    else if (!engine->context->ranking)
        snprintf(words, ERROR_TEXT_BYTES, "no memory for the plies");
    else
        return NULL;
    return words;
}

bool merels_engine_takes_time(const struct engine_question *question)
{
    return question->move_ms > 0 || question->endless || question->n_nodes > DRAW_LOOK_UPS;
}

// True if the answer is the rest of the one before: the removal of a ply that was played.
static bool take_rest(struct engine *engine, struct engine_answer *answer)
{
    const struct context *context = engine->context;
    for (int i = 0; i < context->ranking->n_plies; i++) {
        const struct ranked_ply *entry = &context->ranking->plies[i];
        if (merels_game_record_same(now(engine), &engine->rest_at) &&
            engine->rest.n_removed > 0 && entry->ply.n_removed == engine->rest.n_removed &&
            memcmp(entry->ply.removed, engine->rest.removed, (size_t)entry->ply.n_removed) ==
                0) {
            take_ply(engine, entry, answer);
            return true;
        }
    }
    return false;
}

// Of removals alone the first that may be made now.
static int first_removal(const struct rules *rules, const struct position *pos,
                         const struct ply *ply)
{
    point_set removable = merels_position_removable(rules, pos->other);
    int k = 0;
    while (k + 1 < ply->n_removed && (removable >> ply->removed[k] & 1) == 0)
        k++;
    return k;
}

// Splits an answer for a protocol that asks for removals afterwards: its first step, and the
// rest, which is kept.
static void split(struct engine *engine, struct engine_answer *answer)
{
    struct ply step = answer->ply;
    const struct rules *rules = engine->context->rules;
    int given =
        step.to < 0 && step.n_removed > 0 ? first_removal(rules, now(engine), &step) : -1;
    engine->rest = (struct ply){.from = -1, .to = -1};
    step.n_removed = 0;
    for (int i = 0; i < answer->ply.n_removed; i++)
        if (i == given)
            step.removed[step.n_removed++] = answer->ply.removed[i];
        else
            engine->rest.removed[engine->rest.n_removed++] = answer->ply.removed[i];
    if (engine->rest.n_removed > 0)
        engine->rest_at = given >= 0 ? merels_remove(rules, now(engine), step.removed[0])
                                     : merels_step(rules, now(engine), step.from, step.to);
    merels_ply_format(rules, step, answer->step);
}

// When a search for values ends early.
struct search_end {
    const struct engine_question *question;
    uint64_t at_ms; // 0: none
};

static bool search_stops(void *user)
{
    const struct search_end *end = user;
    const struct engine_question *question = end->question;
    return (end->at_ms > 0 && now_ms() >= end->at_ms) ||
           (question->stops && question->stops(question->user));
}

static void rank(struct engine *engine, const struct engine_question *question)
{
    struct context *context = engine->context;
    bool timed = question->move_ms > 0 && !question->endless;
    struct search_end end = {question, timed ? now_ms() + question->move_ms : 0};
    if (context->search)
        merels_placing_search_stop(context->search, search_stops, &end);
    merels_rank_any_plies(context->base, context->rules, now(engine), context->ranking);
    if (context->search)
        merels_placing_search_stop(context->search, NULL, NULL);
}

static void answer_position(struct engine *engine, const struct engine_question *question,
                            struct engine_answer *answer)
{
    int value;
    struct context *context = engine->context;
    const char *over = merels_over_reason(context->rules, now(engine), &value);
    if (over) {
        bool counted = merels_over_by_count(context->rules, now(engine));
        *answer = (struct engine_answer){.outcome = counted ? ENGINE_COUNTED : ENGINE_OVER,
                                         .known = true,
                                         .value = (enum value)value,
                                         .plies = value ? 0 : -1};
        snprintf(answer->words, sizeof answer->words, "the game is over: %s", over);
        return;
    }
    rank(engine, question);
    answer->n_looked_up = (uint64_t)context->ranking->n_plies;
    if (!take_rest(engine, answer))
        choose(engine, question, answer);
    split(engine, answer);
    if (context->ranking->n_ranked < context->ranking->n_plies)
        snprintf(answer->words, sizeof answer->words, "%s",
                 engine->tables.status != STATUS_OK ? engine->tables.text
                                                    : context->ranking->lacking.text);
    const struct past past = past_of(engine);
    bool wins = answer->known && answer->value == VALUE_WIN;
    if (!answer->words[0] && wins && merels_past_is_too_long(&past, answer->counted_plies)) {
        int left = merels_past_quiet_limit(&past, now(engine)) - merels_past_quiet_plies(&past);
        snprintf(answer->words, sizeof answer->words,
                 "the %s takes %d plies, and the rule of draws leaves %d without a removal: it "
                 "may be drawn",
                 context->rules->metric == METRIC_DTM ? "win" : "next removal",
                 answer->counted_plies, left > 0 ? left : 0);
    }
    if (merels_past_is_draw(&past))
        answer->outcome = ENGINE_DRAW;
}

void merels_engine_answer(struct engine *engine, const struct engine_question *question,
                          struct engine_answer *answer)
{
    uint64_t begin = now_ms();
    *answer = (struct engine_answer){.plies = -1};
    merels_engine_settle(engine);
    if (merels_engine_why_not(engine, answer->words))
        answer->outcome = ENGINE_REFUSED;
    else
        answer_position(engine, question, answer);
    answer->ms = now_ms() - begin;
}
