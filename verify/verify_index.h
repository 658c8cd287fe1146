// verify_index.h: which position stands in which slot: the board's symmetries, binomials, ranks
// and canonical sets, and the rules that they belong to. Written from docs/FORMAT.md alone.
//
//     set     integer, bit p = point p                        (24 bits at most)
//     rank    number of a k-set among all k-sets of the board, ascending = sum of C(q_i, i)
//     class   all images of a set under the symmetries; its smallest member stands for it

#ifndef MERELS_VERIFY_VERIFY_INDEX_H
#define MERELS_VERIFY_VERIFY_INDEX_H

#include <assert.h>

#include "verify/verify_bits.h"
#include "verify/verify_rules.h"

enum { VERIFY_MAPS = 64, HALF = 12 }; // symmetries at most; points of half a board

struct verify_index {
    struct verify_rules rules;
    uint64_t choose[VERIFY_POINTS + 1][VERIFY_POINTS + 1];
    int n_maps;
    uint8_t maps[VERIFY_MAPS][VERIFY_POINTS]; // every symmetry: where each point goes
    uint32_t images[VERIFY_MAPS][3][256];     // of each byte of a set
    struct bit_tables bits;
    uint32_t low[1 << HALF];                     // rank of the points 0 to 11 of a set
    uint32_t high[VERIFY_POINTS + 1][1 << HALF]; // what the points 12 to 23 add, by men in all
};

// Of a rules text; free() it. As merels_verify_rules_parse, and STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_verify_index_create(const char *text, bool any_board,
                                                      struct verify_index **index,
                                                      struct error *err);

static inline uint32_t verify_image(const struct verify_index *index, int map, uint32_t set)
{
    assert(map >= 0 && map < index->n_maps && (set & ~index->rules.all) == 0);
    return index->images[map][0][set & 255] | index->images[map][1][set >> 8 & 255] |
           index->images[map][2][set >> 16];
}

// Of a set of so many men.
static inline uint32_t verify_rank(const struct verify_index *index, int men, uint32_t set)
{
    assert(set >> VERIFY_POINTS == 0 && __builtin_popcount(set) == men);
    return index->low[set & ((1 << HALF) - 1)] + index->high[men][set >> HALF];
}

// The next set in ascending order with as many men; of no man and after the last anything.
static inline uint32_t verify_set_after(uint32_t set)
{
    uint32_t lowest = set & (~set + 1), above = set + lowest;
    return set == 0 ? 0 : above | ((set ^ above) >> 2 >> __builtin_ctz(set));
}

// The symmetries that map the set to itself, other than the one that leaves every point alone.
int merels_verify_stabilizer(const struct verify_index *index, uint32_t set,
                             int maps[VERIFY_MAPS]);

// All k-sets of n points, ascending, malloc'ed.
MERELS_CHECKED enum status merels_verify_sets(const struct verify_index *index, int n_points,
                                              int men, uint32_t **sets, struct error *err);

// ---- closed formulas (docs/FORMAT.md, sections 5 and 12) -----------------------------------

// Pairs of disjoint sets of a and b points that no symmetry maps to each other.
uint64_t merels_verify_orbits(const struct verify_index *index, int a, int b);

// ---- classes -------------------------------------------------------------------------------

// The classes of the sets of so many men: row numbers and smallest members; and for every set,
// by its rank, its row and a symmetry that maps it to the smallest member.
struct classes {
    int men;
    uint32_t n_rows;
    uint32_t *smallest; // by row
    uint32_t *entries;  // by rank: row << 8 | map
};

MERELS_CHECKED enum status merels_verify_classes(const struct verify_index *index, int men,
                                                 struct classes *classes, struct error *err);
void merels_verify_classes_free(struct classes *classes);

#endif
