// check_samples.c: slots from a fixed random sequence for each table, by all threads.

#include "verify/check_samples.h"

#include "verify/judge_slot.h"
#include "verify/verify_outcome.h"

// The n-th random number of a fixed sequence for each table (a mixer with full avalanche).
static uint64_t random_number(struct counts k, uint64_t n)
{
    uint64_t x = ((uint64_t)(k.a << 24 | k.b << 16 | k.ha << 8 | k.hb) << 32) + n;
    for (int round = 0; round < 3; round++) {
        x ^= x >> 31;
        x *= 0x9FB21C651E98DF25;
        x ^= x >> 28;
    }
    return x;
}

static enum status check_sample(const struct slot_judge *judge, uint64_t slot,
                                struct error *err)
{
    struct verdict verdict;
    uint16_t stored;
    enum status status = merels_verify_read_wide(judge->table, slot, 1, &stored, err);
    if (status == STATUS_OK)
        status = merels_verify_judge_slot(judge, slot, &verdict, err);
    if (status == STATUS_OK && verdict.value != stored)
        return merels_verify_accuse(judge, slot, stored, err);
    return status;
}

enum status merels_verify_samples(struct verify_run *run, const struct checked_table *table,
                                  uint64_t n_samples, struct error *err)
{
    struct outcome outcome = {.status = STATUS_OK};
    const struct slot_judge judge = merels_verify_judge(run, table);
    uint64_t n_done = 0;
    merels_meter_stage(&run->meter, "samples", 1);
#pragma omp parallel for schedule(dynamic, 1) num_threads(run->n_threads)
    for (uint64_t k = 0; k < n_samples; k++) {
        struct error error;
        uint64_t done, slot = random_number(table->counts, k) % table->n_slots;
        if (merels_verify_failed(&outcome))
            continue;
        enum status status = check_sample(&judge, slot, &error);
#pragma omp atomic capture
        done = ++n_done;
        if (status == STATUS_OK)
            status = merels_verify_tick(run, (double)done / (double)n_samples, &error);
        merels_verify_note(&outcome, status, &error);
    }
    return merels_verify_outcome(&outcome, err);
}
