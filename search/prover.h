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

// What searches need besides their root (650 KB), and a transposition table of at most
// table_bytes, in which proofs stay from one search to the next, whichever side they are of.
// rules and leaves must outlive it. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_prover_create(const struct rules *rules,
                                                struct leaves *leaves, uint64_t table_bytes,
                                                struct prover **prover, struct error *err);
void merels_prover_destroy(struct prover *prover); // NULL is allowed

// Where a search ends without a result. All zero: nowhere.
struct prover_limits {
    uint64_t max_nodes;        // 0: any number
    struct meter *meter;       // may stop the search, and is told how far it is; NULL: nobody
    bool (*stops)(void *user); // asked every few milliseconds; true: no further. NULL: never
    void *user;
};

// Decides whether `defender` at least draws from `root` (nothing due, at most SEARCH_MAX_HAND
// men in each hand). The answer does not depend on n_threads; the counts do. Counts nodes in
// the piece of the meter that is at work. STATUS_UNDECIDED at max_nodes, with one thread always
// after the same nodes; STATUS_INTERRUPTED by `meter` or `stops`; both keep what was proved,
// and *proof has the counts. STATUS_NO_MEMORY, and as merels_leaves_find.
MERELS_CHECKED enum status merels_prover_run(struct prover *prover, const struct position *root,
                                             enum colour defender,
                                             const struct prover_limits *limits, int n_threads,
                                             struct proof *proof, struct error *err);

// What is proved of it: 1 it at least draws, 0 it does not, -1 nothing that was kept.
int merels_prover_known(struct prover *prover, const struct position *root,
                        enum colour defender);

#endif
