// reachable.h: how many positions a game can reach from its start, by playing every ply.
//
// A position counts once for each colour that may be to move in it; one in which the game is
// over counts too. Positions that a symmetry of the board maps to each other are found as one.

#ifndef MERELS_SEARCH_REACHABLE_H
#define MERELS_SEARCH_REACHABLE_H

#include "game/subspace.h"
#include "work/progress.h"

struct reachable {
    uint64_t n_positions; // all of them
    uint64_t
        n_canonical;  // one of each orbit of the board's symmetries, the colour to move apart
    uint64_t n_seen;  // the same without the colour: as the mover sees them
    uint64_t n_over;  // of n_positions: the game is over
    uint64_t n_bytes; // of memory that this took
    int n_plies;      // after the last of them none is new
};

// Counts from the start. memory_bytes: limit; 0: none. Some two million canonical positions a
// second. STATUS_TOO_LITTLE if they take more memory, 20 to 36 bytes for each canonical one;
// STATUS_UNSUPPORTED for more than 15 men in a hand; STATUS_INTERRUPTED, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_reachable_count(const struct rules *rules, struct start start,
                                                  uint64_t memory_bytes,
                                                  const struct watch *watch,
                                                  struct reachable *count, struct error *err);

#endif
