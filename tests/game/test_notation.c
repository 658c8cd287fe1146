// test_notation.c: the text forms of positions and plies, and the errors of reading them.

#include "tests/game/random_positions.h"

// The error of a text that must be refused.
static const char *refusal(const struct rules *rules, const char *text, enum status status)
{
    static struct error err;
    struct position pos = {.own = 0x123};
    err.text[0] = '\0';
    cr_expect_eq(merels_position_parse(rules, &the_start, text, &pos, &err), status, "%s: %s",
                 text, err.text);
    cr_expect_eq(err.status, status);
    cut_example(rules, NULL, &err);
    cr_expect_eq(pos.own, 0x123, "the position is left alone");
    return err.text;
}

static void expect_bad(const char *text, const char *error)
{
    cr_expect_str_eq(refusal(rules_of("nine"), text, STATUS_BAD_INPUT), error);
}

static void expect_illegal(const char *text, const char *error)
{
    cr_expect_str_eq(refusal(rules_of("nine"), text, STATUS_ILLEGAL), error);
}

static void expect_reads_as(const struct rules *rules, const char *text, const char *expected)
{
    struct position pos = position_of(rules, text);
    char written[POSITION_TEXT_BYTES];
    size_t length = merels_position_format(rules, &pos, written);
    cr_expect_str_eq(written, expected, "%s", text);
    cr_expect_eq(length, strlen(expected));
}

Test(notation, short_form)
{
    const struct rules *rules = rules_of("nine");
    struct position pos = position_of(rules, "b a7,d7,c4 g1 3/4");
    cr_expect_eq(pos.other, set_of(&rules->board, "a7 d7 c4"));
    cr_expect_eq(pos.own, set_of(&rules->board, "g1"));
    cr_expect_eq(pos.own_hand, 4);
    cr_expect_eq(pos.other_hand, 3);
    cr_expect_eq(pos.mover, BLACK);
    expect_reads_as(rules, "w - - 9/9", "w - - 9/9");
    expect_reads_as(rules, " W\tD7,A7  -   1/09\n", "w a7,d7 - 1/9");
    expect_reads_as(rules, "B! a1 A7,d7,G7 3/0", "b! a1 a7,d7,g7 3/0");
    expect_reads_as(rules_of("nine,removals=each"), "w!2 a7,d7,g7,d6,d5 a1,a4,b4 0/0",
                    "w!2 a7,d7,g7,d6,d5 a1,a4,b4 0/0");
}

Test(notation, malformed_short_form)
{
    expect_bad("", "position, column 1, end of text: the text is empty");
    expect_bad("  ", "position, column 3, end of text: the text is empty");
    expect_bad("x - - 9/9", "short form, column 1, 'x': the side to move is w or b, w! or b! "
                            "with a removal due");
    expect_bad("white - - 9/9", "short form, column 1, 'white': the side to move is w or b, w! "
                                "or b! with a removal due");
    expect_bad("w", "short form, column 2, end of text: the white men are missing");
    expect_bad("w a7", "short form, column 5, end of text: the black men are missing");
    expect_bad("w a7 - ", "short form, column 8, end of text: the men in hand are missing");
    expect_bad("w - - 9/9 1",
               "short form, column 11, '1': one field too many after side, white "
               "men, black men, hands");
    expect_bad("w a7,d4 - 9/9",
               "short form, column 6, 'd4': no such point on this board of 24 points");
    expect_bad("w a7,d - 9/9",
               "short form, column 6, 'd': no such point on this board of 24 points");
    expect_bad("w a7,d7d6 - 9/9",
               "short form, column 6, 'd7d6': no such point on this board of 24 points");
    expect_bad("w a7,,d7 - 9/9", "short form, column 6, nothing there: a point is missing");
    expect_bad("w a7,d7, - 9/9", "short form, column 9, nothing there: a point is missing");
    expect_bad("w a7,d7,A7 - 9/9", "short form, column 9, 'A7': the point is named twice");
    expect_bad("w a7,d7 g7,d7 9/9",
               "short form, column 12, 'd7': both sides have a man on this point");
    expect_bad("w!0 a7,d7,g7 a1 0/9",
               "short form, column 3, '0': the number of removals due is from 1 to 6");
    expect_bad("w!x a7,d7,g7 a1 0/9",
               "short form, column 3, 'x': the number of removals due is from 1 to 6");
}

