// export_wdl.c: every table of a directory in the edition of win, draw and loss, as far as it
// is not there yet.

#include "export/export_wdl.h"

#include <stdlib.h>
#include <string.h>

#include "db/file.h"
#include "db/manifest.h"
#include "export/export_table.h"
#include "work/memory.h"
#include "work/reservation.h"

struct exporting {
    const struct rules *rules;
    const struct export_options *options;
    const struct watch *watch;
    int n_threads;
    struct meter meter;
    struct tablebase *base;
    struct subspace *list; // of the source, and later what is still to be done
    size_t n, n_begun, n_written;
};

// ---- what there is to do -------------------------------------------------------------------

// Is the table of a subspace there already? One that cannot be of this source is an error.
static enum status is_finished(const struct exporting *e, struct subspace s, bool *finished,
                               struct error *err)
{
    char name[SUBSPACE_NAME_BYTES];
    struct table *table;
    const struct table *source;
    enum status status =
        merels_table_open(e->options->out_dir, e->rules, s, EDITION_WDL, &table, err);
    *finished = status == STATUS_OK;
    if (status != STATUS_OK)
        return status == STATUS_MISSING ? STATUS_OK : status;
    struct table_header there = *merels_table_header(table);
    merels_table_close(table);
    status = merels_tablebase_table(e->base, s, &source, err);
    if (status != STATUS_OK)
        return status;
    const struct table_stats *x = &there.stats, *y = &merels_table_header(source)->stats;
    if (x->win == y->win && x->draw == y->draw && x->loss == y->loss)
        return STATUS_OK;
    merels_subspace_name(s, name);
    return merels_error(err, STATUS_MISMATCH, "%s: table %s is of another tablebase",
                        e->options->out_dir, name);
}

// A finished table is entered where the manifest lacks it; one that is not the file which the
// manifest lists is refused, not taken for done.
static enum status take_finished(const struct exporting *e, struct subspace s,
                                 const struct manifest_entry *listed, struct error *err)
{
    struct error reason;
    if (listed == NULL)
        return merels_manifest_add(e->options->out_dir, e->rules, s, EDITION_WDL, err);
    enum status status =
        merels_manifest_check_table(e->options->out_dir, e->rules, listed, &reason);
    if (status == STATUS_CORRUPT)
        return merels_error(err, status, "%s; remove it, and the same export makes it anew",
                            reason.text);
    return status == STATUS_OK ? STATUS_OK : merels_error(err, status, "%s", reason.text);
}

// Moves what is to be done to the front of the list and adds its slots up. A finished table
// that the manifest lacks (a stop between the two) is entered.
static enum status sort_out(struct exporting *e, struct subspace *list, size_t *n,
                            uint64_t *n_slots, struct error *err)
{
    struct manifest there = {0};
    size_t n_open = 0;
    enum status status = merels_manifest_read(e->options->out_dir, e->rules, &there, err);
    if (status == STATUS_MISSING)
        status = STATUS_OK;
    const struct manifest *wdl = merels_manifest_of(&there, EDITION_WDL);
    for (size_t i = 0; i < *n && status == STATUS_OK; i++) {
        bool finished = false;
        status = is_finished(e, list[i], &finished, err);
        if (status == STATUS_OK && finished)
            status = take_finished(
                e, list[i], wdl != NULL ? merels_manifest_find(wdl, list[i]) : NULL, err);
        if (finished)
            continue;
        *n_slots += merels_subspace_slots(&e->rules->board, list[i]);
        list[n_open++] = list[i];
    }
    merels_manifest_free(&there);
    *n = n_open;
    return status;
}

static void begin_piece(struct exporting *e, size_t number)
{
    char name[SUBSPACE_NAME_BYTES];
    merels_subspace_name(e->list[number], name);
    merels_meter_piece(&e->meter, e->n_begun++, name,
                       merels_subspace_slots(&e->rules->board, e->list[number]));
}

