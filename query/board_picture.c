// board_picture.c: a position as a picture.
//
//     +--------------------------+
//     | White wins in 5 plies.   |  HEAD
//     | White to move.           |
//     | +----------------------+ |
//     | |  PAD                 | |
//     | |   O------.------@    | |  one step of files or ranks: `unit`
//     | |                      | |
//     | +----------------------+ |
//     | o wins  # loses ...      |  FOOT
//     +--------------------------+
//
// A line is a curve of Bezier's with three points; it is bowed only where the straight one
// would pass over a third point of the board (board_places.h).

#include "query/board_picture.h"

#include <math.h>
#include <string.h>

#include "query/board_places.h"
#include "query/render.h"
#include "query/value_mark.h"
#include "query/value_text.h"
#include "query/verdict_text.h"

enum { BOARD_SIZE = 600, LEAST_UNIT = 64, PAD = 88, HEAD = 92, FOOT = 118, SIDE = 16 };
enum { LEAST_WIDTH = 640, MOST_FLIGHTS = 12 };

struct spot {
    double x, y;
};

struct curve {
    struct spot from, bend, to;
};

// A mark of a point or a line that may be there.
struct placed_mark {
    bool shown;
    struct value_mark mark;
};

struct canvas {
    const struct board_picture *asked;
    const struct board *board;
    struct board_extent extent;
    double unit, r; // a step; the radius of a man
    double left, width, height;
    struct svg svg;
    bool places, slides, flies; // there are such plies
    int n_best_flights;
    struct placed_mark points[MAX_POINTS], lines[MAX_POINTS][MAX_POINTS];
    point_set taken; // by best plies
};

// ---- places --------------------------------------------------------------------------------

static struct spot spot_of(const struct canvas *c, int point)
{
    int below = c->extent.n_ranks - 1 - board_rank(c->board, c->extent, point);
    return (struct spot){c->left + c->unit * board_file(c->board, c->extent, point),
                         HEAD + PAD + c->unit * below};
}

static double length_of(const struct curve *curve)
{
    return hypot(curve->to.x - curve->from.x, curve->to.y - curve->from.y);
}

// A curve whose bend lies `offset` beside the middle, away from the middle of the board.
static struct curve bowed(const struct canvas *c, int from, int to, double offset)
{
    struct curve curve = {.from = spot_of(c, from), .to = spot_of(c, to)};
    struct spot middle = {(curve.from.x + curve.to.x) / 2, (curve.from.y + curve.to.y) / 2};
    double length = length_of(&curve);
    struct spot normal = {(curve.from.y - curve.to.y) / length,
                          (curve.to.x - curve.from.x) / length};
    double outwards = (middle.x - c->width / 2) * normal.x +
                      (middle.y - HEAD - (c->height - HEAD - FOOT) / 2) * normal.y;
    double side = outwards < 0 ? -offset : offset;
    curve.bend = (struct spot){middle.x + side * normal.x, middle.y + side * normal.y};
    return curve;
}

static struct curve line_of(const struct canvas *c, int from, int to)
{
    struct board_line line = merels_board_line(c->board, c->extent, from, to);
    struct curve curve = {.from = spot_of(c, from), .to = spot_of(c, to)};
    curve.bend.x = c->left + c->unit * line.bend_x / 100;
    curve.bend.y = HEAD + PAD + c->unit * (c->extent.n_ranks - 1 - line.bend_y / 100.0);
    return curve;
}

// The place between t = 0 and 1; with s = t, else the bend of the part from s to t.
static struct spot blend(const struct curve *curve, double s, double t)
{
    double a = (1 - s) * (1 - t), b = (1 - s) * t + s * (1 - t), d = s * t;
    return (struct spot){a * curve->from.x + b * curve->bend.x + d * curve->to.x,
                         a * curve->from.y + b * curve->bend.y + d * curve->to.y};
}

// ---- what is marked ------------------------------------------------------------------------

