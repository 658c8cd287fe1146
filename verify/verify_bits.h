// verify_bits.h: the bit and byte operations of the verifier, and its only processor
// intrinsics.
//
// Each has a plain form beside the one for a processor level; which one is compiled depends on
// what the compiler was told it may use. Nothing of it is shared with what made the tables.

#ifndef MERELS_VERIFY_VERIFY_BITS_H
#define MERELS_VERIFY_VERIFY_BITS_H

#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

// ---- bits together and apart ---------------------------------------------------------------

// For each byte of a mask and each byte of bits: the bits at the places of the mask moved
// together to the low end, and the low bits moved apart to those places.
struct bit_tables {
    uint8_t together[256][256], apart[256][256];
    uint8_t n_places[256];
};

static inline void verify_fill_bits(struct bit_tables *tables)
{
    for (int mask = 0; mask < 256; mask++) {
        int n = 0;
        for (int place = 0; place < 8; place++) {
            if (!(mask >> place & 1))
                continue;
            for (int bits = 0; bits < 256; bits++) {
                tables->together[mask][bits] |= (uint8_t)((bits >> place & 1) << n);
                tables->apart[mask][bits] |= (uint8_t)((bits >> n & 1) << place);
            }
            n++;
        }
        tables->n_places[mask] = (uint8_t)n;
    }
}

// The points of `set` that lie in the mask, numbered among the points of the mask.
static inline uint32_t verify_together(const struct bit_tables *tables, uint32_t set,
                                       uint32_t mask)
{
#if defined(__BMI2__)
    (void)tables;
    return _pext_u32(set, mask);
#else
    uint32_t out = 0;
    for (int shift = 0, n = 0; shift < 32; shift += 8) {
        uint32_t byte = mask >> shift & 255;
        out |= (uint32_t)tables->together[byte][set >> shift & 255] << n;
        n += tables->n_places[byte];
    }
    return out;
#endif
}

// And back.
static inline uint32_t verify_apart(const struct bit_tables *tables, uint32_t set,
                                    uint32_t mask)
{
#if defined(__BMI2__)
    (void)tables;
    return _pdep_u32(set, mask);
#else
    uint32_t out = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t byte = mask >> shift & 255;
        out |= (uint32_t)tables->apart[byte][set & 255] << shift;
        set >>= tables->n_places[byte];
    }
    return out;
#endif
}

// ---- blocks of marks -----------------------------------------------------------------------

// A mark has one byte, or two in a source compiled with MERELS_MARK_BYTES=2.
#ifndef MERELS_MARK_BYTES
#define MERELS_MARK_BYTES 1
#endif
#if MERELS_MARK_BYTES == 2
typedef uint16_t verify_mark;
#else
typedef uint8_t verify_mark;
#endif

// So many marks as one vector holds; in masks all bits of a lane are set or none.
#if defined(__AVX2__)
enum { BLOCK_BYTES = 32, BLOCK_POINTS = 6 - MERELS_MARK_BYTES };
#else
enum { BLOCK_BYTES = 16, BLOCK_POINTS = 5 - MERELS_MARK_BYTES };
#endif
enum { BLOCK_LANES = 1 << BLOCK_POINTS };
typedef verify_mark mark_block __attribute__((vector_size(BLOCK_BYTES)));

static inline mark_block verify_block(const verify_mark *marks)
{
    mark_block x;
    memcpy(&x, marks, sizeof x);
    return x;
}

static inline mark_block verify_choose(mark_block mask, mark_block x, mark_block y)
{
#if defined(__AVX2__)
    return (mark_block)_mm256_blendv_epi8((__m256i)y, (__m256i)x, (__m256i)mask);
#else
    return (x & mask) | (y & ~mask);
#endif
}

static inline mark_block verify_greatest(mark_block x, mark_block y)
{
#if defined(__AVX2__) && MERELS_MARK_BYTES == 2
    return (mark_block)_mm256_max_epu16((__m256i)x, (__m256i)y);
#elif defined(__AVX2__)
    return (mark_block)_mm256_max_epu8((__m256i)x, (__m256i)y);
#elif defined(__SSE2__) && MERELS_MARK_BYTES == 1
    return (mark_block)_mm_max_epu8((__m128i)x, (__m128i)y);
#else
    return verify_choose((mark_block)(x > y), x, y);
#endif
}

#endif
