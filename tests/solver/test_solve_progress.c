// test_solve_progress.c: what a solve reports: the figure rises from report to report, every
// unit is named and finished, and the end is the total.

#include "tests/solver/support.h"

static const struct start four_men = {4, 4};

// The plan, and the reports checked against it and each other.
struct record {
    const struct plan *plan;
    int n;
    size_t n_finished;
    uint64_t finished_slots; // of the units reported as finished
    struct progress last;
};

static void check_unit(const struct record *record, const struct progress *now)
{
    char name[UNIT_NAME_BYTES];
    const struct work_unit *unit = &record->plan->units[now->number];
    cr_assert_str_eq(now->piece, merels_unit_name(unit, name));
    cr_assert_not(unit->finished);
    cr_assert_geq(now->done, record->finished_slots);
    cr_assert_leq(now->done, record->finished_slots + unit->n_slots);
}

static void record_report(const struct progress *now, void *context)
{
    struct record *record = context;
    cr_assert_str_eq(now->unit, "slots");
    cr_assert_eq(now->n_pieces, record->plan->n_units);
    cr_assert_lt(now->number, now->n_pieces);
    cr_assert(record->n == 0 || now->number >= record->last.number);
    cr_assert_geq(now->done, record->last.done, "unit %s, %s: %llu after %llu", now->piece,
                  now->stage, (unsigned long long)now->done,
                  (unsigned long long)record->last.done);
    check_unit(record, now);
    if (now->finished) {
        record->n_finished++;
        record->finished_slots += record->plan->units[now->number].n_slots;
        cr_assert_eq(now->done, record->finished_slots, "unit %s", now->piece);
    }
    record->n++;
    record->last = *now;
}

static uint64_t open_slots(const struct plan *plan)
{
    uint64_t n = 0;
    for (size_t k = 0; k < plan->n_units; k++)
        n += plan->units[k].finished ? 0 : plan->units[k].n_slots;
    return n;
}

static void expect_rising(const struct rules *rules, const struct solve_options *options)
{
    struct plan plan = plan_of(rules, four_men, options);
    struct record record = {.plan = &plan};
    const struct watch watch = {.report = record_report, .context = &record};
    size_t n_open = 0;
    for (size_t k = 0; k < plan.n_units; k++)
        n_open += !plan.units[k].finished;
    OK(merels_solve(rules, &plan, options, &watch, &test_error));
    cr_expect_eq(record.n_finished, n_open);
    cr_expect(record.n > 3 * (int)n_open, "%d reports of %zu units", record.n, n_open);
    cr_expect_eq(record.last.total, open_slots(&plan));
    cr_expect_eq(record.last.done, record.last.total);
    merels_plan_free(&plan);
}

// The moving phase first, then the rest: a run that has less to do counts that alone.
Test(solve_progress, only_rises_and_ends_at_the_total, .timeout = 300)
{
    struct rules *rules = make_rules("six");
    for (int n_threads = 1; n_threads <= 2; n_threads++) {
        char *dir = make_dir("merels-progress");
        struct solve_options options = moving(dir, 0);
        options.n_threads = n_threads;
        expect_rising(rules, &options);
        options.moving_only = false;
        expect_rising(rules, &options);
        remove_dir(dir);
    }
    free(rules);
}
