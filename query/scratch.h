// scratch.h: a directory for tables that nobody keeps.

#ifndef MERELS_QUERY_SCRATCH_H
#define MERELS_QUERY_SCRATCH_H

#include "game/status.h"

// Makes an empty directory, readable by its owner only, in `parent` (NULL: $TMPDIR, else /tmp);
// *dir is malloc'ed. STATUS_IO, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_scratch_create(const char *parent, char **dir,
                                                 struct error *err);

// Removes the directory and the files in it. STATUS_IO, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_scratch_remove(const char *dir, struct error *err);

#endif
