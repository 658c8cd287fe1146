// load_table.c: values and pairs of one table, by all threads.

#include "verify/load_table.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify_outcome.h"

enum { PIECE_SLOTS = 1 << 21 };

// ---- own values ----------------------------------------------------------------------------

// All values of a table, `width` bytes each (1 or 2).
static enum status load_values(const struct verify_run *run, const struct checked_table *table,
                               size_t width, void *values, struct error *err)
{
    struct outcome outcome = {.status = STATUS_OK};
    uint64_t n_slots = table->n_slots;
#pragma omp parallel for schedule(dynamic, 1) num_threads(run->n_threads)
    for (uint64_t first = 0; first < n_slots; first += PIECE_SLOTS) {
        struct error error;
        uint64_t n = n_slots - first < PIECE_SLOTS ? n_slots - first : PIECE_SLOTS;
        if (merels_verify_failed(&outcome))
            continue;
        enum status status =
            width == 1
                ? merels_verify_read(table, first, n, (uint8_t *)values + first, &error)
                : merels_verify_read_wide(table, first, n, (uint16_t *)values + first, &error);
        merels_verify_note(&outcome, status, &error);
    }
    return merels_verify_outcome(&outcome, err);
}

static enum status load_into(struct buffer *buffer, const struct verify_run *run,
                             const struct checked_table *table, size_t width, struct error *err)
{
    enum status status = merels_verify_grow(buffer, table->n_slots * width, err);
    return status == STATUS_OK ? load_values(run, table, width, buffer->data, err) : status;
}

// ---- pairs ---------------------------------------------------------------------------------

struct pair_job {
    struct verify_run *run;
    const struct table_view *view;
    const struct checked_table *plain, *smaller; // smaller is NULL if it is not needed
    uint32_t piece;                              // rows at a time
    uint64_t rows_done;
    struct outcome outcome;
};

static uint64_t columns_of(const struct checked_table *table)
{
    return table != NULL ? table->n_columns : 0;
}

// Room for a value: of two bytes also where they become one.
enum { ROOM_BYTES = 2 };

// Rows of a successor, as wide as the marks of the view.
static enum status read_rows(const struct table_view *view, const struct checked_table *table,
                             uint32_t first, uint32_t n, uint8_t *bytes, struct error *err)
{
    uint64_t columns = table->n_columns;
    if (view->mark_bytes == 2)
        return merels_verify_read_wide(table, first * columns, n * columns, (uint16_t *)bytes,
                                       err);
    if (table->value_bytes == 2) // after a ply that converts; else the marks would have two
        return merels_verify_read_results(table, first * columns, n * columns, bytes, err);
    return merels_verify_read(table, first * columns, n * columns, bytes, err);
}

static size_t pair_bytes(const struct table_view *view)
{
    return view->mark_bytes == 2 ? sizeof(struct wide_pair) : sizeof(struct pair);
}

// The rows first ... first + n - 1 of both tables, and their pairs.
static enum status pair_piece(const struct pair_job *job, uint32_t first, uint32_t n,
                              uint8_t *bytes, struct room *room, struct error *err)
{
    const struct table_view *view = job->view;
    const struct row_checks *checks = row_checks_for(job->run->checks, view);
    uint64_t columns = job->plain->n_columns, n_smaller = columns_of(job->smaller);
    uint64_t width = (uint64_t)view->mark_bytes;
    uint8_t *smaller = bytes + n * columns * ROOM_BYTES, *pairs = job->run->pairs.data;
    enum status status = read_rows(view, job->plain, first, n, bytes, err);
    if (status == STATUS_OK && n_smaller > 0)
        status = read_rows(view, job->smaller, first, n, smaller, err);
    if (status != STATUS_OK)
        return status;
    for (uint32_t k = 0; k < n; k++)
        checks->prepare_row(view, view->arrived->smallest[first + k],
                            bytes + k * columns * width,
                            n_smaller > 0 ? smaller + k * n_smaller * width : NULL, room,
                            pairs + (first + k) * columns * pair_bytes(view));
    return STATUS_OK;
}

