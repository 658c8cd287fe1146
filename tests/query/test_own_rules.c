// test_own_rules.c: rules from a file in the commands: the drawing, the names in records, the
// list of options, and puzzles of other rules.

#include "tests/query/feed.h"

//     3  .---.---.        both diagonals of the square below on the left cross, and c1-c3 goes
//        |   |   |        over a2-d2 where there is no point
//     2  .---.-------.
//        | X |   |
//     1  .---.---.
//        a   b   c   d
#define CROSSING                                                                     \
    "points a1 b1 c1 a2 b2 d2 a3 b3 c3\n"                                            \
    "edges a1-b1 b1-c1 a2-b2 b2-d2 a3-b3 b3-c3 a1-a2 a2-a3 b1-b2 b2-b3 c1-c3 a1-b2 " \
    "a2-b1\n"                                                                        \
    "mills a1-b1-c1 a3-b3-c3 a1-a2-a3\nmen 3\n"

static char *write_rules(const char *dir, const char *name, const char *text)
{
    size_t room = strlen(dir) + strlen(name) + 2;
    char *path = malloc(room);
    cr_assert_not_null(path);
    snprintf(path, room, "%s/%s", dir, name);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    return path;
}

Test(own_rules, edges_that_cross_are_drawn)
{
    char *dir = make_dir(), *path = write_rules(dir, "crossing.txt", CROSSING);
    struct run run = RUN("rules", "--rules", path);
    assert_quiet(run);
    EXPECT_HAS(run.out, "#    3  .---.---.\n#       |   |   |\n#    2  .---.---+---.\n"
                        "#       | X |   |\n#    1  .---.---.\n#       a   b   c   d\n");
    free(path);
    remove_dir(dir);
}

Test(own_rules, a_file_may_begin_with_a_byte_order_mark)
{
    char *dir = make_dir(), *path = write_rules(dir, "bom.txt", "\xEF\xBB\xBF" CROSSING);
    struct run run = RUN("rules", "--rules", path);
    assert_quiet(run);
    char *bad = write_rules(dir, "bad.txt", CROSSING "fly\n");
    assert_fails(RUN("rules", "--rules", bad), 2, "line 5: no value: 'fly'; known: a number");
    cr_expect_null(strchr(RUN("rules", "--rules", bad).err, '?'));
    free(bad);
    free(path);
    remove_dir(dir);
}

Test(own_rules, records_name_the_board_and_not_the_file)
{
    char *dir = make_dir(), *path = write_rules(dir, "crossing.txt", CROSSING);
    struct run run = RUN("convert", "--rules", path, "--to", "pgn", "startpos moves a1 b1");
    assert_quiet(run);
    EXPECT_HAS(run.out, "[Rules \"own-");
    cr_expect_null(strstr(run.out, "crossing"));
    free(path);
    remove_dir(dir);
}

Test(own_rules, options_have_their_ranges)
{
    struct run run = RUN("rules", "--options", "--tsv");
    assert_quiet(run);
    EXPECT_HAS(run.out, "\nfly\t0..24\tno\t");
    EXPECT_HAS(run.out, "\nfly\t3\tyes\t");
    EXPECT_HAS(run.out, "\nleast\t0..24\tno\t");
    run = RUN("--help");
    EXPECT_HAS(run.out, "--rules FILE");
    EXPECT_HAS(run.out, "merels rules --options");
    assert_fails(RUN("rules", "nine,men=3-30"), 2, "right would be men=3-21 or men=12");
    assert_fails(RUN("rules", "nine,men=30-3"), 2, "right would be men=21-3 or men=12");
    assert_fails(RUN("rules", "nine,men=30"), 2, "right would be men=12");
}

Test(own_rules, puzzles_of_other_rules_are_refused)
{
    struct run run =
        FEED("# rules six,men=3\nw a5,c5 e5 1/1 ; win 3\n", "puzzles", "nine", "--check", "-");
    assert_fails(run, 1, "line 1: the puzzles are of the rules six, not of nine");
    run = FEED("{\"rules\": \"six\", \"position\": \"w a5,c5 e5 1/1\", \"plies\": 3}\n",
               "puzzles", "nine", "--check", "-");
    assert_fails(run, 1, "line 1: the puzzles are of the rules six, not of nine");
    run = FEED("# rules own-0123456789abcdef\n", "puzzles", "nine", "--check", "-");
    assert_fails(run, 1, "of the rules own-0123456789abcdef, not of nine");
    run = FEED("# rules own-0123456789abcdef\n", "puzzles", "--check", "-");
    assert_fails(run, 2, "puzzles --rules FILE --check FILE");
    assert_quiet(FEED("# rules ten\n", "puzzles", "nine", "--check", "-"));
    assert_quiet(FEED("# the rules of thumb\n", "puzzles", "nine", "--check", "-"));
}
