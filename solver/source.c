// source.c: reads finished tables row by row and turns them into the unit's row shape.
//
// Positions after the mover's ply belong to the other side, so the finished table has the
// arrived set as its row. It is read in order; what a row says about its columns goes to the
// unit's rows by the turn, one item in a list for each that is no draw.
//
// A table whose numbers are all codes of this window is read as bytes, by the kernels. Any
// other (two bytes wide, or a later window) is read as numbers of two bytes, the plain way: the
// best removal is found first and then put into the window, since what lies outside of it still
// competes. With the metric dtc the numbers are results alone, and the first window has them.

#include "solver/source.h"

#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "game/moves.h"
#include "kernels/naive.h"
#include "solver/exchange.h"
#include "solver/store.h"

// What the threads share while one source is brought.
struct job {
    struct engine *engine;
    struct side *side;
    struct source *source;
    bool wide; // read as two bytes
    // The other side's men on the points that the arrived set leaves free: men[0] as many as in
    // the finished table, men[k] k more, up to those before the ply.
    struct columns men[MAX_REMOVED + 1];
    const struct columns *victims; // the last of them
    uint32_t piece;                // rows read at a time
    bool ticks;
    double before, share; // of all sources: done, and this one's
    enum status status;
    struct error error;
    uint32_t rows_done;
};

// A thread's room for a piece.
struct room {
    uint8_t *bytes;
    uint16_t *wide, *best; // NULL unless needed
    uint8_t *codes;
};

static void fail(struct job *job, enum status status, const struct error *error)
{
#pragma omp critical(source_job)
    if (job->status == STATUS_OK) {
        job->status = status;
        job->error = *error;
    }
}

static bool is_over(struct job *job)
{
    bool over;
#pragma omp critical(source_job)
    over = job->status != STATUS_OK;
    return over;
}

// ---- rows ----------------------------------------------------------------------------------

static bool removes(const struct job *job)
{
    return job->source->effect.n_removed > 0;
}

static void bring_bytes(const struct job *job, uint32_t row, const uint8_t *values)
{
    const struct kernels *kernels = job->engine->kernels;
    struct workspace *work = &job->engine->work[omp_get_thread_num()];
    if (removes(job))
        kernels->removal_row(job->side, job->source, job->men, row, values, work);
    else
        kernels->arrival_row(job->side, job->source, job->victims, row, values, work);
}

// Codes of values in the window; all else is no code of it.
static void put_in_window(const struct job *job, const uint16_t *values, uint32_t n,
                          uint8_t *codes)
{
    uint32_t base = (uint32_t)job->side->source_base, n_codes = (uint32_t)job->engine->n_codes;
    for (uint32_t k = 0; k < n; k++) {
        bool inside = values[k] != WIDE_DTM_DRAW && values[k] - base < n_codes;
        codes[k] = inside ? (uint8_t)(values[k] - base) : DTM_DRAW;
    }
}

static void bring_wide(const struct job *job, uint32_t row, const uint16_t *values,
                       const struct room *room)
{
    const struct rules *rules = job->engine->rules;
    struct workspace *work = &job->engine->work[omp_get_thread_num()];
    if (removes(job)) {
        merels_naive_removals(rules, job->source->arrivals->rows->sets[row], job->men,
                              job->source->effect.n_removed, values, room->best);
        values = room->best;
    }
    put_in_window(job, values, job->victims->n_columns, room->codes);
    job->engine->kernels->arrival_row(job->side, job->source, job->victims, row, room->codes,
                                      work);
}

// Values of one or two bytes, little-endian, as numbers that the metric asks for.
static void to_numbers(enum metric metric, const uint8_t *bytes, int value_bytes, size_t n,
                       uint16_t *wide)
{
    for (size_t k = 0; k < n; k++) {
        int number =
            source_number(metric, table_value(bytes + k * (size_t)value_bytes, value_bytes));
        wide[k] = number < 0 ? WIDE_DTM_DRAW : (uint16_t)number;
    }
}

// The same to bytes, in place, where all of them fit.
static void to_bytes(enum metric metric, int value_bytes, size_t n, uint8_t *bytes)
{
    for (size_t k = 0; k < n; k++) {
        int number =
            source_number(metric, table_value(bytes + k * (size_t)value_bytes, value_bytes));
        bytes[k] = number < 0 ? DTM_DRAW : (uint8_t)number;
    }
}

