// test_closed.c: points of removed men that stay closed while placing: hand-made positions, and
// every placing position of small games against a naive solver.

#include <stdlib.h>

#include "game/notation.h"
#include "search/placing_search.h"
#include "search/position_key.h"
#include "search/search.h"
#include "tests/reference/rules.h"
#include "tests/solver/support.h"
#include "tests/support/tsv.h"

// ---- a game under test ---------------------------------------------------------------------

// A game with closed points over the moving phase of the same game without.
struct closed_game {
    struct rules *rules, *plain;
    struct start start;
    char *dir;
    struct tablebase *base;       // with a search attached
    struct tablebase *plain_base; // the tables of the moving phase
    struct placing_search *search;
};

static struct closed_game closed_game(const char *text, uint64_t max_nodes)
{
    struct closed_game game = {.dir = make_dir("closed"),
                               .plain = malloc(sizeof(struct rules))};
    const struct placing_options options = {.max_nodes = max_nodes, .table_bytes = 1 << 24};
    game.rules = rules_with_start(text, &game.start);
    cr_assert_eq(game.rules->closed_points, CLOSED_POINTS_YES, "%s", text);
    merels_rules_of_tables(game.rules, game.plain);
    struct solve_options solving = moving(game.dir, 0);
    solve(game.plain, game.start, &solving);
    game.base = open_base(game.dir, game.rules);
    game.plain_base = open_base(game.dir, game.plain);
    OK(merels_placing_search_create(game.rules, game.base, &options, &game.search,
                                    &test_error));
    return game;
}

static void closed_game_free(struct closed_game *game)
{
    merels_placing_search_destroy(game->search);
    merels_tablebase_close(game->base);
    merels_tablebase_close(game->plain_base);
    remove_dir(game->dir);
    free(game->rules);
    free(game->plain);
}

static int value_by_search(const struct closed_game *game, const struct position *pos)
{
    struct answer answer;
    merels_tablebase_begin_answer(game->base);
    OK(merels_tablebase_probe(game->base, pos, &answer, &test_error));
    return answer.value;
}

static struct position position_of(const struct closed_game *game, const char *text)
{
    struct position pos;
    OK(merels_position_parse(game->rules, &game->start, text, &pos, &test_error));
    return pos;
}

static int value_of_text(const struct closed_game *game, const char *text)
{
    struct position pos = position_of(game, text);
    return value_by_search(game, &pos);
}

// The position after a ply, as text.
static const char *after(const struct closed_game *game, const char *text, const char *ply)
{
    static char out[POSITION_TEXT_BYTES];
    struct ply played;
    struct position pos = position_of(game, text);
    OK(merels_ply_parse(game->rules, &pos, ply, &played, &test_error));
    pos = merels_play(game->rules, &pos, played);
    merels_position_format(game->rules, &pos, out);
    return out;
}

// ---- positions made by hand ----------------------------------------------------------------

//     a1 -- b1 -- c1 -- d1 -- e1      one mill, a1-b1-c1; who has fewer than two men has lost
static const char line_of_five[] = "points a1 b1 c1 d1 e1\nedges a1-b1 b1-c1 c1-d1 d1-e1\n"
                                   "mills a1-b1-c1\nleast 2\nfly 0\nmen 2\nclosed-points yes\n";

// White a1, b1, Black d1, two men in hand each, White to place.
//   c1 closes the mill and takes d1, which closes: Black can only place on e1, and then White,
//      a man in hand, finds no open point: blocked, lost.
//   e1 leaves c1 alone: Black places there, the board is full: a draw.
// So it is a draw, and the mill would lose.
Test(closed, a_mill_that_takes_the_last_point)
{
    struct closed_game game = closed_game(line_of_five, 0);
    const char *root = "w a1,b1 d1 2/2";
    cr_expect_str_eq(after(&game, root, "c1xd1"), "b a1,b1,c1 - 1/2 xd1");
    cr_expect_eq(value_of_text(&game, "b a1,b1,c1 - 1/2 xd1"), 1, "White will be blocked");
    cr_expect_eq(value_of_text(&game, "w a1,b1,c1 e1 1/1 xd1"), -1, "blocked");
    cr_expect_eq(value_of_text(&game, "b a1,b1,e1 d1 1/2"), 0);
    cr_expect_eq(value_of_text(&game, root), 0);
    cr_expect_eq(value_of_text(&game, "w! a1,b1,c1 d1 1/2"), -1, "the same mill, half played");
    closed_game_free(&game);
}

