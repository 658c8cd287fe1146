// fastest.h: which of several levels' kernels to take on this processor.
//
// The bits that say what a processor can do do not say how fast: pext and pdep take three
// cycles on most and some hundred on AMD's before Zen 3. So each level works on one small row,
// and the clock decides; what it decides changes no result.

#ifndef MERELS_KERNELS_FASTEST_H
#define MERELS_KERNELS_FASTEST_H

#include "kernels/kernels.h"

enum { MAX_LEVELS = 8 };

// One of n (1..MAX_LEVELS) kernels that run here, those that are the fastest on most processors
// first. A few milliseconds; the first one, if there is no memory or no clock.
const struct kernels *merels_fastest(const struct kernels *const *kernels, int n);

// The number of the one to take if they need so many seconds: the first, unless another takes
// clearly less (7/8). A time that is not above 0 is none, and the first one is taken.
int merels_fastest_of(const double *seconds, int n);

#endif
