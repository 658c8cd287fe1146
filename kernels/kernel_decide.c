// kernel_decide.c: what became known in a row at one step of the metric, and which predecessors
// that decides.
//
//     arrivals lost for the other side   undecided predecessors win
//     arrivals won for the other side    an undecided predecessor loses, if all its plies lead
//                                        to such arrivals
//
// Two ways lead to the same bits: unmoves one by one (kernel_sparse.c) when few arrivals are
// new, the whole row at once (kernel_step.c) when many are.
//
//     sources: codes of the row    == this step's code      fresh: turns that arrived
//                      |                                      |
//                      v                                      v
//               now[kind][class], won[kind][class]    rows of bits over the arrivals
//                      |                      |
//                      v                      v
//               sparse: unmoves        dense: bits to planes, a step back, the plane to bits
//                      |                      |
//                      v                      v
//               found & undecided    -> values, turns to the other side
//
// Rows of bits have the columns side by side, planes have them where the numbers of their sets
// are. A word of a plane holds the columns of so many men on the six low points, n_low, that is
// one of seven patterns of lanes; bits_to_plane and plane_to_bits go word by word:
//
//     row of bits    a b c d e f|g h i ...           no gaps; the next word begins anywhere
//     plane          . a b . c . . . d . . . ...     n_low = 1: lanes 1, 2, 4, 8, 16, 32
//
// For losses the dense way is turned round: planes hold the arrivals that the other side does
// not win, a step back finds who has such a ply, and the others lose.
//
// The plain version: merels_naive_agrees (naive.c). Builds with assertions ask it for one row
// in a thousand, tests/kernels/test_naive.c for rows of random contents at every level.

#include "kernels/kernel_level.h"

#include <assert.h>
#include <string.h>

#include "kernels/naive.h"

// 64 bits of a row of bits from any bit on; 57 at least are good.
static inline uint64_t bits_from(const uint64_t *bits, uint32_t first)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint64_t word = bits[first / 64] >> (first & 63);
    return (first & 63) < 8 ? word : word | bits[first / 64 + 1] << (64 - (first & 63));
#else
    uint64_t word;
    memcpy(&word, (const uint8_t *)bits + first / 8, sizeof word);
    return word >> (first & 7);
#endif
}

void AT_LEVEL(bits_to_plane)(const struct columns *columns, const uint64_t *bits,
                             uint64_t *plane)
{
    for (uint32_t k = 0; k < columns->n_words; k++) {
        struct plane_word w = columns->words[k];
        plane[w.word] = lanes_apart(bits_from(bits, w.column), w.n_low);
    }
}

void AT_LEVEL(plane_to_bits)(const struct columns *columns, uint64_t *plane, uint64_t *bits)
{
    uint64_t full = 0;
    int n = 0;
    for (uint32_t k = 0; k < columns->n_words; k++) {
        uint32_t word = columns->words[k].word;
        int n_low = columns->words[k].n_low, n_here = lane_counts[n_low];
        uint64_t part = lanes_together(plane[word], n_low);
        plane[word] = 0;
        full |= part << n;
        n += n_here;
        if (n >= 64) {
            *bits++ = full;
            n -= 64;
            full = n > 0 ? part >> (n_here - n) : 0;
        }
    }
    if (n > 0)
        *bits = full;
}

static void clean_planes(const struct side *side, struct workspace *work)
{
    if (work->clean_for == side)
        return;
    for (int kind = 0; kind < N_PLY_KINDS; kind++)
        for (int k = 0; k < work->sizes.n_classes[kind]; k++)
            memset(work->arrivals[kind][k], 0, work->plane_bytes);
    memset(work->result, 0, work->plane_bytes);
    for (int k = 0; k < N_SCRATCH; k++)
        memset(work->scratch[k], 0, work->plane_bytes);
    work->clean_for = side;
}

// ---- what is known -------------------------------------------------------------------------

static uint32_t count_bits(const uint64_t *bits, size_t n_words)
{
    uint32_t n = 0;
    for (size_t w = 0; w < n_words; w++)
        n += (uint32_t)bit_count(bits[w]);
    return n;
}

static void add_bits(const uint64_t *bits, size_t n_words, uint64_t *to)
{
    for (size_t w = 0; w < n_words; w++)
        to[w] |= bits[w];
}

// A row of bits: the columns with this code.
static void bits_of_code(const uint8_t *codes, uint32_t n_columns, uint8_t code, uint64_t *bits)
{
    for (size_t w = 0; w < words_of_bits(n_columns); w++) {
        int n = (int)(n_columns - w * 64 < 64 ? n_columns - w * 64 : 64);
        bits[w] = bytes_equal(codes + w * 64, n, code);
    }
}

static bool code_occurs(const struct side *side, const struct source *source, uint32_t row,
                        int code)
{
    return code >= 0 && code <= MAX_DEPTH &&
           (source->codes[side_place(side, row)][code / 64] >> (code % 64) & 1) != 0;
}

static bool any_code_occurs(const struct side *side, uint32_t row, int step)
{
    for (int k = 0; k < side->n_sources; k++)
        if (code_occurs(side, &side->sources[k], row, step - side->source_base))
            return true;
    return false;
}

