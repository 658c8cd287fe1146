// command_analyse.c: merels analyse: a game, ply by ply, and where a win or a draw was thrown
// away.
//
// The value after a ply is what the ranking of the position before it says of that ply, so one
// ranking a ply gives the value, the best there was, and what would have kept it.

#include <string.h>

#include "query/command.h"
#include "query/render.h"
#include "query/value_text.h"

// One turn of the game and what is known of it.
struct verdict {
    size_t number; // of the turn, from 0
    const struct position *before;
    char text[PLY_TEXT_BYTES];
    const struct ranking *ranking;  // of the position before; NULL if it has no answer
    const struct ranked_ply *entry; // of the ply; NULL if there is no answer, or no removal yet
    const char *failure;            // why there is no answer
};

struct analysis {
    struct context *context;
    struct game_record record;
    size_t n_failures;
    char first_failure[ERROR_TEXT_BYTES];
};

static const struct ranked_ply *find(const struct ranking *ranking, const char *text)
{
    for (int i = 0; i < ranking->n_plies; i++)
        if (strcmp(ranking->plies[i].text, text) == 0)
            return &ranking->plies[i];
    return NULL;
}

// Ranks the position before a turn; `reason` is room for the failure.
static struct verdict judge(struct analysis *analysis, size_t i, struct error *reason)
{
    const struct game_record *record = &analysis->context->game;
    struct verdict v = {.number = i, .before = merels_game_record_before(record, i)};
    merels_ply_format(record->rules, record->turns[i].ply, v.text);
    if (merels_context_rank(analysis->context, v.before, reason) == STATUS_OK) {
        v.ranking = analysis->context->ranking;
        v.entry = find(v.ranking, v.text);
        return v;
    }
    v.failure = reason->text;
    if (analysis->n_failures++ == 0)
        memcpy(analysis->first_failure, reason->text, sizeof reason->text);
    return v;
}

static bool is_mistake(const struct verdict *v)
{
    return v->entry && v->entry->value < v->ranking->answer.value;
}

// How many plies keep the value; they stand first.
static int n_keeping(const struct ranking *ranking)
{
    int n = 0;
    while (n < ranking->n_plies && ranking->plies[n].value == ranking->answer.value)
        n++;
    return n;
}

// ---- as text -------------------------------------------------------------------------------

static void print_mistake(const struct verdict *v, struct output *out)
{
    int n = n_keeping(v->ranking);
    char words[VALUE_TEXT_BYTES];
    bool win = v->ranking->answer.value == VALUE_WIN;
    merels_print(out, "  ?? throws away the %s; kept by", win ? "win" : "draw");
    for (int i = 0; i < n; i++) {
        const struct ranked_ply *kept = &v->ranking->plies[i];
        merels_print(out, "%s %s", i > 0 ? "," : "", kept->text);
        if (win && kept->plies >= 0)
            merels_print(out, " (%s)", merels_value_words(kept->value, kept->plies, words));
    }
}

static void print_verdict(const struct verdict *v, struct output *out)
{
    char words[VALUE_TEXT_BYTES];
    const char *colour = merels_colour_name(v->before->mover);
    merels_print(out, "%4zu. %s  %-12s  ", v->number + 1, colour, v->text);
    if (v->failure)
        merels_print(out, "no answer: %s", v->failure);
    else if (!v->entry)
        merels_print(out, "the removal is missing");
    else
        merels_print(out, "%s %s", colour,
                     merels_value_words(v->entry->value, v->entry->plies, words));
    if (is_mistake(v))
        print_mistake(v, out);
    merels_print(out, "\n");
}

