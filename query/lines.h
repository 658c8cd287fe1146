// lines.h: the lines of a stream, of bounded length.
//
// A line may come from anywhere: one without an end takes no more memory than any other, and a
// byte of value 0 hides nothing of what stands behind it. It ends with a line feed, a carriage
// return, or both in this order, as the systems write them.

#ifndef MERELS_QUERY_LINES_H
#define MERELS_QUERY_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "game/status.h"

enum { MAX_LINE_BYTES = 1 << 20 }; // without the line end

// ---- one line, byte by byte ----------------------------------------------------------------

// Begin with all of it zero; free text in the end.
struct input_line {
    char *text;        // room for MAX_LINE_BYTES and a byte of value 0; valid when it has ended
    size_t n;          // its bytes, those too that have no room
    bool after_return; // a line feed that follows belongs to the end of the line before
    bool ended;        // the next byte begins the next line
};

// Makes the room, once. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_line_prepare(struct input_line *line, struct error *err);

// Takes a byte; true if it ends the line, whose text then stands there.
bool merels_line_take(struct input_line *line, char c);

// Ends the line where its source ends; false if there is none.
bool merels_line_end(struct input_line *line);

// STATUS_BAD_INPUT if the line that has ended is too long or holds a byte of value 0.
MERELS_CHECKED enum status merels_line_check(const struct input_line *line, struct error *err);

// ---- the lines of a stream -----------------------------------------------------------------

// Begin with {.in = stream}, end with merels_lines_free; the stream stays the caller's.
struct lines {
    FILE *in;
    char *text;       // the line without its end; valid until the next one is read
    uint64_t n_lines; // read so far
    struct input_line line;
};

// Reads the next line; *read is false behind the last. STATUS_BAD_INPUT with *read true: the
// line holds a byte of value 0 or is too long, and was read to its end. STATUS_IO and
// STATUS_NO_MEMORY with *read false.
MERELS_CHECKED enum status merels_lines_next(struct lines *lines, bool *read,
                                             struct error *err);

void merels_lines_free(struct lines *lines);

#endif
