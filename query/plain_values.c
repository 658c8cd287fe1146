// plain_values.c: the same rules without n-move, and their tables.

#include "query/plain_values.h"

#include <stdio.h>
#include <stdlib.h>

enum status merels_plain_open(const char *dir, const struct rules *rules, size_t cache_bytes,
                              struct plain_values *plain, struct error *err)
{
    *plain = (struct plain_values){.rules = malloc(sizeof *plain->rules)};
    if (!plain->rules)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the rules");
    *plain->rules = *rules;
    plain->rules->n_move = 0;
    plain->rules->metric = METRIC_DTC;
    enum status status =
        merels_tablebase_open(dir, plain->rules, cache_bytes, &plain->base, NULL);
    if (status == STATUS_OTHER_RULES || status == STATUS_MISSING) {
        plain->rules->metric = METRIC_DTM; // the usual one, which messages speak of
        status = merels_tablebase_open(dir, plain->rules, cache_bytes, &plain->base, err);
    }
    if (status != STATUS_OK)
        merels_plain_close(plain);
    return status;
}

void merels_plain_close(struct plain_values *plain)
{
    merels_tablebase_close(plain->base);
    free(plain->rules);
    *plain = (struct plain_values){0};
}

enum status merels_plain_probe(const struct plain_values *plain, const struct position *pos,
                               struct answer *answer, struct error *err)
{
    struct position uncounted = *pos;
    uncounted.count = 0;
    return merels_tablebase_probe(plain->base, &uncounted, answer, err);
}

const char *merels_plain_loss_of(enum value plain, enum value counted, int left,
                                 char out[PLAIN_TEXT_BYTES])
{
    out[0] = '\0';
    if (counted == VALUE_DRAW && plain != VALUE_DRAW)
        snprintf(out, PLAIN_TEXT_BYTES, "%s, but not within %d %s",
                 plain == VALUE_WIN ? "won" : "lost", left, left == 1 ? "ply" : "plies");
    return out;
}
