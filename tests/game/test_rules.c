// test_rules.c: presets, options, refusals and the canonical text of rules.

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
    static const char *const wrong[] = {"nine,men=",    "nine,men=2",  "nine,men=4-",
                                        "nine,men=4-2", "nine,men=99", "nine,men=4-3x",
                                        "six,men=9"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        expect_contains(refusal(wrong[i]), "is not men=N or men=N-M");
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
    expect_contains(refusal("nine,no-reform"), "a mill may not be re-formed at once");
    expect_contains(refusal("nine,line-once=yes"), "each line counts once per game");
    expect_contains(refusal("nine,closed-points"), "points of removed men stay closed");
    expect_contains(refusal("nine,opponent-chooses=1"), "the opponent chooses the man");
}

static const char *text_of(const char *rules)
{
    static char text[RULES_TEXT_BYTES];
    size_t length = merels_rules_text(rules_of(rules), text);
    cr_expect_eq(length, strlen(text));
    return text;
}

static bool same_text(const char *a, const char *b)
{
    char first[RULES_TEXT_BYTES];
    strcpy(first, text_of(a));
    return strcmp(first, text_of(b)) == 0;
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
                     "fly 0\nfly-count board\nmill-men removable-if-all\nremovals one\n"
                     "blocked loses\nfull-board draws\nturn place-then-move\nmill wins\n"
                     "least 3\n");
    cr_expect_lt(strlen(text_of("eleven")), RULES_TEXT_BYTES / 2);
}
