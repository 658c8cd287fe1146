// verify_index.h: what the verifier knows of a game: its rules read from their text, the board's
// symmetries, binomials, ranks, and the canonical sets.
//
// Written from docs/FORMAT.md alone. Nothing here uses or repeats the code of game/, db/ or
// solver/ that made the tables: an error there must not be able to hide here.
//
//     set     integer, bit p = point p                        (24 bits at most)
//     rank    number of a k-set among all k-sets of the board, ascending = sum of C(q_i, i)
//     class   all images of a set under the symmetries; its smallest member stands for it

#ifndef MERELS_VERIFY_VERIFY_INDEX_H
#define MERELS_VERIFY_VERIFY_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/status.h"

enum { GROUND_POINTS = 24, GROUND_LINES = 32, GROUND_MAPS = 64, HALF = 12 };

// Values as the verifier holds them, a byte each: those of the edition dtm as they are stored;
// those of the edition wdl as WIN, LOSS or DRAW.
enum { LOSS = 0, WIN = 1, DRAW = 255 };

enum taking { TAKE_SAFE_LAST, TAKE_ANY, TAKE_NEVER_SAFE }; // "safe" men stand in mills

// The rules as their text states them (docs/FORMAT.md, section 8).
struct charter {
    int n_points, n_edges, n_mills;
    char names[GROUND_POINTS][3];
    uint32_t all;                   // every point
    uint32_t joined[GROUND_POINTS]; // neighbours
    uint32_t mills[GROUND_LINES];
    int fly, least;
    enum taking taking;
    bool blocked_loses, full_board_loses;
};

// Reads the text. STATUS_BAD_INPUT if it is no rules text, STATUS_UNSUPPORTED names a rule that
// the verifier cannot judge, or a board of 24 points that is not the one its own list holds.
MERELS_CHECKED enum status merels_verify_charter(const char *text, struct charter *charter,
                                                 struct error *err);

struct ground {
    struct charter charter;
    uint64_t choose[GROUND_POINTS + 1][GROUND_POINTS + 1];
    int n_maps;
    uint8_t maps[GROUND_MAPS][GROUND_POINTS];    // every symmetry: where each point goes
    uint32_t images[GROUND_MAPS][3][256];        // of each byte of a set
    uint32_t low[1 << HALF];                     // rank of the points 0 to 11 of a set
    uint32_t high[GROUND_POINTS + 1][1 << HALF]; // what the points 12 to 23 add, by men in all
};

// The ground of a rules text; free() it. As merels_verify_charter, and STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_verify_ground(const char *text, struct ground **ground,
                                                struct error *err);

static inline uint32_t ground_image(const struct ground *g, int map, uint32_t set)
{
    return g->images[map][0][set & 255] | g->images[map][1][set >> 8 & 255] |
           g->images[map][2][set >> 16];
}

static inline uint32_t ground_rank(const struct ground *g, int men, uint32_t set)
{
    return g->low[set & ((1 << HALF) - 1)] + g->high[men][set >> HALF];
}

// True if the set holds a mill.
bool merels_verify_has_mill(const struct charter *charter, uint32_t set);

// The men of `set` that stand in mills of it.
uint32_t merels_verify_in_mills(const struct charter *charter, uint32_t set);

// The men of `victims` of which one is taken when a mill is closed.
uint32_t merels_verify_takable(const struct charter *charter, uint32_t victims);

// All k-sets of n points, ascending, malloc'ed.
MERELS_CHECKED enum status merels_verify_sets(const struct ground *g, int n_points, int men,
                                              uint32_t **sets, struct error *err);

// ---- closed formulas (docs/FORMAT.md, sections 5 and 12) -----------------------------------

// Pairs of disjoint sets of a and b points that no symmetry maps to each other.
uint64_t merels_verify_orbits(const struct ground *g, int a, int b);

// ---- classes -------------------------------------------------------------------------------

// The classes of the sets of so many men: row numbers and smallest members; and for every set,
// by its rank, its row and a symmetry that maps it to the smallest member.
struct classes {
    int men;
    uint32_t n_rows;
    uint32_t *smallest; // by row
    uint32_t *entries;  // by rank: row << 8 | map
};

MERELS_CHECKED enum status merels_verify_classes(const struct ground *g, int men,
                                                 struct classes *classes, struct error *err);
void merels_verify_classes_free(struct classes *classes);

#endif
