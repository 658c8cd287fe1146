// test_play.c: merels play through a pipe, and merels convert.

#include <ctype.h>
#include <sys/stat.h>

#include "tests/query/feed.h"

#define P10 "w d7,g4,d1 a7,g7,a1 0/0"

static int count(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        n++;
    return n;
}

// The perfect player wins a won game to its end, whatever is played against it.
static void check_win(char *dir)
{
    struct run run = FEED("side none\ngame\n", "play", "nine", "--db", dir, P10);
    assert_quiet(run);
    EXPECT_HAS(run.out, "The game is over: Black wins (too few men).\n");
    cr_expect_eq(count(run.out, " plays "), 26);
}

// Wrong input is explained and asked again; nothing is played by it.
static void check_wrong_input(char *dir)
{
    struct run run = FEED("d7-d8\nhello\n\nd7\nd7-a7\nxa1\nsave\nload\nload /nonexistent\n"
                          "side red\nback\ngame\n",
                          "play", "nine", "--db", dir, P10);
    assert_quiet(run);
    EXPECT_HAS(run.out, "'d8': no such point");
    EXPECT_HAS(run.out, "'hello': no such point");
    EXPECT_HAS(run.out, "'d7': illegal: the mover has no man in hand to place");
    EXPECT_HAS(run.out, "'d7-a7': illegal: the point it moves to is not free");
    EXPECT_HAS(run.out, "'a1': illegal: no removal is due");
    EXPECT_HAS(run.out, "Not saved: a file name is missing");
    EXPECT_HAS(run.out, "Not loaded: /nonexistent: ");
    EXPECT_HAS(run.out, "The side is white, black, both or none.");
    EXPECT_HAS(run.out, "There is nothing to take back.");
    EXPECT_HAS(run.out, "\nw d7,g4,d1 a7,g7,a1 0/0 moves\n");
}

static void check_hint_and_values(char *dir)
{
    struct run run = FEED("hint\nvalues\nhelp\n", "play", "nine", "--db", dir, P10);
    assert_quiet(run);
    cr_expect_geq(count(run.out, "loses in 26 plies\n"), 2);
    cr_expect_eq(count(run.out, " in 26 plies\n"), count(run.out, "loses in 26 plies\n"));
    EXPECT_HAS(run.out, "  save   FILE ");
}

// A mill in two steps, taken back, then in one; both sides are the person's.
static void check_removals(char *dir)
{
    struct run run = FEED("g4-g7\nxb2\ngame\nback\nboard\ng4-g7xB2\ngame\nquit\nxa1\n", "play",
                          "nine", "--side", "both", "--db", dir, "w a7,d7,g4 a1,d1,b2,c3 0/0");
    assert_quiet(run);
    EXPECT_HAS(run.out, "A mill: enter the man to remove: xd1 xa1 xb2 xc3\n");
    cr_expect_eq(count(run.out, "0/0 moves g4-g7xb2\n"), 2);
    cr_expect_null(strstr(run.out, "Not played"));
}

// A saved game is loaded again, and the taking back goes to the person's own turn.
static void check_save_and_load(char *dir)
{
    char path[128], input[512];
    snprintf(path, sizeof path, "%s/game 1.txt", dir);
    snprintf(input, sizeof input,
             "d7-d6\nsave %s\nback\nback\ngame\nload %s\ngame\nback\ngame\n", path, path);
    struct run run = feed(ARGV("play", "nine", "--db", dir, P10), input);
    assert_quiet(run);
    EXPECT_HAS(run.out, "Saved in ");
    EXPECT_HAS(run.out, "There is nothing to take back.");
    cr_expect_eq(count(run.out, "\n" P10 " moves\n"), 2, "%s", run.out);
    cr_expect_eq(count(run.out, "\n" P10 " moves d7-d6 "), 1, "%s", run.out);
}

// Where the tables know nothing, the person plays for both sides and is told why.
static void check_uncovered(char *dir)
{
    struct run run = FEED("d6\nf4\nhint\ngame\n", "play", "nine", "--db", dir);
    assert_quiet(run);
    EXPECT_HAS(run.out, "No perfect ply for Black: missing: subspace 0-1-9-8");
    EXPECT_HAS(run.out, "No hint: missing: subspace 1-1-8-8");
    EXPECT_HAS(run.out, "\nstartpos moves d6 f4\n");
}

Test(play, dialogues, .timeout = 240)
{
    char *dir = solved_dir("8");
    check_win(dir);
    check_wrong_input(dir);
    check_hint_and_values(dir);
    check_removals(dir);
    check_save_and_load(dir);
    check_uncovered(dir);
    struct run empty = FEED("", "play", "nine", "--db", dir, P10);
    assert_quiet(empty);
    struct run no_newline = FEED("quit", "play", "nine", "--db", dir, P10);
    assert_quiet(no_newline);
    assert_fails(FEED("", "play", "nine", "--side", "red", "--db", dir), 2, "--side");
    remove_dir(dir);
}

// ---- convert -------------------------------------------------------------------------------

static void expect_converts(char *rules, char *to, char *text, const char *expected)
{
    struct run run = RUN("convert", rules, "--to", to, text);
    assert_quiet(run);
    cr_expect_eq(strncmp(run.out, expected, strlen(expected)), 0, "%s", run.out);
    cr_expect_str_eq(run.out + strlen(expected), "\n");
}

Test(convert, between_the_three_forms)
{
    static char start[] = "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1";
    static char mill[] = "********/OO@@***O/******** w p r 3 6 2 7 1 0 0 0 0 0 0 0 1";
    expect_converts("nine", "fen", "startpos", start);
    expect_converts("nine", "fen", "w - - 9/9", start);
    expect_converts("nine", "short", start, "w - - 9/9");
    expect_converts("nine", "game", start, "startpos");
    expect_converts("nine", "fen", "startpos moves d6 f4 f6 f2 B6", mill);
    expect_converts("nine", "short", mill, "w! b6,d6,f6 f4,f2 6/7");
    expect_converts("nine", "game", "startpos moves  D6 f4 f6 f2 b6 xF4 d7",
                    "startpos moves d6 f4 f6 f2 b6xf4 d7");
    expect_converts("six", "short", "startpos moves a5", "b a5 - 5/6");
    assert_fails(RUN("convert", "six", "--to", "fen", "startpos"), 1, "24 points");
    assert_fails(RUN("convert", "six", start), 2, "24 points");
    assert_fails(RUN("convert", "nine", "--to", "game", "w a7 - 8/9"), 1, "no game");
    assert_fails(RUN("convert", "nine", "--to", "pdn", "startpos"), 2, "--to");
    struct run lines = FEED("startpos\nw a7 d7 8/8\n", "convert", "nine", "-");
    assert_quiet(lines);
    cr_expect_str_eq(lines.out, "w - - 9/9\nw a7 d7 8/8\n");
    struct run bad = FEED("startpos\nzz - - 9/9\n", "convert", "nine", "-");
    cr_expect_eq(bad.exit_status, 2);
    EXPECT_HAS(bad.err, "line 2: short form, column 1, 'zz'");
}
