// verify.c: the run: manifest and headers, files, then table after table.

#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "verify/verify_run.h"

static const double note_seconds = 2;

// ---- progress ------------------------------------------------------------------------------

double merels_verify_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool merels_verify_tick(struct session *session, uint64_t done, bool finished)
{
    const struct verify_watch *watch = session->watch;
    if (watch == NULL)
        return false;
    if (watch->report != NULL) {
        struct verify_progress now = session->progress;
        now.done += done;
        now.finished = finished;
        now.elapsed_seconds = merels_verify_clock() - session->start_seconds;
        watch->report(&now, watch->context);
    }
    return watch->stop != NULL && *watch->stop != 0;
}

static void start_stage(struct session *session, enum verify_stage stage)
{
    session->progress =
        (struct verify_progress){.stage = stage, .n_tables = session->source.n_tables};
    session->start_seconds = merels_verify_clock();
}

static void start_table(struct session *session, size_t k)
{
    session->progress.number = k;
    session->progress.table = session->source.tables[k].name;
}

// ---- which tables can be checked -----------------------------------------------------------

// Says what is lacking, for the first table of the list that lacks it.
static bool is_closed(const struct session *session, const bool *closed, size_t k,
                      struct verify_result *result)
{
    const struct source *source = &session->source;
    const struct source_table *t = &source->tables[k];
    struct needs needs = merels_verify_needs(&session->ground->charter, t->counts);
    const struct counts wanted[2] = {needs.quiet, needs.removal};
    char name[COUNTS_NAME_BYTES];
    for (int i = 0; i < 2; i++) {
        if (i == 0 ? needs.ended : !needs.removes)
            continue;
        const struct source_table *s = merels_verify_find(source, wanted[i]);
        if (s != NULL && closed[s - source->tables])
            continue;
        merels_verify_name(wanted[i], name);
        if (s == NULL && result->lack[0] == '\0')
            snprintf(result->lack, sizeof result->lack,
                     "table %s is not in the manifest; %s leads to it", name, t->name);
        return false;
    }
    return true;
}

// A table can be checked if everything that follows from it is there: leave out until nothing
// changes.
static void find_closed(const struct session *session, bool *closed,
                        struct verify_result *result)
{
    size_t n = session->source.n_tables;
    memset(closed, true, n);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < n; k++)
            if (closed[k] && !is_closed(session, closed, k, result)) {
                closed[k] = false;
                changed = true;
                result->n_left_out++;
            }
    }
}

// ---- stages --------------------------------------------------------------------------------

