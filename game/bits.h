// bits.h: the bit operations that everything else is built from.
//
// The only file with processor intrinsics. Each operation has a portable form; the fast form is
// chosen by what the compiler was told it may use, so a source that wants it is compiled once
// per processor level (see kernels/kernels.h) and picked at run time.

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

static inline void bit_prefetch(const void *address)
{
    __builtin_prefetch(address, 0, 3);
}

// ---- up to 64 bytes at once: one bit of the result for each byte ----------------------------

static inline uint64_t low_bits(int n)
{
    return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

// Which of the first n (0..64) bytes are equal to `value`.
static inline uint64_t bytes_equal(const uint8_t *bytes, int n, uint8_t value)
{
#if defined(__AVX512BW__)
    __m512i v = _mm512_maskz_loadu_epi8(low_bits(n), bytes);
    return _mm512_mask_cmpeq_epi8_mask(low_bits(n), v, _mm512_set1_epi8((char)value));
#else
    uint64_t result = 0;
    for (int i = 0; i < n; i++)
        result |= (uint64_t)(bytes[i] == value) << i;
    return result;
#endif
}

// Writes `value` to the bytes whose bit in mask is set, and to no other.
static inline void bytes_store(uint8_t *bytes, uint64_t mask, uint8_t value)
{
#if defined(__AVX512BW__)
    _mm512_mask_storeu_epi8(bytes, mask, _mm512_set1_epi8((char)value));
#else
    for (; mask != 0; mask &= mask - 1)
        bytes[bit_lowest(mask)] = value;
#endif
}

// best[i] = the lesser of best[i] and bytes[i], for the lanes i whose bit is set (64 of them).
static inline void bytes_take_least(uint8_t *best, const uint8_t *bytes, uint64_t lanes)
{
#if defined(__AVX512BW__)
    __m512i x = _mm512_loadu_si512(best), y = _mm512_maskz_loadu_epi8(lanes, bytes);
    _mm512_storeu_si512(best, _mm512_mask_min_epu8(x, lanes, x, y));
#else
    for (; lanes != 0; lanes &= lanes - 1) {
        int i = bit_lowest(lanes);
        best[i] = bytes[i] < best[i] ? bytes[i] : best[i];
    }
#endif
}

// out[i] = the next of `bytes` for each lane i whose bit is set, ascending; the other lanes of
// the 64 hold anything. And back.
static inline void bytes_spread(uint8_t *out, const uint8_t *bytes, uint64_t lanes)
{
#if defined(__AVX512VBMI2__)
    __m512i x = _mm512_maskz_loadu_epi8(low_bits(bit_count(lanes)), bytes);
    _mm512_storeu_si512(out, _mm512_maskz_expand_epi8(lanes, x));
#else
    for (; lanes != 0; lanes &= lanes - 1)
        out[bit_lowest(lanes)] = *bytes++;
#endif
}

static inline void bytes_collect(uint8_t *bytes, const uint8_t *in, uint64_t lanes)
{
#if defined(__AVX512VBMI2__)
    __m512i x = _mm512_maskz_compress_epi8(lanes, _mm512_loadu_si512(in));
    _mm512_mask_storeu_epi8(bytes, low_bits(bit_count(lanes)), x);
#else
    for (; lanes != 0; lanes &= lanes - 1)
        *bytes++ = in[bit_lowest(lanes)];
#endif
}

// ---- sets as lanes: 64 sets that differ in their six low points only -----------------------

// The lanes of a word whose sets hold point p (of the six low ones).
static const uint64_t lanes_with_point[6] = {
    0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
    0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000,
};

// The lanes whose sets have n points, n = 0..6.
static const uint64_t lanes_with_count[7] = {
    0x0000000000000001, 0x0000000100010116, 0x0001011601161668, 0x0116166816686880,
    0x1668688068808000, 0x6880800080000000, 0x8000000000000000,
};

// The lanes whose sets hold all of `low`, a set of the six low points.
static inline uint64_t lanes_holding(uint32_t low)
{
    uint64_t lanes = ~(uint64_t)0;
    for (; low != 0; low &= low - 1)
        lanes &= lanes_with_point[bit_lowest(low)];
    return lanes;
}

// ---- a cell: the unit in which bit planes are worked on ------------------------------------
//
// A bit plane has one bit for every set of n points, bit number = the set. A cell holds the
// bits of all subsets of the CELL_POINTS lowest points: 512 bits with AVX-512, else 64.

#if defined(__AVX512F__)
typedef __m512i cell;
enum { CELL_POINTS = 9 };
#else
typedef uint64_t cell;
enum { CELL_POINTS = 6 };
#endif

enum { CELL_WORDS = 1 << (CELL_POINTS - 6) };

static inline cell cell_load(const uint64_t *words)
{
#if defined(__AVX512F__)
    return _mm512_loadu_si512(words);
#else
    return *words;
#endif
}

static inline void cell_store(uint64_t *words, cell c)
{
#if defined(__AVX512F__)
    _mm512_storeu_si512(words, c);
#else
    *words = c;
#endif
}

static inline cell cell_zero(void)
{
#if defined(__AVX512F__)
    return _mm512_setzero_si512();
#else
    return 0;
#endif
}

static inline cell cell_ones(void)
{
#if defined(__AVX512F__)
    return _mm512_set1_epi64(-1);
#else
    return ~(cell)0;
#endif
}

static inline cell cell_and(cell x, cell y)
{
#if defined(__AVX512F__)
    return _mm512_and_si512(x, y);
#else
    return x & y;
#endif
}

static inline cell cell_or(cell x, cell y)
{
#if defined(__AVX512F__)
    return _mm512_or_si512(x, y);
#else
    return x | y;
#endif
}

// x without the bits of y.
static inline cell cell_without(cell x, cell y)
{
#if defined(__AVX512F__)
    return _mm512_andnot_si512(y, x);
#else
    return x & ~y;
#endif
}

// x if keep is true, else nothing; without a branch.
static inline cell cell_if(int keep, cell x)
{
#if defined(__AVX512F__)
    return _mm512_maskz_mov_epi64((__mmask8)-keep, x);
#else
    return x & -(uint64_t)keep;
#endif
}

// Bits of x where `choose` is set, bits of y elsewhere.
static inline cell cell_choose(cell choose, cell x, cell y)
{
#if defined(__AVX512F__)
    return _mm512_ternarylogic_epi64(choose, x, y, 0xCA);
#else
    return (choose & x) | (~choose & y);
#endif
}

static inline int cell_is_zero(cell x)
{
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask(x, x) == 0;
#else
    return x == 0;
#endif
}

// Moves every bit by the change of its number that adding and removing points of the cell
// makes: within a word a rotation by `rotate`, between words the exchange of word w with word w
// ^ swap. Bits that would wrap must be clear before. swap is 0 for a cell of one word.
static inline cell cell_shift(cell x, int swap, int rotate)
{
#if defined(__AVX512F__)
    __m512i number = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    x = _mm512_permutexvar_epi64(_mm512_xor_si512(number, _mm512_set1_epi64(swap)), x);
    return _mm512_rolv_epi64(x, _mm512_set1_epi64(rotate));
#else
    (void)swap;
    return (x << (rotate & 63)) | (x >> (-rotate & 63));
#endif
}

#endif
