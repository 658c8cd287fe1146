// rates.h: the time that pieces of work take on this machine, measured.
//
// The kernels of one level work on a few rows of a unit of the rules themselves, of random
// contents. Each kind of work has several short runs by the clock of the thread, of which the
// second best counts: the time of other work is not part of it, and what such work does to the
// caches spoils some of the runs only.

#ifndef MERELS_SOLVER_RATES_H
#define MERELS_SOLVER_RATES_H

#include "solver/effort.h"

struct rates {
    const char *level;       // of the kernels; NULL: any
    bool measured;           // here and now; else on some machine before
    double ns[N_WORK_KINDS]; // nanoseconds of a piece in a solve
    double dense_cost;       // as workspace.dense_cost
};

// Those of one processor with AVX2, for solves that are too short to measure anything.
struct rates merels_rates_typical(const char *level);

// Measures for about `seconds`, and some 0.1 s of preparation where sets are many: on a unit
// that is solved by depths and one that is solved by a sweep, NULL: there is none. What cannot
// be measured on them stays typical. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_rates_measure(const struct rules *rules,
                                                const struct kernels *kernels,
                                                const struct work_unit *depths,
                                                const struct work_unit *sweep, double seconds,
                                                struct rates *rates, struct error *err);

// Seconds of a processor that so much work takes.
double merels_rates_seconds(const struct rates *rates, const struct effort *effort);

#endif
