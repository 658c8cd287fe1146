// random_positions.h: random legal positions under random options, from a fixed seed.

#ifndef MERELS_TESTS_RANDOM_POSITIONS_H
#define MERELS_TESTS_RANDOM_POSITIONS_H

#include <stdio.h>

#include "tests/game/game_help.h"

struct random {
    uint64_t state;
};

static inline int random_below(struct random *random, int n)
{
    random->state =
        random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((random->state >> 33) % (uint64_t)n);
}

// Options of every kind on a random board.
static inline const struct rules *random_rules(struct random *random, char text[256])
{
    static const char *const boards[] = {"three", "six", "seven", "nine", "eleven"};
    static const char *const mill_men[] = {"removable-if-all", "removable", "safe"};
    static const char *const removals[] = {"one", "each"};
    static const char *const fly_count[] = {"board", "total"};
    static const char *const turn[] = {"place-then-move", "place-or-move"};
    static const char *const mill[] = {"removes", "removes", "removes", "wins"};
    static const char *const blocked[] = {"loses", "draws", "passes"};
    static const char *const chooser[] = {"mover", "opponent"};
    int board = random_below(random, 5);
    snprintf(text, 256,
             "%s,blocked=%s,chooser=%s,fly=%d,fly-count=%s,mill-men=%s,removals=%s,turn=%s,"
             "mill=%s,men=4,least=%d",
             boards[board], blocked[random_below(random, 3)], chooser[random_below(random, 2)],
             random_below(random, 6), fly_count[random_below(random, 2)],
             mill_men[random_below(random, 3)], removals[random_below(random, 2)],
             turn[random_below(random, 2)], mill[random_below(random, 4)],
             2 + random_below(random, 3));
    return rules_of(text);
}

// A legal position, in play or over, now and then with removals due.
static inline struct position random_position(struct random *random, const struct rules *rules)
{
    struct position pos;
    do {
        pos = (struct position){.mover = (uint8_t)random_below(random, 2)};
        int density = 2 + random_below(random, 6);
        for (int p = 0; p < rules->board.n_points; p++) {
            int content = random_below(random, density);
            pos.own |= (point_set)(content == 0) << p;
            pos.other |= (point_set)(content == 1) << p;
        }
        pos.own_hand = (uint8_t)(random_below(random, 2) * random_below(random, 4));
        pos.other_hand = (uint8_t)(random_below(random, 2) * random_below(random, 4));
        pos.due = (uint8_t)(random_below(random, 4) == 0 ? random_below(random, 4) : 0);
    } while (merels_position_check(rules, &pos, NULL) != STATUS_OK);
    return pos;
}

#endif
