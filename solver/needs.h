// needs.h: which tables of a game are still read by something that is not finished.
//
//     open (no table yet, or one that has to be checked)  --- reads --->  its successors
//
// A table is *free* if nothing that is open reads it, and it is not open itself. Two kinds stay
// whatever happens: those of the *opening*, from which the start, first placements and replies
// are read, and *shared* ones, which another start needs whose tables are all there.

#ifndef MERELS_SOLVER_NEEDS_H
#define MERELS_SOLVER_NEEDS_H

#include "db/manifest.h"

struct needs;

// Of the game from `start`, whose subspaces are all closed at first. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_needs_create(const struct rules *rules, struct start start,
                                               struct needs **needs, struct error *err);
void merels_needs_destroy(struct needs *needs); // NULL is allowed

// Opens the subspaces that the edition of the rules in a manifest does not list, as kept or
// dropped, and marks those that other complete starts share. STATUS_NO_MEMORY.
MERELS_CHECKED enum status
merels_needs_read(struct needs *needs, const struct manifest *manifest, struct error *err);

// Opens or closes a subspace; one that is not of the game is left out.
void merels_needs_set(struct needs *needs, struct subspace s, bool open);

// True of subspaces of the game only.
bool merels_needs_is_free(const struct needs *needs, struct subspace s);

// True if the table may go once it is free.
bool merels_needs_may_go(const struct needs *needs, struct subspace s);

#endif
