// batch.h: many positions, one a record of a stream, one JSON object each.

#ifndef MERELS_QUERY_BATCH_H
#define MERELS_QUERY_BATCH_H

#include "query/command.h"
#include "query/records.h"

struct batch {
    struct context *context;
    struct records records; // of the stream
    uint64_t n_bad;         // without an answer, so far
    struct error note;      // what was odd in the last record; STATUS_OK if nothing
};

// Begins to read `in`, which stays the caller's; end with merels_batch_free.
struct batch merels_batch_begin(struct context *context, FILE *in);

// Reads the position of the next record (records.h), which is text or a line of JSON as
// {"position": "startpos moves d6", "label": "a"}, and prints its object to context->out (see
// answer_json.h). One without an answer gives {"line": N, "error": TEXT, "status": NAME}. A
// label comes back as "label". *more is false behind the last. STATUS_IO if the stream cannot
// be read, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_batch_step(struct batch *batch, bool *more,
                                             struct error *err);
void merels_batch_free(struct batch *batch);

// All of a stream. Each object is flushed, so that a program can ask and wait. STATUS_MISMATCH
// if there were positions without an answer, STATUS_IO if a read or write failed.
MERELS_CHECKED enum status merels_batch_probe(struct context *context, FILE *in,
                                              struct error *err);

#endif