static enum status pair_tick(struct pair_job *job, uint32_t n, struct error *err)
{
    uint64_t done;
#pragma omp atomic capture
    done = job->rows_done += n;
    return merels_verify_tick(job->run, (double)done / job->view->arrived->n_rows, err);
}

static void pair_thread(struct pair_job *job)
{
    uint64_t columns = job->plain->n_columns + columns_of(job->smaller);
    uint32_t n_rows = job->view->arrived->n_rows, piece = job->piece;
    struct error error = {STATUS_NO_MEMORY, "out of memory for rows"};
    uint8_t *bytes = malloc(piece * columns * ROOM_BYTES);
    struct room room = {
        .smaller = malloc((columns_of(job->smaller) + 1) * (size_t)job->view->mark_bytes)};
    if (bytes == NULL || room.smaller == NULL)
        merels_verify_note(&job->outcome, STATUS_NO_MEMORY, &error);
#pragma omp for schedule(dynamic, 1)
    for (uint32_t first = 0; first < n_rows; first += piece) {
        if (merels_verify_failed(&job->outcome))
            continue;
        uint32_t n = n_rows - first < piece ? n_rows - first : piece;
        enum status status = pair_piece(job, first, n, bytes, &room, &error);
        if (status == STATUS_OK)
            status = pair_tick(job, n, &error);
        merels_verify_note(&job->outcome, status, &error);
    }
    free(bytes);
    free(room.smaller);
}

static enum status load_pairs(struct verify_run *run, struct table_view *view,
                              struct error *err)
{
    struct pair_job job = {
        .run = run, .view = view, .plain = merels_verify_find(&run->files, view->plies.quiet)};
    if (view->plies.removes)
        job.smaller = merels_verify_find(&run->files, view->plies.removal);
    uint64_t columns = job.plain->n_columns + columns_of(job.smaller);
    job.piece = (uint32_t)(columns >= PIECE_SLOTS ? 1 : PIECE_SLOTS / columns);
    enum status status =
        merels_verify_grow(&run->pairs, job.plain->n_slots * pair_bytes(view), err);
    if (status != STATUS_OK)
        return status;
#pragma omp parallel num_threads(run->n_threads)
    pair_thread(&job);
    view->pairs = run->pairs.data;
    return merels_verify_outcome(&job.outcome, err);
}

// ---- the view ------------------------------------------------------------------------------

static enum status make_sets(const struct verify_index *index, int n_points, int men,
                             uint32_t **sets, uint32_t *n_sets, struct error *err)
{
    *n_sets =
        n_points < 0 || men < 0 || men > n_points ? 0 : (uint32_t)index->choose[n_points][men];
    return *n_sets == 0 ? STATUS_OK : merels_verify_sets(index, n_points, men, sets, err);
}

static enum status fill_sets(const struct verify_index *index, struct table_view *view,
                             struct error *err)
{
    uint32_t *columns = NULL, *targets = NULL, *pairs = NULL;
    int n_points = index->rules.n_points;
    enum status status =
        make_sets(index, view->n_free, view->a, &columns, &view->n_columns, err);
    if (status == STATUS_OK)
        status = make_sets(index, view->n_free, view->a_after, &targets, &view->n_targets, err);
    if (status == STATUS_OK)
        status = make_sets(index, n_points - view->a_after, view->b, &pairs,
                           &view->n_pair_columns, err);
    view->columns = columns;
    view->targets = targets;
    view->pair_columns = pairs;
    return status;
}

