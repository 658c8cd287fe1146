// check_row.h: the two hot loops of a full check, compiled once per processor level and width
// of marks.
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
// Marks are numbers, of one byte or two, that order what Y can be worth (verify_marks.h).

#ifndef MERELS_VERIFY_CHECK_ROW_H
#define MERELS_VERIFY_CHECK_ROW_H

#include "verify/verify_index.h"
#include "verify/verify_marks.h"
#include "verify/verify_plies.h"

struct pair {
    uint8_t quiet, closed; // marks
};

struct wide_pair {
    uint16_t quiet, closed;
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
    int mark_bytes;                // 1; or 2: pairs, marks, values and planes are wide
    const void *pairs;             // struct pair or struct wide_pair
    const void *marks;             // struct marks or struct wide_marks
    uint32_t n_pair_columns;
    const uint32_t *pair_columns; // sets of b of n - a_after points
};

// A thread's memory, all of it marks. Up to ROW_MARGIN bytes before and behind quiet and closed
// are read, too, and mean nothing.
enum { ROW_MARGIN = 32 };

struct room {
    void *best;           // by set X, 2^n_free of them, but at least ROW_MARGIN bytes
    void *quiet, *closed; // by set Y, as many
    void *smaller;        // of a row of the smaller table
};

// Memory of so many bytes for rows with n_free points, all zero, to be freed by the pointer
// that begins it, best; `smaller` is left alone.
static inline size_t row_room_bytes(int n_free, int mark_bytes)
{
    size_t n = ((size_t)1 << n_free) * (size_t)mark_bytes;
    return 3 * ((n < ROW_MARGIN ? ROW_MARGIN : n) + ROW_MARGIN);
}

static inline void row_room_divide(uint8_t *bytes, int n_free, int mark_bytes,
                                   struct room *room)
{
    size_t n = row_room_bytes(n_free, mark_bytes) / 3;
    room->best = bytes;
    room->quiet = bytes + n;
    room->closed = bytes + 2 * n;
}

// What a thread counts: orbits by stored value, and the first slot with each value.
struct tally {
    uint32_t n_values; // 256 or 65536
    uint64_t *orbits;
    uint64_t *first; // UINT64_MAX: none
};

// Two slots that hold one position and differ.
struct twins {
    uint32_t column, other;
};

// Values and pairs of the width of the marks.
struct row_checks {
    const char *level;
    int mark_bytes;
    const struct row_checks *wide; // of the same level for marks of two bytes; of these NULL
    // Pairs of one row: set Y with its row of values in b-a and in (b-1)-a (NULL if not
    // needed).
    void (*prepare_row)(const struct table_view *view, uint32_t set, const void *plain,
                        const void *smaller, struct room *room, void *pairs);
    // The best mark of every set of a row: room->best.
    void (*best_row)(const struct table_view *view, uint32_t set, struct room *room);
    // The first column whose stored value is not what follows from the pairs; n_columns if
    // none.
    uint32_t (*check_row)(const struct table_view *view, uint32_t set, const void *stored,
                          struct room *room);
    // Counts a row; in a row with symmetries all slots of a position must agree: false and the
    // first pair if they do not.
    bool (*tally_row)(const struct table_view *view, uint32_t number, const void *stored,
                      struct tally *tally, struct twins *twins);
};

// Those for the width of a view.
static inline const struct row_checks *row_checks_for(const struct row_checks *checks,
                                                      const struct table_view *view)
{
    return view->mark_bytes == 2 ? checks->wide : checks;
}

#endif
