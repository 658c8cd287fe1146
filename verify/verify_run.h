// verify_run.h: one run of the verifier: what all its parts work with, and the memory that is
// kept from table to table.

#ifndef MERELS_VERIFY_VERIFY_RUN_H
#define MERELS_VERIFY_VERIFY_RUN_H

#include "verify/check_row.h"
#include "verify/table_files.h"
#include "work/progress.h"

// Memory that only grows.
struct buffer {
    void *data;
    size_t n_bytes;
};

struct verify_run {
    struct verify_index *index;
    const struct row_checks *checks;
    int n_threads;
    struct table_files files;
    struct classes classes[VERIFY_POINTS + 1]; // by men; empty until needed
    struct buffer values;                      // of the table under check
    struct buffer pairs;                       // of its successors, or
    struct buffer successors[MAX_WAYS];        // their values, way by way
    struct meter meter;                        // only one thread at a time ticks
};

// Begins a run (all zero before): the index of the rules (see merels_verify_index_create), and
// the row checks of a processor level (NULL: the best one). STATUS_BAD_INPUT: this processor is
// not of that level. Free it also after a failure.
MERELS_CHECKED enum status merels_verify_run_start(struct verify_run *run,
                                                   const char *rules_text, bool any_board,
                                                   const char *cpu_level, int n_threads,
                                                   struct error *err);

// Frees what the run holds; all zero is allowed.
void merels_verify_run_free(struct verify_run *run);

// Makes a buffer at least n_bytes long, on huge pages where the system has them; what it held
// is lost. The rounding takes VERIFY_ROUNDING_BYTES at most.
enum { VERIFY_ROUNDING_BYTES = 1 << 21 };
MERELS_CHECKED enum status merels_verify_grow(struct buffer *buffer, uint64_t n_bytes,
                                              struct error *err);

// Makes the classes that the positions of a table and those after their plies need; not from
// several threads.
MERELS_CHECKED enum status merels_verify_learn(struct verify_run *run, struct counts counts,
                                               struct error *err);

// Tells the meter that `part` of the stage is done, if this is the first of the threads.
// STATUS_INTERRUPTED if the run should stop.
MERELS_CHECKED enum status merels_verify_tick(struct verify_run *run, double part,
                                              struct error *err);

#endif
