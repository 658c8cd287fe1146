// kernel_place.c: choosing the best of several values for a whole row at once, on byte planes.
//
// A byte plane has one byte for every set of the row's free points, at the place of the compact
// set. The set with one man more on point p is 2^p bytes further on, so the best over all
// points is one pass per point: 64 sets at a time, a load at an offset, a minimum under a mask.
//
//     removal     best[R] = least key[R - p]   over the men p of R that may be taken
//     placement   best[X] = least key[X + p]   over the free points p outside X, from the plane
//                                              of closing arrivals where p closes a mill
//
// Bytes at places that hold no column are never looked at, so planes need no clearing.

#include "kernels/kernel_level.h"

#include <string.h>

// Orders values for the side that chooses, which leaves the other side to move with them;
// smallest best: lost (even) soon, lost late, draw, won (odd) late, won soon.
enum { KEY_DRAW = 128, KEY_NONE = 255 };

static inline uint8_t key_of(uint8_t value)
{
    uint8_t half = value >> 1;
    uint8_t decided = value & 1 ? (uint8_t)(255 - half) : half;
    return value == VALUE_DRAW ? KEY_DRAW : decided;
}

static inline uint8_t value_of(uint8_t key)
{
    uint8_t decided = key > KEY_DRAW ? (uint8_t)(2 * (255 - key) + 1) : (uint8_t)(2 * key);
    return key == KEY_DRAW ? VALUE_DRAW : decided;
}

static inline uint64_t columns_in_word(const struct columns *columns, uint32_t word)
{
    return lanes_with_count[columns->n_men - bit_count(word)];
}

// The keys of a row of values, on a plane; `keys` is room for a row.
static void spread_keys(const struct columns *columns, const uint8_t *restrict values,
                        uint8_t *restrict keys, uint8_t *plane)
{
    for (uint32_t k = 0; k < columns->n_columns; k++)
        keys[k] = key_of(values[k]);
    for (uint32_t k = 0; k < columns->n_words; k++) {
        struct plane_word w = columns->words[k];
        bytes_spread(plane + (size_t)w.word * 64, keys + w.column,
                     columns_in_word(columns, w.word));
    }
}

static void collect_keys(const struct columns *columns, const uint8_t *plane, uint8_t *keys)
{
    for (uint32_t k = 0; k < columns->n_words; k++) {
        struct plane_word w = columns->words[k];
        bytes_collect(keys + w.column, plane + (size_t)w.word * 64,
                      columns_in_word(columns, w.word));
    }
}

// A set of points as lanes of a word: the word must have `high`, the lanes are `low`.
struct lanes_of {
    uint32_t high;
    uint64_t low;
};

static struct lanes_of lanes_of(uint32_t set)
{
    return (struct lanes_of){set >> 6, lanes_holding(set & 63)};
}

static inline uint64_t lanes_in(struct lanes_of set, uint32_t word)
{
    return (set.high & ~word) == 0 ? set.low : 0;
}

// ---- removals ------------------------------------------------------------------------------

struct victim_mills {
    int n;
    struct lanes_of lanes[MAX_MILLS];
    uint8_t points[MAX_MILLS][3];
};

// Mills on the free points of the row, which is the set of the side that removes.
static void find_mills(const struct row *row, struct victim_mills *mills)
{
    const struct rules *rules = row->side->rules;
    mills->n = 0;
    if (rules->mill_men == MILL_MEN_REMOVABLE)
        return; // no man is protected
    for (int k = 0; k < rules->board.n_mills; k++) {
        if ((rules->board.mills[k] & row->set) != 0)
            continue;
        uint32_t mill = (uint32_t)bit_extract(rules->board.mills[k], row->free);
        mills->lanes[mills->n] = lanes_of(mill);
        for (int i = 0; i < 3; i++, mill &= mill - 1)
            mills->points[mills->n][i] = (uint8_t)bit_lowest(mill);
        mills->n++;
    }
}

// For each point the lanes in which its man is in a mill; returns those in which some man is in
// none.
static uint64_t protect(const struct victim_mills *mills, const struct lanes_of *points,
                        int n_points, uint32_t word, uint64_t *in_mill)
{
    memset(in_mill, 0, (size_t)n_points * sizeof *in_mill);
    for (int k = 0; k < mills->n; k++) {
        uint64_t lanes = lanes_in(mills->lanes[k], word);
        for (int i = 0; i < 3; i++)
            in_mill[mills->points[k][i]] |= lanes;
    }
    uint64_t loose = 0;
    for (int p = 0; p < n_points; p++)
        loose |= lanes_in(points[p], word) & ~in_mill[p];
    return loose;
}

static void best_removals(const struct row *row, const struct columns *victims,
                          const uint8_t *keys, uint8_t *best)
{
    struct victim_mills mills;
    struct lanes_of points[MAX_POINTS];
    uint64_t in_mill[MAX_POINTS];
    find_mills(row, &mills);
    for (int p = 0; p < row->n_points; p++)
        points[p] = lanes_of(1u << p);
    for (uint32_t k = 0; k < victims->n_words; k++) {
        uint32_t word = victims->words[k].word;
        size_t first = (size_t)word * 64;
        uint64_t loose = protect(&mills, points, row->n_points, word, in_mill);
        memset(best + first, KEY_NONE, 64);
        for (int p = 0; p < row->n_points; p++) {
            uint64_t lanes = lanes_in(points[p], word) & (~in_mill[p] | ~loose);
            if (lanes != 0)
                bytes_take_least(best + first, keys + first - ((size_t)1 << p), lanes);
        }
    }
}

