// depths.c: step after step, every position that has just become known decides its
// predecessors.
//
//     for each range of rows (all of them, if turns stay in the unit)
//         for each window of steps (mostly one: codes of a byte hold 255 steps)
//             read the sources
//             for each step of the window: for each side: for each row: decide_row
//             hand the codes over
//
// The threads take the rows in buckets, those of one list of turns, and carry out the turns
// that led there before they work on them. Where rows belong to several ranks, all of these do
// the same steps, each in its rows, and meet at the end of each (exchange.h).

#include "solver/depths.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "solver/exchange.h"
#include "solver/source.h"
#include "solver/store.h"

// ---- arrays --------------------------------------------------------------------------------

static void fill_bits(const struct side *side, uint32_t place)
{
    uint64_t *undecided = side->undecided + place * side->row_words;
    for (size_t w = 0; w < side->row_words; w++)
        undecided[w] =
            low_bits((int)(side->n_columns - w * 64 < 64 ? side->n_columns - w * 64 : 64));
    size_t n_bytes = side->row_words * sizeof(uint64_t);
    if (side->passes != NULL)
        memset(side->passes + place * side->row_words, 0, n_bytes);
    if (side->moves_stay) {
        memset(side->won + place * side->row_words, 0, n_bytes);
        for (int k = 0; k < side->n_fresh; k++) {
            memset(side->fresh[k] + place * side->row_words, 0, n_bytes);
            side->touched[k][place] = 0;
        }
    }
    for (int k = 0; k < side->n_sources; k++) {
        const struct source *source = &side->sources[k];
        memset(source->won + place * source->row_words, 0,
               source->row_words * sizeof(uint64_t));
    }
}

static void clear_values(const struct engine *engine, const struct side *side)
{
    uint32_t piece = merels_engine_piece(engine, side->range.n);
#pragma omp parallel for schedule(dynamic, piece) num_threads(engine->n_threads)
    for (uint32_t place = 0; place < side->range.n; place++)
        memset(side->value + (size_t)place * side->n_columns, DTM_DRAW, side->n_columns);
}

// Takes the slots that hold no position out of a row; `bits` is room for it.
static void leave_out(const struct side *side, uint32_t place, uint64_t *bits)
{
    side->left[place] = side->n_columns;
    if (!merels_side_no_positions(side, side->range.first + place, bits))
        return;
    uint64_t *undecided = side->undecided + place * side->row_words;
    for (size_t w = 0; w < side->row_words; w++) {
        undecided[w] &= ~bits[w];
        side->left[place] -= (uint32_t)bit_count(bits[w]);
    }
}

// First touch of the big arrays, by the threads that will work on them.
static void start_side(const struct engine *engine, const struct side *side)
{
    uint32_t piece = merels_engine_piece(engine, side->range.n);
    if (engine->store == NULL)
        clear_values(engine, side);
#pragma omp parallel for schedule(dynamic, piece) num_threads(engine->n_threads)
    for (uint32_t place = 0; place < side->range.n; place++) {
        fill_bits(side, place);
        leave_out(side, place, engine->work[omp_get_thread_num()].bits[0]);
    }
}

// ---- turns ---------------------------------------------------------------------------------

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
    uint32_t here = at->bucket - side_first_bucket(side, &side->lists[at->fresh]);
    size_t first = (size_t)here << side->lists[at->fresh].row_bits;
    uint64_t *bits = side->fresh[at->fresh] + first * side->row_words;
    uint8_t *touched = side->touched[at->fresh] + first;
    for (size_t k = 0; k < n; k++) {
        uint32_t row = items[k] >> column_bits;
        uint32_t column = items[k] & ((1u << column_bits) - 1);
        bits[row * side->row_words + column / 64] |= (uint64_t)1 << (column & 63);
        touched[row] = 1;
    }
}

