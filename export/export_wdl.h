// export_wdl.h: the tables of another edition, made from those with depths.

#ifndef MERELS_EXPORT_EXPORT_WDL_H
#define MERELS_EXPORT_EXPORT_WDL_H

#include "db/tablebase.h"
#include "work/hands.h"
#include "work/progress.h"

struct export_options {
    const char *dir;           // of the tablebase of edition dtm
    const char *out_dir;       // of the new one; created, its parents too
    int n_threads;             // 0: all processors
    const struct hands *hands; // write the tables by merels_export_table; NULL: this process
};

struct export_result {
    size_t n_tables;     // in out_dir now
    size_t n_written;    // of them by this run
    uint64_t n_slots;    // of all of them
    uint64_t file_bytes; // of all of them
    uint8_t root_hash[SHA256_BYTES];
};

// Writes the edition wdl of every table in `dir` into `out_dir`, one after the other, smallest
// first, with its manifest. Tables that are there already are kept if their counts are those of
// the source. Every source table is read whole and its value hash checked. The same source
// gives the same bytes (for one version of zstd), whatever the number of threads. About 10
// million slots a CPU second; at most 8 MB of buffers a thread. STATUS_MISSING in the end if
// the manifest of `dir` lists tables that are not there. STATUS_BAD_INPUT if `dir` has no
// depths or `out_dir` has; STATUS_CORRUPT and the other failures of reading and writing tables;
// STATUS_INTERRUPTED. What was finished before stays valid and a later call goes on from there.
// One call per out_dir at a time. The pieces of its progress are the tables still to be
// written, in slots; one is finished once it is in the manifest. watch may be NULL.
MERELS_CHECKED enum status merels_export_wdl(const struct rules *rules,
                                             const struct export_options *options,
                                             const struct watch *watch,
                                             struct export_result *result, struct error *err);

#endif
