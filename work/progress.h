// progress.h: how far a long run is, told to whoever shows it, and whether it should stop.
//
// A run works on pieces (work units, tables), a piece goes through stages. The meter turns
// "this part of the stage is done" into one figure for the run:
//
//     run    |-- piece 0 --|------ piece 1 -------|-- piece 2 --|        total
//                          |stage|   stage  |stage|
//                                   ^ done = pieces before + stages before + part of this one
//
// Invariant: `done` and `part` never fall. One thread at a time calls a meter.
//
// A run that knows what its pieces should take says so (merels_meter_expect). The time left is
// then what is expected of the rest, times a factor: what has been done took so many times as
// long as was expected of it. So an estimate that is wrong for this machine, or made while it
// did other work, corrects itself from the first piece on. Without it the rest is taken to go
// on like what has been done.

#ifndef MERELS_WORK_PROGRESS_H
#define MERELS_WORK_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PROGRESS_TEXT_BYTES = 48 };

// A report.
struct progress {
    const char *unit;                // what `done` counts: "slots", "bytes", "positions"
    size_t number, n_pieces;         // of the piece at work, from 0; 0 of 0: there are none
    char piece[PROGRESS_TEXT_BYTES]; // its name: "9-8 8-9"
    char stage[PROGRESS_TEXT_BYTES]; // "depth 12"
    bool finished;                   // this piece is done
    uint64_t done, total;            // of the run; total 0: not known
    double part;                     // of the run's time that is over, 0 to 1; 0: not known
    double elapsed_seconds;          // since the run began
    double left_seconds;             // until it ends; below 0: not known
};

// What a caller gives to a long run. The flag may be set by a signal handler.
struct watch {
    void (*report)(const struct progress *progress, void *context); // may be NULL
    void *context;
    const atomic_int *stop; // may be NULL; non-zero: stop soon, keep everything finished
    void (*note)(const char *text, void *context); // may be NULL; a line to be said beside it
};

struct meter {
    const struct watch *watch; // may be NULL: nobody asks
    struct progress now;
    double started;
    uint64_t before; // done before this piece
    uint64_t size;   // of this piece
    double stages;   // share of the piece's stages that are over
    double share;    // of the stage at work
    double expected; // seconds of the run; 0: nothing is expected
    double expected_before, expected_piece;
};

// Starts a run of n_pieces pieces that add up to `total`; `watch` must outlive the meter.
void merels_meter_start(struct meter *meter, const struct watch *watch, const char *unit,
                        uint64_t total, size_t n_pieces);

// Begins piece `number`, of `size` of the total. What the piece before lacked counts as done.
void merels_meter_piece(struct meter *meter, size_t number, const char *name, uint64_t size);

// The run, once it has started, is expected to take so many seconds; and a piece, once it has
// begun. Those of the pieces add up to the run's.
void merels_meter_expect(struct meter *meter, double seconds);
void merels_meter_expect_piece(struct meter *meter, double seconds);

// Begins a stage that takes `share` (0 to 1) of the piece; the stage before is over. Shares of
// a piece add up to 1 at most.
void merels_meter_stage(struct meter *meter, const char *stage, double share);

// Another name for the stage at work ("depth 13"): its share goes on.
void merels_meter_rename(struct meter *meter, const char *stage);

// This part (0 to 1) of the stage is done, never less than told before: reports. True if the
// run should stop.
bool merels_meter_tick(struct meter *meter, double part);

// The same for a piece without stages: so many of it are done, no more than its size if the
// total is known.
bool merels_meter_count(struct meter *meter, uint64_t n_done);

// The piece is done: reports it as finished. True if the run should stop.
bool merels_meter_finish(struct meter *meter);

// Without a report: true if the run should stop. Any thread.
bool merels_meter_stops(const struct meter *meter);

// Seconds of a clock that only goes forward.
double merels_clock_seconds(void);

#endif
