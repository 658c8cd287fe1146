// test_endings.c: why a game is over, answers of a tablebase that is not whole, closed pipes.

#include <signal.h>

#include "tests/query/feed.h"

#define BLOCKED "w a7,d7,g7,a1 a4,d6,g4,d1 0/0"
#define FULL "w a5,c5,e5,e3,b4,c4,d4,d3 e1,c1,a1,a3,d2,c2,b2,b3 0/0"

static void expect_over(char *dir, char *rules, char *position, const char *text,
                        const char *reason)
{
    struct run run = RUN("probe", rules, "--db", dir, position);
    assert_quiet(run);
    EXPECT_HAS(run.out, text);
    json_t *object = ask_json(ARGV("probe", rules, "--json", "--db", dir, position));
    cr_expect_str_eq(text_of(object, "over"), reason);
    cr_expect(json_is_true(json_object_get(object, "complete")));
    cr_expect_eq(json_array_size(json_object_get(object, "moves")), 0);
    json_decref(object);
    object = ask_json(ARGV("line", rules, "--json", "--db", dir, position));
    cr_expect_str_eq(text_of(object, "over"), reason);
    json_decref(object);
}

Test(endings, a_finished_game_says_why)
{
    char *dir = make_dir();
    expect_over(dir, "nine", BLOCKED, "White has lost: the game is over (blocked).\n",
                "blocked");
    expect_over(dir, "nine", "w a7,d7 a1,d1,g1 0/0",
                "White has lost: the game is over (too few men).\n", "too few men");
    expect_over(dir, "six", FULL, "The game is over: a draw (full board).\n", "full board");
    expect_over(dir, "three", "w a1,b2,c2 a3,b3,c3 0/0",
                "White has lost: the game is over (mill).\n", "mill");
    expect_over(dir, "nine,blocked=draws", BLOCKED, "The game is over: a draw (blocked).\n",
                "blocked");
    remove_dir(dir);
}

// A table that the best plies need is missing: what is known stands behind what is not.
Test(endings, an_answer_that_is_not_whole_says_so, .timeout = 120)
{
    static char path[512], position[] = "w a7,g7,d6,d5 b2,d1,e3 0/0";
    char *dir = solved_dir("7");
    json_t *whole = ask_json(ARGV("probe", "nine", "--json", "--db", dir, position));
    cr_expect(json_is_true(json_object_get(whole, "complete")));
    snprintf(path, sizeof path, "%s/3-4.mtb", dir);
    cr_assert_eq(remove(path), 0);
    json_t *part = ask_json(ARGV("probe", "nine", "--json", "--db", dir, position));
    cr_expect(json_is_false(json_object_get(part, "complete")));
    json_t *first = json_array_get(json_object_get(part, "moves"), 0);
    cr_expect_str_eq(text_of(part, "value"), text_of(whole, "value"));
    cr_expect(json_is_null(json_object_get(first, "value")) ||
              strcmp(text_of(first, "value"), text_of(whole, "value")) == 0);
    json_decref(part);
    json_decref(whole);
    remove_dir(dir);
}

// A reader that has seen enough closes the pipe: nothing is said, with the signal or without.
Test(endings, a_closed_pipe_ends_quietly)
{
    int ends[2];
    FILE *err = tmpfile();
    static char text[256];
    signal(SIGPIPE, SIG_IGN); // inherited by the program
    cr_assert(err && pipe(ends) == 0);
    close(ends[0]);
    pid_t pid = start_program(ARGV("perft", "nine", "3"), ends[1], fileno(err));
    cr_expect_eq(wait_for(pid), 1);
    take_text(err, text, sizeof text);
    cr_expect_str_empty(text);
    close(ends[1]);
}
