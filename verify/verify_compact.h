// verify_compact.h: checks a file of edition compact by a decoder of its own, written from
// docs/COMPACT.md alone. docs/VERIFY.md says what that proves.

#ifndef MERELS_VERIFY_VERIFY_COMPACT_H
#define MERELS_VERIFY_VERIFY_COMPACT_H

#include "verify/verify.h"
#include "verify/verify_counts.h"

struct compact_check {
    size_t n_subspaces, n_stored; // of the file; stored at least in part
    uint64_t n_slots;             // of all subspaces
    uint64_t n_stored_slots;      // decoded
    size_t n_derived;             // subspaces that are derived at least in part
    bool with_tables;             // compared with the tables of the directory
};

// Of the options: dir (its tables, if there are any; may be NULL), n_threads, memory_bytes,
// cpu_level, any_board; with n_samples so many groups of each stored subspace are compared with
// the tables, evenly spread, and nothing else of the values is checked. Head, models, groups
// and their checksums; that derivation ends within the plies of the head. If the directory has
// tables of all subspaces, every stored value is compared with them, and the tables of
// subspaces that are derived in part or as a whole are checked by their plies; else every
// position, stored or derived, is checked against its plies in memory. As merels_verify;
// STATUS_NEWER. What is wrong with the file names it and, behind the head, the subspace.
MERELS_CHECKED enum status merels_verify_compact(const char *rules_text, const char *path,
                                                 const struct verify_options *options,
                                                 const struct watch *watch,
                                                 struct compact_check *result,
                                                 struct error *err);

// What a subspace of the file comes to, in orbits.
struct compact_tally {
    struct counts counts;
    uint64_t n_slots, n_orbits;
    uint64_t win, draw, loss;
    uint64_t none; // orbits that are no position
};

// Checks the file alone, as merels_verify_compact without tables but every subspace, and tells
// `report` of each as it is done: fewer men in hand first. Fails as that does.
MERELS_CHECKED enum status
merels_verify_compact_count(const char *rules_text, const char *path,
                            const struct verify_options *options, const struct watch *watch,
                            void (*report)(void *context, const struct compact_tally *tally),
                            void *context, struct error *err);

// Compares all checksums of the file, and its head with the rules; decodes no value. Fails in
// the same words.
MERELS_CHECKED enum status merels_verify_compact_checksums(const char *rules_text,
                                                           const char *path, bool any_board,
                                                           struct error *err);

#endif
