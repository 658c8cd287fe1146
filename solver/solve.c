// solve.c: solving unit after unit, with a checkpoint (whole files, manifest) at each; in a run
// that checks its tables, each unit is two pieces of the progress.

#include "solver/solve.h"

#include <stdio.h>

#include "db/file.h"
#include "ranks/ranks.h"
#include "solver/chief.h"
#include "solver/engine.h"
#include "solver/upkeep.h"
#include "work/reservation.h"

struct run {
    const struct rules *rules;
    const struct plan *plan;
    const struct solve_options *options;
    const struct watch *watch;
    struct engine engine;
    struct holdings holdings;
    struct arena arena; // of the units, one after another
    struct meter meter;
};

// Room for the largest unit, so that the arena need not grow and begin again.
static enum status reserve(struct run *run, struct error *err)
{
    uint64_t most = 0;
    for (size_t k = 0; k < run->plan->n_units; k++) {
        const struct work_unit *work = &run->plan->units[k];
        uint64_t n = merels_unit_bytes(run->rules, work, merels_unit_way(run->rules, work),
                                       work->holding, run->engine.n_threads);
        most = unit_is_to_solve(work) && n > most ? n : most;
    }
    if (most == 0 || merels_arena_reserve(&run->arena, (size_t)most))
        return STATUS_OK;
    return merels_error(err, STATUS_NO_MEMORY,
                        "out of memory: the largest unit needs %llu bytes",
                        (unsigned long long)most);
}

// ---- progress ------------------------------------------------------------------------------

static bool checks(const struct run *run)
{
    return run->options->verifier > 0;
}

static void begin_progress(struct run *run)
{
    uint64_t total = 0;
    for (size_t k = 0; k < run->plan->n_units; k++) {
        const struct work_unit *work = &run->plan->units[k];
        total += unit_is_to_solve(work) ? work->n_slots : 0;
        total += checks(run) && !work->finished ? work->n_slots : 0;
    }
    merels_meter_start(&run->meter, run->watch, "slots", total,
                       (checks(run) ? 2 : 1) * run->plan->n_units);
    merels_meter_expect(&run->meter, run->plan->cpu_seconds / run->engine.n_threads);
}

static void begin_solving(struct run *run, size_t number)
{
    char name[UNIT_NAME_BYTES];
    const struct work_unit *work = &run->plan->units[number];
    merels_meter_piece(&run->meter, (checks(run) ? 2 : 1) * number,
                       merels_unit_name(work, name), work->n_slots);
    merels_meter_expect_piece(&run->meter, work->cpu_seconds / run->engine.n_threads);
}

static void begin_checking(struct run *run, size_t number)
{
    char name[UNIT_NAME_BYTES], text[PROGRESS_TEXT_BYTES];
    const struct work_unit *work = &run->plan->units[number];
    snprintf(text, sizeof text, "%s checked", merels_unit_name(work, name));
    merels_meter_piece(&run->meter, 2 * number + 1, text, work->n_slots);
    merels_meter_expect_piece(&run->meter, work->check_seconds / run->engine.n_threads);
    merels_meter_stage(&run->meter, "", 1);
}

// ---- units ---------------------------------------------------------------------------------

static enum status stop_after_piece(struct run *run, enum status status, struct error *err)
{
    if (status == STATUS_OK && merels_meter_finish(&run->meter))
        status = merels_error(err, STATUS_INTERRUPTED, "stopped");
    return status;
}

static enum status do_unit(struct run *run, size_t number, struct error *err)
{
    const struct work_unit *work = &run->plan->units[number];
    enum status status = STATUS_OK;
    if (unit_is_to_solve(work)) {
        begin_solving(run, number);
        run->engine.base = run->holdings.base;
        status = merels_engine_solve(&run->engine, work, err);
        if (checks(run))
            status = stop_after_piece(run, status, err);
    }
    if (status == STATUS_OK && checks(run)) {
        begin_checking(run, number);
        merels_arena_release(&run->arena);
    }
    if (status == STATUS_OK)
        status = merels_holdings_add(&run->holdings, work, err);
    return stop_after_piece(run, status, err);
}

static enum status do_units(struct run *run, struct error *err)
{
    enum status status = reserve(run, err);
    for (size_t k = 0; k < run->plan->n_units && status == STATUS_OK; k++)
        if (!run->plan->units[k].finished)
            status = do_unit(run, k, err);
    return status;
}

static enum status run_in_directory(struct run *run, struct error *err)
{
    if (merels_ranks_count(run->options->ranks) > 1)
        return merels_chief_lead(run->rules, run->plan, run->options, run->watch, err);
    begin_progress(run);
    enum status status = merels_holdings_begin(run->rules, run->plan, run->options, &run->meter,
                                               &run->holdings, err);
    if (status == STATUS_OK)
        status = do_units(run, err);
    merels_holdings_end(&run->holdings);
    return status;
}

enum status merels_solve(const struct rules *rules, const struct plan *plan,
                         const struct solve_options *options, const struct watch *watch,
                         struct error *err)
{
    struct run run = {.rules = rules, .plan = plan, .options = options, .watch = watch};
    struct engine *engine = &run.engine;
    engine->rules = rules;
    engine->n_threads = merels_solve_threads(options);
    engine->dir = options->dir;
    engine->n_codes = options->n_codes > 0 ? options->n_codes : MAX_DEPTH + 1;
    engine->arena = &run.arena;
    engine->meter = &run.meter;
    engine->dense_cost = (uint32_t)(plan->rates.dense_cost * DENSE_COST_ONE);
    struct file lock = {.fd = -1};
    enum status status = merels_solve_kernels(options, &engine->kernels, err);
    if (status == STATUS_OK)
        status = merels_plan_check(plan, options, err);
    if (status == STATUS_OK)
        status = merels_dir_create(options->dir, err);
    if (status == STATUS_OK)
        status = merels_reserve_dir(options->dir, watch, &lock, err);
    if (status == STATUS_OK)
        status = run_in_directory(&run, err);
    merels_file_drop(&lock);
    merels_arena_destroy(&run.arena);
    return status;
}
