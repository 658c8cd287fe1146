// upkeep.c: from the files of a unit to the manifest, and from there to what is not kept.

#include "solver/upkeep.h"

#include <stdlib.h>
#include <string.h>

#include "db/file.h"

// A table that was found wrong, for whoever wants to look at it.
static const char aside_ending[] = ".mismatch";

static const struct manifest_entry *listed(const struct manifest *manifest, struct subspace s,
                                           enum edition edition)
{
    const struct manifest *of = merels_manifest_of(manifest, edition);
    return of == NULL ? NULL : merels_manifest_find(of, s);
}

static enum edition solved_edition(const struct holdings *h)
{
    return edition_of_rules(h->rules);
}

static enum status write_manifest(struct holdings *h, struct error *err)
{
    return merels_manifest_write(h->options->dir, h->rules, &h->manifest, err);
}

// ---- wrong tables --------------------------------------------------------------------------

static enum status put_table_aside(const struct holdings *h, struct subspace s,
                                   struct error *err)
{
    const char *dir = h->options->dir;
    char name[TABLE_NAME_BYTES], *from = NULL, *to = NULL;
    merels_table_name(s, solved_edition(h), name);
    enum status status = merels_path_join(dir, name, "", &from, err);
    if (status == STATUS_OK)
        status = merels_path_join(dir, name, aside_ending, &to, err);
    if (status == STATUS_OK)
        status = merels_file_publish(dir, from, to, err);
    free(from);
    free(to);
    return status;
}

// Takes the unit out of the manifest, if it was there as kept.
static enum status strike(struct holdings *h, const struct work_unit *work, struct error *err)
{
    bool changed = false;
    enum status status = STATUS_OK;
    for (int k = 0; k < work->n_subspaces && status == STATUS_OK; k++) {
        const struct manifest_entry *entry =
            listed(&h->manifest, work->subspaces[k], solved_edition(h));
        if (entry == NULL || entry->dropped)
            continue;
        status = merels_manifest_remove(h->rules, work->subspaces[k], solved_edition(h),
                                        &h->manifest, err);
        changed = true;
    }
    return status == STATUS_OK && changed ? write_manifest(h, err) : status;
}

// Says what was found, and that the unit's files now have another name, so that nothing is
// built upon them.
static enum status put_aside(struct holdings *h, const struct work_unit *work,
                             enum status found, const struct error *reason, struct error *err)
{
    struct error failure;
    for (int k = 0; k < work->n_subspaces; k++)
        if (put_table_aside(h, work->subspaces[k], &failure) != STATUS_OK)
            return merels_error(err, found, "%s; %s", reason->text, failure.text);
    return merels_error(err, found, "%s; kept aside for inspection with '%s' behind the name",
                        reason->text, aside_ending);
}

// ---- entering ------------------------------------------------------------------------------

// Enters a table in place of what was said of it. What was made again must be what it was:
// others have been made, and checked, from the values that are gone.
static enum status enter(struct holdings *h, struct subspace s, struct error *err)
{
    char name[SUBSPACE_NAME_BYTES];
    uint8_t before[SHA256_BYTES];
    const struct manifest_entry *entry = listed(&h->manifest, s, solved_edition(h));
    bool again = entry != NULL && entry->dropped;
    if (again)
        memcpy(before, entry->header.value_hash, SHA256_BYTES);
    enum status status = merels_manifest_enter(h->options->dir, h->rules, s, solved_edition(h),
                                               &h->manifest, err);
    if (status == STATUS_OK && h->options->keep == KEEP_ALL)
        status = merels_note_unmade(&h->manifest, s, err);
    if (status != STATUS_OK || !again)
        return status;
    entry = listed(&h->manifest, s, solved_edition(h));
    merels_subspace_name(s, name);
    return memcmp(before, entry->header.value_hash, SHA256_BYTES) == 0
               ? STATUS_OK
               : merels_error(
                     err, STATUS_MISMATCH,
                     "%s.mtb: made again, and its values are not those that the manifest "
                     "has of it",
                     name);
}

static enum status enter_unit(struct holdings *h, const struct work_unit *work,
                              struct error *err)
{
    struct error reason;
    enum status status = STATUS_OK;
    for (int k = 0; k < work->n_subspaces && status == STATUS_OK; k++)
        status = enter(h, work->subspaces[k], &reason);
    if (status == STATUS_MISMATCH)
        return put_aside(h, work, status, &reason, err);
    return status == STATUS_OK ? STATUS_OK : merels_error(err, status, "%s", reason.text);
}

