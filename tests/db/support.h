// support.h: what the tests of db/ share: temporary directories, tables with made-up values,
// and files as bytes. Everything is static inline; what fails here fails the test.

#ifndef MERELS_TESTS_DB_SUPPORT_H
#define MERELS_TESTS_DB_SUPPORT_H

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/codec.h"
#include "db/manifest.h"
#include "db/tablebase.h"
#include "db/value_hash.h"
#include "db/writer.h"

#define OK(call) cr_assert_eq((call), STATUS_OK, "%s: %s", #call, test_error.text)
#define FAILS(call, expected)                                                  \
    do {                                                                       \
        enum status status_of_call = (call);                                   \
        cr_assert_eq(status_of_call, (expected), "%s: %s (%s), not %s", #call, \
                     merels_status_name(status_of_call), test_error.text,      \
                     merels_status_name(expected));                            \
    } while (0)

static struct error test_error;

// ---- random numbers ------------------------------------------------------------------------

static inline uint64_t mix(uint64_t x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static inline uint64_t next_random(uint64_t *state)
{
    return mix((*state)++);
}

// ---- rules ---------------------------------------------------------------------------------

static inline struct rules *make_rules(const char *text)
{
    struct rules *rules = malloc(sizeof *rules);
    cr_assert_not_null(rules);
    OK(merels_rules_parse(text, rules, NULL, &test_error));
    return rules;
}

static inline point_set set_of(const struct board *board, const char *names)
{
    point_set set = 0;
    for (const char *at = names; at[0] != '\0'; at += 2 + (at[2] == ','))
        set |= (point_set)1 << merels_board_point(board, at);
    return set;
}

// The smallest image of a pair of sets: the name of its orbit.
static inline uint64_t orbit_of(const struct board *board, point_set own, point_set other)
{
    uint64_t best = UINT64_MAX;
    for (int s = 0; s < board->n_symmetries; s++) {
        uint64_t image =
            (uint64_t)board_image(board, s, other) << 24 | board_image(board, s, own);
        best = image < best ? image : best;
    }
    return best;
}

// ---- directories and files -----------------------------------------------------------------

// A new directory in /tmp; free the name with remove_dir.
static inline char *make_dir(const char *name)
{
    char *dir = malloc(256);
    cr_assert_not_null(dir);
    snprintf(dir, 256, "/tmp/%s.XXXXXX", name);
    cr_assert_not_null(mkdtemp(dir));
    return dir;
}

static inline void remove_dir(char *dir)
{
    char path[1024];
    DIR *stream = opendir(dir);
    cr_assert_not_null(stream);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove(path);
    }
    closedir(stream);
    cr_assert_eq(rmdir(dir), 0);
    free(dir);
}

static inline int count_files(const char *dir)
{
    int n = 0;
    DIR *stream = opendir(dir);
    cr_assert_not_null(stream);
    while (readdir(stream) != NULL)
        n++;
    closedir(stream);
    return n - 2;
}

static inline void file_path(char path[512], const char *dir, const char *name)
{
    snprintf(path, 512, "%s/%s", dir, name);
}

static inline uint8_t *load_bytes(const char *dir, const char *name, size_t *n)
{
    char path[512];
    file_path(path, dir, name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    *n = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*n + 1);
    cr_assert_eq(fread(bytes, 1, *n, file), *n);
    bytes[*n] = '\0';
    fclose(file);
    return bytes;
}

static inline void store_bytes(const char *dir, const char *name, const void *bytes, size_t n)
{
    char path[512];
    file_path(path, dir, name);
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fwrite(bytes, 1, n, file), n);
    cr_assert_eq(fclose(file), 0);
}

// ---- tables --------------------------------------------------------------------------------

enum { TEST_MAX_WIN = 25, TEST_MAX_LOSS = 26 };

// A made-up value that depends on the orbit of the position and the seed only.
static inline uint8_t value_of(const struct board *board, const struct position *pos,
                               uint64_t seed)
{
    uint64_t x = mix(seed ^ orbit_of(board, pos->own, pos->other));
    return x % 3 == 0 ? DTM_DRAW : (uint8_t)((x >> 8) % (TEST_MAX_LOSS + 1));
}

// Such values for a whole subspace, malloc'ed.
static inline uint8_t *values_of(const struct rules *rules, struct subspace s, uint64_t seed)
{
    struct index *index;
    struct position pos;
    uint64_t n_slots = merels_subspace_slots(&rules->board, s);
    uint8_t *values = malloc(n_slots);
    cr_assert_not_null(values);
    OK(merels_index_create(&rules->board, &index, &test_error));
    for (uint64_t slot = 0; slot < n_slots; slot++) {
        OK(merels_index_unrank(index, s, slot, &pos, &test_error));
        values[slot] = value_of(&rules->board, &pos, seed);
    }
    merels_index_destroy(index);
    return values;
}

