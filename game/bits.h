// bits.h: the bit operations that everything else is built from.
//
// The only file with processor intrinsics. Each operation has a portable form; the fast form is
// chosen by what the compiler was told it may use, so a source that wants it is compiled once
// per processor level (see solver/kernels.h) and picked at run time.

#ifndef MERELS_GAME_BITS_H
#define MERELS_GAME_BITS_H

#include <stdint.h>

#if defined(__BMI2__) || defined(__AVX512BW__)
#include <immintrin.h>
#endif

// A set of points: bit i is point i of the board.
typedef uint32_t point_set;

static inline int bit_count(uint64_t x)
{
    return __builtin_popcountll(x);
}

// The number of the lowest bit; x must not be 0.
static inline int bit_lowest(uint64_t x)
{
    return __builtin_ctzll(x);
}

// The bits of x at the places of mask, moved together to the low end (compress).
static inline uint64_t bit_extract_portable(uint64_t x, uint64_t mask)
{
    uint64_t result = 0;
    for (uint64_t bit = 1; mask != 0; mask &= mask - 1, bit <<= 1)
        if (x & mask & -mask)
            result |= bit;
    return result;
}

// The low bits of x moved to the places of mask (expand); the inverse of bit_extract.
static inline uint64_t bit_deposit_portable(uint64_t x, uint64_t mask)
{
    uint64_t result = 0;
    for (; mask != 0; mask &= mask - 1, x >>= 1)
        if (x & 1)
            result |= mask & -mask;
    return result;
}

static inline uint64_t bit_extract(uint64_t x, uint64_t mask)
{
#if defined(__BMI2__) && defined(__x86_64__)
    return _pext_u64(x, mask);
#else
    return bit_extract_portable(x, mask);
#endif
}

static inline uint64_t bit_deposit(uint64_t x, uint64_t mask)
{
#if defined(__BMI2__) && defined(__x86_64__)
    return _pdep_u64(x, mask);
#else
    return bit_deposit_portable(x, mask);
#endif
}

#endif
