// test_match.c: the order of drawing plies: its chances against plain counts, and small matches
// in which it does better than other orders, and nobody beats the perfect player.

#include "tests/match/matches.h"
#include "tests/query/feed.h"

static struct rules rules;
static struct ranking ranking;

static char *solved(struct match *match)
{
    struct error err;
    char *dir = make_dir();
    struct run run = RUN("solve", "six", "--db", dir, "--threads", "2");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    *match = (struct match){.rules = &rules, .random = 3, .n_look_ups = DRAW_LOOK_UPS};
    cr_assert_eq(merels_rules_parse("six", &rules, &match->start, &err), STATUS_OK);
    cr_assert_eq(merels_tablebase_open(dir, &rules, 64 << 20, &match->base, &err), STATUS_OK);
    return dir;
}

// The counts of replies are those of merels_count_replies, a wrong reply loses, and the choice
// is the best of the chances, whatever was left out for want of look-ups.
static void check_chances(struct match *match, const struct position *pos)
{
    static struct draw_chance chances[MAX_PLIES];
    const struct draw_effort efforts[2] = {{.n_look_ups = 0}, {.n_look_ups = DRAW_LOOK_UPS}};
    int first, n;
    cr_assert_eq(merels_rank_plies(match->base, &rules, pos, &ranking, NULL), STATUS_OK);
    n = merels_rank_draws(&ranking, &first);
    for (int e = 0; n > 0 && e < 2; e++) {
        int best = merels_draws_best(match->base, &rules, pos, &ranking, first, n, &efforts[e],
                                     chances);
        int again =
            merels_draws_best(match->base, &rules, pos, &ranking, first, n, &efforts[e], NULL);
        cr_assert_eq(best, again);
        for (int i = 0; i < n; i++) {
            struct replies replies;
            struct draw_chance *c = &chances[i];
            cr_assert_eq(merels_count_replies(match->base, &rules, pos,
                                              ranking.plies[first + i].ply, ranking.list,
                                              &replies, NULL),
                         STATUS_OK);
            cr_assert(c->n_replies == replies.n && c->n_hold == replies.hold);
            cr_assert_eq(c->wrong > 0, replies.hold < replies.n);
            cr_assert_eq(c->likely[0] != '\0', replies.hold < replies.n);
            cr_assert(c->chance >= c->wrong && c->wrong <= CHANCE_ALL);
            cr_assert_leq(c->chance, chances[best - first].chance);
            cr_assert(e == 1 || c->chance == c->wrong, "the first turn only");
        }
    }
}

static struct score match_all(struct match *match, enum draw_order order)
{
    struct score score = {0, 0, 0};
    for (int o = 0; o + 1 < N_OPPONENTS; o++)
        for (int i = 0; i < 24; i++) {
            struct position first = merels_position_start(&match->start);
            match->random = 1 + 7919 * (uint64_t)i;
            cr_assert(i < 8 || match_opening(match, 4 + i % 5, &first));
            cr_assert(match_game(match, &first, i % 2 == 0, order, &all_opponents[o], &score));
        }
    return score;
}

Test(match, drawing_plies_are_not_alike, .timeout = 300)
{
    struct match match;
    char *dir = solved(&match);
    for (int i = 0; i < 30; i++) {
        struct position pos;
        cr_assert(match_opening(&match, 1 + i % 12, &pos));
        check_chances(&match, &pos);
    }
    struct score scores[N_ORDERS];
    for (int k = 0; k < N_ORDERS; k++) {
        scores[k] = match_all(&match, (enum draw_order)k);
        cr_expect_eq(scores[k].losses, 0, "%s", order_names[k]);
    }
    cr_expect_gt(scores[ORDER_CHANCE].wins, scores[ORDER_FEWEST_HOLD].wins);
    cr_expect_gt(scores[ORDER_CHANCE].wins, scores[ORDER_FIRST].wins);
    merels_tablebase_close(match.base);
    remove_dir(dir);
}