// The same with no open point under the other rules of a blocked side; `full-board` is not
// asked, since a closed point is no man.
Test(closed, no_open_point_is_blocked)
{
    static const struct {
        const char *options;
        int value;
    } cases[] = {{"", -1},
                 {"blocked draws\n", 0},
                 {"blocked passes\n", 0},
                 {"full-board mover-loses\nblocked draws\n", 0}};
    for (int k = 0; k < 4; k++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", line_of_five, cases[k].options);
        struct closed_game game = closed_game(text, 0);
        cr_expect_eq(value_of_text(&game, "w a1,b1,c1 e1 1/1 xd1"), cases[k].value, "%s",
                     cases[k].options);
        cr_expect_eq(value_of_text(&game, "b a1,b1,c1 - 1/2 xd1"), -cases[k].value, "%s",
                     cases[k].options);
        closed_game_free(&game);
    }
}

// White has two men in the top line and one to place, Black three men in all: closing the mill
// wins at once, on g7 as well as with a closed point elsewhere; on a closed g7 no man can be
// placed. Placing is over with that man, so that all points are open afterwards.
Test(closed, the_point_of_a_mill_is_closed)
{
    struct closed_game game = closed_game("nine,men=3,closed-points", 0);
    cr_expect_eq(value_of_text(&game, "w a7,d7 a4,d1,f2 1/0"), 1);
    cr_expect_eq(value_of_text(&game, "w a7,d7 a4,d1,f2 1/0 xc3"), 1);
    cr_expect_str_eq(after(&game, "w a7,d7 a4,d1,f2 1/0 xg7,c3", "g4"),
                     "b a7,d7,g4 d1,a4,f2 0/0");
    struct ply ply;
    struct position pos = position_of(&game, "w a7,d7 a4,d1,f2 1/0 xg7");
    FAILS(merels_ply_parse(game.rules, &pos, "g7xa4", &ply, &test_error), STATUS_ILLEGAL);
    cr_expect_not_null(strstr(test_error.text, "closed while men are placed"), "%s",
                       test_error.text);
    closed_game_free(&game);
}

// data/closed-points.tsv says why.
Test(closed, positions_solved_by_hand, .timeout = 300)
{
    struct tsv *table = tsv_open("closed-points.tsv");
    for (int row = 0; row < tsv_rows(table); row++) {
        const char *result = tsv_text(table, row, "result");
        int value = strcmp(result, "win") == 0 ? 1 : strcmp(result, "loss") == 0 ? -1 : 0;
        struct closed_game game = closed_game(tsv_text(table, row, "rules"), 0);
        cr_expect_eq(value_of_text(&game, tsv_text(table, row, "position")), value, "%s",
                     tsv_text(table, row, "id"));
        closed_game_free(&game);
    }
    tsv_close(table);
}

// ---- every position against a naive solver -------------------------------------------------

// In the points of the reference board.
struct whole {
    struct reference_position pos;
    uint32_t closed;
};

struct naive {
    const struct closed_game *game;
    struct reference_rules rules;
    uint64_t *keys; // of whole positions, one of all images; 0: free
    int8_t *values; // for the mover
    size_t n, room; // room: a power of two
};

static uint32_t image_of(const struct reference_board *board, int i, uint32_t set)
{
    uint32_t image = 0;
    for (int p = 0; p < board->n_points; p++)
        if (set >> p & 1)
            image |= UINT32_C(1) << board->images[i][p];
    return image;
}

