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
}
