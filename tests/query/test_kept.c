// test_kept.c: solves that check their tables and keep some or none of them: the same root
// hash, the disk of the plan, runs killed at every step, and what the commands say of what is
// not there.

#include <dirent.h>
#include <jansson.h>
#include <stdbool.h>

#include "tests/query/run.h"
#include "tests/support/wrong_table.h"

static const char *const keeps[] = {"all", "wdl", "none"};

static void file_path(char path[512], const char *dir, const char *name)
{
    int n = snprintf(path, 512, "%s/%s", dir, name);
    cr_assert(n > 0 && n < 512);
}

// A whole file, malloc'ed, with a NUL behind it.
static char *load_text(const char *dir, const char *name, size_t *n)
{
    char path[512];
    file_path(path, dir, name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    *n = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*n + 1);
    cr_assert_eq(fread(text, 1, *n, file), *n);
    fclose(file);
    text[*n] = '\0';
    return text;
}

static void store_text(const char *dir, const char *name, const char *text, size_t n)
{
    char path[512];
    file_path(path, dir, name);
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL && fwrite(text, 1, n, file) == n && fclose(file) == 0, "%s", path);
}

enum { MAX_FILES = 200 };
struct file_name {
    char text[64];
};

// The names of the files in a directory; returns how many.
static int list_files(const char *dir, struct file_name names[MAX_FILES])
{
    int n = 0;
    DIR *list = opendir(dir);
    cr_assert_not_null(list, "%s", dir);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;)
        if (entry->d_name[0] != '.')
            snprintf(names[n++].text, sizeof names->text, "%.63s", entry->d_name);
    closedir(list);
    return n;
}

static int count_files(const char *dir)
{
    struct file_name names[MAX_FILES];
    return list_files(dir, names);
}

static void expect_has(const char *text, const char *part)
{
    cr_expect_not_null(strstr(text, part), "no '%s' in: %s", part, text);
}

static struct run solve_keeping(const char *rules, const char *dir, const char *keep)
{
    return RUN("solve", (char *)rules, "--db", (char *)dir, "--keep", (char *)keep, "--verify",
               "--threads", "2");
}

static void solve_well(const char *rules, const char *dir, const char *keep)
{
    struct run run = solve_keeping(rules, dir, keep);
    cr_assert_eq(run.exit_status, 0, "%s, %s: %s", rules, keep, run.err);
}

// The root hash of the first edition.
static void read_root(const char *dir, char root[65])
{
    size_t n;
    char *text = load_text(dir, "MANIFEST", &n);
    const char *line = strstr(text, "\n# root ");
    cr_assert_not_null(line);
    snprintf(root, 65, "%s", line + strlen("\n# root "));
    free(text);
}

static int count_lines(const char *dir, const char *beginning)
{
    size_t n;
    int n_lines = 0;
    char *text = load_text(dir, "MANIFEST", &n);
    for (const char *at = text; at != NULL && *at != '\0'; at = strchr(at, '\n')) {
        at += *at == '\n';
        n_lines += strncmp(at, beginning, strlen(beginning)) == 0;
    }
    free(text);
    return n_lines;
}

static bool there(const char *dir, const char *name)
{
    char path[512];
    file_path(path, dir, name);
    return access(path, F_OK) == 0;
}

static void expect_same_root(const char *x, const char *y)
{
    char root_x[65], root_y[65];
    read_root(x, root_x);
    read_root(y, root_y);
    cr_expect_str_eq(root_x, root_y, "%s: %s, %s: %s", x, root_x, y, root_y);
}

static void sum_files(const char *dir)
{
    char command[512];
    snprintf(command, sizeof command, "cd %s && sha256sum --quiet -c MANIFEST", dir);
    cr_expect_eq(system(command), 0, "%s", command);
}

// ---- what is kept --------------------------------------------------------------------------

