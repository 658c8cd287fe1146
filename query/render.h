// render.h: a position drawn as text, from the board's points and edges alone.

#ifndef MERELS_QUERY_RENDER_H
#define MERELS_QUERY_RENDER_H

#include "game/position.h"

// Widest board: 7 rows and 6 gaps of at most 3 + 25 characters, a line of letters, a NUL.
enum { BOARD_TEXT_BYTES = 14 * 32 };

// The drawing of a board, one line a row and one between, each ended by a newline: 'O' White,
// '@' Black, '.' a free point. Returns its length.
size_t merels_render_board(const struct board *board, const struct position *pos,
                           char out[BOARD_TEXT_BYTES]);

// "White" or "Black".
const char *merels_colour_name(int colour);

#endif
