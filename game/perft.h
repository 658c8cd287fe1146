// perft.h: counting the plies of a position to a depth, the test of every move generator.

#ifndef MERELS_GAME_PERFT_H
#define MERELS_GAME_PERFT_H

#include "game/moves.h"

// The number of games of exactly `depth` plies from `pos`; 1 for depth 0.
uint64_t merels_perft(const struct rules *rules, const struct position *pos, int depth);

#endif
