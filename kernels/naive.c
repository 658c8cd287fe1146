// naive.c: plies of single positions in place of planes and lanes.

#include "kernels/naive.h"

#include "game/moves.h"

bool merels_naive_samples(uint32_t row, int step)
{
    uint32_t x = (row + 1) * 2654435761u + (uint32_t)(step + 1) * 40503u;
    return (x >> 16) % 1021 == 0;
}

static struct position position_of(const struct row *row, uint32_t column)
{
    struct subspace s = row->side->subspace;
    point_set own = (point_set)bit_deposit_portable(row->columns->sets[column], row->free);
    return (struct position){
        .own = own, .other = row->set, .own_hand = s.ha, .other_hand = s.hb};
}

// Where a ply arrives: its step, its class, and the column.
struct arrival {
    enum ply_kind kind;
    int class;
    uint32_t column;
};

static struct arrival arrival_of(const struct row *row, const struct position *pos,
                                 const struct ply *ply)
{
    const struct rules *rules = row->side->rules;
    enum ply_kind kind = ply->from < 0 && !ply_is_pass(ply) ? PLY_PLACES : PLY_MOVES;
    point_set rest = ply->from < 0 ? pos->own : pos->own & ~((point_set)1 << ply->from);
    point_set own = ply_is_pass(ply) ? rest : rest | (point_set)1 << ply->to;
    int class = ply->n_removed;
    if (rules->mill == MILL_WINS && !ply_is_pass(ply))
        class = board_closes_mill(&rules->board, rest, ply->to);
    uint32_t compact = (uint32_t)bit_extract_portable(own, row->free);
    return (struct arrival){kind, class, rank_set(row->side->ranks, bit_count(own), compact)};
}

static bool bit_at(const uint64_t *bits, uint32_t k)
{
    return bits[k / 64] >> (k % 64) & 1;
}

// Does `step` decide the position, so far undecided, in a column?
static bool decides(const struct row *row, const struct known *known, int step, uint32_t column)
{
    static _Thread_local struct ply plies[MAX_PLIES];
    struct position pos = position_of(row, column);
    int n = merels_plies(row->side->rules, &pos, plies);
    bool any_now = false, all_won = true;
    for (int k = 0; k < n && step >= 0; k++) {
        struct arrival at = arrival_of(row, &pos, &plies[k]);
        any_now |= bit_at(known->arrivals[at.kind][at.class].now, at.column);
        all_won &= bit_at(known->arrivals[at.kind][at.class].won, at.column);
    }
    if (step < 0) // the blocked; that some of them pass is found next
        return n == 0 || ply_is_pass(&plies[0]);
    return result_at(step) == RESULT_LOST ? any_now : n > 0 && all_won;
}

bool merels_naive_agrees(const struct row *row, const struct known *known, int step,
                         const uint64_t *found)
{
    const struct side *side = row->side;
    const uint64_t *undecided = side_bits(side, side->undecided, row->number);
    for (uint32_t column = 0; column < side->n_columns; column++)
        if (bit_at(undecided, column) &&
            bit_at(found, column) != decides(row, known, step, column))
            return false;
    return true;
}

bool merels_naive_agrees_with_sweep(const struct row *row, const uint8_t *codes)
{
    static _Thread_local struct ply plies[MAX_PLIES];
    const struct side *side = row->side;
    for (uint32_t column = 0; column < side->n_columns; column++) {
        uint8_t best = KEY_NONE;
        struct position pos = position_of(row, column);
        int n = merels_plies(side->rules, &pos, plies);
        if (n == 0)
            continue; // a mill has won before
        for (int k = 0; k < n; k++) {
            struct arrival at = arrival_of(row, &pos, &plies[k]);
            const struct source *source = merels_side_source(side, at.kind, at.class);
            uint8_t key = key_of(source_values(side, source, row->number)[at.column]);
            best = key < best ? key : best;
        }
        uint8_t after = code_of_key(best);
        if (codes[column] != (after == DTM_DRAW ? DTM_DRAW : step_before(after)))
            return false;
    }
    return true;
}

static uint32_t choice_key(const struct rules *rules, uint16_t value)
{
    uint32_t key = wide_key_of(value);
    return rules->chooser == CHOOSER_MOVER ? key : WIDE_KEY_NONE - 1 - key;
}

// The value once `n` men of `other` have been taken, chosen one after the other.
static uint16_t naive_removal(const struct rules *rules, point_set free, point_set other, int n,
                              const uint16_t *smaller)
{
    uint32_t least = WIDE_KEY_NONE;
    uint16_t best = WIDE_DTM_DRAW;
    if (n == 0)
        return smaller[rank_set(merels_rank_tables(), bit_count(other),
                                (uint32_t)bit_extract_portable(other, free))];
    for (point_set rest = merels_position_removable(rules, other); rest != 0;
         rest &= rest - 1) {
        point_set left = other & ~(rest & -rest);
        uint16_t value = naive_removal(rules, free, left, n - 1, smaller);
        if (choice_key(rules, value) < least) {
            least = choice_key(rules, value);
            best = value;
        }
    }
    return best;
}

void merels_naive_removals(const struct rules *rules, point_set arrived,
                           const struct columns *men, int n_removed, const uint16_t *smaller,
                           uint16_t *best)
{
    const struct columns *victims = &men[n_removed];
    point_set free = rules->board.points & ~arrived;
    for (uint32_t k = 0; k < victims->n_columns; k++) {
        point_set other = (point_set)bit_deposit_portable(victims->sets[k], free);
        best[k] = naive_removal(rules, free, other, n_removed, smaller);
    }
}
