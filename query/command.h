// command.h: what a subcommand is, what it is given, and the frame in which it runs.
//
// A command says what it needs; the frame makes that ready, in this order, and clears it away
// after the run. Whatever is malformed is so found before anything is opened.
//
//   arguments -> rules -> what is asked -> directory -> tables -> room for a ranking -> run
//
// Each command has its own source file; main.c holds the list of them.

#ifndef MERELS_QUERY_COMMAND_H
#define MERELS_QUERY_COMMAND_H

#include <stdatomic.h>

#include "db/tablebase.h"
#include "query/args.h"
#include "query/game_record.h"
#include "query/output.h"
#include "query/ranking.h"
#include "query/variant.h"
#include "search/placing_search.h"

// What a command works with; each includes those before it. Rules are the first operand; a
// command that can do without may get none.
enum need { NEEDS_NOTHING, NEEDS_RULES, NEEDS_DIRECTORY, NEEDS_TABLES, NEEDS_RANKING };

// What the operands behind the rules are.
enum asked {
    ASKED_OTHER, // the command's own affair
    ASKED_GAME,  // a position or a game; the start if there are none
    ASKED_LINES, // the same; "-": the records of standard input, which the command reads
    ASKED_GOOD,  // the same, and what is good of a broken game; the fault stands in the context
};

// About 530 KB: for the heap.
struct context {
    const struct arguments *args;
    struct output *out;
    struct variant variant;
    const struct rules *rules; // of the variant; NULL while there are none
    char *text;                // of what is asked; NULL if standard input is
    struct game_record game;   // what that text says
    struct error fault;        // behind what is good of it; STATUS_OK if there is none
    char *dir;                 // of the tables: --db, else $MERELS_DB/NAME, else merels-db/NAME
    struct tablebase *base;
    struct placing_search *search; // attached to it, by rules with closed points; else NULL
    struct ranking *ranking;       // of the position that was looked up last
    const atomic_int *cut; // not 0: rank no more, STATUS_INTERRUPTED; NULL: nobody will ask
};

struct command {
    const char *name;
    const char *operands; // as the usage line shows them
    int min_operands, max_operands;
    enum need needs;
    enum asked asked;
    bool closed_points;  // works for such rules, too
    bool takes_file;     // as directory, too: a file of edition compact
    uint64_t takes;      // options, TAKES(...) | ...
    const char *summary; // one line for the list of subcommands
    const char *details; // for --help
    const char *example; // for --help, one command line a line

    // Does the work: data to context->out; on failure the line for standard error in *err.
    enum status (*run)(struct context *context, struct error *err);
};

// Runs a command with its arguments, argv[0] being its name, or shows its help.
MERELS_CHECKED enum status merels_command_run(const struct command *command, int argc,
                                              char **argv, struct output *out,
                                              struct error *err);

// Steps of the frame, for a command that chooses rules by itself. Reads rules; the text must
// outlive the context.
MERELS_CHECKED enum status merels_context_rules(struct context *context, const char *text,
                                                struct error *err);

// Chooses the directory, opens the tables in it and makes room for a ranking, as far as they
// are needed. STATUS_MISSING says what would make tables.
MERELS_CHECKED enum status merels_context_tables(struct context *context, enum need needs,
                                                 struct error *err);

// The same as far as plies are known, as merels_rank_known_plies, where a search may end
// without a value; else all or nothing.
MERELS_CHECKED enum status merels_context_rank_known(struct context *context,
                                                     const struct position *pos,
                                                     struct error *err);

// Ranks the plies of a position into context->ranking, all or nothing; fails as
// merels_rank_plies does, and with STATUS_INTERRUPTED. (probe, which shows what is known of
// them, ranks by itself.)
MERELS_CHECKED enum status merels_context_rank(struct context *context,
                                               const struct position *pos, struct error *err);

// Closes and frees a context and all in it.
void merels_context_free(struct context *context);

enum { ANY_NUMBER = 1 << 20 };

extern const struct command merels_command_analyse;
extern const struct command merels_command_bench;
extern const struct command merels_command_convert;
extern const struct command merels_command_engine;
extern const struct command merels_command_export;
extern const struct command merels_command_line;
extern const struct command merels_command_list;
extern const struct command merels_command_perft;
extern const struct command merels_command_plan;
extern const struct command merels_command_play;
extern const struct command merels_command_probe;
extern const struct command merels_command_prove;
extern const struct command merels_command_puzzles;
extern const struct command merels_command_rules;
extern const struct command merels_command_search;
extern const struct command merels_command_serve;
extern const struct command merels_command_solve;
extern const struct command merels_command_stats;
extern const struct command merels_command_verify;

#endif
