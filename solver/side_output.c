// side_output.c: counting orbits, and values on their way to the table.

#include "solver/side_output.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "solver/divided_output.h"
#include "solver/exchange.h"

static const double writing_share = 0.05; // of a unit's time, for the figure shown

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
    uint64_t stabilizer = row_stabilizer(side->rows->rows, row);
    uint64_t kept[256] = {0};
    struct fixed_sets fixed = {.side = side,
                               .value = side_values(side, row),
                               .free = board->points & ~side->rows->rows->sets[row],
                               .counts = kept};
    for (uint32_t k = 0; k < side->n_columns; k++)
        kept[fixed.value[k]]++;
    for (uint64_t rest = stabilizer & ~UINT64_C(1); rest != 0; rest &= rest - 1) {
        find_cycles(board, bit_lowest(rest), &fixed);
        count_fixed(&fixed, 0, 0, side->subspace.a);
    }
    for (int v = 0; v < 256; v++)
        counts[v] += kept[v] / (uint64_t)bit_count(stabilizer);
}

// Of the slots of a row that hold no position, one of each orbit; `bits` is room for the row.
static uint64_t count_no_positions(const struct side *side, uint32_t row, uint64_t *bits)
{
    const struct board *board = &side->rules->board;
    point_set free = board->points & ~side->rows->rows->sets[row];
    uint64_t n = 0;
    if (!merels_side_no_positions(side, row, bits))
        return 0;
    for (uint32_t k = 0; k < side->n_columns; k++) {
        if (!(bits[k / 64] >> (k % 64) & 1))
            continue;
        point_set own = (point_set)bit_deposit(side->columns.sets[k], free);
        bool first = true;
        for (uint64_t rest = row_stabilizer(side->rows->rows, row); rest != 0; rest &= rest - 1)
            first &= board_image(board, bit_lowest(rest), own) >= own;
        n += first;
    }
    return n;
}

// Rows without symmetries were counted while they were decided, the few others are counted now.
static void count_rows(struct side_output *output)
{
    const struct side *side = output->side;
    const struct row_sets *rows = side->rows->rows;
    uint64_t counts[256] = {0}, n_plain = 0, n_orbits = 0, n_none = 0;
#pragma omp parallel for schedule(dynamic, 64) num_threads(output->engine->n_threads)              \
    reduction(+ : counts, n_plain, n_none)
    for (uint32_t place = 0; place < side->range.n; place++) {
        n_none += count_no_positions(side, side->range.first + place,
                                     output->engine->work[omp_get_thread_num()].bits[0]);
        if (row_is_plain(rows, side->range.first + place))
            n_plain += side->n_columns;
        else
            count_symmetric_row(side, side->range.first + place, counts);
    }
    for (int v = 0; v < 256; v++)
        n_orbits += counts[v];
    for (int code = 0; code <= MAX_DEPTH; code++)
        output->fresh[code] += counts[code];
    if (side->value_base != 0)
        return; // later windows are of the same rows
    output->n_orbits += n_plain + n_orbits;
    output->n_none += n_none;
}

// The first slot with a step's code, in the rows in memory.
static uint64_t first_slot_of(const struct side *side, int code)
{
    size_t n_slots = (size_t)side->range.n * side->n_columns;
    const uint8_t *place = memchr(side->value, code, n_slots);
    uint64_t before = (uint64_t)side->range.first * side->n_columns;
    return before + (place == NULL ? 0 : (uint64_t)(place - side->value));
}

