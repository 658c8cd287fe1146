// answer_json.c: a ranked position as one line of JSON.
//
// Written by hand, not with jansson: a batch prints some twenty moves for each position, and
// the texts here (points, values, numbers) need no escapes. The name of the rules, which comes
// from outside, was accepted by the reader of rules and holds letters, digits and ,=- only.

#include "query/answer_json.h"

#include <stdlib.h>

#include "query/over.h"
#include "query/value_text.h"

static void print_plies(int plies, struct output *out)
{
    if (plies < 0)
        merels_print(out, "\"plies\": null");
    else
        merels_print(out, "\"plies\": %d", plies);
}

static void print_replies(struct context *context, const struct position *pos, struct ply ply)
{
    struct output *out = context->out;
    struct replies r;
    if (merels_count_replies(context->base, context->rules, pos, ply, context->ranking->list,
                             &r, NULL) == STATUS_OK)
        merels_print(out, ", \"replies\": %d, \"replies_that_hold\": %d", r.n, r.hold);
    else
        merels_print(out, ", \"replies\": null, \"replies_that_hold\": null");
}

static void print_move(struct context *context, const struct position *pos,
                       const struct ranked_ply *entry, bool replies)
{
    struct output *out = context->out;
    merels_print(out, "{\"move\": \"%s\", \"value\": \"%s\", ", entry->text,
                 merels_value_name(entry->value));
    print_plies(entry->plies, out);
    if (replies && entry->value == VALUE_DRAW)
        print_replies(context, pos, entry->ply);
    merels_print(out, "}");
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
                              const char *label, bool replies)
{
    struct output *out = context->out;
    char text[POSITION_TEXT_BYTES];
    int value;
    const struct ranking *ranking = context->ranking;
    const char *over = merels_over_reason(context->rules, pos, &value);
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
        if (ranking->plies[i].known)
            print_move(context, pos, &ranking->plies[i], replies);
        else
            merels_print(out, "{\"move\": \"%s\", \"value\": null, \"plies\": null}",
                         ranking->plies[i].text);
    }
    merels_print(out, "]}\n");
}
