// command_convert.c: merels convert: a position from one text form into another.

#include <stdlib.h>
#include <string.h>

#include "query/command.h"
#include "query/lines.h"

static enum status print_game(const struct game_record *record, struct output *out,
                              struct error *err)
{
    char *text;
    if (!record->is_game && !merels_game_record_at_start(record))
        return merels_error(err, STATUS_UNSUPPORTED,
                            "convert: no game that leads to this position is given; a game is "
                            "written only for a game");
    enum status status = merels_game_record_text(record, &text, err);
    if (status != STATUS_OK)
        return status;
    merels_print(out, "%s\n", text);
    free(text);
    return STATUS_OK;
}

static enum status print_form(const struct game_record *record, const char *to,
                              struct output *out, struct error *err)
{
    char text[POSITION_TEXT_BYTES > FEN_TEXT_BYTES ? POSITION_TEXT_BYTES : FEN_TEXT_BYTES];
    const struct position *pos = merels_game_record_position(record);
    enum status status = STATUS_OK;
    if (to && strcmp(to, "game") == 0)
        return print_game(record, out, err);
    if (to && strcmp(to, "fen") == 0)
        status = merels_position_format_fen(record->rules, pos,
                                            merels_game_record_placed(record), text, err);
    else
        merels_position_format(record->rules, pos, text);
    if (status == STATUS_OK)
        merels_print(out, "%s\n", text);
    return status;
}

static enum status convert_text(const struct context *context, const char *text,
                                struct error *err)
{
    struct game_record record;
    enum status status =
        merels_game_record_read(context->rules, &context->variant.start, text, 0, &record, err);
    if (status != STATUS_OK)
        return status;
    status = print_form(&record, context->args->to, context->out, err);
    merels_game_record_free(&record);
    return status;
}

// Every line of standard input; the first bad one ends it.
static enum status convert_lines(const struct context *context, struct error *err)
{
    bool read = true;
    struct lines lines = {.in = stdin};
    enum status status = STATUS_OK;
    while (status == STATUS_OK && read) {
        struct error reason;
        status = merels_lines_next(&lines, &read, &reason);
        if (status == STATUS_OK && read)
            status = convert_text(context, lines.text, &reason);
        if (status != STATUS_OK && read)
            status = merels_error(err, status, "line %llu: %s",
                                  (unsigned long long)lines.n_lines, reason.text);
        else if (status != STATUS_OK)
            status = merels_error(err, status, "%s", reason.text);
        else
            status = merels_output_flush(context->out, err);
    }
    merels_lines_free(&lines);
    return status;
}

static enum status run_convert(struct context *context, struct error *err)
{
    if (!context->text)
        return convert_lines(context, err);
    return print_form(&context->game, context->args->to, context->out, err);
}

const struct command merels_command_convert = {
    .name = "convert",
    .operands = "RULES POSITION...",
    .min_operands = 2,
    .max_operands = ANY_NUMBER,
    .needs = NEEDS_RULES,
    .asked = ASKED_LINES,
    .takes = TAKES(OPTION_TO),
    .summary = "write a position in another text form",
    .details =
        "Reads a position in any form and writes it in the form of --to:\n"
        "  short  SIDE WHITE-MEN BLACK-MEN WHITE-HAND/BLACK-HAND\n"
        "  fen    the 17 fields, on boards of 24 points\n"
        "  game   the plies, each with its removals glued to it; only where a game is given\n"
        "With - as POSITION every line of standard input is converted, up to the first\n"
        "that cannot be read. Needs no tables.",
    .example = "  merels convert nine --to fen w a7,d7,g4,b6 a1,d1,g1 0/0\n"
               "  merels convert nine startpos moves d6 f4 d2",
    .run = run_convert,
};
