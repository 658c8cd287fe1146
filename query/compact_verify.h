// compact_verify.h: merels verify --edition compact.

#ifndef MERELS_QUERY_COMPACT_VERIFY_H
#define MERELS_QUERY_COMPACT_VERIFY_H

#include "query/command.h"

// Checks the file that --db means (query/compact_place.h), with the tables of a directory if
// there are any, and prints what that came to.
MERELS_CHECKED enum status merels_run_compact_verify(const struct context *context,
                                                     struct error *err);

#endif
