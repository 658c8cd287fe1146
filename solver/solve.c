// solve.c: solving unit after unit, with a checkpoint (whole files, manifest) at each.

#include "solver/solve.h"

#include <stdio.h>
#include <stdlib.h>

#include "db/file.h"
#include "db/manifest.h"
#include "solver/engine.h"
#include "solver/limits.h"

struct run {
    const struct rules *rules;
    const struct plan *plan;
    const struct solve_options *options;
    const struct watch *watch;
    struct engine engine;
    struct arena arena; // of the units, one after another
    struct meter meter;
    const struct work_unit *work; // the unit at work
    int stage;                    // of the unit; -1: none yet
    uint64_t written;             // slots of its tables that are finished
};

const char *merels_unit_name(const struct work_unit *unit, char out[UNIT_NAME_BYTES])
{
    char *end = out;
    *end = '\0';
    for (int i = 0; i < unit->n_subspaces; i++) {
        if (i > 0)
            *end++ = ' ';
        end += merels_subspace_name(unit->subspaces[i], end);
    }
    return out;
}

// Stages of a unit with their shares of its time.
static const struct {
    const char *name;
    double share;
} stages[N_STAGES] = {{"removals", 0.30}, {"depth 0", 0.55}, {"writing", 0.15}};

static bool tick(void *context, enum solve_stage stage, int depth, uint64_t done_slots)
{
    struct run *run = context;
    for (; run->stage < (int)stage; run->stage++)
        merels_meter_stage(&run->meter, stages[run->stage + 1].name,
                           stages[run->stage + 1].share);
    if (stage == STAGE_DEPTHS) {
        char name[PROGRESS_TEXT_BYTES];
        (void)snprintf(name, sizeof name, "depth %d", depth);
        merels_meter_rename(&run->meter, name);
    }
    uint64_t written = stage == STAGE_WRITING ? run->written : 0;
    return merels_meter_tick(&run->meter,
                             (double)(written + done_slots) / (double)run->work->n_slots);
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
        run->written += (uint64_t)side->n_rows * side->n_columns;
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

static void begin_progress(struct run *run)
{
    uint64_t total = 0;
    for (size_t k = 0; k < run->plan->n_units; k++)
        total += run->plan->units[k].finished ? 0 : run->plan->units[k].n_slots;
    merels_meter_start(&run->meter, run->watch, "slots", total, run->plan->n_units);
}

static void begin_unit(struct run *run, size_t number)
{
    char name[UNIT_NAME_BYTES];
    run->work = &run->plan->units[number];
    run->stage = -1;
    run->written = 0;
    merels_meter_piece(&run->meter, number, merels_unit_name(run->work, name),
                       run->work->n_slots);
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
                         const struct solve_options *options, const struct watch *watch,
                         struct error *err)
{
    struct run run = {.rules = rules, .plan = plan, .options = options, .watch = watch};
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
