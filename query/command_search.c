// command_search.c: merels search: the value of the start by a search over the moving-phase
// tables.

#include "query/command.h"
#include "query/progress_display.h"
#include "query/quantity.h"
#include "query/stop.h"
#include "search/search.h"

static const char *const side_names[] = {"White", "Black"};

// ---- the result ----------------------------------------------------------------------------

static const char *value_text(const struct search_result *result)
{
    return result->value == VALUE_DRAWN ? "draw"
           : result->value == VALUE_WIN ? "White wins"
                                        : "Black wins";
}

static void print_side(const struct search_result *result, enum colour side, struct output *out)
{
    const struct search_count *count = &result->sides[side];
    char nodes[QUANTITY_TEXT_BYTES], leaves[QUANTITY_TEXT_BYTES];
    merels_print(out, "%s at least draws: %s\n", side_names[side],
                 count->at_least_draws ? "yes" : "no");
    merels_print(out, "  nodes        %s\n", merels_count_format(count->nodes, nodes));
    merels_print(out, "  leaves       %s\n", merels_count_format(count->leaves, leaves));
    merels_print(out, "  seconds      %.1f\n  CPU seconds  %.1f\n", count->seconds,
                 count->cpu_seconds);
}

static void print_result(const struct search_result *result, struct output *out)
{
    char bytes[QUANTITY_TEXT_BYTES];
    print_side(result, WHITE, out);
    print_side(result, BLACK, out);
    merels_print(out, "leaf bits      %s\n", merels_bytes_format(result->leaf_bytes, bytes));
    merels_print(out, "transpositions %s\n", merels_bytes_format(result->table_bytes, bytes));
    merels_print(out, "value          %s\n", value_text(result));
}

static json_t *side_json(const struct search_count *count)
{
    return json_pack("{s:b, s:I, s:I, s:f, s:f}", "at_least_draws", (int)count->at_least_draws,
                     "nodes", (json_int_t)count->nodes, "leaves", (json_int_t)count->leaves,
                     "seconds", count->seconds, "cpu_seconds", count->cpu_seconds);
}

static json_t *result_json(const struct context *context, const struct search_result *result)
{
    static const char *const values[] = {"loss", "draw", "win"}; // for the mover, White
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:I, s:I}", "rules", context->variant.text,
                     "fingerprint", context->variant.fingerprint, "value",
                     values[result->value + 1], "white", side_json(&result->sides[WHITE]),
                     "black", side_json(&result->sides[BLACK]), "leaf_bytes",
                     (json_int_t)result->leaf_bytes, "table_bytes",
                     (json_int_t)result->table_bytes);
}

// ---- the command ---------------------------------------------------------------------------

static enum status search_start(const struct context *context, struct search_result *result,
                                struct error *err)
{
    struct position root = merels_position_start(&context->variant.start);
    const struct search_options options = {.dir = context->dir,
                                           .n_threads = (int)context->args->n_threads,
                                           .memory_bytes = context->args->memory_bytes};
    struct progress_display display = merels_display_start(stderr, "search");
    const struct watch watch = {
        .report = merels_display_report, .context = &display, .stop = merels_stop_on_signals()};
    enum status status = merels_search(context->rules, &root, &options, &watch, result, err);
    merels_display_end(&display);
    return status;
}

static enum status run_search(struct context *context, struct error *err)
{
    struct search_result result;
    enum status status = search_start(context, &result, err);
    if (status == STATUS_OK && context->args->json)
        return merels_print_json(context->out, result_json(context, &result), false, err);
    if (status == STATUS_OK)
        print_result(&result, context->out);
    return status;
}

const struct command merels_command_search = {
    .name = "search",
    .operands = "RULES",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_DIRECTORY,
    .takes =
        TAKES(OPTION_DB) | TAKES(OPTION_THREADS) | TAKES(OPTION_MEMORY) | TAKES(OPTION_JSON),
    .summary = "decide the empty board by a search over the moving phase",
    .details =
        "Decides the value of the empty board a second way: by searching all placements\n"
        "down to positions with empty hands, whose values stand in the tables of the\n"
        "moving phase. No table of the placing phase is read. Two searches, one for\n"
        "each side, ask whether it at least draws. A missing table is named, exit\n"
        "status 1. The tables' bits take 1.1 GiB for nine; a table of positions seen\n"
        "takes up to 1 GiB more. Progress is shown on standard error.",
    .example = "  merels search nine --db /data/nine --memory 6G",
    .run = run_search,
};
