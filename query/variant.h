// variant.h: a game as the command line names it: its rules, its start, its names, and where
// its tables are.

#ifndef MERELS_QUERY_VARIANT_H
#define MERELS_QUERY_VARIANT_H

#include "db/hash.h"
#include "game/rules.h"

// About 530 KB: for the heap.
struct variant {
    const char *text; // as given
    struct rules rules;
    struct start start;
    char name[RULES_NAME_BYTES];                 // equal rules have the same
    char fingerprint[2 * FINGERPRINT_BYTES + 1]; // hexadecimal
};

// Reads a text of rules, which must outlive the variant. STATUS_BAD_INPUT.
MERELS_CHECKED enum status merels_variant_read(const char *text, struct variant *variant,
                                               struct error *err);

// Chooses the directory of the tables, malloc'ed: `db` if that is not NULL, else
// $MERELS_DB/NAME, else merels-db/NAME. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_variant_dir(const struct variant *variant, const char *db,
                                              char **dir, struct error *err);

#endif