// The first known ply of a place counts: plies come best first.
static void put_mark(struct placed_mark *place, const struct value_mark *mark)
{
    if (!place->shown || (!place->mark.known && mark->known))
        *place = (struct placed_mark){true, *mark};
}

static struct value_mark mark_of(const struct canvas *c, const struct ranked_ply *entry)
{
    const struct ranked_ply *top = &c->asked->ranking->plies[0];
    bool own_choice = c->asked->pos->due == 0;
    struct value_mark mark = {.known = entry->known,
                              .value = own_choice ? entry->value : entry->pick_value,
                              .plies = own_choice ? entry->plies : entry->pick_plies};
    mark.best = entry->known && top->known && entry->value == top->value &&
                entry->plies == top->plies && entry->pick_value == top->pick_value &&
                entry->pick_plies == top->pick_plies;
    return mark;
}

static void mark_ply(struct canvas *c, const struct ranked_ply *entry)
{
    const struct ply *ply = &entry->ply;
    struct value_mark mark = mark_of(c, entry);
    bool line = ply->from >= 0 && (c->board->neighbours[ply->from] >> ply->to & 1);
    if (ply->to < 0) {
        for (int k = 0; k < ply->n_removed; k++)
            put_mark(&c->points[ply->removed[k]], &mark);
        return;
    }
    if (ply->from >= 0)
        put_mark(&c->points[ply->from], &mark);
    if (ply->from >= 0 && line && !c->flies)
        put_mark(&c->lines[ply->from][ply->to], &mark);
    else
        put_mark(&c->points[ply->to], &mark);
    for (int k = 0; mark.best && k < ply->n_removed; k++)
        c->taken |= (point_set)1 << ply->removed[k];
}

static void mark_plies(struct canvas *c)
{
    const struct ranking *ranking = c->asked->ranking;
    for (int i = 0; i < ranking->n_plies; i++) {
        const struct ply *ply = &ranking->plies[i].ply;
        c->places |= ply->from < 0 && ply->to >= 0;
        if (ply->from < 0)
            continue;
        c->slides = true;
        c->flies |= !(c->board->neighbours[ply->from] >> ply->to & 1);
    }
    for (int i = 0; i < ranking->n_plies; i++)
        mark_ply(c, &ranking->plies[i]);
}

// ---- the board -----------------------------------------------------------------------------

static void draw_names(struct canvas *c)
{
    const struct board *board = c->board;
    bool files[256] = {false}, ranks[256] = {false};
    for (int p = 0; p < board->n_points; p++) {
        struct spot at = spot_of(c, p);
        unsigned char file = (unsigned char)board->names[p][0];
        unsigned char rank = (unsigned char)board->names[p][1];
        const char names[2][2] = {{(char)file}, {(char)rank}};
        if (!files[file])
            merels_svg_text(&c->svg, at.x, c->height - FOOT - 7, "name middle", names[0]);
        if (!ranks[rank])
            merels_svg_text(&c->svg, SIDE + 9, at.y + 6, "name middle", names[1]);
        files[file] = ranks[rank] = true;
    }
}

static void draw_line(struct canvas *c, int from, int to)
{
    struct curve line = line_of(c, from, to);
    if (merels_board_line(c->board, c->extent, from, to).straight)
        merels_svg_add(&c->svg, "<path d=\"M%.1f %.1fL%.1f %.1f\" class=\"line\"/>\n",
                       line.from.x, line.from.y, line.to.x, line.to.y);
    else
        merels_svg_add(&c->svg, "<path d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" class=\"line\"/>\n",
                       line.from.x, line.from.y, line.bend.x, line.bend.y, line.to.x,
                       line.to.y);
}

static void draw_board(struct canvas *c)
{
    const struct board *board = c->board;
    merels_svg_add(&c->svg,
                   "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%.1f\" rx=\"14\" "
                   "class=\"surface\"/>\n",
                   SIDE, HEAD, c->width - 2 * SIDE, c->height - HEAD - FOOT);
    draw_names(c);
    for (int p = 0; p < board->n_points; p++)
        for (point_set s = board->neighbours[p] & ~(((point_set)2 << p) - 1); s != 0;
             s &= s - 1)
            draw_line(c, p, bit_lowest(s));
    for (int p = 0; p < board->n_points; p++) {
        struct spot at = spot_of(c, p);
        merels_svg_add(&c->svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" class=\"dot\"/>\n",
                       at.x, at.y, fmin(0.2 * c->r, 10));
    }
}

