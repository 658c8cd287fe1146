// upkeep.h: what becomes of the tables of a unit once it is solved.
//
//     files written, synced --> checked --> in the manifest --> what is free: converted -->
//     not kept, says the manifest --> files removed
//
// A run that is killed between any two of these goes on there. Checking and converting are the
// caller's: the solver knows neither the verifier nor the export.

#ifndef MERELS_SOLVER_UPKEEP_H
#define MERELS_SOLVER_UPKEEP_H

#include "db/manifest_notes.h"
#include "db/tablebase.h"
#include "solver/standing.h"
#include "work/progress.h"

// What a run asks of those above it.
struct upkeep {
    void *context;

    // Checks the tables of a unit, whose files are there, against those of their successors,
    // and fills one evidence for each with what it has read. Ticks the stage at work.
    // STATUS_MISMATCH if a table is wrong: its file is put aside then. Not asked with
    // options.verifier 0.
    enum status (*verify)(void *context, const struct work_unit *work, struct meter *meter,
                          struct evidence evidence[MAX_UNIT_SUBSPACES], struct error *err);

    // Writes the edition wdl of a table into the directory. Asked with KEEP_WDL only.
    enum status (*convert)(void *context, const struct table *table, struct meter *meter,
                           struct error *err);
};

// The files and the manifest of a run.
struct holdings {
    const struct rules *rules;
    const struct plan *plan;
    const struct solve_options *options;
    struct meter *meter;
    struct manifest manifest; // as it stands in the directory
    struct needs *needs;
    struct tablebase *base; // the finished tables
    size_t n_removed;       // files, so far
};

// Reads the manifest, enters what is finished and lacks there, lets go what an earlier part of
// the run would have let go, and opens the tables. STATUS_MISMATCH if a table was made again
// with other values. End it also after a failure.
MERELS_CHECKED enum status merels_holdings_begin(const struct rules *rules,
                                                 const struct plan *plan,
                                                 const struct solve_options *options,
                                                 struct meter *meter, struct holdings *holdings,
                                                 struct error *err);
void merels_holdings_end(struct holdings *holdings);

// What a check has found of a unit whose files are there.
struct checked {
    enum status status; // OK where the run does not check
    struct error reason;
    struct evidence evidence[MAX_UNIT_SUBSPACES];
};

// Checks a unit, if the run checks.
void merels_upkeep_check(const struct solve_options *options, const struct work_unit *work,
                         struct meter *meter, struct checked *checked);

// Enters a unit that was found right and lets go what is free now; puts one that was found
// wrong aside.
MERELS_CHECKED enum status merels_holdings_take(struct holdings *holdings,
                                                const struct work_unit *work,
                                                const struct checked *checked,
                                                struct error *err);

// Both.
MERELS_CHECKED enum status merels_holdings_add(struct holdings *holdings,
                                               const struct work_unit *work, struct error *err);

#endif
