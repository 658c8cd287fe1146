// test_schedule.c: the order in which ranks get units, and what a run of ranks is said to take.

#include "db/arise.h"
#include "solver/schedule.h"
#include "tests/solver/support.h"

enum { MAX_RUNNING = 64 };

struct begun {
    size_t unit;
    int n_ranks;
};

static const struct start nine_men = {9, 9};

// All that a unit reads has to be done.
static void expect_ready(const struct rules *rules, const struct plan *plan, const bool *done,
                         size_t unit)
{
    const struct work_unit *work = &plan->units[unit];
    for (int i = 0; i < work->n_subspaces; i++) {
        struct subspace next[MAX_SUCCESSORS];
        int n = merels_subspace_successors(rules, work->subspaces[i], next);
        for (size_t k = 0; k < plan->n_units; k++)
            for (int s = 0; s < n; s++)
                if (k != unit &&
                    merels_subspace_among(plan->units[k].subspaces,
                                          (size_t)plan->units[k].n_subspaces, next[s]))
                    cr_expect(done[k], "unit %zu reads unit %zu", unit, k);
    }
}

// Plays a run through: units end in the order in which they were begun.
static void run_through(const struct rules *rules, const struct plan *plan, int n_ranks,
                        int group)
{
    struct schedule *schedule;
    struct begun running[MAX_RUNNING];
    size_t n_running = 0, n_begun = 0;
    int n_free = n_ranks;
    bool *done = calloc(plan->n_units, sizeof *done);
    cr_assert_not_null(done);
    OK(merels_schedule_create(rules, plan, n_ranks, group, &schedule, &test_error));
    while (merels_schedule_left(schedule) > 0) {
        struct begun *next = &running[n_running];
        while (merels_schedule_next(schedule, n_free, &next->unit, &next->n_ranks)) {
            cr_assert(next->n_ranks >= 1 && next->n_ranks <= n_free);
            cr_expect(group == 0 || next->n_ranks == (group < n_ranks ? group : n_ranks));
            expect_ready(rules, plan, done, next->unit);
            n_free -= next->n_ranks;
            next = &running[++n_running];
            n_begun++;
        }
        cr_assert_gt(n_running, 0, "units are left and none can begin");
        n_free += running[0].n_ranks;
        done[running[0].unit] = true;
        merels_schedule_done(schedule, running[0].unit);
        memmove(running, running + 1, --n_running * sizeof *running);
    }
    cr_expect_eq(n_begun, plan->n_units);
    merels_schedule_destroy(schedule);
    free(done);
}

Test(schedule, every_unit_once_and_after_what_it_reads)
{
    struct rules *rules = make_rules("nine");
    for (int n_ranks = 1; n_ranks <= 16; n_ranks += 5) {
        struct solve_options options = {
            .dir = "/tmp/merels-not-there", .n_threads = 1, .n_ranks = n_ranks};
        struct plan plan = plan_of(rules, nine_men, &options);
        run_through(rules, &plan, n_ranks, 0);
        if (n_ranks > 1) // else no unit can be divided
            run_through(rules, &plan, n_ranks, 4);
        merels_plan_free(&plan);
    }
    free(rules);
}

static struct forecast forecast_of(const struct rules *rules, int n_ranks, uint64_t memory,
                                   struct plan *plan)
{
    struct forecast forecast;
    struct solve_options options = {.dir = "/tmp/merels-not-there",
                                    .n_threads = 1,
                                    .n_ranks = n_ranks,
                                    .memory_bytes = memory};
    *plan = plan_of(rules, nine_men, &options);
    OK(merels_schedule_foresee(rules, plan, n_ranks, 0, 1, &forecast, &test_error));
    return forecast;
}

Test(schedule, more_ranks_take_less_time)
{
    struct rules *rules = make_rules("nine");
    struct plan plan;
    struct forecast one = forecast_of(rules, 1, 0, &plan);
    cr_expect_float_eq(one.seconds, plan.cpu_seconds, 1e-3 * plan.cpu_seconds);
    cr_expect_eq(one.traffic_bytes, 0);
    merels_plan_free(&plan);
    double before = one.seconds;
    uint64_t memory = 0;
    for (int n = 2; n <= 64; n *= 2) {
        struct forecast f = forecast_of(rules, n, 0, &plan);
        cr_expect_lt(f.seconds, before, "%d ranks", n);
        cr_expect_geq(f.seconds, one.seconds / n * (1 - 1e-9));
        cr_expect_geq(f.seconds, f.path_seconds * (1 - 1e-9));
        memory = f.memory_bytes;
        before = f.seconds;
        merels_plan_free(&plan);
    }
    cr_expect_lt(memory, one.memory_bytes / 3, "of 64 ranks");
    free(rules);
}

// Units that do not fit the memory of one rank get several, and the plan says what each holds.
Test(schedule, memory_of_a_rank_falls)
{
    struct rules *rules = make_rules("nine");
    struct plan plan;
    const uint64_t small = UINT64_C(1) << 30;
    struct forecast f = forecast_of(rules, 16, small, &plan);
    bool divided = false;
    cr_expect_gt(f.largest_group, 1);
    cr_expect_leq(f.memory_bytes, small);
    cr_expect_leq(plan.peak_memory_bytes, small);
    for (size_t k = 0; k < plan.n_units; k++) {
        const struct work_unit *work = &plan.units[k];
        divided |= work->least_ranks > 1;
        cr_expect_leq(work->memory_bytes, small);
        cr_expect_eq(work->holding.room_bytes, 0, "nothing waits in a file");
    }
    cr_expect(divided);
    merels_plan_free(&plan);
    free(rules);
}
