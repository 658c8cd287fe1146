// command_probe.c: merels probe: the value of a position and of all its plies, best first.

#include <stdlib.h>
#include <string.h>

#include "query/answer_json.h"
#include "query/batch.h"
#include "query/board_picture.h"
#include "query/command.h"
#include "query/plain_values.h"
#include "query/player.h"
#include "query/records.h"
#include "query/render.h"
#include "query/value_text.h"
#include "query/verdict_text.h"

static void print_value(const struct rules *rules, const struct position *pos,
                        const struct answer *answer, struct output *out)
{
    char text[VERDICT_TEXT_BYTES];
    merels_print(out, "%s\n", merels_verdict_text(rules, pos, answer, text));
    if (answer->edition == EDITION_SEARCH)
        merels_print(out, "Found by search: no depths before the moving phase.\n");
    else if (!edition_has_depths(answer->edition))
        merels_print(
            out,
            "These tables hold no depths (edition %s): plies are ranked by value, those "
            "that win at once first.\n",
            merels_edition_name(answer->edition));
}

// "   3 of 54 replies hold; wrong 62 %, with the next turn 80 %, likely d6-d7": the chances
// that the other side goes wrong (draws.h).
static void print_chance(const struct draw_chance *chance, struct output *out)
{
    if (chance->chance < 0)
        merels_print(out, "   replies: not covered");
    else if (chance->n_replies > 0)
        merels_print(out, "   %d of %d replies hold", chance->n_hold, chance->n_replies);
    if (chance->wrong > 0)
        merels_print(out, "; wrong %d %%", chance->wrong / (CHANCE_ALL / 100));
    if (chance->chance > chance->wrong)
        merels_print(out, ", with the next turn %d %%",
                     (chance->chance < CHANCE_ALL ? chance->chance : CHANCE_ALL) /
                         (CHANCE_ALL / 100));
    if (chance->likely[0])
        merels_print(out, ", likely %s", chance->likely);
}

// How a ply stands in the list: the step alone if the other side picks the men.
static void choice_text(const struct rules *rules, const struct ranked_ply *entry,
                        char out[PLY_TEXT_BYTES])
{
    bool step = merels_other_side_picks(rules, &entry->ply);
    merels_ply_format(rules, step ? ply_step(entry->ply) : entry->ply, out);
}

static int longest_text(const struct ranking *ranking, const struct rules *rules)
{
    int longest = 0;
    char text[PLY_TEXT_BYTES];
    for (int i = 0; i < ranking->n_plies; i++) {
        choice_text(rules, &ranking->plies[i], text);
        int length = (int)strlen(text);
        longest = length > longest ? length : longest;
    }
    return longest;
}

// The chances of the drawing plies, from *first on; NULL if there are none, or no memory.
static struct draw_chance *judge_draws(struct context *context, const struct position *pos,
                                       int *first)
{
    int n = 0;
    const struct ranking *ranking = context->ranking;
    for (*first = 0; *first < ranking->n_plies; ++*first)
        if (ranking->plies[*first].known && ranking->plies[*first].value == VALUE_DRAW)
            break;
    while (*first + n < ranking->n_plies && ranking->plies[*first + n].known &&
           ranking->plies[*first + n].value == VALUE_DRAW)
        n++;
    bool own_choice = merels_side_to_choose(context->rules, pos) == pos->mover;
    own_choice = own_choice && !merels_player_searches(context, pos);
    struct draw_chance *chances =
        n > 0 && own_choice ? calloc((size_t)n, sizeof *chances) : NULL;
    if (chances)
        merels_player_draw(context, pos, *first, n, 0, chances);
    return chances;
}

// What a ply is worth without the count, where that differs; nothing where it is not known.
static void print_plain_ply(const struct plain_values *plain, const struct position *pos,
                            const struct ranked_ply *entry, struct output *out)
{
    struct answer answer;
    char words[VALUE_TEXT_BYTES];
    const struct position after = merels_play(plain->rules, pos, entry->ply);
    if (!entry->known || merels_plain_probe(plain, &after, &answer, NULL) != STATUS_OK)
        return;
    answer = merels_answer_before(plain->rules, pos, &entry->ply, answer);
    if (answer.value != entry->pick_value)
        merels_print(out, "   without the rule %s",
                     merels_value_words(plain->rules, answer.value, answer.plies, words));
}

static void print_choice(const struct rules *rules, const struct ranked_ply *entry, int width,
                         const struct draw_chance *chance, const struct plain_values *plain,
                         const struct position *pos, struct output *out)
{
    char text[PLY_TEXT_BYTES], words[VALUE_TEXT_BYTES];
    choice_text(rules, entry, text);
    merels_print(out, "  %-*s  %s", width, text,
                 entry->known ? merels_value_words(rules, entry->value, entry->plies, words)
                              : "unknown");
    if (plain)
        print_plain_ply(plain, pos, entry, out);
    if (chance)
        print_chance(chance, out);
    merels_print(out, "\n");
}

