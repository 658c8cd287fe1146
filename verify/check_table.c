// check_table.c: one table, row by row: its slots, its value hash, its counts.

#include "verify/check_table.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "verify/check_slots.h"
#include "verify/load_table.h"
#include "verify/table_counts.h"
#include "verify/table_hashes.h"
#include "verify/verify_outcome.h"

// What the threads share while rows are checked.
struct job {
    struct verify_run *run;
    const struct checked_table *table;
    const struct table_view *view;
    const struct row_checks *checks;
    uint32_t piece, bad_row; // bad_row: the lowest row with a mismatch; n_rows if there is none
    uint32_t bad_column;
    uint32_t twin_column; // the same as bad_column unless symmetric slots differ
    uint32_t rows_done;
    struct outcome outcome;
    struct tally tally;
};

// As wide as the marks of the view.
static const void *row_values(const struct job *job, uint32_t row)
{
    size_t width = (size_t)job->view->mark_bytes;
    return (const uint8_t *)job->run->values.data + row * job->table->n_columns * width;
}

// One of them; a draw is DRAW.
static int value_at(const struct table_view *view, const void *stored, uint32_t column)
{
    return view->mark_bytes == 2 ? ((const uint16_t *)stored)[column]
                                 : verify_widened(((const uint8_t *)stored)[column]);
}

// ---- rows ----------------------------------------------------------------------------------

static uint32_t check_over(const struct table_view *view, const void *stored)
{
    uint32_t k = 0, n = view->n_columns;
    while (k < n && value_at(view, stored, k) == view->plies.over_value)
        k++;
    return k;
}

static void blame(struct job *job, uint32_t row, uint32_t column, uint32_t twin)
{
#pragma omp critical(verify_blame)
    if (row < job->bad_row) {
#pragma omp atomic write
        job->bad_row = row;
        job->bad_column = column;
        job->twin_column = twin;
    }
}

static void check_one(struct job *job, uint32_t row, struct room *room, struct tally *tally)
{
    const struct table_view *view = job->view;
    const struct row_checks *checks = job->checks;
    const void *stored = row_values(job, row);
    struct twins twins;
    uint32_t bad = view->plies.over
                       ? check_over(view, stored)
                       : checks->check_row(view, view->rows->smallest[row], stored, room);
    if (bad < view->n_columns)
        blame(job, row, bad, bad);
    else if (!checks->tally_row(view, row, stored, tally, &twins))
        blame(job, row, twins.column, twins.other);
}

static bool row_is_moot(struct job *job, uint32_t row)
{
    uint32_t bad_row;
#pragma omp atomic read
    bad_row = job->bad_row;
    return row > bad_row || merels_verify_failed(&job->outcome);
}

static enum status row_tick(struct job *job, uint32_t n, struct error *err)
{
    uint32_t done;
#pragma omp atomic capture
    done = job->rows_done += n;
    return merels_verify_tick(job->run, (double)done / (double)job->table->n_rows, err);
}

// ---- threads -------------------------------------------------------------------------------

static uint32_t n_values(const struct table_view *view)
{
    return view->mark_bytes == 2 ? N_WIDE : N_NARROW;
}

// False if there is no memory.
static bool start_tally(const struct table_view *view, struct tally *tally)
{
    uint32_t n = n_values(view);
    *tally =
        (struct tally){n, calloc(n, sizeof *tally->orbits), malloc(n * sizeof *tally->first)};
    for (uint32_t v = 0; v < n && tally->first != NULL; v++)
        tally->first[v] = UINT64_MAX;
    return tally->orbits != NULL && tally->first != NULL;
}

static void free_tally(struct tally *tally)
{
    free(tally->orbits);
    free(tally->first);
}

static void add_tally(struct tally *to, const struct tally *from)
{
    for (uint32_t v = 0; v < to->n_values; v++) {
        to->orbits[v] += from->orbits[v];
        to->first[v] = from->first[v] < to->first[v] ? from->first[v] : to->first[v];
    }
}

static bool make_room(const struct table_view *view, struct room *room)
{
    uint8_t *bytes = calloc(row_room_bytes(view->n_free, view->mark_bytes), 1);
    if (bytes != NULL)
        row_room_divide(bytes, view->n_free, view->mark_bytes, room);
    return bytes != NULL;
}

static enum status check_hash(const struct job *job, struct error *err)
{
    const void *values = job->run->values.data;
    return job->view->mark_bytes == 2 ? merels_verify_wide_hash(job->table, values, err)
                                      : merels_verify_value_hash(job->table, values, err);
}

