// command_perft.c: merels perft: the number of games of each length.

#include "game/perft.h"
#include "game/notation.h"
#include "query/command.h"
#include "query/quantity.h"
#include "query/setting.h"

enum { MAX_PERFT_DEPTH = 64 };

static enum status print_counts(const struct setting *setting, const struct arguments *args,
                                struct output *out, struct error *err)
{
    uint64_t depth;
    struct position pos = merels_position_start(&setting->start);
    enum status status =
        merels_count_parse("perft: DEPTH", args->operands[1], 1, MAX_PERFT_DEPTH, &depth, err);
    if (status == STATUS_OK && args->position)
        status =
            merels_position_parse(&setting->rules, &setting->start, args->position, &pos, err);
    for (int d = 1; status == STATUS_OK && d <= (int)depth; d++) {
        merels_print(out, "%d %llu\n", d,
                     (unsigned long long)merels_perft(&setting->rules, &pos, d));
        status = merels_output_flush(out, err);
    }
    return status;
}

static enum status run_perft(const struct arguments *args, struct output *out,
                             struct error *err)
{
    struct setting *setting;
    enum status status = merels_setting_create(args, &setting, err);
    if (status != STATUS_OK)
        return status;
    status = print_counts(setting, args, out, err);
    merels_setting_destroy(setting);
    return status;
}

const struct command merels_command_perft = {
    .name = "perft",
    .operands = "RULES DEPTH",
    .min_operands = 2,
    .max_operands = 2,
    .takes = TAKES(OPTION_POSITION),
    .summary = "count the games of each length",
    .details =
        "Prints a line \"depth count\" for every depth of 1 to DEPTH: how many sequences of\n"
        "so many plies there are. A removal is part of the ply that closed the mill.",
    .example = "  merels perft nine 5\n"
               "  merels perft nine --position 'w a7,d7,g4,b6 a1,d1,g1 0/0' 3",
    .run = run_perft,
};
