// rule_changes.h: what a draw by count (n-move) changes: results of every subspace with the
// rule and without it, from two manifests.
//
// Results only ever become draws by the rule (docs/DESIGN.md), so the counts of a table say how
// many positions changed: as many as there are more draws.

#ifndef MERELS_QUERY_RULE_CHANGES_H
#define MERELS_QUERY_RULE_CHANGES_H

#include "query/command.h"

// Prints them for the tables of the context, beside those of the directory `plain`, of either
// metric: a row for each subspace of which both have a table, also one that is not kept, one
// for each phase, and the value of the empty board in both where its tables are there.
// STATUS_BAD_INPUT if the rules have no such count, STATUS_MISMATCH if a subspace has more wins
// or losses with the rule; as merels_manifest_read does. Tables that only one has are left out
// and make it STATUS_MISSING, after the others were printed.
MERELS_CHECKED enum status merels_rule_changes(struct context *context, const char *plain,
                                               struct error *err);

#endif
