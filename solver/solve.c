// solve.c: solving unit after unit, with a checkpoint (whole files, manifest) at each.

#include "solver/solve.h"

#include "db/file.h"
#include "db/manifest.h"
#include "solver/engine.h"
#include "work/reservation.h"

struct run {
    const struct rules *rules;
    const struct plan *plan;
    const struct solve_options *options;
    const struct watch *watch;
    struct engine engine;
    struct arena arena; // of the units, one after another
    struct meter meter;
};

static enum status solve_unit(struct run *run, const struct work_unit *work, struct error *err)
{
    enum status status = merels_engine_solve(&run->engine, work, err);
    for (int k = 0; k < work->n_subspaces && status == STATUS_OK; k++)
        status = merels_manifest_add(run->options->dir, run->rules, work->subspaces[k],
                                     edition_of_rules(run->rules), err);
    return status;
}

// Room for the largest unit, so that the arena need not grow and begin again.
static enum status reserve(struct run *run, struct error *err)
{
    uint64_t most = 0;
    for (size_t k = 0; k < run->plan->n_units; k++) {
        const struct work_unit *work = &run->plan->units[k];
        uint64_t n = merels_unit_bytes(run->rules, work, merels_unit_way(run->rules, work),
                                       work->holding, run->engine.n_threads);
        most = !work->finished && n > most ? n : most;
    }
    if (most == 0 || merels_arena_reserve(&run->arena, (size_t)most))
        return STATUS_OK;
    return merels_error(err, STATUS_NO_MEMORY,
                        "out of memory: the largest unit needs %llu bytes",
                        (unsigned long long)most);
}

static void begin_progress(struct run *run)
{
    uint64_t total = 0;
    for (size_t k = 0; k < run->plan->n_units; k++)
        total += run->plan->units[k].finished ? 0 : run->plan->units[k].n_slots;
    merels_meter_start(&run->meter, run->watch, "slots", total, run->plan->n_units);
    merels_meter_expect(&run->meter, run->plan->cpu_seconds / run->engine.n_threads);
}

static void begin_unit(struct run *run, size_t number)
{
    char name[UNIT_NAME_BYTES];
    const struct work_unit *work = &run->plan->units[number];
    merels_meter_piece(&run->meter, number, merels_unit_name(work, name), work->n_slots);
    merels_meter_expect_piece(&run->meter, work->cpu_seconds / run->engine.n_threads);
}

static enum status solve_units(struct run *run, struct error *err)
{
    enum status status = reserve(run, err);
    begin_progress(run);
    for (size_t k = 0; k < run->plan->n_units && status == STATUS_OK; k++) {
        const struct work_unit *work = &run->plan->units[k];
        if (work->finished)
            continue;
        begin_unit(run, k);
        status = solve_unit(run, work, err);
        if (status == STATUS_OK && merels_meter_finish(&run->meter))
            status = merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    return status;
}

// Tables whose manifest entry is missing (a stop between rename and manifest) get it now.
static enum status complete_manifest(const struct run *run, struct error *err)
{
    const struct plan *plan = run->plan;
    struct manifest manifest = {0};
    enum status status = merels_manifest_read(run->options->dir, run->rules, &manifest, err);
    if (status != STATUS_OK && status != STATUS_MISSING)
        return status;
    const struct manifest *listed = merels_manifest_of(&manifest, edition_of_rules(run->rules));
    status = STATUS_OK;
    for (size_t k = 0; k < plan->n_units; k++)
        for (int i = 0; i < plan->units[k].n_subspaces && status == STATUS_OK; i++) {
            struct subspace s = plan->units[k].subspaces[i];
            if (plan->units[k].finished &&
                (listed == NULL || merels_manifest_find(listed, s) == NULL))
                status = merels_manifest_add(run->options->dir, run->rules, s,
                                             edition_of_rules(run->rules), err);
        }
    merels_manifest_free(&manifest);
    return status;
}

static enum status open_base(struct run *run, struct error *err)
{
    struct tablebase **base = &run->engine.base;
    enum status status = merels_tablebase_open(run->options->dir, run->rules, 0, base, err);
    if (status == STATUS_OK)
        merels_tablebase_choose(*base, edition_of_rules(run->rules));
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
        status = complete_manifest(&run, err);
    if (status == STATUS_OK)
        status = open_base(&run, err);
    if (status == STATUS_OK)
        status = solve_units(&run, err);
    merels_file_drop(&lock);
    merels_tablebase_close(engine->base);
    merels_arena_destroy(&run.arena);
    return status;
}
