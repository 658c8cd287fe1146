// engine.c: removal values and depths of one work unit, spread over threads row by row.

#include "solver/engine.h"

#include "solver/limits.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

// Rows per piece of work: enough pieces for every thread, few enough to cost nothing.
static uint32_t rows_per_piece(const struct engine *engine, uint32_t n_rows)
{
    uint32_t rows = n_rows / (uint32_t)(engine->n_threads * 32);
    return rows < 1 ? 1 : rows > 64 ? 64 : rows;
}

// ---- removal values ------------------------------------------------------------------------

// What the threads share while rows of the smaller subspace are worked off.
struct removal_job {
    struct side *side;
    const struct table *smaller;
    struct columns victims; // columns of the other side's men among the mover's free points
    uint32_t n_smaller;     // columns of the smaller subspace
    uint32_t piece;         // rows read at a time
    enum status status;
    struct error error;
    bool stopped;
    uint32_t rows_done;
};

static void fail_job(struct removal_job *job, enum status status, const struct error *error)
{
#pragma omp critical(removal_job)
    if (job->status == STATUS_OK) {
        job->status = status;
        job->error = *error;
    }
}

static enum status removal_piece(const struct engine *engine, struct removal_job *job,
                                 uint32_t first, uint8_t *values, struct error *err)
{
    const struct side *side = job->side;
    const struct row_sets *movers = side->movers->rows;
    uint32_t n = movers->n_rows - first < job->piece ? movers->n_rows - first : job->piece;
    enum status status = merels_table_read(job->smaller, (uint64_t)first * job->n_smaller,
                                           (uint64_t)n * job->n_smaller, values, err);
    if (status != STATUS_OK)
        return status;
    for (uint32_t k = 0; k < n; k++)
        if (merels_board_mill_men(&engine->rules->board, movers->sets[first + k]) != 0)
            engine->kernels->removal_row(side, &job->victims, first + k,
                                         values + (size_t)k * job->n_smaller,
                                         &engine->work[omp_get_thread_num()]);
    return STATUS_OK;
}

static bool job_over(struct removal_job *job)
{
    enum status status;
    bool stopped;
#pragma omp atomic read
    status = job->status;
#pragma omp atomic read
    stopped = job->stopped;
    return stopped || status != STATUS_OK;
}

static void tick_job(struct engine *engine, struct removal_job *job, uint64_t before)
{
    uint32_t done;
#pragma omp atomic capture
    done = job->rows_done += job->piece;
    if (omp_get_thread_num() != 0)
        return;
    double part = (double)done / job->side->movers->rows->n_rows;
    uint64_t slots = (uint64_t)job->side->n_rows * job->side->n_columns;
    if (engine->tick(engine->context, STAGE_REMOVALS, 0,
                     before + (uint64_t)(part > 1 ? slots : part * (double)slots))) {
#pragma omp atomic write
        job->stopped = true;
    }
}

static void run_removals(struct engine *engine, struct removal_job *job, uint64_t before)
{
    uint32_t n_rows = job->side->movers->rows->n_rows;
#pragma omp parallel num_threads(engine->n_threads)
    {
        struct error error = {STATUS_OK, ""};
        uint8_t *values = malloc((size_t)job->piece * job->n_smaller);
        if (values == NULL)
            fail_job(job, STATUS_NO_MEMORY,
                     &(struct error){STATUS_NO_MEMORY, "out of memory for a piece of a table"});
#pragma omp for schedule(dynamic, 1)
        for (uint32_t first = 0; first < n_rows; first += job->piece) {
            if (job_over(job) || values == NULL)
                continue;
            enum status status = removal_piece(engine, job, first, values, &error);
            if (status != STATUS_OK)
                fail_job(job, status, &error);
            tick_job(engine, job, before);
        }
        free(values);
    }
}

static enum status removals_from_table(struct engine *engine, struct side *side,
                                       struct subspace smaller, uint64_t before,
                                       struct error *err)
{
    struct removal_job job = {.side = side};
    enum status status = merels_tablebase_table(engine->base, smaller, &job.smaller, err);
    if (status != STATUS_OK)
        return status;
    int free = engine->rules->board.n_points - side->subspace.a;
    status = merels_columns_create(free, side->subspace.b, engine->kernels->cell_points,
                                   &job.victims, err);
    if (status != STATUS_OK)
        return status;
    job.n_smaller = (uint32_t)merels_choose(free, smaller.a);
    job.piece = job.n_smaller >= PIECE_SLOTS ? 1 : PIECE_SLOTS / job.n_smaller;
    run_removals(engine, &job, before);
    merels_columns_destroy(&job.victims);
    if (job.stopped)
        return merels_error(err, STATUS_INTERRUPTED, "stopped");
    if (job.status != STATUS_OK)
        return merels_error(err, job.status, "%s", job.error.text);
    return STATUS_OK;
}

