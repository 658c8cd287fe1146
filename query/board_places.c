// board_places.c: the places of a board's points.

#include "query/board_places.h"

#include <limits.h>
#include <stdlib.h>

struct board_extent merels_board_extent(const struct board *board)
{
    char last_file = 0, last_rank = 0;
    struct board_extent extent = {.first_file = CHAR_MAX, .first_rank = CHAR_MAX};
    for (int p = 0; p < board->n_points; p++) {
        char file = board->names[p][0], rank = board->names[p][1];
        last_file = file > last_file ? file : last_file;
        last_rank = rank > last_rank ? rank : last_rank;
        extent.first_file = file < extent.first_file ? file : extent.first_file;
        extent.first_rank = rank < extent.first_rank ? rank : extent.first_rank;
    }
    extent.n_files = last_file - extent.first_file + 1;
    extent.n_ranks = last_rank - extent.first_rank + 1;
    return extent;
}

static int common_divisor(int x, int y)
{
    return y == 0 ? x : common_divisor(y, x % y);
}

bool merels_board_sees(const struct board *board, int from, int to)
{
    const char *a = board->names[from], *b = board->names[to];
    int n_steps = common_divisor(abs(b[0] - a[0]), abs(b[1] - a[1]));
    for (int step = 1; step < n_steps; step++) {
        const char name[2] = {(char)(a[0] + (b[0] - a[0]) / n_steps * step),
                              (char)(a[1] + (b[1] - a[1]) / n_steps * step)};
        if (merels_board_point(board, name) >= 0)
            return false;
    }
    return true;
}
