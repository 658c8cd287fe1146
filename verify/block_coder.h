// block_coder.h: the range coder of edition compact (docs/COMPACT.md, section 8).

#ifndef MERELS_VERIFY_BLOCK_CODER_H
#define MERELS_VERIFY_BLOCK_CODER_H

#include <stdbool.h>
#include <stdint.h>

struct block_coder {
    const uint8_t *at, *end;
    uint32_t range, code;
};

// Begins with the bytes up to `end`; those behind it count as zero.
struct block_coder merels_verify_coder(const uint8_t *bytes, const uint8_t *end);

// A decision whose "yes" has the probability p of 65536.
bool merels_verify_decide(struct block_coder *coder, uint32_t p);

#endif
