// test_engine.c: merels engine in both protocols: dialogues as programs hold them, options,
// rules of draws, damaged input, and games between engine processes under a referee that is
// code of its own (tests/reference/).

#include <ctype.h>

#include "game/text.h"
#include "tests/query/feed.h"
#include "tests/query/player.h"
#include "tests/reference/reference.h"

// Line `n` of those that hold `word`, as a word; a text that the next call overwrites.
static const char *line_with(const char *text, const char *word, int n)
{
    static char line[1024];
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
        const char *at = strstr(line, word);
        if (at && (at == line || at[-1] == ' ') && n-- == 0)
            return line;
    }
    return "(no such line)";
}

// The word behind `word` in line `n` of those that hold it.
static const char *word_behind(const char *text, const char *word, int n)
{
    static char result[64];
    const char *at = strstr(line_with(text, word, n), word);
    result[0] = '\0';
    if (at)
        sscanf(at + strlen(word), " %63s", result);
    return result;
}

static int count_lines(const char *text, const char *word)
{
    int n = 0;
    while (strcmp(line_with(text, word, n), "(no such line)") != 0)
        n++;
    return n;
}

// ---- dialogues -----------------------------------------------------------------------------

static void check_gbgp(char *dir)
{
    struct run run = FEED("uci\nhello\ngbgp\nisready\nnewgame\n"
                          "setoption name TwelveMensMorris value false\n"
                          "position startpos\ngo movetime 300\n"
                          "position startpos moves a7 d6 d7 b4 g7xb4 f4\ngo movetime 300\n"
                          "position pos w:wa7,g7,g4:bd7,g1,d1:40\ngo depth 3\n"
                          "go searchmoves a7-a1 g4-a1\n"
                          "go infinite\nisready\nstop\n"
                          "position startpos moves d6 d6\ngo\nquit\nisready\n",
                          "engine", "nine", "--protocol", "gbgp", "--db", dir);
    assert_quiet(run);
    cr_expect_eq(strncmp(run.out, "id name Merels", 14), 0, "%s", run.out);
    EXPECT_HAS(run.out, "\noption name TwelveMensMorris type check default false\n");
    EXPECT_HAS(run.out, "\ngbgpok\nreadyok\n");
    cr_expect_eq(count_lines(run.out, "bestmove"), 6, "%s", run.out);
    cr_expect_eq(count_lines(run.out, "readyok"), 2);
    EXPECT_HAS(run.out, "info string missing: "); // the start has no table here
    cr_expect_eq(strlen(word_behind(run.out, "bestmove", 0)), 2);
    cr_expect_str_eq(word_behind(run.out, "bestmove", 2), "g7-a1");
    EXPECT_HAS(run.out, "score win 13 pv g7-a1\nbestmove g7-a1\n");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 3), "g4-a1");
    EXPECT_HAS(run.out, "score win 13 pv g7-a1\nbestmove g7-a1\n");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 4), "g7-a1");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 5), "none");
    EXPECT_HAS(run.out, "ply 2, column 20, 'd6': illegal: the point is not free");
}

static const char uci_dialogue[] =
    "uci\nsetoption name NoSuch value 1\n"
    "setoption name Threads value 2\nsetoption name SkillLevel value 30\n"
    "setoption name DeveloperMode value false\nsetoption name DrawOnHumanExperience value "
    "true\n"
    "setoption name Shuffling value true\nsetoption name Algorithm value 2\n"
    "setoption name MoveTime value 1\nsetoption name MoveTimeMs value 100\n"
    "setoption name NMoveRule value 100\nsetoption name EndgameNMoveRule value 100\n"
    "setoption name AiIsLazy value false\nsetoption name PerfectDatabasePath value /x y\n"
    "setoption name PerfectDatabaseCacheSectors value 4\nsetoption name UsePerfectDatabase "
    "value "
    "false\nsetoption name PatchAvoidTraps value false\nsetoption name PatchMakeTraps value "
    "false\nisready\nucinewgame\nsetoption name Clear Hash\n"
    "position startpos moves d6 f4\ngo\n"
    "position startpos moves d6 f4 d7 b4 d5\ngo\n"
    "position startpos moves d6 f4 d7 b4 d5 xf4\ngo depth 0\n"
    "position startpos moves d6 d6 f4\ngo\n"
    "position fen ********/*@*@***@/*OO****O w m s 3 0 3 0 0 0 0 0 0 0 0 0 30 moves g4-c4 "
    "f6-d6 "
    "c4-g4 d6-f6 g4-c4 f6-d6 c4-g4 d6-f6\ngo\n"
    "position fen O*****O@/O*****O*/@O***O@@ b o s 6 0 4 0 0 0 0 0 0 0 0 0 40 ids:nodes\ngo\n"
    "position fen ********/*******O/O*O@@*@O w m s 4 0 3 0 0 0 -1 -1 -1 -1 0 0 9 ids:nodes\n"
    "go movetime 50\nblah\n";

