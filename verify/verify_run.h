// verify_run.h: one run of the verifier: what its parts share.

#ifndef MERELS_VERIFY_VERIFY_RUN_H
#define MERELS_VERIFY_VERIFY_RUN_H

#include "verify/check_row.h"
#include "verify/table_files.h"
#include "verify/verify.h"

// Memory that is kept from table to table and only grows.
struct buffer {
    void *data;
    size_t n_bytes;
};

struct session {
    const struct ground *ground;
    const struct verify_options *options;
    const struct verify_watch *watch;
    const struct verify_kernels *kernels;
    struct source source;
    struct classes classes[GROUND_POINTS + 1]; // by men; empty until needed
    struct buffer values, pairs;
    struct verify_progress progress;
    double start_seconds; // of the stage
};

// Seconds of a clock that only goes forward.
double merels_verify_clock(void);

// Reports how far the stage is; true if the run should stop.
bool merels_verify_tick(struct session *session, uint64_t done, bool finished);

// The classes of so many men, made when first asked for; not from several threads.
MERELS_CHECKED enum status merels_verify_learn(struct session *session, int men,
                                               struct error *err);

// ---- successors ----------------------------------------------------------------------------

// Which tables the positions of a table lead to. Without any (`ended`) all of them have one
// value: a mover with too few men, or a full board.
struct needs {
    bool ended;
    uint8_t ended_value;
    struct counts quiet;   // after a ply that removes nothing
    bool removes;          // a ply can remove a man that leaves the other side enough
    bool removal_ends;     // a removal leaves the other side too few: lost in 0
    struct counts removal; // after a removal
};
struct needs merels_verify_needs(const struct charter *charter, struct counts counts);

// ---- one position (judge.c) ----------------------------------------------------------------

struct verdict {
    int value;      // that the stored values of the successors demand
    char ply[24];   // one that leads to it; empty if there is none
    char reply[96]; // the position after it
    int reply_value;
};

// The slow and plain way: all plies of the position in a slot, one after another. The classes
// of the men concerned must have been learned. Any thread.
MERELS_CHECKED enum status merels_verify_judge(const struct session *session,
                                               const struct source_table *table, uint64_t slot,
                                               struct verdict *verdict, struct error *err);

// Makes the mismatch of a slot an error: position, stored and recomputed value, the ply.
enum status merels_verify_accuse(const struct session *session,
                                 const struct source_table *table, uint64_t slot, int stored,
                                 struct error *err);

// The position of a slot as text, "w a7,d7 g4 0/0".
enum { PLACE_TEXT_BYTES = 96 };
void merels_verify_place(const struct session *session, const struct source_table *table,
                         uint64_t slot, char out[PLACE_TEXT_BYTES]);

// "win in 5", "loss in 4", "draw"; without depths "win", "loss"
const char *merels_verify_value_text(const struct session *session, int value, char out[24]);

// ---- one table (load.c, check.c) -----------------------------------------------------------

// The memory that checking a table takes, in bytes.
uint64_t merels_verify_bytes(const struct session *session, const struct source_table *table);

// Checks all slots of a table, its value hash and its counts, or `n_samples` slots.
MERELS_CHECKED enum status merels_verify_table(struct session *session,
                                               const struct source_table *table,
                                               struct error *err);
MERELS_CHECKED enum status merels_verify_samples(struct session *session,
                                                 const struct source_table *table,
                                                 struct error *err);

// load.c: the view of a table, with the pairs of its successors, and its values in
// session->values. Free the view also after a failure.
MERELS_CHECKED enum status merels_verify_load(struct session *session,
                                              const struct source_table *table,
                                              const struct needs *needs, struct view *view,
                                              struct error *err);
void merels_verify_unload(struct view *view);
uint64_t merels_verify_load_bytes(const struct session *session,
                                  const struct source_table *table);

// An outcome that several threads share: the first failure stays.
struct outcome {
    enum status status;
    struct error error;
};
void merels_verify_fail(struct outcome *outcome, enum status status, const struct error *error);
bool merels_verify_failed(struct outcome *outcome);

// ---- notes and record (notes.c) ------------------------------------------------------------

// Which tables an earlier run has checked, as `noted` by table number: those whose own file and
// whose successors' files are the same as then.
MERELS_CHECKED enum status merels_verify_read_notes(const struct session *session, bool *noted,
                                                    struct error *err);
MERELS_CHECKED enum status merels_verify_write_notes(const struct session *session,
                                                     const bool *noted, struct error *err);

// DIR/VERIFIED, or DIR/CONSISTENT for the edition wdl: written after everything was checked;
// both are removed as soon as they are not true.
MERELS_CHECKED enum status merels_verify_write_record(const struct session *session,
                                                      uint64_t n_slots, struct error *err);
MERELS_CHECKED enum status merels_verify_drop_record(const struct session *session,
                                                     struct error *err);

#endif
