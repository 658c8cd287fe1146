// manifest_notes.h: the optional lines of a manifest that this program knows, each about a
// table of edition dtm.
//
//     #? made 3-4 9-9                              by a run that may drop it, of this start
//     #? evidence 3-4 verifier=1 values=5fe1... 3-3=a2dc... 4-3=97b0...
//
// Evidence: the table with these values was found to agree with its successors, those of these
// values, by a verifier of this version. It holds as long as the manifest has the same values
// for all of them. Other lines are kept as they are (docs/FORMAT.md, section 9).

#ifndef MERELS_DB_MANIFEST_NOTES_H
#define MERELS_DB_MANIFEST_NOTES_H

#include "db/arise.h"
#include "db/manifest.h"

// A table as somebody has read it.
struct seen_table {
    struct subspace subspace;
    uint8_t value_hash[SHA256_BYTES];
};

// What a check of one table has read: the table itself first, then its successors, each once
// and in any order.
struct evidence {
    int n;
    struct seen_table tables[1 + MAX_SUCCESSORS];
};

// Notes that a table is made by a run from `start`, or takes that back. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_note_made(struct manifest *manifest, struct subspace s,
                                            struct start start, struct error *err);
MERELS_CHECKED enum status merels_note_unmade(struct manifest *manifest, struct subspace s,
                                              struct error *err);
bool merels_noted_made(const struct manifest *manifest, struct subspace s, struct start start);

// Notes the evidence of a table in place of what was noted of it. STATUS_MISMATCH if it is not
// of the table's own successors; STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_note_evidence(struct manifest *manifest,
                                                const struct rules *rules, int verifier,
                                                const struct evidence *evidence,
                                                struct error *err);

// True if the table is listed in edition dtm with evidence that holds.
bool merels_noted_evidence(const struct manifest *manifest, const struct rules *rules,
                           struct subspace s, int verifier);

#endif
