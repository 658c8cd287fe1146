// test_verify_program.c: merels verify as a user runs it.

#include "tests/query/run.h"

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
    cr_expect_not_null(strstr(run.err, "fly-count=total"), "%s", run.err);
    run = RUN("verify", "four", "--db", dir, "--sample", "0");
    cr_expect_eq(run.exit_status, 2);
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
    snprintf(path, sizeof path, "%s/4-4.mtb", small);
    remove(path);
    run = RUN("verify", "four", "--db", small);
    cr_expect_eq(run.exit_status, 1);
    assert_contains(run.err, "4-4.mtb");
    remove_dir(dir);
    remove_dir(small);
}