// Carries out the turns that led to a bucket of those in memory.
static void apply_bucket(struct side *side, int fresh, uint32_t bucket)
{
    struct bits_at at = {side, fresh, side_first_bucket(side, &side->lists[fresh]) + bucket};
    merels_turn_apply(&side->lists[fresh], at.bucket, apply_bits, &at);
}

// Carries out all turns of a list so far to rows in memory, so that their pool is empty again.
static void apply_list(const struct engine *engine, int fresh)
{
    for (int k = 0; k < engine->unit->n_sides; k++) {
        struct side *side = &engine->unit->sides[k];
        if (!side->moves_stay)
            continue;
#pragma omp parallel for schedule(dynamic, 1) num_threads(engine->n_threads)
        for (uint32_t bucket = 0; bucket < side_buckets(side); bucket++)
            apply_bucket(side, fresh, bucket);
    }
    merels_turn_pool_reset(&engine->unit->pools[fresh]);
}

// Turns that have come from another rank.
struct arrived {
    struct unit *unit;
    int fresh;
};

static void take_arrived(void *context, int list, uint32_t bucket, const uint32_t *items,
                         size_t n)
{
    const struct arrived *arrived = context;
    struct bits_at at = {&arrived->unit->sides[list], arrived->fresh, bucket};
    apply_bits(&at, items, n);
}

// Meets the other ranks of the unit: turns of a list go to the ranks of their rows.
static enum status meet(const struct engine *engine, int fresh, bool finished,
                        bool *all_finished, struct error *err)
{
    struct unit *unit = engine->unit;
    struct arrived arrived = {unit, fresh};
    struct exchanged what = {.unit = unit, .carry_out = take_arrived, .context = &arrived};
    for (int k = 0; k < unit->n_sides; k++) {
        what.sides[k] = &unit->sides[k];
        what.lists[k] = &unit->sides[k].lists[fresh];
    }
    what.n = unit->n_sides;
    return merels_exchange_meet(engine->exchange, &what, finished, all_finished, err);
}

// The list that waits for a step, and the one that is news while the sources' is.
static int list_of(const struct engine *engine, int step)
{
    return fresh_list(engine->rules->metric, step);
}

static int news_list(const struct engine *engine, int step)
{
    return list_of(engine, step_inside(engine->rules->metric, step));
}

// ---- one step ------------------------------------------------------------------------------

struct decided {
    uint64_t n, n_plain; // slots; those of rows without symmetries
};

static void decide_bucket(struct engine *engine, struct side *side, int step, uint32_t bucket,
                          struct decided *decided)
{
    struct workspace *work = &engine->work[omp_get_thread_num()];
    const struct row_sets *rows = side->rows->rows;
    uint32_t first = bucket << side_bucket_bits(side), n = 1u << side_bucket_bits(side);
    uint32_t last = side->range.n - first < n ? side->range.n : first + n;
    if (side->moves_stay)
        apply_bucket(side, news_list(engine, step), bucket);
    if (engine->store != NULL) { // what has been decided is counted as it is handed over
        decided->n += merels_store_decide(engine, side, step, bucket);
        return;
    }
    for (uint32_t place = first; place < last; place++) {
        uint32_t row = side->range.first + place;
        uint32_t found = engine->kernels->decide_row(side, row, step, work);
        decided->n += found;
        decided->n_plain += row_is_plain(rows, row) ? found : 0;
    }
}

// Whether the threads have to come together; the first of them looks for calls of other ranks.
static bool is_time_to_meet(const struct engine *engine, const struct turn_pool *pool,
                            bool *called)
{
    if (engine->exchange != NULL && omp_get_thread_num() == 0 &&
        merels_exchange_called(engine->exchange))
        __atomic_store_n(called, true, __ATOMIC_RELAXED);
    return turn_pool_is_low(pool) || __atomic_load_n(called, __ATOMIC_RELAXED);
}

