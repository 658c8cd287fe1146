// test_damage_editions.c: the other kinds of table files, damaged: edition wdl, and values of
// two bytes. Blocks that changed places, and what goes on answering beside a damaged block.

#include "tests/db/place.h"
#include "tests/db/wide.h"

static const struct subspace three_three = {3, 3, 0, 0};

// A file in memory, and the values that it holds, as a reader gives them.
struct kept {
    struct rules *rules;
    enum edition edition;
    const char *name;
    uint64_t n_slots;
    size_t value_bytes; // of a value that is read
    uint8_t *values, *good, *bytes;
    size_t n_good, n;
};

// Codes that differ from slot to slot, packed.
static uint8_t *write_wdl_table(const char *dir, const struct rules *rules, uint64_t n_slots)
{
    struct table_writer *writer;
    size_t n_bytes = (size_t)(n_slots + 3) / 4;
    uint8_t *packed = calloc(n_bytes, 1), hash[SHA256_BYTES];
    struct table_stats stats = {.win = 1, .loss = 1, .max_win = -1, .max_loss = -1};
    stats.draw = merels_subspace_orbits(&rules->board, three_three) - 2;
    for (uint64_t slot = 0; slot < n_slots; slot++)
        packed[slot / 4] |= (uint8_t)(mix(slot) % 3 << 2 * (slot % 4));
    OK(merels_value_hash(EDITION_WDL, 0, packed, n_slots, hash, &test_error));
    OK(merels_table_create(dir, rules, three_three, EDITION_WDL, 0, &writer, &test_error));
    append_blocks(writer, EDITION_WDL, packed, n_bytes, WDL_BLOCK_SLOTS / 4);
    OK(merels_table_finish(writer, &stats, hash, &test_error));
    return packed;
}

static enum status read_kept(const struct kept *kept, uint64_t first, uint64_t n, uint8_t *to)
{
    const struct memory_piece piece = {kept->name, kept->bytes, kept->n};
    const struct memory_pieces pieces = {1, &piece};
    const struct byte_source memory = merels_memory_source(&pieces);
    struct table_reader *reader;
    struct table *table;
    OK(merels_reader_create(&memory, &reader, &test_error));
    enum status status = merels_reader_load_table(reader, kept->rules, three_three,
                                                  kept->edition, 0, &table, &test_error);
    if (status == STATUS_OK) {
        status = merels_table_read(table, first, n, to, &test_error);
        merels_table_close(table);
    }
    merels_reader_destroy(reader);
    return status;
}

static void restore(struct kept *kept)
{
    memcpy(kept->bytes, kept->good, kept->n_good);
    kept->n = kept->n_good;
}

static struct kept make_kept(const char *preset, enum edition edition, bool wide)
{
    struct kept kept = {.rules = make_rules(preset), .edition = edition};
    char *dir = make_dir("merels");
    kept.name = edition == EDITION_WDL ? "3-3.wdl" : "3-3.mtb";
    kept.n_slots = merels_subspace_slots(&kept.rules->board, three_three);
    kept.value_bytes = wide ? 2 : 1;
    if (edition == EDITION_WDL) {
        free(write_wdl_table(dir, kept.rules, kept.n_slots));
    } else {
        uint8_t *values = wide_values_of(kept.rules, three_three, 3);
        write_wide_table(dir, kept.rules, three_three, values);
        free(values);
    }
    kept.good = load_bytes(dir, kept.name, &kept.n_good);
    kept.bytes = malloc(kept.n_good + 64);
    kept.values = malloc(kept.n_slots * kept.value_bytes);
    restore(&kept);
    OK(read_kept(&kept, 0, kept.n_slots, kept.values));
    remove_dir(dir);
    return kept;
}

static void free_kept(struct kept *kept)
{
    free(kept->rules);
    free(kept->values);
    free(kept->good);
    free(kept->bytes);
}