static void check_uci(char *dir)
{
    struct run run =
        feed(ARGV("engine", "nine", "--protocol", "uci", "--db", dir), uci_dialogue);
    assert_quiet(run);
    EXPECT_HAS(run.out, "\noption name SkillLevel type spin default 30 min 0 max 30\n");
    EXPECT_HAS(run.out,
               "\nuciok\ninfo string No such option: NoSuch; for example: setoption name "
               "SkillLevel value 30\nreadyok\n");
    cr_expect_eq(count_lines(run.out, "bestmove"), 7, "%s", run.out);
    cr_expect_eq(word_behind(run.out, "bestmove", 1)[0], 'x', "the removal is asked for");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 3), "none");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 4), "draw");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 5), "none");
    EXPECT_HAS(run.out, "info string the game is over: blocked\n");
    EXPECT_HAS(run.out, "info string unknown command: blah; for example: ");
    EXPECT_HAS(line_with(run.out, "bestmove", 6), "info depth ");
}

// A ply that closes a mill is two answers, and the second is the rest of the first; the score
// is White's, whoever moves.
static void check_removals_apart(char *dir)
{
    struct run run =
        FEED("position fen ********/*******O/O*O@@@*O w m s 4 0 3 0 0 0\ngo\n"
             "position fen ********/*******O/O*O@@@*O w m s 4 0 3 0 0 0 moves g4-g7\n"
             "go\nposition fen ********/*******@/@*@OOO*@ b m s 3 0 4 0 0 0\ngo\n",
             "engine", "nine", "--protocol", "uci", "--db", dir);
    assert_quiet(run);
    cr_expect_str_eq(word_behind(run.out, "bestmove", 0), "g4-g7");
    cr_expect_eq(word_behind(run.out, "bestmove", 1)[0], 'x');
    cr_expect_str_eq(word_behind(run.out, "bestmove", 2), "g4-g7");
    cr_expect_str_eq(word_behind(run.out, "score mate", 0), "1");
    cr_expect_str_eq(word_behind(run.out, "score mate", 2), "-1");
}

// ---- rules and options ---------------------------------------------------------------------

static void check_rules(char *dir)
{
    struct run run =
        FEED("setoption name StalemateAction value 3\nposition startpos\ngo\n"
             "setoption name StalemateAction value 0\nposition startpos\ngo\n"
             "setoption name OneTimeUseMill value true\ngo\n"
             "setoption name OneTimeUseMill value false\n"
             "setoption name RestrictRepeatedMillsFormation value true\n"
             "setoption name RestrictRepeatedMillsFormation value false\n"
             "setoption name SkillLevel value 99\nsetoption\n"
             "setoption name PiecesCount value 4\nposition startpos moves a7 a4 d7 "
             "a1 g7xa1\ngo\nfen\n",
             "engine", "nine", "--protocol", "uci", "--db", dir);
    assert_quiet(run);
    EXPECT_HAS(run.out, "info string StalemateAction 3: these rules are not to be had here");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 0), "none");
    cr_expect_eq(strlen(word_behind(run.out, "bestmove", 1)), 2);
    EXPECT_HAS(run.out, "info string OneTimeUseMill true: these rules are not to be had here "
                        "(whether a ply closes a mill depends on all mills of the game so far");
    EXPECT_HAS(run.out,
               "info string RestrictRepeatedMillsFormation true: these rules are not to "
               "be had here (whether a ply closes a mill depends on the mill that was "
               "opened before");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 2), "none");
    EXPECT_HAS(run.out,
               "info string SkillLevel: '99' is no number from 0 to 30; for example: ");
    EXPECT_HAS(run.out, "info string setoption: name N value V was expected; for example: ");
    EXPECT_HAS(run.out, " b p p 3 1 1 2 0 0 "); // four men
    run = FEED("gbgp\nsetoption name TwelveMensMorris value true\nnewgame\n"
               "position startpos moves a7 d7 b6 d1 c5xd1\ngo\n",
               "engine", "nine", "--db", dir);
    assert_quiet(run);
    cr_expect_null(strstr(run.out, "illegal"), "a7-b6-c5 is a mill there: %s", run.out);
    EXPECT_HAS(run.out, "merels solve eleven");
}

