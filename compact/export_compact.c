// export_compact.c: plan, models, groups, head.
//
//     tables --plan--> what is stored
//            --sample, fit--> model of a large subspace, or of several small ones
//            --walk, code--> groups of rows --> file

#include "compact/export_compact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compact/compact_coder.h"
#include "compact/compact_fit.h"
#include "compact/compact_groups.h"
#include "compact/compact_record.h"
#include "compact/compact_target.h"
#include "db/manifest.h"
#include "work/memory.h"
#include "work/reservation.h"

// Subspaces of fewer slots share a model with others; samples for one model. Whoever changes
// what follows from the same tables raises BYTES_VERSION, so that no begun file goes on.
enum { SLOTS_FOR_A_MODEL = 4000000, SAMPLES = 2500000, MODEL_KINDS = 8, BYTES_VERSION = 1 };

struct exporting {
    const struct rules *rules;
    const struct compact_options *options;
    struct tablebase *base;
    struct compact_game *game;
    struct compact_plan plan;
    struct compact_file file;
    struct compact_record record;
    int8_t *model;
    int n_threads;
    size_t n_done; // stored subspaces
    struct meter meter;
};

static enum status go_on_unless(bool stops, struct error *err)
{
    return stops ? merels_error(err, STATUS_INTERRUPTED, "stopped") : STATUS_OK;
}

// ---- models --------------------------------------------------------------------------------

static uint64_t slots_of(const struct exporting *e, size_t k)
{
    return merels_subspace_slots(&e->rules->board, e->plan.subspaces[k].subspace);
}

// Small subspaces of one kind share a model: does the mover place, or fly, are there men in
// hand?
static size_t kind_of(const struct exporting *e, size_t k)
{
    struct subspace s = e->plan.subspaces[k].subspace;
    bool flies = merels_men_fly(e->rules, s.a, s.ha);
    return (size_t)merels_hand_places(e->rules, s.ha) * 4 + (size_t)flies * 2 +
           (s.ha + s.hb > 0);
}

// Numbers the models in the order in which they are first needed.
static enum status number_models(const struct exporting *e, uint16_t *models, size_t *n_models,
                                 struct error *err)
{
    int shared[MODEL_KINDS];
    *n_models = 0;
    memset(shared, -1, sizeof shared);
    for (size_t k = 0; k < e->plan.n; k++) {
        if (e->plan.subspaces[k].stored == 0)
            continue;
        int *kind = &shared[kind_of(e, k)];
        if (slots_of(e, k) >= SLOTS_FOR_A_MODEL)
            models[k] = (uint16_t)(*n_models)++;
        else if (*kind >= 0)
            models[k] = (uint16_t)*kind;
        else
            models[k] = (uint16_t)(*kind = (int)(*n_models)++);
    }
    return *n_models <= UINT16_MAX
               ? STATUS_OK
               : merels_error(err, STATUS_UNSUPPORTED, "more models than edition compact has");
}

static enum status sample_subspace(struct exporting *e, size_t k, size_t n_wanted,
                                   struct compact_samples *samples, struct error *err)
{
    struct compact_rows rows;
    const struct planned_subspace *p = &e->plan.subspaces[k];
    enum status status =
        merels_compact_rows_start(e->game, e->base, p->subspace, p->stored, &rows, err);
    if (status != STATUS_OK)
        return status;
    status = merels_compact_sample(&rows, n_wanted, samples, err);
    merels_compact_rows_end(&rows);
    return status;
}

static bool uses(const struct exporting *e, size_t k, size_t model)
{
    return e->plan.subspaces[k].stored != 0 && e->file.entries[k].model == model;
}

