// test_records.c: games as people and programs write them: every dialect means the same game as
// the plain list of its plies, and what cannot be read is named with its dialect and its place.

#include "game/text.h"
#include "tests/game/random_positions.h"

// A mill of White's takes c3; all other men of Black's stand in a mill.
#define P1C "w a7,d7,g4,b6 a1,d1,g1,c3 0/0"

// A text of a game or a position and the plain text that it must mean.
static void expect_means(const struct rules *rules, const char *text, const char *plain)
{
    char written[POSITION_TEXT_BYTES], expected[POSITION_TEXT_BYTES];
    struct position read = position_of(rules, text), meant = position_of(rules, plain);
    merels_position_format(rules, &read, written);
    merels_position_format(rules, &meant, expected);
    cr_expect_str_eq(written, expected, "%s", text);
}

static void expect_sample(const char *text)
{
    expect_means(rules_of("nine"), text, "startpos moves d6 f4 d2 b4 f6");
}

Test(records, numbered_plies)
{
    expect_sample("1. d6 f4 2. d2 b4 3. f6");
    expect_sample("1.d6 f4 2.d2 b4 3.f6");
    expect_sample("1 . d6 f4\n2 ... d2\r\n\r\n  b4 3 f6\n");
    expect_sample("1. d6 1... f4 2. d2 2... b4 3. f6");
    expect_sample("1. d6 1...f4 2.d2 2...b4 3.f6");
    expect_sample("0. d6 f4 1. d2 b4 2. f6");
    expect_sample("1 d6 f4 2 d2 b4 3 f6");
    expect_sample("1) d6 f4 2) d2 b4 3) f6");
    expect_sample("1)d6 f4\n2)d2 {1) a1} (2. a1) b4 3.) f6 1-0");
    expect_sample("1) d6 1)...f4 2.)d2 2) b4 3) f6");
    expect_sample("1) 5 14 2) 20 11 3) 6");
    expect_sample("0) 6d 4f 1) 2d 4b 2) 6f");
    expect_means(rules_of("nine"), "1) d6 f4", "startpos moves d6 f4");
    expect_means(rules_of("nine"), "1. d6 f4 2. d2 b4", "startpos moves d6 f4 d2 b4");
}

Test(records, tags_and_where_a_game_begins)
{
    static const char tags[] = "[Event \"Club\"]\n[White \"A. B.\"]\n[Result \"1-0\"]\n";
    char text[512];
    struct tag tag;
    snprintf(text, sizeof text, "%s\n1. d6 f4 2. d2 b4 3. f6 1-0\n", tags);
    expect_sample(text);
    cr_expect_str_eq(merels_game_tag(text, "white", &tag), "A. B.");
    cr_expect_str_eq(merels_game_tag(text, "result", &tag), "1-0");
    cr_expect_null(merels_game_tag(text, "fen", &tag));
    snprintf(text, sizeof text,
             "\xEF\xBB\xBF[Site \"caf\xC3\xA9 \\\"x\\\" \\\\\"] d6 f4 d2 b4 f6");
    expect_sample(text);
    cr_expect_str_eq(merels_game_tag(text, "site", &tag), "caf\xC3\xA9 \"x\" \\");
    expect_means(
        rules_of("nine"),
        "[SetUp \"1\"]\n[FEN \"*****@**/*******O/O*O@@@*O w m s 4 0 4 0 0 0 0 0 0 0 0 0 "
        "1\"]\n1. g4-g7xc3 d1-d2",
        P1C " moves g4-g7xc3 d1-d2");
    expect_means(rules_of("six"), "[FEN \"b a5 c5 5/4\"] 1... e5", "b a5 c5 5/4 moves e5");
}

