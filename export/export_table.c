// export_table.c: one table of win, draw and loss from one with depths.
//
//     source table --read, pack--> packed codes --work/table_output--> wdl table
//                      |
//                 value hash = its header's?
//
// A batch is read and packed by all threads, then compressed by all of them. Compressing takes
// nine tenths of the time.

#include "export/export_table.h"

#include <stdlib.h>
#include <string.h>

#include "db/value_hash.h"
#include "work/table_output.h"

// The table at work, and the room of a batch.
struct exporting {
    const struct table *source;
    int n_threads;
    uint8_t *values, *packed;
    struct value_hash source_hash;
};

// ---- one batch -----------------------------------------------------------------------------

// A piece of the value hash, which is some blocks of the new table: read, hashed, and packed
// into its place in the batch.
static enum status read_and_pack(struct exporting *e, uint64_t first_slot, uint64_t in_batch,
                                 uint64_t n_slots, struct error *err)
{
    int width = merels_table_header(e->source)->value_bytes;
    uint8_t *values = e->values + in_batch * (uint64_t)width;
    enum status status =
        merels_table_read(e->source, first_slot + in_batch, n_slots, values, err);
    if (status == STATUS_OK)
        status =
            merels_value_hash_piece(&e->source_hash, (first_slot + in_batch) / HASH_PIECE_SLOTS,
                                    values, (size_t)n_slots * (size_t)width, err);
    if (status == STATUS_OK)
        merels_wdl_pack(values, width, (size_t)n_slots, e->packed + in_batch / 4);
    return status;
}

// The same for a whole batch, by all threads; the failure of one of them, if any.
static enum status read_batch(struct exporting *e, uint64_t first_slot, uint64_t n_slots,
                              struct error *err)
{
    enum status result = STATUS_OK;
    struct error first_error = {STATUS_OK, ""};
    uint64_t piece = HASH_PIECE_SLOTS;
#pragma omp parallel for schedule(dynamic, 1) num_threads(e->n_threads)
    for (uint64_t at = 0; at < n_slots; at += piece) {
        struct error error;
        uint64_t n = n_slots - at < piece ? n_slots - at : piece;
        enum status status = read_and_pack(e, first_slot, at, n, &error);
        if (status != STATUS_OK) {
#pragma omp critical(export_read)
            {
                result = status;
                first_error = error;
            }
        }
    }
    return result == STATUS_OK ? STATUS_OK : merels_error(err, result, "%s", first_error.text);
}

static enum status run_batch(struct exporting *e, uint64_t first_slot, uint64_t n_slots,
                             struct table_output *output, struct error *err)
{
    enum status status = read_batch(e, first_slot, n_slots, err);
    if (status == STATUS_OK)
        status = merels_table_output_append(output, e->packed, n_slots, err);
    return status;
}

// ---- one table -----------------------------------------------------------------------------

static enum status write_blocks(struct exporting *e, struct table_output *output,
                                struct meter *meter, struct error *err)
{
    const struct table_header *header = merels_table_header(e->source);
    uint64_t n_slots = header->n_slots, step = merels_table_output_batch(output);
    uint64_t room = step < n_slots ? step : n_slots;
    e->values = malloc(room * (uint64_t)header->value_bytes);
    e->packed = malloc((room + 3) / 4);
    if (e->values == NULL || e->packed == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the export");
    for (uint64_t done = 0; done < n_slots; done += step) {
        uint64_t n = n_slots - done < step ? n_slots - done : step;
        enum status status = run_batch(e, done, n, output, err);
        if (status != STATUS_OK)
            return status;
        if (merels_meter_count(meter, done + n))
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    return STATUS_OK;
}

// The source's values must have the hash of its header.
static enum status check_source(const struct exporting *e, const char *dir, struct error *err)
{
    const struct table_header *header = merels_table_header(e->source);
    char name[SUBSPACE_NAME_BYTES];
    uint8_t digest[SHA256_BYTES];
    enum status status = merels_value_hash_finish(&e->source_hash, digest, err);
    if (status != STATUS_OK || memcmp(digest, header->value_hash, SHA256_BYTES) == 0)
        return status;
    merels_subspace_name(header->subspace, name);
    return merels_error(err, STATUS_CORRUPT,
                        "%s/%s.mtb: its values do not have the hash of its header", dir, name);
}

// Begins and ends the new table, which is written only if the source is whole.
static enum status write_table(struct exporting *e, const struct rules *rules, const char *dir,
                               const char *out_dir, struct meter *meter, struct error *err)
{
    const struct table_header *header = merels_table_header(e->source);
    struct table_output *output = NULL;
    enum status status = merels_table_output_create(out_dir, rules, header->subspace,
                                                    EDITION_WDL, 0, e->n_threads, &output, err);
    if (status == STATUS_OK)
        status = write_blocks(e, output, meter, err);
    if (status == STATUS_OK)
        status = check_source(e, dir, err);
    if (status != STATUS_OK) {
        merels_table_output_abort(output);
        return status;
    }
    struct table_stats stats = {.win = header->stats.win,
                                .draw = header->stats.draw,
                                .loss = header->stats.loss,
                                .none = header->stats.none,
                                .max_win = -1,
                                .max_loss = -1};
    return merels_table_output_finish(output, &stats, err);
}

enum status merels_export_table(const struct rules *rules, const struct table *source,
                                const char *dir, const char *out_dir, int n_threads,
                                struct meter *meter, struct error *err)
{
    struct exporting e = {.source = source, .n_threads = n_threads};
    uint64_t n_slots = merels_table_header(source)->n_slots;
    enum status status = merels_value_hash_create(n_slots, &e.source_hash, err);
    if (status == STATUS_OK)
        status = write_table(&e, rules, dir, out_dir, meter, err);
    merels_value_hash_destroy(&e.source_hash);
    free(e.values);
    free(e.packed);
    return status;
}
