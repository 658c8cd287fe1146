// kernel_row.c: a row as the mover sees it: its free points pushed together.

#include "kernels/kernel_level.h"

// In compact numbers the j-th free point is point j, so one set of tables serves all rows.
void AT_LEVEL(row_open)(const struct side *side, uint32_t number, point_set set,
                        const struct columns *columns, struct row *row)
{
    const struct board *board = &side->rules->board;
    row->side = side;
    row->columns = columns;
    row->number = number;
    row->set = set;
    row->free = board->points & ~set;
    row->n_points = columns->n_points;
    // Where nothing can be taken a mill changes nothing.
    int highest = merels_highest_class(side->rules, set);
    bool takes = highest > 0;
    for (int kind = 0; kind < N_PLY_KINDS; kind++) {
        int n = side->n_classes[kind];
        row->n_classes[kind] = n > highest + 1 ? highest + 1 : n;
    }
    for (int s = 0; s < board->n_symmetries; s++)
        row->images[s] = board_image(board, s, set);
    const struct point_mask compact = point_mask_of(row->free);
    point_set rest = row->free;
    for (int j = 0; rest != 0; j++, rest &= rest - 1) {
        int point = bit_lowest(rest);
        row->neighbours[j] = points_together(&compact, board->neighbours[point]);
        row->n_mates[j] = 0;
        for (int k = 0; k < board->n_mills_at[point]; k++) {
            point_set mates = board->mates[point][k];
            if (takes && (mates & set) == 0)
                row->mates[j][row->n_mates[j]++] = points_together(&compact, mates);
        }
    }
}
