// compact_target.c: the first bytes of what is there, and the rules in it.

#include "compact/compact_target.h"

#include <string.h>

#include "db/compact_values.h"
#include "db/file.h"
#include "db/hash.h"
#include "db/tablebase.h"

#define LEFT "it is left as it is: remove it, or name another file with --out"

enum { FINGERPRINT_AT = 16, FIRST_BYTES = 64 };

static enum status refuse_other(const struct rules *rules, const char *path, struct error *err)
{
    struct tablebase *base;
    struct error reason;
    enum status status = merels_tablebase_open(path, rules, 0, &base, &reason);
    if (status != STATUS_OK)
        return merels_error(err, status, "%s; " LEFT, reason.text);
    merels_tablebase_close(base);
    return merels_error(err, STATUS_OTHER_RULES, "%s: made for other rules; " LEFT, path);
}

enum status merels_compact_may_replace(const struct rules *rules, const char *path,
                                       struct error *err)
{
    struct file file;
    uint8_t first[FIRST_BYTES], fingerprint[FINGERPRINT_BYTES];
    enum status status = merels_file_open(path, &file, err);
    if (status != STATUS_OK)
        return status == STATUS_MISSING ? STATUS_OK : status;
    status = merels_file_read_at(&file, 0, first, sizeof first, NULL);
    merels_file_drop(&file);
    if (status != STATUS_OK || memcmp(first, COMPACT_MAGIC, sizeof COMPACT_MAGIC - 1) != 0)
        return merels_error(err, STATUS_BAD_INPUT,
                            "%s: there is something that is no file of edition compact; " LEFT,
                            path);
    status = merels_rules_fingerprint(rules, fingerprint, err);
    if (status != STATUS_OK ||
        memcmp(first + FINGERPRINT_AT, fingerprint, sizeof fingerprint) == 0)
        return status;
    return refuse_other(rules, path, err);
}
