// variant.c: reading of rules, and the choice of the directory, which goes by the rules and not
// by their spelling.

#include "query/variant.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/game_text.h"
#include "query/new_text.h"

// What follows from rules and start.
static enum status complete(struct variant *variant, struct error *err)
{
    uint8_t fingerprint[FINGERPRINT_BYTES];
    enum status status = merels_rules_fingerprint(&variant->rules, fingerprint, err);
    if (status != STATUS_OK)
        return status;
    merels_rules_name(&variant->rules, variant->name);
    merels_hex(fingerprint, FINGERPRINT_BYTES, variant->fingerprint);
    return STATUS_OK;
}

enum status merels_variant_read(const char *text, struct variant *variant, struct error *err)
{
    variant->text = text;
    variant->from_file = false;
    enum status status = merels_rules_parse(text, &variant->rules, &variant->start, err);
    return status == STATUS_OK ? complete(variant, err) : status;
}

enum status merels_variant_load(const char *path, struct variant *variant, struct error *err)
{
    char *text = NULL;
    struct error reason;
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return merels_error(err, errno == ENOENT ? STATUS_MISSING : STATUS_IO,
                            "%s: no rules can be read: %s", path, strerror(errno));
    variant->text = path;
    variant->from_file = true;
    enum status status = merels_game_text_load(in, path, &text, err);
    fclose(in);
    if (status != STATUS_OK)
        return status;
    status = merels_rules_parse_facts(text, &variant->rules, &variant->start, &reason);
    free(text);
    return status == STATUS_OK ? complete(variant, err)
                               : merels_error(err, status, "%s: %s", path, reason.text);
}

enum status merels_variant_measure(struct variant *variant, const char *metric,
                                   struct error *err)
{
    bool to_conversion = strcmp(metric, "dtc") == 0;
    if (!to_conversion && variant->rules.n_move > 0)
        return merels_error(err, STATUS_BAD_INPUT,
                            "--metric dtm: under n-move depths count to the next removal, "
                            "metric dtc: leave --metric out");
    variant->rules.metric = to_conversion ? METRIC_DTC : METRIC_DTM;
    return complete(variant, err);
}

const char *merels_variant_label(const struct variant *variant)
{
    return variant->from_file ? variant->name : variant->text;
}

enum status merels_variant_tables_name(const struct variant *variant,
                                       char name[RULES_NAME_BYTES], struct error *err)
{
    struct rules *tables = malloc(sizeof *tables);
    if (tables == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the rules of the tables");
    merels_rules_of_tables(&variant->rules, tables);
    merels_rules_name(tables, name);
    free(tables);
    return STATUS_OK;
}

enum status merels_variant_dir(const struct variant *variant, const char *db, char **dir,
                               struct error *err)
{
    char name[RULES_NAME_BYTES];
    const char *root = getenv("MERELS_DB");
    if (!root || root[0] == '\0')
        root = "merels-db";
    enum status status = merels_variant_tables_name(variant, name, err);
    if (status != STATUS_OK)
        return status;
    *dir = db ? strdup(db) : merels_new_text("%s/%s", root, name);
    if (*dir)
        return STATUS_OK;
    return merels_error(err, STATUS_NO_MEMORY, "no memory for the name of the directory");
}
