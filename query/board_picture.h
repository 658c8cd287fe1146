// board_picture.h: a position as a picture: the board, the men, and what every ply leads to.

#ifndef MERELS_QUERY_BOARD_PICTURE_H
#define MERELS_QUERY_BOARD_PICTURE_H

#include "query/ranking.h"
#include "query/svg.h"

struct board_picture {
    const struct rules *rules;
    const char *name; // of the rules
    const struct position *pos;
    const struct ranking *ranking; // of the position
    const struct ply *last;        // that led here; NULL: none
};

// Draws it. A mark (value_mark.h) stands on a free point for the best ply that puts a man
// there, on a man for the best of its plies or, where it can be taken, for its removal, and on
// a line for the move along it. Best plies have arrows, and dashed rings around the men that
// they take. The caller writes and frees the picture.
struct svg merels_board_picture(const struct board_picture *asked);

#endif
