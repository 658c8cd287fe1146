// source.c: the values of finished subspaces, turned into the shape of the unit at work.
//
// Positions after the mover's ply belong to the other side, so the finished table has the
// mover's set as its row. It is read in order, row by row; what a row says about its columns is
// written to the unit's rows by the turn, one random write for each that is no draw.

#include <omp.h>
#include <stdlib.h>

#include "solver/engine.h"
#include "solver/limits.h"

// What the threads share while rows of the finished subspace are worked off.
struct job {
    struct engine *engine;
    struct side *side;
    enum bring what;
    const struct table *finished;
    struct columns victims; // the other side's men on the points that the mover leaves free
    struct columns fewer;   // the same with one man less
    uint32_t n_columns;     // of the finished subspace
    uint32_t piece;         // rows read at a time
    uint64_t before;
    enum status status;
    struct error error;
    bool stopped;
    uint32_t rows_done;
};

static void fail(struct job *job, enum status status, const struct error *error)
{
#pragma omp critical(bring)
    if (job->status == STATUS_OK) {
        job->status = status;
        job->error = *error;
    }
}

static bool is_over(struct job *job)
{
    bool over;
#pragma omp critical(bring)
    over = job->stopped || job->status != STATUS_OK;
    return over;
}

static void bring_row(const struct job *job, uint32_t row, const uint8_t *values)
{
    const struct engine *engine = job->engine;
    struct side *side = job->side;
    struct workspace *work = &engine->work[omp_get_thread_num()];
    point_set set = side->movers->rows->sets[row];
    if (job->what == BRING_PLAIN)
        engine->kernels->arrival_row(side, &job->victims, row, values, work);
    else if (merels_board_mill_men(&engine->rules->board, set) != 0)
        engine->kernels->removal_row(side, &job->victims, &job->fewer, row, values, work);
}

static enum status bring_piece(const struct job *job, uint32_t first, uint32_t last,
                               uint8_t *values, struct error *err)
{
    uint32_t n = last - first < job->piece ? last - first : job->piece;
    enum status status = merels_table_read(job->finished, (uint64_t)first * job->n_columns,
                                           (uint64_t)n * job->n_columns, values, err);
    for (uint32_t k = 0; k < n && status == STATUS_OK; k++)
        bring_row(job, first + k, values + (size_t)k * job->n_columns);
    return status;
}

static void tick(struct job *job)
{
    uint32_t done;
#pragma omp atomic capture
    done = job->rows_done += job->piece;
    if (omp_get_thread_num() != 0)
        return;
    double part = (double)done / job->side->movers->rows->n_rows;
    uint64_t slots = (uint64_t)job->side->n_rows * job->side->n_columns;
    uint64_t done_slots = job->before + (part > 1 ? slots : (uint64_t)(part * (double)slots));
    struct engine *engine = job->engine;
    if (engine->tick(engine->context, STAGE_REMOVALS, 0, done_slots)) {
#pragma omp critical(bring)
        job->stopped = true;
    }
}

static void read_rows(struct job *job, uint32_t first_row, uint32_t last_row)
{
#pragma omp parallel num_threads(job->engine->n_threads)
    {
        struct error error = {STATUS_NO_MEMORY, "out of memory for a piece of a table"};
        uint8_t *values = malloc((size_t)job->piece * job->n_columns);
        if (values == NULL)
            fail(job, STATUS_NO_MEMORY, &error);
#pragma omp for schedule(dynamic, 1)
        for (uint32_t first = first_row; first < last_row; first += job->piece) {
            if (is_over(job))
                continue;
            enum status status = bring_piece(job, first, last_row, values, &error);
            if (status != STATUS_OK)
                fail(job, status, &error);
            tick(job);
        }
        free(values);
    }
}

struct bytes_at { // the bucket whose turns are carried out
    const struct job *job;
    uint32_t bucket;
};

static void apply_bytes(void *context, const uint32_t *items, size_t n)
{
    const struct bytes_at *at = context;
    const struct side *side = at->job->side;
    int column_bits = side->lists[0].column_bits;
    size_t first = (size_t)at->bucket << side->lists[0].row_bits;
    uint8_t *bytes = at->job->what == BRING_PLAIN ? side->value : side->removal;
    bytes += first * side->n_columns;
    for (size_t k = 0; k < n; k++) {
        uint32_t place = items[k] >> 8, row = place >> column_bits;
        uint32_t column = place & ((1u << column_bits) - 1);
        bytes[(size_t)row * side->n_columns + column] = (uint8_t)items[k];
    }
}

static void apply_turns(struct job *job)
{
    struct turn_lists *lists = &job->side->lists[0];
#pragma omp parallel for schedule(dynamic, 1) num_threads(job->engine->n_threads)
    for (uint32_t bucket = 0; bucket < lists->n_buckets; bucket++) {
        struct bytes_at at = {job, bucket};
        merels_turn_apply(lists, bucket, apply_bytes, &at);
    }
    merels_turn_pool_reset(lists->pool);
}

// As many rows a round as the lists of turns have room for.
static void run(struct job *job)
{
    uint32_t n_rows = job->side->movers->rows->n_rows;
    uint64_t room = merels_turn_room(&job->side->lists[0]) / job->victims.n_columns;
    uint32_t round = room < job->piece ? job->piece : room > n_rows ? n_rows : (uint32_t)room;
    for (uint32_t first = 0; first < n_rows && !is_over(job); first += round) {
        read_rows(job, first, n_rows - first < round ? n_rows : first + round);
        apply_turns(job);
    }
}

static enum status open_job(struct job *job, struct subspace finished, struct error *err)
{
    const struct engine *engine = job->engine;
    int free_points = engine->rules->board.n_points - job->side->subspace.a;
    int men = job->side->subspace.b, cell_points = engine->kernels->cell_points;
    job->n_columns = (uint32_t)merels_choose(free_points, finished.a);
    job->piece = job->n_columns >= PIECE_SLOTS ? 1 : PIECE_SLOTS / job->n_columns;
    enum status status = merels_tablebase_table(engine->base, finished, &job->finished, err);
    if (status == STATUS_OK)
        status = merels_columns_create(free_points, men, cell_points, &job->victims, err);
    if (status == STATUS_OK && job->what == BRING_REMOVALS)
        status = merels_columns_create(free_points, men - 1, cell_points, &job->fewer, err);
    return status;
}

enum status merels_engine_bring(struct engine *engine, struct side *side,
                                struct subspace finished, enum bring what, uint64_t before,
                                struct error *err)
{
    struct job job = {.engine = engine, .side = side, .what = what, .before = before};
    enum status status = open_job(&job, finished, err);
    if (status == STATUS_OK) {
        run(&job);
        if (job.status != STATUS_OK)
            status = merels_error(err, job.status, "%s", job.error.text);
        else if (job.stopped)
            status = merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    merels_columns_destroy(&job.victims);
    merels_columns_destroy(&job.fewer);
    return status;
}

uint32_t merels_engine_piece(const struct engine *engine, uint32_t n_rows)
{
    uint32_t rows = n_rows / (uint32_t)(engine->n_threads * 32);
    return rows < 1 ? 1 : rows > 64 ? 64 : rows;
}
