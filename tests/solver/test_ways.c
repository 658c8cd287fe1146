// test_ways.c: a unit gives the same values whichever way its rows are decided, and whether its
// turns go through lists or straight to their place.

#include "solver/engine.h"
#include "solver/limits.h"
#include "tests/solver/support.h"

enum { AS_PLANNED = -1, N_THREADS = 2 };

static bool never_stop(void *context, enum solve_stage stage, int depth, uint64_t done_slots)
{
    (void)context;
    (void)stage;
    (void)depth;
    (void)done_slots;
    return false;
}

// A unit solved in memory, over the finished tables of a directory.
struct fixture {
    struct engine engine;
    struct unit unit;
    struct workspace spaces[N_THREADS];
};

static void open_fixture(struct fixture *f, const struct rules *rules, struct tablebase *base,
                         const struct work_unit *work, const char *level)
{
    const struct kernels *kernels = merels_kernels(level);
    struct workspace_sizes z = merels_solve_workspace(&rules->board, work);
    OK(merels_unit_create(rules, merels_tablebase_index(base), work, kernels->cell_points,
                          N_THREADS, NULL, &f->unit, &test_error));
    for (int k = 0; k < N_THREADS; k++)
        OK(merels_workspace_create(z.max_points, z.max_columns, k, &f->spaces[k], &test_error));
    f->engine = (struct engine){.rules = rules,
                                .kernels = kernels,
                                .base = base,
                                .n_threads = N_THREADS,
                                .work = f->spaces,
                                .unit = &f->unit,
                                .tick = never_stop};
}

static void close_fixture(struct fixture *f)
{
    for (int k = 0; k < N_THREADS; k++)
        merels_workspace_destroy(&f->spaces[k]);
    merels_unit_destroy(&f->unit);
}

static void expect_values(const struct unit *unit, struct tablebase *base, const char *text)
{
    for (int k = 0; k < unit->n_subspaces; k++) {
        const struct side *side = &unit->sides[k];
        uint8_t *values = read_values(base, side->subspace);
        size_t n_slots = (size_t)side->n_rows * side->n_columns;
        cr_assert_eq(memcmp(side->value, values, n_slots), 0, "%d-%d: %s", side->subspace.a,
                     side->subspace.b, text);
        free(values);
    }
}

// Solves again one way, with room for so many chunks of turns in each pool.
static void check_way(const struct rules *rules, struct tablebase *base,
                      const struct work_unit *work, const char *level, enum way way,
                      int n_chunks)
{
    char text[64];
    struct fixture f;
    uint32_t planned[2];
    open_fixture(&f, rules, base, work, level);
    for (int k = 0; k < N_THREADS; k++)
        f.spaces[k].way = way;
    for (int k = 0; k < 2; k++) {
        planned[k] = f.unit.pools[k].n_chunks;
        if (n_chunks != AS_PLANNED && (uint32_t)n_chunks < planned[k])
            f.unit.pools[k].n_chunks = (uint32_t)n_chunks;
    }
    if (f.unit.arrivals != NULL)
        OK(merels_engine_placing(&f.engine, &test_error));
    else
        OK(merels_engine_moving(&f.engine, &test_error));
    snprintf(text, sizeof text, "level %s, way %d, %d chunks", level, (int)way, n_chunks);
    expect_values(&f.unit, base, text);
    for (int k = 0; k < 2; k++)
        f.unit.pools[k].n_chunks = planned[k];
    close_fixture(&f);
}

static void check_ways(const struct rules *rules, struct tablebase *base,
                       const struct work_unit *work)
{
    for (int k = 0; k < N_LEVELS; k++) {
        if (merels_kernels(levels[k]) == NULL)
            continue;
        check_way(rules, base, work, levels[k], WAY_SPARSE, AS_PLANNED);
        check_way(rules, base, work, levels[k], WAY_DENSE, AS_PLANNED);
        check_way(rules, base, work, levels[k], WAY_CHEAPER, 0);
        check_way(rules, base, work, levels[k], WAY_CHEAPER, 7);
        check_way(rules, base, work, levels[k], WAY_CHEAPER, 600);
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
        check_ways(rules, base, &plan.units[k]);
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
        check_units("seven", (struct start){5, 5}, 0, true);
}
