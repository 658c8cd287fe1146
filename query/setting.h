// setting.h: what a command works with: the rules, the start, and the directory of the tables.

#ifndef MERELS_QUERY_SETTING_H
#define MERELS_QUERY_SETTING_H

#include "db/tablebase.h"
#include "query/args.h"

// Room for a thousand uncompressed blocks, unless --cache says otherwise.
enum { SETTING_CACHE_BYTES = 64 << 20 };

struct setting {
    const char *rules_text; // as given
    struct rules rules;
    struct start start;
    char fingerprint[2 * FINGERPRINT_BYTES + 1]; // hexadecimal
    size_t cache_bytes;
    char *dir; // --db, else $MERELS_DB/RULES, else merels-db/RULES
};

// Reads the rules (the first operand) and chooses the directory; nothing is opened. The setting
// is the caller's to free. STATUS_BAD_INPUT, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_setting_create(const struct arguments *args,
                                                 struct setting **setting, struct error *err);
void merels_setting_destroy(struct setting *setting); // NULL is allowed

// Opens the tablebase in the directory; the setting must outlive it.
MERELS_CHECKED enum status merels_setting_open(const struct setting *setting,
                                               struct tablebase **base, struct error *err);

#endif
