// compact_values.c: the two-file reader of edition compact over a source of bytes.
//
// That reader needs no library, so it knows neither our errors nor threads: its callbacks keep
// what the source said, and a mutex lets one thread at a time in.

#include "db/compact_values.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/hash.h"
#include "db/header.h"
#include "db/refusal.h"
#include "embed/merels_compact.h"
#include "game/rules_text.h"

enum {
    MOST_WANTED = 4096,
    NAME_BYTES = 256,
    COMPACT_LENGTH_AT = 32, // of the file, in its head
    COMPACT_LENGTH_END = 40
};

struct compact_values {
    const struct byte_source *source;
    char name[NAME_BYTES];
    struct error failure; // what the source said last
    struct byte_range wanted[MOST_WANTED];
    size_t n_wanted;
    pthread_mutex_t one_at_a_time;
    struct merels_compact *reader;
    struct merels_compact_ply plies[MERELS_COMPACT_PLIES];
    _Alignas(8) uint64_t memory[MERELS_COMPACT_MEMORY / sizeof(uint64_t)];
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

// ---- rules ---------------------------------------------------------------------------------

// True if the text of the file's rules is that of `rules` but for the metric.
static bool differs_in_metric(const struct rules *rules, const char *text)
{
    char plain_text[RULES_TEXT_BYTES];
    struct rules *plain = malloc(sizeof *plain);
    if (plain == NULL)
        return false;
    *plain = *rules;
    plain->metric = METRIC_DTM;
    merels_rules_text(plain, plain_text);
    free(plain);
    return strcmp(plain_text, text) == 0;
}

static enum status refuse_rules(const struct compact_values *v, const struct rules *rules,
                                struct error *err)
{
    char text[RULES_TEXT_BYTES], path[ERROR_TEXT_BYTES];
    size_t n;
    const char *there = merels_compact_rules(v->reader, &n);
    snprintf(path, sizeof path, "%s/%s", v->source->place, v->name);
    snprintf(text, sizeof text, "%.*s", (int)n, there);
    if (rules->metric == METRIC_DTC && differs_in_metric(rules, text))
        return merels_error(err, STATUS_OTHER_RULES,
                            "%s: the edition compact has no depths, so no metric dtc: ask "
                            "without it (--metric dtc, metric=dtc), or the tables of metric "
                            "dtc",
                            path);
    return merels_refuse_rules(path, text, rules, err);
}

static enum status check_rules(const struct compact_values *v, const struct rules *rules,
                               struct error *err)
{
    uint8_t fingerprint[FINGERPRINT_BYTES];
    enum status status = merels_rules_fingerprint(rules, fingerprint, err);
    if (status == STATUS_OK &&
        memcmp(fingerprint, merels_compact_fingerprint(v->reader), FINGERPRINT_BYTES) != 0)
        status = refuse_rules(v, rules, err);
    return status;
}

// ---- opening -------------------------------------------------------------------------------

// The length of the file, 0 if the source does not know it.
static uint64_t length_of(const struct byte_source *source, const char *name)
{
    uint64_t n_bytes;
    return source->size(source->context, name, &n_bytes, NULL) == STATUS_OK ? n_bytes : 0;
}

// A head that cannot be believed: of what, as far as its first bytes tell.
static enum status say_damaged(const struct compact_values *v, uint64_t n_bytes,
                               struct error *err)
{
    const char *place = v->source->place, *name = v->name;
    uint8_t fixed[COMPACT_LENGTH_END];
    if (v->source->read(v->source->context, name, 0, fixed, sizeof fixed, NULL) != STATUS_OK)
        return merels_error(err, STATUS_CORRUPT, "%s/%s: damaged (edition compact)", place,
                            name);
    if (memcmp(fixed, COMPACT_MAGIC, sizeof COMPACT_MAGIC - 1) != 0)
        return merels_error(err, STATUS_CORRUPT,
                            "%s/%s: damaged, or no file of edition compact", place, name);
    uint64_t stated = get_le(fixed + COMPACT_LENGTH_AT, 8);
    if (n_bytes != 0 && n_bytes != stated)
        return merels_error(err, STATUS_CORRUPT,
                            "%s/%s: damaged (edition compact): it has %llu bytes, its head "
                            "says %llu",
                            place, name, (unsigned long long)n_bytes,
                            (unsigned long long)stated);
    return merels_error(err, STATUS_CORRUPT, "%s/%s: damaged (edition compact)", place, name);
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
    const struct merels_compact_source bytes = {v, read_piece, want_range,
                                                length_of(source, name)};
    int opened = merels_compact_open(v->memory, sizeof v->memory, &bytes, &v->reader);
    enum status status = outcome(v, opened, err);
    if (opened == MERELS_COMPACT_DAMAGED)
        status = say_damaged(v, bytes.n_bytes, err);
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

static struct merels_compact_position asked(const struct position *pos)
{
    return (struct merels_compact_position){.own = pos->own,
                                            .other = pos->other,
                                            .own_hand = pos->own_hand,
                                            .other_hand = pos->other_hand,
                                            .due = pos->due};
}

enum status merels_compact_values_prepare(struct compact_values *v, const struct position *pos,
                                          struct error *err)
{
    size_t n;
    const struct merels_compact_position p = asked(pos);
    pthread_mutex_lock(&v->one_at_a_time);
    enum status status =
        outcome(v, merels_compact_rank(v->reader, &p, v->plies, MERELS_COMPACT_PLIES, &n), err);
    pthread_mutex_unlock(&v->one_at_a_time);
    return status;
}

enum status merels_compact_values_probe(struct compact_values *v, const struct position *pos,
                                        int *value, struct error *err)
{
    const struct merels_compact_position p = asked(pos);
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
