// test_conversation.c: what an engine hears while it thinks, in which order it does what comes,
// what it says to words that make no sense, and that equal dialogues have equal answers.
//
// A thinking without an end ends only by what is heard, so that none of this rests on times.

#include "game/text.h"
#include "tests/query/feed.h"
#include "tests/query/player.h"

#define DRAWN "position w a7,g7,g4,d6 d7,g1,d1,b4 0/0\n"
#define OTHER "position w a7,g7,g4 d7,g1,d1 0/0\n"

static char *protocols[] = {"gbgp", "uci"};

static int count(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        n++;
    return n;
}

static void expect_line(struct player *player, const char *word)
{
    const char *line = hear(player, word, NULL);
    cr_assert_neq(line[0], '\0', "no %s", word);
}

// ---- while it thinks -----------------------------------------------------------------------

static void check_heard(char *dir, char *protocol, const char *go, const char *ends)
{
    struct player player = start_player("nine", dir, protocol);
    tell(&player, DRAWN);
    for (int i = 0; i < 2; i++) {
        char before[8192] = "";
        tell(&player, go);
        tell(&player, "isready\n");
        cr_assert_neq(hear(&player, "readyok", before)[0], '\0');
        cr_expect_null(strstr(before, "bestmove"), "%s", before);
        tell(&player, ends);
        expect_line(&player, "bestmove ");
    }
    stop_player(&player);
}

// Lines in one piece with "go": the thinking hears them all the same.
static void check_one_piece(char *dir, char *protocol)
{
    char before[8192] = "";
    struct player player = start_player("nine", dir, protocol);
    tell(&player, DRAWN "go infinite\nisready\nstop\nthen this\n");
    cr_assert_neq(hear(&player, "unknown command: then this", before)[0], '\0');
    const char *ready = strstr(before, "readyok"), *best = strstr(before, "bestmove ");
    cr_expect(ready && best && ready < best, "%s", before);
    stop_player(&player);
}

// What comes while it thinks is done behind the answer, in order.
static void check_order(char *dir, char *protocol)
{
    char before[8192] = "";
    struct player player = start_player("nine", dir, protocol);
    tell(&player, DRAWN "go infinite\nisready\n");
    expect_line(&player, "readyok");
    tell(&player, OTHER "first\nisready\n");
    expect_line(&player, "readyok");
    tell(&player, "stop\ngo\nsecond\nstop\n");
    cr_assert_neq(hear(&player, "unknown command: second", before)[0], '\0');
    const char *best = strstr(before, "bestmove "), *first = strstr(before, "command: first"),
               *next = best ? strstr(best + 1, "bestmove g7-a1") : NULL;
    cr_expect(best && first && next && best < first && first < next, "%s", before);
    stop_player(&player);
}

// Each "go" has one answer, also one behind a thinking without an end, and one before quit.
static void check_each_go(char *dir, char *protocol)
{
    char rest[8192] = "";
    struct player player = start_player("nine", dir, protocol);
    tell(&player, DRAWN "go infinite\ngo ponder\ngo infinite\nquit\n");
    cr_expect_eq(hear(&player, "no such line", rest)[0], '\0');
    cr_expect_eq(count(rest, "bestmove "), 3, "%s", rest);
    stop_player(&player);
}

// The end of the input ends it, with an answer, and so do more lines than can be kept.
static void check_ends(char *dir, char *protocol)
{
    struct player player = start_player("nine", dir, protocol);
    tell(&player, DRAWN "go infinite\n");
    fclose(player.to);
    expect_line(&player, "bestmove ");
    cr_expect_eq(wait_for(player.pid), 0);
    fclose(player.from);
    player = start_player("nine", dir, protocol);
    tell(&player, DRAWN "go infinite\nisready\n");
    expect_line(&player, "readyok");
    for (int i = 0; i < 1500; i++)
        tell(&player, "debug on\n");
    expect_line(&player, "bestmove ");
    stop_player(&player);
}

