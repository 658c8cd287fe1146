// test_notation_fen.c: the FEN of 17 fields, games turn by turn, and all three forms written
// and read again on random positions, games and damaged texts.

#include <stdlib.h>

#include "tests/game/random_positions.h"

#define FEN_START "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1"
#define P1_FEN "********/*******O/O*O@@@*O w m s 4 0 3 0 0 0 0 0 0 0 0 0 1"

static bool same(const struct position *x, const struct position *y)
{
    return x->own == y->own && x->other == y->other && x->own_hand == y->own_hand &&
           x->other_hand == y->other_hand && x->due == y->due && x->mover == y->mover;
}

static const char *fen_of(const struct rules *rules, const struct position *pos)
{
    static char text[FEN_TEXT_BYTES];
    struct error err;
    cr_assert_eq(merels_position_format_fen(rules, pos, false, text, &err), STATUS_OK, "%s",
                 err.text);
    return text;
}

static void expect_fen(const char *text, const char *fen)
{
    const struct rules *rules = rules_of("nine");
    struct position pos = position_of(rules, text), read = position_of(rules, fen);
    cr_expect_str_eq(fen_of(rules, &pos), fen, "%s", text);
    cr_expect(same(&pos, &read), "%s", fen);
}

Test(fen, written_and_read)
{
    expect_fen("startpos", FEN_START);
    expect_fen(P1, P1_FEN);
    expect_fen("b d5,a7 d7 7/8", "O*******/********/@******O b p p 2 7 1 8 0 0 0 0 0 0 0 0 1");
    expect_fen("startpos moves d6 f4 f6 f2 b6",
               "********/OO@@***O/******** w p r 3 6 2 7 1 0 0 0 0 0 0 0 1");
    expect_fen("b! a1,a4,d6 a7,d7,g7 0/0",
               "********/O*******/@@***OO@ b m r 3 0 3 0 0 1 0 0 0 0 0 0 1");
    expect_fen(P4, "********/@*******/OO@*@O@O w o s 4 0 4 0 0 0 0 0 0 0 0 0 1");
}

static void expect_reads(const char *fen, const char *text)
{
    const struct rules *rules = rules_of("nine");
    struct position pos = position_of(rules, fen);
    char written[POSITION_TEXT_BYTES];
    merels_position_format(rules, &pos, written);
    cr_expect_str_eq(written, text, "%s", fen);
}

Test(fen, other_texts_of_the_same_position)
{
    expect_reads("********/********/******** w r p 0 9 0 9 0 0 0 0 0 0 0 0 1", "w - - 9/9");
    expect_reads("********/********/******** w p p 0 9 0 9 0 0 0 1", "w - - 9/9");
    expect_reads(" ********/********/********\tw p p 0 9 0 9 0 0 -1 x 9999999999999999999 7 3 ",
                 "w - - 9/9");
    expect_reads("********/*******O/O*O@@@*O w m s 4 0 3 0 0 0 8 9 10 11 65535 48 125",
                 "w a7,d7,g4,b6 g1,d1,a1 0/0");
    expect_reads("********/*******O/O*O@@@*O w o ? 4 0 3 0 0 0 0 0 0 0 0 0 1",
                 "w a7,d7,g4,b6 g1,d1,a1 0/0");
}

static void expect_refused(const char *text, enum status status, const char *error)
{
    const struct rules *rules = rules_of("nine");
    struct position pos;
    struct error err = {.text = ""};
    cr_expect_eq(merels_position_parse(rules, &the_start, text, &pos, &err), status, "%s: %s",
                 text, err.text);
    cut_example(rules, NULL, &err);
    cr_expect_str_eq(err.text, error, "%s", text);
}

#define BAD(text, error) expect_refused(text, STATUS_BAD_INPUT, "FEN, " error)

