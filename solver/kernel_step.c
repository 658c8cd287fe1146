// kernel_step.c: one step back for a whole row at once, on bit planes.
//
// A bit plane holds one bit for every set of the row's free points, bit number = the compact set.
// Taking a man from point j back to point i changes the number by 2^i - 2^j, so for all sets
// with j and without i at once it is a shift of the plane. Points below CELL_POINTS shift
// bits inside a cell, the others select another cell:
//
//     cell number = compact set >> CELL_POINTS        bit in cell = its low points
//
// A row of 9-9 has 5,005 columns in a plane of 2^15 bits, 64 cells of 512 bits: some 5,000
// vector operations do what would be 5,005 times 7 single steps. That pays as soon as more
// than a few dozen of them are due (see kernel_decide.c for the choice).

#include "solver/kernel_level.h"

// Sets of six points that hold point p, and the words of a cell likewise.
static const uint64_t point_words[6] = {
    0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000,
};

// The bits of a cell whose sets hold all points of `low` (compact points below CELL_POINTS).
static cell cell_holding(uint32_t low)
{
    uint64_t words[CELL_WORDS];
    for (int w = 0; w < CELL_WORDS; w++) {
        words[w] = (low >> 6 & ~(uint32_t)w) != 0 ? 0 : ~(uint64_t)0;
        for (uint32_t rest = low & 63; rest != 0; rest &= rest - 1)
            words[w] &= point_words[bit_lowest(rest)];
    }
    return cell_load(words);
}

enum { LOW_MASK = (1 << CELL_POINTS) - 1, MAX_STEPS = MAX_POINTS };

// A set of points split into what selects cells and what selects bits in a cell.
struct split {
    cell low;      // bits that hold the low points
    uint32_t high; // cell number bits that must be set
};

struct back_step {    // from the arrival point to point i
    cell lacking;     // bits without point i, if i is low
    uint32_t clear;   // cell number bit of i, if i is high
    uint32_t flip;    // change of the cell number
    int swap, rotate; // change inside the cell (cell_shift)
    bool inside;      // there is one
};

struct arrival { // at one point
    struct split at;
    int n_mates;
    struct split mates[MAX_MILLS_AT];
    int n_steps;
    struct back_step steps[MAX_STEPS];
};

static struct split split_set(uint32_t set)
{
    return (struct split){cell_holding(set & LOW_MASK), set >> CELL_POINTS};
}

static void plan_step(int to, int from, struct back_step *step)
{
    uint32_t both = 1u << to | 1u << from, low = both & LOW_MASK;
    uint32_t gain = 1u << from & 63, lose = 1u << to & 63;
    step->lacking = cell_without(cell_holding(0), from < CELL_POINTS ? cell_holding(1u << from)
                                                                     : cell_zero());
    step->clear = 1u << from >> CELL_POINTS;
    step->flip = both >> CELL_POINTS;
    step->swap = (int)(low >> 6);
    step->rotate = (int)gain - (int)lose;
    step->inside = low != 0;
}

static void plan_arrival(const struct row *row, int to, struct arrival *arrival)
{
    arrival->at = split_set(1u << to);
    arrival->n_mates = row->n_mates[to];
    for (int k = 0; k < arrival->n_mates; k++)
        arrival->mates[k] = split_set(row->mates[to][k]);
    arrival->n_steps = 0;
    if (row->side->flies)
        return;
    for (uint32_t rest = row->neighbours[to]; rest != 0; rest &= rest - 1)
        plan_step(to, bit_lowest(rest), &arrival->steps[arrival->n_steps++]);
}

// The sets of cell number u that hold the arrival point and are good to arrive at.
static inline cell good_arrivals(const struct arrival *a, uint32_t u, cell arrivals, cell removals)
{
    cell closed = cell_zero();
    for (int k = 0; k < a->n_mates; k++)
        if ((a->mates[k].high & ~u) == 0)
            closed = cell_or(closed, a->mates[k].low);
    return cell_and(cell_choose(closed, removals, arrivals), a->at.low);
}

static inline void cell_add(uint64_t *plane, uint32_t u, cell x)
{
    uint64_t *words = plane + (size_t)u * CELL_WORDS;
    cell_store(words, cell_or(cell_load(words), x));
}

static inline uint32_t cell_number(const struct columns *columns, uint32_t k)
{
    return CELL_POINTS == 9 ? columns->cells[k] : columns->words[k].word;
}

