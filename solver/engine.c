// engine.c: one work unit from finished tables to its own.

#include "solver/engine.h"

#include <stdlib.h>

#include "solver/depths.h"
#include "solver/side_output.h"
#include "solver/source.h"
#include "solver/store.h"
#include "solver/sweep.h"

uint32_t merels_engine_piece(const struct engine *engine, uint32_t n_rows)
{
    uint32_t rows = n_rows / (uint32_t)(engine->n_threads * 32);
    return rows < 1 ? 1 : rows > 64 ? 64 : rows;
}

// ---- memory --------------------------------------------------------------------------------

uint64_t merels_engine_thread_bytes(const struct rules *rules, const struct work_unit *work,
                                    int n_threads)
{
    struct workspace_sizes z = {0};
    bool sweeps = merels_unit_way(rules, work) == SOLVE_BY_SWEEP;
    for (int k = 0; k < work->n_subspaces; k++)
        merels_workspace_foresee(rules, work->subspaces[k], sweeps, &z);
    uint64_t piece = z.max_columns > PIECE_SLOTS ? z.max_columns : PIECE_SLOTS;
    return (uint64_t)n_threads * (merels_workspace_bytes(&z) + piece) +
           merels_table_output_bytes(edition_of_rules(rules), n_threads);
}

static enum status create_workspaces(struct engine *engine, struct error *err)
{
    struct workspace_sizes sizes = merels_unit_workspace(engine->unit);
    engine->work = calloc((size_t)engine->n_threads, sizeof *engine->work);
    if (engine->work == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the threads");
    enum status status = STATUS_OK;
    for (int k = 0; k < engine->n_threads && status == STATUS_OK; k++)
        status = merels_workspace_create(&sizes, k, &engine->work[k], err);
    for (int k = 0; k < engine->n_threads && engine->dense_cost > 0; k++)
        engine->work[k].dense_cost = engine->dense_cost;
    return status;
}

enum status merels_engine_open(struct engine *engine, const struct work_unit *work,
                               enum way_to_solve way, struct holding holding, struct error *err)
{
    struct unit *unit = calloc(1, sizeof *unit);
    if (unit == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a work unit");
    engine->unit = unit;
    engine->work = NULL;
    engine->store = NULL;
    enum status status = merels_unit_create(engine->rules, merels_tablebase_index(engine->base),
                                            work, way, holding, engine->kernels->cell_points,
                                            engine->n_threads, engine->arena, unit, err);
    if (status == STATUS_OK)
        status = create_workspaces(engine, err);
    if (status == STATUS_OK && holding.room_bytes > 0)
        status = merels_store_create(engine, err);
    if (status == STATUS_OK)
        status = merels_sources_find(engine, err);
    if (status != STATUS_OK)
        merels_engine_close(engine);
    return status;
}

void merels_engine_close(struct engine *engine)
{
    for (int k = 0; engine->work != NULL && k < engine->n_threads; k++)
        merels_workspace_destroy(&engine->work[k]);
    free(engine->work);
    engine->work = NULL;
    merels_store_destroy(engine);
    if (engine->unit != NULL)
        merels_unit_destroy(engine->unit);
    free(engine->unit);
    engine->unit = NULL;
}

// ---- solving -------------------------------------------------------------------------------

// Does every code that a sweep reads and writes fit a byte and have a key?
static bool can_sweep(const struct engine *engine)
{
    int deepest = merels_sources_deepest(engine->unit);
    return deepest < NARROW_STEPS && step_before(deepest) < engine->n_codes;
}

static enum status solve_open_unit(struct engine *engine, struct error *err)
{
    struct unit *unit = engine->unit;
    struct side_output outputs[MAX_UNIT_SUBSPACES];
    bool sweeps = unit->way == SOLVE_BY_SWEEP, direct = sweeps || engine->store != NULL;
    for (int k = 0; k < unit->n_sides; k++)
        merels_side_output_begin(engine, &unit->sides[k], direct, &outputs[k]);
    enum status status = sweeps ? merels_engine_sweep(engine, &outputs[0], err)
                                : merels_engine_depths(engine, outputs, err);
    for (int k = 0; k < unit->n_sides && status == STATUS_OK; k++)
        status = merels_side_output_finish(&outputs[k], err);
    for (int k = 0; k < unit->n_sides; k++)
        merels_side_output_end(&outputs[k]);
    return status;
}

// Depths beyond a sweep's reach: again by depths, in the memory that there is. With other ranks
// all is held, as in a sweep.
static enum status open_by_depths(struct engine *engine, const struct work_unit *work,
                                  struct error *err)
{
    if (engine->exchange != NULL) {
        merels_engine_close(engine);
        return merels_engine_open(engine, work, SOLVE_BY_DEPTHS, work->holding, err);
    }
    uint64_t room = merels_unit_bytes(engine->rules, work, SOLVE_BY_SWEEP, work->holding,
                                      engine->n_threads);
    struct holding holding, next;
    for (int k = 0; merels_unit_holding(engine->rules, work, k, &next); k++) {
        holding = next;
        if (merels_unit_bytes(engine->rules, work, SOLVE_BY_DEPTHS, holding,
                              engine->n_threads) <= room)
            break;
    }
    merels_engine_close(engine);
    return merels_engine_open(engine, work, SOLVE_BY_DEPTHS, holding, err);
}

enum status merels_engine_solve(struct engine *engine, const struct work_unit *work,
                                struct error *err)
{
    enum way_to_solve way = merels_unit_way(engine->rules, work);
    enum status status = merels_engine_open(engine, work, way, work->holding, err);
    if (status == STATUS_OK && way == SOLVE_BY_SWEEP && !can_sweep(engine))
        status = open_by_depths(engine, work, err);
    if (status == STATUS_OK)
        status = solve_open_unit(engine, err);
    merels_engine_close(engine);
    return status;
}