Test(fen, malformed_fields)
{
    BAD("********/********/****** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1",
        "field 1, column 25, nothing there: a point is O (white), "
        "@ (black) or * (free), 8 in each ring");
    BAD("********/***X****/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1",
        "field 1, column 13, 'X': X is a point closed by a removal, which these rules do not "
        "know (closed-points)");
    BAD("********/*********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1",
        "field 1, column 18, '*': three rings of 8 points were expected, with / between them");
    BAD("********/********/********/ w p p 0 9 0 9 0 0 0 0 0 0 0 0 1",
        "field 1, column 27, '/': three rings of 8 points were expected, with / between them");
    BAD("********/********/********", "field 2, column 27, end of text: the field is missing");
    BAD("********/********/******** w p p 0 9 0 9 0",
        "field 10, column 43, end of text: the field is missing");
    BAD(FEN_START " 5",
        "field 18, column 60, '5': behind 17 fields come further ones only as letters:text");
    BAD("********/********/******** W p p 0 9 0 9 0 0 0 0 0 0 0 0 1",
        "field 2, column 28, 'W': the side to move is w or b");
    BAD("********/********/******** w x p 0 9 0 9 0 0 0 0 0 0 0 0 1",
        "field 3, column 30, 'x': the phase is r (ready), p (placing), m (moving) or o (over)");
    BAD("********/********/******** w p ? 0 9 0 9 0 0 0 0 0 0 0 0 1",
        "field 4, column 32, '?': the action is p (place), s (select) or r (remove)");
    BAD("********/********/******** w p p 0 -9 0 9 0 0 0 0 0 0 0 0 1",
        "field 6, column 36, '-9': a number from 0 to 24 was expected");
    BAD("********/********/******** w p p 0 9 0 99 0 0 0 0 0 0 0 0 1",
        "field 8, column 40, '99': a number from 0 to 24 was expected");
    BAD("********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 x",
        "field 17, column 58, 'x': a number was expected");
    expect_refused("", STATUS_BAD_INPUT, "position, column 1, end of text: the text is empty");
}

Test(fen, contradictions)
{
    BAD("********/*******O/O*O@@@*O w m s 3 0 3 0 0 0 0 0 0 0 0 0 1",
        "field 5, column 34, '3': field 1 has 4 men of White");
    BAD("********/*******O/O*O@@@*O w m s 4 0 4 0 0 0 0 0 0 0 0 0 1",
        "field 7, column 38, '4': field 1 has 3 men of Black");
    BAD("********/*******O/O*O@@@*O w p s 4 0 3 0 0 0 0 0 0 0 0 0 1",
        "field 3, column 30, 'p': the phase is p, but no side has men in hand");
    BAD("********/*******O/O*O@@@*O w m s 4 1 3 0 0 0 0 0 0 0 0 0 1",
        "field 3, column 30, 'm': the phase is m, but the side to move has men in hand");
    BAD("********/*******O/O*O@@@*O w r s 4 0 3 0 0 0 0 0 0 0 0 0 1",
        "field 3, column 30, 'r': the phase is r, but men stand on the board");
    BAD("********/*******O/O*O@@@*O w p s 4 1 3 1 0 0 0 0 0 0 0 0 1",
        "field 4, column 32, 's': the action is s, but the side to move has men in hand and "
        "must "
        "place one");
    BAD("********/*******O/O*O@@@*O b m r 4 0 3 0 0 0 0 0 0 0 0 0 1",
        "field 10, column 44, '0': the action is r, but no removal is owed");
    BAD("********/*******O/O*O@@@*O b m s 4 0 3 0 0 1 0 0 0 0 0 0 1",
        "field 4, column 32, 's': a removal is owed, so the action is r");
    BAD("********/*******O/O*O@@@*O b m r 4 0 3 0 1 1 0 0 0 0 0 0 1",
        "field 9, column 42, '1': only the side to move can owe a removal");
    expect_refused(
        "********/*******O/O*O@@@*O w m r 4 0 3 0 1 0 0 0 0 0 0 0 1", STATUS_ILLEGAL,
        "FEN, field 9, column 42, '1': illegal: a removal is due, but the mover has no mill on "
        "the board");
    expect_refused(
        "********/********/O*****OO w m s 3 0 0 0 0 0 0 0 0 0 0 0 1", STATUS_ILLEGAL,
        "FEN, field 1, column 1, '********/********/O*****OO': illegal: the game was over "
        "before: the side not to move has fewer than 3 men on the board and in hand "
        "(0)");
    expect_refused(
        "********/*******O/O*O@@@*O w p p 4 24 3 0 0 0 0 0 0 0 0 0 1", STATUS_ILLEGAL,
        "FEN, field 6, column 36, '24': illegal: White has 28 men, more than the board has "
        "points (24)");
}

