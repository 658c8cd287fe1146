// run.h: runs the built program as a user does and keeps what it wrote.

#ifndef MERELS_TESTS_QUERY_RUN_H
#define MERELS_TESTS_QUERY_RUN_H

#include <criterion/criterion.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Longer texts are cut off.
struct run {
    int exit_status; // -1 if a signal ended it
    char out[1 << 16];
    char err[1 << 16];
};

// Moves what was written to `file` into a text of `room` bytes, and closes the file.
static inline void take_text(FILE *file, char *text, size_t room)
{
    rewind(file);
    text[fread(text, 1, room - 1, file)] = '\0';
    fclose(file);
}

// Starts the program with standard output going to `out` and standard error to `err`.
static inline pid_t start_program(char *const *argv, int out, int err)
{
    pid_t pid;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    int failure = posix_spawn(&pid, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    cr_assert_eq(failure, 0, "cannot start %s", argv[0]);
    return pid;
}

static inline int wait_for(pid_t pid)
{
    int status;
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static inline struct run run_program(char *const *argv)
{
    struct run run;
    FILE *out = tmpfile(), *err = tmpfile();
    cr_assert(out && err);
    run.exit_status = wait_for(start_program(argv, fileno(out), fileno(err)));
    take_text(out, run.out, sizeof run.out);
    take_text(err, run.err, sizeof run.err);
    return run;
}

#define ARGV(...) ((char *const[]){MERELS_PROGRAM, __VA_ARGS__, NULL})
#define RUN(...) run_program(ARGV(__VA_ARGS__))

// A failure as the program reports it: the status, nothing on standard output, one line
// "merels: ..." on standard error that contains `part`.
static inline void assert_fails(struct run run, int exit_status, const char *part)
{
    cr_assert_str_not_empty(part); // every text has it
    cr_expect_eq(run.exit_status, exit_status, "status %d, not %d: %s%s", run.exit_status,
                 exit_status, run.out, run.err);
    cr_expect_str_empty(run.out);
    cr_expect_eq(strncmp(run.err, "merels: ", 8), 0, "%s", run.err);
    cr_expect_eq(strchr(run.err, '\n'), run.err + strlen(run.err) - 1, "%s", run.err);
    cr_expect_not_null(strstr(run.err, part), "no '%s' in: %s", part, run.err);
}

// Success with nothing on standard error.
static inline void assert_quiet(struct run run)
{
    cr_expect_eq(run.exit_status, 0, "status %d: %s", run.exit_status, run.err);
    cr_expect_str_empty(run.err);
}

// With standard output on a full disk the program says so and fails.
static inline void assert_full_disk(char *const *argv)
{
    struct run run = {.out = ""};
    int full = open("/dev/full", O_WRONLY);
    FILE *err = tmpfile();
    cr_assert(full >= 0 && err);
    run.exit_status = wait_for(start_program(argv, full, fileno(err)));
    take_text(err, run.err, sizeof run.err);
    assert_fails(run, 1, "standard output");
    close(full);
}

// A new empty directory; its files and itself are removed by remove_dir.
static inline char *make_dir(void)
{
    char *dir = strdup("/tmp/merels-test-XXXXXX");
    cr_assert_not_null(mkdtemp(dir));
    return dir;
}

static inline void remove_dir(char *dir)
{
    pid_t pid;
    char *const argv[] = {"rm", "-rf", dir, NULL};
    cr_assert_eq(posix_spawnp(&pid, "rm", NULL, NULL, argv, environ), 0);
    wait_for(pid);
    free(dir);
}

#endif
