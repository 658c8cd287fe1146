// verify_unit.h: single tables checked against those of their successors, without a manifest:
// while a solve goes on, and these are there.
//
// The check of each is the one of a full verify (verify.h), the hashes of whole files left out.
// What it has read is named by the hashes of values in the headers: of the table itself that
// hash is recomputed, of the others it was when they were checked.

#ifndef MERELS_VERIFY_VERIFY_UNIT_H
#define MERELS_VERIFY_VERIFY_UNIT_H

#include "verify/verify.h"

struct unit_verifier;

enum { VERIFY_NAME_BYTES = 16, VERIFY_MAX_READ = 16, VERIFY_HASH_BYTES = 32 };

// A table that was read.
struct read_table {
    char name[VERIFY_NAME_BYTES]; // "9-8", "9-8-0-1"
    uint8_t values[VERIFY_HASH_BYTES];
};

// The table itself, and what its plies lead to, each once.
struct read_tables {
    int n;
    struct read_table tables[VERIFY_MAX_READ];
};

// Of the tables of options->dir, which with the text must outlive it; of the options those of
// limits, threads, levels and boards count. Keeps look-up tables between the checks, 25 MB at
// most for 24 points. STATUS_BAD_INPUT, STATUS_UNSUPPORTED (as merels_verify),
// STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_unit_verifier_create(const char *rules_text,
                                                       const struct verify_options *options,
                                                       struct unit_verifier **verifier,
                                                       struct error *err);
void merels_unit_verifier_destroy(struct unit_verifier *verifier); // NULL is allowed

// The memory that checking a table takes, in bytes; with values of two bytes, or what leads to
// them, it is more. 0 if there is no memory to find out.
uint64_t merels_unit_verifier_bytes(struct unit_verifier *verifier, const char *name);

// Checks a table and fills *read. Fails as merels_verify does. Frees what it took but for the
// look-up tables.
MERELS_CHECKED enum status merels_verify_one(struct unit_verifier *verifier, const char *name,
                                             const struct watch *watch,
                                             struct read_tables *read, struct error *err);

#endif
