// kernel_place.c: choosing the best of several values for a whole row at once, on byte planes.
//
// A byte plane has one byte, a key (metric.h), for every set of the row's free points, at the
// place of the compact set. The set with one man more on point p is 2^p bytes further on, so
// the best over all points is one pass per point: 64 sets at a time (a word of lanes, a block
// of bytes), a load at an offset, a minimum under a mask.
//
//     removal     best[R] = least key[R - p]   over the men p of R that may be taken
//     placement   best[X] = least key[X + p]   over the free points p outside X, from the plane
//                                              of closing arrivals where p closes a mill
//
// Drawn for three free points, sets of one man, blocks of eight sets; a placement on point 1 is
// a load two bytes further on:
//
//     set                       0  1  2  3  4  5  6  7
//     one man, to be found      .  X  X  .  X  .  .  .
//     two men, keys             .  .  .  k  .  l  m  .
//     loaded 2 bytes on         .  k  .  l  m  .  .  .
//     lanes without point 1     x  x  .  .  x  x  .  .    the mask
//     best = least, masked      .  k  .  .  m  .  .  .    then points 0 and 2
//
//     for each word of columns
//         best = no key
//         for each point that its sets can lack (placement) or hold (removal)
//             keys = load at an offset, where mills close from the plane for that
//             best = least(best, keys) in the lanes of the mask
//
// The mask of a removal is which men may be taken: those in no mill, all if all are in mills.
// It is found for a whole cell (kernel_step.c), point by point: the sets that hold a mill
// through p, the sets in which some man is in none.
//
// Bytes at places that hold no column change nothing that is kept, so planes need no
// clearing.
//
// The plain versions: merels_naive_agrees_with_sweep and merels_naive_removals (naive.c);
// tests/kernels compares every level with them.

#include "kernels/kernel_level.h"

#include <assert.h>
#include <string.h>

#include "kernels/naive.h"

// The key by which the other side picks: the largest is the smallest. Twice is once.
static inline uint8_t opposite_key(uint8_t key)
{
    return key == KEY_NONE ? KEY_NONE : (uint8_t)(KEY_NONE - 1 - key);
}

static void spread_keys(const struct columns *columns, const uint8_t *keys, uint8_t *plane)
{
    for (uint32_t k = 0; k < columns->n_words; k++) {
        struct plane_word w = columns->words[k];
        bytes_spread(plane + (size_t)w.word * 64, keys + w.column, w.n_low);
    }
}

static void take_keys(const uint8_t *restrict values, uint32_t n, uint8_t *restrict keys)
{
    for (uint32_t k = 0; k < n; k++)
        keys[k] = key_of(values[k]);
}

static void turn_keys_round(uint8_t *keys, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        keys[k] = opposite_key(keys[k]);
}

static void collect_keys(const struct columns *columns, const uint8_t *plane, uint8_t *keys)
{
    for (uint32_t k = 0; k < columns->n_words; k++) {
        struct plane_word w = columns->words[k];
        bytes_collect(keys + w.column, plane + (size_t)w.word * 64, w.n_low);
    }
}

// A set of points as lanes of a word: the word must have `high`, the lanes are `low`.
struct mask_of {
    uint32_t high;
    lane_mask low;
};

static struct mask_of mask_of(uint32_t set)
{
    return (struct mask_of){set >> 6, lane_mask_of(lanes_holding(set & 63))};
}

// ---- removals ------------------------------------------------------------------------------

// A set of points as bits of a cell: the cell's number must have `high`, the bits are `low`.
struct bits_of {
    uint32_t high;
    cell low;
};

static struct bits_of bits_of(uint32_t set)
{
    return (struct bits_of){set >> CELL_POINTS, cell_holding(set & ((1u << CELL_POINTS) - 1))};
}

static inline cell bits_in(const struct bits_of *set, uint32_t u)
{
    return (set->high & ~u) == 0 ? set->low : cell_zero();
}

// The men and the mills of the row's free points, which are those of the side that loses a man.
struct victims {
    int n_points, n_mills;
    struct bits_of men[MAX_POINTS], mills[MAX_MILLS];
    uint8_t points[MAX_MILLS][3];
};

static void find_victims(const struct row *row, struct victims *v)
{
    const struct rules *rules = row->side->rules;
    v->n_points = row->n_points;
    v->n_mills = 0;
    for (int p = 0; p < row->n_points; p++)
        v->men[p] = bits_of(1u << p);
    if (rules->mill_men == MILL_MEN_REMOVABLE)
        return; // no man is protected
    const struct point_mask compact = point_mask_of(row->free);
    for (int k = 0; k < rules->board.n_mills; k++) {
        if ((rules->board.mills[k] & row->set) != 0)
            continue;
        uint32_t mill = points_together(&compact, rules->board.mills[k]);
        v->mills[v->n_mills] = bits_of(mill);
        for (int i = 0; i < 3; i++, mill &= mill - 1)
            v->points[v->n_mills][i] = (uint8_t)bit_lowest(mill);
        v->n_mills++;
    }
}

