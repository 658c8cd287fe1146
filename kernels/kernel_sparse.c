// kernel_sparse.c: unmoves one by one, for rows in which only few positions became known.
//
// Wins: every undecided predecessor of a good arrival wins. Losses: every undecided predecessor
// of a bad arrival is checked forward, all its steps must be bad; no counters are kept, the
// first step that is not bad ends the check.

#include "kernels/kernel_level.h"

static inline bool bit_at(const uint64_t *bits, uint32_t k)
{
    return bits[k / 64] >> (k & 63) & 1;
}

static inline bool closes(const struct row *row, uint32_t set, int point)
{
    for (int k = 0; k < row->n_mates[point]; k++)
        if ((row->mates[point][k] & ~set) == 0)
            return true;
    return false;
}

// Points from which the man on `point` can have come, or to which it can go.
static inline uint32_t reach(const struct row *row, uint32_t set, int point)
{
    uint32_t all =
        row->side->flies ? (uint32_t)low_bits(row->n_points) : row->neighbours[point];
    return all & ~set;
}

static inline uint32_t column_of(const struct row *row, uint32_t set)
{
    return rank_set(row->side->ranks, row->columns->n_men, set);
}

// A position is lost if every step is: none leads to an arrival that is not won for the other
// side.
static bool all_steps_lose(const struct row *row, uint32_t set)
{
    const struct side *side = row->side;
    const uint64_t *won = side->won + row->number * side->row_words;
    const uint64_t *removal_won = side->removal_won + row->number * side->row_words;
    for (uint32_t men = set; men != 0; men &= men - 1)
        for (uint32_t to = reach(row, set, bit_lowest(men)); to != 0; to &= to - 1) {
            uint32_t arrival = set ^ (men & -men) ^ (to & -to);
            uint32_t column = column_of(row, arrival);
            bool closing = closes(row, arrival, bit_lowest(to));
            if (!bit_at(closing ? removal_won : won, column))
                return false;
        }
    return true;
}

// Undecided predecessors of one arrival by steps that close a mill, or by those that close
// none.
static inline void unmove(const struct row *row, uint32_t set, bool closing, bool losses,
                          const uint64_t *undecided, uint64_t *found)
{
    for (uint32_t men = set; men != 0; men &= men - 1) {
        int point = bit_lowest(men);
        if (closes(row, set, point) != closing)
            continue;
        for (uint32_t from = reach(row, set, point); from != 0; from &= from - 1) {
            uint32_t before = set ^ (men & -men) ^ (from & -from);
            uint32_t column = column_of(row, before);
            if (!bit_at(undecided, column) || bit_at(found, column))
                continue;
            if (!losses || all_steps_lose(row, before))
                found[column / 64] |= (uint64_t)1 << (column & 63);
        }
    }
}

static void unmove_all(const struct row *row, const uint64_t *arrivals, bool closing,
                       bool losses, uint64_t *found)
{
    const struct side *side = row->side;
    const uint64_t *undecided = side->undecided + row->number * side->row_words;
    for (size_t w = 0; w < side->row_words; w++)
        for (uint64_t rest = arrivals[w]; rest != 0; rest &= rest - 1)
            unmove(row, row->columns->sets[w * 64 + (size_t)bit_lowest(rest)], closing, losses,
                   undecided, found);
}

void AT_LEVEL(sparse)(const struct row *row, const uint64_t *arrivals, const uint64_t *removals,
                      int depth, uint64_t *found)
{
    bool losses = depth & 1;
    unmove_all(row, arrivals, false, losses, found);
    unmove_all(row, removals, true, losses, found);
}
