// board_places.h: where the points of a board stand in a drawing.
//
// A point's name is its place: the letter its file, from the left, the digit its rank, from
// below. All drawings, of text and of pictures, take them from here.

#ifndef MERELS_QUERY_BOARD_PLACES_H
#define MERELS_QUERY_BOARD_PLACES_H

#include "game/board.h"

struct board_extent {
    char first_file, first_rank; // of those that occur
    int n_files, n_ranks;        // from the first to the last
};

struct board_extent merels_board_extent(const struct board *board);

// Files right of the first, ranks above the first.
static inline int board_file(const struct board *board, struct board_extent extent, int point)
{
    return board->names[point][0] - extent.first_file;
}

static inline int board_rank(const struct board *board, struct board_extent extent, int point)
{
    return board->names[point][1] - extent.first_rank;
}

// True if no point stands on the straight line between two others.
bool merels_board_sees(const struct board *board, int from, int to);

// How a line between two points is drawn: straight, or where it would then pass over a man on a
// third point, as a curve of Bezier's with three points, of which the one in the middle is the
// bend. Both ways it is the same line. Places are in hundredths of a step, to the right of the
// first file and upwards from the first rank.
struct board_line {
    bool straight;
    int bend_x, bend_y;
};

struct board_line merels_board_line(const struct board *board, struct board_extent extent,
                                    int from, int to);

#endif
