// test_damage.c: damaged table files, made here. Whatever is done to a file, reading it gives
// the values that were written or an error, never another value, never a crash.

#include "tests/db/place.h"

// ---- a small table and a larger one --------------------------------------------------------

struct victim {
    enum place place; // where it is read from
    const char *name;
    struct rules *rules;
    struct subspace subspace;
    char *dir;
    uint64_t n_slots;
    uint8_t *values; // what was written
    uint8_t *good;   // the file
    size_t n_good;
    uint8_t *bytes; // the file being damaged, room for 64 more
    size_t n;
};

static struct victim make_victim(enum place place, const char *preset, struct subspace s,
                                 const char *name, uint64_t sparse)
{
    struct victim v = {
        .place = place, .name = name, .rules = make_rules(preset), .subspace = s};
    v.dir = make_dir("merels");
    v.n_slots = merels_subspace_slots(&v.rules->board, s);
    v.values = values_of(v.rules, s, 5);
    for (uint64_t i = 0; i < v.n_slots; i++)
        if (mix(i) % sparse != 0)
            v.values[i] = DTM_DRAW;
    write_table(v.dir, v.rules, s, v.values);
    v.good = load_bytes(v.dir, name, &v.n_good);
    v.bytes = malloc(v.n_good + 64);
    return v;
}

static struct victim small_victim(enum place place)
{
    return make_victim(place, "three", (struct subspace){3, 3, 0, 0}, "3-3.mtb", 3);
}

static struct victim large_victim(enum place place)
{
    return make_victim(place, "nine", (struct subspace){3, 3, 0, 0}, "3-3.mtb", 100);
}

// With two groups of blocks.
static struct victim largest_victim(enum place place)
{
    return make_victim(place, "nine", (struct subspace){4, 4, 0, 0}, "4-4.mtb", 4000);
}

static void free_victim(struct victim *v)
{
    remove_dir(v->dir);
    free(v->values);
    free(v->good);
    free(v->bytes);
    free(v->rules);
}

static void restore(struct victim *v)
{
    memcpy(v->bytes, v->good, v->n_good);
    v->n = v->n_good;
}

// Reads all values of a table from the bytes as they are now: stored in a file, or where they
// are.
static enum status read_values(struct victim *v, uint8_t *values)
{
    const struct memory_piece piece = {v->name, v->bytes, v->n};
    const struct memory_pieces pieces = {1, &piece};
    const struct byte_source memory = merels_memory_source(&pieces);
    struct table_reader *reader;
    struct table *table;
    if (v->place == IN_MEMORY) {
        OK(merels_reader_create(&memory, &reader, &test_error));
    } else {
        store_bytes(v->dir, v->name, v->bytes, v->n);
        OK(merels_directory_reader_create(v->dir, 1, &reader, &test_error));
    }
    enum status status = merels_reader_load_table(reader, v->rules, v->subspace, EDITION_DTM, 0,
                                                  &table, &test_error);
    if (status == STATUS_OK) {
        status = merels_table_read(table, 0, v->n_slots, values, &test_error);
        merels_table_close(table);
    }
    merels_reader_destroy(reader);
    return status;
}

// Reads the damaged table; also that an error is one line with its name.
static enum status read_all(struct victim *v)
{
    uint8_t *read = malloc(v->n_slots);
    enum status status = read_values(v, read);
    if (status == STATUS_OK) {
        cr_assert_eq(memcmp(read, v->values, v->n_slots), 0, "a wrong value was read");
    } else {
        cr_assert(strstr(test_error.text, v->name) != NULL, "%s", test_error.text);
        cr_assert_null(strchr(test_error.text, '\n'));
    }
    free(read);
    return status;
}

static void expect(struct victim *v, enum status expected, const char *what)
{
    enum status status = read_all(v);
    cr_assert_eq(status, expected, "%s: %s (%s) instead of %s", what,
                 merels_status_name(status), status == STATUS_OK ? "" : test_error.text,
                 merels_status_name(expected));
}

// ---- blind damage --------------------------------------------------------------------------

IN_EVERY_PLACE(damage, every_bit_of_a_small_table)
{
    struct victim v = small_victim(*place);
    for (size_t i = 0; i < v.n_good; i++)
        for (int bit = 0; bit < 8; bit++) {
            restore(&v);
            v.bytes[i] ^= (uint8_t)(1 << bit);
            enum status status = read_all(&v);
            cr_assert_eq(status, STATUS_CORRUPT, "byte %zu bit %d: %s", i, bit,
                         merels_status_name(status));
        }
    restore(&v);
    expect(&v, STATUS_OK, "restored");
    free_victim(&v);
}

