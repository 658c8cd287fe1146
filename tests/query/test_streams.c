// test_streams.c: many records on standard input: where each ends, what is said of broken ones,
// labels, and the mistakes of many games.

#include "tests/query/feed.h"

// Every form, one after another, with lines that belong together and lines that do not.
static const char mixed[] =
    "# a list\n"
    "1. d6 f4 2. d2 b4\n"
    "5 14 20 11\n"
    "\n"
    "w a7,d7,g4,b6 a1,d1,g1 0/0 ; id \"club 7\"\n"
    "1. d6 {good\n[x] point} f4! 2. d2?! ; rest of the line\nb4\n"
    "[White \"A\"]\n[Black \"B\"]\n\n1. d6 f4\n2. d2 b4 1-0\n"
    "[Event \"x\"]\n\n1. a7\nd7\n\n"
    "1. g7 g4\r\n"
    "********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes\n"
    "Place to d6\nPlace to f4\n\n"
    "position startpos moves d6 f4\n"
    "6d 4f\n"
    "0. d6 f4\n1. d2 b4\n2. f6\n"
    "d6 f4 d2 b4 f6";

Test(streams, every_form_one_after_another)
{
    struct run run = FEED(mixed, "convert", "nine", "-");
    assert_quiet(run);
    cr_expect_str_eq(run.out, "w d6,d2 f4,b4 7/7\n"
                              "w d6,d2 f4,b4 7/7\n"
                              "w a7,d7,g4,b6 g1,d1,a1 0/0 ; id \"club 7\"\n"
                              "w d6,d2 f4,b4 7/7\n"
                              "w d6,d2 f4,b4 7/7 ; id \"A - B\"\n"
                              "w a7 d7 8/8 ; id \"x\"\n"
                              "w g7 g4 8/8\n"
                              "w - - 9/9\n"
                              "w d6 f4 8/8\n"
                              "w d6 f4 8/8\n"
                              "w d6 f4 8/8\n"
                              "b d6,f6,d2 f4,b4 6/7\n"
                              "b d6,f6,d2 f4,b4 6/7\n");
}

// What cannot be read is named, each with its line, and the rest is read.
Test(streams, bad_records_do_not_end_a_batch)
{
    struct run run = FEED("zz\nd6 ; id \"one\"\n[White \"A\"]\n\n1. d6\nd6\n\nf4\n3. a1 a4\n",
                          "convert", "nine", "-");
    cr_expect_eq(run.exit_status, 2);
    cr_expect_str_eq(run.out, "b d6 - 8/9 ; id \"one\"\nb f4 - 8/9\n");
    EXPECT_HAS(run.err, "merels: line 1: short form, column 1, 'zz'");
    EXPECT_HAS(run.err,
               "merels: line 3: game with tags, ply 2, line 6, column 1, 'd6': illegal");
    EXPECT_HAS(run.err, "merels: line 9: numbered plies, column 1, '3");
    EXPECT_HAS(run.err, "; for example: ");
}

// A comment that is not closed ends in front of the next tags, and is told with its line.
Test(streams, an_open_comment_takes_one_game)
{
    struct run run =
        FEED("[White \"A\"]\n\n1. d6 {good\n[x] f4\n2. d2\n\n[White \"B\"]\n\n1. a7 d7 *\n"
             "1. d6 {one\n\n[Event \"C\"]\n1. g7 *\n",
             "convert", "nine", "-");
    cr_expect_eq(run.exit_status, 2);
    cr_expect_str_eq(run.out, "w a7 d7 8/8\nb g7 - 8/9 ; id \"C\"\n");
    EXPECT_HAS(run.err, "merels: line 1: game with tags, ply 2, line 3, column 7, '{': this "
                        "comment is not closed; for example: ");
    EXPECT_HAS(run.err, "merels: line 10: numbered plies, ply 2, line 10, column 7, '{': this");
}

// Line ends of all systems, also in games and where a program waits for each answer.
Test(streams, line_ends_of_all_systems)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (int i = 0; i < 3; i++) {
        char text[512];
        const char *e = ends[i];
        snprintf(text, sizeof text,
                 "[White \"A\"]%s%s1. d6%sf4 *%s[White \"B\"]%s%s1. a7 d7 *%s%sd6%szz%s", e, e,
                 e, e, e, e, e, e, e, e);
        struct run run = FEED(text, "convert", "nine", "-");
        cr_expect_eq(run.exit_status, 2);
        cr_expect_str_eq(run.out, "w d6 f4 8/8\nw a7 d7 8/8\nb d6 - 8/9\n");
        EXPECT_HAS(run.err, "merels: line 10: short form, column 1, 'zz'");
    }
}

