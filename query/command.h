// command.h: what a subcommand is. Each has its own source file; main.c holds the list of them.

#ifndef MERELS_QUERY_COMMAND_H
#define MERELS_QUERY_COMMAND_H

#include "query/args.h"
#include "query/output.h"

struct command {
    const char *name;
    const char *operands; // as the usage line shows them
    int min_operands, max_operands;
    unsigned takes;      // options, TAKES(...) | ...
    const char *summary; // one line for the list of subcommands
    const char *details; // for --help
    const char *example; // for --help, one command line a line

    // Does the work: data to `out`; on failure the line for standard error in *err.
    enum status (*run)(const struct arguments *args, struct output *out, struct error *err);
};

enum { ANY_NUMBER = 1 << 20 };

extern const struct command merels_command_analyse;
extern const struct command merels_command_bench;
extern const struct command merels_command_convert;
extern const struct command merels_command_export;
extern const struct command merels_command_line;
extern const struct command merels_command_list;
extern const struct command merels_command_perft;
extern const struct command merels_command_plan;
extern const struct command merels_command_play;
extern const struct command merels_command_probe;
extern const struct command merels_command_prove;
extern const struct command merels_command_rules;
extern const struct command merels_command_search;
extern const struct command merels_command_solve;
extern const struct command merels_command_stats;
extern const struct command merels_command_verify;

#endif
