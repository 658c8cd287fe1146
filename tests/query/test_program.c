// test_program.c: the command line without tables: help, usage, messages, exit status, perft.

#include <jansson.h>

#include "tests/query/run.h"

// All commands, and whether one wants more than rules.
static const struct {
    char *name;
    bool operand;
} commands[] = {{"plan", false},   {"solve", false},   {"verify", false}, {"probe", true},
                {"stats", false},  {"list", false},    {"perft", true},   {"prove", false},
                {"rules", false},  {"bench", false},   {"line", true},    {"convert", true},
                {"play", false},   {"analyse", true},  {"search", false}, {"export", false},
                {"engine", false}, {"puzzles", false}, {"serve", false}};

enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

Test(program, help_and_version)
{
    struct run help = RUN("--help");
    assert_quiet(help);
    for (int i = 0; i < N_COMMANDS; i++)
        cr_expect_not_null(strstr(help.out, commands[i].name), "%s", commands[i].name);
    int n_listed = 0; // lines of two spaces and a name
    for (char *line = strtok(help.out, "\n"); line; line = strtok(NULL, "\n"))
        n_listed += strspn(line, " ") == 2 && line[2] >= 'a' && line[2] <= 'z';
    cr_expect_eq(n_listed, N_COMMANDS);
    struct run version = RUN("--version");
    assert_quiet(version);
    cr_expect_str_eq(version.out, "merels " MERELS_PROJECT_VERSION "\n");
}

Test(program, every_command_has_help_with_an_example)
{
    for (int i = 0; i < N_COMMANDS; i++) {
        char usage[64];
        struct run run = RUN(commands[i].name, "--help");
        assert_quiet(run);
        snprintf(usage, sizeof usage, "usage: merels %s", commands[i].name);
        cr_expect_not_null(strstr(run.out, usage), "%s", run.out);
        snprintf(usage, sizeof usage, "example:\n  merels %s", commands[i].name);
        cr_expect_not_null(strstr(run.out, usage), "%s", run.out);
    }
}

Test(program, wrong_usage_names_what_is_wrong)
{
    assert_fails(run_program((char *const[]){MERELS_PROGRAM, NULL}), 2, "--help");
    assert_fails(RUN("resolve"), 2, "'resolve'");
    assert_fails(RUN("--verbose"), 2, "'--verbose'");
    assert_fails(RUN("--version", "extra"), 2, "'extra'");
    assert_fails(RUN("--help", "solve"), 2, "'solve'");
    assert_fails(RUN("plan"), 2, "RULES");
    assert_fails(RUN("plan", "nine", "ten"), 2, "'ten'");
    assert_fails(RUN("plan", "nine", "--colour"), 2, "'--colour'");
    assert_fails(RUN("plan", "nine", "-x"), 2, "'-x'");
    assert_fails(RUN("perft", "nine", "2", "--json"), 2, "--json");
    assert_fails(RUN("stats", "nine", "--db"), 2, "--db");
    assert_fails(RUN("stats", "nine", "--db", ""), 2, "--db");
    assert_fails(RUN("stats", "nine", "--tsv=yes"), 2, "--tsv");
    assert_fails(RUN("stats", "nine", "--tsv", "--json"), 2, "--json");
    assert_fails(RUN("bench", "everything"), 2, "'everything'");
    assert_fails(RUN("stats", "nine\nten"), 2, "nine?ten");
}

// An option may be cut short while it is clear which is meant.
Test(program, options_cut_short)
{
    assert_fails(RUN("plan", "nine", "--m", "4G"), 2,
                 "option '--m' may be any of --memory, --max-men");
    assert_fails(RUN("plan", "nine", "--=4"), 2, "unknown option '--=4'");
    assert_fails(RUN("plan", "nine", "--position=3"), 2, "'--position' does not belong here");
    assert_fails(RUN("plan", "nine", "--pos=3"), 2, "'--position' does not belong here");
    assert_fails(RUN("plan", "nine", "--mem"), 2, "option '--memory' needs a value (SIZE)");
    assert_fails(RUN("plan", "nine", "--db", "--json"), 2, "option '--db' needs a value");
    assert_fails(RUN("plan", "nine", "-hx"), 2, "unknown option '-x'");
    struct run whole = RUN("perft", "nine", "3", "--position", "w a7,d7 - 1/3");
    struct run part = RUN("perft", "--pos=w a7,d7 - 1/3", "nine", "3");
    assert_quiet(part);
    cr_expect_str_eq(part.out, whole.out);
}

