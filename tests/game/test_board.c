// test_board.c: points, edges, mills and symmetry groups of the five boards.

#include "tests/game/game_help.h"

static struct board board;

static int n_edges(void)
{
    int n = 0;
    for (int p = 0; p < board.n_points; p++)
        n += bit_count(board.neighbours[p]);
    return n / 2;
}

Test(board, counts_of_points_edges_mills_and_symmetries)
{
    static const struct {
        enum board_kind kind;
        int n_points, n_edges, n_mills, n_symmetries;
    } expected[] = {
        {BOARD_THREE, 9, 16, 8, 8},
        {BOARD_SIX, 16, 20, 8, 16},
        {BOARD_SEVEN, 17, 24, 14, 8},
        {BOARD_NINE, 24, 32, 16, 16},
        {BOARD_NINE_DIAGONAL, 24, 40, 20, 16},
    };
    for (int i = 0; i < 5; i++) {
        merels_board_init(&board, expected[i].kind);
        cr_expect_eq(board.n_points, expected[i].n_points);
        cr_expect_eq(n_edges(), expected[i].n_edges);
        cr_expect_eq(board.n_mills, expected[i].n_mills);
        cr_expect_eq(board.n_symmetries, expected[i].n_symmetries);
    }
}

// What must hold of one symmetry: a permutation that keeps edges and mills, and its inverse.
static void check_symmetry(int s)
{
    const uint8_t *image = board.symmetry[s];
    cr_expect_eq(board_image(&board, s, board.points), board.points);
    for (int p = 0; p < board.n_points; p++) {
        cr_expect_eq(board_image(&board, s, (point_set)1 << p), (point_set)1 << image[p]);
        cr_expect_eq(board_image(&board, s, board.neighbours[p]), board.neighbours[image[p]]);
        cr_expect_eq(board.symmetry[board.inverse[s]][image[p]], p);
        cr_expect(s != 0 || image[p] == p, "symmetry 0 is the identity");
    }
    for (int m = 0; m < board.n_mills; m++) {
        point_set mill = board_image(&board, s, board.mills[m]);
        cr_expect_eq(merels_board_mill_men(&board, mill), mill);
    }
}

Test(board, symmetries_keep_edges_and_mills)
{
    for (int kind = BOARD_THREE; kind <= BOARD_NINE_DIAGONAL; kind++) {
        merels_board_init(&board, (enum board_kind)kind);
        for (int s = 0; s < board.n_symmetries; s++)
            check_symmetry(s);
    }
}

// True if some symmetry takes the first set to the second.
static bool alike(const char *from, const char *to)
{
    for (int s = 0; s < board.n_symmetries; s++)
        if (board_image(&board, s, set_of(&board, from)) == set_of(&board, to))
            return true;
    return false;
}

Test(board, outer_and_inner_ring_change_places_but_not_the_middle_ring)
{
    merels_board_init(&board, BOARD_NINE);
    cr_expect(alike("a7 d7 g7", "c5 d5 e5"));
    cr_expect(alike("a7 g4 b2", "c5 e4 b2"));
    cr_expect_not(alike("a7 d7 g7", "b6 d6 f6"));
    cr_expect_not(alike("d7", "d6"));
}

// Orbits of one side's sets of n men; the numbers of shared/design.md, section 3.
Test(board, orbits_of_sets)
{
    static const int expected[] = {1, 4, 30, 158, 757, 2830, 8774};
    merels_board_init(&board, BOARD_NINE);
    int n_orbits[25] = {0};
    for (point_set set = 0; set < (point_set)1 << 24; set++) {
        if (bit_count(set) > 6)
            continue;
        bool first = true;
        for (int s = 1; s < board.n_symmetries && first; s++)
            first = board_image(&board, s, set) >= set;
        n_orbits[bit_count(set)] += first;
    }
    for (int n = 0; n <= 6; n++)
        cr_expect_eq(n_orbits[n], expected[n], "%d men: %d", n, n_orbits[n]);
}

Test(board, names_in_either_case)
{
    merels_board_init(&board, BOARD_NINE);
    cr_expect_eq(merels_board_point(&board, "a7"), 0);
    cr_expect_eq(merels_board_point(&board, "C4"), 23);
    cr_expect_eq(merels_board_point(&board, "d4"), -1);
    cr_expect_eq(merels_board_point(&board, "a"), -1);
    merels_board_init(&board, BOARD_SEVEN);
    cr_expect_eq(merels_board_point(&board, "c3"), 16);
    merels_board_init(&board, BOARD_SIX);
    cr_expect_eq(merels_board_point(&board, "c3"), -1);
}

Test(board, neighbours_of_single_points)
{
    merels_board_init(&board, BOARD_NINE);
    cr_expect_eq(board.neighbours[0], set_of(&board, "a4 d7"));
    cr_expect_eq(board.neighbours[9], set_of(&board, "b6 f6 d7 d5"));
    merels_board_init(&board, BOARD_NINE_DIAGONAL);
    cr_expect_eq(board.neighbours[0], set_of(&board, "a4 d7 b6"));
    merels_board_init(&board, BOARD_SEVEN);
    cr_expect_eq(board.neighbours[16], set_of(&board, "c4 d3 c2 b3"));
    merels_board_init(&board, BOARD_THREE);
    cr_expect_eq(board.neighbours[0], set_of(&board, "b3 a2 b2"));
    cr_expect_eq(board.neighbours[1], set_of(&board, "a3 c3 b2"));
}

Test(board, mills_closed_and_men_in_mills)
{
    merels_board_init(&board, BOARD_NINE);
    int d7 = merels_board_point(&board, "d7");
    point_set men = set_of(&board, "a7 g7 d6 d5");
    cr_expect_eq(merels_board_mills_closed(&board, men, d7), 2);
    cr_expect(board_closes_mill(&board, men, d7));
    cr_expect_not(board_closes_mill(&board, men & ~set_of(&board, "a7 d6"), d7));
    cr_expect_eq(merels_board_mill_men(&board, men), 0);
    cr_expect_eq(merels_board_mill_men(&board, set_of(&board, "a7 d7 g7 d6 b6")),
                 set_of(&board, "a7 d7 g7"));
    merels_board_init(&board, BOARD_SEVEN);
    men = board.points & ~set_of(&board, "c3");
    cr_expect_eq(merels_board_mills_closed(&board, men, 16), 6);
}