// The manifest says that the table is there.
static bool is_entered(const struct holdings *h, struct subspace s)
{
    const struct manifest_entry *entry = listed(&h->manifest, s, solved_edition(h));
    return entry != NULL && !entry->dropped;
}

static bool all_entered(const struct holdings *h, const struct work_unit *work)
{
    bool all = true;
    for (int k = 0; k < work->n_subspaces; k++)
        all = all && is_entered(h, work->subspaces[k]);
    return all;
}

// ---- letting go ----------------------------------------------------------------------------

static bool is_ours(const struct holdings *h, struct subspace s)
{
    return merels_noted_made(&h->manifest, s, h->plan->start);
}

// What of the tables in the manifest is free, by the number of its entry; malloc'ed.
static enum status list_free(const struct holdings *h, struct subspace **list, size_t *n,
                             struct error *err)
{
    const struct manifest *solved = merels_manifest_of(&h->manifest, solved_edition(h));
    *n = 0;
    *list = malloc(((solved == NULL ? 0 : solved->n_entries) + 1) * sizeof **list);
    if (*list == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a list of tables");
    for (size_t k = 0; solved != NULL && k < solved->n_entries; k++)
        if (!solved->entries[k].dropped &&
            merels_needs_is_free(h->needs, solved->entries[k].subspace))
            (*list)[(*n)++] = solved->entries[k].subspace;
    return STATUS_OK;
}

static enum status convert(struct holdings *h, struct subspace s, struct error *err)
{
    const struct upkeep *upkeep = h->options->upkeep;
    struct table *table;
    enum status status =
        merels_table_open(h->options->dir, h->rules, s, solved_edition(h), &table, err);
    if (status != STATUS_OK)
        return status;
    status = upkeep->convert(upkeep->context, table, h->meter, err);
    merels_table_close(table);
    return status == STATUS_OK ? merels_manifest_enter(h->options->dir, h->rules, s,
                                                       EDITION_WDL, &h->manifest, err)
                               : status;
}

// Every free table that has no edition wdl gets one, also where it stays.
static enum status convert_free(struct holdings *h, const struct subspace *list, size_t n,
                                bool *changed, struct error *err)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < n && status == STATUS_OK; k++)
        if (listed(&h->manifest, list[k], EDITION_WDL) == NULL) {
            status = convert(h, list[k], err);
            *changed = true;
        }
    return status;
}

// Keeps of the list what goes.
static size_t choose_gone(const struct holdings *h, struct subspace *list, size_t n)
{
    size_t n_gone = 0;
    for (size_t k = 0; k < n; k++)
        if (merels_needs_may_go(h->needs, list[k]) && is_ours(h, list[k]))
            list[n_gone++] = list[k];
    return n_gone;
}

static enum status remove_files(const struct holdings *h, const struct subspace *list, size_t n,
                                struct error *err)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < n && status == STATUS_OK; k++) {
        char name[TABLE_NAME_BYTES], *path;
        merels_table_name(list[k], solved_edition(h), name);
        status = merels_path_join(h->options->dir, name, "", &path, err);
        if (status == STATUS_OK)
            status = merels_file_remove(path, err);
        free(path);
    }
    return status;
}

// Opens the tables as the manifest has them now. What is removed while it is open keeps its
// room on the disk.
static enum status open_base(struct holdings *h, struct error *err)
{
    merels_tablebase_close(h->base);
    h->base = NULL;
    enum status status = merels_tablebase_open(h->options->dir, h->rules, 0, &h->base, err);
    if (status == STATUS_OK)
        merels_tablebase_choose(h->base, solved_edition(h));
    return status;
}

static enum status let_go(struct holdings *h, struct subspace *list, size_t n,
                          struct error *err)
{
    bool changed = false;
    enum status status = STATUS_OK;
    if (h->options->keep == KEEP_WDL)
        status = convert_free(h, list, n, &changed, err);
    size_t n_gone = choose_gone(h, list, n);
    for (size_t k = 0; k < n_gone && status == STATUS_OK; k++)
        status = merels_manifest_drop(h->rules, list[k], solved_edition(h), &h->manifest, err);
    if (status == STATUS_OK && (changed || n_gone > 0))
        status = write_manifest(h, err);
    if (status == STATUS_OK)
        status = remove_files(h, list, n_gone, err);
    h->n_removed += n_gone;
    return status == STATUS_OK && n_gone > 0 && h->base != NULL ? open_base(h, err) : status;
}

