// depth_picture.c: the depths of positions as a picture.
//
//     1 M -|    | |
//     1 k -|  | | | |                 a bar for each depth that occurs; its height is the
//     1   -|__|_|_|_|__|______        logarithm of how many positions have it
//     1   -|  | | | |
//     1 k -|  | | |
//          +--.-------.-------.
//             0      10      20 plies

#include "query/depth_picture.h"

#include <math.h>

#include "query/quantity.h"
#include "query/value_text.h"

enum { LEFT = 84, RIGHT = 28, TOP = 112, HALF = 190, BELOW = 56, WIDTH = 940 };

// What a single position is high, in powers of ten.
static const double least = 0.7;

struct plot {
    const struct rules *rules;
    const struct depth_counts *counts;
    uint64_t of[2]; // lost and won
    int max[2];     // the longest; -1: none
    double step;    // of a ply
    int decades;    // powers of ten that the scale shows
    struct svg svg;
};

static double x_of(const struct plot *p, double depth)
{
    return LEFT + p->step * (depth + 1);
}

static double height_of(const struct plot *p, double count)
{
    return HALF * (log10(count) + least) / (p->decades + least);
}

// The depth that a number of the tables means.
static int depth_of(const struct plot *p, size_t number)
{
    return value_plies(edition_of_rules(p->rules), (int)number);
}

static void measure(struct plot *p)
{
    uint64_t most = 1;
    p->max[0] = p->max[1] = -1;
    for (size_t d = 0; d < p->counts->n; d++) {
        uint64_t n = p->counts->of[d];
        p->of[d % 2] += n;
        p->max[d % 2] = n > 0 ? depth_of(p, d) : p->max[d % 2];
        most = n > most ? n : most;
    }
    p->decades = (int)ceil(log10((double)most));
    p->decades = p->decades > 0 ? p->decades : 1;
    p->step = (double)(WIDTH - LEFT - RIGHT) / (depth_of(p, p->counts->n) + 2);
}

// "1", "10", "100", "1 k" ...
static void power_text(int decade, char out[16])
{
    static const char *const units[] = {"", " k", " M", " G", " T", " P", " E"};
    static const char *const ones[] = {"1", "10", "100"};
    snprintf(out, 16, "%s%s", ones[decade % 3], units[decade / 3]);
}

static void draw_scale(struct plot *p)
{
    for (int decade = 0; decade <= p->decades; decade++)
        for (int sign = -1; sign <= 1; sign += 2) {
            char text[16];
            double y = TOP + HALF - sign * height_of(p, pow(10, decade));
            merels_svg_add(&p->svg, "<path d=\"M%d %.1fH%d\" class=\"grid\"/>\n", LEFT, y,
                           WIDTH - RIGHT);
            power_text(decade, text);
            if (p->decades <= 6 || decade % 2 == 0)
                merels_svg_text(&p->svg, LEFT - 10, y + 5, "small end", text);
        }
}

static void draw_depths(struct plot *p)
{
    static const int steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20000};
    size_t k = 0;
    while (k + 1 < sizeof steps / sizeof steps[0] && p->step * steps[k] < 44)
        k++;
    for (int d = 0; d <= depth_of(p, p->counts->n); d += steps[k]) {
        char text[16];
        snprintf(text, sizeof text, "%d", d);
        merels_svg_add(&p->svg, "<path d=\"M%.1f %dv6\" class=\"axis\"/>\n", x_of(p, d),
                       TOP + 2 * HALF);
        merels_svg_text(&p->svg, x_of(p, d), TOP + 2 * HALF + 24, "small middle", text);
    }
    merels_svg_text(&p->svg, LEFT - 10, TOP + 2 * HALF + 24, "small end", "plies");
    merels_svg_text(&p->svg, LEFT - 10, TOP - 8, "small end", "positions");
}

static void draw_bars(struct plot *p)
{
    // Wins and losses share depths only where these do not count to the end.
    double width = fmax((p->rules->metric == METRIC_DTM ? 1.7 : 0.85) * p->step, 1);
    width = width > 40 ? 40 : width;
    for (size_t d = 0; d < p->counts->n; d++) {
        bool win = d % 2 == 1;
        char number[QUANTITY_TEXT_BYTES];
        if (p->counts->of[d] == 0)
            continue;
        double height = height_of(p, (double)p->counts->of[d]);
        merels_svg_add(&p->svg,
                       "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                       "class=\"%s\"><title>%s in %d: %s</title></rect>\n",
                       x_of(p, depth_of(p, d)) - width / 2,
                       win ? TOP + HALF - height : TOP + HALF, width, height,
                       win ? "win" : "loss", win ? "won" : "lost", depth_of(p, d),
                       merels_count_format(p->counts->of[d], number));
    }
}

static double share(uint64_t part, uint64_t all)
{
    return all > 0 ? 100 * (double)part / (double)all : 0;
}

// "Won, at most 25 plies to the end of the game"
static void draw_side(struct plot *p, const char *side, int max, double y)
{
    char words[128];
    if (max < 0)
        snprintf(words, sizeof words, "%s: none", side);
    else
        snprintf(words, sizeof words, "%s, at most %d %s to %s", side, max,
                 max == 1 ? "ply" : "plies", merels_depth_goal(p->rules));
    merels_svg_text(&p->svg, WIDTH - RIGHT - 8, y, "small end", words);
}

static void draw_head(struct plot *p, const char *title)
{
    char words[256], number[QUANTITY_TEXT_BYTES];
    uint64_t all = p->of[0] + p->of[1] + p->counts->draw;
    merels_svg_text(&p->svg, 20, 40, "title", title);
    snprintf(words, sizeof words,
             "%s positions: for the side to move %.1f %% won, %.1f %% drawn, %.1f %% lost.",
             merels_count_format(all, number), share(p->of[1], all),
             share(p->counts->draw, all), share(p->of[0], all));
    merels_svg_text(&p->svg, 20, 68, "words", words);
    draw_side(p, "Won", p->max[1], TOP + 22);
    draw_side(p, "Lost", p->max[0], TOP + 2 * HALF - 12);
}

struct svg merels_depth_picture(const struct rules *rules, const struct depth_counts *counts,
                                const char *title)
{
    struct plot p = {.rules = rules, .counts = counts};
    measure(&p);
    p.svg = merels_svg_begin(WIDTH, TOP + 2 * HALF + BELOW, title);
    draw_scale(&p);
    draw_bars(&p);
    draw_depths(&p);
    merels_svg_add(&p.svg, "<path d=\"M%d %dH%d\" class=\"axis\"/>\n", LEFT, TOP + HALF,
                   WIDTH - RIGHT);
    draw_head(&p, title);
    merels_svg_end(&p.svg);
    return p.svg;
}