static enum status write_one(struct exporting *e, size_t number, struct error *err)
{
    const struct table *source;
    enum status status = merels_tablebase_table(e->base, e->list[number], &source, err);
    return status == STATUS_OK
               ? merels_export_table(e->rules, source, e->options->dir, e->options->out_dir,
                                     e->n_threads, &e->meter, err)
               : status;
}

// A table is there: into the manifest.
static enum status end_table(struct exporting *e, size_t number, struct error *err)
{
    enum status status =
        merels_manifest_add(e->options->out_dir, e->rules, e->list[number], EDITION_WDL, err);
    if (status != STATUS_OK)
        return status;
    e->n_written++;
    return merels_meter_finish(&e->meter) && e->n_written < e->n
               ? merels_error(err, STATUS_INTERRUPTED, "stopped")
               : STATUS_OK;
}

static enum status export_each(struct exporting *e, struct error *err)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < e->n && status == STATUS_OK; i++) {
        begin_piece(e, i);
        status = write_one(e, i, err);
        if (status == STATUS_OK)
            status = end_table(e, i, err);
    }
    return status;
}

static enum status take_written(void *context, size_t number, const void *result,
                                size_t n_bytes, struct error *err)
{
    struct exporting *e = context;
    char name[SUBSPACE_NAME_BYTES];
    bool there;
    (void)result, (void)n_bytes;
    enum status status = is_finished(e, e->list[number], &there, err);
    merels_subspace_name(e->list[number], name);
    if (status == STATUS_OK && !there)
        status = merels_error(err, STATUS_MISSING, "%s: table %s is not there",
                              e->options->out_dir, name);
    if (status != STATUS_OK)
        return status;
    begin_piece(e, number);
    return end_table(e, number, err);
}

// By others, in whatever order.
static enum status have_exported(struct exporting *e, struct error *err)
{
    const struct hands *hands = e->options->hands;
    char(*names)[SUBSPACE_NAME_BYTES] = calloc(e->n + 1, sizeof *names);
    const char **list = calloc(e->n + 1, sizeof *list);
    enum status status = STATUS_OK;
    if (names == NULL || list == NULL)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for a list of tables");
    for (size_t i = 0; i < e->n && status == STATUS_OK; i++) {
        merels_subspace_name(e->list[i], names[i]);
        list[i] = names[i];
    }
    if (status == STATUS_OK)
        status = hands->go_through(hands->context, list, e->n, take_written, e, err);
    free(names);
    free(list);
    return status;
}

static enum status export_list(struct exporting *e, struct error *err)
{
    uint64_t total = 0;
    enum status status = sort_out(e, e->list, &e->n, &total, err);
    merels_meter_start(&e->meter, e->watch, "slots", total, e->n);
    if (status != STATUS_OK)
        return status;
    return e->options->hands != NULL ? have_exported(e, err) : export_each(e, err);
}

static enum status open_source(struct exporting *e, struct error *err)
{
    enum status status = merels_tablebase_open(e->options->dir, e->rules, 0, &e->base, err);
    if (status == STATUS_OK)
        status = merels_tablebase_list(e->base, &e->list, &e->n, err);
    if (status == STATUS_OK && e->n == 0)
        status = merels_error(err, STATUS_MISSING, "%s: there is no table", e->options->dir);
    const struct table *first;
    if (status == STATUS_OK)
        status = merels_tablebase_table(e->base, e->list[0], &first, err);
    if (status == STATUS_OK && merels_tablebase_edition(e->base) != EDITION_DTM)
        status = merels_error(err, STATUS_BAD_INPUT, "%s: is of edition wdl already",
                              e->options->dir);
    return status;
}

