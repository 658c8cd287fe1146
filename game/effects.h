// effects.h: what a ply leads to, as far as counts decide it.
//
// The one place that knows which counts follow a ply, whether and how many men it removes, who
// may fly, and when too few men are left. The walk of subspaces, the graph and the plan, the
// engine, the search and the generator of plies all ask here.

#ifndef MERELS_GAME_EFFECTS_H
#define MERELS_GAME_EFFECTS_H

#include "game/subspace.h"

// What the mover does with a man of its own: the kind of a ply.
enum ply_kind { PLY_PLACES, PLY_MOVES, N_PLY_KINDS };

// Plies of a kind are told apart by their class: the mills that they close, as far as it makes
// a difference. Of a position with few men that may be taken none has a class beyond their
// number; the highest class of a subspace holds all plies that close so many mills or more.
struct effect {
    enum ply_kind kind;
    int class;
    int n_removed;         // men of the other side that the ply takes
    bool ends;             // the other side has lost then: too few men, or by a mill that wins
    struct subspace after; // seen by the other side, which moves next
};

enum { MAX_EFFECTS = N_PLY_KINDS * (MAX_MILLS_AT + 1) };

// Every effect that a ply of a subspace can have, by kind, then by class; returns how many. 0
// if the game is over by the counts: too few men, or a full board. Whether a position has such
// a ply is not asked. A pass has the effect of a move that closes no mill.
int merels_effects(const struct rules *rules, struct subspace s,
                   struct effect effects[MAX_EFFECTS]);

// The greatest class that a ply can have against these men of the other side on the board: so
// many of them can be taken one after another, or 1 if a mill wins.
int merels_highest_class(const struct rules *rules, point_set other);

// True if a side with so many men on the board and in hand has lost by that.
bool merels_too_few(const struct rules *rules, int men);

// True if a side may place, or move, leaving aside where to.
bool merels_hand_places(const struct rules *rules, int hand);
bool merels_hand_moves(const struct rules *rules, int hand);

// True if a side with so many men on the board and in hand moves its men to any free point.
bool merels_men_fly(const struct rules *rules, int board_men, int hand);

// True if a side that has to play, with so many men on the board and in hand, can do nothing
// but place one.
bool merels_men_only_place(const struct rules *rules, int board_men, int hand);

// True if every ply of a subspace converts (merels_ply_converts): the mover can only place, or
// whatever it moves the other side can only place then. Tables of metric dtc say no more of it
// than who wins.
bool merels_all_convert(const struct rules *rules, struct subspace s);

// Men that the mover has to take when its man closes n_mills mills, if so many may be taken.
int merels_removals_due(const struct rules *rules, int n_mills);

#endif
