// test_ways.c: a unit gives the same tables whichever way it is solved: how its rows are
// decided, whether its turns go through lists or straight to their place, by depths or by one
// sweep, all rows at once or a part at a time, codes in memory or in a temporary file.

#include "solver/depths.h"
#include "solver/engine.h"
#include "solver/side_output.h"
#include "solver/store.h"
#include "solver/sweep.h"
#include "tests/solver/support.h"

enum { AS_PLANNED = -1, N_THREADS = 2 };

// One way to solve a unit: by which of the two, the kernels' level and choice, how many chunks
// of turns each pool has, and what is in memory at a time.
struct way_of {
    const char *level;
    enum way way;
    int n_chunks;
    enum way_to_solve solve;
    struct holding holding;
    uint32_t dense_cost; // in the choice between sparse and dense; 0: as usual
};

// The tables of a unit, written into a directory of their own.
static void solve_one_way(struct engine *engine, const struct work_unit *work,
                          const struct way_of *how)
{
    struct side_output outputs[MAX_UNIT_SUBSPACES];
    uint32_t planned[2];
    OK(merels_engine_open(engine, work, how->solve, how->holding, &test_error));
    struct unit *unit = engine->unit;
    for (int k = 0; k < N_THREADS; k++)
        engine->work[k].way = how->way;
    for (int k = 0; k < 2; k++) {
        planned[k] = unit->pools[k].n_chunks;
        if (how->n_chunks != AS_PLANNED && (uint32_t)how->n_chunks < planned[k])
            unit->pools[k].n_chunks = (uint32_t)how->n_chunks;
    }
    bool sweeps = how->solve == SOLVE_BY_SWEEP, direct = sweeps || engine->store != NULL;
    for (int k = 0; k < unit->n_sides; k++)
        merels_side_output_begin(engine, &unit->sides[k], direct, &outputs[k]);
    if (sweeps)
        OK(merels_engine_sweep(engine, &outputs[0], &test_error));
    else
        OK(merels_engine_depths(engine, outputs, &test_error));
    for (int k = 0; k < unit->n_sides; k++) {
        OK(merels_side_output_finish(&outputs[k], &test_error));
        merels_side_output_end(&outputs[k]);
    }
    if (engine->store != NULL) { // the plan states no less than was used
        cr_expect_gt(merels_store_used(engine), 0);
        cr_expect_leq(merels_store_used(engine), merels_store_disk(engine->rules, work));
    }
    for (int k = 0; k < 2; k++)
        unit->pools[k].n_chunks = planned[k];
    merels_engine_close(engine);
}

// Solves again one way over the finished tables of `dir`: the same files come out.
static void check_way(const struct rules *rules, const char *dir, struct tablebase *base,
                      const struct work_unit *work, const struct way_of *how)
{
    char *out = make_dir("merels-way");
    struct arena arena = {0};
    struct meter meter;
    merels_meter_start(&meter, NULL, "slots", 0, 0);
    struct engine engine = {.rules = rules,
                            .kernels = merels_kernels(how->level),
                            .base = base,
                            .dir = out,
                            .n_threads = N_THREADS,
                            .n_codes = MAX_DEPTH + 1,
                            .dense_cost = how->dense_cost,
                            .arena = &arena,
                            .meter = &meter};
    solve_one_way(&engine, work, how);
    for (int k = 0; k < work->n_subspaces; k++) {
        char name[SUBSPACE_NAME_BYTES + 4];
        strcpy(name + merels_subspace_name(work->subspaces[k], name), ".mtb");
        cr_assert(same_file(out, dir, name),
                  "%s: level %s, way %d, %d chunks, %u rows, room of %llu, %s", name,
                  how->level, (int)how->way, how->n_chunks, how->holding.n_rows,
                  (unsigned long long)how->holding.room_bytes,
                  how->solve == SOLVE_BY_SWEEP ? "sweep" : "depths");
    }
    merels_arena_destroy(&arena);
    remove_dir(out);
}

// The levels that this machine has, in turn: every way of every unit is taken once, and over
// as many units as levels each level takes each way.
static const char *level_in_turn(size_t turn)
{
    const char *here[N_LEVELS];
    size_t n = 0;
    for (int k = 0; k < N_LEVELS; k++)
        if (merels_kernels(levels[k]) != NULL)
            here[n++] = levels[k];
    return here[turn % n];
}

static void check_ways(const struct rules *rules, const char *dir, struct tablebase *base,
                       const struct work_unit *work, size_t number)
{
    const struct way_of ways[] = {
        {.way = WAY_SPARSE, .n_chunks = AS_PLANNED},
        {.way = WAY_DENSE, .n_chunks = AS_PLANNED},
        {.way = WAY_CHEAPER, .n_chunks = 0},
        {.way = WAY_CHEAPER, .n_chunks = 7, .dense_cost = DENSE_COST_ONE / 4},
        {.way = WAY_CHEAPER, .n_chunks = 600, .dense_cost = DENSE_COST_ONE * 4},
    };
    uint32_t n = (uint32_t)merels_subspace_rows(&rules->board, work->subspaces[0]);
    bool turns = merels_unit_has_turns(rules, work), parts = work->n_subspaces == 1 && !turns;
    int last = 0;
    for (struct holding h; merels_unit_holding(rules, work, last + 1, &h);)
        last++;
    for (size_t i = 0; i < 5; i++) {
        struct way_of how = ways[i];
        how.level = level_in_turn(number + i);
        how.solve = SOLVE_BY_DEPTHS;
        check_way(rules, dir, base, work, &how);
        if (turns && i % 3 == 0) { // in one range, and in as many as there can be
            cr_assert(merels_unit_holding(rules, work, i == 0 ? last : 1, &how.holding));
            check_way(rules, dir, base, work, &how);
        }
        if (parts)
            how.holding.n_rows = n > 3 ? n / 3 : 0;
        if (parts)
            check_way(rules, dir, base, work, &how);
        how.solve = SOLVE_BY_SWEEP;
        if (parts && merels_unit_way(rules, work) == SOLVE_BY_SWEEP)
            check_way(rules, dir, base, work, &how);
    }
}

static void check_units(const char *text, struct start start, int max_men, bool moving_only)
{
    char *dir = make_dir("merels-ways");
    struct rules *rules = make_rules(text);
    struct solve_options options = moving(dir, max_men);
    options.moving_only = moving_only;
    solve(rules, start, &options);
    struct plan plan = plan_of(rules, start, &options);
    struct tablebase *base = open_base(dir, rules);
    for (size_t k = 0; k < plan.n_units; k++)
        check_ways(rules, dir, base, &plan.units[k], k);
    merels_tablebase_close(base);
    merels_plan_free(&plan);
    free(rules);
    remove_dir(dir);
}

Test(ways, board_of_nine, .timeout = 300)
{
    check_units("nine", (struct start){9, 9}, MERELS_SHORT_TESTS ? 6 : 7, true);
}

Test(ways, other_boards, .timeout = 300)
{
    check_units("six-fly", (struct start){4, 4}, 0, false);
    check_units("three,mill=removes,blocked=draws", (struct start){5, 4}, 0, true);
    if (!MERELS_SHORT_TESTS)
        check_units("seven", (struct start){4, 4}, 0, true);
}
