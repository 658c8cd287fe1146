// test_verify_program.c: merels verify as a user runs it.

#include <stdbool.h>
#include <sys/stat.h>

#include "tests/query/run.h"
#include "tests/support/own_boards.h"

static void assert_contains(const char *text, const char *part)
{
    cr_expect_not_null(strstr(text, part), "no '%s' in: %s", part, text);
}

Test(verify_program, good_and_missing, .timeout = 300)
{
    char *dir = make_dir();
    struct run missing = RUN("verify", "four", "--db", dir);
    cr_expect_eq(missing.exit_status, 1);
    cr_expect_not_null(strstr(missing.err, "MANIFEST"), "%s", missing.err);
    cr_assert_eq(RUN("solve", "four", "--db", dir, "--threads", "1").exit_status, 0);
    struct run run = RUN("verify", "four", "--db", dir, "--threads", "2");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    cr_expect_not_null(strstr(run.out, "verified 18 tables"), "%s", run.out);
    cr_expect_not_null(strstr(run.out, "\nroot hash "), "%s", run.out);
    run = RUN("verify", "four", "--db", dir, "--sample", "50");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    cr_expect_not_null(strstr(run.out, "no mismatch"), "%s", run.out);
    run = RUN("verify", "lasker", "--db", dir);
    cr_expect_eq(run.exit_status, 1);
    cr_expect_not_null(strstr(run.err, "other rules"), "%s", run.err);
    run = RUN("verify", "four", "--db", dir, "--sample", "0");
    cr_expect_eq(run.exit_status, 2);
    remove_dir(dir);
}

// The file beside the directory: with tables, without them, and none.
Test(verify_program, edition_compact, .timeout = 300)
{
    char *dir = make_dir(), tables[256], empty[256], file[256], moved[256];
    snprintf(tables, sizeof tables, "%s/tables", dir);
    snprintf(empty, sizeof empty, "%s/empty", dir);
    snprintf(file, sizeof file, "%s/tables.mce", dir);
    snprintf(moved, sizeof moved, "%s/empty.mce", dir);
    cr_assert_eq(RUN("solve", "three", "--db", tables, "--threads", "1").exit_status, 0);
    struct run run = RUN("verify", "three", "--db", tables, "--edition", "compact");
    cr_expect_eq(run.exit_status, 1);
    assert_contains(run.err, file);
    run = RUN("export", "three", "--edition", "compact", "--db", tables);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("verify", "three", "--db", tables, "--edition", "compact", "--threads", "2");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    assert_contains(run.out, "7 subspaces, 812 slots, 377 of them stored");
    assert_contains(run.out, "every stored value is that of the tables");
    run = RUN("verify", "three", "--db", tables, "--edition", "compact", "--sample", "1");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    assert_contains(run.out, "stored slots, those of at most 1 group of rows of each");
    run = RUN("verify", "three", "--db", tables, "--edition", "compact", "--record", file);
    cr_expect_eq(run.exit_status, 2, "%s", run.err);
    cr_assert_eq(rename(file, moved), 0);
    run = RUN("verify", "three", "--db", empty, "--edition", "compact");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    assert_contains(run.out, "no tables to compare with");
    run = RUN("verify", "three", "--db", empty, "--edition", "compact", "--sample", "1");
    cr_expect_eq(run.exit_status, 1, "%s", run.err);
    assert_contains(run.err, "need tables");
    remove_dir(dir);
}

