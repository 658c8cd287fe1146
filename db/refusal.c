// refusal.c: files of older formats, and files made for other rules.

#include "db/refusal.h"

#include <stdlib.h>
#include <string.h>

#include "game/options.h"
#include "game/rules_text.h"

enum status merels_refuse_older(const char *path, const struct rules *rules, struct error *err)
{
    char name[RULES_NAME_BYTES] = "RULES";
    if (rules != NULL && rules->board.kind == BOARD_OWN)
        strcpy(name, "--rules FILE");
    else if (rules != NULL)
        merels_rules_name(rules, name);
    return merels_error(err, STATUS_OLDER,
                        "%s: of an older format, which this program no longer reads; 'merels "
                        "solve %s --db NEW' makes the tables anew in a directory NEW",
                        path, name);
}

static enum status refuse(const char *path, const struct rules *there,
                          const struct rules *wanted, struct error *err)
{
    char there_name[RULES_NAME_BYTES], name[RULES_NAME_BYTES];
    char difference[RULES_DIFFERENCE_BYTES];
    merels_rules_name(there, there_name);
    merels_rules_name(wanted, name);
    merels_rules_difference(there, wanted, difference);
    return merels_error(err, STATUS_OTHER_RULES, "%s: made for other rules: %s, not %s (%s)",
                        path, there_name, name, difference);
}

static enum status refuse_unknown(const char *path, const struct rules *wanted,
                                  struct error *err)
{
    char name[RULES_NAME_BYTES];
    merels_rules_name(wanted, name);
    return merels_error(err, STATUS_OTHER_RULES,
                        "%s: made for other rules, which this program cannot name, not for %s",
                        path, name);
}

enum status merels_refuse_rules(const char *path, const char *rules_text,
                                const struct rules *wanted, struct error *err)
{
    struct rules *there = malloc(sizeof *there);
    enum status status =
        there != NULL && merels_rules_read_text(rules_text, there, NULL, NULL) == STATUS_OK
            ? refuse(path, there, wanted, err)
            : refuse_unknown(path, wanted, err);
    free(there);
    return status;
}

// ---- by fingerprint ------------------------------------------------------------------------

static bool is_of(const struct rules *rules, const uint8_t fingerprint[FINGERPRINT_BYTES])
{
    uint8_t found[FINGERPRINT_BYTES];
    return merels_rules_fingerprint(rules, found, NULL) == STATUS_OK &&
           memcmp(found, fingerprint, FINGERPRINT_BYTES) == 0;
}

static bool find_preset(struct rules *rules, const uint8_t fingerprint[FINGERPRINT_BYTES])
{
    for (const char *const *name = merels_rules_presets(); *name != NULL; name++)
        if (merels_rules_parse(*name, rules, NULL, NULL) == STATUS_OK &&
            is_of(rules, fingerprint))
            return true;
    return false;
}

static int n_values(enum rule_option option)
{
    int n = 0;
    while (n < MAX_OPTION_VALUES && merels_option(option)->values[n] != NULL)
        n++;
    return n == 0 ? merels_option(option)->most + 1 : n;
}

// Rules with `option` and those behind it changed, at most n_changes of them.
static bool find_near(struct rules *rules, int option, int n_changes,
                      const uint8_t fingerprint[FINGERPRINT_BYTES])
{
    if (n_changes == 0 || option == N_RULE_OPTIONS)
        return is_of(rules, fingerprint);
    int values[N_RULE_OPTIONS], was;
    merels_options_get(rules, values);
    was = values[option];
    for (int v = 0; v < n_values((enum rule_option)option); v++) {
        values[option] = v;
        merels_options_set(rules, values);
        if (find_near(rules, option + 1, n_changes - (v != was), fingerprint))
            return true;
    }
    values[option] = was;
    merels_options_set(rules, values);
    return false;
}

// Rules on the same board with any options from number `option` on, but of flying men and the
// least number only those that anybody plays by.
static bool find_far(struct rules *rules, int option,
                     const uint8_t fingerprint[FINGERPRINT_BYTES])
{
    enum { USUAL_NUMBERS = 5 };
    int values[N_RULE_OPTIONS], settled[N_RULE_OPTIONS];
    merels_options_get(rules, values);
    memcpy(settled, values, sizeof settled);
    merels_options_settle(settled);
    if (option == N_RULE_OPTIONS)
        return memcmp(settled, values, sizeof values) == 0 && is_of(rules, fingerprint);
    int was = values[option], n = n_values((enum rule_option)option);
    for (int v = -1; v < (n < USUAL_NUMBERS ? n : USUAL_NUMBERS); v++) {
        values[option] = v < 0 ? was : v;
        merels_options_set(rules, values);
        if (v != was && find_far(rules, option + 1, fingerprint))
            return true;
    }
    values[option] = was;
    merels_options_set(rules, values);
    return false;
}

enum status merels_refuse_fingerprint(const char *path,
                                      const uint8_t fingerprint[FINGERPRINT_BYTES],
                                      const struct rules *wanted, struct error *err)
{
    enum { MOST_CHANGES = 2 };
    struct rules *there = malloc(sizeof *there);
    bool found = there != NULL && find_preset(there, fingerprint);
    if (there != NULL && !found) {
        *there = *wanted;
        found =
            find_near(there, 0, MOST_CHANGES, fingerprint) || find_far(there, 0, fingerprint);
    }
    enum status status =
        found ? refuse(path, there, wanted, err) : refuse_unknown(path, wanted, err);
    free(there);
    return status;
}
