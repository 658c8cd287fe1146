// derive_table.c: the row checks and the judge of slots, used to make values.

#include "verify/derive_table.h"

#include <stdlib.h>
#include <string.h>

#include "verify/judge_slot.h"
#include "verify/load_table.h"
#include "verify/verify_outcome.h"

struct job {
    struct verify_run *run;
    struct checked_table *table;
    struct derived derived;
    const struct table_view *view;  // of plain tables
    const struct slot_judge *judge; // of others
    uint32_t rows_done;
    struct outcome outcome;
};

static bool is_derived(const struct job *job, uint32_t other, uint32_t own)
{
    bool odd = __builtin_popcount((other | own) & job->derived.dark) & 1;
    return odd ? job->derived.odd : job->derived.even;
}

// ---- plain tables, row by row
// ----------------------------------------------------------------

static void derive_row(struct job *job, uint32_t row, struct room *room, uint8_t *values)
{
    const struct table_view *view = job->view;
    const struct verify_index *index = view->index;
    uint32_t other = view->rows->smallest[row], free = index->rules.all & ~other;
    uint8_t over = view->plies.over_value == DRAW ? BYTE_DRAW : LOSS;
    const struct marks *marks = view->marks;
    const uint8_t *best = room->best;
    if (!view->plies.over)
        job->run->checks->best_row(view, other, room);
    for (uint32_t k = 0; k < view->n_columns; k++) {
        uint32_t own = verify_apart(&index->bits, view->columns[k], free);
        values[k] = !is_derived(job, other, own) ? NOT_STORED
                    : view->plies.over           ? over
                                                 : marks->values[best[view->columns[k]]];
    }
}

// ---- others, slot by slot
// ---------------------------------------------------------------------

static enum status judge_row(struct job *job, uint32_t row, uint8_t *values, struct error *err)
{
    const struct checked_table *table = job->table;
    uint32_t other = job->run->classes[table->counts.b].smallest[row];
    for (uint64_t k = 0; k < table->n_columns; k++) {
        struct verdict verdict;
        uint32_t own = merels_verify_column_set(job->run->index, other, table->counts.a, k);
        values[k] = NOT_STORED;
        if (!is_derived(job, other, own))
            continue;
        enum status status =
            merels_verify_judge_slot(job->judge, row * table->n_columns + k, &verdict, err);
        if (status != STATUS_OK)
            return status;
        values[k] = verdict.value == DRAW ? BYTE_DRAW : (uint8_t)(verdict.value & 1);
    }
    return STATUS_OK;
}

// ---- threads
// -----------------------------------------------------------------------------------

static enum status derive_one(struct job *job, uint32_t row, struct room *room, uint8_t *values,
                              struct error *err)
{
    enum status status = STATUS_OK;
    uint32_t done;
    if (job->view != NULL)
        derive_row(job, row, room, values);
    else
        status = judge_row(job, row, values, err);
    if (status != STATUS_OK)
        return status;
    merels_verify_put(job->table, row * job->table->n_columns, job->table->n_columns, values);
#pragma omp atomic capture
    done = ++job->rows_done;
    return merels_verify_tick(job->run, (double)done / (double)job->table->n_rows, err);
}

static void derive_thread(struct job *job)
{
    struct error error = {STATUS_NO_MEMORY, "out of memory for a row"};
    struct room room = {0};
    uint8_t *values = malloc(job->table->n_columns + 1), *bytes = values;
    if (job->view != NULL)
        bytes = calloc(row_room_bytes(job->view->n_free, 1), 1);
    if (values == NULL || bytes == NULL)
        merels_verify_note(&job->outcome, STATUS_NO_MEMORY, &error);
    else if (job->view != NULL)
        row_room_divide(bytes, job->view->n_free, 1, &room);
#pragma omp for schedule(dynamic, 16)
    for (uint32_t row = 0; row < (uint32_t)job->table->n_rows; row++)
        if (!merels_verify_failed(&job->outcome))
            merels_verify_note(&job->outcome, derive_one(job, row, &room, values, &error),
                               &error);
    if (job->view != NULL)
        free(bytes);
    free(values);
}

static enum status derive_rows(struct job *job, struct error *err)
{
    merels_meter_stage(&job->run->meter, "rows", CHECKING_SHARE);
#pragma omp parallel num_threads(job->run->n_threads)
    derive_thread(job);
    return merels_verify_outcome(&job->outcome, err);
}

enum status merels_verify_derive(struct verify_run *run, struct checked_table *table,
                                 struct derived derived, struct error *err)
{
    struct job *job = calloc(1, sizeof *job);
    struct slot_judge judge = merels_verify_judge(run, table);
    struct table_view view = {0};
    if (job == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory");
    *job = (struct job){.run = run, .table = table, .derived = derived};
    enum status status;
    if (judge.plies.plain) {
        job->view = &view;
        status = merels_verify_load(run, table, 1, &view, err);
    } else {
        job->judge = &judge;
        status = merels_verify_load_wide(run, &judge, err);
    }
    if (status == STATUS_OK)
        status = derive_rows(job, err);
    merels_verify_unload(&view);
    free(job);
    return status;
}
