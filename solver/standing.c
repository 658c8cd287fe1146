// standing.c: files and manifest against the units of a plan.
//
//     files    manifest     evidence           the unit is
//     there    -            not asked, or fits  finished
//     there    -            lacking             there, to be checked
//     no       dropped      not asked, or fits  finished, unless something reads it: again
//     no       dropped      lacking             to be made again, and checked
//     no       listed, or not                   to be made
//
// What has still to be made or checked reads its successors, so these are made again where they
// are not kept: units are gone through from the last to the first.

#include "solver/standing.h"

#include <stdlib.h>

#include "db/arise.h"
#include "db/manifest_notes.h"
#include "db/reader.h"

// A slot of edition wdl on the disk, with some room: 0.55 bits for `nine`
// (docs/PERFORMANCE.md), and more in small tables.
static const double WDL_BITS_PER_SLOT = 0.7;

enum status merels_standing_manifest(const struct rules *rules, const char *dir,
                                     struct manifest *manifest, struct error *err)
{
    *manifest = (struct manifest){.edition = edition_of_rules(rules)};
    struct error cause;
    enum status status = merels_manifest_read(dir, rules, manifest, &cause);
    if (status == STATUS_OK || status == STATUS_MISSING)
        return STATUS_OK;
    return merels_error(err, status, "%s", cause.text);
}

// ---- units ---------------------------------------------------------------------------------

static enum status has_file(const struct rules *rules, const char *dir, struct subspace s,
                            bool *has, struct error *err)
{
    struct table *table = NULL;
    struct error cause;
    enum status status =
        merels_table_open(dir, rules, s, edition_of_rules(rules), &table, &cause);
    merels_table_close(table);
    *has = status == STATUS_OK;
    return *has || status == STATUS_MISSING ? STATUS_OK
                                            : merels_error(err, status, "%s", cause.text);
}

static const struct manifest_entry *listed(const struct rules *rules,
                                           const struct manifest *manifest, struct subspace s)
{
    const struct manifest *of = merels_manifest_of(manifest, edition_of_rules(rules));
    return of == NULL ? NULL : merels_manifest_find(of, s);
}

// What files, manifest and evidence say of a unit by itself; `has` by side: there is a file.
static void judge(const struct rules *rules, const struct solve_options *options,
                  const struct plan *plan, const struct manifest *manifest, const bool *has,
                  struct work_unit *work)
{
    bool made = true, good = true;
    work->there = true;
    for (int k = 0; k < work->n_subspaces; k++) {
        struct subspace s = work->subspaces[k];
        const struct manifest_entry *entry = listed(rules, manifest, s);
        work->there = work->there && has[k];
        made = made && (has[k] || (entry != NULL && entry->dropped));
        good = good && (options->verifier == 0 ||
                        merels_noted_evidence(manifest, rules, s, options->verifier));
        work->files[k].there = has[k];
        work->files[k].ours = has[k] && merels_noted_made(manifest, s, plan->start);
    }
    work->finished = made && good;
    work->again = false;
}

// A table that is not there, of a unit that has nothing left to do, is needed: so it has.
static void demand(const struct plan *plan, struct subspace s)
{
    for (size_t k = 0; k < plan->n_units; k++)
        for (int i = 0; i < plan->units[k].n_subspaces; i++)
            if (merels_subspace_equal(plan->units[k].subspaces[i], s)) {
                if (!plan->units[k].files[i].there)
                    plan->units[k].finished = false;
                return;
            }
}

// What a unit that is not finished reads has to be there, or to be made.
static void demand_successors(const struct rules *rules, const struct plan *plan,
                              const struct work_unit *work)
{
    for (int i = 0; i < work->n_subspaces; i++) {
        struct subspace next[MAX_SUCCESSORS];
        int n = merels_subspace_successors(rules, work->subspaces[i], next);
        for (int k = 0; k < n; k++)
            demand(plan, next[k]);
    }
}

static bool was_dropped(const struct rules *rules, const struct manifest *manifest,
                        const struct work_unit *work)
{
    bool dropped = false;
    for (int i = 0; i < work->n_subspaces; i++) {
        const struct manifest_entry *entry = listed(rules, manifest, work->subspaces[i]);
        dropped |= entry != NULL && entry->dropped;
    }
    return dropped;
}

// Goes from the last unit to the first: what is found to be needed needs others in turn.
static void find_again(const struct rules *rules, const struct manifest *manifest,
                       struct plan *plan)
{
    for (size_t k = plan->n_units; k-- > 0;) {
        struct work_unit *work = &plan->units[k];
        work->again = unit_is_to_solve(work) && was_dropped(rules, manifest, work);
        plan->n_again += work->again;
        if (!work->finished)
            demand_successors(rules, plan, work);
    }
}

// Damaged tables are errors, not gaps, and come before what is wrong with the manifest.
static enum status find_files(const struct rules *rules, const char *dir,
                              const struct plan *plan, bool *has, struct error *err)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < plan->n_units; k++)
        for (int i = 0; i < plan->units[k].n_subspaces && status == STATUS_OK; i++)
            status = has_file(rules, dir, plan->units[k].subspaces[i],
                              &has[k * MAX_UNIT_SUBSPACES + (size_t)i], err);
    return status;
}