// Boards of up to 17 points: 51 bits of sets, 10 of hands, and a bit that is always set.
static uint64_t key_of_whole(const struct reference_board *board, const struct whole *whole)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < board->n_images; i++) {
        uint64_t sets = image_of(board, i, whole->pos.own) |
                        (uint64_t)image_of(board, i, whole->pos.other) << 17 |
                        (uint64_t)image_of(board, i, whole->closed) << 34;
        least = sets < least ? sets : least;
    }
    return least | (uint64_t)whole->pos.own_hand << 51 | (uint64_t)whole->pos.other_hand << 56 |
           UINT64_C(1) << 63;
}

static size_t place_of(const struct naive *naive, uint64_t key)
{
    size_t k = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (naive->room - 1);
    while (naive->keys[k] != 0 && naive->keys[k] != key)
        k = (k + 1) & (naive->room - 1);
    return k;
}

static void keep(struct naive *naive, uint64_t key, int value)
{
    cr_assert_lt(2 * naive->n, naive->room, "room for more positions is needed");
    size_t k = place_of(naive, key);
    naive->n += naive->keys[k] == 0;
    naive->keys[k] = key;
    naive->values[k] = (int8_t)value;
}

static point_set to_program(const struct naive *naive, uint32_t set)
{
    point_set result = 0;
    const struct reference_board *board = &naive->rules.board;
    for (int p = 0; p < board->n_points; p++)
        if (set >> p & 1)
            result |= (point_set)1
                      << merels_board_point(&naive->game->rules->board, board->names[p]);
    return result;
}

static struct position program_position(const struct naive *naive, const struct whole *whole)
{
    return (struct position){.own = to_program(naive, whole->pos.own),
                             .other = to_program(naive, whole->pos.other),
                             .own_hand = (uint8_t)whole->pos.own_hand,
                             .other_hand = (uint8_t)whole->pos.other_hand,
                             .closed = to_program(naive, whole->closed),
                             .mover = WHITE};
}

// The plies of the game without closed points, but for those to closed points.
static int open_plies(const struct naive *naive, const struct whole *whole,
                      struct reference_ply *plies)
{
    int n_open = 0, n = reference_plies(&naive->rules, &whole->pos, plies);
    for (int i = 0; i < n; i++)
        if (plies[i].to < 0 || (whole->closed >> plies[i].to & 1) == 0)
            plies[n_open++] = plies[i];
    return n_open;
}

static struct whole play(const struct whole *whole, struct reference_ply ply)
{
    struct whole next = {reference_play(&whole->pos, ply), whole->closed | ply.removed};
    if (next.pos.own_hand + next.pos.other_hand == 0)
        next.closed = 0;
    return next;
}

static int naive_value(struct naive *naive, const struct whole *whole);

// A mover without an open ply, men left, the board not full of men.
static int blocked_value(struct naive *naive, const struct whole *whole)
{
    static struct reference_ply room[REFERENCE_PLIES];
    struct whole turned = *whole;
    turned.pos.own = whole->pos.other;
    turned.pos.other = whole->pos.own;
    turned.pos.own_hand = whole->pos.other_hand;
    turned.pos.other_hand = whole->pos.own_hand;
    if (!naive->rules.blocked_passes)
        return naive->rules.blocked_draws ? 0 : -1;
    int n = open_plies(naive, &turned, room);
    return n == 0 || room[0].to < 0 ? 0 : -naive_value(naive, &turned);
}

static int best_value(struct naive *naive, const struct whole *whole,
                      const struct reference_ply *plies, int n)
{
    int best = -1;
    for (int i = 0; i < n; i++) { // all of them, so that every position is seen
        struct whole next = play(whole, plies[i]);
        int value = -naive_value(naive, &next);
        best = value > best ? value : best;
    }
    return best;
}