static void draw_men(struct canvas *c, point_set men, const char *colour)
{
    for (; men != 0; men &= men - 1) {
        struct spot at = spot_of(c, bit_lowest(men));
        merels_svg_add(&c->svg,
                       "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" class=\"%s-man\"/>"
                       "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" class=\"%s-groove\"/>\n",
                       at.x, at.y, c->r, colour, at.x, at.y, 0.8 * c->r, colour);
    }
}

// A cross on every point that is closed.
static void draw_closed(struct canvas *c)
{
    double d = 0.36 * c->r;
    for (point_set closed = c->asked->pos->closed; closed != 0; closed &= closed - 1) {
        struct spot at = spot_of(c, bit_lowest(closed));
        merels_svg_add(&c->svg,
                       "<path d=\"M%.1f %.1fl%.1f %.1fm0 %.1fl%.1f %.1f\" class=\"line\"/>\n",
                       at.x - d, at.y - d, 2 * d, 2 * d, -2 * d, -2 * d, 2 * d);
    }
}

static void draw_ring(struct canvas *c, int point, double r, const char *class)
{
    struct spot at = spot_of(c, point);
    merels_svg_add(&c->svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" class=\"%s\"/>\n", at.x,
                   at.y, r, class);
}

static void draw_last(struct canvas *c)
{
    const struct ply *last = c->asked->last;
    if (!last)
        return;
    if (last->from >= 0)
        draw_ring(c, last->from, 0.45 * c->r, "trace");
    if (last->to >= 0)
        draw_ring(c, last->to, 1.12 * c->r, "trace");
    for (int k = 0; k < last->n_removed; k++)
        draw_ring(c, last->removed[k], 0.7 * c->r, "trace");
}

// ---- marks and arrows ----------------------------------------------------------------------

// The part of a curve that lies between men, with a head at its end.
static void draw_arrow(struct canvas *c, const struct curve *curve, double gap,
                       const struct value_mark *mark)
{
    const char *class = merels_value_class(mark);
    double length = length_of(curve), s = (c->r + 3) / length, t = 1 - gap / length;
    double head = fmin(16, 0.16 * c->unit + 4);
    struct spot from = blend(curve, s, s), bend = blend(curve, s, t), to = blend(curve, t, t);
    double run = hypot(to.x - bend.x, to.y - bend.y);
    if (t <= s || run <= 0)
        return;
    struct spot way = {(to.x - bend.x) / run, (to.y - bend.y) / run};
    merels_svg_add(&c->svg,
                   "<path d=\"M%.1f %.1fQ%.1f %.1f %.1f %.1f\" class=\"%s-line\" "
                   "stroke-width=\"6\"/><path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fz\" "
                   "class=\"%s\"/>\n",
                   from.x, from.y, bend.x, bend.y, to.x - way.x * head, to.y - way.y * head,
                   class, to.x, to.y, to.x - way.x * head - way.y * 0.6 * head,
                   to.y - way.y * head + way.x * 0.6 * head,
                   to.x - way.x * head + way.y * 0.6 * head,
                   to.y - way.y * head - way.x * 0.6 * head, class);
}

static bool has_arrow(const struct canvas *c, const struct ranked_ply *entry)
{
    return entry->ply.from >= 0 && mark_of(c, entry).best;
}

// True if the ply before in the list differs in the men that it takes alone.
static bool repeats_step(const struct ranking *ranking, int i)
{
    return i > 0 && plies_share_step(&ranking->plies[i - 1].ply, &ranking->plies[i].ply);
}

