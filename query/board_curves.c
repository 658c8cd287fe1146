// board_curves.c: the lines of a board that pictures draw as curves, as JSON.

#include "query/board_curves.h"

#include <stdio.h>

#include "query/board_places.h"

json_t *merels_curves_json(const struct board *board)
{
    char name[8];
    struct board_extent extent = merels_board_extent(board);
    json_t *curves = json_array();
    for (int p = 0; p < board->n_points; p++)
        for (int q = p + 1; q < board->n_points; q++) {
            struct board_line line = merels_board_line(board, extent, p, q);
            if (!(board->neighbours[p] >> q & 1) || line.straight)
                continue;
            snprintf(name, sizeof name, "%s-%s", board->names[p], board->names[q]);
            json_t *curve =
                json_pack("{s:s, s:[i,i]}", "line", name, "bend", line.bend_x, line.bend_y);
            if (json_array_append_new(curves, curve) != 0) {
                json_decref(curves);
                return NULL;
            }
        }
    return curves;
}
