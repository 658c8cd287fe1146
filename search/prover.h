// prover.h: whether a side at least draws: one yes-or-no search over the placements, from a
// position down to positions with empty hands.

#ifndef MERELS_SEARCH_PROVER_H
#define MERELS_SEARCH_PROVER_H

#include "search/leaves.h"
#include "work/progress.h"

struct prover;

struct proof {
    bool at_least_draws;
    uint64_t n_nodes;  // positions with men in hand that were searched
    uint64_t n_leaves; // look-ups in the tables of the moving phase
};

// What searches need besides their root (650 KB). rules, leaves and meter must outlive it.
// STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_prover_create(const struct rules *rules,
                                                struct leaves *leaves, struct meter *meter,
                                                struct prover **prover, struct error *err);
void merels_prover_destroy(struct prover *prover); // NULL is allowed

// Decides whether `defender` at least draws from `root` (nothing due, at most SEARCH_MAX_HAND
// men in each hand), with a transposition table of at most table_bytes. The answer does not
// depend on n_threads; the counts do. Counts nodes in the piece of the meter that is at work.
// STATUS_NO_MEMORY, STATUS_INTERRUPTED, and as merels_leaves_find; after a failure the prover
// is of no more use.
MERELS_CHECKED enum status merels_prover_run(struct prover *prover, const struct position *root,
                                             enum colour defender, uint64_t table_bytes,
                                             int n_threads, struct proof *proof,
                                             struct error *err);

#endif