static enum status bring_piece(const struct job *job, uint32_t first, uint32_t n,
                               const struct room *room, struct error *err)
{
    const struct table *table = job->source->table;
    enum metric metric = job->engine->rules->metric;
    int value_bytes = merels_table_header(table)->value_bytes;
    size_t n_slots = (size_t)n * job->men[0].n_columns;
    enum status status = merels_table_read(table, (uint64_t)first * job->men[0].n_columns,
                                           n_slots, room->bytes, err);
    if (status == STATUS_OK && job->wide)
        to_numbers(metric, room->bytes, value_bytes, n_slots, room->wide);
    else if (status == STATUS_OK && (metric != METRIC_DTM || value_bytes != 1))
        to_bytes(metric, value_bytes, n_slots, room->bytes);
    for (uint32_t k = 0; k < n && status == STATUS_OK; k++) {
        uint32_t row = first + k;
        size_t at = (size_t)k * job->men[0].n_columns;
        if (removes(job) && merels_board_mill_men(&job->engine->rules->board,
                                                  job->source->arrivals->rows->sets[row]) == 0)
            continue; // no man can have been taken
        if (job->wide)
            bring_wide(job, row, room->wide + at, room);
        else
            bring_bytes(job, row, room->bytes + at);
    }
    return status;
}

static void tick(struct job *job)
{
    uint32_t done;
#pragma omp atomic capture
    done = job->rows_done += job->piece;
    if (omp_get_thread_num() != 0)
        return;
    double part = (double)done / job->source->arrivals->rows->n_rows;
    part = job->before + job->share * (part > 1 ? 1 : part);
    if (job->ticks ? merels_meter_tick(job->engine->meter, part)
                   : merels_meter_stops(job->engine->meter))
        fail(job, STATUS_INTERRUPTED, &(struct error){STATUS_INTERRUPTED, "stopped"});
}

static bool make_room(const struct job *job, struct room *room)
{
    size_t n_slots = (size_t)job->piece * job->men[0].n_columns, n = job->victims->n_columns;
    int value_bytes = merels_table_header(job->source->table)->value_bytes;
    *room = (struct room){.bytes = malloc(n_slots * (size_t)value_bytes)};
    if (!job->wide)
        return room->bytes != NULL;
    room->wide = malloc(n_slots * sizeof *room->wide);
    room->best = malloc(n * sizeof *room->best);
    room->codes = malloc(n);
    return room->bytes != NULL && room->wide != NULL && room->best != NULL &&
           room->codes != NULL;
}

static void read_rows(struct job *job, uint32_t first_row, uint32_t last_row)
{
#pragma omp parallel num_threads(job->engine->n_threads)
    {
        struct room room;
        struct error error = {STATUS_NO_MEMORY, "out of memory for a piece of a table"};
        if (!make_room(job, &room))
            fail(job, STATUS_NO_MEMORY, &error);
#pragma omp for schedule(dynamic, 1)
        for (uint32_t first = first_row; first < last_row; first += job->piece) {
            if (is_over(job))
                continue;
            uint32_t n = last_row - first < job->piece ? last_row - first : job->piece;
            enum status status = bring_piece(job, first, n, &room, &error);
            if (status != STATUS_OK)
                fail(job, status, &error);
            tick(job);
        }
        free(room.bytes);
        free(room.wide);
        free(room.best);
        free(room.codes);
    }
}

// ---- turns ---------------------------------------------------------------------------------

struct codes_at { // the bucket whose turns are carried out
    const struct side *side;
    const struct source *source;
    uint32_t bucket;
};

static void apply_codes(void *context, const uint32_t *items, size_t n)
{
    const struct codes_at *at = context;
    const struct source *source = at->source;
    int column_bits = source->lists.column_bits;
    uint32_t here = at->bucket - side_first_bucket(at->side, &source->lists);
    size_t first = (size_t)here << source->lists.row_bits;
    uint8_t *codes = source->value + first * source->n_columns;
    for (size_t k = 0; k < n; k++) {
        uint32_t place = items[k] >> 8, row = place >> column_bits;
        uint32_t column = place & ((1u << column_bits) - 1);
        codes[(size_t)row * source->n_columns + column] = (uint8_t)items[k];
    }
}

// Those to rows in memory.
static void apply_turns(const struct job *job)
{
    struct turn_lists *lists = &job->source->lists;
    uint32_t first = side_first_bucket(job->side, lists), n = job->side->range.n;
    uint32_t last = n == 0 ? first : first + ((n - 1) >> lists->row_bits) + 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(job->engine->n_threads)
    for (uint32_t bucket = first; bucket < last; bucket++) {
        struct codes_at at = {job->side, job->source, bucket};
        merels_turn_apply(lists, bucket, apply_codes, &at);
    }
    merels_turn_pool_reset(lists->pool);
}

