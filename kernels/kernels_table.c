// kernels_table.c: the kernels of one level, together.

#include "kernels/kernel_level.h"

const struct kernels AT_LEVEL(kernels) = {
    .level = MERELS_LEVEL_TEXT,
    .cell_points = CELL_POINTS,
    .decide_row = AT_LEVEL(decide_row),
    .removal_row = AT_LEVEL(removal_row),
    .arrival_row = AT_LEVEL(arrival_row),
    .place_row = AT_LEVEL(place_row),
    .row_open = AT_LEVEL(row_open),
    .bits_to_plane = AT_LEVEL(bits_to_plane),
    .plane_to_bits = AT_LEVEL(plane_to_bits),
    .step_back = AT_LEVEL(step_back),
    .place_back = AT_LEVEL(place_back),
};
