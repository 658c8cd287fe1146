// check_slots.c: a table slot by slot; value hash, counts, and all slots of a position alike.

#include "verify/check_slots.h"

#include <string.h>

#include "verify/load_table.h"
#include "verify/table_counts.h"
#include "verify/table_hashes.h"
#include "verify/verify_outcome.h"

// What the threads share.
struct job {
    struct verify_run *run;
    const struct slot_judge *judge;
    const uint16_t *values;
    uint64_t bad_slot; // the lowest with a mismatch; n_slots if there is none
    uint64_t bad_twin; // the same as bad_slot unless slots of one position differ
    uint64_t rows_done;
    struct table_counts counts;
    struct outcome outcome;
};

// A row of the table: the other side's men, and the symmetries that leave them where they are.
struct row {
    uint64_t first_slot;
    uint32_t other;
    int n_maps, maps[VERIFY_MAPS];
};

static void blame(struct job *job, uint64_t slot, uint64_t twin)
{
#pragma omp critical(verify_blame_slot)
    if (slot < job->bad_slot) {
        job->bad_slot = slot;
        job->bad_twin = twin;
    }
}

// All slots of the position must agree; it counts where its set is the smallest of its images.
// False if they do not.
static bool count_slot(struct job *job, const struct row *row, uint64_t column,
                       bool no_position, struct table_counts *counts)
{
    const struct verify_index *index = job->run->index;
    uint64_t slot = row->first_slot + column;
    uint32_t own =
        merels_verify_column_set(index, row->other, job->judge->table->counts.a, column);
    bool smallest = true;
    for (int m = 0; m < row->n_maps; m++) {
        uint32_t image = verify_image(index, row->maps[m], own);
        uint64_t twin = row->first_slot + merels_verify_set_column(index, row->other, image);
        smallest &= image >= own;
        if (job->values[twin] != job->values[slot]) {
            blame(job, slot, twin);
            return false;
        }
    }
    if (smallest && no_position)
        counts->none++;
    else if (smallest)
        merels_verify_counts_add(counts, job->values[slot], 1, slot);
    return true;
}

static enum status check_row_slots(struct job *job, const struct row *row,
                                   struct table_counts *counts, struct error *err)
{
    for (uint64_t column = 0; column < job->judge->table->n_columns; column++) {
        struct verdict verdict;
        uint64_t slot = row->first_slot + column;
        enum status status = merels_verify_judge_slot(job->judge, slot, &verdict, err);
        if (status != STATUS_OK)
            return status;
        if (verdict.value != job->values[slot]) {
            blame(job, slot, slot);
            return STATUS_OK;
        }
        if (!count_slot(job, row, column, verdict.no_position, counts))
            return STATUS_OK;
    }
    return STATUS_OK;
}

static enum status check_one(struct job *job, uint64_t number, struct table_counts *counts,
                             struct error *err)
{
    const struct checked_table *table = job->judge->table;
    struct row row = {.first_slot = number * table->n_columns,
                      .other = job->run->classes[table->counts.b].smallest[number]};
    uint64_t done;
    row.n_maps = merels_verify_stabilizer(job->run->index, row.other, row.maps);
    enum status status = check_row_slots(job, &row, counts, err);
#pragma omp atomic capture
    done = ++job->rows_done;
    return status == STATUS_OK
               ? merels_verify_tick(job->run, (double)done / (double)table->n_rows, err)
               : status;
}

static void check_thread(struct job *job)
{
    struct table_counts counts = merels_verify_counts_start();
    struct error error;
    uint64_t n_rows = job->judge->table->n_rows;
#pragma omp single nowait
    merels_verify_note(&job->outcome,
                       merels_verify_wide_hash(job->judge->table, job->values, &error), &error);
#pragma omp for schedule(dynamic, 1)
    for (uint64_t number = 0; number < n_rows; number++)
        if (!merels_verify_failed(&job->outcome))
            merels_verify_note(&job->outcome, check_one(job, number, &counts, &error), &error);
#pragma omp critical(verify_counts)
    merels_verify_counts_join(&job->counts, &counts);
}

static enum status finish(const struct job *job, struct error *err)
{
    const struct checked_table *table = job->judge->table;
    if (job->bad_slot < table->n_slots && job->bad_twin == job->bad_slot)
        return merels_verify_accuse(job->judge, job->bad_slot, job->values[job->bad_slot], err);
    if (job->bad_slot < table->n_slots)
        return merels_verify_accuse_twins(job->judge, job->bad_slot, job->values[job->bad_slot],
                                          job->bad_twin, job->values[job->bad_twin], err);
    enum status status = merels_verify_outcome(&job->outcome, err);
    return status == STATUS_OK ? merels_verify_counts_compare(table, &job->counts, err)
                               : status;
}

enum status merels_verify_slots(struct verify_run *run, const struct checked_table *table,
                                struct error *err)
{
    struct slot_judge judge = merels_verify_judge(run, table);
    struct job job = {.run = run,
                      .judge = &judge,
                      .bad_slot = table->n_slots,
                      .counts = merels_verify_counts_start()};
    enum status status = merels_verify_load_wide(run, &judge, err);
    if (status != STATUS_OK)
        return status;
    job.values = run->values.data;
    merels_meter_stage(&run->meter, "slots", CHECKING_SHARE);
#pragma omp parallel num_threads(run->n_threads)
    check_thread(&job);
    return finish(&job, err);
}
