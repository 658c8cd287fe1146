// test_resume.c: stopped and killed runs that go on, damaged and missing files, and runs that
// must not begin.

#include <sys/wait.h>

#include "tests/solver/support.h"

// The whole game of three men a side on the board of 16 points: 16 small tables, both phases.
static const struct start three_men = {3, 3};

static struct solve_options whole(const char *dir)
{
    return (struct solve_options){.dir = dir, .n_threads = 1};
}

static char *finished_dir(const struct rules *rules)
{
    char *dir = make_dir("merels-whole");
    const struct solve_options options = whole(dir);
    solve(rules, three_men, &options);
    return dir;
}

static void go_on(const struct rules *rules, const char *dir)
{
    const struct solve_options options = whole(dir);
    solve(rules, three_men, &options);
}

// ---- stop and kill -------------------------------------------------------------------------

// Stops, or ends the process, at report number `at`.
struct stopper {
    atomic_int stop;
    int n, at;
    bool kills;
    enum at_work { REMOVALS, DEPTHS, WRITING, FINISHED, N_AT_WORK } at_work; // at that report
};

static enum at_work at_work(const struct progress *progress)
{
    return progress->finished                          ? FINISHED
           : strcmp(progress->stage, "writing") == 0   ? WRITING
           : strncmp(progress->stage, "depth", 5) == 0 ? DEPTHS
                                                       : REMOVALS;
}

static void count_report(const struct progress *progress, void *context)
{
    struct stopper *stopper = context;
    if (++stopper->n != stopper->at)
        return;
    stopper->at_work = at_work(progress);
    if (stopper->kills)
        _exit(99);
    stopper->stop = 1;
}

static enum status solve_until(const struct rules *rules, const char *dir,
                               struct stopper *stopper)
{
    const struct watch watch = {
        .report = count_report, .context = stopper, .stop = &stopper->stop};
    const struct solve_options options = whole(dir);
    return solve_with(rules, three_men, &options, &watch);
}

static int count_reports(const struct rules *rules)
{
    struct stopper never = {.at = -1};
    char *dir = make_dir("merels-count");
    OK(solve_until(rules, dir, &never));
    remove_dir(dir);
    return never.n;
}

static bool any_part_file(const char *dir)
{
    struct names names;
    bool any = false;
    OK(merels_dir_list(dir, &names, &test_error));
    for (size_t k = 0; k < names.n; k++)
        any |= ends_with(names.names[k], ".part");
    merels_names_free(&names);
    return any;
}

// A stop on request leaves whole files only, and the next run completes them.
Test(resume, stopped_anywhere, .timeout = 600)
{
    struct rules *rules = make_rules("six-fly");
    char *expected = finished_dir(rules);
    int n_reports = count_reports(rules), step = n_reports / (MERELS_SHORT_TESTS ? 6 : 40) + 1;
    bool seen[N_AT_WORK] = {false};
    for (int at = 1; at <= n_reports; at += step) {
        struct stopper stopper = {.at = at};
        char *dir = make_dir("merels-stop");
        FAILS(solve_until(rules, dir, &stopper), STATUS_INTERRUPTED);
        seen[stopper.at_work] = true;
        cr_assert_not(any_part_file(dir), "report %d", at);
        assert_part_of(dir, expected);
        go_on(rules, dir);
        assert_same_dirs(dir, expected);
        remove_dir(dir);
    }
    for (int k = 0; !MERELS_SHORT_TESTS && k < N_AT_WORK; k++)
        cr_expect(seen[k], "no stop in stage %d", k);
    remove_dir(expected);
    free(rules);
}

// One run after the other in the same directory, each stopped a little later than the last.
Test(resume, stopped_again_and_again, .timeout = 600)
{
    struct rules *rules = make_rules("six-fly");
    char *expected = finished_dir(rules), *dir = make_dir("merels-stop");
    int n_stops = 0;
    enum status status;
    do {
        struct stopper stopper = {.at = 2 + n_stops++};
        status = solve_until(rules, dir, &stopper);
        cr_assert(status == STATUS_OK || status == STATUS_INTERRUPTED, "%s", test_error.text);
        assert_part_of(dir, expected);
    } while (status != STATUS_OK && n_stops < 200);
    cr_expect(n_stops > 2 && n_stops < 200, "%d", n_stops);
    assert_same_dirs(dir, expected);
    remove_dir(dir);
    remove_dir(expected);
    free(rules);
}

static void kill_at(const struct rules *rules, const char *dir, int at)
{
    int status;
    struct stopper killer = {.at = at, .kills = true};
    pid_t pid = fork();
    cr_assert_geq(pid, 0);
    if (pid == 0) {
        enum status ignored = solve_until(rules, dir, &killer);
        _exit(ignored == STATUS_OK ? 0 : 1);
    }
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 99);
}