// Arrows of the best plies; flights, which cross the board, only if they are few.
static void draw_arrows(struct canvas *c)
{
    const struct ranking *ranking = c->asked->ranking;
    double point_gap = fmin(0.66 * c->r, 34) + 8;
    for (int i = 0; c->flies && i < ranking->n_plies; i++)
        c->n_best_flights += has_arrow(c, &ranking->plies[i]) && !repeats_step(ranking, i);
    for (int i = 0; i < ranking->n_plies; i++) {
        const struct ranked_ply *entry = &ranking->plies[i];
        if (!has_arrow(c, entry) || c->n_best_flights > MOST_FLIGHTS)
            continue;
        const struct value_mark mark = mark_of(c, entry);
        struct curve curve = line_of(c, entry->ply.from, entry->ply.to);
        if (c->flies)
            curve = bowed(c, entry->ply.from, entry->ply.to, 0.2 * length_of(&curve));
        draw_arrow(c, &curve, c->points[entry->ply.to].shown ? point_gap : 0.2 * c->r + 6,
                   &mark);
    }
}

static void draw_line_marks(struct canvas *c)
{
    double r = fmin(0.135 * c->unit, 17);
    for (int from = 0; from < c->board->n_points; from++)
        for (int to = 0; to < c->board->n_points; to++) {
            if (!c->lines[from][to].shown)
                continue;
            struct value_mark mark = c->lines[from][to].mark;
            struct curve line = line_of(c, from, to);
            double length = length_of(&line), free = length - 1.2 * c->r;
            struct spot at =
                blend(&line, (c->r + 0.42 * free) / length, (c->r + 0.42 * free) / length);
            mark.best = false; // the arrow says it
            merels_value_mark(&c->svg, &mark, at.x, at.y, r);
        }
}

static void draw_marks(struct canvas *c)
{
    for (point_set s = c->taken; s != 0; s &= s - 1) {
        struct spot at = spot_of(c, bit_lowest(s));
        merels_svg_add(&c->svg,
                       "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" class=\"loss-line\" "
                       "stroke-width=\"5\" stroke-dasharray=\"12 6\"/>\n",
                       at.x, at.y, 1.08 * c->r);
    }
    draw_line_marks(c);
    for (int p = 0; p < c->board->n_points; p++)
        if (c->points[p].shown) {
            struct spot at = spot_of(c, p);
            merels_value_mark(&c->svg, &c->points[p].mark, at.x, at.y, fmin(0.66 * c->r, 34));
        }
}

// ---- words ---------------------------------------------------------------------------------

static void draw_head(struct canvas *c, const char *verdict)
{
    char turn[TURN_TEXT_BYTES], words[TURN_TEXT_BYTES + 64];
    const struct board_picture *asked = c->asked;
    const struct ranking *ranking = asked->ranking;
    bool passes = ranking->n_plies == 1 && ply_is_pass(&ranking->plies[0].ply);
    merels_svg_text(&c->svg, SIDE + 4, 42, strlen(verdict) > 44 ? "words" : "title", verdict);
    merels_turn_words(asked->rules, asked->pos, turn);
    snprintf(words, sizeof words, "%s%s", turn, passes ? " It has no ply and must pass." : "");
    merels_svg_text(&c->svg, SIDE + 4, 72, "words", words);
}

// A mark and its word; returns where the next begins.
static double draw_key(struct canvas *c, double x, struct value_mark mark, const char *word)
{
    double y = c->height - FOOT + 30;
    merels_value_mark(&c->svg, &mark, x + 15, y, 13);
    merels_svg_text(&c->svg, x + 38, y + 5, "small", word);
    return x + 60 + 7.6 * (double)strlen(word);
}

static const char *places_text(const struct canvas *c)
{
    if (c->asked->pos->due > 0)
        return "On a man: what taking it leads to.";
    if (!c->slides && !c->places)
        return "";
    if (!c->slides)
        return "On a free point: what a man placed there leads to.";
    if (c->flies)
        return "On a man: its best ply. On a free point: the best that ends there.";
    return c->places
               ? "On a man: its best ply. On a line: that move. On a free point: a man placed."
               : "On a man: its best ply. On a line: that move.";
}