Test(notation, wrong_hands)
{
    expect_bad("w - - 9",
               "short form, column 7, '9': the men in hand are white/black, as in 9/9");
    expect_bad("w - - 9/",
               "short form, column 9, end of text: a hand is a number from 0 to 24");
    expect_bad("w - - /9",
               "short form, column 7, nothing there: a hand is a number from 0 to 24");
    expect_bad("w - - 9/-1", "short form, column 9, '-1': a hand is a number from 0 to 24");
    expect_bad("w - - 9/9/9", "short form, column 9, '9/9': a hand is a number from 0 to 24");
    expect_bad("w - - 25/9", "short form, column 7, '25': a hand is a number from 0 to 24");
    expect_bad("w - - 9/4294967305",
               "short form, column 9, '4294967305': a hand is a number from 0 to 24");
    expect_illegal("w - a7,d7 9/23",
                   "short form, column 13, '23': illegal: Black has 25 men, more than "
                   "the board has points (24)");
}

Test(notation, illegal_short_form)
{
    expect_illegal("w! a7,d7,f4 a1,d1,g1 0/0",
                   "short form, column 1, 'w!': illegal: a removal is due, "
                   "but the mover has no mill on the board");
    expect_illegal("b! a7,d7,g7 a1,d1,f4 0/0",
                   "short form, column 1, 'b!': illegal: a removal is due, "
                   "but the mover has no mill on the board");
    expect_illegal("w!2 a7,d7,g7 a1,d1,f4 0/0",
                   "short form, column 1, 'w!2': illegal: 2 removals are "
                   "due, but at most 1 can be");
    expect_illegal("w! a7,d7,g7 - 0/9",
                   "short form, column 1, 'w!': illegal: a removal is due, but no "
                   "man may be removed");
    expect_illegal(
        "w a7,d7,f4 a1,d1 0/0",
        "short form, column 12, 'a1,d1': illegal: the game was over before: the side not to "
        "move has fewer than 3 men on the board and in hand (2)");
    refusal(rules_of("three"), "w a1,a2,a3 b1,b2 0/1", STATUS_ILLEGAL);
}

Test(notation, game_form)
{
    const struct rules *rules = rules_of("nine");
    expect_reads_as(rules, "startpos", "w - - 9/9");
    expect_reads_as(rules, "StartPos moves", "w - - 9/9");
    expect_reads_as(rules, "startpos moves d6 f4 d2", "b d6,d2 f4 7/8");
    expect_reads_as(rules_of("six"), "startpos", "w - - 6/6");
    rules = rules_of("nine");
    const char *removed = "b a7,d7,g7 d1 6/7";
    expect_reads_as(rules, "startpos moves a7 a1 d7 d1 g7xa1", removed);
    expect_reads_as(rules, "startpos moves a7 a1 d7 d1 g7 xa1", removed);
    expect_reads_as(rules, "startpos moves A7 A1 D7 D1 G7 XA1", removed);
    expect_reads_as(rules, "startpos moves a7 a1 d7 d1 g7", "w! a7,d7,g7 d1,a1 6/7");
}

Test(notation, game_form_with_moves_and_several_removals)
{
    const struct rules *rules = rules_of("lasker,removals=each");
    expect_reads_as(rules, "startpos moves a7 a1 a7-d7 a1-d1", "w d7 d1 9/9");
    const char *both = "startpos moves a7 a1 g7 b2 d6 c3 d5 f4 d7";
    char text[160];
    snprintf(text, sizeof text, "%s", both);
    expect_reads_as(rules, text, "w!2 a7,d7,g7,d6,d5 a1,f4,b2,c3 5/6");
    snprintf(text, sizeof text, "%s xa1", both);
    expect_reads_as(rules, text, "w! a7,d7,g7,d6,d5 f4,b2,c3 5/6");
    snprintf(text, sizeof text, "%s xa1 xc3", both);
    expect_reads_as(rules, text, "b a7,d7,g7,d6,d5 f4,b2 5/6");
    snprintf(text, sizeof text, "%sxa1xc3 f2", both);
    expect_reads_as(rules, text, "w a7,d7,g7,d6,d5 f4,f2,b2 5/5");
}

