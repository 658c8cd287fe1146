// test_rules_text.c: the texts of rules: reading both forms back, what is refused, and how two
// rules differ.

#include <stdio.h>

#include "game/rules_text.h"
#include "tests/game/game_help.h"

static const char *const all[] = {"nine",
                                  "nine-nofly",
                                  "three",
                                  "six",
                                  "six-fly",
                                  "seven",
                                  "eleven",
                                  "lasker",
                                  "three,mill=removes,least=1",
                                  "nine,removals=each,mill-men=safe,blocked=draws",
                                  "lasker,fly-count=board,full-board=mover-loses",
                                  "nine,fly=24,least=0,men=3",
                                  NULL};

Test(rules_text, both_forms_read_back)
{
    static struct rules back;
    char text[RULES_TEXT_BYTES], again[RULES_TEXT_BYTES], file[RULES_TEXT_BYTES + 64];
    struct error err;
    for (int i = 0; all[i] != NULL; i++) {
        merels_rules_text(rules_of(all[i]), text);
        cr_assert_eq(merels_rules_read_text(text, &back, NULL, &err), STATUS_OK, "%s: %s",
                     all[i], err.text);
        merels_rules_text(&back, again);
        cr_expect_str_eq(again, text, "%s", all[i]);
        merels_rules_long_text(&the_rules, again);
        snprintf(file, sizeof file, "# a comment\n\n%s", again);
        cr_assert_eq(merels_rules_read_text(file, &back, NULL, &err), STATUS_OK, "%s: %s",
                     all[i], err.text);
        merels_rules_text(&back, again);
        cr_expect_str_eq(again, text, "%s", all[i]);
    }
}

Test(rules_text, the_long_form_says_every_option_and_lines_may_come_in_any_order)
{
    static struct rules back;
    char text[RULES_TEXT_BYTES], turned[RULES_TEXT_BYTES] = "", wanted[RULES_TEXT_BYTES];
    merels_rules_long_text(rules_of("lasker,removals=each"), text);
    static const char *const lines[] = {"fly 3\n",
                                        "fly-count total\n",
                                        "removals each\n",
                                        "mill-men removable-if-all\n",
                                        "blocked loses\n",
                                        "full-board draws\n",
                                        "turn place-or-move\n",
                                        "mill removes\n",
                                        "least 3\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_expect_not_null(strstr(text, lines[i]), "%s", lines[i]);
    for (size_t end = strlen(text); end > 0;) { // the last line first
        size_t begin = end - 1;
        while (begin > 0 && text[begin - 1] != '\n')
            begin--;
        strncat(turned, text + begin, end - begin);
        end = begin;
    }
    cr_assert_eq(merels_rules_read_text(turned, &back, NULL, NULL), STATUS_OK);
    merels_rules_text(&the_rules, wanted);
    merels_rules_text(&back, text);
    cr_expect_str_eq(text, wanted);
}

Test(rules_text, what_is_wrong_is_named_with_its_line)
{
    static struct rules back;
    static const struct {
        const char *extra, *message;
    } wrong[] = {
        {"fly x\n",
         "line 4: unknown value: 'fly x'; known: a number from 0 to 24; for example: "
         "fly 3"},
        {"fly 3\nfly 3\n", "line 5: said twice: 'fly 3'"},
        {"fly\n", "line 4: no value: 'fly'; known: a number from 0 to 24; for example: fly 3"},
        {"flies 3\n", "line 4: unknown key: 'flies 3'; known: points, edges, mills, fly, "},
        {"chooser\nfly 3\n",
         "line 4: no value: 'chooser'; known: mover, opponent; for example: "
         "chooser mover"},
        {"no-reform yes\n",
         "line 4: option 'no-reform' (a mill may not be re-formed at once) is "
         "refused"},
        {"closed-points never\n",
         "line 4: unknown value: 'closed-points never'; known: no, yes; for example: "
         "closed-points no"},
        {"n-move 1000\n",
         "line 4: unknown value: 'n-move 1000'; known: a number from 0 to 999"},
        {"repetition\n", "line 4: option 'repetition' (a repeated position ends the game)"},
        {"line-once\n", "line 4: option 'line-once' (each line counts once"},
        {"men 3-x\n",
         "line 4: unknown value: 'men 3-x'; known: N, or N-M for the side that begins "
         "and the other; for example: men 5-7"},
        {"mills a7-d7-g7\n", "line 4: said twice: 'mills a7-d7-g7'"},
        {"removals two\n",
         "line 4: unknown value: 'removals two'; known: one, each; for example: "
         "removals one"},
        {"fly 99\n", "line 4: unknown value: 'fly 99'"},
    };
    char text[RULES_TEXT_BYTES], bad[RULES_TEXT_BYTES + 64];
    struct error err;
    merels_rules_text(rules_of("nine"), text);
    char *options = strstr(text, "\nfly");
    if (options != NULL)
        options[1] = '\0';
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(bad, sizeof bad, "%s%s", text, wrong[i].extra);
        cr_expect_eq(merels_rules_read_text(bad, &back, NULL, &err), STATUS_BAD_INPUT);
        cr_expect_not_null(strstr(err.text, wrong[i].message), "%s", err.text);
    }
    snprintf(bad, sizeof bad, "\xEF\xBB\xBF%s", text);
    cr_expect_eq(merels_rules_read_text(bad, &back, NULL, &err), STATUS_OK,
                 "a byte-order mark is no fault");
    cr_expect_eq(merels_rules_read_text("", &back, NULL, &err), STATUS_BAD_INPUT);
    cr_expect_not_null(strstr(err.text, "no line 'points ...'"), "%s", err.text);
}

Test(rules_text, differences_are_named)
{
    static struct rules there;
    static const struct {
        const char *there, *here, *text;
    } cases[] = {
        {"nine", "ten", ""},
        {"nine-nofly", "nine", "fly is 0 there, 3 here"},
        {"lasker", "nine",
         "fly-count is total there, board here; turn is place-or-move there, place-then-move "
         "here"},
        {"seven", "nine-nofly", "the board has 17 points there, 24 here"},
        {"eleven", "nine", "the board has 20 mills there, 16 here"},
        {"nine,removals=each,mill-men=safe,blocked=draws,full-board=mover-loses", "nine",
         "mill-men is safe there, removable-if-all here; removals is each there, one here; "
         "blocked is draws there, loses here; and 1 more"},
    };
    char text[RULES_DIFFERENCE_BYTES];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        there = *rules_of(cases[i].there);
        merels_rules_difference(&there, rules_of(cases[i].here), text);
        cr_expect_str_eq(text, cases[i].text);
    }
}