static void take_arrived(void *context, int list, uint32_t bucket, const uint32_t *items,
                         size_t n)
{
    const struct job *job = context;
    struct codes_at at = {job->side, job->source, bucket};
    (void)list;
    apply_codes(&at, items, n);
}

// Sends turns to the ranks of their rows.
static enum status meet(struct job *job, bool finished, bool *all_finished, struct error *err)
{
    const struct exchanged what = {.unit = job->engine->unit,
                                   .n = 1,
                                   .sides = {job->side},
                                   .lists = {&job->source->lists},
                                   .carry_out = take_arrived,
                                   .context = job};
    return merels_exchange_meet(job->engine->exchange, &what, finished, all_finished, err);
}

// Each rank of a unit reads its part of the table, round by round; whoever is ready before the
// others only takes in.
static enum status read_with_others(struct job *job, uint32_t round, struct error *err)
{
    uint64_t n_rows = job->source->arrivals->rows->n_rows;
    struct ranks *ranks = merels_exchange_ranks(job->engine->exchange);
    uint64_t n = (uint64_t)merels_ranks_count(ranks), me = (uint64_t)merels_ranks_number(ranks);
    uint32_t first = (uint32_t)(n_rows * me / n), last = (uint32_t)(n_rows * (me + 1) / n);
    bool all = false;
    enum status status = STATUS_OK;
    while (!all && status == STATUS_OK) {
        uint32_t end = last - first < round ? last : first + round;
        read_rows(job, first, end);
        first = end;
        if (is_over(job))
            return STATUS_OK; // the job says it
        status = meet(job, first == last, &all, err);
        apply_turns(job);
    }
    return status;
}

// As many rows a round as the lists of turns have room for.
static enum status read_table(struct job *job, struct error *err)
{
    assert(job->source->lists.pool->n_used == 0);
    uint32_t n_rows = job->source->arrivals->rows->n_rows;
    uint64_t room = merels_turn_room(&job->source->lists) / job->victims->n_columns;
    uint32_t round = room < job->piece ? job->piece : room > n_rows ? n_rows : (uint32_t)room;
    if (job->engine->exchange != NULL)
        return read_with_others(job, round, err);
    for (uint32_t first = 0; first < n_rows && !is_over(job); first += round) {
        read_rows(job, first, n_rows - first < round ? n_rows : first + round);
        apply_turns(job);
    }
    return STATUS_OK;
}

// ---- one source ----------------------------------------------------------------------------

static void fill_rows(const struct engine *engine, const struct side *side,
                      const struct source *source, uint8_t code)
{
    uint32_t piece = merels_engine_piece(engine, side->range.n);
#pragma omp parallel for schedule(dynamic, piece) num_threads(engine->n_threads)
    for (uint32_t place = 0; place < side->range.n; place++)
        memset(source->value + (size_t)place * source->n_columns, code, source->n_columns);
}

// Which codes occur in each row.
static void note_codes(const struct engine *engine, const struct side *side,
                       struct source *source)
{
    uint32_t piece = merels_engine_piece(engine, side->range.n);
#pragma omp parallel for schedule(dynamic, piece) num_threads(engine->n_threads)
    for (uint32_t place = 0; place < side->range.n; place++) {
        const uint8_t *codes = source->value + (size_t)place * source->n_columns;
        bool occurs[256] = {false};
        for (uint32_t k = 0; k < source->n_columns; k++)
            occurs[codes[k]] = true;
        memset(source->codes[place], 0, sizeof source->codes[place]);
        for (int c = 0; c <= MAX_DEPTH; c++)
            source->codes[place][c / 64] |= (uint64_t)occurs[c] << (c % 64);
    }
}

// Do all numbers of a source have keys, and are they all codes of the window?
static bool fits_in_bytes(const struct engine *engine, const struct side *side,
                          const struct source *source)
{
    return side->source_base == 0 && source->deepest <= NARROW_STEPS &&
           source->deepest < engine->n_codes;
}

static enum status open_job(struct job *job, struct error *err)
{
    const struct engine *engine = job->engine;
    struct subspace finished = job->source->effect.after;
    int free_points = engine->rules->board.n_points - finished.b;
    int n_removed = job->source->effect.n_removed, cell_points = engine->kernels->cell_points;
    enum status status = STATUS_OK;
    for (int k = 0; k <= n_removed && status == STATUS_OK; k++)
        status =
            merels_columns_create(free_points, finished.a + k, cell_points, &job->men[k], err);
    job->victims = &job->men[n_removed];
    job->wide = !fits_in_bytes(engine, job->side, job->source);
    uint32_t n_columns = (uint32_t)merels_choose(free_points, finished.a);
    job->piece = n_columns >= PIECE_SLOTS ? 1 : PIECE_SLOTS / n_columns;
    return status;
}

