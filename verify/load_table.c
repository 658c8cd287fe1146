// load_table.c: brings what checking one table needs into memory, by all threads.
//
//     own values                1 byte a slot of a-b
//     pairs of its successors   2 bytes a slot of b-a        (1.8 GB in all for 8-8)

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "verify/verify_run.h"

enum { PIECE_SLOTS = 1 << 21, HUGE_PAGE = 1 << 21 };

// ---- failures of threads -------------------------------------------------------------------

void merels_verify_fail(struct outcome *outcome, enum status status, const struct error *error)
{
#pragma omp critical(verify_outcome)
    if (outcome->status == STATUS_OK) {
        outcome->status = status;
        outcome->error = *error;
    }
}

bool merels_verify_failed(struct outcome *outcome)
{
    enum status status;
#pragma omp atomic read
    status = outcome->status;
    return status != STATUS_OK;
}

// ---- memory --------------------------------------------------------------------------------

// At least n_bytes, on huge pages where the system has them: the pairs are read at random.
static enum status grow(struct buffer *buffer, uint64_t n_bytes, struct error *err)
{
    if (buffer->data != NULL && n_bytes <= buffer->n_bytes)
        return STATUS_OK;
    free(buffer->data);
    buffer->n_bytes = (size_t)(n_bytes + HUGE_PAGE) / HUGE_PAGE * HUGE_PAGE;
    buffer->data = aligned_alloc(HUGE_PAGE, buffer->n_bytes);
    if (buffer->data == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory: %zu bytes for a table",
                            buffer->n_bytes);
#ifdef MADV_HUGEPAGE
    (void)madvise(buffer->data, buffer->n_bytes, MADV_HUGEPAGE); // advice only
#endif
    return STATUS_OK;
}

// ---- own values ----------------------------------------------------------------------------

static enum status load_values(struct session *session, const struct source_table *table,
                               struct error *err)
{
    struct outcome outcome = {.status = STATUS_OK};
    enum status status = grow(&session->values, table->n_slots, err);
    if (status != STATUS_OK)
        return status;
    uint8_t *values = session->values.data;
    uint64_t n_slots = table->n_slots;
#pragma omp parallel for schedule(dynamic, 1) num_threads(session->options->n_threads)
    for (uint64_t first = 0; first < n_slots; first += PIECE_SLOTS) {
        struct error error;
        uint64_t n = n_slots - first < PIECE_SLOTS ? n_slots - first : PIECE_SLOTS;
        if (merels_verify_failed(&outcome))
            continue;
        enum status read = merels_verify_read(table, first, n, values + first, &error);
        if (read != STATUS_OK)
            merels_verify_fail(&outcome, read, &error);
    }
    return outcome.status == STATUS_OK
               ? STATUS_OK
               : merels_error(err, outcome.status, "%s", outcome.error.text);
}

// ---- pairs ---------------------------------------------------------------------------------

struct pair_job {
    struct session *session;
    const struct view *view;
    const struct source_table *table;
    const struct source_table *plain, *smaller; // smaller is NULL if it is not needed
    uint32_t piece;                             // rows at a time
    uint64_t rows_done;
    struct outcome outcome;
};

static uint64_t columns_of(const struct source_table *table)
{
    return table != NULL ? table->n_columns : 0;
}

// The rows first ... first + n - 1 of both tables, and their pairs.
static enum status pair_piece(const struct pair_job *job, uint32_t first, uint32_t n,
                              uint8_t *bytes, struct room *room, struct error *err)
{
    const struct view *view = job->view;
    uint64_t columns = job->plain->n_columns, n_smaller = columns_of(job->smaller);
    uint8_t *smaller = bytes + n * columns;
    struct pair *pairs = job->session->pairs.data;
    enum status status =
        merels_verify_read(job->plain, first * columns, n * columns, bytes, err);
    if (status == STATUS_OK && n_smaller > 0)
        status =
            merels_verify_read(job->smaller, first * n_smaller, n * n_smaller, smaller, err);
    if (status != STATUS_OK)
        return status;
    for (uint32_t k = 0; k < n; k++)
        job->session->kernels->prepare_row(view, view->arrived->smallest[first + k],
                                           bytes + k * columns,
                                           n_smaller > 0 ? smaller + k * n_smaller : NULL, room,
                                           pairs + (first + k) * columns);
    return STATUS_OK;
}

