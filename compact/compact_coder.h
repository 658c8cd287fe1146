// compact_coder.h: the range encoder of edition compact, and models written with it.

#ifndef MERELS_COMPACT_COMPACT_CODER_H
#define MERELS_COMPACT_COMPACT_CODER_H

#include "compact/compact_game.h"

// Puts a block behind the bytes that are there already.
struct range_encoder {
    struct bytes *out;
    uint64_t low;
    uint32_t range;
    uint32_t n_held; // bytes that wait for a carry: `held`, then 0xFF
    uint8_t held;
    bool started;
    size_t begin; // of the block, in *out
};

void merels_encoder_start(struct range_encoder *encoder, struct bytes *out);

// A decision whose "yes" has probability p / 65536, 0 < p < 65536.
void merels_encoder_decide(struct range_encoder *encoder, bool yes, uint32_t p);

// Ends the block with as few bytes as can be: those behind its end count as zeros.
void merels_encoder_finish(struct range_encoder *encoder);

// Puts a model of n_entries entries, two bytes each.
void merels_encoder_model(const int8_t *model, uint32_t n_entries, struct bytes *out);

#endif
