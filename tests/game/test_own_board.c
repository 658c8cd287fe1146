// test_own_board.c: boards of one's own: their symmetries, their names, what is refused.

#include <stdio.h>
#include <time.h>

#include "game/rules_text.h"
#include "game/text.h"
#include "tests/game/game_help.h"
#include "tests/support/own_boards.h"

static void expect_symmetries(const char *board, int n)
{
    const struct rules *rules = rules_of(board);
    cr_expect_eq(rules->board.kind, BOARD_OWN);
    cr_expect_eq(rules->board.n_symmetries, n, "%d: %s", rules->board.n_symmetries, board);
}

Test(own_board, symmetries_are_found)
{
    expect_symmetries(BOARD_TRIVIAL, 1);
    expect_symmetries(BOARD_THREE_LINES, 2);
    expect_symmetries(BOARD_CUBE, 48);
    expect_symmetries(BOARD_TWO_PARTS, 12);
}

// Every known board comes back as itself, whatever the order of edges and mills.
Test(own_board, known_boards_are_recognized)
{
    static struct rules back;
    char text[RULES_TEXT_BYTES], name[RULES_NAME_BYTES], again[RULES_NAME_BYTES];
    for (const char *const *preset = merels_rules_presets(); *preset != NULL; preset++) {
        struct start start;
        const struct rules *rules = rules_of(*preset);
        merels_game_text(rules, the_start, text);
        cr_assert_eq(merels_rules_parse(text, &back, &start, NULL), STATUS_OK);
        cr_expect_eq(back.board.kind, rules->board.kind);
        cr_expect_eq(start.first_men, the_start.first_men);
        merels_rules_name(rules, name);
        merels_rules_name(&back, again);
        cr_expect_str_eq(again, name);
    }
    const char *three =
        "points a3 b3 c3 a2 b2 c2 a1 b1 c1\n"
        "mills c1-b2-a3 a3-b3-c3 a2-b2-c2 a1-b1-c1 a3-a2-a1 b3-b2-b1 c3-c2-c1 "
        "c3-b2-a1\n"
        "edges b2-c3 a3-b3 b3-c3 a2-b2 b2-c2 a1-b1 b1-c1 a3-a2 a2-a1 b3-b2 b2-b1 "
        "c3-c2 c2-c1 a3-b2 b2-c1 b2-a1\nmill wins\nfly 0\nmen 3\n";
    cr_expect_eq(rules_of(three)->board.kind, BOARD_THREE);
    merels_rules_name(&the_rules, name);
    cr_expect_str_eq(name, "three");
}

Test(own_board, text_reads_back)
{
    static struct rules back;
    char text[RULES_TEXT_BYTES], again[RULES_TEXT_BYTES], name[RULES_NAME_BYTES];
    merels_rules_text(rules_of(BOARD_TRIVIAL), text);
    cr_assert_eq(merels_rules_parse(text, &back, NULL, NULL), STATUS_OK);
    merels_rules_text(&back, again);
    cr_expect_str_eq(again, text);
    merels_rules_name(&back, name);
    cr_expect_eq(strncmp(name, "own-", 4), 0);
    cr_expect_eq(strlen(name), 20);
}

Test(own_board, the_start_is_in_the_text)
{
    rules_of(BOARD_TRIVIAL "men 4-3\n");
    cr_expect_eq(the_start.first_men, 4);
    cr_expect_eq(the_start.second_men, 3);
    rules_of(BOARD_THREE_LINES);
    cr_expect_eq(the_start.first_men, 4, "three for every eight points");
}

// ---- what is refused -----------------------------------------------------------------------

static void expect_refusal(const char *text, enum status status, const char *message)
{
    struct error err = {.text = ""};
    clock_t begin = clock();
    cr_expect_eq(merels_rules_parse(text, &the_rules, NULL, &err), status, "%s", text);
    cr_expect_not_null(strstr(err.text, message), "no '%s' in: %s", message, err.text);
    cr_expect_lt(clock() - begin, CLOCKS_PER_SEC, "%s", message);
}

// A board of n points in a ring, each mill a corner and its neighbours if `mills`.
static const char *ring(int n, bool one_mill)
{
    static char bytes[2048];
    char names[26][3];
    struct text text = merels_text(bytes, sizeof bytes);
    merels_text_add(&text, "points");
    for (int p = 0; p < n; p++) {
        snprintf(names[p], sizeof names[p], "%c%d", 'a' + p % 20, 1 + p / 20);
        merels_text_add(&text, " %s", names[p]);
    }
    merels_text_add(&text, "\nedges");
    for (int p = 0; p < n; p++)
        merels_text_add(&text, " %s-%s", names[p], names[(p + 1) % n]);
    merels_text_add(&text, "\nmills");
    for (int p = 0; p < (one_mill ? 1 : n); p++)
        merels_text_add(&text, " %s-%s-%s", names[p], names[(p + 1) % n], names[(p + 2) % n]);
    merels_text_add(&text, "\n");
    return bytes;
}

