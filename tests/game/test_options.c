// test_options.c: for each option of the rules a position where it matters, with the plies that
// are expected.
//
// The boards are drawn, capitals are white men and small letters black ones; White moves.

#include <stdio.h>

#include "tests/game/game_help.h"

// The plies of a position as text, "a1-a4 b2", in the order of the generator.
static const char *all_plies(const char *rules_text, const char *text)
{
    static char list[4096];
    struct ply plies[MAX_PLIES];
    const struct rules *rules = rules_of(rules_text);
    struct position pos = position_of(rules, text);
    int n = merels_plies(rules, &pos, plies);
    cr_assert_eq(merels_count_plies(rules, &pos), n);
    list[0] = '\0';
    for (int k = 0; k < n; k++) {
        char written[PLY_TEXT_BYTES];
        merels_ply_format(rules, plies[k], written);
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", k == 0 ? "" : " ",
                 written);
    }
    return list;
}

static void expect_plies(const char *rules, const char *text, const char *expected)
{
    const char *plies = all_plies(rules, text);
    cr_expect_str_eq(plies, expected, "%s, %s: %s", rules, text, plies);
}

//     A3 -- B3 -- c3      three men, the mover's in a corner of the 3x3 board; a1, b1 and
//      | \   |   / |      c1 are free
//     a2 -- b2 -- C2
//      |   / | \   |
//      .     .     .
Test(options, fly)
{
    const char *text = "w a3,b3,c2 c3,a2,b2 0/0";
    expect_plies("three,mill=removes", text, "c2-c1");
    expect_plies("three,mill=removes,fly=3", text,
                 "a3-a1 a3-b1 a3-c1 b3-a1 b3-b1 b3-c1 c2-a1 c2-b1 c2-c1");
    expect_plies("three,mill=removes,fly=2", text, "c2-c1");
}

//     A3 -- b3 --  .      one man on the board and two in hand
//      | \   |   / |
//     b2  etc.: a2 and b2 black
Test(options, fly_count)
{
    const char *text = "w a3 b3,a2,b2 2/0";
    expect_plies("three,mill=removes,turn=place-or-move,fly=3", text, "c3 c2 a1 b1 c1");
    expect_plies("three,mill=removes,turn=place-or-move,fly=3,fly-count=total", text,
                 "c3 c2 a1 b1 c1 a3-c3 a3-c2 a3-a1 a3-b1 a3-c1");
    expect_plies("three,mill=removes,turn=place-or-move,fly=2,fly-count=total", text,
                 "c3 c2 a1 b1 c1");
}

//     A3 -- B3 --  .      the last white man is placed; on c3 it closes a mill
//      |     |     |
//     a2 -- b2 -- c2      a black mill
//      |     |     |
//     a1     .     .      and a man outside
Test(options, mill_men)
{
    const char *text = "w a3,b3 a2,b2,c2,a1 1/0";
    expect_plies("three,mill=removes", text, "c3xa1 b1 c1");
    expect_plies("three,mill=removes,mill-men=removable", text,
                 "c3xa2 c3xb2 c3xc2 c3xa1 b1 c1");
    text = "w a3,b3 a2,b2,c2 1/0";
    expect_plies("three,mill=removes", text, "c3xa2 c3xb2 c3xc2 a1 b1 c1");
    expect_plies("three,mill=removes,mill-men=safe", text, "c3 a1 b1 c1");
}

//     A3 --  .  -- C3     b3 closes the top line and the one down to b1
//      |     |     |
//      .    B2     .
//      |     |     |
//     a1    B1    c1      and black men on a1, c1, a2
Test(options, removals)
{
    const char *text = "w a3,c3,b2,b1 a1,c1,a2 1/1";
    expect_plies("three,mill=removes", text, "b3xa2 b3xa1 b3xc1 c2");
    expect_plies("three,mill=removes,removals=each", text, "b3xa2xa1 b3xa2xc1 b3xa1xc1 c2");
    // Without the man in hand the first removal ends the game.
    expect_plies("three,mill=removes,removals=each", "w a3,c3,b2,b1 a1,c1,a2 1/0",
                 "b3xa2 b3xa1 b3xc1 c2");
}

