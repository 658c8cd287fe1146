// compact_file.c: the head of a file of edition compact, and what follows it. docs/COMPACT.md
// is the law.

#include "compact/compact_file.h"

#include <stdlib.h>
#include <string.h>

#include "db/header.h"
#include "game/rules_text.h"

static const char magic[8] = {'M', 'E', 'R', 'E', 'L', 'S', 'C', 'E'};

// ---- rows by prefix ------------------------------------------------------------------------

static int prefix_shift(const struct board *board)
{
    return board->n_points < 12 ? board->n_points : 12;
}

// Counts of rows with each prefix; a zero is followed by the number of further zeros.
static void put_prefixes(const struct board *board, const struct row_sets *sets,
                         struct bytes *head)
{
    uint32_t n = 1u << (board->n_points - prefix_shift(board)), zeros = 0, row = 0;
    for (uint32_t prefix = 0; prefix < n; prefix++) {
        uint32_t count = 0;
        for (; row < sets->n_rows && sets->sets[row] >> prefix_shift(board) == prefix; row++)
            count++;
        if (count == 0) {
            zeros++;
            continue;
        }
        if (zeros > 0) {
            merels_bytes_put_number(head, 0);
            merels_bytes_put_number(head, zeros - 1);
            zeros = 0;
        }
        merels_bytes_put_number(head, count);
    }
    if (zeros > 0) {
        merels_bytes_put_number(head, 0);
        merels_bytes_put_number(head, zeros - 1);
    }
}

static bool is_row_count(const struct compact_plan *plan, int men)
{
    for (size_t k = 0; k < plan->n; k++)
        if (plan->subspaces[k].stored != 0 && plan->subspaces[k].subspace.b == men)
            return true;
    return false;
}

static enum status put_row_counts(struct compact_file *f, struct bytes *head, struct error *err)
{
    int n = 0;
    for (int men = 0; men <= MAX_POINTS; men++)
        n += is_row_count(f->plan, men);
    merels_bytes_put_int(head, (uint64_t)n, 1);
    for (int men = 0; men <= MAX_POINTS; men++) {
        const struct row_sets *sets;
        if (!is_row_count(f->plan, men))
            continue;
        enum status status = merels_index_rows(f->rows, men, &sets, err);
        if (status != STATUS_OK)
            return status;
        merels_bytes_put_int(head, (uint64_t)men, 1);
        put_prefixes(&f->rules->board, sets, head);
    }
    return STATUS_OK;
}

// ---- the head ------------------------------------------------------------------------------

static void put_lists(const struct compact_file *f, struct bytes *head)
{
    char text[RULES_TEXT_BYTES];
    merels_bytes_put_int(head, f->n_models, 2);
    merels_bytes_put_int(head, f->plan->n, 2);
    for (size_t k = 0; k < f->n_models; k++) {
        merels_bytes_put_int(head, f->models[k].offset, 8);
        merels_bytes_put_int(head, f->models[k].n_bytes, 4);
        merels_bytes_put_int(head, f->models[k].hash, 8);
    }
    for (size_t k = 0; k < f->plan->n; k++) {
        struct subspace s = f->plan->subspaces[k].subspace;
        const struct compact_entry *e = &f->entries[k];
        uint8_t counts[6] = {s.a, s.b, s.ha, s.hb, f->plan->subspaces[k].stored, 0};
        merels_bytes_put(head, counts, sizeof counts);
        merels_bytes_put_int(head, e->model, 2);
        merels_bytes_put_int(head, e->rows_in_group, 4);
        merels_bytes_put_int(head, e->index, 8);
    }
    merels_bytes_put_int(head, 0, 2); // layers of depths
    size_t length = merels_rules_text(f->rules, text);
    merels_bytes_put_int(head, length, 2);
    merels_bytes_put(head, text, length);
}

static enum status put_body(struct compact_file *f, struct bytes *body, struct error *err)
{
    merels_compact_put_game(f->rules, body);
    merels_bytes_put_int(body, (uint64_t)f->plan->most_depth, 1);
    merels_bytes_put_int(body, f->most_group, 4);
    enum status status = put_row_counts(f, body, err);
    if (status != STATUS_OK)
        return status;
    put_lists(f, body);
    return body->failed ? merels_error(err, STATUS_NO_MEMORY, "out of memory for a head")
                        : STATUS_OK;
}

