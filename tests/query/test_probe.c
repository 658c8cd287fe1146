// test_probe.c: merels probe as text, as JSON and in batches; merels line and merels analyse.

#include <sys/resource.h>

#include "tests/query/feed.h"

#define P9 "w a7,g7,g4 d7,g1,d1 0/0"
#define P11 "w a7,d7,g7 g4,b6,d6 0/0"
#define P12 "w d7,d1,d6,d2 b6,c5,e5 0/0"

// ---- one position --------------------------------------------------------------------------

static void check_text(char *dir)
{
    struct run run = RUN("probe", "nine", "--db", dir, P9);
    assert_quiet(run);
    EXPECT_HAS(run.out, "O White, @ Black. White to move.\nWhite wins in 25 plies.\n\n"
                        "  g7-a1  wins in 25 plies\n");
    run = RUN("probe", "nine", "--db", dir, "b d7,g1,d1 a7,g7,g4 0/0"); // colours swapped
    EXPECT_HAS(run.out, "Black wins in 25 plies.\n\n  g7-a1  wins in 25 plies\n");
    run = RUN("probe", "nine", "--db", dir, P12);
    EXPECT_HAS(run.out, "White loses in 22 plies.\n\n");
    run = RUN("probe", "nine", "--db", dir, P11);
    EXPECT_HAS(run.out, "Draw: neither side can force a win.\n\n");
    EXPECT_HAS(run.out, " replies hold");
    run = RUN("probe", "nine", "--db", dir, "w a7,d7 a1,d1,g1 0/0");
    EXPECT_HAS(run.out, "White has lost: the game is over (too few men).\n");
    run = RUN("probe", "nine", "--db", dir, "w! a7,d7,g7,g4 a1,d1,g1 0/0");
    EXPECT_HAS(run.out, "White wins in 1 ply, the one that closed the mill included.\n\n"
                        "  xa1  wins in 1 ply\n  xd1  wins in 1 ply\n  xg1  wins in 1 ply\n");
}

// The last ply's man, its origin, a removed man, and a mill.
static void check_drawings(char *dir)
{
    char *const game = "w a7,d7,g4,b6 a1,d1,g1,c3 0/0 moves g4-g7xc3";
    struct run run = RUN("probe", "nine", "--db", dir, game);
    assert_quiet(run);
    EXPECT_HAS(run.out, "\n7  O===========O==========[O]\n");
    EXPECT_HAS(run.out, "\n4  .---.---.       .---.--(.)\n");
    EXPECT_HAS(run.out, "\n3  |   |   x---.---.   |   |\n");
    EXPECT_HAS(run.out, "\n1  @===========@===========@\n");
    run = RUN("probe", "nine", "--db", dir, "--unicode", game);
    assert_quiet(run);
    EXPECT_HAS(run.out, "\n7  ○━━━━━━━━━━━○━━━━━━━━━━[○]\n");
    EXPECT_HAS(run.out, "\n5  │   │   ·───·───·   │   │\n");
    EXPECT_HAS(run.out, "○ White, ● Black.");
}

static void check_json(char *dir)
{
    json_t *object = ask_json(ARGV("probe", "nine", "--json", "--db", dir, P9));
    json_t *moves = json_object_get(object, "moves"), *best = json_array_get(moves, 0);
    cr_expect_str_eq(text_of(object, "value"), "win");
    cr_expect_eq(number_of(object, "plies"), 25);
    cr_expect_str_eq(text_of(best, "move"), "g7-a1");
    cr_expect_eq(number_of(best, "plies"), 25);
    cr_expect_null(json_object_get(best, "replies"));
    json_decref(object);
    object = ask_json(ARGV("probe", "nine", "--json", "--db", dir, P11));
    best = json_array_get(json_object_get(object, "moves"), 0);
    cr_expect(json_is_null(json_object_get(object, "plies")));
    cr_expect(json_is_null(json_object_get(best, "plies")));
    cr_expect_gt(number_of(best, "replies"), 0);
    cr_expect_geq(number_of(best, "replies_that_hold"), 1);
    json_decref(object);
}

static void check_uncovered(char *dir)
{
    assert_fails(RUN("probe", "nine", "--db", dir, "startpos"), 1, "subspace 0-0-9-9");
    assert_fails(RUN("probe", "nine", "--db", dir, "w a7,d7,g7 a1,d1,g1 1/0"), 1, "3-3-1-0");
    assert_fails(RUN("line", "nine", "--db", dir, "startpos"), 1, "subspace 0-0-9-9");
    assert_fails(RUN("probe", "nine", "--db", dir, "w a7,d7 a1,d1 0/0"), 2, "over before");
    assert_fails(RUN("probe", "nine", "--db", dir, "w a7,d9 a1,d1 0/0"), 2,
                 "short form, column 6, 'd9'");
    assert_fails(RUN("probe", "nine", "--db", "/nonexistent", P9), 1, "/nonexistent");
}

