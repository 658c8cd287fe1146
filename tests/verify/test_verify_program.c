// test_verify_program.c: merels verify as a user runs it.

#include "tests/query/run.h"

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
