// search.h: the value of a position of the placing phase by searching forwards.
//
// A second way to the value of the game that shares nothing with the placing pass: an AND/OR
// search over the placements, from a position down to positions with empty hands, whose values
// come from the moving-phase tables. No table of the placing phase is read. Two yes-or-no
// searches give the value: "White at least draws" and "Black at least draws". (Gasser solved
// nine men's morris this way in 1993: an 18-ply search over the tables of the moving phase.)

#ifndef MERELS_SEARCH_SEARCH_H
#define MERELS_SEARCH_SEARCH_H

#include "db/tablebase.h"
#include "work/progress.h"

struct search_options {
    const char *dir;       // directory of the tables; only read
    int n_threads;         // 0: all processors
    uint64_t memory_bytes; // limit for everything; 0: three quarters of what is free
};

// One of the two searches.
struct search_count {
    bool at_least_draws;
    uint64_t nodes;  // positions with men in hand that were searched
    uint64_t leaves; // look-ups in the tables of the moving phase
    double seconds;  // wall time
    double cpu_seconds;
};

struct search_result {
    enum value value;             // for the mover of the position
    struct search_count sides[2]; // by enum colour
    uint64_t leaf_bytes;          // bits of the moving-phase tables, if all are needed
    uint64_t table_bytes;         // the transposition table
};

// Decides the value of `root`, which has no removal due. The rules must have a side with men in
// hand place one (else a game need not end): STATUS_UNSUPPORTED. STATUS_NOT_COVERED names a
// table of the moving phase that may be needed and is missing, STATUS_TOO_LITTLE says how much
// memory is needed, STATUS_INTERRUPTED; also as merels_position_check and merels_table_read.
// The result does not depend on the number of threads; the counts of a run with several do, and
// on chance. The pieces of its progress are the two searches, in positions, whose total is not
// known; the stage tells the leaves. watch may be NULL. Nine men's morris from the empty board:
// see docs/PERFORMANCE.md.
MERELS_CHECKED enum status merels_search(const struct rules *rules, const struct position *root,
                                         const struct search_options *options,
                                         const struct watch *watch,
                                         struct search_result *result, struct error *err);

#endif
