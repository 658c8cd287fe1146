// test_prove.c: the report on whole small games, and published results of complete solves.

#include <jansson.h>

#include "tests/query/run.h"
#include "tests/support/tsv.h"

// Solves a whole game from the empty board into a new directory.
static char *solve_game(const char *rules)
{
    char *dir = make_dir();
    struct run run = RUN("solve", (char *)rules, "--db", dir);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    return dir;
}

static void assert_contains(const char *text, const char *part)
{
    cr_expect_not_null(strstr(text, part), "no '%s' in: %s", part, text);
}

Test(prove, whole_small_games_have_their_known_values, .timeout = 280)
{
    struct tsv *known = tsv_open("small-games-known.tsv");
    static const char *const solvable[] = {"nine", "twelve"};
    int n_checked = 0;
    for (int i = 0; i < 2; i++)
        for (int row = 0; row < tsv_rows(known); row++) {
            if (strcmp(tsv_text(known, row, "rules"), solvable[i]) != 0)
                continue;
            char rules[64], expected[64];
            snprintf(rules, sizeof rules, "%s,men=%s", solvable[i],
                     tsv_text(known, row, "men"));
            if (tsv_known(known, row, "plies"))
                snprintf(expected, sizeof expected, "The empty board: %s in %s for",
                         tsv_text(known, row, "value"), tsv_text(known, row, "plies"));
            else
                snprintf(expected, sizeof expected, "The empty board: %s for",
                         tsv_text(known, row, "value"));
            char *dir = solve_game(rules);
            struct run run = RUN("prove", rules, "--db", dir);
            assert_contains(run.out, expected);
            remove_dir(dir);
            n_checked++;
        }
    cr_expect_eq(n_checked, 4);
    tsv_close(known);
}

static void write_record(const char *dir, const char *text, size_t n)
{
    char path[256];
    snprintf(path, sizeof path, "%s/VERIFIED", dir);
    FILE *record = fopen(path, "w");
    cr_assert_not_null(record);
    cr_assert_eq(fwrite(text, 1, n, record), n);
    cr_assert_eq(fclose(record), 0);
}

static size_t read_record(const char *dir, char text[256])
{
    char path[256];
    snprintf(path, sizeof path, "%s/VERIFIED", dir);
    FILE *record = fopen(path, "r");
    cr_assert_not_null(record);
    size_t n = fread(text, 1, 255, record);
    cr_assert_eq(fclose(record), 0);
    text[n] = '\0';
    return n;
}

// The whole report, and that it is unverified.
static void assert_unverified(char *dir)
{
    struct run run = RUN("prove", "nine,men=3", "--db", dir);
    cr_expect_eq(run.exit_status, 1);
    assert_contains(run.out, "The empty board: win in 23 for the side that begins.");
    assert_contains(run.out, "\nunverified:");
    assert_contains(run.err, "unverified");
}

// A record proves something only as the verifier wrote it: cut anywhere, or with any character
// changed (another root, other numbers, another version), it is none.
static void check_records(char *dir)
{
    char text[256];
    size_t n = read_record(dir, text);
    for (size_t k = 0; k < n; k += k + 12 < n ? 11 : 1) {
        write_record(dir, text, k);
        assert_unverified(dir);
        text[k] ^= 1;
        write_record(dir, text, n);
        assert_unverified(dir);
        text[k] ^= 1;
    }
    write_record(dir, text, n);
    assert_quiet(RUN("prove", "nine,men=3", "--db", dir));
}

Test(prove, says_unverified_until_a_full_verify_matches, .timeout = 280)
{
    char *dir = solve_game("nine,men=3");
    struct run run = RUN("prove", "nine,men=3", "--db", dir);
    cr_expect_eq(run.exit_status, 1);
    assert_contains(run.out, "\nunverified:");
    assert_contains(run.err, "unverified");

    cr_assert_eq(RUN("verify", "nine", "--db", dir).exit_status, 0);
    run = RUN("prove", "nine,men=3", "--db", dir);
    assert_quiet(run);
    assert_contains(run.out, "The empty board: win in 23 for the side that begins.");
    assert_contains(run.out, "\nverified: 7 tables, 251007 slots");
    struct run again = RUN("prove", "nine,men=3", "--db", dir);
    cr_expect_str_eq(run.out, again.out);

    check_records(dir);
    remove_dir(dir);
}

Test(prove, json_has_the_whole_report, .timeout = 280)
{
    char *dir = solve_game("nine,men=3");
    struct run run = RUN("prove", "nine,men=3", "--json", "--db", dir);
    json_t *report = json_loads(run.out, 0, NULL);
    cr_assert_not_null(report, "%s", run.out);
    cr_expect_str_eq(json_string_value(json_object_get(report, "value")), "win");
    cr_expect_eq(json_integer_value(json_object_get(report, "plies")), 23);
    json_t *first = json_object_get(report, "first_placements");
    cr_assert_eq(json_array_size(first), 4);
    size_t points = 0;
    for (size_t k = 0; k < 4; k++) {
        json_t *placement = json_array_get(first, k), *replies;
        points += (size_t)json_integer_value(json_object_get(placement, "points"));
        size_t reply_points = 0;
        replies = json_object_get(placement, "replies");
        for (size_t i = 0; i < json_array_size(replies); i++)
            reply_points += (size_t)json_integer_value(
                json_object_get(json_array_get(replies, i), "points"));
        cr_expect_eq(reply_points, 23);
    }
    cr_expect_eq(points, 24);
    cr_expect(json_is_false(json_object_get(report, "verified")));
    json_decref(report);
    remove_dir(dir);
}

