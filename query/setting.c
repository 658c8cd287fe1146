// setting.c: the rules and the directory that a command works with.

#include "query/setting.h"

#include <stdlib.h>
#include <string.h>

static enum status choose_dir(const struct arguments *args, struct setting *setting,
                              struct error *err)
{
    char name[RULES_NAME_BYTES];
    const char *root = getenv("MERELS_DB");
    if (!root || root[0] == '\0')
        root = "merels-db";
    merels_rules_name(&setting->rules, name);
    int n = args->db ? asprintf(&setting->dir, "%s", args->db)
                     : asprintf(&setting->dir, "%s/%s", root, name);
    if (n >= 0)
        return STATUS_OK;
    setting->dir = NULL;
    return merels_error(err, STATUS_NO_MEMORY, "no memory for the name of the directory");
}

static enum status read_rules(struct setting *setting, struct error *err)
{
    uint8_t fingerprint[FINGERPRINT_BYTES];
    enum status status =
        merels_rules_parse(setting->rules_text, &setting->rules, &setting->start, err);
    if (status == STATUS_OK)
        status = merels_rules_fingerprint(&setting->rules, fingerprint, err);
    if (status == STATUS_OK)
        merels_hex(fingerprint, FINGERPRINT_BYTES, setting->fingerprint);
    return status;
}

enum status merels_setting_create(const struct arguments *args, struct setting **setting,
                                  struct error *err)
{
    struct setting *s = calloc(1, sizeof *s);
    if (!s)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the rules");
    s->rules_text = args->operands[0];
    s->cache_bytes = args->cache_bytes > 0 ? args->cache_bytes : SETTING_CACHE_BYTES;
    enum status status = read_rules(s, err);
    if (status == STATUS_OK)
        status = choose_dir(args, s, err);
    if (status != STATUS_OK) {
        merels_setting_destroy(s);
        return status;
    }
    *setting = s;
    return STATUS_OK;
}

void merels_setting_destroy(struct setting *setting)
{
    if (!setting)
        return;
    free(setting->dir);
    free(setting);
}

enum status merels_setting_open(const struct setting *setting, struct tablebase **base,
                                struct error *err)
{
    struct error reason;
    enum status status = merels_tablebase_open(setting->dir, &setting->rules,
                                               setting->cache_bytes, base, &reason);
    if (status == STATUS_MISSING)
        return merels_error(err, status, "%s (merels solve %s makes tables)", reason.text,
                            setting->rules_text);
    if (status != STATUS_OK && err)
        *err = reason;
    if (status == STATUS_OK)
        merels_tablebase_begin_from(*base, setting->start);
    return status;
}
