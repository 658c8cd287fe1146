// symmetry.h: the symmetry group of a board: every permutation of the points that keeps the set
// of edges and the set of mills.

#ifndef MERELS_GAME_SYMMETRY_H
#define MERELS_GAME_SYMMETRY_H

#include "game/board.h"

// Finds the group of a board whose points, edges and mills (mates) are there, in ascending
// order of the permutations, the identity first, and their inverses. Well under a second
// whatever the board: STATUS_UNSUPPORTED if there are more than MAX_SYMMETRIES, or if the
// search for them gives up.
MERELS_CHECKED enum status merels_symmetry_find(struct board *board, struct error *err);

#endif
