// table_output.c: one table written by all threads.
//
// A batch is BLOCKS_PER_THREAD blocks for each thread: job 0 hashes all of it, each other job
// compresses one block; which thread takes which job changes nothing in the file. Hashing is a
// chain and takes less time than a few blocks, so it is begun first.

#include "work/table_output.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "db/codec.h"

// As many as make the end of a batch, when threads run out of blocks, cheap. A block of edition
// wdl takes a hundred times as long to compress.
enum { DTM_BLOCKS_PER_THREAD = 32, WDL_BLOCKS_PER_THREAD = 8 };

struct table_output {
    struct table_writer *writer;
    enum edition edition;
    int value_bytes, n_threads, n_blocks;
    uint64_t block_slots, n_slots, n_appended; // of a block; of the table, and so far
    size_t room;                               // bytes per block of `stored`
    uint8_t *pending; // the begun block, between appends: n_appended % block_slots slots
    struct block_coder **coders; // one per thread
    uint8_t *stored;
    size_t *stored_bytes;
    struct sha256 *hash;
};

// ---- making and freeing --------------------------------------------------------------------

static int batch_blocks(enum edition edition, int n_threads)
{
    return n_threads * (edition == EDITION_WDL ? WDL_BLOCKS_PER_THREAD : DTM_BLOCKS_PER_THREAD);
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
    merels_sha256_destroy(output->hash);
    free(output);
}