static int searched_value(struct naive *naive, const struct whole *whole)
{
    int value, result;
    struct reference_ply *plies = malloc(REFERENCE_PLIES * sizeof *plies);
    int n = open_plies(naive, whole, plies);
    if (n > 0 && plies[0].to >= 0)
        result = best_value(naive, whole, plies, n);
    else if (whole->closed == 0 && reference_over(&naive->rules, &whole->pos, &value))
        result = value == REFERENCE_DRAW ? 0 : -1;
    else if (__builtin_popcount(whole->pos.own) + whole->pos.own_hand < naive->rules.least)
        result = -1;
    else
        result = blocked_value(naive, whole);
    free(plies);
    return result;
}

// The value for the mover, and with it those of all that can follow.
static int naive_value(struct naive *naive, const struct whole *whole)
{
    if (whole->pos.own_hand + whole->pos.other_hand == 0) {
        struct answer answer;
        struct position pos = program_position(naive, whole);
        OK(merels_tablebase_probe(naive->game->plain_base, &pos, &answer, &test_error));
        return answer.value;
    }
    uint64_t key = key_of_whole(&naive->rules.board, whole);
    size_t k = place_of(naive, key);
    if (naive->keys[k] == key)
        return naive->values[k];
    int value = searched_value(naive, whole);
    keep(naive, key, value);
    return value;
}

static struct whole whole_of(uint64_t key)
{
    return (struct whole){{(uint32_t)(key & 0x1FFFF), (uint32_t)(key >> 17 & 0x1FFFF),
                           (int)(key >> 51 & 31), (int)(key >> 56 & 31), 0},
                          (uint32_t)(key >> 34 & 0x1FFFF)};
}

// Asks for every position but those that are over because the other side has too few men.
static void compare_all(const struct naive *naive, int n_values[3])
{
    for (size_t k = 0; k < naive->room; k++) {
        if (naive->keys[k] == 0)
            continue;
        struct whole whole = whole_of(naive->keys[k]);
        struct position pos = program_position(naive, &whole);
        cr_assert_eq(value_by_search(naive->game, &pos), naive->values[k],
                     "own %x other %x closed %x hands %d %d: not %d", pos.own, pos.other,
                     pos.closed, pos.own_hand, pos.other_hand, naive->values[k]);
        n_values[naive->values[k] + 1]++;
    }
}

static void check_all(const char *text, size_t room)
{
    int n_values[3] = {0};
    struct search_result result;
    struct closed_game game = closed_game(text, 0);
    struct naive naive = {.game = &game, .room = room};
    const struct search_options options = {.dir = game.dir, .n_threads = 2};
    struct position first = merels_position_start(&game.start);
    struct whole start = {{0, 0, game.start.first_men, game.start.second_men, 0}, 0};
    naive.keys = calloc(room, sizeof *naive.keys);
    naive.values = calloc(room, 1);
    cr_assert(naive.keys && naive.values);
    reference_rules_copy(&naive.rules, game.plain);
    int value = naive_value(&naive, &start);
    compare_all(&naive, n_values);
    OK(merels_search(game.rules, &first, &options, NULL, &result, &test_error));
    cr_expect_eq((int)result.value, value, "%s", text);
    cr_expect(n_values[0] > 0 && n_values[2] > 0, "%s: %d %d %d", text, n_values[0],
              n_values[1], n_values[2]);
    cr_log_info("%s: %d; %d lost, %d drawn, %d won\n", text, value, n_values[0], n_values[1],
                n_values[2]);
    free(naive.keys);
    free(naive.values);
    closed_game_free(&game);
}

Test(closed, every_position_of_three_men, .timeout = 600)
{
    check_all("three,mill=removes,closed-points", 1 << 16);
    check_all("three,mill=removes,fly=3,closed-points", 1 << 16);
    check_all("six,men=3,closed-points", 1 << 18);
}

Test(closed, every_position_of_unequal_sides, .timeout = 600)
{
    check_all("six,men=3-4,closed-points,blocked=passes", 1 << 20);
    check_all("six,men=4-3,least=2,closed-points,blocked=draws,mill-men=safe", 1 << 20);
}

