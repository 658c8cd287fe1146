// verify_marks.h: what stored values are worth to the side that has just moved, as numbers that
// the loops over rows compare.
//
// Marks order values by what they are worth to the side that has just moved, the higher the
// better:
//
//     1 ... 127  the other side wins, in 1 ... 253       128  draw
//     129 ... 255  the other side loses, in 252 ... 0      0  there is no ply
//
// Without depths (edition wdl) only 0, 1, 128 and 255 occur. Where depths count to a ply that
// converts, a mark holds a depth for each result,
//
//     2 ... 127  the other side wins, in 1 ... 126       128  draw
//     129 ... 255  the other side loses, in 126 ... 0      0  there is no ply
//
// and after a ply that converts only 1, 128 and 255 occur: all the other side's wins are worth
// as much as one in 0, and all its losses, too.
//
// Where a depth does not fit, marks have two bytes: the same with 32768 in place of 128 and
// 65535 in place of 255, so that wins have the same marks and losses stand as far below the
// top. Why that is right: of marks the loops ask only which of two is greater, and hand one on,
// and both widths order values alike; the way from a value to a mark, and from the best mark to
// the value that follows, is one function for both (verify_marks.c), which a test holds against
// single plies for all values. A vector holds half as many wide marks, so a row takes twice as
// long. Looking at a row several times, each time at a window of depths that fits a byte, would
// take as long for two windows and longer for more. Tables that do not need it keep marks of
// one byte: where depths count to a conversion, also those that come before deeper ones by
// plies that convert.

#ifndef MERELS_VERIFY_VERIFY_MARKS_H
#define MERELS_VERIFY_VERIFY_MARKS_H

#include "verify/verify_plies.h"
#include "verify/verify_value.h"

enum { MARK_NONE = 0, MARK_DRAW = 128, MARK_ENDED = 255, N_NARROW = 256 };
enum { WIDE_MARK_DRAW = 32768, WIDE_MARK_ENDED = 65535, N_WIDE = 65536 };

// The depths that a width holds: losses of which the win one ply earlier has a mark and a
// value, and depths to a conversion, of wins and losses, of which the other one has.
enum { DEEPEST_BYTE_LOSS = 252, DEEPEST_BYTE_CONVERSION = 126 };
enum { DEEPEST_LOSS = 65532, DEEPEST_CONVERSION = 32766 };

// From stored values and back.
struct marks {
    uint8_t quiet[N_NARROW];  // of a value of the side to move, after a ply that takes no man
    uint8_t taken[N_NARROW];  // after one that takes a man
    uint8_t values[N_NARROW]; // the value that follows from the mover's best mark
};

struct wide_marks {
    uint16_t quiet[N_WIDE], taken[N_WIDE], values[N_WIDE];
};

// Of the plies of a plain table: struct marks, or struct wide_marks for two bytes; free() it.
// STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_verify_marks(int mark_bytes, enum measure measure,
                                               const struct verify_plies *plies, int n_move,
                                               const void **marks, struct error *err);

#endif
