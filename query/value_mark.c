// value_mark.c: the mark of a value in a picture.

#include "query/value_mark.h"

#include <string.h>

#include "query/value_text.h"

const char *merels_value_class(const struct value_mark *mark)
{
    return mark->known ? merels_value_name(mark->value) : "unknown";
}

static void add_shape(struct svg *svg, const struct value_mark *mark, double x, double y,
                      double r, const char *rest)
{
    const char *class = merels_value_class(mark);
    double diamond = 1.12 * r, square = 0.88 * r;
    if (mark->known && mark->value == VALUE_DRAW)
        merels_svg_add(svg, "<path d=\"M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz\"", x,
                       y - diamond, diamond, diamond, -diamond, diamond, -diamond, -diamond);
    else if (mark->known && mark->value == VALUE_LOSS)
        merels_svg_add(svg,
                       "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"%.1f\"",
                       x - square, y - square, 2 * square, 2 * square, 0.14 * square);
    else
        merels_svg_add(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"", x, y,
                       mark->known ? 0.98 * r : 0.75 * r);
    merels_svg_add(svg, " class=\"%s%s/>\n", class, rest);
}

static const char *sign_of(const struct value_mark *mark, char number[16])
{
    if (!mark->known)
        return "?";
    if (mark->plies < 0)
        return mark->value == VALUE_WIN ? "+" : mark->value == VALUE_DRAW ? "=" : "\u2212";
    snprintf(number, 16, "%d", mark->plies);
    return number;
}

void merels_value_mark(struct svg *svg, const struct value_mark *mark, double x, double y,
                       double r)
{
    char number[16];
    const char *sign = sign_of(mark, number);
    double size = r * (strlen(number) > 2 && sign == number ? 0.86 : 1.08);
    if (mark->best)
        add_shape(svg, mark, x, y, 1.2 * r, "-line\" stroke-width=\"3\"");
    add_shape(svg, mark, x, y, r, "\"");
    merels_svg_add(
        svg,
        "<text x=\"%.1f\" y=\"%.1f\" class=\"sign\" style=\"font-size:%.1fpx\">%s</text>\n", x,
        y + 0.36 * size, size, sign);
}