static enum status create_room(struct table_output *output, struct error *err)
{
    size_t n_blocks = (size_t)output->n_blocks;
    output->coders = calloc((size_t)output->n_threads, sizeof *output->coders);
    output->stored = malloc(n_blocks * output->room);
    output->stored_bytes = calloc(n_blocks, sizeof *output->stored_bytes);
    output->pending =
        malloc(merels_edition_bytes(output->edition, output->value_bytes, output->block_slots));
    if (output->coders == NULL || output->stored == NULL || output->stored_bytes == NULL ||
        output->pending == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for writing a table");
    enum status status = merels_sha256_create(&output->hash, err);
    for (int k = 0; k < output->n_threads && status == STATUS_OK; k++)
        status = merels_block_coder_create(output->edition, &output->coders[k], err);
    return status;
}

enum status merels_table_output_create(const char *dir, const struct rules *rules,
                                       struct subspace subspace, enum edition edition,
                                       int value_bytes, int n_threads,
                                       struct table_output **output, struct error *err)
{
    struct table_output *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for writing a table");
    *made = (struct table_output){.edition = edition,
                                  .value_bytes = value_bytes,
                                  .n_threads = n_threads,
                                  .n_blocks = batch_blocks(edition, n_threads),
                                  .block_slots = merels_edition_block_slots(edition),
                                  .n_slots = merels_subspace_slots(&rules->board, subspace),
                                  .room = block_room(edition, value_bytes)};
    enum status status = create_room(made, err);
    if (status == STATUS_OK)
        status =
            merels_table_create(dir, rules, subspace, edition, value_bytes, &made->writer, err);
    if (status != STATUS_OK) {
        destroy(made);
        return status;
    }
    *output = made;
    return STATUS_OK;
}

uint64_t merels_table_output_batch(const struct table_output *output)
{
    return (uint64_t)output->n_blocks * output->block_slots;
}

uint64_t merels_table_output_bytes(enum edition edition, int n_threads)
{
    int value_bytes = edition == EDITION_WDL ? 0 : 1;
    return (uint64_t)batch_blocks(edition, n_threads) * block_room(edition, value_bytes);
}

// ---- batches -------------------------------------------------------------------------------

static size_t bytes_of(const struct table_output *output, uint64_t n_slots)
{
    return merels_edition_bytes(output->edition, output->value_bytes, (size_t)n_slots);
}

// Job 0 hashes the batch, job k + 1 compresses its block k.
static enum status run_job(const struct table_output *output, int job, const uint8_t *values,
                           uint64_t n_slots, struct error *err)
{
    if (job == 0)
        return merels_sha256_update(output->hash, values, bytes_of(output, n_slots), err);
    size_t k = (size_t)job - 1;
    uint64_t first = k * output->block_slots, rest = n_slots - first;
    uint64_t n = rest < output->block_slots ? rest : output->block_slots;
    return merels_block_compress(output->coders[omp_get_thread_num()],
                                 values + bytes_of(output, first), bytes_of(output, n),
                                 output->stored + k * output->room, output->room,
                                 &output->stored_bytes[k], err);
}

// One batch: all jobs, then its blocks into the file.
static enum status append_batch(struct table_output *output, const uint8_t *values,
                                uint64_t n_slots, struct error *err)
{
    enum status result = STATUS_OK;
    struct error first_error = {STATUS_OK, ""};
    int n_blocks = (int)((n_slots + output->block_slots - 1) / output->block_slots);
#pragma omp parallel for schedule(dynamic, 1) num_threads(output->n_threads)
    for (int job = 0; job <= n_blocks; job++) {
        struct error error;
        enum status status = run_job(output, job, values, n_slots, &error);
        if (status != STATUS_OK) {
#pragma omp critical(table_output)
            {
                result = status;
                first_error = error;
            }
        }
    }
    if (result != STATUS_OK)
        return merels_error(err, result, "%s", first_error.text);
    for (size_t k = 0; k < (size_t)n_blocks && result == STATUS_OK; k++)
        result = merels_table_append(output->writer, output->stored + k * output->room,
                                     output->stored_bytes[k], err);
    return result;
}

// Whole blocks, or all up to the end of the table.
static enum status append_blocks(struct table_output *output, const uint8_t *values,
                                 uint64_t n_slots, struct error *err)
{
    enum status status = STATUS_OK;
    uint64_t batch = merels_table_output_batch(output);
    for (uint64_t done = 0; done < n_slots && status == STATUS_OK; done += batch) {
        uint64_t n = n_slots - done < batch ? n_slots - done : batch;
        status = append_batch(output, values + bytes_of(output, done), n, err);
    }
    return status;
}

// Adds to the begun block; appends it if that makes it whole or ends the table.
static enum status fill_pending(struct table_output *output, const uint8_t *values,
                                uint64_t n_slots, struct error *err)
{
    uint64_t begun = output->n_appended % output->block_slots;
    memcpy(output->pending + bytes_of(output, begun), values, bytes_of(output, n_slots));
    output->n_appended += n_slots;
    uint64_t n = begun + n_slots;
    return n == output->block_slots || output->n_appended == output->n_slots
               ? append_batch(output, output->pending, n, err)
               : STATUS_OK;
}

enum status merels_table_output_append(struct table_output *output, const uint8_t *values,
                                       uint64_t n_slots, struct error *err)
{
    uint64_t left = output->n_slots - output->n_appended;
    if (n_slots > left ||
        (output->edition == EDITION_WDL && n_slots % 4 != 0 && n_slots < left))
        return merels_error(err, STATUS_BAD_INPUT,
                            "a table of %llu slots cannot go on with %llu slots at %llu",
                            (unsigned long long)output->n_slots, (unsigned long long)n_slots,
                            (unsigned long long)output->n_appended);
    uint64_t block = output->block_slots, begun = output->n_appended % block;
    uint64_t first = begun == 0 ? 0 : block - begun < n_slots ? block - begun : n_slots;
    enum status status = first > 0 ? fill_pending(output, values, first, err) : STATUS_OK;
    uint64_t rest = n_slots - first;
    uint64_t whole = n_slots == left ? rest : rest / block * block;
    output->n_appended += whole;
    if (status == STATUS_OK && whole > 0)
        status = append_blocks(output, values + bytes_of(output, first), whole, err);
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
    enum status status = merels_sha256_finish(output->hash, digest, err);
    if (status == STATUS_OK)
        status = merels_table_finish(output->writer, stats, digest, err);
    else
        merels_table_abort(output->writer);
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
