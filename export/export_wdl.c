// export_wdl.c: tables of win, draw and loss from tables with depths.
//
//     source table --read, pack--> packed blocks --compress--> blocks in order --> wdl table
//                      |                |
//                  SHA-256 =        SHA-256: the new
//                  its header's?    table's value hash
//
// A batch of blocks is read and packed by all threads, then compressed by all of them while one
// hashes. Compressing takes nine tenths of the time. A source whose values do not have the hash
// of its header gives no table.

#include "export/export_wdl.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "db/codec.h"
#include "db/file.h"
#include "db/manifest.h"
#include "db/writer.h"
#include "work/memory.h"

enum { BATCH_BLOCKS_PER_THREAD = 8, WDL_BLOCK_BYTES = BLOCK_SLOTS, MAX_WIDTH = 2 };

// One table at work, and the room of a batch.
struct exporting {
    const struct rules *rules;
    const struct export_options *options;
    const struct watch *watch;
    struct meter meter;
    struct tablebase *base;
    const struct table *source;
    int n_threads, n_blocks;
    size_t value_room, out_room; // bytes per block
    struct block_coder **coders; // one per thread
    uint8_t *values, *packed, *out;
    size_t *out_bytes;
    struct sha256 *source_hash, *packed_hash;
};

// ---- room ----------------------------------------------------------------------------------

static enum status create_room(struct exporting *e, struct error *err)
{
    e->n_threads = e->options->n_threads > 0 ? e->options->n_threads : merels_processors();
    e->n_blocks = BATCH_BLOCKS_PER_THREAD * e->n_threads;
    e->value_room = (size_t)merels_edition_block_slots(EDITION_WDL) * MAX_WIDTH;
    e->out_room = merels_block_bound(WDL_BLOCK_BYTES);
    size_t n = (size_t)e->n_blocks;
    e->coders = calloc((size_t)e->n_threads, sizeof *e->coders);
    e->values = malloc(n * e->value_room);
    e->packed = malloc(n * WDL_BLOCK_BYTES);
    e->out = malloc(n * e->out_room);
    e->out_bytes = calloc(n, sizeof *e->out_bytes);
    if (!e->coders || !e->values || !e->packed || !e->out || !e->out_bytes)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the export");
    enum status status = STATUS_OK;
    for (int k = 0; k < e->n_threads && status == STATUS_OK; k++)
        status = merels_block_coder_create(EDITION_WDL, &e->coders[k], err);
    return status;
}

static void destroy_room(struct exporting *e)
{
    for (int k = 0; e->coders != NULL && k < e->n_threads; k++)
        merels_block_coder_destroy(e->coders[k]);
    free(e->coders);
    free(e->values);
    free(e->packed);
    free(e->out);
    free(e->out_bytes);
}

// ---- one batch -----------------------------------------------------------------------------

// Blocks first .. first + n - 1 of the new table.
struct batch {
    struct exporting *e;
    uint64_t first_slot, n_slots;
    int n_blocks;
};

static size_t slots_of(const struct batch *batch, int k)
{
    uint32_t step = merels_edition_block_slots(EDITION_WDL);
    uint64_t rest = batch->n_slots - (uint64_t)k * step;
    return rest < step ? (size_t)rest : step;
}

static enum status read_and_pack(const struct batch *batch, int k, struct error *err)
{
    struct exporting *e = batch->e;
    int width = merels_table_header(e->source)->value_bytes;
    size_t n_slots = slots_of(batch, k), step = merels_edition_block_slots(EDITION_WDL);
    uint8_t *values = e->values + (size_t)k * step * (size_t)width; // no gaps: hashed as one
    enum status status = merels_table_read(e->source, batch->first_slot + (uint64_t)k * step,
                                           n_slots, values, err);
    if (status == STATUS_OK)
        merels_wdl_pack(values, width, n_slots, e->packed + (size_t)k * WDL_BLOCK_BYTES);
    return status;
}

