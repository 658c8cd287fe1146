// test_compact_command.c: the export of edition compact as a command: a list of what is stored
// with sizes that add up, and wrong usage.

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