// Room for the counts of all steps of the window.
static enum status widen_counts(struct side_output *output, struct error *err)
{
    int n_steps = output->side->value_base + MAX_DEPTH + 1;
    if (n_steps <= output->n_steps)
        return STATUS_OK;
    uint64_t *wider = realloc(output->decided, (size_t)n_steps * sizeof *wider);
    if (wider == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for counts");
    memset(wider + output->n_steps, 0, (size_t)(n_steps - output->n_steps) * sizeof *wider);
    output->decided = wider;
    output->n_steps = n_steps;
    return STATUS_OK;
}

// What is new goes into the counts by step; deeper steps than before are noted.
static void add_fresh(struct side_output *output)
{
    int base = output->side->value_base, code_of[2] = {-1, -1};
    for (int code = 0; code <= MAX_DEPTH; code++) {
        if (output->fresh[code] == 0)
            continue;
        output->decided[base + code] += output->fresh[code];
        if (base + code > output->deepest[result_at(base + code)])
            code_of[result_at(base + code)] = code;
        output->fresh[code] = 0;
    }
    for (int result = 0; result < 2; result++)
        if (code_of[result] >= 0) {
            output->deepest[result] = base + code_of[result];
            output->first_slot[result] = first_slot_of(output->side, code_of[result]);
        }
}

static struct table_stats stats_of(const struct side_output *output)
{
    struct table_stats stats = {.draw = output->n_orbits - output->n_none,
                                .none = output->n_none,
                                .max_win = -1,
                                .max_loss = -1};
    for (int step = 0; step < output->n_steps; step++) {
        uint64_t n = output->decided[step];
        *(result_at(step) == RESULT_WON ? &stats.win : &stats.loss) += n;
        stats.draw -= n;
    }
    for (int result = 0; result < 2; result++) {
        int step = output->deepest[result];
        int depth = step < 0 ? -1 : depth_at(output->engine->rules->metric, step);
        *(result == RESULT_WON ? &stats.max_win : &stats.max_loss) = depth;
        *(result == RESULT_WON ? &stats.max_win_slot : &stats.max_loss_slot) =
            output->first_slot[result];
    }
    return stats;
}

// ---- begin and end -------------------------------------------------------------------------

void merels_side_output_begin(struct engine *engine, const struct side *side, bool direct,
                              struct side_output *output)
{
    *output = (struct side_output){.engine = engine,
                                   .side = side,
                                   .deepest = {-1, -1},
                                   .direct = direct,
                                   .spill = {.fd = -1}};
}

void merels_side_output_end(struct side_output *output)
{
    merels_table_output_abort(output->table);
    merels_file_drop(&output->spill);
    free(output->spill_name);
    free(output->decided);
    *output = (struct side_output){.spill = {.fd = -1}};
}

void merels_side_output_count(struct side_output *output, int step, uint64_t n_slots)
{
    output->fresh[step - output->side->value_base] += n_slots;
}

// ---- values --------------------------------------------------------------------------------

static uint64_t table_slots(const struct side_output *output)
{
    return (uint64_t)output->side->n_rows * output->side->n_columns;
}

// The rows of which values wait in this process's file: all of the table, or those that this
// rank has.
static struct row_range spilled_rows(const struct side_output *output)
{
    return output->engine->exchange != NULL ? output->side->range
                                            : (struct row_range){0, output->side->n_rows};
}

static uint64_t spilled_slots(const struct side_output *output)
{
    return (uint64_t)spilled_rows(output).n * output->side->n_columns;
}

static uint64_t unit_slots(const struct side_output *output)
{
    const struct unit *unit = output->engine->unit;
    uint64_t n = 0;
    for (int k = 0; k < unit->n_sides; k++)
        n += (uint64_t)unit->sides[k].n_rows * unit->sides[k].n_columns;
    return n;
}

static void begin_stage(const struct side_output *output, uint64_t n_slots)
{
    merels_meter_stage(output->engine->meter, "writing",
                       writing_share * (double)n_slots / (double)unit_slots(output));
}

static enum status start_table(struct side_output *output, int value_bytes, struct error *err)
{
    if (output->table != NULL)
        return STATUS_OK;
    return merels_table_output_create(output->engine->dir, output->engine->rules,
                                      output->side->subspace,
                                      edition_of_rules(output->engine->rules), value_bytes,
                                      output->engine->n_threads, &output->table, err);
}

// The rows in memory, in order.
static enum status write_rows(struct side_output *output, struct error *err)
{
    const struct side *side = output->side;
    uint64_t n_slots = (uint64_t)side->range.n * side->n_columns;
    begin_stage(output, n_slots);
    enum status status = start_table(output, 1, err);
    for (uint64_t done = 0; done < n_slots && status == STATUS_OK;) {
        uint64_t step = merels_table_output_batch(output->table);
        uint64_t n = n_slots - done < step ? n_slots - done : step;
        status = merels_table_output_append(output->table, side->value + done, n, err);
        done += n;
        if (status == STATUS_OK &&
            merels_meter_tick(output->engine->meter, (double)done / (double)n_slots))
            status = merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    return status;
}

// ---- the spill -----------------------------------------------------------------------------

enum { SPILL_PIECE = 1 << 20 };

static enum status open_spill(struct side_output *output, struct error *err)
{
    const char *dir = output->engine->dir;
    char name[SUBSPACE_NAME_BYTES];
    if (output->spill_name != NULL)
        return STATUS_OK;
    merels_subspace_name(output->side->subspace, name);
    enum status status = merels_path_join(dir, name, ".spill", &output->spill_name, err);
    return status == STATUS_OK
               ? merels_file_create_unnamed(dir, output->spill_name, &output->spill, err)
               : status;
}

static enum status write_spill(struct side_output *output, struct error *err)
{
    const struct side *side = output->side;
    int window = side->value_base / output->engine->n_codes;
    uint64_t n_slots = (uint64_t)side->range.n * side->n_columns;
    uint64_t at = (uint64_t)window * spilled_slots(output) +
                  (uint64_t)(side->range.first - spilled_rows(output).first) * side->n_columns;
    uint8_t *piece = malloc(SPILL_PIECE);
    enum status status = open_spill(output, err);
    if (piece == NULL)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for a spill");
    for (uint64_t done = 0; done < n_slots && status == STATUS_OK; done += SPILL_PIECE) {
        size_t n = n_slots - done < SPILL_PIECE ? (size_t)(n_slots - done) : SPILL_PIECE;
        for (size_t k = 0; k < n; k++)
            piece[k] = (uint8_t)(side->value[done + k] + 1); // a draw becomes 0
        status = merels_file_write_at(&output->spill, at + done, piece, n, err);
    }
    free(piece);
    output->n_windows = window >= output->n_windows ? window + 1 : output->n_windows;
    return status;
}

// Rows that were finished before a later window began have nothing in it: zeros.
static enum status complete_spill(struct side_output *output, struct error *err)
{
    static const uint8_t zero = 0;
    uint64_t n_bytes = 0, all = (uint64_t)output->n_windows * spilled_slots(output);
    enum status status = merels_file_size(&output->spill, &n_bytes, err);
    if (status == STATUS_OK && n_bytes < all)
        status = merels_file_write_at(&output->spill, all - 1, &zero, 1, err);
    return status;
}

// Values of n slots from the bytes of all windows, one window's after the other's.
static void add_up(const struct side_output *output, const uint8_t *bytes, size_t n,
                   int value_bytes, uint8_t *values)
{
    for (size_t k = 0; k < n; k++) {
        int value = value_bytes == 1 ? DTM_DRAW : WIDE_DTM_DRAW;
        for (int w = 0; w < output->n_windows; w++)
            if (bytes[(size_t)w * n + k] != 0)
                value = w * output->engine->n_codes + bytes[(size_t)w * n + k] - 1;
        for (int i = 0; i < value_bytes; i++)
            values[k * (size_t)value_bytes + (size_t)i] = (uint8_t)(value >> 8 * i);
    }
}

static enum status read_windows(const struct side_output *output, uint64_t first, size_t n,
                                uint8_t *bytes, struct error *err)
{
    enum status status = STATUS_OK;
    for (int w = 0; w < output->n_windows && status == STATUS_OK; w++)
        status =
            merels_file_read_at(&output->spill, (uint64_t)w * spilled_slots(output) + first,
                                bytes + (size_t)w * n, n, err);
    return status;
}

static enum status append_piece(struct side_output *output, uint64_t first, size_t n,
                                int value_bytes, uint8_t *room, struct error *err)
{
    enum status status = read_windows(output, first, n, room, err);
    if (status != STATUS_OK)
        return status;
    uint8_t *values = room + (size_t)output->n_windows * n;
    add_up(output, room, n, value_bytes, values);
    return merels_table_output_append(output->table, values, n, err);
}

static int width_of(const struct side_output *output)
{
    return output->deepest[0] <= MAX_DEPTH && output->deepest[1] <= MAX_DEPTH ? 1
                                                                              : MAX_VALUE_BYTES;
}

static enum status write_spilled(struct side_output *output, struct error *err)
{
    int value_bytes = width_of(output);
    uint64_t n_slots = table_slots(output);
    begin_stage(output, n_slots);
    uint8_t *room = malloc((size_t)(output->n_windows + value_bytes) * SPILL_PIECE);
    enum status status = room != NULL
                             ? start_table(output, value_bytes, err)
                             : merels_error(err, STATUS_NO_MEMORY, "out of memory for a spill");
    if (status == STATUS_OK)
        status = complete_spill(output, err);
    for (uint64_t done = 0; done < n_slots && status == STATUS_OK; done += SPILL_PIECE) {
        size_t n = n_slots - done < SPILL_PIECE ? (size_t)(n_slots - done) : SPILL_PIECE;
        status = append_piece(output, done, n, value_bytes, room, err);
        if (status == STATUS_OK &&
            merels_meter_tick(output->engine->meter, (double)(done + n) / (double)n_slots))
            status = merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    free(room);
    return status;
}

// ---- rows of several ranks -----------------------------------------------------------------

// What the ranks have counted, put together; all have it then.
struct deepest {
    int64_t step[2];
    uint64_t first_slot[2];
    uint64_t n_steps;
};

// Deeper than what was so far, or as deep and sooner.
static void take_deepest(const struct deepest *other, struct side_output *output)
{
    for (int result = 0; result < 2; result++) {
        int step = (int)other->step[result];
        bool sooner = step == output->deepest[result] &&
                      other->first_slot[result] < output->first_slot[result];
        if (step <= output->deepest[result] && !sooner)
            continue;
        output->deepest[result] = step;
        output->first_slot[result] = other->first_slot[result];
    }
}

static enum status add_counts(struct side_output *output, struct ranks *ranks,
                              struct error *err)
{
    uint64_t counts[2] = {output->n_orbits, output->n_none};
    enum status status = merels_ranks_sum(ranks, output->decided, (size_t)output->n_steps, err);
    if (status == STATUS_OK)
        status = merels_ranks_sum(ranks, counts, 2, err);
    output->n_orbits = counts[0];
    output->n_none = counts[1];
    return status;
}

// All ranks have gone through the same windows, so there are counts for as many steps.
static enum status put_together(struct side_output *output, struct error *err)
{
    struct ranks *ranks = merels_exchange_ranks(output->engine->exchange);
    int n = merels_ranks_count(ranks);
    struct deepest *all = calloc((size_t)n, sizeof *all);
    if (all == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for counts");
    struct deepest mine = {.n_steps = (uint64_t)output->n_steps};
    for (int result = 0; result < 2; result++) {
        mine.step[result] = output->deepest[result];
        mine.first_slot[result] = output->first_slot[result];
    }
    enum status status = merels_ranks_share(ranks, &mine, sizeof mine, all, err);
    for (int r = 0; r < n && status == STATUS_OK; r++)
        take_deepest(&all[r], output);
    free(all);
    return status == STATUS_OK ? add_counts(output, ranks, err) : status;
}

static enum status read_memory(void *context, uint64_t first, size_t n, uint8_t *values,
                               struct error *err)
{
    const struct side_output *output = context;
    (void)err;
    memcpy(values, output->side->value + first, n);
    return STATUS_OK;
}

static enum status read_spill(void *context, uint64_t first, size_t n, uint8_t *values,
                              struct error *err)
{
    const struct side_output *output = context;
    int value_bytes = width_of(output);
    uint8_t *bytes = malloc((size_t)output->n_windows * SPILL_PIECE);
    enum status status = STATUS_OK;
    if (bytes == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a spill");
    for (size_t done = 0; done < n && status == STATUS_OK; done += SPILL_PIECE) {
        size_t m = n - done < SPILL_PIECE ? n - done : SPILL_PIECE;
        status = read_windows(output, first + done, m, bytes, err);
        if (status == STATUS_OK)
            add_up(output, bytes, m, value_bytes, values + done * (size_t)value_bytes);
    }
    free(bytes);
    return status;
}

// The whole table, by all ranks.
static enum status write_divided(struct side_output *output, struct error *err)
{
    bool spilled = output->spill_name != NULL;
    begin_stage(output, table_slots(output));
    enum status status = spilled ? complete_spill(output, err) : STATUS_OK;
    if (status == STATUS_OK)
        status = put_together(output, err);
    if (status != STATUS_OK)
        return status;
    struct table_stats stats = stats_of(output);
    const struct divided_table table = {.side = output->side,
                                        .value_bytes = spilled ? width_of(output) : 1,
                                        .read = spilled ? read_spill : read_memory,
                                        .context = output};
    return merels_divided_write(output->engine, &table, &stats, err);
}

// ---- taking and finishing ------------------------------------------------------------------

static enum status finish_table(struct side_output *output, struct error *err)
{
    struct table_stats stats = stats_of(output);
    struct table_output *table = output->table;
    output->table = NULL;
    return merels_table_output_finish(table, &stats, err);
}

enum status merels_side_output_take(struct side_output *output, bool more, struct error *err)
{
    const struct side *side = output->side;
    bool all_rows = side->reach.n == side->n_rows;
    bool last_rows = side->range.first + side->range.n == side->n_rows;
    enum status status = widen_counts(output, err);
    if (status != STATUS_OK)
        return status;
    count_rows(output);
    add_fresh(output);
    if ((!output->direct && !all_rows) || more || output->spill_name != NULL)
        return write_spill(output, err);
    if (output->engine->exchange != NULL)
        return write_divided(output, err);
    status = write_rows(output, err);
    return status == STATUS_OK && last_rows ? finish_table(output, err) : status;
}

enum status merels_side_output_finish(struct side_output *output, struct error *err)
{
    if (output->spill_name == NULL)
        return STATUS_OK;
    if (output->engine->exchange != NULL)
        return write_divided(output, err);
    enum status status = write_spilled(output, err);
    return status == STATUS_OK ? finish_table(output, err) : status;
}
