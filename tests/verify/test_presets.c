// test_presets.c: every preset: the small games solved and verified whole, with the known value
// of the empty board, by the forward search as well; of the others the first subspaces.

#include "db/tablebase.h"
#include "search/search.h"
#include "tests/support/tsv.h"
#include "tests/verify/tamper.h"

static struct answer value_of_start(const struct base *base, const char *preset)
{
    struct start start;
    struct answer answer;
    struct tablebase *tables;
    struct rules *rules = malloc(sizeof *rules);
    OK(merels_rules_parse(preset, rules, &start, &test_error));
    OK(merels_tablebase_open(base->dir, rules, 0, &tables, &test_error));
    struct position pos = merels_position_start(&start);
    OK(merels_tablebase_probe(tables, &pos, &answer, &test_error));
    merels_tablebase_close(tables);
    free(rules);
    return answer;
}

static enum value search_start(const struct base *base, const char *preset)
{
    struct start start;
    struct search_result result;
    struct rules *rules = malloc(sizeof *rules);
    const struct search_options options = {.dir = base->dir, .n_threads = 2};
    OK(merels_rules_parse(preset, rules, &start, &test_error));
    struct position pos = merels_position_start(&start);
    OK(merels_search(rules, &pos, &options, NULL, &result, &test_error));
    free(rules);
    return result.value;
}

static void check_whole(const char *preset)
{
    struct tsv *known = tsv_open("presets.tsv");
    int n_checked = 0;
    struct base base = solve_base(preset, 0, false);
    struct verify_result result;
    OK(verify_with(&base, 0, NULL, &result));
    cr_expect(result.recorded && result.n_checked == result.n_tables, "%s", preset);
    struct answer answer = value_of_start(&base, preset);
    for (int row = 0; row < tsv_rows(known); row++)
        if (strcmp(tsv_text(known, row, "preset"), preset) == 0 &&
            tsv_known(known, row, "value")) {
            bool win = strcmp(tsv_text(known, row, "value"), "win") == 0;
            cr_expect_eq(answer.value, win ? VALUE_WIN : VALUE_DRAW, "%s", preset);
            n_checked++;
        }
    bool unknown = strcmp(preset, "three-fly") == 0 || strncmp(preset, "seven", 5) == 0;
    cr_expect_eq(n_checked, unknown ? 0 : 1, "%s", preset);
    cr_expect_eq(search_start(&base, preset), answer.value, "%s", preset);
    if (strncmp(preset, "seven", 5) == 0)
        cr_expect_eq(answer.plies, 25, "%s: %d", preset, answer.plies);
    drop_base(&base);
    tsv_close(known);
}

Test(presets, of_nine_and_sixteen_points, .timeout = 300)
{
    static const char *const all[] = {"three",    "three-fly", "four",
                                      "four-fly", "five",      "five-fly"};
    for (int k = 0; k < (MERELS_SHORT_TESTS ? 3 : 6); k++)
        check_whole(all[k]);
}

Test(presets, six, .timeout = 300, .disabled = MERELS_SHORT_TESTS)
{
    check_whole("six");
    check_whole("six-fly");
}

// The first side wins in 25 plies.
Test(presets, seven, .timeout = 300, .disabled = MERELS_SHORT_TESTS)
{
    check_whole("seven");
    check_whole("seven-fly");
}

Test(presets, of_24_points, .timeout = 300)
{
    static const char *const all[] = {"nine",         "nine-nofly",  "ten",        "ten-nofly",
                                      "eleven",       "twelve",      "morabaraba", "lasker",
                                      "lasker-nofly", "twelve-nofly"};
    for (int k = 0; k < (MERELS_SHORT_TESTS ? 1 : 10); k++) {
        bool cycles = strncmp(all[k], "lasker", 6) == 0; // its placing phase begins small
        struct base base = solve_base(all[k], 6, !cycles);
        OK(verify(&base));
        drop_base(&base);
    }
}
