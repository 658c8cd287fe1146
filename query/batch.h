// batch.h: many positions, one a record of a stream, one JSON object each.

#ifndef MERELS_QUERY_BATCH_H
#define MERELS_QUERY_BATCH_H

#include "query/command.h"

// Reads a position from every record of `in` (records.h) and prints an object for each, in
// order (see answer_json.h). One without an answer gives {"line": N, "error": TEXT, "status":
// NAME} and the run goes on. A label comes back as "label". Each object is flushed, so that a
// program can ask and wait. STATUS_MISMATCH if there were such lines, STATUS_IO if a read or
// write failed.
MERELS_CHECKED enum status merels_batch_probe(struct context *context, FILE *in,
                                              struct error *err);

#endif
