// test_rules.c: presets, options, refusals and the canonical text of rules.

#include <stdio.h>

#include "game/rules_text.h"
#include "tests/game/game_help.h"

// The error text of rules that must be refused.
static const char *refusal(const char *text)
{
    static struct error err;
    err.text[0] = '\0';
    cr_expect_eq(merels_rules_parse(text, &the_rules, NULL, &err), STATUS_BAD_INPUT, "%s",
                 text);
    cr_expect_eq(err.status, STATUS_BAD_INPUT);
    return err.text;
}

static void expect_contains(const char *text, const char *part)
{
    cr_expect_neq(strstr(text, part), NULL, "\"%s\" does not contain \"%s\"", text, part);
}

static const char *text_of(const char *rules)
{
    static char text[RULES_TEXT_BYTES];
    size_t length = merels_rules_text(rules_of(rules), text);
    cr_expect_eq(length, strlen(text));
    return text;
}

Test(rules, presets)
{
    static const struct {
        const char *name;
        enum board_kind kind;
        int men, fly;
    } expected[] = {
        {"three", BOARD_THREE, 3, 0},
        {"six", BOARD_SIX, 6, 0},
        {"six-fly", BOARD_SIX, 6, 3},
        {"five", BOARD_SIX, 5, 0},
        {"four-fly", BOARD_SIX, 4, 3},
        {"seven", BOARD_SEVEN, 7, 0},
        {"nine", BOARD_NINE, 9, 3},
        {"nine-fly", BOARD_NINE, 9, 3},
        {"nine-nofly", BOARD_NINE, 9, 0},
        {"ten", BOARD_NINE, 10, 3},
        {"eleven", BOARD_NINE_DIAGONAL, 11, 3},
        {"twelve", BOARD_NINE_DIAGONAL, 12, 3},
        {"morabaraba-nofly", BOARD_NINE_DIAGONAL, 12, 0},
        {"lasker", BOARD_NINE, 10, 3},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct rules *rules = rules_of(expected[i].name);
        cr_expect_eq(rules->board.kind, expected[i].kind, "%s", expected[i].name);
        cr_expect_eq(rules->fly, expected[i].fly, "%s", expected[i].name);
        cr_expect_eq(rules->least, 3);
        cr_expect_eq(the_start.first_men, expected[i].men, "%s", expected[i].name);
        cr_expect_eq(the_start.second_men, expected[i].men);
    }
    cr_expect_eq(rules_of("three")->mill, MILL_WINS);
    cr_expect_eq(rules_of("lasker")->turn, TURN_PLACE_OR_MOVE);
    cr_expect_eq(rules_of("lasker")->fly_count, FLY_TOTAL);
}

