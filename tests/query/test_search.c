// test_search.c: the command search, in a directory that holds the moving phase alone.

#include <jansson.h>

#include "tests/query/run.h"

// The moving phase of a start; returns the directory.
static char *solve_moving(char *rules)
{
    char *dir = make_dir();
    struct run run = RUN("solve", rules, "--db", dir, "--phase", "moving", "--threads", "2");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    return dir;
}

static void check_side(json_t *side)
{
    cr_expect(json_is_true(json_object_get(side, "at_least_draws")));
    cr_expect_gt(json_integer_value(json_object_get(side, "nodes")), 1000);
    cr_expect_gt(json_integer_value(json_object_get(side, "leaves")), 1000);
    cr_expect(json_is_real(json_object_get(side, "seconds")));
    cr_expect(json_is_real(json_object_get(side, "cpu_seconds")));
}

static void check_json(char *dir)
{
    struct run run = RUN("search", "four", "--db", dir, "--json", "--threads", "2");
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    json_t *object = json_loads(run.out, 0, NULL);
    cr_assert_not_null(object, "%s", run.out);
    cr_expect_str_eq(json_string_value(json_object_get(object, "value")), "draw");
    check_side(json_object_get(object, "white"));
    check_side(json_object_get(object, "black"));
    json_decref(object);
}

Test(program, search)
{
    char *dir = solve_moving("four"), path[128];
    struct run run = RUN("search", "four", "--db", dir);
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    cr_expect_not_null(strstr(run.out, "\nWhite             yes  "), "%s", run.out);
    cr_expect_not_null(strstr(run.out, "\nBlack             yes  "), "%s", run.out);
    cr_expect_not_null(strstr(run.out, "\nvalue           draw\n"), "%s", run.out);
    check_json(dir);
    assert_full_disk(ARGV("search", "four", "--db", dir));
    assert_fails(RUN("search", "four", "--db", dir, "--memory", "1M"), 1, "memory");
    assert_fails(RUN("search", "four-fly", "--db", dir), 1, "rules");
    snprintf(path, sizeof path, "%s/3-4.mtb", dir);
    cr_assert_eq(unlink(path), 0);
    assert_fails(RUN("search", "four", "--db", dir), 1, "3-4.mtb");
    remove_dir(dir);
}
