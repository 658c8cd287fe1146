// verify.c: the run: manifest and headers, files, then table after table.

#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/check_samples.h"
#include "verify/check_table.h"
#include "verify/checked_notes.h"
#include "verify/table_hashes.h"
#include "verify/verify_manifest.h"
#include "verify/verify_unit.h"

static const double note_seconds = 2;

// The hashing of the files counts as this part of the slots: some 1.5 GB/s against 16 M
// slots/s.
enum { SLOTS_PER_FILE_SLOT = 128 };

struct check {
    const struct verify_options *options;
    struct verify_result *result;
    struct verify_run run;
    struct verify_place place;
    bool *closed;          // by table: everything that follows from it is there
    bool *noted;           // by table: checked, now or earlier
    size_t *due;           // tables to be checked in this run
    size_t n_due, n_begun; // of them; pieces of the progress that have begun
    double next_note;      // seconds of the clock
};

static bool checks_all(const struct check *check)
{
    return check->options->n_samples == 0;
}

// Record and notes are kept.
static bool keeps(const struct check *check)
{
    return checks_all(check) && !check->options->keeps_nothing;
}

// ---- which tables can be checked -----------------------------------------------------------

// Says what is lacking, for the first table of the list that lacks it.
static bool is_closed(const struct check *check, size_t k)
{
    const struct table_files *files = &check->run.files;
    const struct checked_table *t = &files->tables[k];
    struct verify_result *result = check->result;
    struct verify_plies plies = merels_verify_plies(&check->run.index->rules, t->counts);
    char name[COUNTS_NAME_BYTES];
    for (int w = 0; w < plies.n_ways; w++) {
        if (plies.ways[w].ends)
            continue;
        const struct checked_table *s = merels_verify_find(files, plies.ways[w].after);
        if (s != NULL && check->closed[s - files->tables])
            continue;
        merels_verify_name(plies.ways[w].after, name);
        if (s == NULL && result->lack[0] == '\0')
            snprintf(result->lack, sizeof result->lack, "table %s is not %s; %s leads to it",
                     name,
                     merels_verify_is_dropped(files, plies.ways[w].after) ? "kept"
                                                                          : "in the manifest",
                     t->name);
        return false;
    }
    return true;
}

// A table can be checked if everything that follows from it is there: leave out until nothing
// changes.
static void find_closed(struct check *check)
{
    size_t n = check->result->n_tables;
    for (size_t k = 0; k < n; k++)
        check->closed[k] = !check->run.files.tables[k].dropped;
    check->result->n_left_out = check->run.files.n_dropped;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < n; k++)
            if (check->closed[k] && !is_closed(check, k)) {
                check->closed[k] = false;
                changed = true;
                check->result->n_left_out++;
            }
    }
}

// ---- progress ------------------------------------------------------------------------------

static uint64_t work_of(const struct check *check, size_t k)
{
    return checks_all(check) ? check->run.files.tables[k].n_slots : check->options->n_samples;
}

static bool is_due(const struct check *check, size_t k)
{
    return check->closed[k] && !check->noted[k];
}

// One figure for files and tables together.
static uint64_t files_work(const struct check *check)
{
    uint64_t slots = 0;
    for (size_t k = 0; k < check->run.files.n_tables && checks_all(check); k++)
        slots += check->run.files.tables[k].n_slots;
    return slots / SLOTS_PER_FILE_SLOT;
}

static void start_meter(struct check *check, const struct watch *watch)
{
    uint64_t total = files_work(check);
    size_t n_pieces = checks_all(check) ? 1 : 0;
    for (size_t k = 0; k < check->run.files.n_tables; k++)
        if (check->closed[k]) {
            total += work_of(check, k);
            n_pieces++;
        }
    merels_meter_start(&check->run.meter, watch, "slots", total, n_pieces);
}

// ---- stages --------------------------------------------------------------------------------

static enum status stopped(struct error *err)
{
    return merels_error(err, STATUS_INTERRUPTED, "stopped");
}

static enum status check_files(struct check *check, struct error *err)
{
    const struct table_files *files = &check->run.files;
    struct meter *meter = &check->run.meter;
    uint64_t all = 0, done = 0;
    for (size_t k = 0; k < files->n_tables; k++)
        all += files->tables[k].n_file_bytes;
    merels_meter_piece(meter, 0, "files", files_work(check));
    merels_meter_stage(meter, "", 1);
    for (size_t k = 0; k < files->n_tables; k++) {
        if (files->tables[k].dropped)
            continue;
        merels_meter_rename(meter, files->tables[k].name);
        enum status status = merels_verify_file_hash(files, &files->tables[k], err);
        if (status != STATUS_OK)
            return status;
        done += files->tables[k].n_file_bytes;
        if (merels_meter_tick(meter, (double)done / (double)all))
            return stopped(err);
    }
    return merels_meter_finish(meter) ? stopped(err) : STATUS_OK;
}

static enum status check_memory(const struct check *check, size_t k, struct error *err)
{
    const struct checked_table *t = &check->run.files.tables[k];
    uint64_t bytes = merels_verify_table_bytes(&check->run, t);
    if (bytes > check->result->peak_bytes)
        check->result->peak_bytes = bytes;
    return merels_verify_table_fits(&check->run, t, check->options->memory_bytes, err);
}

