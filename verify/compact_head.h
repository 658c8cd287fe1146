// compact_head.h: a file of edition compact in memory, and its head: what it stores, and where.
//
// Written from docs/COMPACT.md alone. What the head says of rules, board, symmetries and rows
// is compared with the verifier's own; what it says of places is left to who reads there.

#ifndef MERELS_VERIFY_COMPACT_HEAD_H
#define MERELS_VERIFY_COMPACT_HEAD_H

#include "verify/verify_counts.h"
#include "verify/verify_index.h"

enum { MOST_PATTERNS = 8, PATTERN_POINTS = 9, MOST_IMAGES = 24, MOST_INDICES = 1 << 17 };
enum { HEAD_SYMMETRIES = 48 };

// Strands of a subspace: a set of them is a sum.
enum { STRAND_EVEN = 1, STRAND_ODD = 2, STRANDS_BOTH = 3, STRAND_ALL = 4 };

struct compact_pattern {
    int n_points;
    uint8_t points[PATTERN_POINTS];
};

struct compact_model {
    uint64_t offset, sum;
    uint32_t n_bytes;
};

struct compact_subspace {
    struct counts counts;
    int strands; // stored: a set; 0: none
    int model;
    uint32_t group_rows;
    uint64_t groups; // offset of their index
};

struct compact_file {
    const struct verify_index *index;
    const uint8_t *bytes;
    uint64_t n_bytes;
    uint32_t dark;                      // a set; 0: the board has no two colours
    bool dark_kept;                     // every symmetry maps the dark points to themselves
    uint8_t order[HEAD_SYMMETRIES];     // of its symmetries: their numbers in the index
    uint32_t men_counted;               // counts of men whose rows it counts: bit by bit
    uint32_t n_rows[VERIFY_POINTS + 1]; // of these: canonical sets of so many men
    int n_patterns, n_plies, n_models, n_subspaces;
    struct compact_pattern patterns[MOST_PATTERNS];
    uint32_t most_bytes; // of a group or model
    struct compact_model *models;
    struct compact_subspace *subspaces;
};

// Reads the head of a whole file in memory, which must stay there. STATUS_CORRUPT,
// STATUS_NEWER, STATUS_OTHER_RULES; STATUS_MISMATCH for what the verifier finds to be
// otherwise; STATUS_NO_MEMORY. Close also after a failure.
MERELS_CHECKED enum status merels_verify_compact_open(const char *rules_text,
                                                      const struct verify_index *index,
                                                      const uint8_t *bytes, uint64_t n_bytes,
                                                      struct compact_file *file,
                                                      struct error *err);
void merels_verify_compact_close(struct compact_file *file);

// The subspace of these counts, NULL if the file has none.
const struct compact_subspace *merels_verify_compact_find(const struct compact_file *file,
                                                          struct counts counts);

// True if the positions of the subspace are even or odd.
bool merels_verify_has_parity(const struct compact_file *file, struct counts counts);

// Little-endian numbers.
static inline uint64_t compact_number(const uint8_t *bytes, int n)
{
    uint64_t x = 0;
    while (n-- > 0)
        x = x << 8 | bytes[n];
    return x;
}

#endif