// Job 0 hashes the batch, job k + 1 compresses block k.
static enum status hash_or_compress(const struct batch *batch, int job, struct error *err)
{
    struct exporting *e = batch->e;
    if (job > 0) {
        int k = job - 1;
        return merels_block_compress(
            e->coders[omp_get_thread_num()], e->packed + (size_t)k * WDL_BLOCK_BYTES,
            (slots_of(batch, k) + 3) / 4, e->out + (size_t)k * e->out_room, e->out_room,
            &e->out_bytes[k], err);
    }
    size_t width = (size_t)merels_table_header(e->source)->value_bytes;
    size_t n_slots = (size_t)batch->n_slots;
    enum status status = merels_sha256_update(e->source_hash, e->values, n_slots * width, err);
    if (status == STATUS_OK)
        status = merels_sha256_update(e->packed_hash, e->packed, (n_slots + 3) / 4, err);
    return status;
}

// Runs jobs 0 .. n - 1 on all threads; the failure of one of them, if any.
static enum status run_jobs(const struct batch *batch, int n,
                            enum status (*run)(const struct batch *, int, struct error *),
                            struct error *err)
{
    enum status result = STATUS_OK;
    struct error first = {STATUS_OK, ""};
#pragma omp parallel for schedule(dynamic, 1) num_threads(batch->e->n_threads)
    for (int job = 0; job < n; job++) {
        struct error error;
        enum status status = run(batch, job, &error);
        if (status != STATUS_OK) {
#pragma omp critical(export_jobs)
            {
                result = status;
                first = error;
            }
        }
    }
    return result == STATUS_OK ? STATUS_OK : merels_error(err, result, "%s", first.text);
}

static enum status run_batch(const struct batch *batch, struct table_writer *writer,
                             struct error *err)
{
    struct exporting *e = batch->e;
    enum status status = run_jobs(batch, batch->n_blocks, read_and_pack, err);
    if (status == STATUS_OK)
        status = run_jobs(batch, batch->n_blocks + 1, hash_or_compress, err);
    for (int k = 0; k < batch->n_blocks && status == STATUS_OK; k++)
        status =
            merels_table_append(writer, e->out + (size_t)k * e->out_room, e->out_bytes[k], err);
    return status;
}

// ---- one table -----------------------------------------------------------------------------

