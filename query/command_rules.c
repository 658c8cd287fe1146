// command_rules.c: merels rules: the presets, and one rule set in full with its fingerprint.

#include <stdio.h>
#include <string.h>

#include "game/options.h"
#include "game/rules_text.h"
#include "query/board_curves.h"
#include "query/command.h"
#include "query/listing.h"
#include "query/render.h"

static void print_rules(const struct variant *variant, const char *text, struct output *out)
{
    merels_print(out, "# rules %s\n# name %s\n# fingerprint %s\n%s", variant->text,
                 variant->name, variant->fingerprint, text);
}

// The drawing as comment lines, so that the output is a file of rules.
static void print_drawing(const struct board *board, struct output *out)
{
    char drawing[BOARD_TEXT_BYTES];
    const struct position empty = {.own = 0};
    merels_render_board(board, &empty, (struct render_style){.unicode = false}, drawing);
    for (const char *line = drawing; *line != '\0';) {
        int n = (int)strcspn(line, "\n");
        merels_print(out, "#    %.*s\n", n, line);
        line += n + (line[n] == '\n');
    }
    merels_print(out, "# %d points, %d mills, %d symmetr%s\n", board->n_points, board->n_mills,
                 board->n_symmetries, board->n_symmetries == 1 ? "y" : "ies");
}

static enum status show_rules(const struct context *context, struct error *err)
{
    char text[RULES_TEXT_BYTES];
    const struct variant *variant = &context->variant;
    merels_rules_long_text(context->rules, text);
    if (!context->args->json) {
        merels_game_text(context->rules, variant->start, text);
        print_rules(variant, text, context->out);
        print_drawing(&context->rules->board, context->out);
        return STATUS_OK;
    }
    return merels_print_json(
        context->out,
        json_pack("{s:s, s:s, s:i, s:i, s:s, s:s, s:o}", "rules", variant->text, "name",
                  variant->name, "first_men", variant->start.first_men, "second_men",
                  variant->start.second_men, "fingerprint", variant->fingerprint, "text", text,
                  "curves", merels_curves_json(&context->rules->board)),
        false, err);
}

// ---- the presets ---------------------------------------------------------------------------

static const struct column columns[] = {
    {"rules", "preset", COLUMN_TEXT, .forms = IN_ALL},
    {"name", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"points", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"mills", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"men", .kind = COLUMN_TEXT, .forms = IN_TEXT, .alignment = ALIGN_RIGHT},
    {"first_men", .kind = COLUMN_NUMBER, .forms = IN_TSV | IN_JSON},
    {"second_men", .kind = COLUMN_NUMBER, .forms = IN_TSV | IN_JSON},
    {"flying", .kind = COLUMN_TEXT, .forms = IN_TEXT},
    {"fly", .kind = COLUMN_NUMBER, .forms = IN_TSV | IN_JSON},
    {"fingerprint", .kind = COLUMN_TEXT, .forms = IN_ALL},
};

enum { N_COLUMNS = sizeof columns / sizeof *columns };

static enum status add_preset(struct listing *listing, const struct variant *variant,
                              struct error *err)
{
    char men[16], flying[16];
    const struct rules *rules = &variant->rules;
    const struct start *start = &variant->start;
    snprintf(men, sizeof men, "%d-%d", start->first_men, start->second_men);
    snprintf(flying, sizeof flying, "at %d", rules->fly);
    const struct cell cells[N_COLUMNS] = {cell_text(variant->text),
                                          cell_text(variant->name),
                                          cell_number((uint64_t)rules->board.n_points),
                                          cell_number((uint64_t)rules->board.n_mills),
                                          cell_text(men),
                                          cell_number((uint64_t)start->first_men),
                                          cell_number((uint64_t)start->second_men),
                                          cell_text(rules->fly > 0 ? flying : "never"),
                                          cell_number((uint64_t)rules->fly),
                                          cell_text(variant->fingerprint)};
    return merels_listing_add(listing, cells, err);
}

static enum status print_listing(const struct context *context, const char *name,
                                 const struct listing *listing, struct error *err)
{
    struct output *out = context->out;
    if (context->args->json)
        return merels_print_json(out, json_pack("{s:o}", name, merels_listing_json(listing)),
                                 false, err);
    if (!context->args->tsv)
        return merels_listing_print(listing, out, err);
    merels_listing_print_tsv(listing, true, out);
    return STATUS_OK;
}