// Whatever is kept, the root hash is one, the files are those of the manifest, and the proof is
// whole.
static void check_keeps(const char *rules, bool some_go)
{
    char *dirs[3];
    for (int k = 0; k < 3; k++) {
        dirs[k] = make_dir();
        solve_well(rules, dirs[k], keeps[k]);
        expect_same_root(dirs[0], dirs[k]);
        sum_files(dirs[k]);
        cr_expect_eq(count_lines(dirs[k], "# dropped ") > 0, some_go && k > 0, "%s", dirs[k]);
        struct run run = RUN("prove", (char *)rules, "--db", dirs[k]);
        cr_expect_eq(run.exit_status, 0, "%s", run.err);
        expect_has(run.out, "\nverified: ");
        cr_expect_eq(strstr(run.out, " tables are not kept") != NULL, some_go && k > 0);
        run = RUN("list", (char *)rules, "--db", dirs[k]);
        cr_expect_eq(run.exit_status, 0, "%s", run.err);
    }
    for (int k = 0; k < 3; k++)
        remove_dir(dirs[k]);
}

Test(kept, each_choice_has_the_same_root, .timeout = 600)
{
    check_keeps("three", true);
    check_keeps("six,men=4", true);
    check_keeps("lasker,men=3", true);
    struct run run =
        RUN("plan", "three,metric=dtc", "--keep", "wdl", "--db", "/tmp/merels-none");
    assert_fails(run, 1, "--keep wdl is for depths to the end of the game");
    if (MERELS_SHORT_TESTS)
        return;
    check_keeps("six", true);
    check_keeps("seven,men=4", true);
}