// What is broken leaves no empty line between games.
Test(streams, broken_games_print_nothing)
{
    struct run run = FEED("1. d6 d6\n\n1. d6 *\n\n1. a1 a1\n\n1. a7 *\n", "convert", "nine",
                          "--to", "pgn", "-");
    cr_expect_eq(run.exit_status, 2);
    cr_expect_eq(strncmp(run.out, "[Event", 6), 0, "%s", run.out);
    cr_expect_null(strstr(run.out, "\n\n\n"));
    EXPECT_HAS(run.out, "1. d6 *\n\n[Event");
    EXPECT_HAS(run.out, "1. a7 *\n");
}

static void expect_note(char *text, const char *note)
{
    struct run run = RUN("convert", "nine", "--to", "game", text);
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    EXPECT_HAS(run.out, "startpos moves d6 f4 d2 b4 f6");
    if (!note)
        cr_expect_str_empty(run.err);
    else {
        EXPECT_HAS(run.err, note);
        EXPECT_HAS(run.err, "; for example: ");
        cr_expect_eq(strchr(run.err, '\n'), run.err + strlen(run.err) - 1, "one: %s", run.err);
    }
}

// Each number is held against the plies; a wrong one is told, and the game is read.
Test(streams, numbers_of_plies)
{
    expect_note("1. d6 f4 2. d2 b4 3. f6", NULL);
    expect_note("0. d6 f4 1. d2 1... b4 2. f6 *", NULL);
    expect_note("1. d6 2. f4 3. d2 4. b4 5. f6", NULL);
    expect_note("1. d6 1. f4 2 . d2 {5. a1} (7. a1) b4 3 f6 1-0", NULL);
    expect_note("1) d6 f4 2) d2 b4 3) f6", NULL);
    expect_note("1) d6 f4 3) d2 b4 4) f6", "column 10, '3)': the number 2 was");
    expect_note("1. d6 f4\n3. d2 b4 4. f6",
                "numbered plies, line 2, column 1, '3.': the number 2 was");
    expect_note("1. d6 f4 2. d2 b4 2. f6", "column 19, '2.': the number 3 was expected");
    expect_note("1. d6 f4 2... d2 b4 3. f6",
                "column 10, '2...': three dots stand in front of a ply of Black");
    struct run run = FEED("1. d6 f4 7. d2 b4 8. f6\n", "convert", "nine", "-");
    EXPECT_HAS(run.err, "merels: line 1: numbered plies, column 10, '7.': the number 2 was");
    EXPECT_HAS(run.out, "b d6,f6,d2 f4,b4 6/7\n");
}

// A game whose first ply is Black's needs a position.
Test(streams, black_begins)
{
    assert_fails(
        RUN("convert", "nine", "1... f4 2. d2"), 2,
        "numbered plies, column 1, '1...': three dots stand in front of a ply of Black, and "
        "White begins here");
    assert_fails(RUN("convert", "nine", "1... f4 2. d2"), 2,
                 "; for example: b a7 - 8/9 moves d7\n");
    struct run run = RUN("convert", "nine", "b a7 - 8/9 moves 1... d7 2. g7");
    assert_quiet(run);
    cr_expect_str_eq(run.out, "b a7,g7 d7 7/8\n");
}

// Labels come back as they are, wherever they stand.
Test(streams, labels_come_back)
{
    struct run run = FEED("w a7 d7 8/8 ; id \"a\\\"b\\\\c\"\nd6 ; nice ; id two words ; x\n",
                          "convert", "nine", "-");
    assert_quiet(run);
    cr_expect_str_eq(run.out,
                     "w a7 d7 8/8 ; id \"a\\\"b\\\\c\"\nb d6 - 8/9 ; id \"two words\"\n");
    struct run again = FEED(run.out, "convert", "nine", "-");
    cr_expect_str_eq(again.out, run.out);
}

// ---- games with tags -----------------------------------------------------------------------

static void expect_columns(const char *text)
{
    for (const char *line = text; line[0]; line += strcspn(line, "\n") + 1)
        cr_expect_leq(strcspn(line, "\n"), 80, "%s", line);
}

Test(streams, pgn_is_written_and_read_back)
{
    static char game[] = "startpos moves a7 a1 d7 d1 g7xa1 b6 d6 f6 f4 f2 d2 b2 b4 c5 c4 e5 e4 "
                         "e3 d2-d3 d1-d2";
    struct run pgn = RUN("convert", "nine", "--to", "pgn", game);
    assert_quiet(pgn);
    expect_columns(pgn.out);
    EXPECT_HAS(pgn.out, "[Event \"?\"]\n[Site \"?\"]\n[Date \"\?\?\?\?.\?\?.\?\?\"]\n[Round "
                        "\"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n[Rules "
                        "\"nine\"]\n\n1. a7 a1 2. d7 d1 3. g7xa1 b6 4.");
    struct run back = RUN("convert", "nine", "--to", "game", pgn.out);
    assert_quiet(back);
    cr_expect_eq(strncmp(back.out, game, strlen(game)), 0, "%s", back.out);
    assert_fails(RUN("convert", "ten", pgn.out), 2, "by the rules nine");
    assert_fails(RUN("convert", "nine-nofly", pgn.out), 2, "by the rules nine");
}

