// command_rules.c: merels rules: the presets, and one rule set in full with its fingerprint.

#include <stdio.h>

#include "game/rules_text.h"
#include "query/command.h"
#include "query/listing.h"

static void print_rules(const struct variant *variant, const char *text, struct output *out)
{
    merels_print(out, "# rules %s\n# men at the start %d and %d (not part of the rules)\n",
                 variant->text, variant->start.first_men, variant->start.second_men);
    merels_print(out, "# name %s\n# fingerprint %s\n%s", variant->name, variant->fingerprint,
                 text);
}

static enum status show_rules(const struct context *context, struct error *err)
{
    char text[RULES_TEXT_BYTES];
    const struct variant *variant = &context->variant;
    merels_rules_long_text(context->rules, text);
    if (!context->args->json) {
        print_rules(variant, text, context->out);
        return STATUS_OK;
    }
    return merels_print_json(
        context->out,
        json_pack("{s:s, s:s, s:i, s:i, s:s, s:s}", "rules", variant->text, "name",
                  variant->name, "first_men", variant->start.first_men, "second_men",
                  variant->start.second_men, "fingerprint", variant->fingerprint, "text", text),
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

static enum status print_presets(const struct context *context, const struct listing *listing,
                                 struct error *err)
{
    struct output *out = context->out;
    if (context->args->json)
        return merels_print_json(
            out, json_pack("{s:o}", "presets", merels_listing_json(listing)), false, err);
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
        status = print_presets(context, listing, err);
    merels_listing_destroy(listing);
    return status;
}

// ---- the command ---------------------------------------------------------------------------

static enum status run_rules(struct context *context, struct error *err)
{
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
    .takes = TAKES(OPTION_TSV) | TAKES(OPTION_JSON),
    .summary = "show the presets, or one set of rules with all options",
    .details = "Without RULES: the presets. With RULES: its canonical text, from which the\n"
               "fingerprint in every table is made, and its name, by which the directory of\n"
               "its tables is called. Equal rules have the same name and fingerprint, however\n"
               "they are said and whatever the men at the start.",
    .example = "  merels rules\n"
               "  merels rules nine,fly=0",
    .run = run_rules,
};