Test(records, comments_marks_and_variations)
{
    expect_sample("1. d6 {good point} f4! 2. d2?! ; rest of the line\nb4 f6");
    expect_sample("d6!! f4?? d2 !? b4$3 f6 $14");
    expect_sample("d6 (1. a1 {of ) a variation} (1. a4 (1. a7 g7)) g1) f4 {x\ny} d2 b4 f6");
    expect_sample("# a comment\n% another\n1. d6 f4\n# 2. a1\n2. d2 b4 f6");
    expect_sample("d6 {( not closed} f4 ; { not closed\n d2 b4 f6");
}

Test(records, results)
{
    static const char *const texts[] = {"1-0",     "0-1", "1/2-1/2",
                                        "0.5-0.5", "*",   "\xC2\xBD-\xC2\xBD"};
    static const enum game_result results[] = {RESULT_WHITE, RESULT_BLACK, RESULT_DRAW,
                                               RESULT_DRAW,  RESULT_OPEN,  RESULT_DRAW};
    const struct rules *rules = rules_of("nine");
    for (int i = 0; i < 6; i++) {
        char text[64];
        struct game_reader game;
        struct ply ply;
        bool read;
        snprintf(text, sizeof text, "1. d6 f4 %s", texts[i]);
        expect_means(rules, text, "startpos moves d6 f4");
        cr_assert_eq(merels_game_begin(rules, &the_start, text, 0, &game, NULL), STATUS_OK);
        for (int k = 0; k < 3; k++)
            cr_assert_eq(merels_game_next(rules, &game, &ply, &read, NULL), STATUS_OK);
        cr_expect(!read && game.result == results[i], "%s", texts[i]);
    }
    expect_means(rules, "*", "startpos");
}

Test(records, removals)
{
    static const char start[] = "startpos moves a7 a1 d7 d1 g7xa1 b6";
    static const char *const texts[] = {"a7 a1 d7 d1 g7xa1 b6",
                                        "a7 a1 d7 d1 g7 xa1 b6",
                                        "a7 a1 d7 d1 g7, xa1 b6",
                                        "a7 a1 d7 d1 g7 x a1 b6",
                                        "1. a7 a1 2. d7 d1 3. g7:a1 b6",
                                        ("A7 A1 D7 D1 G7\xC3\x97"
                                         "A1 B6")};
    const struct rules *rules = rules_of("nine");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_means(rules, texts[i], start);
    static const char *const moves[] = {"g4-g7xc3",
                                        "g4-g7 xc3",
                                        "g4-g7, xc3",
                                        "g4 - g7 xc3",
                                        "g4\xE2\x80\x93g7:c3",
                                        "g4 -> g7, take c3",
                                        "Move g4 to g7\nRemove c3"};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, P1C " moves %s d1-d2", moves[i]);
        expect_means(rules, text, P1C " moves g4-g7xc3 d1-d2");
    }
    rules = rules_of("lasker,removals=each");
    expect_means(rules, "a7 a1 g7 b2 d6 c3 d5 f4 d7xc3xa1 f2",
                 "startpos moves a7 a1 g7 b2 d6 c3 d5 f4 d7 xa1 xc3 f2");
}

Test(records, signs)
{
    expect_sample("D6 F4 D2 B4 F6");
    expect_sample("\xEF\xBB\xBF"
                  "d6\xC2\xA0"
                  "f4\r\nd2\tb4\rf6");
    expect_sample("\xEF\xBC\xA4\xEF\xBC\x96 \xEF\xBD\x86\xEF\xBC\x94 d2 b4 f6"); // full width
    expect_means(rules_of("nine"),
                 "\xEF\xBC\xB7 A7\xEF\xBC\x8C"
                 "D7,G4,B6\xC2\xA0"
                 "a1,d1,g1 0/0",
                 P1);
    expect_means(rules_of("nine"), "w \xE2\x80\x93 \xE2\x80\x94 9/9\r\n", "startpos");
}

