// test_progress_display.c: the progress that a solve and an export show, in a file and on a
// terminal: percentages that only rise, a line for every finished piece, the last at 100 %.

#include "tests/query/run.h"

// The lines of progress in `text` (from `noun` to its end), checked; the number of finished
// ones.
static int check_lines(const char *text, const char *noun)
{
    char last[16] = "";
    double percent = 0;
    int n_finished = 0;
    for (const char *at = strstr(text, noun); at != NULL; at = strstr(at + 1, noun)) {
        const char *sign = strstr(at, " %");
        if (at[strlen(noun)] != ' ' || at[strlen(noun) + 1] < '0' || at[strlen(noun) + 1] > '9')
            continue; // the word in another line
        cr_assert_not_null(sign, "%s", at);
        double now = strtod(sign - 5, NULL);
        cr_expect(now >= percent && now <= 100, "%.1f after %.1f", now, percent);
        percent = now;
        const char *finished = strstr(at, "finished");
        n_finished += finished != NULL && finished < sign;
        snprintf(last, sizeof last, "%.6s", sign - 5);
    }
    cr_expect_str_eq(last, "100.0 ");
    return n_finished;
}

// Units and tables of the moving phase of nine men with up to 7 men: 3-3; 3-4 and 4-3.
Test(progress_display, lines_in_a_file)
{
    char *dir = make_dir(), out_dir[128];
    snprintf(out_dir, sizeof out_dir, "%s/wdl", dir);
    struct run solve = RUN("solve", "nine", "--db", dir, "--phase", "moving", "--max-men", "7");
    cr_assert_eq(solve.exit_status, 0, "%s", solve.err);
    cr_expect_eq(check_lines(solve.err, "unit"), 2);
    cr_expect_null(strchr(solve.err, '\r'));
    struct run export =
        RUN("export", "nine", "--db", dir, "--out", out_dir, "--edition", "wdl");
    cr_assert_eq(export.exit_status, 0, "%s", export.err);
    cr_expect_eq(check_lines(export.err, "table"), 3);
    remove_dir(dir);
}

// What a program with a terminal for its standard error writes there.
static int run_on_terminal(char *const *argv, char *text, size_t room)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    cr_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    FILE *out = tmpfile();
    cr_assert(slave >= 0 && out != NULL);
    pid_t pid = start_program(argv, fileno(out), slave);
    close(slave);
    size_t n = 0;
    for (ssize_t got; n < room - 1 && (got = read(master, text + n, room - 1 - n)) > 0;)
        n += (size_t)got;
    text[n] = '\0';
    close(master);
    fclose(out);
    return wait_for(pid);
}

Test(progress_display, one_line_on_a_terminal)
{
    static char text[1 << 20];
    char *dir = make_dir();
    char *const *argv =
        ARGV("solve", "nine", "--db", dir, "--phase", "moving", "--max-men", "7");
    cr_assert_eq(run_on_terminal(argv, text, sizeof text), 0, "%s", text);
    cr_expect_eq(check_lines(text, "unit"), 2);
    cr_expect_not_null(strstr(text, "\runit 2/2  3-4 4-3"), "%s", text);
    cr_expect_not_null(strstr(text, "\033[K\r\nfinished "), "%s", text);
    remove_dir(dir);
}
