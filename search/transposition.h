// transposition.h: canonical positions of a search and what is already proved of them.
//
// An entry is one 64-bit word and holds the whole position, not a hash of it:
//
//     bit  0..23  other side's men    48..51  mover's hand     56      the mover's colour
//         24..47  mover's men         52..55  other's hand     57      proved: true or false
//                                                              58..63  effort: log2 of nodes
//
// So an entry is never taken for another position, a thread never sees half an entry, and what
// stands here is a proof whoever wrote it.

#ifndef MERELS_SEARCH_TRANSPOSITION_H
#define MERELS_SEARCH_TRANSPOSITION_H

#include <stdatomic.h>

#include "game/position.h"

enum { SEARCH_MAX_HAND = 15 };

// The images of all half sets under all symmetries, those of one half in one cache line.
struct images {
    int n_symmetries;
    point_set low[1 << 12][MAX_SYMMETRIES];
    point_set high[1 << 12][MAX_SYMMETRIES];
};

// Fills *images (512 KB) in about a millisecond.
void merels_images_init(const struct board *board, struct images *images);

// The canonical position as bits 0..56 of an entry: of all images the one with the least set of
// the other side, then with the least set of the mover. Hands up to SEARCH_MAX_HAND, nothing
// due. About 20 ns.
uint64_t merels_position_key(const struct images *images, const struct position *pos);

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
