// game_picture.c: a game as a picture.
//
//          |  White wins    ____
//     10 --|               /    \           the nearer the end of the game, the further out
//     50 --|              /      \.
//        0 |-------------'--------#-----    a draw; # a mistake, with the number of its ply
//     50 --|
//     10 --|  Black wins
//          +----.----.----.----.----.--
//               5   10   15   20   25
//     12. g4-g7 White throws away the win    all mistakes in words

#include "query/game_picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "query/render.h"
#include "query/value_text.h"

enum { LEFT = 70, RIGHT = 28, TOP = 104, HEIGHT = 340, BELOW = 40, ROW = 24, MOST_LISTED = 60 };
enum { LEAST_WIDTH = 760, MOST_WIDTH = 1600, LIST_WIDTH = 360 };

struct chart {
    const struct game_picture *picture;
    double width, step; // of a ply
    bool depths;
    size_t n_mistakes;
    struct svg svg;
};

// ---- filling -------------------------------------------------------------------------------

void merels_game_picture_free(struct game_picture *picture)
{
    free(picture->moments);
    *picture = (struct game_picture){.moments = NULL};
}

static bool make_room(struct game_picture *picture)
{
    if (picture->failed || picture->n_plies + 2 <= picture->room)
        return !picture->failed;
    size_t room = 2 * picture->room + 64;
    struct game_moment *moments = realloc(picture->moments, room * sizeof *moments);
    picture->failed = moments == NULL;
    if (moments) {
        picture->moments = moments;
        picture->room = room;
    }
    return moments != NULL;
}

static int winner(const struct position *pos, enum value value)
{
    return pos->mover == WHITE ? (int)value : -(int)value;
}

static struct game_moment moment_before(const struct verdict *v)
{
    struct game_moment moment = {.known = v->ranking != NULL,
                                 .plies = -1,
                                 .side = v->before->mover,
                                 .mistake = v->mistake || v->pick_mistake,
                                 .placed = v->before->own_hand + v->before->other_hand == 0};
    memcpy(moment.text, v->text, sizeof moment.text);
    if (v->ranking) {
        moment.winner = winner(v->before, v->ranking->answer.value);
        moment.plies = v->ranking->answer.plies;
    }
    if (v->pick_mistake) {
        moment.side = merels_side_that_picks(v->rules, v->before);
        moment.win_thrown = merels_analysis_pick_value(v) == VALUE_LOSS;
    } else if (v->mistake)
        moment.win_thrown = v->ranking->answer.value == VALUE_WIN;
    return moment;
}

// What is behind the last one is known when the game is drawn.
void merels_game_picture_add(struct game_picture *picture, const struct verdict *v)
{
    if (!make_room(picture))
        return;
    picture->rules = v->rules;
    picture->moments[picture->n_plies++] = moment_before(v);
    picture->moments[picture->n_plies] = (struct game_moment){.plies = -1, .placed = true};
}

// ---- places --------------------------------------------------------------------------------

static double x_of(const struct chart *c, size_t i)
{
    return LEFT + c->step * (double)i;
}

// From 0 for a draw to 1 for the end of the game.
static double height_of(int plies)
{
    return plies < 0 ? 0.75 : 0.25 + 0.75 * exp(-plies / 40.0);
}

static double y_at(int sign, double height)
{
    return TOP + HEIGHT / 2.0 - sign * height * (HEIGHT / 2.0 - 34);
}

static double y_of(const struct game_moment *moment)
{
    return y_at(moment->winner, moment->winner == 0 ? 0 : height_of(moment->plies));
}

// ---- the frame -----------------------------------------------------------------------------

static void draw_rule(struct chart *c, double x1, double y1, double x2, double y2,
                      const char *class, const char *rest)
{
    merels_svg_add(&c->svg, "<path d=\"M%.1f %.1fL%.1f %.1f\" class=\"%s\"%s/>\n", x1, y1, x2,
                   y2, class, rest);
}

// Lines at some depths, of both sides.
static void draw_depths(struct chart *c)
{
    static const int ticks[] = {0, 10, 25, 50, 100};
    for (size_t i = 0; c->depths && i < sizeof ticks / sizeof ticks[0]; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            char number[16];
            double y = y_at(sign, height_of(ticks[i]));
            snprintf(number, sizeof number, "%d", ticks[i]);
            draw_rule(c, LEFT, y, c->width - RIGHT, y, "grid", "");
            merels_svg_text(&c->svg, LEFT - 8, y + 5, "small end", number);
        }
}

