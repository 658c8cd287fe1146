// table_output.c: one table written by all threads.
//
// A batch is PIECES_PER_THREAD pieces of the value hash for each thread, and the blocks in
// them. A job hashes one piece or compresses one block; which thread takes which job changes
// nothing in the file. The pieces come first, since they are the longer jobs of edition dtm.

#include "work/table_output.h"

#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "db/codec.h"
#include "db/value_hash.h"

enum { PIECES_PER_THREAD = 2 };

struct table_output {
    struct table_writer *writer; // NULL: of a part
    struct table_part part;
    uint64_t bytes_room; // of part.bytes
    enum edition edition;
    int value_bytes, n_threads;
    uint64_t block_slots, n_slots, n_appended; // of a block; of the table, and so far
    size_t n_blocks, room;                     // blocks of a batch; bytes per block of `stored`
    uint8_t *pending; // the begun piece, between appends: n_appended % HASH_PIECE_SLOTS slots;
                      // NULL before the first append that ends within a piece
    struct block_coder **coders; // one per thread
    uint8_t *stored;
    size_t *stored_bytes;
    struct value_hash hash;
};

// ---- making and freeing --------------------------------------------------------------------

static uint64_t batch_slots(int n_threads)
{
    return (uint64_t)n_threads * PIECES_PER_THREAD * HASH_PIECE_SLOTS;
}

static size_t batch_blocks(enum edition edition, int n_threads)
{
    return (size_t)(batch_slots(n_threads) / merels_edition_block_slots(edition));
}

static size_t block_room(enum edition edition, int value_bytes)
{
    size_t n_slots = merels_edition_block_slots(edition);
    return merels_block_bound(merels_edition_bytes(edition, value_bytes, n_slots));
}

static void destroy(struct table_output *output)
{
    for (int k = 0; output->coders != NULL && k < output->n_threads; k++)
        merels_block_coder_destroy(output->coders[k]);
    free(output->coders);
    free(output->stored);
    free(output->stored_bytes);
    free(output->pending);
    merels_value_hash_destroy(&output->hash);
    merels_table_part_free(&output->part);
    free(output);
}

void merels_table_part_free(struct table_part *part)
{
    free(part->bytes);
    free(part->blocks.n_bytes);
    free(part->blocks.checksums);
    free(part->digests);
    *part = (struct table_part){0};
}

