// starts.h: for which starts a list of tables is complete.

#ifndef MERELS_DB_STARTS_H
#define MERELS_DB_STARTS_H

#include "db/manifest.h"

// Fills manifest->starts: every start whose subspaces are all listed and not dropped, by the
// men of the side that begins, then of the other; a function of the tables alone. Frees what
// was there. STATUS_NO_MEMORY. Takes a walk (db/arise.h) for each empty board that is listed.
MERELS_CHECKED enum status merels_manifest_find_starts(struct manifest *manifest,
                                                       const struct rules *rules,
                                                       struct error *err);

#endif
