// write_side.c: statistics of a finished side, and its table: blocks compressed by all threads,
// hashed by one of them at the same time, written in order.

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "db/codec.h"
#include "db/writer.h"
#include "solver/engine.h"

// ---- statistics ----------------------------------------------------------------------------

// Sets of the mover that a symmetry keeps are unions of its cycles on the free points.
struct fixed_sets {
    const struct side *side;
    const uint8_t *value; // of the row
    point_set free;
    int n_cycles;
    point_set cycles[MAX_POINTS];
    uint64_t *counts;
};

static void count_fixed(const struct fixed_sets *fixed, int cycle, point_set set, int men_left)
{
    if (men_left == 0) {
        point_set compact = (point_set)bit_extract(set, fixed->free);
        fixed->counts[fixed->value[rank_set(fixed->side->ranks, bit_count(set), compact)]]++;
        return;
    }
    for (; cycle < fixed->n_cycles; cycle++) {
        int men = bit_count(fixed->cycles[cycle]);
        if (men <= men_left)
            count_fixed(fixed, cycle + 1, set | fixed->cycles[cycle], men_left - men);
    }
}

static void find_cycles(const struct board *board, int symmetry, struct fixed_sets *fixed)
{
    fixed->n_cycles = 0;
    for (point_set rest = fixed->free; rest != 0;) {
        point_set cycle = 0;
        for (int p = bit_lowest(rest); !(cycle >> p & 1); p = board->symmetry[symmetry][p])
            cycle |= (point_set)1 << p;
        fixed->cycles[fixed->n_cycles++] = cycle;
        rest &= ~cycle;
    }
}

// Orbits by Burnside's lemma: over the symmetries that keep the row, the mean of the slots that
// each of them keeps.
static void count_symmetric_row(const struct side *side, uint32_t row, uint64_t counts[256])
{
    const struct board *board = &side->rules->board;
    uint32_t stabilizer = side->rows->rows->stabilizers[row];
    uint64_t kept[256] = {0};
    struct fixed_sets fixed = {.side = side,
                               .value = side->value + (uint64_t)row * side->n_columns,
                               .free = board->points & ~side->rows->rows->sets[row],
                               .counts = kept};
    for (uint32_t k = 0; k < side->n_columns; k++)
        kept[fixed.value[k]]++;
    for (uint32_t rest = stabilizer & ~1u; rest != 0; rest &= rest - 1) {
        find_cycles(board, bit_lowest(rest), &fixed);
        count_fixed(&fixed, 0, 0, side->subspace.a);
    }
    for (int v = 0; v < 256; v++)
        counts[v] += kept[v] / (uint64_t)bit_count(stabilizer);
}

static uint64_t first_slot_of(const struct side *side, int depth)
{
    uint64_t n_slots = (uint64_t)side->n_rows * side->n_columns;
    const uint8_t *place = depth < 0 ? NULL : memchr(side->value, depth, (size_t)n_slots);
    return place == NULL ? 0 : (uint64_t)(place - side->value);
}

static struct table_stats stats_of(const struct side *side, const uint64_t counts[256])
{
    struct table_stats stats = {.draw = counts[VALUE_DRAW], .max_win = -1, .max_loss = -1};
    for (int d = 0; d <= MAX_DEPTH; d++) {
        if (counts[d] == 0)
            continue;
        *(d & 1 ? &stats.win : &stats.loss) += counts[d];
        *(d & 1 ? &stats.max_win : &stats.max_loss) = d;
    }
    stats.max_win_slot = first_slot_of(side, stats.max_win);
    stats.max_loss_slot = first_slot_of(side, stats.max_loss);
    return stats;
}

// Rows without symmetries were counted while they were decided, the few others are counted now.
static struct table_stats stats_of_side(const struct engine *engine, const struct side *side)
{
    uint64_t counts[256] = {0}, plain_slots = 0;
    const uint16_t *stabilizers = side->rows->rows->stabilizers;
#pragma omp parallel for schedule(dynamic, 64) num_threads(engine->n_threads)                      \
    reduction(+ : counts, plain_slots)
    for (uint32_t row = 0; row < side->n_rows; row++)
        if (stabilizers[row] == 1)
            plain_slots += side->n_columns;
        else
            count_symmetric_row(side, row, counts);
    for (int d = 0; d <= MAX_DEPTH; d++) {
        counts[d] += side->decided[d];
        plain_slots -= side->decided[d];
    }
    counts[VALUE_DRAW] += plain_slots;
    return stats_of(side, counts);
}

// ---- the table -----------------------------------------------------------------------------

enum { BATCH_BLOCKS_PER_THREAD = 32 };

struct batch {
    int n_coders, n_blocks;
    size_t room;                 // bytes per block of `out`
    struct block_coder **coders; // one per thread
    uint8_t *out;
    size_t *out_bytes;
    struct sha256 *hash;
};

