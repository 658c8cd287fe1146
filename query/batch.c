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
        merels_print_answer_json(context, &pos, label,
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
    char room[TAG_VALUE_BYTES];
    enum status status = merels_records_next(records, more, &reason);
    if (!*more)
        return status == STATUS_OK ? status : merels_error(err, status, "%s", reason.text);
    const char *label = status == STATUS_OK ? merels_records_label(records->text, room) : NULL;
    if (status == STATUS_OK)
        status = answer(context, records, label, &reason);
    if (status == STATUS_OK)
        return STATUS_OK;
    batch->n_bad++;
    return print_error(records, label, &reason, context->out, err);
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
            status = merels_output_flush(context->out, err);
    }
    merels_batch_free(&batch);
    if (status == STATUS_OK && batch.n_bad > 0)
        status =
            merels_error(err, STATUS_MISMATCH, "%llu of %llu lines have no answer",
                         (unsigned long long)batch.n_bad, (unsigned long long)batch.records.n);
    return status;
}
