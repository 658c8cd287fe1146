// evidence.h: the record that a complete verify leaves in a tablebase (solver/verify/notes.c).

#ifndef MERELS_QUERY_EVIDENCE_H
#define MERELS_QUERY_EVIDENCE_H

#include <stddef.h>

#include "db/hash.h"

struct verify_record {
    char root[2 * SHA256_BYTES + 1]; // of the tables that were verified, hexadecimal
    int version;                     // of the verifier
    size_t n_tables;
    unsigned long long n_slots;
};

// Reads DIR/VERIFIED. STATUS_MISSING if there is none, STATUS_CORRUPT if it is not such a
// record, STATUS_IO, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_evidence_read(const char *dir, struct verify_record *record,
                                                struct error *err);

#endif
