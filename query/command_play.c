// command_play.c: merels play: a person against the perfect player in the terminal.

#include <stdlib.h>
#include <unistd.h>

#include "query/command.h"
#include "query/dialogue.h"
#include "query/lines.h"
#include "query/render.h"

// Takes the next line from the person; false at the end. A line that is no text is explained
// like any other illegal input.
static bool take_line(struct dialogue *dialogue, struct lines *lines, enum status *status,
                      struct error *err)
{
    bool read;
    struct error reason;
    enum status line = merels_lines_next(lines, &read, &reason);
    if (!read) {
        *status = line == STATUS_OK ? line : merels_error(err, line, "%s", reason.text);
        return false;
    }
    if (line == STATUS_OK)
        merels_dialogue_take(dialogue, lines->text);
    else
        merels_print(dialogue->context->out, "Not played: %s.\n", reason.text);
    return !dialogue->quit;
}

// Lets the perfect player play while it is its turn, then takes a line; false at the end.
static bool step(struct dialogue *dialogue, bool terminal, struct lines *lines,
                 enum status *status, struct error *err)
{
    struct output *out = dialogue->context->out;
    while (merels_dialogue_is_waiting(dialogue))
        merels_dialogue_play(dialogue);
    if (terminal)
        merels_print(out, "%s> ", merels_colour_name((int)merels_dialogue_side(dialogue)));
    *status = merels_output_flush(out, err);
    if (*status != STATUS_OK)
        return false;
    bool more = take_line(dialogue, lines, status, err);
    merels_print(out, terminal && !more && !dialogue->quit ? "\n" : "");
    return more;
}

static enum status converse(struct dialogue *dialogue, struct error *err)
{
    struct lines lines = {.in = stdin};
    enum status status = STATUS_OK;
    bool terminal = isatty(STDIN_FILENO);
    merels_print(dialogue->context->out,
                 "Enter a ply, as d6, a1-a4, d6xd7; help lists the commands.\n");
    merels_dialogue_show(dialogue);
    while (step(dialogue, terminal, &lines, &status, err))
        continue;
    merels_lines_free(&lines);
    return status;
}

static enum status run_play(struct context *context, struct error *err)
{
    const struct arguments *args = context->args;
    struct dialogue dialogue = {.context = context, .unicode = args->unicode};
    merels_dialogue_set_side(&dialogue, args->side ? args->side : "white");
    return converse(&dialogue, err);
}

const struct command merels_command_play = {
    .name = "play",
    .operands = "RULES [POSITION...]",
    .min_operands = 1,
    .max_operands = ANY_NUMBER,
    .needs = NEEDS_RANKING,
    .asked = ASKED_GAME,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_METRIC) | TAKES(OPTION_NODES) |
             TAKES(OPTION_EDITION) | TAKES(OPTION_SIDE) | TAKES(OPTION_UNICODE) |
             TAKES(OPTION_CACHE),
    .closed_points = true,
    .summary = "play against the perfect player",
    .details =
        "A game from POSITION (else from the start) in the terminal. Plies are entered\n"
        "as d6, a1-a4, d6xd7; a removal may follow on a line of its own. Further: help,\n"
        "board, hint, values, back, side, game, save FILE, load FILE, quit. The perfect\n"
        "player wins as fast as it can, resists as long as it can, and in a draw plays\n"
        "what you are most likely to answer wrongly. With chooser=opponent the side that\n"
        "loses a man is asked which. Where the tables do not cover a position you enter\n"
        "its ply yourself.",
    .example = "  merels play nine --side black\n"
               "  merels play nine 'w d7,g4,d1 a7,g7,a1 0/0'",
    .run = run_play,
};
