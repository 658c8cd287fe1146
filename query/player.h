// player.h: the perfect player.

#ifndef MERELS_QUERY_PLAYER_H
#define MERELS_QUERY_PLAYER_H

#include "query/command.h"
#include "query/draws.h"
#include "query/game_past.h"

// The ply to play now in a game that is not over: the fastest win or the longest resistance, of
// these what the past of the game makes best (game_past.h; `past` may be NULL); in
// a draw the ply that the other side is most likely to answer wrongly. Equal plies: the first
// by text, always the same one. Where a search decides, not every ply may have a value: a known
// one that is as good as the position is chosen, else STATUS_UNDECIDED. Leaves the ranking of
// the position in context->ranking. Fails as merels_rank_plies does.
MERELS_CHECKED enum status merels_player_choose(struct context *context,
                                                const struct position *pos,
                                                const struct past *past,
                                                struct ranked_ply *choice, struct error *err);

// True if values here are searched, not looked up: replies are then not judged.
bool merels_player_searches(const struct context *context, const struct position *pos);

// What limits a choice among drawing plies; all 0: DRAW_LOOK_UPS look-ups, whatever their time.
struct player_limits {
    uint64_t move_ms;          // the time that it may take
    uint64_t n_look_ups;       // at most, about
    bool endless;              // only `stops` ends it, or that nothing is left to look at
    bool only_replies;         // no further than replies
    bool (*stops)(void *user); // asked every few milliseconds. NULL: never
    void *user;
};

// The place in context->ranking of the ply that the other side is most likely to answer
// wrongly, of the n drawing plies from `first` on (draws.h); of those whose replies would have
// to be searched the one behind which the side looks best. `limits` may be NULL. `chances` is
// NULL or room for n.
int merels_player_draw(struct context *context, const struct position *pos, int first, int n,
                       const struct player_limits *limits, struct draw_chance *chances);

#endif
