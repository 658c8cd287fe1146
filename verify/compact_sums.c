// compact_sums.c: places that the head and the indexes of groups say, judged before they are
// read.

#include "verify/compact_sums.h"

#include "verify/small_files.h"
#include "verify/table_files.h"

enum status merels_verify_damaged(struct counts counts, const char *what, struct error *err)
{
    char name[COUNTS_NAME_BYTES];
    merels_verify_name(counts, name);
    return merels_error(err, STATUS_CORRUPT, "edition compact: damaged: %s of %s", what, name);
}

enum status merels_verify_model_bytes(const struct compact_file *file,
                                      const struct compact_subspace *subspace,
                                      const uint8_t **bytes, uint32_t *n_bytes,
                                      struct error *err)
{
    const struct compact_model *model = &file->models[subspace->model];
    if (model->n_bytes > file->most_bytes || model->offset > file->n_bytes ||
        model->n_bytes > file->n_bytes - model->offset ||
        merels_verify_sum(file->bytes + model->offset, model->n_bytes) != model->sum)
        return merels_verify_damaged(subspace->counts, "the model", err);
    *bytes = file->bytes + model->offset;
    *n_bytes = model->n_bytes;
    return STATUS_OK;
}

enum status merels_verify_count_groups(const struct compact_file *file,
                                       const struct compact_subspace *subspace,
                                       uint32_t *n_groups, struct error *err)
{
    uint64_t n_rows = file->n_rows[subspace->counts.b], each = subspace->group_rows;
    uint64_t n = (n_rows + each - 1) / each, n_bytes = 16 * (n + 1);
    if (subspace->groups > file->n_bytes || n_bytes > file->n_bytes - subspace->groups ||
        compact_number(file->bytes + subspace->groups + n_bytes - 8, 8) != 0)
        return merels_verify_damaged(subspace->counts, "the index of groups", err);
    *n_groups = (uint32_t)n;
    return STATUS_OK;
}

enum status merels_verify_group_bytes(const struct compact_file *file,
                                      const struct compact_subspace *subspace, uint32_t group,
                                      const uint8_t **bytes, const uint8_t **end,
                                      struct error *err)
{
    const uint8_t *entry = file->bytes + subspace->groups + 16 * (uint64_t)group;
    uint64_t from = compact_number(entry, 8), to = compact_number(entry + 16, 8);
    if (from > to || to > file->n_bytes || to - from > file->most_bytes ||
        merels_verify_sum(file->bytes + from, to - from) != compact_number(entry + 8, 8))
        return merels_verify_damaged(subspace->counts, "a group", err);
    *bytes = file->bytes + from;
    *end = file->bytes + to;
    return STATUS_OK;
}

static enum status check_subspace(const struct compact_file *file,
                                  const struct compact_subspace *subspace, struct error *err)
{
    const uint8_t *bytes, *end;
    uint32_t n_bytes, n_groups = 0;
    enum status status = merels_verify_model_bytes(file, subspace, &bytes, &n_bytes, err);
    if (status == STATUS_OK)
        status = merels_verify_count_groups(file, subspace, &n_groups, err);
    for (uint32_t group = 0; group < n_groups && status == STATUS_OK; group++)
        status = merels_verify_group_bytes(file, subspace, group, &bytes, &end, err);
    return status;
}

enum status merels_verify_compact_sums(const struct compact_file *file, struct error *err)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < file->n_subspaces && status == STATUS_OK; k++)
        if (file->subspaces[k].strands != 0)
            status = check_subspace(file, &file->subspaces[k], err);
    return status;
}