static enum status put_fixed(const struct compact_file *f, const struct bytes *body,
                             struct bytes *head, struct error *err)
{
    uint8_t fingerprint[FINGERPRINT_BYTES];
    enum status status = merels_rules_fingerprint(f->rules, fingerprint, err);
    if (status != STATUS_OK)
        return status;
    merels_bytes_put(head, magic, sizeof magic);
    merels_bytes_put_int(head, COMPACT_VERSION, 4);
    if (!head->failed)
        merels_bytes_put_int(head, merels_compact_hash(head->data, 12) & 0xFFFFFFFF, 4);
    merels_bytes_put(head, fingerprint, sizeof fingerprint);
    merels_bytes_put_int(head, f->end, 8);
    merels_bytes_put_int(head, COMPACT_HEAD + body->n, 4);
    merels_bytes_put_int(head, 0, 4);
    merels_bytes_put_int(head, merels_compact_hash(body->data, body->n), 8);
    if (!head->failed)
        merels_bytes_put_int(head, merels_compact_hash(head->data, 56), 8);
    merels_bytes_put(head, body->data, body->n);
    return head->failed ? merels_error(err, STATUS_NO_MEMORY, "out of memory for a head")
                        : STATUS_OK;
}

static enum status make_head(struct compact_file *f, struct bytes *head, struct error *err)
{
    struct bytes body = {0};
    enum status status = put_body(f, &body, err);
    if (status == STATUS_OK)
        status = put_fixed(f, &body, head, err);
    merels_bytes_free(&body);
    return status;
}

// ---- the file ------------------------------------------------------------------------------

enum status merels_compact_file_create(struct compact_file *f, const struct rules *rules,
                                       const struct compact_plan *plan, struct index *rows,
                                       size_t n_models, char *path, struct error *err)
{
    struct bytes head = {0};
    *f = (struct compact_file){
        .rules = rules, .plan = plan, .rows = rows, .file = {.fd = -1}, .path = path};
    f->n_models = n_models;
    f->entries = calloc(plan->n + 1, sizeof *f->entries);
    f->models = calloc(n_models + 1, sizeof *f->models);
    if (f->entries == NULL || f->models == NULL) {
        merels_compact_file_drop(f);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for an export");
    }
    enum status status = make_head(f, &head, err);
    if (status == STATUS_OK)
        status = merels_file_continue(path, &f->file, err);
    f->end = head.n;
    merels_bytes_free(&head);
    if (status != STATUS_OK)
        merels_compact_file_drop(f);
    return status;
}

enum status merels_compact_file_identity(struct compact_file *f, uint64_t *identity,
                                         struct error *err)
{
    struct bytes head = {0};
    enum status status = make_head(f, &head, err);
    if (status == STATUS_OK)
        *identity = merels_compact_hash(head.data, head.n);
    merels_bytes_free(&head);
    return status;
}

enum status merels_compact_file_append(struct compact_file *f, const struct bytes *bytes,
                                       bool is_index, struct compact_place *place,
                                       struct error *err)
{
    if (bytes->failed)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for an export");
    *place = (struct compact_place){.offset = f->end,
                                    .hash = merels_compact_hash(bytes->data, bytes->n),
                                    .n_bytes = (uint32_t)bytes->n};
    if (!is_index && bytes->n > f->most_group)
        f->most_group = (uint32_t)bytes->n;
    f->end += bytes->n;
    return merels_file_write_at(&f->file, place->offset, bytes->data, bytes->n, err);
}

enum status merels_compact_file_finish(struct compact_file *f, struct error *err)
{
    struct bytes head = {0};
    enum status status = make_head(f, &head, err);
    if (status == STATUS_OK)
        status = merels_file_write_at(&f->file, 0, head.data, head.n, err);
    if (status == STATUS_OK)
        status = merels_file_cut(&f->file, f->end, err);
    if (status == STATUS_OK)
        status = merels_file_sync(&f->file, err);
    merels_bytes_free(&head);
    if (status != STATUS_OK)
        return status;
    return merels_file_close(&f->file, err);
}

void merels_compact_file_drop(struct compact_file *f)
{
    merels_file_drop(&f->file);
    free(f->entries);
    free(f->models);
    f->entries = NULL;
    f->models = NULL;
}
