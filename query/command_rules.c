// command_rules.c: merels rules: the presets, and one rule set in full with its fingerprint.

#include "query/command.h"

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
    merels_rules_text(context->rules, text);
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

static json_t *preset_json(const struct variant *variant)
{
    const struct rules *rules = &variant->rules;
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:s}", "rules", variant->text, "name",
                     variant->name, "points", rules->board.n_points, "mills",
                     rules->board.n_mills, "first_men", variant->start.first_men, "second_men",
                     variant->start.second_men, "fly", rules->fly, "fingerprint",
                     variant->fingerprint);
}

static void print_preset(const struct variant *variant, struct output *out)
{
    const struct rules *rules = &variant->rules;
    merels_print(out, "%-17s %7d %6d %4d-%-2d ", variant->text, rules->board.n_points,
                 rules->board.n_mills, variant->start.first_men, variant->start.second_men);
    if (rules->fly > 0)
        merels_print(out, " at %d   ", rules->fly);
    else
        merels_print(out, " never  ");
    merels_print(out, "%s\n", variant->fingerprint);
}

// Prints one preset, or adds it to `list` if that is not NULL.
static enum status show_preset(struct context *context, const char *name, json_t *list,
                               struct error *err)
{
    enum status status = merels_context_rules(context, name, err);
    if (status != STATUS_OK)
        return status;
    if (!list)
        print_preset(&context->variant, context->out);
    else if (json_array_append_new(list, preset_json(&context->variant)) != 0)
        status = merels_error(err, STATUS_NO_MEMORY, "no memory for the JSON text");
    return status;
}

static enum status show_presets(struct context *context, struct error *err)
{
    enum status status = STATUS_OK;
    bool json = context->args->json;
    json_t *list = json ? json_array() : NULL;
    if (json && !list)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the JSON text");
    if (!json)
        merels_print(context->out, "%-17s %7s %6s %7s  %-7s %s\n", "preset", "points", "mills",
                     "men", "flying", "fingerprint");
    for (const char *const *name = merels_rules_presets(); *name && status == STATUS_OK; name++)
        status = show_preset(context, *name, list, err);
    if (json && status == STATUS_OK)
        return merels_print_json(context->out, json_pack("{s:o}", "presets", list), false, err);
    json_decref(list);
    return status;
}

static enum status run_rules(struct context *context, struct error *err)
{
    return context->rules ? show_rules(context, err) : show_presets(context, err);
}

const struct command merels_command_rules = {
    .name = "rules",
    .operands = "[RULES]",
    .min_operands = 0,
    .max_operands = 1,
    .needs = NEEDS_RULES,
    .takes = TAKES(OPTION_JSON),
    .summary = "show the presets, or one rule set in full",
    .details = "Without RULES: the presets. With RULES: its canonical text, from which the\n"
               "fingerprint in every table is made, and its name, by which the directory of\n"
               "its tables is called. Equal rules have the same name and fingerprint, however\n"
               "they are said and whatever the men at the start.",
    .example = "  merels rules\n"
               "  merels rules nine,fly=0",
    .run = run_rules,
};
