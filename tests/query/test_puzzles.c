// test_puzzles.c: merels puzzles: what it finds holds against single questions, and a list with
// faults is found out, line by line.

#include "tests/query/feed.h"

enum { N_PUZZLES = 12 };

// Plays a ply behind the text of a game.
static void append(char *game, const char *ply)
{
    strcat(game, strstr(game, " moves") ? " " : " moves ");
    strcat(game, ply);
}

// At each step of the solver one ply has the value of the position; in the last step of a win
// only what stands in front of the removal counts.
static void check_step(char *dir, char *game, const char *ply, const char *value)
{
    json_t *answer = ask_json(ARGV("probe", "six", "--json", "--db", dir, game)), *move;
    size_t i, n_same = 0, step = strcspn(ply, "x");
    bool ends = number_of(answer, "plies") == 1;
    cr_expect_str_eq(text_of(answer, "value"), value, "%s", game);
    json_array_foreach(json_object_get(answer, "moves"), i, move)
    {
        const char *text = text_of(move, "move");
        bool same_step = strcspn(text, "x") == step && strncmp(text, ply, step) == 0;
        if (strcmp(text_of(move, "value"), value) == 0 && !(ends && same_step))
            n_same++;
    }
    cr_expect_eq(n_same, !ends, "%s: %s", game, ply);
    json_decref(answer);
}

static void check_puzzle(char *dir, json_t *puzzle)
{
    size_t i;
    json_t *solution = json_object_get(puzzle, "solution"), *ply;
    const char *goal = text_of(puzzle, "goal");
    bool win = strcmp(goal, "win") == 0;
    char game[4096];
    snprintf(game, sizeof game, "%s", text_of(puzzle, "position"));
    cr_expect_eq((int)json_array_size(solution), number_of(puzzle, "plies"));
    cr_expect_geq(number_of(puzzle, "plies"), 3);
    json_array_foreach(solution, i, ply)
    {
        if (i % 2 == 0)
            check_step(dir, game, json_string_value(ply), win ? "win" : "draw");
        append(game, json_string_value(ply));
    }
    struct run end = RUN("probe", "six", "--db", dir, game);
    cr_expect_eq(strstr(end.out, "game is over") != NULL, win, "%s", end.out);
}

static void check_found(char *dir, const char *list)
{
    int n = 0, n_wins = 0;
    for (const char *line = list; *line; line += strcspn(line, "\n") + 1, n++) {
        json_error_t error;
        json_t *puzzle = json_loadb(line, strcspn(line, "\n"), 0, &error);
        cr_assert_not_null(puzzle, "%s", line);
        n_wins += strcmp(text_of(puzzle, "goal"), "win") == 0;
        check_puzzle(dir, puzzle);
        json_decref(puzzle);
    }
    cr_expect_eq(n, N_PUZZLES);
    cr_expect(n_wins > 0 && n_wins < n, "both goals, %d wins", n_wins);
}

// A file of `text`, in a directory.
static char *write_file(const char *dir, const char *text)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/list.txt", dir);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    return path;
}

// The list itself is right, as text and as JSON, and the rules may come from the list.
static void check_own(char *dir, const char *json)
{
    struct run text = RUN("puzzles", "six", "--db", dir, "--count", "12");
    assert_quiet(text);
    EXPECT_HAS(text.out, "# rules six\n");
    struct run checked = RUN("puzzles", "--db", dir, "--check", write_file(dir, text.out));
    assert_quiet(checked);
    cr_expect_null(strstr(checked.out, "wrong"), "%s", checked.out);
    EXPECT_HAS(checked.out, "line 2, \"1\": right: ");
    checked = RUN("puzzles", "six", "--db", dir, "--check", write_file(dir, json));
    assert_quiet(checked);
    struct run again = RUN("puzzles", "six", "--db", dir, "--count", "12");
    cr_expect_str_eq(again.out, text.out, "equal seeds, equal puzzles");
}

// Claims that are not true, in the words of others: a shorter win, a win that is none, plies
// that throw it away, several solutions, lines that are nothing.
static void check_wrong(char *dir)
{
    struct run run =
        FEED("# rules six\n"
             "w c5,b4,d2 a5,e5,c1 0/0 ; id \"short\" ; win 1\n"
             "w - - 6/6 ; dm 3\n"
             "w - - 6/6 ; draw ; bm c5\n"
             "hello ; win 3\n"
             "\n"
             "{\"position\": \"w - - 6/6\", \"goal\": \"draw\", \"solution\": [\"a9\"]}\n"
             "{\"plies\": 3}\n"
             "b - - 6/6 ; solution a5 a5\n",
             "puzzles", "--db", dir, "--check", "-");
    cr_expect_eq(run.exit_status, 1);
    EXPECT_HAS(run.out, "line 2, \"short\": wrong: claims a win");
    EXPECT_HAS(run.out, "line 3: wrong: claims a win, and the side to move draws\n");
    EXPECT_HAS(run.out, "line 4: several: ");
    EXPECT_HAS(run.out, "line 5: no answer: short form, column 1, 'hello'");
    EXPECT_HAS(run.out, "line 7: wrong: the solution: ");
    EXPECT_HAS(run.out, "line 8: no answer: no puzzle in this JSON (a position is missing)");
    EXPECT_HAS(run.out, "line 9: wrong: the solution: ply, column 4, 'a5': illegal");
    EXPECT_HAS(run.err, "of 7 puzzles 4 are wrong, 1 have several solutions, 2 have no answer");
}

