// plan.c: what a solve will take: units, memory, disk, time; and whether the machine has it.

#include <stdio.h>
#include <stdlib.h>

#include "solver/plan.h"

#include "db/file.h"
#include "solver/engine.h"
#include "solver/graph.h"
#include "work/memory.h"

// What a slot takes, with some room: complete solves of `nine` on one processor with AVX-512
// (docs/PERFORMANCE.md).
static const double DEPTHS_SECONDS_PER_SLOT = 64e-9;
static const double SWEEP_SECONDS_PER_SLOT = 49e-9;
static const double FILE_BITS_PER_SLOT = 3.1;

// Memory of the process apart from the unit and the workspaces: program, libraries, index,
// board.
static const uint64_t BASE_BYTES = 24u << 20;

int merels_solve_threads(const struct solve_options *options)
{
    return options->n_threads > 0 ? options->n_threads : merels_processors();
}

uint64_t merels_solve_memory_limit(const struct solve_options *options)
{
    return options->memory_bytes > 0 ? options->memory_bytes : merels_memory_free() / 4 * 3;
}

static uint64_t larger(uint64_t x, uint64_t y)
{
    return x > y ? x : y;
}

// How a unit is solved in the memory that is left for its arrays, and what it takes.
static void estimate(const struct rules *rules, const struct solve_options *options,
                     uint64_t room, struct work_unit *work)
{
    int n_threads = merels_solve_threads(options);
    enum way_to_solve way = merels_unit_way(rules, work);
    if (options->max_rows > 0 && !merels_unit_has_turns(rules, work))
        work->n_rows = options->max_rows;
    else
        work->n_rows = merels_unit_rows(rules, work, way, room, n_threads);
    work->memory_bytes = merels_unit_bytes(rules, work, way, work->n_rows, n_threads) +
                         merels_engine_thread_bytes(rules, work, n_threads);
    work->disk_bytes = (uint64_t)((double)work->n_slots * FILE_BITS_PER_SLOT / 8) +
                       4096 * (uint64_t)work->n_subspaces;
}

// A unit is finished if every one of its tables opens; a damaged one is an error, not a gap.
static enum status look_for_files(const struct rules *rules, const char *dir,
                                  struct work_unit *work, struct error *err)
{
    work->finished = true;
    for (int k = 0; k < work->n_subspaces; k++) {
        struct table *table = NULL;
        enum status status =
            merels_table_open(dir, rules, work->subspaces[k], EDITION_DTM, &table, err);
        merels_table_close(table);
        if (status == STATUS_MISSING)
            work->finished = false;
        else if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static void add_unit(const struct rules *rules, const struct work_unit *work, struct plan *plan)
{
    plan->n_subspaces += (size_t)work->n_subspaces;
    plan->n_slots += work->n_slots;
    plan->disk_bytes += work->disk_bytes;
    if (work->finished)
        return;
    bool sweeps = merels_unit_way(rules, work) == SOLVE_BY_SWEEP;
    plan->cpu_seconds +=
        (double)work->n_slots * (sweeps ? SWEEP_SECONDS_PER_SLOT : DEPTHS_SECONDS_PER_SLOT);
    plan->spill_bytes = larger(plan->spill_bytes, 2 * work->n_slots);
}

// The arena keeps the size of the largest unit; what is beside it comes and goes.
static enum status sum_up(const struct rules *rules, const struct solve_options *options,
                          struct plan *plan, struct error *err)
{
    int n_threads = merels_solve_threads(options);
    uint64_t limit = merels_solve_memory_limit(options), arena = 0, beside = 0;
    enum status status = STATUS_OK;
    for (size_t k = 0; k < plan->n_units && status == STATUS_OK; k++) {
        struct work_unit *work = &plan->units[k];
        status = look_for_files(rules, options->dir, work, err);
        if (status == STATUS_OK && !work->finished)
            beside = larger(beside, merels_engine_thread_bytes(rules, work, n_threads));
    }
    uint64_t taken = BASE_BYTES + beside, left = limit > taken ? limit - taken : 0;
    for (size_t k = 0; k < plan->n_units && status == STATUS_OK; k++) {
        struct work_unit *work = &plan->units[k];
        estimate(rules, options, limit == 0 ? UINT64_MAX : left, work);
        add_unit(rules, work, plan);
        uint64_t threads = merels_engine_thread_bytes(rules, work, n_threads);
        if (!work->finished)
            arena = larger(arena, work->memory_bytes - threads);
    }
    plan->peak_memory_bytes = BASE_BYTES + arena + beside;
    return status;
}

enum status merels_plan_make(const struct rules *rules, const struct start *start,
                             const struct solve_options *options, struct plan *plan,
                             struct error *err)
{
    *plan = (struct plan){0};
    enum status status =
        merels_graph_units(rules, start, options, &plan->units, &plan->n_units, err);
    if (status == STATUS_OK)
        status = sum_up(rules, options, plan, err);
    if (status != STATUS_OK)
        merels_plan_free(plan);
    return status;
}

void merels_plan_free(struct plan *plan)
{
    free(plan->units);
    *plan = (struct plan){0};
}

enum { AMOUNT_BYTES = 32 };

// "12 bytes", "81.0 KiB", "3.1 GiB": small amounts keep their figures.
static const char *amount(uint64_t n_bytes, char out[AMOUNT_BYTES])
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double x = (double)n_bytes / 1024;
    int k = 0;
    if (n_bytes < 1024) {
        snprintf(out, AMOUNT_BYTES, "%u bytes", (unsigned)n_bytes);
        return out;
    }
    for (; x >= 1024 && k < 3; k++)
        x /= 1024;
    snprintf(out, AMOUNT_BYTES, "%.1f %s", x, units[k]);
    return out;
}

static enum status check_disk(const struct plan *plan, const char *dir, struct error *err)
{
    char want[AMOUNT_BYTES], have[AMOUNT_BYTES];
    uint64_t free_bytes, needed = 0;
    for (size_t k = 0; k < plan->n_units; k++)
        needed += plan->units[k].finished ? 0 : plan->units[k].disk_bytes;
    enum status status = merels_dir_check(dir, err);
    if (status == STATUS_OK || status == STATUS_MISSING) // it will be made
        status = merels_disk_free(dir, &free_bytes, err);
    if (status != STATUS_OK || needed <= free_bytes)
        return status;
    return merels_error(err, STATUS_TOO_LITTLE, "%s: too little disk: %s needed, %s free", dir,
                        amount(needed, want), amount(free_bytes, have));
}

enum status merels_plan_check(const struct plan *plan, const struct solve_options *options,
                              struct error *err)
{
    char want[AMOUNT_BYTES], have[AMOUNT_BYTES];
    uint64_t limit = merels_solve_memory_limit(options);
    if (limit != 0 && plan->peak_memory_bytes > limit)
        return merels_error(err, STATUS_TOO_LITTLE,
                            "too little memory: %s needed, the limit is %s",
                            amount(plan->peak_memory_bytes, want), amount(limit, have));
    return check_disk(plan, options->dir, err);
}
