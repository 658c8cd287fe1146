// evidence.h: the record that a complete verify leaves in a tablebase (solver/verify/notes.c):
// VERIFIED, or CONSISTENT for tables without depths, which proves less (docs/VERIFY.md).

#ifndef MERELS_QUERY_EVIDENCE_H
#define MERELS_QUERY_EVIDENCE_H

#include <stddef.h>

#include "db/table.h"

struct verify_record {
    char root[2 * SHA256_BYTES + 1]; // of the tables that were verified, hexadecimal
    int version;                     // of the verifier
    size_t n_tables;
    unsigned long long n_slots;
};

// Reads DIR/VERIFIED or, for the edition wdl, DIR/CONSISTENT. STATUS_MISSING if there is none,
// STATUS_CORRUPT if it is not such a record, STATUS_IO, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_evidence_read(const char *dir, enum edition edition,
                                                struct verify_record *record,
                                                struct error *err);

#endif
