// kernel_turn.c: the turn: the same pair of sets seen from the other side.
//
// The only random memory access of the solver: one canonical look-up, prefetched in batches,
// and one place in another row, which goes through the lists of turns.h.

#include "kernels/kernel_level.h"

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

// Where an item goes: the list of its bucket, or false if there is none or no room.
static inline bool send(struct turn_lists *lists, uint32_t **ends, uint32_t row,
                        uint32_t column, int value_bits, uint32_t value)
{
    if (ends == NULL)
        return false;
    uint32_t place = (row & ((1u << lists->row_bits) - 1)) << lists->column_bits | column;
    return turn_push(lists->pool, &ends[row >> lists->row_bits], place << value_bits | value);
}

static inline uint32_t **ends_of(struct turn_lists *lists, const struct workspace *work)
{
    return lists->ends == NULL ? NULL : lists->ends + (size_t)work->thread * lists->n_buckets;
}

static void set_bit(const struct side *target, int fresh, uint32_t row, uint32_t column)
{
    uint64_t *word = target->fresh[fresh] + row * target->row_words + column / 64;
    __atomic_fetch_or(word, (uint64_t)1 << (column & 63), __ATOMIC_RELAXED);
    __atomic_store_n(&target->touched[fresh][row], 1, __ATOMIC_RELAXED);
}

static void send_bits(const struct row *row, struct side *target, int fresh,
                      struct workspace *work)
{
    struct turn_batch *t = &work->turns;
    struct turn_lists *lists = &target->lists[fresh];
    uint32_t **ends = ends_of(lists, work);
    look_up(row, target, row->columns->sets, t);
    for (uint32_t k = 0; k < t->n; k++) {
        uint32_t entry = t->entry[k], target_row = entry >> TURN_ROW_SHIFT;
        FOR_EACH_COLUMN(column, entry, row, target, target->ranks)
        {
            if (!send(lists, ends, target_row, column, 0, 0))
                set_bit(target, fresh, target_row, column);
        }
    }
    t->n = 0;
}

void AT_LEVEL(turn_bits)(const struct row *row, const uint64_t *bits, int fresh,
                         struct workspace *work)
{
    struct turn_batch *t = &work->turns;
    struct side *target = row->side->turned;
    for (size_t w = 0; w < row->side->row_words; w++)
        for (uint64_t rest = bits[w]; rest != 0; rest &= rest - 1) {
            t->column[t->n++] = (uint32_t)(w * 64) + (uint32_t)bit_lowest(rest);
            if (t->n == TURN_BATCH)
                send_bits(row, target, fresh, work);
        }
    send_bits(row, target, fresh, work);
}

void AT_LEVEL(turn_bytes)(const struct row *row, struct side *target, uint8_t *array,
                          struct workspace *work)
{
    struct turn_batch *t = &work->turns;
    struct turn_lists *lists = &target->lists[0];
    uint32_t **ends = ends_of(lists, work);
    look_up(row, target, row->columns->sets, t);
    for (uint32_t k = 0; k < t->n; k++) {
        uint32_t entry = t->entry[k], target_row = entry >> TURN_ROW_SHIFT;
        FOR_EACH_COLUMN(column, entry, row, target, target->ranks)
        {
            if (!send(lists, ends, target_row, column, 8, t->value[k]))
                __atomic_store_n(&array[(uint64_t)target_row * target->n_columns + column],
                                 t->value[k], __ATOMIC_RELAXED);
        }
    }
    t->n = 0;
}
