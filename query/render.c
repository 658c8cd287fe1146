// render.c: the drawing of a board.
//
// A point's name gives its place: a file is 4 characters a step, a rank 2 lines. An edge fills
// what lies between its ends with -, |, \ or /, an edge of a mill with =, # or %. Boards of
// one's own may have edges that cross, which make an X or a +, and edges that cannot be drawn
// so; these are listed below.
// The cells hold ASCII; for Unicode they are translated when they are written.
//
//     3  O---.---@
//        | \ | / |
//     2  .---.---.

#include "query/render.h"

#include <stdlib.h>
#include <string.h>

#include "game/text.h"
#include "query/board_places.h"

// A column stays free on both sides for the brackets of a last ply.
enum { STEP_X = 4, STEP_Y = 2, MARGIN = 2 };

struct drawing {
    struct board_extent extent;
    char cells[RENDER_LINES][RENDER_WIDTH];
};

static int file_of(const struct board *board, int point)
{
    return board->names[point][0];
}

static int rank_of(const struct board *board, int point)
{
    return board->names[point][1];
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static bool in_one_mill(const struct board *board, point_set men, point_set pair)
{
    for (int m = 0; m < board->n_mills; m++)
        if ((board->mills[m] & ~men) == 0 && (pair & ~board->mills[m]) == 0)
            return true;
    return false;
}

static char edge_mark(const struct board *board, const struct position *pos, int from, int to)
{
    int dx = sign(file_of(board, to) - file_of(board, from));
    int dy = sign(rank_of(board, to) - rank_of(board, from));
    point_set pair = (point_set)1 << from | (point_set)1 << to;
    if (in_one_mill(board, pos->own, pair) || in_one_mill(board, pos->other, pair))
        return dy == 0 ? '=' : dx == 0 ? '#' : '%';
    return dy == 0 ? '-' : dx == 0 ? '|' : dx == dy ? '/' : '\\';
}

// Can the edge be drawn: straight, or along a diagonal, with no point between its ends?
static bool can_draw(const struct board *board, int from, int to)
{
    int dx = file_of(board, to) - file_of(board, from);
    int dy = rank_of(board, to) - rank_of(board, from);
    bool straight = dx == 0 || dy == 0 || abs(dx) == abs(dy);
    return straight && merels_board_sees(board, from, to);
}

// The place of a point in the cells.
static int column_of(const struct board *board, int point, const struct drawing *drawing)
{
    return 1 + STEP_X * board_file(board, drawing->extent, point);
}

static int line_of(const struct board *board, int point, const struct drawing *drawing)
{
    int rank = board_rank(board, drawing->extent, point);
    return STEP_Y * (drawing->extent.n_ranks - 1 - rank);
}

// What stands where an edge with `mark` goes over what is drawn: X or + where two cross.
static char crossed(char there, char mark)
{
    bool diagonals = (there == '/' && mark == '\\') || (there == '\\' && mark == '/');
    bool straight = (there == '-' && mark == '|') || (there == '|' && mark == '-');
    if (diagonals || (there == 'X' && strchr("/\\", mark)))
        return 'X';
    return straight || (there == '+' && strchr("-|", mark)) ? '+' : mark;
}

// Draws the edge between two points, without its ends. Lines count from the top.
static void draw_edge(const struct board *board, int from, int to, char mark,
                      struct drawing *drawing)
{
    int dx = sign(file_of(board, to) - file_of(board, from));
    int dy = sign(rank_of(board, to) - rank_of(board, from));
    int step = dx != 0 && dy != 0 ? STEP_X / STEP_Y : 1; // a diagonal moves 2 characters a line
    int x = column_of(board, from, drawing), end_x = column_of(board, to, drawing);
    int y = line_of(board, from, drawing), end_y = line_of(board, to, drawing);
    for (x += dx * step, y -= dy; x != end_x || y != end_y; x += dx * step, y -= dy)
        drawing->cells[y][x] = crossed(drawing->cells[y][x], mark);
}

static char point_mark(const struct position *pos, int point)
{
    point_set white = pos->mover == WHITE ? pos->own : pos->other;
    point_set black = pos->mover == WHITE ? pos->other : pos->own;
    return white >> point & 1         ? 'O'
           : black >> point & 1       ? '@'
           : pos->closed >> point & 1 ? '*'
                                      : '.';
}

// The cell of a point; one to its left and right is in the array too.
static char *cell_of(const struct board *board, int point, struct drawing *drawing)
{
    return &drawing->cells[line_of(board, point, drawing)][column_of(board, point, drawing)];
}

static void draw(const struct board *board, const struct position *pos, struct drawing *drawing)
{
    for (int p = 0; p < board->n_points; p++)
        for (point_set s = board->neighbours[p]; s != 0; s &= s - 1) {
            int to = bit_lowest(s);
            if (can_draw(board, p, to))
                draw_edge(board, p, to, edge_mark(board, pos, p, to), drawing);
        }
    for (int p = 0; p < board->n_points; p++)
        *cell_of(board, p, drawing) = point_mark(pos, p);
}

static void bracket(const struct board *board, int point, const char *pair,
                    struct drawing *drawing)
{
    if (point < 0)
        return;
    char *mark = cell_of(board, point, drawing);
    mark[-1] = pair[0];
    mark[1] = pair[1];
}

static void draw_last(const struct board *board, const struct ply *last,
                      struct drawing *drawing)
{
    bracket(board, last->from, "()", drawing);
    bracket(board, last->to, "[]", drawing);
    for (int k = 0; k < last->n_removed; k++)
        *cell_of(board, last->removed[k], drawing) = 'x';
}

// Writes a cell and returns its end.
static char *put_cell(char mark, bool unicode, char *out)
{
    static const char ascii[] = "O@.x-|=#/\\%X+*";
    static const char *const utf8[] = {"\u25CB", "\u25CF", "\u00B7", "\u00D7", "\u2500",
                                       "\u2502", "\u2501", "\u2503", "\u2571", "\u2572",
                                       "\u2573", "\u2573", "\u253C", "\u2715"};
    const char *at = unicode && mark != '\0' ? strchr(ascii, mark) : NULL;
    if (at)
        return stpcpy(out, utf8[at - ascii]);
    *out = mark;
    return out + 1;
}

// The line of files, and of row `line` its number and cells without spaces at the end.
static char *put_files(const struct drawing *drawing, char *out)
{
    size_t width = (size_t)(MARGIN + STEP_X * (drawing->extent.n_files - 1) + 2);
    memset(out, ' ', width);
    for (int file = 0; file < drawing->extent.n_files; file++)
        out[MARGIN + 1 + STEP_X * file] = (char)(drawing->extent.first_file + file);
    return stpcpy(out + width, "\n");
}

static char *put_line(const struct drawing *drawing, int line, bool unicode, char *out)
{
    int width = STEP_X * (drawing->extent.n_files - 1) + 3;
    while (width > 0 && drawing->cells[line][width - 1] == ' ')
        width--;
    int rank = drawing->extent.first_rank + drawing->extent.n_ranks - 1 - line / STEP_Y;
    *out++ = (char)(line % STEP_Y == 0 ? rank : ' ');
    *out++ = ' ';
    for (int x = 0; x < width; x++)
        out = put_cell(drawing->cells[line][x], unicode, out);
    return stpcpy(out, "\n");
}

// "joined as well: a1-c2 b1-b3"
static void put_hidden_edges(const struct board *board, struct text *out)
{
    const char *before = "joined as well:";
    for (int p = 0; p < board->n_points; p++)
        for (point_set s = board->neighbours[p] & ~(((point_set)2 << p) - 1); s != 0;
             s &= s - 1) {
            int to = bit_lowest(s);
            if (can_draw(board, p, to))
                continue;
            merels_text_add(out, "%s %s-%s", before, board->names[p], board->names[to]);
            before = "";
        }
    if (before[0] == '\0')
        merels_text_add(out, "\n");
}

size_t merels_render_board(const struct board *board, const struct position *pos,
                           struct render_style style, char out[BOARD_TEXT_BYTES])
{
    struct drawing drawing;
    memset(drawing.cells, ' ', sizeof drawing.cells);
    drawing.extent = merels_board_extent(board);
    draw(board, pos, &drawing);
    if (style.last)
        draw_last(board, style.last, &drawing);
    char *end = out;
    for (int line = 0; line < STEP_Y * (drawing.extent.n_ranks - 1) + 1; line++)
        end = put_line(&drawing, line, style.unicode, end);
    end = put_files(&drawing, end);
    struct text rest = merels_text(end, BOARD_TEXT_BYTES - (size_t)(end - out));
    put_hidden_edges(board, &rest);
    return (size_t)(end - out) + rest.length;
}

const char *merels_render_legend(bool unicode)
{
    return unicode ? "\u25CB White, \u25CF Black" : "O White, @ Black";
}

const char *merels_colour_name(int colour)
{
    return colour == WHITE ? "White" : "Black";
}

const char *merels_colour_word(int colour)
{
    return colour == WHITE ? "white" : "black";
}

const char *merels_turn_words(const struct rules *rules, const struct position *pos,
                              char out[TURN_TEXT_BYTES])
{
    const char *mover = merels_colour_name(pos->mover);
    enum colour picker = merels_side_that_picks(rules, pos);
    int white_hand = pos->mover == WHITE ? pos->own_hand : pos->other_hand;
    int black_hand = pos->mover == WHITE ? pos->other_hand : pos->own_hand;
    struct text text = merels_text(out, TURN_TEXT_BYTES);
    if (white_hand + black_hand > 0)
        merels_text_add(&text, "In hand: White %d, Black %d. ", white_hand, black_hand);
    if (pos->due == 0)
        merels_text_add(&text, "%s to move.", mover);
    else if (picker == pos->mover)
        merels_text_add(&text, "%s has closed a mill and removes %d.", mover, pos->due);
    else
        merels_text_add(&text, "%s has closed a mill and removes %d, picked by %s.", mover,
                        pos->due, merels_colour_name((int)picker));
    return out;
}

void merels_print_board(struct output *out, const struct rules *rules,
                        const struct position *pos, struct render_style style)
{
    char text[POSITION_TEXT_BYTES];
    char drawing[BOARD_TEXT_BYTES], turn[TURN_TEXT_BYTES];
    merels_position_format(rules, pos, text);
    merels_render_board(&rules->board, pos, style, drawing);
    merels_print(out, "%s\n\n%s\n", text, drawing);
    merels_print(out, "%s%s. %s\n", merels_render_legend(style.unicode),
                 pos->closed == 0 ? ""
                 : style.unicode  ? ", \u2715 closed"
                                  : ", * closed",
                 merels_turn_words(rules, pos, turn));
}
