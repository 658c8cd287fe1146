// kernel_decide.c: what became known in a row at one depth, and which predecessors that
// decides.
//
//     depth even   arrivals lost for the other side: undecided predecessors win in depth + 1
//     depth odd    arrivals won for the other side: an undecided predecessor all of whose
//                  steps are such loses in depth + 1
//
// Two ways lead to the same bits: unmoves one by one (kernel_sparse.c) when few arrivals are
// new, the whole row at once (kernel_step.c) when many are.

#include "kernels/kernel_level.h"

#include <string.h>

// The bits of a word of a plane that stand for columns.
static inline uint64_t columns_in_word(const struct columns *columns, uint32_t word)
{
    return lanes_with_count[columns->n_men - bit_count(word)];
}

// 64 bits of a row of bits from any bit on; 57 at least are good.
static inline uint64_t bits_from(const uint64_t *bits, uint32_t first)
{
    uint64_t word;
    memcpy(&word, (const uint8_t *)bits + first / 8, sizeof word);
    return word >> (first & 7);
}

static void expand(const struct columns *columns, const uint64_t *bits, uint64_t *plane)
{
    for (uint32_t k = 0; k < columns->n_words; k++) {
        struct plane_word w = columns->words[k];
        plane[w.word] =
            bit_deposit(bits_from(bits, w.column), columns_in_word(columns, w.word));
    }
}

// Columns of a plane back into a row of bits; the plane is cleared.
static void compress(const struct columns *columns, uint64_t *plane, uint64_t *bits)
{
    uint64_t full = 0;
    int n = 0;
    for (uint32_t k = 0; k < columns->n_words; k++) {
        uint32_t word = columns->words[k].word;
        uint64_t mask = columns_in_word(columns, word);
        uint64_t part = bit_extract(plane[word], mask);
        plane[word] = 0;
        full |= part << n;
        n += bit_count(mask);
        if (n >= 64) {
            *bits++ = full;
            n -= 64;
            full = n > 0 ? part >> (bit_count(mask) - n) : 0;
        }
    }
    if (n > 0)
        *bits = full;
}

static void clean_planes(const struct columns *columns, struct workspace *work)
{
    if (work->clean_for == columns)
        return;
    for (int k = 0; k < N_PLANES; k++)
        memset(work->planes[k], 0, work->plane_bytes);
    work->clean_for = columns;
}

// A row of bits: the columns whose removal value is `depth`.
static void removal_bits(const struct side *side, uint32_t row, int depth, uint64_t *bits)
{
    const uint8_t *removal = side->removal + (uint64_t)row * side->n_columns;
    for (size_t w = 0; w < side->row_words; w++) {
        int n = (int)(side->n_columns - w * 64 < 64 ? side->n_columns - w * 64 : 64);
        bits[w] = bytes_equal(removal + w * 64, n, (uint8_t)depth);
    }
}

// The whole row: wins have a good step, losses have no step that is not bad. `closing`: the
// removal values of this depth.
static void dense(const struct row *row, const uint64_t *fresh, uint64_t *closing, int depth,
                  uint64_t *found, struct workspace *work)
{
    const struct side *side = row->side;
    const uint64_t *won = side->won + row->number * side->row_words;
    const uint64_t *removal_won = side->removal_won + row->number * side->row_words;
    uint64_t *plain = work->bits[1];
    bool wins = depth >= 0 && depth % 2 == 0;
    clean_planes(row->columns, work);
    for (size_t w = 0; w < side->row_words; w++) {
        plain[w] = wins ? fresh[w] : ~won[w];
        closing[w] = wins ? closing[w] : ~removal_won[w];
    }
    expand(row->columns, plain, work->planes[0]);
    expand(row->columns, closing, work->planes[1]);
    AT_LEVEL(step_back)
    (row, work->planes[0], work->planes[1], work->planes[2], &work->planes[3]);
    compress(row->columns, work->planes[2], found);
    for (size_t w = 0; w < side->row_words; w++)
        found[w] = wins ? found[w] : ~found[w];
}

