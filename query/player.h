// player.h: the perfect player.

#ifndef MERELS_QUERY_PLAYER_H
#define MERELS_QUERY_PLAYER_H

#include "query/command.h"

// The ply to play in a position that is not over: the fastest win or the longest resistance; in
// a draw the ply that leaves the smallest share of replies that hold it, so that a person has
// the most chances to go wrong. Equal plies: the first by text, always the same one. Leaves the
// ranking of the position in context->ranking. Fails as merels_rank_plies does.
MERELS_CHECKED enum status merels_player_choose(struct context *context,
                                                const struct position *pos,
                                                struct ranked_ply *choice, struct error *err);

// The place in context->ranking of the hardest of the n drawing plies from `first` on. Plies
// whose replies need a table that is missing are passed over.
int merels_player_draw(struct context *context, const struct position *pos, int first, int n);

#endif
