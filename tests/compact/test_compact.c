// test_compact.c: edition compact, read by the two files of embed/: every value and ranking of
// every subspace as the tables have it, whatever is stored and whatever follows by plies; the
// same bytes from any number of threads.

#include "query/ranking.h"
#include "tests/compact/host.h"
#include "tests/support/own_boards.h"

// ---- values --------------------------------------------------------------------------------

static bool same_ply(const struct ply *x, const struct merels_compact_ply *y)
{
    return x->from == y->from && x->to == y->to && x->n_removed == y->n_removed &&
           memcmp(x->removed, y->removed, (size_t)x->n_removed) == 0;
}

// The plies of both rankings are the same, with the same values, and in the same groups of
// value and pick; in a group those of the reader stand in the order of the generator.
static void compare_ranking(struct tablebase *base, const struct rules *rules,
                            struct host *host, const struct position *pos)
{
    static struct ranking ranking;
    static struct merels_compact_ply plies[MERELS_COMPACT_PLIES];
    size_t n;
    OK(merels_rank_plies(base, rules, pos, &ranking, &test_error));
    cr_assert_eq(rank(host, pos, plies, &n), MERELS_COMPACT_OK);
    cr_assert_eq(n, (size_t)ranking.n_plies);
    for (size_t k = 0; k < n; k++) {
        size_t at = 0;
        while (at < n && !same_ply(&ranking.plies[at].ply, &plies[k]))
            at++;
        cr_assert_lt(at, n);
        cr_assert_eq((int)plies[k].value, (int)ranking.plies[at].value);
        cr_assert(k == 0 || plies[k - 1].value >= plies[k].value);
        // Values without depths may leave the other side several picks of one worth.
        cr_assert(rules->chooser == CHOOSER_OPPONENT || plies[k].picked == 1);
        const struct merels_compact_position before = asked(pos),
                                             after = merels_compact_play(&before, &plies[k]);
        const struct position next = {.own = after.own,
                                      .other = after.other,
                                      .own_hand = after.own_hand,
                                      .other_hand = after.other_hand};
        int value = 7;
        cr_assert_eq(ask(host, &next, &value), MERELS_COMPACT_OK);
        cr_assert((!plies[k].picked && pos->due == 0) || value == -plies[k].value);
        const struct position expected = merels_play(rules, pos, ranking.plies[at].ply);
        cr_assert(after.own == expected.own && after.other == expected.other &&
                  after.own_hand == expected.own_hand &&
                  after.other_hand == expected.other_hand && after.due == 0);
    }
}

// The position of a slot, and if there can be one, the same with a removal due.
static void compare_slot(struct tablebase *base, const struct rules *rules, struct host *host,
                         struct position pos, bool with_due, bool with_ranking)
{
    for (int due = 0; due <= with_due; due++) {
        struct answer answer;
        int value = 7;
        pos.due = (uint8_t)due;
        if (merels_position_check(rules, &pos, NULL) != STATUS_OK)
            continue;
        enum status status = merels_tablebase_probe(base, &pos, &answer, &test_error);
        if (due > 0 && status == STATUS_NOT_COVERED) // counts that no game comes to
            continue;
        cr_assert_eq(status, STATUS_OK);
        cr_assert_eq(ask(host, &pos, &value), MERELS_COMPACT_OK);
        cr_assert_eq(value, (int)answer.value, "%06x %06x %d %d due %d: %d, not %d", pos.own,
                     pos.other, pos.own_hand, pos.other_hand, due, value, (int)answer.value);
        if (with_ranking)
            compare_ranking(base, rules, host, &pos);
    }
}