static enum status check_files(struct session *session, struct error *err)
{
    const struct source *source = &session->source;
    start_stage(session, VERIFY_FILES);
    for (size_t k = 0; k < source->n_tables; k++)
        session->progress.total += source->tables[k].n_file_bytes;
    for (size_t k = 0; k < source->n_tables; k++) {
        start_table(session, k);
        enum status status = merels_verify_file(source, &source->tables[k], err);
        if (status != STATUS_OK)
            return status;
        session->progress.done += source->tables[k].n_file_bytes;
        if (merels_verify_tick(session, 0, false))
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    return STATUS_OK;
}

static uint64_t work_of(const struct session *session, size_t k)
{
    return session->options->n_samples > 0 ? session->options->n_samples
                                           : session->source.tables[k].n_slots;
}

enum status merels_verify_learn(struct session *session, int men, struct error *err)
{
    return session->classes[men].entries != NULL
               ? STATUS_OK
               : merels_verify_classes(session->ground, men, &session->classes[men], err);
}

static enum status learn_for(struct session *session, struct counts counts, struct error *err)
{
    struct needs needs = merels_verify_needs(&session->ground->charter, counts);
    enum status status = merels_verify_learn(session, counts.b, err);
    if (status == STATUS_OK)
        status = merels_verify_learn(session, needs.ended ? counts.a : needs.quiet.b, err);
    return status;
}

static enum status check_memory(const struct session *session, size_t k,
                                struct verify_result *result, struct error *err)
{
    const struct source_table *t = &session->source.tables[k];
    uint64_t bytes = merels_verify_bytes(session, t), limit = session->options->memory_bytes;
    result->peak_bytes = bytes > result->peak_bytes ? bytes : result->peak_bytes;
    if (limit == 0 || bytes <= limit)
        return STATUS_OK;
    return merels_error(err, STATUS_TOO_LITTLE,
                        "checking %s takes %llu MiB of memory, more than the limit of %llu MiB",
                        t->name, (unsigned long long)(bytes >> 20),
                        (unsigned long long)(limit >> 20));
}

static enum status check_one(struct session *session, size_t k, bool *noted, struct error *err)
{
    const struct source_table *t = &session->source.tables[k];
    start_table(session, k);
    enum status status = learn_for(session, t->counts, err);
    if (status != STATUS_OK)
        return status;
    if (session->options->n_samples > 0)
        return merels_verify_samples(session, t, err);
    status = merels_verify_table(session, t, err);
    noted[k] = status == STATUS_OK;
    return status;
}

// Tables one after another; the notes are written every other second.
static enum status check_each(struct session *session, const bool *closed, bool *noted,
                              struct verify_result *result, struct error *err)
{
    size_t n = session->source.n_tables;
    double next_note = merels_verify_clock() + note_seconds;
    enum status status = STATUS_OK;
    for (size_t k = 0; k < n && status == STATUS_OK; k++) {
        if (!closed[k] || noted[k])
            continue;
        status = check_one(session, k, noted, err);
        if (status != STATUS_OK)
            break;
        result->n_checked++;
        result->n_slots += work_of(session, k);
        session->progress.done += work_of(session, k);
        if (merels_verify_tick(session, 0, true) && k + 1 < n)
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
        if (session->options->n_samples == 0 && merels_verify_clock() > next_note) {
            status = merels_verify_write_notes(session, noted, err);
            next_note = merels_verify_clock() + note_seconds;
        }
    }
    return status;
}

static enum status check_tables(struct session *session, const bool *closed, bool *noted,
                                struct verify_result *result, struct error *err)
{
    size_t n = session->source.n_tables;
    start_stage(session, VERIFY_TABLES);
    for (size_t k = 0; k < n; k++) {
        session->progress.total += closed[k] && !noted[k] ? work_of(session, k) : 0;
        result->n_noted += closed[k] && noted[k];
        result->n_slots += closed[k] && noted[k] ? session->source.tables[k].n_slots : 0;
    }
    enum status status = check_each(session, closed, noted, result, err);
    if (session->options->n_samples > 0)
        return status;
    enum status written =
        merels_verify_write_notes(session, noted, status == STATUS_OK ? err : NULL);
    return status == STATUS_OK ? written : status;
}

static enum status finish(struct session *session, struct verify_result *result,
                          struct error *err)
{
    if (result->n_left_out > 0)
        return merels_error(err, STATUS_MISSING, "%zu of %zu tables could not be verified: %s",
                            result->n_left_out, result->n_tables, result->lack);
    if (session->options->n_samples > 0)
        return STATUS_OK;
    enum status status = merels_verify_write_record(session, result->n_slots, err);
    result->recorded = status == STATUS_OK;
    return status;
}

static enum status run(struct session *session, bool *closed, bool *noted,
                       struct verify_result *result, struct error *err)
{
    bool all = session->options->n_samples == 0;
    enum status status = STATUS_OK;
    find_closed(session, closed, result);
    for (size_t k = 0; k < result->n_tables && all && status == STATUS_OK; k++)
        status = closed[k] ? check_memory(session, k, result, err) : STATUS_OK;
    if (status == STATUS_OK && all)
        status = merels_verify_drop_record(session, err);
    if (status == STATUS_OK && all)
        status = check_files(session, err);
    if (status == STATUS_OK && all)
        status = merels_verify_read_notes(session, noted, err);
    if (status == STATUS_OK)
        status = check_tables(session, closed, noted, result, err);
    return status == STATUS_OK ? finish(session, result, err) : status;
}

// What is wrong with the directory, not with the question.
static bool is_fault(enum status status)
{
    return status == STATUS_MISMATCH || status == STATUS_CORRUPT || status == STATUS_MISSING;
}

// After a fault no record may stay, also if samples or the manifest showed it.
static enum status void_record(const struct session *session, enum status status,
                               struct error *err)
{
    struct error found = {.text = ""}, failure;
    if (err != NULL)
        found = *err;
    if (merels_verify_drop_record(session, &failure) == STATUS_OK)
        return status;
    return merels_error(err, status, "%s; %s", found.text, failure.text);
}

static void close_session(struct session *session)
{
    for (int men = 0; men <= GROUND_POINTS; men++)
        merels_verify_classes_free(&session->classes[men]);
    free(session->values.data);
    free(session->pairs.data);
    merels_verify_close(&session->source);
}

enum status merels_verify(const char *rules_text, const struct verify_options *options,
                          const struct verify_watch *watch, struct verify_result *result,
                          struct error *err)
{
    struct ground *ground;
    struct session session = {.options = options, .watch = watch};
    bool *flags = NULL;
    *result = (struct verify_result){0};
    session.kernels = merels_verify_kernels(options->cpu_level);
    if (session.kernels == NULL)
        return merels_error(err, STATUS_BAD_INPUT, "this processor is not of level '%s'",
                            options->cpu_level);
    enum status status = merels_verify_ground(rules_text, &ground, err);
    if (status != STATUS_OK)
        return status;
    session.ground = ground;
    status = merels_verify_open(options->dir, rules_text, ground, &session.source, err);
    if (status == STATUS_OK) {
        result->n_tables = session.source.n_tables;
        result->wdl = session.source.wdl;
        memcpy(result->root, session.source.root, sizeof result->root);
        flags = calloc(2 * result->n_tables + 2, sizeof *flags);
        status = flags != NULL ? run(&session, flags, flags + result->n_tables + 1, result, err)
                               : merels_error(err, STATUS_NO_MEMORY, "out of memory");
    }
    if (is_fault(status))
        status = void_record(&session, status, err);
    free(flags);
    close_session(&session);
    free(ground);
    return status;
}
