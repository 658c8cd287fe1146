// compact_values.h: values of positions from a file of edition compact, as a tablebase asks for
// them.
//
// The one place of db/ that knows embed/merels_compact.h. docs/COMPACT.md is the law of the
// file.

#ifndef MERELS_DB_COMPACT_VALUES_H
#define MERELS_DB_COMPACT_VALUES_H

#include "db/byte_source.h"
#include "game/position.h"
#include "game/subspace.h"

#define COMPACT_SUFFIX ".mce"
#define COMPACT_MAGIC "MERELSCE" // its first eight bytes

struct compact_values;

// Opens the piece `name` of a source, which must outlive it. Takes 8 MB. STATUS_MISSING,
// STATUS_CORRUPT, STATUS_NEWER, STATUS_OTHER_RULES, STATUS_NOT_YET, STATUS_NO_MEMORY, and what
// the source says.
MERELS_CHECKED enum status merels_compact_values_open(const struct byte_source *source,
                                                      const char *name,
                                                      const struct rules *rules,
                                                      struct compact_values **values,
                                                      struct error *err);

// NULL is allowed.
void merels_compact_values_close(struct compact_values *values);

// The value of a legal position in which nothing is due: -1, 0, 1. STATUS_MISSING if the file
// has no subspace with its counts; STATUS_NOT_YET, STATUS_CORRUPT, and what the source says.
// Any number of threads, one at a time; a position costs from a microsecond to some
// milliseconds.
MERELS_CHECKED enum status merels_compact_values_probe(struct compact_values *values,
                                                       const struct position *pos, int *value,
                                                       struct error *err);

// Decodes what the values of all plies of a legal position follow from, each block once and no
// further than is needed: looking these values up is cheap then. STATUS_NOT_YET tells the
// source of all that is wanted; other failures are those of one of the plies.
MERELS_CHECKED enum status merels_compact_values_prepare(struct compact_values *values,
                                                         const struct position *pos,
                                                         struct error *err);

// The subspaces that it covers, malloc'ed, in the order of the file.
MERELS_CHECKED enum status merels_compact_values_list(struct compact_values *values,
                                                      struct subspace **subspaces, size_t *n,
                                                      struct error *err);

#endif
