// matches.h: games of the perfect player, with one order of drawing plies or another, against
// opponents that err.

#ifndef MERELS_TESTS_MATCHES_H
#define MERELS_TESTS_MATCHES_H

#include "query/draws.h"

// How the perfect player chooses among drawing plies.
enum draw_order { ORDER_CHANCE, ORDER_FEWEST_HOLD, ORDER_FIRST, N_ORDERS };

// Opponents: any ply; one that closes a mill, else stops one, else any; alpha-beta of so many
// plies with a plain evaluation (men, then room), any of the best.
enum opponent_kind { OPPONENT_RANDOM, OPPONENT_GREEDY, OPPONENT_SEARCH };

struct opponent {
    const char *name;
    enum opponent_kind kind;
    int depth;
};

enum { N_OPPONENTS = 5 };

extern const struct opponent all_opponents[N_OPPONENTS];
extern const char *const order_names[N_ORDERS];

struct score {
    int wins, draws, losses;
};

struct match {
    struct tablebase *base;
    const struct rules *rules;
    struct start start;
    uint64_t random;
    uint64_t n_look_ups; // of a choice by chance
};

// Plays one game from `first`; `mover` is true if the perfect player has the first ply. Adds
// its result to the score. False if an answer fails.
bool match_game(struct match *match, const struct position *first, bool mover,
                enum draw_order order, const struct opponent *opponent, struct score *score);

// A drawn position after n_plies random plies of which none loses; false after too many tries.
bool match_opening(struct match *match, int n_plies, struct position *opening);

#endif