// An input that is closed is none, whatever is opened in its place.
Test(conversation, a_closed_input_is_an_error)
{
    char *dir = solved_dir("6");
    char *shell[] = {"/bin/sh",      "-c", "exec \"$0\" engine nine --db \"$1\" <&-",
                     MERELS_PROGRAM, dir,  NULL};
    assert_fails(run_program(shell), 1, "cannot read standard input");
    remove_dir(dir);
}

Test(conversation, is_heard_while_it_thinks, .timeout = 240)
{
    char *dir = solved_dir("8");
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < 2; i++) {
        check_heard(dir, protocols[i], "go infinite\n", "stop\n");
        check_heard(dir, protocols[i], "go ponder wtime 1000 btime 1000\n", "ponderhit\n");
        check_one_piece(dir, protocols[i]);
        check_order(dir, protocols[i]);
        check_each_go(dir, protocols[i]);
        check_ends(dir, protocols[i]);
    }
    remove_dir(dir);
}

// ---- words that make no sense --------------------------------------------------------------

static struct run converse(char *dir, char *protocol, const char *input)
{
    struct run run = feed(ARGV("engine", "nine", "--protocol", protocol, "--db", dir), input);
    assert_quiet(run);
    return run;
}

// Each has a message with an example, and the best ply.
static void check_go_words(char *dir, char *protocol)
{
    static const char *const words[] = {
        "movetime x",   "movetime",      "movetime -5",
        "movetime 1.5", "movetime +5",   "movetime 99999999999999999999",
        "depth -3",     "wtime depth 3", "btime ten",
        "winc \x01",    "nodes 0x10",    "movestogo 5 five",
        "fast",         "searchmoves",   "searchmoves z9 depth 2"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char input[256];
        snprintf(input, sizeof input, "%s\n" OTHER "go %s\n", protocol, words[i]);
        struct run run = converse(dir, protocol, input);
        cr_expect_eq(count(run.out, "info string go: "), 1, "%s: %s", words[i], run.out);
        cr_expect_eq(count(run.out, "; for example: go "), 1, "%s: %s", words[i], run.out);
        EXPECT_HAS(run.out, "bestmove g7-a1");
    }
}

static void check_good_words(char *dir)
{
    struct run run =
        converse(dir, "uci",
                 OTHER "go depth 0\ngo nodes 5\ngo depth 1\ngo movestogo 3 wtime 9 "
                       "btime 9 winc 0 binc 0\ngo searchmoves G4-A1\n");
    cr_expect_null(strstr(run.out, "info string"), "%s", run.out);
    EXPECT_HAS(run.out, "bestmove g4-a1\n");
}

// No ply of another position, whatever was wrong with the line, and a word of what is right.
static void check_no_position(char *dir, char *protocol)
{
    static const char *const lines[] = {
        " startpos moves d6 d6", " startpos moves d6 {f4", " fen hello", "",
        " w - - 9/9 moves",      " startpos moves a1-a4"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char input[512];
        bool good = i == 4, uci = strcmp(protocol, "uci") == 0;
        snprintf(input, sizeof input,
                 "%s\n" OTHER "position%s\nd\nanalyze%s\ngo\n" OTHER "go\n", protocol, lines[i],
                 lines[i]);
        struct run run = converse(dir, protocol, input);
        cr_expect_eq(count(run.out, "bestmove none"), !good, "%s: %s", lines[i], run.out);
        cr_expect_eq(count(run.out, "bestmove g7-a1"), 1, "%s: %s", lines[i], run.out);
        cr_expect_eq(count(run.out, "there is no position, as the last one was refused: ") > 0,
                     !good, "%s: %s", lines[i], run.out);
        cr_expect_eq(count(run.out, "Fen: "), good && uci, "%s: %s", lines[i], run.out);
    }
}

// ---- options -------------------------------------------------------------------------------

