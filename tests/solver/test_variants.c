// test_variants.c: every two values of options together, and boards of one's own: all values
// and depths of whole games against the naive solver of tests/reference.

#include "tests/solver/whole_games.h"
#include "tests/support/variants.h"

static void check_variants(int first, int step)
{
    char text[2048];
    for (int k = first; k < N_VARIANTS; k += step)
        if (!MERELS_SHORT_TESTS || variants[k].board == THREE)
            check_game(text_of(k, text));
}

// In four processes.
Test(variants, all_pairs_of_options_1, .timeout = 600)
{
    check_variants(0, 4);
}

Test(variants, all_pairs_of_options_2, .timeout = 600)
{
    check_variants(1, 4);
}

Test(variants, all_pairs_of_options_3, .timeout = 600)
{
    check_variants(2, 4);
}

Test(variants, all_pairs_of_options_4, .timeout = 600)
{
    check_variants(3, 4);
}

Test(variants, the_rows_hold_all_pairs)
{
    enum { N_OF_PLAY = RULE_METRIC }; // the options behind have tests of their own
    static bool seen[N_OF_PLAY + 1][8][N_OF_PLAY + 1][8];
    int n_pairs = 0;
    for (int k = 0; k < N_VARIANTS; k++) {
        char text[2048];
        int values[N_RULE_OPTIONS];
        struct rules *rules = make_rules(text_of(k, text));
        merels_options_get(rules, values);
        values[N_OF_PLAY] = variants[k].board;
        for (int x = 0; x <= N_OF_PLAY; x++)
            for (int y = 0; y < x; y++) {
                n_pairs += !seen[x][values[x]][y][values[y]];
                seen[x][values[x]][y][values[y]] = true;
            }
        free(rules);
    }
    cr_expect_eq(n_pairs, N_PAIRS);
}

// ---- boards of one's own -------------------------------------------------------------------

Test(variants, a_board_with_48_symmetries, .timeout = 300)
{
    char text[2048];
    check_game(own_rules(BOARD_CUBE "men 4\n", "fly=0", text));
    check_game(
        own_rules(BOARD_CUBE "men 3-4\n", "turn=place-or-move,removals=each,least=2", text));
    check_game(own_rules(BOARD_CUBE "men 3\n", "mill=wins,blocked=passes,fly=0", text));
}

// Where both sides are blocked though there are free points.
Test(variants, a_board_of_two_parts, .timeout = 300)
{
    char text[2048];
    check_game(own_rules(BOARD_TWO_PARTS "men 3-2\n", "blocked=passes,fly=0,least=1", text));
    check_game(own_rules(BOARD_TWO_PARTS "men 2\n", "blocked=passes,fly=0,least=0", text));
    check_game(own_rules(BOARD_TWO_PARTS "men 2\n", "blocked=draws,fly=0,least=2", text));
}
