// bits.h: the bit operations that everything else is built from.
//
// The only file with processor intrinsics. Each operation has a portable form; the fast form is
// chosen by what the compiler was told it may use, so a source that wants it is compiled once
// per processor level (see kernels/kernels.h) and picked at run time.

#ifndef MERELS_GAME_BITS_H
#define MERELS_GAME_BITS_H

#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif
#include <string.h>

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

// ---- bits together and apart ---------------------------------------------------------------
//
// BMI2 has instructions for it, pext and pdep. Without them, and on processors that carry them
// out bit by bit, a bit goes as many places down as the mask has zeros below it, in moves of 1,
// 2, 4, ... places; what moves when depends on the mask alone:
//
//     mask             1 0 1 1 0 0 1 0
//     bits             a . b c . . d .
//     places to go     4   3 3     1
//     after move by 1  a . . b c . . d      b, c and d have gone
//     after move by 2  a . . . . b c d      b and c
//     after move by 4  . . . . a b c d      a

struct bit_moves {
    uint64_t mask;
    uint64_t by[6]; // places of the bits that go 2^k places, when it is the turn of that move
};

// Moves needed by sets of points, and by whole words.
enum { POINT_MOVES = 5, WORD_MOVES = 6 };

static inline struct bit_moves bit_moves_of(uint64_t mask)
{
    struct bit_moves moves = {.mask = mask};
    uint64_t zeros = ~mask << 1; // those that count for the places above them
    for (int k = 0; k < WORD_MOVES; k++) {
        uint64_t odd = zeros; // places with an odd number of them at or below
        for (int shift = 1; shift < 64; shift *= 2)
            odd ^= odd << shift;
        uint64_t going = odd & mask;
        moves.by[k] = going;
        mask = (mask ^ going) | going >> (1 << k);
        zeros &= ~odd;
    }
    return moves;
}

static inline uint64_t bits_together(const struct bit_moves *moves, int n_moves, uint64_t x)
{
    x &= moves->mask;
    for (int k = 0; k < n_moves; k++) {
        uint64_t going = x & moves->by[k];
        x = (x ^ going) | going >> (1 << k);
    }
    return x;
}

static inline uint64_t bits_apart(const struct bit_moves *moves, int n_moves, uint64_t x)
{
    for (int k = n_moves - 1; k >= 0; k--)
        x = (x & ~moves->by[k]) | (x << (1 << k) & moves->by[k]);
    return x & moves->mask;
}

// The bits of x at the places of mask, moved together to the low end (compress).
static inline uint64_t bit_extract_portable(uint64_t x, uint64_t mask)
{
    const struct bit_moves moves = bit_moves_of(mask);
    return bits_together(&moves, WORD_MOVES, x);
}

// The low bits of x moved to the places of mask (expand); the inverse of bit_extract.
static inline uint64_t bit_deposit_portable(uint64_t x, uint64_t mask)
{
    const struct bit_moves moves = bit_moves_of(mask);
    return bits_apart(&moves, WORD_MOVES, x);
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

// The same for many sets of points and one mask.
#if defined(__BMI2__) && defined(__x86_64__)
struct point_mask {
    point_set mask;
};

static inline struct point_mask point_mask_of(point_set mask)
{
    return (struct point_mask){mask};
}
#else
struct point_mask {
    struct bit_moves moves;
};

static inline struct point_mask point_mask_of(point_set mask)
{
    return (struct point_mask){bit_moves_of(mask)};
}
#endif

static inline point_set points_together(const struct point_mask *mask, point_set set)
{
#if defined(__BMI2__) && defined(__x86_64__)
    return (point_set)_pext_u64(set, mask->mask);
#else
    return (point_set)bits_together(&mask->moves, POINT_MOVES, set);
#endif
}

static inline point_set points_apart(const struct point_mask *mask, point_set set)
{
#if defined(__BMI2__) && defined(__x86_64__)
    return (point_set)_pdep_u64(set, mask->mask);
#else
    return (point_set)bits_apart(&mask->moves, POINT_MOVES, set);
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

// Which of eight, sixteen or 32 bytes are equal to `value`.
#if defined(__AVX2__)
static inline uint32_t bytes_equal_32(const uint8_t *bytes, uint8_t value)
{
    __m256i x = _mm256_loadu_si256((const __m256i *)bytes);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(x, _mm256_set1_epi8((char)value)));
}
#endif

#if defined(__SSE2__)
static inline uint32_t bytes_equal_16(const uint8_t *bytes, uint8_t value)
{
    __m128i x = _mm_loadu_si128((const __m128i *)bytes);
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(x, _mm_set1_epi8((char)value)));
}
#endif

