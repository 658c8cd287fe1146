// result_picture.c: shares of wins, draws and losses as a picture.
//
//     +---+ +---+ +---+
//     |   | | - | |---|   lost     a bar is 100 % of the positions with so many men
//     |---| |   | |   |   drawn
//     | + | |---| |   |   won
//     +---+ +---+ +---+
//       6     7     8     men on the board
//      170 k 1.5 M 8.1 M  positions

#include "query/result_picture.h"

#include <math.h>

#include "query/value_mark.h"

enum { LEFT = 112, RIGHT = 24, TOP = 104, BAR = 58, GAP = 14, HEIGHT = 200, PANEL = 300 };
enum { LEAST_WIDTH = 640, LEAST_WRITTEN = 8 }; // the latter in percent

struct plot {
    int width;
    struct svg svg;
};

// "170 k", "1.5 M"
static void short_count(uint64_t count, char out[16])
{
    static const char *const units[] = {"", " k", " M", " G", " T"};
    double n = (double)count;
    int unit = 0;
    while (n >= 999.5 && unit < 4) {
        n /= 1000;
        unit++;
    }
    snprintf(out, 16, unit > 0 && n < 9.95 ? "%.1f%s" : "%.0f%s", n, units[unit]);
}

// A part of a bar, from the bottom up; returns its upper end.
static double draw_part(struct plot *p, double x, double bottom, double share, enum value value)
{
    const struct value_mark mark = {.known = true, .value = value};
    double height = HEIGHT * share;
    if (share > 0)
        merels_svg_add(&p->svg,
                       "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" class=\"%s\">"
                       "<title>%.3f %%</title></rect>\n",
                       x, bottom - height, BAR - GAP, height, merels_value_class(&mark),
                       100 * share);
    if (100 * share >= LEAST_WRITTEN)
        merels_svg_add(&p->svg, "<text x=\"%.1f\" y=\"%.1f\" class=\"sign\">%.0f</text>\n",
                       x + (BAR - GAP) / 2.0, bottom - height / 2 + 6, 100 * share);
    return bottom - height;
}

static void draw_bar(struct plot *p, const struct result_bar *bar, double x, double bottom)
{
    char text[16];
    uint64_t all = bar->win + bar->draw + bar->loss;
    double middle = x + (BAR - GAP) / 2.0, n = all > 0 ? (double)all : 1;
    double y = draw_part(p, x, bottom, (double)bar->win / n, VALUE_WIN);
    y = draw_part(p, x, y, (double)bar->draw / n, VALUE_DRAW);
    draw_part(p, x, y, (double)bar->loss / n, VALUE_LOSS);
    snprintf(text, sizeof text, "%d", bar->men);
    merels_svg_text(&p->svg, middle, bottom + 22, "middle", text);
    short_count(all, text);
    merels_svg_text(&p->svg, middle, bottom + 44, "small middle", text);
}

static void draw_panel(struct plot *p, const struct result_panel *panel, double top)
{
    double bottom = top + 36 + HEIGHT;
    merels_svg_text(&p->svg, 20, top + 20, "words", panel->title);
    for (int i = 0; i < panel->n_bars; i++)
        draw_bar(p, &panel->bars[i], LEFT + i * BAR, bottom);
    merels_svg_text(&p->svg, LEFT - 14, bottom + 22, "small end", "men");
    merels_svg_text(&p->svg, LEFT - 14, bottom + 44, "small end", "positions");
}

static void draw_legend(struct plot *p)
{
    static const char *const words[] = {"won", "drawn", "lost"};
    double x = 34;
    for (int i = 0; i < 3; i++) {
        const struct value_mark mark = {true, false, (enum value)(1 - i), -1};
        merels_value_mark(&p->svg, &mark, x, 70, 11);
        merels_svg_text(&p->svg, x + 18, 75, "small", words[i]);
        x += 88;
    }
    merels_svg_text(&p->svg, x - 12, 75, "small", "in percent, for the side to move");
}

struct svg merels_result_picture(const struct result_panel *panels, int n_panels,
                                 const char *title)
{
    int most = 0, n_shown = 0;
    for (int i = 0; i < n_panels; i++) {
        most = panels[i].n_bars > most ? panels[i].n_bars : most;
        n_shown += panels[i].n_bars > 0;
    }
    int width = LEFT + most * BAR + RIGHT;
    struct plot p = {.width = width > LEAST_WIDTH ? width : LEAST_WIDTH};
    p.svg = merels_svg_begin(p.width, TOP + n_shown * PANEL, title);
    merels_svg_text(&p.svg, 20, 40, "title", title);
    draw_legend(&p);
    for (int i = 0, k = 0; i < n_panels; i++)
        if (panels[i].n_bars > 0)
            draw_panel(&p, &panels[i], TOP + PANEL * k++);
    merels_svg_end(&p.svg);
    return p.svg;
}
