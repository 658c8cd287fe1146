// position_key.h: a canonical position of the placing phase as one number.
//
//     bit  0..23  other side's men    48..51  mover's hand     56      the mover's colour
//         24..47  mover's men         52..55  other's hand
//
// The whole position, not a hash of it: equal keys are the same position but for a symmetry. A
// point that is closed has both its bits set, as if both sides had a man there.

#ifndef MERELS_SEARCH_POSITION_KEY_H
#define MERELS_SEARCH_POSITION_KEY_H

#include "game/position.h"

enum {
    SEARCH_MAX_HAND = 15,
    SEARCH_MAX_SYMMETRIES = 16,
    SEARCH_COLOUR_BIT = 56,
    POSITION_KEY_BITS = 57
};

// The images of all half sets under all symmetries, those of one half in one cache line; boards
// with more symmetries are not searched.
struct images {
    point_set low[1 << 12][SEARCH_MAX_SYMMETRIES];
    point_set high[1 << 12][SEARCH_MAX_SYMMETRIES];
};

// Fills *images (512 KB) in about a millisecond.
void merels_images_init(const struct board *board, struct images *images);

// The key: of all images the one with the least set of the other side, then with the least set
// of the mover. Hands up to SEARCH_MAX_HAND, nothing due. Never 0 but for an empty board
// without men in hand. About 20 ns.
uint64_t merels_position_key(const struct images *images, const struct position *pos);

#endif
