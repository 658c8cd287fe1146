// test_tables.c: the command line with tables: solve, resume, stats, list, probe, damage.
//
// The subspaces with at most 7 men (3-3, 3-4, 4-3) are solved in about a second.

#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "db/file.h"
#include "tests/query/run.h"

enum { PATH_BYTES = 128 };

static void solve_small(char *dir)
{
    struct run run = RUN("solve", "nine", "--db", dir, "--phase", "moving", "--max-men", "7",
                         "--threads", "2");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    cr_expect_str_empty(run.out);
    cr_expect_not_null(strstr(run.err, "merels "), "%s", run.err);
    cr_expect_not_null(strstr(run.err, "--threads 2"), "%s", run.err);
    cr_expect_not_null(strstr(run.err, "finished"), "%s", run.err);
}

static int unlink_in(const char *dir, const char *name)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return unlink(path);
}

static int truncate_in(const char *dir, const char *name, off_t n_bytes)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return truncate(path, n_bytes);
}

static void assert_small_stats(char *dir)
{
    struct run run = RUN("stats", "nine", "--tsv", "--db", dir);
    assert_quiet(run);
    cr_expect_str_eq(run.out,
                     "subspace\tslots\torbits\twin\tdraw\tloss\tmax_win\tmax_loss\tnone\n"
                     "3-3\t210140\t169626\t140621\t269\t28736\t25\t26\t0\n"
                     "3-4\t862980\t760398\t102281\t658117\t0\t33\t-\t0\n"
                     "4-3\t945630\t760398\t75397\t681906\t3095\t1\t32\t0\n");
}

static json_t *run_json(char *const *argv)
{
    struct run run = run_program(argv);
    assert_quiet(run);
    json_t *value = json_loads(run.out, 0, NULL);
    cr_assert_not_null(value, "%s", run.out);
    return value;
}

// The program says that a position is `value` in `plies` (-1: null), as JSON.
static void assert_probe(char *dir, char *position, const char *value, int plies)
{
    json_t *object = run_json(ARGV("probe", "nine", "--db", dir, "--json", position));
    json_t *depth = json_object_get(object, "plies");
    cr_expect_str_eq(json_string_value(json_object_get(object, "metric")), "dtm");
    cr_expect_str_eq(json_string_value(json_object_get(object, "value")), value, "%s",
                     position);
    if (plies < 0)
        cr_expect(json_is_null(depth), "%s", position);
    else
        cr_expect_eq(json_integer_value(depth), plies, "%s", position);
    cr_expect_not_null(json_object_get(object, "position"));
    json_decref(object);
}

static void check_probes(char *dir)
{
    assert_probe(dir, "w a7,g7,g4 d7,g1,d1 0/0", "win", 25);
    assert_probe(dir, "b d7,g1,d1 a7,g7,g4 0/0", "win", 25); // colours swapped
    assert_probe(dir, "w d7,g4,d1 a7,g7,a1 0/0", "loss", 26);
    assert_probe(dir, "w a7,d7,g7 g4,b6,d6 0/0", "draw", -1);
    assert_probe(dir, "w d7,d1,d6,d2 b6,c5,e5 0/0", "loss", 22);
    assert_probe(dir, "w d7,d1,d6,d2 a7,c5,e5 0/0", "draw", -1);
    assert_probe(dir, "w! a7,d7,g7,g4 a1,d1,g1 0/0", "win", 1);
    assert_probe(dir, "w a7,d7 a1,d1,g1 0/0", "loss", 0);
    struct run words = RUN("probe", "nine", "--db", dir, "w", "a7,g7,g4", "d7,g1,d1", "0/0");
    struct run uncached =
        RUN("probe", "nine", "--db", dir, "w a7,g7,g4 d7,g1,d1 0/0", "--cache", "0");
    assert_quiet(words);
    assert_quiet(uncached);
    cr_expect_str_eq(uncached.out, words.out);
    cr_expect_not_null(strstr(words.out, "White wins in 25 plies."), "%s", words.out);
    cr_expect_not_null(strstr(words.out, "7  O-----------@-----------O\n"), "%s", words.out);
    cr_expect_not_null(strstr(words.out, "4  .---.---.       .---.---O\n"), "%s", words.out);
}