// Tags stay as they are, and so does a start of its own; Black begins.
Test(streams, pgn_with_tags_and_a_start)
{
    static char text[] = "[White \"A. \\\"B\\\" \\\\\"]\n[Date \"2020.01.02\"]\n[Other \"x\"]\n"
                         "[FEN \"b a5,c5 e5 4/5\"]\n1... a1 2. c1 1-0";
    struct run pgn = RUN("convert", "six", "--to", "pgn", text);
    assert_quiet(pgn);
    EXPECT_HAS(pgn.out, "[White \"A. \\\"B\\\" \\\\\"]\n");
    EXPECT_HAS(pgn.out, "[Date \"2020.01.02\"]\n");
    EXPECT_HAS(pgn.out, "[Result \"1-0\"]\n[Rules \"six\"]\n[SetUp \"1\"]\n[FEN \"b a5,c5 e5 "
                        "4/5\"]\n\n1... a1 2. c1 1-0\n");
    struct run again = RUN("convert", "six", "--to", "pgn", pgn.out);
    cr_expect_str_eq(again.out, pgn.out);
    struct run fen = RUN("convert", "nine", "--to", "pgn", "w a7,d7,g4,b6 a1,d1,g1 0/0");
    EXPECT_HAS(fen.out,
               "[SetUp \"1\"]\n[FEN \"********/*******O/O*O@@@*O w m s 4 0 3 0 0 0 0 0 0 0 0 0 "
               "1\"]\n\n*\n");
    struct run over =
        RUN("convert", "nine", "--to", "pgn", "w a7,d7,g4,b6 a1,d1,g1 0/0 moves g4-g7xa1");
    EXPECT_HAS(over.out, "1. g4-g7xa1 1-0\n");
}

// The last man placed closes a mill: the phase stays p, though both hands are empty.
Test(streams, fen_of_a_mill_of_the_last_man)
{
    struct run run =
        RUN("convert", "nine", "--to", "fen", "b a1,c3,e3,f6 a7,d7,b2 0/1 moves g7");
    EXPECT_HAS(run.out, " b p r 4 0 4 0 0 1 ");
    run = RUN("convert", "nine", "--to", "fen", "b a1,c3,e3,f6 a7,d7,g4 0/0 moves g4-g7");
    EXPECT_HAS(run.out, " b m r 4 0 3 0 0 1 ");
}

// ---- many games ----------------------------------------------------------------------------

