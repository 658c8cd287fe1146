// block_slot.h: a slot of a block: what its steps lead to, and the features that predict its
// value (docs/COMPACT.md, sections 5 and 6).

#ifndef MERELS_VERIFY_BLOCK_SLOT_H
#define MERELS_VERIFY_BLOCK_SLOT_H

#include "verify/block_coder.h"
#include "verify/block_row.h"

enum { PIECE_COLUMNS = 32768, FREE_NODE = 3, WON_NODE = 255 };
enum { MOST_STEPS = VERIFY_POINTS * VERIFY_POINTS };

// Values in the order of what they are worth, as features count them.
enum { RANK_LOST, RANK_DRAWN, RANK_WON, RANK_UNKNOWN };

// A thread's memory.
struct compact_room {
    struct block_coder coder;
    int32_t *weights;
    uint8_t *changed; // by page of weights: some are not as they begin
    uint8_t *nodes;
    uint32_t n_nodes;
    uint8_t ranks[PIECE_COLUMNS]; // of the block's slots
};

struct arrival {
    uint32_t node;
    bool closing;
};

// What the features of a slot are made of.
struct slot {
    uint32_t column, own; // own: compact
    int n_arrivals;
    struct arrival arrivals[2 * MOST_STEPS];
    int slides, blocked;
    uint32_t movable,
        safe_movable; // men with a free neighbour; and no neighbour of the other side
    uint32_t beside;  // points joined to a man of the mover
    uint32_t closable;
    int known[2][3]; // slots that slides lead to: quiet or closing, by what is known of them
};

// A block at work.
struct block {
    const struct compact_decoder *decoder;
    struct compact_room *room;
    struct row row;
    uint32_t first, n; // columns
    int last[3];       // values, the last one first
};

// Finds the arrivals and counts of the slot with the mover's men on `own` (compact).
void merels_verify_look_at(const struct block *block, uint32_t column, uint32_t own,
                           struct slot *slot);

// The weights of a slot: numbers of pairs, won? and lost?.
void merels_verify_features(const struct block *block, const struct slot *slot,
                            uint32_t features[MOST_FEATURES]);

#endif