enum status merels_verify_load(struct verify_run *run, const struct checked_table *table,
                               int mark_bytes, struct table_view *view, struct error *err)
{
    const struct verify_index *index = run->index;
    struct counts k = table->counts;
    *view = (struct table_view){.index = index,
                                .plies = merels_verify_plies(&index->rules, k),
                                .a = k.a,
                                .b = k.b,
                                .n_free = index->rules.n_points - k.b,
                                .rows = &run->classes[k.b],
                                .mark_bytes = mark_bytes};
    view->a_after = view->plies.over ? k.a : view->plies.quiet.b;
    view->arrived = &run->classes[view->a_after];
    merels_meter_stage(&run->meter, "successors", LOADING_SHARE);
    enum status status = merels_verify_marks(mark_bytes, table->measure, &view->plies,
                                             index->rules.n_move, &view->marks, err);
    if (status == STATUS_OK)
        status = fill_sets(index, view, err);
    if (status == STATUS_OK)
        status = load_into(&run->values, run, table, (size_t)mark_bytes, err);
    if (status == STATUS_OK && !view->plies.over)
        status = load_pairs(run, view, err);
    return status;
}

void merels_verify_unload(struct table_view *view)
{
    free((void *)view->columns);
    free((void *)view->targets);
    free((void *)view->pair_columns);
    free((void *)view->marks);
    *view = (struct table_view){0};
}

static uint64_t lists_bytes(const struct verify_index *index, int a, int b, int a_after)
{
    int n = index->rules.n_points;
    return 4 * (index->choose[n - b][a] + index->choose[n - b][a_after] +
                index->choose[n - a_after][b]);
}

// Per thread: rows of both successors, and three arrays over all sets of the free points.
uint64_t merels_verify_load_bytes(const struct verify_run *run,
                                  const struct checked_table *table, int mark_bytes)
{
    const struct verify_index *index = run->index;
    struct counts k = table->counts;
    struct verify_plies plies = merels_verify_plies(&index->rules, k);
    uint64_t width = (uint64_t)mark_bytes, rows = PIECE_SLOTS;
    uint64_t bytes = table->n_slots * width + 2 * (uint64_t)VERIFY_ROUNDING_BYTES;
    if (plies.over)
        return bytes;
    const struct checked_table *quiet = merels_verify_find(&run->files, plies.quiet);
    const struct checked_table *removal =
        plies.removes ? merels_verify_find(&run->files, plies.removal) : NULL;
    uint64_t columns = quiet->n_columns + columns_of(removal);
    rows = (columns > rows ? columns : rows) * ROOM_BYTES + columns_of(removal) * width;
    uint64_t sets = row_room_bytes(index->rules.n_points - k.b, mark_bytes);
    return bytes + quiet->n_slots * width * sizeof(struct pair) +
           lists_bytes(index, k.a, k.b, plies.quiet.b) +
           (uint64_t)run->n_threads * (rows > sets ? rows : sets);
}

// ---- slot by slot, values of two bytes
// -------------------------------------------------------------------

enum status merels_verify_load_wide(struct verify_run *run, struct slot_judge *judge,
                                    struct error *err)
{
    enum { WIDTH = sizeof(uint16_t) };
    merels_meter_stage(&run->meter, "successors", LOADING_SHARE);
    enum status status = load_into(&run->values, run, judge->table, WIDTH, err);
    for (int w = 0; w < judge->plies.n_ways && status == STATUS_OK; w++) {
        if (judge->after[w] == NULL)
            continue;
        status = load_into(&run->successors[w], run, judge->after[w], WIDTH, err);
        judge->values[w] = run->successors[w].data;
    }
    return status;
}

static uint64_t slots_of(const struct checked_table *table)
{
    return table != NULL ? table->n_slots : 0;
}

uint64_t merels_verify_load_wide_bytes(const struct slot_judge *judge)
{
    uint64_t slots = judge->table->n_slots;
    for (int w = 0; w < judge->plies.n_ways; w++)
        slots += slots_of(judge->after[w]);
    return slots * sizeof(uint16_t) + (1 + MAX_WAYS) * (uint64_t)VERIFY_ROUNDING_BYTES;
}