Test(closed, every_position_of_four_men, .timeout = 600)
{
    check_all("six,men=4,closed-points", 1 << 21);
    check_all("six-fly,men=4,closed-points,removals=each,mill-men=removable", 1 << 21);
}

// ---- keys, limits --------------------------------------------------------------------------

// Closed points are part of the key, which all images share, and nothing else has it.
Test(closed, keys)
{
    struct rules *rules = make_rules("nine,closed-points");
    struct images *images = malloc(sizeof *images);
    merels_images_init(&rules->board, images);
    uint64_t state = 3;
    for (int k = 0; k < 2000; k++) {
        point_set all = rules->board.points;
        struct position pos = {.own_hand = 3, .other_hand = 2, .mover = WHITE};
        pos.own = (point_set)next_random(&state) & (point_set)next_random(&state) & all;
        pos.other = (point_set)next_random(&state) & all & ~pos.own;
        pos.closed = (point_set)next_random(&state) & all & ~(pos.own | pos.other);
        struct position open = pos, image = pos;
        uint64_t key = merels_position_key(images, &pos);
        open.closed = 0;
        cr_expect(pos.closed == 0 || merels_position_key(images, &open) != key);
        for (int s = 0; s < rules->board.n_symmetries; s++) {
            image.own = board_image(&rules->board, s, pos.own);
            image.other = board_image(&rules->board, s, pos.other);
            image.closed = board_image(&rules->board, s, pos.closed);
            cr_assert_eq(merels_position_key(images, &image), key);
        }
    }
    free(images);
    free(rules);
}

static bool stop_at_once(void *user)
{
    ++*(int *)user;
    return true;
}

// At a limit there is no value; the same question again goes on from what was proved, and in
// the end there is one. A stop ends a search as well.
Test(closed, limits)
{
    struct answer answer;
    struct closed_game game = closed_game("six,men=5,closed-points", 300);
    struct position start = merels_position_start(&game.start);
    enum status status = STATUS_UNDECIDED;
    int n_times = 0, n_asked = 0;
    for (; status == STATUS_UNDECIDED && n_times < 1000; n_times++) {
        merels_tablebase_begin_answer(game.base);
        status = merels_tablebase_probe(game.base, &start, &answer, &test_error);
        if (status == STATUS_UNDECIDED)
            cr_assert_str_eq(test_error.text, "not decided in 300 nodes");
    }
    OK(status);
    cr_expect_eq((int)answer.value, 0);
    cr_expect_gt(n_times, 3);
    uint64_t n_nodes = merels_placing_search_nodes(game.search);
    cr_expect_leq(n_nodes, 301 * (uint64_t)n_times);
    OK(merels_tablebase_probe(game.base, &start, &answer, &test_error));
    cr_expect_eq(merels_placing_search_nodes(game.search), n_nodes, "it was known");
    struct position other = position_of(&game, "b a5 - 4/5");
    merels_placing_search_stop(game.search, stop_at_once, &n_asked);
    merels_tablebase_begin_answer(game.base);
    other.own_hand = 4;
    FAILS(merels_tablebase_probe(game.base, &other, &answer, &test_error), STATUS_INTERRUPTED);
    cr_expect_eq(n_asked, 1);
    closed_game_free(&game);
}

// Without a search there is no value of the placing phase, not even one of the plain game.
Test(closed, tables_alone_do_not_answer)
{
    struct answer answer;
    struct closed_game game = closed_game("six,men=3,closed-points", 0);
    struct tablebase *base = open_base(game.dir, game.rules);
    struct position pos = position_of(&game, "w a5 c5 2/2");
    FAILS(merels_tablebase_probe(base, &pos, &answer, &test_error), STATUS_UNSUPPORTED);
    pos = position_of(&game, "w a5,c5,b3 e1,e3,d4 0/0");
    OK(merels_tablebase_probe(base, &pos, &answer, &test_error));
    merels_tablebase_close(base);
    closed_game_free(&game);
}
