// rates.c: a trial of each kind of work, on rows of random contents of a unit of the rules.
//
//     a unit with N_ROWS of its rows in memory, from the middle of its tables
//         decide_row    the dense way, the sparse way          WORK_STEP, WORK_SPARSE
//         arrival_row   to any row, carried out in a bucket    WORK_TURN
//         place_row, removal_row                               WORK_PLACE, WORK_REMOVE
//     a block of values                                        WORK_READ, WORK_WRITE
//
// A trial has what it works on in the caches more often than a solve has, does not fault in
// fresh pages, and counts nothing. What a piece takes more than that in a solve is a factor for
// each kind, found by solves (docs/PERFORMANCE.md).

#include "solver/rates.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/codec.h"
#include "db/value_hash.h"
#include "game/moves.h"

enum { N_ROWS = 16, N_RUNS = 7 };

struct block {
    struct block_coder *coder;
    struct block_decoder *decoder;
    uint8_t *stored;
    size_t room, n_stored;
};

struct trial {
    const struct rules *rules;
    const struct kernels *kernels;
    struct index *index;
    struct unit unit;
    struct workspace space;
    uint64_t seed;
    bool wins;         // the last row was of arrivals that let the mover win
    uint64_t next;     // row, or step
    struct side *side; // of sources: whose they are
    struct source *source;
    struct columns men[MAX_REMOVED + 1]; // as a source has them (source.c)
    uint8_t *values;                     // a row of a finished table
    uint8_t *bucket;                     // rows that turns are carried out in
    struct block block;                  // where only values are tried
    enum status status;                  // the first failure
};

static const uint64_t SEED = 88172645463325252;

static enum status no_memory(struct error *err)
{
    return merels_error(err, STATUS_NO_MEMORY, "out of memory for measuring");
}

static uint64_t random_of(struct trial *trial) // xorshift
{
    trial->seed ^= trial->seed << 13;
    trial->seed ^= trial->seed >> 7;
    trial->seed ^= trial->seed << 17;
    return trial->seed;
}

// ---- the clock -----------------------------------------------------------------------------

