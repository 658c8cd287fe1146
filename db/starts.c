// starts.c: for which starts a list of tables is complete.

#include "db/starts.h"

#include <stdlib.h>

#include "db/arise.h"

static bool is_kept(const struct manifest *manifest, struct subspace s)
{
    const struct manifest_entry *entry = merels_manifest_find(manifest, s);
    return entry != NULL && !entry->dropped;
}

static enum status is_complete(const struct manifest *manifest, const struct rules *rules,
                               struct start start, bool *complete, struct error *err)
{
    struct subspace *arising;
    size_t n;
    enum status status = merels_subspaces_arising(rules, start, &arising, &n, err);
    if (status != STATUS_OK)
        return status;
    *complete = true;
    for (size_t i = 0; i < n && *complete; i++)
        *complete = is_kept(manifest, arising[i]);
    free(arising);
    return STATUS_OK;
}

enum status merels_manifest_find_starts(struct manifest *manifest, const struct rules *rules,
                                        struct error *err)
{
    enum { MAX_STARTS = (MAX_POINTS + 1) * (MAX_POINTS + 1) };
    struct start *found = malloc(MAX_STARTS * sizeof *found);
    if (found == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a manifest");
    free(manifest->starts);
    manifest->starts = found;
    manifest->n_starts = 0;
    for (int first = 1; first <= rules->board.n_points; first++)
        for (int second = 1; second <= rules->board.n_points - first; second++) {
            struct subspace empty = {0, 0, (uint8_t)first, (uint8_t)second};
            struct start start = {first, second};
            bool complete;
            if (!is_kept(manifest, empty))
                continue;
            enum status status = is_complete(manifest, rules, start, &complete, err);
            if (status != STATUS_OK)
                return status;
            if (complete)
                found[manifest->n_starts++] = start;
        }
    return STATUS_OK;
}
