// sweep.c: brings in what placements lead to, chooses the best.

#include "solver/sweep.h"

#include <omp.h>
#include <string.h>

#include "solver/source.h"

// Codes of one row, for the statistics; four counters a code, since neighbours are often equal.
static void count_row(const uint8_t *value, uint32_t n, uint64_t counts[256])
{
    uint32_t parts[4][256] = {{0}};
    uint32_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (int i = 0; i < 4; i++)
            parts[i][value[k + (uint32_t)i]]++;
    for (; k < n; k++)
        parts[0][value[k]]++;
    for (int v = 0; v < 256; v++)
        counts[v] += (uint64_t)parts[0][v] + parts[1][v] + parts[2][v] + parts[3][v];
}

// Where a mill has ended the game before. `bits` is room for a row of bits.
static void put_ends(const struct side *side, uint32_t row, uint64_t *bits)
{
    uint8_t *value = side_values(side, row);
    if (merels_side_row_is_lost(side, row))
        memset(value, 0, side->n_columns);
    if (!merels_side_no_positions(side, row, bits))
        return;
    for (uint32_t k = 0; k < side->n_columns; k++)
        if (bits[k / 64] >> (k % 64) & 1)
            value[k] = DTM_DRAW;
}

static void sweep_rows(struct engine *engine, struct side_output *output)
{
    const struct side *side = &engine->unit->sides[0];
    const struct row_sets *rows = side->rows->rows;
    uint64_t counts[256] = {0};
    uint32_t piece = merels_engine_piece(engine, side->range.n);
#pragma omp parallel for schedule(dynamic, piece) num_threads(engine->n_threads)                   \
    reduction(+ : counts)
    for (uint32_t place = 0; place < side->range.n; place++) {
        uint32_t row = side->range.first + place;
        struct workspace *work = &engine->work[omp_get_thread_num()];
        engine->kernels->place_row(side, row, work);
        put_ends(side, row, work->bits[0]);
        if (row_is_plain(rows, row))
            count_row(side_values(side, row), side->n_columns, counts);
    }
    for (int code = 0; code <= MAX_DEPTH; code++)
        merels_side_output_count(output, code, counts[code]);
}

static enum status solve_range(struct engine *engine, double share, struct side_output *output,
                               struct error *err)
{
    merels_meter_stage(engine->meter, "sources", 0.50 * share);
    enum status status = merels_sources_bring(engine, true, err);
    if (status != STATUS_OK)
        return status;
    merels_meter_stage(engine->meter, "sweep", 0.45 * share);
    sweep_rows(engine, output);
    if (merels_meter_tick(engine->meter, 1))
        return merels_error(err, STATUS_INTERRUPTED, "stopped");
    return merels_side_output_take(output, false, err);
}

enum status merels_engine_sweep(struct engine *engine, struct side_output *output,
                                struct error *err)
{
    struct unit *unit = engine->unit;
    struct side *side = &unit->sides[0];
    enum status status = STATUS_OK;
    for (uint32_t first = 0; first < side->n_rows && status == STATUS_OK;
         first += side->reach.n) {
        merels_unit_set_range(unit, first);
        status = solve_range(engine, (double)side->reach.n / side->n_rows, output, err);
    }
    return status;
}