// Without depths less is proved, and verify and prove say so.
Test(verify_program, edition_without_depths, .timeout = 300)
{
    char *dir = make_dir(), *small = make_dir(), path[256];
    cr_assert_eq(RUN("solve", "four", "--db", dir, "--threads", "1").exit_status, 0);
    struct run run = RUN("export", "four", "--edition", "wdl", "--db", dir, "--out", small);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("prove", "four", "--db", small);
    cr_expect_eq(run.exit_status, 1);
    assert_contains(run.out, "\nunverified: no record");
    run = RUN("verify", "four", "--db", small, "--threads", "2");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    assert_contains(run.out, "checked 18 tables, 223,179 slots: values, hashes and counts");
    assert_contains(run.out,
                    "edition wdl has no depths: draws are proved, wins and losses only");
    assert_contains(run.out, "full proof: merels verify the edition dtm");
    assert_contains(run.out, "/CONSISTENT\n");
    cr_expect_null(strstr(run.out, "erified"), "%s", run.out);
    run = RUN("verify", "four", "--db", small, "--sample", "50");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    assert_contains(run.out, "no mismatch (edition wdl");
    run = RUN("prove", "four", "--db", small);
    cr_expect_eq(run.exit_status, 1);
    assert_contains(run.out, "\nconsistent: 18 tables, 223179 slots");
    assert_contains(run.out, "\nunverified: without depths");
    snprintf(path, sizeof path, "%s/4-4.wdl", small);
    remove(path);
    run = RUN("verify", "four", "--db", small);
    cr_expect_eq(run.exit_status, 1);
    assert_contains(run.err, "4-4.wdl");
    run = RUN("export", "four", "--edition", "wdl", "--db", dir, "--out", dir);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("verify", "four", "--db", dir, "--edition", "wdl");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    assert_contains(run.out, "checked 18 tables");
    run = RUN("verify", "four", "--db", dir);
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    assert_contains(run.out, "verified 18 tables");
    for (int k = 0; k < 2; k++) { // each edition has a record of its own
        snprintf(path, sizeof path, "%s/%s", dir, k == 0 ? "VERIFIED" : "CONSISTENT");
        cr_expect_eq(access(path, F_OK), 0, "%s", path);
    }
    run = RUN("verify", "four-fly", "--db", dir);
    cr_expect_eq(run.exit_status, 1);
    assert_contains(run.err, "made for other rules: six, not six-fly (fly is 0 there, 3 here)");
    run = RUN("prove", "four", "--db", dir);
    cr_expect_eq(run.exit_status, 0, "%s", run.out);
    run = RUN("list", "four", "--db", dir);
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    assert_contains(run.out, "\n4-4.wdl\t4-4\twdl\t");
    assert_contains(run.out, "\n4-4.mtb\t4-4\tdtm\t");
    remove_dir(dir);
    remove_dir(small);
}