static void draw_frame(struct chart *c)
{
    double middle = TOP + HEIGHT / 2.0, right = c->width - RIGHT;
    static const char *const halves[] = {"half-white", "half-black"};
    for (int half = 0; half < 2; half++)
        merels_svg_add(&c->svg,
                       "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                       "class=\"%s\"/>\n",
                       LEFT, half == 0 ? TOP : middle, right - LEFT, HEIGHT / 2.0,
                       halves[half]);
    draw_depths(c);
    draw_rule(c, LEFT, middle, right, middle, "axis", "");
    merels_svg_text(&c->svg, LEFT - 8, middle + 5, "small end", "draw");
    char words[96] = "White wins";
    if (c->depths)
        snprintf(words, sizeof words, "White wins, so many plies to %s",
                 merels_depth_goal(c->picture->rules));
    merels_svg_text(&c->svg, LEFT + 10, TOP + 22, "small", words);
    merels_svg_text(&c->svg, LEFT + 10, TOP + HEIGHT - 12, "small", "Black wins");
}

// The numbers of plies, some 60 units apart at least.
static void draw_numbers(struct chart *c)
{
    static const size_t steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20000};
    size_t n = c->picture->n_plies, k = 0;
    while (k + 1 < sizeof steps / sizeof steps[0] && c->step * (double)steps[k] < 60)
        k++;
    for (size_t i = steps[k]; i <= n; i += steps[k]) {
        char number[32];
        snprintf(number, sizeof number, "%zu", i);
        draw_rule(c, x_of(c, i), TOP + HEIGHT, x_of(c, i), TOP + HEIGHT + 6, "axis", "");
        merels_svg_text(&c->svg, x_of(c, i), TOP + HEIGHT + 24, "small middle", number);
    }
    merels_svg_text(&c->svg, LEFT - 8, TOP + HEIGHT + 24, "small end", "ply");
}

static void draw_end_of_placing(struct chart *c)
{
    const struct game_moment *moments = c->picture->moments;
    size_t i = 0;
    while (i < c->picture->n_plies && !moments[i].placed)
        i++;
    if (i == 0 || i >= c->picture->n_plies)
        return;
    draw_rule(c, x_of(c, i), TOP, x_of(c, i), TOP + HEIGHT, "axis",
              " stroke-dasharray=\"3 5\"");
    merels_svg_text(&c->svg, x_of(c, i), TOP - 8, "small middle", "all men placed");
}

// ---- the course ----------------------------------------------------------------------------

static void draw_course(struct chart *c)
{
    const struct game_moment *moments = c->picture->moments;
    bool on = false;
    merels_svg_add(&c->svg, "<path d=\"M0 0");
    for (size_t i = 0; i <= c->picture->n_plies; i++) {
        if (moments[i].known)
            merels_svg_add(&c->svg, "%c%.1f %.1f", on ? 'L' : 'M', x_of(c, i),
                           y_of(&moments[i]));
        on = moments[i].known;
    }
    merels_svg_add(&c->svg, "\" class=\"course\"/>\n");
}

static const char *winner_words(const struct chart *c, const struct game_moment *moment,
                                char out[64])
{
    const char *side = moment->winner > 0 ? "White" : "Black";
    bool to_end = c->picture->rules->metric == METRIC_DTM;
    if (!moment->known)
        return "not known";
    if (moment->winner == 0)
        return "draw";
    if (moment->plies < 0)
        snprintf(out, 64, "%s wins", side);
    else
        snprintf(out, 64, to_end ? "%s wins in %d" : "%s wins (%d)", side, moment->plies);
    return out;
}

// Points with what a pointer that rests on them is told.
static void draw_moments(struct chart *c)
{
    const struct game_moment *moments = c->picture->moments;
    for (size_t i = 0; i <= c->picture->n_plies; i++) {
        char words[64];
        if (!moments[i].known)
            continue;
        merels_svg_add(&c->svg,
                       "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" class=\"node\"><title>",
                       x_of(c, i), y_of(&moments[i]), c->step < 6 ? 2.0 : 3.0);
        if (i == 0)
            merels_svg_add(&c->svg, "start");
        else
            merels_svg_add(&c->svg, "%zu. %s", i, moments[i - 1].text);
        merels_svg_add(&c->svg, ": %s</title></circle>\n", winner_words(c, &moments[i], words));
    }
}

