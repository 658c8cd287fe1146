// kernel_step.c: one step back for a whole row at once, on bit planes.
//
// A plane holds one bit for every set of the row's n free points, bit number = the compact set;
// those of so many men are columns, the others are never read. A cell is what the processor
// works on at a time: the bits of all subsets of the CELL_POINTS lowest points.
//
//     compact set    n-1 ... CELL_POINTS | CELL_POINTS-1 ... 6 | 5 ... 0
//                    number of the cell  | word in the cell    | bit in the word
//
// The step: a man that arrived on `to` goes back to `from`, so the number of the set changes by
// 2^from - 2^to, the same for all sets with `to` and without `from`. All of them are taken back
// by moving bits. Drawn with four points, two men, and cells of two points only; the man on
// point 0 goes back to point 2, 3 places up:
//
//     set                  0 1 2 3   4 5 6 7   8 9 10 11  12 13 14 15
//     column               . . . x | . x x . | . x  x  . | x  .  .  .
//     good to arrive at    . . . 1 | . 1 0 . | . 1  0  . | 0  .  .  .
//     and 0 in, 2 out      . . . 1 | . . . . | . 1  .  . | .  .  .  .    picked
//     a step before        . . . . | . . 1 . | . .  .  . | 1  .  .  .    out
//
//     from, to             a bit of the picked plane goes
//     both below 6         to another bit of its word       rotate
//     below CELL_POINTS    and to another word of its cell  word ^ swap
//     else                 and to another cell              cell ^ flip
//
// Which plane says whether an arrival is good depends on the mills that close: the mills
// through `to`, without it, are sets, and a cell knows which of its bits hold them.
//
//     for each point `to`
//         picked = sets with `to`, good by the plane of as many mills as close there
//         for each point `from` next to it      slides; flights have a way of their own, below
//             out |= picked without `from`, moved
//
// A row of 9-9 has 5,005 columns in a plane of 2^15 bits, 64 cells of 512 bits: some 5,000
// vector operations do what would be 5,005 times 7 single steps. That pays as soon as more
// than a few dozen of them are due (see kernel_decide.c for the choice).
//
// The plain version goes from each set by each ply: merels_naive_agrees (naive.c), and loops of
// its own in tests/kernels/test_kernels.c, with which every level is compared.

#include "kernels/kernel_level.h"

enum { LOW_MASK = (1 << CELL_POINTS) - 1 };

// A set of points split into what selects cells and what selects bits in a cell.
struct split {
    cell low;      // bits that hold the low points
    uint32_t high; // bits that the number of the cell must have
};

static struct split split_set(uint32_t set)
{
    return (struct split){cell_holding(set & LOW_MASK), set >> CELL_POINTS};
}

// The cells that hold sets with point p, and those that hold sets without it.
static const struct cell_list *cells_with(const struct columns *columns, int p)
{
    return p < CELL_POINTS ? &columns->all : &columns->with[p - CELL_POINTS];
}

static const struct cell_list *cells_without(const struct columns *columns, int p)
{
    return p < CELL_POINTS ? &columns->all : &columns->without[p - CELL_POINTS];
}

static inline cell cell_at(const uint64_t *plane, uint32_t u)
{
    return cell_load(plane + (size_t)u * CELL_WORDS);
}

static inline void cell_put(uint64_t *plane, uint32_t u, cell x)
{
    cell_store(plane + (size_t)u * CELL_WORDS, x);
}

// The sets of cell u that hold a split set; without a branch.
static inline cell sets_holding(const struct split *set, const cell *none, uint32_t u)
{
    return *((set->high & ~u) == 0 ? &set->low : none);
}

// closed[k] = the sets of a cell in which k mills stand at a point, the last one: so many or
// more; `mates` are its mills without it.
static inline void count_closed(const struct split *mates, int n_mates, uint32_t u,
                                int n_classes, cell *closed)
{
    const cell none = cell_zero();
    for (int k = 1; k < n_classes; k++)
        closed[k] = none;
    closed[0] = cell_ones();
    for (int m = 0; m < n_mates; m++) {
        cell holding = sets_holding(&mates[m], &none, u);
        for (int k = n_classes - 2; k >= 0; k--) {
            closed[k + 1] = cell_or(closed[k + 1], cell_and(closed[k], holding));
            closed[k] = cell_without(closed[k], holding);
        }
    }
}

// The mills through a point, without it; a row has at most so many that are not blocked.
struct mates {
    int n;
    struct split sets[MAX_MILLS_AT];
};

static struct mates find_mates(const struct row *row, int point)
{
    struct mates mates = {.n = row->n_mates[point]};
    for (int k = 0; k < mates.n; k++)
        mates.sets[k] = split_set(row->mates[point][k]);
    return mates;
}

