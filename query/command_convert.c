// command_convert.c: merels convert: positions and games from one text form into another.

#include <stdlib.h>
#include <string.h>

#include "query/command.h"
#include "query/pgn.h"
#include "query/records.h"

// A line with the label that its text has.
static void print_line(struct output *out, const char *line, const char *label)
{
    merels_print(out, "%s", line);
    merels_records_print_label(label, out);
    merels_print(out, "\n");
}

static enum status print_game(const struct game_record *record, const char *label,
                              struct output *out, struct error *err)
{
    char *text;
    if (!record->is_game && !merels_game_record_at_start(record))
        return merels_error(
            err, STATUS_UNSUPPORTED,
            "convert: no game that leads to this position is given, and none is "
            "made up; for example: startpos moves d6 f4");
    enum status status = merels_game_record_text(record, &text, err);
    if (status != STATUS_OK)
        return status;
    print_line(out, text, label);
    free(text);
    return STATUS_OK;
}

static enum status print_form(const struct context *context, const struct game_record *record,
                              const char *text, const char *label, struct error *err)
{
    char position[POSITION_TEXT_BYTES > FEN_TEXT_BYTES ? POSITION_TEXT_BYTES : FEN_TEXT_BYTES];
    struct tag tag;
    const char *to = context->args->to ? context->args->to : "short";
    const struct position *pos = merels_game_record_position(record);
    enum status status = STATUS_OK;
    if (strcmp(to, "pgn") == 0) {
        merels_pgn_print(context->out, record, text, merels_variant_label(&context->variant),
                         merels_text_label(text, &tag));
        return STATUS_OK;
    }
    if (strcmp(to, "game") == 0)
        return print_game(record, label, context->out, err);
    if (strcmp(to, "fen") == 0)
        status = merels_position_format_fen(record->rules, pos,
                                            merels_game_record_placed(record), position, err);
    else
        merels_position_format(record->rules, pos, position);
    if (status == STATUS_OK)
        print_line(context->out, position, label);
    return status;
}

// Converts a record; `apart`: an empty line comes in front.
static enum status convert_record(const struct context *context, const struct records *records,
                                  bool apart, struct error *err)
{
    struct game_record record;
    char label[TAG_VALUE_BYTES];
    const char *text = records->text;
    enum status status = merels_game_record_read(context->rules, &context->variant.start, text,
                                                 merels_records_line(records), &record, err);
    if (status != STATUS_OK)
        return status;
    merels_records_tell(records, &record.note);
    if (apart)
        merels_print(context->out, "\n");
    status = print_form(context, &record, text, merels_records_label(text, label), err);
    merels_game_record_free(&record);
    return status;
}

// Keeps a failure to be told; one that was kept before is told now, so that the last one ends
// the run.
static void keep(const struct records *records, const struct error *reason,
                 struct error *failure)
{
    if (failure->status != STATUS_OK)
        merels_complain(failure->text);
    merels_error(failure, reason->status, "line %d: %s", records->line, reason->text);
}

// Converts the next record of the stream; *n counts those that were.
static enum status convert_next(const struct context *context, struct records *records,
                                uint64_t *n, struct error *failure, bool *read,
                                struct error *err)
{
    struct error reason;
    bool apart = *n > 0 && context->args->to && strcmp(context->args->to, "pgn") == 0;
    enum status status = merels_records_next(records, read, &reason);
    if (!*read)
        return status == STATUS_OK ? status : merels_error(err, status, "%s", reason.text);
    if (status == STATUS_OK)
        status = convert_record(context, records, apart, &reason);
    *n += status == STATUS_OK;
    if (status != STATUS_OK)
        keep(records, &reason, failure);
    return merels_output_flush(context->out, err);
}

static enum status convert_records(const struct context *context, struct error *err)
{
    bool read = true;
    uint64_t n = 0;
    struct records records = {.lines = {.in = stdin}};
    struct error failure = {.status = STATUS_OK};
    enum status status = STATUS_OK;
    while (status == STATUS_OK && read)
        status = convert_next(context, &records, &n, &failure, &read, err);
    if (status == STATUS_OK && failure.status != STATUS_OK)
        status = merels_error(err, failure.status, "%s", failure.text);
    merels_records_free(&records);
    return status;
}

static enum status run_convert(struct context *context, struct error *err)
{
    char label[TAG_VALUE_BYTES];
    if (!context->text)
        return convert_records(context, err);
    return print_form(context, &context->game, context->text,
                      merels_records_label(context->text, label), err);
}

const struct command merels_command_convert = {
    .name = "convert",
    .operands = "RULES POSITION...",
    .min_operands = 2,
    .max_operands = ANY_NUMBER,
    .needs = NEEDS_RULES,
    .asked = ASKED_LINES,
    .takes = TAKES(OPTION_TO),
    .closed_points = true,
    .summary = "write a position or a game in another text form",
    .details =
        "Reads a position or a game in any form and writes it in the form of --to:\n"
        "  short  SIDE WHITE-MEN BLACK-MEN WHITE-HAND/BLACK-HAND\n"
        "  fen    the 17 fields, on boards of 24 points\n"
        "  game   the plies, each with its removals glued to it; only where a game is given\n"
        "  pgn    tags and numbered plies, in lines of at most 80 columns\n"
        "With - as POSITION every record of standard input is converted: a line, or a\n"
        "game of several lines that begins with tags, a number or a word. What cannot be\n"
        "read is named with its line on standard error, and the exit status is 2 in the\n"
        "end. A label (; id \"club 7\") comes back. Needs no tables.",
    .example = "  merels convert nine --to fen w a7,d7,g4,b6 a1,d1,g1 0/0\n"
               "  merels convert nine --to pgn startpos moves d6 f4 d2",
    .run = run_convert,
};