// Fills in the sources of a row, their news in rows of bits of the workspace; returns how many
// arrivals are new.
static uint32_t learn_sources(const struct side *side, uint32_t row, int step,
                              struct workspace *work, struct known *known)
{
    int code = step - side->source_base;
    uint32_t n_new = 0;
    for (int k = 0; k < side->n_sources; k++) {
        const struct source *source = &side->sources[k];
        uint64_t *now = work->bits[N_OWN_BITS + k], *won = source_won(side, source, row);
        if (code_occurs(side, source, row, code)) {
            bits_of_code(source_values(side, source, row), source->n_columns, (uint8_t)code,
                         now);
            n_new += count_bits(now, source->row_words);
            if (result_at(step) == RESULT_WON)
                add_bits(now, source->row_words, won);
        } else {
            memset(now, 0, source->row_words * sizeof *now);
        }
        known->arrivals[source->effect.kind][source->effect.class].now = now;
        known->arrivals[source->effect.kind][source->effect.class].won = won;
    }
    return n_new;
}

// ---- the dense way -------------------------------------------------------------------------

// Spreads the good arrivals of a step over their planes, by class: those decided now for wins,
// those that do not let the other side win for losses.
static void spread_arrivals(const struct side *side, enum ply_kind kind,
                            const struct known *known, bool wins, struct workspace *work)
{
    const struct columns *columns = kind == PLY_PLACES ? &side->placed : &side->columns;
    size_t n_words = words_of_bits(columns->n_columns);
    uint64_t *room = work->bits[1];
    for (int k = 0; k < side->n_classes[kind]; k++) {
        const uint64_t *now = known->arrivals[kind][k].now, *won = known->arrivals[kind][k].won;
        for (size_t w = 0; w < n_words; w++)
            room[w] = wins ? now[w] : ~won[w];
        AT_LEVEL(bits_to_plane)(columns, room, work->arrivals[kind][k]);
    }
}

// Who passes arrives at its own column.
static void add_passes(const struct row *row, const struct arrivals *arrivals, bool wins,
                       uint64_t *found)
{
    const struct side *side = row->side;
    const uint64_t *passes = side_bits(side, side->passes, row->number);
    for (size_t w = 0; w < side->row_words; w++)
        found[w] |= passes[w] & (wins ? arrivals->now[w] : ~arrivals->won[w]);
}

// The whole row: wins have a good ply, losses have no ply that is not bad.
static void dense(const struct row *row, const struct known *known, enum result result,
                  uint64_t *found, struct workspace *work)
{
    const struct side *side = row->side;
    bool wins = result == RESULT_LOST;
    clean_planes(side, work);
    for (int kind = 0; kind < N_PLY_KINDS; kind++)
        if (side->n_classes[kind] > 0)
            spread_arrivals(side, (enum ply_kind)kind, known, wins, work);
    const struct kernels *kernels = &AT_LEVEL(kernels);
    if (side->n_classes[PLY_MOVES] > 0)
        kernels->step_back(row, work->arrivals[PLY_MOVES], row->n_classes[PLY_MOVES],
                           work->result, work->scratch);
    if (side->n_classes[PLY_PLACES] > 0)
        kernels->place_back(row, &side->placed, work->arrivals[PLY_PLACES],
                            row->n_classes[PLY_PLACES], work->result, work->scratch);
    AT_LEVEL(plane_to_bits)(row->columns, work->result, found);
    if (side->passes != NULL)
        add_passes(row, &known->arrivals[PLY_MOVES][0], wins, found);
    for (size_t w = 0; w < side->row_words; w++)
        found[w] = wins ? found[w] : ~found[w];
}

// ---- the choice ----------------------------------------------------------------------------

static bool dense_is_cheaper(const struct side *side, uint32_t n_new, bool wins,
                             uint32_t dense_cost)
{
    return n_new * merels_unmove_operations(side, wins) * DENSE_COST_ONE >
           merels_dense_operations(side) * dense_cost;
}

static bool go_dense(const struct side *side, uint32_t n_new, int step,
                     const struct workspace *work)
{
    bool wins = result_at(step) == RESULT_LOST;
    if (step < 0) // blocked positions are found by the dense way only
        return true;
    return work->way == WAY_CHEAPER ? dense_is_cheaper(side, n_new, wins, work->dense_cost)
                                    : work->way == WAY_DENSE;
}

// A mover without a step: on a full board another rule says what that means, and where it
// passes only those are left for whom the other side could not move either.
static bool no_ply_draws(const struct side *side)
{
    bool full = side->columns.n_men == side->columns.n_points;
    return full ? side->rules->full_board == FULL_BOARD_DRAWS
                : side->rules->blocked != BLOCKED_LOSES;
}

// ---- deciding ------------------------------------------------------------------------------

