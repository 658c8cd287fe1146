// test_reachable.c: counts of the positions that a game can reach against known figures.

#include "search/reachable.h"
#include "tests/db/support.h"
#include "tests/support/tsv.h"

static struct reachable count_of(const char *text)
{
    struct start start;
    struct reachable count;
    struct rules *rules = malloc(sizeof *rules);
    cr_assert_not_null(rules);
    OK(merels_rules_parse(text, rules, &start, &test_error));
    OK(merels_reachable_count(rules, start, 0, NULL, &count, &test_error));
    free(rules);
    return count;
}

Test(reachable, known_counts, .timeout = 600)
{
    struct tsv *known = tsv_open("reachable.tsv");
    int n_checked = 0;
    for (int row = 0; row < tsv_rows(known); row++) {
        const char *rules = tsv_text(known, row, "rules");
        bool large = strncmp(rules, "four", 4) != 0;
        if (large && MERELS_SHORT_TESTS)
            continue;
        struct reachable count = count_of(rules);
        n_checked +=
            tsv_known(known, row, "positions") || tsv_known(known, row, "without_colour");
        if (tsv_known(known, row, "positions"))
            cr_expect_eq((long long)count.n_positions, tsv_number(known, row, "positions"),
                         "%s", rules);
        if (tsv_known(known, row, "without_colour"))
            cr_expect_eq((long long)count.n_seen, tsv_number(known, row, "without_colour"),
                         "%s", rules);
    }
    cr_expect_eq(n_checked, MERELS_SHORT_TESTS ? 2 : 8);
    tsv_close(known);
}

// One man a side on a line a1-b1 and a point c1 beside it; a1 and b1 are alike. White to move:
// the empty board, and six pairs of places; Black to move: three places of White's man, and two
// positions in which White has moved from a1 to b1, or back, beside Black's man on c1. White is
// blocked in four of the pairs, Black on c1 always.
Test(reachable, by_hand)
{
    struct reachable count = count_of("points a1 b1 c1\nedges a1-b1\nmills a1-b1-c1\nleast 1\n"
                                      "men 1\nfly 0\nblocked draws\n");
    cr_expect_eq(count.n_positions, 1 + 6 + 3 + 2);
    cr_expect_eq(count.n_over, 4 + 2);
    cr_expect_eq(count.n_canonical, 1 + 3 + 2 + 1);
    cr_expect_eq(count.n_seen, 6, "the last one as the pair of c1 against b1");
    cr_expect_eq(count.n_plies, 3);
}

Test(reachable, memory_is_limited)
{
    struct start start;
    struct reachable count;
    static struct rules rules;
    OK(merels_rules_parse("nine", &rules, &start, &test_error));
    FAILS(merels_reachable_count(&rules, start, 4 << 20, NULL, &count, &test_error),
          STATUS_TOO_LITTLE);
}
