// check_row.h: the two hot loops of a full check, compiled once per processor level.
//
// A table a-b is checked row by row. In one row the men R of the other side stay; a ply of the
// mover, set X, makes a set Y. What Y is worth does not depend on X, so it is fetched once a
// row:
//
//     quiet[Y]    the other side to move with R against Y
//     closed[Y]   the same after the best removal of a man of R, for Y that hold a mill
//
// Both belong to the same place of the table b-a (row: class of Y, column: R), so they are laid
// side by side there before, row by row of that table, where all sets R - p lie in one row of
// the smaller table. The one random access of the check is that of a pair.
//
//     prepare_row   row Y of b-a and of (b-1)-a       ->  pairs of that row
//     check_row     row R of a-b, pairs from anywhere ->  first slot whose value is not what
//     follows
//
// Marks order values by what they are worth to the side that has just moved, the higher the
// better:
//
//     1 ... 127  the other side wins, in 1 ... 253       128  draw
//     129 ... 255  the other side loses, in 252 ... 0      0  there is no ply
//
// Without depths (edition wdl) only 0, 1, 128 and 255 occur. Where depths count to a ply that
// converts, a mark holds a depth for each result,
//
//     2 ... 127  the other side wins, in 1 ... 126       128  draw
//     129 ... 255  the other side loses, in 126 ... 0      0  there is no ply
//
// and after a ply that converts only 1, 128 and 255 occur: all the other side's wins are worth
// as much as one in 0, and all its losses, too.

#ifndef MERELS_VERIFY_CHECK_ROW_H
#define MERELS_VERIFY_CHECK_ROW_H

#include "verify/verify_index.h"
#include "verify/verify_plies.h"

enum { MARK_NONE = 0, MARK_DRAW = 128, MARK_ENDED = 255, LOOKUPS = 128 };

struct pair {
    uint8_t quiet, closed; // marks
};

// All that the rows of one table share; read only while they are checked.
struct table_view {
    const struct verify_index *index;
    struct verify_plies plies;
    int a, b;                // men of the mover and of the other side in this table
    int a_after;             // the mover's men after a ply
    int n_free;              // points outside a row's set
    const uint32_t *columns; // sets of a of n_free points, ascending
    uint32_t n_columns;
    const uint32_t *targets; // sets of a_after of n_free points
    uint32_t n_targets;
    const struct classes *rows;    // of b men: rows of this table
    const struct classes *arrived; // of a_after men: rows of the pairs
    const struct pair *pairs;
    uint32_t n_pair_columns;
    const uint32_t *pair_columns; // sets of b of n - a_after points
    uint8_t marks[256];           // of a stored byte of the side to move, after a quiet ply
    uint8_t taken_marks[256];     // after one that takes a man
    uint8_t values[256];          // stored byte that follows from the mover's best mark
};

// A thread's memory. Up to ROW_MARGIN bytes before and behind quiet and closed are read, too,
// and mean nothing.
enum { ROW_MARGIN = 32 };

struct room {
    uint8_t *best;           // by set X, 2^n_free of them, but at least ROW_MARGIN
    uint8_t *quiet, *closed; // by set Y, as many
    uint8_t *smaller;        // marks of a row of the smaller table
};

// Memory of so many bytes for rows with n_free points, all zero, to be freed by the pointer
// that begins it, best; `smaller` is left alone.
static inline size_t row_room_bytes(int n_free)
{
    size_t n = (size_t)1 << n_free;
    return 3 * ((n < ROW_MARGIN ? ROW_MARGIN : n) + ROW_MARGIN);
}

static inline void row_room_divide(uint8_t *bytes, int n_free, struct room *room)
{
    size_t n = row_room_bytes(n_free) / 3;
    room->best = bytes;
    room->quiet = bytes + n;
    room->closed = bytes + 2 * n;
}

// What a thread counts: orbits by value, and the first slot with each value.
struct tally {
    uint64_t orbits[256];
    uint64_t first[256]; // UINT64_MAX: none
};

// Two slots that hold one position and differ.
struct twins {
    uint32_t column, other;
};

struct row_checks {
    const char *level;
    // Pairs of one row: set Y with its row of values in b-a and in (b-1)-a (NULL if not
    // needed).
    void (*prepare_row)(const struct table_view *view, uint32_t set, const uint8_t *plain,
                        const uint8_t *smaller, struct room *room, struct pair *pairs);
    // The best mark of every set of a row: room->best.
    void (*best_row)(const struct table_view *view, uint32_t set, struct room *room);
    // The first column whose stored value is not what follows from the pairs; n_columns if
    // none.
    uint32_t (*check_row)(const struct table_view *view, uint32_t set, const uint8_t *stored,
                          struct room *room);
    // Counts a row; in a row with symmetries all slots of a position must agree: false and the
    // first pair if they do not.
    bool (*tally_row)(const struct table_view *view, uint32_t number, const uint8_t *stored,
                      struct tally *tally, struct twins *twins);
};

#endif
