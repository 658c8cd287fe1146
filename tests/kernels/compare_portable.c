// compare_portable.c: the portable kernels against loops, as a program of its own that needs
// nothing but the C library: "scripts/check aarch64" builds it for another processor and runs
// it in an emulator. Prints what differs; exit status 1 if something does.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/rules.h"
#include "kernels/kernels.h"

enum { ROUNDS = 2000, MAX_COMPACT = 15, PLANE_WORDS = (1 << MAX_COMPACT) / 64 };

static int n_wrong;

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void expect(bool right, const char *what)
{
    if (!right && n_wrong++ < 20)
        printf("wrong: %s\n", what);
}

// ---- bytes ---------------------------------------------------------------------------------

static void compare_blocks(uint64_t *seed)
{
    uint8_t x[64], y[64], out[64];
    uint64_t lanes = next(seed), equal = 0, found = 0;
    for (int i = 0; i < 64; i++) {
        x[i] = (uint8_t)(next(seed) & 0x83);
        y[i] = (uint8_t)next(seed);
        equal |= (uint64_t)(x[i] == 0x81) << i;
    }
    expect(bytes_equal(x, 64, 0x81) == equal, "bytes_equal");
    lane_mask mask = lane_mask_of(lanes);
    block_store(out, block_least(block_load(x), block_load(y), mask));
    for (int i = 0; i < 64; i++)
        found |= (uint64_t)(out[i] == (lanes >> i & 1 && y[i] < x[i] ? y[i] : x[i])) << i;
    expect(found == ~(uint64_t)0, "block_least");
    block_store(out, block_choose(mask, block_load(x), block_load(y)));
    for (int i = 0; i < 64; i++)
        expect(out[i] == (lanes >> i & 1 ? x[i] : y[i]), "block_choose");
    memcpy(out, x, 64);
    bytes_store(out, 64, lanes, 9);
    for (int i = 0; i < 64; i++)
        expect(out[i] == (lanes >> i & 1 ? 9 : x[i]), "bytes_store");
}

static void compare_spreading(uint64_t *seed)
{
    uint8_t row[64 + SPREAD_MARGIN], lanes[64], back[64 + SPREAD_MARGIN];
    for (int n_low = 0; n_low <= 6; n_low++) {
        int n = 0;
        for (int i = 0; i < 64; i++)
            row[i] = (uint8_t)next(seed);
        bytes_spread(lanes, row, n_low);
        for (int i = 0; i < 64; i++)
            if (bit_count((uint64_t)i) == n_low)
                expect(lanes[i] == row[n++], "bytes_spread");
        bytes_collect(back, lanes, n_low);
        expect(memcmp(back, row, (size_t)n) == 0, "bytes_collect");
    }
}

// ---- one step back -------------------------------------------------------------------------

static bool has(const uint64_t *plane, uint32_t set)
{
    return plane[set / 64] >> (set % 64) & 1;
}

static bool is_good(const struct row *row, uint64_t *const *good, uint32_t after, int to)
{
    bool closes = false;
    for (int k = 0; k < row->n_mates[to]; k++)
        closes |= (row->mates[to][k] & ~after) == 0;
    return has(good[closes], after);
}

static bool leads_to_good(const struct row *row, uint64_t *const *good, uint32_t before)
{
    for (int from = 0; from < row->n_points; from++)
        for (int to = 0; to < row->n_points; to++) {
            bool goes = row->side->flies || (row->neighbours[from] >> to & 1);
            uint32_t after = before ^ (1u << from) ^ (1u << to);
            if (goes && (before >> from & 1) && !(before >> to & 1) &&
                is_good(row, good, after, to))
                return true;
        }
    return false;
}

static void compare_row(const struct side *side, const struct kernels *kernels, point_set set,
                        int n_men, uint64_t *seed)
{
    static uint64_t planes[3 + N_SCRATCH][PLANE_WORDS];
    uint64_t *good[2] = {planes[0], planes[1]}, *out = planes[2];
    uint64_t *scratch[N_SCRATCH];
    struct columns columns;
    struct row row;
    struct error error;
    int n_points = side->rules->board.n_points - bit_count(set);
    if (merels_columns_create(n_points, n_men, kernels->cell_points, &columns, &error) !=
        STATUS_OK) {
        expect(false, error.text);
        return;
    }
    memset(planes, 0, sizeof planes);
    for (uint32_t k = 0; k < columns.n_columns; k++)
        for (int class = 0; class < 2; class ++)
            good[class][columns.sets[k] / 64] |= (next(seed) & 1) << (columns.sets[k] % 64);
    for (int k = 0; k < N_SCRATCH; k++)
        scratch[k] = planes[3 + k];
    kernels->row_open(side, 0, set, &columns, &row);
    kernels->step_back(&row, good, 2, out, scratch);
    for (uint32_t k = 0; k < columns.n_columns; k++)
        expect(has(out, columns.sets[k]) == leads_to_good(&row, good, columns.sets[k]),
               "step_back");
    merels_columns_destroy(&columns);
}

static void compare_rows(const char *text, uint64_t *seed)
{
    static struct rules rules;
    struct start start;
    struct error error;
    if (merels_rules_parse(text, &rules, &start, &error) != STATUS_OK) {
        expect(false, error.text);
        return;
    }
    const struct kernels *kernels = merels_kernels("portable");
    for (int n_men = 3; n_men <= 9; n_men++) {
        point_set set = 0;
        int n_other = rules.board.n_points - MAX_COMPACT;
        while (bit_count(set) < n_other)
            set |= (point_set)1 << next(seed) % (unsigned)rules.board.n_points;
        struct side side = {.rules = &rules, .flies = n_men == 3};
        compare_row(&side, kernels, set, n_men, seed);
    }
}

int main(void)
{
    uint64_t seed = 88172645463325252;
    for (int round = 0; round < ROUNDS; round++)
        compare_blocks(&seed);
    compare_spreading(&seed);
    compare_rows("nine", &seed);
    compare_rows("twelve", &seed);
    printf("portable kernels: %d differences\n", n_wrong);
    return n_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
