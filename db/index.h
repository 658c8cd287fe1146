// index.h: the place of a position in its table.
//
//     slot = row * columns + column
//     row    = number of the canonical image of the *other* side's set among all canonical sets
//              of as many men, in ascending order (canonical: the smallest image as an integer)
//     column = rank of the image of the mover's set among the free points (the points outside
//              the row's set, pushed together), in ascending order of the pushed-together set
//
// Ascending order of k-sets is colexicographic order: rank of {p1 < p2 < ... < pk} is the sum
// of C(p_i, i). A row whose set has a non-trivial stabilizer holds some positions in two or
// more slots; all of them carry the same value.

#ifndef MERELS_DB_INDEX_H
#define MERELS_DB_INDEX_H

#include <assert.h>

#include "game/subspace.h"

// Colex rank of a set of `count` men, from its halves; the same tables serve pushed-together
// sets. low[x] is the rank of the low 12 points, high[k][x] adds the high 12 for a set of k men
// in all.
struct rank_tables {
    uint32_t low[1 << 12];
    uint32_t high[MAX_POINTS + 1][1 << 12];
    uint8_t together[64][64]; // [mask][set], of six points each: the set pushed together
    uint8_t counts[64];       // points of a mask
};

// The tables, built once; any thread. Never fails.
const struct rank_tables *merels_rank_tables(void);

// The rank of a k-set in ascending order, 0 .. C(24, k) - 1.
static inline uint32_t rank_set(const struct rank_tables *t, int k, point_set set)
{
    assert(bit_count(set) == k && set >> MAX_POINTS == 0);
    return t->low[set & 0xFFF] + t->high[k][set >> 12];
}

// The points of a set that are in `mask`, pushed together: six at a time, for a mask that is
// used once (game/bits.h has better for one that is used often).
static inline point_set push_together(const struct rank_tables *t, point_set set,
                                      point_set mask)
{
#if defined(__BMI2__) && defined(__x86_64__)
    (void)t;
    return (point_set)bit_extract(set, mask);
#else
    point_set result = 0;
    int n = 0;
    for (int low = 0; low < MAX_POINTS; low += 6) {
        uint32_t m = mask >> low & 63;
        result |= (point_set)t->together[m][set >> low & 63] << n;
        n += t->counts[m];
    }
    return result;
#endif
}

// The k-set of a rank.
point_set merels_unrank_set(int k, uint32_t rank);

// The canonical sets of `men` men, ascending, and the symmetries that fix each.
struct row_sets {
    int men;
    uint32_t n_rows;
    point_set *sets;
    // The symmetries that fix a set, as a number among those that occur, 0: the identity alone.
    uint16_t *stabilizer_of;
    uint16_t n_stabilizers;
    uint64_t *stabilizers; // by number; bit s: symmetry s; bit 0 always
};

// The symmetries that fix the set of a row.
static inline uint64_t row_stabilizer(const struct row_sets *rows, uint32_t row)
{
    return rows->stabilizers[rows->stabilizer_of[row]];
}

// True if no symmetry but the identity does.
static inline bool row_is_plain(const struct row_sets *rows, uint32_t row)
{
    return rows->stabilizer_of[row] == 0;
}

struct index;

// An index for a board: a few kilobytes, row sets are built when first needed (at most some 17
// ms and 1.1 MB each). `board` must outlive it. Any number of threads may use one index.
MERELS_CHECKED enum status merels_index_create(const struct board *board, struct index **index,
                                               struct error *err);
void merels_index_destroy(struct index *index); // NULL is allowed

// The row sets of a number of men; they live as long as the index. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_index_rows(struct index *index, int men,
                                             const struct row_sets **rows, struct error *err);

// Canonical look-up of a set by its rank among the sets of as many men:
//     entry   bits 8..31   number of the row
//             bit  6       the row's set has symmetries of its own
//             bits 0..5    the lowest symmetry that leads to the canonical set
enum { CANON_ROW_SHIFT = 8, CANON_SYMMETRIC = 64, CANON_SYMMETRY_MASK = 63 };

// Fills the look-up of all sets of `men` men: C(points of the board, men) entries, the
// caller's. Some 10 ns an entry. STATUS_NO_MEMORY, STATUS_BAD_INPUT as merels_index_rows.
MERELS_CHECKED enum status merels_index_fill_canon(struct index *index, int men,
                                                   uint32_t *entries, struct error *err);

// The slot of a position in the table of its subspace (own/other sets only are looked at). The
// position must be well formed. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_index_rank(struct index *index, const struct position *pos,
                                             uint64_t *slot, struct error *err);

// The position of slot 0 .. slots-1 of a subspace (mover White). STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_index_unrank(struct index *index, struct subspace s,
                                               uint64_t slot, struct position *pos,
                                               struct error *err);

// The number of slots that hold this position: (size of the row's stabilizer) / (size of the
// stabilizer of the pair). 1 for nearly all; adding 1/that over all slots gives the orbits.
MERELS_CHECKED enum status merels_index_copies(struct index *index, const struct position *pos,
                                               int *copies, struct error *err);

#endif
