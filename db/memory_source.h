// memory_source.h: tables and manifests in memory of the caller.

#ifndef MERELS_DB_MEMORY_SOURCE_H
#define MERELS_DB_MEMORY_SOURCE_H

#include "db/byte_source.h"

struct memory_piece {
    const char *name; // "3-3.mtb", "MANIFEST"
    const void *bytes;
    uint64_t n_bytes;
};

struct memory_pieces {
    size_t n;
    const struct memory_piece *pieces;
};

// A source of these pieces: one table, or a whole tablebase. The list, its names and their
// bytes must outlive it and stay as they are; nothing is copied.
struct byte_source merels_memory_source(const struct memory_pieces *pieces);

#endif
