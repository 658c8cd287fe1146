// verify.h: checks a tablebase slot by slot, with rules, moves and index of its own.
//
// Every value and depth is recomputed from the stored values of the position's successors; in
// addition hashes, checksums, counts, symmetric slots and the closed formulas. docs/VERIFY.md
// says what that proves, and how much less it is for tables without depths (edition wdl). The
// code is written from docs/FORMAT.md and shares only the reader of table files and the meter
// of progress with the rest of Merels.

#ifndef MERELS_VERIFY_VERIFY_H
#define MERELS_VERIFY_VERIFY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/status.h"
#include "verify/verify_record.h"
#include "work/hands.h"
#include "work/progress.h"

struct verify_options {
    const char *dir;       // of the tablebase
    bool wdl;              // its tables of edition wdl, where others stand beside them
    int n_threads;         // at least 1
    uint64_t memory_bytes; // limit; 0: none
    uint64_t n_samples;    // random slots of each table instead of all; 0: all
    const char *cpu_level; // NULL: the best; one of check_levels.h to force it
    const char
        *record_file;   // for the record, with notes beside it; NULL: both in the directory
    bool keeps_nothing; // no record and no notes: nothing at all is written
    bool any_board;     // a board of 24 points need not be of the verifier's own list
    const struct hands *hands; // check the tables by merels_verify_one (verify_unit.h); each
                               // gives its struct read_tables; NULL: this process. Samples and
                               // edition wdl are not for them
};

enum { VERIFY_HASH_DIGITS = 64, VERIFY_LACK_BYTES = 128 };

struct verify_result {
    size_t n_tables;     // that the manifest lists
    size_t n_checked;    // in this run
    size_t n_noted;      // checked by an earlier run and unchanged since
    size_t n_left_out;   // not checked: a table that they need is not there
    uint64_t n_slots;    // of the tables checked or noted; with n_samples the slots looked at
    uint64_t peak_bytes; // the largest memory need of one table
    bool wdl;            // edition without depths: values consistent, not proved
    bool recorded;       // the record was written
    char root[VERIFY_HASH_DIGITS + 1];
    char lack[VERIFY_LACK_BYTES]; // which table is lacking for what, if any was left out
};

// Whether record and notes of such a check can be written where they belong. STATUS_IO with the
// reason; STATUS_BAD_INPUT if record_file is there and is no record; STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_verify_may_write(const struct verify_options *options,
                                                   struct error *err);

// Verifies the tablebase of a rules text (docs/FORMAT.md, section 8). *result is filled as far
// as the check came. Pieces of the progress: the files, then one for each table.
// STATUS_MISMATCH with the position, both values and the ply, or with what else disagrees;
// STATUS_MISSING if there is no manifest, a file of the manifest is not there, or tables were
// left out; STATUS_CORRUPT, STATUS_UNSUPPORTED (rules or values that cannot be judged),
// STATUS_OTHER_RULES, STATUS_INTERRUPTED, STATUS_TOO_LITTLE, STATUS_NO_MEMORY, STATUS_IO.
MERELS_CHECKED enum status merels_verify(const char *rules_text,
                                         const struct verify_options *options,
                                         const struct watch *watch,
                                         struct verify_result *result, struct error *err);

#endif
