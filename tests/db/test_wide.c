// test_wide.c: tables of edition dtm with two bytes a value, for depths that one cannot hold.

#include "tests/db/wide.h"

static const struct subspace s33 = {3, 3, 0, 0}, s0198 = {0, 1, 9, 8};

// ---- four slots ----------------------------------------------------------------------------

static const uint8_t four_values[8] = {0x2d, 0x01, 0xff, 0xff, 0x2c, 0x01, 0xfe, 0x00};
static const struct table_stats four_stats = {1, 1, 2, 0, 301, 300, 0, 2};

// Builds the file of 0-1-9-8 (four slots) by hand, as docs/FORMAT.md says.
static void store_by_hand(const char *dir, const struct rules *rules)
{
    struct table_header header = {.version = 2,
                                  .edition = EDITION_DTM,
                                  .value_bytes = 2,
                                  .n_points = 24,
                                  .subspace = s0198,
                                  .block_slots = DTM_BLOCK_SLOTS,
                                  .n_slots = 4,
                                  .n_rows = 4,
                                  .n_columns = 1,
                                  .n_orbits = 4,
                                  .stats = four_stats};
    struct table_layout layout = {.n_blocks = 1, .file_bytes = 296};
    uint8_t bytes[296];
    OK(merels_rules_fingerprint(rules, header.fingerprint, &test_error));
    OK(merels_value_hash(EDITION_DTM, 2, four_values, 4, header.value_hash, &test_error));
    memcpy(bytes + 288, four_values, 8);
    put_le(bytes + 272, 8, 296);
    put_le(bytes + 280, 8, merels_xxh64(four_values, 8));
    put_le(bytes + 256, 8, 288);
    put_le(bytes + 264, 8, merels_xxh64(bytes + 272, 16));
    layout.index_checksum = merels_xxh64(bytes + 256, 16);
    merels_header_encode(&header, &layout, bytes);
    store_bytes(dir, "0-1-9-8.mtb", bytes, sizeof bytes);
}

// The writer makes the bytes that the format asks for.
Test(wide, as_by_hand)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct table_writer *writer;
    uint8_t hash[SHA256_BYTES];
    size_t n_hand, n_written;
    store_by_hand(dir, rules);
    uint8_t *by_hand = load_bytes(dir, "0-1-9-8.mtb", &n_hand);
    OK(merels_value_hash(EDITION_DTM, 2, four_values, 4, hash, &test_error));
    OK(merels_table_create(dir, rules, s0198, EDITION_DTM, 2, &writer, &test_error));
    append_blocks(writer, EDITION_DTM, four_values, 8, 2 * DTM_BLOCK_SLOTS);
    OK(merels_table_finish(writer, &four_stats, hash, &test_error));
    uint8_t *written = load_bytes(dir, "0-1-9-8.mtb", &n_written);
    cr_assert(n_hand == n_written && memcmp(by_hand, written, n_hand) == 0);
    free(by_hand);
    free(written);
    remove_dir(dir);
    free(rules);
}

Test(wide, a_few_values)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct table *table;
    struct tablebase *base;
    struct answer answer;
    uint8_t values[4];
    store_by_hand(dir, rules);
    OK(merels_table_open(dir, rules, s0198, EDITION_DTM, &table, &test_error));
    OK(merels_table_read(table, 2, 2, values, &test_error));
    cr_assert_eq(memcmp(values, "\x2c\x01\xfe\x00", 4), 0);
    merels_table_close(table);
    OK(merels_tablebase_open(dir, rules, 1 << 20, &base, &test_error));
    static const struct {
        const char *other;
        enum value value;
        int plies;
    } cases[] = {{"a7", VALUE_WIN, 301},
                 {"e3", VALUE_WIN, 301},
                 {"d7", VALUE_DRAW, -1},
                 {"f6", VALUE_LOSS, 300},
                 {"f4", VALUE_LOSS, 254}};
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct position pos = {
                .other = set_of(&rules->board, cases[i].other), .own_hand = 9, .other_hand = 8};
            OK(merels_tablebase_probe(base, &pos, &answer, &test_error));
            cr_assert(answer.value == cases[i].value && answer.plies == cases[i].plies);
        }
    merels_tablebase_close(base);
    remove_dir(dir);
    free(rules);
}

// ---- several blocks ------------------------------------------------------------------------

