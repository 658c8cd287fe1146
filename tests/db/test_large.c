// test_large.c: numbers beyond 2^31 and 2^32: the index of a board without symmetry, and a
// table of 9.5 billion slots, a sparse file in which few blocks hold other values than zero.

#include "tests/db/support.h"

#include "db/file.h"
#include "db/index.h"
#include "game/rules_text.h"

// Nine men's morris with three edges more: no symmetry is left.
static struct rules *lopsided_rules(void)
{
    static char text[RULES_TEXT_BYTES];
    struct rules *rules = make_rules("nine");
    size_t n = merels_rules_text(rules, text);
    char *more = strstr(text, " d7-g7");
    cr_assert(more != NULL && n + 64 < sizeof text);
    static const char edges[] = " a7-b6 d7-f6 b6-c5";
    memmove(more + sizeof edges - 1, more, strlen(more) + 1);
    memcpy(more, edges, sizeof edges - 1);
    OK(merels_rules_parse(text, rules, NULL, &test_error));
    cr_assert_eq(rules->board.n_symmetries, 1);
    return rules;
}

static const struct subspace eight_eight = {8, 8, 0, 0};
// C(24, 8) rows of C(16, 8) columns.
static const uint64_t n_rows = 735471, n_columns = 12870, n_slots = 9465511770;

static const uint64_t far_slots[] = {0,
                                     1,
                                     12869,
                                     12870,
                                     (1ull << 31) - 1,
                                     1ull << 31,
                                     (1ull << 32) - 1,
                                     1ull << 32,
                                     (1ull << 32) + 1,
                                     (1ull << 33) - 1,
                                     1ull << 33,
                                     9465511768,
                                     9465511769};
enum { N_FAR = sizeof far_slots / sizeof far_slots[0] };

// Colex numbers, once more and plainly.
static uint64_t choose(int n, int k)
{
    uint64_t result = 1;
    for (int i = 1; i <= k; i++)
        result = result * (uint64_t)(n - k + i) / (uint64_t)i;
    return k > n ? 0 : result;
}

static uint64_t plain_slot(const struct position *pos)
{
    uint64_t row = 0, column = 0;
    int n_other = 0, n_own = 0, n_free = 0;
    for (int p = 0; p < 24; p++) {
        bool other = pos->other >> p & 1, own = pos->own >> p & 1;
        if (other)
            row += choose(p, ++n_other);
        if (own)
            column += choose(n_free, ++n_own);
        n_free += !other;
    }
    return row * n_columns + column;
}

Test(large, index_at_the_far_ends, .timeout = 120)
{
    struct rules *rules = lopsided_rules();
    struct index *index;
    struct position pos;
    uint64_t slot;
    cr_assert_eq(merels_subspace_slots(&rules->board, eight_eight), n_slots);
    cr_assert_eq(merels_subspace_orbits(&rules->board, eight_eight), n_slots);
    OK(merels_index_create(&rules->board, &index, &test_error));
    for (uint64_t i = 0; i < N_FAR + 2000; i++) {
        uint64_t asked = i < N_FAR ? far_slots[i] : mix(i) % n_slots;
        OK(merels_index_unrank(index, eight_eight, asked, &pos, &test_error));
        cr_assert_eq(plain_slot(&pos), asked);
        OK(merels_index_rank(index, &pos, &slot, &test_error));
        cr_assert_eq(slot, asked);
    }
    merels_index_destroy(index);
    free(rules);
}

// ---- a file of 9.5 GB that takes some megabytes --------------------------------------------

// What stands in a slot that is not far: lost in 0; each far one has its own depth.
static uint8_t far_value(uint64_t slot)
{
    for (int i = 0; i < N_FAR; i++)
        if (far_slots[i] == slot)
            return (uint8_t)(2 * i + 2);
    return 0;
}

static size_t block_bytes_of(uint64_t block)
{
    uint64_t left = n_slots - block * DTM_BLOCK_SLOTS;
    return (size_t)(left < DTM_BLOCK_SLOTS ? left : DTM_BLOCK_SLOTS);
}