// "      xa1  draws": what the other side may pick, what it prefers first.
static void print_picks(const struct rules *rules, const struct ranked_ply *entries, int n,
                        struct output *out)
{
    for (int i = 0; i < n; i++) {
        char text[PLY_TEXT_BYTES], words[VALUE_TEXT_BYTES];
        merels_ply_format(rules, ply_removals(entries[i].ply), text);
        merels_print(out, "      %s  %s\n", text,
                     entries[i].known ? merels_value_words(rules, entries[i].pick_value,
                                                           entries[i].pick_plies, words)
                                      : "unknown");
    }
}

static void print_plies(struct context *context, const struct position *pos,
                        const struct plain_values *plain, struct output *out)
{
    int first;
    const struct ranking *ranking = context->ranking;
    const struct rules *rules = context->rules;
    struct draw_chance *chances = judge_draws(context, pos, &first);
    int width = longest_text(ranking, rules);
    const char *picker = merels_colour_name((int)merels_side_that_picks(rules, pos));
    if (ranking->n_plies > 0)
        merels_print(out, "\n");
    if (pos->due > 0 && merels_side_that_picks(rules, pos) != pos->mover)
        merels_print(out, "%s picks (the values are %s's):\n", picker,
                     merels_colour_name(pos->mover));
    for (int i = 0, end; i < ranking->n_plies; i = end) {
        const struct ranked_ply *entry = &ranking->plies[i];
        bool judged = chances && entry->known && entry->value == VALUE_DRAW;
        end = merels_ranking_choice_end(ranking, rules, i);
        print_choice(rules, entry, width, judged ? &chances[i - first] : NULL, plain, pos, out);
        if (merels_other_side_picks(rules, &entry->ply)) {
            merels_print(out, "    %s picks:\n", picker);
            print_picks(rules, entry, end - i, out);
        }
    }
    if (ranking->n_ranked < ranking->n_plies)
        merels_print(out, "\n%s%s\n",
                     ranking->lacking.status == STATUS_UNDECIDED
                         ? "Unknown plies: "
                         : "The tablebase is not whole: ",
                     ranking->lacking.text);
    free(chances);
}

static enum status draw_answer(struct context *context, struct error *err)
{
    const struct board_picture asked = {.rules = context->rules,
                                        .name = merels_variant_label(&context->variant),
                                        .pos = merels_game_record_position(&context->game),
                                        .ranking = context->ranking,
                                        .last = merels_game_record_last(&context->game)};
    struct svg svg = merels_board_picture(&asked);
    enum status status = merels_svg_write(&svg, context->args->svg, context->out, err);
    merels_svg_free(&svg);
    return status;
}

// The value without the count, and what the count does to it.
static void print_plain(const struct plain_values *plain, const struct rules *rules,
                        const struct position *pos, const struct answer *counted,
                        struct output *out)
{
    struct answer answer;
    struct error reason;
    char text[VERDICT_TEXT_BYTES], loss[PLAIN_TEXT_BYTES];
    if (merels_plain_probe(plain, pos, &answer, &reason) != STATUS_OK) {
        merels_print(out, "Without the rule: %s\n", reason.text);
        return;
    }
    struct position uncounted = *pos;
    uncounted.count = 0;
    merels_plain_loss_of(answer.value, counted->value, rules->n_move - pos->count, loss);
    merels_print(out, "Without the rule: %s%s%s%s\n",
                 merels_verdict_text(plain->rules, &uncounted, &answer, text),
                 loss[0] ? " So it is " : "", loss, loss[0] ? "." : "");
}

static void print_answer(struct context *context, const struct plain_values *plain)
{
    const struct position *pos = merels_game_record_position(&context->game);
    const struct render_style style = {context->args->unicode,
                                       merels_game_record_last(&context->game)};
    if (context->args->json) {
        char label[TAG_VALUE_BYTES];
        merels_print_answer_json(context, pos, merels_records_label(context->text, label),
                                 (struct answer_detail){.replies = true, .parts = true});
        return;
    }
    merels_print_board(context->out, context->rules, pos, style);
    print_value(context->rules, pos, &context->ranking->answer, context->out);
    if (plain)
        print_plain(plain, context->rules, pos, &context->ranking->answer, context->out);
    print_plies(context, pos, plain, context->out);
}

// A search that has reached its limit: how more is allowed.
static enum status advise_nodes(const struct context *context, struct error *err)
{
    const struct error reason = *err;
    uint64_t max = context->args->max_nodes > 0 ? context->args->max_nodes : ARGS_NODES;
    return merels_error(err, STATUS_UNDECIDED, "%.200s; for example with more: --nodes %llu",
                        reason.text, 10 * (unsigned long long)max);
}

