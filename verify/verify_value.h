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

// What a position's value for its mover is worth to the side that has just moved there: the
// higher the better, a draw 0.
int merels_verify_worth(int value);

// The value of a position whose best ply leads to this value.
int merels_verify_value_before(int value, bool wdl);

// "win in 5", "loss in 4", "draw"; without depths "win", "loss"
enum { VALUE_TEXT_BYTES = 24 };
const char *merels_verify_value_text(int value, bool wdl, char out[VALUE_TEXT_BYTES]);

#endif
