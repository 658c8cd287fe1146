// variant.c: reading of rules, and the choice of the directory, which goes by the rules and not
// by their spelling.

#include "query/variant.h"

#include <stdio.h>
#include <stdlib.h>

enum status merels_variant_read(const char *text, struct variant *variant, struct error *err)
{
    uint8_t fingerprint[FINGERPRINT_BYTES];
    variant->text = text;
    enum status status = merels_rules_parse(text, &variant->rules, &variant->start, err);
    if (status == STATUS_OK)
        status = merels_rules_fingerprint(&variant->rules, fingerprint, err);
    if (status != STATUS_OK)
        return status;
    merels_rules_name(&variant->rules, variant->name);
    merels_hex(fingerprint, FINGERPRINT_BYTES, variant->fingerprint);
    return STATUS_OK;
}

enum status merels_variant_dir(const struct variant *variant, const char *db, char **dir,
                               struct error *err)
{
    const char *root = getenv("MERELS_DB");
    if (!root || root[0] == '\0')
        root = "merels-db";
    int n = db ? asprintf(dir, "%s", db) : asprintf(dir, "%s/%s", root, variant->name);
    if (n >= 0)
        return STATUS_OK;
    *dir = NULL;
    return merels_error(err, STATUS_NO_MEMORY, "no memory for the name of the directory");
}