// All of it is refused, by a line with its name.
static void expect_damaged(const struct kept *kept, uint8_t *room, const char *what, size_t at)
{
    enum status status = read_kept(kept, 0, kept->n_slots, room);
    cr_assert_eq(status, STATUS_CORRUPT, "%s, %s %zu: %s", kept->name, what, at,
                 merels_status_name(status));
    cr_assert_not_null(strstr(test_error.text, kept->name), "%s", test_error.text);
}

static void damage_everywhere(struct kept *kept)
{
    static const uint8_t flips[] = {0x01, 0x10, 0x80, 0xFF};
    uint8_t *room = malloc(kept->n_slots * kept->value_bytes);
    for (size_t at = 0; at < kept->n_good; at++)
        for (size_t k = 0; k < sizeof flips; k++) {
            restore(kept);
            kept->bytes[at] ^= flips[k];
            expect_damaged(kept, room, "byte", at);
        }
    for (size_t n = 0; n < kept->n_good; n++) {
        kept->n = n;
        memcpy(kept->bytes, kept->good, n);
        expect_damaged(kept, room, "length", n);
    }
    for (size_t n = 1; n <= 64; n++) {
        restore(kept);
        memset(kept->bytes + kept->n, n % 2 == 0 ? 0 : 0xFF, n);
        kept->n += n;
        expect_damaged(kept, room, "more bytes", n);
    }
    restore(kept);
    OK(read_kept(kept, 0, kept->n_slots, room));
    cr_expect_eq(memcmp(room, kept->values, kept->n_slots * kept->value_bytes), 0);
    free(room);
}

Test(damage_editions, wdl_everywhere, .timeout = 120)
{
    struct kept kept = make_kept("three", EDITION_WDL, false);
    damage_everywhere(&kept);
    free_kept(&kept);
}

Test(damage_editions, two_bytes_everywhere, .timeout = 120)
{
    struct kept kept = make_kept("three", EDITION_DTM, true);
    damage_everywhere(&kept);
    free_kept(&kept);
}

// Every slot: right, or damage where a block is that was touched.
static void expect_only(const struct kept *kept, uint64_t first_block, uint64_t n_blocks)
{
    uint64_t block = kept->edition == EDITION_WDL ? WDL_BLOCK_SLOTS : DTM_BLOCK_SLOTS;
    uint8_t *room = malloc(block * kept->value_bytes);
    for (uint64_t k = 0; k * block < kept->n_slots; k++) {
        uint64_t first = k * block, n = kept->n_slots - first;
        enum status status = read_kept(kept, first, n < block ? n : block, room);
        bool touched = k >= first_block && k < first_block + n_blocks;
        cr_assert_eq(status, touched ? STATUS_CORRUPT : STATUS_OK, "block %llu: %s",
                     (unsigned long long)k, merels_status_name(status));
        if (!touched)
            cr_assert_eq(memcmp(room, kept->values + first * kept->value_bytes,
                                (n < block ? n : block) * kept->value_bytes),
                         0);
    }
    free(room);
}

// One bit of each block in turn: the others go on answering.
Test(damage_editions, other_blocks_go_on_answering, .timeout = 120)
{
    struct kept kept = make_kept("nine", EDITION_DTM, true);
    uint64_t n_blocks = blocks_of(kept.good);
    cr_assert_gt(n_blocks, 10);
    for (uint64_t k = 0; k < n_blocks; k++) {
        restore(&kept);
        kept.bytes[start_of_block(kept.good, k) + 3] ^= 0x04;
        expect_only(&kept, k, 1);
    }
    free_kept(&kept);
}

// The stored bytes of two neighbours change places, in whole: both are damaged, the others not.
Test(damage_editions, blocks_that_changed_places, .timeout = 120)
{
    struct kept kept = make_kept("nine", EDITION_DTM, true);
    uint64_t begin = start_of_block(kept.good, 4), middle = start_of_block(kept.good, 5),
             end = start_of_block(kept.good, 6);
    restore(&kept);
    memcpy(kept.bytes + begin, kept.good + middle, end - middle);
    memcpy(kept.bytes + begin + (end - middle), kept.good + begin, middle - begin);
    expect_only(&kept, 4, 2);
    free_kept(&kept);
}
