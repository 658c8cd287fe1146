// compact_strands.h: how what edition compact does not store follows from what it stores: by
// how many plies, and that this has an end.

#ifndef MERELS_VERIFY_COMPACT_STRANDS_H
#define MERELS_VERIFY_COMPACT_STRANDS_H

#include "verify/compact_head.h"
#include "verify/verify_plies.h"

// One strand that is derived, or all that a subspace stores.
struct compact_strand {
    const struct compact_subspace *subspace;
    int strands; // a set
    int n_plies; // of derivation: 0 for what is stored and for games that are over
};

// All of the file, each behind those that it follows from, malloc'ed: fewer men in hand first,
// of these fewer men on the board, of these fewer plies. STATUS_MISMATCH if plies lead to a
// subspace that is not in the file, if derivation has no end, or takes more plies than the head
// says; STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_verify_compact_strands(const struct compact_file *file,
                                                         struct compact_strand **list, int *n,
                                                         struct error *err);

#endif