// Fits a model to all subspaces that use it, and writes it.
static enum status make_model(struct exporting *e, size_t model, struct error *err)
{
    struct compact_samples samples = {0};
    struct bytes bytes = {0};
    size_t n_users = 0;
    for (size_t k = 0; k < e->plan.n; k++)
        n_users += uses(e, k, model);
    enum status status = STATUS_OK;
    for (size_t k = 0; k < e->plan.n && status == STATUS_OK; k++)
        if (uses(e, k, model))
            status = sample_subspace(e, k, SAMPLES / n_users + 1, &samples, err);
    if (status == STATUS_OK)
        status = merels_compact_fit(&samples, e->n_threads, e->model, err);
    merels_compact_samples_free(&samples);
    if (status == STATUS_OK)
        status = go_on_unless(merels_meter_stops(&e->meter), err);
    if (status != STATUS_OK)
        return status;
    merels_encoder_model(e->model, e->game->n_entries, &bytes);
    status = merels_compact_file_append(&e->file, &bytes, false, &e->file.models[model], err);
    merels_bytes_free(&bytes);
    return status;
}

// ---- subspaces -----------------------------------------------------------------------------

static void start_subspace(struct exporting *e, size_t k)
{
    char name[SUBSPACE_NAME_BYTES];
    merels_subspace_name(e->plan.subspaces[k].subspace, name);
    merels_meter_piece(&e->meter, e->n_done++, name, slots_of(e, k));
}

static void tell_subspace(const struct exporting *e, size_t k)
{
    const struct planned_subspace *p = &e->plan.subspaces[k];
    if (e->options->report != NULL)
        e->options->report(p->subspace, p->stored, slots_of(e, k), e->file.entries[k].n_bytes,
                           e->options->context);
}

static enum status write_subspace(struct exporting *e, size_t k, struct error *err)
{
    const struct planned_subspace *p = &e->plan.subspaces[k];
    const struct compact_groups groups = {.game = e->game,
                                          .base = e->base,
                                          .planned = p,
                                          .model = e->model,
                                          .n_threads = e->n_threads,
                                          .meter = &e->meter};
    start_subspace(e, k);
    enum status status =
        merels_compact_write_groups(&groups, &e->file, &e->file.entries[k], err);
    if (status != STATUS_OK)
        return status;
    tell_subspace(e, k);
    return go_on_unless(merels_meter_finish(&e->meter), err);
}

// True if an earlier export has finished the model of a subspace, and so the subspace.
static bool is_there(const struct exporting *e, size_t k)
{
    return e->file.entries[k].model < e->record.n;
}

// What is finished is no part of this run: its speed and the time left are those of the rest.
static void start_meter(struct exporting *e, const struct watch *watch)
{
    uint64_t n_slots = 0;
    size_t n_stored = 0, n_there = 0;
    for (size_t k = 0; k < e->plan.n; k++) {
        if (e->plan.subspaces[k].stored == 0)
            continue;
        n_stored++;
        n_there += is_there(e, k);
        n_slots += is_there(e, k) ? 0 : slots_of(e, k);
    }
    if (n_there > 0 && watch != NULL && watch->note != NULL) {
        char text[PROGRESS_TEXT_BYTES * 2];
        snprintf(text, sizeof text,
                 "goes on: %zu of %zu subspaces are there from an earlier run", n_there,
                 n_stored);
        watch->note(text, watch->context);
    }
    merels_meter_start(&e->meter, watch, "slots", n_slots, n_stored - n_there);
}

// A model and all subspaces that use it; what an earlier export has finished is only told.
static enum status write_unit(struct exporting *e, size_t model, struct error *err)
{
    bool finished = model < e->record.n;
    enum status status = finished ? STATUS_OK : make_model(e, model, err);
    for (size_t k = 0; k < e->plan.n && status == STATUS_OK; k++) {
        if (!uses(e, k, model))
            continue;
        if (!finished) {
            status = write_subspace(e, k, err);
            continue;
        }
        tell_subspace(e, k);
        status = go_on_unless(merels_meter_stops(&e->meter), err);
    }
    return status == STATUS_OK && !finished ? merels_record_add(&e->record, err) : status;
}

