// transposition.h: what is already proved of the positions of a search.
//
// An entry is one 64-bit word and holds the whole position, not a hash of it:
//
//     bit  0..56  the position's key (position_key.h)
//            57   proved: true or false
//        58..63   effort: log2 of nodes
//
// So an entry is never taken for another position, a thread never sees half an entry, and what
// stands here is a proof whoever wrote it.

#ifndef MERELS_SEARCH_TRANSPOSITION_H
#define MERELS_SEARCH_TRANSPOSITION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "game/status.h"

struct transposition {
    uint64_t n_buckets;
    _Atomic uint64_t *entries; // 0: free
};

// An empty table of at most n_bytes, at least one bucket. STATUS_NO_MEMORY.
MERELS_CHECKED enum status
merels_transposition_create(uint64_t n_bytes, struct transposition *table, struct error *err);
void merels_transposition_destroy(struct transposition *table); // all zero is allowed

// Asks the processor to load the bucket of a key soon.
void merels_transposition_prefetch(const struct transposition *table, uint64_t key);

// 0 or 1 as it was proved, -1 if the position is not there. Any thread.
int merels_transposition_get(const struct transposition *table, uint64_t key);

// Keeps what n_nodes of search have proved; in a full bucket the entry of least effort goes.
// Any thread.
void merels_transposition_put(struct transposition *table, uint64_t key, bool proved,
                              uint64_t n_nodes);

#endif
