// test_counted.c: rules that count plies (n-move), and depths to the next removal, as a user
// sees them: texts of positions with a count, values with and without the rule, refusals.

#include "tests/query/feed.h"

// data/conversions.tsv says what holds of these.
#define SIX_2 "b e1,c1,a3,b4,c4,d3 a5,c5,e3 0/0"
#define SIX_3 "w e1,c1,a3,b4,c4,d3 a5,c5,e3 0/0"

static char *solve_moving(char *rules)
{
    char *dir = make_dir();
    struct run run = RUN("solve", rules, "--db", dir, "--phase", "moving", "--max-men", "10",
                         "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    return dir;
}

Test(counted, values_with_a_count, .timeout = 300)
{
    char *dir = solve_moving("six,n-move=2"), *plain = solve_moving("six");
    struct run run = RUN("probe", "six,n-move=2", "--db", dir, SIX_2);
    assert_quiet(run);
    EXPECT_HAS(run.out, "Black loses (2 plies to a removal or the end).\n\n"
                        "  c5-e5     loses (2 plies to a removal or the end)\n"
                        "  e3-e5x");
    run = RUN("probe", "six,n-move=2", "--db", dir, "--plain", plain, SIX_2 " n1");
    assert_quiet(run);
    EXPECT_HAS(run.out,
               "Draw: neither side can force a win.\n"
               "Without the rule: Black loses in 2 plies. So it is lost, but not within "
               "1 ply.\n\n  c5-e5     draws   without the rule loses in 2 plies");
    run = RUN("probe", "six,n-move=2", "--db", dir, "--plain", plain, SIX_3 " n1");
    EXPECT_HAS(run.out, "White wins (1 ply to a removal or the end).\n"
                        "Without the rule: White wins in 1 ply.\n");
    run = RUN("probe", "six,n-move=2", "--db", dir, SIX_3 " n2");
    EXPECT_HAS(run.out, "The game is over: a draw (too many plies without a removal).\n");
    assert_fails(RUN("probe", "six,n-move=2", "--db", dir, SIX_3 " n3"), 2,
                 "3 plies are counted, and the game was a draw after 2");
    assert_fails(RUN("probe", "six", "--db", plain, SIX_3 " n1"), 2,
                 "plies are counted (n1), but by these rules");
    assert_fails(RUN("probe", "six", "--db", plain, "--plain", plain, SIX_3), 2,
                 "--plain is for one position");
    remove_dir(dir);
    remove_dir(plain);
}

// The count goes on in games, and removals set it to 0.
Test(counted, texts_with_a_count)
{
    struct run run = RUN("convert", "six,n-move=9", SIX_2 " n3");
    cr_expect_str_eq(run.out, SIX_2 " n3\n");
    run = RUN("convert", "six,n-move=9", SIX_2 " n3 moves c5-e5");
    cr_expect_str_eq(run.out, "w e1,c1,a3,b4,c4,d3 a5,e5,e3 0/0 n4\n");
    run = RUN("convert", "six,n-move=9", SIX_3 " n3 moves d3-d4xe3");
    cr_expect_str_eq(run.out, "b e1,c1,a3,b4,c4,d4 a5,c5 0/0\n");
    assert_fails(RUN("convert", "six,n-move=9", "w a5,c5 e1,c1 1/1 n1"), 2,
                 "while men are placed the count is 0");
    assert_fails(RUN("convert", "six,n-move=9", SIX_3 " nine"), 2,
                 "plies without a removal are n and a number");
    run = RUN("convert", "nine,n-move=50",
              "********/*@*@***@/*OO****O w m s 3 0 3 0 0 0 0 0 0 0 0 30 1");
    EXPECT_HAS(run.out, " 0/0 n30\n");
    run = RUN("convert", "nine,n-move=50", "--to", "fen", "w a7,d7,g4 a1,d1,g1 0/0 n12");
    EXPECT_HAS(run.out, " 0 0 0 0 0 0 12 1\n");
}

Test(counted, one_name_and_one_metric)
{
    struct run run = RUN("rules", "nine,n-move=100");
    EXPECT_HAS(run.out, "metric dtc\n");
    EXPECT_HAS(run.out, "n-move 100\n");
    assert_fails(RUN("rules", "nine,n-move=1000"), 2, "a number from 0 to 999");
    run = RUN("export", "six,n-move=2", "--db", "none", "--edition", "wdl");
    cr_expect_eq(run.exit_status, 1);
    EXPECT_HAS(run.err, "without metric=dtc or n-move\n");
    run = RUN("plan", "six,n-move=2", "--db", "none");
    EXPECT_HAS(run.out, "deep wins    none: what takes over 2 plies is a draw\n");
    run = RUN("plan", "six,n-move=128", "--db", "none");
    EXPECT_HAS(run.out, "deep wins    of over 127 plies: two bytes a value, ");
    EXPECT_HAS(run.out, " of disk beside (to 255 plies)\n");
}

// ---- what the rule changes -----------------------------------------------------------------

// docs/RESULTS.md has these figures for the whole game.
Test(counted, changes_beside_plain_rules, .timeout = 300)
{
    char *dir = solve_moving("six,n-move=20"), *plain = solve_moving("six");
    char *other = solve_moving("seven");
    struct run run = RUN("stats", "six,n-move=20", "--db", dir, "--plain", plain, "--tsv");
    assert_quiet(run);
    EXPECT_HAS(run.out, "\n4-5\t90420\t2006\t11977\t9971\t0\t9971\n");
    EXPECT_HAS(run.out, "\n5-4\t90420\t454\t5838\t5384\t5384\t0\n");
    EXPECT_HAS(run.out, "\n5-3\t45270\t0\t0\t0\t0\t0\n");
    run = RUN("stats", "six,n-move=20", "--metric", "dtm", "--db", dir);
    cr_expect_eq(run.exit_status, 2);
    EXPECT_HAS(run.err, "--metric dtm: under n-move depths count to the next removal");
    run = RUN("stats", "six,n-move=20", "--db", dir, "--plain", plain);
    EXPECT_HAS(run.out, "\nmoving phase ");
    EXPECT_HAS(run.out,
               "not known, as table 0-0-6-6 is not here; without the rule: not known, as");
    json_t *json =
        ask_json(ARGV("stats", "six,n-move=20", "--db", dir, "--plain", plain, "--json"));
    json_t *first = json_array_get(json_object_get(json, "subspaces"), 1);
    cr_expect_str_eq(text_of(first, "subspace"), "3-4");
    cr_expect_eq(number_of(first, "losses_changed"), 619);
    cr_expect(json_is_null(json_object_get(json, "start")));
    json_decref(json);
    assert_fails(RUN("stats", "six", "--db", plain, "--plain", plain), 2,
                 "--plain is for rules with n-move");
    assert_fails(RUN("stats", "six,n-move=20", "--db", dir, "--plain", other), 1,
                 "made for other rules: seven, not six");
    assert_fails(RUN("stats", "six,n-move=20", "--db", dir, "--plain", plain, "--reachable"), 2,
                 "--plain exclude each other");
    remove_dir(dir);
    remove_dir(plain);
    remove_dir(other);
}

// The least n that changes nothing is the greatest depth to a removal.
Test(counted, stats_say_from_where_nothing_changes, .timeout = 300)
{
    char *dir = solve_moving("six,metric=dtc"), *counted = solve_moving("six,n-move=70");
    char *fewer = solve_moving("six,n-move=69"), *plain = solve_moving("six");
    struct run run = RUN("stats", "six,metric=dtc", "--db", dir);
    assert_quiet(run);
    EXPECT_HAS(run.out, "\nA draw after n plies without a removal (n-move=n) changes some of "
                        "these results if n < 70, else none. ");
    run = RUN("stats", "six,n-move=70", "--db", counted);
    cr_expect_null(strstr(run.out, "n-move=n"), "%s", run.out);
    run = RUN("stats", "six,n-move=70", "--db", counted, "--plain", plain, "--tsv");
    EXPECT_HAS(run.out, "\n4-5\t90420\t2006\t2006\t0\t0\t0\n");
    run = RUN("stats", "six,n-move=69", "--db", fewer, "--plain", dir, "--tsv");
    EXPECT_HAS(run.out, "\n4-5\t90420\t2006\t");
    cr_expect_null(strstr(run.out, "\n4-5\t90420\t2006\t2006\t"), "%s", run.out);
    remove_dir(dir);
    remove_dir(counted);
    remove_dir(fewer);
    remove_dir(plain);
}

// ---- engines -------------------------------------------------------------------------------

#define POSITION "position w a5,c5,b4 e1,c1,d2 0/0 moves"
#define ROUND " a5-a3 e1-e3 a3-a5 e3-e1"

static int count_of(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        n++;
    return n;
}

// The count runs out: the dialect of UCI has a word for a draw, GBGP has none.
static void check_count_runs_out(char *dir)
{
    static const char input[] = "gbgp\nsetoption name ThreefoldRepetitionRule value false\n" //
        POSITION ROUND ROUND ROUND ROUND " a5-a3 e1-e3 a3-a5\ngo\n"                          //
        POSITION ROUND ROUND ROUND ROUND ROUND "\ngo\n"                                      //
        POSITION ROUND ROUND ROUND ROUND ROUND " a5-a3\ngo\n"                                //
                                "position " SIX_2 " n20\ngo\nposition " SIX_3 " n19\ngo\n"   //
                                "position " SIX_2 " n21\ngo\n";
    struct run run = FEED(input, "engine", "six,n-move=20", "--protocol", "uci", "--db", dir);
    assert_quiet(run);
    cr_expect_eq(count_of(run.out, "bestmove draw\n"), 2, "%s", run.out);
    cr_expect_eq(count_of(run.out, "the game is over: too many plies without a removal\n"), 2);
    EXPECT_HAS(run.out, "ply 21, column 152, 'a5-a3': illegal: the game is over (too many "
                        "plies without a removal)");
    EXPECT_HAS(run.out, "score mate 1 nodes 12 bestmove "); // takes a man and ends the game
    EXPECT_HAS(run.out, "21 plies are counted, and the game was a draw after 20");
    cr_expect_eq(count_of(run.out, "bestmove none\n"), 2);
    run = FEED(input, "engine", "six,n-move=20", "--db", dir);
    assert_quiet(run);
    cr_expect_eq(count_of(run.out, "bestmove none\n"), 4, "%s", run.out);
    cr_expect_eq(count_of(run.out, "bestmove "), 6);
}

// A third time is a draw, too, whatever is counted; a win that is known without its plies to
// the end has no "mate" and no "win".
static void check_repetition_counted(char *dir)
{
    static const char input[] = "gbgp\n" POSITION ROUND ROUND "\ngo\n"
                                "setoption name ThreefoldRepetitionRule value false\ngo\n";
    struct run run = FEED(input, "engine", "six,n-move=20", "--protocol", "uci", "--db", dir);
    assert_quiet(run);
    EXPECT_HAS(run.out, "score cp 0 nodes 5 bestmove draw\n");
    EXPECT_HAS(run.out, "score cp 10000 nodes 5 bestmove b4-c4\n");
    run = FEED(input, "engine", "six,n-move=20", "--db", dir);
    cr_expect_eq(count_of(run.out, "score eval 10000 pv b4-c4\nbestmove b4-c4\n"), 2, "%s",
                 run.out);
}

// Values that are none change nothing; another number asks for its tables, or there are none.
static void check_values_of_the_option(char *dir)
{
    struct run run = FEED("setoption name NMoveRule value x\nsetoption name NMoveRule\n"
                          "setoption name NMoveRule value -1\n"
                          "setoption name nmoverule value 10001\n"
                          "position " SIX_2 " n19\ngo\n"
                          "setoption name NMoveRule value 5000\nposition " SIX_2 "\ngo\n"
                          "setoption name NMoveRule value 20\nposition " SIX_2 " n19\ngo\n"
                          "setoption name NMoveRule value 6\nposition " SIX_2 " n5\ngo\n"
                          "position " SIX_2 " n7\ngo\n"
                          "setoption name NMoveRule value 0\nposition " SIX_2 "\ngo\n",
                          "engine", "six,n-move=20", "--protocol", "uci", "--db", dir);
    assert_quiet(run);
    EXPECT_HAS(run.out, "NMoveRule: 'x' is no number from 0 to 10000; for example: setoption "
                        "name NMoveRule value 20\n");
    EXPECT_HAS(run.out, "NMoveRule: '' is no number");
    EXPECT_HAS(run.out, "NMoveRule: '-1' is no number");
    EXPECT_HAS(run.out, "NMoveRule: '10001' is no number");
    EXPECT_HAS(run.out, "NMoveRule 5000: these rules are not to be had here");
    cr_expect_eq(count_of(run.out, "score cp 0 nodes 7 bestmove c5-e5\n"), 2, "%s", run.out);
    EXPECT_HAS(run.out, "(merels solve six,n-move=6,men=6-6 makes tables)");
    EXPECT_HAS(run.out, "7 plies are counted, and the game was a draw after 6");
    EXPECT_HAS(run.out, "(merels solve six,men=6-6 makes tables)");
    cr_expect_eq(count_of(run.out, "bestmove none\n"), 2);
    cr_expect_eq(count_of(run.out, "bestmove "), 6);
}

// What is won with the plies that are left is won within them.
static void check_wins_are_finished(char *dir)
{
    static const char *const won[] = {"w a5,c5,b4 e1,c1,d2 0/0", SIX_2 " n18", SIX_3 " n19"};
    for (size_t k = 0; k < sizeof won / sizeof *won; k++) {
        char text[256];
        snprintf(text, sizeof text, "%s", won[k]);
        struct run run = FEED("", "play", "six,n-move=20", "--side", "none", "--db", dir, text);
        assert_quiet(run);
        EXPECT_HAS(run.out, "The game is over: White wins (");
    }
}

Test(counted, engines, .timeout = 300)
{
    char *dir = solve_moving("six,n-move=20");
    check_wins_are_finished(dir);
    check_count_runs_out(dir);
    check_repetition_counted(dir);
    check_values_of_the_option(dir);
    remove_dir(dir);
}
