// ordering.h: which ply of a placing position to search first. A guess: it costs or saves time
// and never changes a value.

#ifndef MERELS_SEARCH_ORDERING_H
#define MERELS_SEARCH_ORDERING_H

#include "game/position.h"

// A value for the side that has just moved; greater is better. `after` is the position that the
// ply leads to, as the other side sees it.
int merels_order_value(const struct rules *rules, const struct position *after);

#endif