#define WON "w f4,b2,e3 d7,g4,d1 0/0 moves"
#define ROUND " e3-f2 d7-a7 f2-e3 a7-d7"

// A won side does not repeat for the third time; a lost side takes the draw, by repetition or
// by quiet plies; the dialect of UCI has a word for it.
static void check_draws(char *dir)
{
    struct run run = FEED("gbgp\nposition " WON ROUND ROUND "\ngo\n"
                          "setoption name ThreefoldRepetitionRule value false\ngo\n"
                          "setoption name ThreefoldRepetitionRule value true\n"
                          "position " WON ROUND " e3-f2 d7-a7 f2-e3 a7-a4 e3-f2\ngo\n"
                          "setoption name NMoveRule value 8\n"
                          "position " WON " e3-f2 d7-a7 f2-e3 a7-a4\ngo\n"
                          "setoption name EndgameNMoveRule value 5\ngo\n",
                          "engine", "nine", "--db", dir);
    assert_quiet(run);
    cr_expect_str_eq(word_behind(run.out, "bestmove", 0), "e3-b4", "the second fastest win");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 1), "e3-f2");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 2), "a4-a7", "for the third time");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 3), "e3-f2");
    cr_expect_neq(strcmp(word_behind(run.out, "bestmove", 4), "none"), 0);
    run = FEED("gbgp\nsetoption name ThreefoldRepetitionRule value false\n"
               "setoption name NMoveRule value 6\nposition " WON ROUND ROUND "\ngo\n",
               "engine", "nine", "--db", dir);
    EXPECT_HAS(run.out, "the rule of draws leaves 0 without a removal: it may be drawn");
    run =
        FEED("setoption name NMoveRule value 4\nposition " WON " e3-f2 d7-a7 f2-e3 a7-a4\ngo\n"
             "position " WON " e3-f2 d7-a7 f2-e3\ngo\n"
             "position fen ***O****/**O**O**/@*@*@*** w m s 3 0 3 0 0 0 0 0 0 0 0 4 30\ngo\n"
             "position " WON ROUND ROUND "\ngo\n",
             "engine", "nine", "--protocol", "uci", "--db", dir);
    cr_expect_str_eq(word_behind(run.out, "bestmove", 0), "draw");
    cr_expect_neq(strcmp(word_behind(run.out, "bestmove", 1), "draw"), 0);
    cr_expect_str_eq(word_behind(run.out, "bestmove", 2), "draw", "by field 16 of the FEN");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 3), "draw", "by repetition");
}

// Below the highest skill other plies come up; the same seed gives the same game.
static void check_skill(char *dir)
{
    char text[8192] = "gbgp\nsetoption name SkillLevel value 0\n", *end = text + strlen(text);
    for (int i = 0; i < 100; i++)
        end = stpcpy(end, "position w a7,g7,g4 d7,g1,d1 0/0\ngo\n");
    struct run weak = feed(ARGV("engine", "nine", "--db", dir), text);
    struct run again = feed(ARGV("engine", "nine", "--db", dir), text);
    int n_best = 0;
    for (int i = 0; i < 100; i++) {
        cr_expect_str_eq(line_with(weak.out, "bestmove", i),
                         line_with(again.out, "bestmove", i));
        n_best += strcmp(word_behind(weak.out, "bestmove", i), "g7-a1") == 0;
    }
    cr_expect(n_best > 30 && n_best < 90, "%d: a worse ply in 40 %% of all cases", n_best);
}

// ---- tables that are not there, or damaged -------------------------------------------------

static void check_no_tables(void)
{
    struct run run = FEED("gbgp\nposition w a7,d7,g4,b6 a1,d1,g1,c3 0/0\ngo\n", "engine",
                          "nine", "--db", "/nonexistent");
    assert_quiet(run);
    EXPECT_HAS(run.out, "info string /nonexistent: ");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 0), "g4-g7xc3", "a mill: %s", run.out);
}

