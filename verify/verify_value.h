// verify_value.h: values as the verifier holds them one at a time, and what follows from one.
//
// A value is a depth in plies (odd: the mover wins, even: it loses) or DRAW, whatever the width
// in the file. Without depths (edition wdl) it is WIN, LOSS or DRAW. In tables of one byte a
// slot a draw is BYTE_DRAW.

#ifndef MERELS_VERIFY_VERIFY_VALUE_H
#define MERELS_VERIFY_VERIFY_VALUE_H

#include <stdbool.h>
#include <stdint.h>

enum { LOSS = 0, WIN = 1, BYTE_DRAW = 255, DRAW = 65535 };

static inline int verify_widened(uint8_t byte)
{
    return byte == BYTE_DRAW ? DRAW : byte;
}

// What depths count: plies to the end of the game, or to the next ply that converts, in which
// case a value is twice the depth, less one for a win; or there are none.
enum measure { MEASURE_END, MEASURE_CONVERSION, MEASURE_NONE };

// What a position's value for its mover is worth to the side that has just moved there: the
// higher the better, a draw 0. To its mover it is worth the opposite.
int merels_verify_worth(int value);

// The value that a ply gives its mover if the position after it has this value; `converts` if
// the ply does, which matters to that measure alone.
int merels_verify_value_before(int value, enum measure measure, bool converts);

// The depth of a value that is no draw, of a measure that has depths.
int merels_verify_plies_of(int value, enum measure measure);

// False for a win or loss that takes more plies to a conversion than are played (n_move; 0: any
// number are).
bool merels_verify_stands(int value, enum measure measure, int n_move);

// "win in 5", "loss in 4", "draw"; "win, 5 to a conversion"; without depths "win", "loss"
enum { VALUE_TEXT_BYTES = 40 };
const char *merels_verify_value_text(int value, enum measure measure,
                                     char out[VALUE_TEXT_BYTES]);

#endif
