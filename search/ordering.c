// ordering.c: which ply of a placing position to search first.

#include "search/ordering.h"

// Found by counting the nodes of the game of seven men. Counts of which points have decided
// positions before (a history) were tried as well: with them it took twice as many.
enum {
    MAN = 1000,
    CAN_CLOSE = 60,      // two men and a free point: a threat of the side that has just moved
    CAN_BE_CLOSED = 120, // the same for the side to move, which comes first
    MILL = 25,
    STOPPED = 20, // two men and an enemy
    LONE = 8,     // one man, else free
    STEP = 16,    // a free point beside a man
};

// Men in a mill, 0..3.
static int men_in(point_set set, point_set mill)
{
    point_set men = set & mill;
    if ((men & (men - 1)) == 0)
        return men != 0;
    return men == mill ? 3 : 2;
}

// One mill, by how many men of each side stand in it, for the side `x` that has just moved.
static int line_value(int x, int y)
{
    if (x == 3)
        return MILL;
    if (y == 3)
        return -MILL;
    if (x == 2)
        return y == 0 ? CAN_CLOSE : -STOPPED;
    if (y == 2)
        return x == 0 ? -CAN_BE_CLOSED : STOPPED;
    return x == 1 && y == 0 ? LONE : y == 1 && x == 0 ? -LONE : 0;
}

static int mobility(const struct board *board, point_set set, point_set free)
{
    int n = 0;
    for (; set != 0; set &= set - 1)
        n += bit_count(board->neighbours[bit_lowest(set)] & free);
    return n;
}

int merels_order_value(const struct rules *rules, const struct position *after)
{
    const struct board *board = &rules->board;
    point_set x = after->other, y = after->own, free = merels_position_free(rules, after);
    int value = MAN * (bit_count(x) + after->other_hand - bit_count(y) - after->own_hand);
    for (int k = 0; k < board->n_mills; k++)
        if ((board->mills[k] & after->closed) == 0)
            value += line_value(men_in(x, board->mills[k]), men_in(y, board->mills[k]));
    value += STEP * (mobility(board, x, free) - mobility(board, y, free));
    return value;
}