Test(records, points_written_in_other_ways)
{
    const struct rules *rules = rules_of("nine");
    expect_sample("6d 4f 2d 4b 6f");
    expect_sample("1. 6D 4F 2. 2D 4B 3. 6F");
    expect_means(rules, "7a 1a 7d 1d 7gx1a", "startpos moves a7 a1 d7 d1 g7xa1");
    expect_means(rules, P1C " moves 4g-7gx3c", P1C " moves g4-g7xc3");
    expect_sample("5 14 20 11 6");
    expect_sample("1. 5 14 2. 20 11 3. 6 1-0");
    expect_sample("1.5 14 2.20 11 3.6");
    expect_means(rules, "1 22 2 23 3x22", "startpos moves a7 a1 d7 d1 g7xa1");
    expect_means(rules, P1C " moves 15-3x16", P1C " moves g4-g7xc3");
    static const char *const by_number[] = {"a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5",
                                            "e5", "a4", "b4", "c4", "e4", "f4", "g4", "c3",
                                            "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1"};
    for (int i = 0; i < 24; i++) {
        char number[8];
        snprintf(number, sizeof number, "%d", i + 1);
        expect_means(rules, number, by_number[i]);
    }
    expect_means(rules_of("six"), "1 16", "a5 e1");
}

Test(records, plies_in_words)
{
    expect_sample("Place to d6\nPlace to f4\nPlace to d2\nPlace to b4\nPlace to f6");
    expect_means(rules_of("nine"), P1C " moves g4 -> g7, take c3 d1 -> d2",
                 P1C " moves g4-g7xc3 d1-d2");
    expect_means(rules_of("nine"), "Place to a7 a1 d7 d1 Place to g7 Remove a1",
                 "startpos moves a7 a1 d7 d1 g7xa1");
}

Test(records, commands_and_bare_lists)
{
    expect_sample("position startpos moves d6 f4 d2 b4 f6");
    expect_sample("d6 f4 d2 b4 f6");
    expect_means(
        rules_of("nine"),
        "position fen *****@**/*******O/O*O@@@*O w m s 4 0 4 0 0 0 0 0 0 0 0 0 1 moves "
        "g4-g7 xc3",
        P1C " moves g4-g7xc3");
    expect_means(rules_of("nine"),
                 "position fen ********/*******O/O*O@@@*O w m s 4 0 3 0 0 0 0 0 0 0 0 0 1", P1);
    expect_means(rules_of("nine"), "position startpos", "startpos");
    expect_means(rules_of("nine"), "w:w:b:1", "startpos");
    expect_means(rules_of("nine"), "position pos w:wa7,g7,g4:bd7,g1,d1:40 moves a7-a1",
                 "w a7,g7,g4 d7,g1,d1 0/0 moves a7-a1");
    expect_means(rules_of("nine"), "b:wb4:b:1", "startpos moves b4");
    expect_means(rules_of("nine"), "w:wb4,c4:bd2:2 ", "w b4,c4 d2 7/8");
}

// ---- positions of other programs -----------------------------------------------------------

Test(records, fen_of_other_programs)
{
    const struct rules *rules = rules_of("nine");
    expect_means(rules,
                 "********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
                 "startpos");
    expect_means(rules,
                 "********/*******O/O*O@@@*O w m s 4 0 3 0 0 0 0 5 23 0 0 0 9 ids:nodes s:1 "
                 "c:w-1-8.9|b-0-",
                 P1);
    expect_means(rules, "********/*******O/O*O@@@*O w m p 4 0 3 0 0 0 0 0 0 0 0 0 1", P1);
    expect_means(rules, "********/*******O/O*O@@@*O w m s 4 0 3 0 0 0", P1);
    expect_means(rules, "********/*******O/O*O@@@*O w m s 4 0 3 0 0 0 ids:nodes", P1);
    expect_means(rules, "O*****O@/O*****O*/@O***O@@ b o s 6 0 4 0 0 0 0 0 0 0 0 0 40",
                 "b d5,c4,d6,b4,g7,a1 c5,d7,a4,a7 0/0");
}

