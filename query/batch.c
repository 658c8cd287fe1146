// batch.c: many positions, one in each record of a stream.

#include "query/batch.h"

#include <string.h>

#include "query/answer_json.h"
#include "query/records.h"

// The kind of failure for programs: a position without a table either cannot arise, or the
// table is missing.
static const char *kind_of(const struct error *reason)
{
    static const char cannot_arise[] = "not covered: cannot arise";
    if (reason->status != STATUS_NOT_COVERED)
        return merels_status_name(reason->status);
    return strncmp(reason->text, cannot_arise, strlen(cannot_arise)) == 0 ? "cannot arise"
                                                                          : "missing";
}

static enum status print_error(const struct records *records, const char *label,
                               const struct error *reason, struct output *out,
                               struct error *err)
{
    json_t *object = json_pack("{s:i, s:o, s:s}", "line", records->line, "error",
                               merels_json_text(reason->text), "status", kind_of(reason));
    if (object && label && json_object_set_new(object, "label", merels_json_text(label)) != 0) {
        json_decref(object);
        object = NULL;
    }
    return merels_print_json(out, object, true, err);
}

static enum status answer(struct context *context, const struct records *records,
                          const char *label, struct error *err)
{
    struct game_record record;
    enum status status =
        merels_game_record_read(context->rules, &context->variant.start, records->text,
                                merels_records_line(records), &record, err);
    if (status != STATUS_OK)
        return status;
    const struct position pos = *merels_game_record_position(&record);
    merels_game_record_free(&record);
    status =
        merels_rank_known_plies(context->base, context->rules, &pos, context->ranking, err);
    if (status == STATUS_OK)
        merels_print_answer_json(context, &pos, label, context->args->replies);
    return status;
}

// Takes the next record and prints its object; *read is false behind the last.
static enum status take_record(struct context *context, struct records *records, bool *read,
                               uint64_t *n_bad, struct error *err)
{
    struct output *out = context->out;
    struct error reason;
    char room[TAG_VALUE_BYTES];
    enum status status = merels_records_next(records, read, &reason);
    if (!*read)
        return status == STATUS_OK ? status : merels_error(err, status, "%s", reason.text);
    const char *label = status == STATUS_OK ? merels_records_label(records->text, room) : NULL;
    if (status == STATUS_OK)
        status = answer(context, records, label, &reason);
    if (status == STATUS_OK)
        return merels_output_flush(out, err);
    ++*n_bad;
    status = print_error(records, label, &reason, out, err);
    return status == STATUS_OK ? merels_output_flush(out, err) : status;
}

enum status merels_batch_probe(struct context *context, FILE *in, struct error *err)
{
    bool read = true;
    uint64_t n_bad = 0;
    struct records records = {.lines = {.in = in}};
    enum status status = STATUS_OK;
    while (status == STATUS_OK && read)
        status = take_record(context, &records, &read, &n_bad, err);
    merels_records_free(&records);
    if (status == STATUS_OK && n_bad > 0)
        status = merels_error(err, STATUS_MISMATCH, "%llu of %llu lines have no answer",
                              (unsigned long long)n_bad, (unsigned long long)records.n);
    return status;
}
