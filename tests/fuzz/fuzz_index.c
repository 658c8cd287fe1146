// fuzz_index.c: fuzz target: any bytes as the file of a table, block index and blocks included.
// Whatever its offsets say, a read ends with values or with an error, twice the same.
//
// The first byte of an input says which table it is taken for, whether checksums and length are
// made right before (a damaged index without them would be refused at once), and whether the
// rules are known: their fingerprint takes as long as all the rest.

#include "db/memory_source.h"
#include "db/reader.h"
#include "tests/fuzz/fuzz_tables.h"

enum { N_KINDS = 4, STAMPED = 4, WITH_LENGTH = 8, WITH_RULES = 0xF0, MOST_SLOTS = 40000 };

static const struct kind {
    const char *rules;
    struct subspace subspace;
    enum edition edition;
    int value_bytes;
} kinds[N_KINDS] = {
    {"nine", {4, 4, 0, 0}, EDITION_DTM, 1}, // two groups of blocks
    {"three", {3, 3, 0, 0}, EDITION_DTM, 1},
    {"six", {4, 4, 0, 0}, EDITION_DTM, 2}, // several blocks
    {"nine", {4, 3, 0, 0}, EDITION_WDL, 0},
};

size_t fuzz_seeds(struct seed *seeds, size_t room)
{
    size_t n = 0;
    const int flags[] = {WITH_RULES, STAMPED, STAMPED | WITH_LENGTH};
    for (int k = 0; k < N_KINDS; k++)
        for (int i = 0; i < 3 && n < room; i++, n++) {
            const struct kind *kind = &kinds[k];
            seeds[n] =
                make_table(kind->rules, kind->subspace, kind->edition, kind->value_bytes, 1);
            *(uint8_t *)seeds[n].bytes = (uint8_t)(k | flags[i]);
        }
    return n;
}

static bool read_twice(const struct table *table, uint64_t first, uint64_t n)
{
    static uint8_t values[2][2 * MOST_SLOTS];
    enum status status[2];
    int width = merels_table_header(table)->value_bytes;
    for (int k = 0; k < 2; k++) {
        struct error err = {.text = ""};
        status[k] = merels_table_read(table, first, n, values[k], &err);
        demand(status[k] == STATUS_OK || (status[k] == STATUS_CORRUPT && err.text[0] != '\0'));
    }
    demand(status[0] == status[1]);
    demand(status[0] != STATUS_OK ||
           memcmp(values[0], values[1], (size_t)n * (width > 0 ? (size_t)width : 1)) == 0);
    return status[0] == STATUS_OK;
}

static void read_some(const struct table *table)
{
    uint64_t all = merels_table_header(table)->n_slots;
    uint64_t step = merels_table_header(table)->block_slots;
    bool good = read_twice(table, 0, 1);
    good &= read_twice(table, all - 1, 1);
    for (uint64_t k = 0; k < 12; k++) {
        uint64_t first = k * 23 * step % all, rest = all - first;
        good &= read_twice(table, first, rest < 100 ? rest : 100);
    }
    if (2 * step + 5 < all && 2 * step < MOST_SLOTS)
        good &= read_twice(table, step - 3, step + 7); // from block to block
    fuzz_accepted += good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    const int which = data[0] % N_KINDS;
    char name[TABLE_NAME_BYTES];
    uint8_t *bytes = malloc(size);
    demand(bytes != NULL);
    memcpy(bytes, data + 1, size - 1);
    if (data[0] & STAMPED)
        stamp_table(bytes, size - 1, (data[0] & WITH_LENGTH) != 0);
    merels_table_name(kinds[which].subspace, kinds[which].edition, name);
    const struct memory_piece piece = {name, bytes, size - 1};
    const struct memory_pieces pieces = {1, &piece};
    const struct byte_source source = merels_memory_source(&pieces);
    struct table_reader *reader;
    struct table *table;
    struct error err = {.text = ""};
    demand(merels_reader_create(&source, &reader, NULL) == STATUS_OK);
    if (merels_reader_load_table(
            reader,
            (data[0] & WITH_RULES) == WITH_RULES ? rules_called(kinds[which].rules) : NULL,
            kinds[which].subspace, kinds[which].edition, 0, &table, &err) == STATUS_OK) {
        read_some(table);
        merels_table_close(table);
    } else {
        demand(err.text[0] != '\0');
    }
    merels_reader_destroy(reader);
    free(bytes);
    return 0;
}
