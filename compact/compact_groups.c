// compact_groups.c: a batch of groups is coded by all threads, then written in order.
//
//     group:  length of each block, seven bits a byte | block | block | ...
//     index:  begin, hash of each group | end, 0

#include "compact/compact_groups.h"

#include <omp.h>
#include <stdlib.h>

#include "compact/compact_coder.h"

// A group should have about so many bytes; the rows to guess how many rows that is.
enum { GROUP_BYTES = 8192, MOST_ROWS_IN_GROUP = 4096, ROWS_TRIED = 16, GROUPS_A_THREAD = 8 };

struct encoding {
    struct range_encoder encoder;
    const uint8_t *row_values;
};

static int encode(void *context, uint32_t column, int decision, uint32_t p)
{
    struct encoding *e = context;
    bool yes = e->row_values[column] == (decision == 0 ? 2 : 0);
    merels_encoder_decide(&e->encoder, yes, p);
    return yes;
}

static enum status encode_row(struct compact_rows *rows, const int8_t *model, uint32_t row,
                              struct bytes *lengths, struct bytes *blocks, struct error *err)
{
    struct encoding e = {.row_values = rows->values};
    const struct compact_walker walker = {.context = &e, .model = model, .decide = encode};
    enum status status = merels_compact_rows_read(rows, row, err);
    for (uint32_t k = 0; k < rows->n_pieces && status == STATUS_OK; k++) {
        struct compact_block block = merels_compact_rows_block(rows, row, k);
        size_t begin = blocks->n;
        merels_encoder_start(&e.encoder, blocks);
        merels_compact_walk(rows->game, &block, &rows->room, &walker);
        merels_encoder_finish(&e.encoder);
        merels_bytes_put_number(lengths, (uint32_t)(blocks->n - begin));
    }
    return status;
}

static enum status encode_group(struct compact_rows *rows, const int8_t *model, uint32_t first,
                                uint32_t n, struct bytes *group, struct error *err)
{
    struct bytes blocks = {0};
    enum status status = STATUS_OK;
    group->n = 0;
    for (uint32_t row = first; row < first + n && status == STATUS_OK; row++)
        status = encode_row(rows, model, row, group, &blocks, err);
    merels_bytes_put(group, blocks.data, blocks.n);
    group->failed |= blocks.failed;
    merels_bytes_free(&blocks);
    return status;
}

// How many rows should stand in a group: some rows, spread over the table, are tried.
static enum status guess_rows(struct compact_rows *rows, const int8_t *model, uint32_t *n_rows,
                              struct error *err)
{
    struct bytes group = {0};
    uint32_t all = rows->sets->n_rows, tried = all < ROWS_TRIED ? all : ROWS_TRIED;
    size_t n_bytes = 0;
    enum status status = STATUS_OK;
    for (uint32_t k = 0; k < tried && status == STATUS_OK; k++) {
        uint32_t row = (uint32_t)((uint64_t)k * all / tried);
        status = encode_group(rows, model, row, 1, &group, err);
        n_bytes += group.n;
    }
    if (status == STATUS_OK && group.failed)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for an export");
    merels_bytes_free(&group);
    uint64_t n = (uint64_t)GROUP_BYTES * tried / (n_bytes + 1);
    *n_rows = n == 0 ? 1 : n > MOST_ROWS_IN_GROUP ? MOST_ROWS_IN_GROUP : (uint32_t)n;
    return status;
}

// ---- batches -------------------------------------------------------------------------------

struct batch {
    const struct compact_groups *groups;
    struct compact_rows *rows; // one for each thread
    struct bytes *coded;       // one for each group of the batch
    uint32_t n_coded;          // at most
    uint32_t rows_in_group, n_rows, n_groups;
};