void AT_LEVEL(removal_row)(struct side *side, const struct columns *victims,
                           const struct columns *fewer, uint32_t number, const uint8_t *smaller,
                           struct workspace *work)
{
    struct row row;
    uint8_t *keys = work->bytes[0] + BYTES_MARGIN, *best = work->bytes[1] + BYTES_MARGIN;
    uint8_t *keys_row = work->bytes[2];
    AT_LEVEL(row_open)(side, number, side->movers->rows->sets[number], victims, &row);
    spread_keys(fewer, smaller, keys_row, keys);
    best_removals(&row, victims, keys, best);
    collect_keys(victims, best, keys_row);
    struct turn_batch *t = &work->turns;
    for (uint32_t k = 0; k < victims->n_columns; k++) {
        if (keys_row[k] == KEY_DRAW)
            continue; // the array holds a draw already
        t->column[t->n] = k;
        t->value[t->n++] = value_of(keys_row[k]);
        if (t->n == TURN_BATCH)
            AT_LEVEL(turn_bytes)(&row, side, side->removal, work);
    }
    AT_LEVEL(turn_bytes)(&row, side, side->removal, work);
}

// ---- placements ----------------------------------------------------------------------------

void AT_LEVEL(arrival_row)(struct side *side, const struct columns *victims, uint32_t number,
                           const uint8_t *values, struct workspace *work)
{
    struct row row;
    AT_LEVEL(row_open)(side, number, side->movers->rows->sets[number], victims, &row);
    struct turn_batch *t = &work->turns;
    for (uint32_t k = 0; k < victims->n_columns; k++) {
        if (values[k] == VALUE_DRAW)
            continue;
        t->column[t->n] = k;
        t->value[t->n++] = values[k];
        if (t->n == TURN_BATCH)
            AT_LEVEL(turn_bytes)(&row, side, side->value, work);
    }
    AT_LEVEL(turn_bytes)(&row, side, side->value, work);
}

struct placement { // on one point
    struct lanes_of at;
    int n_mates;
    struct lanes_of mates[MAX_MILLS_AT];
};

static void plan_placements(const struct row *row, struct placement *plan)
{
    bool removes = row->set != 0; // without men of the other side a mill removes nothing
    for (int p = 0; p < row->n_points; p++) {
        plan[p].at = lanes_of(1u << p);
        plan[p].n_mates = removes ? row->n_mates[p] : 0;
        for (int k = 0; k < plan[p].n_mates; k++)
            plan[p].mates[k] = lanes_of(row->mates[p][k]);
    }
}

static void best_placements(const struct row *row, const uint8_t *plain, const uint8_t *closing,
                            uint8_t *best)
{
    struct placement plan[MAX_POINTS];
    plan_placements(row, plan);
    for (uint32_t k = 0; k < row->columns->n_words; k++) {
        uint32_t word = row->columns->words[k].word;
        size_t first = (size_t)word * 64;
        memset(best + first, KEY_NONE, 64);
        for (int p = 0; p < row->n_points; p++) {
            uint64_t lanes = ~lanes_in(plan[p].at, word), closed = 0;
            if (lanes == 0)
                continue;
            for (int i = 0; i < plan[p].n_mates; i++)
                closed |= lanes_in(plan[p].mates[i], word);
            size_t from = first + ((size_t)1 << p);
            bytes_take_least(best + first, plain + from, lanes & ~closed);
            if (lanes & closed)
                bytes_take_least(best + first, closing + from, lanes & closed);
        }
    }
}

// Values before the ply from keys after it; the greatest depth, -1 if there is none.
static int values_before(const uint8_t *restrict keys, uint32_t n, uint8_t *restrict value)
{
    uint8_t most = 0; // one more than the greatest depth after the ply
    for (uint32_t k = 0; k < n; k++) {
        uint8_t after = value_of(keys[k]);
        uint8_t before = after == VALUE_DRAW ? 0 : (uint8_t)(after + 1);
        value[k] = after == VALUE_DRAW ? VALUE_DRAW : before;
        most = before > most ? before : most;
    }
    return most == 0 ? -1 : most;
}

int AT_LEVEL(place_row)(const struct side *side, const struct side *arrivals, uint32_t number,
                        struct workspace *work)
{
    struct row row;
    uint8_t *plain = work->bytes[0] + BYTES_MARGIN, *closing = work->bytes[1] + BYTES_MARGIN;
    uint8_t *best = work->bytes[2] + BYTES_MARGIN, *keys_row = work->bytes[3];
    uint64_t first = (uint64_t)number * arrivals->n_columns;
    AT_LEVEL(row_open)(side, number, side->rows->rows->sets[number], &side->columns, &row);
    spread_keys(&arrivals->columns, arrivals->value + first, keys_row, plain);
    spread_keys(&arrivals->columns, arrivals->removal + first, keys_row, closing);
    best_placements(&row, plain, closing, best);
    collect_keys(&side->columns, best, keys_row);
    uint8_t *value = side->value + (uint64_t)number * side->n_columns;
    return values_before(keys_row, side->n_columns, value);
}
