// export_compact.h: edition compact of a whole game in one file.

#ifndef MERELS_COMPACT_EXPORT_COMPACT_H
#define MERELS_COMPACT_EXPORT_COMPACT_H

#include "compact/compact_plan.h"
#include "work/progress.h"

// Each further ply of derivation takes some three times the time of an answer (PERFORMANCE.md),
// and saves less than the one before.
enum { COMPACT_MOST_PLIES = 4 };

struct compact_options {
    const char *dir;     // of the tablebase of edition dtm
    const char *out_dir; // of the new file, and its name there
    const char *out_name;
    int n_plies;   // of derivation at most where men are in hand: 1 to COMPACT_MOST_PLIES
    int n_threads; // 0: all processors
    // Told of every stored subspace as it is finished; may be NULL.
    void (*report)(struct subspace subspace, uint8_t stored, uint64_t n_slots, uint64_t n_bytes,
                   void *context);
    void *context;
};

struct compact_result {
    size_t n_subspaces, n_stored; // of them at least in part
    uint64_t n_slots;             // of all, whether stored or derived
    uint64_t file_bytes;
    int most_placing, most_moving; // plies of derivation: with men in hand, and without
};

// Writes all tables of `dir` as edition compact into out_dir/out_name, which appears when it is
// whole. An export that was stopped, or failed, keeps what is finished in out_name.part with
// out_name.progress, and the same call goes on from there. The same tables give the same bytes,
// whatever the number of threads. What stands there is replaced only if it is a file of edition
// compact of these rules, be it damaged. STATUS_BAD_INPUT if it is anything else, if there are
// no depths in `dir`, or for a number of plies out of bounds; STATUS_OTHER_RULES if it is such
// a file of other rules; STATUS_UNSUPPORTED for boards without room in the format and for rules
// whose depths do not count to the end of the game; STATUS_INTERRUPTED, and what reading and
// writing give. watch may be NULL.
MERELS_CHECKED enum status merels_export_compact(const struct rules *rules,
                                                 const struct compact_options *options,
                                                 const struct watch *watch,
                                                 struct compact_result *result,
                                                 struct error *err);

#endif
