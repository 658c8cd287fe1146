// test_closed_command.c: what the commands say by rules with closed points, over tables of the
// moving phase alone.

#include "query/merels.h"
#include "tests/query/feed.h"
#include "tests/query/player.h"

static char rules[] = "six,men=4,closed-points";

static char *moving_dir(void)
{
    char *dir = make_dir();
    struct run run =
        RUN("solve", "six,men=4", "--db", dir, "--phase", "moving", "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    return dir;
}

static void check_probe(char *dir)
{
    json_t *search = ask_json(ARGV("search", rules, "--json", "--db", dir));
    json_t *answer = ask_json(ARGV("probe", rules, "--json", "--db", dir, "startpos"));
    cr_expect_str_eq(text_of(answer, "value"), text_of(search, "value"));
    cr_expect_str_eq(text_of(answer, "metric"), "search");
    cr_expect(json_is_null(json_object_get(answer, "plies")));
    cr_expect(json_is_true(json_object_get(answer, "complete")));
    cr_expect_eq(json_array_size(json_object_get(answer, "moves")), 16);
    json_decref(search);
    json_decref(answer);
    struct run run = RUN("probe", rules, "--db", dir, "b a5,c5,e5 a1 1/2 xc1");
    assert_quiet(run);
    EXPECT_HAS(run.out, "O White, @ Black, * closed. In hand");
    EXPECT_HAS(run.out, "Found by search: no depths");
    cr_expect_null(strstr(run.out, "\n  c1 "), "%s", run.out);
}

// At the limit the position has no answer, or plies are unknown, in words.
static void check_limit(char *dir)
{
    struct run run = RUN("probe", rules, "--db", dir, "--nodes", "5", "startpos");
    cr_expect_eq(run.exit_status, 1);
    EXPECT_HAS(run.err, "not decided in 5 nodes; for example with more: --nodes 50\n");
    run = FEED("startpos\n", "probe", rules, "--db", dir, "--nodes", "5", "-");
    EXPECT_HAS(run.out, "\"status\": \"not decided\"");
    run = RUN("probe", rules, "--db", dir, "--nodes", "3000", "w a5 b2 3/3");
    assert_quiet(run);
    EXPECT_HAS(run.out, "  unknown\n");
    EXPECT_HAS(run.out, "\nUnknown plies: not decided in 3000 nodes\n");
}

static void check_games(char *dir)
{
    struct run run = FEED("game\n", "play", rules, "--side", "none", "--db", dir);
    assert_quiet(run);
    EXPECT_HAS(run.out, "The game is over: ");
    EXPECT_HAS(run.out, "\nstartpos moves ");
    char before[4096] = "";
    struct player player = start_player(rules, dir, "gbgp");
    tell(&player, "position startpos moves a5 a1\ngo\n");
    cr_expect_not_null(strstr(hear(&player, "bestmove", before), "bestmove "));
    cr_expect_null(strstr(before, "info string"), "%s", before);
    stop_player(&player);
    run = RUN("analyse", rules, "--db", dir, "startpos moves a5 a1 c5 c1 e5xa1");
    assert_quiet(run);
    EXPECT_HAS(run.out, "5 plies, ");
    run = RUN("analyse", rules, "--db", dir, "startpos moves a5 a1 c5 c1 e5xa1 a1");
    EXPECT_HAS(run.err, "the point of a removed man is closed while men are placed");
}

// The option that closes points leaves the directory of the command line what it is.
static void check_option(char *dir)
{
    struct run run = FEED("setoption name MillFormationActionInPlacingPhase value 4\n"
                          "position startpos moves a5 a1 c5 c1 e5xa1\ngo\n",
                          "engine", "six,men=4", "--protocol", "uci", "--db", dir);
    assert_quiet(run);
    cr_expect_null(strstr(run.out, "info string"), "%s", run.out);
    EXPECT_HAS(run.out, " bestmove ");
}

// The value of the search, and the record of the tables that it ends in.
static void check_proof(char *dir)
{
    struct run run = RUN("prove", rules, "--db", dir);
    cr_expect_eq(run.exit_status, 1);
    EXPECT_HAS(run.out, "The empty board: draw for the side that begins, by two searches");
    EXPECT_HAS(run.out, "\nWhite at least draws.\nBlack at least draws.\n");
    EXPECT_HAS(run.out, "\nunverified: ");
    cr_assert_eq(RUN("verify", "six,men=4", "--db", dir).exit_status, 0);
    run = RUN("prove", rules, "--db", dir);
    cr_expect_eq(run.exit_status, 0, "%s", run.err);
    EXPECT_HAS(run.out, "\nThat phase: 4 tables of six, root hash ");
    EXPECT_HAS(run.out, "\nverified: 4 tables, ");
    json_t *proof = ask_json(ARGV("prove", rules, "--db", dir, "--json"));
    cr_expect_str_eq(text_of(proof, "value"), "draw");
    cr_expect(json_is_true(json_object_get(proof, "verified")));
    json_decref(proof);
    run = RUN("prove", "six,men=5,closed-points", "--db", dir);
    cr_expect_eq(run.exit_status, 1);
    EXPECT_HAS(run.err, "missing: subspace 5-5 of the moving phase");
}

static void check_refusals(char *dir)
{
    struct run missing = RUN("probe", rules, "--db", "none", "startpos");
    cr_expect_eq(missing.exit_status, 1);
    EXPECT_HAS(missing.err, "(merels solve six,men=4-4 --phase moving --db none makes tables)");
    struct run run = RUN("solve", rules, "--db", dir);
    cr_expect_eq(run.exit_status, 2);
    EXPECT_HAS(run.err, "solve: six,closed-points has no tables of its own: ");
    EXPECT_HAS(run.err, "(merels solve six)");
    run = RUN("verify", rules, "--db", dir);
    cr_expect_eq(run.exit_status, 2);
}

// The library holds no search.
static void check_library(char *dir)
{
    struct merels *handle;
    struct merels_failure failure;
    cr_expect_eq(merels_open(rules, dir, 0, &handle, &failure), MERELS_BAD_INPUT);
    EXPECT_HAS(failure.text, "closed-points");
}

Test(closed_command, everything, .timeout = 240)
{
    char *dir = moving_dir();
    check_probe(dir);
    check_limit(dir);
    check_games(dir);
    check_option(dir);
    check_proof(dir);
    check_refusals(dir);
    check_library(dir);
    remove_dir(dir);
}
