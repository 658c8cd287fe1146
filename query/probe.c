// probe.c: merels probe: the value and the depth of one position.

#include <stdlib.h>
#include <string.h>

#include "game/notation.h"
#include "query/command.h"
#include "query/render.h"
#include "query/setting.h"

// The position text: the operands after RULES, one space between; the caller frees it.
static char *join_operands(const struct arguments *args)
{
    size_t n_bytes = 1;
    for (int i = 1; i < args->n_operands; i++)
        n_bytes += strlen(args->operands[i]) + 1;
    char *text = malloc(n_bytes);
    if (!text)
        return NULL;
    char *end = text;
    for (int i = 1; i < args->n_operands; i++) {
        if (i > 1)
            *end++ = ' ';
        end = stpcpy(end, args->operands[i]);
    }
    *end = '\0';
    return text;
}

static const char *value_name(enum value value)
{
    return value == VALUE_WIN ? "win" : value == VALUE_LOSS ? "loss" : "draw";
}

static const char *metric_name(enum edition edition)
{
    return edition == EDITION_WDL ? "wdl" : "dtm";
}

static enum status print_object(const struct setting *setting, const struct position *pos,
                                const struct answer *answer, struct output *out,
                                struct error *err)
{
    char text[POSITION_TEXT_BYTES];
    merels_position_format(&setting->rules, pos, text);
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:o}", "rules", setting->rules_text, "position", text,
                  "metric", metric_name(answer->edition), "value", value_name(answer->value),
                  "plies", merels_json_plies(answer->plies));
    return merels_print_json(out, object, true, err);
}

static void print_turn(const struct position *pos, struct output *out)
{
    const char *mover = merels_colour_name(pos->mover);
    int white_hand = pos->mover == WHITE ? pos->own_hand : pos->other_hand;
    int black_hand = pos->mover == WHITE ? pos->other_hand : pos->own_hand;
    merels_print(out, "O White, @ Black. ");
    if (white_hand + black_hand > 0)
        merels_print(out, "In hand: White %d, Black %d. ", white_hand, black_hand);
    if (pos->due == 0)
        merels_print(out, "%s to move.\n", mover);
    else
        merels_print(out, "%s has closed a mill and removes %d.\n", mover, pos->due);
}

static void print_value(const struct position *pos, const struct answer *answer,
                        struct output *out)
{
    const char *mover = merels_colour_name(pos->mover);
    const char *plural = answer->plies == 1 ? "ply" : "plies";
    if (answer->value == VALUE_DRAWN)
        merels_print(out, "Draw: neither side can force a win.\n");
    else if (answer->value == VALUE_LOSS && answer->plies == 0)
        merels_print(out, "%s has lost: the game is over.\n", mover);
    else if (answer->plies < 0)
        merels_print(out, "%s %s; these tables hold no depth.\n", mover,
                     answer->value == VALUE_WIN ? "wins" : "loses");
    else
        merels_print(out, "%s %s in %d %s%s.\n", mover,
                     answer->value == VALUE_WIN ? "wins" : "loses", answer->plies, plural,
                     pos->due > 0 ? ", the one that closed the mill included" : "");
}

static void print_drawing(const struct setting *setting, const struct position *pos,
                          const struct answer *answer, struct output *out)
{
    char text[POSITION_TEXT_BYTES];
    char drawing[BOARD_TEXT_BYTES];
    merels_position_format(&setting->rules, pos, text);
    merels_render_board(&setting->rules.board, pos, drawing);
    merels_print(out, "%s\n\n%s\n", text, drawing);
    print_turn(pos, out);
    print_value(pos, answer, out);
}

// The look-up of one position text; `base` may be probed any number of times.
static enum status probe_text(const struct setting *setting, const char *text, bool json,
                              struct output *out, struct error *err)
{
    struct position pos;
    struct answer answer;
    struct tablebase *base = NULL;
    enum status status =
        merels_position_parse(&setting->rules, &setting->start, text, &pos, err);
    if (status == STATUS_OK)
        status = merels_setting_open(setting, &base, err);
    if (status == STATUS_OK)
        status = merels_tablebase_probe(base, &pos, &answer, err);
    merels_tablebase_close(base);
    if (status != STATUS_OK)
        return status;
    if (json)
        return print_object(setting, &pos, &answer, out, err);
    print_drawing(setting, &pos, &answer, out);
    return STATUS_OK;
}

static enum status run_probe(const struct arguments *args, struct output *out,
                             struct error *err)
{
    struct setting *setting;
    enum status status = merels_setting_create(args, &setting, err);
    if (status != STATUS_OK)
        return status;
    char *text = join_operands(args);
    if (text)
        status = probe_text(setting, text, args->json, out, err);
    else
        status = merels_error(err, STATUS_NO_MEMORY, "no memory for the position");
    free(text);
    merels_setting_destroy(setting);
    return status;
}

const struct command merels_command_probe = {
    .name = "probe",
    .operands = "RULES POSITION...",
    .min_operands = 2,
    .max_operands = ANY_NUMBER,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_JSON),
    .summary = "look up the value and depth of a position",
    .details =
        "Shows the position and who wins in how many plies (a ply is one turn of one side) "
        "with\n"
        "best play of both. POSITION is one argument or the rest of the command line:\n"
        "  SIDE WHITE-MEN BLACK-MEN WHITE-HAND/BLACK-HAND   as in the example; - for no men;\n"
        "                       SIDE is w or b; w! or b! when a removal is due\n"
        "  startpos moves d6 f4 a1-a4xd7 ...",
    .example = "  merels probe nine w a7,d7,g4,b6 a1,d1,g1 0/0\n"
               "  merels probe nine --json 'b! a7,d7,g4 a1,d1,g1,b2 0/0'",
    .run = run_probe,
};
