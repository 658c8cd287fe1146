// searched_proof.h: merels prove where no tables hold the placing phase (closed-points): the
// value of the empty board by search, and the evidence for the tables that the search ends in.

#ifndef MERELS_QUERY_SEARCHED_PROOF_H
#define MERELS_QUERY_SEARCHED_PROOF_H

#include "query/command.h"

// Compares the files in the directory with their manifest, searches, and prints the report.
// STATUS_MISMATCH, after the report, if no record shows the tables verified; STATUS_MISSING if
// the manifest lacks a table of the moving phase; as merels_manifest_check and merels_search.
MERELS_CHECKED enum status merels_searched_proof(const struct context *context,
                                                 struct error *err);

#endif