static enum status answer(struct context *context, const struct plain_values *plain,
                          struct error *err)
{
    const struct position *pos = merels_game_record_position(&context->game);
    const char *svg = context->args->svg;
    enum status status =
        merels_rank_known_plies(context->base, context->rules, pos, context->ranking, err);
    if (status == STATUS_UNDECIDED)
        return advise_nodes(context, err);
    if (status == STATUS_OK && svg)
        status = draw_answer(context, err);
    if (status == STATUS_OK && !(svg && strcmp(svg, "-") == 0))
        print_answer(context, plain);
    return status;
}

static enum status answer_beside(struct context *context, struct error *err)
{
    struct plain_values plain;
    const struct arguments *args = context->args;
    if (context->rules->n_move == 0 || args->json || !context->text)
        return merels_error(
            err, STATUS_BAD_INPUT,
            "probe: --plain is for one position, in text, under rules with n-move");
    enum status status =
        merels_plain_open(args->plain, context->rules, args->cache_bytes, &plain, err);
    if (status != STATUS_OK)
        return status;
    status = answer(context, &plain, err);
    merels_plain_close(&plain);
    return status;
}

static enum status run_probe(struct context *context, struct error *err)
{
    const struct arguments *args = context->args;
    if (args->svg && !context->text)
        return merels_error(err, STATUS_BAD_INPUT,
                            "probe: --svg draws one position, given on the command line");
    if (args->svg && args->json && strcmp(args->svg, "-") == 0)
        return merels_error(err, STATUS_BAD_INPUT,
                            "probe: --json and --svg - exclude each other");
    // Without a text of the command line the positions are lines of standard input.
    if (args->plain)
        return answer_beside(context, err);
    return context->text ? answer(context, NULL, err) : merels_batch_probe(context, stdin, err);
}

const struct command merels_command_probe = {
    .name = "probe",
    .operands = "RULES POSITION...",
    .min_operands = 2,
    .max_operands = ANY_NUMBER,
    .needs = NEEDS_RANKING,
    .asked = ASKED_LINES,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_METRIC) | TAKES(OPTION_NODES) |
             TAKES(OPTION_EDITION) | TAKES(OPTION_JSON) | TAKES(OPTION_UNICODE) |
             TAKES(OPTION_CACHE) | TAKES(OPTION_REPLIES) | TAKES(OPTION_PARTS) |
             TAKES(OPTION_SVG) | TAKES(OPTION_PLAIN),
    .closed_points = true,
    .summary = "look up a position: its value, and every ply with its value",
    .details =
        "Shows the position, who wins in how many plies (a ply is one turn of one side)\n"
        "with best play of both, and every legal ply, best first: the fastest win,\n"
        "draws, the longest resistance. Values and plies are the mover's, counted from\n"
        "this position. Behind a drawing ply stands how many of the replies keep the\n"
        "draw, how likely a wrong one is, by how natural it looks, with the turn after\n"
        "it too, and the most natural wrong one. A ply whose table is missing is unknown\n"
        "(JSON: null). Under rules with n-move a position can have a count behind it, n37;\n"
        "--plain DIR shows beside each value what it is without the rule. With\n"
        "chooser=opponent a ply that closes a mill is listed as its\n"
        "step, worth what the other side's pick leaves, with the picks below, what that\n"
        "side prefers first. POSITION is one argument or the rest of the command line, in\n"
        "one of these forms:\n"
        "  SIDE WHITE-MEN BLACK-MEN WHITE-HAND/BLACK-HAND   as in the example; - for no men;\n"
        "                       SIDE is w or b; w! or b! when a removal is due\n"
        "  the FEN of 17 fields, ********/********/******** w p p 0 9 0 9 ...\n"
        "  startpos moves d6 f4 a1-a4xd7 ..., or POSITION moves ...\n"
        "or a game as other programs write it (docs/NOTATION.md). With - as POSITION every\n"
        "record of standard input is one: a line, or a game of several lines that begins\n"
        "with tags, a number or a word; or {\"position\": TEXT, \"label\": TEXT}. Every line "
        "of the output is a JSON object, in the\n"
        "same order, with the label of its record (; id \"club 7\"); one without an answer\n"
        "has \"line\" and \"error\", and the exit status is 1 in the end.\n"
        "With --svg FILE the position is drawn, too: a mark says what a man placed on a free\n"
        "point, a man, or a move along a line leads to (circle: win, diamond: draw, square:\n"
        "loss), arrows and rings show the best plies, and dashed rings the men they take.",
    .example = "  merels probe nine w a7,d7,g4,b6 a1,d1,g1 0/0\n"
               "  merels probe nine --json 'b! a7,d7,g4 a1,d1,g1,b2 0/0'\n"
               "  merels probe nine --svg board.svg startpos moves d6 f4\n"
               "  merels probe nine - < positions.txt",
    .run = run_probe,
};
