// batch.c: many positions, one a line.

#include "query/batch.h"

#include <string.h>

#include "query/answer_json.h"
#include "query/lines.h"

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

static enum status print_error(uint64_t line, const struct error *reason, struct output *out,
                               struct error *err)
{
    return merels_print_json(out,
                             json_pack("{s:I, s:o, s:s}", "line", (json_int_t)line, "error",
                                       merels_json_text(reason->text), "status",
                                       kind_of(reason)),
                             true, err);
}

static enum status answer(struct context *context, const char *text, struct error *err)
{
    struct position pos;
    enum status status =
        merels_position_parse(context->rules, &context->variant.start, text, &pos, err);
    if (status == STATUS_OK)
        status =
            merels_rank_known_plies(context->base, context->rules, &pos, context->ranking, err);
    if (status == STATUS_OK)
        merels_print_answer_json(context, &pos, context->args->replies);
    return status;
}

// Takes the next line and prints its object; *read is false behind the last line.
static enum status take_line(struct context *context, struct lines *lines, bool *read,
                             uint64_t *n_bad, struct error *err)
{
    struct output *out = context->out;
    struct error reason;
    enum status line = merels_lines_next(lines, read, &reason);
    if (!*read)
        return line == STATUS_OK ? line : merels_error(err, line, "%s", reason.text);
    if (line == STATUS_OK)
        line = answer(context, lines->text, &reason);
    if (line == STATUS_OK)
        return merels_output_flush(out, err);
    ++*n_bad;
    enum status status = print_error(lines->n_lines, &reason, out, err);
    return status == STATUS_OK ? merels_output_flush(out, err) : status;
}

enum status merels_batch_probe(struct context *context, FILE *in, struct error *err)
{
    bool read = true;
    uint64_t n_bad = 0;
    struct lines lines = {.in = in};
    enum status status = STATUS_OK;
    while (status == STATUS_OK && read)
        status = take_line(context, &lines, &read, &n_bad, err);
    merels_lines_free(&lines);
    if (status == STATUS_OK && n_bad > 0)
        status = merels_error(err, STATUS_MISMATCH, "%llu of %llu lines have no answer",
                              (unsigned long long)n_bad, (unsigned long long)lines.n_lines);
    return status;
}
