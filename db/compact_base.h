// compact_base.h: the file of edition compact that a source holds: which one it is, and its
// values, opened when first needed.

#ifndef MERELS_DB_COMPACT_BASE_H
#define MERELS_DB_COMPACT_BASE_H

#include <stdbool.h>

#include "db/compact_values.h"

struct compact_base;

// Does the path name a file of edition compact, whether it is there or not? By its ending, or
// by its first bytes; a directory is none.
bool merels_compact_path(const char *path);

// Of the path of such a file its parent and its name, else the path and NULL. Both are
// malloc'ed.
MERELS_CHECKED enum status merels_compact_base_split(const char *path, char **parent,
                                                     char **name, struct error *err);

// Nothing is read yet. `name` (malloc'ed, taken also after a failure): the file; NULL: not
// said. Source and rules must outlive it. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_compact_base_create(const struct byte_source *source,
                                                      const struct rules *rules, char *name,
                                                      struct compact_base **base,
                                                      struct error *err);

// NULL is allowed. No other call may be running or come later.
void merels_compact_base_destroy(struct compact_base *base);

// Is it all that the source holds? True if its name was said, or if the source lists one such
// file, and no tables. Before any other thread uses `base`.
MERELS_CHECKED enum status merels_compact_base_alone(struct compact_base *base, bool *alone,
                                                     struct error *err);

// The values. Any number of threads. STATUS_MISSING if there is no such file, or several; as
// merels_compact_values_open.
MERELS_CHECKED enum status merels_compact_base_values(struct compact_base *base,
                                                      struct compact_values **values,
                                                      struct error *err);

// The file's name; only after merels_compact_base_values has succeeded.
const char *merels_compact_base_name(const struct compact_base *base);

#endif