// All games of the smallest board that has tables within a second.
static char *small_dir(void)
{
    char *dir = make_dir();
    struct run run = RUN("solve", "four", "--db", dir, "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    return dir;
}

static json_t *tally_of(json_t *object, size_t i)
{
    return json_array_get(json_object_get(object, "mistakes"), i);
}

#define GAME_1 "1. a5 c5 2. e5 a3 3. a1 e1 4. c1 c4 1-0"

static void check_mistakes(char *dir)
{
    json_error_t error;
    struct run run = FEED(GAME_1 "\n\na5 c5 ; id \"two\"\nzz\na5 a5\n", "analyse", "four",
                          "--json", "--db", dir, "-");
    cr_expect_eq(run.exit_status, 1);
    EXPECT_HAS(run.err, "2 of 4 games are broken; the first: game 3, line 4: ");
    json_t *games[5];
    char *line = run.out;
    for (int i = 0; i < 5; i++) {
        games[i] = json_loadb(line, strcspn(line, "\n"), 0, &error);
        cr_assert_not_null(games[i], "%s", line);
        line += strcspn(line, "\n") + 1;
    }
    cr_expect_eq(*line, '\0');
    json_t *white = tally_of(games[0], 0), *end = json_object_get(games[0], "end");
    cr_expect_str_eq(text_of(white, "phase"), "placing");
    cr_expect_eq(number_of(white, "draws_thrown"), 1);
    cr_expect_eq(number_of(white, "plies"), 4);
    cr_expect_eq(number_of(tally_of(games[0], 1), "wins_thrown"), 0, "a slower win is none");
    cr_expect_str_eq(text_of(end, "result"), "1-0");
    cr_expect_str_eq(text_of(end, "value"), "black");
    cr_expect(json_is_false(json_object_get(end, "agrees")));
    cr_expect_str_eq(text_of(games[1], "label"), "two");
    EXPECT_HAS(text_of(games[2], "error"), "short form, column 1, 'zz'");
    EXPECT_HAS(text_of(games[3], "error"), "list of plies, ply 2, column 4, 'a5'");
    cr_expect_eq(json_array_size(json_object_get(games[3], "moves")), 1);
    cr_expect_eq(number_of(games[4], "games"), 4);
    cr_expect_eq(number_of(games[4], "broken"), 2);
    cr_expect_eq(number_of(tally_of(games[4], 0), "plies"), 6);
    for (int i = 0; i < 5; i++)
        json_decref(games[i]);
}

static void check_lines(char *dir)
{
    struct run run = FEED(GAME_1 "\n", "analyse", "four", "--tsv", "--db", dir, "-");
    assert_quiet(run);
    EXPECT_HAS(run.out, "game\tline\tlabel\tphase\tside\tplies\tjudged\twins_thrown\t"
                        "draws_thrown\n1\t1\t-\tplacing\twhite\t4\t4\t0\t1\n");
    EXPECT_HAS(run.out, "all\t-\t-\tplacing\twhite\t4\t4\t0\t1\n");
    run = RUN("analyse", "four", "--db", dir, GAME_1);
    assert_quiet(run);
    EXPECT_HAS(run.out, "Mistakes: White placing 1 of 4; Black placing 0 of 4.\n");
    EXPECT_HAS(run.out, "The game claims 1-0, but its last position is lost for White.\n");
}

// One bad ply does not lose the game.
static void check_broken(char *dir)
{
    struct run run = RUN("analyse", "four", "--db", dir, "1. a5 c5\n2. e5 c5");
    cr_expect_eq(run.exit_status, 1);
    EXPECT_HAS(run.out, "   3. White  e5            White loses in 18 plies  ?? throws");
    EXPECT_HAS(run.out,
               "Not read further: numbered plies, ply 4, line 2, column 7, 'c5': illegal");
    EXPECT_HAS(run.err, "merels: the game is broken: numbered plies, ply 4, line 2");
    assert_fails(RUN("analyse", "four", "--db", dir, "startpos hello"), 2, "'hello'");
    assert_fails(FEED("\n# nothing\n", "analyse", "four", "--db", dir, "-"), 2,
                 "holds no game");
}

// Every record has its line, with its label; what has none is told, and the rest is shown.
static void check_best_lines(char *dir)
{
    struct run run = FEED("startpos ; id \"x \\\"1\\\"\"\nzz\n1. a5 c5 7. e5\n", "line", "four",
                          "--json", "--db", dir, "-");
    cr_expect_eq(run.exit_status, 2);
    EXPECT_HAS(run.err, "merels: line 2: short form, column 1, 'zz'");
    EXPECT_HAS(run.err, "merels: line 3: numbered plies, column 10, '7.': the number 2 was");
    char *second = strchr(run.out, '\n') + 1;
    second[-1] = '\0';
    json_t *first = parse_json(run.out), *other = parse_json(second);
    cr_expect_str_eq(text_of(first, "label"), "x \"1\"");
    cr_expect_str_eq(text_of(other, "position"), "b a5,e5 c5 2/3");
    cr_expect_gt(json_array_size(json_object_get(first, "line")), 5);
    json_decref(first);
    json_decref(other);
    run = FEED("startpos ; id \"x\"\n\nstartpos moves a5\n", "line", "four", "--db", dir, "-");
    assert_quiet(run);
    cr_expect_eq(strncmp(run.out, "w - - 4/4 ; id \"x\"\ndraw\n", 24), 0, "%s", run.out);
    EXPECT_HAS(run.out, "\n\nb a5 - 3/4\n");
}

// The memory does not grow with the number of games, and no game is endless.
static void check_bounds(char *dir)
{
    enum { N_GAMES = 3000, LONG_BYTES = 1 << 19 };
    static char games[N_GAMES * sizeof GAME_1 + 1], endless[LONG_BYTES];
    char *end = games;
    for (int i = 0; i < N_GAMES; i++)
        end = stpcpy(stpcpy(end, GAME_1), "\n");
    struct run run = FEED(games, "analyse", "four", "--db", dir, "--tsv", "-");
    assert_quiet(run);
    end = stpcpy(endless, "w a5,c5,e1 e3,c1,a1 0/0 moves");
    while (end - endless < LONG_BYTES - 64)
        end = stpcpy(end, " a5-a3 e3-d3 a3-a5 d3-e3");
    run = FEED(endless, "analyse", "four", "--db", dir, "--tsv", "-");
    cr_expect_eq(run.exit_status, 1);
    EXPECT_HAS(run.err, "the game is over 20000 plies long");
}

Test(streams, mistakes_of_many_games, .timeout = 240)
{
    char *dir = small_dir();
    check_mistakes(dir);
    check_lines(dir);
    check_broken(dir);
    check_best_lines(dir);
    check_bounds(dir);
    remove_dir(dir);
}