// The value stands in the position's own table; a ply into a table that is not there is
// unknown.
static void check_partly_covered(char *dir)
{
    char *const position = "w a7,g7,d6,b6 d1,g1,a4,f2 0/0", path[128], text[256];
    snprintf(path, sizeof path, "%s/3-4.mtb", dir);
    cr_assert_eq(unlink(path), 0);
    struct run run = RUN("probe", "nine", "--db", dir, position);
    assert_quiet(run);
    EXPECT_HAS(run.out, "b6-b4 ");
    EXPECT_HAS(run.out, "d6-d7xd1  unknown\n");
    EXPECT_HAS(run.out, "The tablebase is not whole: missing: subspace 3-4");
    run = RUN("probe", "nine", "--json", "--db", dir, position);
    json_t *object = parse_json(run.out);
    json_t *moves = json_object_get(object, "moves"), *move;
    size_t k, n_unknown = 0;
    json_array_foreach(moves, k, move)
    {
        bool unknown = json_is_null(json_object_get(move, "value"));
        n_unknown += unknown;
        cr_expect(unknown == (strchr(text_of(move, "move"), 'x') != NULL));
    }
    cr_expect_gt(n_unknown, 0);
    json_decref(object);
    snprintf(text, sizeof text, "%s\nw a7,g7,d6,b6 d1,g1,a4,f2 0/1\n", position);
    run = FEED(text, "probe", "nine", "--db", dir, "-");
    EXPECT_HAS(run.out, "\"value\": null");
    EXPECT_HAS(run.out, "\"status\": \"cannot arise\"");
    cr_expect_eq(run.exit_status, 1);
    assert_fails(RUN("line", "nine", "--db", dir, position), 1, "3-4");
}

Test(probe, one_position, .timeout = 120)
{
    char *dir = solved_dir("8");
    check_text(dir);
    check_drawings(dir);
    check_json(dir);
    check_uncovered(dir);
    check_partly_covered(dir);
    remove_dir(dir);
}

// ---- batches -------------------------------------------------------------------------------

static const char batch[] = P9 "\n"
                               "\"non\\sense\"\x01\xff w\n"
                               "  " P12 "  \r\n"
                               "\n"
                               "startpos\n"
                               "w a7,d7 a1,d1,g1 0/0\n" P11;

// Each line of the output, parsed; the count is asserted.
static void parse_lines(char *text, json_t **objects, int n)
{
    for (int i = 0; i < n; i++) {
        char *end = strchr(text, '\n');
        cr_assert_not_null(end, "line %d of %d is missing", i, n);
        *end = '\0';
        objects[i] = parse_json(text);
        text = end + 1;
    }
    cr_expect_str_empty(text);
}

static void check_mixed_batch(char *dir)
{
    json_t *o[6];
    struct run run = FEED(batch, "probe", "nine", "--db", dir, "-");
    cr_expect_eq(run.exit_status, 1);
    cr_expect_str_eq(run.err, "merels: 2 of 6 lines have no answer\n");
    parse_lines(run.out, o, 6);
    cr_expect_eq(number_of(o[0], "plies"), 25);
    cr_expect_eq(number_of(o[1], "line"), 2);
    EXPECT_HAS(text_of(o[1], "error"), "short form, column 1, '\"non\\");
    cr_expect_eq(number_of(o[2], "plies"), 22);
    cr_expect_eq(number_of(o[3], "line"), 5);
    cr_expect_str_eq(text_of(o[3], "status"), "missing");
    EXPECT_HAS(text_of(o[3], "error"), "0-0-9-9");
    cr_expect_eq(number_of(o[4], "plies"), 0);
    cr_expect_eq(json_array_size(json_object_get(o[4], "moves")), 0);
    cr_expect_str_eq(text_of(o[5], "value"), "draw");
    for (int i = 0; i < 6; i++)
        json_decref(o[i]);
}

// What a batch says of a position is what the single question says, and the same in every run.
static void check_agreement(char *dir)
{
    struct run run = FEED(P11 "\n", "probe", "nine", "--db", dir, "--replies", "--parts", "-");
    struct run single = RUN("probe", "nine", "--json", "--db", dir, P11);
    assert_quiet(run);
    assert_quiet(single);
    cr_expect_str_eq(run.out, single.out);
    struct run again =
        FEED(P11 "\n", "probe", "nine", "--db", dir, "--replies", "--parts", "-");
    cr_expect_str_eq(run.out, again.out);
}

