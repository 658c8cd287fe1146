// command_line.c: merels line: best play of both sides.
//
// In a won or lost position the best ply always brings the end one ply nearer, so the line ends
// by itself and never repeats a position. In a draw it would go on for ever: it stops at the
// first position that was there before, or after --plies.

#include <stdlib.h>

#include "game/over.h"
#include "query/command.h"
#include "query/records.h"
#include "query/render.h"
#include "query/value_text.h"

enum { DRAW_PLIES = 20 };

// Why a line ends.
enum line_end { END_OVER, END_REPEATED, END_PLIES };

// The values of the positions of a line: answers[i] after i plies, seen by who moves then.
struct line {
    const char *label; // of what is asked; NULL: it has none
    struct game_record record;
    struct answer *answers;
    enum line_end end;
};

static size_t most_plies(const struct arguments *args, const struct answer *answer)
{
    if (args->max_plies > 0)
        return (size_t)args->max_plies;
    return answer->plies >= 0 ? (size_t)answer->plies : DRAW_PLIES;
}

// Plays best plies; answers has room for n_plies + 1, and answers[0] is the ranking now.
static enum status play_line(struct context *context, struct line *line, size_t n_plies,
                             struct error *err)
{
    for (line->end = END_PLIES;;) {
        const struct ranking *ranking = context->ranking;
        size_t n = line->record.n_turns;
        line->answers[n] = ranking->answer;
        if (ranking->n_plies == 0)
            line->end = END_OVER;
        else if (merels_game_record_times(&line->record) > 1)
            line->end = END_REPEATED;
        if (line->end != END_PLIES || n == n_plies)
            return STATUS_OK;
        enum status status = merels_game_record_add(&line->record, ranking->plies[0].ply, err);
        if (status == STATUS_OK)
            status =
                merels_context_rank(context, merels_game_record_position(&line->record), err);
        if (status != STATUS_OK)
            return status;
    }
}

static void print_result(const struct rules *rules, const struct position *pos,
                         struct answer answer, struct output *out)
{
    char words[VALUE_TEXT_BYTES];
    if (answer.value == VALUE_DRAW)
        merels_print(out, "draw");
    else
        merels_print(out, "%s %s", merels_colour_name(pos->mover),
                     merels_value_words(rules, answer.value, answer.plies, words));
}

static void print_end(const struct line *line, struct output *out)
{
    size_t n = line->record.n_turns;
    int value;
    const struct position *pos = merels_game_record_position(&line->record);
    const char *over = merels_over_reason(line->record.rules, pos, &value);
    bool draw = line->answers[n].value == VALUE_DRAW;
    if (over)
        merels_print(out, "The game is over: %s.\n", over);
    if (line->end == END_REPEATED && draw)
        merels_print(out, "This position has been there before: the draw goes on for ever.\n");
    else if (line->end == END_REPEATED)
        merels_print(out, "This position has been there before: these tables hold no depth "
                          "(edition wdl) that would bring the win nearer.\n");
    else if (line->end == END_PLIES && draw)
        merels_print(out, "And so on: a draw.\n");
    else if (line->end == END_PLIES && line->answers[n].plies < 0)
        merels_print(out,
                     "These tables hold no depth (edition wdl): a win may not come nearer.\n");
}

static void print_text(const struct line *line, struct output *out)
{
    char text[POSITION_TEXT_BYTES];
    const struct game_record *record = &line->record;
    merels_position_format(record->rules, &record->first, text);
    merels_print(out, "%s", text);
    merels_records_print_label(line->label, out);
    merels_print(out, "\n");
    print_result(record->rules, &record->first, line->answers[0], out);
    merels_print(out, "\n\n");
    for (size_t i = 0; i < record->n_turns; i++) {
        const struct position *before = merels_game_record_before(record, i);
        merels_ply_format(record->rules, record->turns[i].ply, text);
        merels_print(out, "%4zu. %s  %-12s  ", i + 1, merels_colour_name(before->mover), text);
        print_result(record->rules, &record->turns[i].after, line->answers[i + 1], out);
        if (record->turns[i].ply.n_removed > 0 &&
            merels_side_that_picks(record->rules, before) != before->mover)
            merels_print(
                out, " (%s picks)",
                merels_colour_name((int)merels_side_that_picks(record->rules, before)));
        merels_print(out, "\n");
    }
    print_end(line, out);
}

static json_t *ply_json(const struct line *line, size_t i)
{
    char move[PLY_TEXT_BYTES], position[POSITION_TEXT_BYTES];
    const struct game_record *record = &line->record;
    merels_ply_format(record->rules, record->turns[i].ply, move);
    merels_position_format(record->rules, &record->turns[i].after, position);
    json_t *object = json_pack("{s:s, s:s, s:s, s:o}", "move", move, "position", position,
                               "value", merels_value_name(line->answers[i + 1].value), "plies",
                               merels_json_plies(line->answers[i + 1].plies));
    const struct position *before = merels_game_record_before(record, i);
    enum colour picker = merels_side_that_picks(record->rules, before);
    if (record->turns[i].ply.n_removed > 0 && picker != before->mover)
        json_object_set_new(object, "picked_by", json_string(merels_colour_word((int)picker)));
    return object;
}

