// test_plan.c: what a plan says, and runs that are refused before anything is written.

#include "tests/solver/support.h"

static const struct start nine_men = {9, 9};

enum { MIB = 1 << 20 };

// The 49 tables of the moving phase, as 'merels list nine' has them.
static const uint64_t moving_bytes_of_nine = 3459717088;

// ---- numbers -------------------------------------------------------------------------------

Test(plan, moving_phase_of_nine)
{
    struct rules *rules = make_rules("nine");
    struct solve_options options = moving("/tmp/merels-not-there", 0);
    options.n_threads = 2;
    struct plan plan = plan_of(rules, nine_men, &options);
    uint64_t n_slots = 0, n_orbits = 0;
    cr_expect_eq(plan.n_subspaces, 49);
    cr_expect_eq(plan.n_units, 28);
    for (size_t k = 0; k < plan.n_units; k++) {
        cr_expect_not(plan.units[k].finished);
        cr_expect_leq(plan.units[k].memory_bytes, plan.peak_memory_bytes);
        for (int i = 0; i < plan.units[k].n_subspaces; i++) {
            n_slots += merels_subspace_slots(&rules->board, plan.units[k].subspaces[i]);
            n_orbits += merels_subspace_orbits(&rules->board, plan.units[k].subspaces[i]);
        }
    }
    cr_expect_eq(plan.n_slots, n_slots);
    cr_expect_eq(n_orbits, 8904593601);
    cr_expect_geq(plan.peak_memory_bytes, plan.least_memory_bytes);
    cr_expect(plan.disk_bytes >= moving_bytes_of_nine &&
                  plan.disk_bytes < moving_bytes_of_nine / 10 * 11,
              "%llu", (unsigned long long)plan.disk_bytes);
    merels_plan_free(&plan);
    free(rules);
}

// What is there counts as finished, in disk and time too.
Test(plan, finished_units)
{
    char *dir = make_dir("merels-plan");
    struct rules *rules = make_rules("nine");
    const struct solve_options small = moving(dir, 6), larger = moving(dir, 7);
    struct plan before = plan_of(rules, nine_men, &larger);
    solve(rules, nine_men, &small);
    struct plan after = plan_of(rules, nine_men, &larger);
    cr_assert_eq(before.n_units, 2);
    cr_assert_eq(after.n_units, 2);
    cr_expect(after.units[0].finished && !after.units[1].finished);
    cr_expect_lt(after.cpu_seconds, before.cpu_seconds);
    cr_expect_eq(after.disk_bytes, before.disk_bytes);
    solve(rules, nine_men, &larger);
    struct plan last = plan_of(rules, nine_men, &larger);
    cr_expect(last.units[0].finished && last.units[1].finished);
    cr_expect_float_eq(last.cpu_seconds, 0, 1e-9);
    merels_plan_free(&before);
    merels_plan_free(&after);
    merels_plan_free(&last);
    free(rules);
    remove_dir(dir);
}

// More threads and more men never take less memory.
Test(plan, memory_grows)
{
    struct rules *rules = make_rules("nine");
    uint64_t before = 0;
    for (int men = 6; men <= 18; men++) {
        struct solve_options options = moving("/tmp/merels-not-there", men);
        struct plan plan = plan_of(rules, nine_men, &options);
        options.n_threads = 16;
        struct plan wide = plan_of(rules, nine_men, &options);
        cr_expect_geq(plan.peak_memory_bytes, before, "%d men", men);
        cr_expect_geq(wide.peak_memory_bytes, plan.peak_memory_bytes, "%d men", men);
        before = plan.peak_memory_bytes;
        merels_plan_free(&plan);
        merels_plan_free(&wide);
    }
    free(rules);
}

// ---- refusals ------------------------------------------------------------------------------

Test(refused, unknown_level)
{
    char *dir = make_dir("merels-refused");
    struct rules *rules = make_rules("nine");
    struct solve_options options = moving(dir, 6);
    options.cpu_level = "v9";
    FAILS(solve_with(rules, nine_men, &options, NULL), STATUS_UNSUPPORTED);
    cr_expect_not_null(strstr(test_error.text, "v9"), "%s", test_error.text);
    cr_expect_eq(count_files(dir), 0);
    free(rules);
    remove_dir(dir);
}

Test(refused, too_little_memory)
{
    char *parent = make_dir("merels-refused"), dir[512];
    struct rules *rules = make_rules("nine");
    file_path(dir, parent, "tables");
    struct solve_options options = moving(dir, 0);
    options.memory_bytes = 64 * MIB;
    FAILS(solve_with(rules, nine_men, &options, NULL), STATUS_TOO_LITTLE);
    cr_expect_not_null(strstr(test_error.text, "memory"), "%s", test_error.text);
    cr_expect_eq(count_files(parent), 0);
    free(rules);
    remove_dir(parent);
}

Test(refused, too_little_disk)
{
    char *parent = make_dir("merels-refused"), dir[512];
    struct rules *rules = make_rules("nine");
    file_path(dir, parent, "tables");
    const struct solve_options options = moving(dir, 7);
    struct plan plan = plan_of(rules, nine_men, &options);
    plan.units[1].disk_bytes = UINT64_C(1) << 60;
    plan.peak_disk_bytes[options.keep] += plan.units[1].disk_bytes;
    FAILS(merels_solve(rules, &plan, &options, NULL, &test_error), STATUS_TOO_LITTLE);
    cr_expect_not_null(strstr(test_error.text, "disk"), "%s", test_error.text);
    cr_expect_eq(count_files(parent), 0);
    plan.units[1].there = true; // its files
    OK(merels_plan_check(&plan, &options, &test_error));
    merels_plan_free(&plan);
    free(rules);
    remove_dir(parent);
}

static void expect_no_directory(const struct rules *rules, const char *dir)
{
    const struct solve_options options = moving(dir, 6);
    FAILS(solve_with(rules, nine_men, &options, NULL), STATUS_IO);
    cr_expect_not_null(strstr(test_error.text, dir), "no %s in: %s", dir, test_error.text);
}

Test(refused, directory_that_cannot_be_written)
{
    char *parent = make_dir("merels-refused"), path[512];
    struct rules *rules = make_rules("nine");
    store_bytes(parent, "file", "text", 4);
    file_path(path, parent, "file");
    expect_no_directory(rules, path);
    file_path(path, parent, "file/below");
    expect_no_directory(rules, path);
    if (geteuid() != 0) { // permissions do not stop the superuser
        cr_assert_eq(chmod(parent, 0555), 0);
        expect_no_directory(rules, parent);
        cr_assert_eq(chmod(parent, 0755), 0);
    }
    free(rules);
    remove_dir(parent);
}