IN_EVERY_PLACE(damage, every_byte_of_a_table_with_several_blocks)
{
    struct victim v = large_victim(*place);
    cr_assert_gt(v.n_good, 480 + 1000);
    for (size_t i = 0; i < v.n_good; i++) {
        restore(&v);
        v.bytes[i] ^= (uint8_t)(1 << i % 8);
        if (i < 1024 || i + 1024 > v.n_good || i % 7 == 0)
            expect(&v, STATUS_CORRUPT, "one bit");
    }
    free_victim(&v);
}

IN_EVERY_PLACE(damage, every_length)
{
    struct victim v = small_victim(*place);
    for (size_t n = 0; n < v.n_good; n++) {
        restore(&v);
        v.n = n;
        expect(&v, STATUS_CORRUPT, "cut short");
    }
    for (size_t n = 1; n <= 64; n++) {
        restore(&v);
        memset(v.bytes + v.n, n % 2 == 0 ? 0 : 0xFF, n);
        v.n += n;
        expect(&v, STATUS_CORRUPT, "extended");
    }
    free_victim(&v);
}

IN_EVERY_PLACE(damage, holes_and_exchanged_pieces)
{
    struct victim v = small_victim(*place);
    for (size_t i = 0; i + 16 <= v.n_good; i++) {
        restore(&v);
        memset(v.bytes + i, 0, 16);
        if (memcmp(v.bytes + i, v.good + i, 16) != 0)
            expect(&v, STATUS_CORRUPT, "zeros");
        restore(&v);
        memmove(v.bytes + i, v.bytes + i + 1, v.n - i - 1); // one byte lost
        v.n--;
        expect(&v, STATUS_CORRUPT, "a byte lost");
    }
    free_victim(&v);
}

// ---- damage with all checksums made right --------------------------------------------------

IN_EVERY_PLACE(damage, other_versions)
{
    struct victim v = small_victim(*place);
    static const uint32_t newer[] = {3, 4, 256, 0x01000000, UINT32_MAX};
    for (size_t i = 0; i < sizeof newer / sizeof newer[0]; i++) {
        restore(&v);
        put_le(v.bytes + 8, 4, newer[i]);
        fix_header(v.bytes);
        expect(&v, STATUS_NEWER, "newer version");
        v.n = 16; // a newer header may be shorter, and its other bytes mean anything
        expect(&v, STATUS_NEWER, "newer version, short");
    }
    restore(&v);
    put_le(v.bytes + 8, 4, 1);
    fix_header(v.bytes);
    expect(&v, STATUS_OLDER, "version 1");
    v.n = 16;
    expect(&v, STATUS_OLDER, "version 1, short");
    restore(&v);
    put_le(v.bytes + 8, 4, 0);
    fix_header(v.bytes);
    expect(&v, STATUS_CORRUPT, "version 0");
    free_victim(&v);
}

IN_EVERY_PLACE(damage, other_rules)
{
    struct victim v = small_victim(*place);
    restore(&v);
    v.bytes[20] ^= 1;
    fix_header(v.bytes);
    expect(&v, STATUS_OTHER_RULES, "fingerprint");
    free_victim(&v);
}

IN_EVERY_PLACE(damage, other_editions)
{
    struct victim v = small_victim(*place);
    restore(&v);
    v.bytes[32] = 2;
    fix_header(v.bytes);
    expect(&v, STATUS_CORRUPT, "wdl with a width and blocks of dtm");
    v.bytes[32] = 3;
    fix_header(v.bytes);
    expect(&v, STATUS_CORRUPT, "edition 3");
    restore(&v);
    v.bytes[32] = 2;
    v.bytes[33] = 0;
    put_le(v.bytes + 40, 4, WDL_BLOCK_SLOTS);
    put_le(v.bytes + 112, 8, UINT64_MAX); // no depths
    put_le(v.bytes + 120, 8, 0);
    put_le(v.bytes + 128, 8, 0);
    fix_header(v.bytes);
    expect(&v, STATUS_CORRUPT, "wdl under the name of dtm");
    free_victim(&v);
}

