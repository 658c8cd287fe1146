// depth_picture.h: the depths of positions as a picture: wins upwards, losses downwards.

#ifndef MERELS_QUERY_DEPTH_PICTURE_H
#define MERELS_QUERY_DEPTH_PICTURE_H

#include "query/depth_counts.h"
#include "query/svg.h"

// Draws counts of tables of these rules, on a scale of powers of ten; the caller writes and
// frees the picture.
struct svg merels_depth_picture(const struct rules *rules, const struct depth_counts *counts,
                                const char *title);

#endif