// What stats gives as the deepest positions has, when probed, just that depth.
static void check_examples(char *dir)
{
    json_t *stats = run_json(ARGV("stats", "nine", "--json", "--db", dir));
    json_t *rows = json_object_get(stats, "subspaces"), *row;
    size_t i;
    cr_expect_eq(json_array_size(rows), 3);
    json_array_foreach(rows, i, row)
    {
        static const char *const fields[][3] = {{"win", "max_win", "max_win_position"},
                                                {"loss", "max_loss", "max_loss_position"}};
        for (int k = 0; k < 2; k++) {
            json_t *depth = json_object_get(row, fields[k][1]);
            json_t *position = json_object_get(row, fields[k][2]);
            cr_expect_eq(json_is_null(depth), json_is_null(position));
            if (!json_is_null(depth))
                assert_probe(dir, (char *)json_string_value(position), fields[k][0],
                             (int)json_integer_value(depth));
        }
    }
    json_decref(stats);
}

// The table for people: columns as wide as they have to be, all tables in the last row.
static void check_stats_text(char *dir)
{
    struct run run = RUN("stats", "nine", "--db", dir);
    assert_quiet(run);
    const char *expected =
        "subspace      slots     orbits      win       draw    loss  max win  max loss\n"
        "3-3         210,140    169,626  140,621        269  28,736       25        26\n"
        "3-4         862,980    760,398  102,281    658,117       0       33         -\n"
        "4-3         945,630    760,398   75,397    681,906   3,095        1        32\n"
        "all       2,018,750  1,690,422  318,299  1,340,292  31,831       33        32\n"
        "\n"
        "Win, draw, loss are the mover's, in orbits; depths in plies. A deepest win and loss "
        "of "
        "each:\n"
        "\n"
        "subspace  deepest  plies  position\n"
        "3-3       win         25  w ";
    cr_expect_eq(strncmp(run.out, expected, strlen(expected)), 0, "%s", run.out);
}

static void check_list(char *dir)
{
    struct run run = RUN("list", "nine", "--db", dir);
    assert_quiet(run);
    cr_expect_not_null(strstr(run.out, "\n4-3.mtb\t4-3\tdtm\t"), "%s", run.out);
    cr_expect_not_null(strstr(run.out, "\nroot hash "), "%s", run.out);
    struct run tsv = RUN("list", "nine", "--tsv", "--db", dir);
    assert_quiet(tsv);
    cr_expect_str_eq(tsv.out, run.out);
    json_t *list = run_json(ARGV("list", "nine", "--json", "--db", dir));
    cr_expect_eq(json_array_size(json_object_get(list, "files")), 3);
    cr_expect_eq(json_string_length(json_object_get(list, "root_hash")), 64);
    json_decref(list);
}

static void check_full_disk(char *dir)
{
    char *const position = "w a7,g7,g4 d7,g1,d1 0/0";
    assert_full_disk(ARGV("stats", "nine", "--tsv", "--db", dir));
    assert_full_disk(ARGV("stats", "nine", "--json", "--db", dir));
    assert_full_disk(ARGV("list", "nine", "--db", dir));
    assert_full_disk(ARGV("plan", "nine", "--phase", "moving", "--db", dir));
    assert_full_disk(ARGV("probe", "nine", "--db", dir, position));
    assert_full_disk(ARGV("probe", "nine", "--json", "--db", dir, position));
}

