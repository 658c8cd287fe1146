// subspace.h: a subspace is all positions with the same four counts; its size and its name.

#ifndef MERELS_GAME_SUBSPACE_H
#define MERELS_GAME_SUBSPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "game/position.h"

struct subspace {
    uint8_t a;  // mover's men on the board
    uint8_t b;  // other side's men on the board
    uint8_t ha; // mover's men in hand
    uint8_t hb; // other side's men in hand
};

enum { SUBSPACE_NAME_BYTES = 16 };

struct subspace merels_subspace_of(const struct position *pos);
bool merels_subspace_equal(struct subspace x, struct subspace y);

// True if `s` is one of the list's n subspaces.
bool merels_subspace_among(const struct subspace *list, size_t n, struct subspace s);

// Order of listings and of solving: men in hand, men on board, a, b, ha, hb; <0, 0, >0.
int merels_subspace_compare(struct subspace x, struct subspace y);

// "9-8" when both hands are empty, else "9-8-0-1"; returns the length.
int merels_subspace_name(struct subspace s, char out[SUBSPACE_NAME_BYTES]);
MERELS_CHECKED enum status merels_subspace_parse(const char *text, struct subspace *s,
                                                 struct error *err);

// n over k, for 0 <= n <= 24; 0 if k < 0 or k > n.
uint64_t merels_choose(int n, int k);

// Rows (orbits of b-sets), columns (n_points - b over a), slots (their product) and orbits of
// positions, by Burnside's lemma over the board's symmetries: closed formulas, no table is
// built.
uint64_t merels_subspace_rows(const struct board *board, struct subspace s);
uint64_t merels_subspace_columns(const struct board *board, struct subspace s);
uint64_t merels_subspace_slots(const struct board *board, struct subspace s);
uint64_t merels_subspace_orbits(const struct board *board, struct subspace s);

#endif
