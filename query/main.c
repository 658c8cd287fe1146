// main.c: the program: finds the subcommand, runs it, reports the outcome.

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "query/command.h"
#include "query/heap.h"
#include "query/merels.h"
#include "query/waiting.h"

static const struct command *const commands[] = {
    &merels_command_plan,   &merels_command_solve,   &merels_command_verify,
    &merels_command_probe,  &merels_command_stats,   &merels_command_list,
    &merels_command_perft,  &merels_command_prove,   &merels_command_rules,
    &merels_command_bench,  &merels_command_line,    &merels_command_convert,
    &merels_command_play,   &merels_command_analyse, &merels_command_search,
    &merels_command_export, &merels_command_engine,  &merels_command_puzzles,
    &merels_command_serve,
};

enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static const struct command *find_command(const char *name)
{
    for (int i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static void print_program_help(struct output *out)
{
    merels_print(out, "Merels solves nine men's morris completely.\n\n"
                      "usage: merels COMMAND [ARGUMENTS]\n"
                      "       merels COMMAND --help\n"
                      "       merels --help | --version\n\n");
    for (int i = 0; i < N_COMMANDS; i++)
        merels_print(out, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
    merels_print(out,
                 "\nRULES is a preset, then any options: nine, nine-nofly, nine,fly=0\n"
                 "(merels rules lists the presets, merels rules --options every option with\n"
                 "its values). In its place --rules FILE reads rules of your own, also with a\n"
                 "board of your own; merels rules nine > FILE makes such a file. Data goes to\n"
                 "standard output, messages to standard error. Exit status: 0 done; 1 failed,\n"
                 "mismatch or no answer; 2 wrong usage or malformed input.\n\n"
                 "example: merels probe nine w a7,d7,g4,b6 a1,d1,g1 0/0\n");
}

static enum status run_program(int argc, char **argv, struct output *out, struct error *err)
{
    if (argc < 2)
        return merels_error(err, STATUS_BAD_INPUT, "a command is missing; see merels --help");
    const char *word = argv[1];
    const struct command *command = find_command(word);
    if (command)
        return merels_command_run(command, argc - 1, argv + 1, out, err);
    bool help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    bool version = strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0;
    if (!help && !version)
        return merels_error(err, STATUS_BAD_INPUT, "unknown %s '%s'; see merels --help",
                            word[0] == '-' ? "option" : "command", word);
    if (argc > 2)
        return merels_error(err, STATUS_BAD_INPUT, "%s: unexpected argument '%s'", word,
                            argv[2]);
    if (help)
        print_program_help(out);
    else
        merels_print(out, "merels %s\n", merels_version());
    return STATUS_OK;
}

int main(int argc, char **argv)
{
    const struct command *command = argc > 1 ? find_command(argv[1]) : NULL;
    if (command != NULL && command->takes & TAKES(OPTION_THREADS))
        merels_wait_asleep(argv);
    merels_heap_give_back();
    signal(SIGXFSZ, SIG_IGN); // a file that grows too large is an error like any other
    struct output out = {.stream = stdout};
    struct error err = {.status = STATUS_OK};
    enum status status = run_program(argc, argv, &out, &err);
    enum status written = merels_output_flush(&out, status == STATUS_OK ? &err : NULL);
    if (status == STATUS_OK)
        status = written;
    bool said = err.text[0] == '\0'; // by another rank, or before MPI ended
    if (status != STATUS_OK && !said && out.failure != EPIPE) // who closed the pipe has all
        merels_complain(err.text);                            // it wanted
    return merels_exit_status(status);
}