Test(notation, malformed_games)
{
    expect_bad("startpos d6",
               "game form, column 10, 'd6': after startpos comes nothing, or moves and plies");
    expect_bad("startpos moves d6 f9",
               "game form, ply 2, column 19, 'f9': no such point on this board of 24 points");
    expect_bad("startpos moves d6-",
               "game form, ply 1, column 19, end of text: a point is missing");
    expect_bad("startpos moves d6x",
               "game form, ply 1, column 19, end of text: a point is missing");
    expect_bad("startpos moves d6 -",
               "game form, ply 1, column 20, end of text: a point is missing");
    expect_bad("startpos moves - d6", "game form, ply 1, column 16, '-': a ply was expected");
    expect_bad("startpos moves xa1xa1xa1xa1xa1xa1xa1",
               "game form, ply 1, column 35, 'a1': more removals than a ply can have");
    struct position pos;
    cr_expect_eq(merels_position_parse(rules_of("nine"), NULL, "startpos", &pos, NULL),
                 STATUS_BAD_INPUT);
    const struct start absurd = {256 + 9, 9};
    cr_expect_eq(merels_position_parse(&the_rules, &absurd, "startpos", &pos, NULL),
                 STATUS_BAD_INPUT);
}

Test(notation, illegal_games)
{
    expect_illegal("startpos moves d6 d6",
                   "game form, ply 2, column 19, 'd6': illegal: the point is not free");
    expect_illegal("startpos moves d6 f4 d6-d7",
                   "game form, ply 3, column 22, 'd6-d7': illegal: the mover has men in hand "
                   "and must place one");
    expect_illegal("startpos moves d6 xd6",
                   "game form, ply 1, column 20, 'd6': illegal: no removal is due");
    expect_illegal("startpos moves d6xf4",
                   "game form, ply 1, column 19, 'f4': illegal: no removal is due");
    expect_illegal("startpos moves a7 a1 d7 d1 g7 g1",
                   "game form, ply 6, column 31, 'g1': illegal: the mover has closed a mill "
                   "and owes a removal "
                   "first");
    expect_illegal("startpos moves a7 a1 d7 d1 g7xa7",
                   "game form, ply 5, column 31, 'a7': illegal: the other side has no man "
                   "there to remove");
    expect_illegal("startpos moves a7 a1 d7 d1 g7xa1xd1",
                   "game form, ply 5, column 34, 'd1': illegal: no removal is due");
    const struct rules *rules = rules_of("three");
    const char *error = refusal(rules, "startpos moves a1 b1 a2 b2 a3 b3", STATUS_ILLEGAL);
    cr_expect_str_eq(error,
                     "game form, ply 6, column 31, 'b3': illegal: the game is over (mill)");
}

static void expect_no_ply(const struct rules *rules, const char *position, const char *text,
                          enum status status, const char *error)
{
    struct position pos = position_of(rules, position);
    struct error err = {.text = ""};
    struct ply ply;
    cr_expect_eq(merels_ply_parse(rules, &pos, text, &ply, &err), status, "%s", text);
    cut_example(rules, &pos, &err);
    cr_expect_str_eq(err.text, error);
}

