// board_places.c: the places of a board's points, and the way of its lines.
//
// Pictures draw the longer side of a board 600 units long, and men with a radius of 0.41 steps,
// 48 units at most. So far from its points a line has to stay: `reach` is that radius, and a
// margin around the board takes what is bowed outwards.

#include "query/board_places.h"

#include <limits.h>
#include <math.h>
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

// ---- lines ---------------------------------------------------------------------------------

enum { PARTS = 64 }; // of a curve, when it is measured

struct place {
    double x, y;
};

// What a line has to keep away from, in steps.
struct way {
    const struct board *board;
    struct board_extent extent;
    int from, to;
    double reach, margin; // of men; around the board
};

static struct place place_of(const struct way *way, int point)
{
    return (struct place){board_file(way->board, way->extent, point),
                          board_rank(way->board, way->extent, point)};
}

// The bend of a line that is bowed so far beside its middle.
static struct place bend_of(const struct way *way, double height)
{
    struct place a = place_of(way, way->from), b = place_of(way, way->to);
    double length = hypot(b.x - a.x, b.y - a.y);
    return (struct place){(a.x + b.x) / 2 - 2 * height * (b.y - a.y) / length,
                          (a.y + b.y) / 2 + 2 * height * (b.x - a.x) / length};
}

static struct place place_at(const struct way *way, struct place bend, double t)
{
    struct place a = place_of(way, way->from), b = place_of(way, way->to);
    double p = (1 - t) * (1 - t), q = 2 * t * (1 - t), r = t * t;
    return (struct place){p * a.x + q * bend.x + r * b.x, p * a.y + q * bend.y + r * b.y};
}

static bool is_inside(const struct way *way, struct place at)
{
    double margin = way->margin;
    return at.x >= -margin && at.x <= way->extent.n_files - 1 + margin && at.y >= -margin &&
           at.y <= way->extent.n_ranks - 1 + margin;
}

// How near a curve comes to a third point; -1 if it leaves the picture.
static double distance_of(const struct way *way, struct place bend)
{
    double least = HUGE_VAL;
    for (int k = 1; k < PARTS; k++) {
        struct place at = place_at(way, bend, (double)k / PARTS);
        if (!is_inside(way, at))
            return -1;
        for (int p = 0; p < way->board->n_points; p++) {
            struct place other = place_of(way, p);
            if (p != way->from && p != way->to)
                least = fmin(least, hypot(other.x - at.x, other.y - at.y));
        }
    }
    return least;
}

// Positive heights lead away from the middle of the board.
static double outwards(const struct way *way)
{
    struct place middle = bend_of(way, 0), beside = bend_of(way, 1);
    double x = middle.x - (way->extent.n_files - 1) / 2.0;
    double y = middle.y - (way->extent.n_ranks - 1) / 2.0;
    return x * (beside.x - middle.x) + y * (beside.y - middle.y) < 0 ? -1 : 1;
}

// The least bow that is far enough from all points, outwards if both sides do; if none is, the
// one that comes nearest to it.
static struct place bowed(const struct way *way, double wanted)
{
    struct place best = bend_of(way, 0);
    double farthest = distance_of(way, best), sign = outwards(way);
    for (int k = 1; k <= 150; k++)
        for (int side = 1; side >= -1; side -= 2) {
            struct place bend = bend_of(way, sign * side * 0.01 * k);
            double distance = distance_of(way, bend);
            if (distance <= farthest)
                continue;
            farthest = distance;
            best = bend;
            if (distance >= wanted)
                return best;
        }
    return best;
}

struct board_line merels_board_line(const struct board *board, struct board_extent extent,
                                    int from, int to)
{
    int most = extent.n_files > extent.n_ranks ? extent.n_files - 1 : extent.n_ranks - 1;
    struct way way = {.board = board, .extent = extent, .margin = 0.095 * most};
    way.from = from < to ? from : to;
    way.to = from < to ? to : from;
    way.reach = fmin(0.41, 0.08 * most);
    struct place bend = bend_of(&way, 0);
    struct board_line line = {.straight = distance_of(&way, bend) >= way.reach};
    if (!line.straight)
        bend = bowed(&way, fmin(way.reach + 0.008 * most, 0.49));
    line.bend_x = (int)lround(100 * bend.x);
    line.bend_y = (int)lround(100 * bend.y);
    return line;
}