enum status merels_standing_find(const struct rules *rules, const struct solve_options *options,
                                 struct plan *plan, struct error *err)
{
    struct manifest manifest = {.edition = edition_of_rules(rules)};
    bool *has = calloc(plan->n_units + 1, MAX_UNIT_SUBSPACES * sizeof *has);
    if (has == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a plan");
    enum status status = find_files(rules, options->dir, plan, has, err);
    if (status == STATUS_OK)
        status = merels_standing_manifest(rules, options->dir, &manifest, err);
    for (size_t k = 0; k < plan->n_units && status == STATUS_OK; k++)
        judge(rules, options, plan, &manifest, has + k * MAX_UNIT_SUBSPACES, &plan->units[k]);
    if (status == STATUS_OK)
        find_again(rules, &manifest, plan);
    merels_manifest_free(&manifest);
    free(has);
    return status;
}

// ---- needs ---------------------------------------------------------------------------------

static void set_unit(struct needs *needs, const struct work_unit *work, bool open)
{
    for (int i = 0; i < work->n_subspaces; i++)
        merels_needs_set(needs, work->subspaces[i], open);
}

enum status merels_standing_needs(const struct rules *rules, const struct plan *plan,
                                  const struct manifest *manifest, struct needs **needs,
                                  struct error *err)
{
    enum status status = merels_needs_create(rules, plan->start, needs, err);
    if (status != STATUS_OK)
        return status;
    status = merels_needs_read(*needs, manifest, err);
    for (size_t k = 0; k < plan->n_units; k++)
        set_unit(*needs, &plan->units[k], !plan->units[k].finished);
    if (status != STATUS_OK) {
        merels_needs_destroy(*needs);
        *needs = NULL;
    }
    return status;
}

// ---- disk ----------------------------------------------------------------------------------

// A run in figures: which files there are, table by table.
struct disk_table {
    struct subspace subspace;
    uint64_t n_bytes, n_wdl_bytes;
    bool there, ours, converted;
};

struct disk {
    struct needs *needs;
    struct disk_table *tables;
    size_t n;
    uint64_t now, peak;
};

static void add_bytes(struct disk *disk, uint64_t n_bytes)
{
    disk->now += n_bytes;
    disk->peak = disk->now > disk->peak ? disk->now : disk->peak;
}

static struct disk_table table_of(const struct rules *rules, const struct work_unit *work,
                                  int side)
{
    uint64_t n_slots = merels_subspace_slots(&rules->board, work->subspaces[side]);
    double part = (double)n_slots / (double)work->n_slots;
    return (struct disk_table){.subspace = work->subspaces[side],
                               .n_bytes = (uint64_t)(part * (double)work->disk_bytes) + 1,
                               .n_wdl_bytes =
                                   (uint64_t)((double)n_slots * WDL_BITS_PER_SLOT / 8) + 4096,
                               .there = work->files[side].there,
                               .ours = work->files[side].ours};
}

// All that is free is converted before anything goes.
static void retire(struct disk *disk, enum keep keep)
{
    for (size_t k = 0; keep == KEEP_WDL && k < disk->n; k++) {
        struct disk_table *table = &disk->tables[k];
        if (table->there && !table->converted &&
            merels_needs_is_free(disk->needs, table->subspace)) {
            table->converted = true;
            add_bytes(disk, table->n_wdl_bytes);
        }
    }
    for (size_t k = 0; k < disk->n; k++) {
        struct disk_table *table = &disk->tables[k];
        if (table->there && table->ours && merels_needs_is_free(disk->needs, table->subspace) &&
            merels_needs_may_go(disk->needs, table->subspace)) {
            table->there = false;
            disk->now -= table->n_bytes;
        }
    }
}

static void run_through(struct disk *disk, const struct plan *plan, enum keep keep)
{
    struct disk_table *table = disk->tables;
    for (size_t k = 0; k < disk->n; k++)
        add_bytes(disk, disk->tables[k].there ? disk->tables[k].n_bytes : 0);
    for (size_t k = 0; k < plan->n_units; k++) {
        const struct work_unit *work = &plan->units[k];
        for (int i = 0; i < work->n_subspaces; i++, table++) {
            if (!unit_is_to_solve(work))
                continue;
            add_bytes(disk, table->there ? 0 : table->n_bytes);
            table->there = table->ours = true;
        }
        set_unit(disk->needs, work, false);
        if (keep != KEEP_ALL)
            retire(disk, keep);
    }
}

static enum status find_peak(const struct rules *rules, const struct manifest *manifest,
                             enum keep keep, struct plan *plan, struct error *err)
{
    struct disk disk = {.tables = calloc(plan->n_subspaces + 1, sizeof *disk.tables)};
    if (disk.tables == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a plan");
    for (size_t k = 0; k < plan->n_units; k++)
        for (int i = 0; i < plan->units[k].n_subspaces; i++)
            disk.tables[disk.n++] = table_of(rules, &plan->units[k], i);
    enum status status = merels_standing_needs(rules, plan, manifest, &disk.needs, err);
    if (status == STATUS_OK)
        run_through(&disk, plan, keep);
    plan->peak_disk_bytes[keep] = disk.peak;
    merels_needs_destroy(disk.needs);
    free(disk.tables);
    return status;
}

enum status merels_standing_disk(const struct rules *rules, const struct solve_options *options,
                                 struct plan *plan, struct error *err)
{
    struct manifest manifest;
    enum status status = merels_standing_manifest(rules, options->dir, &manifest, err);
    for (int keep = 0; keep < N_KEEPS && status == STATUS_OK; keep++)
        status = find_peak(rules, &manifest, (enum keep)keep, plan, err);
    merels_manifest_free(&manifest);
    return status;
}
