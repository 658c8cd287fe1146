// evidence.h: the record that a complete verify leaves in a tablebase (verify/verify_record.h):
// VERIFIED, or CONSISTENT for tables without depths, which proves less (docs/VERIFY.md).

#ifndef MERELS_QUERY_EVIDENCE_H
#define MERELS_QUERY_EVIDENCE_H

#include "db/manifest.h"
#include "db/tablebase.h"

// True if the record in the directory is, to the byte, the one that this program's verifier
// leaves when it has checked all tables of the manifest; else *why says what is in its place.
bool merels_evidence_found(const char *dir, const struct manifest *manifest, struct error *why);

#endif