// Options stand anywhere, whatever the environment says; "--" ends them, "-" is an operand.
Test(program, options_and_operands)
{
    const char *const fen = "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1\n";
    setenv("POSIXLY_CORRECT", "1", 1);
    struct run runs[] = {
        RUN("convert", "--to", "fen", "nine", "w - - 9/9"),
        RUN("convert", "nine", "w - - 9/9", "--to=fen"),
        RUN("convert", "nine", "w", "-", "-", "9/9", "--to", "fen"),
        RUN("convert", "nine", "w", "--to", "fen", "-", "-", "9/9"),
        RUN("convert", "--to", "fen", "--", "nine", "w", "-", "-", "9/9"),
    };
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        assert_quiet(runs[i]);
        cr_expect_str_eq(runs[i].out, fen, "%zu", i);
    }
    assert_fails(RUN("perft", "nine", "2", "--", "--help"), 2, "unexpected argument '--help'");
    assert_fails(RUN("bench", "solve", "six"), 2, "unexpected argument 'six'");
}

Test(program, malformed_numbers_are_refused_by_option)
{
    static char *const bad[][2] = {
        {"--threads", "0"},
        {"--threads", "-1"},
        {"--threads", "1e9"},
        {"--threads", "1000000"},
        {"--threads", "2x"},
        {"--threads", ""},
        {"--memory", "4X"},
        {"--memory", "0"},
        {"--memory", "G"},
        {"--memory", "4GB"},
        {"--memory", "-4G"},
        {"--memory", "99999999999999T"},
        {"--max-men", "0"},
        {"--max-men", "1000"},
        {"--max-men", "ten"},
        {"--phase", "mov"},
        {"--phase", "moving|all"},
        {"--phase", ""},
        {"--cpu", "v"},
        {"--cpu", "pentium"},
        {"--memory", "18446744073709551616"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_fails(RUN("plan", "nine", bad[i][0], bad[i][1]), 2, bad[i][0]);
        assert_fails(RUN("solve", "nine", bad[i][0], bad[i][1]), 2, bad[i][0]);
    }
    assert_fails(RUN("perft", "nine", "0"), 2, "'0'");
    assert_fails(RUN("perft", "nine", "three"), 2, "'three'");
}

Test(program, unknown_rules_are_named)
{
    for (int i = 0; i < N_COMMANDS; i++) {
        char *const with_operand[] = {MERELS_PROGRAM, commands[i].name, "nein", "1", NULL};
        char *const alone[] = {MERELS_PROGRAM, commands[i].name, "nein", NULL};
        assert_fails(run_program(commands[i].operand ? with_operand : alone), 2, "'nein'");
    }
    assert_fails(RUN("rules", "nine,jump=3"), 2, "jump");
    assert_fails(RUN("rules", "nine,fly=many"), 2, "many");
    assert_fails(RUN("stats", "../nine"), 2, "../nine");
}

// ---- perft ---------------------------------------------------------------------------------

Test(program, perft_prints_a_line_for_each_depth)
{
    struct run start = RUN("perft", "nine", "4");
    assert_quiet(start);
    cr_expect_str_eq(start.out, "1 24\n2 552\n3 12144\n4 255024\n");
    struct run p1 = RUN("perft", "nine", "--position", "w a7,d7,g4,b6 a1,d1,g1 0/0", "4");
    assert_quiet(p1);
    cr_expect_str_eq(p1.out, "1 9\n2 306\n3 2598\n4 125148\n");
    struct run p8 = RUN("perft", "nine", "3", "--position=w a7,d7 - 1/3");
    assert_quiet(p8);
    cr_expect_str_eq(p8.out, "1 22\n2 462\n3 27720\n");
}

Test(program, full_disk_is_a_failure)
{
    assert_full_disk(ARGV("perft", "nine", "2"));
    assert_full_disk(ARGV("--help"));
    assert_full_disk(ARGV("--version"));
    assert_full_disk(ARGV("rules", "nine"));
    assert_full_disk(ARGV("rules", "--json"));
    assert_full_disk(ARGV("probe", "--help"));
}

// ---- positions -----------------------------------------------------------------------------

Test(program, malformed_positions_name_token_and_column)
{
    static char *const bad[][3] = {
        {"x a7 d7 0/0", "'x'", "column 1"},     {"w a7,z9 d7 0/0", "'z9'", "column 6"},
        {"w a7,d7 d7 0/0", "'d7'", "column 9"}, {"w a7,a7 d7 0/0", "'a7'", "column 6"},
        {"w a7 d7 0", "'0'", "column 9"},       {"startpos moves d6 d6", "'d6'", "column 19"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct run run = RUN("probe", "nine", bad[i][0]);
        assert_fails(run, 2, bad[i][1]);
        assert_fails(run, 2, bad[i][2]);
        assert_fails(RUN("perft", "nine", "2", "--position", bad[i][0]), 2, bad[i][1]);
    }
}

Test(program, positions_that_cannot_be_are_refused)
{
    assert_fails(RUN("probe", "nine", ""), 2, "the text is empty");
    assert_fails(RUN("probe", "nine", "w a7,d7,g7 a1,d1 0/0"), 2, "the game was over before");
    assert_fails(RUN("probe", "nine", "w! a7,d7,g4 a1,d1,g1 0/0"), 2, "mill"); // no mill
    assert_fails(RUN("probe", "nine", "w", "a7,d7,g7", "a1,d1,g1", "99/99"), 2, "99");
}

// ---- without tables ------------------------------------------------------------------------

Test(program, missing_tables_give_no_value)
{
    char *dir = make_dir();
    setenv("MERELS_DB", dir, 1);
    char expected[128];
    snprintf(expected, sizeof expected, "%s/nine", dir);
    char *const position = "w a7,d7,g4,b6 a1,d1,g1 0/0";
    assert_fails(RUN("probe", "nine", position), 1, expected);
    assert_fails(RUN("probe", "nine", "--json", position), 1, expected);
    assert_fails(RUN("stats", "nine", "--tsv"), 1, expected);
    assert_fails(RUN("list", "nine"), 1, expected);
    assert_fails(RUN("stats", "nine", "--db", dir), 1, dir);
    assert_fails(RUN("list", "nine", "--db", dir), 1, dir);
    assert_fails(RUN("probe", "nine", "--db", dir, position), 1, "4-3");
    remove_dir(dir);
}

// A solve is recommended only where it would not be refused, with the directory that was given.
Test(program, missing_tables_come_with_what_makes_them)
{
    char *dir = make_dir(), none[512], made[600];
    snprintf(none, sizeof none, "%s/a b", dir);
    snprintf(made, sizeof made, "(merels solve four --db '%s' makes tables)\n", none);
    unsetenv("MERELS_DB");
    assert_fails(RUN("probe", "four", "startpos"), 1, "(merels solve four makes tables)\n");
    assert_fails(RUN("stats", "four", "--db", none), 1, made);
    snprintf(made, sizeof made, "(merels export four --edition wdl --out '%s' makes it", none);
    assert_fails(RUN("probe", "four", "startpos", "--edition", "wdl", "--db", none), 1, made);
    static char *const unsolved[] = {"nine,removals=each", "nine,mill-men=safe,removals=each",
                                     "three"};
    for (int i = 0; i < 3; i++) {
        struct run plan = RUN("plan", unsolved[i], "--db", none);
        struct run run = RUN("list", unsolved[i], "--db", none);
        cr_expect_eq(run.exit_status, 1);
        if (plan.exit_status == 0)
            cr_expect_not_null(strstr(run.err, "merels solve"), "%s", run.err);
        else
            cr_expect_null(strstr(run.err, "merels solve"), "%s", run.err);
    }
    remove_dir(dir);
}

// ---- rules ---------------------------------------------------------------------------------

// The fingerprint that `merels rules` gives; the object keeps the text.
static json_t *fingerprint_of(char *rules)
{
    struct run run = RUN("rules", rules, "--json");
    assert_quiet(run);
    json_t *object = json_loads(run.out, 0, NULL);
    cr_assert_not_null(object, "%s", run.out);
    json_t *fingerprint = json_incref(json_object_get(object, "fingerprint"));
    json_decref(object);
    cr_expect_eq(json_string_length(fingerprint), 32);
    return fingerprint;
}

static void assert_same_rules(char *x, char *y, bool same)
{
    json_t *first = fingerprint_of(x), *second = fingerprint_of(y);
    cr_expect_eq(json_equal(first, second) == 1, same, "%s and %s", x, y);
    json_decref(first);
    json_decref(second);
}

Test(program, equal_rules_have_one_fingerprint)
{
    assert_same_rules("nine", "ten", true);
    assert_same_rules("nine-nofly", "nine,fly=0", true);
    assert_same_rules("nine", "nine-nofly", false);
    assert_same_rules("nine", "lasker", false);
    struct run name = RUN("rules", "ten,fly=0,men=4");
    assert_quiet(name);
    cr_expect_not_null(strstr(name.out, "\n# name nine-nofly\n"), "%s", name.out);
    struct run presets = RUN("rules");
    assert_quiet(presets);
    cr_expect_not_null(strstr(presets.out, "morabaraba"));
}

// The directory goes by the rules, not by how they are said.
Test(program, equal_rules_have_one_directory)
{
    static char *const same[][2] = {{"nine", "nine"},
                                    {"ten", "nine"},
                                    {"six,men=3", "six"},
                                    {"four,fly=0", "six"},
                                    {"nine,fly=0", "nine-nofly"},
                                    {"ten-nofly", "nine-nofly"},
                                    {"ten,men=4,fly=4", "nine,fly=4"}};
    char *dir = make_dir();
    setenv("MERELS_DB", dir, 1);
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        char expected[128];
        snprintf(expected, sizeof expected, "\ndirectory    %s/%s\n", dir, same[i][1]);
        struct run run = RUN("plan", same[i][0], "--max-men", "6");
        cr_expect_not_null(strstr(run.out, expected), "%s", run.out);
    }
    remove_dir(dir);
}