// The pool of a list is low, here or on another rank.
static enum status make_room(const struct engine *engine, int ahead, struct error *err)
{
    bool low = turn_pool_is_low(&engine->unit->pools[ahead]), all;
    enum status status = STATUS_OK;
    if (engine->exchange != NULL) {
        if (low)
            merels_exchange_call(engine->exchange);
        status = meet(engine, ahead, false, &all, err);
    }
    if (status == STATUS_OK && low)
        apply_list(engine, ahead);
    return status;
}

// The threads take buckets in turn; when the pool runs low, they meet and empty it.
static enum status decide_side(struct engine *engine, struct side *side, int step,
                               struct decided *decided, struct error *err)
{
    int ahead = list_of(engine, step_before(step));
    const struct turn_pool *pool = &engine->unit->pools[ahead];
    bool turns = side->turned != NULL, called = false;
    uint32_t n_buckets = side_buckets(side), next = 0;
    uint64_t n = 0, n_plain = 0;
    enum status status = STATUS_OK;
    while (next < n_buckets && status == STATUS_OK) {
        called = false;
#pragma omp parallel num_threads(engine->n_threads) reduction(+ : n, n_plain)
        {
            struct decided here = {0, 0};
            while (!turns || !is_time_to_meet(engine, pool, &called)) {
                uint32_t bucket = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
                if (bucket >= n_buckets)
                    break;
                decide_bucket(engine, side, step, bucket, &here);
            }
            n += here.n;
            n_plain += here.n_plain;
        }
        if (turns && (called || turn_pool_is_low(pool)))
            status = make_room(engine, ahead, err);
    }
    *decided = (struct decided){n, n_plain};
    return status;
}

static bool any_moves_stay(const struct unit *unit)
{
    bool any = false;
    for (int k = 0; k < unit->n_sides; k++)
        any = any || unit->sides[k].moves_stay;
    return any;
}

// Meets the others until all have come to the end of the step; *n is then of all.
static enum status end_step(const struct engine *engine, int step, uint64_t *n,
                            struct error *err)
{
    int ahead = list_of(engine, step_before(step));
    bool all = engine->exchange == NULL || !any_moves_stay(engine->unit);
    enum status status = STATUS_OK;
    while (!all && status == STATUS_OK) {
        status = meet(engine, ahead, true, &all, err);
        if (status == STATUS_OK && turn_pool_is_low(&engine->unit->pools[ahead]))
            apply_list(engine, ahead);
    }
    if (status == STATUS_OK && engine->exchange != NULL)
        status = merels_ranks_sum(merels_exchange_ranks(engine->exchange), n, 1, err);
    return status;
}

static enum status decide_all(struct engine *engine, int step, struct side_output *outputs,
                              uint64_t *n, struct error *err)
{
    enum status status = STATUS_OK;
    *n = 0;
    for (int k = 0; k < engine->unit->n_sides && status == STATUS_OK; k++) {
        struct decided decided;
        status = decide_side(engine, &engine->unit->sides[k], step, &decided, err);
        merels_side_output_count(&outputs[k], step_before(step), decided.n_plain);
        *n += decided.n;
    }
    if (status == STATUS_OK)
        status = end_step(engine, step, n, err);
    merels_turn_pool_reset(&engine->unit->pools[news_list(engine, step)]);
    return status;
}

// ---- windows -------------------------------------------------------------------------------

static enum status hand_over(struct engine *engine, struct side_output *outputs, bool more,
                             struct error *err)
{
    enum status status = STATUS_OK;
    if (engine->store != NULL)
        return merels_store_hand_over(engine, outputs, more, err);
    for (int k = 0; k < engine->unit->n_sides && status == STATUS_OK; k++)
        status = merels_side_output_take(&outputs[k], more, err);
    return status;
}

