// output.h: everything that a command writes: data on standard output, messages on standard
// error, and the exit status that goes with an outcome.
//
// A command writes through a struct output, which remembers the first write that failed (a full
// disk, a closed pipe); the caller asks once, at the end. Not thread-safe: one thread writes.

#ifndef MERELS_QUERY_OUTPUT_H
#define MERELS_QUERY_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "game/status.h"

struct output {
    FILE *stream;
    int failure; // errno of the first write that failed; 0 while all went well
};

// Writes as printf does. After a failure further text is dropped.
void merels_print(struct output *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Writes what is buffered. STATUS_IO if this or any earlier write failed.
MERELS_CHECKED enum status merels_output_flush(struct output *out, struct error *err);

// Writes a JSON value and a newline, on one line or indented, and releases it. A NULL value is
// what jansson returns when memory runs out: STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_print_json(struct output *out, json_t *value, bool one_line,
                                             struct error *err);

// A JSON string of any bytes: text that is not UTF-8 loses its bytes above 127 to '?'.
json_t *merels_json_text(const char *text);

// A JSON integer, or null if the number is negative (a depth that does not occur).
json_t *merels_json_plies(int plies);

// One line "merels: TEXT" on standard error; control characters become '?'.
void merels_complain(const char *text);

// 0 done; 2 wrong usage or malformed input; 1 everything else.
int merels_exit_status(enum status status);

#endif