// A part of a game keeps what the rest of it needs.
Test(kept, a_part_keeps_what_the_whole_needs, .timeout = 300)
{
    char *all = make_dir(), *none = make_dir();
    struct run run =
        RUN("solve", "six,men=4", "--db", all, "--max-men", "7", "--verify", "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("solve", "six,men=4", "--db", none, "--max-men", "7", "--verify", "--keep",
              "none", "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    expect_same_root(all, none);
    cr_expect(there(none, "3-4.mtb"));     // read from 4-4
    cr_expect_not(there(none, "4-3.mtb")); // by nothing else than its unit
    run = RUN("plan", "six,men=4", "--db", none, "--keep", "none", "--verify");
    expect_has(run.out, "made again   0\n");
    solve_well("six,men=4", none, "none");
    solve_well("six,men=4", all, "all");
    expect_same_root(all, none);
    remove_dir(all);
    remove_dir(none);
}

// Every command says of a table that is not kept that it is not kept, and statistics are those
// of a tablebase with all tables.
Test(kept, commands_say_what_is_not_kept, .timeout = 300)
{
    char *all = make_dir(), *none = make_dir(), out[256];
    static char position[] = "w a1,a3,c4,b2 c5,e1,c1,b4 0/0";
    static const char words[] =
        "not kept: subspace 4-4 was solved, but its table is not kept in ";
    solve_well("six,men=4", all, "all");
    solve_well("six,men=4", none, "none");
    assert_fails(RUN("probe", "six,men=4", "--db", none, position), 1, words);
    assert_fails(RUN("line", "six,men=4", "--db", none, position), 1, words);
    struct run run = RUN("probe", "six,men=4", "--db", none, "--json", position, "startpos");
    run = RUN("probe", "six,men=4", "--db", none, "startpos");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    expect_has(run.out, "Draw: neither side can force a win.");
    run = RUN("list", "six,men=4", "--db", none);
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    expect_has(run.out, "4-4.mtb\t4-4\tdtm\t");
    expect_has(run.out, "\t-\tnot kept\n");
    run = RUN("verify", "six,men=4", "--db", none);
    cr_expect_eq(run.exit_status, 1);
    expect_has(run.err, "18 of 18 tables could not be verified; 15 of them are not kept: table "
                        "1-2-3-2 is not kept; 1-1-3-3 leads to it\n");
    snprintf(out, sizeof out, "%s/wdl", none);
    run = RUN("export", "six,men=4", "--db", none, "--edition", "wdl", "--out", out);
    cr_expect_eq(run.exit_status, 1);
    expect_has(run.err, "not kept: 3-3 and 14 other tables that were solved");
    snprintf(out, sizeof out, "%s/six.mce", all);
    run = RUN("export", "six,men=4", "--db", none, "--edition", "compact", "--out", out);
    cr_expect_eq(run.exit_status, 1);
    expect_has(run.err, "not kept: 15 tables that were solved");
    struct run whole = RUN("stats", "six,men=4", "--db", all, "--json");
    run = RUN("stats", "six,men=4", "--db", none, "--json");
    assert_quiet(run);
    cr_expect_str_eq(run.out, whole.out);
    remove_dir(all);
    remove_dir(none);
}

// Without depths everything is still there to look up, and it is what an export makes.
Test(kept, wdl_is_what_an_export_makes, .timeout = 300)
{
    char *all = make_dir(), *wdl = make_dir(), out[256];
    solve_well("six,men=4", all, "all");
    solve_well("six,men=4", wdl, "wdl");
    snprintf(out, sizeof out, "%s/out", all);
    struct run run = RUN("export", "six,men=4", "--db", all, "--edition", "wdl", "--out", out);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    const char *line = strstr(run.out, "root hash ");
    cr_assert_not_null(line);
    struct run list = RUN("list", "six,men=4", "--db", wdl);
    cr_expect_not_null(strstr(list.out, strtok((char *)line, "\n")), "%s", list.out);
    run = RUN("verify", "six,men=4", "--db", wdl, "--edition", "wdl");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("probe", "six,men=4", "--db", wdl, "w a1,a3,c4,b2 c5,e1,c1,b4 0/0");
    assert_quiet(run);
    expect_has(run.out, "  c4-d4  loses\n");
    remove_dir(all);
    remove_dir(wdl);
}

// ---- made again ----------------------------------------------------------------------------

static int planned_again(const char *rules, const char *dir, const char *keep)
{
    struct run run = RUN("plan", (char *)rules, "--db", (char *)dir, "--keep", (char *)keep,
                         "--verify", "--json");
    json_t *plan = json_loads(run.out, 0, NULL);
    cr_assert_not_null(plan, "%s", run.err);
    int n = (int)json_integer_value(json_object_get(plan, "units_again"));
    json_decref(plan);
    return n;
}

static void remove_file(const char *dir, const char *name)
{
    char path[512];
    file_path(path, dir, name);
    cr_assert_eq(unlink(path), 0, "%s", path);
}

// A damaged table is removed; what it follows from was not kept.
Test(kept, a_damaged_table_is_made_with_all_that_it_needs, .timeout = 300)
{
    for (int k = 1; k < 3; k++) {
        char *dir = make_dir(), before[65], after[65];
        size_t n_before, n_after;
        solve_well("six,men=4", dir, keeps[k]);
        read_root(dir, before);
        char *good = load_text(dir, "1-1-3-3.mtb", &n_before);
        int n_files = count_files(dir);
        cr_expect_eq(planned_again("six,men=4", dir, keeps[k]), 0);
        remove_file(dir, "1-1-3-3.mtb");
        cr_expect_eq(planned_again("six,men=4", dir, keeps[k]), 14);
        solve_well("six,men=4", dir, keeps[k]);
        char *again = load_text(dir, "1-1-3-3.mtb", &n_after);
        cr_expect(n_before == n_after && memcmp(good, again, n_before) == 0);
        read_root(dir, after);
        cr_expect_str_eq(before, after);
        cr_expect_eq(count_files(dir), n_files);
        free(good);
        free(again);
        remove_dir(dir);
    }
}

// Tables that were made without a check and not kept are made again for it.
Test(kept, a_check_asks_for_evidence_of_all, .timeout = 300)
{
    char *dir = make_dir();
    struct run run = RUN("solve", "three", "--db", dir, "--keep", "none", "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("prove", "three", "--db", dir);
    cr_expect_eq(run.exit_status, 1);
    expect_has(run.out, "\nunverified: ");
    cr_expect_gt(planned_again("three", dir, "none"), 0);
    solve_well("three", dir, "none");
    run = RUN("prove", "three", "--db", dir);
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    remove_dir(dir);
}

// Tables of one start serve another one: what a complete one needs stays, also if the run that
// may drop it made it.
Test(kept, a_complete_start_keeps_its_tables, .timeout = 300)
{
    char *dir = make_dir();
    struct run run = RUN("solve", "six,men=4", "--db", dir, "--keep", "none", "--max-men", "6",
                         "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    cr_assert_eq(RUN("solve", "six,men=3", "--db", dir, "--threads", "1").exit_status, 0);
    solve_well("six,men=4", dir, "none");
    cr_expect_gt(count_lines(dir, "# dropped "), 0);
    cr_expect_eq(count_lines(dir, "# complete 3-3"), 1);
    cr_assert_eq(RUN("verify", "six,men=3", "--db", dir).exit_status, 1); // not what is dropped
    run = RUN("prove", "six,men=3", "--db", dir);
    expect_has(run.out, "The empty board: draw");
    run = RUN("line", "six,men=3", "--db", dir, "startpos");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    // A second run of the other kind takes nothing away either: it made nothing.
    int n_files = count_files(dir);
    cr_assert_eq(
        RUN("solve", "six,men=3", "--db", dir, "--keep", "none", "--threads", "1").exit_status,
        0);
    cr_expect_eq(count_files(dir), n_files);
    remove_dir(dir);
}

// ---- wrong tables --------------------------------------------------------------------------

Test(kept, a_wrong_table_ends_the_run, .timeout = 300)
{
    char *good = make_dir(), *dir = make_dir();
    solve_well("six,men=3", good, "all");
    cr_assert_eq(RUN("solve", "six,men=3", "--db", dir, "--phase", "moving", "--threads", "1")
                     .exit_status,
                 0);
    make_wrong_table("six", dir, "3-3");
    struct run run = solve_keeping("six,men=3", dir, "none");
    cr_expect_eq(run.exit_status, 1);
    expect_has(run.err, "merels: 3-3 slot ");
    expect_has(run.err, "kept aside for inspection with '.mismatch' behind the name");
    cr_expect(there(dir, "3-3.mtb.mismatch") && !there(dir, "3-3.mtb"));
    cr_expect_not(there(dir, "2-3-1-0.mtb"));
    cr_expect_eq(count_lines(dir, "#? evidence 3-3 "), 0);
    solve_well("six,men=3", dir, "none");
    expect_same_root(good, dir);
    remove_dir(good);
    remove_dir(dir);
}

// Evidence of other values than the manifest has is none.
Test(kept, evidence_must_fit_the_manifest, .timeout = 300)
{
    char *dir = make_dir();
    size_t n;
    solve_well("three", dir, "none");
    char *text = load_text(dir, "MANIFEST", &n);
    char *line = strstr(text, "#? evidence 2-2-1-1 ");
    cr_assert_not_null(line);
    char *digit = strchr(line, '\n') - 1; // of the last successor
    *digit = *digit == '0' ? '1' : '0';
    store_text(dir, "MANIFEST", text, n);
    mend_checksum(dir);
    struct run run = RUN("prove", "three", "--db", dir);
    cr_expect_eq(run.exit_status, 1);
    expect_has(run.err, "of 7 tables 1 have no evidence that holds, as 2-2-1-1");
    cr_expect_gt(planned_again("three", dir, "none"), 0);
    solve_well("three", dir, "none");
    cr_expect_eq(RUN("prove", "three", "--db", dir).exit_status, 0);
    free(text);
    remove_dir(dir);
}

// ---- killed --------------------------------------------------------------------------------

// With the library that ends the program, or measures.
static void set_seam(const char *name, const char *value)
{
    cr_assert_eq(setenv("LD_PRELOAD", MERELS_SEAM_LIBRARY, 1), 0);
    cr_assert_eq(setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1), 0);
    cr_assert_eq(setenv(name, value, 1), 0);
}

static void unset_seam(const char *name)
{
    cr_assert_eq(unsetenv("LD_PRELOAD"), 0);
    cr_assert_eq(unsetenv(name), 0);
}

static bool same_bytes(const char *x, const char *y, const char *name)
{
    size_t n_x, n_y;
    char *bytes_x = load_text(x, name, &n_x), *bytes_y = load_text(y, name, &n_y);
    bool same = n_x == n_y && memcmp(bytes_x, bytes_y, n_x) == 0;
    free(bytes_x);
    free(bytes_y);
    return same;
}

static void expect_same_files(const char *dir, const char *expected, int seam)
{
    struct file_name names[MAX_FILES];
    int n = list_files(expected, names);
    cr_expect_eq(count_files(dir), n, "seam %d", seam);
    for (int k = 0; k < n; k++)
        cr_expect(there(dir, names[k].text) && same_bytes(dir, expected, names[k].text),
                  "seam %d: %s", seam, names[k].text);
}

// Killed before every change of the directory in turn; what is under a final name is whole, and
// the next run ends with the files of a run that was not killed, manifest and evidence
// included.
static void kill_everywhere(const char *rules, const char *keep)
{
    char *expected = make_dir(), number[16];
    int n_killed = 0, step = MERELS_SHORT_TESTS ? 7 : 1;
    solve_well(rules, expected, keep);
    for (int seam = 1;; seam += step) {
        char *dir = make_dir();
        snprintf(number, sizeof number, "%d", seam);
        set_seam("MERELS_SEAM", number);
        struct run run = solve_keeping(rules, dir, keep);
        unset_seam("MERELS_SEAM");
        if (run.exit_status == 99) {
            n_killed++;
            solve_well(rules, dir, keep);
        }
        expect_same_files(dir, expected, seam);
        remove_dir(dir);
        if (run.exit_status != 99) {
            cr_assert_eq(run.exit_status, 0, "%s", run.err);
            break;
        }
    }
    cr_expect_gt(n_killed, MERELS_SHORT_TESTS ? 2 : 20);
    remove_dir(expected);
}

Test(kept, killed_anywhere_without_tables, .timeout = 600)
{
    kill_everywhere("three", "none");
}

Test(kept, killed_anywhere_with_wdl, .timeout = 600)
{
    kill_everywhere("three", "wdl");
}

// A unit of two tables.
Test(kept, killed_anywhere_with_two_sides, .timeout = 600)
{
    kill_everywhere("three,men=3-4", "none");
}

// ---- disk ----------------------------------------------------------------------------------

static json_int_t planned_peak(const char *rules, const char *keep)
{
    char key[64];
    struct run run = RUN("plan", (char *)rules, "--db", "/tmp/merels-none", "--json");
    json_t *plan = json_loads(run.out, 0, NULL);
    cr_assert_not_null(plan, "%s", run.err);
    snprintf(key, sizeof key, "peak_disk_%s_bytes", keep);
    json_int_t bytes = json_integer_value(json_object_get(plan, key));
    json_decref(plan);
    return bytes;
}

// The files never take more than the plan says, and it says no more than thrice as much.
Test(kept, the_plan_bounds_the_disk, .timeout = 600)
{
    const char *rules = MERELS_SHORT_TESTS ? "six,men=4" : "six";
    for (int k = 0; k < 3; k++) {
        char *dir = make_dir(), *most = make_dir(), path[512];
        long long measured = 0;
        snprintf(path, sizeof path, "%s/most", most);
        set_seam("MERELS_SEAM_DIR", dir);
        cr_assert_eq(setenv("MERELS_SEAM_MOST", path, 1), 0);
        struct run run = solve_keeping(rules, dir, keeps[k]);
        unset_seam("MERELS_SEAM_DIR");
        cr_assert_eq(run.exit_status, 0, "%s", run.err);
        FILE *file = fopen(path, "r");
        cr_assert(file != NULL && fscanf(file, "%lld", &measured) == 1 && fclose(file) == 0);
        json_int_t planned = planned_peak(rules, keeps[k]);
        cr_expect(measured <= planned && planned <= 3 * measured,
                  "%s: %lld measured, %lld planned", keeps[k], measured, (long long)planned);
        remove_dir(most);
        remove_dir(dir);
    }
}