// Slots that hold no position are counted apart, in both editions; a board of one's own.
Test(verify_program, mills_that_win_and_own_boards, .timeout = 300)
{
    char *dir = make_dir(), *small = make_dir(), *own = make_dir(), path[256];
    cr_assert_eq(RUN("solve", "three", "--db", dir, "--threads", "1").exit_status, 0);
    struct run run = RUN("verify", "three", "--db", dir, "--threads", "1");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("export", "three", "--edition", "wdl", "--db", dir, "--out", small);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("verify", "three", "--db", small, "--threads", "1");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    snprintf(path, sizeof path, "%s/rules.txt", own);
    FILE *out = fopen(path, "w");
    cr_assert_not_null(out);
    fprintf(out, BOARD_TRIVIAL "men 3\n");
    fclose(out);
    run = RUN("solve", "--rules", path, "--db", own, "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("verify", "--rules", path, "--db", own, "--threads", "1");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("probe", "--rules", path, "--db", own, "w", "a1", "b1", "2/2");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    remove_dir(dir);
    remove_dir(small);
    remove_dir(own);
}

// ---- few descriptors -----------------------------------------------------------------------

// Runs the program with so many descriptors at most: verify RULES --db DIR, two threads.
static struct run verify_with_files(const char *rules, const char *dir, int n_files)
{
    char command[512];
    snprintf(command, sizeof command,
             "ulimit -n %d && exec '%s' verify %s --db '%s' --threads 2", n_files,
             MERELS_PROGRAM, rules, dir);
    char *const argv[] = {"/bin/sh", "-c", command, NULL};
    return run_program(argv);
}

// More tables than the process may have files open.
Test(verify_program, few_descriptors, .timeout = 300)
{
    char *dir = make_dir();
    cr_assert_eq(RUN("solve", "five", "--db", dir, "--threads", "1").exit_status, 0);
    struct run run = verify_with_files("five", dir, 12);
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    assert_contains(run.out, "verified 40 tables");
    remove_dir(dir);
}

// ---- where the record stands ---------------------------------------------------------------

static bool exists(const char *dir, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return access(path, F_OK) == 0;
}

static void store(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    cr_assert_geq(fputs(text, file), 0);
    cr_assert_eq(fclose(file), 0);
}

// A record elsewhere: nothing is written beside the tables, and prove finds it.
Test(verify_program, record_elsewhere, .timeout = 300)
{
    char *dir = make_dir(), *other = make_dir(), record[256];
    snprintf(record, sizeof record, "%s/four.verified", other);
    cr_assert_eq(RUN("solve", "four", "--db", dir, "--threads", "1").exit_status, 0);
    struct run run = RUN("verify", "four", "--db", dir, "--record", record);
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    assert_contains(run.out, "\nrecord ");
    assert_contains(run.out, "/four.verified\n");
    cr_expect(exists(other, "four.verified") && exists(other, "four.verified.notes"));
    cr_expect(!exists(dir, "VERIFIED") && !exists(dir, "VERIFY.notes"));
    cr_expect_eq(RUN("prove", "four", "--db", dir).exit_status, 1);
    run = RUN("prove", "four", "--db", dir, "--record", record);
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    assert_contains(run.out, "\nverified: 18 tables");
    run = RUN("verify", "four", "--db", dir, "--record", record);
    assert_contains(run.out, "\n18 of them by an earlier run");
    remove_dir(dir);
    remove_dir(other);
}

// After a fault no record stays, neither there nor beside the tables.
Test(verify_program, record_elsewhere_of_a_fault, .timeout = 300)
{
    char *dir = make_dir(), *other = make_dir(), record[256], path[256];
    snprintf(record, sizeof record, "%s/four.verified", other);
    cr_assert_eq(RUN("solve", "four", "--db", dir, "--threads", "1").exit_status, 0);
    cr_assert_eq(RUN("verify", "four", "--db", dir).exit_status, 0);
    cr_assert_eq(RUN("verify", "four", "--db", dir, "--record", record).exit_status, 0);
    cr_expect(exists(dir, "VERIFIED"));
    snprintf(path, sizeof path, "%s/3-4.mtb", dir);
    remove(path);
    struct run run = RUN("verify", "four", "--db", dir, "--record", record);
    cr_expect_eq(run.exit_status, 1);
    cr_expect(!exists(other, "four.verified") && !exists(dir, "VERIFIED"));
    remove_dir(dir);
    remove_dir(other);
}

Test(verify_program, record_that_cannot_be, .timeout = 300)
{
    char *dir = make_dir(), path[256], text[16] = "";
    cr_assert_eq(RUN("solve", "four", "--db", dir, "--threads", "1").exit_status, 0);
    snprintf(path, sizeof path, "%s/letter", dir);
    store(path, "Dear Sir,\n");
    struct run run = RUN("verify", "four", "--db", dir, "--record", path);
    cr_expect_eq(run.exit_status, 2, "%s", run.err);
    assert_contains(run.err, "letter: there already, and no record");
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    cr_expect_str_eq(fgets(text, sizeof text, file), "Dear Sir,\n");
    fclose(file);
    snprintf(path, sizeof path, "%s/none/record", dir);
    run = RUN("verify", "four", "--db", dir, "--record", path);
    cr_expect_eq(run.exit_status, 1, "%s", run.err);
    assert_contains(run.err, "/none/record.notes");
    run = RUN("verify", "four", "--db", dir, "--sample", "9", "--record", path);
    cr_expect_eq(run.exit_status, 2, "%s", run.err);
    remove_dir(dir);
}

static void check_unwritable(char *dir)
{
    struct run run = RUN("verify", "four", "--db", dir);
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    assert_contains(run.err,
                    "\nno record and no notes for going on are written (--record FILE): ");
    assert_contains(run.out, "verified 18 tables");
    assert_contains(run.out, "\nno record is written\n");
    cr_expect(!exists(dir, "VERIFIED") && !exists(dir, "VERIFY.notes"));
    run = RUN("prove", "four", "--db", dir);
    cr_expect_eq(run.exit_status, 1);
    assert_contains(run.err, "there is no record");
}

// Who may write everywhere cannot write a file where a directory stands.
Test(verify_program, directory_that_cannot_be_written, .timeout = 300)
{
    char *dir = make_dir(), path[256];
    cr_assert_eq(RUN("solve", "four", "--db", dir, "--threads", "1").exit_status, 0);
    snprintf(path, sizeof path, "%s/VERIFY.notes.part", dir);
    cr_assert_eq(mkdir(path, 0755), 0);
    check_unwritable(dir);
    cr_assert_eq(rmdir(path), 0);
    if (geteuid() != 0) {
        cr_assert_eq(chmod(dir, 0555), 0);
        check_unwritable(dir);
        cr_assert_eq(chmod(dir, 0755), 0);
    }
    remove_dir(dir);
}
