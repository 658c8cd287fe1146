// wide.h: tables of made-up depths that need two bytes a value.

#ifndef MERELS_TESTS_DB_WIDE_H
#define MERELS_TESTS_DB_WIDE_H

#include "tests/db/support.h"

enum { WIDE_MAX_WIN = 40001, WIDE_MAX_LOSS = 40000 };

// A made-up depth that depends on the orbit of the position and the seed only; -1 for a draw.
static inline int wide_depth_of(const struct board *board, const struct position *pos,
                                uint64_t seed)
{
    uint64_t x = mix(seed ^ orbit_of(board, pos->own, pos->other));
    return x % 3 == 0 ? -1 : (int)((x >> 8) % (WIDE_MAX_WIN + 1));
}

// Such depths for a whole subspace as they stand in a table, malloc'ed.
static inline uint8_t *wide_values_of(const struct rules *rules, struct subspace s,
                                      uint64_t seed)
{
    struct index *index;
    struct position pos;
    uint64_t n_slots = merels_subspace_slots(&rules->board, s);
    uint8_t *values = malloc(2 * n_slots);
    cr_assert_not_null(values);
    OK(merels_index_create(&rules->board, &index, &test_error));
    for (uint64_t slot = 0; slot < n_slots; slot++) {
        OK(merels_index_unrank(index, s, slot, &pos, &test_error));
        put_le(values + 2 * slot, 2, (uint16_t)wide_depth_of(&rules->board, &pos, seed));
    }
    merels_index_destroy(index);
    return values;
}

// Writes them; the statistics are such that a header accepts, not the true ones.
static inline void write_wide_table(const char *dir, const struct rules *rules,
                                    struct subspace s, const uint8_t *values)
{
    struct table_writer *writer;
    uint64_t n_slots = merels_subspace_slots(&rules->board, s);
    uint8_t hash[SHA256_BYTES];
    struct table_stats stats = {.win = 1,
                                .draw = merels_subspace_orbits(&rules->board, s) - 2,
                                .loss = 1,
                                .max_win = WIDE_MAX_WIN,
                                .max_loss = WIDE_MAX_LOSS};
    OK(merels_value_hash(EDITION_DTM, 2, values, n_slots, hash, &test_error));
    OK(merels_table_create(dir, rules, s, EDITION_DTM, 2, &writer, &test_error));
    append_blocks(writer, EDITION_DTM, values, 2 * n_slots, 2 * DTM_BLOCK_SLOTS);
    OK(merels_table_finish(writer, &stats, hash, &test_error));
}

#endif
