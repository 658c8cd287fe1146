// check_samples.h: random slots of one table, judged one after another.

#ifndef MERELS_VERIFY_CHECK_SAMPLES_H
#define MERELS_VERIFY_CHECK_SAMPLES_H

#include "verify/verify_run.h"

// Judges `n_samples` slots, the same ones in every run. STATUS_MISMATCH.
MERELS_CHECKED enum status merels_verify_samples(struct verify_run *run,
                                                 const struct checked_table *table,
                                                 uint64_t n_samples, struct error *err);

#endif