// Which removal values occur in each row.
static void note_depths(const struct engine *engine, struct side *side)
{
    uint32_t piece = rows_per_piece(engine, side->n_rows);
#pragma omp parallel for schedule(dynamic, piece) num_threads(engine->n_threads)
    for (uint32_t row = 0; row < side->n_rows; row++) {
        const uint8_t *removal = side->removal + (uint64_t)row * side->n_columns;
        bool occurs[256] = {false};
        for (uint32_t k = 0; k < side->n_columns; k++)
            occurs[removal[k]] = true;
        for (int d = 0; d <= MAX_DEPTH; d++)
            side->removal_depths[row][d / 64] |= (uint64_t)occurs[d] << (d % 64);
    }
}

// First touch of the big arrays, by the threads that will work on them.
static void fill_arrays(const struct engine *engine, struct side *side, uint8_t removal)
{
    uint32_t piece = rows_per_piece(engine, side->n_rows);
#pragma omp parallel for schedule(dynamic, piece) num_threads(engine->n_threads)
    for (uint32_t row = 0; row < side->n_rows; row++) {
        uint64_t first = (uint64_t)row * side->n_columns;
        memset(side->value + first, VALUE_DRAW, side->n_columns);
        memset(side->removal + first, removal, side->n_columns);
        uint64_t *undecided = side->undecided + row * side->row_words;
        for (size_t w = 0; w < side->row_words; w++)
            undecided[w] =
                low_bits((int)(side->n_columns - w * 64 < 64 ? side->n_columns - w * 64 : 64));
        side->left[row] = side->n_columns;
    }
}

enum status merels_engine_removals(struct engine *engine, struct error *err)
{
    uint64_t before = 0;
    for (int k = 0; k < engine->unit->n_sides; k++) {
        struct side *side = &engine->unit->sides[k];
        struct subspace smaller = {(uint8_t)(side->subspace.b - 1), side->subspace.a, 0, 0};
        bool ends =
            smaller.a < engine->rules->least; // the removal leaves too few men: lost in 0
        fill_arrays(engine, side, ends ? 0 : VALUE_DRAW);
        if (!ends) {
            enum status status = removals_from_table(engine, side, smaller, before, err);
            if (status != STATUS_OK)
                return status;
        }
        note_depths(engine, side);
        before += (uint64_t)side->n_rows * side->n_columns;
    }
    return STATUS_OK;
}

// ---- depths --------------------------------------------------------------------------------

static uint64_t decide_side(struct engine *engine, struct side *side, int depth)
{
    uint64_t n = 0, n_plain = 0;
    uint32_t piece = rows_per_piece(engine, side->n_rows);
#pragma omp parallel for schedule(dynamic, piece) num_threads(engine->n_threads)                   \
    reduction(+ : n, n_plain)
    for (uint32_t row = 0; row < side->n_rows; row++) {
        struct workspace *work = &engine->work[omp_get_thread_num()];
        uint32_t found = engine->kernels->decide_row(side, row, depth, work);
        n += found;
        n_plain += side->rows->rows->stabilizers[row] == 1 ? found : 0;
    }
    side->decided[depth + 1] = n_plain;
    return n;
}

static int deepest_removal(const struct unit *unit)
{
    int deepest = -1;
    for (int k = 0; k < unit->n_sides; k++)
        for (uint32_t row = 0; row < unit->sides[k].n_rows; row++)
            for (int d = MAX_DEPTH; d > deepest; d--)
                if (unit->sides[k].removal_depths[row][d / 64] >> (d % 64) & 1)
                    deepest = d;
    return deepest;
}

enum status merels_engine_depths(struct engine *engine, struct error *err)
{
    int last_removal = deepest_removal(engine->unit);
    uint64_t decided = 0, fresh = 1;
    for (int depth = -1; fresh != 0 || depth <= last_removal; depth++) {
        if (depth + 1 > MAX_DEPTH)
            return merels_error(err, STATUS_UNSUPPORTED,
                                "a win or loss of over %d plies does not fit one byte",
                                MAX_DEPTH);
        fresh = 0;
        for (int k = 0; k < engine->unit->n_sides; k++)
            fresh += decide_side(engine, &engine->unit->sides[k], depth);
        decided += fresh;
        if (engine->tick(engine->context, STAGE_DEPTHS, depth + 1, decided))
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    return STATUS_OK;
}
