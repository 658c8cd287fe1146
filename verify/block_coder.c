// block_coder.c: one decision after another.

#include "verify/block_coder.h"

static inline uint32_t next_byte(struct block_coder *coder)
{
    return coder->at < coder->end ? *coder->at++ : 0;
}

struct block_coder merels_verify_coder(const uint8_t *bytes, const uint8_t *end)
{
    struct block_coder coder = {.at = bytes, .end = end, .range = UINT32_MAX};
    for (int k = 0; k < 4; k++)
        coder.code = coder.code << 8 | next_byte(&coder);
    return coder;
}

bool merels_verify_decide(struct block_coder *coder, uint32_t p)
{
    uint32_t bound = (uint32_t)((uint64_t)coder->range * p >> 16);
    bool yes = coder->code < bound;
    coder->code -= yes ? 0 : bound;
    coder->range = yes ? bound : coder->range - bound;
    for (int k = 0; k < 4 && coder->range < 1 << 24; k++) {
        coder->range <<= 8;
        coder->code = coder->code << 8 | next_byte(coder);
    }
    return yes;
}
