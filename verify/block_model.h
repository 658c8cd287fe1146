// block_model.h: what all blocks of a stored subspace share: how its men step, where the
// weights of features stand, and what they are when a block begins (docs/COMPACT.md, section
// 7).

#ifndef MERELS_VERIFY_BLOCK_MODEL_H
#define MERELS_VERIFY_BLOCK_MODEL_H

#include "verify/compact_head.h"
#include "verify/table_files.h"

enum { N_TABLES = 23, MOST_FEATURES = MOST_IMAGES + N_TABLES };
enum { MOST_SUM = 176 * 4096 };

struct compact_decoder {
    const struct compact_file *file;
    const struct compact_subspace *subspace;
    const struct classes *classes;
    uint32_t n_columns, n_groups;
    bool parity, places, moves, flies;
    int n_free, most_class;
    // A feature for each image of a pattern: its points, and where its weights begin.
    int n_images;
    uint32_t first_weight[MOST_FEATURES];
    uint32_t own_part[3][256][MOST_IMAGES]; // of an index, by the bytes of the mover's set
    uint32_t n_weights;                     // of each decision
    int32_t *begin; // weights when a block begins: won?, lost?, won?, ...
    uint32_t chances[MOST_SUM / 4096 + 1]; // of 65536, for sums of 0, 1, ...
    uint32_t n_sets[2];                    // arrivals of steps on the board, and of placements
};

// Lays out the weights and fills `begin` (malloc'ed) from the model of the subspace.
// STATUS_CORRUPT, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_verify_load_model(struct compact_decoder *decoder,
                                                    struct error *err);

#endif
