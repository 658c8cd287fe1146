// test_moves.c: plies of single positions, playing them, and steps back.

#include "tests/game/game_help.h"

static int n_removing(const struct rules *rules, const char *text)
{
    struct ply plies[MAX_PLIES];
    int n = plies_of(rules, text, plies), n_removing = 0;
    for (int i = 0; i < n; i++)
        n_removing += plies[i].n_removed > 0;
    return n_removing;
}

Test(moves, numbers_of_plies_of_the_checked_positions)
{
    const struct rules *rules = rules_of("nine");
    cr_expect_eq(n_plies_of(rules, P1), 9);
    cr_expect_eq(n_plies_of(rules, P3), 19);
    cr_expect_eq(n_plies_of(rules, P4), 0);
    cr_expect_eq(n_plies_of(rules, P7), 23);
    cr_expect_eq(n_removing(rules, P7), 18);
    cr_expect_eq(n_plies_of(rules, P8), 22);
    cr_expect_eq(n_removing(rules, P8), 0);
}

Test(moves, all_enemy_men_in_mills_may_be_removed)
{
    const struct rules *rules = rules_of("nine");
    cr_expect_eq(n_removing(rules, P1), 3);
    cr_expect(is_legal(rules, P1, "g4-g7xa1"));
    cr_expect(is_legal(rules, P1, "g4-g7xd1"));
    cr_expect(is_legal(rules, P1, "g4-g7xg1"));
    cr_expect_not(is_legal(rules, P1, "g4-g7"));
    const char *won = after(rules, P1, "g4-g7xd1");
    cr_expect_str_eq(won, "b a7,d7,g7,b6 g1,a1 0/0");
    cr_expect_eq(value_of(rules, won), -1, "Black has two men: lost for Black, the mover");
    rules = rules_of("nine,mill-men=safe");
    cr_expect_eq(n_removing(rules, P1), 0);
    cr_expect_str_eq(after(rules, P1, "g4-g7"), "b a7,d7,g7,b6 g1,d1,a1 0/0");
}

Test(moves, a_man_outside_mills_goes_first)
{
    const char *text = "w a7,d7,g4 a1,d1,g1,c3 0/0";
    cr_expect(is_legal(rules_of("nine"), text, "g4-g7xc3"));
    cr_expect_not(is_legal(rules_of("nine"), text, "g4-g7xa1"));
    cr_expect(is_legal(rules_of("nine,mill-men=removable"), text, "g4-g7xa1"));
    cr_expect_not(is_legal(rules_of("nine,mill-men=safe"), text, "g4-g7xa1"));
}

Test(moves, two_mills_at_once_remove_one_man)
{
    const struct rules *rules = rules_of("nine");
    cr_expect_eq(n_removing(rules, P3), 4);
    cr_expect_str_eq(after(rules, P3, "d7xf4"), "b a7,d7,g7,d6,d5 a1,b2,c3 4/5");
    cr_expect_not(is_legal(rules, P3, "d7xf4xa1"));
    rules = rules_of("nine,removals=each");
    cr_expect_eq(n_removing(rules, P3), 6);
    cr_expect_str_eq(after(rules, P3, "d7xf4xa1"), "b a7,d7,g7,d6,d5 b2,c3 4/5");
    cr_expect_not(is_legal(rules, P3, "d7xf4"));
}

Test(moves, each_removal_is_judged_on_the_board_then)
{
    const char *text = "w a7,g7,d6,d5 a1,d1,g1,c3 1/0";
    const struct rules *rules = rules_of("nine,removals=each");
    cr_expect_eq(n_removing(rules, text), 3, "c3 first, then any of the mill");
    cr_expect(is_legal(rules, text, "d7xc3xa1"));
    cr_expect(is_legal(rules, text, "d7xa1xc3"), "a set of men, whatever the order");
    cr_expect_not(is_legal(rules, text, "d7xa1xd1"));
    rules = rules_of("nine,removals=each,mill-men=safe");
    cr_expect_eq(n_removing(rules, text), 1);
    cr_expect(is_legal(rules, text, "d7xc3"), "then all are safe");
    rules = rules_of("nine,removals=each");
    cr_expect(is_legal(rules, "w a7,g7,d6,d5 c3 1/3", "d7xc3"), "there is no second man");
}