// The codes so far go out, and code 0 stands for the next step from now on. The turns that wait
// are carried out first: the sources need their pool.
static enum status next_window(struct engine *engine, int step, struct side_output *outputs,
                               struct error *err)
{
    enum metric metric = engine->rules->metric;
    if (step_before(step) > WIDE_MAX_DEPTH)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "a win or loss of over %d plies does not fit two bytes",
                            depth_at(metric, WIDE_MAX_DEPTH));
    for (int fresh = 0; fresh < n_fresh_lists(metric); fresh++)
        apply_list(engine, fresh);
    enum status status = hand_over(engine, outputs, true, err);
    for (int k = 0; k < engine->unit->n_sides; k++) {
        engine->unit->sides[k].value_base = step_before(step);
        engine->unit->sides[k].source_base = step;
        if (engine->store == NULL)
            clear_values(engine, &engine->unit->sides[k]);
    }
    return status == STATUS_OK ? merels_sources_bring(engine, false, err) : status;
}

static bool window_ends(const struct engine *engine, int step)
{
    return step_before(step) - engine->unit->sides[0].value_base >= engine->n_codes;
}

static bool tick(struct engine *engine, int step, uint64_t decided, uint64_t n_slots)
{
    char stage[PROGRESS_TEXT_BYTES];
    snprintf(stage, sizeof stage, "depth %d",
             depth_at(engine->rules->metric, step_before(step)));
    merels_meter_rename(engine->meter, stage);
    return merels_meter_tick(engine->meter, (double)decided / (double)n_slots);
}

// Under rules that count plies nothing stands that takes more of them.
static bool is_counted(const struct engine *engine, int step)
{
    int n_move = engine->rules->n_move;
    return n_move == 0 || depth_at(engine->rules->metric, step_before(step)) <= n_move;
}

static enum status go_through_steps(struct engine *engine, struct side_output *outputs,
                                    struct error *err)
{
    const struct unit *unit = engine->unit;
    int last = merels_sources_deepest(unit), n_pending = 0;
    uint64_t decided = 0, n_slots = 0;
    for (int k = 0; k < unit->n_sides; k++)
        n_slots += (uint64_t)unit->sides[k].reach.n * unit->sides[k].n_columns;
    for (int step = -1; (n_pending >= 0 || step <= last) && is_counted(engine, step); step++) {
        if (window_ends(engine, step)) {
            enum status status = next_window(engine, step, outputs, err);
            if (status != STATUS_OK)
                return status;
        }
        uint64_t fresh;
        enum status status = decide_all(engine, step, outputs, &fresh, err);
        if (status == STATUS_OK)
            status = merels_store_status(engine, err);
        decided += fresh;
        n_pending = fresh != 0 ? n_steps_pending(engine->rules->metric) : n_pending - 1;
        if (status != STATUS_OK)
            return status;
        if (tick(engine, step, decided, n_slots))
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    return hand_over(engine, outputs, false, err);
}

static enum status solve_range(struct engine *engine, double share, struct side_output *outputs,
                               struct error *err)
{
    for (int k = 0; k < engine->unit->n_sides; k++) {
        engine->unit->sides[k].value_base = engine->unit->sides[k].source_base = 0;
        start_side(engine, &engine->unit->sides[k]);
    }
    merels_meter_stage(engine->meter, "sources", 0.10 * share);
    enum status status = merels_sources_bring(engine, true, err);
    if (status != STATUS_OK)
        return status;
    merels_meter_stage(engine->meter, "depths", 0.85 * share);
    return go_through_steps(engine, outputs, err);
}

enum status merels_engine_depths(struct engine *engine, struct side_output *outputs,
                                 struct error *err)
{
    struct unit *unit = engine->unit;
    uint32_t n_rows = unit->sides[0].n_rows;
    bool whole = unit->max_rows >= n_rows;
    enum status status = STATUS_OK;
    for (uint32_t first = 0; first == 0 || (!whole && first < n_rows);) {
        merels_unit_set_range(unit, first);
        double share = whole ? 1 : (double)unit->sides[0].reach.n / n_rows;
        status = solve_range(engine, share, outputs, err);
        if (status != STATUS_OK)
            break;
        first = whole ? n_rows : first + unit->max_rows;
    }
    return status;
}
