// test_perft.c: numbers of games of a given length, from shared/positions.md.

#include "tests/game/game_help.h"

static void expect_games(const char *rules_text, const char *text, const uint64_t *expected,
                         int n_depths)
{
    const struct rules *rules = rules_of(rules_text);
    struct position pos = position_of(rules, text);
    cr_expect_eq(merels_perft(rules, &pos, 0), 1);
    for (int depth = 1; depth <= n_depths; depth++) {
        uint64_t n = merels_perft(rules, &pos, depth);
        cr_expect_eq(n, expected[depth - 1], "%s, depth %d: %llu", text, depth,
                     (unsigned long long)n);
    }
}

#define EXPECT_GAMES(rules, text, ...)                                                    \
    do {                                                                                  \
        const uint64_t expected[] = {__VA_ARGS__};                                        \
        expect_games(rules, text, expected, (int)(sizeof expected / sizeof expected[0])); \
    } while (0)

Test(perft, empty_board)
{
    EXPECT_GAMES("nine", "startpos", 24, 552, 12144, 255024, 5140800, 99274176);
}

Test(perft, place_or_move)
{
    EXPECT_GAMES("lasker,fly-count=board", "startpos", 24, 552, 13552, 319176, 7911352);
}

Test(perft, checked_positions)
{
    EXPECT_GAMES("nine", P1, 9, 306, 2598, 125148);
    EXPECT_GAMES("nine", P3, 19, 289, 5286, 82132);
    EXPECT_GAMES("nine", P7, 23, 477, 6569, 84368);
    EXPECT_GAMES("nine", P8, 22, 462, 27720, 544400);
}

Test(perft, other_boards)
{
    EXPECT_GAMES("six", "startpos", 16, 240, 3360);
    EXPECT_GAMES("seven", "startpos", 17, 272, 4080);
    EXPECT_GAMES("three", "startpos", 9, 72, 504, 3024);
}
