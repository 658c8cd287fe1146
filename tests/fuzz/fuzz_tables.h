// fuzz_tables.h: files of tables in memory: made by the writer, and with their checksums made
// right again after a change, so that damage comes through to what reads behind them.

#ifndef MERELS_TESTS_FUZZ_TABLES_H
#define MERELS_TESTS_FUZZ_TABLES_H

#include <unistd.h>

#include "db/block_index.h"
#include "db/codec.h"
#include "db/file.h"
#include "db/writer.h"
#include "tests/fuzz/fuzz.h"

// ---- making --------------------------------------------------------------------------------

// Rules by name, made once: they are large.
static inline const struct rules *rules_called(const char *name)
{
    static struct {
        char name[16];
        struct rules *rules;
    } known[4];
    int k = 0;
    while (known[k].rules != NULL && strcmp(known[k].name, name) != 0)
        demand(++k < 4);
    if (known[k].rules == NULL) {
        known[k].rules = malloc(sizeof *known[k].rules);
        snprintf(known[k].name, sizeof known[k].name, "%s", name);
        demand(known[k].rules != NULL &&
               merels_rules_parse(name, known[k].rules, NULL, NULL) == STATUS_OK);
    }
    return known[k].rules;
}

// Draws, but for some other values in the first blocks: of them come frames of several kinds,
// short ones, so that a change seldom hits but them.
static inline void fill_block(uint64_t block, uint8_t *values, size_t n)
{
    enum { OTHERS = 200 };
    memset(values, block % 2 == 0 ? 255 : 0, n);
    for (size_t i = 0; i < n && i < OTHERS && block < 4; i++)
        if (block >= 2 || i % (7 + block) == 0)
            values[i] = (uint8_t)(block >= 2 ? (i * i * 2654435761u) >> 24 : i % 9);
}

static inline void append_all(struct table_writer *writer, const struct table_header *header)
{
    struct block_coder *coder;
    static uint8_t values[MAX_BLOCK_BYTES], out[2 * MAX_BLOCK_BYTES];
    demand(merels_block_coder_create(header->edition, &coder, NULL) == STATUS_OK);
    for (uint64_t k = 0; k < merels_block_count(header); k++) {
        size_t n = merels_block_bytes(header, k), n_out;
        fill_block(k, values, n);
        demand(merels_block_compress(coder, values, n, out, sizeof out, &n_out, NULL) ==
               STATUS_OK);
        demand(merels_table_append(writer, out, n_out, NULL) == STATUS_OK);
    }
    merels_block_coder_destroy(coder);
}

// The bytes of a table, with `front` bytes of value 0 before them; malloc'ed.
static inline struct seed make_table(const char *rules_name, struct subspace s,
                                     enum edition edition, int value_bytes, size_t front)
{
    char dir[] = "/tmp/merels-fuzz-XXXXXX", name[TABLE_NAME_BYTES], *path, *bytes;
    size_t n;
    const struct rules *rules = rules_called(rules_name);
    const uint8_t hash[SHA256_BYTES] = {1};
    struct table_writer *writer;
    struct table_stats stats = {
        .draw = merels_subspace_orbits(&rules->board, s), .max_win = -1, .max_loss = -1};
    struct table_header header = {.edition = edition,
                                  .value_bytes = value_bytes,
                                  .n_slots = merels_subspace_slots(&rules->board, s)};
    demand(mkdtemp(dir) != NULL);
    demand(merels_table_create(dir, rules, s, edition, value_bytes, &writer, NULL) ==
           STATUS_OK);
    append_all(writer, &header);
    demand(merels_table_finish(writer, &stats, hash, NULL) == STATUS_OK);
    merels_table_name(s, edition, name);
    demand(merels_path_join(dir, name, "", &path, NULL) == STATUS_OK);
    demand(merels_file_load(path, 1 << 20, &bytes, &n, NULL) == STATUS_OK);
    demand(merels_file_remove(path, NULL) == STATUS_OK && rmdir(dir) == 0);
    free(path);
    uint8_t *all = calloc(1, front + n);
    demand(all != NULL);
    memcpy(all + front, bytes, n);
    free(bytes);
    return (struct seed){all, front + n};
}

// ---- checksums -----------------------------------------------------------------------------

static inline void stamp_header(uint8_t *bytes)
{
    put_le(bytes + 12, 4, merels_xxh64(bytes, 12));
    put_le(bytes + 248, 8, merels_xxh64(bytes, 248));
}

static inline void stamp_blocks(uint8_t *bytes, size_t n, const struct block_index *index)
{
    uint64_t start = index->data;
    for (uint64_t k = 0; k < index->n_blocks; k++) {
        uint8_t *entry = bytes + index->entries + k * INDEX_ENTRY_BYTES;
        uint64_t end = get_le(entry, 8);
        if (start <= end && end <= n)
            put_le(entry + 8, 8, merels_xxh64(bytes + start, (size_t)(end - start)));
        start = end;
    }
}

// All checksums of a table file that lie inside it, as its header says where.
static inline void stamp_table(uint8_t *bytes, size_t n, bool with_length)
{
    if (n < TABLE_HEADER_BYTES)
        return;
    const struct block_index index = merels_block_index(get_le(bytes + 136, 8) & 0xFFFF);
    if (with_length)
        put_le(bytes + 144, 8, n);
    if (index.data <= n) {
        stamp_blocks(bytes, n, &index);
        for (uint64_t g = 0; g < index.n_groups; g++)
            put_le(bytes + TABLE_HEADER_BYTES + g * INDEX_ENTRY_BYTES + 8, 8,
                   merels_xxh64(bytes + index.entries + g * GROUP_BLOCKS * INDEX_ENTRY_BYTES,
                                (size_t)merels_group_blocks(&index, g) * INDEX_ENTRY_BYTES));
        put_le(bytes + 152, 8,
               merels_xxh64(bytes + TABLE_HEADER_BYTES,
                            (size_t)index.n_groups * INDEX_ENTRY_BYTES));
    }
    stamp_header(bytes);
}

#endif
