// arise.h: which subspaces can arise from a start.

#ifndef MERELS_DB_ARISE_H
#define MERELS_DB_ARISE_H

#include "game/effects.h"
#include "game/subspace.h"

// The subspaces that one ply can lead to, as seen by the side that moves next. Subspaces in
// which that side has lost by its number of men have no table and are left out. Returns how
// many.
enum { MAX_SUCCESSORS = MAX_EFFECTS };
int merels_subspace_successors(const struct rules *rules, struct subspace s,
                               struct subspace successors[MAX_SUCCESSORS]);

// Every subspace that can arise from the start, which comes first; *subspaces is malloc'ed.
// STATUS_NO_MEMORY. Takes below a millisecond for nine, and 50 KB besides the list.
MERELS_CHECKED enum status merels_subspaces_arising(const struct rules *rules,
                                                    struct start start,
                                                    struct subspace **subspaces, size_t *n,
                                                    struct error *err);

// True if `s` can arise from the start; true also if there is no memory to find out.
bool merels_subspace_arises(const struct rules *rules, struct start start, struct subspace s);

#endif