static void check_thread(struct job *job)
{
    struct room room = {0};
    struct tally tally;
    struct error error = {STATUS_NO_MEMORY, "out of memory for a row"};
    uint32_t n_rows = (uint32_t)job->table->n_rows, piece = job->piece;
    bool counting = start_tally(job->view, &tally);
    if (!make_room(job->view, &room) || !counting)
        merels_verify_note(&job->outcome, STATUS_NO_MEMORY, &error);
#pragma omp single nowait
    merels_verify_note(&job->outcome, check_hash(job, &error), &error);
#pragma omp for schedule(dynamic, 1)
    for (uint32_t first = 0; first < n_rows; first += piece) {
        uint32_t end = n_rows - first < piece ? n_rows : first + piece;
        for (uint32_t row = first; row < end && !row_is_moot(job, row); row++)
            check_one(job, row, &room, &tally);
        merels_verify_note(&job->outcome, row_tick(job, end - first, &error), &error);
    }
    if (counting) {
#pragma omp critical(verify_tally)
        add_tally(&job->tally, &tally);
    }
    free_tally(&tally);
    free(room.best);
}

// ---- outcome -------------------------------------------------------------------------------

static enum status report_bad(const struct job *job, struct error *err)
{
    const struct slot_judge judge = merels_verify_judge(job->run, job->table);
    const void *stored = row_values(job, job->bad_row);
    uint64_t first = job->bad_row * job->table->n_columns;
    int value = value_at(job->view, stored, job->bad_column);
    if (job->twin_column == job->bad_column)
        return merels_verify_accuse(&judge, first + job->bad_column, value, err);
    return merels_verify_accuse_twins(&judge, first + job->bad_column, value,
                                      first + job->twin_column,
                                      value_at(job->view, stored, job->twin_column), err);
}

static enum status check_counts(const struct job *job, struct error *err)
{
    struct table_counts counts = merels_verify_counts_start();
    bool wide = job->view->mark_bytes == 2;
    for (uint32_t v = 0; v < job->tally.n_values; v++)
        if (job->tally.orbits[v] > 0)
            merels_verify_counts_add(&counts, wide ? (int)v : verify_widened((uint8_t)v),
                                     job->tally.orbits[v], job->tally.first[v]);
    return merels_verify_counts_compare(job->table, &counts, err);
}

static enum status check_rows(struct job *job, struct error *err)
{
    uint32_t n_rows = (uint32_t)job->table->n_rows;
    uint32_t piece = n_rows / (uint32_t)(job->run->n_threads * 64);
    job->bad_row = n_rows;
    job->piece = piece < 1 ? 1 : piece > 256 ? 256 : piece;
    if (!start_tally(job->view, &job->tally))
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for counts");
    merels_meter_stage(&job->run->meter, "rows", CHECKING_SHARE);
#pragma omp parallel num_threads(job->run->n_threads)
    check_thread(job);
    if (job->bad_row < n_rows)
        return report_bad(job, err);
    enum status status = merels_verify_outcome(&job->outcome, err);
    return status == STATUS_OK ? check_counts(job, err) : status;
}

static enum status check_by_rows(struct verify_run *run, const struct checked_table *table,
                                 int mark_bytes, struct error *err)
{
    struct table_view view = {0};
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory");
    *job = (struct job){.run = run, .table = table, .view = &view};
    enum status status = merels_verify_load(run, table, mark_bytes, &view, err);
    job->checks = row_checks_for(run->checks, &view);
    if (status == STATUS_OK)
        status = check_rows(job, err);
    free_tally(&job->tally);
    merels_verify_unload(&view);
    free(job);
    return status;
}

// ---- which way -----------------------------------------------------------------------------

static bool is_deep(const struct checked_table *table)
{
    return table != NULL && table->deep;
}

// One byte, or two if the depths, or those that they follow from, do not fit one. After a ply
// that converts the depth is of no matter where depths are counted to that.
static int mark_bytes_of(const struct slot_judge *judge)
{
    bool conversions = judge->table->measure == MEASURE_CONVERSION;
    bool deep = is_deep(judge->table);
    for (int w = 0; w < judge->plies.n_ways; w++)
        deep |= is_deep(judge->after[w]) && !(conversions && judge->plies.ways[w].converts);
    return deep ? 2 : 1;
}

enum status merels_verify_table(struct verify_run *run, const struct checked_table *table,
                                struct error *err)
{
    const struct slot_judge judge = merels_verify_judge(run, table);
    return judge.plies.plain ? check_by_rows(run, table, mark_bytes_of(&judge), err)
                             : merels_verify_slots(run, table, err);
}

uint64_t merels_verify_table_bytes(const struct verify_run *run,
                                   const struct checked_table *table)
{
    const struct slot_judge judge = merels_verify_judge(run, table);
    return judge.plies.plain ? merels_verify_load_bytes(run, table, mark_bytes_of(&judge))
                             : merels_verify_load_wide_bytes(&judge);
}

enum status merels_verify_table_fits(const struct verify_run *run,
                                     const struct checked_table *table, uint64_t limit,
                                     struct error *err)
{
    uint64_t bytes = merels_verify_table_bytes(run, table);
    if (limit == 0 || bytes <= limit)
        return STATUS_OK;
    return merels_error(err, STATUS_TOO_LITTLE,
                        "checking %s takes %llu MiB of memory, more than the limit of %llu MiB",
                        table->name, (unsigned long long)(bytes >> 20),
                        (unsigned long long)(limit >> 20));
}
