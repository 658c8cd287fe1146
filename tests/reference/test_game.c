// test_game.c: the game layer and the counts of subspaces against the reference: symmetry, the
// end of the game, orbits. (Plies are compared in tests/game/test_moves_reference.c.)

#include <stdlib.h>

#include "game/subspace.h"
#include "tests/game/random_positions.h"
#include "tests/reference/rules.h"

enum { SEED = 4, N_RULES = 40, N_POSITIONS = 50 };

static struct reference_rules reference;

// The set by the names of its points.
static uint32_t set_to(const struct board *board, point_set set)
{
    uint32_t result = 0;
    for (int p = 0; p < board->n_points; p++)
        if (set >> p & 1)
            result |= UINT32_C(1) << reference_point(&reference.board, board->names[p]);
    return result;
}

static struct reference_position position_to(const struct board *board,
                                             const struct position *pos)
{
    return (struct reference_position){
        .own = set_to(board, pos->own),
        .other = set_to(board, pos->other),
        .own_hand = pos->own_hand,
        .other_hand = pos->other_hand,
        .due = pos->due,
    };
}

static void check_over(const struct rules *rules, const struct position *pos, const char *text)
{
    int value = 9, expected;
    struct reference_position twin = position_to(&rules->board, pos);
    bool over = merels_position_over(rules, pos, &value);
    cr_assert_eq(over, reference_over(&reference, &twin, &expected), "%s", text);
    if (over)
        cr_assert_eq(value, expected == REFERENCE_DRAW ? 0 : -1, "%s: %d", text, value);
}

// Every image, also with the colours swapped, has the same reference form and the same perft.
static void check_images(const struct rules *rules, const struct position *pos,
                         const char *text)
{
    const struct board *board = &rules->board;
    struct reference_position twin = position_to(board, pos);
    struct reference_position first = reference_canonical(&reference.board, &twin);
    uint64_t count = merels_perft(rules, pos, 2);
    cr_assert_eq(reference_perft(&reference, &twin, 2), count, "%s", text);
    for (int s = 0; s < board->n_symmetries; s++) {
        struct position image = *pos;
        image.own = board_image(board, s, pos->own);
        image.other = board_image(board, s, pos->other);
        image.mover ^= (uint8_t)(s & 1);
        twin = position_to(board, &image);
        twin = reference_canonical(&reference.board, &twin);
        cr_assert_eq(reference_compare(&twin, &first), 0, "%s, symmetry %d", text, s);
        cr_assert_eq(merels_perft(rules, &image, 2), count, "%s, symmetry %d", text, s);
    }
}

Test(against_reference, images_and_ends)
{
    struct random random = {SEED};
    for (int i = 0; i < N_RULES; i++) {
        char name[256], text[512 + POSITION_TEXT_BYTES];
        // Several removals in one ply have a test of their own; here they only take time.
        const struct rules *rules = random_rules(&random, name);
        the_rules.removals = REMOVALS_ONE;
        reference_rules_copy(&reference, rules);
        cr_assert_eq(rules->board.n_symmetries, reference.board.n_images, "%s", name);
        for (int n = 0; n < N_POSITIONS; n++) {
            char short_form[POSITION_TEXT_BYTES];
            struct position pos = random_position(&random, rules);
            merels_position_format(rules, &pos, short_form);
            snprintf(text, sizeof text, "seed %d, %s, %s", SEED, name, short_form);
            check_over(rules, &pos, text);
            check_images(rules, &pos, text);
        }
    }
}

// Counts the positions that are the first of their images, a men against b.
static uint64_t orbits_by_images(const struct reference_board *board, int a, int b)
{
    uint64_t n_orbits = 0;
    uint32_t n = UINT32_C(1) << board->n_points;
    for (uint32_t own = 0; own < n; own++) {
        if (bit_count(own) != a)
            continue;
        for (uint32_t other = 0; other < n; other++) {
            if (bit_count(other) != b || (own & other) != 0)
                continue;
            struct reference_position pos = {.own = own, .other = other};
            struct reference_position first = reference_canonical(board, &pos);
            n_orbits += reference_compare(&first, &pos) == 0;
        }
    }
    return n_orbits;
}

Test(against_reference, orbits_of_small_subspaces)
{
    static const char *const presets[] = {"three", "six", "seven"};
    for (int i = 0; i < 3; i++) {
        const struct rules *rules = rules_of(presets[i]);
        reference_rules_copy(&reference, rules);
        int most = i == 0 ? 4 : 2;
        for (uint8_t a = 0; a <= most; a++)
            for (uint8_t b = 0; b <= most; b++)
                cr_assert_eq(
                    merels_subspace_orbits(&rules->board, (struct subspace){a, b, 0, 0}),
                    orbits_by_images(&reference.board, a, b), "%s %d-%d", presets[i], a, b);
    }
}
