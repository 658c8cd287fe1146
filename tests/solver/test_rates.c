// test_rates.c: the time of a solve: pieces of work by the shape of a unit, and what a piece
// takes on this machine. What is measured is never compared with a figure.

#include <math.h>

#include "kernels/columns.h"
#include "solver/effort.h"
#include "tests/solver/support.h"

// ---- pieces of work ------------------------------------------------------------------------

// The words of a plane are those that the kernels go through.
Test(effort, plane_work)
{
    for (int n_points = 1; n_points <= 18; n_points++)
        for (int n_men = 0; n_men <= n_points; n_men++) {
            struct columns columns;
            OK(merels_columns_create(n_points, n_men, 7, &columns, &test_error));
            cr_assert_eq(merels_plane_work(n_points, n_men), (double)columns.n_words * n_points,
                         "%d men on %d points", n_men, n_points);
            merels_columns_destroy(&columns);
        }
}

static void check_effort(const struct rules *rules, const struct work_unit *work)
{
    struct effort effort;
    bool sweeps = merels_unit_way(rules, work) == SOLVE_BY_SWEEP;
    merels_effort_of(rules, work, &effort);
    for (int k = 0; k < N_WORK_KINDS; k++)
        cr_assert(isfinite(effort.n[k]) && effort.n[k] >= 0, "%s",
                  merels_work_name((enum work_kind)k));
    cr_expect_eq(effort.n[WORK_WRITE], (double)work->n_slots);
    cr_expect_eq(effort.n[WORK_STEP] == 0, sweeps);
    cr_expect_eq(effort.n[WORK_PLACE] > 0, sweeps);
}

static const struct game {
    const char *rules;
    struct start start;
    int max_men;
} games[] = {
    {"nine", {9, 9}, 7},
    {"lasker", {10, 10}, 7},
    {"seven", {7, 7}, 8},
    {"three,turn=place-or-move", {4, 4}, 0},
    {"three,mill=removes,blocked=passes", {4, 4}, 0},
    {"six,mill=wins", {4, 4}, 0},
    {"six,metric=dtc", {6, 6}, 8},
    {"six,removals=each,chooser=opponent", {5, 5}, 0},
};
enum { N_GAMES = sizeof games / sizeof *games };

static struct plan plan_game(const struct game *game, const char *dir, const char *level,
                             struct rules **rules, struct solve_options *options)
{
    *rules = make_rules(game->rules);
    *options = (struct solve_options){
        .dir = dir, .n_threads = 1, .max_men = game->max_men, .cpu_level = level};
    return plan_of(*rules, game->start, options);
}

// What a plan states is the sum of what is left.
Test(effort, of_all_kinds_of_units)
{
    for (int k = 0; k < N_GAMES; k++) {
        struct rules *rules;
        struct solve_options options;
        double seconds = 0;
        struct plan plan =
            plan_game(&games[k], "/tmp/merels-not-there", NULL, &rules, &options);
        for (size_t i = 0; i < plan.n_units; i++) {
            check_effort(rules, &plan.units[i]);
            seconds += plan.units[i].cpu_seconds;
        }
        cr_expect(seconds > 0);
        cr_expect_float_eq(plan.cpu_seconds, seconds, 1e-9 * seconds + 1e-12);
        cr_expect_eq(plan.effort.n[WORK_WRITE], (double)plan.n_slots);
        merels_plan_free(&plan);
        free(rules);
    }
}

// In ranges of rows the finished tables are read again for each.
Test(effort, ranges_read_again)
{
    struct rules *rules = make_rules("nine");
    struct work_unit work = {.n_subspaces = 1, .subspaces = {{4, 4, 1, 0}}};
    struct effort whole, parts;
    work.n_slots = merels_subspace_slots(&rules->board, work.subspaces[0]);
    merels_effort_of(rules, &work, &whole);
    work.holding.n_rows =
        (uint32_t)(merels_subspace_rows(&rules->board, work.subspaces[0]) + 3) / 4;
    merels_effort_of(rules, &work, &parts);
    cr_expect_eq(parts.n[WORK_READ], 4 * whole.n[WORK_READ]);
    cr_expect_eq(parts.n[WORK_PLACE], whole.n[WORK_PLACE]);
    free(rules);
}

// ---- measuring -----------------------------------------------------------------------------

static const struct work_unit *largest(const struct rules *rules, const struct plan *plan,
                                       enum way_to_solve way)
{
    const struct work_unit *found = NULL;
    for (size_t k = 0; k < plan->n_units; k++)
        if (merels_unit_way(rules, &plan->units[k]) == way &&
            (found == NULL || plan->units[k].n_slots > found->n_slots))
            found = &plan->units[k];
    return found;
}