static enum status code_batch(struct batch *b, uint32_t first, uint32_t n, struct error *err)
{
    enum status result = STATUS_OK;
    struct error first_error = {STATUS_OK, ""};
#pragma omp parallel for schedule(dynamic, 1) num_threads(b->groups->n_threads)
    for (uint32_t k = 0; k < n; k++) {
        struct error error;
        uint32_t row = (first + k) * b->rows_in_group, rest = b->n_rows - row;
        uint32_t n_in = rest < b->rows_in_group ? rest : b->rows_in_group;
        enum status status = encode_group(&b->rows[omp_get_thread_num()], b->groups->model, row,
                                          n_in, &b->coded[k], &error);
        if (status != STATUS_OK) {
#pragma omp critical(compact_failure)
            {
                result = status;
                first_error = error;
            }
        }
    }
    return result == STATUS_OK ? STATUS_OK : merels_error(err, result, "%s", first_error.text);
}

static enum status write_batch(struct batch *b, uint32_t n, struct compact_file *file,
                               struct bytes *index, struct error *err)
{
    enum status status = STATUS_OK;
    for (uint32_t k = 0; k < n && status == STATUS_OK; k++) {
        struct compact_place place;
        status = merels_compact_file_append(file, &b->coded[k], false, &place, err);
        merels_bytes_put_int(index, place.offset, 8);
        merels_bytes_put_int(index, place.hash, 8);
    }
    return status;
}

static enum status write_batches(struct batch *b, struct compact_file *file,
                                 struct bytes *index, struct error *err)
{
    const struct compact_groups *g = b->groups;
    for (uint32_t first = 0; first < b->n_groups; first += b->n_coded) {
        uint32_t n = b->n_groups - first < b->n_coded ? b->n_groups - first : b->n_coded;
        enum status status = code_batch(b, first, n, err);
        if (status == STATUS_OK)
            status = write_batch(b, n, file, index, err);
        if (status != STATUS_OK)
            return status;
        uint64_t rows = (uint64_t)(first + n) * b->rows_in_group;
        rows = rows < b->n_rows ? rows : b->n_rows;
        if (merels_meter_count(g->meter, rows * b->rows[0].n_columns))
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    return STATUS_OK;
}

static enum status write_index(struct compact_file *file, struct bytes *index,
                               struct compact_entry *entry, struct error *err)
{
    struct compact_place place;
    merels_bytes_put_int(index, file->end, 8);
    merels_bytes_put_int(index, 0, 8);
    enum status status = merels_compact_file_append(file, index, true, &place, err);
    entry->index = place.offset;
    return status;
}

// ---- one table -----------------------------------------------------------------------------

static enum status start_batch(struct batch *b, struct error *err)
{
    const struct compact_groups *g = b->groups;
    b->n_coded = (uint32_t)g->n_threads * GROUPS_A_THREAD;
    b->rows = calloc((size_t)g->n_threads, sizeof *b->rows);
    b->coded = calloc(b->n_coded, sizeof *b->coded);
    if (b->rows == NULL || b->coded == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for an export");
    enum status status = STATUS_OK;
    for (int k = 0; k < g->n_threads && status == STATUS_OK; k++)
        status = merels_compact_rows_start(g->game, g->base, g->planned->subspace,
                                           g->planned->stored, &b->rows[k], err);
    return status;
}

static void end_batch(struct batch *b)
{
    for (int k = 0; b->rows != NULL && k < b->groups->n_threads; k++)
        merels_compact_rows_end(&b->rows[k]);
    for (uint32_t k = 0; b->coded != NULL && k < b->n_coded; k++)
        merels_bytes_free(&b->coded[k]);
    free(b->rows);
    free(b->coded);
}

enum status merels_compact_write_groups(const struct compact_groups *groups,
                                        struct compact_file *file, struct compact_entry *entry,
                                        struct error *err)
{
    struct batch b = {.groups = groups};
    struct bytes index = {0};
    uint64_t before = file->end;
    enum status status = start_batch(&b, err);
    if (status == STATUS_OK)
        status = guess_rows(&b.rows[0], groups->model, &b.rows_in_group, err);
    if (status == STATUS_OK) {
        b.n_rows = b.rows[0].sets->n_rows;
        b.n_groups = (b.n_rows - 1) / b.rows_in_group + 1;
        status = write_batches(&b, file, &index, err);
    }
    if (status == STATUS_OK)
        status = write_index(file, &index, entry, err);
    entry->rows_in_group = b.rows_in_group;
    entry->n_bytes = file->end - before;
    merels_bytes_free(&index);
    end_batch(&b);
    return status;
}
