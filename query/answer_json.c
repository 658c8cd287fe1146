// answer_json.c: a ranked position as one line of JSON.
//
// Written by hand, not with jansson: a batch prints some twenty moves for each position, and
// the texts here (points, values, numbers) need no escapes. The name of the rules, which comes
// from outside, was accepted by the reader of rules and holds letters, digits and ,=- only.

#include "query/answer_json.h"

#include <stdlib.h>

#include "game/over.h"
#include "query/draws.h"
#include "query/player.h"
#include "query/render.h"
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

// Where a ply begins and ends, what it takes, and what it leads to: `after`.
static void print_parts(const struct rules *rules, struct ply ply, const struct position *after,
                        struct output *out)
{
    char text[POSITION_TEXT_BYTES];
    merels_print(out, ", \"from\": ");
    print_point(&rules->board, ply.from, out);
    merels_print(out, ", \"to\": ");
    print_point(&rules->board, ply.to, out);
    merels_print(out, ", \"removed\": [");
    for (int i = 0; i < ply.n_removed; i++) {
        merels_print(out, i > 0 ? ", " : "");
        print_point(&rules->board, ply.removed[i], out);
    }
    merels_position_format(rules, after, text);
    merels_print(out, "], \"after\": \"%s\"", text);
}

// {"move": "a1-a4", "value": "win", "plies": 5, without the brace that ends it.
static void print_value(const struct rules *rules, struct ply ply, bool known, enum value value,
                        int plies, struct output *out)
{
    char text[PLY_TEXT_BYTES];
    merels_ply_format(rules, ply, text);
    merels_print(out, "{\"move\": \"%s\", ", text);
    if (!known) {
        merels_print(out, "\"value\": null, \"plies\": null");
        return;
    }
    merels_print(out, "\"value\": \"%s\", ", merels_value_name(value));
    print_plies(plies, out);
}

// The picks of a step, what the side that picks prefers first.
static void print_picks(const struct rules *rules, const struct position *pos, bool parts,
                        const struct ranked_ply *entries, int n, struct output *out)
{
    merels_print(out, ", \"picked_by\": \"%s\", \"picks\": [",
                 merels_colour_word((int)merels_side_that_picks(rules, pos)));
    for (int i = 0; i < n; i++) {
        const struct ply removals = ply_removals(entries[i].ply);
        const struct position after = merels_play(rules, pos, entries[i].ply);
        merels_print(out, "%s", i > 0 ? ", " : "");
        print_value(rules, removals, entries[i].known, entries[i].pick_value,
                    entries[i].pick_plies, out);
        if (parts)
            print_parts(rules, removals, &after, out);
        merels_print(out, "}");
    }
    merels_print(out, "]");
}

// The n plies of a choice: one, or a step with what the other side may pick; `chance` is NULL
// if none is to be shown.
static void print_choice(const struct rules *rules, const struct position *pos, bool parts,
                         const struct ranked_ply *entry, int n,
                         const struct draw_chance *chance, struct output *out)
{
    bool picks = merels_other_side_picks(rules, &entry->ply);
    const struct ply ply = picks ? ply_step(entry->ply) : entry->ply;
    const struct position after =
        picks ? merels_step(rules, pos, ply.from, ply.to) : merels_play(rules, pos, ply);
    print_value(rules, ply, entry->known, entry->value, entry->plies, out);
    if (chance && entry->known && entry->value == VALUE_DRAW)
        print_chance(chance, out);
    if (parts)
        print_parts(rules, ply, &after, out);
    if (picks)
        print_picks(rules, pos, parts, entry, n, out);
    merels_print(out, "}");
}

static void print_moves(const struct context *context, const struct position *pos, bool parts,
                        const struct draw_chance *chances)
{
    struct output *out = context->out;
    const struct ranking *ranking = context->ranking;
    merels_print(out, "\"moves\": [");
    for (int i = 0, end; i < ranking->n_plies; i = end) {
        end = merels_ranking_choice_end(ranking, context->rules, i);
        merels_print(out, "%s", i > 0 ? ", " : "");
        print_choice(context->rules, pos, parts, &ranking->plies[i], end - i,
                     chances ? &chances[i] : NULL, out);
    }
    merels_print(out, "]");
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
    bool own_choice = merels_side_to_choose(context->rules, pos) == (enum colour)pos->mover;
    struct draw_chance *chances =
        detail.replies && own_choice && !merels_player_searches(context, pos)
            ? judge(context, pos)
            : NULL;
    merels_position_format(context->rules, pos, text);
    merels_print(out, "{");
    if (label)
        print_label(label, out);
    merels_print(out,
                 "\"rules\": \"%s\", \"position\": \"%s\", \"metric\": \"%s\", "
                 "\"value\": \"%s\", ",
                 merels_variant_label(&context->variant), text,
                 merels_edition_name(ranking->answer.edition),
                 merels_value_name(ranking->answer.value));
    print_plies(ranking->answer.plies, out);
    if (context->rules->n_move > 0)
        merels_print(out, ", \"quiet_plies\": %d", pos->count);
    if (over)
        merels_print(out, ", \"over\": \"%s\"", over);
    merels_print(out, ", \"complete\": %s, ",
                 ranking->n_ranked == ranking->n_plies ? "true" : "false");
    if (pos->due > 0 && !own_choice)
        merels_print(out, "\"picked_by\": \"%s\", ",
                     merels_colour_word((int)merels_side_that_picks(context->rules, pos)));
    print_moves(context, pos, detail.parts, chances);
    merels_print(out, "}\n");
    free(chances);
}