Test(notation, plies_that_are_refused)
{
    const struct rules *rules = rules_of("nine");
    expect_no_ply(rules, P1, " ", STATUS_BAD_INPUT,
                  "ply, column 2, end of text: the ply is missing");
    expect_no_ply(rules, P1, "g4-g7xz1", STATUS_BAD_INPUT,
                  "ply, column 7, 'z1': no such point on this board of 24 points");
    expect_no_ply(rules, P1, "a7-a4 b6-b4", STATUS_BAD_INPUT,
                  "ply, column 7, 'b6': one ply was expected, and this begins another");
    expect_no_ply(rules, P1, "g4-g7", STATUS_ILLEGAL,
                  "ply, column 6, end of text: illegal: a mill is closed and the man to remove "
                  "is missing");
    expect_no_ply(rules, P1, "a4", STATUS_ILLEGAL,
                  "ply, column 1, 'a4': illegal: the mover has no man in hand to place");
    expect_no_ply(
        rules, P1, "a7-b4", STATUS_ILLEGAL,
        "ply, column 1, 'a7-b4': illegal: the points are not neighbours, and the mover may not "
        "fly");
    expect_no_ply(rules, P1, "a1-a4", STATUS_ILLEGAL,
                  "ply, column 1, 'a1-a4': illegal: the mover has no man there to move");
    expect_no_ply(rules, P1, "a7-d7", STATUS_ILLEGAL,
                  "ply, column 1, 'a7-d7': illegal: the point it moves to is not free");
    expect_no_ply(rules, P4, "a7-b6", STATUS_ILLEGAL,
                  "ply, column 1, 'a7-b6': illegal: the game is over (blocked)");
    expect_no_ply(
        rules, "w a7,d7,g4 a1,d1,g1,c3 0/0", "g4-g7 xa1", STATUS_ILLEGAL,
        "ply, column 8, 'a1': illegal: the man stands in a mill and may not be removed");
}

Test(notation, positions_and_plies_are_read_as_written)
{
    static struct ply plies[MAX_PLIES];
    struct random random = {23};
    char rules_text[256], text[POSITION_TEXT_BYTES], ply_text[PLY_TEXT_BYTES];
    for (int i = 0; i < 150; i++) {
        const struct rules *rules = random_rules(&random, rules_text);
        struct position pos = random_position(&random, rules);
        merels_position_format(rules, &pos, text);
        expect_reads_as(rules, text, text);
        int n = merels_plies(rules, &pos, plies);
        for (int k = 0; k < n; k += 1 + n / 20) {
            size_t length = merels_ply_format(rules, plies[k], ply_text);
            cr_assert_eq(length, strlen(ply_text));
            struct ply read;
            enum status status = merels_ply_parse(rules, &pos, ply_text, &read, NULL);
            cr_assert_eq(status, STATUS_OK, "%s: %s: %s", rules_text, text, ply_text);
            cr_assert_eq(memcmp(&read, &plies[k], 3 + (size_t)read.n_removed), 0);
        }
    }
}

Test(notation, longest_texts_fit)
{
    const struct rules *rules = rules_of("nine");
    struct position pos = {.own = ~(point_set)0,
                           .other = ~(point_set)0,
                           .own_hand = 255,
                           .other_hand = 255,
                           .due = 255};
    char text[POSITION_TEXT_BYTES], ply_text[PLY_TEXT_BYTES];
    cr_expect_lt(merels_position_format(rules, &pos, text), POSITION_TEXT_BYTES);
    struct ply ply = {.from = 0, .to = 1, .n_removed = 100};
    cr_expect_eq(merels_ply_format(rules, ply, ply_text), PLY_TEXT_BYTES - 1);
}

// Damaged texts are refused or read, and what is read is legal.
Test(notation, damaged_texts_do_no_harm)
{
    static const char *const all[] = {P1, P3, P7, "startpos moves a7 a1 d7 d1 g7 xa1 b6 f4-f2",
                                      "w!2 a7,d7,g7,d6,d5 a1,b2,c3,f4 5/6"};
    struct random random = {29};
    const struct rules *rules = rules_of("lasker,removals=each");
    for (int i = 0; i < 20000; i++) {
        char text[160];
        strcpy(text, all[random_below(&random, 5)]);
        int length = (int)strlen(text);
        for (int k = 1 + random_below(&random, 4); k > 0; k--)
            text[random_below(&random, length)] =
                random_below(&random, 3) == 0 ? (char)random_below(&random, 256)
                                              : "abdg!x-,/ 1479"[random_below(&random, 14)];
        struct position pos;
        struct error err;
        if (merels_position_parse(rules, &the_start, text, &pos, &err) == STATUS_OK)
            cr_assert_eq(merels_position_check(rules, &pos, NULL), STATUS_OK, "%s", text);
        struct ply ply;
        pos = merels_position_start(&the_start);
        (void)!merels_ply_parse(rules, &pos, text, &ply, &err);
    }
}