// Tables of another start in the same directory do not count for this game.
Test(prove, totals_are_of_the_game_that_is_named, .timeout = 280)
{
    char *dir = solve_game("nine,men=3"), total[2][128];
    struct run run = RUN("prove", "nine,men=3", "--db", dir);
    static const char *const phases[] = {"\nplacing", "\nmoving"};
    for (int k = 0; k < 2; k++) {
        const char *line = strstr(run.out, phases[k]);
        cr_assert_not_null(line);
        snprintf(total[k], sizeof total[k], "%.*s", (int)strcspn(line + 1, "\n") + 1, line);
    }
    cr_assert_eq(RUN("solve", "nine,men=4", "--db", dir).exit_status, 0);
    run = RUN("prove", "nine,men=3", "--db", dir);
    for (int k = 0; k < 2; k++)
        assert_contains(run.out, total[k]);
    assert_contains(run.out, "\nbeside them 16 tables that cannot arise in this game\n");
    assert_fails(RUN("prove", "nine,men=5", "--db", dir), 1, "not the whole game");
    remove_dir(dir);
}

Test(prove, a_missing_table_is_no_report, .timeout = 280)
{
    char *dir = solve_game("nine,men=3"), path[256];
    snprintf(path, sizeof path, "%s/0-1-3-2.mtb", dir);
    cr_assert_eq(remove(path), 0);
    assert_fails(RUN("prove", "nine,men=3", "--db", dir), 1, "0-1-3-2");
    remove_dir(dir);
    dir = solve_game("nine,men=3");
    cr_assert_eq(RUN("verify", "nine", "--db", dir).exit_status, 0);
    snprintf(path, sizeof path, "%s/3-3.mtb", dir);
    FILE *table = fopen(path, "r+"); // a table that the report does not look into
    cr_assert_not_null(table);
    cr_assert_eq(fseek(table, 20000, SEEK_SET), 0);
    int byte = fgetc(table);
    cr_assert_eq(fseek(table, 20000, SEEK_SET), 0);
    fputc(byte ^ 1, table);
    cr_assert_eq(fclose(table), 0);
    assert_fails(RUN("prove", "nine,men=3", "--db", dir), 1, "3-3.mtb");
    cr_assert_eq(truncate(path, 300), 0);
    assert_fails(RUN("prove", "nine,men=3", "--db", dir), 1, "3-3.mtb");
    remove_dir(dir);
    dir = make_dir();
    assert_fails(RUN("prove", "nine", "--db", dir), 1, "MANIFEST");
    remove_dir(dir);
}

// Every row of the table is, column by column, the one in data/.
static int compare_rows(char *table, const char *file)
{
    static const char *const columns[] = {"subspace", "slots",   "orbits",   "win", "draw",
                                          "loss",     "max_win", "max_loss", "none"};
    enum { N = sizeof columns / sizeof *columns };
    struct tsv *known = tsv_open(file);
    int n = 0;
    char *line = strtok(strchr(table, '\n') + 1, "\n");
    for (; line != NULL; line = strtok(NULL, "\n"), n++) {
        char expected[256] = "", name[16] = "";
        sscanf(line, "%15s", name);
        int row = tsv_find(known, "subspace", name);
        for (int k = 0; k < N; k++) {
            size_t length = strlen(expected);
            snprintf(expected + length, sizeof expected - length, "%s%s", k > 0 ? "\t" : "",
                     tsv_text(known, row, columns[k]));
        }
        cr_expect_str_eq(line, expected);
    }
    tsv_close(known);
    return n;
}

// The figures in data/ come from complete solves; their small rows are made again here.
static void small_rows_are_reproduced(const char *metric, const char *phase, const char *file,
                                      int n_rows)
{
    char *dir = make_dir();
    struct run run = RUN("solve", "nine", "--metric", (char *)metric, "--phase", (char *)phase,
                         "--max-men", "8", "--db", dir);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    run = RUN("stats", "nine", "--metric", (char *)metric, "--tsv", "--db", dir);
    cr_expect_eq(compare_rows(run.out, file), n_rows);
    remove_dir(dir);
}

Test(prove, small_rows_of_the_complete_solves_are_reproduced, .timeout = 280)
{
    small_rows_are_reproduced("dtm", "moving", "nine-moving.tsv", 6);
    small_rows_are_reproduced("dtm", "all", "nine.tsv", 16);
    small_rows_are_reproduced("dtc", "moving", "nine-dtc.tsv", 6);
}