static enum status print_text(struct analysis *analysis, struct output *out)
{
    char text[POSITION_TEXT_BYTES];
    size_t n_mistakes = 0;
    const struct game_record *record = &analysis->context->game;
    merels_position_format(record->rules, &record->first, text);
    merels_print(out, "%s\n\n", text);
    for (size_t i = 0; i < record->n_turns; i++) {
        struct error reason;
        struct verdict v = judge(analysis, i, &reason);
        n_mistakes += is_mistake(&v);
        print_verdict(&v, out);
    }
    merels_print(out, "\n%zu %s, %zu of them threw away a win or a draw.\n", record->n_turns,
                 record->n_turns == 1 ? "ply" : "plies", n_mistakes);
    return STATUS_OK;
}

// ---- as JSON -------------------------------------------------------------------------------

static json_t *kept_json(const struct verdict *v)
{
    json_t *list = json_array();
    int n = is_mistake(v) ? n_keeping(v->ranking) : 0;
    for (int i = 0; list && i < n; i++)
        if (json_array_append_new(list, json_string(v->ranking->plies[i].text)) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *verdict_json(const struct verdict *v)
{
    const char *side = v->before->mover == WHITE ? "white" : "black";
    if (v->failure)
        return json_pack("{s:s, s:s, s:o}", "side", side, "move", v->text, "error",
                         merels_json_text(v->failure));
    if (!v->entry)
        return json_pack("{s:s, s:s, s:s}", "side", side, "move", v->text, "error",
                         "the removal is missing");
    return json_pack("{s:s, s:s, s:s, s:o, s:s, s:o, s:b, s:o}", "side", side, "move", v->text,
                     "value", merels_value_name(v->entry->value), "plies",
                     merels_json_plies(v->entry->plies), "best_value",
                     merels_value_name(v->ranking->answer.value), "best_plies",
                     merels_json_plies(v->ranking->answer.plies), "mistake", is_mistake(v),
                     "kept_by", kept_json(v));
}

static enum status print_json(struct analysis *analysis, struct output *out, struct error *err)
{
    char text[POSITION_TEXT_BYTES];
    const struct game_record *record = &analysis->context->game;
    json_t *list = json_array();
    merels_position_format(record->rules, &record->first, text);
    for (size_t i = 0; list && i < record->n_turns; i++) {
        struct error reason;
        struct verdict v = judge(analysis, i, &reason);
        if (json_array_append_new(list, verdict_json(&v)) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    json_t *object = json_pack("{s:s, s:s, s:o}", "rules", analysis->context->variant.text,
                               "position", text, "moves", list);
    return merels_print_json(out, object, true, err);
}

// ---- the command ---------------------------------------------------------------------------

static enum status run_analyse(struct context *context, struct error *err)
{
    struct analysis analysis = {.context = context};
    enum status status = context->args->json ? print_json(&analysis, context->out, err)
                                             : print_text(&analysis, context->out);
    if (status == STATUS_OK && analysis.n_failures > 0)
        status = merels_error(
            err, STATUS_NOT_COVERED, "%zu of %zu plies have no answer; the first: %s",
            analysis.n_failures, context->game.n_turns, analysis.first_failure);
    return status;
}

const struct command merels_command_analyse = {
    .name = "analyse",
    .operands = "RULES GAME...",
    .min_operands = 2,
    .max_operands = ANY_NUMBER,
    .needs = NEEDS_RANKING,
    .asked = ASKED_INPUT,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_JSON) | TAKES(OPTION_CACHE),
    .summary = "show the value of every ply of a game, and its mistakes",
    .details =
        "Shows for every ply of a game what it is worth for the side that plays it, and\n"
        "marks with ?? those that threw away a win or a draw, with all plies that would\n"
        "have kept it.\n"
        "GAME is one argument or the rest of the command line, or - for standard input:\n"
        "  startpos moves d6 f4 ...   or   POSITION moves a1-a4 ...\n"
        "Plies whose positions the tables do not cover are named, and the exit status\n"
        "is 1.",
    .example = "  merels analyse nine 'w a7,g7,g4 d7,g1,d1 0/0 moves g4-a1 d7-b6'\n"
               "  merels analyse nine - < game.txt",
    .run = run_analyse,
};
