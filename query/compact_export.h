// compact_export.h: merels export --edition compact.

#ifndef MERELS_QUERY_COMPACT_EXPORT_H
#define MERELS_QUERY_COMPACT_EXPORT_H

#include "query/command.h"

// Writes the file --out, else DIR.mce, and prints the size of each subspace and of all; with
// --pieces cuts it, or the file that --db names.
MERELS_CHECKED enum status merels_run_compact_export(const struct context *context,
                                                     struct error *err);

#endif