// Estimated cost, in single operations, of either way.
static bool dense_is_cheaper(const struct side *side, uint32_t n_new, int depth)
{
    uint64_t free = (uint64_t)side->columns.n_points, men = (uint64_t)side->columns.n_men;
    uint64_t steps = side->flies ? men * (free - men) : men * 8 * (free - men) / (3 * free) + 1;
    uint64_t one =
        depth & 1 ? steps * (DENSE_UNMOVE + DENSE_CHECK * steps) : steps * DENSE_UNMOVE;
    uint64_t cells = side->columns.all.n;
    uint64_t all = side->columns.n_words * DENSE_WORD + cells * free * DENSE_CELL;
    return n_new * one > all;
}

static bool go_dense(const struct side *side, uint32_t n_new, int depth, enum way way)
{
    if (depth < 0) // blocked positions are found by the dense way only
        return true;
    return way == WAY_CHEAPER ? dense_is_cheaper(side, n_new, depth) : way == WAY_DENSE;
}

// A mover without a step: on a full board another rule says what that means.
static bool no_step_draws(const struct side *side)
{
    bool full = side->columns.n_men == side->columns.n_points;
    return full ? side->rules->full_board == FULL_BOARD_DRAWS
                : side->rules->blocked == BLOCKED_DRAWS;
}

static uint32_t take(const struct row *row, uint64_t *found, int depth, struct workspace *work)
{
    const struct side *side = row->side;
    uint64_t *undecided = side->undecided + row->number * side->row_words;
    uint8_t *value = side->value + (uint64_t)row->number * side->n_columns;
    bool draws = depth < 0 && no_step_draws(side);
    uint32_t n = 0;
    for (size_t w = 0; w < side->row_words; w++) {
        found[w] &= undecided[w];
        if (found[w] == 0)
            continue;
        n += (uint32_t)bit_count(found[w]);
        undecided[w] &= ~found[w];
        bytes_store(value + w * 64, found[w], draws ? VALUE_DRAW : (uint8_t)(depth + 1));
    }
    if (n != 0 && !draws)
        AT_LEVEL(turn_bits)(row, found, (depth + 1) & 1, work);
    side->left[row->number] -= n;
    return draws ? 0 : n;
}

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

static uint32_t decide(const struct side *side, uint32_t number, bool removals, int depth,
                       uint64_t *fresh, struct workspace *work)
{
    uint64_t *found = work->bits[0], *closing = work->bits[2];
    size_t n_words = side->row_words;
    struct row row;
    AT_LEVEL(row_open)(side, number, side->rows->rows->sets[number], &side->columns, &row);
    if (removals)
        removal_bits(side, number, depth, closing);
    else
        memset(closing, 0, n_words * sizeof *closing);
    if (removals && depth & 1)
        add_bits(closing, n_words, side->removal_won + number * n_words);
    uint32_t n_new = count_bits(fresh, n_words) + (removals ? count_bits(closing, n_words) : 0);
    if (go_dense(side, n_new, depth, work->way)) {
        dense(&row, fresh, closing, depth, found, work);
    } else {
        memset(found, 0, n_words * sizeof *found);
        AT_LEVEL(sparse)(&row, fresh, closing, depth, found);
    }
    return take(&row, found, depth, work);
}

uint32_t AT_LEVEL(decide_row)(const struct side *side, uint32_t row, int depth,
                              struct workspace *work)
{
    int now = depth & 1;
    uint64_t *fresh = side->fresh[now] + row * side->row_words;
    bool touched = side->touched[now][row] != 0;
    bool removals = depth >= 0 && side->removal_depths[row][depth / 64] >> (depth % 64) & 1;
    uint32_t n = 0;
    if (touched && depth & 1)
        add_bits(fresh, side->row_words, side->won + row * side->row_words);
    if (side->left[row] != 0 && (touched || removals || depth < 0))
        n = decide(side, row, removals, depth, fresh, work);
    if (touched) {
        memset(fresh, 0, side->row_words * sizeof *fresh);
        side->touched[now][row] = 0;
    }
    return n;
}
