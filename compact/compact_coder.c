// compact_coder.c: the counterpart of the decoder in embed/merels_compact.c.

#include "compact/compact_coder.h"

void merels_encoder_start(struct range_encoder *e, struct bytes *out)
{
    *e = (struct range_encoder){.out = out, .range = 0xFFFFFFFF, .begin = out->n};
}

// Moves the top byte of `low` out, with a carry if there was one. The very first byte is always
// 0 and not written.
static void shift_out(struct range_encoder *e)
{
    if (e->low < 0xFF000000 || e->low >> 32 != 0) {
        uint8_t carry = (uint8_t)(e->low >> 32);
        if (e->started)
            merels_bytes_put_int(e->out, (uint8_t)(e->held + carry), 1);
        for (; e->n_held > 0; e->n_held--)
            merels_bytes_put_int(e->out, (uint8_t)(0xFF + carry), 1);
        e->held = (uint8_t)(e->low >> 24);
        e->started = true;
    } else {
        e->n_held++;
    }
    e->low = (e->low & 0xFFFFFF) << 8;
}

void merels_encoder_decide(struct range_encoder *e, bool yes, uint32_t p)
{
    uint32_t bound = (uint32_t)((uint64_t)e->range * p >> 16);
    if (yes) {
        e->range = bound;
    } else {
        e->low += bound;
        e->range -= bound;
    }
    while (e->range < (uint32_t)1 << 24) {
        e->range <<= 8;
        shift_out(e);
    }
}

void merels_encoder_finish(struct range_encoder *e)
{
    // Of the numbers that mean the same the one with the most zeros behind.
    for (int zeros = 32; zeros >= 0; zeros--) {
        uint64_t ones = ((uint64_t)1 << zeros) - 1, rounded = (e->low + ones) & ~ones;
        if (rounded < e->low + e->range) {
            e->low = rounded;
            break;
        }
    }
    for (int k = 0; k < 5; k++)
        shift_out(e);
    while (!e->out->failed && e->out->n > e->begin && e->out->data[e->out->n - 1] == 0)
        e->out->n--;
}

void merels_encoder_model(const int8_t *model, uint32_t n_entries, struct bytes *out)
{
    uint16_t p[2][256];
    struct range_encoder e;
    merels_encoder_start(&e, out);
    for (int k = 0; k < 512; k++)
        p[k >> 8][k & 255] = 32768;
    for (uint32_t k = 0; k < 2 * n_entries; k++) {
        uint16_t *probability = p[k & 1];
        unsigned byte = 1;
        for (int shift = 7; shift >= 0; shift--) {
            bool yes = (uint8_t)model[k] >> shift & 1;
            uint16_t *q = &probability[byte];
            merels_encoder_decide(&e, yes, *q);
            *q = (uint16_t)(yes ? *q + ((65536 - *q) >> 5) : *q - (*q >> 5));
            byte = 2 * byte + yes;
        }
    }
    merels_encoder_finish(&e);
}
