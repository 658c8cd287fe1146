// render.c: the drawing of a board.
//
// A point's name gives its place: file a.. is 4 characters a step, rank 1.. is 2 lines a step.
// An edge fills what lies between its ends with -, |, \ or /.
//
//     3  O---.---@
//        | \ | / |
//     2  .---.---.

#include "query/render.h"

#include <string.h>

enum { MAX_LINES = 13, MAX_WIDTH = 25, STEP_X = 4, STEP_Y = 2, MARGIN = 3 };

struct drawing {
    int n_ranks, n_files;
    char cells[MAX_LINES][MAX_WIDTH];
};

static int file_of(const struct board *board, int point)
{
    return board->names[point][0] - 'a';
}

static int rank_of(const struct board *board, int point)
{
    return board->names[point][1] - '1';
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

// Draws the edge between two points, without its ends. Lines count from the top.
static void draw_edge(const struct board *board, int from, int to, struct drawing *drawing)
{
    int dx = sign(file_of(board, to) - file_of(board, from));
    int dy = sign(rank_of(board, to) - rank_of(board, from));
    char mark = dy == 0 ? '-' : dx == 0 ? '|' : dx == dy ? '/' : '\\';
    int step = dx != 0 && dy != 0 ? STEP_X / STEP_Y : 1; // a diagonal moves 2 characters a line
    int x = STEP_X * file_of(board, from), end_x = STEP_X * file_of(board, to);
    int y = STEP_Y * rank_of(board, from), end_y = STEP_Y * rank_of(board, to);
    for (x += dx * step, y += dy; x != end_x || y != end_y; x += dx * step, y += dy)
        drawing->cells[STEP_Y * (drawing->n_ranks - 1) - y][x] = mark;
}

static void measure(const struct board *board, struct drawing *drawing)
{
    memset(drawing, 0, sizeof *drawing);
    memset(drawing->cells, ' ', sizeof drawing->cells);
    for (int p = 0; p < board->n_points; p++) {
        if (file_of(board, p) >= drawing->n_files)
            drawing->n_files = file_of(board, p) + 1;
        if (rank_of(board, p) >= drawing->n_ranks)
            drawing->n_ranks = rank_of(board, p) + 1;
    }
}

static char point_mark(const struct position *pos, int point)
{
    point_set white = pos->mover == WHITE ? pos->own : pos->other;
    point_set black = pos->mover == WHITE ? pos->other : pos->own;
    return white >> point & 1 ? 'O' : black >> point & 1 ? '@' : '.';
}

static void draw(const struct board *board, const struct position *pos, struct drawing *drawing)
{
    for (int p = 0; p < board->n_points; p++) {
        for (point_set s = board->neighbours[p]; s != 0; s &= s - 1)
            draw_edge(board, p, bit_lowest(s), drawing);
        int line = STEP_Y * (drawing->n_ranks - 1 - rank_of(board, p));
        drawing->cells[line][STEP_X * file_of(board, p)] = point_mark(pos, p);
    }
}

size_t merels_render_board(const struct board *board, const struct position *pos,
                           char out[BOARD_TEXT_BYTES])
{
    struct drawing drawing;
    measure(board, &drawing);
    draw(board, pos, &drawing);
    int width = STEP_X * (drawing.n_files - 1) + 1;
    char *end = out;
    for (int line = 0; line < STEP_Y * (drawing.n_ranks - 1) + 1; line++) {
        *end++ = line % STEP_Y == 0 ? (char)('0' + drawing.n_ranks - line / STEP_Y) : ' ';
        end = memset(end, ' ', MARGIN - 1);
        end += MARGIN - 1;
        memcpy(end, drawing.cells[line], (size_t)width);
        for (end += width; end[-1] == ' ';)
            end--;
        *end++ = '\n';
    }
    memset(end, ' ', (size_t)(MARGIN + width));
    for (int file = 0; file < drawing.n_files; file++)
        end[MARGIN + STEP_X * file] = (char)('a' + file);
    end += MARGIN + width;
    memcpy(end, "\n", 2);
    return (size_t)(end + 1 - out);
}

const char *merels_colour_name(int colour)
{
    return colour == WHITE ? "White" : "Black";
}
