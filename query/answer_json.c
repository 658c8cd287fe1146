// answer_json.c: a ranked position as one line of JSON.
//
// Written by hand, not with jansson: a batch prints some twenty moves for each position, and
// the texts here (points, values, numbers) need no escapes. The name of the rules, which comes
// from outside, was accepted by the reader of rules and holds letters, digits and ,=- only.

#include "query/answer_json.h"

#include <stdlib.h>

#include "query/draws.h"
#include "query/over.h"
#include "query/value_text.h"

static void print_plies(int plies, struct output *out)
{
    if (plies < 0)
        merels_print(out, "\"plies\": null");
    else
        merels_print(out, "\"plies\": %d", plies);
}

// The counts of replies, and the chance of a wrong one, for programs between 0 and 1.
static void print_chance(const struct draw_chance *chance, struct output *out)
{
    if (chance->chance < 0) {
        merels_print(out, ", \"replies\": null, \"replies_that_hold\": null");
        return;
    }
    merels_print(out,
                 ", \"replies\": %d, \"replies_that_hold\": %d, \"wrong_chance\": %d.%04d, "
                 "\"likely_error\": ",
                 chance->n_replies, chance->n_hold, chance->wrong / CHANCE_ALL,
                 chance->wrong % CHANCE_ALL);
    merels_print(out, chance->likely[0] ? "\"%s\"" : "null", chance->likely);
}

static void print_point(const struct board *board, int point, struct output *out)
{
    merels_print(out, point < 0 ? "null" : "\"%s\"", point < 0 ? "" : board->names[point]);
}

// Where a ply begins and ends, what it takes, and what it leads to.
static void print_parts(const struct rules *rules, const struct position *pos, struct ply ply,
                        struct output *out)
{
    char text[POSITION_TEXT_BYTES];
    const struct position after = merels_play(rules, pos, ply);
    merels_print(out, ", \"from\": ");
    print_point(&rules->board, ply.from, out);
    merels_print(out, ", \"to\": ");
    print_point(&rules->board, ply.to, out);
    merels_print(out, ", \"removed\": [");
    for (int i = 0; i < ply.n_removed; i++) {
        merels_print(out, i > 0 ? ", " : "");
        print_point(&rules->board, ply.removed[i], out);
    }
    merels_position_format(rules, &after, text);
    merels_print(out, "], \"after\": \"%s\"", text);
}

// The value of a ply; `chance` is NULL if none is to be shown.
static void print_value(const struct ranked_ply *entry, const struct draw_chance *chance,
                        struct output *out)
{
    merels_print(out, "{\"move\": \"%s\", ", entry->text);
    if (!entry->known) {
        merels_print(out, "\"value\": null, \"plies\": null");
        return;
    }
    merels_print(out, "\"value\": \"%s\", ", merels_value_name(entry->value));
    print_plies(entry->plies, out);
    if (chance && entry->value == VALUE_DRAW)
        print_chance(chance, out);
}

// The chances of the first turn for all plies, used for those that draw; NULL without memory.
static struct draw_chance *judge(struct context *context, const struct position *pos)
{
    static const struct draw_effort first_turn = {.n_look_ups = 0};
    int first = 0, n = 0;
    struct ranking *ranking = context->ranking;
    struct draw_chance *chances = calloc((size_t)ranking->n_plies + 1, sizeof *chances);
    while (first < ranking->n_plies &&
           !(ranking->plies[first].known && ranking->plies[first].value == VALUE_DRAW))
        first++;
    while (first + n < ranking->n_plies && ranking->plies[first + n].known &&
           ranking->plies[first + n].value == VALUE_DRAW)
        n++;
    if (chances && n > 0)
        merels_draws_best(context->base, context->rules, pos, ranking, first, n, &first_turn,
                          chances + first);
    return chances;
}

static void print_label(const char *label, struct output *out)
{
    json_t *value = merels_json_text(label);
    char *text = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    if (text)
        merels_print(out, "\"label\": %s, ", text);
    free(text);
    json_decref(value);
}

void merels_print_answer_json(struct context *context, const struct position *pos,
                              const char *label, struct answer_detail detail)
{
    struct output *out = context->out;
    char text[POSITION_TEXT_BYTES];
    int value;
    const struct ranking *ranking = context->ranking;
    const char *over = merels_over_reason(context->rules, pos, &value);
    struct draw_chance *chances = detail.replies ? judge(context, pos) : NULL;
    merels_position_format(context->rules, pos, text);
    merels_print(out, "{");
    if (label)
        print_label(label, out);
    merels_print(out,
                 "\"rules\": \"%s\", \"position\": \"%s\", \"metric\": \"%s\", "
                 "\"value\": \"%s\", ",
                 context->variant.text, text, merels_edition_name(ranking->answer.edition),
                 merels_value_name(ranking->answer.value));
    print_plies(ranking->answer.plies, out);
    if (over)
        merels_print(out, ", \"over\": \"%s\"", over);
    merels_print(out, ", \"complete\": %s, \"moves\": [",
                 ranking->n_ranked == ranking->n_plies ? "true" : "false");
    for (int i = 0; i < ranking->n_plies; i++) {
        if (i > 0)
            merels_print(out, ", ");
        print_value(&ranking->plies[i], chances ? &chances[i] : NULL, out);
        if (detail.parts)
            print_parts(context->rules, pos, ranking->plies[i].ply, out);
        merels_print(out, "}");
    }
    merels_print(out, "]}\n");
    free(chances);
}