static void check_damage(char *dir)
{
    char path[512];
    snprintf(path, sizeof path, "%s/3-3.mtb", dir);
    FILE *file = fopen(path, "r+b");
    cr_assert_not_null(file);
    cr_assert_eq(fseek(file, 40, SEEK_SET), 0);
    cr_assert_eq(fputs("damaged damaged damaged", file) < 0, 0);
    fclose(file);
    struct run run =
        FEED("gbgp\nposition w a7,g7,g4 d7,g1,d1 0/0\ngo\n", "engine", "nine", "--db", dir);
    assert_quiet(run);
    EXPECT_HAS(run.out, "info string ");
    EXPECT_HAS(run.out, "3-3.mtb");
    cr_expect_neq(strcmp(word_behind(run.out, "bestmove", 0), "none"), 0);
}

// ---- input that is none --------------------------------------------------------------------

static void check_bad_input(char *dir)
{
    enum { LONG_BYTES = (1 << 20) + 64 };
    static char text[LONG_BYTES + 64];
    char *end = stpcpy(text, "gbgp\nposition startpos moves ");
    memset(end, 'a', LONG_BYTES - 32);
    strcpy(end + LONG_BYTES - 32, "\nisready\n");
    struct run run = feed(ARGV("engine", "nine", "--db", dir), text);
    assert_quiet(run);
    EXPECT_HAS(
        run.out,
        "info string the line is over 1048576 bytes long; for example: startpos moves d6 "
        "f4\nreadyok\n");
    static const char zero[] = "gbgp\nposition startpos moves d6\nposition startpos\0 moves "
                               "d6\nisready\ngo\nposition startpos\ngo movetime 1\n";
    run = feed_bytes(ARGV("engine", "nine", "--db", dir), zero, sizeof zero - 1);
    assert_quiet(run);
    EXPECT_HAS(run.out, "a byte of value 0; for example: startpos moves d6 f4\nreadyok\n");
    EXPECT_HAS(run.out, "info string there is no position, as the last one was refused: column "
                        "18: a byte");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 0), "none"); // not for the old position
    cr_expect_neq(strcmp(word_behind(run.out, "bestmove", 1), "none"), 0);
    end = stpcpy(text, "gbgp\nposition w a7,d7,g4 a1,d1,b2 0/0 moves");
    for (int i = 0; i < 6000; i++)
        end = stpcpy(end, " a7-a4 a1-b4 a4-a7 b4-a1");
    strcpy(end, "\ngo\n");
    run = feed(ARGV("engine", "nine", "--db", dir), text);
    assert_quiet(run);
    EXPECT_HAS(run.out, "the game is over 20000 plies long");
    cr_expect_str_eq(word_behind(run.out, "bestmove", 0), "none");
}

// Damaged commands are answered or skipped; the engine stays.
static void check_damaged_lines(char *dir)
{
    static const char *const lines[] = {
        "position startpos moves d6 f4 d7",  "go movetime 10",
        "setoption name SkillLevel value 3", "isready",
        "position pos w:wa7,g7:bd7,g1:40",   "go searchmoves d6"};
    static const char signs[] = "abdgx 0179:,-!\"\t\x80\xff\x01namevalue";
    char text[1 << 15] = "gbgp\n", *end = text + 5;
    unsigned random = 5;
    for (int i = 0; i < 400; i++) {
        char *line = end;
        end = stpcpy(
            end, lines[(random = random * 1103515245 + 12345) >> 16 & 1023 % 6 ? i % 6 : 0]);
        for (int k = 0; k < 2; k++) {
            random = random * 1103515245 + 12345;
            line[(random >> 16) % (unsigned)(end - line)] =
                signs[(random >> 8) % (sizeof signs - 1)];
        }
        *end++ = '\n';
    }
    strcpy(end, "\nthe end\nquit\n");
    struct run run = feed(ARGV("engine", "nine", "--db", dir), text);
    assert_quiet(run);
    const char *last = strstr(run.out, "info string unknown command: the end; ");
    cr_assert_not_null(last);
    cr_expect_eq(strchr(last, '\n')[1], '\0');
}