// Each field set to each of these, with right checksums.
IN_EVERY_PLACE(damage, every_field_of_the_header)
{
    static const struct {
        int at, n_bytes;
    } fields[] = {{33, 1},  {34, 1},  {35, 1},  {36, 1},  {37, 1},  {38, 1},  {39, 1},
                  {40, 4},  {44, 4},  {48, 8},  {56, 8},  {64, 8},  {72, 8},  {80, 8},
                  {88, 8},  {96, 8},  {104, 8}, {112, 4}, {116, 4}, {120, 8}, {128, 8},
                  {136, 8}, {144, 8}, {152, 8}, {192, 8}, {216, 8}, {240, 8}};
    static const uint64_t changes[] = {1,          255,        256,        65535,
                                       UINT32_MAX, 1ull << 32, 1ull << 63, UINT64_MAX};
    struct victim v = small_victim(*place);
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++)
        for (size_t c = 0; c < sizeof changes / sizeof changes[0]; c++) {
            restore(&v);
            uint64_t field = get_le(v.good + fields[f].at, fields[f].n_bytes);
            put_le(v.bytes + fields[f].at, fields[f].n_bytes, field + changes[c]);
            fix_header(v.bytes);
            bool same = memcmp(v.bytes, v.good, v.n_good) == 0;
            enum status status = read_all(&v);
            // The first slot with the longest depth is a fact about the values: any slot may
            // stand there.
            bool may_pass = same || fields[f].at == 120 || fields[f].at == 128;
            cr_assert(status == STATUS_CORRUPT || (may_pass && status == STATUS_OK),
                      "field at %d plus %llx: %s", fields[f].at, (unsigned long long)changes[c],
                      merels_status_name(status));
        }
    free_victim(&v);
}

// Without rules fewer counts can be checked; nothing may go wrong all the same.
IN_EVERY_PLACE(damage, every_field_of_the_header_without_rules)
{
    struct victim v = small_victim(*place);
    struct rules *rules = v.rules;
    for (int at = 32; at < 248; at++)
        for (int bit = 0; bit < 8; bit++) {
            restore(&v);
            v.bytes[at] ^= (uint8_t)(1 << bit);
            fix_header(v.bytes);
            v.rules = NULL;
            (void)read_all(&v);
            v.rules = rules;
        }
    free_victim(&v);
}

IN_EVERY_PLACE(damage, offsets_of_the_block_index)
{
    static const uint64_t ends[] = {0,    1,     479,        480,        481,
                                    1000, 65536, 1ull << 32, 1ull << 63, UINT64_MAX};
    struct victim v = large_victim(*place);
    uint64_t offset = entries_of(v.good);
    cr_assert_eq(data_of(v.good), 480);
    for (int block = 0; block < 4; block++)
        for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
            restore(&v);
            put_le(v.bytes + offset + (uint64_t)block * 16, 8, ends[i]);
            fix_index(v.bytes);
            expect(&v, STATUS_CORRUPT, "end of a block");
        }
    free_victim(&v);
}

IN_EVERY_PLACE(damage, exchanged_blocks_of_the_index)
{
    struct victim v = large_victim(*place);
    restore(&v);
    uint8_t *index = v.bytes + entries_of(v.good), entry[16];
    memcpy(entry, index, 16);
    memcpy(index, index + 16, 16);
    memcpy(index + 16, entry, 16);
    fix_index(v.bytes);
    expect(&v, STATUS_CORRUPT, "two entries exchanged");
    free_victim(&v);
}

// The first level: where the groups begin, and what their entries hash to.
IN_EVERY_PLACE(damage, groups_of_the_block_index)
{
    struct victim v = largest_victim(*place);
    cr_assert_eq(groups_of(v.good), 2);
    uint64_t second = get_le(v.good + 272, 8);
    const uint64_t begins[] = {0,          1,        data_of(v.good), second - 1,
                               second + 1, v.n_good, v.n_good + 1,    1ull << 63,
                               UINT64_MAX};
    for (int group = 0; group < 2; group++)
        for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
            restore(&v);
            put_le(v.bytes + 256 + 16 * group, 8, begins[i]);
            fix_groups(v.bytes);
            if (memcmp(v.bytes, v.good, v.n_good) != 0)
                expect(&v, STATUS_CORRUPT, "begin of a group");
        }
    restore(&v);
    memcpy(v.bytes + 256, v.good + 272, 16);
    memcpy(v.bytes + 272, v.good + 256, 16);
    fix_groups(v.bytes);
    expect(&v, STATUS_CORRUPT, "two groups exchanged");
    restore(&v);
    put_le(v.bytes + entries_of(v.good) + 16 * 127, 8, second - 1);
    fix_index(v.bytes);
    expect(&v, STATUS_CORRUPT, "a group that ends before the next one begins");
    free_victim(&v);
}

// A damaged group says nothing of the blocks of another one.
IN_EVERY_PLACE(damage, the_other_group_goes_on_answering)
{
    struct victim v = largest_victim(*place);
    struct table *table;
    uint8_t values[100];
    restore(&v);
    v.bytes[entries_of(v.good) + 5] ^= 1;
    store_bytes(v.dir, v.name, v.bytes, v.n);
    OK(merels_table_open(v.dir, v.rules, v.subspace, EDITION_DTM, &table, &test_error));
    FAILS(merels_table_read(table, 0, 100, values, &test_error), STATUS_CORRUPT);
    OK(merels_table_read(table, 128 * DTM_BLOCK_SLOTS, 100, values, &test_error));
    cr_assert_eq(memcmp(values, v.values + 128 * DTM_BLOCK_SLOTS, 100), 0);
    FAILS(merels_table_read(table, 128 * DTM_BLOCK_SLOTS - 1, 2, values, &test_error),
          STATUS_CORRUPT);
    merels_table_close(table);
    free_victim(&v);
}

