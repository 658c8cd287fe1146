// batch.c: many positions, one a line.

#include "query/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "query/answer_json.h"

static enum status print_error(uint64_t line, const struct error *reason, struct output *out,
                               struct error *err)
{
    return merels_print_json(out,
                             json_pack("{s:I, s:o, s:s}", "line", (json_int_t)line, "error",
                                       merels_json_text(reason->text), "status",
                                       merels_status_name(reason->status)),
                             true, err);
}

static enum status answer(struct prober *prober, const char *text, size_t length, bool replies,
                          struct output *out, struct error *err)
{
    struct position pos;
    if (strlen(text) != length)
        return merels_error(err, STATUS_BAD_INPUT, "position, column %zu: a byte of value 0",
                            strlen(text) + 1);
    enum status status =
        merels_position_parse(prober->rules, &prober->setting->start, text, &pos, err);
    if (status == STATUS_OK)
        status = merels_prober_rank(prober, &pos, err);
    if (status == STATUS_OK)
        merels_print_answer_json(prober, &pos, replies, out);
    return status;
}

enum status merels_batch_probe(struct prober *prober, FILE *in, bool replies,
                               struct output *out, struct error *err)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t length;
    uint64_t n_lines = 0, n_bad = 0;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && (length = getline(&text, &room, in)) >= 0) {
        struct error reason;
        n_lines++;
        if (length > 0 && text[length - 1] == '\n')
            text[--length] = '\0';
        if (answer(prober, text, (size_t)length, replies, out, &reason) != STATUS_OK) {
            n_bad++;
            status = print_error(n_lines, &reason, out, err);
        }
        if (status == STATUS_OK)
            status = merels_output_flush(out, err);
    }
    if (status == STATUS_OK && !feof(in))
        status =
            merels_error(err, STATUS_IO, "cannot read standard input: %s", strerror(errno));
    free(text);
    if (status == STATUS_OK && n_bad > 0)
        status = merels_error(err, STATUS_MISMATCH, "%llu of %llu lines have no answer",
                              (unsigned long long)n_bad, (unsigned long long)n_lines);
    return status;
}
