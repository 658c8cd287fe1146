// compact_fit.h: models of edition compact, fitted to rows of tables.

#ifndef MERELS_COMPACT_COMPACT_FIT_H
#define MERELS_COMPACT_COMPACT_FIT_H

#include "compact/compact_rows.h"

// Positions of known value, as places in a model.
struct compact_samples {
    const struct compact_game *game;
    uint16_t *entries; // n_features for each
    uint8_t *values;
    size_t n, room;
    int n_features;
    uint64_t random; // state of the choice: the same samples from the same rows
    uint32_t keep;   // one position in so many is kept
    uint32_t gap;    // positions until the next one
    const uint8_t *row_values;
    bool failed;
};

// Adds positions of a table, about n_wanted at most, from rows spread over it.
MERELS_CHECKED enum status merels_compact_sample(struct compact_rows *rows, size_t n_wanted,
                                                 struct compact_samples *samples,
                                                 struct error *err);
void merels_compact_samples_free(struct compact_samples *samples);

// Fits a model to the samples: 2 * n_entries bytes, the caller's. Whole numbers throughout, in
// the order of the samples, each decision by one thread: the same model everywhere. Takes some
// 3 microseconds for each sample. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_compact_fit(const struct compact_samples *samples,
                                              int n_threads, int8_t *model, struct error *err);

#endif
