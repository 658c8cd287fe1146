// test_position.c: legality, the end of the game, flying and removable men.

#include "tests/game/game_help.h"

Test(position, start)
{
    const struct start start = {9, 7};
    struct position pos = merels_position_start(&start);
    cr_expect_eq(pos.own | pos.other, 0);
    cr_expect_eq(pos.own_hand, 9);
    cr_expect_eq(pos.other_hand, 7);
    cr_expect_eq(pos.mover, WHITE);
    cr_expect_eq(pos.due, 0);
}

Test(position, checked_positions_are_legal)
{
    static const char *const all[] = {P1, P3, P4, P7, P8, P9, P10, P11, P12, G10, G14};
    const struct rules *rules = rules_of("nine");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct position pos = position_of(rules, all[i]);
        cr_expect_eq(merels_position_check(rules, &pos, NULL), STATUS_OK, "%s", all[i]);
    }
}

static void expect_illegal(const struct rules *rules, struct position pos, const char *reason)
{
    struct error err = {.text = ""};
    cr_expect_eq(merels_position_check(rules, &pos, &err), STATUS_ILLEGAL, "%s", reason);
    cr_expect_neq(strstr(err.text, reason), NULL, "\"%s\", not \"%s\"", err.text, reason);
}

Test(position, illegal_positions)
{
    const struct rules *rules = rules_of("nine");
    expect_illegal(rules, (struct position){.own = 1, .other = 1},
                   "both sides have a man on a7");
    expect_illegal(rules, (struct position){.own = 1u << 24}, "off the board of 24 points");
    expect_illegal(rules, (struct position){.own = 1u << 31, .other = 1u << 31}, "off the");
    expect_illegal(rules, (struct position){.own = 7, .own_hand = 22}, "a side has 25 men");
    expect_illegal(rules, (struct position){.other_hand = 255}, "a side has 255 men");
    expect_illegal(rules, (struct position){.own = 7, .other = 0x18}, "the game was over");
    expect_illegal(rules, (struct position){.own = 3, .other = 0x38, .due = 1}, "no mill");
    expect_illegal(rules, (struct position){.own = 7, .other = 0x38, .due = 2}, "at most 1");
    expect_illegal(rules, (struct position){.own = 7, .other_hand = 9, .due = 1}, "no man may");
    rules = rules_of("nine,removals=each");
    expect_illegal(rules, (struct position){.own = 7, .other = 0x38, .due = 2}, "at most 1");
    rules = rules_of("three");
    expect_illegal(rules, (struct position){.own = 7, .other = 0x38, .due = 1}, "wins at once");
    expect_illegal(rules, (struct position){.own = 7, .other = 0xA8}, "the mover has a mill");
}

Test(position, a_beaten_mover_is_legal_and_lost)
{
    const struct rules *rules = rules_of("nine");
    cr_expect_eq(value_of(rules, "w a7,d7 g7,g4,g1 0/0"), -1);
    cr_expect_eq(value_of(rules, "w a7,d7 g7,g4,g1 1/0"), 9, "men in hand count");
    cr_expect_eq(value_of(rules_of("nine,least=2"), "w a7,d7 g7,g4,g1 0/0"), 9);
    cr_expect_eq(value_of(rules_of("nine,least=4"), "b a7,d7,g1,d1 g7,g4,c3 0/0"), -1);
    rules = rules_of("nine");
    struct position pos = {.own = 7, .other = 0x18};
    int value = 0;
    cr_expect(merels_position_over(rules, &pos, &value));
    cr_expect_eq(value, 1, "the other side is beaten: won for the mover");
}

Test(position, no_ply_loses_or_draws)
{
    cr_expect_eq(value_of(rules_of("nine"), P4), -1);
    cr_expect_eq(value_of(rules_of("nine,blocked=draws"), P4), 0);
    const char *three_men = "w d7,g7,g4 a7,d6,g1,f4 0/0";
    cr_expect_eq(value_of(rules_of("nine"), three_men), 9, "it flies");
    cr_expect_eq(value_of(rules_of("nine-nofly"), three_men), -1);
}

Test(position, full_board)
{
    const char *full =
        "w a7,g7,g1,a1,d6,f4,d2,b4,c5,e5,e3,c3 d7,g4,d1,a4,b6,f6,f2,b2,d5,e4,d3,c4 0/0";
    cr_expect_eq(value_of(rules_of("twelve"), full), 0);
    cr_expect_eq(value_of(rules_of("twelve,full-board=mover-loses"), full), -1);
    cr_expect_eq(value_of(rules_of("twelve,blocked=draws,full-board=mover-loses"), full), -1);
    cr_expect_eq(n_plies_of(rules_of("twelve"), full), 0);
}

Test(position, a_mill_wins_where_it_does)
{
    const struct rules *rules = rules_of("three");
    cr_expect_eq(value_of(rules, "b a1,a2,a3 b1,b2 0/1"), -1);
    cr_expect_eq(value_of(rules, "w a1,a2 b1,b2,b3 1/0"), -1);
    cr_expect_eq(value_of(rules, "w a1,a2 b1,b2 1/1"), 9);
    cr_expect_eq(value_of(rules_of("nine"), "b a7,d7,g7 a4,b4,d1 0/0"), 9);
}

static bool flies(const struct rules *rules, const char *text)
{
    struct position pos = position_of(rules, text);
    return merels_position_flies(rules, &pos);
}

Test(position, flying)
{
    const struct rules *rules = rules_of("nine");
    cr_expect(flies(rules, P9));
    cr_expect_not(flies(rules, P12));
    cr_expect(flies(rules, "b a7,d7,g7,g4 a1,d1,g1 0/0"));
    cr_expect_not(flies(rules, "w a7,d7,g7 a1,d1,g1 1/1"), "not with a man in hand");
    cr_expect_not(flies(rules_of("nine-nofly"), P9));
    cr_expect(flies(rules_of("nine,fly=4"), P12));
    rules = rules_of("lasker");
    cr_expect(flies(rules, "w a7,d7 a1,d1,g1 1/0"));
    cr_expect_not(flies(rules, "w a7,d7,g7 a1,d1,g1 1/0"));
    cr_expect_not(flies(rules_of("lasker,fly-count=board"), "w a7,d7 a1,d1,g1 1/0"));
}

static void expect_removable(const char *rules_text, const char *men, const char *expected)
{
    const struct rules *rules = rules_of(rules_text);
    point_set set = merels_position_removable(rules, set_of(&rules->board, men));
    cr_expect_eq(set, set_of(&rules->board, expected), "%s: %s", rules_text, men);
}

Test(position, removable_men)
{
    expect_removable("nine", "a7,d7,g7,c3", "c3");
    expect_removable("nine", "a7,d7,g7,d6,d5", "a7,d7,g7,d6,d5");
    expect_removable("nine", "a7,d7", "a7,d7");
    expect_removable("nine", "", "");
    expect_removable("nine,mill-men=removable", "a7,d7,g7,c3", "a7,d7,g7,c3");
    expect_removable("nine,mill-men=safe", "a7,d7,g7,c3", "c3");
    expect_removable("nine,mill-men=safe", "a7,d7,g7", "");
}
