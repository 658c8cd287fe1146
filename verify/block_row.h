// block_row.h: what all slots of a row share.
//
// Sets of a row are compact: bit j is the j-th point outside the other side's set.

#ifndef MERELS_VERIFY_BLOCK_ROW_H
#define MERELS_VERIFY_BLOCK_ROW_H

#include "verify/block_model.h"
#include "verify/verify_bits.h"

// A mill of the other side, and the points outside that its men are joined to, man by man.
struct held_mill {
    uint32_t beside[3];
};

struct row {
    uint32_t other, free, all; // all: the compact set of all free points
    int parity;                // of the other side's men
    uint32_t dark;
    int n_maps, maps[VERIFY_MAPS];
    uint32_t pattern_part[MOST_IMAGES];
    // The board outside the other side's set.
    uint32_t joined[VERIFY_POINTS];
    int n_mates[VERIFY_POINTS];
    uint32_t mates[VERIFY_POINTS][VERIFY_MILLS_AT]; // the other points of each mill of a point
    int n_mills;
    uint32_t mills[VERIFY_MILLS];
    // The other side.
    int n_men, n_held, n_thirds, n_in_mills;
    uint32_t beside[VERIFY_POINTS];      // of each man the free points joined to it
    uint32_t degrees[VERIFY_POINTS];     // points joined to more than 0, 1, 2, ... of its men
    struct held_mill held[VERIFY_MILLS]; // its mills
    uint32_t thirds[VERIFY_MILLS];       // of mills with two of its men: the third point
    uint32_t closable;
};

// A set as the row numbers points; those of the other side are left out.
static inline uint32_t compact_set(const struct compact_decoder *decoder, const struct row *row,
                                   uint32_t set)
{
    return verify_together(&decoder->file->index->bits, set & row->free, row->free);
}

void merels_verify_open_row(const struct compact_decoder *decoder, uint32_t number,
                            struct row *row);

#endif
