// command_rules.c: merels rules: the presets, and one rule set in full with its fingerprint.

#include "query/command.h"
#include "query/setting.h"

static void print_rules(const struct setting *setting, const char *name, const char *text,
                        struct output *out)
{
    merels_print(out, "# rules %s\n# men at the start %d and %d (not part of the rules)\n",
                 setting->rules_text, setting->start.first_men, setting->start.second_men);
    merels_print(out, "# name %s\n# fingerprint %s\n%s", name, setting->fingerprint, text);
}

static enum status show_rules(const struct arguments *args, struct output *out,
                              struct error *err)
{
    char text[RULES_TEXT_BYTES], name[RULES_NAME_BYTES];
    struct setting *setting;
    enum status status = merels_setting_create(args, &setting, err);
    if (status != STATUS_OK)
        return status;
    merels_rules_text(&setting->rules, text);
    merels_rules_name(&setting->rules, name);
    if (args->json)
        status = merels_print_json(out,
                                   json_pack("{s:s, s:s, s:i, s:i, s:s, s:s}", "rules",
                                             setting->rules_text, "name", name, "first_men",
                                             setting->start.first_men, "second_men",
                                             setting->start.second_men, "fingerprint",
                                             setting->fingerprint, "text", text),
                                   false, err);
    else
        print_rules(setting, name, text, out);
    merels_setting_destroy(setting);
    return status;
}

static json_t *preset_json(const struct setting *setting)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:s}", "rules", setting->rules_text,
                     "points", setting->rules.board.n_points, "mills",
                     setting->rules.board.n_mills, "first_men", setting->start.first_men,
                     "second_men", setting->start.second_men, "fly", setting->rules.fly,
                     "fingerprint", setting->fingerprint);
}

static void print_preset(const struct setting *setting, struct output *out)
{
    const struct rules *rules = &setting->rules;
    merels_print(out, "%-17s %7d %6d %4d-%-2d ", setting->rules_text, rules->board.n_points,
                 rules->board.n_mills, setting->start.first_men, setting->start.second_men);
    if (rules->fly > 0)
        merels_print(out, " at %d   ", rules->fly);
    else
        merels_print(out, " never  ");
    merels_print(out, "%s\n", setting->fingerprint);
}

// Prints one preset, or adds it to `list` if that is not NULL.
static enum status show_preset(const char *name, json_t *list, struct output *out,
                               struct error *err)
{
    char *operand = (char *)name;
    const struct arguments args = {.operands = &operand, .n_operands = 1};
    struct setting *setting;
    enum status status = merels_setting_create(&args, &setting, err);
    if (status != STATUS_OK)
        return status;
    if (!list)
        print_preset(setting, out);
    else if (json_array_append_new(list, preset_json(setting)) != 0)
        status = merels_error(err, STATUS_NO_MEMORY, "no memory for the JSON text");
    merels_setting_destroy(setting);
    return status;
}

static enum status show_presets(const struct arguments *args, struct output *out,
                                struct error *err)
{
    enum status status = STATUS_OK;
    json_t *list = args->json ? json_array() : NULL;
    if (args->json && !list)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the JSON text");
    if (!args->json)
        merels_print(out, "%-17s %7s %6s %7s  %-7s %s\n", "preset", "points", "mills", "men",
                     "flying", "fingerprint");
    for (const char *const *name = merels_rules_presets(); *name && status == STATUS_OK; name++)
        status = show_preset(*name, list, out, err);
    if (args->json && status == STATUS_OK)
        return merels_print_json(out, json_pack("{s:o}", "presets", list), false, err);
    json_decref(list);
    return status;
}

static enum status run_rules(const struct arguments *args, struct output *out,
                             struct error *err)
{
    return args->n_operands == 0 ? show_presets(args, out, err) : show_rules(args, out, err);
}

const struct command merels_command_rules = {
    .name = "rules",
    .operands = "[RULES]",
    .min_operands = 0,
    .max_operands = 1,
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
