// test_values.c: every value of small tables against the naive solver of tests/reference, and
// the values of the 24-point board against its plies.

#include "tests/solver/whole_games.h"

static const struct start three_men = {3, 3}, four_men = {4, 4}, four_three = {4, 3},
                          five_four = {5, 4}, five_three = {5, 3};

Test(values, sixteen_points_sliding, .timeout = 300)
{
    check_rules("six", MERELS_SHORT_TESTS ? three_men : four_men, true);
    check_rules("six,blocked=draws", MERELS_SHORT_TESTS ? three_men : four_three, true);
    check_rules("six,mill-men=removable", MERELS_SHORT_TESTS ? three_men : four_three, true);
}

Test(values, sixteen_points_flying, .timeout = 300)
{
    check_rules("six-fly", MERELS_SHORT_TESTS ? three_men : four_three, true);
    if (!MERELS_SHORT_TESTS)
        check_rules("six,fly=4,mill-men=removable,blocked=draws", four_three, true);
}

Test(values, seventeen_points, .timeout = 300)
{
    check_rules("seven", MERELS_SHORT_TESTS ? three_men : four_three, true);
}

// Rows of less than a word of columns, and crowded boards, up to the full one.
Test(values, nine_points, .timeout = 300)
{
    check_rules("three,mill=removes", four_three, true);
    check_rules("three-fly,mill=removes", four_men, true);
    check_rules("three,mill=removes", (struct start){5, 4}, true);
    check_rules("three,mill=removes,blocked=draws,full-board=mover-loses", (struct start){5, 4},
                true);
}

Test(values, nofly_with_24_points, .timeout = 300, .disabled = MERELS_SHORT_TESTS)
{
    check_rules("nine-nofly", three_men, true);
}

Test(values, diagonals, .timeout = 300, .disabled = MERELS_SHORT_TESTS)
{
    check_rules("twelve-nofly", three_men, true);
}

Test(values, whole_games, .timeout = 300)
{
    check_rules("three,mill=removes", four_men, false);
    check_rules("six,mill-men=removable", three_men, false);
    check_rules("six-fly", three_men, false);
}

// One side slides while the other still places.
Test(values, unequal_starts, .timeout = 300)
{
    check_rules("three,mill=removes", (struct start){3, 4}, false);
    check_rules("three,mill=removes", (struct start){5, 3}, false);
    check_rules("three-fly,mill=removes,blocked=draws", (struct start){3, 5}, false);
    if (!MERELS_SHORT_TESTS)
        check_rules("six", (struct start){3, 4}, false);
}

// Units with men in hand whose moves stay and whose placements leave, flying with men in hand.
Test(values, place_or_move, .timeout = 300)
{
    check_rules("three,mill=removes,turn=place-or-move", three_men, false);
    check_rules("three,mill=removes,turn=place-or-move,fly=3,fly-count=total", four_men, false);
    if (!MERELS_SHORT_TESTS)
        check_rules("six,turn=place-or-move", three_men, false);
}

// Lasker's game of three men: flying with men in hand on the board of 24 points.
Test(values, lasker, .timeout = 600, .disabled = MERELS_SHORT_TESTS)
{
    check_rules("lasker", three_men, false);
}

// Where all men stand in mills a mill takes none, and the ply that closes it stays in the unit.
Test(values, men_in_mills_are_safe, .timeout = 300)
{
    check_rules("three,mill=removes,mill-men=safe", four_men, false);
    check_rules("three,mill=removes,mill-men=safe,turn=place-or-move,fly=3", four_three, false);
    check_rules("six,mill-men=safe", three_men, false);
}

// One removal for each mill closed, and none after the end of the game.
Test(values, a_removal_for_each_mill, .timeout = 300)
{
    check_rules("three,mill=removes,removals=each", five_four, false);
    check_rules("three,mill=removes,removals=each,mill-men=safe,least=2", five_four, false);
    check_rules("three,mill=removes,removals=each,mill-men=removable,fly=3,chooser=opponent",
                five_four, false);
    if (!MERELS_SHORT_TESTS)
        check_rules("seven,removals=each,least=2", five_three, true);
}

// The side not to move has a mill: lost, in the middle of the game and on a full board.
Test(values, a_mill_wins, .timeout = 300)
{
    check_rules("three", three_men, false);
    check_rules("three,fly=3,blocked=draws,turn=place-or-move", three_men, false);
    check_rules("three,full-board=mover-loses", five_four, false);
    if (!MERELS_SHORT_TESTS)
        check_rules("six,mill=wins", four_men, false);
}

Test(values, the_other_side_chooses, .timeout = 300)
{
    check_rules("three,mill=removes,chooser=opponent", four_men, false);
    check_rules("three,mill=removes,chooser=opponent,mill-men=removable,fly=3", four_men,
                false);
    if (!MERELS_SHORT_TESTS)
        check_rules("six,chooser=opponent", four_three, false);
}

// A pass leads to the same sets seen from the other side, in the unit and out of it.
Test(values, the_blocked_pass, .timeout = 300)
{
    check_rules("three,mill=removes,blocked=passes", four_men, false);
    check_rules("three,mill=removes,blocked=passes,least=1", (struct start){3, 5}, false);
    check_rules("three,mill=removes,blocked=passes,least=0", (struct start){2, 5}, false);
    check_rules("three,blocked=passes", four_men, false);
    if (!MERELS_SHORT_TESTS)
        check_rules("six,blocked=passes", (struct start){3, 5}, true);
}

// ---- the board of nine -------------------------------------------------------------------

// All images of a position share one value: every slot that holds it.
static void check_images(const struct table_values *t, const struct board *board,
                         struct subspace s, uint64_t step)
{
    uint64_t n_slots = merels_table_header(table_of(t->base, s))->n_slots;
    for (uint64_t slot = 0; slot < n_slots; slot += step) {
        struct index *index = merels_tablebase_index(t->base);
        struct position pos;
        uint64_t place;
        OK(merels_index_unrank(index, s, slot, &pos, &test_error));
        for (int i = 0; i < board->n_symmetries; i++) {
            struct position image = {.own = board_image(board, i, pos.own),
                                     .other = board_image(board, i, pos.other)};
            OK(merels_index_rank(index, &image, &place, &test_error));
            cr_assert_eq(t->plies[s.a][s.b][place], t->plies[s.a][s.b][slot]);
        }
    }
}

Test(values, nine_follows_from_its_plies, .timeout = 300)
{
    static const struct subspace list[] = {
        {3, 3, 0, 0}, {3, 4, 0, 0}, {4, 3, 0, 0}, {4, 4, 0, 0}};
    static const uint64_t steps[] = {1, 17, 17, 67};
    char *dir = make_dir("merels-values");
    struct rules *rules = make_rules("nine");
    const struct solve_options options = moving(dir, 8);
    solve(rules, four_men, &options);
    copy_rules(rules);
    struct table_values t = {.base = open_base(dir, rules)};
    for (int k = 0; k < 4; k++)
        t.plies[list[k].a][list[k].b] = read_plies(t.base, list[k]);
    for (int k = 0; k < 4; k++) {
        check_by_plies(&t, list[k], steps[k] * (MERELS_SHORT_TESTS ? 101 : 1));
        check_images(&t, &rules->board, list[k], MERELS_SHORT_TESTS ? 501 : 5);
    }
    for (int k = 0; k < 4; k++)
        free(t.plies[list[k].a][list[k].b]);
    merels_tablebase_close(t.base);
    free(rules);
    remove_dir(dir);
}
