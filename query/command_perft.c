// command_perft.c: merels perft: the number of games of each length.

#include "game/notation.h"
#include "game/perft.h"
#include "query/command.h"
#include "query/quantity.h"

enum { MAX_PERFT_DEPTH = 64 };

static enum status run_perft(struct context *context, struct error *err)
{
    uint64_t depth;
    const struct arguments *args = context->args;
    const struct start *start = &context->variant.start;
    struct position pos = merels_position_start(start);
    enum status status =
        merels_count_parse("perft: DEPTH", args->operands[1], 1, MAX_PERFT_DEPTH, &depth, err);
    if (status == STATUS_OK && args->position)
        status = merels_position_parse(context->rules, start, args->position, &pos, err);
    for (int d = 1; status == STATUS_OK && d <= (int)depth; d++) {
        merels_print(context->out, "%d %llu\n", d,
                     (unsigned long long)merels_perft(context->rules, &pos, d));
        status = merels_output_flush(context->out, err);
    }
    return status;
}

const struct command merels_command_perft = {
    .name = "perft",
    .operands = "RULES DEPTH",
    .min_operands = 2,
    .max_operands = 2,
    .needs = NEEDS_RULES,
    .takes = TAKES(OPTION_POSITION),
    .closed_points = true,
    .summary = "count the games of each length",
    .details =
        "Prints a line \"depth count\" for every depth of 1 to DEPTH: how many sequences of\n"
        "so many plies there are. A removal is part of the ply that closed the mill.",
    .example = "  merels perft nine 5\n"
               "  merels perft nine --position 'w a7,d7,g4,b6 a1,d1,g1 0/0' 3",
    .run = run_perft,
};
