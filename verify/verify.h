// verify.h: checks a tablebase slot by slot, with rules, moves and index of its own.
//
// Every value and depth is recomputed from the stored values of the position's successors; in
// addition hashes, checksums, counts, symmetric slots and the closed formulas. docs/VERIFY.md
// says what that proves, and how much less it is for tables without depths (edition wdl). The
// code is written from docs/FORMAT.md and shares only the reader of table files with the rest
// of Merels.

#ifndef MERELS_VERIFY_VERIFY_H
#define MERELS_VERIFY_VERIFY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/status.h"

// Changes when the verifier changes what it checks: notes and records of another version are
// void.
enum { VERIFY_VERSION = 1 };

struct verify_options {
    const char *dir;       // of the tablebase
    int n_threads;         // at least 1
    uint64_t memory_bytes; // limit; 0: none
    uint64_t n_samples;    // random slots of each table instead of all; 0: all
    const char *cpu_level; // NULL: the best; "portable" or "v3" to force one
};

enum verify_stage { VERIFY_FILES, VERIFY_TABLES };

struct verify_progress {
    enum verify_stage stage;
    const char *table;       // its name
    size_t number, n_tables; // of this table (from 0), of all
    bool finished;           // this table is done
    uint64_t done, total;    // of the stage in this run: bytes of files, or slots
    double elapsed_seconds;  // since the stage began
};

struct verify_watch {
    void (*report)(const struct verify_progress *progress, void *context); // may be NULL
    void *context;
    const atomic_int *stop; // may be NULL; non-zero: stop soon; tables checked stay noted
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
    bool recorded;       // DIR/VERIFIED was written; without depths DIR/CONSISTENT
    char root[VERIFY_HASH_DIGITS + 1];
    char lack[VERIFY_LACK_BYTES]; // which table is lacking for what, if any was left out
};

// The record of a full check: what DIR/VERIFIED holds, and for tables without depths
// DIR/CONSISTENT. It depends on nothing but its arguments. Returns the length.
enum { VERIFY_RECORD_BYTES = 256 };
int merels_verify_record(const char *root, uint64_t n_tables, uint64_t n_slots, bool wdl,
                         char text[VERIFY_RECORD_BYTES]);

// Verifies the tablebase of a rules text (docs/FORMAT.md, section 8). *result is filled as far
// as the check came. STATUS_MISMATCH with the position, both values and the ply, or with what
// else disagrees; STATUS_MISSING if there is no manifest, a file of the manifest is not there,
// or tables were left out; STATUS_CORRUPT, STATUS_UNSUPPORTED (rules or values that cannot be
// judged), STATUS_OTHER_RULES, STATUS_INTERRUPTED, STATUS_TOO_LITTLE, STATUS_NO_MEMORY,
// STATUS_IO.
MERELS_CHECKED enum status merels_verify(const char *rules_text,
                                         const struct verify_options *options,
                                         const struct verify_watch *watch,
                                         struct verify_result *result, struct error *err);

#endif