static enum status print_json(const struct line *line, const struct context *context,
                              struct error *err)
{
    static const char *const ends[] = {"over", "repeated", "plies"};
    int value;
    char text[POSITION_TEXT_BYTES];
    json_t *list = json_array();
    merels_position_format(context->rules, &line->record.first, text);
    for (size_t i = 0; list && i < line->record.n_turns; i++)
        if (json_array_append_new(list, ply_json(line, i)) != 0) {
            json_decref(list);
            list = NULL;
        }
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:s}", "rules", merels_variant_label(&context->variant),
        "position", text, "metric", merels_edition_name(line->answers[0].edition), "value",
        merels_value_name(line->answers[0].value), "plies",
        merels_json_plies(line->answers[0].plies), "line", list, "end", ends[line->end]);
    const char *over =
        merels_over_reason(context->rules, merels_game_record_position(&line->record), &value);
    if (object && over && json_object_set_new(object, "over", json_string(over)) != 0) {
        json_decref(object);
        object = NULL;
    }
    if (object && line->label &&
        json_object_set_new(object, "label", merels_json_text(line->label)) != 0) {
        json_decref(object);
        object = NULL;
    }
    return merels_print_json(context->out, object, true, err);
}

static enum status show(struct context *context, const struct position *pos, const char *label,
                        struct error *err)
{
    const struct arguments *args = context->args;
    struct line line = {
        .label = label,
        .record = merels_game_record_begin(context->rules, &context->variant.start, pos)};
    enum status status = merels_context_rank(context, pos, err);
    if (status != STATUS_OK)
        return status;
    size_t n_plies = most_plies(args, &context->ranking->answer);
    line.answers = calloc(n_plies + 1, sizeof *line.answers);
    if (!line.answers)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the line");
    status = play_line(context, &line, n_plies, err);
    if (status == STATUS_OK && args->json)
        status = print_json(&line, context, err);
    else if (status == STATUS_OK)
        print_text(&line, context->out);
    free(line.answers);
    merels_game_record_free(&line.record);
    return status;
}

// ---- many ----------------------------------------------------------------------------------

static enum status show_record(struct context *context, const struct records *records,
                               bool apart, struct error *err)
{
    struct game_record record;
    char label[TAG_VALUE_BYTES];
    enum status status =
        merels_game_record_read(context->rules, &context->variant.start, records->text,
                                merels_records_line(records), &record, err);
    if (status != STATUS_OK)
        return status;
    const struct position pos = *merels_game_record_position(&record);
    merels_records_tell(records, &record.note);
    merels_game_record_free(&record);
    if (apart)
        merels_print(context->out, "\n");
    return show(context, &pos, merels_records_label(records->text, label), err);
}

// Shows the next record; what has no line is told, and *failure is the last of these.
static enum status take_record(struct context *context, struct records *records, bool *read,
                               struct error *failure, struct error *err)
{
    struct error reason;
    bool apart = records->n > 0 && !context->args->json;
    enum status status = merels_records_next(records, read, &reason);
    if (!*read)
        return status == STATUS_OK ? status : merels_error(err, status, "%s", reason.text);
    if (status == STATUS_OK)
        status = show_record(context, records, apart, &reason);
    if (status != STATUS_OK) {
        if (failure->status != STATUS_OK)
            merels_complain(failure->text);
        merels_error(failure, status, "line %d: %.400s", records->line, reason.text);
    }
    return merels_output_flush(context->out, err);
}

static enum status show_records(struct context *context, struct error *err)
{
    bool read = true;
    struct records records = {.lines = {.in = stdin}};
    struct error failure = {.status = STATUS_OK};
    enum status status = STATUS_OK;
    while (status == STATUS_OK && read)
        status = take_record(context, &records, &read, &failure, err);
    merels_records_free(&records);
    if (status == STATUS_OK && failure.status != STATUS_OK)
        status = merels_error(err, failure.status, "%s", failure.text);
    return status;
}

static enum status run_line(struct context *context, struct error *err)
{
    char label[TAG_VALUE_BYTES];
    if (!context->text)
        return show_records(context, err);
    return show(context, merels_game_record_position(&context->game),
                merels_records_label(context->text, label), err);
}

const struct command merels_command_line = {
    .name = "line",
    .operands = "RULES POSITION...",
    .min_operands = 2,
    .max_operands = ANY_NUMBER,
    .needs = NEEDS_RANKING,
    .asked = ASKED_LINES,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_METRIC) | TAKES(OPTION_EDITION) |
             TAKES(OPTION_PLIES) | TAKES(OPTION_JSON) | TAKES(OPTION_CACHE),
    .summary = "show best play of both sides to the end",
    .details =
        "Plays the best ply of both sides, as merels probe ranks them, and shows after\n"
        "each the value for the side that moves next; with chooser=opponent the men taken\n"
        "are the other side's best pick. A win is shown to its end, one ply nearer each\n"
        "time; a draw stops at the first position that was there before, or after 20\n"
        "plies. --plies sets another number for both. Tables\n"
        "without depths (edition wdl) do not tell which win is nearer: there a won line\n"
        "too stops like a draw. POSITION is as in merels probe --help; with - every record\n"
        "of standard input has its line, with its label (; id \"club 7\").",
    .example = "  merels line nine w a7,g7,g4 d7,g1,d1 0/0\n"
               "  merels line nine --plies 6 'w a7,d7,g7 g4,b6,d6 0/0'",
    .run = run_line,
};
