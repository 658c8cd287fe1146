// moving.c: a work unit of the moving phase: removal values, then depth after depth.

#include <omp.h>
#include <string.h>

#include "solver/engine.h"

// ---- removal values ------------------------------------------------------------------------

// Which removal values occur in each row.
static void note_depths(const struct engine *engine, struct side *side)
{
    uint32_t piece = merels_engine_piece(engine, side->n_rows);
#pragma omp parallel for schedule(dynamic, piece) num_threads(engine->n_threads)
    for (uint32_t row = 0; row < side->n_rows; row++) {
        const uint8_t *removal = side->removal + (uint64_t)row * side->n_columns;
        bool occurs[256] = {false};
        for (uint32_t k = 0; k < side->n_columns; k++)
            occurs[removal[k]] = true;
        for (int d = 0; d <= MAX_DEPTH; d++)
            side->removal_depths[row][d / 64] |= (uint64_t)occurs[d] << (d % 64);
    }
}

// First touch of the big arrays, by the threads that will work on them.
static void fill_arrays(const struct engine *engine, struct side *side, uint8_t removal)
{
    uint32_t piece = merels_engine_piece(engine, side->n_rows);
#pragma omp parallel for schedule(dynamic, piece) num_threads(engine->n_threads)
    for (uint32_t row = 0; row < side->n_rows; row++) {
        uint64_t first = (uint64_t)row * side->n_columns;
        memset(side->value + first, VALUE_DRAW, side->n_columns);
        memset(side->removal + first, removal, side->n_columns);
        uint64_t *undecided = side->undecided + row * side->row_words;
        for (size_t w = 0; w < side->row_words; w++)
            undecided[w] =
                low_bits((int)(side->n_columns - w * 64 < 64 ? side->n_columns - w * 64 : 64));
        memset(side->won + row * side->row_words, 0, side->row_words * 8);
        memset(side->removal_won + row * side->row_words, 0, side->row_words * 8);
        for (int k = 0; k < 2; k++)
            memset(side->fresh[k] + row * side->row_words, 0, side->row_words * 8);
        side->left[row] = side->n_columns;
    }
}

static enum status removals(struct engine *engine, struct error *err)
{
    uint64_t before = 0;
    for (int k = 0; k < engine->unit->n_sides; k++) {
        struct side *side = &engine->unit->sides[k];
        struct subspace smaller = {(uint8_t)(side->subspace.b - 1), side->subspace.a, 0, 0};
        bool ends = smaller.a < engine->rules->least; // too few men are left: lost in 0
        fill_arrays(engine, side, ends ? 0 : VALUE_DRAW);
        if (!ends) {
            enum status status =
                merels_engine_bring(engine, side, smaller, BRING_REMOVALS, before, err);
            if (status != STATUS_OK)
                return status;
        }
        note_depths(engine, side);
        before += (uint64_t)side->n_rows * side->n_columns;
    }
    return STATUS_OK;
}

// ---- depths --------------------------------------------------------------------------------

struct bits_at { // the bucket whose turns are carried out
    const struct side *side;
    int fresh;
    uint32_t bucket;
};

static void apply_bits(void *context, const uint32_t *items, size_t n)
{
    const struct bits_at *at = context;
    const struct side *side = at->side;
    int column_bits = side->lists[at->fresh].column_bits;
    size_t first = (size_t)at->bucket << side->lists[at->fresh].row_bits;
    uint64_t *bits = side->fresh[at->fresh] + first * side->row_words;
    uint8_t *touched = side->touched[at->fresh] + first;
    for (size_t k = 0; k < n; k++) {
        uint32_t row = items[k] >> column_bits;
        uint32_t column = items[k] & ((1u << column_bits) - 1);
        bits[row * side->row_words + column / 64] |= (uint64_t)1 << (column & 63);
        touched[row] = 1;
    }
}