Test(engine, dialogues, .timeout = 240)
{
    char *dir = solved_dir("8");
    check_gbgp(dir);
    check_uci(dir);
    check_removals_apart(dir);
    check_rules(dir);
    check_draws(dir);
    check_skill(dir);
    check_no_tables();
    check_bad_input(dir);
    check_damaged_lines(dir);
    check_damage(dir);
    assert_fails(FEED("", "engine", "nine", "--protocol", "xboard"), 2, "--protocol");
    remove_dir(dir);
}

// ---- games under a referee -----------------------------------------------------------------

// Asks for an answer to the game so far.
static void ask(struct player *player, const char *game, char answer[64])
{
    char line[512];
    fprintf(player->to, "position startpos moves%s\ngo\n", game);
    fflush(player->to);
    answer[0] = '\0';
    while (answer[0] == '\0' && fgets(line, sizeof line, player->from)) {
        const char *at = strstr(line, "bestmove ");
        if (at)
            sscanf(at, "bestmove %63s", answer);
    }
    cr_assert_neq(answer[0], '\0', "no answer to%s", game);
}

// The text of a ply of the reference, its removals in the order of the reference's points.
static void ply_text(const struct reference_board *board, struct reference_ply ply,
                     char out[64])
{
    struct text text = merels_text(out, 64);
    if (ply.from >= 0)
        merels_text_add(&text, "%s-", board->names[ply.from]);
    if (ply.to >= 0)
        merels_text_add(&text, "%s", board->names[ply.to]);
    for (int p = 0; p < board->n_points; p++)
        if (ply.removed >> p & 1)
            merels_text_add(&text, "x%s", board->names[p]);
}

// Lets a player answer: the whole of a ply, in the other protocol with its removal afterwards.
static void take_ply(struct player *player, struct text *game, char text[64])
{
    char more[64];
    ask(player, game->out, text);
    merels_text_add(game, " %s", text);
    if (player->uci) {
        ask(player, game->out, more);
        if (more[0] == 'x') {
            merels_text_add(game, "%s", more);
            strcat(text, more);
        }
    }
}

static bool find_ply(const struct reference_rules *rules, const struct reference_position *pos,
                     const char *text, struct reference_ply *found)
{
    static struct reference_ply plies[REFERENCE_PLIES];
    int n = reference_plies(rules, pos, plies);
    for (int i = 0; i < n; i++) {
        char name[64];
        ply_text(&rules->board, plies[i], name);
        if (strcmp(name, text) == 0) {
            *found = plies[i];
            return true;
        }
    }
    return false;
}

// Plays a game; 1 the first player wins, -1 the second, 0 a draw. Players that see a third
// repetition in the dialect of UCI claim it.
static int play_game(const struct reference_rules *rules, struct player *players[2])
{
    int value = 0;
    char bytes[4096], text[64];
    struct text game = merels_text(bytes, sizeof bytes);
    struct reference_position pos = {.own_hand = 4, .other_hand = 4};
    for (int n = 0; n < 200; n++) {
        struct reference_ply ply;
        if (reference_over(rules, &pos, &value))
            return value == REFERENCE_DRAW ? 0 : n % 2 == 0 ? -1 : 1;
        take_ply(players[n % 2], &game, text);
        if (strcmp(text, "draw") == 0)
            return 0;
        cr_assert(find_ply(rules, &pos, text, &ply), "%s is illegal, in%s", text, bytes);
        pos = reference_play(&pos, ply);
    }
    return 0;
}

// The perfect player never loses, and wins against one that errs.
Test(engine, games_under_a_referee, .timeout = 300)
{
    enum { N_GAMES = 40 };
    struct reference_rules rules;
    char *dir = make_dir();
    struct run run = RUN("solve", "four", "--db", dir, "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    reference_rules_init(&rules, REFERENCE_SIX);
    rules.fly = 0;
    int n_won = 0;
    struct player perfect = start_player("four", dir, "gbgp"),
                  weak = start_player("four", dir, "uci");
    fputs("setoption name SkillLevel value 3\n", weak.to);
    for (int i = 0; i < N_GAMES; i++) {
        struct player *players[2] = {i % 2 ? &weak : &perfect, i % 2 ? &perfect : &weak};
        int result = play_game(&rules, players) * (i % 2 ? -1 : 1);
        cr_expect_geq(result, 0, "game %d", i);
        n_won += result > 0;
    }
    stop_player(&perfect);
    stop_player(&weak);
    cr_expect_geq(n_won, N_GAMES / 2, "%d of %d won", n_won, N_GAMES);
    remove_dir(dir);
}