// Notes the blocked columns in which the mover passes and takes them out of `found`.
static void note_passes(const struct row *row, uint64_t *found)
{
    const struct side *side = row->side;
    struct subspace s = side->subspace;
    uint64_t *passes = side_bits(side, side->passes, row->number);
    const uint64_t *undecided = side_bits(side, side->undecided, row->number);
    for (size_t w = 0; w < side->row_words; w++)
        for (uint64_t rest = found[w] & undecided[w]; rest != 0; rest &= rest - 1) {
            uint32_t compact = row->columns->sets[w * 64 + (size_t)bit_lowest(rest)];
            struct position pos = {.own = (point_set)bit_deposit(compact, row->free),
                                   .other = row->set,
                                   .own_hand = s.ha,
                                   .other_hand = s.hb};
            int value;
            if (merels_position_over(side->rules, &pos, &value))
                continue;
            passes[w] |= rest & -rest;
            found[w] &= ~(rest & -rest);
        }
}

static uint32_t take(const struct row *row, uint64_t *found, int step, bool draws,
                     struct workspace *work)
{
    const struct side *side = row->side;
    uint64_t *undecided = side_bits(side, side->undecided, row->number);
    uint8_t *value = side_values(side, row->number);
    int before = step_before(step);
    uint8_t code = draws ? DTM_DRAW : (uint8_t)(before - side->value_base);
    uint32_t n = 0;
    for (size_t w = 0; w < side->row_words; w++) {
        found[w] &= undecided[w];
        if (found[w] == 0)
            continue;
        n += (uint32_t)bit_count(found[w]);
        undecided[w] &= ~found[w];
        int room = side->n_columns - w * 64 < 64 ? (int)(side->n_columns - w * 64) : 64;
        bytes_store(value + w * 64, room, found[w], code);
    }
    if (n != 0 && !draws && side->turned != NULL)
        AT_LEVEL(turn_bits)(row, found, fresh_list(side->rules->metric, before), work);
    side->left[side_place(side, row->number)] -= n;
    return draws ? 0 : n;
}

// All of a row whose game a mill has ended.
static uint32_t lose_row(const struct side *side, uint32_t number, int step,
                         struct workspace *work)
{
    struct row row;
    uint64_t *found = work->bits[0];
    AT_LEVEL(row_open)(side, number, side->rows->rows->sets[number], &side->columns, &row);
    memset(found, 0xFF, side->row_words * sizeof *found);
    return take(&row, found, step, false, work);
}

#ifndef NDEBUG
// Is there something for every class of arrivals?
static inline bool is_complete(const struct side *side, const struct known *known)
{
    for (int kind = 0; kind < N_PLY_KINDS; kind++)
        for (int k = 0; k < side->n_classes[kind]; k++)
            if (known->arrivals[kind][k].now == NULL || known->arrivals[kind][k].won == NULL)
                return false;
    return true;
}
#endif

static uint32_t decide(const struct side *side, uint32_t number, int step, uint64_t *fresh,
                       struct workspace *work)
{
    struct known known = {0};
    struct row row;
    uint64_t *found = work->bits[0];
    enum result result = result_at(step);
    AT_LEVEL(row_open)(side, number, side->rows->rows->sets[number], &side->columns, &row);
    uint32_t n_new = learn_sources(side, number, step, work, &known);
    if (side->moves_stay) {
        known.arrivals[PLY_MOVES][0].now = fresh;
        known.arrivals[PLY_MOVES][0].won = side_bits(side, side->won, number);
        n_new += count_bits(fresh, side->row_words);
    }
    assert(is_complete(side, &known));
    if (go_dense(side, n_new, step, work)) {
        dense(&row, &known, result, found, work);
    } else {
        memset(found, 0, side->row_words * sizeof *found);
        AT_LEVEL(sparse)(&row, &known, result, found);
    }
    assert(!merels_naive_samples(number, step) ||
           merels_naive_agrees(&row, &known, step, found));
    if (step < 0 && side->passes != NULL)
        note_passes(&row, found);
    return take(&row, found, step, step < 0 && no_ply_draws(side), work);
}

// Turns that have arrived are used up, whether or not the row still has open slots.
uint32_t AT_LEVEL(decide_row)(const struct side *side, uint32_t row, int step,
                              struct workspace *work)
{
    assert(step >= -1);
    enum metric metric = side->rules->metric;
    int now = fresh_list(metric, step_inside(metric, step));
    size_t place = side_place(side, row);
    bool touched = side->moves_stay && side->touched[now][place] != 0;
    uint64_t *fresh = side->moves_stay ? side_bits(side, side->fresh[now], row) : NULL;
    bool never_blocked = step < 0 && side->n_classes[PLY_PLACES] > 0;
    uint32_t n = 0;
    if (touched && result_at(step) == RESULT_WON)
        add_bits(fresh, side->row_words, side_bits(side, side->won, row));
    if (step < 0 && merels_side_row_is_lost(side, row))
        n = lose_row(side, row, step, work);
    else if (side->left[place] != 0 && !never_blocked &&
             (touched || step < 0 || any_code_occurs(side, row, step)))
        n = decide(side, row, step, fresh, work);
    if (touched) {
        memset(fresh, 0, side->row_words * sizeof *fresh);
        side->touched[now][place] = 0;
    }
    return n;
}
