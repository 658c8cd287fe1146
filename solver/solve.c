// solve.c: solving unit after unit, with a checkpoint (whole files, manifest) at each.

#include "solver/solve.h"

#include <stdlib.h>
#include <time.h>

#include "db/file.h"
#include "db/manifest.h"
#include "solver/engine.h"
#include "solver/limits.h"

struct run {
    const struct rules *rules;
    const struct plan *plan;
    const struct solve_options *options;
    const struct solve_watch *watch;
    struct engine engine;
    struct arena arena; // of the units, one after another
    struct solve_progress progress;
    uint64_t slots_before; // done in this run, before the unit at work
    double started;
};

static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Shares of a unit's time by stage, for the percentage shown.
static double stage_share(enum solve_stage stage, double part)
{
    switch (stage) {
    case STAGE_REMOVALS:
        return 0.30 * part;
    case STAGE_DEPTHS:
        return 0.30 + 0.55 * part;
    case STAGE_WRITING:
        return 0.85 + 0.15 * part;
    default:
        return 1;
    }
}

static bool tick(void *context, enum solve_stage stage, int depth, uint64_t done_slots)
{
    struct run *run = context;
    const struct solve_watch *watch = run->watch;
    struct solve_progress *p = &run->progress;
    double part = (double)done_slots / (double)p->work->n_slots;
    p->stage = stage;
    p->depth = depth;
    p->done_slots = run->slots_before + (uint64_t)((double)p->work->n_slots *
                                                   stage_share(stage, part > 1 ? 1 : part));
    p->elapsed_seconds = now_seconds() - run->started;
    if (watch != NULL && watch->report != NULL)
        watch->report(p, watch->context);
    return watch != NULL && watch->stop != NULL && *watch->stop != 0;
}

static void destroy_workspaces(struct engine *engine)
{
    for (int k = 0; engine->work != NULL && k < engine->n_threads; k++)
        merels_workspace_destroy(&engine->work[k]);
    free(engine->work);
    engine->work = NULL;
}

static enum status create_workspaces(struct engine *engine, const struct work_unit *work,
                                     struct error *err)
{
    struct workspace_sizes z = merels_solve_workspace(&engine->rules->board, work);
    engine->work = calloc((size_t)engine->n_threads, sizeof *engine->work);
    if (engine->work == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the threads");
    enum status status = STATUS_OK;
    for (int k = 0; k < engine->n_threads && status == STATUS_OK; k++)
        status = merels_workspace_create(z.max_points, z.max_columns, k, &engine->work[k], err);
    return status;
}

static enum status write_unit(struct run *run, struct error *err)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < run->engine.unit->n_subspaces && status == STATUS_OK; k++) {
        const struct side *side = &run->engine.unit->sides[k];
        status = merels_engine_write(&run->engine, side, run->options->dir, err);
        if (status == STATUS_OK)
            status = merels_manifest_add(run->options->dir, run->rules, side->subspace, err);
    }
    return status;
}

static enum status solve_unit(struct run *run, const struct work_unit *work, struct error *err)
{
    struct engine *engine = &run->engine;
    struct unit unit;
    struct index *index = merels_tablebase_index(engine->base);
    enum status status =
        merels_unit_create(run->rules, index, work, engine->kernels->cell_points,
                           engine->n_threads, &run->arena, &unit, err);
    if (status != STATUS_OK)
        return status;
    engine->unit = &unit;
    status = create_workspaces(engine, work, err);
    if (status == STATUS_OK)
        status = unit.arrivals != NULL ? merels_engine_placing(engine, err)
                                       : merels_engine_moving(engine, err);
    if (status == STATUS_OK)
        status = write_unit(run, err);
    destroy_workspaces(engine);
    merels_unit_destroy(&unit);
    return status;
}

// Room for the largest unit, so that the arena need not grow and begin again.
static enum status reserve(struct run *run, struct error *err)
{
    uint64_t most = 0;
    for (size_t k = 0; k < run->plan->n_units; k++) {
        const struct work_unit *work = &run->plan->units[k];
        uint64_t n = merels_unit_bytes(&run->rules->board, work, run->engine.n_threads);
        most = !work->finished && n > most ? n : most;
    }
    if (most == 0 || merels_arena_reserve(&run->arena, (size_t)most))
        return STATUS_OK;
    return merels_error(err, STATUS_NO_MEMORY,
                        "out of memory: the largest unit needs %llu bytes",
                        (unsigned long long)most);
}

static enum status solve_units(struct run *run, struct error *err)
{
    enum status status = reserve(run, err);
    run->progress.n_units = run->plan->n_units;
    for (size_t k = 0; k < run->plan->n_units; k++)
        run->progress.total_slots +=
            run->plan->units[k].finished ? 0 : run->plan->units[k].n_slots;
    for (size_t k = 0; k < run->plan->n_units && status == STATUS_OK; k++) {
        const struct work_unit *work = &run->plan->units[k];
        if (work->finished)
            continue;
        run->progress.unit = k;
        run->progress.work = work;
        status = solve_unit(run, work, err);
        if (status == STATUS_OK && tick(run, STAGE_FINISHED, 0, work->n_slots))
            status = merels_error(err, STATUS_INTERRUPTED, "stopped");
        run->slots_before += work->n_slots;
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
    status = STATUS_OK;
    for (size_t k = 0; k < plan->n_units; k++)
        for (int i = 0; i < plan->units[k].n_subspaces && status == STATUS_OK; i++) {
            struct subspace s = plan->units[k].subspaces[i];
            if (plan->units[k].finished && merels_manifest_find(&manifest, s) == NULL)
                status = merels_manifest_add(run->options->dir, run->rules, s, err);
        }
    merels_manifest_free(&manifest);
    return status;
}

static enum status open_base(struct run *run, struct error *err)
{
    const char *dir = run->options->dir;
    struct tablebase **base = &run->engine.base;
    enum status status = merels_tablebase_open(dir, run->rules, 0, base, err);
    if (status != STATUS_OK || merels_tablebase_edition(*base) == EDITION_DTM)
        return status;
    return merels_error(err, STATUS_BAD_INPUT,
                        "%s: holds tables of edition wdl; depths need a directory of their own",
                        dir);
}

enum status merels_solve(const struct rules *rules, const struct plan *plan,
                         const struct solve_options *options, const struct solve_watch *watch,
                         struct error *err)
{
    struct run run = {rules, plan, options, watch, .started = now_seconds()};
    struct engine *engine = &run.engine;
    engine->rules = rules;
    engine->n_threads = merels_solve_threads(options);
    engine->tick = tick;
    engine->context = &run;
    engine->kernels = merels_kernels(options->cpu_level);
    if (engine->kernels == NULL)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "this processor or build has no level '%s'", options->cpu_level);
    struct file lock = {.fd = -1};
    enum status status = merels_plan_check(plan, options, err);
    if (status == STATUS_OK)
        status = merels_dir_create(options->dir, err);
    if (status == STATUS_OK)
        status = merels_dir_lock(options->dir, &lock, err);
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