// Two kinds of arrivals, by far the most frequent: mills close, or they do not.
static inline void pick_of_two(const struct split *mates, int n_mates,
                               const struct cell_list *list, cell held, const uint64_t *plain,
                               const uint64_t *closing, uint64_t *picked)
{
    const cell none = cell_zero();
    for (uint32_t i = 0; i < list->n; i++) {
        uint32_t u = list->cells[i];
        cell good = cell_at(plain, u);
        if (n_mates > 0) {
            cell closed = sets_holding(&mates[0], &none, u);
            for (int k = 1; k < n_mates; k++)
                closed = cell_or(closed, sets_holding(&mates[k], &none, u));
            good = cell_choose(closed, cell_at(closing, u), good);
        }
        cell_put(picked, u, cell_and(good, held));
    }
}

// A loop of its own for each number of mills that is frequent.
static void pick_by_mills(const struct mates *mates, const struct cell_list *list, cell held,
                          const uint64_t *plain, const uint64_t *closing, uint64_t *picked)
{
    if (mates->n == 0)
        pick_of_two(mates->sets, 0, list, held, plain, closing, picked);
    else if (mates->n == 1)
        pick_of_two(mates->sets, 1, list, held, plain, closing, picked);
    else if (mates->n == 2)
        pick_of_two(mates->sets, 2, list, held, plain, closing, picked);
    else
        pick_of_two(mates->sets, mates->n, list, held, plain, closing, picked);
}

static void pick_of_many(const struct mates *mates, const struct cell_list *list, cell held,
                         uint64_t *const *good, int n_classes, uint64_t *picked)
{
    cell closed[MAX_ARRIVAL_CLASSES];
    for (uint32_t i = 0; i < list->n; i++) {
        uint32_t u = list->cells[i];
        cell any = cell_zero();
        count_closed(mates->sets, mates->n, u, n_classes, closed);
        for (int k = 0; k < n_classes; k++)
            any = cell_or(any, cell_and(closed[k], cell_at(good[k], u)));
        cell_put(picked, u, cell_and(any, held));
    }
}

// picked = the sets with point `to` that are good to arrive at on that point: those of plane k
// where k mills close. Cells that cannot hold the point are not written.
static void good_arrivals(const struct row *row, const struct columns *columns, int to,
                          uint64_t *const *good, int n_classes, uint64_t *picked)
{
    const struct cell_list *list = cells_with(columns, to);
    struct mates mates = find_mates(row, to);
    cell held = cell_holding(1u << to & LOW_MASK);
    if (n_classes == 2)
        pick_by_mills(&mates, list, held, good[0], good[1], picked);
    else
        pick_of_many(&mates, list, held, good, n_classes, picked);
}

// ---- slides --------------------------------------------------------------------------------

// Both points select cells: whole cells move.
static void slide_cells(const struct columns *columns, int to, int from, const uint64_t *good,
                        uint64_t *out)
{
    const struct cell_list *list = cells_with(columns, to);
    uint32_t clear = 1u << (from - CELL_POINTS), flip = clear | 1u << (to - CELL_POINTS);
    for (uint32_t i = 0; i < list->n; i++) {
        uint32_t u = list->cells[i];
        if ((u & clear) == 0)
            cell_put(out, u ^ flip, cell_or(cell_at(out, u ^ flip), cell_at(good, u)));
    }
}

struct slide {
    uint32_t flip; // of the cell's number
    cell taken;    // bits of the cell that hold `from`
    int swap, rotate;
};

static inline void slide_list(const struct cell_list *list, struct slide slide, int swap,
                              const uint64_t *good, uint64_t *out)
{
    for (uint32_t i = 0; i < list->n; i++) {
        uint32_t u = list->cells[i], z = u ^ slide.flip;
        cell moved =
            cell_shift(cell_without(cell_at(good, u), slide.taken), swap, slide.rotate);
        cell_put(out, z, cell_or(cell_at(out, z), moved));
    }
}

// At least one of them selects bits: bits move inside their cell or to one other cell.
static void slide_bits(const struct columns *columns, int to, int from, const uint64_t *good,
                       uint64_t *out)
{
    const struct cell_list *list =
        to < CELL_POINTS ? cells_without(columns, from) : cells_with(columns, to);
    uint32_t both = 1u << to | 1u << from;
    const struct slide slide = {
        .flip = both >> CELL_POINTS,
        .taken = from < CELL_POINTS ? cell_holding(1u << from) : cell_zero(),
        .swap = (int)((both & LOW_MASK) >> 6),
        .rotate = (int)(1u << from & 63) - (int)(1u << to & 63),
    };
    if (slide.swap == 0) // a loop without the exchange of words
        slide_list(list, slide, 0, good, out);
    else
        slide_list(list, slide, slide.swap, good, out);
}

static void slide_back(const struct row *row, uint64_t *const *good, int n_classes,
                       uint64_t *out, uint64_t *picked)
{
    for (int to = 0; to < row->n_points; to++) {
        good_arrivals(row, row->columns, to, good, n_classes, picked);
        for (uint32_t rest = row->neighbours[to]; rest != 0; rest &= rest - 1) {
            int from = bit_lowest(rest);
            if (to >= CELL_POINTS && from >= CELL_POINTS)
                slide_cells(row->columns, to, from, picked, out);
            else
                slide_bits(row->columns, to, from, picked, out);
        }
    }
}

