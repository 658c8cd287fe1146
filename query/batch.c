// batch.c: many positions, one in each record of a stream.

#include "query/batch.h"

#include <string.h>

#include "query/answer_json.h"
#include "query/failure.h"
#include "query/records.h"

static enum status print_error(const struct records *records, const char *label,
                               const struct error *reason, struct output *out,
                               struct error *err)
{
    json_t *object =
        json_pack("{s:i, s:o, s:s}", "line", records->line, "error",
                  merels_json_text(reason->text), "status", merels_failure_kind(reason));
    if (object && label && json_object_set_new(object, "label", merels_json_text(label)) != 0) {
        json_decref(object);
        object = NULL;
    }
    return merels_print_json(out, object, true, err);
}

// ---- what is asked -------------------------------------------------------------------------

// A record as text, or as a JSON object with that text and a label.
struct question {
    json_t *json; // that holds the texts; NULL if they stand elsewhere
    const char *text, *label;
    int line; // for merels_game_record_read
    char room[TAG_VALUE_BYTES];
};

// A comment of a game begins with a brace, too, but not with a quotation mark in it.
static bool is_json(const char *text)
{
    text += strspn(text, " \t");
    if (*text++ != '{')
        return false;
    text += strspn(text, " \t");
    return *text == '"' || *text == '}';
}

static enum status read_json(const char *line, struct question *question, struct error *err)
{
    json_error_t fault;
    question->json = json_loads(line, JSON_REJECT_DUPLICATES, &fault);
    if (!question->json)
        return merels_error(
            err, STATUS_BAD_INPUT,
            "JSON, column %d: %s; for example: {\"position\": \"startpos moves d6\"}",
            fault.column, fault.text);
    const json_t *label = json_object_get(question->json, "label");
    question->label = json_string_value(label);
    question->text = json_string_value(json_object_get(question->json, "position"));
    if (!question->text || (label && !question->label))
        return merels_error(err, STATUS_BAD_INPUT,
                            "JSON: %s; for example: {\"position\": \"startpos moves d6\", "
                            "\"label\": \"a\"}",
                            question->text ? "the label is no text" : "there is no position");
    return STATUS_OK;
}

static enum status read_question(const struct records *records, struct question *question,
                                 struct error *err)
{
    question->text = records->text;
    question->line = merels_records_line(records);
    enum status status =
        is_json(records->text) ? read_json(records->text, question, err) : STATUS_OK;
    if (status == STATUS_OK && !question->label)
        question->label = merels_records_label(question->text, question->room);
    return status;
}

// ---- answers -------------------------------------------------------------------------------

static enum status answer(struct context *context, const struct question *question,
                          struct error *note, struct error *err)
{
    struct game_record record;
    enum status status = merels_game_record_read(context->rules, &context->variant.start,
                                                 question->text, question->line, &record, err);
    if (status != STATUS_OK)
        return status;
    const struct position pos = *merels_game_record_position(&record);
    *note = record.note;
    merels_game_record_free(&record);
    status =
        merels_rank_known_plies(context->base, context->rules, &pos, context->ranking, err);
    if (status == STATUS_OK)
        merels_print_answer_json(context, &pos, question->label,
                                 (struct answer_detail){.replies = context->args->replies,
                                                        .parts = context->args->parts});
    return status;
}

struct batch merels_batch_begin(struct context *context, FILE *in)
{
    return (struct batch){.context = context, .records = {.lines = {.in = in}}};
}

enum status merels_batch_step(struct batch *batch, bool *more, struct error *err)
{
    struct context *context = batch->context;
    struct records *records = &batch->records;
    struct error reason;
    struct question question = {.json = NULL};
    batch->note.status = STATUS_OK;
    enum status status = merels_records_next(records, more, &reason);
    if (!*more)
        return status == STATUS_OK ? status : merels_error(err, status, "%s", reason.text);
    if (status == STATUS_OK)
        status = read_question(records, &question, &reason);
    if (status == STATUS_OK)
        status = answer(context, &question, &batch->note, &reason);
    if (status != STATUS_OK) {
        batch->n_bad++;
        status = print_error(records, question.label, &reason, context->out, err);
    }
    json_decref(question.json);
    return status;
}

void merels_batch_free(struct batch *batch)
{
    merels_records_free(&batch->records);
}

enum status merels_batch_probe(struct context *context, FILE *in, struct error *err)
{
    bool more = true;
    struct batch batch = merels_batch_begin(context, in);
    enum status status = STATUS_OK;
    while (status == STATUS_OK && more) {
        status = merels_batch_step(&batch, &more, err);
        if (status == STATUS_OK)
            merels_records_tell(&batch.records, &batch.note);
        if (status == STATUS_OK)
            status = merels_output_flush(context->out, err);
    }
    merels_batch_free(&batch);
    if (status == STATUS_OK && batch.n_bad > 0)
        status =
            merels_error(err, STATUS_MISMATCH, "%llu of %llu lines have no answer",
                         (unsigned long long)batch.n_bad, (unsigned long long)batch.records.n);
    return status;
}
