// command_engine.c: merels engine: the perfect player for programs that speak a protocol of
// engines.

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "query/engine_protocol.h"

static enum status run_engine(struct context *context, struct error *err)
{
    const char *name = context->args->protocol;
    bool gbgp = !name || strcmp(name, "gbgp") == 0;
    struct engine *engine = malloc(sizeof *engine);
    if (!engine)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the engine");
    enum status status = merels_engine_begin(context, engine, err);
    if (status == STATUS_OK)
        status = merels_protocol_run(gbgp ? &merels_protocol_gbgp : &merels_protocol_uci,
                                     engine, STDIN_FILENO, context->out, err);
    free(engine);
    return status;
}

const struct command merels_command_engine = {
    .name = "engine",
    .operands = "RULES",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_RULES,
    .asked = ASKED_OTHER,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_NODES) | TAKES(OPTION_EDITION) |
             TAKES(OPTION_CACHE) | TAKES(OPTION_PROTOCOL),
    .closed_points = true,
    .summary = "answer a program that speaks a protocol of engines",
    .details =
        "Reads commands from standard input and answers them until \"quit\" or the end of\n"
        "the input. --protocol gbgp (the default): whole turns, scores of the mover.\n"
        "--protocol uci: the dialect of mill programs, removals as answers of their own,\n"
        "scores of White, the best move on the line of information. Options of the\n"
        "protocol set rules, skill (30: always the best; a level below: 2 % more for\n"
        "another ply of the same value; below 10, 4 % a level for a worse one) and the\n"
        "rules of draws. Rules that are not to be had are refused in words, and no others\n"
        "played instead. Where tables are missing or damaged it says so and plays a legal\n"
        "ply.",
    .example = "  merels engine nine --protocol gbgp\n"
               "  merels engine nine --protocol uci --db /data/nine",
    .run = run_engine,
};
