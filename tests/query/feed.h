// feed.h: the program with text on its standard input, and solved tables to ask.

#ifndef MERELS_TESTS_QUERY_FEED_H
#define MERELS_TESTS_QUERY_FEED_H

#include <jansson.h>

#include "tests/query/run.h"

// Runs the program with n_bytes bytes of input, through a file as a shell's "<" does.
static inline struct run feed_bytes(char *const *argv, const void *input, size_t n_bytes)
{
    FILE *in = tmpfile();
    cr_assert(in && fwrite(input, 1, n_bytes, in) == n_bytes);
    rewind(in);
    int keep = dup(STDIN_FILENO);
    cr_assert_neq(dup2(fileno(in), STDIN_FILENO), -1);
    struct run run = run_program(argv);
    dup2(keep, STDIN_FILENO);
    close(keep);
    fclose(in);
    return run;
}

static inline struct run feed(char *const *argv, const char *input)
{
    return feed_bytes(argv, input, strlen(input));
}

#define FEED(input, ...) feed(ARGV(__VA_ARGS__), input)

// A directory with the tables of nine men's morris for at most `max_men` men, moving phase.
static inline char *solved_dir(char *max_men)
{
    char *dir = make_dir();
    struct run run = RUN("solve", "nine", "--db", dir, "--phase", "moving", "--max-men",
                         max_men, "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    return dir;
}

// One JSON value from a text that holds nothing else.
static inline json_t *parse_json(const char *text)
{
    json_error_t error;
    json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    cr_assert_not_null(value, "%s in: %s", error.text, text);
    return value;
}

static inline json_t *ask_json(char *const *argv)
{
    struct run run = run_program(argv);
    assert_quiet(run);
    return parse_json(run.out);
}

static inline const char *text_of(json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "(none)";
}

static inline int number_of(json_t *object, const char *key)
{
    json_t *number = json_object_get(object, key);
    return json_is_integer(number) ? (int)json_integer_value(number) : -1;
}

#define EXPECT_HAS(text, part) \
    cr_expect_not_null(strstr(text, part), "no '%s' in: %s", part, text)

#endif
