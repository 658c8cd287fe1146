// side_output.h: what a side's rows have become: counts for the header, and the table file.
//
// Rows come range after range, and a range's codes window after window of steps. As long as
// there is one window, values go straight to the table. Where depths go beyond it they wait in
// a file without a name beside the table:
//
//     spill    window 0 [a byte a slot: code + 1, or 0: not decided in it]
//              window 1 [the same]   ...
//     table    the sum: one byte a slot, or two if a depth is over 254 plies

#ifndef MERELS_SOLVER_SIDE_OUTPUT_H
#define MERELS_SOLVER_SIDE_OUTPUT_H

#include "db/file.h"
#include "solver/engine.h"
#include "work/table_output.h"

struct side_output {
    struct engine *engine;
    const struct side *side;
    uint64_t fresh[MAX_DEPTH + 1]; // by code of the window: orbits, not yet in `decided`
    uint64_t *decided;             // by step, n_steps of them: orbits
    int n_steps;
    uint64_t n_orbits;          // of all rows taken
    uint64_t n_none;            // of them no position
    int deepest[2];             // by result: the last step; -1
    uint64_t first_slot[2];     // with it
    bool direct;                // values go straight to the table
    struct table_output *table; // NULL before the first and where values wait
    char *spill_name;           // for messages: the file has none; NULL: no value waits
    struct file spill;
    int n_windows; // in the spill
};

// Begins the output of a side. `direct`: rows that are taken without `more` go straight to the
// table, unless some wait already: their steps are known to be in the first window, or no later
// one comes for any rows. Else only a range of all rows goes straight.
void merels_side_output_begin(struct engine *engine, const struct side *side, bool direct,
                              struct side_output *output);

// Slots that a step has decided in rows without symmetries; the others are counted by `take`.
void merels_side_output_count(struct side_output *output, int step, uint64_t n_slots);

// Takes the codes of the rows in memory; `more`: another window of the same rows follows. A
// table for which no value waits is finished with its last rows. STATUS_INTERRUPTED, STATUS_IO.
MERELS_CHECKED enum status merels_side_output_take(struct side_output *output, bool more,
                                                   struct error *err);

// Writes what waits, and finishes its table. The last stage of a piece on the meter.
MERELS_CHECKED enum status merels_side_output_finish(struct side_output *output,
                                                     struct error *err);

// Frees everything; a table that is not finished is removed.
void merels_side_output_end(struct side_output *output);

#endif
