// metric.h: the order in which a solve decides, and what the codes of its values mean.
//
// A solve goes step by step. Step s decides all positions of one outcome: a result for the
// mover and a depth. With the metric dtm (plies to the end of the game) results alternate:
//
//     step    0       1       2       3       ...
//     result  lost    won     lost    won             depth = step
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

struct decision {
    enum result result; // for the mover
    int depth;          // plies
};

static inline struct decision decision_at(int step)
{
    return (struct decision){step & 1 ? RESULT_WON : RESULT_LOST, step};
}

// The step that decides what has a ply to a position decided at `step`.
static inline int step_before(int step)
{
    return step + 1;
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