// No file that is called finished is anything else after a kill; what was begun is made again.
Test(resume, killed_anywhere, .timeout = 600)
{
    struct rules *rules = make_rules("six-fly");
    char *expected = finished_dir(rules);
    int n_reports = count_reports(rules), step = n_reports / (MERELS_SHORT_TESTS ? 6 : 40) + 1;
    bool any_part = false;
    for (int at = 1; at <= n_reports; at += step) {
        struct names names;
        char *dir = make_dir("merels-kill");
        kill_at(rules, dir, at);
        any_part |= any_part_file(dir);
        OK(merels_dir_list(dir, &names, &test_error));
        for (size_t k = 0; k < names.n; k++)
            if (ends_with(names.names[k], ".mtb"))
                cr_assert(same_file(dir, expected, names.names[k]), "%s", names.names[k]);
        merels_names_free(&names);
        go_on(rules, dir);
        assert_same_dirs(dir, expected);
        remove_dir(dir);
    }
    cr_expect(any_part || MERELS_SHORT_TESTS, "no kill while a table was written");
    remove_dir(expected);
    free(rules);
}

// ---- missing files -------------------------------------------------------------------------

static void remove_file(const char *dir, const char *name)
{
    char path[512];
    file_path(path, dir, name);
    cr_assert_eq(unlink(path), 0, "%s", path);
}

Test(resume, missing_table_is_made_again, .timeout = 300)
{
    struct rules *rules = make_rules("six-fly");
    char *expected = finished_dir(rules), *dir = finished_dir(rules);
    struct names names;
    OK(merels_dir_list(expected, &names, &test_error));
    for (size_t k = 0; k < names.n; k++) { // the manifest too
        remove_file(dir, names.names[k]);
        go_on(rules, dir);
        assert_same_dirs(dir, expected);
    }
    merels_names_free(&names);
    remove_dir(dir);
    remove_dir(expected);
    free(rules);
}

// A run that ended between a table and its entry: the manifest of an earlier state.
Test(resume, manifest_that_lacks_entries_is_completed, .timeout = 300)
{
    struct rules *rules = make_rules("six-fly");
    char *expected = finished_dir(rules), *early = make_dir("merels-early");
    const struct solve_options options = moving(early, 0);
    size_t n;
    solve(rules, three_men, &options);
    uint8_t *manifest = load_bytes(early, "MANIFEST", &n);
    go_on(rules, early);
    assert_same_dirs(early, expected);
    store_bytes(early, "MANIFEST", manifest, n);
    go_on(rules, early);
    assert_same_dirs(early, expected);
    free(manifest);
    remove_dir(early);
    remove_dir(expected);
    free(rules);
}

// ---- damaged files -------------------------------------------------------------------------

static void change_byte(const char *dir, const char *name, size_t offset)
{
    size_t n;
    uint8_t *bytes = load_bytes(dir, name, &n);
    cr_assert_lt(offset, n);
    bytes[offset] ^= 0x10;
    store_bytes(dir, name, bytes, n);
    free(bytes);
}

// The run names the file, touches neither it nor anything else.
static void expect_refused(const struct rules *rules, const char *dir, const char *name,
                           enum status expected)
{
    size_t n, n_after;
    int n_files = count_files(dir);
    uint8_t *before = load_bytes(dir, name, &n);
    const struct solve_options options = whole(dir);
    FAILS(solve_with(rules, three_men, &options, NULL), expected);
    cr_expect_not_null(strstr(test_error.text, name), "no %s in: %s", name, test_error.text);
    uint8_t *after = load_bytes(dir, name, &n_after);
    cr_expect(n == n_after && memcmp(before, after, n) == 0, "%s was changed", name);
    cr_expect_eq(count_files(dir), n_files);
    free(before);
    free(after);
}

Test(resume, damaged_table_is_reported_and_kept, .timeout = 300)
{
    struct rules *rules = make_rules("six-fly");
    char *dir = finished_dir(rules);
    size_t n;
    uint8_t *good = load_bytes(dir, "3-3.mtb", &n);
    change_byte(dir, "3-3.mtb", 60); // in the header
    expect_refused(rules, dir, "3-3.mtb", STATUS_CORRUPT);
    store_bytes(dir, "3-3.mtb", good, n - 1);
    expect_refused(rules, dir, "3-3.mtb", STATUS_CORRUPT);
    store_bytes(dir, "3-3.mtb", good, 0);
    expect_refused(rules, dir, "3-3.mtb", STATUS_CORRUPT);
    // A block is read only when the next unit asks for it.
    store_bytes(dir, "3-3.mtb", good, n);
    change_byte(dir, "3-3.mtb", 300);
    remove_file(dir, "2-3-1-0.mtb");
    expect_refused(rules, dir, "3-3.mtb", STATUS_CORRUPT);
    cr_expect_not(has_file(dir, "2-3-1-0.mtb"));
    store_bytes(dir, "3-3.mtb", good, n);
    go_on(rules, dir);
    cr_expect(has_file(dir, "2-3-1-0.mtb"));
    free(good);
    remove_dir(dir);
    free(rules);
}

Test(resume, damaged_manifest_is_reported_and_kept)
{
    struct rules *rules = make_rules("six-fly");
    char *dir = finished_dir(rules);
    change_byte(dir, "MANIFEST", 400);
    expect_refused(rules, dir, "MANIFEST", STATUS_CORRUPT);
    remove_dir(dir);
    free(rules);
}

Test(resume, tables_of_other_rules_are_kept)
{
    struct rules *rules = make_rules("six-fly"), *others = make_rules("six");
    char *dir = finished_dir(rules);
    expect_refused(others, dir, "3-3.mtb", STATUS_OTHER_RULES);
    remove_dir(dir);
    free(rules);
    free(others);
}
