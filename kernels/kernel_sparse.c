// kernel_sparse.c: unmoves one by one, for rows in which only few arrivals are new.
//
// Here a row is rows of bits, one for each column, no planes and no cells; the step goes from a
// column that is new to those before it, and from these, for losses, to those after them:
//
//     new arrival    .  .  .  1  .  .  .  .  .      columns of the arrived sets
//                          / | \                    unmove: a man back to each free neighbour
//     before         .  u  u  .  u  .  .  .  .      undecided columns of the row
//                       | \_.
//     after          .  .  w  w  w  .  .  .  .      all its plies: each won for the other side?
//
//     arrival lost for the other side   every u before it wins
//     arrival won for the other side    a u before it loses, if all its plies are w; the first
//                                       that is not ends the look, and no counters are kept
//
// An unmove costs some 32 operations: it must find the class of the arrival (the mills closed
// by the man that goes back), the set before, its rank and its bit. For a row of 9-9 the
// dense way costs as much as a few dozen arrivals this way (kernel_decide.c).
//
// The plain version is the same for both ways: merels_naive_agrees (naive.c), compared with
// every level by tests/kernels/test_naive.c.

#include "kernels/kernel_level.h"

static inline bool bit_at(const uint64_t *bits, uint32_t k)
{
    return bits[k / 64] >> (k & 63) & 1;
}

// The class of an arrival on `point`: the mills closed there, or the last class if they are
// more.
static inline int class_of(const struct row *row, uint32_t set, int point, int n_classes)
{
    int n = 0;
    for (int k = 0; k < row->n_mates[point] && n < n_classes - 1; k++)
        n += (row->mates[point][k] & ~set) == 0;
    return n;
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

// True if arriving with `set` on point `to` lets the other side win.
static inline bool arrival_loses(const struct row *row, const struct known *known,
                                 enum ply_kind kind, uint32_t set, int to)
{
    int men = row->columns->n_men + (kind == PLY_PLACES);
    int class = class_of(row, set, to, row->n_classes[kind]);
    return bit_at(known->arrivals[kind][class].won, rank_set(row->side->ranks, men, set));
}

static bool all_moves_lose(const struct row *row, const struct known *known, uint32_t set)
{
    for (uint32_t men = set; men != 0; men &= men - 1)
        for (uint32_t to = reach(row, set, bit_lowest(men)); to != 0; to &= to - 1)
            if (!arrival_loses(row, known, PLY_MOVES, set ^ (men & -men) ^ (to & -to),
                               bit_lowest(to)))
                return false;
    return true;
}

static bool all_placements_lose(const struct row *row, const struct known *known, uint32_t set)
{
    for (uint32_t to = (uint32_t)low_bits(row->n_points) & ~set; to != 0; to &= to - 1)
        if (!arrival_loses(row, known, PLY_PLACES, set | (to & -to), bit_lowest(to)))
            return false;
    return true;
}

// True if the mover in a column can only pass.
static inline bool passes(const struct row *row, uint32_t column)
{
    const struct side *side = row->side;
    return side->passes != NULL && bit_at(side_bits(side, side->passes, row->number), column);
}

static bool all_plies_lose(const struct row *row, const struct known *known, uint32_t set)
{
    const int *n = row->side->n_classes;
    if (passes(row, column_of(row, set)))
        return bit_at(known->arrivals[PLY_MOVES][0].won, column_of(row, set));
    return (n[PLY_MOVES] == 0 || all_moves_lose(row, known, set)) &&
           (n[PLY_PLACES] == 0 || all_placements_lose(row, known, set));
}

// What is asked of the predecessors of new arrivals.
struct unmoving {
    const struct row *row;
    const struct known *known;
    enum result result; // of the arrivals, for the other side
    enum ply_kind kind;
    int class;
    const uint64_t *undecided;
    uint64_t *found;
};

static inline void check_before(const struct unmoving *u, uint32_t before)
{
    uint32_t column = column_of(u->row, before);
    if (!bit_at(u->undecided, column) || bit_at(u->found, column))
        return;
    if (u->result == RESULT_LOST || all_plies_lose(u->row, u->known, before))
        u->found[column / 64] |= (uint64_t)1 << (column & 63);
}

// Undecided predecessors of one arrival by plies of the class.
static inline void unmove(const struct unmoving *u, uint32_t set)
{
    const struct row *row = u->row;
    int n_classes = row->n_classes[u->kind];
    if (u->kind == PLY_MOVES && u->class == 0 && passes(row, column_of(row, set)))
        check_before(u, set);
    for (uint32_t men = set; men != 0; men &= men - 1) {
        int point = bit_lowest(men);
        if (class_of(row, set, point, n_classes) != u->class)
            continue;
        uint32_t rest = set ^ (men & -men);
        if (u->kind == PLY_PLACES) {
            check_before(u, rest);
            continue;
        }
        for (uint32_t from = reach(row, set, point); from != 0; from &= from - 1)
            check_before(u, rest ^ (from & -from));
    }
}

static void unmove_all(const struct unmoving *u)
{
    const struct side *side = u->row->side;
    const struct columns *columns = u->kind == PLY_PLACES ? &side->placed : &side->columns;
    const uint64_t *now = u->known->arrivals[u->kind][u->class].now;
    for (size_t w = 0; w < words_of_bits(columns->n_columns); w++)
        for (uint64_t rest = now[w]; rest != 0; rest &= rest - 1)
            unmove(u, columns->sets[w * 64 + (size_t)bit_lowest(rest)]);
}

void AT_LEVEL(sparse)(const struct row *row, const struct known *known, enum result result,
                      uint64_t *found)
{
    const struct side *side = row->side;
    struct unmoving u = {.row = row,
                         .known = known,
                         .result = result,
                         .undecided = side_bits(side, side->undecided, row->number),
                         .found = found};
    for (int kind = 0; kind < N_PLY_KINDS; kind++)
        for (int class = 0; class < side->n_classes[kind]; class ++) {
            u.kind = (enum ply_kind)kind;
            u.class = class;
            unmove_all(&u);
        }
}