static enum status check_one(struct check *check, size_t k, struct error *err)
{
    const struct checked_table *t = &check->run.files.tables[k];
    enum status status = merels_verify_learn(&check->run, t->counts, err);
    if (status != STATUS_OK)
        return status;
    if (!checks_all(check))
        return merels_verify_samples(&check->run, t, check->options->n_samples, err);
    status = merels_verify_table(&check->run, t, err);
    check->noted[k] = status == STATUS_OK;
    return status;
}

static enum status write_notes(const struct check *check, struct error *err)
{
    return keeps(check)
               ? merels_verify_write_notes(&check->run, &check->place, check->noted, err)
               : STATUS_OK;
}

static void begin_piece(struct check *check, size_t k)
{
    merels_meter_piece(&check->run.meter, check->n_begun++, check->run.files.tables[k].name,
                       work_of(check, k));
}

// The notes are written every other second.
static enum status end_table(struct check *check, size_t k, struct error *err)
{
    check->result->n_checked++;
    check->result->n_slots += work_of(check, k);
    if (merels_meter_finish(&check->run.meter) && check->result->n_checked < check->n_due)
        return stopped(err);
    if (merels_clock_seconds() < check->next_note)
        return STATUS_OK;
    check->next_note = merels_clock_seconds() + note_seconds;
    return write_notes(check, err);
}

// Tables one after another.
static enum status check_each(struct check *check, struct error *err)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < check->n_due && status == STATUS_OK; i++) {
        begin_piece(check, check->due[i]);
        status = check_one(check, check->due[i], err);
        if (status == STATUS_OK)
            status = end_table(check, check->due[i], err);
    }
    return status;
}

// What others have read has to be what is here.
static enum status compare_read(const struct check *check, const struct read_tables *read,
                                struct error *err)
{
    const struct table_files *files = &check->run.files;
    for (int k = 0; k < read->n; k++) {
        struct counts counts;
        const char *name = read->tables[k].name;
        bool known = merels_verify_parse_name(name, strnlen(name, VERIFY_NAME_BYTES), &counts);
        const struct checked_table *t = known ? merels_verify_find(files, counts) : NULL;
        if (t == NULL || memcmp(t->values, read->tables[k].values, VERIFY_HASH_BYTES) != 0)
            return merels_error(err, STATUS_MISMATCH,
                                "%.16s.mtb: another process has read other values than those "
                                "that the manifest lists",
                                name);
    }
    return STATUS_OK;
}

static enum status take_checked(void *context, size_t number, const void *result,
                                size_t n_bytes, struct error *err)
{
    struct check *check = context;
    size_t k = check->due[number];
    const struct read_tables *read = result;
    enum status status =
        n_bytes == sizeof *read && read->n > 0 &&
                strncmp(read->tables[0].name, check->run.files.tables[k].name,
                        VERIFY_NAME_BYTES) == 0
            ? compare_read(check, read, err)
            : merels_error(err, STATUS_MISMATCH, "%s: not what was to be checked",
                           check->run.files.tables[k].name);
    if (status != STATUS_OK)
        return status;
    check->noted[k] = true;
    begin_piece(check, k);
    return end_table(check, k, err);
}

// By others, in whatever order.
static enum status have_checked(struct check *check, struct error *err)
{
    const struct hands *hands = check->options->hands;
    const char **names = calloc(check->n_due + 1, sizeof *names);
    if (names == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < check->n_due; i++)
        names[i] = check->run.files.tables[check->due[i]].name;
    enum status status =
        hands->go_through(hands->context, names, check->n_due, take_checked, check, err);
    free(names);
    return status;
}

// What an earlier run has checked counts as done at once.
static void pass_noted(struct check *check)
{
    check->n_begun = checks_all(check) ? 1 : 0;
    for (size_t k = 0; k < check->run.files.n_tables; k++) {
        if (is_due(check, k))
            check->due[check->n_due++] = k;
        if (!check->closed[k] || !check->noted[k])
            continue;
        begin_piece(check, k);
        check->result->n_noted++;
        check->result->n_slots += work_of(check, k);
    }
}

static enum status check_tables(struct check *check, struct error *err)
{
    bool alone = check->options->hands == NULL || !checks_all(check) || check->result->wdl;
    check->next_note = merels_clock_seconds() + note_seconds;
    pass_noted(check);
    enum status status = alone ? check_each(check, err) : have_checked(check, err);
    enum status written = write_notes(check, status == STATUS_OK ? err : NULL);
    return status == STATUS_OK ? written : status;
}

static enum status write_record(const struct check *check, struct error *err)
{
    char text[VERIFY_RECORD_BYTES];
    const struct table_files *files = &check->run.files;
    merels_verify_record(files->root, files->n_tables, check->result->n_slots, files->wdl,
                         text);
    return merels_verify_record_write(&check->place, text, err);
}

