// test_compact_command.c: edition compact as commands show it: an export with sizes that add
// up, its plies, its pieces and what it replaces; a file found wherever it is, and whatever its
// name; listed, verified, and refused by commands that need tables.

#include <sys/stat.h>

#include "tests/query/run.h"

Test(compact_command, lists_what_is_stored)
{
    char *dir = make_dir(), path[128], name[32], stored[32];
    struct stat about;
    snprintf(path, sizeof path, "%s/three.mce", dir);
    struct run solve = RUN("solve", "three", "--db", dir);
    cr_assert_eq(solve.exit_status, 0, "%s", solve.err);
    struct run export = RUN("export", "three", "--db", dir, "--out", path, "--edition",
                            "compact", "--plies", "1", "--tsv");
    cr_assert_eq(export.exit_status, 0, "%s", export.err);
    cr_assert_eq(stat(path, &about), 0);
    const char *line = strchr(export.out, '\n'), *end;
    cr_assert_eq(strncmp(export.out, "subspace\tstored\tslots\tbytes\t", 28), 0);
    unsigned long long slots, bytes, n_bytes = 0, all_bytes = 0;
    for (line++; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        double bits;
        cr_assert_eq(sscanf(line, "%31[^\t]\t%31[^\t]\t%llu\t%llu\t%lf", name, stored, &slots,
                            &bytes, &bits),
                     5, "%s", line);
        double apart = bits - 8.0 * (double)bytes / (double)slots;
        cr_expect(apart < 0.0001 && apart > -0.0001, "%s", line);
        if (strcmp(name, "all") == 0)
            all_bytes = bytes;
        else
            n_bytes += bytes;
    }
    cr_expect_str_eq(name, "all");
    cr_expect_eq(all_bytes, (unsigned long long)about.st_size);
    cr_expect(n_bytes > 0 && n_bytes < all_bytes);
    remove_dir(dir);
}

Test(compact_command, wrong_usage)
{
    char *dir = make_dir(), path[128];
    snprintf(path, sizeof path, "%s/wdl", dir);
    struct run run = RUN("export", "three", "--db", dir, "--out", dir, "--edition", "compact");
    cr_expect_eq(run.exit_status, 2);
    cr_expect(strstr(run.err, "names no file") != NULL, "%s", run.err);
    run =
        RUN("export", "three", "--db", dir, "--out", path, "--edition", "wdl", "--plies", "2");
    cr_expect_eq(run.exit_status, 2);
    run = RUN("export", "three", "--db", dir, "--out", path, "--edition", "wdl", "--tsv");
    cr_expect_eq(run.exit_status, 2);
    run = RUN("export", "three", "--db", dir, "--out", path, "--edition", "small");
    cr_expect_eq(run.exit_status, 2);
    run = RUN("export", "three", "--db", dir, "--out", path, "--edition", "compact");
    cr_expect_eq(run.exit_status, 1); // there is no table
    remove_dir(dir);
}

// ---- what stands where ---------------------------------------------------------------------

static void shell(const char *dir, const char *command)
{
    char line[1000];
    snprintf(line, sizeof line, "cd %s && %s", dir, command);
    cr_assert_eq(system(line), 0, "%s", line);
}

// A directory with NAME.mce of the starter set under another name.
static char *dir_with(const char *name, const char *as)
{
    char command[600], *dir = make_dir();
    snprintf(command, sizeof command, "cp %s/%s.mce %s", MERELS_DATA_DIR, name, as);
    shell(dir, command);
    return dir;
}

static char *path_in(const char *dir, const char *name)
{
    enum { ROOM = 200 };
    char *path = malloc(ROOM);
    cr_assert(path != NULL && snprintf(path, ROOM, "%s/%s", dir, name) < ROOM);
    return path;
}

static void expect_says(struct run run, const char *part)
{
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    cr_expect_not_null(strstr(run.out, part), "no '%s' in: %s", part, run.out);
}