static void put_header(uint8_t *header, const struct rules *rules, uint64_t n_blocks,
                       uint64_t data)
{
    memcpy(header, "MERELSTB", 8);
    put_le(header + 8, 4, 2);
    OK(merels_rules_fingerprint(rules, header + 16, &test_error));
    header[32] = header[33] = 1;
    header[34] = 24;
    header[36] = header[37] = 8;
    put_le(header + 40, 4, DTM_BLOCK_SLOTS);
    put_le(header + 44, 4, 128);
    put_le(header + 48, 8, n_slots);
    put_le(header + 56, 8, n_rows);
    put_le(header + 64, 8, n_columns);
    put_le(header + 72, 8, n_slots);
    put_le(header + 96, 8, n_slots);
    put_le(header + 112, 4, UINT32_MAX);
    put_le(header + 116, 4, 2 * N_FAR);
    put_le(header + 128, 8, far_slots[N_FAR - 1]);
    put_le(header + 136, 8, n_blocks);
    put_le(header + 144, 8, data + n_slots);
}

// Every block is stored as it is; those without a far slot are holes.
static void write_sparse_table(const char *dir, const struct rules *rules)
{
    uint64_t n_blocks = (n_slots + DTM_BLOCK_SLOTS - 1) / DTM_BLOCK_SLOTS;
    uint64_t n_groups = (n_blocks + 127) / 128, data = 256 + 16 * n_groups + 16 * n_blocks;
    uint8_t *index = calloc(data, 1), *values = calloc(DTM_BLOCK_SLOTS, 1), *entry;
    uint64_t whole = merels_xxh64(values, DTM_BLOCK_SLOTS);
    struct file file;
    char path[512];
    file_path(path, dir, "8-8.mtb");
    OK(merels_file_create(path, &file, &test_error));
    put_header(index, rules, n_blocks, data);
    for (uint64_t k = 0; k < n_blocks; k++) {
        size_t n = block_bytes_of(k);
        entry = index + 256 + 16 * n_groups + 16 * k;
        put_le(entry, 8, data + k * DTM_BLOCK_SLOTS + n);
        put_le(entry + 8, 8, n == DTM_BLOCK_SLOTS ? whole : merels_xxh64(values, n));
    }
    for (int i = 0; i < N_FAR; i++) { // several may be in one block
        uint64_t k = far_slots[i] / DTM_BLOCK_SLOTS, first = k * DTM_BLOCK_SLOTS;
        for (size_t j = 0; j < block_bytes_of(k); j++)
            values[j] = far_value(first + j);
        OK(merels_file_write_at(&file, data + first, values, block_bytes_of(k), &test_error));
        put_le(index + 256 + 16 * n_groups + 16 * k + 8, 8,
               merels_xxh64(values, block_bytes_of(k)));
    }
    for (uint64_t g = 0; g < n_groups; g++)
        put_le(index + 256 + 16 * g, 8, data + g * 128 * DTM_BLOCK_SLOTS);
    fix_index(index);
    OK(merels_file_write_at(&file, 0, index, data, &test_error));
    OK(merels_file_cut(&file, data + n_slots, &test_error));
    OK(merels_file_close(&file, &test_error));
    free(index);
    free(values);
}

Test(large, a_table_beyond_four_gigabytes, .timeout = 300)
{
    struct rules *rules = lopsided_rules();
    char *dir = make_dir("merels");
    struct tablebase *base;
    const struct table *table;
    struct position pos;
    struct answer answer;
    uint8_t values[3];
    write_sparse_table(dir, rules);
    OK(merels_tablebase_open(dir, rules, 0, &base, &test_error));
    OK(merels_tablebase_table(base, eight_eight, &table, &test_error));
    cr_assert_gt(merels_table_file_bytes(table), 2ull << 32);
    for (int i = 0; i < N_FAR; i++) {
        uint64_t slot = far_slots[i], first = slot == 0 ? 0 : slot - 1;
        size_t n = (size_t)(n_slots - first < 3 ? n_slots - first : 3);
        OK(merels_table_read(table, first, n, values, &test_error));
        for (size_t k = 0; k < n; k++)
            cr_assert_eq(values[k], far_value(first + k), "slot %llu",
                         (unsigned long long)(first + k));
        OK(merels_index_unrank(merels_tablebase_index(base), eight_eight, slot, &pos,
                               &test_error));
        enum status status = merels_tablebase_probe(base, &pos, &answer, &test_error);
        cr_assert(status == STATUS_OK && answer.value == VALUE_LOSS &&
                      answer.plies == far_value(slot),
                  "slot %llu: %s", (unsigned long long)slot, test_error.text);
    }
    merels_tablebase_close(base);
    remove_dir(dir);
    free(rules);
}
