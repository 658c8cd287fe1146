// compact_plan.h: which parts of which subspaces edition compact stores, so that all others
// follow from them by plies.

#ifndef MERELS_COMPACT_COMPACT_PLAN_H
#define MERELS_COMPACT_COMPACT_PLAN_H

#include "compact/compact_game.h"
#include "db/arise.h"

struct planned_subspace {
    struct subspace subspace;
    uint8_t stored; // COMPACT_EVEN | COMPACT_ODD, or COMPACT_WHOLE; 0: derived
};

struct compact_plan {
    struct planned_subspace *subspaces; // in the order of the list
    size_t n;
    int most_depth;                // plies from a derived position to stored ones, at most
    int most_placing, most_moving; // of these with men in hand; from positions without any
};

// Plans the export of a list of subspaces in listing order. Where both sides have men in hand,
// n_plies of derivation at most lead to stored positions or to the moving phase; there, of a-b
// and b-a the one with more men to move is stored, of a-a one parity. What leads back to
// itself, or to a subspace that the list lacks, is stored. STATUS_NO_MEMORY, STATUS_UNSUPPORTED
// if derivation would go too deep.
MERELS_CHECKED enum status merels_compact_plan(const struct rules *rules,
                                               const struct compact_game *game, int n_plies,
                                               const struct subspace *list, size_t n,
                                               struct compact_plan *plan, struct error *err);
void merels_compact_plan_free(struct compact_plan *plan);

#endif