// ---- blocks with right checksums that lie --------------------------------------------------

// Puts `block` in the place of the only block of the small table, with everything around it
// right.
static void set_block(struct victim *v, const uint8_t *block, size_t n)
{
    enum { DATA = 288 }; // one group, one block
    memcpy(v->bytes, v->good, DATA);
    memcpy(v->bytes + DATA, block, n);
    put_le(v->bytes + 272, 8, DATA + n);
    put_le(v->bytes + 280, 8, merels_xxh64(block, n));
    put_le(v->bytes + 144, 8, DATA + n);
    v->n = DATA + n;
    fix_index(v->bytes);
}

// A zstd frame header that claims `size` bytes (8-byte field, one segment), then one block
// header.
static size_t make_bomb(uint8_t *out, uint64_t size, uint32_t block_header)
{
    put_le(out, 4, 0xFD2FB528);
    out[4] = 0xE0;
    put_le(out + 5, 8, size);
    put_le(out + 13, 3, block_header);
    out[16] = 0xAA;
    return 17;
}

IN_EVERY_PLACE(damage, frames_that_lie)
{
    struct victim v = small_victim(*place);
    cr_assert_lt(v.n_slots, DTM_BLOCK_SLOTS);
    static const uint64_t sizes[] = {0, 1, 1ull << 40, UINT64_MAX, UINT64_MAX - 1, 65536};
    uint8_t block[64];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        size_t n = make_bomb(block, sizes[i], 1 | 1 << 1 | 1000u << 3); // RLE, 1000 bytes
        set_block(&v, block, n);
        expect(&v, STATUS_CORRUPT, "a frame that claims another size");
    }
    // The right size claimed, but fewer and more values inside.
    for (uint32_t n_values = (uint32_t)v.n_slots - 1; n_values <= v.n_slots + 1;
         n_values += 2) {
        size_t n = make_bomb(block, v.n_slots, 1 | 1 << 1 | n_values << 3);
        set_block(&v, block, n);
        expect(&v, STATUS_CORRUPT, "another number of values inside");
    }
    // No size at all: window descriptor, no content size field.
    put_le(block, 4, 0xFD2FB528);
    block[4] = 0x00;
    block[5] = 0x38;
    put_le(block + 6, 3, 1 | 1 << 1 | (uint32_t)v.n_slots << 3);
    block[9] = 0xAA;
    set_block(&v, block, 10);
    expect(&v, STATUS_CORRUPT, "a frame without a size");
    free_victim(&v);
}

IN_EVERY_PLACE(damage, what_is_not_one_frame)
{
    struct victim v = small_victim(*place);
    uint8_t block[1024];
    size_t n_block = v.n_good - data_of(v.good);
    cr_assert_lt(n_block + 20, v.n_slots);
    memcpy(block, v.good + data_of(v.good), n_block);
    set_block(&v, block, n_block);
    expect(&v, STATUS_OK, "the block itself");
    for (size_t n = 1; n < n_block; n++) {
        set_block(&v, block, n);
        expect(&v, STATUS_CORRUPT, "a frame cut short");
    }
    memset(block + n_block, 0, 16);
    set_block(&v, block, n_block + 1);
    expect(&v, STATUS_CORRUPT, "a byte behind the frame");
    put_le(block + n_block, 4, 0x184D2A50); // a skippable frame of 4 bytes
    put_le(block + n_block + 4, 4, 4);
    set_block(&v, block, n_block + 12);
    expect(&v, STATUS_CORRUPT, "a skippable frame behind the frame");
    free_victim(&v);
}

// Garbage that carries right checksums: the decompressor must refuse it or give what it holds;
// this test is for crashes, so the values are not compared.
IN_EVERY_PLACE(damage, random_bytes_in_frames)
{
    struct victim v = small_victim(*place);
    uint8_t block[1024], *read = malloc(v.n_slots);
    size_t n_block = v.n_good - data_of(v.good);
    uint64_t seed = 77;
    for (int i = 0; i < 2000; i++) {
        memcpy(block, v.good + data_of(v.good), n_block);
        for (int k = 0; k <= i % 3; k++)
            block[next_random(&seed) % n_block] = (uint8_t)next_random(&seed);
        set_block(&v, block, n_block);
        enum status status = read_values(&v, read);
        cr_assert(status == STATUS_OK || status == STATUS_CORRUPT);
    }
    free(read);
    free_victim(&v);
}
