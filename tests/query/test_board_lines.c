// test_board_lines.c: lines of pictures, as "merels rules --json" tells them: straight where
// they pass over no other point, else bowed around it, inside of the picture.

#include <jansson.h>
#include <math.h>

#include "tests/query/feed.h"

struct place {
    double x, y;
};

static json_t *facts_of(const char *points, const char *edges)
{
    char *dir = make_dir(), path[128];
    snprintf(path, sizeof path, "%s/my.txt", dir);
    FILE *file = fopen(path, "w");
    cr_assert(file && fprintf(file, "points %s\nedges %s\nmills %.2s-%.2s-%.2s\n", points,
                              edges, points, points + 3, points + 6) > 0);
    fclose(file);
    json_t *facts = ask_json(ARGV("rules", "--rules", path, "--json"));
    remove_dir(dir);
    return facts;
}

static struct place place_of(const char *name)
{
    return (struct place){name[0] - 'a', name[1] - '1'};
}

static json_t *bend_of(json_t *facts, const char *line)
{
    size_t i;
    json_t *curve;
    json_array_foreach(json_object_get(facts, "curves"), i, curve)
    {
        if (strcmp(text_of(curve, "line"), line) == 0)
            return json_object_get(curve, "bend");
    }
    return NULL;
}

// How near a line, as it is drawn, comes to a third point.
static double nearest(json_t *facts, const char *points, const char *line)
{
    struct place from = place_of(line), to = place_of(line + 3);
    struct place bend = {(from.x + to.x) / 2, (from.y + to.y) / 2};
    json_t *told = bend_of(facts, line);
    double least = 1000;
    if (told)
        bend = (struct place){(double)json_integer_value(json_array_get(told, 0)) / 100,
                              (double)json_integer_value(json_array_get(told, 1)) / 100};
    for (int k = 0; k <= 1000; k++) {
        double t = k / 1000.0, a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
        double x = a * from.x + b * bend.x + c * to.x, y = a * from.y + b * bend.y + c * to.y;
        cr_assert(x > -0.75 && y > -0.75 && x < 6.75 && y < 2.75);
        for (const char *name = points; *name != '\0'; name += 3) {
            struct place other = place_of(name);
            if (strncmp(name, line, 2) != 0 && strncmp(name, line + 3, 2) != 0)
                least = fmin(least, hypot(x - other.x, y - other.y));
            if (name[2] == '\0')
                break;
        }
    }
    return least;
}

Test(board_lines, presets_are_straight)
{
    static char *const presets[] = {"three", "four",   "five",   "six",        "seven",
                                    "nine",  "twelve", "lasker", "morabaraba", "three-fly"};
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; i++) {
        json_t *facts = ask_json(ARGV("rules", presets[i], "--json"));
        json_t *curves = json_object_get(facts, "curves");
        cr_assert(json_is_array(curves) && json_array_size(curves) == 0, "%s", presets[i]);
        json_decref(facts);
    }
}

// Men have a radius of 0.41 steps at most, and of 0.08 of the longer side.
Test(board_lines, a_line_goes_around_points)
{
    static const char points[] = "a1 b1 c1 a2 b2 c2 a3 b3 c3";
    static const char *const bowed[] = {"a1-c1", "a1-a3", "a1-c3", "c1-a3", "b1-b3"};
    json_t *facts =
        facts_of(points, "a1-b1 b1-c1 a1-c1 a1-a3 a2-a3 a1-c3 c1-a3 b2-c2 b1-b3 c2-c3");
    cr_assert_eq(json_array_size(json_object_get(facts, "curves")), 5);
    for (size_t i = 0; i < 5; i++) {
        cr_assert_not_null(bend_of(facts, bowed[i]), "%s", bowed[i]);
        cr_assert_gt(nearest(facts, points, bowed[i]), 0.16, "%s", bowed[i]);
    }
    json_decref(facts);
}

Test(board_lines, a_long_board)
{
    static const char points[] = "a1 b1 c1 d1 e1 f1 g1 a2 b2 c2 d2 e2 f2 g2 d3";
    static const char *const lines[] = {"a1-d1", "d2-g2", "d1-d3", "c1-e1", "a1-c2"};
    json_t *facts =
        facts_of(points, "a1-g1 a2-g2 a1-d1 d2-g2 a1-c2 b1-g2 d1-d3 a1-b1 g1-f1 c1-e1 e2-f2");
    for (size_t i = 0; i < 5; i++)
        cr_assert_gt(nearest(facts, points, lines[i]), 0.41, "%s", lines[i]);
    // So long a line between others cannot keep away from all men, but it meets no point.
    cr_assert_gt(nearest(facts, points, "a1-g1"), 0.2);
    json_decref(facts);
}