static enum status say_left_out(const struct check *check, struct error *err)
{
    const struct verify_result *result = check->result;
    size_t n_dropped = check->run.files.n_dropped;
    char kept[64] = "";
    if (n_dropped > 0)
        snprintf(kept, sizeof kept, "; %zu of them are not kept", n_dropped);
    return merels_error(err, STATUS_MISSING, "%zu of %zu tables could not be verified%s%s%s",
                        result->n_left_out, result->n_tables, kept,
                        result->lack[0] != '\0' ? ": " : "", result->lack);
}

static enum status finish(struct check *check, struct error *err)
{
    struct verify_result *result = check->result;
    if (result->n_left_out > 0)
        return say_left_out(check, err);
    if (!keeps(check))
        return STATUS_OK;
    enum status status = write_record(check, err);
    result->recorded = status == STATUS_OK;
    return status;
}

// ---- the run -------------------------------------------------------------------------------

static enum status check_all(struct check *check, struct error *err)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < check->result->n_tables && status == STATUS_OK; k++)
        status = check->closed[k] ? check_memory(check, k, err) : STATUS_OK;
    if (status == STATUS_OK && keeps(check))
        status = merels_verify_record_drop(&check->place, err);
    if (status == STATUS_OK)
        status = check_files(check, err);
    if (status == STATUS_OK && keeps(check))
        status = merels_verify_read_notes(&check->run, &check->place, check->noted, err);
    return status;
}

static enum status check_opened(struct check *check, const struct watch *watch,
                                struct error *err)
{
    const struct table_files *files = &check->run.files;
    check->result->n_tables = files->n_tables;
    check->result->wdl = files->wdl;
    memcpy(check->result->root, files->root, sizeof check->result->root);
    check->closed = calloc(files->n_tables + 1, sizeof *check->closed);
    check->noted = calloc(files->n_tables + 1, sizeof *check->noted);
    check->due = calloc(files->n_tables + 1, sizeof *check->due);
    if (check->closed == NULL || check->noted == NULL || check->due == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory");
    find_closed(check);
    start_meter(check, watch);
    enum status status = checks_all(check) ? check_all(check, err) : STATUS_OK;
    if (status == STATUS_OK)
        status = check_tables(check, err);
    return status == STATUS_OK ? finish(check, err) : status;
}

// What is wrong with the directory, not with the question.
static bool is_fault(enum status status)
{
    return status == STATUS_MISMATCH || status == STATUS_CORRUPT || status == STATUS_MISSING;
}

static enum status drop_record(const char *dir, const char *record_file, bool wdl,
                               struct error *err)
{
    struct verify_place place;
    enum status status = merels_verify_place_make(dir, record_file, wdl, &place, err);
    if (status == STATUS_OK)
        status = merels_verify_record_drop(&place, err);
    merels_verify_place_free(&place);
    return status;
}

// After a fault no record may stay, also if samples or the manifest showed it: that of the
// edition, or, if nobody knows which edition it is, of any.
static enum status void_records(const struct check *check, enum status status,
                                struct error *err)
{
    const struct verify_options *options = check->options;
    bool known = check->run.files.tables != NULL, wdl = check->run.files.wdl;
    struct error found = {.text = ""}, failure;
    if (err != NULL)
        found = *err;
    enum status dropped = STATUS_OK;
    if (!known || !wdl)
        dropped = drop_record(options->dir, NULL, false, &failure);
    if (dropped == STATUS_OK && (!known || wdl))
        dropped = drop_record(options->dir, NULL, true, &failure);
    if (dropped == STATUS_OK && options->record_file != NULL)
        dropped = drop_record(options->dir, options->record_file, wdl, &failure);
    return dropped == STATUS_OK ? status
                                : merels_error(err, status, "%s; %s", found.text, failure.text);
}

static void close_check(struct check *check)
{
    free(check->closed);
    free(check->noted);
    free(check->due);
    merels_verify_run_free(&check->run);
    merels_verify_place_free(&check->place);
}

enum status merels_verify(const char *rules_text, const struct verify_options *options,
                          const struct watch *watch, struct verify_result *result,
                          struct error *err)
{
    struct check check = {.options = options, .result = result};
    *result = (struct verify_result){0};
    enum status status = merels_verify_run_start(&check.run, rules_text, options->any_board,
                                                 options->cpu_level, options->n_threads, err);
    if (status == STATUS_OK)
        status = merels_verify_manifest_open(options->dir, rules_text, check.run.index,
                                             options->wdl, &check.run.files, err);
    if (status == STATUS_OK)
        status = merels_verify_place_make(options->dir, options->record_file,
                                          check.run.files.wdl, &check.place, err);
    if (status == STATUS_OK)
        status = check_opened(&check, watch, err);
    if (is_fault(status))
        status = void_records(&check, status, err);
    close_check(&check);
    return status;
}

enum status merels_verify_may_write(const struct verify_options *options, struct error *err)
{
    struct verify_place place;
    enum status status =
        merels_verify_place_make(options->dir, options->record_file, options->wdl, &place, err);
    if (status == STATUS_OK)
        status = merels_verify_place_check(&place, err);
    merels_verify_place_free(&place);
    return status;
}