//     A3 -- b3 --  .      A3 cannot move; c3, a1, b1 and c1 are free
//      | \   |   / |
//     a2 -- b2 --  .
Test(options, blocked)
{
    const char *text = "w a3 b3,a2,b2 0/0";
    expect_plies("three,mill=removes,least=1", text, "");
    cr_expect_eq(value_of(rules_of("three,mill=removes,least=1"), text), -1);
    cr_expect_eq(value_of(rules_of("three,mill=removes,least=1,blocked=draws"), text), 0);
    expect_plies("three,mill=removes,least=1,blocked=passes", text, "pass");
    const struct rules *rules = rules_of("three,mill=removes,least=1,blocked=passes");
    cr_expect_eq(value_of(rules, text), 9, "the game goes on");
    cr_expect_str_eq(after(rules, text, "PASS"), "b a3 b3,a2,b2 0/0");
    cr_expect_str_eq(after(rules, text, "pass!"), "b a3 b3,a2,b2 0/0", "with a mark");
    cr_expect_str_eq(after(rules, text, "pass?!$3"), "b a3 b3,a2,b2 0/0");
    cr_expect_str_eq(after(rules, "w a3,c1 b3,a2,b2 0/0", "c1-b1?!"), "b a3,b1 b3,a2,b2 0/0");
    cr_expect_not(is_legal(rules, "w a3 b3,a2 0/0", "pass"), "A3-b2 is left");
    struct position pos = position_of(rules, text);
    cr_expect_eq(merels_perft(rules, &pos, 1), 1);
    cr_expect_eq(merels_perft(rules, &pos, 2), 7, "b3-c3, a2-a1, b2 to c3, c2, a1, b1, c1");
    rules = rules_of("three,mill=removes,least=1");
    struct error err;
    struct ply ply;
    pos = position_of(rules, text);
    pos.own |= (point_set)1 << 8; // c1, which can move
    cr_expect_eq(merels_ply_parse(rules, &pos, "pass", &ply, &err), STATUS_ILLEGAL);
    cr_expect_not_null(strstr(err.text, "these rules have no pass (blocked=passes has)"), "%s",
                       err.text);
}

//     a full board of nine men
Test(options, full_board)
{
    const char *text = "w a3,c3,b2,b1 b3,a2,c2,a1,c1 0/0";
    cr_expect_eq(value_of(rules_of("three,mill=removes"), text), 0);
    cr_expect_eq(value_of(rules_of("three,mill=removes,full-board=mover-loses"), text), -1);
    cr_expect_eq(value_of(rules_of("three,mill=removes,blocked=passes"), text), 0,
                 "a full board is judged first: no pass");
    expect_plies("three,mill=removes,blocked=passes", text, "");
}

//     A3 -- b3 --  .      White has a man in hand
//      | \   |   / |
//     a2 --  .  -- C2
//      |   / | \   |
//     a1     .     .
Test(options, turn)
{
    const char *text = "w a3,c2 b3,a2,a1 1/1";
    expect_plies("three,mill=removes", text, "c3 b2 b1 c1");
    expect_plies("three,mill=removes,turn=place-or-move", text,
                 "c3 b2 b1 c1 a3-b2 c2-c3 c2-b2 c2-c1");
}

//     A3 -- B3 --  .      c3 closes a mill: it wins, and nothing is taken
Test(options, mill)
{
    const char *text = "w a3,b3 a2,b2 1/1";
    expect_plies("three", text, "c3 c2 a1 b1 c1");
    cr_expect_eq(value_of(rules_of("three"), after(rules_of("three"), text, "c3")), -1);
    expect_plies("three,mill=removes", text, "c3xa2 c3xb2 c2 a1 b1 c1");
}

//     A3 -- B3 --  .      a man each in hand
Test(options, least)
{
    const struct rules *rules = rules_of("three,mill=removes");
    const char *text = "w a3,b3 a2,b2 1/1";
    cr_expect_eq(value_of(rules, after(rules, text, "c3xa2")), -1, "two men are left");
    rules = rules_of("three,mill=removes,least=2");
    cr_expect_eq(value_of(rules, after(rules, text, "c3xa2")), 9);
}

// Who chooses does not change the plies: every choice is one.
Test(options, chooser)
{
    const char *text = "w a3,b3 a2,b2,c2,a1 1/0";
    expect_plies("three,mill=removes,chooser=opponent", text, "c3xa1 b1 c1");
    expect_plies("three,mill=removes,chooser=opponent,mill-men=removable", text,
                 "c3xa2 c3xb2 c3xc2 c3xa1 b1 c1");
}