static double seconds_of_thread(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// A little of some work; returns how many pieces.
typedef double try_work(struct trial *trial);

static int compare(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

// Nanoseconds of a piece: the second best of the runs, since other work on the machine takes
// caches away and never gives any; 0 if there is no clock.
static double time_of(try_work *work, struct trial *trial, double seconds)
{
    double ns[N_RUNS];
    (void)work(trial); // what is used for the first time
    for (int k = 0; k < N_RUNS; k++) {
        double begin = seconds_of_thread(), taken = 0, n = 0;
        do {
            n += work(trial);
            taken = seconds_of_thread() - begin;
        } while (taken > 0 && taken < seconds / N_RUNS);
        ns[k] = 1e9 * taken / n;
    }
    qsort(ns, N_RUNS, sizeof *ns, compare);
    return ns[1];
}

// ---- deciding ------------------------------------------------------------------------------

// A row in which nothing is decided, and one in so many turned positions has just arrived.
static void prepare_row(struct trial *trial, const struct side *side, uint32_t row, int step,
                        uint32_t stride)
{
    size_t n_bytes = side->row_words * sizeof(uint64_t);
    uint64_t *undecided = side_bits(side, side->undecided, row);
    enum metric metric = trial->rules->metric;
    int list = fresh_list(metric, step_inside(metric, step));
    uint64_t *fresh = side_bits(side, side->fresh[list], row);
    memset(undecided, 0xFF, n_bytes);
    if (side->n_columns % 64 != 0)
        undecided[side->row_words - 1] = low_bits((int)(side->n_columns % 64));
    memset(side_bits(side, side->won, row), 0, n_bytes);
    memset(fresh, 0, n_bytes);
    for (uint32_t k = (uint32_t)(random_of(trial) % stride); k < side->n_columns; k += stride)
        fresh[k / 64] |= (uint64_t)1 << (k % 64);
    side->touched[list][side_place(side, row)] = 1;
    side->left[side_place(side, row)] = side->n_columns;
}

// The sides in turn, each as often as it has rows.
static struct side *next_side(struct trial *trial)
{
    struct unit *unit = &trial->unit;
    uint64_t last = unit->sides[unit->n_sides - 1].n_rows, all = unit->sides[0].n_rows + last;
    return &unit->sides[trial->next++ * last % all < last ? unit->n_sides - 1 : 0];
}

// A row in the middle of a side; wins and losses.
static struct side *decide_next(struct trial *trial, enum way way, uint32_t stride)
{
    struct side *side = next_side(trial);
    uint32_t row = side->range.first + (uint32_t)(random_of(trial) % side->range.n);
    int step = (int)(random_of(trial) >> 32 & 1);
    trial->wins = result_at(step) == RESULT_LOST;
    trial->space.way = way;
    prepare_row(trial, side, row, step, stride);
    (void)trial->kernels->decide_row(side, row, step, &trial->space);
    return side;
}

enum { MANY_NEW = 16, FEW_NEW = 500 }; // one in so many

static double try_step(struct trial *trial)
{
    const struct side *side = decide_next(trial, WAY_DENSE, MANY_NEW);
    return merels_step_work(trial->rules, side->subspace);
}

static double try_sparse(struct trial *trial)
{
    return decide_next(trial, WAY_SPARSE, FEW_NEW)->n_columns;
}

// The same in the operations by which the kernels choose a way.
static double try_dense_operations(struct trial *trial)
{
    return (double)merels_dense_operations(decide_next(trial, WAY_DENSE, MANY_NEW));
}

static double try_unmoves(struct trial *trial)
{
    const struct side *side = decide_next(trial, WAY_SPARSE, MANY_NEW);
    return (double)(side->n_columns / MANY_NEW) *
           (double)merels_unmove_operations(side, trial->wins);
}

// ---- turns ---------------------------------------------------------------------------------

static void apply_codes(void *context, const uint32_t *items, size_t n)
{
    const struct trial *trial = context;
    const struct source *source = trial->source;
    int column_bits = source->lists.column_bits;
    for (size_t k = 0; k < n; k++) {
        uint32_t place = items[k] >> 8, row = place >> column_bits;
        uint32_t column = place & ((1u << column_bits) - 1);
        trial->bucket[(size_t)row * source->n_columns + column] = (uint8_t)items[k];
    }
}

// Sends a row of a finished table, as much of it as the lists surely have room for, and carries
// the turns out.
static double try_turns(struct trial *trial)
{
    struct source *source = trial->source;
    const struct columns *victims = &trial->men[source->effect.n_removed];
    uint64_t most = merels_turn_room(&source->lists) / MAX_SYMMETRIES;
    uint32_t n_columns = victims->n_columns, n = n_columns < most ? n_columns : (uint32_t)most;
    memset(trial->values, DTM_DRAW, n_columns);
    for (uint32_t k = 0; k < n; k++)
        trial->values[(uint64_t)k * n_columns / n] = (uint8_t)(k & 31);
    uint32_t n_rows = source->arrivals->rows->n_rows;
    trial->kernels->arrival_row(trial->side, source, victims,
                                (uint32_t)(random_of(trial) % n_rows), trial->values,
                                &trial->space);
    for (uint32_t bucket = 0; bucket < source->lists.n_buckets; bucket++)
        merels_turn_apply(&source->lists, bucket, apply_codes, trial);
    merels_turn_pool_reset(source->lists.pool);
    return n;
}

// ---- planes of bytes -----------------------------------------------------------------------

static double try_removals(struct trial *trial)
{
    struct source *source = trial->source;
    double work = 0;
    memset(trial->values, DTM_DRAW, trial->men[0].n_columns);
    uint32_t n_rows = source->arrivals->rows->n_rows;
    trial->kernels->removal_row(trial->side, source, trial->men,
                                (uint32_t)(random_of(trial) % n_rows), trial->values,
                                &trial->space);
    for (int k = 1; k <= source->effect.n_removed; k++)
        work += merels_plane_work(trial->men[k].n_points, trial->men[k].n_men);
    return work;
}

static double try_placing(struct trial *trial)
{
    const struct side *side = &trial->unit.sides[0];
    trial->kernels->place_row(
        side, side->range.first + (uint32_t)(trial->next++ % side->range.n), &trial->space);
    return merels_place_work(trial->rules, side->subspace);
}

// ---- opening a trial -----------------------------------------------------------------------

static void close_trial(struct trial *trial)
{
    merels_workspace_destroy(&trial->space);
    merels_unit_destroy(&trial->unit);
    merels_index_destroy(trial->index);
}

// Codes of a source: a few different ones, and draws.
static void fill_source(struct trial *trial, const struct side *side,
                        const struct source *source)
{
    for (size_t k = 0; k < (size_t)side->range.n * source->n_columns; k++) {
        uint64_t x = random_of(trial);
        source->value[k] = x % 4 == 0 ? DTM_DRAW : (uint8_t)(x >> 8 & 31);
    }
    for (uint32_t row = 0; source->won != NULL && row < side->range.n; row++) {
        memset(source->won + row * source->row_words, 0, source->row_words * 8);
        memset(source->codes[row], 0, sizeof source->codes[row]); // none has come yet
    }
}

// Rows in the middle of the tables; what they decide is sent nowhere.
static void fill_unit(struct trial *trial)
{
    for (int k = 0; k < trial->unit.n_sides; k++) {
        struct side *side = &trial->unit.sides[k];
        side->turned = NULL;
        uint32_t n = side->n_rows < N_ROWS ? side->n_rows : N_ROWS;
        side_set_range(side, (side->n_rows - n) / 2, n);
        if (side->passes != NULL)
            memset(side->passes, 0, side->range.n * side->row_words * sizeof(uint64_t));
        for (int i = 0; i < side->n_sources; i++)
            fill_source(trial, side, &side->sources[i]);
    }
}

static enum status open_trial(const struct rules *rules, const struct kernels *kernels,
                              const struct work_unit *work, struct trial *trial,
                              struct error *err)
{
    const struct holding holding = {.n_rows = N_ROWS};
    *trial = (struct trial){.rules = rules, .kernels = kernels, .seed = SEED};
    enum status status = merels_index_create(&rules->board, &trial->index, err);
    if (status != STATUS_OK)
        return status;
    status = merels_unit_create(rules, trial->index, work, merels_unit_way(rules, work),
                                holding, kernels->cell_points, 1, NULL, &trial->unit, err);
    if (status == STATUS_OK) {
        struct workspace_sizes sizes = merels_unit_workspace(&trial->unit);
        fill_unit(trial);
        status = merels_workspace_create(&sizes, 0, &trial->space, err);
    }
    if (status != STATUS_OK)
        close_trial(trial);
    return status;
}

// ---- a source ------------------------------------------------------------------------------

static void close_source(struct trial *trial)
{
    for (int k = 0; k <= MAX_REMOVED; k++)
        merels_columns_destroy(&trial->men[k]);
    free(trial->values);
    free(trial->bucket);
    trial->values = trial->bucket = NULL;
}

// Its lists lead to all rows of the side: nothing else of these is in memory, and nothing else
// is touched as long as the pool is not empty.
static enum status widen_lists(struct trial *trial, struct error *err)
{
    struct source *source = trial->source;
    struct side *side = trial->side;
    struct turn_pool *pool = source->lists.pool;
    merels_turn_lists_destroy(&source->lists);
    side_set_range(side, 0, side->n_rows);
    return merels_turn_lists_create(pool, 1, side->n_rows, source->n_columns, 1, &source->lists,
                                    err);
}

static enum status open_source(struct trial *trial, struct error *err)
{
    struct subspace after = trial->source->effect.after;
    int free_points = trial->rules->board.n_points - after.b;
    enum status status = widen_lists(trial, err);
    for (int k = 0; k <= trial->source->effect.n_removed && status == STATUS_OK; k++)
        status = merels_columns_create(free_points, after.a + k, trial->kernels->cell_points,
                                       &trial->men[k], err);
    size_t most = 1;
    for (int k = 0; k <= MAX_REMOVED; k++)
        most = trial->men[k].n_columns > most ? trial->men[k].n_columns : most;
    trial->values = malloc(most + 64); // read 64 at a time
    trial->bucket =
        calloc(trial->source->n_columns, (size_t)1 << trial->source->lists.row_bits);
    if (status == STATUS_OK && (trial->values == NULL || trial->bucket == NULL))
        status = no_memory(err);
    if (status != STATUS_OK)
        close_source(trial);
    return status;
}

// The source of the unit with the most columns that takes men, or takes none; NULL: there is
// no such source.
static bool find_source(struct trial *trial, bool removes)
{
    trial->source = NULL;
    for (int k = 0; k < trial->unit.n_sides; k++)
        for (int i = 0; i < trial->unit.sides[k].n_sources; i++) {
            struct source *source = &trial->unit.sides[k].sources[i];
            if (source->effect.ends || (source->effect.n_removed > 0) != removes)
                continue;
            if (trial->source != NULL && source->n_columns <= trial->source->n_columns)
                continue;
            trial->source = source;
            trial->side = &trial->unit.sides[k];
        }
    return trial->source != NULL;
}

// ---- values --------------------------------------------------------------------------------

// As in a table: small depths often, and often the same again.
static void fill_block(struct trial *trial)
{
    for (int k = 0; k < DTM_BLOCK_SLOTS; k++) {
        uint64_t x = random_of(trial);
        bool again = k > 0 && x % 8 < 4;
        trial->values[k] =
            again ? trial->values[k - 1] : (uint8_t)((x >> 8 & 15) * (x >> 16 & 3));
    }
}

static void note(struct trial *trial, enum status status)
{
    trial->status = trial->status == STATUS_OK ? status : trial->status;
}

static double try_writing(struct trial *trial)
{
    struct block *block = &trial->block;
    uint8_t digest[SHA256_BYTES];
    note(trial,
         merels_value_hash(EDITION_DTM, 1, trial->values, DTM_BLOCK_SLOTS, digest, NULL));
    note(trial, merels_block_compress(block->coder, trial->values, DTM_BLOCK_SLOTS,
                                      block->stored, block->room, &block->n_stored, NULL));
    return DTM_BLOCK_SLOTS;
}

static double try_reading(struct trial *trial)
{
    struct block *block = &trial->block;
    note(trial, merels_block_decode(block->decoder, block->stored, block->n_stored,
                                    trial->values, DTM_BLOCK_SLOTS, NULL));
    return DTM_BLOCK_SLOTS;
}

static enum status open_block(struct trial *trial, struct error *err)
{
    struct block *block = &trial->block;
    *trial =
        (struct trial){.seed = SEED, .block = {.room = merels_block_bound(DTM_BLOCK_SLOTS)}};
    enum status status = merels_block_coder_create(EDITION_DTM, &block->coder, err);
    if (status == STATUS_OK)
        status = merels_block_decoder_create(&block->decoder, err);
    trial->values = malloc(DTM_BLOCK_SLOTS);
    block->stored = malloc(block->room);
    if (status == STATUS_OK && (trial->values == NULL || block->stored == NULL))
        status = no_memory(err);
    return status;
}

static void close_block(struct trial *trial)
{
    merels_block_coder_destroy(trial->block.coder);
    merels_block_decoder_destroy(trial->block.decoder);
    free(trial->values);
    free(trial->block.stored);
}

// ---- all of it -----------------------------------------------------------------------------

// A piece in a solve takes so many times as long as in the trial, and nanoseconds in a solve on
// an AMD EPYC (Zen 3) at level v3.
static const struct {
    double factor, ns;
} known[N_WORK_KINDS] = {
    [WORK_STEP] = {1, 1.2},  [WORK_SPARSE] = {1, 0.6}, [WORK_TURN] = {1, 20},
    [WORK_PLACE] = {1, 2.5}, [WORK_REMOVE] = {1, 2.5}, [WORK_READ] = {2, 4},
    [WORK_WRITE] = {1, 5},
};

struct rates merels_rates_typical(const char *level)
{
    struct rates rates = {.level = level, .dense_cost = 1};
    for (int k = 0; k < N_WORK_KINDS; k++)
        rates.ns[k] = known[k].ns;
    return rates;
}

// How long each kind of work is tried.
struct budget {
    double seconds;
    struct rates *rates;
};

static void measure(const struct budget *budget, enum work_kind kind, try_work *work,
                    struct trial *trial)
{
    double ns = time_of(work, trial, budget->seconds);
    if (ns > 0 && ns < 1e9)
        budget->rates->ns[kind] = ns * known[kind].factor;
}

// What the kernels believe one operation of the dense way to take, in those of the other.
static void weigh_ways(const struct budget *budget, struct trial *trial)
{
    double dense = time_of(try_dense_operations, trial, budget->seconds / 2);
    double sparse = time_of(try_unmoves, trial, budget->seconds / 2);
    double cost = dense / sparse;
    if (dense > 0 && sparse > 0 && cost < 1e9)
        budget->rates->dense_cost = cost < 0.25 ? 0.25 : cost > 4 ? 4 : cost;
}

static enum status measure_source(const struct budget *budget, struct trial *trial,
                                  enum work_kind kind, struct error *err)
{
    enum status status = open_source(trial, err);
    if (status != STATUS_OK)
        return status;
    measure(budget, kind, kind == WORK_TURN ? try_turns : try_removals, trial);
    close_source(trial);
    return STATUS_OK;
}

static enum status measure_sources(const struct budget *budget, struct trial *trial,
                                   struct error *err)
{
    enum status status = STATUS_OK;
    if (find_source(trial, false) || find_source(trial, true))
        status = measure_source(budget, trial, WORK_TURN, err);
    if (status == STATUS_OK && find_source(trial, true))
        status = measure_source(budget, trial, WORK_REMOVE, err);
    return status;
}

static enum status measure_unit(const struct budget *budget, const struct rules *rules,
                                const struct kernels *kernels, const struct work_unit *work,
                                struct error *err)
{
    struct trial trial;
    if (work == NULL)
        return STATUS_OK;
    enum status status = open_trial(rules, kernels, work, &trial, err);
    if (status != STATUS_OK)
        return status;
    if (trial.unit.way == SOLVE_BY_SWEEP) {
        measure(budget, WORK_PLACE, try_placing, &trial);
    } else if (trial.unit.sides[0].moves_stay) {
        measure(budget, WORK_STEP, try_step, &trial);
        measure(budget, WORK_SPARSE, try_sparse, &trial);
        weigh_ways(budget, &trial);
    }
    status = measure_sources(budget, &trial, err);
    close_trial(&trial);
    return status;
}

static enum status measure_values(const struct budget *budget, struct error *err)
{
    struct trial trial;
    enum status status = open_block(&trial, err);
    if (status == STATUS_OK) {
        fill_block(&trial);
        measure(budget, WORK_WRITE, try_writing, &trial);
        measure(budget, WORK_READ, try_reading, &trial);
        status = trial.status;
        if (status != STATUS_OK)
            status = merels_error(err, status, "measuring: values cannot be packed");
    }
    close_block(&trial);
    return status;
}

enum { N_TRIALS = 10 }; // kinds of work; turns and removals are tried on both units

enum status merels_rates_measure(const struct rules *rules, const struct kernels *kernels,
                                 const struct work_unit *depths, const struct work_unit *sweep,
                                 double seconds, struct rates *rates, struct error *err)
{
    const struct budget budget = {seconds / N_TRIALS, rates};
    *rates = merels_rates_typical(kernels->level);
    enum status status = measure_unit(&budget, rules, kernels, depths, err);
    if (status == STATUS_OK)
        status = measure_unit(&budget, rules, kernels, sweep, err);
    if (status == STATUS_OK)
        status = measure_values(&budget, err);
    rates->measured = status == STATUS_OK;
    return status;
}

double merels_rates_seconds(const struct rates *rates, const struct effort *effort)
{
    double ns = 0;
    for (int k = 0; k < N_WORK_KINDS; k++)
        ns += effort->n[k] * rates->ns[k];
    return ns * 1e-9;
}