Test(own_board, large_groups_are_refused_at_once)
{
    expect_symmetries(ring(24, false), 48);
    expect_symmetries(ring(24, true), 2);
    expect_refusal(
        "points a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2 k2 "
        "l2\nedges a1-b1\nmills a1-b1-c1\n",
        STATUS_UNSUPPORTED, "more than 48 symmetries");
    // Eight triangles, each a mill: 8! * 6^8 symmetries.
    expect_refusal(
        "points a1 a2 a3 b1 b2 b3 c1 c2 c3 d1 d2 d3 e1 e2 e3 f1 f2 f3 g1 g2 g3 h1 h2 "
        "h3\nedges a1-a2 a2-a3 b1-b2 b2-b3 c1-c2 c2-c3 d1-d2 d2-d3 e1-e2 e2-e3 f1-f2 "
        "f2-f3 g1-g2 g2-g3 h1-h2 h2-h3\nmills a1-a2-a3 b1-b2-b3 c1-c2-c3 d1-d2-d3 "
        "e1-e2-e3 f1-f2-f3 g1-g2-g3 h1-h2-h3\n",
        STATUS_UNSUPPORTED, "more than 48 symmetries");
}

Test(own_board, bounds_are_named)
{
    expect_refusal(ring(25, false), STATUS_UNSUPPORTED, "more than 24 points");
    expect_refusal("points a1 b1\nedges a1-b1\nmills a1-b1-b1\n", STATUS_BAD_INPUT,
                   "at least 3 points");
    expect_refusal("points a1 b1 b1\nedges a1-b1\nmills a1-b1-b1\n", STATUS_BAD_INPUT,
                   "line 1: board: two points are called b1");
    expect_refusal("points a1 b1 x1\nedges a1-b1\nmills a1-b1-x1\n", STATUS_BAD_INPUT,
                   "'x1' is no name of a point");
    expect_refusal("points a1 b1 c10\nedges a1-b1\nmills a1-b1-c1\n", STATUS_BAD_INPUT,
                   "line 1: 'c10' is none of the points");
    expect_refusal("points a1 b1 c1\nedges a1-d1\nmills a1-b1-c1\n", STATUS_BAD_INPUT,
                   "line 2: 'a1-d1': d1 is no point; right would be one of the line 'points', "
                   "as in a1-b1");
    expect_refusal(
        "points a1 b2 c3\nedges a1-b2\nmills c1-b2-a1\n", STATUS_BAD_INPUT,
        "line 3: 'c1-b2-a1': c1 is no point; right would be one of the line 'points', "
        "as in a1-b2-c3");
    expect_refusal("points a1 b1 c1\nedges a1b1\nmills a1-b1-c1\n", STATUS_BAD_INPUT,
                   "line 2: 'a1b1' is none of the edges, as a1-b1");
    expect_refusal("points a1 b1 c1\nedges a1-b1 b1-a1\nmills a1-b1-c1\n", STATUS_BAD_INPUT,
                   "line 2: board: edge b1-a1 stands twice");
    expect_refusal("points a1 b1 c1\nedges a1-a1\nmills a1-b1-c1\n", STATUS_BAD_INPUT,
                   "line 2: board: edge a1-a1 joins a point with itself");
    expect_refusal("# own\npoints a1 b1 c1\nedges a1-b1\nmills a1-b1-c1 c1-b1-a1\n",
                   STATUS_BAD_INPUT, "line 4: board: mill c1-b1-a1 stands twice");
    expect_refusal("points a1 b1 c1\nedges a1-b1\nmills a1-b1-a1\n", STATUS_BAD_INPUT,
                   "has a point twice");
    expect_refusal("points a1 b1 c1 d1 e1\nedges a1-b1\nmills a1-b1-c1 a1-b1-d1 a1-b1-e1 "
                   "a1-c1-d1 a1-c1-e1 a1-d1-e1\nmen 3\n",
                   STATUS_BAD_INPUT, "the board has 5 points");
    expect_refusal("points a1 b1 c1 d1 e1 f1\nedges a1-b1\nmills a1-b1-c1 a1-b1-d1 a1-b1-e1 "
                   "a1-c1-d1 a1-c1-e1 a1-d1-e1 a1-b1-f1\n",
                   STATUS_UNSUPPORTED, "more than 6 mills go through a1");
    expect_refusal("points a1 b1 c1\nedges a1-b1\n", STATUS_BAD_INPUT, "no line 'mills ...'");
    cr_expect_eq(merels_rules_parse_facts("nine\n", &the_rules, NULL, NULL), STATUS_BAD_INPUT);
    expect_refusal(BOARD_TRIVIAL "men 3-\n", STATUS_BAD_INPUT, "unknown value: 'men 3-'");
}

// ---- both sides blocked --------------------------------------------------------------------

//     A1 -- b1 -- C1       and nobody on the triangle: neither side can move
Test(own_board, both_are_blocked)
{
    char text[2048];
    const struct rules *rules =
        rules_of(own_rules(BOARD_TWO_PARTS, "blocked=passes,fly=0,least=1,men=2-1", text));
    cr_expect_eq(value_of(rules, "w a1,c1 b1 0/0"), 0);
    cr_expect_eq(n_plies_of(rules, "w a1,c1 b1 0/0"), 0);
    cr_expect(is_legal(rules, "w a1,b1 c1,a2 0/0", "pass"), "a2 can move");
    cr_expect_eq(value_of(rules, "w a1,b1 c1,a2 0/0"), 9);
    rules = rules_of(own_rules(BOARD_TWO_PARTS, "blocked=loses,fly=0,least=1,men=2-1", text));
    cr_expect_eq(value_of(rules, "w a1,c1 b1 0/0"), -1);
}
