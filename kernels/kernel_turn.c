// kernel_turn.c: the turn: the same pair of sets seen from the other side.
//
// The only random memory access of the solver: one canonical look-up, prefetched in batches,
// and one place in another row, which goes through the lists of turns.h.
//
//     column of this row    the mover's set: pushed together -> on the board -> its rank
//       | prefetch            entry of the rank: canonical row, and the symmetry that leads
//       there
//       v
//     row, column there     this row's set under that symmetry, pushed together -> its rank
//       |
//       v
//     item in the list of the row's bucket
//
// Two loops, so that the look-ups of a whole batch are on their way at the same time.

#include "kernels/kernel_level.h"

// Where a batch of turns goes, together: the loop below writes to memory, so whatever it has to
// look up behind a pointer would be looked up for every turn.
struct journey {
    const struct row *row;
    const struct side *target;
    const struct turn_lists *lists;
    uint32_t **ends; // NULL: no lists
    int thread;
    int men;        // of the arrived sets
    int value_bits; // of an item
    const uint32_t *entries;
    const point_set *rows;
    point_set points;
    const uint32_t *low, *high; // ranks of the arrived sets
    const struct rank_tables *ranks;
    struct point_mask free; // the points of the row's compact sets
};

static struct journey plan_journey(const struct row *row, const struct side *target,
                                   const struct turn_lists *lists, int men, int value_bits,
                                   const struct workspace *work)
{
    return (struct journey){
        .row = row,
        .target = target,
        .lists = lists,
        .ends =
            lists->ends == NULL ? NULL : lists->ends + (size_t)work->thread * lists->n_buckets,
        .thread = work->thread,
        .men = men,
        .value_bits = value_bits,
        .entries = target->rows->entries,
        .rows = target->rows->rows->sets,
        .points = target->rules->board.points,
        .low = target->ranks->low,
        .high = target->ranks->high[men],
        .ranks = target->ranks,
        .free = point_mask_of(row->free),
    };
}

// Takes in the columns of a word of bits; `first` is that of bit 0. Returns the new n.
static inline uint32_t collect(const struct row *row, const struct side *target,
                               const struct point_mask free, uint64_t bits, uint32_t first,
                               uint32_t n, uint32_t *ranks)
{
    const uint32_t *sets = row->columns->sets + first, *entries = target->rows->entries;
    const uint32_t *low = target->ranks->low, *high = target->ranks->high[target->rows->men];
    for (; bits != 0; bits &= bits - 1) {
        point_set set = points_apart(&free, sets[bit_lowest(bits)]);
        uint32_t rank = low[set & 0xFFF] + high[set >> 12];
        bit_prefetch(&entries[rank]);
        ranks[n++] = rank;
    }
    return n;
}

// The arrived set, in the numbers of the row that it arrives in, has this rank.
static inline uint32_t rank_there(const struct journey *j, point_set set, point_set canonical)
{
    point_set compact = push_together(j->ranks, set, j->points & ~canonical);
    return j->low[compact & 0xFFF] + j->high[compact >> 12];
}

static inline uint32_t item_of(const struct turn_lists *lists, uint32_t place, uint32_t column,
                               int value_bits, uint32_t value)
{
    uint32_t in_bucket = (place & ((1u << lists->row_bits) - 1)) << lists->column_bits | column;
    return in_bucket << value_bits | value;
}

// Carries out a turn at once: a code, or a bit of fresh[value]; or keeps it for another rank.
static void put(const struct journey *j, const struct source *source, uint32_t place,
                uint32_t column, uint32_t value)
{
    uint32_t in_reach = place;
    place -= j->target->range.first - j->target->reach.first;
    if (place >= j->target->range.n) {
        uint32_t item =
            item_of(j->lists, in_reach, column, j->value_bits, source != NULL ? value : 0);
        merels_turn_keep(j->lists, j->thread, in_reach >> j->lists->row_bits, item);
        return;
    }
    if (source != NULL) {
        __atomic_store_n(&source->value[(uint64_t)place * source->n_columns + column],
                         (uint8_t)value, __ATOMIC_RELAXED);
        return;
    }
    uint64_t *word = j->target->fresh[value] + place * j->target->row_words + column / 64;
    __atomic_fetch_or(word, (uint64_t)1 << (column & 63), __ATOMIC_RELAXED);
    __atomic_store_n(&j->target->touched[value][place], 1, __ATOMIC_RELAXED);
}

