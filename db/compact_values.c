// compact_values.c: the two-file reader of edition compact over a source of bytes.
//
// That reader needs no library, so it knows neither our errors nor threads: its callbacks keep
// what the source said, and a mutex lets one thread at a time in.

#include "db/compact_values.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "db/hash.h"
#include "embed/merels_compact.h"

enum { MOST_WANTED = 4096, NAME_BYTES = 256 };

struct compact_values {
    const struct byte_source *source;
    char name[NAME_BYTES];
    struct error failure; // what the source said last
    struct byte_range wanted[MOST_WANTED];
    size_t n_wanted;
    pthread_mutex_t one_at_a_time;
    struct merels_compact *reader;
    uint64_t memory[MERELS_COMPACT_MEMORY / sizeof(uint64_t)];
};

static int read_piece(void *context, uint64_t offset, void *to, uint32_t n_bytes)
{
    struct compact_values *v = context;
    enum status status =
        v->source->read(v->source->context, v->name, offset, to, n_bytes, &v->failure);
    v->failure.status = status;
    return status == STATUS_OK        ? MERELS_COMPACT_HERE
           : status == STATUS_NOT_YET ? MERELS_COMPACT_LATER
           : status == STATUS_CORRUPT ? MERELS_COMPACT_ENDS
                                      : MERELS_COMPACT_FAILED;
}

static void want_range(void *context, uint64_t offset, uint32_t n_bytes)
{
    struct compact_values *v = context;
    if (v->n_wanted < MOST_WANTED)
        v->wanted[v->n_wanted++] = (struct byte_range){offset, n_bytes};
}

// What a call returned, in the words of the rest; tells the source what is wanted.
static enum status outcome(struct compact_values *v, int status, struct error *err)
{
    const char *place = v->source->place;
    size_t n_wanted = v->n_wanted;
    v->n_wanted = 0;
    switch (status) {
    case MERELS_COMPACT_OK:
        return STATUS_OK;
    case MERELS_COMPACT_NOT_YET:
        merels_source_want(v->source, v->name, v->wanted, n_wanted);
        return merels_error(err, STATUS_NOT_YET, "%s/%s: not here yet", place, v->name);
    case MERELS_COMPACT_NOT_COVERED:
        return merels_error(err, STATUS_MISSING, "%s/%s: not covered", place, v->name);
    case MERELS_COMPACT_NEWER:
        return merels_error(err, STATUS_NEWER, "%s/%s: made by a newer version of merels",
                            place, v->name);
    case MERELS_COMPACT_NO_MEMORY:
        return merels_error(err, STATUS_NO_MEMORY, "%s/%s: needs more than %d MB of memory",
                            place, v->name, MERELS_COMPACT_MEMORY >> 20);
    case MERELS_COMPACT_READ_FAILED:
        return merels_error(err, v->failure.status, "%s", v->failure.text);
    default:
        return merels_error(err, STATUS_CORRUPT, "%s/%s: damaged (edition compact)", place,
                            v->name);
    }
}

static enum status check_rules(const struct compact_values *v, const struct rules *rules,
                               struct error *err)
{
    uint8_t fingerprint[FINGERPRINT_BYTES];
    enum status status = merels_rules_fingerprint(rules, fingerprint, err);
    if (status != STATUS_OK)
        return status;
    if (memcmp(fingerprint, merels_compact_fingerprint(v->reader), FINGERPRINT_BYTES) != 0)
        return merels_error(err, STATUS_OTHER_RULES, "%s/%s: made for other rules",
                            v->source->place, v->name);
    return STATUS_OK;
}

enum status merels_compact_values_open(const struct byte_source *source, const char *name,
                                       const struct rules *rules,
                                       struct compact_values **values, struct error *err)
{
    struct compact_values *v = malloc(sizeof *v);
    if (v == NULL || strlen(name) >= NAME_BYTES ||
        pthread_mutex_init(&v->one_at_a_time, NULL) != 0) {
        free(v);
        return merels_error(err, STATUS_NO_MEMORY, "%s/%s: out of memory", source->place, name);
    }
    v->source = source;
    strcpy(v->name, name);
    v->n_wanted = 0;
    const struct merels_compact_source bytes = {v, read_piece, want_range};
    int opened = merels_compact_open(v->memory, sizeof v->memory, &bytes, &v->reader);
    enum status status = outcome(v, opened, err);
    if (status == STATUS_OK)
        status = check_rules(v, rules, err);
    if (status == STATUS_OK)
        *values = v;
    else
        merels_compact_values_close(v);
    return status;
}

void merels_compact_values_close(struct compact_values *values)
{
    if (values == NULL)
        return;
    pthread_mutex_destroy(&values->one_at_a_time);
    free(values);
}

enum status merels_compact_values_probe(struct compact_values *v, const struct position *pos,
                                        int *value, struct error *err)
{
    const struct merels_compact_position p = {.own = pos->own,
                                              .other = pos->other,
                                              .own_hand = pos->own_hand,
                                              .other_hand = pos->other_hand};
    pthread_mutex_lock(&v->one_at_a_time);
    enum status status = outcome(v, merels_compact_value(v->reader, &p, value), err);
    pthread_mutex_unlock(&v->one_at_a_time);
    return status;
}

enum status merels_compact_values_list(struct compact_values *v, struct subspace **subspaces,
                                       size_t *n, struct error *err)
{
    size_t n_all = merels_compact_subspaces(v->reader);
    struct subspace *list = malloc((n_all + 1) * sizeof *list);
    if (list == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s/%s: out of memory", v->source->place,
                            v->name);
    for (size_t k = 0; k < n_all; k++) {
        const struct merels_compact_counts c = merels_compact_subspace(v->reader, k);
        list[k] =
            (struct subspace){.a = c.own, .b = c.other, .ha = c.own_hand, .hb = c.other_hand};
    }
    *subspaces = list;
    *n = n_all;
    return STATUS_OK;
}
