// placing.c: a subspace of the placing phase: bring in what placements lead to, choose the
// best.

#include <omp.h>
#include <string.h>

#include "solver/engine.h"

static void fill(const struct engine *engine, uint8_t *array, const struct side *side,
                 uint8_t value)
{
    uint32_t piece = merels_engine_piece(engine, side->n_rows);
#pragma omp parallel for schedule(dynamic, piece) num_threads(engine->n_threads)
    for (uint32_t row = 0; row < side->n_rows; row++)
        memset(array + (uint64_t)row * side->n_columns, value, side->n_columns);
}

// What each arrival is worth, without and with a removal.
static enum status bring_arrivals(struct engine *engine, struct error *err)
{
    struct side *arrivals = engine->unit->arrivals;
    struct subspace s = arrivals->subspace;
    struct subspace plain = {s.b, s.a, s.hb, s.ha};
    struct subspace smaller = {(uint8_t)(s.b - 1), s.a, s.hb, s.ha};
    bool removes = s.a >= 3 && s.b > 0;
    bool ends = removes && smaller.a + smaller.ha < engine->rules->least; // lost in 0
    fill(engine, arrivals->value, arrivals, VALUE_DRAW);
    fill(engine, arrivals->removal, arrivals, ends ? 0 : VALUE_DRAW);
    enum status status = merels_engine_bring(engine, arrivals, plain, BRING_PLAIN, 0, err);
    if (status == STATUS_OK && removes && !ends)
        status = merels_engine_bring(engine, arrivals, smaller, BRING_REMOVALS, 0, err);
    return status;
}

// Depths of one row, for the statistics; four counters a depth, since neighbours are often
// equal.
static void count_row(const uint8_t *value, uint32_t n, uint64_t counts[MAX_DEPTH + 1])
{
    uint32_t parts[4][256] = {{0}};
    uint32_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (int i = 0; i < 4; i++)
            parts[i][value[k + (uint32_t)i]]++;
    for (; k < n; k++)
        parts[0][value[k]]++;
    for (int d = 0; d <= MAX_DEPTH; d++)
        counts[d] += (uint64_t)parts[0][d] + parts[1][d] + parts[2][d] + parts[3][d];
}

static int sweep(struct engine *engine)
{
    struct side *side = &engine->unit->sides[0];
    uint64_t counts[MAX_DEPTH + 1] = {0};
    int deepest = -1;
    uint32_t piece = merels_engine_piece(engine, side->n_rows);
#pragma omp parallel for schedule(dynamic, piece) num_threads(engine->n_threads)                   \
    reduction(max : deepest) reduction(+ : counts)
    for (uint32_t row = 0; row < side->n_rows; row++) {
        struct workspace *work = &engine->work[omp_get_thread_num()];
        int depth = engine->kernels->place_row(side, engine->unit->arrivals, row, work);
        deepest = depth > deepest ? depth : deepest;
        if (side->rows->rows->stabilizers[row] == 1)
            count_row(side->value + (uint64_t)row * side->n_columns, side->n_columns, counts);
    }
    memcpy(side->decided, counts, sizeof counts);
    return deepest;
}

enum status merels_engine_placing(struct engine *engine, struct error *err)
{
    const struct side *side = &engine->unit->sides[0];
    enum status status = bring_arrivals(engine, err);
    if (status != STATUS_OK)
        return status;
    if (sweep(engine) > MAX_DEPTH)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "a win or loss of over %d plies does not fit one byte", MAX_DEPTH);
    uint64_t n_slots = (uint64_t)side->n_rows * side->n_columns;
    if (engine->tick(engine->context, STAGE_DEPTHS, 0, n_slots))
        return merels_error(err, STATUS_INTERRUPTED, "stopped");
    return STATUS_OK;
}