static void check_other_questions(char *dir)
{
    assert_fails(RUN("probe", "nine", "--db", dir, "w a7,d7,g7,a1 b6,d6,f6,f4 0/0"), 1, "4-4");
    assert_fails(RUN("probe", "nine", "--db", dir, "startpos"), 1, "0-0-9-9");
    assert_fails(RUN("stats", "nine-nofly", "--db", dir), 1, "rules");
    assert_fails(RUN("probe", "nine-nofly", "--db", dir, "w a7,d7,g4 a1,d1,g1 0/0"), 1,
                 "rules");
    assert_fails(RUN("list", "nine-nofly", "--db", dir), 1, "rules");
}

// Overwrites one byte of DIR/NAME with its complement.
static void damage(const char *dir, const char *name, long offset)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "r+b");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fseek(file, offset, SEEK_SET), 0);
    int byte = fgetc(file);
    cr_assert_eq(fseek(file, offset, SEEK_SET), 0);
    fputc(byte ^ 0xFF, file);
    cr_assert_eq(fclose(file), 0);
}

static void check_damage(char *dir)
{
    char *const in_3_3 = "w a7,g7,g4 d7,g1,d1 0/0", *const in_3_4 =
                                                        "w a7,g7,g4 d7,g1,d1,a1 0/0";
    char path[PATH_BYTES];
    damage(dir, "3-3.mtb", 20);
    struct run stats = RUN("stats", "nine", "--tsv", "--db", dir); // the others are shown
    cr_expect_eq(stats.exit_status, 1);
    cr_expect_not_null(strstr(stats.out, "\n4-3\t"), "%s", stats.out);
    cr_expect_null(strstr(stats.out, "3-3"), "%s", stats.out);
    cr_expect_not_null(strstr(stats.err, "tables left out: 1"), "%s", stats.err);
    cr_expect_not_null(strstr(stats.err, "3-3.mtb"), "%s", stats.err);
    assert_fails(RUN("probe", "nine", "--json", "--db", dir, in_3_3), 1, "3-3.mtb");
    assert_probe(dir, "w d7,d1,d6,d2 b6,c5,e5 0/0", "loss", 22); // does not need 3-3
    snprintf(path, sizeof path, "%s/3-4.mtb", dir);
    cr_assert_eq(truncate(path, 1000), 0);
    assert_fails(RUN("probe", "nine", "--json", "--db", dir, in_3_4), 1, "3-4.mtb");
    cr_assert_eq(unlink(path), 0);
    assert_fails(RUN("probe", "nine", "--json", "--db", dir, in_3_4), 1, "3-4");
    struct run list = RUN("list", "nine", "--db", dir);
    cr_expect_eq(list.exit_status, 1);
    cr_expect_not_null(strstr(list.err, "missing: 1"), "%s", list.err);
}

Test(tables, small_tablebase, .timeout = 120)
{
    char *dir = make_dir();
    solve_small(dir);
    assert_small_stats(dir);
    check_probes(dir);
    check_examples(dir);
    check_stats_text(dir);
    check_list(dir);
    check_full_disk(dir);
    check_other_questions(dir);
    check_damage(dir);
    remove_dir(dir);
}

