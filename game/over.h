// over.h: why a game is over, in words.

#ifndef MERELS_GAME_OVER_H
#define MERELS_GAME_OVER_H

#include "game/position.h"

// "too few men", "mill", "full board", "blocked" or "too many plies without a removal"; NULL
// while the game goes on. *value is as merels_position_over gives it.
const char *merels_over_reason(const struct rules *rules, const struct position *pos,
                               int *value);

// True if the game is a draw for the plies that were counted, and for nothing else.
bool merels_over_by_count(const struct rules *rules, const struct position *pos);

#endif