static void destroy_batch(struct batch *batch)
{
    for (int k = 0; batch->coders != NULL && k < batch->n_coders; k++)
        merels_block_coder_destroy(batch->coders[k]);
    free(batch->coders);
    free(batch->out);
    free(batch->out_bytes);
    merels_sha256_destroy(batch->hash);
}

static enum status create_batch(int n_threads, struct batch *batch, struct error *err)
{
    *batch =
        (struct batch){.n_coders = n_threads, .n_blocks = BATCH_BLOCKS_PER_THREAD * n_threads};
    batch->room = merels_block_bound(BLOCK_SLOTS);
    batch->coders = calloc((size_t)n_threads, sizeof *batch->coders);
    batch->out = malloc(batch->room * (size_t)batch->n_blocks);
    batch->out_bytes = calloc((size_t)batch->n_blocks, sizeof *batch->out_bytes);
    if (batch->coders == NULL || batch->out == NULL || batch->out_bytes == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for writing a table");
    enum status status = merels_sha256_create(&batch->hash, err);
    for (int k = 0; k < n_threads && status == STATUS_OK; k++)
        status = merels_block_coder_create(EDITION_DTM, &batch->coders[k], err);
    return status;
}

uint64_t merels_engine_write_bytes(int n_threads)
{
    return (uint64_t)n_threads * BATCH_BLOCKS_PER_THREAD * merels_block_bound(BLOCK_SLOTS);
}

// One job hashes the whole batch, the others compress one block each.
static enum status run_job(const struct batch *batch, int job, const uint8_t *values,
                           uint64_t n_bytes, struct error *err)
{
    if (job == 0)
        return merels_sha256_update(batch->hash, values, (size_t)n_bytes, err);
    size_t first = (size_t)(job - 1) * BLOCK_SLOTS;
    size_t n = n_bytes - first < BLOCK_SLOTS ? (size_t)n_bytes - first : BLOCK_SLOTS;
    return merels_block_compress(batch->coders[omp_get_thread_num()], values + first, n,
                                 batch->out + (size_t)(job - 1) * batch->room, batch->room,
                                 &batch->out_bytes[job - 1], err);
}

static enum status write_batch(const struct batch *batch, const uint8_t *values,
                               uint64_t n_bytes, struct table_writer *writer, struct error *err)
{
    enum status result = STATUS_OK;
    struct error first_error = {STATUS_OK, ""};
    int n_blocks = (int)((n_bytes + BLOCK_SLOTS - 1) / BLOCK_SLOTS);
#pragma omp parallel for schedule(dynamic, 1) num_threads(batch->n_coders)
    for (int job = 0; job <= n_blocks; job++) {
        struct error error;
        enum status status = run_job(batch, job, values, n_bytes, &error);
        if (status != STATUS_OK) {
#pragma omp critical(write_batch)
            {
                result = status;
                first_error = error;
            }
        }
    }
    if (result != STATUS_OK)
        return merels_error(err, result, "%s", first_error.text);
    for (int k = 0; k < n_blocks && result == STATUS_OK; k++)
        result = merels_table_append(writer, batch->out + (size_t)k * batch->room,
                                     batch->out_bytes[k], err);
    return result;
}

static enum status write_values(struct engine *engine, const struct side *side,
                                struct batch *batch, struct table_writer *writer,
                                struct error *err)
{
    uint64_t n_slots = (uint64_t)side->n_rows * side->n_columns;
    uint64_t step = (uint64_t)batch->n_blocks * BLOCK_SLOTS;
    for (uint64_t done = 0; done < n_slots; done += step) {
        uint64_t n = n_slots - done < step ? n_slots - done : step;
        enum status status = write_batch(batch, side->value + done, n, writer, err);
        if (status != STATUS_OK)
            return status;
        if (engine->tick(engine->context, STAGE_WRITING, 0, done + n))
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    return STATUS_OK;
}

enum status merels_engine_write(struct engine *engine, const struct side *side, const char *dir,
                                struct error *err)
{
    struct batch batch;
    struct table_writer *writer = NULL;
    uint8_t digest[SHA256_BYTES];
    enum status status = create_batch(engine->n_threads, &batch, err);
    if (status == STATUS_OK)
        status = merels_table_create(dir, engine->rules, side->subspace, EDITION_DTM, 1,
                                     &writer, err);
    if (status == STATUS_OK)
        status = write_values(engine, side, &batch, writer, err);
    if (status == STATUS_OK)
        status = merels_sha256_finish(batch.hash, digest, err);
    if (status == STATUS_OK) {
        struct table_stats stats = stats_of_side(engine, side);
        status = merels_table_finish(writer, &stats, digest, err);
    } else {
        merels_table_abort(writer);
    }
    destroy_batch(&batch);
    return status;
}