// may_go[p] = the sets of cell u whose man on point p may be taken: it is in no mill, or all
// men of the set are in mills.
static void find_removable(const struct victims *v, uint32_t u,
                           uint64_t may_go[MAX_POINTS][CELL_WORDS])
{
    cell in_mill[MAX_POINTS], loose = cell_zero();
    for (int p = 0; p < v->n_points; p++)
        in_mill[p] = cell_zero();
    for (int k = 0; k < v->n_mills; k++) {
        if ((v->mills[k].high & ~u) != 0)
            continue;
        for (int i = 0; i < 3; i++) {
            cell *at = &in_mill[v->points[k][i]];
            *at = cell_or(*at, v->mills[k].low);
        }
    }
    for (int p = 0; p < v->n_points; p++)
        loose = cell_or(loose, cell_without(bits_in(&v->men[p], u), in_mill[p]));
    for (int p = 0; p < v->n_points; p++)
        cell_store(may_go[p],
                   cell_without(bits_in(&v->men[p], u), cell_and(in_mill[p], loose)));
}

// The least keys of the sets with one man less, of the sets in a word.
static inline byte_block least_removal(uint32_t word, uint32_t points,
                                       const uint64_t may_go[MAX_POINTS][CELL_WORDS],
                                       const uint8_t *keys)
{
    byte_block least = block_filled(KEY_NONE);
    for (uint32_t rest = points & (word << 6 | 63); rest != 0; rest &= rest - 1) {
        int p = bit_lowest(rest);
        uint64_t lanes = may_go[p][word % CELL_WORDS];
        const uint8_t *from = keys + (size_t)word * 64 - ((size_t)1 << p);
        least = block_least(least, block_load(from), lane_mask_of(lanes));
    }
    return least;
}

static void best_removals(const struct row *row, const struct columns *men, const uint8_t *keys,
                          uint8_t *best)
{
    struct victims victims;
    uint64_t may_go[MAX_POINTS][CELL_WORDS];
    const uint32_t points = (uint32_t)low_bits(row->n_points);
    find_victims(row, &victims);
    for (uint32_t k = 0; k < men->n_words; k++) {
        uint32_t word = men->words[k].word, u = word / CELL_WORDS;
        if (k == 0 || u != men->words[k - 1].word / CELL_WORDS)
            find_removable(&victims, u, may_go);
        block_store(best + (size_t)word * 64, least_removal(word, points, may_go, keys));
    }
}

// Where no man may be taken no ply takes one: the same as a draw.
static void codes_of_keys(const uint8_t *restrict keys, uint32_t n, uint8_t *restrict codes)
{
    for (uint32_t k = 0; k < n; k++)
        codes[k] = keys[k] == KEY_NONE ? DTM_DRAW : code_of_key(keys[k]);
}

void AT_LEVEL(removal_row)(const struct side *side, const struct source *source,
                           const struct columns *men, uint32_t number, const uint8_t *smaller,
                           struct workspace *work)
{
    struct row row;
    int n_removed = source->effect.n_removed;
    const struct columns *victims = &men[n_removed];
    uint8_t *planes[2] = {work->bytes[0] + BYTES_MARGIN, work->bytes[1] + BYTES_MARGIN};
    uint8_t *keys = work->bytes[2];
    bool mover_picks = side->rules->chooser == CHOOSER_MOVER;
    AT_LEVEL(row_open)
    (side, number, source->arrivals->rows->sets[number], victims, &row);
    take_keys(smaller, men[0].n_columns, keys);
    if (!mover_picks)
        turn_keys_round(keys, men[0].n_columns);
    spread_keys(&men[0], keys, planes[0]);
    for (int k = 0; k < n_removed; k++)
        best_removals(&row, &men[k + 1], planes[k & 1], planes[~k & 1]);
    collect_keys(victims, planes[n_removed & 1], keys);
    if (!mover_picks)
        turn_keys_round(keys, victims->n_columns);
    codes_of_keys(keys, victims->n_columns, planes[0]);
    AT_LEVEL(turn_codes)(&row, side, source, planes[0], work);
}

void AT_LEVEL(arrival_row)(const struct side *side, const struct source *source,
                           const struct columns *victims, uint32_t number,
                           const uint8_t *values, struct workspace *work)
{
    struct row row;
    AT_LEVEL(row_open)
    (side, number, source->arrivals->rows->sets[number], victims, &row);
    AT_LEVEL(turn_codes)(&row, side, source, values, work);
}

// ---- placements ----------------------------------------------------------------------------

struct placement {  // on one point
    lane_mask held; // the lanes whose sets hold it, of a word that does not
    int n_mates;
    struct mask_of mates[MAX_MILLS_AT];
};

static void plan_placements(const struct row *row, struct placement *plan)
{
    for (int p = 0; p < row->n_points; p++) {
        plan[p].held = lane_mask_of(p < 6 ? lanes_with_point[p] : 0);
        plan[p].n_mates = row->n_mates[p];
        for (int k = 0; k < plan[p].n_mates; k++)
            plan[p].mates[k] = mask_of(row->mates[p][k]);
    }
}

