// command_search.c: merels search: the value of the start by a search over the moving-phase
// tables.

#include "query/command.h"
#include "query/listing.h"
#include "query/render.h"
#include "query/start_search.h"
#include "query/value_text.h"

// ---- the result ----------------------------------------------------------------------------

static const struct column side_columns[] = {
    {"side", .kind = COLUMN_TEXT, .forms = IN_TEXT},
    {"at_least_draws", "at least draws", COLUMN_FLAG, .forms = IN_ALL},
    {"nodes", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"leaves", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"seconds", .kind = COLUMN_REAL, .forms = IN_ALL, .decimals = 1},
    {"cpu_seconds", "CPU seconds", COLUMN_REAL, .forms = IN_ALL, .decimals = 1},
};

static const struct column columns[] = {
    {"value", .kind = COLUMN_TEXT, .forms = IN_TEXT},
    {"leaf_bytes", "leaf bits", COLUMN_BYTES, .forms = IN_TEXT},
    {"table_bytes", "transpositions", COLUMN_BYTES, .forms = IN_TEXT},
};

enum {
    N_SIDE_COLUMNS = sizeof side_columns / sizeof *side_columns,
    N_COLUMNS = sizeof columns / sizeof *columns
};

struct side_cells {
    struct cell cells[N_SIDE_COLUMNS];
};

static struct side_cells state_side(const struct search_result *result, enum colour side)
{
    const struct search_count *count = &result->sides[side];
    return (struct side_cells){{cell_text(merels_colour_name((int)side)),
                                cell_flag(count->at_least_draws), cell_number(count->nodes),
                                cell_number(count->leaves), cell_real(count->seconds),
                                cell_real(count->cpu_seconds)}};
}

static enum status print_sides(const struct search_result *result, struct output *out,
                               struct error *err)
{
    struct listing *listing;
    const struct side_cells white = state_side(result, WHITE),
                            black = state_side(result, BLACK);
    enum status status = merels_listing_create(side_columns, N_SIDE_COLUMNS, &listing, err);
    if (status != STATUS_OK)
        return status;
    status = merels_listing_add(listing, white.cells, err);
    if (status == STATUS_OK)
        status = merels_listing_add(listing, black.cells, err);
    if (status == STATUS_OK)
        status = merels_listing_print(listing, out, err);
    merels_listing_destroy(listing);
    return status;
}

static enum status print_text(const struct search_result *result, struct output *out,
                              struct error *err)
{
    static const char *const values[] = {"Black wins", "draw", "White wins"};
    const struct cell cells[N_COLUMNS] = {cell_text(values[result->value + 1]),
                                          cell_number(result->leaf_bytes),
                                          cell_number(result->table_bytes)};
    enum status status = print_sides(result, out, err);
    if (status != STATUS_OK)
        return status;
    merels_print(out, "\n");
    return merels_facts_print(columns, N_COLUMNS, cells, out, err);
}

static json_t *side_json(const struct search_result *result, enum colour side)
{
    return merels_facts_json(side_columns, N_SIDE_COLUMNS, state_side(result, side).cells);
}

static json_t *result_json(const struct context *context, const struct search_result *result)
{
    return json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:I, s:I}", "rules", context->variant.text, "fingerprint",
        context->variant.fingerprint, "value", merels_value_name(result->value), "white",
        side_json(result, WHITE), "black", side_json(result, BLACK), "leaf_bytes",
        (json_int_t)result->leaf_bytes, "table_bytes", (json_int_t)result->table_bytes);
}

// ---- the command ---------------------------------------------------------------------------

static enum status run_search(struct context *context, struct error *err)
{
    struct search_result result;
    enum status status = merels_start_search(context, &result, err);
    if (status != STATUS_OK)
        return status;
    if (context->args->json)
        return merels_print_json(context->out, result_json(context, &result), false, err);
    return print_text(&result, context->out, err);
}

const struct command merels_command_search = {
    .name = "search",
    .operands = "RULES",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_DIRECTORY,
    .takes =
        TAKES(OPTION_DB) | TAKES(OPTION_THREADS) | TAKES(OPTION_MEMORY) | TAKES(OPTION_JSON),
    .closed_points = true,
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