static const char *ring_text(const struct canvas *c)
{
    bool arrows = c->slides && c->n_best_flights <= MOST_FLIGHTS;
    return c->taken != 0 ? "best (dashed: it takes that man)"
           : arrows      ? "best (and the arrow)"
                         : "best";
}

static bool any_unknown(const struct canvas *c)
{
    return c->asked->ranking->n_ranked < c->asked->ranking->n_plies;
}

static void draw_legend(struct canvas *c)
{
    char words[256];
    const struct answer *answer = &c->asked->ranking->answer;
    bool depths = edition_has_depths(answer->edition);
    double x = SIDE + 4;
    x = draw_key(c, x, (struct value_mark){true, false, VALUE_WIN, -1}, "wins");
    x = draw_key(c, x, (struct value_mark){true, false, VALUE_DRAW, -1}, "draws");
    x = draw_key(c, x, (struct value_mark){true, false, VALUE_LOSS, -1}, "loses");
    if (any_unknown(c))
        x = draw_key(c, x, (struct value_mark){.known = false},
                     c->asked->ranking->lacking.status == STATUS_UNDECIDED ? "not decided"
                                                                           : "no table");
    draw_key(c, x, (struct value_mark){true, true, answer->value, -1}, ring_text(c));
    snprintf(words, sizeof words, "Values are %s's%s%s.",
             merels_colour_name(c->asked->pos->mover),
             answer->edition == EDITION_SEARCH ? "; found by search, no depths"
             : depths                          ? ", with the plies to "
                                               : "; these tables hold no depths",
             depths ? merels_depth_goal(c->asked->rules) : "");
    merels_svg_text(&c->svg, SIDE + 4, c->height - 45, "small", words);
    merels_svg_text(&c->svg, SIDE + 4, c->height - 20, "small", places_text(c));
    merels_svg_text(&c->svg, c->width - SIDE - 4, c->height - 45, "small end", c->asked->name);
}

// ---- the picture ---------------------------------------------------------------------------

static void measure(struct canvas *c)
{
    int n_x = c->extent.n_files - 1, n_y = c->extent.n_ranks - 1;
    int most = n_x > n_y ? n_x : n_y;
    c->unit = fmax((double)BOARD_SIZE / (most > 0 ? most : 1), LEAST_UNIT);
    c->r = fmin(0.36 * c->unit, 48);
    c->width = fmax(n_x * c->unit + 2 * PAD, LEAST_WIDTH);
    c->left = (c->width - n_x * c->unit) / 2;
    c->height = HEAD + n_y * c->unit + 2 * PAD + FOOT;
}

static void draw_all(struct canvas *c, const char *verdict)
{
    char text[POSITION_TEXT_BYTES];
    const struct position *pos = c->asked->pos;
    bool white = pos->mover == WHITE;
    merels_position_format(c->asked->rules, pos, text);
    merels_svg_add(&c->svg, "<desc>");
    merels_svg_escape(&c->svg, text);
    merels_svg_add(&c->svg, "</desc>\n");
    draw_head(c, verdict);
    draw_board(c);
    draw_men(c, white ? pos->own : pos->other, "white");
    draw_men(c, white ? pos->other : pos->own, "black");
    draw_closed(c);
    draw_last(c);
    draw_arrows(c);
    draw_marks(c);
    if (c->asked->ranking->n_plies > 0)
        draw_legend(c);
    merels_svg_end(&c->svg);
}

struct svg merels_board_picture(const struct board_picture *asked)
{
    char verdict[VERDICT_TEXT_BYTES];
    struct canvas c = {.asked = asked, .board = &asked->rules->board};
    c.extent = merels_board_extent(c.board);
    measure(&c);
    mark_plies(&c);
    merels_verdict_text(asked->rules, asked->pos, &asked->ranking->answer, verdict);
    c.svg = merels_svg_begin((int)ceil(c.width), (int)ceil(c.height), verdict);
    draw_all(&c, verdict);
    return c.svg;
}