// Who has taken the third-last man stands there as the mover.
Test(records, finished_games)
{
    static const char *const texts[] = {
        "********/********/OOO@@*** w o r 3 0 2 0 1 0 0 0 0 0 0 0 1",
        "********/********/OOO@@*** w o r 3 0 2 0 2 0 0 0 0 0 0 0 1",
        "********/********/OOO@@*** w o ? 3 0 2 0 0 0 0 0 0 0 0 0 1",
        "********/********/OOO@@*** b o s 3 0 2 0 0 0 0 0 0 0 0 0 1"};
    const struct rules *rules = rules_of("nine,removals=each");
    for (int i = 0; i < 4; i++) {
        int value;
        struct position pos = position_of(rules, texts[i]);
        cr_expect(merels_position_over(rules, &pos, &value) && value == -1 &&
                      pos.mover == BLACK && bit_count(pos.own) == 2,
                  "%s", texts[i]);
    }
}

// The phase stays p until the removal is made, though no man is in hand any more.
Test(records, the_last_man_placed_closes_a_mill)
{
    static const char p[] = "********/O*******/@@***OO@ b p r 3 0 3 0 0 1 0 0 0 0 0 0 1";
    static const char m[] = "********/O*******/@@***OO@ b m r 3 0 3 0 0 1 0 0 0 0 0 0 1";
    const struct rules *rules = rules_of("nine");
    char text[FEN_TEXT_BYTES];
    struct position pos = position_of(rules, p);
    expect_means(rules, p, "b! a1,a4,d6 a7,d7,g7 0/0");
    cr_assert_eq(merels_position_format_fen(rules, &pos, true, text, NULL), STATUS_OK);
    cr_expect_str_eq(text, p);
    cr_assert_eq(merels_position_format_fen(rules, &pos, false, text, NULL), STATUS_OK);
    cr_expect_str_eq(text, m);
}

Test(records, labels)
{
    struct tag tag;
    const char *line = "w a7,d7,g4,b6 a1,d1,g1 0/0 ; id \"club 7\"";
    expect_means(rules_of("nine"), line, P1);
    cr_expect_str_eq(merels_text_label(line, &tag), "club 7");
    cr_expect_str_eq(merels_text_label("startpos moves d6 ; id x 1 ; more", &tag), "x 1");
    cr_expect_null(merels_text_label("startpos moves d6 ; idea", &tag));
    cr_expect_null(merels_text_label(P1, &tag));
}

// ---- whole games ---------------------------------------------------------------------------

// How a whole game is written, one style for each dialect.
enum style { PLAIN, NUMBERED, TAGGED, APART, REVERSED, BY_NUMBER, IN_WORDS, COMMAND, N_STYLES };

// Writes a point of a ply in a style.
static void put_point(const struct board *board, enum style style, const char *name,
                      struct text *out)
{
    int number = 1;
    for (int q = 0; q < board->n_points; q++)
        number += board->names[q][1] > name[1] ||
                  (board->names[q][1] == name[1] && board->names[q][0] < name[0]);
    if (style == BY_NUMBER)
        merels_text_add(out, "%d", number);
    else
        merels_text_add(out, "%c%c", name[style == REVERSED], name[style != REVERSED]);
}

static void put_styled(const struct board *board, enum style style, int i, const char *ply,
                       struct text *out)
{
    if ((style == NUMBERED || style == TAGGED) && i % 2 == 0)
        merels_text_add(out, "%d. ", i / 2 + 1);
    if (style == IN_WORDS)
        merels_text_add(out, "%s", strchr(ply, '-') ? "Move " : "Place to ");
    for (const char *c = ply; *c;) {
        if (*c == '-')
            merels_text_add(out, "%s", style == IN_WORDS ? " -> " : "-");
        else if (*c == 'x')
            merels_text_add(out, "%s",
                            style == APART || style == COMMAND ? " x"
                            : style == IN_WORDS                ? ", take "
                                                               : "x");
        else
            put_point(board, style, c++, out);
        c++;
    }
    if (style == TAGGED && i % 5 == 0)
        merels_text_add(out, "! {a comment} (1. a1 (a4)) $3");
    merels_text_add(out, "%s", i % 2 == 1 ? "\n" : " ");
}

