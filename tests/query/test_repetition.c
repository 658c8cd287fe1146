// test_repetition.c: a draw at a position's third time changes no value (docs/DESIGN.md, "The
// past of a game"), and how play and analyse count, claim, avoid and take it.

#include "tests/query/feed.h"

#include "game/moves.h"
#include "game/notation.h"
#include "game/rules.h"

// ---- a solver that carries the past ---------------------------------------------------------

enum { MAX_PAST = 512, MAX_WHOLE = 128, MAX_NODES = 50000000 };

// The game so far: every position of it.
struct walk {
    const struct rules *rules;
    struct position past[MAX_PAST];
    int n_past;
    int times; // a position that is there so often is a draw
    uint64_t n_nodes;
};

static bool is_same(const struct position *x, const struct position *y)
{
    return x->own == y->own && x->other == y->other && x->mover == y->mover;
}

static int times_there(const struct walk *walk, const struct position *pos)
{
    int n = 0;
    for (int i = 0; i < walk->n_past; i++)
        n += is_same(&walk->past[i], pos);
    return n;
}

// The value for the mover, by playing every ply of every game.
static int value_with_past(struct walk *walk, const struct position *pos)
{
    int value, best = -1;
    struct ply plies[64];
    cr_assert_lt(++walk->n_nodes, MAX_NODES);
    if (merels_position_over(walk->rules, pos, &value))
        return value;
    if (times_there(walk, pos) + 1 >= walk->times)
        return 0;
    cr_assert_lt(walk->n_past, MAX_PAST);
    walk->past[walk->n_past++] = *pos;
    cr_assert_leq(merels_count_plies(walk->rules, pos), 64);
    int n = merels_plies(walk->rules, pos, plies);
    for (int i = 0; i < n && best < 1; i++) {
        struct position after = merels_play(walk->rules, pos, plies[i]);
        value = -value_with_past(walk, &after);
        best = value > best ? value : best;
    }
    walk->n_past--;
    return best;
}

// ---- the same game without that rule --------------------------------------------------------

struct whole {
    struct position positions[MAX_WHOLE];
    int depths[MAX_WHOLE]; // plies to the end; -1: none was found, a draw
    int n;
};

static int place_of(const struct whole *whole, const struct position *pos)
{
    int k = 0;
    while (k < whole->n && !is_same(&whole->positions[k], pos))
        k++;
    return k;
}

// The depth that its plies give a position, as far as depths are known; -1: none.
static int depth_of(const struct rules *rules, const struct whole *whole,
                    const struct position *pos)
{
    struct ply plies[64];
    int value, longest = 0, shortest = MAX_WHOLE, n_won = 0;
    if (merels_position_over(rules, pos, &value))
        return value < 0 ? 0 : -1;
    int n = merels_plies(rules, pos, plies);
    for (int i = 0; i < n; i++) {
        struct position after = merels_play(rules, pos, plies[i]);
        int depth = whole->depths[place_of(whole, &after)];
        if (depth >= 0 && depth % 2 == 0 && depth < shortest)
            shortest = depth;
        n_won += depth >= 0 && depth % 2 == 1;
        longest = depth > longest ? depth : longest;
    }
    return shortest < MAX_WHOLE ? shortest + 1 : n_won == n ? longest + 1 : -1;
}

// All positions of one man against one, and their depths.
static void solve_whole(const struct rules *rules, struct whole *whole)
{
    whole->n = 0;
    for (int a = 0; a < rules->board.n_points; a++)
        for (int b = 0; b < rules->board.n_points; b++)
            for (int mover = WHITE; mover <= BLACK && a != b; mover++) {
                cr_assert_lt(whole->n, MAX_WHOLE);
                whole->depths[whole->n] = -1;
                whole->positions[whole->n++] = (struct position){.own = (point_set)1 << a,
                                                                 .other = (point_set)1 << b,
                                                                 .mover = (uint8_t)mover};
            }
    for (int round = 0; round < MAX_WHOLE; round++)
        for (int k = 0; k < whole->n; k++)
            if (whole->depths[k] < 0 && depth_of(rules, whole, &whole->positions[k]) == round)
                whole->depths[k] = round;
}

static void check_values(const char *text, int n_values[3])
{
    static struct rules rules;
    static struct whole whole;
    static struct walk walk;
    struct error err;
    cr_assert_eq(merels_rules_parse(text, &rules, NULL, &err), STATUS_OK, "%s", err.text);
    solve_whole(&rules, &whole);
    for (int times = 2; times <= 3; times++)
        for (int k = 0; k < whole.n; k++) {
            int depth = whole.depths[k], value = depth < 0 ? 0 : depth % 2 == 1 ? 1 : -1;
            walk = (struct walk){.rules = &rules, .times = times};
            cr_assert_eq(value_with_past(&walk, &whole.positions[k]), value,
                         "%s: %d times, own %x other %x depth %d", text, times,
                         whole.positions[k].own, whole.positions[k].other, depth);
            n_values[value + 1]++;
        }
}