// Statistics that a header accepts and that allow every made-up value, not the true ones.
static inline struct table_stats stats_for(const struct rules *rules, struct subspace s,
                                           const uint8_t *values)
{
    uint64_t n_orbits = merels_subspace_orbits(&rules->board, s);
    struct table_stats stats = {.max_win = TEST_MAX_WIN, .max_loss = TEST_MAX_LOSS};
    bool one = n_orbits == 1;
    stats.win = !one || (values[0] != DTM_DRAW && values[0] % 2 == 1);
    stats.loss = !one || values[0] % 2 == 0;
    stats.draw = n_orbits - stats.win - stats.loss;
    if (stats.win == 0)
        stats.max_win = -1;
    if (stats.loss == 0)
        stats.max_loss = -1;
    return stats;
}

// Compresses and appends n_bytes of values (wdl: packed), block_bytes to a block.
static inline void append_blocks(struct table_writer *writer, enum edition edition,
                                 const uint8_t *values, size_t n_bytes, size_t block_bytes)
{
    struct block_coder *coder;
    size_t room = merels_block_bound(block_bytes), n_out;
    uint8_t *out = malloc(room);
    OK(merels_block_coder_create(edition, &coder, &test_error));
    for (size_t at = 0; at < n_bytes; at += block_bytes) {
        size_t n = n_bytes - at < block_bytes ? n_bytes - at : block_bytes;
        OK(merels_block_compress(coder, values + at, n, out, room, &n_out, &test_error));
        OK(merels_table_append(writer, out, n_out, &test_error));
    }
    merels_block_coder_destroy(coder);
    free(out);
}

static inline void append_values(struct table_writer *writer, const uint8_t *values,
                                 uint64_t n_slots)
{
    append_blocks(writer, EDITION_DTM, values, (size_t)n_slots, DTM_BLOCK_SLOTS);
}

static inline void write_table(const char *dir, const struct rules *rules, struct subspace s,
                               const uint8_t *values)
{
    struct table_writer *writer;
    uint64_t n_slots = merels_subspace_slots(&rules->board, s);
    uint8_t hash[SHA256_BYTES];
    struct table_stats stats = stats_for(rules, s, values);
    OK(merels_value_hash(EDITION_DTM, 1, values, n_slots, hash, &test_error));
    OK(merels_table_create(dir, rules, s, EDITION_DTM, 1, &writer, &test_error));
    append_values(writer, values, n_slots);
    OK(merels_table_finish(writer, &stats, hash, &test_error));
}

static inline void make_table(const char *dir, const struct rules *rules, struct subspace s,
                              uint64_t seed)
{
    uint8_t *values = values_of(rules, s, seed);
    write_table(dir, rules, s, values);
    free(values);
}

// ---- headers of files in memory ------------------------------------------------------------

// Makes both checks of a changed header right again.
static inline void fix_header(uint8_t *bytes)
{
    put_le(bytes + 12, 4, merels_xxh64(bytes, 12));
    put_le(bytes + 248, 8, merels_xxh64(bytes, 248));
}

// Where things stand in a table file.
static inline uint64_t blocks_of(const uint8_t *bytes)
{
    return get_le(bytes + 136, 8);
}

static inline uint64_t groups_of(const uint8_t *bytes)
{
    return (blocks_of(bytes) + 127) / 128;
}

static inline uint64_t entries_of(const uint8_t *bytes)
{
    return 256 + 16 * groups_of(bytes);
}

static inline uint64_t data_of(const uint8_t *bytes)
{
    return entries_of(bytes) + 16 * blocks_of(bytes);
}

static inline uint64_t start_of_block(const uint8_t *bytes, uint64_t block)
{
    return block == 0 ? data_of(bytes)
                      : get_le(bytes + entries_of(bytes) + 16 * (block - 1), 8);
}

// The same for the groups of the block index, header included.
static inline void fix_groups(uint8_t *bytes)
{
    put_le(bytes + 152, 8, merels_xxh64(bytes + 256, (size_t)groups_of(bytes) * 16));
    fix_header(bytes);
}

// The same for the entries of the blocks, groups and header included.
static inline void fix_index(uint8_t *bytes)
{
    for (uint64_t g = 0; g < groups_of(bytes); g++) {
        uint64_t first = 128 * g, rest = blocks_of(bytes) - first;
        put_le(bytes + 256 + 16 * g + 8, 8,
               merels_xxh64(bytes + entries_of(bytes) + 16 * first,
                            (size_t)(rest < 128 ? rest : 128) * 16));
    }
    fix_groups(bytes);
}

#endif
