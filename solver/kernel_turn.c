// kernel_turn.c: the turn: the same pair of sets seen from the other side.
//
// The only random memory access of the solver: one canonical look-up and one place in another
// row. Turns are collected in batches and go through three loops, each prefetching what the
// next one needs, so that dozens of cache misses are under way at once.

#include "solver/kernel_level.h"

// Calls for every slot that holds the turned position: the canonical row's symmetries map one
// slot to the others, and each of them carries the value.
#define FOR_EACH_COLUMN(column, entry, row, target, ranks)                     \
    for (uint32_t images_left = turn_images(entry, target), column;            \
         images_left != 0 &&                                                   \
         (column = turn_column(entry, row, target, ranks, images_left), true); \
         images_left &= images_left - 1)

static inline uint32_t turn_images(uint32_t entry, const struct side *target)
{
    return entry & TURN_SYMMETRIC ? target->rows->rows->stabilizers[entry >> TURN_ROW_SHIFT]
                                  : 1;
}

static inline uint32_t turn_column(uint32_t entry, const struct row *row,
                                   const struct side *target, const struct rank_tables *ranks,
                                   uint32_t images)
{
    const struct board *board = &target->rules->board;
    point_set canonical = target->rows->rows->sets[entry >> TURN_ROW_SHIFT];
    point_set set = row->images[entry & TURN_SYMMETRY_MASK];
    if (entry & TURN_SYMMETRIC)
        set = board_image(board, bit_lowest(images), set);
    point_set compact = (point_set)bit_extract(set, board->points & ~canonical);
    return rank_set(ranks, target->columns.n_men, compact);
}

// Canonical look-ups of the batch: columns -> ranks -> entries.
static inline void look_up(const struct row *row, const struct side *target,
                           const uint32_t *sets, struct turn_batch *t)
{
    const struct canon *canon = target->rows;
    for (uint32_t k = 0; k < t->n; k++) {
        point_set set = (point_set)bit_deposit(sets[t->column[k]], row->free);
        t->rank[k] = rank_set(target->ranks, canon->men, set);
        bit_prefetch(&canon->entries[t->rank[k]]);
    }
    for (uint32_t k = 0; k < t->n; k++)
        t->entry[k] = canon->entries[t->rank[k]];
}

static void set_fresh(const struct row *row, const struct side *target, int fresh,
                      struct workspace *work)
{
    struct turn_batch *t = &work->turns;
    uint64_t *bits = target->fresh[fresh];
    uint8_t *touched = target->touched[fresh];
    uint32_t n = 0;
    look_up(row, target, row->columns->sets, t);
    for (uint32_t k = 0; k < t->n; k++) {
        uint32_t entry = t->entry[k], target_row = entry >> TURN_ROW_SHIFT;
        FOR_EACH_COLUMN(column, entry, row, target, target->ranks)
        {
            t->place[n] = (uint64_t)target_row * target->row_words * 64 + column;
            bit_prefetch(&bits[t->place[n++] / 64]);
        }
        if (!touched[target_row])
            __atomic_store_n(&touched[target_row], 1, __ATOMIC_RELAXED);
    }
    for (uint32_t k = 0; k < n; k++) {
        uint64_t bit = (uint64_t)1 << (t->place[k] & 63);
        if (work->shared)
            __atomic_fetch_or(&bits[t->place[k] / 64], bit, __ATOMIC_RELAXED);
        else
            bits[t->place[k] / 64] |= bit;
    }
    t->n = 0;
}

void AT_LEVEL(turn_bits)(const struct row *row, const uint64_t *bits, int fresh,
                         struct workspace *work)
{
    struct turn_batch *t = &work->turns;
    const struct side *target = row->side->turned;
    for (size_t w = 0; w < row->side->row_words; w++)
        for (uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
            t->column[t->n++] = (uint32_t)(w * 64) + (uint32_t)bit_lowest(rest);
            if (t->n == TURN_BATCH)
                set_fresh(row, target, fresh, work);
        }
    set_fresh(row, target, fresh, work);
}

void AT_LEVEL(turn_bytes)(const struct row *row, const struct side *target, uint8_t *array,
                          struct workspace *work)
{
    struct turn_batch *t = &work->turns;
    uint32_t n = 0;
    look_up(row, target, row->columns->sets, t);
    for (uint32_t k = 0; k < t->n; k++) {
        uint32_t entry = t->entry[k];
        uint64_t first = (uint64_t)(entry >> TURN_ROW_SHIFT) * target->n_columns;
        FOR_EACH_COLUMN(column, entry, row, target, target->ranks)
        {
            t->place[n] = first + column;
            t->placed[n] = t->value[k];
            bit_prefetch(&array[t->place[n++]]);
        }
    }
    for (uint32_t k = 0; k < n; k++)
        __atomic_store_n(&array[t->place[k]], t->placed[k], __ATOMIC_RELAXED);
    t->n = 0;
}
