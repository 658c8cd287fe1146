// test_bits.c: each operation of game/bits.h, in the form that this build chose, against a
// loop.
//
// The other forms are compiled into the kernels of each processor level and tested there.

#include "game/bits.h"
#include "tests/solver/support.h"

enum { ROUNDS = 20000 };

// Random words with few, half or most bits set.
static uint64_t random_word(uint64_t *seed)
{
    uint64_t x = next_random(seed), y = next_random(seed);
    switch (next_random(seed) % 4) {
    case 0:
        return x & y & next_random(seed);
    case 1:
        return x | y;
    case 2:
        return x;
    default:
        return (uint64_t)1 << (x & 63);
    }
}

static uint64_t naive_extract(uint64_t x, uint64_t mask)
{
    uint64_t result = 0;
    int n = 0;
    for (int i = 0; i < 64; i++)
        if (mask >> i & 1)
            result |= (x >> i & 1) << n++;
    return result;
}

static uint64_t naive_deposit(uint64_t x, uint64_t mask)
{
    uint64_t result = 0;
    int n = 0;
    for (int i = 0; i < 64; i++)
        if (mask >> i & 1)
            result |= (x >> n++ & 1) << i;
    return result;
}

Test(bits, counts_and_lowest)
{
    uint64_t seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t x = random_word(&seed);
        int n = 0, lowest = 64;
        for (int i = 63; i >= 0; i--) {
            n += (int)(x >> i & 1);
            lowest = x >> i & 1 ? i : lowest;
        }
        cr_assert_eq(bit_count(x), n);
        cr_assert(x == 0 || bit_lowest(x) == lowest);
    }
    for (int n = 0; n <= 64; n++)
        cr_assert_eq(bit_count(low_bits(n)), n);
    cr_assert_eq(low_bits(5), 31);
}

Test(bits, extract_and_deposit)
{
    uint64_t seed = 2;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t x = random_word(&seed), mask = random_word(&seed);
        cr_assert_eq(bit_extract_portable(x, mask), naive_extract(x, mask));
        cr_assert_eq(bit_deposit_portable(x, mask), naive_deposit(x, mask));
        cr_assert_eq(bit_extract(x, mask), naive_extract(x, mask));
        cr_assert_eq(bit_deposit(x, mask), naive_deposit(x, mask));
        cr_assert_eq(bit_deposit(bit_extract(x, mask), mask), x & mask);
    }
    cr_assert_eq(bit_extract(~(uint64_t)0, ~(uint64_t)0), ~(uint64_t)0);
}

// A mask that is used for many sets, and the masks of the columns of a word.
Test(bits, together_and_apart)
{
    uint64_t seed = 6;
    for (int round = 0; round < ROUNDS / 10; round++) {
        point_set mask = (point_set)random_word(&seed) & 0xFFFFFF;
        point_set set = (point_set)random_word(&seed) & 0xFFFFFF;
        const struct point_mask points = point_mask_of(mask);
        const struct bit_moves moves = bit_moves_of(mask);
        cr_assert_eq(points_together(&points, set), naive_extract(set, mask));
        cr_assert_eq(points_apart(&points, set), naive_deposit(set, mask));
        cr_assert_eq(bits_together(&moves, POINT_MOVES, set), naive_extract(set, mask));
        cr_assert_eq(bits_apart(&moves, POINT_MOVES, set), naive_deposit(set, mask));
        cr_assert_eq(push_together(merels_rank_tables(), set, mask), naive_extract(set, mask));
        uint64_t x = random_word(&seed);
        for (int n = 0; n <= 6; n++) {
            uint64_t lanes = lanes_with_count[n];
            cr_assert_eq(bit_count(lanes), lane_counts[n]);
            cr_assert_eq(lanes_together(x, n), naive_extract(x, lanes));
            cr_assert_eq(lanes_apart(x, n), naive_deposit(x, lanes));
        }
    }
}