static enum status read_source(struct job *job, struct error *err)
{
    enum status status = open_job(job, err);
    if (status == STATUS_OK)
        status = read_table(job, err);
    if (status == STATUS_OK && job->status != STATUS_OK)
        status = merels_error(err, job->status, "%s", job->error.text);
    for (int k = 0; k <= MAX_REMOVED; k++)
        merels_columns_destroy(&job->men[k]);
    return status;
}

// A ply that ends the game leaves the other side lost in 0.
static enum status fill_source(struct engine *engine, struct side *side, struct source *source,
                               struct job *job, struct error *err)
{
    bool ends = source->effect.ends;
    fill_rows(engine, side, source, ends && side->source_base == 0 ? 0 : DTM_DRAW);
    if (ends || source->deepest < side->source_base)
        return STATUS_OK;
    job->side = side;
    job->source = source;
    return read_source(job, err);
}

// Range after range if its codes wait in a temporary file.
static enum status fill_and_store(struct engine *engine, struct side *side,
                                  struct source *source, const struct job *whole,
                                  struct error *err)
{
    enum status status = STATUS_OK;
    double part = 0;
    source->value = engine->unit->room;
    for (uint32_t first = 0; first < side->n_rows && status == STATUS_OK;
         first += side->range.n) {
        merels_store_range(engine, side, source->n_columns, first);
        struct job job = *whole;
        job.before += whole->share * part;
        job.share *= (double)side->range.n / side->n_rows;
        status = fill_source(engine, side, source, &job, err);
        if (status == STATUS_OK)
            status = merels_store_source(engine, side, source, err);
        part += (double)side->range.n / side->n_rows;
    }
    source->value = NULL;
    side_set_range(side, 0, side->n_rows);
    return status;
}

static enum status bring_source(struct engine *engine, struct side *side, struct source *source,
                                struct job *job, struct error *err)
{
    if (engine->store != NULL)
        return fill_and_store(engine, side, source, job, err);
    enum status status = fill_source(engine, side, source, job, err);
    if (status == STATUS_OK && source->codes != NULL)
        note_codes(engine, side, source);
    return status;
}

static double all_slots(const struct unit *unit)
{
    double slots = 0;
    for (int k = 0; k < unit->n_sides; k++)
        for (int i = 0; i < unit->sides[k].n_sources; i++)
            slots += (double)unit->sides[k].reach.n * unit->sides[k].sources[i].n_columns;
    return slots;
}

enum status merels_sources_bring(struct engine *engine, bool ticks, struct error *err)
{
    struct unit *unit = engine->unit;
    double all = all_slots(unit), done = 0;
    enum status status = STATUS_OK;
    for (int k = 0; k < unit->n_sides; k++)
        for (int i = 0; i < unit->sides[k].n_sources && status == STATUS_OK; i++) {
            struct side *side = &unit->sides[k];
            struct source *source = &side->sources[i];
            double share = (double)side->reach.n * source->n_columns / all;
            struct job job = {.engine = engine, .ticks = ticks, .before = done, .share = share};
            status = bring_source(engine, side, source, &job, err);
            done += share;
        }
    return status;
}

// ---- the tables behind ---------------------------------------------------------------------

static enum status find_table(struct engine *engine, struct source *source, struct error *err)
{
    source->deepest = 0;
    if (source->effect.ends)
        return STATUS_OK;
    enum status status =
        merels_tablebase_table(engine->base, source->effect.after, &source->table, err);
    if (status != STATUS_OK)
        return status;
    const struct table_stats *stats = &merels_table_header(source->table)->stats;
    source->deepest = stats->max_win > stats->max_loss ? stats->max_win : stats->max_loss;
    if (engine->rules->metric == METRIC_DTC)
        source->deepest = stats->max_win >= 0 ? 1 : stats->max_loss >= 0 ? 0 : -1;
    return STATUS_OK;
}

enum status merels_sources_find(struct engine *engine, struct error *err)
{
    struct unit *unit = engine->unit;
    enum status status = STATUS_OK;
    for (int k = 0; k < unit->n_sides; k++)
        for (int i = 0; i < unit->sides[k].n_sources && status == STATUS_OK; i++)
            status = find_table(engine, &unit->sides[k].sources[i], err);
    return status;
}

int merels_sources_deepest(const struct unit *unit)
{
    int deepest = -1;
    for (int k = 0; k < unit->n_sides; k++)
        for (int i = 0; i < unit->sides[k].n_sources; i++)
            if (unit->sides[k].sources[i].deepest > deepest)
                deepest = unit->sides[k].sources[i].deepest;
    return deepest;
}
