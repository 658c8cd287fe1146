// evidence.h: the record that a complete verify leaves in a tablebase (verify/verify_record.h):
// VERIFIED, or CONSISTENT for tables without depths, which proves less (docs/VERIFY.md).

#ifndef MERELS_QUERY_EVIDENCE_H
#define MERELS_QUERY_EVIDENCE_H

#include "db/manifest.h"
#include "db/tablebase.h"

// True if the record is, to the byte, the one that this program's verifier leaves when it has
// checked all tables of the manifest; else *why says what is in its place. It stands in the
// directory, or in `file` if that is not NULL. Without `file` the evidence that a solve with
// --verify leaves in the manifest does as well, if there is some for every table of edition dtm
// and all of it holds: kept or not, each was checked against successors of the values that the
// manifest has.
bool merels_evidence_found(const char *dir, const char *file, const struct rules *rules,
                           const struct manifest *manifest, struct error *why);

#endif