static inline uint32_t cell_count(const struct columns *columns)
{
    return CELL_POINTS == 9 ? columns->n_cells : columns->n_words;
}

static void slide_back(const struct row *row, const struct arrival *plan,
                       const uint64_t *arrivals, const uint64_t *removals, uint64_t *out)
{
    for (uint32_t k = 0; k < cell_count(row->columns); k++) {
        uint32_t u = cell_number(row->columns, k);
        cell plain = cell_load(arrivals + (size_t)u * CELL_WORDS);
        cell closing = cell_load(removals + (size_t)u * CELL_WORDS);
        if (cell_is_zero(cell_or(plain, closing)))
            continue;
        for (const struct arrival *a = plan; a < plan + row->n_points; a++) {
            if (a->at.high & ~u)
                continue;
            cell good = good_arrivals(a, u, plain, closing);
            if (cell_is_zero(good))
                continue;
            for (const struct back_step *step = a->steps; step < a->steps + a->n_steps; step++) {
                if (step->clear & u)
                    continue;
                cell moved = step->inside ? cell_shift(cell_and(good, step->lacking),
                                                       step->swap, step->rotate)
                                          : good;
                cell_add(out, u ^ step->flip, moved);
            }
        }
    }
}

// The change inside a cell, and of its number, that taking away or adding one point makes.
struct lift {
    int swap, rotate;
    uint32_t flip;
};

static struct lift plan_lift(int point)
{
    uint32_t bit = 1u << point;
    return (struct lift){(int)((bit & LOW_MASK) >> 6), (int)(bit & 63), bit >> CELL_POINTS};
}

// Flight: X reaches every Y = X - i + j with i in X and j outside. Lifting the arriving man
// leaves Z = Y - j with one man less; for X it must be good with some j other than i:
//
//     once[Z]   at least one j makes Z + j a good arrival       twice[Z]   at least two do
//     X is found  if for some i, with Z = X - i:  twice[Z], or once[Z] and not by j = i
//
// That is 2n operations a cell in place of n * n.
static void fly_back(const struct row *row, const struct arrival *plan, const uint64_t *arrivals,
                     const uint64_t *removals, uint64_t *out, uint64_t *const scratch[2])
{
    uint64_t *once = scratch[0], *twice = scratch[1];
    for (int pass = 0; pass < 3; pass++)
        for (uint32_t k = 0; k < cell_count(row->columns); k++) {
            uint32_t u = cell_number(row->columns, k);
            cell plain = cell_load(arrivals + (size_t)u * CELL_WORDS);
            cell closing = cell_load(removals + (size_t)u * CELL_WORDS);
            for (int j = 0; j < row->n_points; j++) {
                const struct arrival *a = &plan[j];
                if (a->at.high & ~u)
                    continue;
                struct lift lift = plan_lift(j);
                uint64_t *z_once = once + (size_t)(u ^ lift.flip) * CELL_WORDS;
                uint64_t *z_twice = twice + (size_t)(u ^ lift.flip) * CELL_WORDS;
                cell good = good_arrivals(a, u, plain, closing);
                if (pass == 0) {
                    cell lifted = cell_shift(good, lift.swap, -lift.rotate);
                    cell seen = cell_load(z_once);
                    cell_store(z_twice, cell_or(cell_load(z_twice), cell_and(seen, lifted)));
                    cell_store(z_once, cell_or(seen, lifted));
                } else if (pass == 1) {
                    cell any = cell_shift(cell_load(z_once), lift.swap, lift.rotate);
                    cell two = cell_shift(cell_load(z_twice), lift.swap, lift.rotate);
                    cell found = cell_or(two, cell_without(any, good));
                    cell_add(out, u, cell_and(found, a->at.low));
                } else {
                    cell_store(z_once, cell_zero());
                    cell_store(z_twice, cell_zero());
                }
            }
        }
}

void AT_LEVEL(step_back)(const struct row *row, const uint64_t *arrivals,
                         const uint64_t *removals, uint64_t *out, uint64_t *const scratch[2])
{
    struct arrival plan[MAX_POINTS];
    for (int j = 0; j < row->n_points; j++)
        plan_arrival(row, j, &plan[j]);
    if (row->side->flies)
        fly_back(row, plan, arrivals, removals, out, scratch);
    else
        slide_back(row, plan, arrivals, removals, out);
}