static enum status create_room(struct table_output *output, struct error *err)
{
    output->coders = calloc((size_t)output->n_threads, sizeof *output->coders);
    output->stored = malloc(output->n_blocks * output->room);
    output->stored_bytes = calloc(output->n_blocks, sizeof *output->stored_bytes);
    if (output->coders == NULL || output->stored == NULL || output->stored_bytes == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for writing a table");
    enum status status = merels_value_hash_create(output->n_slots, &output->hash, err);
    for (int k = 0; k < output->n_threads && status == STATUS_OK; k++)
        status = merels_block_coder_create(output->edition, &output->coders[k], err);
    return status;
}

static enum status create(enum edition edition, int value_bytes, uint64_t n_slots,
                          int n_threads, struct table_output **output, struct error *err)
{
    struct table_output *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for writing a table");
    *made = (struct table_output){.edition = edition,
                                  .value_bytes = value_bytes,
                                  .n_threads = n_threads,
                                  .n_blocks = batch_blocks(edition, n_threads),
                                  .block_slots = merels_edition_block_slots(edition),
                                  .n_slots = n_slots,
                                  .room = block_room(edition, value_bytes)};
    enum status status = create_room(made, err);
    if (status != STATUS_OK) {
        destroy(made);
        return status;
    }
    *output = made;
    return STATUS_OK;
}

enum status merels_table_output_create(const char *dir, const struct rules *rules,
                                       struct subspace subspace, enum edition edition,
                                       int value_bytes, int n_threads,
                                       struct table_output **output, struct error *err)
{
    struct table_output *made;
    enum status status =
        create(edition, value_bytes, merels_subspace_slots(&rules->board, subspace), n_threads,
               &made, err);
    if (status != STATUS_OK)
        return status;
    status =
        merels_table_create(dir, rules, subspace, edition, value_bytes, &made->writer, err);
    if (status != STATUS_OK) {
        destroy(made);
        return status;
    }
    *output = made;
    return STATUS_OK;
}

enum status merels_table_output_create_part(enum edition edition, int value_bytes,
                                            uint64_t n_slots, int n_threads,
                                            struct table_output **output, struct error *err)
{
    struct table_output *made;
    enum status status = create(edition, value_bytes, n_slots, n_threads, &made, err);
    if (status != STATUS_OK)
        return status;
    uint64_t n = n_slots / made->block_slots + 1;
    made->part.blocks.n_bytes = calloc((size_t)n, sizeof *made->part.blocks.n_bytes);
    made->part.blocks.checksums = calloc((size_t)n, sizeof *made->part.blocks.checksums);
    if (made->part.blocks.n_bytes == NULL || made->part.blocks.checksums == NULL) {
        destroy(made);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a part of a table");
    }
    *output = made;
    return STATUS_OK;
}

uint64_t merels_table_output_batch(const struct table_output *output)
{
    return batch_slots(output->n_threads);
}

uint64_t merels_table_output_bytes(enum edition edition, int n_threads)
{
    int value_bytes = edition == EDITION_WDL ? 0 : 1;
    return batch_blocks(edition, n_threads) * block_room(edition, value_bytes) +
           merels_edition_bytes(edition, value_bytes, HASH_PIECE_SLOTS);
}

// ---- batches -------------------------------------------------------------------------------

static size_t bytes_of(const struct table_output *output, uint64_t n_slots)
{
    return merels_edition_bytes(output->edition, output->value_bytes, (size_t)n_slots);
}

static uint64_t rest_of(uint64_t n_slots, uint64_t first, uint64_t most)
{
    return n_slots - first < most ? n_slots - first : most;
}

// The first jobs of a batch hash its pieces, the others compress its blocks.
struct batch {
    const uint8_t *values;
    uint64_t first_slot, n_slots; // begins with a piece
    size_t n_pieces, n_blocks;
};

static enum status run_job(struct table_output *output, const struct batch *batch, size_t job,
                           struct error *err)
{
    bool hashes = job < batch->n_pieces;
    size_t k = hashes ? job : job - batch->n_pieces;
    uint64_t step = hashes ? HASH_PIECE_SLOTS : output->block_slots, first = k * step;
    const uint8_t *values = batch->values + bytes_of(output, first);
    size_t n_bytes = bytes_of(output, rest_of(batch->n_slots, first, step));
    if (hashes)
        return merels_value_hash_piece(&output->hash, batch->first_slot / HASH_PIECE_SLOTS + k,
                                       values, n_bytes, err);
    return merels_block_compress(output->coders[omp_get_thread_num()], values, n_bytes,
                                 output->stored + k * output->room, output->room,
                                 &output->stored_bytes[k], err);
}

static enum status run_jobs(struct table_output *output, const struct batch *batch,
                            struct error *err)
{
    enum status result = STATUS_OK;
    struct error first_error = {STATUS_OK, ""};
    size_t n_jobs = batch->n_pieces + batch->n_blocks;
#pragma omp parallel for schedule(dynamic, 1) num_threads(output->n_threads)
    for (size_t job = 0; job < n_jobs; job++) {
        struct error error;
        enum status status = run_job(output, batch, job, &error);
        if (status != STATUS_OK) {
#pragma omp critical(table_output)
            {
                result = status;
                first_error = error;
            }
        }
    }
    return result == STATUS_OK ? STATUS_OK : merels_error(err, result, "%s", first_error.text);
}

// Room for n_bytes more in a part; it grows by an eighth at least.
static enum status widen_part(struct table_output *output, size_t n_bytes, struct error *err)
{
    uint64_t needed = output->part.n_bytes + n_bytes;
    if (needed <= output->bytes_room)
        return STATUS_OK;
    uint64_t room = output->bytes_room + output->bytes_room / 8;
    room = room < needed ? needed : room;
    uint8_t *wider = realloc(output->part.bytes, (size_t)room);
    if (wider == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a part of a table");
    output->part.bytes = wider;
    output->bytes_room = room;
    return STATUS_OK;
}

static enum status append_block(struct table_output *output, const uint8_t *block,
                                size_t n_bytes, struct error *err)
{
    struct table_part *part = &output->part;
    if (output->writer != NULL)
        return merels_table_append(output->writer, block, n_bytes, err);
    enum status status = widen_part(output, n_bytes, err);
    if (status != STATUS_OK)
        return status;
    memcpy(part->bytes + part->n_bytes, block, n_bytes);
    part->n_bytes += n_bytes;
    part->blocks.n_bytes[part->blocks.n] = (uint32_t)n_bytes;
    part->blocks.checksums[part->blocks.n++] = merels_xxh64(block, n_bytes);
    return STATUS_OK;
}

// One batch, which ends with a piece or the table: all jobs, then its blocks into the file.
static enum status append_batch(struct table_output *output, const uint8_t *values,
                                uint64_t first_slot, uint64_t n_slots, struct error *err)
{
    uint64_t block = output->block_slots, piece = HASH_PIECE_SLOTS;
    const struct batch batch = {.values = values,
                                .first_slot = first_slot,
                                .n_slots = n_slots,
                                .n_pieces = (size_t)((n_slots + piece - 1) / piece),
                                .n_blocks = (size_t)((n_slots + block - 1) / block)};
    enum status status = run_jobs(output, &batch, err);
    for (size_t k = 0; k < batch.n_blocks && status == STATUS_OK; k++)
        status = append_block(output, output->stored + k * output->room,
                              output->stored_bytes[k], err);
    return status;
}

// Whole pieces, or all up to the end of the table.
static enum status append_pieces(struct table_output *output, const uint8_t *values,
                                 uint64_t n_slots, struct error *err)
{
    enum status status = STATUS_OK;
    uint64_t batch = merels_table_output_batch(output);
    for (uint64_t done = 0; done < n_slots && status == STATUS_OK; done += batch)
        status = append_batch(output, values + bytes_of(output, done),
                              output->n_appended + done, rest_of(n_slots, done, batch), err);
    output->n_appended += n_slots;
    return status;
}

// Adds to the begun piece; appends it if that makes it whole or ends the table.
static enum status fill_pending(struct table_output *output, const uint8_t *values,
                                uint64_t n_slots, struct error *err)
{
    uint64_t begun = output->n_appended % HASH_PIECE_SLOTS, n = begun + n_slots;
    if (output->pending == NULL)
        output->pending = malloc(
            merels_edition_bytes(output->edition, output->value_bytes, HASH_PIECE_SLOTS));
    if (output->pending == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for writing a table");
    memcpy(output->pending + bytes_of(output, begun), values, bytes_of(output, n_slots));
    output->n_appended += n_slots;
    return n == HASH_PIECE_SLOTS || output->n_appended == output->n_slots
               ? append_batch(output, output->pending, output->n_appended - n, n, err)
               : STATUS_OK;
}

enum status merels_table_output_append(struct table_output *output, const uint8_t *values,
                                       uint64_t n_slots, struct error *err)
{
    uint64_t left = output->n_slots - output->n_appended, piece = HASH_PIECE_SLOTS;
    if (n_slots > left ||
        (output->edition == EDITION_WDL && n_slots % 4 != 0 && n_slots < left))
        return merels_error(err, STATUS_BAD_INPUT,
                            "a table of %llu slots cannot go on with %llu slots at %llu",
                            (unsigned long long)output->n_slots, (unsigned long long)n_slots,
                            (unsigned long long)output->n_appended);
    uint64_t begun = output->n_appended % piece;
    uint64_t first = begun == 0 ? 0 : rest_of(n_slots, 0, piece - begun);
    enum status status = first > 0 ? fill_pending(output, values, first, err) : STATUS_OK;
    uint64_t rest = n_slots - first;
    uint64_t whole = n_slots == left ? rest : rest / piece * piece;
    if (status == STATUS_OK && whole > 0)
        status = append_pieces(output, values + bytes_of(output, first), whole, err);
    if (status == STATUS_OK && rest > whole)
        status =
            fill_pending(output, values + bytes_of(output, first + whole), rest - whole, err);
    return status;
}

// ---- the end -------------------------------------------------------------------------------

enum status merels_table_output_finish(struct table_output *output,
                                       const struct table_stats *stats, struct error *err)
{
    uint8_t digest[SHA256_BYTES];
    enum status status = merels_value_hash_finish(&output->hash, digest, err);
    if (status == STATUS_OK)
        status = merels_table_finish(output->writer, stats, digest, err);
    else
        merels_table_abort(output->writer);
    destroy(output);
    return status;
}

enum status merels_table_output_end_part(struct table_output *output, struct table_part *part,
                                         struct error *err)
{
    enum status status = STATUS_OK;
    *part = (struct table_part){0};
    if (output->n_appended != output->n_slots)
        status = merels_error(err, STATUS_BAD_INPUT, "a part of %llu slots ends at %llu",
                              (unsigned long long)output->n_slots,
                              (unsigned long long)output->n_appended);
    if (status == STATUS_OK) {
        *part = output->part;
        part->n_pieces = output->hash.n_pieces;
        part->digests = output->hash.digests;
        output->part = (struct table_part){0};
        output->hash.digests = NULL;
    }
    destroy(output);
    return status;
}

void merels_table_output_abort(struct table_output *output)
{
    if (output == NULL)
        return;
    merels_table_abort(output->writer);
    destroy(output);
}
