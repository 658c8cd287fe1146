// test_ranking_mismatch.c: tables that are whole and do not fit together are found out.

#include "query/ranking.h"
#include "tests/db/support.h"

// With made-up values a best ply gives the position's own value only by chance.
Test(ranking, values_that_contradict_each_other_are_a_mismatch)
{
    enum { N = 200 };
    int n_mismatches = 0;
    static struct ranking ranking;
    uint64_t seed = 4;
    char *dir = make_dir("mismatch");
    struct rules *rules = make_rules("nine");
    struct tablebase *base;
    struct subspace s = {3, 3, 0, 0};
    make_table(dir, rules, s, 1);
    OK(merels_tablebase_open(dir, rules, 1 << 20, &base, &test_error));
    for (int i = 0; i < N; i++) {
        struct position pos;
        uint64_t slot = next_random(&seed) % merels_subspace_slots(&rules->board, s);
        OK(merels_index_unrank(merels_tablebase_index(base), s, slot, &pos, &test_error));
        enum status status = merels_rank_plies(base, rules, &pos, &ranking, &test_error);
        n_mismatches += status == STATUS_CORRUPT;
        if (status == STATUS_CORRUPT)
            cr_expect(strstr(test_error.text, "mismatch: by the table of subspace 3-3"), "%s",
                      test_error.text);
        else
            cr_expect(status == STATUS_OK && ranking.plies[0].plies == ranking.answer.plies);
    }
    cr_expect_gt(n_mismatches, N / 2);
    merels_tablebase_close(base);
    free(rules);
    remove_dir(dir);
}