static enum status write_file(struct exporting *e, struct error *err)
{
    enum status status = STATUS_OK;
    for (size_t model = 0; model < e->file.n_models && status == STATUS_OK; model++)
        status = write_unit(e, model, err);
    return status == STATUS_OK ? merels_compact_file_finish(&e->file, err) : status;
}

// ---- opening -------------------------------------------------------------------------------

// There is no table of edition dtm: none at all, or those without depths alone?
static enum status refuse_empty(const struct exporting *e, struct error *err)
{
    struct subspace *list = NULL;
    size_t n = 0;
    merels_tablebase_choose(e->base, EDITION_WDL);
    enum status status = merels_tablebase_list(e->base, &list, &n, err);
    free(list);
    if (status != STATUS_OK)
        return status;
    if (n == 0)
        return merels_error(err, STATUS_MISSING, "%s: there is no table", e->options->dir);
    return merels_error(err, STATUS_BAD_INPUT,
                        "%s: holds edition wdl alone, which has no depths; edition compact is "
                        "made from the tables of edition dtm",
                        e->options->dir);
}

// What is left of tables that are not kept would be a file of other positions than are asked
// for.
static enum status refuse_dropped(const struct exporting *e, struct error *err)
{
    struct manifest manifest;
    enum status status = merels_manifest_read(e->options->dir, e->rules, &manifest, err);
    if (status != STATUS_OK)
        return status == STATUS_MISSING ? STATUS_OK : status;
    const struct manifest *dtm = merels_manifest_of(&manifest, EDITION_DTM);
    size_t n = dtm != NULL ? merels_manifest_dropped(dtm) : 0;
    merels_manifest_free(&manifest);
    if (n == 0)
        return STATUS_OK;
    return merels_error(
        err, STATUS_MISSING,
        "%s: not kept: %zu tables that were solved; edition compact is made from "
        "all tables of edition dtm",
        e->options->dir, n);
}

static enum status open_tables(struct exporting *e, struct error *err)
{
    struct subspace *list = NULL;
    size_t n = 0;
    enum status status = merels_compact_game_create(e->rules, &e->game, err);
    if (status == STATUS_OK)
        status = merels_tablebase_open(e->options->dir, e->rules, 0, &e->base, err);
    if (status != STATUS_OK)
        return status;
    merels_tablebase_choose(e->base, EDITION_DTM);
    status = merels_tablebase_list(e->base, &list, &n, err);
    if (status == STATUS_OK && n == 0)
        status = refuse_empty(e, err);
    if (status == STATUS_OK)
        status = refuse_dropped(e, err);
    if (status == STATUS_OK)
        status =
            merels_compact_plan(e->rules, e->game, e->options->n_plies, list, n, &e->plan, err);
    free(list);
    return status;
}

// A hash of all that the bytes of the file follow from.
static enum status find_identity(struct exporting *e, uint64_t *identity, struct error *err)
{
    struct bytes bytes = {0};
    enum status status = merels_compact_file_identity(&e->file, identity, err);
    merels_bytes_put_int(&bytes, *identity, 8);
    merels_bytes_put_int(&bytes, BYTES_VERSION, 4);
    for (size_t k = 0; k < e->plan.n && status == STATUS_OK; k++) {
        const struct table *table;
        if (e->plan.subspaces[k].stored == 0)
            continue;
        status = merels_tablebase_table(e->base, e->plan.subspaces[k].subspace, &table, err);
        if (status == STATUS_OK)
            merels_bytes_put(&bytes, merels_table_header(table)->value_hash, SHA256_BYTES);
    }
    if (status == STATUS_OK && bytes.failed)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for an export");
    if (status == STATUS_OK)
        *identity = merels_compact_hash(bytes.data, bytes.n);
    merels_bytes_free(&bytes);
    return status;
}