static void check_odd_input(char *dir)
{
    static char longest[3 << 20];
    struct run run = FEED("", "probe", "nine", "--db", dir, "-");
    assert_quiet(run);
    cr_expect_str_empty(run.out);
    run = feed_bytes(ARGV("probe", "nine", "--db", dir, "-"), "w\0a\n", 4);
    EXPECT_HAS(run.out, "column 2: a byte of value 0");
    memset(longest, 'w', sizeof longest - 1);
    run = FEED(longest, "probe", "nine", "--db", dir, "-");
    cr_expect_eq(run.exit_status, 1);
    EXPECT_HAS(run.out, "\"error\": \"the line is over 1048576 bytes long; for example: ");
}

// A line of any length (a file of zeros) takes no more memory than any other, in each command
// that reads lines; a byte of value 0 hides nothing.
static void check_long_lines(char *dir)
{
    enum { LONG_BYTES = 300 << 20 };
    const struct rlimit limit = {.rlim_cur = 400 << 20, .rlim_max = RLIM_INFINITY};
    FILE *in = tmpfile();
    cr_assert(in && ftruncate(fileno(in), LONG_BYTES) == 0);
    cr_assert_neq(dup2(fileno(in), STDIN_FILENO), -1);
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    struct run run = RUN("probe", "nine", "--db", dir, "-");
    cr_expect_str_eq(run.err, "merels: 1 of 1 lines have no answer\n");
    rewind(in);
    assert_fails(RUN("convert", "nine", "-"), 2, "line 1: the line is over 1048576 bytes long");
    rewind(in);
    run = RUN("play", "nine", "--db", dir, P11);
    assert_quiet(run);
    EXPECT_HAS(run.out, "Not played: the line is over 1048576 bytes long; for example: ");
    fclose(in);
}

static void check_zero_bytes(char *dir)
{
    static const char bytes[] = P11 " moves d7-d6\0 d6-d7\n";
    const size_t n = sizeof bytes - 1;
    assert_fails(feed_bytes(ARGV("convert", "nine", "-"), bytes, n), 2, "a byte of value 0");
    struct run run = feed_bytes(ARGV("analyse", "nine", "--db", dir, "-"), bytes, n);
    cr_expect_eq(run.exit_status, 2);
    EXPECT_HAS(run.err, "game 1, line 1: column 36: a byte of value 0");
    run = feed_bytes(ARGV("play", "nine", "--db", dir, P11), "a7-a4\0 d1\n", 10);
    assert_quiet(run);
    EXPECT_HAS(run.out, "Not played: column 6: a byte of value 0; for example: ");
}

// In a process of its own: it keeps the limit on memory.
Test(probe, lines_of_any_bytes, .timeout = 120)
{
    char *dir = solved_dir("6");
    check_zero_bytes(dir);
    if (!MERELS_SHORT_TESTS) // the sanitizers reserve terabytes of addresses
        check_long_lines(dir);
    remove_dir(dir);
}

// A tablebase needs few files open at a time.
static void check_few_files(char *dir)
{
    const struct rlimit few = {.rlim_cur = 32, .rlim_max = 32};
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    check_mixed_batch(dir);
}

Test(probe, batch, .timeout = 120)
{
    char *dir = solved_dir("8");
    check_mixed_batch(dir);
    check_agreement(dir);
    check_odd_input(dir);
    check_few_files(dir);
    remove_dir(dir);
}

// ---- line ----------------------------------------------------------------------------------

// The line from a deepest win or loss: one ply nearer each time, no position twice, over at
// the end.
static void check_line(char *dir, const char *position, int plies)
{
    json_t *object = ask_json(ARGV("line", "nine", "--json", "--db", dir, (char *)position));
    json_t *line = json_object_get(object, "line"), *seen = json_object(), *ply;
    size_t i;
    cr_expect_eq(number_of(object, "plies"), plies);
    cr_expect_eq((int)json_array_size(line), plies);
    cr_expect_str_eq(text_of(object, "end"), "over");
    json_object_set_new(seen, position, json_true());
    json_array_foreach(line, i, ply)
    {
        const char *after = text_of(ply, "position");
        int left = plies - 1 - (int)i;
        cr_expect_eq(number_of(ply, "plies"), left, "%s", after);
        cr_expect_str_eq(text_of(ply, "value"), left % 2 == 1 ? "win" : "loss");
        cr_expect_null(json_object_get(seen, after), "%s comes back", after);
        json_object_set_new(seen, after, json_true());
    }
    json_decref(seen);
    json_decref(object);
}

