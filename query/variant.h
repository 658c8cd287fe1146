// variant.h: a game as the command line names it: its rules, its start, its names, and where
// its tables are.

#ifndef MERELS_QUERY_VARIANT_H
#define MERELS_QUERY_VARIANT_H

#include "db/hash.h"
#include "game/rules.h"

// Over a megabyte: for the heap.
struct variant {
    const char *text; // as given, or the file's name
    bool from_file;
    struct rules rules;
    struct start start;
    char name[RULES_NAME_BYTES];                 // equal rules have the same
    char fingerprint[2 * FINGERPRINT_BYTES + 1]; // hexadecimal
};

// Reads a text of rules, which must outlive the variant. STATUS_BAD_INPUT.
MERELS_CHECKED enum status merels_variant_read(const char *text, struct variant *variant,
                                               struct error *err);

// The same from a file of facts, a line each, as `merels rules` prints them; the file's name is
// the text. STATUS_MISSING, STATUS_IO, STATUS_BAD_INPUT, STATUS_UNSUPPORTED for a board beyond
// the bounds of game/board.h.
MERELS_CHECKED enum status merels_variant_load(const char *path, struct variant *variant,
                                               struct error *err);

// Gives the rules another metric, "dtm" or "dtc"; with their names. Fails as libcrypto does.
MERELS_CHECKED enum status merels_variant_measure(struct variant *variant, const char *metric,
                                                  struct error *err);

// How records of games and answers call the rules: as they were given, or, where a file said
// them, by their name.
const char *merels_variant_label(const struct variant *variant);

// The name of the rules of the tables. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_variant_tables_name(const struct variant *variant,
                                                      char name[RULES_NAME_BYTES],
                                                      struct error *err);

// Chooses the directory of the tables, malloc'ed: `db` if that is not NULL, else
// $MERELS_DB/NAME, else merels-db/NAME, by the name of merels_rules_of_tables.
// STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_variant_dir(const struct variant *variant, const char *db,
                                              char **dir, struct error *err);

#endif