static enum status create_file(struct exporting *e, char *part, struct error *err)
{
    size_t n_models = 0;
    uint16_t *models = calloc(e->plan.n, sizeof *models);
    e->model = malloc(2 * (size_t)e->game->n_entries);
    enum status status = STATUS_OK;
    if (models == NULL || e->model == NULL)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for an export");
    if (status == STATUS_OK)
        status = number_models(e, models, &n_models, err);
    if (status == STATUS_OK)
        status = merels_compact_file_create(
            &e->file, e->rules, &e->plan, merels_tablebase_index(e->base), n_models, part, err);
    for (size_t k = 0; k < e->plan.n && status == STATUS_OK; k++)
        e->file.entries[k].model = models[k];
    free(models);
    return status;
}

// Opens the file and finds what an earlier export has left in it.
static enum status open_file(struct exporting *e, char *part, struct error *err)
{
    uint64_t identity = 0;
    enum status status = create_file(e, part, err);
    if (status == STATUS_OK)
        status = find_identity(e, &identity, err);
    if (status == STATUS_OK)
        status = merels_record_start(e->options->out_dir, e->options->out_name, identity,
                                     &e->file, &e->record, err);
    return status == STATUS_OK ? merels_record_load(&e->record, err) : status;
}

static void describe(const struct exporting *e, struct compact_result *result)
{
    *result = (struct compact_result){.n_subspaces = e->plan.n,
                                      .file_bytes = e->file.end,
                                      .most_placing = e->plan.most_placing,
                                      .most_moving = e->plan.most_moving};
    for (size_t k = 0; k < e->plan.n; k++) {
        result->n_stored += e->plan.subspaces[k].stored != 0;
        result->n_slots += slots_of(e, k);
    }
}

// ---- the export ----------------------------------------------------------------------------

// What is finished stays if the export is stopped or fails; a file without any of it does not.
static enum status export_to(struct exporting *e, const struct watch *watch, char *part,
                             const char *path, struct error *err)
{
    struct error ignored;
    enum status status = merels_compact_may_replace(e->rules, path, err);
    if (status == STATUS_OK)
        status = merels_dir_create(e->options->out_dir, err);
    if (status == STATUS_OK)
        status = open_file(e, part, err);
    if (status == STATUS_OK) {
        merels_reservation_note(&e->file.file, watch);
        start_meter(e, watch);
        status = write_file(e, err);
    }
    if (status == STATUS_OK)
        status = merels_file_publish(e->options->out_dir, part, path, err);
    if (status == STATUS_OK)
        return merels_record_remove(&e->record, err);
    if (status == STATUS_INTERRUPTED)
        merels_error(err, status, "stopped, %zu of %zu models with their subspaces are kept",
                     e->record.n, e->file.n_models);
    if (e->record.n == 0 && e->file.file.fd >= 0 &&
        merels_file_remove(part, &ignored) != STATUS_OK)
        return status;
    return status;
}

enum status merels_export_compact(const struct rules *rules,
                                  const struct compact_options *options,
                                  const struct watch *watch, struct compact_result *result,
                                  struct error *err)
{
    struct exporting e = {.rules = rules, .options = options, .file = {.file = {.fd = -1}}};
    char *path = NULL, *part = NULL;
    if (options->n_plies < 1 || options->n_plies > COMPACT_MOST_PLIES)
        return merels_error(err, STATUS_BAD_INPUT,
                            "edition compact with %d plies of derivation: from 1 to %d are "
                            "possible, as --plies 3",
                            options->n_plies, (int)COMPACT_MOST_PLIES);
    e.n_threads = merels_threads((uint64_t)options->n_threads);
    enum status status = open_tables(&e, err);
    if (status == STATUS_OK)
        status = merels_path_join(options->out_dir, options->out_name, "", &path, err);
    if (status == STATUS_OK)
        status = merels_path_join(options->out_dir, options->out_name, ".part", &part, err);
    if (status == STATUS_OK)
        status = export_to(&e, watch, part, path, err);
    if (status == STATUS_OK)
        describe(&e, result);
    merels_record_free(&e.record);
    merels_compact_file_drop(&e.file);
    merels_compact_plan_free(&e.plan);
    merels_tablebase_close(e.base);
    free(e.game);
    free(e.model);
    free(path);
    free(part);
    return status;
}