// A removal that leaves the other side too few men ends the game: no further one is asked for.
Test(moves, no_removal_after_the_end)
{
    const struct rules *rules = rules_of("nine,removals=each");
    const char *text = "w a7,g7,d6,d5 a1,b2,c3 1/0";
    cr_expect_eq(n_removing(rules, text), 3, "one man each");
    cr_expect(is_legal(rules, text, "d7xa1"));
    cr_expect_not(is_legal(rules, text, "d7xa1xb2"));
    cr_expect_str_eq(after(rules, "w! a7,d7,g7,d6,d5 a1,b2,c3 0/0", "xb2"),
                     "b a7,d7,g7,d6,d5 a1,c3 0/0");
    struct position pos = position_of(rules, text);
    pos = merels_step(rules, &pos, -1, merels_board_point(&rules->board, "d7"));
    cr_expect_eq(pos.due, 1, "two mills, one removal");
    cr_expect_eq(n_removing(rules, "w a7,g7,d6,d5 a1,b2,c3 1/1"), 3, "two of three");
    cr_expect_eq(n_removing(rules_of("nine,removals=each,least=2"), text), 3, "two of three");
}

// A slide that closes two mills, on the board with diagonals: from b6 to the corner.
//
//     a7 ---- D7 ---- G7        capitals: men of the mover
//     |  B6
//     A4
//     |
//     A1
Test(moves, a_slide_that_closes_two_mills)
{
    const char *text = "w b6,d7,g7,a4,a1 c5,d5,e3,f2,d1 0/0";
    const struct rules *rules = rules_of("twelve,removals=each");
    cr_expect(is_legal(rules, text, "b6-a7xc5xd5"));
    cr_expect(is_legal(rules, text, "b6-a7xe3xf2"));
    cr_expect_not(is_legal(rules, text, "b6-a7xe3"));
    cr_expect_eq(n_removing(rules, text), 20, "two of five; d7-a7 and a4-a7 close one mill");
    cr_expect_eq(n_removing(rules_of("twelve"), text), 15, "one of five, three times");
}

Test(moves, six_mills_at_once)
{
    const struct rules *rules = rules_of("seven,removals=each");
    const char *text = "w c5,e3,c1,a3,c4,d3,c2,b3 a5,e5,e1,a1,b4,d4,d2 1/2";
    struct ply plies[MAX_PLIES];
    int n = plies_of(rules, text, plies);
    cr_assert_gt(n, 0);
    struct ply centre = plies[n - 1];
    cr_expect_eq(centre.to, merels_board_point(&rules->board, "c3"));
    cr_expect_eq(centre.n_removed, 6);
    char written[PLY_TEXT_BYTES];
    cr_expect_eq(merels_ply_format(rules, centre, written), PLY_TEXT_BYTES - 1 - 3);
}

// The position with the most plies that a search found; moves.h allows 4096.
Test(moves, most_plies)
{
    const struct rules *rules = rules_of("eleven,fly=24,fly-count=total,turn=place-or-move,"
                                         "removals=each,mill-men=removable");
    cr_expect_eq(n_plies_of(rules, "w d7,g7,a4,a1,b6,c5,d1,g4,f2,e3 "
                                   "b4,c4,b2,c3,d2,d3,e4,f4,e5,f6,d6,d5 1/0"),
                 2992);
}

Test(moves, mill_with_the_last_man_placed_still_removes)
{
    const struct rules *rules = rules_of("nine");
    cr_expect_str_eq(after(rules, P7, "a4xe4"),
                     "b a7,d7,a1,a4,b6,f6,d2,e3,c4 g7,g4,d1,f2,b2,c5,d5,c3 0/0");
    cr_expect(
        is_legal(rules, "b a7,d7,a1,a4,b6,f6,d2,e3,c4 g7,g4,d1,f2,b2,c5,d5,c3 0/0", "d5-e5"),
        "then Black moves");
}

Test(moves, nothing_to_remove_ends_the_turn)
{
    const struct rules *rules = rules_of("nine");
    cr_expect_str_eq(after(rules, P8, "g7"), "b a7,d7,g7 - 0/3");
}

Test(moves, blocked_right_after_placing_loses)
{
    const struct rules *rules = rules_of("nine-nofly");
    const char *text = "b d7,g7,g4 a7,d6,g1 0/1";
    const char *blocked = after(rules, text, "f4");
    cr_expect_str_eq(blocked, "w d7,g7,g4 a7,g1,d6,f4 0/0");
    cr_expect_eq(value_of(rules, blocked), -1);
    cr_expect_eq(n_plies_of(rules, blocked), 0);
}