Test(fen, only_on_boards_of_24_points)
{
    struct error err;
    char text[FEN_TEXT_BYTES];
    const struct rules *rules = rules_of("six");
    struct position pos = merels_position_start(&the_start);
    cr_expect_eq(merels_position_format_fen(rules, &pos, false, text, &err),
                 STATUS_UNSUPPORTED);
    cr_expect_eq(merels_position_parse(rules, &the_start, FEN_START, &pos, &err),
                 STATUS_BAD_INPUT);
    cut_example(rules, NULL, &err);
    cr_expect_str_eq(err.text, "FEN: the form is for boards of 24 points, and this one has 16");
}

// ---- text in = text out --------------------------------------------------------------------

Test(forms, random_positions_survive_every_form, .timeout = 120)
{
    struct random random = {11};
    for (int i = 0; i < 3000; i++) {
        char options[256], text[POSITION_TEXT_BYTES];
        const struct rules *rules = i % 30 == 0 ? random_rules(&random, options) : &the_rules;
        struct position pos = random_position(&random, rules), read;
        merels_position_format(rules, &pos, text);
        read = position_of(rules, text);
        cr_assert(same(&pos, &read), "%s", text);
        if (rules->board.n_points != 24)
            continue;
        read = position_of(rules, fen_of(rules, &pos));
        cr_assert(same(&pos, &read), "%s: %s", text, fen_of(rules, &pos));
        cr_assert_str_eq(fen_of(rules, &read), fen_of(rules, &pos));
    }
}

