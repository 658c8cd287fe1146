// compact_sums.h: what a file of edition compact keeps under checksums: models, and groups of
// rows with their index.

#ifndef MERELS_VERIFY_COMPACT_SUMS_H
#define MERELS_VERIFY_COMPACT_SUMS_H

#include "verify/compact_head.h"

// STATUS_CORRUPT, naming what is damaged and of which subspace.
enum status merels_verify_damaged(struct counts counts, const char *what, struct error *err);

// The bytes of the model of a stored subspace. STATUS_CORRUPT.
MERELS_CHECKED enum status merels_verify_model_bytes(const struct compact_file *file,
                                                     const struct compact_subspace *subspace,
                                                     const uint8_t **bytes, uint32_t *n_bytes,
                                                     struct error *err);

// How many groups its rows make; their index lies in the file. STATUS_CORRUPT.
MERELS_CHECKED enum status merels_verify_count_groups(const struct compact_file *file,
                                                      const struct compact_subspace *subspace,
                                                      uint32_t *n_groups, struct error *err);

// The bytes of a group below that number. STATUS_CORRUPT.
MERELS_CHECKED enum status merels_verify_group_bytes(const struct compact_file *file,
                                                     const struct compact_subspace *subspace,
                                                     uint32_t group, const uint8_t **bytes,
                                                     const uint8_t **end, struct error *err);

// Compares all checksums of the file and decodes nothing. STATUS_CORRUPT.
MERELS_CHECKED enum status merels_verify_compact_sums(const struct compact_file *file,
                                                      struct error *err);

#endif