static enum status describe_result(const struct exporting *e, struct export_result *result,
                                   struct error *err)
{
    struct manifest manifest;
    enum status status = merels_manifest_read(e->options->out_dir, e->rules, &manifest, err);
    if (status != STATUS_OK)
        return status;
    const struct manifest *wdl = merels_manifest_of(&manifest, EDITION_WDL);
    result->n_tables = wdl != NULL ? wdl->n_entries : 0;
    for (size_t i = 0; i < result->n_tables; i++) {
        result->n_slots += wdl->entries[i].header.n_slots;
        result->file_bytes += wdl->entries[i].file_bytes;
    }
    if (wdl != NULL)
        memcpy(result->root_hash, wdl->root_hash, SHA256_BYTES);
    merels_manifest_free(&manifest);
    return STATUS_OK;
}

// What the manifest lists and is not among the list: how many, and the first.
static size_t count_missing(const struct manifest *manifest, const struct subspace *list,
                            size_t n, bool dropped, char first[SUBSPACE_NAME_BYTES])
{
    size_t n_missing = 0;
    for (size_t i = manifest->n_entries; i-- > 0;) {
        const struct manifest_entry *entry = &manifest->entries[i];
        if (entry->dropped != dropped || merels_subspace_among(list, n, entry->subspace))
            continue;
        n_missing++;
        merels_subspace_name(entry->subspace, first);
    }
    return n_missing;
}

static enum status missing(const char *dir, const struct manifest *manifest,
                           const struct subspace *list, size_t n, struct error *err)
{
    char first[SUBSPACE_NAME_BYTES];
    size_t n_missing = count_missing(manifest, list, n, false, first);
    if (n_missing > 0)
        return merels_error(
            err, STATUS_MISSING,
            "%s: %s.mtb is missing, though the manifest lists it (%zu such tables); "
            "the others are exported",
            dir, first, n_missing);
    n_missing = count_missing(manifest, list, n, true, first);
    if (n_missing == 0)
        return STATUS_OK;
    return merels_error(
        err, STATUS_MISSING,
        "%s: not kept: %s and %zu other tables that were solved; those that are "
        "there are exported",
        dir, first, n_missing - 1);
}

// A table that the source's manifest lists and that is not there is no reason to stop, but the
// export is not whole.
static enum status check_whole(const struct exporting *e, struct error *err)
{
    struct manifest manifest = {0};
    struct subspace *list = NULL;
    size_t n = 0;
    enum status status = merels_manifest_read(e->options->dir, e->rules, &manifest, err);
    if (status == STATUS_MISSING)
        return STATUS_OK;
    if (status == STATUS_OK)
        status = merels_tablebase_list(e->base, &list, &n, err);
    if (status == STATUS_OK)
        status = missing(e->options->dir, &manifest, list, n, err);
    free(list);
    merels_manifest_free(&manifest);
    return status;
}

enum status merels_export_wdl(const struct rules *rules, const struct export_options *options,
                              const struct watch *watch, struct export_result *result,
                              struct error *err)
{
    struct exporting e = {.rules = rules, .options = options, .watch = watch};
    e.n_threads = merels_threads((uint64_t)options->n_threads);
    struct file lock = {.fd = -1};
    *result = (struct export_result){0};
    if (rules->metric != METRIC_DTM)
        return merels_error(
            err, STATUS_UNSUPPORTED,
            "edition wdl is made from tables with depths to the end of the game, "
            "without metric=dtc or n-move");
    enum status status = open_source(&e, err);
    if (status == STATUS_OK)
        status = merels_dir_create(options->out_dir, err);
    if (status == STATUS_OK)
        status = merels_reserve_dir(options->out_dir, watch, &lock, err);
    if (status == STATUS_OK)
        status = export_list(&e, err);
    result->n_written = e.n_written;
    if (status == STATUS_OK)
        status = describe_result(&e, result, err);
    if (status == STATUS_OK)
        status = check_whole(&e, err);
    merels_file_drop(&lock);
    free(e.list);
    merels_tablebase_close(e.base);
    return status;
}
