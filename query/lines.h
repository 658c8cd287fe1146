// lines.h: the lines of a stream, of bounded length.
//
// A line may come from anywhere: one without an end takes no more memory than any other, and a
// byte of value 0 hides nothing of what stands behind it.

#ifndef MERELS_QUERY_LINES_H
#define MERELS_QUERY_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "game/status.h"

enum { MAX_LINE_BYTES = 1 << 20 }; // without the line end

// Begin with {.in = stream}, end with merels_lines_free; the stream stays the caller's.
struct lines {
    FILE *in;
    char *text;       // the line without its end; valid until the next one is read
    uint64_t n_lines; // read so far
};

// Reads the next line; *read is false behind the last. STATUS_BAD_INPUT with *read true: the
// line holds a byte of value 0 or is too long, and was read to its end. STATUS_IO and
// STATUS_NO_MEMORY with *read false.
MERELS_CHECKED enum status merels_lines_next(struct lines *lines, bool *read,
                                             struct error *err);

void merels_lines_free(struct lines *lines);

#endif
