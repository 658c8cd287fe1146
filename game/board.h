// board.h: a board as data (points, edges, mills) and everything computed from it.
//
// Point order is part of the table format: for the 24-point board the three rings from the
// outside in, each from its top left corner clockwise (a7 d7 g7 g4 g1 d1 a1 a4 b6 ... c4),
// for the boards of 16 and 17 points the two rings the same way, then the centre; for the 3x3
// board row by row from the top left (a3 b3 c3 a2 ... c1).
//
// The symmetry group is not written down: it is every permutation of the points that keeps the
// set of edges and the set of mills (symmetry.h). Symmetry 0 is the identity.

#ifndef MERELS_GAME_BOARD_H
#define MERELS_GAME_BOARD_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "game/bits.h"
#include "game/status.h"

enum {
    MIN_POINTS = 3,
    MAX_POINTS = 24,
    MAX_EDGES = 64,
    MAX_MILLS = 32,
    MAX_MILLS_AT = 6, // through one point
    MAX_SYMMETRIES = 48
};

enum board_kind {
    BOARD_THREE,         // 3x3, 9 points, 8 lines, moves along the lines (16 edges)
    BOARD_SIX,           // two squares and four links, 16 points, 8 mills, 20 edges
    BOARD_SEVEN,         // BOARD_SIX plus a centre, 17 points, 14 mills
    BOARD_NINE,          // 24 points, 16 mills, 32 edges
    BOARD_NINE_DIAGONAL, // BOARD_NINE plus four corner diagonals: 20 mills, 40 edges
    BOARD_OWN            // any other one, from its lists of points, edges and mills
};

enum { N_KNOWN_BOARDS = BOARD_OWN };

// A board as it is written down. Names are a letter from a to w and a digit.
enum board_part { PART_POINTS, PART_EDGES, PART_MILLS, N_BOARD_PARTS };

struct board_lists {
    int n_points, n_edges, n_mills;
    char names[MAX_POINTS][3];
    uint8_t edges[MAX_EDGES][2];
    uint8_t mills[MAX_MILLS][3];
    int lines[N_BOARD_PARTS]; // of the text that says them, for messages; 0: not known
};

struct board {
    enum board_kind kind;
    int n_points;
    int n_mills;
    int n_symmetries;
    char names[MAX_POINTS][3]; // "a7"
    point_set points;          // all points
    point_set neighbours[MAX_POINTS];
    point_set mills[MAX_MILLS]; // three points each, in order of lowest, middle, last point
    int n_mills_at[MAX_POINTS];
    // The two other points of each mill through a point.
    point_set mates[MAX_POINTS][MAX_MILLS_AT];
    // The fewest men that stand in k mills through one point; none has so many: MAX_POINTS + 1.
    int men_in_mills[MAX_MILLS_AT + 1];
    uint8_t symmetry[MAX_SYMMETRIES][MAX_POINTS];  // point p goes to symmetry[s][p]
    uint8_t inverse[MAX_SYMMETRIES];               // number of the inverse symmetry
    point_set image_low[MAX_SYMMETRIES][1 << 12];  // image of a set's low 12 points
    point_set image_high[MAX_SYMMETRIES][1 << 12]; // image of its high 12 points
};

// Fills *board with a known board. Takes some hundred microseconds; the struct is about 1.6 MB,
// of which a third is used unless the group is large, and belongs to the caller; after this
// call it is read-only and any thread may use it.
void merels_board_init(struct board *board, enum board_kind kind);

// Fills *board from its lists; a known board gets its kind. STATUS_BAD_INPUT names what is
// wrong: a name, an edge or mill that stands twice or has a point twice, too few points. What
// is beyond the bounds above is STATUS_UNSUPPORTED.
MERELS_CHECKED enum status
merels_board_make(struct board *board, const struct board_lists *lists, struct error *err);

// The number of the point called `name` (two characters, either case), or -1.
int merels_board_point(const struct board *board, const char name[2]);

// The image of a set under symmetry s: the set of symmetry[s][p] for p in the set.
static inline point_set board_image(const struct board *board, int s, point_set set)
{
    assert(s >= 0 && s < board->n_symmetries && (set & ~board->points) == 0);
    return board->image_low[s][set & 0xFFF] | board->image_high[s][set >> 12];
}

// True if `set` holds a mill through `point` (`point` itself counts as being in the set).
static inline bool board_closes_mill(const struct board *board, point_set set, int point)
{
    for (int k = 0; k < board->n_mills_at[point]; k++)
        if ((board->mates[point][k] & ~set) == 0)
            return true;
    return false;
}

// How many mills through `point` the set holds (`point` counts as being in it).
int merels_board_mills_closed(const struct board *board, point_set set, int point);

// The men of `set` that stand in a mill.
point_set merels_board_mill_men(const struct board *board, point_set set);

#endif
