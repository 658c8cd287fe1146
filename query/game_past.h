// game_past.h: what the game so far means where the rules of a club count repetitions and plies
// without a removal: whether it is a draw, and which of equally good plies to play for it.
//
// No value depends on it (docs/DESIGN.md, "The past of a game"): these rules only let a side
// claim a draw. A side that wins must not let it come to that, one that loses hopes for it.

#ifndef MERELS_QUERY_GAME_PAST_H
#define MERELS_QUERY_GAME_PAST_H

#include "query/game_record.h"
#include "query/ranking.h"

enum { THIRD_TIME = 3 };

struct draw_rules {
    bool repetition;       // a position that is there for the third time is a draw
    int quiet_plies;       // so many plies without a removal are a draw; 0: any number
    int quiet_plies_flown; // the same once a side is down to three men; 0: as before
};

struct past {
    const struct game_record *record;
    struct draw_rules rules;
    int quiet_before; // plies without a removal before the record begins
};

// How often a position has been in the game.
int merels_past_times(const struct past *past, const struct position *pos);

// Moves at the end of the game that neither removed nor placed a man, and how many make a draw
// in a position, 0: any number.
int merels_past_quiet_plies(const struct past *past);
int merels_past_quiet_limit(const struct past *past, const struct position *pos);

// True if the game is a draw by the rules: now, or after a legal ply.
bool merels_past_is_draw(const struct past *past);
bool merels_past_leads_to_draw(const struct past *past, const struct ply *ply);

// True if the best of a won ranking takes more plies than are left without a removal: the
// other side may come to a draw.
bool merels_past_is_too_long(const struct past *past, int plies);

// Which of n plies of a ranking to play, plies[places[0..n-1]], all of the best value and best
// first. Won: the fastest that no rule makes a draw, and of these one to a position that was
// not there before; where the fastest win is too long for the rule of quiet plies, one that
// takes a man. Lost: one that makes a draw, else of those that resist as long as the longest
// one to a position that was there. Returns the place in `places`.
int merels_past_choose_win(const struct past *past, const struct ranking *ranking,
                           const int *places, int n);
int merels_past_choose_loss(const struct past *past, const struct ranking *ranking,
                            const int *places, int n);

#endif