static void check_reads(const char *dir, const struct rules *rules, const uint8_t *values)
{
    struct table *table;
    uint64_t seed = 8, n_slots = merels_subspace_slots(&rules->board, s33);
    uint8_t *read = malloc(2 * n_slots);
    OK(merels_table_open(dir, rules, s33, EDITION_DTM, &table, &test_error));
    cr_assert_eq(merels_table_header(table)->value_bytes, 2);
    for (int i = 0; i < 200; i++) {
        uint64_t first = i == 0 ? 0 : next_random(&seed) % n_slots;
        uint64_t n = i == 0 ? n_slots : next_random(&seed) % (n_slots - first + 1);
        OK(merels_table_read(table, first, n, read, &test_error));
        cr_assert_eq(memcmp(read, values + 2 * first, 2 * n), 0);
    }
    merels_table_close(table);
    free(read);
}

static void check_probes(const char *dir, const struct rules *rules, uint64_t seed)
{
    struct tablebase *base;
    struct position pos;
    struct answer answer;
    int n_over_one_byte = 0;
    OK(merels_tablebase_open(dir, rules, 1 << 20, &base, &test_error));
    for (uint64_t slot = 0; slot < merels_subspace_slots(&rules->board, s33); slot += 97) {
        OK(merels_index_unrank(merels_tablebase_index(base), s33, slot, &pos, &test_error));
        int value, depth = wide_depth_of(&rules->board, &pos, seed);
        if (merels_position_over(rules, &pos, &value))
            continue;
        OK(merels_tablebase_probe(base, &pos, &answer, &test_error));
        cr_assert_eq(answer.plies, depth);
        cr_assert_eq(answer.value, depth < 0        ? VALUE_DRAW
                                   : depth % 2 == 1 ? VALUE_WIN
                                                    : VALUE_LOSS);
        n_over_one_byte += depth > MAX_DEPTH;
    }
    cr_assert_gt(n_over_one_byte, 1000);
    merels_tablebase_close(base);
}

static void check_listed(const char *dir, const struct rules *rules)
{
    struct manifest manifest;
    OK(merels_manifest_add(dir, rules, s33, EDITION_DTM, &test_error));
    OK(merels_manifest_read(dir, rules, &manifest, &test_error));
    cr_assert_eq(manifest.n_entries, 1);
    const struct table_header *header = &manifest.entries[0].header;
    cr_assert(header->edition == EDITION_DTM && header->value_bytes == 2);
    cr_assert(header->stats.max_win == WIDE_MAX_WIN && header->stats.max_loss == WIDE_MAX_LOSS);
    OK(merels_manifest_check(dir, rules, &manifest, &test_error));
    merels_manifest_free(&manifest);
}

Test(wide, written_read_probed_and_listed)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    uint8_t *values = wide_values_of(rules, s33, 6);
    write_wide_table(dir, rules, s33, values);
    check_reads(dir, rules, values);
    check_probes(dir, rules, 6);
    check_listed(dir, rules);
    check_probes(dir, rules, 6);
    free(values);
    remove_dir(dir);
    free(rules);
}

// ---- what is refused -----------------------------------------------------------------------

Test(wide, widths_that_an_edition_does_not_have)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct table_writer *writer;
    static const struct {
        enum edition edition;
        int value_bytes;
    } cases[] = {{EDITION_DTM, 0}, {EDITION_DTM, 3}, {EDITION_WDL, 1}, {EDITION_WDL, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        FAILS(merels_table_create(dir, rules, s33, cases[i].edition, cases[i].value_bytes,
                                  &writer, &test_error),
              STATUS_BAD_INPUT);
    OK(merels_table_create(dir, rules, s33, EDITION_DTM, 2, &writer, &test_error));
    FAILS(merels_table_append(writer, four_values, 2 * DTM_BLOCK_SLOTS + 1, &test_error),
          STATUS_BAD_INPUT);
    merels_table_abort(writer);
    cr_assert_eq(count_files(dir), 0);
    remove_dir(dir);
    free(rules);
}

Test(wide, a_depth_beyond_the_longest_of_the_header)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct tablebase *base;
    struct answer answer;
    size_t n;
    store_by_hand(dir, rules);
    uint8_t *bytes = load_bytes(dir, "0-1-9-8.mtb", &n);
    put_le(bytes + 112, 4, 299); // the longest win; there is one of 301
    fix_header(bytes);
    store_bytes(dir, "0-1-9-8.mtb", bytes, n);
    OK(merels_tablebase_open(dir, rules, 0, &base, &test_error));
    struct position pos = {
        .other = set_of(&rules->board, "a7"), .own_hand = 9, .other_hand = 8};
    FAILS(merels_tablebase_probe(base, &pos, &answer, &test_error), STATUS_CORRUPT);
    pos.other = set_of(&rules->board, "f6");
    OK(merels_tablebase_probe(base, &pos, &answer, &test_error));
    merels_tablebase_close(base);
    free(bytes);
    remove_dir(dir);
    free(rules);
}
