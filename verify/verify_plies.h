// verify_plies.h: what plies do under the rules: the one place of the verifier that says which
// counts a ply leads to, who may fly, which men can be taken, and when the game is over.
//
//     a-b-ha-hb  --- a ply of the mover -->  (b-k)-a'-hb-ha'      k men taken
//
// Most tables are *plain*: all their plies place, or all move, and a mill takes one man that
// the mover picks. They are checked row by row (check_row.h), the others slot by slot.

#ifndef MERELS_VERIFY_VERIFY_PLIES_H
#define MERELS_VERIFY_VERIFY_PLIES_H

#include "verify/verify_counts.h"
#include "verify/verify_rules.h"

// A way that a ply can go: a man from the hand or from the board, and so many men taken.
struct ply_way {
    bool places;
    int n_taken;
    bool ends;     // the other side has too few men then: lost in 0, and no table
    bool converts; // it cannot be taken back (docs/FORMAT.md, section 6)
    struct counts after;
};

enum { MAX_WAYS = 2 * (VERIFY_MILLS_AT + 1) };

// Of all positions of a table, by its counts.
struct verify_plies {
    bool over;         // there is no ply: all positions have one value
    int over_value;    // LOSS or DRAW
    bool places;       // a ply can put a man from the hand on a free point
    bool moves;        // a ply can move a man on the board
    bool flies;        // moves go to any free point
    int blocked_value; // of a mover who can do neither: LOSS or DRAW
    int n_ways;        // a pass goes the way of a move that takes nothing
    struct ply_way ways[MAX_WAYS];
    bool plain;
    // Of a plain table:
    struct counts quiet; // after a ply that takes nothing
    bool quiet_converts;
    bool removes;          // a ply can take a man that leaves the other side enough
    bool removal_ends;     // a man taken leaves the other side too few: lost in 0
    struct counts removal; // after a man is taken
};

struct verify_plies merels_verify_plies(const struct verify_rules *rules, struct counts counts);

// True if a side with so many men on the board and in hand has lost by that.
bool merels_verify_too_few(const struct verify_rules *rules, int men);

// How many men a step that closes so many mills may take.
int merels_verify_removals_due(const struct verify_rules *rules, int n_closed);

// The number of the way that takes so many men, -1 if there is none.
int merels_verify_way(const struct verify_plies *plies, bool places, int n_taken);

// The men of `set` that stand in mills of it.
uint32_t merels_verify_in_mills(const struct verify_rules *rules, uint32_t set);

// The men of `victims`, of which `safe` stand in mills, one of which is taken when a mill is
// closed.
static inline uint32_t verify_takable(enum taking taking, uint32_t victims, uint32_t safe)
{
    uint32_t open = victims & ~safe;
    return taking == TAKE_ANY || (taking == TAKE_SAFE_LAST && open == 0) ? victims : open;
}

#endif