static enum status let_go_free(struct holdings *h, struct error *err)
{
    struct subspace *list;
    size_t n;
    if (h->options->keep == KEEP_ALL)
        return STATUS_OK;
    enum status status = list_free(h, &list, &n, err);
    if (status != STATUS_OK)
        return status;
    status = let_go(h, list, n, err);
    free(list);
    return status;
}

// ---- the beginning -------------------------------------------------------------------------

// A stop between files and manifest, or between manifest and removal: what is there is entered.
// What has to be checked first is left to merels_holdings_add.
static enum status enter_finished(struct holdings *h, bool *changed, struct error *err)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < h->plan->n_units; k++) {
        const struct work_unit *work = &h->plan->units[k];
        for (int i = 0; i < work->n_subspaces && status == STATUS_OK; i++)
            if (work->finished && work->files[i].there && !is_entered(h, work->subspaces[i])) {
                status = enter(h, work->subspaces[i], err);
                *changed = true;
            }
    }
    return status;
}

// Notes before anything is made what is made by this run, so that it is known whenever a file
// appears.
static enum status claim(struct holdings *h, bool *changed, struct error *err)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < h->plan->n_units && status == STATUS_OK; k++) {
        const struct work_unit *work = &h->plan->units[k];
        for (int i = 0; i < work->n_subspaces && status == STATUS_OK; i++) {
            if (!unit_is_to_solve(work) || is_ours(h, work->subspaces[i]))
                continue;
            status = merels_note_made(&h->manifest, work->subspaces[i], h->plan->start, err);
            *changed = true;
        }
    }
    return status;
}

enum status merels_holdings_begin(const struct rules *rules, const struct plan *plan,
                                  const struct solve_options *options, struct meter *meter,
                                  struct holdings *h, struct error *err)
{
    bool changed = false;
    *h = (struct holdings){.rules = rules, .plan = plan, .options = options, .meter = meter};
    enum status status = merels_standing_manifest(rules, options->dir, &h->manifest, err);
    if (status == STATUS_OK)
        status = enter_finished(h, &changed, err);
    if (status == STATUS_OK && options->keep != KEEP_ALL)
        status = claim(h, &changed, err);
    if (status == STATUS_OK && changed)
        status = write_manifest(h, err);
    if (status == STATUS_OK)
        status = merels_standing_needs(rules, plan, &h->manifest, &h->needs, err);
    if (status == STATUS_OK)
        status = let_go_free(h, err);
    return status == STATUS_OK ? open_base(h, err) : status;
}

void merels_holdings_end(struct holdings *h)
{
    merels_tablebase_close(h->base);
    merels_needs_destroy(h->needs);
    merels_manifest_free(&h->manifest);
}

// ---- a unit --------------------------------------------------------------------------------

void merels_upkeep_check(const struct solve_options *options, const struct work_unit *work,
                         struct meter *meter, struct checked *checked)
{
    const struct upkeep *upkeep = options->upkeep;
    *checked = (struct checked){.status = STATUS_OK};
    if (options->verifier > 0)
        checked->status =
            upkeep->verify(upkeep->context, work, meter, checked->evidence, &checked->reason);
}

static enum status refuse(struct holdings *h, const struct work_unit *work,
                          const struct checked *checked, struct error *err)
{
    if (checked->status == STATUS_MISMATCH) {
        enum status struck = strike(h, work, err);
        return struck == STATUS_OK ? put_aside(h, work, checked->status, &checked->reason, err)
                                   : struck;
    }
    return merels_error(err, checked->status, "%s", checked->reason.text);
}

enum status merels_holdings_take(struct holdings *h, const struct work_unit *work,
                                 const struct checked *checked, struct error *err)
{
    bool checks = h->options->verifier > 0;
    enum status status = STATUS_OK;
    if (checked->status != STATUS_OK)
        return refuse(h, work, checked, err);
    if (unit_is_to_solve(work) || !all_entered(h, work))
        status = enter_unit(h, work, err);
    for (int k = 0; checks && k < work->n_subspaces && status == STATUS_OK; k++)
        status = merels_note_evidence(&h->manifest, h->rules, h->options->verifier,
                                      &checked->evidence[k], err);
    if (status == STATUS_OK)
        status = write_manifest(h, err);
    if (status != STATUS_OK)
        return status;
    for (int k = 0; k < work->n_subspaces; k++)
        merels_needs_set(h->needs, work->subspaces[k], false);
    return let_go_free(h, err);
}

enum status merels_holdings_add(struct holdings *h, const struct work_unit *work,
                                struct error *err)
{
    struct checked checked;
    merels_upkeep_check(h->options, work, h->meter, &checked);
    return merels_holdings_take(h, work, &checked, err);
}