// The lanes that hold the set, of a word; without a branch.
static inline lane_mask mask_in(const struct mask_of *set, const lane_mask *none, uint32_t word)
{
    return *((set->high & ~word) == 0 ? &set->low : none);
}

// closed[k] = the lanes in which the placement closes k mills, the last one: so many or more.
static inline void count_closed(const struct placement *plan, const lane_mask *none,
                                uint32_t word, int n_classes, lane_mask *closed)
{
    closed[0] = lane_mask_without(lane_mask_of(~(uint64_t)0), plan->held);
    for (int k = 1; k < n_classes; k++)
        closed[k] = *none;
    for (int i = 0; i < plan->n_mates; i++) {
        lane_mask holding = mask_in(&plan->mates[i], none, word);
        for (int k = n_classes - 2; k >= 0; k--) {
            closed[k + 1] = lane_mask_or(closed[k + 1], lane_mask_and(closed[k], holding));
            closed[k] = lane_mask_without(closed[k], holding);
        }
    }
}

// The best placements on one point, of the sets in a word; `from` is the place of those sets
// with the point.
static inline byte_block best_of_many(const struct placement *plan, const lane_mask *none,
                                      uint32_t word, uint8_t *const *keys, int n_classes,
                                      size_t from, byte_block best)
{
    lane_mask closed[MAX_ARRIVAL_CLASSES];
    count_closed(plan, none, word, n_classes, closed);
    for (int k = 0; k < n_classes; k++)
        best = block_least(best, block_load(keys[k] + from), closed[k]);
    return best;
}

// The same for two classes, by far the most frequent: a mill is closed, or none is.
static inline byte_block best_of_two(const struct placement *plan, const lane_mask *none,
                                     uint32_t word, uint8_t *const *keys, size_t from,
                                     byte_block best)
{
    byte_block plain = block_load(keys[0] + from);
    if (plan->n_mates == 0)
        return block_least_outside(best, plain, plan->held);
    lane_mask closed = mask_in(&plan->mates[0], none, word);
    for (int i = 1; i < plan->n_mates; i++)
        closed = lane_mask_or(closed, mask_in(&plan->mates[i], none, word));
    return block_least_outside(best, block_choose(closed, block_load(keys[1] + from), plain),
                               plan->held);
}

// keys[k]: the plane of arrivals of class k.
static inline void best_placements(const struct row *row, uint8_t *const *keys, int n_classes,
                                   uint8_t *best)
{
    struct placement plan[MAX_POINTS];
    const lane_mask none = lane_mask_of(0);
    const uint32_t points = (uint32_t)low_bits(row->n_points);
    plan_placements(row, plan);
    for (uint32_t k = 0; k < row->columns->n_words; k++) {
        uint32_t word = row->columns->words[k].word;
        byte_block least = block_filled(KEY_NONE);
        for (uint32_t open = points & ~(word << 6); open != 0; open &= open - 1) {
            int p = bit_lowest(open);
            size_t from = (size_t)word * 64 + ((size_t)1 << p);
            if (n_classes == 2)
                least = best_of_two(&plan[p], &none, word, keys, from, least);
            else
                least = best_of_many(&plan[p], &none, word, keys, n_classes, from, least);
        }
        block_store(best + (size_t)word * 64, least);
    }
}

// Codes before the ply from keys after it.
static void codes_before(const uint8_t *restrict keys, uint32_t n, uint8_t *restrict value)
{
    for (uint32_t k = 0; k < n; k++) {
        uint8_t after = code_of_key(keys[k]);
        uint8_t before = after == DTM_DRAW ? 0 : (uint8_t)step_before(after);
        value[k] = after == DTM_DRAW ? DTM_DRAW : before;
    }
}

void AT_LEVEL(place_row)(const struct side *side, uint32_t number, struct workspace *work)
{
    struct row row;
    uint8_t *keys[MAX_ARRIVAL_CLASSES];
    int n_classes = side->n_classes[PLY_PLACES];
    uint8_t *best = work->bytes[n_classes] + BYTES_MARGIN;
    uint8_t *keys_row = work->bytes[n_classes + 1];
    AT_LEVEL(row_open)(side, number, side->rows->rows->sets[number], &side->columns, &row);
    for (int k = 0; k < n_classes; k++) {
        const struct source *source = merels_side_source(side, PLY_PLACES, k);
        keys[k] = work->bytes[k] + BYTES_MARGIN;
        take_keys(source_values(side, source, number), side->placed.n_columns, keys_row);
        spread_keys(&side->placed, keys_row, keys[k]);
    }
    if (row.n_classes[PLY_PLACES] == 2) // the constant makes a loop without the other way
        best_placements(&row, keys, 2, best);
    else
        best_placements(&row, keys, row.n_classes[PLY_PLACES], best);
    collect_keys(&side->columns, best, keys_row);
    uint8_t *value = side_values(side, number);
    codes_before(keys_row, side->n_columns, value);
    assert(!merels_naive_samples(number, 0) || merels_naive_agrees_with_sweep(&row, value));
}