Test(compact_command, a_file_is_found_wherever_it_is)
{
    char *dir = dir_with("three", "three.mce"), *file = path_in(dir, "three.mce"),
         *without = path_in(dir, "three"), *other = path_in(dir, "other");
    shell(dir, "mkdir other && cp three.mce other/data.bin");
    char *odd = path_in(dir, "other/data.bin");
    expect_says(RUN("probe", "three", "--db", file, "startpos"), "win");
    expect_says(RUN("probe", "three", "--db", without, "startpos"), "win");
    expect_says(RUN("probe", "three", "--db", odd, "startpos"), "win");
    expect_says(RUN("line", "three", "--db", odd, "startpos"), "b2");
    expect_says(RUN("list", "three", "--db", odd), "compact");
    expect_says(RUN("analyse", "three", "--db", odd, "startpos moves b2"), "b2");
    cr_assert_eq(setenv("MERELS_DB", dir, 1), 0);
    expect_says(RUN("probe", "three", "startpos"), "win");
    expect_says(RUN("verify", "three", "--edition", "compact"), "subspaces");
    assert_fails(RUN("probe", "six", "startpos"), 1, "six");
    unsetenv("MERELS_DB");
    free(file);
    free(without);
    free(other);
    free(odd);
    remove_dir(dir);
}

Test(compact_command, beside_its_tables)
{
    char *dir = make_dir(), *tables = path_in(dir, "three"), *file = path_in(dir, "three.mce");
    struct run run = RUN("solve", "three", "--db", tables);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("export", "three", "--db", tables, "--edition", "compact");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    expect_says(RUN("probe", "three", "--db", tables, "--edition", "compact", "startpos"),
                "edition compact");
    expect_says(RUN("verify", "three", "--db", tables, "--edition", "compact"),
                "every stored value is that of the tables");
    expect_says(RUN("verify", "three", "--db", file),
                "every stored value is that of the tables");
    expect_says(RUN("verify", "three", "--db", file, "--sample", "1"),
                "of at most 1 group of rows of each");
    shell(dir, "rm -r three");
    expect_says(RUN("verify", "three", "--db", file), "no tables to compare with");
    assert_fails(RUN("verify", "three", "--db", file, "--edition", "wdl"), 2,
                 "edition compact");
    run = RUN("verify", "three", "--db", file, "--sample", "1");
    cr_expect_eq(run.exit_status, 1);
    cr_expect_not_null(strstr(run.err, "need tables"), "%s", run.err);
    free(tables);
    free(file);
    remove_dir(dir);
}

// ---- what is refused -----------------------------------------------------------------------

Test(compact_command, commands_that_need_tables)
{
    char *dir = dir_with("three", "three.mce"), *file = path_in(dir, "three.mce");
    const char *what =
        "is a file of edition compact, which has values of positions and no tables";
    assert_fails(RUN("solve", "three", "--db", file), 2, what);
    assert_fails(RUN("plan", "three", "--db", file), 2, what);
    assert_fails(RUN("search", "three", "--db", file), 2, what);
    assert_fails(RUN("export", "three", "--db", file, "--edition", "compact"), 2, what);
    assert_fails(RUN("export", "three", "--db", file, "--edition", "wdl"), 2, what);
    assert_fails(RUN("probe", "three", "--db", file, "--edition", "wdl", "startpos"), 2,
                 "is a file of edition compact, in which no --edition wdl is");
    struct run run = RUN("puzzles", "three", "--db", file);
    cr_expect_str_empty(run.out);
    assert_fails(run, 1, "three.mce: edition compact has no depths to the end of the game");
    assert_fails(RUN("puzzles", "three", "--db", file, "--check", MERELS_DATA_DIR "/nine.tsv"),
                 1, "three.mce: edition compact has no depths to the end of the game");
    free(file);
    remove_dir(dir);
}

Test(compact_command, a_file_that_is_not_there)
{
    char *dir = make_dir(), *file = path_in(dir, "three.mce");
    struct run run = RUN("probe", "three", "--db", file, "startpos");
    assert_fails(run, 1, "merels export three --edition compact --out");
    cr_expect_null(strstr(run.err, "solve"), "%s", run.err);
    free(file);
    remove_dir(dir);
}

