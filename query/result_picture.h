// result_picture.h: shares of wins, draws and losses as a picture.

#ifndef MERELS_QUERY_RESULT_PICTURE_H
#define MERELS_QUERY_RESULT_PICTURE_H

#include <stdint.h>

#include "query/svg.h"

// A bar: positions with so many men.
struct result_bar {
    int men;
    uint64_t win, draw, loss;
};

// Bars of one phase, in a row.
struct result_panel {
    const char *title;
    const struct result_bar *bars;
    int n_bars;
};

// Draws panels one below the other, those without bars left out; the caller writes and frees
// the picture.
struct svg merels_result_picture(const struct result_panel *panels, int n_panels,
                                 const char *title);

#endif
