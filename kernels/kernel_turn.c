// kernel_turn.c: the turn: the same pair of sets seen from the other side.
//
// The only random memory access of the solver: one canonical look-up, prefetched in batches,
// and one place in another row, which goes through the lists of turns.h.

#include "kernels/kernel_level.h"

// Calls for every column of the target's row, for sets of `men` men, that holds the turned
// position: the canonical row's symmetries map one to the others, and each carries the value.
#define FOR_EACH_COLUMN(column, entry, row, target, men)                     \
    for (uint32_t images_left = turn_images(entry, target), column;          \
         images_left != 0 &&                                                 \
         (column = turn_column(entry, row, target, men, images_left), true); \
         images_left &= images_left - 1)

static inline uint32_t turn_images(uint32_t entry, const struct side *target)
{
    return entry & CANON_SYMMETRIC ? target->rows->rows->stabilizers[entry >> CANON_ROW_SHIFT]
                                   : 1;
}

static inline uint32_t turn_column(uint32_t entry, const struct row *row,
                                   const struct side *target, int men, uint32_t images)
{
    const struct board *board = &target->rules->board;
    point_set canonical = target->rows->rows->sets[entry >> CANON_ROW_SHIFT];
    point_set set = row->images[entry & CANON_SYMMETRY_MASK];
    if (entry & CANON_SYMMETRIC)
        set = board_image(board, bit_lowest(images), set);
    point_set compact = (point_set)bit_extract(set, board->points & ~canonical);
    return rank_set(target->ranks, men, compact);
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

// Sends an item to the list of its bucket; false if there is none or no room. `place` is that
// of the row in memory.
static inline bool send(const struct turn_lists *lists, uint32_t **ends, uint32_t place,
                        uint32_t column, int value_bits, uint32_t value)
{
    if (ends == NULL)
        return false;
    uint32_t in_bucket = (place & ((1u << lists->row_bits) - 1)) << lists->column_bits | column;
    return turn_push(lists->pool, &ends[place >> lists->row_bits],
                     in_bucket << value_bits | value);
}

static inline uint32_t **ends_of(const struct turn_lists *lists, const struct workspace *work)
{
    return lists->ends == NULL ? NULL : lists->ends + (size_t)work->thread * lists->n_buckets;
}

static void set_bit(const struct side *target, int fresh, uint32_t place, uint32_t column)
{
    uint64_t *word = target->fresh[fresh] + place * target->row_words + column / 64;
    __atomic_fetch_or(word, (uint64_t)1 << (column & 63), __ATOMIC_RELAXED);
    __atomic_store_n(&target->touched[fresh][place], 1, __ATOMIC_RELAXED);
}

static void send_bits(const struct row *row, const struct side *target, int fresh,
                      struct workspace *work)
{
    struct turn_batch *t = &work->turns;
    const struct turn_lists *lists = &target->lists[fresh];
    uint32_t **ends = ends_of(lists, work);
    look_up(row, target, row->columns->sets, t);
    for (uint32_t k = 0; k < t->n; k++) {
        uint32_t entry = t->entry[k];
        uint32_t place = (entry >> CANON_ROW_SHIFT) - target->range.first;
        if (place >= target->range.n)
            continue; // a row that is not in memory
        FOR_EACH_COLUMN(column, entry, row, target, target->columns.n_men)
        {
            if (!send(lists, ends, place, column, 0, 0))
                set_bit(target, fresh, place, column);
        }
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
                send_bits(row, target, fresh, work);
        }
    send_bits(row, target, fresh, work);
}

// The source's columns are those of the arrived sets, its rows those of the side.
void AT_LEVEL(turn_codes)(const struct row *row, const struct side *side,
                          const struct source *source, struct workspace *work)
{
    struct turn_batch *t = &work->turns;
    const struct turn_lists *lists = &source->lists;
    int men = source->columns->n_men;
    uint32_t **ends = ends_of(lists, work);
    look_up(row, side, row->columns->sets, t);
    for (uint32_t k = 0; k < t->n; k++) {
        uint32_t entry = t->entry[k];
        uint32_t place = (entry >> CANON_ROW_SHIFT) - side->range.first;
        if (place >= side->range.n)
            continue;
        FOR_EACH_COLUMN(column, entry, row, side, men)
        {
            if (!send(lists, ends, place, column, 8, t->code[k]))
                __atomic_store_n(&source->value[(uint64_t)place * source->n_columns + column],
                                 t->code[k], __ATOMIC_RELAXED);
        }
    }
    t->n = 0;
}