Test(compact_command, other_rules_and_metrics_are_named)
{
    char *dir = dir_with("six", "six.mce"), *file = path_in(dir, "six.mce");
    const char *both = "six.mce: made for other rules: six, not seven (";
    assert_fails(RUN("probe", "seven", "--db", file, "startpos"), 1, both);
    assert_fails(RUN("verify", "seven", "--db", file), 1, both);
    assert_fails(RUN("list", "seven", "--db", file), 1, both);
    assert_fails(RUN("probe", "six", "--db", file, "--metric", "dtc", "startpos"), 1,
                 "has no depths, so no metric dtc");
    free(file);
    remove_dir(dir);
}

// Of every export: what is not its own stays as it is.
Test(compact_command, nothing_else_is_replaced)
{
    char *dir = dir_with("six", "other.mce"), *file = path_in(dir, "other.mce"),
         *junk = path_in(dir, "junk"), *tables = path_in(dir, "three");
    shell(dir, "echo precious > junk && cp other.mce before");
    struct run run = RUN("solve", "three", "--db", tables);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("export", "three", "--db", tables, "--edition", "compact", "--out", file);
    cr_expect_eq(run.exit_status, 1);
    cr_expect_not_null(strstr(run.err, "made for other rules: six, not three"), "%s", run.err);
    run = RUN("export", "three", "--db", tables, "--edition", "compact", "--out", junk);
    cr_expect_eq(run.exit_status, 2);
    cr_expect_not_null(strstr(run.err, "no file of edition compact; it is left"), "%s",
                       run.err);
    shell(dir, "cmp other.mce before && grep -q precious junk && ! ls | grep part");
    run = RUN("export", "three", "--db", tables, "--edition", "compact");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    shell(dir, "cp three.mce before && printf x | dd of=three.mce bs=1 seek=1500 conv=notrunc "
               "2>/dev/null");
    run = RUN("export", "three", "--db", tables, "--edition", "compact");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    shell(dir, "cmp three.mce before");
    free(file);
    free(junk);
    free(tables);
    remove_dir(dir);
}

// ---- an export -----------------------------------------------------------------------------

Test(compact_command, plies)
{
    char *dir = make_dir(), *tables = path_in(dir, "four");
    struct run run = RUN("solve", "four", "--db", tables);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    assert_fails(RUN("export", "four", "--db", tables, "--edition", "compact", "--plies", "5"),
                 2, "for example --plies 3");
    const char *const plies[] = {"1", "2", "3", "4"};
    for (int k = 0; k < 4; k++) {
        char said[64];
        run = RUN("export", "four", "--db", tables, "--edition", "compact", "--plies",
                  (char *)plies[k]);
        snprintf(said, sizeof said, "derived by at most %s plies with men in hand, 3 moving",
                 plies[k]);
        expect_says(run, said);
    }
    free(tables);
    remove_dir(dir);
}

Test(compact_command, pieces)
{
    char *dir = dir_with("six", "six.mce"), *file = path_in(dir, "six.mce"),
         *out = path_in(dir, "site/six.mce");
    assert_fails(RUN("export", "six", "--db", file, "--edition", "compact", "--pieces", "100"),
                 2, "at least 16384 bytes");
    shell(dir, "mkdir site && for k in 0003 0004; do echo > site/six.mce.$k; done");
    expect_says(RUN("export", "six", "--db", file, "--edition", "compact", "--pieces", "16384",
                    "--out", out),
                "pieces: 3 of 16384 bytes");
    shell(dir, "cat site/six.mce.* | cmp - six.mce && test $(ls site | wc -l) = 3");
    shell(dir, "split -b 16384 -d -a 4 six.mce split. && for k in 0 1 2; do "
               "cmp split.000$k site/six.mce.000$k; done");
    shell(dir, "echo junk > site/six.mce.0000");
    assert_fails(RUN("export", "six", "--db", file, "--edition", "compact", "--pieces", "16384",
                     "--out", out),
                 2, "six.mce.0000: there is something");
    shell(dir, "test -e six.mce.0000 && exit 1 || exit 0");
    free(file);
    free(out);
    remove_dir(dir);
}