static void check_rates(const struct rates *rates, const char *level)
{
    cr_expect(rates->measured);
    cr_expect_str_eq(rates->level, level);
    cr_expect(rates->dense_cost >= 0.25 && rates->dense_cost <= 4, "%f", rates->dense_cost);
    for (int k = 0; k < N_WORK_KINDS; k++)
        cr_expect(isfinite(rates->ns[k]) && rates->ns[k] > 0, "%s: %f",
                  merels_work_name((enum work_kind)k), rates->ns[k]);
}

static void measure_game(const struct game *game, const struct kernels *kernels)
{
    struct rules *rules;
    struct rates rates;
    struct solve_options options;
    struct plan plan = plan_game(game, "/tmp/merels-not-there", NULL, &rules, &options);
    OK(merels_rates_measure(rules, kernels, largest(rules, &plan, SOLVE_BY_DEPTHS),
                            largest(rules, &plan, SOLVE_BY_SWEEP), 1e-3, &rates, &test_error));
    check_rates(&rates, kernels->level);
    merels_plan_free(&plan);
    free(rules);
}

// Units of every kind at every level; one row of each is enough to stay within its memory.
Test(rates, measured_at_every_level, .timeout = 300)
{
    for (int k = 0; k < N_LEVELS; k++) {
        const struct kernels *kernels = merels_kernels(levels[k]);
        for (int i = 0; i < N_GAMES && kernels != NULL; i++)
            measure_game(&games[i], kernels);
        if (kernels == NULL)
            fprintf(stderr, "not tested here: level %s\n", levels[k]);
    }
}

Test(rates, without_units_they_stay_typical)
{
    struct rules *rules = make_rules("nine");
    const struct kernels *kernels = merels_kernels("portable");
    struct rates rates, typical = merels_rates_typical("portable");
    OK(merels_rates_measure(rules, kernels, NULL, NULL, 1e-3, &rates, &test_error));
    check_rates(&rates, "portable");
    cr_expect_not(typical.measured);
    cr_expect_eq(rates.ns[WORK_STEP], typical.ns[WORK_STEP]);
    cr_expect_eq(rates.ns[WORK_PLACE], typical.ns[WORK_PLACE]);
    free(rules);
}

// ---- the plan ------------------------------------------------------------------------------

// The level that is forced is the one that is measured; without one it is one of those that run
// here.
Test(plan_time, level)
{
    for (int k = 0; k <= N_LEVELS; k++) {
        const char *level = k < N_LEVELS ? levels[k] : NULL;
        struct rules *rules;
        struct solve_options options;
        struct plan plan =
            plan_game(&games[0], "/tmp/merels-not-there", level, &rules, &options);
        if (merels_kernels(level) == NULL) {
            FAILS(merels_plan_measure(rules, &options, &plan, &test_error), STATUS_UNSUPPORTED);
            cr_expect_not_null(strstr(test_error.text, level));
        } else {
            OK(merels_plan_measure(rules, &options, &plan, &test_error));
            cr_expect_str_eq(plan.rates.level, merels_kernels(level)->level);
            cr_expect(level == NULL || strcmp(plan.rates.level, level) == 0);
            cr_expect_not_null(merels_kernels(plan.rates.level));
        }
        merels_plan_free(&plan);
        free(rules);
    }
}

// What is short is not measured; what is measured is stated by it, unit by unit.
Test(plan_time, measured_if_it_is_worth_it)
{
    static const struct game small = {"six", {6, 6}, 7}, large = {"nine", {9, 9}, 12};
    struct rules *rules;
    struct solve_options options;
    struct plan plan = plan_game(&small, "/tmp/merels-not-there", NULL, &rules, &options);
    OK(merels_plan_measure(rules, &options, &plan, &test_error));
    cr_expect_not(plan.rates.measured);
    merels_plan_free(&plan);
    free(rules);
    plan = plan_game(&large, "/tmp/merels-not-there", NULL, &rules, &options);
    for (size_t k = 0; k < plan.n_units; k++) // too much, but for the first of 9 men or fewer
        plan.units[k].finished |=
            plan.units[k].subspaces[0].a + plan.units[k].subspaces[0].b > 9;
    OK(merels_plan_measure(rules, &options, &plan, &test_error));
    cr_expect(plan.rates.measured);
    check_rates(&plan.rates, merels_kernels(NULL)->level);
    double seconds = 0;
    for (size_t k = 0; k < plan.n_units; k++)
        seconds += plan.units[k].finished ? 0 : plan.units[k].cpu_seconds;
    cr_expect_float_eq(plan.cpu_seconds, seconds, 1e-9 * seconds);
    merels_plan_free(&plan);
    free(rules);
}
