// render.h: a position drawn as text, from the board's points and edges alone.

#ifndef MERELS_QUERY_RENDER_H
#define MERELS_QUERY_RENDER_H

#include "game/notation.h"
#include "query/output.h"

// The largest board: 10 ranks and 9 gaps, 23 files of 4 characters of up to 3 bytes, with a
// column free on both sides for the brackets of a last ply; a line of letters, the edges that
// are listed, a NUL.
enum { RENDER_LINES = 19, RENDER_WIDTH = 23 * 4 + 3 };
enum { BOARD_TEXT_BYTES = (RENDER_LINES + 1) * (3 * RENDER_WIDTH + 3) + 64 * 6 + 32 };

struct render_style {
    bool unicode;           // UTF-8 instead of ASCII
    const struct ply *last; // the ply that led here, or NULL
};

// The drawing of a board, one line a row and one between, each ended by a newline: 'O' White,
// '@' Black, '.' a free point. The edges of a mill are drawn with '=', '#' or '%'; the last
// ply's man stands in [ ], the point it came from in ( ), and the place of a removed man is
// 'x'. Returns its length in bytes.
size_t merels_render_board(const struct board *board, const struct position *pos,
                           struct render_style style, char out[BOARD_TEXT_BYTES]);

// What the marks of a man and, if the drawing has them, of mills and the last ply mean.
const char *merels_render_legend(bool unicode);

// "White" or "Black", and "white" or "black" for machines.
const char *merels_colour_name(int colour);
const char *merels_colour_word(int colour);

// "In hand: White 3, Black 2. White to move.": who has what to do; returns `out`.
enum { TURN_TEXT_BYTES = 128 };
const char *merels_turn_words(const struct rules *rules, const struct position *pos,
                              char out[TURN_TEXT_BYTES]);

// Prints the short form of a position, an empty line, the drawing, and who has what to do.
void merels_print_board(struct output *out, const struct rules *rules,
                        const struct position *pos, struct render_style style);

#endif