// ---- a list, and damage --------------------------------------------------------------------

Test(compact_command, list_says_length_hash_and_damage)
{
    char *dir = dir_with("three", "three.mce"), *file = path_in(dir, "three.mce"), said[200];
    struct stat about;
    cr_assert_eq(stat(file, &about), 0);
    snprintf(said, sizeof said, "compact\t%lld\t-\t", (long long)about.st_size);
    expect_says(RUN("list", "three", "--db", file), said);
    shell(dir, "sha256sum three.mce | cut -c1-64 > hash");
    struct run run = RUN("list", "three", "--db", file, "--json");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    char *hash = path_in(dir, "hash"), digits[80] = "";
    FILE *in = fopen(hash, "r");
    cr_assert(in != NULL && fscanf(in, "%64s", digits) == 1);
    fclose(in);
    cr_expect_not_null(strstr(run.out, digits), "%s", run.out);
    snprintf(said, sizeof said,
             "printf '\\377' | dd of=three.mce bs=1 seek=%lld conv=notrunc 2>/dev/null",
             (long long)about.st_size - 70);
    shell(dir, said);
    run = RUN("list", "three", "--db", file);
    cr_expect_eq(run.exit_status, 1);
    cr_expect_not_null(strstr(run.out, "damaged"), "%s", run.out);
    cr_expect_not_null(strstr(run.err, "three.mce: edition compact: damaged: "), "%s", run.err);
    run = RUN("verify", "three", "--db", file);
    cr_expect_eq(run.exit_status, 1);
    const char *named = strstr(run.err, "three.mce: edition compact: damaged: ");
    cr_expect(named != NULL && strstr(named, " of ") != NULL, "%s", run.err);
    free(hash);
    free(file);
    remove_dir(dir);
}

// Counts of results are those of the tables; depths there are none.
Test(compact_command, stats_are_those_of_the_tables)
{
    char *dir = make_dir(), *tables = path_in(dir, "four"), *file = path_in(dir, "four.mce");
    struct run run = RUN("solve", "four", "--db", tables);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("export", "four", "--db", tables, "--edition", "compact");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    static struct run of_tables, of_file;
    of_tables = RUN("stats", "four", "--db", tables, "--tsv");
    of_file = RUN("stats", "four", "--db", file, "--tsv");
    cr_expect_eq(of_file.exit_status, 0, "%s", of_file.err);
    const char *x = of_tables.out, *y = of_file.out;
    for (int n = 0; *x != '\0'; n++) {
        char expected[200], found[200], depths[40];
        size_t length = strcspn(x, "\n"), other = strcspn(y, "\n");
        cr_assert(length < 200 && other < 200);
        snprintf(expected, sizeof expected, "%.*s", (int)length, x);
        snprintf(found, sizeof found, "%.*s", (int)other, y);
        for (int k = 0; k < 3; k++) { // none, and both depths
            *strrchr(expected, '\t') = '\0';
            snprintf(depths, sizeof depths, "%s", strrchr(found, '\t') + 1);
            *strrchr(found, '\t') = '\0';
            cr_expect(n == 0 || k == 0 || strcmp(depths, "-") == 0, "%s", depths);
        }
        cr_expect_str_eq(found, expected);
        x += length + 1;
        y += other + 1;
    }
    cr_expect_eq(*y, '\0');
    expect_says(
        RUN("stats", "three", "--db", MERELS_DATA_DIR "/three.mce"),
        "no position, as a mill had won before; there are no depths in edition compact");
    free(tables);
    free(file);
    remove_dir(dir);
}

Test(compact_command, bench)
{
    struct run run =
        RUN("bench", "probe", "three", "--db", MERELS_DATA_DIR "/three.mce", "--json");
    expect_says(run, "\"ranked_positions\"");
}