// A mistake: the way that the value took, a square at its end, the number of the ply.
static void draw_mistakes(struct chart *c)
{
    const struct game_moment *moments = c->picture->moments;
    double last_x[2] = {-100, -100}; // of the numbers of both sides
    for (size_t i = 0; i < c->picture->n_plies; i++) {
        if (!moments[i].mistake || !moments[i + 1].known)
            continue;
        char number[32];
        double x = x_of(c, i + 1), y = y_of(&moments[i + 1]);
        int side = (int)moments[i].side;
        draw_rule(c, x_of(c, i), y_of(&moments[i]), x, y, "loss-line", " stroke-width=\"4\"");
        merels_svg_add(
            &c->svg,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"11\" height=\"11\" class=\"loss\"/>\n",
            x - 5.5, y - 5.5);
        snprintf(number, sizeof number, "%zu", i + 1);
        if (x - last_x[side] < 26)
            continue;
        merels_svg_text(&c->svg, x, side == WHITE ? y + 22 : y - 12, "small middle", number);
        last_x[side] = x;
    }
}

// ---- words ---------------------------------------------------------------------------------

static size_t list_columns(const struct chart *c)
{
    return (size_t)((c->width - 40) / LIST_WIDTH);
}

static size_t n_listed(const struct chart *c)
{
    return c->n_mistakes < MOST_LISTED ? c->n_mistakes : MOST_LISTED;
}

static size_t list_rows(const struct chart *c)
{
    return (n_listed(c) + list_columns(c) - 1) / list_columns(c);
}

// Column after column.
static void list_mistakes(struct chart *c)
{
    size_t n_rows = list_rows(c), k = 0;
    for (size_t i = 0; i < c->picture->n_plies && k < MOST_LISTED; i++) {
        const struct game_moment *moment = &c->picture->moments[i];
        char words[PLY_TEXT_BYTES + 96];
        if (!moment->mistake)
            continue;
        snprintf(words, sizeof words, "%zu. %s: %s throws away the %s", i + 1, moment->text,
                 merels_colour_name((int)moment->side), moment->win_thrown ? "win" : "draw");
        merels_svg_text(&c->svg, 20 + (double)(k / n_rows) * LIST_WIDTH,
                        TOP + HEIGHT + BELOW + 24 + (double)(k % n_rows) * ROW, "small", words);
        k++;
    }
}

static void draw_head(struct chart *c, const char *title, const struct ending *ending)
{
    static const char *const values[] = {"Black wins", "a draw", "White wins"};
    char words[256];
    size_t n = c->picture->n_plies, of[2] = {0, 0};
    for (size_t i = 0; i < n; i++)
        of[c->picture->moments[i].side] += c->picture->moments[i].mistake;
    int length = snprintf(words, sizeof words, "%zu %s. Mistakes: White %zu, Black %zu.", n,
                          n == 1 ? "ply" : "plies", of[WHITE], of[BLACK]);
    if (ending->known)
        snprintf(words + length, sizeof words - (size_t)length, " %s: %s.",
                 ending->over ? "Over" : "In the end", values[1 + ending->value]);
    merels_svg_text(&c->svg, 20, 40, strlen(title) > 50 ? "words" : "title", title);
    merels_svg_text(&c->svg, 20, 68, "words", words);
}

// ---- the picture ---------------------------------------------------------------------------

static void measure(struct chart *c)
{
    const struct game_picture *picture = c->picture;
    double n = (double)(picture->n_plies > 0 ? picture->n_plies : 1);
    c->width = fmin(fmax(LEFT + RIGHT + 14 * n, LEAST_WIDTH), MOST_WIDTH);
    c->step = (c->width - LEFT - RIGHT - 8) / n;
    for (size_t i = 0; i < picture->n_plies; i++) {
        c->n_mistakes += picture->moments[i].mistake;
        c->depths |= picture->moments[i].plies >= 0;
    }
}

struct svg merels_game_picture_draw(struct game_picture *picture, const char *title,
                                    const struct ending *ending)
{
    struct chart c = {.picture = picture};
    if (picture->n_plies > 0) {
        struct game_moment *end = &picture->moments[picture->n_plies];
        end->known = ending->known;
        end->winner = ending->value;
        end->plies = ending->known && ending->value != 0 ? ending->plies : -1;
    }
    measure(&c);
    double list = c.n_mistakes > 0 ? 28 + ROW * (double)list_rows(&c) : 0;
    c.svg = merels_svg_begin((int)ceil(c.width), (int)(TOP + HEIGHT + BELOW + list), title);
    c.svg.failed |= picture->failed;
    draw_head(&c, title, ending);
    draw_frame(&c);
    draw_numbers(&c);
    draw_end_of_placing(&c);
    if (picture->n_plies > 0) {
        draw_course(&c);
        draw_moments(&c);
        draw_mistakes(&c);
        list_mistakes(&c);
    }
    merels_svg_end(&c.svg);
    return c.svg;
}
