// board_curves.h: the lines of a board that pictures draw as curves, for programs that draw it
// too.

#ifndef MERELS_QUERY_BOARD_CURVES_H
#define MERELS_QUERY_BOARD_CURVES_H

#include <jansson.h>

#include "game/board.h"

// [{"line": "a1-c1", "bend": [100, -40]}, ...]: as in board_places.h. NULL without memory.
json_t *merels_curves_json(const struct board *board);

#endif
