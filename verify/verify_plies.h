// verify_plies.h: what plies do under the rules: the one place of the verifier that says which
// counts a ply leads to, who may fly, which men can be taken, and when the game is over.
//
//     a-b-ha-hb  --- a ply of the mover -->  b-a'-hb-ha'          nothing taken   (quiet)
//                                            (b-1)-a'-hb-ha'      a man taken     (removal)

#ifndef MERELS_VERIFY_VERIFY_PLIES_H
#define MERELS_VERIFY_VERIFY_PLIES_H

#include "verify/verify_counts.h"
#include "verify/verify_rules.h"

// Of all positions of a table, by its counts.
struct verify_plies {
    bool over;             // there is no ply: all positions have one value
    int over_value;        // LOSS or DRAW
    bool places;           // a ply puts a man from the hand on a free point (else it moves one)
    bool flies;            // moves go to any free point
    int blocked_value;     // of a mover without a ply: LOSS or DRAW
    struct counts quiet;   // after a ply that takes nothing
    bool removes;          // a ply can take a man that leaves the other side enough
    bool removal_ends;     // a man taken leaves the other side too few: lost in 0
    struct counts removal; // after a man is taken
};

struct verify_plies merels_verify_plies(const struct verify_rules *rules, struct counts counts);

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