// Progress: preparing counts as a fifth of the table.
static void pair_tick(struct pair_job *job, uint32_t n)
{
    uint64_t done;
#pragma omp atomic capture
    done = job->rows_done += n;
    double part = (double)done / job->view->arrived->n_rows;
    if (omp_get_thread_num() == 0 &&
        merels_verify_tick(job->session, (uint64_t)(part * 0.2 * (double)job->table->n_slots),
                           false))
        merels_verify_fail(&job->outcome, STATUS_INTERRUPTED,
                           &(struct error){STATUS_INTERRUPTED, "stopped"});
}

static void pair_thread(struct pair_job *job)
{
    uint64_t columns = job->plain->n_columns + columns_of(job->smaller);
    uint32_t n_rows = job->view->arrived->n_rows, piece = job->piece;
    struct error error = {STATUS_NO_MEMORY, "out of memory for rows"};
    uint8_t *bytes = malloc(piece * columns);
    struct room room = {.smaller = malloc(columns_of(job->smaller) + 1)};
    if (bytes == NULL || room.smaller == NULL)
        merels_verify_fail(&job->outcome, STATUS_NO_MEMORY, &error);
#pragma omp for schedule(dynamic, 1)
    for (uint32_t first = 0; first < n_rows; first += piece) {
        if (merels_verify_failed(&job->outcome))
            continue;
        uint32_t n = n_rows - first < piece ? n_rows - first : piece;
        enum status status = pair_piece(job, first, n, bytes, &room, &error);
        if (status != STATUS_OK)
            merels_verify_fail(&job->outcome, status, &error);
        pair_tick(job, n);
    }
    free(bytes);
    free(room.smaller);
}

static enum status load_pairs(struct session *session, const struct source_table *table,
                              const struct needs *needs, struct view *view, struct error *err)
{
    struct pair_job job = {.session = session,
                           .view = view,
                           .table = table,
                           .plain = merels_verify_find(&session->source, needs->quiet)};
    if (needs->removes)
        job.smaller = merels_verify_find(&session->source, needs->removal);
    uint64_t columns = job.plain->n_columns + columns_of(job.smaller);
    job.piece = (uint32_t)(columns >= PIECE_SLOTS ? 1 : PIECE_SLOTS / columns);
    enum status status = grow(&session->pairs, job.plain->n_slots * sizeof(struct pair), err);
    if (status != STATUS_OK)
        return status;
#pragma omp parallel num_threads(session->options->n_threads)
    pair_thread(&job);
    view->pairs = session->pairs.data;
    return job.outcome.status == STATUS_OK
               ? STATUS_OK
               : merels_error(err, job.outcome.status, "%s", job.outcome.error.text);
}

// ---- the view ------------------------------------------------------------------------------

// Without depths each loss of the other side is the same win, and the other way round.
static void fill_marks(const struct charter *c, bool wdl, struct view *view)
{
    for (int v = 0; v < 256; v++)
        view->marks[v] = (uint8_t)(v == DRAW ? MARK_DRAW : v & 1 ? (v + 1) / 2 : 255 - v / 2);
    for (int m = 1; m < 256; m++)
        view->values[m] = (uint8_t)(m == MARK_DRAW  ? DRAW
                                    : m < MARK_DRAW ? (wdl ? LOSS : 2 * m)
                                                    : 2 * (255 - m) + 1);
    view->values[MARK_NONE] = c->blocked_loses ? 0 : DRAW;
}

