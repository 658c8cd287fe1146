// test_store.c: solves in little memory: logs of rows, the same files at all limits, whatever
// happens to the run or its temporary file.

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "solver/row_log.h"
#include "tests/solver/support.h"

static const struct start nine_men = {9, 9};

enum { MIB = 1 << 20 };

// ---- logs of rows --------------------------------------------------------------------------

enum { N_STEPS = 6, N_BUCKETS = 5, N_ROWS = 40 };

// Columns of a row at a step, from its own random sequence: none, few, many or all.
static uint32_t columns_at(uint32_t n_columns, uint32_t bucket, int step, uint32_t row,
                           uint32_t *columns)
{
    uint64_t random = mix(((uint64_t)bucket << 40 | (uint64_t)step << 32 | row) + n_columns);
    uint64_t share = next_random(&random) % 5; // of 4
    uint32_t n = 0;
    for (uint32_t k = 0; k < n_columns; k++) {
        uint64_t r = next_random(&random) % 4096;
        if (share == 4 || r < (share == 0 ? 0 : share == 1 ? 3 : share == 2 ? 400 : 3000))
            columns[n++] = k;
    }
    return n;
}

static void write_bucket(struct row_log *log, uint32_t bucket, int step, uint32_t first,
                         uint32_t last, uint32_t *columns)
{
    struct log_piece piece = {0};
    for (uint32_t row = first; row < last; row++) {
        uint32_t n = columns_at(log->n_columns, bucket, step, row, columns);
        if (n > 0)
            OK(merels_log_piece_add(&piece, log->n_columns, row, columns, n, &test_error));
    }
    cr_assert_leq(piece.n_bytes, merels_log_piece_bytes(last - first, log->n_columns));
    OK(merels_row_log_append(log, bucket, step, &piece, &test_error));
    cr_assert_eq(piece.n_bytes, 0);
    merels_log_piece_free(&piece);
}

static void check_bucket(const struct row_log *log, uint32_t bucket, int step,
                         uint32_t *columns, uint32_t *read)
{
    struct log_piece piece = {0};
    OK(merels_row_log_read(log, bucket, step, &piece, &test_error));
    struct log_cursor cursor = merels_log_cursor(&piece);
    for (uint32_t row = 0; row < N_ROWS; row++) {
        uint32_t n = columns_at(log->n_columns, bucket, step, row, columns);
        if (n == 0)
            continue;
        cr_assert(cursor.row == row && cursor.n == n, "row %u: %u of %u, %u", row, cursor.row,
                  cursor.n, n);
        merels_log_cursor_take(&cursor, log->n_columns, read);
        cr_assert_eq(memcmp(read, columns, n * sizeof *read), 0, "row %u", row);
    }
    cr_assert_eq(cursor.row, NO_ROW);
    merels_log_piece_free(&piece);
}

// What comes out is what went in, in two pieces a step, after the log was begun again, too.
static void check_log(struct log_file *file, uint32_t n_columns)
{
    struct row_log log;
    uint32_t *columns = malloc(n_columns * sizeof *columns);
    uint32_t *read = malloc(n_columns * sizeof *read);
    OK(merels_row_log_create(file, n_columns, N_BUCKETS, &log, &test_error));
    for (int round = 0; round < 2; round++) {
        for (int step = 0; step < N_STEPS; step++)
            for (uint32_t bucket = 0; bucket < N_BUCKETS; bucket++) {
                write_bucket(&log, bucket, step, 0, N_ROWS / 3, columns);
                write_bucket(&log, bucket, step, N_ROWS / 3, N_ROWS, columns);
            }
        for (int step = 0; step < N_STEPS; step++)
            for (uint32_t bucket = 0; bucket < N_BUCKETS; bucket++)
                check_bucket(&log, bucket, step, columns, read);
        merels_row_log_clear(&log);
        merels_log_file_clear(file);
        cr_assert_eq(merels_row_log_pieces(&log, 0), 0);
    }
    merels_row_log_destroy(&log);
    free(columns);
    free(read);
}

Test(row_log, keeps_what_is_put_into_it, .timeout = 300)
{
    static const uint32_t widths[] = {1, 7, 8, 64, 127, 1001, 20000};
    struct log_file file;
    char *dir = make_dir("merels-log");
    OK(merels_log_file_create(dir, "a unit", &file, &test_error));
    cr_expect_eq(count_files(dir), 0); // it has no name
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++)
        check_log(&file, widths[k]);
    merels_log_file_destroy(&file);
    remove_dir(dir);
}

