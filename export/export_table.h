// export_table.h: one table of win, draw and loss from one with depths.

#ifndef MERELS_EXPORT_EXPORT_TABLE_H
#define MERELS_EXPORT_EXPORT_TABLE_H

#include "db/tablebase.h"
#include "work/progress.h"

// Writes the edition wdl of `source`, a table of the directory `dir` (for messages), into
// out_dir; not its entry in the manifest. Counts slots in the piece of the meter that is at
// work. A source whose values do not have the hash of its header gives no table:
// STATUS_CORRUPT. STATUS_INTERRUPTED, STATUS_NO_MEMORY, and as reading and writing tables.
MERELS_CHECKED enum status merels_export_table(const struct rules *rules,
                                               const struct table *source, const char *dir,
                                               const char *out_dir, int n_threads,
                                               struct meter *meter, struct error *err);

#endif
