// table_output.h: writes one table by all threads: pieces hashed and blocks compressed by all
// of them, blocks appended in order.
//
//     values --> | piece of the value hash | piece | ... |   a batch: two pieces a thread
//                | block | block | block | ...
//                    |       |       |     all hashed and compressed at once
//                    v       v       v
//     file       | block | block | block | ...

#ifndef MERELS_WORK_TABLE_OUTPUT_H
#define MERELS_WORK_TABLE_OUTPUT_H

#include "db/writer.h"

struct table_output;

// Starts the file of a table of an edition: dtm with values of value_bytes (1 or 2,
// little-endian) each, or wdl (value_bytes 0). Until the finish only a temporary file exists.
// STATUS_BAD_INPUT (as merels_table_create), STATUS_IO, STATUS_NO_MEMORY.
MERELS_CHECKED enum status
merels_table_output_create(const char *dir, const struct rules *rules, struct subspace subspace,
                           enum edition edition, int value_bytes, int n_threads,
                           struct table_output **output, struct error *err);

// A run of whole pieces of a table (HASH_PIECE_SLOTS, the last one of the table may be
// shorter), as it is made before anybody knows where in the file it goes.
struct table_part {
    uint8_t *bytes; // the blocks as they are stored, one behind the other
    uint64_t n_bytes;
    struct written_blocks blocks;
    uint64_t n_pieces;
    uint8_t *digests; // of the pieces, SHA256_BYTES each
};

// Starts a part of n_slots slots, which stays in memory: about what it takes in the file, and
// what an output takes. As above.
MERELS_CHECKED enum status
merels_table_output_create_part(enum edition edition, int value_bytes, uint64_t n_slots,
                                int n_threads, struct table_output **output, struct error *err);

// Ends a part, and frees the output, also on failure. STATUS_BAD_INPUT if slots are missing.
MERELS_CHECKED enum status merels_table_output_end_part(struct table_output *output,
                                                        struct table_part *part,
                                                        struct error *err);
void merels_table_part_free(struct table_part *part); // all zero is allowed

// Slots that an append takes best: a whole batch, a multiple of HASH_PIECE_SLOTS.
uint64_t merels_table_output_batch(const struct table_output *output);

// Compresses, hashes and writes the next n_slots slots: values as they stand in a block
// (edition wdl: packed codes, four a byte). STATUS_BAD_INPUT behind a part of a block or the
// last slot.
MERELS_CHECKED enum status merels_table_output_append(struct table_output *output,
                                                      const uint8_t *values, uint64_t n_slots,
                                                      struct error *err);

// Writes index and header, syncs, gives the file its name. Frees the output, also on failure.
MERELS_CHECKED enum status merels_table_output_finish(struct table_output *output,
                                                      const struct table_stats *stats,
                                                      struct error *err);

// Gives up: nothing is left. NULL is allowed.
void merels_table_output_abort(struct table_output *output);

// Bytes of the blocks that an output holds, and of a piece, for so many threads; twice as many
// with values of two bytes.
uint64_t merels_table_output_bytes(enum edition edition, int n_threads);

#endif