// Eight bytes as one number, the first of them lowest, whatever the byte order of the
// processor.
static inline uint64_t low_byte_first(uint64_t x)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(x);
#else
    return x;
#endif
}

// The highest bit of a byte is set where it was zero; a product moves the eight bits together.
static inline uint32_t bytes_equal_8(const uint8_t *bytes, uint8_t value)
{
    const uint64_t sevens = 0x7F7F7F7F7F7F7F7F;
    uint64_t x;
    memcpy(&x, bytes, sizeof x);
    x = low_byte_first(x);
    x ^= UINT64_C(0x0101010101010101) * value;
    uint64_t zero = ~(((x & sevens) + sevens) | x | sevens);
    return (uint32_t)((zero >> 7) * 0x0102040810204080 >> 56);
}

// Which of the first n (0..64) bytes are equal to `value`.
static inline uint64_t bytes_equal(const uint8_t *bytes, int n, uint8_t value)
{
#if defined(__AVX512BW__)
    __m512i v = _mm512_maskz_loadu_epi8(low_bits(n), bytes);
    return _mm512_mask_cmpeq_epi8_mask(low_bits(n), v, _mm512_set1_epi8((char)value));
#else
    uint64_t result = 0;
    int i = 0;
#if defined(__AVX2__)
    for (; i + 32 <= n; i += 32)
        result |= (uint64_t)bytes_equal_32(bytes + i, value) << i;
#endif
#if defined(__SSE2__)
    for (; i + 16 <= n; i += 16)
        result |= (uint64_t)bytes_equal_16(bytes + i, value) << i;
#endif
    for (; i + 8 <= n; i += 8)
        result |= (uint64_t)bytes_equal_8(bytes + i, value) << i;
    for (; i < n; i++)
        result |= (uint64_t)(bytes[i] == value) << i;
    return result;
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

// ---- a block: 64 bytes, one for each lane of a word ----------------------------------------
//
// A lane mask chooses lanes of a block: with AVX-512 a bit for each, else a byte, 255 or 0.

#if defined(__AVX512BW__)
typedef __m512i byte_block;
typedef uint64_t lane_mask;
#elif defined(__AVX2__)
typedef struct {
    __m256i v[2];
} byte_block;
typedef byte_block lane_mask;
enum { BLOCK_VECTORS = 2 };
#else
typedef uint8_t bytes_16 __attribute__((vector_size(16)));
typedef uint64_t words_2 __attribute__((vector_size(16)));
typedef struct {
    bytes_16 v[4];
} byte_block;
typedef byte_block lane_mask;
enum { BLOCK_VECTORS = 4 };

static inline bytes_16 least_of_16(bytes_16 x, bytes_16 y)
{
#if defined(__SSE2__)
    return (bytes_16)_mm_min_epu8((__m128i)x, (__m128i)y);
#else
    bytes_16 less = (bytes_16)(x < y);
    return (x & less) | (y & ~less);
#endif
}
#endif

// Vector by vector: a copy of all 64 bytes at once goes through memory.
static inline byte_block block_load(const uint8_t *bytes)
{
#if defined(__AVX512BW__)
    return _mm512_loadu_si512(bytes);
#elif defined(__AVX2__)
    return (byte_block){{_mm256_loadu_si256((const __m256i *)bytes),
                         _mm256_loadu_si256((const __m256i *)(bytes + 32))}};
#else
    byte_block x;
    for (int i = 0; i < BLOCK_VECTORS; i++)
        memcpy(&x.v[i], bytes + 16 * i, 16);
    return x;
#endif
}

static inline void block_store(uint8_t *bytes, byte_block x)
{
#if defined(__AVX512BW__)
    _mm512_storeu_si512(bytes, x);
#elif defined(__AVX2__)
    _mm256_storeu_si256((__m256i *)bytes, x.v[0]);
    _mm256_storeu_si256((__m256i *)(bytes + 32), x.v[1]);
#else
    for (int i = 0; i < BLOCK_VECTORS; i++)
        memcpy(bytes + 16 * i, &x.v[i], 16);
#endif
}

static inline byte_block block_filled(uint8_t value)
{
#if defined(__AVX512BW__)
    return _mm512_set1_epi8((char)value);
#elif defined(__AVX2__)
    return (byte_block){{_mm256_set1_epi8((char)value), _mm256_set1_epi8((char)value)}};
#else
    byte_block x;
    for (int i = 0; i < BLOCK_VECTORS; i++)
        x.v[i] = (bytes_16){0} + value;
    return x;
#endif
}

// The mask of 64 lanes given as bits.
static inline lane_mask lane_mask_of(uint64_t lanes)
{
#if defined(__AVX512BW__)
    return lanes;
#elif defined(__AVX2__)
    const __m256i byte_of_lane =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    const __m256i bit_of_lane = _mm256_set1_epi64x((int64_t)0x8040201008040201);
    lane_mask mask;
    for (int i = 0; i < 2; i++) {
        __m256i bits = _mm256_set1_epi32((int32_t)(lanes >> (32 * i)));
        bits = _mm256_and_si256(_mm256_shuffle_epi8(bits, byte_of_lane), bit_of_lane);
        mask.v[i] = _mm256_cmpeq_epi8(bits, bit_of_lane);
    }
    return mask;
#else
    const bytes_16 bit_of_lane = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const uint64_t every_byte = 0x0101010101010101;
    lane_mask mask;
    for (int i = 0; i < BLOCK_VECTORS; i++) {
        words_2 bits = {(lanes >> (16 * i) & 0xFF) * every_byte,
                        (lanes >> (16 * i + 8) & 0xFF) * every_byte};
        mask.v[i] = (bytes_16)(((bytes_16)bits & bit_of_lane) == bit_of_lane);
    }
    return mask;
#endif
}

static inline lane_mask lane_mask_and(lane_mask x, lane_mask y)
{
#if defined(__AVX512BW__)
    return x & y;
#else
    for (int i = 0; i < BLOCK_VECTORS; i++)
        x.v[i] &= y.v[i];
    return x;
#endif
}

static inline lane_mask lane_mask_or(lane_mask x, lane_mask y)
{
#if defined(__AVX512BW__)
    return x | y;
#else
    for (int i = 0; i < BLOCK_VECTORS; i++)
        x.v[i] |= y.v[i];
    return x;
#endif
}

// x without the lanes of y.
static inline lane_mask lane_mask_without(lane_mask x, lane_mask y)
{
#if defined(__AVX512BW__)
    return x & ~y;
#else
    for (int i = 0; i < BLOCK_VECTORS; i++)
        x.v[i] &= ~y.v[i];
    return x;
#endif
}

// The lesser of two bytes; in the lanes of the mask those of `best`.
static inline byte_block block_least_outside(byte_block best, byte_block x, lane_mask mask)
{
#if defined(__AVX512BW__)
    return _mm512_mask_min_epu8(best, ~mask, best, x);
#elif defined(__AVX2__)
    for (int i = 0; i < 2; i++)
        best.v[i] = _mm256_min_epu8(best.v[i], _mm256_or_si256(x.v[i], mask.v[i]));
    return best;
#else
    for (int i = 0; i < BLOCK_VECTORS; i++)
        best.v[i] = least_of_16(best.v[i], x.v[i] | mask.v[i]);
    return best;
#endif
}

// The lesser of two bytes in the lanes of the mask, those of `best` in the others.
static inline byte_block block_least(byte_block best, byte_block x, lane_mask mask)
{
#if defined(__AVX512BW__)
    return _mm512_mask_min_epu8(best, mask, best, x);
#else
    for (int i = 0; i < BLOCK_VECTORS; i++)
        mask.v[i] = ~mask.v[i];
    return block_least_outside(best, x, mask);
#endif
}

// Bytes of x in the lanes of the mask, of y in the others.
static inline byte_block block_choose(lane_mask mask, byte_block x, byte_block y)
{
#if defined(__AVX512BW__)
    return _mm512_mask_blend_epi8(mask, y, x);
#elif defined(__AVX2__)
    for (int i = 0; i < 2; i++)
        y.v[i] = _mm256_blendv_epi8(y.v[i], x.v[i], mask.v[i]);
    return y;
#else
    for (int i = 0; i < BLOCK_VECTORS; i++)
        y.v[i] = (mask.v[i] & x.v[i]) | (~mask.v[i] & y.v[i]);
    return y;
#endif
}

// So few bytes are stored one by one.
enum { BYTES_STORED_SINGLY = 6 };

// Writes `value` to the bytes whose bit in mask is set, and to no other; of the first n (0..64)
// bytes. Those behind may belong to another thread: they are not even written back.
static inline void bytes_store(uint8_t *bytes, int n, uint64_t mask, uint8_t value)
{
#if defined(__AVX512BW__)
    (void)n;
    _mm512_mask_storeu_epi8(bytes, mask, _mm512_set1_epi8((char)value));
#else
    if (n == 64 && bit_count(mask) > BYTES_STORED_SINGLY) {
        block_store(bytes,
                    block_choose(lane_mask_of(mask), block_filled(value), block_load(bytes)));
        return;
    }
    for (; mask != 0; mask &= mask - 1)
        bytes[bit_lowest(mask)] = value;
#endif
}

// ---- the columns of a word -----------------------------------------------------------------
//
// A word of a plane has 64 lanes, for the sets of its six low points. Its columns are the lanes
// with so many points, n_low: 1, 6, 15, 20, 15, 6 or 1 of them. Sixteen lanes, those of the
// four lowest points, are one shuffle:
//
//     row, the columns together   a b c d | e f g h i j | ...
//     lanes                       . a b . c . . . d ...  | . . . e . f g ...

#if defined(__SSSE3__) && !defined(__AVX512VBMI2__)
#define XX 0x80

// By the points of the four that the columns have, from -2 to 6.
static const uint8_t spread_control[9][16] = {
    {XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX},
    {XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX},
    {0, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX},
    {XX, 0, 1, XX, 2, XX, XX, XX, 3, XX, XX, XX, XX, XX, XX, XX},
    {XX, XX, XX, 0, XX, 1, 2, XX, XX, 3, 4, XX, 5, XX, XX, XX},
    {XX, XX, XX, XX, XX, XX, XX, 0, XX, XX, XX, 1, XX, 2, 3, XX},
    {XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, 0},
    {XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX},
    {XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX, XX},
};

static const uint8_t collect_control[9][16] = {
    {XX},     {XX}, {0, XX}, {1, 2, 4, 8, XX}, {3, 5, 6, 9, 10, 12, XX}, {7, 11, 13, 14, XX},
    {15, XX}, {XX}, {XX},
};

static const uint8_t columns_of_16[9] = {0, 0, 1, 4, 6, 4, 1, 0, 0};

#undef XX
#elif !defined(__AVX512VBMI2__)
// The lanes with n_low points, ascending.
static const uint8_t lane_lists[7][20] = {
    {0},
    {1, 2, 4, 8, 16, 32},
    {3, 5, 6, 9, 10, 12, 17, 18, 20, 24, 33, 34, 36, 40, 48},
    {7, 11, 13, 14, 19, 21, 22, 25, 26, 28, 35, 37, 38, 41, 42, 44, 49, 50, 52, 56},
    {15, 23, 27, 29, 30, 39, 43, 45, 46, 51, 53, 54, 57, 58, 60},
    {31, 47, 55, 59, 61, 62},
    {63},
};
#endif

// How many lanes have n points.
static const uint8_t lane_counts[7] = {1, 6, 15, 20, 15, 6, 1};

// out[i] = the next of `bytes` for each lane i with n_low points, ascending; the other lanes of
// the 64 hold anything. Reads up to SPREAD_MARGIN bytes behind the last one.
enum { SPREAD_MARGIN = 16 };

static inline void bytes_spread(uint8_t *out, const uint8_t *bytes, int n_low)
{
#if defined(__AVX512VBMI2__)
    uint64_t lanes = lanes_with_count[n_low];
    __m512i x = _mm512_maskz_loadu_epi8(low_bits(bit_count(lanes)), bytes);
    _mm512_storeu_si512(out, _mm512_maskz_expand_epi8(lanes, x));
#elif defined(__SSSE3__)
    for (int g = 0; g < 4; g++) {
        int n = n_low - bit_count((uint64_t)g) + 2;
        __m128i control = _mm_loadu_si128((const __m128i *)spread_control[n]);
        __m128i x = _mm_loadu_si128((const __m128i *)bytes);
        _mm_storeu_si128((__m128i *)(out + 16 * g), _mm_shuffle_epi8(x, control));
        bytes += columns_of_16[n];
    }
#else
    for (int i = 0; i < lane_counts[n_low]; i++)
        out[lane_lists[n_low][i]] = bytes[i];
#endif
}

// And back; what stands up to SPREAD_MARGIN bytes behind the last one is lost.
static inline void bytes_collect(uint8_t *bytes, const uint8_t *in, int n_low)
{
#if defined(__AVX512VBMI2__)
    uint64_t lanes = lanes_with_count[n_low];
    __m512i x = _mm512_maskz_compress_epi8(lanes, _mm512_loadu_si512(in));
    _mm512_mask_storeu_epi8(bytes, low_bits(bit_count(lanes)), x);
#elif defined(__SSSE3__)
    for (int g = 0; g < 4; g++) {
        int n = n_low - bit_count((uint64_t)g) + 2;
        __m128i control = _mm_loadu_si128((const __m128i *)collect_control[n]);
        __m128i x = _mm_loadu_si128((const __m128i *)(in + 16 * g));
        _mm_storeu_si128((__m128i *)bytes, _mm_shuffle_epi8(x, control));
        bytes += columns_of_16[n];
    }
#else
    for (int i = 0; i < lane_counts[n_low]; i++)
        bytes[i] = in[lane_lists[n_low][i]];
#endif
}

// The columns of a word of a bit plane, together in the low bits, and back.
#if !(defined(__BMI2__) && defined(__x86_64__))
static const struct bit_moves lane_moves[7] = {
    {0x0000000000000001,
     {0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
      0x0000000000000000, 0x0000000000000000}},
    {0x0000000100010116,
     {0x0000000100000106, 0x0000000080000010, 0x0000000000010080, 0x0000000020001000,
      0x0000000000200000, 0x0000000000000000}},
    {0x0001011601161668,
     {0x0000010601061008, 0x0001008300830E04, 0x00000000C03003E0, 0x000000300003C000,
      0x000000003C000000, 0x0000400000000000}},
    {0x0116166816686880,
     {0x0106100810086080, 0x001000600E043840, 0x00800E0000010010, 0x000000FC00001E00,
      0x00000000FFE00000, 0x000F000000000000}},
    {0x1668688068808000,
     {0x0660080008008000, 0x1038608060804000, 0x07001C0000201000, 0x007E00001C000100,
      0x00000000001E0000, 0x00007FE000000000}},
    {0x6880800080000000,
     {0x6080000080000000, 0x0000800040000000, 0x0040200010000000, 0x3800020001000000,
      0x003C000000010000, 0x0000003E00000000}},
    {0x8000000000000000,
     {0x8000000000000000, 0x4000000000000000, 0x1000000000000000, 0x0100000000000000,
      0x0001000000000000, 0x0000000100000000}},
};
#endif

static inline uint64_t lanes_together(uint64_t word, int n_low)
{
#if defined(__BMI2__) && defined(__x86_64__)
    return _pext_u64(word, lanes_with_count[n_low]);
#else
    return bits_together(&lane_moves[n_low], WORD_MOVES, word);
#endif
}

static inline uint64_t lanes_apart(uint64_t columns, int n_low)
{
#if defined(__BMI2__) && defined(__x86_64__)
    return _pdep_u64(columns, lanes_with_count[n_low]);
#else
    return bits_apart(&lane_moves[n_low], WORD_MOVES, columns);
#endif
}

// ---- a cell: the unit in which bit planes are worked on ------------------------------------
//
// A bit plane has one bit for every set of n points, bit number = the set. A cell holds the
// bits of all subsets of the CELL_POINTS lowest points: 512 bits with AVX-512, 256 with AVX2,
// else 128, the vectors that x86-64 and aarch64 always have.
//
//     plane   |cell 0  |cell 1  |cell 2  | ...         2^n bits for n points
//     cell    |word 0|word 1| ...                      number of the word: points from 6 on
//     word    64 lanes                                 number of the lane: points 0 to 5

#if defined(__AVX512F__)
typedef __m512i cell;
enum { CELL_POINTS = 9 };
#elif defined(__AVX2__)
typedef __m256i cell;
enum { CELL_POINTS = 8 };
#else
typedef uint64_t cell __attribute__((vector_size(16)));
enum { CELL_POINTS = 7 };
#endif

enum { CELL_WORDS = 1 << (CELL_POINTS - 6) };

static inline cell cell_load(const uint64_t *words)
{
#if defined(__AVX512F__)
    return _mm512_loadu_si512(words);
#elif defined(__AVX2__)
    return _mm256_loadu_si256((const __m256i *)words);
#else
    cell c;
    memcpy(&c, words, sizeof c);
    return c;
#endif
}

static inline void cell_store(uint64_t *words, cell c)
{
#if defined(__AVX512F__)
    _mm512_storeu_si512(words, c);
#elif defined(__AVX2__)
    _mm256_storeu_si256((__m256i *)words, c);
#else
    memcpy(words, &c, sizeof c);
#endif
}

static inline cell cell_zero(void)
{
#if defined(__AVX512F__)
    return _mm512_setzero_si512();
#elif defined(__AVX2__)
    return _mm256_setzero_si256();
#else
    return (cell){0, 0};
#endif
}

static inline cell cell_ones(void)
{
#if defined(__AVX512F__)
    return _mm512_set1_epi64(-1);
#elif defined(__AVX2__)
    return _mm256_set1_epi64x(-1);
#else
    return ~(cell){0, 0};
#endif
}

static inline cell cell_and(cell x, cell y)
{
#if defined(__AVX512F__)
    return _mm512_and_si512(x, y);
#elif defined(__AVX2__)
    return _mm256_and_si256(x, y);
#else
    return x & y;
#endif
}

static inline cell cell_or(cell x, cell y)
{
#if defined(__AVX512F__)
    return _mm512_or_si512(x, y);
#elif defined(__AVX2__)
    return _mm256_or_si256(x, y);
#else
    return x | y;
#endif
}

// x without the bits of y.
static inline cell cell_without(cell x, cell y)
{
#if defined(__AVX512F__)
    return _mm512_andnot_si512(y, x);
#elif defined(__AVX2__)
    return _mm256_andnot_si256(y, x);
#else
    return x & ~y;
#endif
}

// x if keep is true, else nothing; without a branch.
static inline cell cell_if(int keep, cell x)
{
#if defined(__AVX512F__)
    return _mm512_maskz_mov_epi64((__mmask8)-keep, x);
#elif defined(__AVX2__)
    return _mm256_and_si256(x, _mm256_set1_epi64x(-(int64_t)keep));
#else
    return x & -(uint64_t)keep;
#endif
}

// Bits of x where `choose` is set, bits of y elsewhere.
static inline cell cell_choose(cell choose, cell x, cell y)
{
#if defined(__AVX512F__)
    return _mm512_ternarylogic_epi64(choose, x, y, 0xCA);
#elif defined(__AVX2__)
    return _mm256_xor_si256(y, _mm256_and_si256(choose, _mm256_xor_si256(x, y)));
#else
    return (choose & x) | (~choose & y);
#endif
}

static inline int cell_is_zero(cell x)
{
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask(x, x) == 0;
#elif defined(__AVX2__)
    return _mm256_testz_si256(x, x);
#else
    return (x[0] | x[1]) == 0;
#endif
}

// The bits of a cell whose sets hold all points of `low` (points below CELL_POINTS).
static inline cell cell_holding(uint32_t low)
{
    uint64_t words[CELL_WORDS];
    for (uint32_t w = 0; w < CELL_WORDS; w++)
        words[w] = (low >> 6 & ~w) != 0 ? 0 : lanes_holding(low & 63);
    return cell_load(words);
}

// Moves every bit by the change of its number that adding and removing points of the cell
// makes: within a word a rotation by `rotate`, between words the exchange of word w with word w
// ^ swap. Bits that would wrap must be clear before.
static inline cell cell_shift(cell x, int swap, int rotate)
{
#if defined(__AVX512F__)
    __m512i number = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    x = _mm512_permutexvar_epi64(_mm512_xor_si512(number, _mm512_set1_epi64(swap)), x);
    return _mm512_rolv_epi64(x, _mm512_set1_epi64(rotate));
#elif defined(__AVX2__)
    if (swap != 0) {
        __m256i number = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
        number = _mm256_xor_si256(number, _mm256_set1_epi32(2 * swap));
        x = _mm256_permutevar8x32_epi32(x, number);
    }
    __m256i up = _mm256_sll_epi64(x, _mm_cvtsi32_si128(rotate & 63));
    return _mm256_or_si256(up, _mm256_srl_epi64(x, _mm_cvtsi32_si128(64 - (rotate & 63))));
#else
    if (swap != 0)
        x = (cell){x[1], x[0]};
    return (x << (rotate & 63)) | (x >> (-rotate & 63));
#endif
}

#endif