static enum status show_presets(struct context *context, struct error *err)
{
    struct listing *listing;
    enum status status = merels_listing_create(columns, N_COLUMNS, &listing, err);
    if (status != STATUS_OK)
        return status;
    for (const char *const *name = merels_rules_presets(); *name && status == STATUS_OK;
         name++) {
        status = merels_context_rules(context, *name, err);
        if (status == STATUS_OK)
            status = add_preset(listing, &context->variant, err);
    }
    if (status == STATUS_OK)
        status = print_listing(context, "presets", listing, err);
    merels_listing_destroy(listing);
    return status;
}

// ---- the options ---------------------------------------------------------------------------

static const struct column option_columns[] = {
    {"option", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"value", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"usual", .kind = COLUMN_FLAG, .forms = IN_ALL},
    {"meaning", .kind = COLUMN_TEXT, .forms = IN_ALL},
};

enum { N_OPTION_COLUMNS = sizeof option_columns / sizeof *option_columns };

static enum status add_value(struct listing *listing, const char *option, const char *value,
                             bool usual, const char *meaning, struct error *err)
{
    const struct cell cells[N_OPTION_COLUMNS] = {cell_text(option), cell_text(value),
                                                 cell_flag(usual), cell_text(meaning)};
    return merels_listing_add(listing, cells, err);
}

static enum status add_option(struct listing *listing, enum rule_option k, struct error *err)
{
    const struct option_names *option = merels_option(k);
    char usual[OPTION_TEXT_BYTES];
    merels_option_text(k, option->usual, usual);
    enum status status = STATUS_OK;
    if (option->values[0] == NULL) {
        char range[OPTION_TEXT_BYTES];
        snprintf(range, sizeof range, "0..%d", option->most);
        status = add_value(listing, option->name, range, false, option->meanings[0], err);
        return status != STATUS_OK
                   ? status
                   : add_value(listing, option->name, usual, true, "the usual number", err);
    }
    for (int i = 0; i < MAX_OPTION_VALUES && option->values[i] && status == STATUS_OK; i++)
        status = add_value(listing, option->name, option->values[i], i == option->usual,
                           option->meanings[i], err);
    return status;
}

static enum status show_options(const struct context *context, struct error *err)
{
    struct listing *listing;
    enum status status = merels_listing_create(option_columns, N_OPTION_COLUMNS, &listing, err);
    if (status != STATUS_OK)
        return status;
    for (int k = 0; k < N_RULE_OPTIONS && status == STATUS_OK; k++)
        status = add_option(listing, (enum rule_option)k, err);
    if (status == STATUS_OK)
        status = add_value(
            listing, "men", "N or N-M", false,
            "men at the start, of the side that begins and the other one, each at "
            "least 1 and \"least\", together at most the points; no part of the rules",
            err);
    if (status == STATUS_OK)
        status = print_listing(context, "options", listing, err);
    merels_listing_destroy(listing);
    return status;
}

// ---- the command ---------------------------------------------------------------------------

static enum status run_rules(struct context *context, struct error *err)
{
    if (context->args->options && context->rules)
        return merels_error(err, STATUS_BAD_INPUT, "rules: --options goes without RULES");
    if (context->args->options)
        return show_options(context, err);
    if (!context->rules)
        return show_presets(context, err);
    if (context->args->tsv)
        return merels_error(err, STATUS_BAD_INPUT, "rules: --tsv lists presets, without RULES");
    return show_rules(context, err);
}

const struct command merels_command_rules = {
    .name = "rules",
    .operands = "[RULES]",
    .min_operands = 0,
    .max_operands = 1,
    .needs = NEEDS_RULES,
    .takes = TAKES(OPTION_OPTIONS) | TAKES(OPTION_TSV) | TAKES(OPTION_JSON),
    .closed_points = true,
    .summary = "show the presets, the options, or one set of rules in full",
    .details =
        "Without RULES: the presets; with --options: every option and what it means. With\n"
        "RULES: a line for each fact, the drawing of the board, the fingerprint that is\n"
        "in every table, and the name by which the directory of the tables is called.\n"
        "Equal rules have the same name and fingerprint, however they are said and\n"
        "whatever the men at the start. RULES is a preset and options, as\n"
        "nine,fly=0,removals=each,men=7-6, or --rules FILE with such a text of facts: what\n"
        "this command prints, changed as you like, with a board of your own of up to 24\n"
        "points, 64 edges and 32 mills of three points. Lines that are left out are as\n"
        "usual; men says the start.",
    .example = "  merels rules\n"
               "  merels rules --options\n"
               "  merels rules nine,fly=0\n"
               "  merels rules seven > my.txt; merels solve --rules my.txt",
    .run = run_rules,
};
