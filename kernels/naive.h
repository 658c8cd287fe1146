// naive.h: what the row kernels do, by the rules and one position at a time: slow and plain.
//
// Builds with assertions check some of the rows that a solve decides against it. The wide
// removals have no other form: tables of two bytes are rare.

#ifndef MERELS_KERNELS_NAIVE_H
#define MERELS_KERNELS_NAIVE_H

#include "kernels/kernels.h"

// True for one row in a thousand or so, another one at each step.
bool merels_naive_samples(uint32_t row, int step);

// True if the undecided columns of a row of `found` are those that `step` decides by what is
// known of the arrivals.
bool merels_naive_agrees(const struct row *row, const struct known *known, int step,
                         const uint64_t *found);

// True if the codes of a row are the best of all placements into its sources.
bool merels_naive_agrees_with_sweep(const struct row *row, const uint8_t *codes);

// As the kernel removal_row, from values of two bytes (WIDE_DTM_DRAW: a draw) to values of
// two bytes: best[k] for column k of men[n_removed], the other side's men when the mover's men
// on the board are `arrived`. Without so many men that may be taken: anything.
void merels_naive_removals(const struct rules *rules, point_set arrived,
                           const struct columns *men, int n_removed, const uint16_t *smaller,
                           uint16_t *best);

#endif
