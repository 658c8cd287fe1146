// command_plan.c: merels plan: what a solve would take, without doing it.

#include "query/command.h"
#include "query/planning.h"

static enum status run_plan(struct context *context, struct error *err)
{
    struct plan plan;
    const struct arguments *args = context->args;
    const struct solve_options options = merels_planning_options(context);
    enum status status = merels_planning_measure(context, &options, &plan, err);
    if (status != STATUS_OK)
        return status;
    status =
        args->json
            ? merels_planning_print_json(context, &options, &plan, context->out, err)
            : merels_planning_print(context, &options, &plan, args->verbose, context->out, err);
    if (status == STATUS_OK)
        status = merels_plan_check(&plan, &options, err);
    merels_plan_free(&plan);
    return status;
}

const struct command merels_command_plan = {
    .name = "plan",
    .operands = "RULES",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_DIRECTORY,
    .takes = PLANNING_OPTIONS | TAKES(OPTION_GROUP) | TAKES(OPTION_RANKS) |
             TAKES(OPTION_CORES) | TAKES(OPTION_VERBOSE) | TAKES(OPTION_JSON),
    .summary = "tell what a solve needs: memory, disk, time",
    .details =
        "Finds the subspaces that can arise and the work units, and says what solving\n"
        "them takes. Nothing is written. --verbose adds a line for each unit. Time is\n"
        "measured: for a second at most the program works on rows of these rules on this\n"
        "machine, at the level that will solve them, and counts what each unit is made\n"
        "of; what is too short for that is stated by figures of another machine. Disk is\n"
        "that of values of one byte; where a win takes over 254 plies a table has two\n"
        "bytes a value, in the same memory. Below the least memory a solve is refused;\n"
        "near it more waits in a temporary file, whose disk is stated, too. With --ranks\n"
        "also what a run of so many processes on machines like this one is like, each\n"
        "with --cores processors and --memory: a model (docs/SCALING.md). Exit status\n"
        "1 if the machine or the given limit has too little memory or disk.",
    .example = "  merels plan nine --phase moving --memory 4G\n"
               "  merels plan twelve --ranks 32 --cores 8 --memory 24G",
    .run = run_plan,
};