// ---- flights -------------------------------------------------------------------------------
// X reaches every Y = X - i + j with i in X and j outside. Lifting the arriving man leaves
// Z = Y - j with one man less; for X it must be good with some j other than i:
//
//     once[Z]   at least one j makes Z + j a good arrival       twice[Z]   at least two do
//     X is found  if for some i, with Z = X - i:  twice[Z], or once[Z] and not by j = i
//
// That is 2n operations a cell in place of n * n.

// The change of a cell's number and inside it that taking point p away makes.
struct lift {
    uint32_t flip;
    int swap, rotate;
};

static struct lift plan_lift(int p)
{
    uint32_t bit = 1u << p;
    return (struct lift){bit >> CELL_POINTS, (int)((bit & LOW_MASK) >> 6), (int)(bit & 63)};
}

static void lift_men(const struct columns *columns, int p, const uint64_t *good, uint64_t *once,
                     uint64_t *twice)
{
    const struct cell_list *list = cells_with(columns, p);
    struct lift lift = plan_lift(p);
    for (uint32_t i = 0; i < list->n; i++) {
        uint32_t u = list->cells[i], z = u ^ lift.flip;
        cell lifted = cell_shift(cell_at(good, u), lift.swap, -lift.rotate);
        cell seen = cell_at(once, z);
        cell_put(twice, z, cell_or(cell_at(twice, z), cell_and(seen, lifted)));
        cell_put(once, z, cell_or(seen, lifted));
    }
}

static void set_men(const struct columns *columns, int p, const uint64_t *good,
                    const uint64_t *once, const uint64_t *twice, uint64_t *out)
{
    const struct cell_list *list = cells_with(columns, p);
    struct lift lift = plan_lift(p);
    cell held = cell_holding(1u << p & LOW_MASK);
    for (uint32_t i = 0; i < list->n; i++) {
        uint32_t u = list->cells[i], z = u ^ lift.flip;
        cell any = cell_shift(cell_at(once, z), lift.swap, lift.rotate);
        cell two = cell_shift(cell_at(twice, z), lift.swap, lift.rotate);
        cell found = cell_or(two, cell_without(any, cell_at(good, u)));
        cell_put(out, u, cell_or(cell_at(out, u), cell_and(found, held)));
    }
}

static void clear_lifted(const struct columns *columns, int p, uint64_t *once, uint64_t *twice)
{
    const struct cell_list *list = cells_with(columns, p);
    uint32_t flip = plan_lift(p).flip;
    for (uint32_t i = 0; i < list->n; i++) {
        cell_put(once, list->cells[i] ^ flip, cell_zero());
        cell_put(twice, list->cells[i] ^ flip, cell_zero());
    }
}

static void fly_back(const struct row *row, uint64_t *const *good, int n_classes, uint64_t *out,
                     uint64_t *const scratch[N_SCRATCH])
{
    uint64_t *picked = scratch[0], *once = scratch[1], *twice = scratch[2];
    for (int p = 0; p < row->n_points; p++)
        clear_lifted(row->columns, p, once, twice);
    for (int p = 0; p < row->n_points; p++) {
        good_arrivals(row, row->columns, p, good, n_classes, picked);
        lift_men(row->columns, p, picked, once, twice);
    }
    for (int p = 0; p < row->n_points; p++) {
        good_arrivals(row, row->columns, p, good, n_classes, picked);
        set_men(row->columns, p, picked, once, twice, out);
    }
}

void AT_LEVEL(step_back)(const struct row *row, uint64_t *const *good, int n_classes,
                         uint64_t *out, uint64_t *const scratch[N_SCRATCH])
{
    if (row->side->flies)
        fly_back(row, good, n_classes, out, scratch);
    else
        slide_back(row, good, n_classes, out, scratch[0]);
}

// ---- placements ----------------------------------------------------------------------------
// X reaches every Y = X + p: lifting the man that has just been placed leads back.

void AT_LEVEL(place_back)(const struct row *row, const struct columns *placed,
                          uint64_t *const *good, int n_classes, uint64_t *out,
                          uint64_t *const scratch[N_SCRATCH])
{
    uint64_t *picked = scratch[0];
    for (int p = 0; p < row->n_points; p++) {
        const struct cell_list *list = cells_with(placed, p);
        struct lift lift = plan_lift(p);
        good_arrivals(row, placed, p, good, n_classes, picked);
        for (uint32_t i = 0; i < list->n; i++) {
            uint32_t u = list->cells[i], z = u ^ lift.flip;
            cell lifted = cell_shift(cell_at(picked, u), lift.swap, -lift.rotate);
            cell_put(out, z, cell_or(cell_at(out, z), lifted));
        }
    }
}
