// progress_display.h: how far a long run is, on standard error.
//
// On a terminal one line is written again and again and stays when a piece is finished;
// elsewhere there is a line after the first second, one every 30 seconds, and one for every
// finished piece.

#ifndef MERELS_QUERY_PROGRESS_DISPLAY_H
#define MERELS_QUERY_PROGRESS_DISPLAY_H

#include <stdio.h>

#include "work/progress.h"

struct progress_display {
    FILE *stream;
    const char *noun; // what a piece is: "unit", "table"
    bool terminal;
    bool line_open;      // a line without its newline is on the terminal
    double seen_seconds; // of the run, at the last report
    double next_seconds; // no line before this moment of the run
};

struct progress_display merels_display_start(FILE *stream, const char *noun);

// For watch.report; `context` is the struct progress_display. Several runs may follow each
// other.
void merels_display_report(const struct progress *now, void *context);

// For watch.note: a line of its own.
void merels_display_note(const char *text, void *context);

// Ends an open line, so that a message can follow.
void merels_display_end(struct progress_display *display);

#endif