// Appends a ply, glued or, by chance, its removals as tokens of their own, some in upper case.
static char *put_ply(struct random *random, const struct rules *rules, struct ply ply,
                     char *out)
{
    char text[PLY_TEXT_BYTES];
    merels_ply_format(rules, ply, text);
    bool split = random_below(random, 2) == 0, upper = random_below(random, 4) == 0;
    *out++ = ' ';
    for (const char *c = text; *c != '\0'; c++) {
        if (split && *c == 'x' && c > text)
            *out++ = ' ';
        *out++ = (char)(upper && *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    }
    *out = '\0';
    return out;
}

enum { GAME_PLIES = 60 };

struct game {
    int n;
    struct ply plies[GAME_PLIES];
    struct position end;
    char text[POSITION_TEXT_BYTES + 8 + GAME_PLIES * 2 * PLY_TEXT_BYTES];
};

static void play_randomly(struct random *random, const struct rules *rules, bool from_start,
                          struct game *game)
{
    static struct ply plies[MAX_PLIES];
    char *out = game->text;
    struct position start = merels_position_start(&the_start);
    from_start = from_start && merels_position_check(rules, &start, NULL) == STATUS_OK;
    game->end = from_start ? start : random_position(random, rules);
    if (from_start)
        out = stpcpy(out, "startpos");
    else
        out += merels_position_format(rules, &game->end, out);
    out = stpcpy(out, " moves");
    for (game->n = 0; game->n < GAME_PLIES; game->n++) {
        int n_plies = merels_plies(rules, &game->end, plies);
        if (n_plies == 0)
            return;
        struct ply ply = plies[random_below(random, n_plies)];
        game->plies[game->n] = ply;
        out = put_ply(random, rules, ply, out);
        game->end = merels_play(rules, &game->end, ply);
    }
}

static void expect_game(const struct rules *rules, const struct game *game)
{
    struct game_reader reader;
    struct error err;
    bool read;
    cr_assert(merels_game_is(game->text));
    cr_assert_eq(merels_game_begin(rules, &the_start, game->text, 0, &reader, &err), STATUS_OK,
                 "%s: %s", game->text, err.text);
    for (int i = 0; i <= game->n; i++) {
        struct ply ply;
        cr_assert_eq(merels_game_next(rules, &reader, &ply, &read, &err), STATUS_OK, "%s: %s",
                     game->text, err.text);
        cr_assert_eq(read, i < game->n, "ply %d of %s", i, game->text);
        if (read)
            cr_assert_eq(memcmp(ply.removed, game->plies[i].removed, ply.n_removed), 0);
        if (read)
            cr_assert(ply.from == game->plies[i].from && ply.to == game->plies[i].to &&
                      ply.n_removed == game->plies[i].n_removed);
    }
    struct position whole = position_of(rules, game->text);
    cr_assert(same(&reader.pos, &game->end) && same(&whole, &game->end), "%s", game->text);
}

Test(forms, random_games_are_read_turn_by_turn, .timeout = 120)
{
    struct random random = {12};
    static struct game game;
    for (int i = 0; i < 400; i++) {
        char options[256];
        const struct rules *rules =
            i % 2 == 0 ? rules_of("nine") : random_rules(&random, options);
        play_randomly(&random, rules, i % 4 < 2, &game);
        expect_game(rules, &game);
    }
}

Test(forms, an_unfinished_turn_is_the_last)
{
    const struct rules *rules = rules_of("nine");
    struct game_reader game;
    struct ply ply;
    bool read;
    const char *text = P1 " moves g4-g7";
    cr_assert_eq(merels_game_begin(rules, NULL, text, 0, &game, NULL), STATUS_OK);
    cr_assert_eq(merels_game_next(rules, &game, &ply, &read, NULL), STATUS_OK);
    cr_expect(read && game.pos.due == 1 && ply.n_removed == 0);
    const struct position middle = game.pos;
    game = merels_game_continue(rules, &middle, "xa1");
    cr_assert_eq(merels_game_next(rules, &game, &ply, &read, NULL), STATUS_OK);
    cr_expect(read && game.pos.due == 0 && ply.n_removed == 1 && ply.to == -1);
    cr_assert_eq(merels_game_next(rules, &game, &ply, &read, NULL), STATUS_OK);
    cr_expect(!read);
    expect_refused(
        "moves d6", STATUS_BAD_INPUT,
        "game form, column 1, nothing there: no position of at most 1023 bytes stands "
        "in front");
    expect_refused(
        P1 " moves g4-g6", STATUS_BAD_INPUT,
        "game form, ply 1, column 37, 'g6': no such point on this board of 24 points");
}

// Damaged texts are refused or mean a legal position; nothing crashes.
Test(forms, damaged_texts, .timeout = 120)
{
    static const char *const texts[] = {P1,
                                        P1_FEN,
                                        FEN_START,
                                        P1 " moves g4-g7xa1",
                                        "startpos moves d6 f4 f6 f2 b6 xf4 d7",
                                        ("b! " P1)};
    static const char letters[] = "O@*/wbxprmos!-, 0192agADdm\t\x80\x7f";
    struct random random = {13};
    const struct rules *rules = rules_of("nine");
    for (int i = 0; i < 60000; i++) {
        char text[256];
        struct position pos;
        struct error err = {.text = ""};
        strcpy(text, texts[random_below(&random, sizeof texts / sizeof texts[0])]);
        for (int k = random_below(&random, 4); k >= 0; k--)
            text[random_below(&random, (int)strlen(text))] =
                letters[random_below(&random, sizeof letters - 1)];
        if (random_below(&random, 4) == 0)
            text[random_below(&random, (int)strlen(text))] = '\0';
        if (merels_position_parse(rules, &the_start, text, &pos, &err) == STATUS_OK)
            cr_assert_eq(merels_position_check(rules, &pos, NULL), STATUS_OK, "%s", text);
        else
            cr_assert_gt(strlen(err.text), 0, "%s", text);
    }
}