// A turn with all that can be special about it: the row is out of reach; it has symmetries, so
// that the position stands in it several times; a list is full, or there is none.
static void send_specially(const struct journey *j, const struct source *source, uint32_t entry,
                           uint32_t value)
{
    uint32_t number = entry >> CANON_ROW_SHIFT, place = number - j->target->reach.first;
    if (place >= j->target->reach.n)
        return;
    point_set set = j->row->images[entry & CANON_SYMMETRY_MASK];
    uint64_t images =
        entry & CANON_SYMMETRIC ? row_stabilizer(j->target->rows->rows, number) : 1;
    for (; images != 0; images &= images - 1) {
        point_set image = board_image(&j->target->rules->board, bit_lowest(images), set);
        uint32_t column = rank_there(j, image, j->rows[number]);
        uint32_t item =
            item_of(j->lists, place, column, j->value_bits, source != NULL ? value : 0);
        if (j->ends == NULL ||
            !turn_push(j->lists->pool, &j->ends[place >> j->lists->row_bits], item))
            put(j, source, place, column, value);
    }
}

// Sends n turns; values[k] goes with number k, or `fresh` with all if there are no values.
static inline void send(const struct journey journey, const struct source *source,
                        const uint32_t *ranks, const uint8_t *values, int fresh, uint32_t n)
{
    const point_set *images = journey.row->images;
    const uint32_t first = journey.target->reach.first, n_rows = journey.target->reach.n;
    const struct turn_lists lists = *journey.lists;
    const int value_bits = values != NULL ? 8 : 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t entry = journey.entries[ranks[k]], value = values != NULL ? values[k] : 0;
        uint32_t number = entry >> CANON_ROW_SHIFT, place = number - first;
        bool special = (entry & CANON_SYMMETRIC) != 0 || place >= n_rows;
        if (special || journey.ends == NULL) {
            send_specially(&journey, source, entry, values != NULL ? value : (uint32_t)fresh);
            continue;
        }
        uint32_t column =
            rank_there(&journey, images[entry & CANON_SYMMETRY_MASK], journey.rows[number]);
        uint32_t item = item_of(&lists, place, column, value_bits, value);
        uint32_t **list = &journey.ends[place >> lists.row_bits], *end = *list;
        if (turn_chunk_is_full(end)) {
            send_specially(&journey, source, entry, values != NULL ? value : (uint32_t)fresh);
            continue;
        }
        *end = item;
        *list = end + 1;
    }
}

void AT_LEVEL(turn_bits)(const struct row *row, const uint64_t *bits, int fresh,
                         struct workspace *work)
{
    struct turn_batch *t = &work->turns;
    const struct side *target = row->side->turned;
    const struct journey j =
        plan_journey(row, target, &target->lists[fresh], target->columns.n_men, 0, work);
    uint32_t n = 0;
    for (size_t w = 0; w < row->side->row_words; w++) {
        n = collect(row, target, j.free, bits[w], (uint32_t)w * 64, n, t->ranks);
        if (n > TURN_BATCH - 64) {
            send(j, NULL, t->ranks, NULL, fresh, n);
            n = 0;
        }
    }
    send(j, NULL, t->ranks, NULL, fresh, n);
}

// The source's columns are those of the arrived sets, its rows those of the side.
void AT_LEVEL(turn_codes)(const struct row *row, const struct side *side,
                          const struct source *source, const uint8_t *codes,
                          struct workspace *work)
{
    struct turn_batch *t = &work->turns;
    const struct journey j =
        plan_journey(row, side, &source->lists, source->columns->n_men, 8, work);
    uint32_t n_columns = row->columns->n_columns, n = 0;
    for (uint32_t first = 0; first < n_columns; first += 64) {
        int here = n_columns - first < 64 ? (int)(n_columns - first) : 64;
        uint64_t bits = low_bits(here) & ~bytes_equal(codes + first, here, DTM_DRAW);
        uint32_t m = n;
        for (uint64_t rest = bits; rest != 0; rest &= rest - 1)
            t->codes[m++] = codes[first + (uint32_t)bit_lowest(rest)];
        n = collect(row, side, j.free, bits, first, n, t->ranks);
        if (n > TURN_BATCH - 64) {
            send(j, source, t->ranks, t->codes, 0, n);
            n = 0;
        }
    }
    send(j, source, t->ranks, t->codes, 0, n);
}