// One man against one, on a path, and on a ring with a tail: who is blocked has lost. With a
// draw at the second and at the third time each value is that of the game without.
Test(repetition, changes_no_value, .timeout = 300)
{
    int n_values[3] = {0};
    check_values("points a1 b1 c1 d1 e1\nedges a1-b1 b1-c1 c1-d1 d1-e1\nmills a1-b1-c1\n"
                 "least 1\nmen 1\nfly 0\n",
                 n_values);
    cr_expect_eq(n_values[0], 2 * 24);
    cr_expect_eq(n_values[2], 2 * 16);
    check_values("points a1 b1 c1 a2 b2\nedges a1-b1 b1-b2 a2-b2 a1-a2 b1-c1\n"
                 "mills a1-b1-c1\nleast 1\nmen 1\nfly 0\n",
                 n_values);
    cr_expect_eq(n_values[1], 2 * 34);
}

// ---- games ---------------------------------------------------------------------------------

// White wins; Black goes round with it.
#define WON "w f4,b2,e3 d7,g4,d1 0/0 moves"
#define ROUND " e3-f2 d7-a7 f2-e3 a7-d7"

// The side that wins goes on at the third time and wins; nobody claims.
static void check_winner(char *dir)
{
    struct run run =
        FEED("game\n", "play", "nine", "--side", "none", "--db", dir, WON ROUND ROUND);
    assert_quiet(run);
    EXPECT_HAS(run.out, "The game is over: White wins (too few men).\n");
    EXPECT_HAS(run.out, "\nWhite plays e3-b4.\n"); // e3-f2 would be there for the third time
    cr_expect_null(strstr(run.out, "claim a draw:"), "%s", run.out);
}

// The side that loses comes to a third time where it can, and claims; then the game is over,
// until a ply is taken back.
static void check_loser(char *dir)
{
    struct run run = FEED("e3-f2\nf2-e3\nback\ndraw\n", "play", "nine", "--db", dir,
                          WON ROUND " e3-f2 d7-a7 f2-e3 a7-a4");
    assert_quiet(run);
    EXPECT_HAS(run.out, "\nBlack plays a4-a7.\n");
    EXPECT_HAS(run.out, "\nBlack claims a draw: the position is here for the third time.\n"
                        "The game is over: a draw (repetition).\n");
    EXPECT_HAS(run.out, "The game is over: a draw was claimed. (back takes a ply back)\n");
    EXPECT_HAS(run.out, "No draw can be claimed: this position is here for the first time");
}

static void check_person(char *dir)
{
    struct run run =
        FEED("draw\ndraw\n", "play", "nine", "--side", "both", "--db", dir, WON ROUND ROUND);
    assert_quiet(run);
    EXPECT_HAS(run.out, "This position is here for the third time: draw claims a draw;");
    EXPECT_HAS(run.out, "The game is over: a draw (repetition).\nThe game is over.\n");
    run = FEED("draw\n", "play", "nine", "--side", "both", "--db", dir, WON ROUND);
    EXPECT_HAS(run.out, "No draw can be claimed: this position is here for the second time");
}

static void check_analysis(char *dir)
{
    struct run run = RUN("analyse", "nine", "--db", dir, WON ROUND ROUND);
    EXPECT_HAS(run.out, "After ply 8 a position was there for the third time: a draw could be "
                        "claimed.\n");
    json_t *game = ask_json(ARGV("analyse", "nine", "--json", "--db", dir, WON ROUND ROUND));
    json_t *counted = json_object_get(game, "counted");
    cr_expect_eq(number_of(counted, "third_time_after"), 8);
    cr_expect_eq(number_of(counted, "third_times"), 1);
    cr_expect_eq(number_of(counted, "longest_without_removal"), 8);
    json_decref(game);
    run = FEED("[Result \"1/2-1/2\"]\n[Rules \"nine\"]\n\n" WON ROUND ROUND " 1/2-1/2\n",
               "analyse", "nine", "--db", dir, "-");
    cr_expect_null(strstr(run.out, "The game claims"), "a third time is a draw: %s", run.out);
}

// A win that is longer than what the rule of quiet plies leaves is said to be one.
static void check_warning(char *dir)
{
    struct run run = FEED("gbgp\nsetoption name NMoveRule value 2\nposition " WON "\ngo\n"
                          "setoption name NMoveRule value 1000\ngo\n",
                          "engine", "nine", "--db", dir);
    assert_quiet(run);
    const char *warning = strstr(run.out, "and the rule of draws leaves 2 without a removal");
    cr_assert_not_null(warning, "%s", run.out);
    cr_expect_null(strstr(warning + strlen("and the rule of draws"), "rule of draws"), "%s",
                   run.out);
}

Test(repetition, games, .timeout = 240)
{
    char *dir = solved_dir("6");
    check_winner(dir);
    check_loser(dir);
    check_person(dir);
    check_analysis(dir);
    check_warning(dir);
    remove_dir(dir);
}