Test(moves, men_in_hand_must_be_placed)
{
    const char *text = "w a7,d7,c3 a1,d1,g1 1/0";
    cr_expect_eq(n_plies_of(rules_of("nine"), text), 18 + 2, "g7 closes a mill: 3 removals");
    cr_expect_not(is_legal(rules_of("nine"), text, "a7-a4"));
    cr_expect(is_legal(rules_of("nine,turn=place-or-move"), text, "a7-a4"));
    cr_expect_not(is_legal(rules_of("nine,turn=place-or-move"), text, "a7-b6"));
}

Test(moves, flying_with_men_in_hand)
{
    const char *text = "w a7,d7 a1,d1,g1 1/0";
    cr_expect(is_legal(rules_of("lasker"), text, "a7-e4"));
    cr_expect_not(is_legal(rules_of("lasker,fly-count=board"), text, "a7-e4"));
    cr_expect_not(is_legal(rules_of("nine"), text, "a7-e4"));
    cr_expect_not(is_legal(rules_of("lasker"), "w a7,d7,b6 a1,d1,g1 1/0", "a7-e4"));
    cr_expect_not(
        is_legal(rules_of("nine,turn=place-or-move"), "w a7,d7,b6 a1,d1,g1 1/0", "a7-e4"));
}

Test(moves, a_mill_wins_at_once)
{
    const struct rules *rules = rules_of("three");
    const char *won = after(rules, "w a1,a2 b1,b2 1/1", "a3");
    cr_expect_str_eq(won, "b a3,a2,a1 b2,b1 0/1");
    cr_expect_eq(value_of(rules, won), -1);
    cr_expect_eq(n_plies_of(rules, won), 0);
}

Test(moves, removals_that_are_due)
{
    const struct rules *rules = rules_of("nine");
    cr_expect_eq(n_plies_of(rules, "w! a7,d7,g7 a1,d1,g1 0/0"), 3);
    cr_expect_eq(n_plies_of(rules, "b! a7,d7,g7,c3 a1,d1,g1 5/5"), 1);
    cr_expect_str_eq(after(rules, "b! a7,d7,g7,c3 a1,d1,g1 5/6", "xc3"),
                     "w a7,d7,g7 g1,d1,a1 5/6");
    rules = rules_of("nine,removals=each");
    cr_expect_eq(n_plies_of(rules, "w!2 a7,d7,g7,d6,d5 a1,b2,c3,f4 0/0"), 6);
    cr_expect_eq(n_plies_of(rules, "w!1 a7,d7,g7,d6,d5 a1,b2 0/1"), 2, "the second of two");
}

Test(moves, order_of_plies)
{
    struct ply plies[MAX_PLIES];
    int n = plies_of(rules_of("lasker,removals=each"), P3, plies);
    for (int i = 1; i < n; i++) {
        struct ply a = plies[i - 1], b = plies[i];
        bool step_before = a.from < b.from || (a.from == b.from && a.to < b.to);
        bool same_step = a.from == b.from && a.to == b.to;
        cr_expect(step_before || (same_step && memcmp(a.removed, b.removed, 2) < 0));
    }
}

// One part after the other gives what the whole ply gives.
static void check_parts(const struct rules *rules, const struct position *pos, struct ply ply)
{
    struct position whole = merels_play(rules, pos, ply), parts = *pos;
    if (ply.to >= 0)
        parts = merels_step(rules, pos, ply.from, ply.to);
    for (int k = 0; k < ply.n_removed; k++)
        parts = merels_remove(rules, &parts, ply.removed[k]);
    cr_expect_eq(parts.own, whole.own);
    cr_expect_eq(parts.other, whole.other);
    cr_expect_eq(parts.own_hand, whole.own_hand);
    cr_expect_eq(parts.other_hand, whole.other_hand);
    cr_expect_eq(parts.due, 0);
    cr_expect_eq(parts.mover, !pos->mover);
}

Test(moves, a_ply_in_parts)
{
    static const char *const all[] = {P1, P3, P4, P7, P8, P9, P10, P11, P12, G10, G14};
    struct ply plies[MAX_PLIES];
    const struct rules *rules = rules_of("nine");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        struct position pos = position_of(rules, all[i]);
        int n = merels_plies(rules, &pos, plies);
        for (int k = 0; k < n; k++)
            check_parts(rules, &pos, plies[k]);
    }
}