static enum status write_blocks(struct exporting *e, struct table_writer *writer,
                                struct error *err)
{
    uint64_t n_slots = merels_table_header(e->source)->n_slots;
    uint32_t block = merels_edition_block_slots(EDITION_WDL);
    uint64_t step = (uint64_t)e->n_blocks * block;
    for (uint64_t done = 0; done < n_slots; done += step) {
        uint64_t n = n_slots - done < step ? n_slots - done : step;
        const struct batch batch = {e, done, n, (int)((n + block - 1) / block)};
        enum status status = run_batch(&batch, writer, err);
        if (status != STATUS_OK)
            return status;
        if (merels_meter_count(&e->meter, done + n))
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    return STATUS_OK;
}

// The hashes of the source's values, which must be its header's, and of the new table's.
static enum status finish_hashes(struct exporting *e, uint8_t packed_digest[SHA256_BYTES],
                                 struct error *err)
{
    const struct table_header *header = merels_table_header(e->source);
    char name[SUBSPACE_NAME_BYTES];
    uint8_t digest[SHA256_BYTES];
    enum status status = merels_sha256_finish(e->source_hash, digest, err);
    if (status == STATUS_OK)
        status = merels_sha256_finish(e->packed_hash, packed_digest, err);
    if (status != STATUS_OK || memcmp(digest, header->value_hash, SHA256_BYTES) == 0)
        return status;
    merels_subspace_name(header->subspace, name);
    return merels_error(err, STATUS_CORRUPT,
                        "%s/%s.mtb: its values do not have the hash of its header",
                        e->options->dir, name);
}

static enum status write_file(struct exporting *e, struct error *err)
{
    const struct table_header *header = merels_table_header(e->source);
    struct table_writer *writer = NULL;
    uint8_t digest[SHA256_BYTES];
    enum status status = merels_table_create(e->options->out_dir, e->rules, header->subspace,
                                             EDITION_WDL, 0, &writer, err);
    if (status == STATUS_OK)
        status = write_blocks(e, writer, err);
    if (status == STATUS_OK)
        status = finish_hashes(e, digest, err);
    if (status != STATUS_OK) {
        merels_table_abort(writer);
        return status;
    }
    struct table_stats stats = {.win = header->stats.win,
                                .draw = header->stats.draw,
                                .loss = header->stats.loss,
                                .max_win = -1,
                                .max_loss = -1};
    return merels_table_finish(writer, &stats, digest, err);
}

static enum status export_table(struct exporting *e, struct subspace s, struct error *err)
{
    enum status status = merels_tablebase_table(e->base, s, &e->source, err);
    if (status == STATUS_OK)
        status = merels_sha256_create(&e->source_hash, err);
    if (status == STATUS_OK)
        status = merels_sha256_create(&e->packed_hash, err);
    if (status == STATUS_OK)
        status = write_file(e, err);
    merels_sha256_destroy(e->source_hash);
    merels_sha256_destroy(e->packed_hash);
    e->source_hash = e->packed_hash = NULL;
    if (status == STATUS_OK)
        status = merels_manifest_add(e->options->out_dir, e->rules, s, err);
    return status;
}

// ---- what there is to do -------------------------------------------------------------------

// Is the table of a subspace there already? One that cannot be of this source is an error.
static enum status is_finished(const struct exporting *e, struct subspace s, bool *finished,
                               struct error *err)
{
    struct table *table;
    const struct table *source;
    enum status status = merels_table_open(e->options->out_dir, e->rules, s, &table, err);
    *finished = status == STATUS_OK;
    if (status != STATUS_OK)
        return status == STATUS_MISSING ? STATUS_OK : status;
    struct table_header there = *merels_table_header(table);
    merels_table_close(table);
    if (there.edition != EDITION_WDL)
        return merels_error(
            err, STATUS_BAD_INPUT,
            "%s: holds tables with depths; the edition wdl needs a directory of "
            "its own",
            e->options->out_dir);
    status = merels_tablebase_table(e->base, s, &source, err);
    if (status != STATUS_OK)
        return status;
    const struct table_stats *x = &there.stats, *y = &merels_table_header(source)->stats;
    if (x->win == y->win && x->draw == y->draw && x->loss == y->loss)
        return STATUS_OK;
    return merels_error(err, STATUS_MISMATCH, "%s: table %u-%u is of another tablebase",
                        e->options->out_dir, (unsigned)s.a, (unsigned)s.b);
}

// Moves what is to be done to the front of the list and adds its slots up. A finished table
// that the manifest lacks (a stop between the two) is entered.
static enum status sort_out(struct exporting *e, struct subspace *list, size_t *n,
                            uint64_t *n_slots, struct error *err)
{
    struct manifest there = {0};
    size_t n_open = 0;
    enum status status = merels_manifest_read(e->options->out_dir, e->rules, &there, err);
    if (status == STATUS_MISSING)
        status = STATUS_OK;
    for (size_t i = 0; i < *n && status == STATUS_OK; i++) {
        bool finished = false;
        status = is_finished(e, list[i], &finished, err);
        bool listed = merels_manifest_find(&there, list[i]) != NULL;
        if (status == STATUS_OK && finished && !listed)
            status = merels_manifest_add(e->options->out_dir, e->rules, list[i], err);
        if (finished)
            continue;
        *n_slots += merels_subspace_slots(&e->rules->board, list[i]);
        list[n_open++] = list[i];
    }
    merels_manifest_free(&there);
    *n = n_open;
    return status;
}

static enum status export_list(struct exporting *e, struct subspace *list, size_t n,
                               struct export_result *result, struct error *err)
{
    uint64_t total = 0;
    enum status status = sort_out(e, list, &n, &total, err);
    merels_meter_start(&e->meter, e->watch, "slots", total, n);
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        char name[SUBSPACE_NAME_BYTES];
        merels_subspace_name(list[i], name);
        merels_meter_piece(&e->meter, i, name,
                           merels_subspace_slots(&e->rules->board, list[i]));
        status = export_table(e, list[i], err);
        if (status != STATUS_OK)
            break;
        result->n_written++;
        if (merels_meter_finish(&e->meter) && i + 1 < n)
            status = merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    return status;
}

static enum status open_source(struct exporting *e, struct subspace **list, size_t *n,
                               struct error *err)
{
    enum status status = merels_tablebase_open(e->options->dir, e->rules, 0, &e->base, err);
    if (status == STATUS_OK)
        status = merels_tablebase_list(e->base, list, n, err);
    if (status == STATUS_OK && *n == 0)
        status = merels_error(err, STATUS_MISSING, "%s: there is no table", e->options->dir);
    const struct table *first;
    if (status == STATUS_OK)
        status = merels_tablebase_table(e->base, (*list)[0], &first, err);
    if (status == STATUS_OK && merels_tablebase_edition(e->base) != EDITION_DTM)
        status = merels_error(err, STATUS_BAD_INPUT, "%s: is of edition wdl already",
                              e->options->dir);
    return status;
}

static enum status describe_result(const struct exporting *e, struct export_result *result,
                                   struct error *err)
{
    struct manifest manifest;
    enum status status = merels_manifest_read(e->options->out_dir, e->rules, &manifest, err);
    if (status != STATUS_OK)
        return status;
    result->n_tables = manifest.n_entries;
    for (size_t i = 0; i < manifest.n_entries; i++) {
        result->n_slots += manifest.entries[i].header.n_slots;
        result->file_bytes += manifest.entries[i].file_bytes;
    }
    memcpy(result->root_hash, manifest.root_hash, SHA256_BYTES);
    merels_manifest_free(&manifest);
    return STATUS_OK;
}

static enum status missing(const char *dir, const struct manifest *manifest,
                           const struct subspace *list, size_t n, struct error *err)
{
    char name[SUBSPACE_NAME_BYTES];
    size_t n_missing = 0, first = 0;
    for (size_t i = manifest->n_entries; i-- > 0;)
        if (!merels_subspace_among(list, n, manifest->entries[i].subspace)) {
            n_missing++;
            first = i;
        }
    if (n_missing == 0)
        return STATUS_OK;
    merels_subspace_name(manifest->entries[first].subspace, name);
    return merels_error(
        err, STATUS_MISSING,
        "%s: %s.mtb is missing, though the manifest lists it (%zu such tables); "
        "the others are exported",
        dir, name, n_missing);
}

// A table that the source's manifest lists and that is not there is no reason to stop, but the
// export is not whole.
static enum status check_whole(const struct exporting *e, struct error *err)
{
    struct manifest manifest = {0};
    struct subspace *list = NULL;
    size_t n = 0;
    enum status status = merels_manifest_read(e->options->dir, e->rules, &manifest, err);
    if (status == STATUS_MISSING)
        return STATUS_OK;
    if (status == STATUS_OK)
        status = merels_tablebase_list(e->base, &list, &n, err);
    if (status == STATUS_OK)
        status = missing(e->options->dir, &manifest, list, n, err);
    free(list);
    merels_manifest_free(&manifest);
    return status;
}

enum status merels_export_wdl(const struct rules *rules, const struct export_options *options,
                              const struct watch *watch, struct export_result *result,
                              struct error *err)
{
    struct exporting e = {.rules = rules, .options = options, .watch = watch};
    struct subspace *list = NULL;
    struct file lock = {.fd = -1};
    size_t n = 0;
    *result = (struct export_result){0};
    enum status status = open_source(&e, &list, &n, err);
    if (status == STATUS_OK)
        status = create_room(&e, err);
    if (status == STATUS_OK)
        status = merels_dir_create(options->out_dir, err);
    if (status == STATUS_OK)
        status = merels_dir_lock(options->out_dir, &lock, err);
    if (status == STATUS_OK)
        status = export_list(&e, list, n, result, err);
    if (status == STATUS_OK)
        status = describe_result(&e, result, err);
    if (status == STATUS_OK)
        status = check_whole(&e, err);
    merels_file_drop(&lock);
    destroy_room(&e);
    free(list);
    merels_tablebase_close(e.base);
    return status;
}
