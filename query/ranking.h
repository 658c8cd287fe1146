// ranking.h: every legal ply of a position with its value, best first.
//
// Values and plies are the mover's and counted from the position asked: a ply that ends the
// game at once wins in 1. Best first means: the fastest win, then draws, then the longest
// resistance; ties in the order of the plies' text. Where a table holds no depth (editions wdl,
// compact) the ply's depth is -1 and it stands behind those of its value whose depth is known.
// Where the other side picks the men that are taken (`chooser opponent`), all plies of one step
// are worth what its pick leaves; they stand together, in the order in which it prefers them,
// and each keeps what its own pick is worth. In the middle of a turn, where that side chooses,
// all plies stand in its order. Nothing here prints, keeps state or needs more than 2 KB of
// stack of its own: the room is the caller's. Sorting is the C library's qsort, which may take
// some 20 bytes a ply from malloc for as long as it sorts (glibc: for more than 60 plies) and
// goes on without where there are none.

#ifndef MERELS_QUERY_RANKING_H
#define MERELS_QUERY_RANKING_H

#include "db/tablebase.h"
#include "game/notation.h"

struct ranked_ply {
    struct ply ply;
    enum value value;      // for the mover
    int plies;             // as in struct answer (db/tablebase.h)
    enum value pick_value; // the same if these very men are taken: another one only where the
    int pick_plies;        // other side picks them
    bool known;            // else the four above mean nothing
    bool picked;           // the men taken are those that the side which picks them would pick
    char text[PLY_TEXT_BYTES]; // as merels_ply_format writes it
};

// About 220 KB: for the heap; one for each thread, used again and again.
struct ranking {
    struct answer answer; // of the position
    int n_plies;          // 0 if the game is over
    int n_ranked;         // that have a value: all, or those whose tables are there
    struct error lacking; // why the first of the others has none
    struct ranked_ply plies[MAX_PLIES];
    struct ply list[MAX_PLIES]; // room for the generator
};

// The value of a legal position (merels_position_check is made) and all its plies. All or
// nothing: STATUS_NOT_COVERED (naming the subspace) if the table of the position or of any
// successor is missing, STATUS_CORRUPT and the other failures of merels_tablebase_probe if one
// that is needed is damaged, STATUS_CORRUPT also if the best ply does not lead to the value
// that the position's own table holds. On failure the contents of *ranking are not to be used.
// `rules` are those of the tablebase. Looks up the position and each successor once; allocates
// nothing but blocks for the cache, and what qsort takes. Any number of threads, each with its
// own ranking.
MERELS_CHECKED enum status merels_rank_plies(struct tablebase *base, const struct rules *rules,
                                             const struct position *pos,
                                             struct ranking *ranking, struct error *err);

// The same for a tablebase that is not whole: a position whose own table is there has its
// value, and plies whose tables are missing, or that a search has not decided, stand with their
// texts alone behind the others, or, where none of these is as good as the position itself, in
// front of them: what comes first is never known to be worse than the position. Only a missing
// table of the position itself, or in the middle of a turn of any ply, is STATUS_NOT_COVERED.
MERELS_CHECKED enum status merels_rank_known_plies(struct tablebase *base,
                                                   const struct rules *rules,
                                                   const struct position *pos,
                                                   struct ranking *ranking, struct error *err);

// The same for a player that must play: never fails. `base` may be NULL. Plies that cannot be
// looked up, for whatever reason, have no value; ranking->lacking says why if n_ranked is less
// than n_plies. If two tables contradict each other, n_ranked is 0 and the order is what they
// say.
void merels_rank_any_plies(struct tablebase *base, const struct rules *rules,
                           const struct position *pos, struct ranking *ranking);

// How hard a draw is to hold for the other side.
struct replies {
    int n;    // the other side's plies after the ply
    int hold; // those that keep the draw
};

// The end of the plies that are one choice with plies[first] (merels_same_choice): they stand
// together. Of a choice that is known the first ply is what comes of it.
int merels_ranking_choice_end(const struct ranking *ranking, const struct rules *rules,
                              int first);

// Counts the replies to a drawing ply of `pos`, steps alone where the other side picks the men;
// a ply that ends the game has none. Looks up
// every reply; uses list (room for MAX_PLIES). Fails as merels_rank_plies does: the replies may
// need tables that the ranking did not.
MERELS_CHECKED enum status merels_count_replies(struct tablebase *base,
                                                const struct rules *rules,
                                                const struct position *pos, struct ply ply,
                                                struct ply *list, struct replies *replies,
                                                struct error *err);

// The number of known drawing plies that stand in front of a ranking's losses, and the first of
// them: plies[*first .. *first + n - 1] draw.
int merels_rank_draws(const struct ranking *ranking, int *first);

#endif