// Rules that are not to be had are refused by whatever name, and then nothing is played.
static void check_refused_options(char *dir)
{
    static const char *const on[] = {"CustodianCaptureEnabled value true",
                                     "custodian value 1",
                                     "InterventionCapture value true",
                                     "LeapCapture value true",
                                     "LeapCaptureEnabled value true",
                                     "MillFormationActionInPlacingPhase value 2",
                                     "IsDefenderMoveFirst value true",
                                     "OneTimeUseMill value true",
                                     "RestrictRepeatedMillsFormation value true",
                                     "StopPlacingWhenTwoEmptySquares value true",
                                     "StalemateAction value 2",
                                     "BoardFullAction value 1",
                                     "PiecesCount value 13",
                                     "PiecesCount value x",
                                     "MayFly value perhaps",
                                     "PiecesAtLeastCount value 6"};
    for (size_t i = 0; i < sizeof on / sizeof on[0]; i++) {
        char input[512];
        snprintf(input, sizeof input, "setoption name %s\n" OTHER "go\nanalyze w - - 9/9\n",
                 on[i]);
        struct run run = converse(dir, "uci", input);
        EXPECT_HAS(run.out, "these rules are not to be had here");
        EXPECT_HAS(run.out, "; for example: setoption name ");
        EXPECT_HAS(run.out, "bestmove none");
        cr_expect_null(strstr(run.out, "info analysis"), "%s: %s", on[i], run.out);
    }
}

// Switched off they are taken, each by itself; a detail of captures that are off is said so.
static void check_options_set_back(char *dir)
{
    struct run run = converse(dir, "uci",
                              "setoption name LeapCaptureEnabled value false\n"
                              "setoption name LeapCaptureInMovingPhase value true\n"
                              "setoption name StalemateAction value 3\n"
                              "setoption name OneTimeUseMill value true\n"
                              "setoption name StalemateAction value 0\n" OTHER "go\n"
                              "setoption name OneTimeUseMill value false\n" OTHER "go\n");
    EXPECT_HAS(run.out, "LeapCaptureInMovingPhase: nothing changes");
    EXPECT_HAS(run.out, "OneTimeUseMill as it was set: these rules");
    cr_expect_eq(count(run.out, "bestmove none"), 1);
    EXPECT_HAS(run.out, "bestmove g7-a1");
}

Test(conversation, words_that_make_no_sense, .timeout = 240)
{
    char *dir = solved_dir("6");
    for (int i = 0; i < 2; i++) {
        check_go_words(dir, protocols[i]);
        check_no_position(dir, protocols[i]);
    }
    check_good_words(dir);
    check_refused_options(dir);
    check_options_set_back(dir);
    remove_dir(dir);
}

// ---- equal dialogues -----------------------------------------------------------------------

// Without a time, answers depend on the dialogue alone, at every skill: also where the end of
// the input is read long before it is due.
Test(conversation, equal_dialogues_have_equal_answers, .timeout = 240)
{
    static char bytes[1 << 16];
    static const char *const positions[] = {DRAWN, "position w a7,d7,g4,b6 a1,d1,g1,c3 0/0\n",
                                            "position w a7,g4,b2,c3 d1,g1,e3,d6 0/0\n"};
    static const char *const gos[] = {"go\n", "go depth 2\n", "go depth 5\n", "go nodes 700\n"};
    char *dir = solved_dir("8");
    struct text text = merels_text(bytes, sizeof bytes);
    merels_text_add(&text, "uci\nsetoption name Shuffling value true\n");
    for (int i = 0; i < 120; i++)
        merels_text_add(&text, "setoption name SkillLevel value %d\n%s%s", 30 - i % 4 * 9,
                        positions[i % 3], gos[i / 3 % 4]);
    merels_text_add(&text, "quit\n");
    struct run first = converse(dir, "uci", bytes);
    cr_expect_eq(count(first.out, "bestmove "), 120);
    for (int i = 0; i < 3; i++) {
        struct run again = converse(dir, "uci", bytes);
        cr_expect_str_eq(again.out, first.out);
    }
    remove_dir(dir);
}
