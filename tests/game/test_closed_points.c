// test_closed_points.c: plies and texts where points of removed men are closed.

#include "tests/game/game_help.h"

static const char *const nine = "nine,closed-points";

// White closes the top line and takes d1: that point is closed, for both, until the last man is
// placed.
Test(closed_points, a_game)
{
    const struct rules *rules = rules_of(nine);
    cr_expect_str_eq(after(rules, "w a7,d7 d1,f2 7/7", "g7xd1"), "b a7,d7,g7 f2 6/7 xd1");
    cr_expect_str_eq(after(rules, "b a7,d7,g7 f2 6/7 xd1", "d2"), "w a7,d7,g7 f2,d2 6/6 xd1");
    cr_expect_not(is_legal(rules, "b a7,d7,g7 f2 6/7 xd1", "d1"), "closed");
    cr_expect_not(is_legal(rules, "w a7,d7,g7 f2,d2 6/6 xd1", "d1"), "closed");
    cr_expect_str_eq(after(rules, "w! a7,d7,g7 d1,f2 6/7 xa1", "xf2"),
                     "b a7,d7,g7 d1 6/7 xa1,f2");
    cr_expect_str_eq(after(rules, "b a7,d7,g7 f2,f4 0/1 xd1,a1", "c3"),
                     "w a7,d7,g7 f4,f2,c3 0/0");
    cr_expect_str_eq(after(rules, "b a7,d7,g4 f2,f4 0/1 xd1,a1", "f6xa7"),
                     "w d7,g4 f6,f4,f2 0/0");
    rules = rules_of("nine");
    cr_expect_str_eq(after(rules, "w a7,d7 d1,f2 7/7", "g7xd1"), "b a7,d7,g7 f2 6/7");
}

// A side without men in hand moves while the other one places: not to a closed point, nor does
// it fly there, and what it takes is closed, too.
Test(closed_points, moving_while_the_other_side_places)
{
    const struct rules *rules = rules_of(nine);
    cr_expect_not(is_legal(rules, "w a7,b6,c5 f4,f2,d1 0/2 xd7", "a7-d7"));
    cr_expect(is_legal(rules, "w a7,b6,c5 f4,f2,d1 0/2 xd7", "a7-a4"));
    cr_expect_not(is_legal(rules, "w a7,b6,c5 f4,f2,d1 0/2 xd3", "a7-d3"), "flying");
    cr_expect_str_eq(after(rules, "w a4,d7,g7,b2 f4,f2,d1 0/2 xd3", "a4-a7xf4"),
                     "b a7,d7,g7,b2 d1,f2 0/2 xf4,d3");
}

static void refused(const char *rules_text, const char *text, const char *reason)
{
    struct error err;
    struct position pos;
    const struct rules *rules = rules_of(rules_text);
    cr_expect_neq(merels_position_parse(rules, NULL, text, &pos, &err), STATUS_OK, "%s", text);
    cr_expect_not_null(strstr(err.text, reason), "%s: %s", text, err.text);
}

Test(closed_points, texts)
{
    const struct rules *rules = rules_of(nine);
    char text[POSITION_TEXT_BYTES], fen[FEN_TEXT_BYTES];
    struct position pos = position_of(rules, "W a7,d7 d1,f2 6/6 XG7,A1"), again;
    merels_position_format(rules, &pos, text);
    cr_expect_str_eq(text, "w a7,d7 d1,f2 6/6 xg7,a1");
    cr_assert_eq(merels_position_format_fen(rules, &pos, false, fen, NULL), STATUS_OK);
    cr_expect_str_eq(fen, "********/***@****/OX**@X*O w p p 2 6 2 6 0 0 0 0 0 0 0 0 1");
    cr_assert_eq(merels_position_parse(rules, NULL, fen, &again, NULL), STATUS_OK);
    cr_expect_eq(again.closed, pos.closed);
    cr_expect_eq(again.own, pos.own);
    refused("nine", "w a7,d7 d1,f2 6/6 xg7",
            "a point is closed, which these rules do not know");
    refused(nine, "w a7,d7,b2 d1,f2,f4 0/0 xg7",
            "column 25, 'xg7': illegal: a point is closed, though");
    refused(nine, "w a7,d7 d1,f2 6/6 xd7", "column 20, 'd7': a man stands on this point");
    refused(nine, "w a7,d7 d1,f2 6/6 xg7,g7", "column 23, 'g7': the point is named twice");
    refused(nine, "w a7,d7 d1,f2 6/6 xz9", "column 20, 'z9': no such point");
    refused(nine, "w a7,d7 d1,f2 6/6 x", "a point is missing");
    refused(nine, "w a7,d7 d1,f2 6/6 xg7 xa1", "one field too many");
}

// The form of sides does not say which points are closed: it is read where none can be.
Test(closed_points, the_form_of_sides)
{
    struct error err;
    struct position pos;
    const struct start start = {9, 9};
    const struct rules *rules = rules_of(nine);
    cr_expect_eq(merels_position_parse(rules, &start, "w:wa7,d7:bd1,f2:3", &pos, &err),
                 STATUS_OK);
    cr_expect_eq(merels_position_parse(rules, &start, "b:wa7,d7,g7:bf2:3", &pos, &err),
                 STATUS_BAD_INPUT);
    cr_expect_not_null(strstr(err.text, "does not say which points are closed"), "%s",
                       err.text);
}