// ---- the same files ------------------------------------------------------------------------

struct game {
    const char *rules;
    struct start start;
    int max_men;
    bool moving_only;
};

// Every unit with turns inside by the holding of this number, if it has one.
static char *solve_holding(const struct game *game, int holding, int n_codes)
{
    char *dir = make_dir("merels-store");
    struct rules *rules = make_rules(game->rules);
    struct solve_options options = moving(dir, game->max_men);
    options.moving_only = game->moving_only;
    options.n_threads = 2;
    options.holding = holding;
    options.n_codes = n_codes;
    solve(rules, game->start, &options);
    free(rules);
    return dir;
}

static void check_holdings(const struct game *game, int n_codes)
{
    static const int holdings[] = {1, 3, 10};
    char *expected = solve_holding(game, 0, 0);
    for (size_t k = 0; k < sizeof holdings / sizeof *holdings; k++) {
        char *dir = solve_holding(game, holdings[k], n_codes);
        assert_same_dirs(dir, expected);
        remove_dir(dir);
    }
    remove_dir(expected);
}

static const struct game games[] = {
    {"nine", {9, 9}, 6, true},
    {"six", {4, 3}, 0, false},
    {"three,turn=place-or-move", {4, 4}, 0, false},
    {"three,mill=removes,blocked=passes", {4, 4}, 0, false},
    {"six,mill=wins", {4, 4}, 0, true},
};
enum { N_GAMES = sizeof games / sizeof *games };

Test(store, the_same_files_whatever_is_held, .timeout = 900)
{
    for (int k = 0; k < N_GAMES; k++)
        check_holdings(&games[k], 0);
}

// Depths beyond a window of codes: values are handed over and sources brought again in between.
Test(store, windows, .timeout = 900)
{
    for (int k = 0; k < N_GAMES; k++)
        check_holdings(&games[k], k % 2 == 0 ? 21 : 4);
}

// ---- limits --------------------------------------------------------------------------------

static enum status solve_in(const char *dir, uint64_t memory_bytes, uint64_t *least,
                            uint64_t *peak)
{
    struct rules *rules = make_rules("nine");
    struct solve_options options = moving(dir, 8);
    options.memory_bytes = memory_bytes;
    struct plan plan = plan_of(rules, nine_men, &options);
    enum status status = merels_solve(rules, &plan, &options, NULL, &test_error);
    *least = plan.least_memory_bytes;
    *peak = plan.peak_memory_bytes;
    merels_plan_free(&plan);
    free(rules);
    return status;
}

// With the least memory that the plan names it is done, with less it is refused, with that
// number and before any work.
Test(store, least_memory, .timeout = 600)
{
    char *parent = make_dir("merels-limit"), dir[512], other[512], text[64];
    uint64_t least, peak, all;
    file_path(dir, parent, "tables");
    file_path(other, parent, "others");
    OK(solve_in(dir, UINT64_C(1) << 40, &least, &all));
    cr_assert_lt(least, all);
    FAILS(solve_in(other, least - MIB, &least, &peak), STATUS_TOO_LITTLE);
    snprintf(text, sizeof text, "at least %llu MiB", (unsigned long long)(least >> 20));
    cr_expect_not_null(strstr(test_error.text, text), "no %s in: %s", text, test_error.text);
    cr_expect_eq(count_files(parent), 1);
    OK(solve_in(other, least, &least, &peak));
    cr_expect_leq(peak, least);
    assert_same_dirs(other, dir);
    remove_dir(strdup(dir));
    remove_dir(strdup(other));
    remove_dir(parent);
}

// All limits between the least and everything hold.
Test(store, plan_stays_within_any_limit)
{
    struct rules *rules = make_rules("nine");
    struct start start = {9, 9};
    struct solve_options options = {.dir = "/tmp/merels-not-there", .n_threads = 2};
    options.memory_bytes = UINT64_C(1) << 40;
    struct plan all = plan_of(rules, start, &options);
    cr_expect_lt(all.least_memory_bytes, UINT64_C(1) << 30);
    cr_expect_eq(all.temporary_bytes, 0);
    uint64_t step = (all.peak_memory_bytes - all.least_memory_bytes) / 7;
    for (uint64_t limit = all.least_memory_bytes; limit < all.peak_memory_bytes;
         limit += step) {
        options.memory_bytes = limit;
        struct plan plan = plan_of(rules, start, &options);
        cr_expect_leq(plan.peak_memory_bytes, limit);
        cr_expect_gt(plan.temporary_bytes, 0);
        cr_expect_eq(plan.least_memory_bytes, all.least_memory_bytes);
        merels_plan_free(&plan);
    }
    merels_plan_free(&all);
    free(rules);
}

