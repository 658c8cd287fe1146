// ordering.h: which ply of a placing position to search first. A guess: it costs or saves time
// and never changes a value.

#ifndef MERELS_SOLVER_ORDERING_H
#define MERELS_SOLVER_ORDERING_H

#include "game/moves.h"

// How often a placement on a point has decided a position, by colour and men still in hand.
struct history {
    uint32_t counts[2][2 * MAX_POINTS][MAX_POINTS];
};

// A value for the side that has just moved; greater is better. `after` is the position that the
// ply leads to, as the other side sees it.
int merels_order_value(const struct rules *rules, const struct position *after);

// Adds to the count of a ply that decided the position before it.
void merels_history_add(struct history *history, const struct position *before, struct ply ply,
                        uint32_t weight);

// What the counts add to the value of a ply, 0 to some tens.
int merels_history_value(const struct history *history, const struct position *before,
                         struct ply ply);

#endif
