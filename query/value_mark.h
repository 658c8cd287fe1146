// value_mark.h: the mark of a value in a picture, as the page draws it: a circle for a win, a
// diamond for a draw, a square for a loss, so that colour is not needed to tell them apart.

#ifndef MERELS_QUERY_VALUE_MARK_H
#define MERELS_QUERY_VALUE_MARK_H

#include "db/tablebase.h"
#include "query/svg.h"

struct value_mark {
    bool known; // else a smaller circle with a question mark
    bool best;  // a ring around it
    enum value value;
    int plies; // -1: a sign in its place, + = or -
};

// A mark of about radius r around a point.
void merels_value_mark(struct svg *svg, const struct value_mark *mark, double x, double y,
                       double r);

// "win", "draw", "loss" or "unknown", a class of the style.
const char *merels_value_class(const struct value_mark *mark);

#endif