Test(rules, men_at_the_start_are_no_rule)
{
    static char nine[RULES_TEXT_BYTES], four[RULES_TEXT_BYTES];
    merels_rules_text(rules_of("nine"), nine);
    merels_rules_text(rules_of("nine,men=4"), four);
    cr_expect_str_eq(nine, four);
    cr_expect_eq(the_start.first_men, 4);
    cr_expect_eq(the_start.second_men, 4);
    rules_of("six,men=5-3,fly=3");
    cr_expect_eq(the_start.first_men, 5);
    cr_expect_eq(the_start.second_men, 3);
    static const char *const wrong[] = {"nine,men=", "nine,men=4-", "nine,men=4-3x",
                                        "nine,men=100", "nine,men=-3"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        expect_contains(refusal(wrong[i]), "is not men=N or men=N-M");
}

// What a message calls right is right.
static void expect_refused_start(const char *preset, const char *options, const char *right)
{
    char text[128];
    snprintf(text, sizeof text, "%s,%s", preset, options);
    const char *message = refusal(text), *advice = strstr(message, "right would be ");
    cr_assert_not_null(advice, "%s: %s", text, message);
    cr_expect_str_eq(advice + strlen("right would be "), right, "%s: %s", text, message);
    char copy[64], *rest = copy;
    snprintf(copy, sizeof copy, "%s", right);
    for (char *option; (option = strsep(&rest, " ")) != NULL;)
        if (strcmp(option, "or") != 0) {
            snprintf(text, sizeof text, "%s,%s,%s", preset, options, option);
            rules_of(text);
        }
}

Test(rules, a_start_that_no_game_begins_from_is_refused)
{
    expect_refused_start("nine", "men=2", "men=3 or least=2");
    expect_refused_start("nine", "men=4-2", "men=3 or least=2");
    expect_refused_start("nine", "men=2,least=3", "men=3 or least=2");
    expect_refused_start("nine", "least=10", "men=10 or least=9");
    expect_refused_start("nine", "least=24", "least=9");
    expect_refused_start("nine", "men=0,least=0", "men=1");
    expect_refused_start("nine", "men=3-0,least=0", "men=1");
    expect_refused_start("nine", "men=0", "men=3");
    expect_refused_start("nine", "men=99", "men=12");
    expect_refused_start("six", "men=9", "men=8");
    expect_refused_start("six", "men=10,least=9", "men=8,least=8");
    expect_refused_start("three", "least=4", "men=4 or least=3");
}

Test(rules, options_in_any_order_mean_the_same)
{
    static char text[RULES_TEXT_BYTES];
    static const char *const same[][2] = {
        {"nine,men=2,least=2", "nine,least=2,men=2"},
        {"three,mill=removes,least=1,men=3", "three,men=3,least=1,mill=removes"},
        {"lasker,fly=0,fly-count=total", "lasker,fly-count=total,fly=0"},
        {"six,men=1-2,least=1,fly=3", "six,fly=3,least=1,men=1-2"},
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        merels_rules_text(rules_of(same[i][0]), text);
        struct start start = the_start;
        cr_expect(strcmp(text_of(same[i][1]), text) == 0, "%s", same[i][0]);
        cr_expect_eq(the_start.first_men, start.first_men);
        cr_expect_eq(the_start.second_men, start.second_men);
    }
    cr_expect_eq(rules_of("nine,least=0")->least, 0);
    cr_expect_eq(rules_of("three,mill=removes,least=1,men=3")->least, 1);
    cr_expect_eq(the_rules.mill, MILL_REMOVES);
}

Test(rules, every_listed_preset_is_read)
{
    int n = 0;
    for (const char *const *name = merels_rules_presets(); *name != NULL; name++, n++)
        rules_of(*name);
    cr_expect_eq(n, 22);
}

Test(rules, options)
{
    const struct rules *rules =
        rules_of("lasker,fly=4,fly-count=board,mill-men=safe,removals=each,blocked=draws,"
                 "full-board=mover-loses,turn=place-or-move,mill=removes,least=2");
    cr_expect_eq(rules->fly, 4);
    cr_expect_eq(rules->fly_count, FLY_BOARD);
    cr_expect_eq(rules->mill_men, MILL_MEN_SAFE);
    cr_expect_eq(rules->removals, REMOVALS_EACH);
    cr_expect_eq(rules->blocked, BLOCKED_DRAWS);
    cr_expect_eq(rules->full_board, FULL_BOARD_MOVER_LOSES);
    cr_expect_eq(rules->turn, TURN_PLACE_OR_MOVE);
    cr_expect_eq(rules->mill, MILL_REMOVES);
    cr_expect_eq(rules->least, 2);
    cr_expect_eq(rules_of("nine,mill-men=removable")->mill_men, MILL_MEN_REMOVABLE);
    cr_expect_eq(rules_of("nine,fly=0,fly=4")->fly, 4, "the later option counts");
}

Test(rules, unknown_names_are_listed)
{
    expect_contains(refusal("noon"), "unknown preset 'noon'; known: three, six,");
    expect_contains(refusal(""), "unknown preset ''");
    expect_contains(refusal("nine-flying"), "'nine-flying'");
    expect_contains(refusal("nine,jump=1"), "unknown option 'jump'; known: fly, fly-count,");
    expect_contains(refusal("nine,blocked=wins"),
                    "unknown value 'wins' of option 'blocked'; known: loses, draws");
    expect_contains(refusal("nine,fly=25"), "'25' of option 'fly'; known: a number from 0");
    expect_contains(refusal("nine,fly=-1"), "'-1'");
    expect_contains(refusal("nine,fly="), "''");
    expect_contains(refusal("nine,fly"), "option 'fly' has no value");
    expect_contains(refusal("nine,"), "unknown option ''");
    expect_contains(refusal("nine,,fly=3"), "unknown option ''");
    expect_contains(refusal("nine\nten"), "'nine?ten'");
}

Test(rules, what_no_table_can_answer_is_refused_by_name)
{
    expect_contains(
        refusal("nine,no-reform"),
        "(a mill may not be re-formed at once) is refused: whether a ply closes a mill "
        "depends on the mill that was opened before, which is no part of a position");
    expect_contains(refusal("nine,line-once=yes"),
                    "(each line counts once per game) is refused: whether a ply closes a mill "
                    "depends on all mills of the game so far, which are no part of a position");
    expect_contains(refusal("nine,repetition"), "it changes the value of no position");
}

static bool same_text(const char *a, const char *b)
{
    char first[RULES_TEXT_BYTES];
    strcpy(first, text_of(a));
    return strcmp(first, text_of(b)) == 0;
}

// What the option needs, its name alone, and where it cannot matter.
Test(rules, closed_points)
{
    struct rules *rules = malloc(sizeof *rules), *tables = malloc(sizeof *tables);
    char name[RULES_NAME_BYTES];
    cr_assert_eq(merels_rules_parse("nine,closed-points,fly=0", rules, NULL, NULL), STATUS_OK);
    cr_expect_eq(rules->closed_points, CLOSED_POINTS_YES);
    merels_rules_name(rules, name);
    cr_expect_str_eq(name, "nine-nofly,closed-points");
    merels_rules_of_tables(rules, tables);
    merels_rules_name(tables, name);
    cr_expect_str_eq(name, "nine-nofly");
    free(rules);
    free(tables);
    cr_expect(same_text("nine,closed-points", "nine,closed-points=yes"));
    cr_expect(same_text("nine", "nine,closed-points=no"));
    cr_expect(same_text("three", "three,closed-points"), "a mill wins: none is taken");
    cr_expect(!same_text("nine", "nine,closed-points"));
    cr_expect_not_null(strstr(text_of("nine,closed-points"), "closed-points yes\n"));
    expect_contains(refusal("nine,closed-points=maybe"), "known: no, yes");
    expect_contains(refusal("lasker,closed-points"), "placing need not end");
    expect_contains(refusal("nine,closed-points,chooser=opponent"),
                    "chooser=opponent is refused");
}

Test(rules, equal_rules_have_equal_text)
{
    cr_expect(same_text("nine", "ten"), "a start is not part of the rules");
    cr_expect(same_text("nine", "nine,fly=3"));
    cr_expect(same_text("nine-nofly", "nine,fly=0"));
    cr_expect(same_text("lasker", "nine,fly-count=total,turn=place-or-move"));
    cr_expect(same_text("twelve", "morabaraba"));
    cr_expect(same_text("nine", "nine,fly-count=total"), "no one flies with men in hand");
    cr_expect(same_text("three", "three,removals=each,mill-men=safe"), "nothing is removed");
}

Test(rules, other_rules_have_other_text)
{
    static const char *const all[] = {"nine",
                                      "nine-nofly",
                                      "nine,fly=4",
                                      "lasker",
                                      "eleven",
                                      "six",
                                      "seven",
                                      "three",
                                      "nine,least=2",
                                      "nine,mill-men=safe",
                                      "nine,mill-men=removable",
                                      "nine,mill=wins",
                                      "nine,removals=each",
                                      "nine,blocked=draws",
                                      "nine,full-board=mover-loses",
                                      "nine,turn=place-or-move"};
    size_t n = sizeof all / sizeof all[0];
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            cr_expect_not(same_text(all[i], all[j]), "%s, %s", all[i], all[j]);
}

Test(rules, text_of_a_small_board)
{
    cr_expect_str_eq(text_of("three"),
                     "points a3 b3 c3 a2 b2 c2 a1 b1 c1\n"
                     "edges a3-b3 a3-a2 a3-b2 b3-c3 b3-b2 c3-b2 c3-c2 a2-b2 a2-a1 b2-c2 b2-a1 "
                     "b2-b1 b2-c1 c2-c1 a1-b1 b1-c1\n"
                     "mills a3-b3-c3 a3-a2-a1 a3-b2-c1 b3-b2-b1 c3-b2-a1 c3-c2-c1 a2-b2-c2 "
                     "a1-b1-c1\n"
                     "fly 0\nmill wins\n");
    cr_expect_lt(strlen(text_of("eleven")), RULES_TEXT_BYTES / 2);
}

// ---- the canonical name --------------------------------------------------------------------

static const char *name_of(const char *rules)
{
    static char name[RULES_NAME_BYTES];
    cr_expect_eq(merels_rules_name(rules_of(rules), name), strlen(name));
    return name;
}

Test(rules, name_is_the_first_preset_and_the_options_it_lacks)
{
    static const char *const expected[][2] = {
        {"nine", "nine"},
        {"ten", "nine"},
        {"nine,men=3", "nine"},
        {"six", "six"},
        {"five", "six"},
        {"four,fly=0", "six"},
        {"six,men=3", "six"},
        {"four,fly=3", "six-fly"},
        {"nine,fly=0", "nine-nofly"},
        {"ten-nofly", "nine-nofly"},
        {"nine,fly=4", "nine,fly=4"},
        {"ten,removals=each,fly=0", "nine-nofly,removals=each"},
        {"nine,least=2,blocked=draws,men=2", "nine,blocked=draws,least=2"},
        {"morabaraba", "eleven"},
        {"twelve-nofly", "eleven-nofly"},
        {"lasker", "lasker"},
        {"nine,turn=place-or-move,fly-count=total", "lasker"},
        {"lasker,fly=0", "lasker-nofly"},
        {"lasker,fly-count=board", "nine,turn=place-or-move"},
        {"three,mill=removes", "three,mill=removes"},
        {"three,removals=each", "three"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_expect_str_eq(name_of(expected[i][0]), expected[i][1], "%s", expected[i][0]);
}

// Whatever the options, the name is read as the same rules and has the same name.
static void check_name(const char *rules)
{
    char name[RULES_NAME_BYTES], text[RULES_TEXT_BYTES];
    strcpy(text, text_of(rules));
    strcpy(name, name_of(rules));
    cr_assert_str_eq(text_of(name), text, "%s: %s", rules, name);
    cr_assert_str_eq(name_of(name), name);
}

Test(rules, name_is_read_as_the_same_rules)
{
    static const char *const options[] = {"fly=4", "fly-count=total", "least=2",
                                          "removals=each", "turn=place-or-move"};
    enum { N = sizeof options / sizeof options[0] };
    for (const char *const *preset = merels_rules_presets(); *preset != NULL; preset++)
        for (unsigned set = 0; set < 1u << N; set++) {
            char rules[128];
            int n = snprintf(rules, sizeof rules, "%s", *preset);
            for (int i = 0; i < N; i++)
                if (set >> i & 1)
                    n += snprintf(rules + n, sizeof rules - (size_t)n, ",%s", options[i]);
            check_name(rules);
        }
    check_name("eleven,fly=24,fly-count=total,mill-men=removable,removals=each,blocked=draws,"
               "full-board=mover-loses,turn=place-or-move,mill=removes,least=10");
}