// ---- what happens to a run -----------------------------------------------------------------

struct stopper {
    atomic_int stop;
    int n, at;
    bool kills;
};

static void count_report(const struct progress *progress, void *context)
{
    struct stopper *stopper = context;
    (void)progress;
    if (++stopper->n != stopper->at)
        return;
    if (stopper->kills)
        _exit(99);
    stopper->stop = 1;
}

static enum status solve_until(const char *dir, int holding, struct stopper *stopper)
{
    struct rules *rules = make_rules("six-fly");
    const struct watch watch = {
        .report = count_report, .context = stopper, .stop = &stopper->stop};
    struct solve_options options = moving(dir, 0);
    options.holding = holding;
    enum status status = solve_with(rules, (struct start){4, 4}, &options, &watch);
    free(rules);
    return status;
}

// Nothing but tables, whole or begun, and the manifest.
static void assert_only_tables(const char *dir)
{
    struct names names;
    OK(merels_dir_list(dir, &names, &test_error));
    for (size_t k = 0; k < names.n; k++)
        cr_assert(strstr(names.names[k], ".mtb") != NULL ||
                      strstr(names.names[k], "MANIFEST") != NULL,
                  "%s", names.names[k]);
    merels_names_free(&names);
}

static void kill_at(const char *dir, int at)
{
    int status;
    struct stopper killer = {.at = at, .kills = true};
    pid_t pid = fork();
    cr_assert_geq(pid, 0);
    if (pid == 0)
        _exit(solve_until(dir, 4, &killer) == STATUS_OK ? 0 : 1);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 99);
}

// Stopped and killed, then completed with all codes in memory, or the other way round.
Test(store, stopped_and_killed, .timeout = 600)
{
    struct stopper never = {.at = -1};
    char *expected = make_dir("merels-store");
    OK(solve_until(expected, 4, &never));
    int step = never.n / (MERELS_SHORT_TESTS ? 4 : 16) + 1;
    for (int at = 1; at <= never.n; at += step) {
        struct stopper stopper = {.at = at}, again = {.at = -1};
        char *dir = make_dir("merels-store"), *killed = make_dir("merels-store");
        FAILS(solve_until(dir, 4, &stopper), STATUS_INTERRUPTED);
        assert_only_tables(dir);
        OK(solve_until(dir, at % 2 == 0 ? 0 : 1, &again));
        assert_same_dirs(dir, expected);
        kill_at(killed, at);
        assert_only_tables(killed);
        OK(solve_until(killed, at % 2 == 0 ? 1 : 0, &again));
        assert_same_dirs(killed, expected);
        remove_dir(dir);
        remove_dir(killed);
    }
    remove_dir(expected);
}

// A file that may not grow stands for a full disk: the error names the temporary file, and the
// run can go on later.
Test(store, full_disk, .timeout = 300)
{
    const struct game game = {"nine", {9, 9}, 6, true};
    char *expected = solve_holding(&game, 0, 0), *dir = make_dir("merels-full");
    struct rules *rules = make_rules("nine");
    struct solve_options options = moving(dir, 6);
    options.holding = 1;
    cr_assert_neq(signal(SIGXFSZ, SIG_IGN), SIG_ERR);
    for (rlim_t most = 1000; most < 100000; most *= 9) { // sources, later values
        const struct rlimit limit = {most, RLIM_INFINITY};
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        FAILS(solve_with(rules, nine_men, &options, NULL), STATUS_IO);
        cr_expect_not_null(strstr(test_error.text, "temporary file of 3-3"), "%s",
                           test_error.text);
        cr_expect_not_null(strstr(test_error.text, "cannot write"), "%s", test_error.text);
        cr_expect_eq(count_files(dir), 0);
    }
    const struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    solve(rules, nine_men, &options);
    assert_same_dirs(dir, expected);
    remove_dir(dir);
    remove_dir(expected);
    free(rules);
}
