// compact_verify.h: merels verify --edition compact.

#ifndef MERELS_QUERY_COMPACT_VERIFY_H
#define MERELS_QUERY_COMPACT_VERIFY_H

#include "query/command.h"

// Checks the file DIR.mce beside the directory of the tables, and prints what that came to.
MERELS_CHECKED enum status merels_run_compact_verify(const struct context *context,
                                                     struct error *err);

#endif
