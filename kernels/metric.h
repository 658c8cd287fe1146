// metric.h: the order in which a solve decides, and what the codes of its values mean.
//
// A solve goes step by step. Step s decides all positions of one outcome: a result for the
// mover and a depth. A step is also the number that stands for the outcome in a table
// (db/edition.h). With the metric dtm (plies to the end of the game) an outcome has one depth,
// with dtc (plies to the next ply that converts) a win and a loss can have the same:
//
//     step        0        1       2        3       4        5       6        ...
//     dtm         lost 0   won 1   lost 2   won 3   lost 4   won 5   lost 6
//     dtc         lost 0   won 1   lost 1   won 2   lost 2   won 3   lost 3
//
// What leads to a position is decided at a later step, after a ply that stays in the unit:
//
//     dtm         the next step
//     dtc         lost d -> won d + 1: the next step; won d -> lost d + 1: three steps on
//
// A ply that leaves the unit converts. In dtc all that counts of the position after it is the
// result: lost stands for step 0, won for step 1, so that it is won in 1, or lost in 1 if all
// plies convert. So of sources the step before is always the last one.
//
// Everything that rests on this order stands here: the kernels and the engine ask for the
// outcome of a step and never look at its parity.
//
// A code is a byte of a row: a step, counted from the base of the window at work, or
// DTM_DRAW.

#ifndef MERELS_KERNELS_METRIC_H
#define MERELS_KERNELS_METRIC_H

#include "db/edition.h"

enum result { RESULT_LOST, RESULT_WON };

// The result that a step decides, for the mover.
static inline enum result result_at(int step)
{
    return step & 1 ? RESULT_WON : RESULT_LOST;
}

// Its depth in plies.
static inline int depth_at(enum metric metric, int step)
{
    return value_plies(metric == METRIC_DTC ? EDITION_DTC : EDITION_DTM, step);
}

// The step that decides what has a ply to a code of `step` of a source; the step at work while
// the news of `step` are.
static inline int step_before(int step)
{
    return step + 1;
}

// The step whose positions are the news from inside the unit, while `step` are those of the
// sources: the same, or with dtc wins of one ply less.
static inline int step_inside(enum metric metric, int step)
{
    return metric == METRIC_DTC && result_at(step) == RESULT_WON ? step - 2 : step;
}

// Turned positions that wait for being news are kept in lists by step: of each step in one that
// no step in between needs.
//
//     dtm         list 0, 1, 0, 1 ...                   the next step reads it
//     dtc         lost: list 0; won: list 1, 2, 1 ...   the next step, three steps on
enum { MAX_FRESH_LISTS = 3 };

static inline int n_fresh_lists(enum metric metric)
{
    return metric == METRIC_DTC ? 3 : 2;
}

static inline int fresh_list(enum metric metric, int step)
{
    if (metric == METRIC_DTM)
        return step & 1;
    return result_at(step) == RESULT_LOST ? 0 : 1 + ((step + 1) / 2 & 1); // by the depth
}

// The steps that follow one which decided nothing and may still decide something.
static inline int n_steps_pending(enum metric metric)
{
    return metric == METRIC_DTC ? 2 : 0;
}

// The code of a source for a number of the finished table behind it (table_value).
static inline int source_number(enum metric metric, int number)
{
    return metric == METRIC_DTC && number >= 0 ? (int)value_wins(number) : number;
}

// ---- keys ----------------------------------------------------------------------------------
// Keys order codes for the side that has moved and chooses among what the other side then has;
// the smallest is best: lost soon, lost late, draw, won late, won soon. Codes up to
// NARROW_STEPS have keys, and one key is left that says "no ply".
//
//     code   0  2  4 ... 252  draw  253 ... 3    1
//     key    0  1  2 ... 126  127   128 ... 253  254     255: no ply

enum { NARROW_STEPS = 253, KEY_DRAW = 127, KEY_NONE = 255 };

static inline uint8_t key_of(uint8_t code)
{
    uint8_t half = code >> 1;
    uint8_t decided = code & 1 ? (uint8_t)(254 - half) : half;
    return code == DTM_DRAW ? KEY_DRAW : decided;
}

static inline uint8_t code_of_key(uint8_t key)
{
    uint8_t decided = key > KEY_DRAW ? (uint8_t)(2 * (254 - key) + 1) : (uint8_t)(2 * key);
    return key == KEY_DRAW ? DTM_DRAW : decided;
}

// The same for values of two bytes.
enum { WIDE_KEY_NONE = 65536 };

static inline uint32_t wide_key_of(uint32_t value)
{
    uint32_t decided = value & 1 ? 65535 - (value >> 1) : value >> 1;
    return value == WIDE_DTM_DRAW ? 32768 : decided;
}

#endif