static enum status make_sets(const struct ground *g, int n_points, int men, uint32_t **sets,
                             uint32_t *n_sets, struct error *err)
{
    *n_sets =
        n_points < 0 || men < 0 || men > n_points ? 0 : (uint32_t)g->choose[n_points][men];
    return *n_sets == 0 ? STATUS_OK : merels_verify_sets(g, n_points, men, sets, err);
}

static enum status fill_sets(const struct ground *g, struct view *view, struct error *err)
{
    uint32_t *columns = NULL, *targets = NULL, *stay = NULL, *pairs = NULL;
    int gone = view->places ? 1 : 2, left = view->places ? view->a : view->a - 1;
    int n_points = g->charter.n_points;
    enum status status = make_sets(g, view->n_free, view->a, &columns, &view->n_columns, err);
    if (status == STATUS_OK)
        status = make_sets(g, view->n_free, view->a_after, &targets, &view->n_targets, err);
    if (status == STATUS_OK)
        status = make_sets(g, view->n_free - gone, left, &stay, &view->n_stay, err);
    if (status == STATUS_OK)
        status =
            make_sets(g, n_points - view->a_after, view->b, &pairs, &view->n_pair_columns, err);
    view->columns = columns;
    view->targets = targets;
    view->stay = stay;
    view->pair_columns = pairs;
    return status;
}

enum status merels_verify_load(struct session *session, const struct source_table *table,
                               const struct needs *needs, struct view *view, struct error *err)
{
    const struct ground *g = session->ground;
    struct counts k = table->counts;
    *view = (struct view){.ground = g,
                          .a = k.a,
                          .b = k.b,
                          .a_after = k.ha > 0 ? k.a + 1 : k.a,
                          .places = k.ha > 0,
                          .flies = k.ha == 0 && k.a <= g->charter.fly,
                          .removal_ends = needs->removal_ends,
                          .n_free = g->charter.n_points - k.b,
                          .rows = &session->classes[k.b]};
    view->arrived = &session->classes[view->a_after];
    fill_marks(&g->charter, table->wdl, view);
    enum status status = fill_sets(g, view, err);
    if (status == STATUS_OK)
        status = load_values(session, table, err);
    if (status == STATUS_OK && !needs->ended)
        status = load_pairs(session, table, needs, view, err);
    return status;
}

void merels_verify_unload(struct view *view)
{
    free((void *)view->columns);
    free((void *)view->targets);
    free((void *)view->stay);
    free((void *)view->pair_columns);
    *view = (struct view){0};
}

static uint64_t lists_bytes(const struct ground *g, int a, int b, int a_after)
{
    int n = g->charter.n_points;
    return 4 *
           (g->choose[n - b][a] * 2 + g->choose[n - b][a_after] + g->choose[n - a_after][b]);
}

// Per thread: rows of both successors, and three arrays over all sets of the free points.
uint64_t merels_verify_load_bytes(const struct session *session,
                                  const struct source_table *table)
{
    const struct ground *g = session->ground;
    struct counts k = table->counts;
    struct needs needs = merels_verify_needs(&g->charter, k);
    const struct source_table *quiet = merels_verify_find(&session->source, needs.quiet);
    uint64_t bytes = table->n_slots + 2 * (uint64_t)HUGE_PAGE, rows = PIECE_SLOTS;
    int a_after = k.ha > 0 ? k.a + 1 : k.a;
    if (needs.ended || quiet == NULL)
        return bytes;
    const struct source_table *removal = merels_verify_find(&session->source, needs.removal);
    uint64_t columns = quiet->n_columns + (needs.removes ? 2 * columns_of(removal) : 0);
    rows = columns > rows ? columns : rows;
    uint64_t sets = (uint64_t)3 << (g->charter.n_points - k.b);
    return bytes + quiet->n_slots * sizeof(struct pair) + lists_bytes(g, k.a, k.b, a_after) +
           (uint64_t)session->options->n_threads * (rows > sets ? rows : sets);
}