static int check_deepest(char *dir)
{
    int n_lines = 0;
    json_t *stats = ask_json(ARGV("stats", "nine", "--json", "--db", dir)), *row;
    size_t i;
    json_array_foreach(json_object_get(stats, "subspaces"), i, row)
    {
        int win = number_of(row, "max_win"), loss = number_of(row, "max_loss");
        if (win >= 0)
            check_line(dir, text_of(row, "max_win_position"), win);
        if (loss >= 0)
            check_line(dir, text_of(row, "max_loss_position"), loss);
        n_lines += (win >= 0) + (loss >= 0);
    }
    json_decref(stats);
    return n_lines;
}

static void check_draws(char *dir)
{
    struct run run = RUN("line", "nine", "--db", dir, "--plies", "2", P11);
    assert_quiet(run);
    EXPECT_HAS(run.out, "\n   2. Black  ");
    cr_expect_null(strstr(run.out, "\n   3. "));
    EXPECT_HAS(run.out, "And so on: a draw.\n");
    json_t *object = ask_json(ARGV("line", "nine", "--json", "--db", dir, P11));
    cr_expect_leq(json_array_size(json_object_get(object, "line")), 20);
    cr_expect_neq(strcmp(text_of(object, "end"), "over"), 0);
    json_decref(object);
}

// Without depths a won line can come back to a position. That is no draw and is not called one.
static void check_line_without_depths(char *dir)
{
    char out_dir[512];
    snprintf(out_dir, sizeof out_dir, "%s/wdl", dir);
    struct run run = RUN("export", "nine", "--edition", "wdl", "--db", dir, "--out", out_dir);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("line", "nine", "--db", out_dir, "--plies", "100", "w d7,g4,a4 g1,b6,d6,c5 0/0");
    assert_quiet(run);
    EXPECT_HAS(run.out, "\nWhite wins\n");
    EXPECT_HAS(run.out, "This position has been there before: these tables hold no depth");
    cr_expect_null(strstr(run.out, "draw"));
}

Test(line, deepest_wins_and_losses_and_draws, .timeout = 240)
{
    char *dir = solved_dir("8");
    cr_expect_geq(check_deepest(dir), 9);
    check_draws(dir);
    check_line_without_depths(dir);
    struct run run = RUN("line", "nine", "--db", dir, "w! a7,d7,g7,g4 a1,d1,g1 0/0");
    EXPECT_HAS(run.out, "\n   1. White  xa1           Black has lost\n");
    remove_dir(dir);
}

// ---- analyse -------------------------------------------------------------------------------

Test(analyse, mistakes_are_marked_with_what_keeps_the_value, .timeout = 120)
{
    char *dir = solved_dir("8");
    char *const game = P9 " moves g7-a1 g1-a4 a1-a1";
    struct run run = RUN("analyse", "nine", "--db", dir, game);
    cr_expect_eq(run.exit_status, 1);
    EXPECT_HAS(run.err, "ply 3, column 43, 'a1-a1'");
    run = RUN("analyse", "nine", "--db", dir, P9 " moves g4-a1 d7-b6");
    assert_quiet(run);
    EXPECT_HAS(run.out, "   1. White  g4-a1         White loses in 24 plies  ?? throws away "
                        "the win; kept by g7-a1 (wins in 25 plies)\n");
    EXPECT_HAS(run.out, "\n2 plies, 2 of them threw away a win or a draw.\n");
    json_t *object =
        ask_json(ARGV("analyse", "nine", "--json", "--db", dir, P9 " moves g7-a1 g1-a4"));
    json_t *first = json_array_get(json_object_get(object, "moves"), 0);
    cr_expect(json_is_false(json_object_get(first, "mistake")));
    cr_expect_eq(json_array_size(json_object_get(first, "kept_by")), 0);
    cr_expect_eq(number_of(first, "plies"), 25);
    json_decref(object);
    run = FEED("startpos moves d6\n", "analyse", "nine", "--db", dir, "-");
    cr_expect_eq(run.exit_status, 1);
    EXPECT_HAS(run.out, "no answer: missing: subspace 0-0-9-9");
    EXPECT_HAS(run.err, "1 of 1 plies have no answer");
    run = RUN("analyse", "nine", "--db", dir, "w a7,d7,g4,b6 a1,d1,g1 0/0 moves g4-g7");
    EXPECT_HAS(run.out, "the removal is missing");
    remove_dir(dir);
}
