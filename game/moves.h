// moves.h: plies and unmoves.
//
// A ply is one complete turn: a placement or a move, plus its removals if mills were closed. In
// a position with removals due a ply is only those removals (from = to = -1). A pass (`blocked
// passes`) has neither points nor removals. Who picks the men that are taken (`chooser`) does
// not matter to the list of plies: every pick is a ply. It matters to whoever compares them:
// merels_same_choice tells which plies are one choice of the mover's, merels_side_to_choose in
// position.h whose choice comes next.

#ifndef MERELS_GAME_MOVES_H
#define MERELS_GAME_MOVES_H

#include "game/position.h"

// The most plies that a search over all boards and options found is 2992 (two targets that each
// close three mills, one removal for each, twelve men to choose from). A man closes at most as
// many mills as go through a point.
enum { MAX_REMOVED = MAX_MILLS_AT, MAX_PLIES = 4096 };

struct ply {
    int8_t from; // -1 for a placement
    int8_t to;   // -1 if the ply is only a removal that was due
    int8_t n_removed;
    int8_t removed[MAX_REMOVED];
};

// Writes every legal ply of `pos` into plies (room for MAX_PLIES) and returns how many there
// are, 0 if the game is over. Order: by from, to, removed points in point order. With several
// removals (`removals each`) a set of removed men counts once, whatever the order.
int merels_plies(const struct rules *rules, const struct position *pos, struct ply *plies);

// True for a pass, and for a ply that differs from another one of its position in the men that
// are taken alone.
static inline bool ply_is_pass(const struct ply *ply)
{
    return ply->to < 0 && ply->n_removed == 0;
}

static inline bool plies_share_step(const struct ply *x, const struct ply *y)
{
    return x->from == y->from && x->to == y->to;
}

// The two parts of a ply: the step, and the men that are taken alone. Not of a pass, and each
// is one only where there is such a part.
static inline struct ply ply_step(struct ply ply)
{
    ply.n_removed = 0;
    return ply;
}

static inline struct ply ply_removals(struct ply ply)
{
    ply.from = ply.to = -1;
    return ply;
}

// True if the mover chooses the step of a ply alone, and the other side the men that are taken
// (`chooser opponent`). In the middle of a turn every ply is a choice of the side that picks.
static inline bool merels_other_side_picks(const struct rules *rules, const struct ply *ply)
{
    return rules->chooser == CHOOSER_OPPONENT && ply->to >= 0 && ply->n_removed > 0;
}

// True if the mover does not choose between two plies of a position: they differ in what the
// other side picks. Such plies stand together in the list of merels_plies.
static inline bool merels_same_choice(const struct rules *rules, const struct ply *x,
                                      const struct ply *y)
{
    return merels_other_side_picks(rules, x) && plies_share_step(x, y);
}

// How many plies merels_plies would write, without writing them.
int merels_count_plies(const struct rules *rules, const struct position *pos);

// The position after a legal ply: seen from the other side, nothing due, with its count.
struct position merels_play(const struct rules *rules, const struct position *pos,
                            struct ply ply);

// The two parts of a turn, for text and for players who enter one after the other. The first
// puts a man on `to` (from = -1: out of the hand; to = -1 as well: a pass); the second takes an
// enemy man. The result is seen from the other side once no removal is due any more, from the
// same side until then. Both assume that the step is legal.
struct position merels_step(const struct rules *rules, const struct position *pos, int from,
                            int to);
struct position merels_remove(const struct rules *rules, const struct position *pos, int point);

// True if a ply can never be taken back: it takes a man or places one, or leaves the other side
// nothing but placements. So does a ply that ends the game, which the position after it shows.
// Metric dtc counts up to such a ply.
bool merels_ply_converts(const struct rules *rules, const struct position *pos,
                         const struct ply *ply);

// True if the mover may place a man, or move one, leaving aside where to.
bool merels_may_place(const struct rules *rules, const struct position *pos);
bool merels_may_move(const struct rules *rules, const struct position *pos);

// The points to which the mover's man on `from` may move now.
point_set merels_targets(const struct rules *rules, const struct position *pos, int from);

// Writes every position from which one *non-removing* ply leads to `pos` (as seen from its own
// mover) and returns how many; `before` has room for MAX_PLIES. Steps back in the moving phase
// (flight included) and placements taken back are both found. Removals cannot be undone inside
// a subspace and are not listed. Which points were closed before the last man was placed is not
// known: they are listed as if none was.
int merels_unmoves(const struct rules *rules, const struct position *pos,
                   struct position *before);

#endif