static void check_styles(const struct rules *rules, char texts[][PLY_TEXT_BYTES], int n)
{
    static char plain[1 << 14], styled[1 << 16];
    static const char *const fronts[N_STYLES] = {
        "startpos moves ",         "", "[Event \"x\"]\n[Result \"*\"]\n\n", "", "", "", "",
        "position startpos moves "};
    for (int style = 0; style < N_STYLES; style++) {
        struct text out = style == PLAIN ? merels_text(plain, sizeof plain)
                                         : merels_text(styled, sizeof styled);
        merels_text_add(&out, "%s", fronts[style]);
        for (int i = 0; i < n; i++)
            put_styled(&rules->board, (enum style)style, i, texts[i], &out);
        if (style == TAGGED)
            merels_text_add(&out, "*\n");
        if (style != PLAIN)
            expect_means(rules, styled, plain);
    }
}

// Random games from the start to their end, or to ply 300, on boards of all sizes.
Test(records, whole_games_in_every_dialect, .timeout = 120)
{
    static const char *const names[] = {"nine", "six", "seven", "eleven", "nine,removals=each"};
    static struct ply plies[MAX_PLIES];
    static char texts[300][PLY_TEXT_BYTES];
    struct random random = {37};
    int n_over = 0;
    for (int game = 0; game < 20; game++) {
        const struct rules *rules = rules_of(names[game % 5]);
        struct position pos = merels_position_start(&the_start);
        int n = 0, n_plies;
        while (n < 300 && (n_plies = merels_plies(rules, &pos, plies)) > 0) {
            struct ply ply = plies[random_below(&random, n_plies)];
            merels_ply_format(rules, ply, texts[n++]);
            pos = merels_play(rules, &pos, ply);
        }
        n_over += n < 300;
        check_styles(rules, texts, n);
    }
    cr_expect_geq(n_over, 15, "%d games to their end", n_over);
}

// ---- broken records ------------------------------------------------------------------------

// Reads as far as the game is good; the error of the first fault, its example cut off.
static const char *fault_of(const struct rules *rules, const char *text, int line, int n_good)
{
    static struct error err;
    struct game_reader game;
    struct ply ply;
    bool read = true;
    enum status status = merels_game_begin(rules, &the_start, text, line, &game, &err);
    while (status == STATUS_OK && read)
        status = merels_game_next(rules, &game, &ply, &read, &err);
    cr_assert_neq(status, STATUS_OK, "%s", text);
    cr_expect_eq(game.n_plies, n_good, "%s: %d", text, game.n_plies);
    cut_example(rules, NULL, &err);
    return err.text;
}