// Every step-th slot of every subspace; of one in eight of these all plies, too.
static void compare_all(const struct rules *rules, const char *dir, struct host *host,
                        uint64_t step, bool with_rankings)
{
    struct tablebase *base = open_base(dir, rules);
    struct subspace *list;
    size_t n;
    OK(merels_tablebase_list(base, &list, &n, &test_error));
    cr_assert_eq(open_host(host), MERELS_COMPACT_OK);
    cr_assert_eq(merels_compact_points(host->reader), rules->board.n_points);
    for (size_t k = 0; k < n; k++) {
        uint64_t n_slots = merels_subspace_slots(&rules->board, list[k]);
        for (uint64_t slot = k % step; slot < n_slots; slot += step) {
            struct position pos;
            OK(merels_index_unrank(merels_tablebase_index(base), list[k], slot, &pos,
                                   &test_error));
            compare_slot(base, rules, host, pos, slot / step % 16 == 0,
                         with_rankings && slot / step % 8 == 0);
        }
    }
    free(list);
    merels_tablebase_close(base);
}

static void round_trip(const char *text, bool moving_only, int n_plies, uint64_t step)
{
    struct rules *rules = calloc(1, sizeof *rules);
    struct start start;
    struct compact_result result;
    OK(merels_rules_parse(text, rules, &start, &test_error));
    char *dir = solved(rules, start, moving_only);
    OK(export_with(rules, dir, "game.mce", n_plies, 2, &result));
    struct host host = host_of(dir, "game.mce");
    cr_assert_eq(result.file_bytes, host.n_bytes);
    cr_assert(result.n_stored > 0 && result.n_stored <= result.n_subspaces);
    compare_all(rules, dir, &host, step, true);
    free_host(&host);
    remove_dir(dir);
    free(rules);
}

Test(compact, three)
{
    for (int n_plies = 1; n_plies <= 3; n_plies++)
        round_trip("three", false, n_plies, 1);
}

Test(compact, three_in_which_blocked_movers_pass)
{
    round_trip("three,blocked=passes", false, 2, 1);
    round_trip("three,fly=0,blocked=passes", false, 2, 1);
}

Test(compact, four_men_fly)
{
    round_trip("six-fly,men=4", false, 2, MERELS_SHORT_TESTS ? 211 : 11);
}

Test(compact, placing_or_moving)
{
    round_trip("six-fly,men=3,turn=place-or-move", false, 2, 3);
}

Test(compact, the_other_side_chooses_one_for_each_mill)
{
    round_trip("six,men=4,chooser=opponent,removals=each", false, 1, 13);
}

Test(compact, six)
{
    round_trip("six", false, 2, MERELS_SHORT_TESTS ? 10007 : 997);
}

Test(compact, moving_phase_of_seven)
{
    round_trip("seven", true, 2, MERELS_SHORT_TESTS ? 10007 : 1999);
}

// Every value of a small game on a board of one's own; NULL: on that of "three".
static void own_game(const char *board, const char *men, const char *options)
{
    char facts[2048], with_men[1536];
    struct rules *rules = calloc(1, sizeof *rules);
    struct start start;
    struct compact_result result;
    if (board == NULL) {
        snprintf(facts, sizeof facts, "three,men=%s,%s", men, options);
        OK(merels_rules_parse(facts, rules, &start, &test_error));
    } else {
        snprintf(with_men, sizeof with_men, "%smen %s\n", board, men);
        OK(merels_rules_parse_facts(own_rules(with_men, options, facts), rules, &start,
                                    &test_error));
    }
    char *dir = solved(rules, start, false);
    OK(export_with(rules, dir, "game.mce", 2, 2, &result));
    struct host host = host_of(dir, "game.mce");
    compare_all(rules, dir, &host, MERELS_SHORT_TESTS ? 29 : 5, true);
    free_host(&host);
    remove_dir(dir);
    free(rules);
}