// Carries out the turns that led to a bucket.
static void apply_bucket(struct side *side, int fresh, uint32_t bucket)
{
    struct bits_at at = {side, fresh, bucket};
    merels_turn_apply(&side->lists[fresh], bucket, apply_bits, &at);
}

// Carries out all turns to the next depth so far, so that their pool is empty again.
static void apply_ahead(const struct engine *engine, int depth)
{
    int fresh = (depth + 1) & 1;
    for (int k = 0; k < engine->unit->n_sides; k++) {
        struct side *side = &engine->unit->sides[k];
#pragma omp parallel for schedule(dynamic, 1) num_threads(engine->n_threads)
        for (uint32_t bucket = 0; bucket < side->lists[fresh].n_buckets; bucket++)
            apply_bucket(side, fresh, bucket);
    }
    merels_turn_pool_reset(&engine->unit->pools[fresh]);
}

struct decided {
    uint64_t n, n_plain; // slots; those of rows without symmetries
};

static void decide_bucket(const struct engine *engine, struct side *side, int depth,
                          uint32_t bucket, struct decided *decided)
{
    struct turn_lists *lists = &side->lists[depth & 1];
    struct workspace *work = &engine->work[omp_get_thread_num()];
    uint32_t first = bucket << lists->row_bits, last = first + (1u << lists->row_bits);
    apply_bucket(side, depth & 1, bucket);
    for (uint32_t row = first; row < last && row < side->n_rows; row++) {
        uint32_t found = engine->kernels->decide_row(side, row, depth, work);
        decided->n += found;
        decided->n_plain += side->rows->rows->stabilizers[row] == 1 ? found : 0;
    }
}

// The threads take buckets in turn; when the pool runs low, they meet and empty it.
static uint64_t decide_side(struct engine *engine, struct side *side, int depth)
{
    const struct turn_pool *pool = &engine->unit->pools[(depth + 1) & 1];
    uint32_t n_buckets = side->lists[depth & 1].n_buckets, next = 0;
    uint64_t n = 0, n_plain = 0;
    while (next < n_buckets) {
#pragma omp parallel num_threads(engine->n_threads) reduction(+ : n, n_plain)
        {
            struct decided decided = {0, 0};
            while (!turn_pool_is_low(pool)) {
                uint32_t bucket = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
                if (bucket >= n_buckets)
                    break;
                decide_bucket(engine, side, depth, bucket, &decided);
            }
            n += decided.n;
            n_plain += decided.n_plain;
        }
        if (turn_pool_is_low(pool))
            apply_ahead(engine, depth);
    }
    side->decided[depth + 1] = n_plain;
    return n;
}

static int deepest_removal(const struct unit *unit)
{
    int deepest = -1;
    for (int k = 0; k < unit->n_sides; k++)
        for (uint32_t row = 0; row < unit->sides[k].n_rows; row++)
            for (int d = MAX_DEPTH; d > deepest; d--)
                if (unit->sides[k].removal_depths[row][d / 64] >> (d % 64) & 1)
                    deepest = d;
    return deepest;
}

static enum status depths(struct engine *engine, struct error *err)
{
    int last_removal = deepest_removal(engine->unit);
    uint64_t decided = 0, fresh = 1;
    for (int depth = -1; fresh != 0 || depth <= last_removal; depth++) {
        if (depth + 1 > MAX_DEPTH)
            return merels_error(err, STATUS_UNSUPPORTED,
                                "a win or loss of over %d plies does not fit one byte",
                                MAX_DEPTH);
        fresh = 0;
        for (int k = 0; k < engine->unit->n_sides; k++)
            fresh += decide_side(engine, &engine->unit->sides[k], depth);
        merels_turn_pool_reset(&engine->unit->pools[depth & 1]);
        decided += fresh;
        if (engine->tick(engine->context, STAGE_DEPTHS, depth + 1, decided))
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    return STATUS_OK;
}

enum status merels_engine_moving(struct engine *engine, struct error *err)
{
    enum status status = removals(engine, err);
    return status != STATUS_OK ? status : depths(engine, err);
}