Test(tables, directory_with_spaces_and_accents, .timeout = 120)
{
    char *parent = make_dir();
    char dir[PATH_BYTES];
    snprintf(dir, sizeof dir, "%s/Mühle spielen/a b", parent);
    setenv("MERELS_DB", dir, 1);
    struct run run =
        RUN("solve", "nine", "--phase", "moving", "--max-men", "6", "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    json_t *list = run_json(ARGV("list", "nine", "--json"));
    struct run plan = RUN("plan", "nine", "--phase", "moving", "--max-men", "6");
    snprintf(dir, sizeof dir, "%s/Mühle spielen/a b/nine", parent);
    assert_quiet(plan);
    cr_expect_not_null(strstr(plan.out, dir), "%s", plan.out);
    cr_expect_str_eq(json_string_value(json_object_get(list, "directory")), dir);
    json_decref(list);
    remove_dir(parent);
}

// ---- stop and resume -----------------------------------------------------------------------

static bool exists(const char *dir, const char *name)
{
    char path[PATH_BYTES];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return stat(path, &about) == 0;
}

// Starts a solve and sends a signal when the first table is there.
static struct run interrupt_solve(char *dir, int signal_number)
{
    struct run run = {.out = ""};
    FILE *err = tmpfile();
    cr_assert_not_null(err);
    pid_t pid = start_program(ARGV("solve", "nine", "--phase", "moving", "--max-men", "11",
                                   "--threads", "1", "--db", dir),
                              fileno(err), fileno(err));
    for (int i = 0; i < 3000 && !exists(dir, "3-3.mtb"); i++)
        usleep(10000);
    kill(pid, signal_number);
    run.exit_status = wait_for(pid);
    take_text(err, run.err, sizeof run.err);
    return run;
}

Test(tables, stopped_solve_keeps_what_is_finished, .timeout = 240)
{
    static const int signals[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; i++) {
        char *dir = make_dir();
        struct run run = interrupt_solve(dir, signals[i]);
        cr_expect_eq(run.exit_status, 1, "%s", run.err);
        cr_expect_not_null(strstr(run.err, "the same command goes on"), "%s", run.err);
        cr_expect(!exists(dir, "5-6.mtb"));
        solve_small(dir);
        struct run probe = RUN("probe", "nine", "--db", dir, "w a7,g7,g4 d7,g1,d1 0/0");
        assert_quiet(probe);
        remove_dir(dir);
    }
}

// ---- refusals ------------------------------------------------------------------------------

Test(tables, solve_refuses_before_it_begins, .timeout = 120)
{
    char *dir = make_dir();
    struct run little =
        RUN("solve", "nine", "--phase", "moving", "--memory", "1M", "--db", dir);
    cr_expect_eq(little.exit_status, 1);
    cr_expect_not_null(strstr(little.err, "\nmerels: "), "%s", little.err);
    cr_expect_not_null(strstr(little.err, "the limit is 1.0 MiB\n"), "%s", little.err);
    cr_expect(!exists(dir, "3-3.mtb"));
    struct run no_dir = RUN("solve", "nine", "--max-men", "6", "--db", "/proc/merels");
    cr_expect_eq(no_dir.exit_status, 1);
    cr_expect_not_null(strstr(no_dir.err, "/proc/merels"), "%s", no_dir.err);
    assert_fails(RUN("solve", "nine", "--max-men", "3", "--phase", "moving", "--db", dir), 2,
                 "nothing to solve");
    remove_dir(dir);
}

// A file that may not grow stands for a full disk: the tables before it stay, no part is left.
Test(tables, solve_that_cannot_write_goes_on_later, .timeout = 120)
{
    char *dir = make_dir();
    struct rlimit limit;
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const struct rlimit small = {.rlim_cur = 60000, .rlim_max = limit.rlim_max};
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct run run = RUN("solve", "nine", "--phase", "moving", "--max-men", "7", "--db", dir);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_expect_eq(run.exit_status, 1, "%s", run.err);
    cr_expect_not_null(strstr(run.err, "\nmerels: "), "%s", run.err);
    cr_expect_not_null(strstr(run.err, "1 of 2 work units are finished"), "%s", run.err);
    cr_expect(exists(dir, "3-3.mtb"));
    cr_expect(!exists(dir, "4-3.mtb"));
    cr_expect(!exists(dir, "4-3.mtb.part"));
    solve_small(dir);
    assert_small_stats(dir);
    remove_dir(dir);
}

Test(tables, plan_as_text_and_json)
{
    char *dir = make_dir();
    struct run text = RUN("plan", "nine", "--phase", "moving", "--verbose", "--db", dir);
    cr_expect_not_null(strstr(text.out, "  8-9 9-8  "), "%s", text.out);
    cr_expect_not_null(strstr(text.out, "subspaces    49\n"), "%s", text.out);
    cr_expect_not_null(strstr(text.out, ", measured\n"), "%s", text.out);
    cr_expect_not_null(strstr(text.out, "\nstep back  "), "%s", text.out);
    json_t *plan = run_json(
        ARGV("plan", "nine", "--phase", "moving", "--max-men", "8", "--json", "--db", dir));
    cr_expect_eq(json_integer_value(json_object_get(plan, "subspaces")), 6);
    json_t *units = json_object_get(plan, "units"), *unit = json_array_get(units, 1);
    cr_expect_eq(json_array_size(units), 4);
    cr_expect_eq(json_array_size(json_object_get(unit, "subspaces")), 2);
    cr_expect_str_eq(json_string_value(json_array_get(json_object_get(unit, "subspaces"), 1)),
                     "4-3");
    cr_expect_eq(json_integer_value(json_object_get(unit, "slots")), 862980 + 945630);
    cr_expect(json_is_false(json_object_get(unit, "finished")));
    cr_expect(json_real_value(json_object_get(unit, "cpu_seconds")) > 0);
    cr_expect_gt(json_string_length(json_object_get(plan, "processor")), 0);
    cr_expect_gt(json_string_length(json_object_get(plan, "level")), 0);
    cr_expect(json_is_boolean(json_object_get(plan, "measured")));
    json_t *work = json_object_get(plan, "work");
    double seconds = 0;
    for (size_t i = 0; i < json_array_size(work); i++)
        seconds += json_real_value(json_object_get(json_array_get(work, i), "cpu_seconds"));
    cr_expect_float_eq(json_real_value(json_object_get(plan, "cpu_seconds")), seconds, 1e-6);
    json_decref(plan);
    struct run forced = RUN("plan", "six", "--cpu", "portable", "--db", dir);
    cr_expect_not_null(strstr(forced.out, ", level portable, "), "%s", forced.out);
    cr_expect(!exists(dir, "MANIFEST"));
    remove_dir(dir);
}

// ---- three reasons for no answer, and what to do after a failure ---------------------------

Test(tables, cannot_arise_illegal_and_missing_are_told_apart, .timeout = 120)
{
    char *dir = make_dir();
    solve_small(dir);
    static const char *const told[][2] = {
        {"w a7,d7 - 1/3", "not covered: cannot arise: subspace 2-0-1-3 from 9 men against 9"},
        {"w a7,g7,g4 d7,g1,d1 7/7", "not covered: cannot arise: subspace 3-3-7-7"},
        {"startpos", "missing: subspace 0-0-9-9"},
        {"w a7,g7,g4,b2 d7,g1,d1,f2 0/0", "missing: subspace 4-4"},
    };
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        assert_fails(RUN("probe", "nine", "--db", dir, (char *)told[i][0]), 1, told[i][1]);
    assert_fails(RUN("probe", "nine", "--db", dir, "w a7,g7,g4 d7,g1 0/0"), 2, "illegal: ");
    assert_fails(RUN("probe", "nine", "--db", dir, "startpos moves d6 d6"), 2, "illegal: ");
    assert_fails(RUN("probe", "nine,men=4", "--db", dir, "startpos"), 1,
                 "missing: subspace 0-0-4-4");
    cr_expect_eq(unlink_in(dir, "3-4.mtb"), 0);
    assert_fails(RUN("probe", "nine", "--db", dir, "w a7,g7,g4 d7,g1,d1,b2 0/0"), 1,
                 "missing: subspace 3-4: its file");
    remove_dir(dir);
}

static void expect_end(struct run run, const char *end)
{
    size_t n = strlen(run.err), m = strlen(end);
    cr_expect_eq(run.exit_status, 1, "%s", run.err);
    cr_expect(n >= m && strcmp(run.err + n - m, end) == 0, "no '%s' at the end of: %s", end,
              run.err);
}

Test(tables, solve_says_what_to_do_after_a_failure, .timeout = 120)
{
    char *dir = make_dir();
    const char *anew = "remove the damaged file, and the same command makes it anew\n";
    solve_small(dir);
    expect_end(RUN("solve", "nine-nofly", "--db", dir, "--phase", "moving"),
               "made for other rules: nine, not nine-nofly (fly is 3 there, 0 here)\n");
    cr_expect_eq(truncate_in(dir, "3-4.mtb", 100), 0);
    expect_end(RUN("solve", "nine", "--db", dir, "--phase", "moving", "--max-men", "7"), anew);
    cr_expect_eq(unlink_in(dir, "3-4.mtb"), 0);
    solve_small(dir);
    cr_expect_eq(truncate_in(dir, "MANIFEST", 0), 0);
    expect_end(RUN("solve", "nine", "--db", dir, "--phase", "moving", "--max-men", "7"), anew);
    cr_expect_eq(unlink_in(dir, "MANIFEST"), 0);
    solve_small(dir);
    assert_small_stats(dir);
    remove_dir(dir);
}

// ---- bench ---------------------------------------------------------------------------------

Test(tables, bench_has_one_signature, .timeout = 240)
{
    char *dir = make_dir();
    json_t *one = run_json(ARGV("bench", "--json", "--threads", "1", "--db", dir));
    json_t *two = run_json(ARGV("bench", "--json", "--threads", "2", "--db", dir));
    cr_expect_str_eq(json_string_value(json_object_get(one, "signature")),
                     json_string_value(json_object_get(two, "signature")));
    cr_expect_eq(rmdir(dir), 0, "bench leaves files behind");
    json_decref(one);
    json_decref(two);
    free(dir);
}

// A directory is written by one run at a time.
Test(tables, a_second_run_is_refused, .timeout = 120)
{
    struct file lock;
    struct error err;
    char *dir = make_dir(), *out = make_dir();
    const char *reason = "another run of merels is writing there";
    solve_small(dir);
    cr_assert_eq(merels_dir_lock(dir, &lock, &err), STATUS_OK);
    struct run solve = RUN("solve", "nine", "--db", dir, "--phase", "moving", "--max-men", "7");
    cr_expect_eq(solve.exit_status, 1);
    cr_expect_not_null(strstr(solve.err, reason), "%s", solve.err);
    assert_fails(RUN("verify", "nine", "--db", dir), 1, reason);
    assert_probe(dir, "w d7,d1,d6,d2 b6,c5,e5 0/0", "loss", 22); // readers do not ask
    merels_file_drop(&lock);
    solve_small(dir);
    cr_assert_eq(merels_dir_lock(out, &lock, &err), STATUS_OK);
    struct run run = RUN("export", "nine", "--edition", "wdl", "--db", dir, "--out", out);
    cr_expect_eq(run.exit_status, 1);
    cr_expect_not_null(strstr(run.err, reason), "%s", run.err);
    merels_file_drop(&lock);
    remove_dir(dir);
    remove_dir(out);
}

// The new directory lies beside the tables, however theirs is written.
Test(tables, export_names_the_new_directory)
{
    char *parent = make_dir(), dir[512], with_slash[520], inside[520];
    snprintf(dir, sizeof dir, "%s/four", parent);
    snprintf(with_slash, sizeof with_slash, "%s//", dir);
    snprintf(inside, sizeof inside, "%s/.", dir);
    cr_assert_eq(RUN("solve", "four", "--db", dir).exit_status, 0);
    cr_expect_eq(RUN("export", "four", "--edition", "wdl", "--db", with_slash).exit_status, 0);
    cr_expect_eq(RUN("list", "four", "--db", inside).exit_status, 0);
    assert_fails(RUN("export", "four", "--edition", "wdl", "--db", inside), 2, "--out");
    char wdl[520];
    snprintf(wdl, sizeof wdl, "%s-wdl", dir);
    cr_expect_eq(RUN("list", "four", "--db", wdl).exit_status, 0);
    remove_dir(strdup(dir));
    remove_dir(strdup(wdl));
    remove_dir(parent);
}