// Bytes are laid at the end of an exact allocation: a read past the n-th is a sanitizer's
// fault.
Test(bits, bytes)
{
    uint64_t seed = 3;
    for (int round = 0; round < ROUNDS / 10; round++) {
        int n = (int)(next_random(&seed) % 65);
        uint8_t *bytes = malloc(n > 0 ? (size_t)n : 1);
        uint64_t equal = 0, mask = random_word(&seed) & low_bits(n);
        uint8_t value = (uint8_t)(next_random(&seed) % 8 + 248 * (next_random(&seed) & 1));
        for (int i = 0; i < n; i++) {
            bytes[i] = (uint8_t)(next_random(&seed) % 8 + 248 * (next_random(&seed) & 1));
            equal |= (uint64_t)(bytes[i] == value) << i;
        }
        cr_assert_eq(bytes_equal(bytes, n, value), equal);
        uint8_t before[64];
        memcpy(before, bytes, (size_t)n);
        bytes_store(bytes, n, mask, 77);
        for (int i = 0; i < n; i++)
            cr_assert_eq(bytes[i], mask >> i & 1 ? 77 : before[i]);
        free(bytes);
    }
}

static cell random_cell(uint64_t words[CELL_WORDS], uint64_t *seed)
{
    for (int w = 0; w < CELL_WORDS; w++)
        words[w] = random_word(seed);
    return cell_load(words);
}

#define EXPECT_CELL(result, expected_word)            \
    do {                                              \
        uint64_t stored[CELL_WORDS];                  \
        cell_store(stored, (result));                 \
        for (int w = 0; w < CELL_WORDS; w++)          \
            cr_assert_eq(stored[w], (expected_word)); \
    } while (0)

Test(bits, cells)
{
    uint64_t seed = 4, a[CELL_WORDS], b[CELL_WORDS], c[CELL_WORDS];
    for (int round = 0; round < ROUNDS / 10; round++) {
        cell x = random_cell(a, &seed), y = random_cell(b, &seed), z = random_cell(c, &seed);
        EXPECT_CELL(x, a[w]);
        EXPECT_CELL(cell_zero(), 0);
        EXPECT_CELL(cell_and(x, y), a[w] & b[w]);
        EXPECT_CELL(cell_or(x, y), a[w] | b[w]);
        EXPECT_CELL(cell_without(x, y), a[w] & ~b[w]);
        EXPECT_CELL(cell_if(1, x), a[w]);
        EXPECT_CELL(cell_if(0, x), 0);
        EXPECT_CELL(cell_choose(z, x, y), (c[w] & a[w]) | (~c[w] & b[w]));
        cr_assert_eq(cell_is_zero(x), memcmp(a, (uint64_t[CELL_WORDS]){0}, sizeof a) == 0);
        int swap = (int)(next_random(&seed) % CELL_WORDS), n = (int)(next_random(&seed) % 64);
        EXPECT_CELL(cell_shift(x, swap, n), a[w ^ swap] << n | a[w ^ swap] >> (-n & 63));
        EXPECT_CELL(cell_shift(x, swap, -n), a[w ^ swap] >> n | a[w ^ swap] << (-n & 63));
    }
    cr_assert(cell_is_zero(cell_zero()));
}

Test(bits, least_of_bytes)
{
    uint64_t seed = 5;
    for (int round = 0; round < ROUNDS / 10; round++) {
        uint8_t best[64], bytes[64], expected[64];
        uint64_t lanes = random_word(&seed);
        for (int i = 0; i < 64; i++) {
            best[i] = (uint8_t)next_random(&seed);
            bytes[i] = (uint8_t)next_random(&seed);
            bool less = (lanes >> i & 1) && bytes[i] < best[i];
            expected[i] = less ? bytes[i] : best[i];
        }
        lane_mask mask = lane_mask_of(lanes);
        byte_block least = block_least(block_load(best), block_load(bytes), mask);
        byte_block other =
            block_least_outside(block_load(best), block_load(bytes), lane_mask_of(~lanes));
        block_store(best, least);
        cr_assert_eq(memcmp(best, expected, 64), 0);
        block_store(best, other);
        cr_assert_eq(memcmp(best, expected, 64), 0);
    }
}

Test(bits, lanes)
{
    for (uint32_t set = 0; set < 64; set++) {
        for (int p = 0; p < 6; p++)
            cr_assert_eq(lanes_with_point[p] >> set & 1, set >> p & 1);
        for (int n = 0; n <= 6; n++)
            cr_assert_eq(lanes_with_count[n] >> set & 1, bit_count(set) == n);
        for (uint32_t low = 0; low < 64; low++)
            cr_assert_eq(lanes_holding(low) >> set & 1, (low & ~set) == 0);
    }
}