// A claim that makes no sense is an error of its line, not another claim.
static void check_bad_claims(char *dir)
{
    static const char *const claims[] = {"w - - 6/6 ; win x",
                                         "w - - 6/6 ; win -1",
                                         "w - - 6/6 ; win 0",
                                         "w - - 6/6 ; win 3 plies extra",
                                         "w - - 6/6 ; win 3.5",
                                         "w - - 6/6 ; win +3",
                                         "w - - 6/6 ; win 99999999999999999999",
                                         "w - - 6/6 ; win 3 ; win 5",
                                         "w - - 6/6 ; dm",
                                         "w - - 6/6 ; dm two",
                                         "w - - 6/6 ; hold 3",
                                         "w - - 6/6 ; draw ; win 3",
                                         "w - - 6/6 ; bm",
                                         "w - - 6/6 ; solution ; draw",
                                         "{\"position\": \"w - - 6/6\", \"plies\": -1}",
                                         "{\"position\": \"w - - 6/6\", \"plies\": \"3\"}",
                                         "{\"position\": \"w - - 6/6\", \"goal\": \"lose\"}",
                                         "{\"position\": \"w - - 6/6\", \"goal\": 1}",
                                         "{\"position\": \"w - - 6/6\", \"solution\": [1]}",
                                         "{\"position\": \"w - - 6/6\", \"id\": 7}",
                                         "{\"position\": 7}",
                                         "{hello}"};
    enum { N_CLAIMS = sizeof claims / sizeof claims[0] };
    char text[4096] = "# rules six\n", words[64];
    for (int i = 0; i < N_CLAIMS; i++)
        strcat(strcat(text, claims[i]), "\n");
    struct run run = feed(ARGV("puzzles", "--db", dir, "--check", "-"), text);
    cr_expect_eq(run.exit_status, 1);
    const char *line = run.out;
    for (int i = 0; i < N_CLAIMS; i++, line += strcspn(line, "\n") + 1) {
        snprintf(words, sizeof words, "line %d: no answer: ", i + 2);
        cr_expect_eq(strncmp(line, words, strlen(words)), 0, "%s: %s", claims[i], line);
        const char *example = strstr(line, "; for example: ");
        cr_expect(example && example < line + strcspn(line, "\n"), "%s: %s", claims[i], line);
    }
    assert_fails(FEED("\n# rules sox\n", "puzzles", "--check", "-"), 2, "line 2: ");
}

static void check_bad_input(char *dir)
{
    static char text[(2 << 20) + 16];
    static const char zero[] = "# rules six\nw - -\0 6/6\nw - - 6/6\n";
    struct run run =
        feed_bytes(ARGV("puzzles", "--db", dir, "--check", "-"), zero, sizeof zero - 1);
    EXPECT_HAS(run.out, "line 2: no answer: column 6: a byte of value 0; for example: ");
    memset(text, 'w', sizeof text - 1);
    run = feed(ARGV("puzzles", "six", "--db", dir, "--check", "-"), text);
    EXPECT_HAS(run.out,
               "line 1: no answer: the line is over 1048576 bytes long; for example: ");
    text[1 << 19] = '\0';
    run = feed(ARGV("puzzles", "six", "--db", dir, "--check", "-"), text);
    EXPECT_HAS(run.out, "line 1: no answer: a field is over 4095 bytes long; for example: ");
    assert_fails(FEED("w - - 6/6\n", "puzzles", "--check", "-"), 2, "the rules are missing");
    assert_fails(RUN("puzzles"), 2, "usage: merels puzzles RULES");
    assert_fails(RUN("puzzles", "six", "--check", "/nonexistent"), 1, "/nonexistent: ");
    assert_fails(RUN("puzzles", "six", "--db", dir, "--goal", "lose"), 2, "--goal");
}

Test(puzzles, found_and_checked, .timeout = 300)
{
    char *dir = make_dir();
    struct run run = RUN("solve", "six", "--db", dir, "--threads", "2");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    struct run json = RUN("puzzles", "six", "--db", dir, "--count", "12", "--json");
    assert_quiet(json);
    check_found(dir, json.out);
    check_own(dir, json.out);
    check_wrong(dir);
    check_bad_claims(dir);
    check_bad_input(dir);
    remove_dir(dir);
}