Test(records, the_good_part_of_a_broken_record)
{
    const struct rules *rules = rules_of("nine");
    cr_expect_str_eq(fault_of(rules, "1. d6 f4\n2. d6 b4", 0, 2),
                     "numbered plies, ply 3, line 2, column 4, 'd6': illegal: the point is not "
                     "free");
    cr_expect_str_eq(
        fault_of(rules, "1. d6 f4\n2. d4 b4", 41, 2),
        "numbered plies, ply 3, line 42, column 4, 'd4': no such point on this board "
        "of 24 points");
    cr_expect_str_eq(
        fault_of(rules, "d6 f4 1-0 d2", 0, 2),
        "list of plies, ply 3, column 11, 'd2': the game goes on behind its result");
    cr_expect_str_eq(
        fault_of(rules, "a7 a1 d7 d1 g7 b6", 0, 5),
        "list of plies, ply 6, column 16, 'b6': illegal: the mover has closed a mill "
        "and owes a removal first");
    cr_expect_str_eq(fault_of(rules, "6d 4f d2", 0, 2),
                     "points digit first, ply 3, column 7, 'd2': the points of this game are "
                     "written digit first, and this one is not");
    cr_expect_str_eq(fault_of(rules, "5 14 25", 0, 2),
                     "points by number, ply 3, column 6, '25': the points of this game are "
                     "numbers, and no point has this one");
    cr_expect_str_eq(
        fault_of(rules, "1. e4 e5 2. Nf3", 0, 2),
        "numbered plies, ply 3, column 13, 'Nf3': this looks like a game of chess");
    cr_expect_str_eq(fault_of(rules, "d6 {f4 d2", 0, 1),
                     "list of plies, ply 2, column 4, '{': this comment is not closed");
    cr_expect_str_eq(fault_of(rules, "d6 (f4 (d2) {x) b4 \n", 0, 1),
                     "list of plies, ply 2, column 4, '(': this variation is not closed");
    cr_expect_str_eq(
        fault_of(rules, "d6 f4) d2", 0, 2),
        "list of plies, ply 3, column 6, ')': nothing was opened that this closes");
    cr_expect_str_eq(
        fault_of(rules, "d6 f4\n[Event \"2\"]\nd2", 0, 2),
        "list of plies, ply 3, line 2, column 1, nothing there: another game begins "
        "here, and one is expected");
    cr_expect_str_eq(fault_of(rules_of("three"), "a1 b1 a2 b2 a3 b3", 0, 5),
                     "list of plies, ply 6, column 16, 'b3': illegal: the game is over (mill)");
}

Test(records, tags_that_cannot_be_read)
{
    const struct rules *rules = rules_of("nine");
    struct game_reader game;
    struct error err;
    static const char *const bad[] = {"[Event]", "[Event \"x]", "[ \"x\"] d6",
                                      "[Event \"x\" d6"};
    for (int i = 0; i < 4; i++) {
        cr_assert_eq(merels_game_begin(rules, &the_start, bad[i], 3, &game, &err),
                     STATUS_BAD_INPUT);
        cut_example(rules, NULL, &err);
        cr_expect_not_null(strstr(err.text, "line 3, column 1, '["), "%s", err.text);
    }
    cr_assert_eq(merels_game_begin(rules, &the_start, "[FEN \"w a9 - 9/9\"]", 0, &game, &err),
                 STATUS_BAD_INPUT);
    cr_expect_not_null(strstr(err.text, "'a9': no such point"), "%s", err.text);
}

// Damaged texts of every dialect are read or refused; what is read is legal.
Test(records, damaged_texts_do_no_harm, .timeout = 120)
{
    static const char *const texts[] = {
        "[Event \"Club\"]\n[FEN \"w - - 9/9\"]\n\n1. d6 {x} f4! 2. d2 (2. a1 b2) b4 3. f6 1-0",
        "6d 4f 2d 4b",
        "5 14 20 11",
        "1. d6 f4 ; x\n2. d2 b4 $3",
        "w:wb4,c4:bd2:2 moves a1",
        "Place to d6\nf4, take a1 -> d2",
        "position fen ********/********/******** w p p 0 9 0 9 0 0 0 1 ids:nodes moves d6"};
    static const char letters[] =
        "O@*/wbx-{}()[];:\"\\.,!?$ 0192agADdm\t\n\r\x80\xE2\x93\xEF\xBC\x7f";
    struct random random = {31};
    const struct rules *rules = rules_of("nine");
    for (int i = 0; i < 40000; i++) {
        char text[256];
        struct position pos;
        struct error err = {.text = ""};
        strcpy(text, texts[random_below(&random, sizeof texts / sizeof texts[0])]);
        for (int k = random_below(&random, 5); k >= 0; k--)
            text[random_below(&random, (int)strlen(text))] =
                letters[random_below(&random, sizeof letters - 1)];
        if (merels_position_parse(rules, &the_start, text, &pos, &err) == STATUS_OK)
            cr_assert_eq(merels_position_check(rules, &pos, NULL), STATUS_OK, "%s", text);
        else
            cr_assert_not_null(strstr(err.text, "; for example: "), "%s: %s", text, err.text);
    }
}
