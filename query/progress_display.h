// progress_display.h: how far a solve is, on standard error.
//
// On a terminal one line is written again and again and stays when a unit is finished;
// elsewhere there is a line every 30 seconds and one for every finished unit.

#ifndef MERELS_QUERY_PROGRESS_DISPLAY_H
#define MERELS_QUERY_PROGRESS_DISPLAY_H

#include <stdbool.h>
#include <stdio.h>

#include "solver/solve.h"

struct progress {
    FILE *stream;
    bool terminal;
    bool line_open;      // a line without its newline is on the terminal
    double next_seconds; // no report before this moment of the run
};

struct progress merels_progress_start(FILE *stream);

// For solve_watch.report; `context` is the struct progress.
void merels_progress_report(const struct solve_progress *now, void *context);

// Ends an open line, so that a message can follow.
void merels_progress_end(struct progress *progress);

// The subspaces of a unit, "9-8 8-9"; returns `out`.
enum { UNIT_NAME_BYTES = MAX_UNIT_SUBSPACES * SUBSPACE_NAME_BYTES };
const char *merels_unit_name(const struct work_unit *unit, char out[UNIT_NAME_BYTES]);

#endif