// All pairs of board, men and option values that make a game.
Test(compact, every_pair_of_options, .timeout = 600)
{
    static const struct {
        const char *board, *men, *options;
    } games[] = {
        {BOARD_CUBE, "2-3", "fly=0,least=2,chooser=opponent"},
        {BOARD_TRIVIAL, "3-4",
         "fly=3,fly-count=total,mill-men=safe,removals=each,blocked=passes,turn=place-or-move,"
         "mill=wins"},
        {NULL, "3", "fly=3,mill-men=removable,blocked=draws,full-board=mover-loses"},
        {BOARD_THREE_LINES, "4-3",
         "fly=0,fly-count=total,mill-men=removable,removals=each,blocked=draws,full-board="
         "mover-loses,mill=wins,least=2,chooser=opponent"},
        {BOARD_TWO_PARTS, "2-3",
         "fly=3,mill-men=safe,removals=each,blocked=passes,full-board=mover-loses,turn=place-"
         "or-move,least=2,chooser=opponent"},
        {BOARD_TWO_PARTS, "3",
         "fly=0,fly-count=total,full-board=mover-loses,turn=place-or-move,mill=wins,chooser="
         "opponent"},
        {BOARD_THREE_LINES, "4-3", "fly=3,removals=each,turn=place-or-move"},
        {BOARD_TRIVIAL, "3-4",
         "fly=0,mill-men=safe,blocked=draws,full-board=mover-loses,least=2,chooser=opponent"},
        {NULL, "2-3",
         "fly=0,fly-count=total,mill-men=removable,removals=each,blocked=passes,turn=place-or-"
         "move,mill=wins,least=2"},
        {BOARD_CUBE, "3",
         "fly=3,mill-men=safe,removals=each,blocked=draws,turn=place-or-move,mill=wins,chooser="
         "opponent"},
        {BOARD_CUBE, "4-3", "fly=3,fly-count=total,mill-men=removable,blocked=passes"},
        {NULL, "3-4",
         "fly=0,removals=each,full-board=mover-loses,turn=place-or-move,chooser=opponent"},
        {BOARD_THREE_LINES, "3",
         "fly=0,fly-count=total,mill-men=safe,blocked=passes,full-board=mover-loses,turn=place-"
         "or-move,least=2,chooser=opponent"},
        {BOARD_TWO_PARTS, "2-3",
         "fly=0,removals=each,blocked=draws,turn=place-or-move,mill=wins,least=2"},
        {BOARD_TRIVIAL, "4-3", "fly=3,mill-men=safe,turn=place-or-move,chooser=opponent"},
        {BOARD_CUBE, "3-4",
         "fly=3,mill-men=removable,removals=each,full-board=mover-loses,mill=wins,least=2,"
         "chooser=opponent"},
        {BOARD_TRIVIAL, "3", "fly=3,fly-count=total,blocked=passes,least=2,chooser=opponent"},
        {NULL, "4-3",
         "fly=0,mill-men=safe,removals=each,blocked=passes,full-board=mover-loses,mill=wins"},
        {BOARD_TWO_PARTS, "3",
         "fly=3,mill-men=removable,removals=each,full-board=mover-loses,mill=wins,least=2"},
        {BOARD_TRIVIAL, "2-3",
         "fly=3,fly-count=total,mill-men=removable,blocked=passes,least=2,chooser=opponent"},
        {BOARD_THREE_LINES, "3-4",
         "fly=0,mill-men=removable,blocked=passes,turn=place-or-move,mill=wins"},
        {BOARD_THREE_LINES, "2-3",
         "fly=0,blocked=draws,full-board=mover-loses,turn=place-or-move,mill=wins,least=2,"
         "chooser=opponent"},
    };
    for (size_t k = 0; k < sizeof games / sizeof *games; k++)
        own_game(games[k].board, games[k].men, games[k].options);
}

// ---- the file ------------------------------------------------------------------------------

Test(compact, the_same_bytes_from_any_number_of_threads)
{
    struct rules *rules = calloc(1, sizeof *rules);
    struct start start;
    struct compact_result result;
    OK(merels_rules_parse("six-fly,men=4", rules, &start, &test_error));
    char *dir = solved(rules, start, false);
    OK(export_with(rules, dir, "one.mce", 2, 1, &result));
    OK(export_with(rules, dir, "three.mce", 2, 3, &result));
    size_t n, n_other;
    uint8_t *bytes = load_bytes(dir, "one.mce", &n),
            *other = load_bytes(dir, "three.mce", &n_other);
    cr_assert(n == n_other && memcmp(bytes, other, n) == 0);
    cr_assert(!has_file(dir, "one.mce.part"));
    free(bytes);
    free(other);
    remove_dir(dir);
    free(rules);
}
