// kernel_removal.c: what closing a mill is worth: the best removal for every pair of sets.
//
// The mover's set C has just closed a mill and takes a man of R. All that can follow lies in
// one row (C) of the finished smaller subspace, where the other side is to move with R less one
// man: columns R - p.

#include "solver/kernel_level.h"

// Orders values by what they are worth to the remover, smallest best: lost (even) for the other
// side soon, late, draw, won (odd) late, soon.
static inline uint8_t remover_key(uint8_t value)
{
    return value == VALUE_DRAW ? 128 : value & 1 ? (uint8_t)(255 - value / 2) : value / 2;
}

static inline uint8_t key_value(uint8_t key)
{
    return key == 128 ? VALUE_DRAW : key > 128 ? (uint8_t)(2 * (255 - key) + 1) : 2 * key;
}

// Mills of the victim's points, compact.
static int open_mills(const struct row *row, uint32_t mills[MAX_MILLS])
{
    const struct board *board = &row->side->rules->board;
    int n = 0;
    for (int k = 0; k < board->n_mills; k++)
        if ((board->mills[k] & row->set) == 0)
            mills[n++] = (uint32_t)bit_extract(board->mills[k], row->free);
    return n;
}

static inline uint32_t removable(uint32_t victims, const uint32_t *mills, int n_mills)
{
    uint32_t safe = 0;
    for (int k = 0; k < n_mills; k++)
        safe |= (mills[k] & ~victims) == 0 ? mills[k] : 0;
    return safe == victims ? victims : victims & ~safe;
}

static inline uint8_t best_removal(const struct rank_tables *ranks, int n_men, uint32_t victims,
                                   uint32_t may_go, const uint8_t *keys)
{
    uint8_t best = 255;
    for (; may_go != 0; may_go &= may_go - 1) {
        uint8_t key = keys[rank_set(ranks, n_men - 1, victims ^ (may_go & -may_go))];
        best = key < best ? key : best;
    }
    return best;
}

void AT_LEVEL(removal_row)(const struct side *side, const struct columns *victims,
                           uint32_t number, const uint8_t *smaller, struct workspace *work)
{
    struct row row;
    AT_LEVEL(row_open)(side, number, side->movers->rows->sets[number], victims, &row);
    uint32_t mills[MAX_MILLS];
    int n_mills = side->rules->mill_men == MILL_MEN_REMOVABLE ? 0 : open_mills(&row, mills);
    uint32_t n_smaller = (uint32_t)merels_choose(victims->n_points, victims->n_men - 1);
    for (uint32_t k = 0; k < n_smaller; k++)
        work->keys[k] = remover_key(smaller[k]);
    struct turn_batch *t = &work->turns;
    for (uint32_t k = 0; k < victims->n_columns; k++) {
        uint32_t set = victims->sets[k];
        uint8_t best = best_removal(side->ranks, victims->n_men, set,
                                    removable(set, mills, n_mills), work->keys);
        if (best == 128)
            continue; // a draw is what the array holds already
        t->column[t->n] = k;
        t->value[t->n++] = key_value(best);
        if (t->n == TURN_BATCH)
            AT_LEVEL(turn_removals)(&row, side, work);
    }
    AT_LEVEL(turn_removals)(&row, side, work);
}
