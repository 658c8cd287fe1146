// compact_counts.h: wins, draws and losses of every subspace of a file of edition compact,
// which has no counts: all values are decoded and counted.

#ifndef MERELS_QUERY_COMPACT_COUNTS_H
#define MERELS_QUERY_COMPACT_COUNTS_H

#include "db/header.h"
#include "query/command.h"

struct counted_subspace {
    struct subspace subspace;
    struct table_header header; // edition, slots, orbits, wins, draws, losses, none; no depths
};

// Decodes the file that is open in the context, by all threads and with progress on standard
// error, and checks every value against its plies while it does. In listing order; *list is
// the caller's to free. Fails as merels_verify_compact.
MERELS_CHECKED enum status merels_compact_count(const struct context *context,
                                                struct counted_subspace **list, size_t *n,
                                                struct error *err);

#endif
