// check_row.c: preparing and checking one row.

#include "verify/check_row.h"

#include <assert.h>
#include <string.h>

#include "game/bits.h"

#ifndef MERELS_LEVEL
#define MERELS_LEVEL portable
#define MERELS_LEVEL_TEXT "portable"
#endif
#define PASTE(name, level) merels_verify_##name##_##level
#define EXPAND(name, level) PASTE(name, level)
#define AT_LEVEL(name) EXPAND(name, MERELS_LEVEL)

extern const struct row_checks AT_LEVEL(checks);

// ---- preparing: pairs of one row -----------------------------------------------------------

// Mills whose points are all outside `set`, in numbers of the free points.
static int open_mills(const struct verify_rules *rules, uint32_t set,
                      uint32_t mills[VERIFY_MILLS])
{
    int n = 0;
    for (int k = 0; k < rules->n_mills; k++)
        if ((rules->mills[k] & set) == 0)
            mills[n++] = (uint32_t)bit_extract(rules->mills[k], rules->all & ~set);
    return n;
}

static inline uint32_t men_in_mills(uint32_t men, const uint32_t *mills, int n)
{
    uint32_t safe = 0;
    for (int k = 0; k < n; k++)
        safe |= (mills[k] & men) == mills[k] ? mills[k] : 0;
    return safe;
}

// The best mark among the removals of one of `may_go`.
static inline uint8_t best_removal(const struct verify_index *index, int men_left, uint32_t men,
                                   uint32_t may_go, const uint8_t *smaller)
{
    uint8_t best = MARK_NONE;
    for (; may_go != 0; may_go &= may_go - 1) {
        uint32_t left = men ^ (may_go & (~may_go + 1));
        uint8_t mark = smaller[verify_rank(index, men_left, left)];
        best = mark > best ? mark : best;
    }
    return best;
}

static void close_row(const struct table_view *view, uint32_t set, const uint8_t *smaller,
                      struct room *room, struct pair *pairs)
{
    const struct verify_index *index = view->index;
    const struct verify_rules *rules = &index->rules;
    uint32_t mills[VERIFY_MILLS];
    int n_mills = open_mills(rules, set, mills);
    uint32_t n_smaller =
        smaller ? (uint32_t)index->choose[rules->n_points - view->a_after][view->b - 1] : 0;
    for (uint32_t k = 0; k < n_smaller; k++)
        room->smaller[k] = view->marks[smaller[k]];
    for (uint32_t k = 0; k < view->n_pair_columns; k++) {
        uint32_t men = view->pair_columns[k];
        uint32_t may_go = verify_takable(rules->taking, men, men_in_mills(men, mills, n_mills));
        if (may_go == 0)
            continue; // nothing is removed: the ply is a quiet one
        pairs[k].closed = view->plies.removal_ends
                              ? MARK_ENDED
                              : best_removal(index, view->b - 1, men, may_go, room->smaller);
    }
}

static void prepare_row(const struct table_view *view, uint32_t set, const uint8_t *plain,
                        const uint8_t *smaller, struct room *room, struct pair *pairs)
{
    assert(!view->plies.over && bit_count(set) == view->a_after);
    assert((smaller != NULL) == view->plies.removes);
    for (uint32_t k = 0; k < view->n_pair_columns; k++) {
        uint8_t mark = view->marks[plain[k]];
        pairs[k] = (struct pair){mark, mark};
    }
    if (merels_verify_in_mills(&view->index->rules, set) != 0)
        close_row(view, set, smaller, room, pairs);
}

// ---- checking: one row ---------------------------------------------------------------------

// The row's set, its images, and the board as its free points see it.
struct row {
    uint32_t free;
    uint32_t images[VERIFY_MAPS];
    uint32_t joined[VERIFY_POINTS];              // in numbers of the free points
    uint32_t mates[VERIFY_POINTS][VERIFY_MILLS]; // the other two points of each open mill
    int n_mates; // of every point, filled up with sets that none holds
};

// Point p of the board is the j-th free one.
static void open_point(const struct table_view *view, struct row *row, const uint32_t *mills,
                       int n_mills, int p, int j)
{
    int n = 0;
    row->joined[j] = view->plies.flies
                         ? (uint32_t)low_bits(view->n_free)
                         : (uint32_t)bit_extract(view->index->rules.joined[p], row->free);
    for (int k = 0; k < n_mills; k++)
        if (mills[k] >> j & 1)
            row->mates[j][n++] = mills[k] & ~((uint32_t)1 << j);
    row->n_mates = n > row->n_mates ? n : row->n_mates;
    for (; n < VERIFY_MILLS; n++)
        row->mates[j][n] = UINT32_MAX;
}

static void open_row(const struct table_view *view, uint32_t set, struct row *row)
{
    const struct verify_index *index = view->index;
    const struct verify_rules *rules = &index->rules;
    uint32_t mills[VERIFY_MILLS];
    int n_mills = open_mills(rules, set, mills);
    row->free = rules->all & ~set;
    for (int m = 0; m < index->n_maps; m++)
        row->images[m] = verify_image(index, m, set);
    row->n_mates = 2;
    for (int j = 0, p = 0; p < rules->n_points; p++)
        if (row->free >> p & 1)
            open_point(view, row, mills, n_mills, p, j++);
}

// Fetches what every set that a ply can make is worth. Three loops over a batch, so that many
// accesses are under way at once: class of the set; place of the pair; the pair.
static void fetch(const struct table_view *view, const struct row *row, struct room *room)
{
    const struct verify_index *index = view->index;
    const struct classes *arrived = view->arrived;
    uint8_t *quiet = room->worth, *closed = room->worth + ((size_t)1 << view->n_free);
    const uint32_t *entries[LOOKUPS];
    const struct pair *places[LOOKUPS];
    for (uint32_t first = 0; first < view->n_targets; first += LOOKUPS) {
        uint32_t n = view->n_targets - first < LOOKUPS ? view->n_targets - first : LOOKUPS;
        const uint32_t *targets = view->targets + first;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t set = (uint32_t)bit_deposit(targets[k], row->free);
            entries[k] = &arrived->entries[verify_rank(index, arrived->men, set)];
            __builtin_prefetch(entries[k]);
        }
        for (uint32_t k = 0; k < n; k++) {
            uint32_t number = *entries[k] >> 8;
            uint32_t free = index->rules.all & ~arrived->smallest[number];
            uint32_t men = (uint32_t)bit_extract(row->images[*entries[k] & 255], free);
            places[k] = &view->pairs[(uint64_t)number * view->n_pair_columns +
                                     verify_rank(index, view->b, men)];
            __builtin_prefetch(places[k]);
        }
        for (uint32_t k = 0; k < n; k++) {
            quiet[targets[k]] = places[k]->quiet;
            closed[targets[k]] = places[k]->closed;
        }
    }
}

// 1 if the man that arrives beside `base` closes a mill: one of the pairs of mates stands
// there.
static inline uint32_t closes(uint32_t base, const uint32_t *mates, int n_mates)
{
    uint32_t closed = 0;
    for (int k = 0; k < n_mates; k++)
        closed |= (base & mates[k]) == mates[k];
    return closed;
}

static inline void keep_best(uint8_t *best, uint8_t mark)
{
    *best = mark > *best ? mark : *best;
}

// All moves between two points, both ways, whatever the men that stay.
static inline void moves_between(const struct table_view *view, const struct row *row, int i,
                                 int j, int n_mates, uint8_t *restrict best,
                                 const uint8_t *restrict worth)
{
    uint32_t bit_i = (uint32_t)1 << i, bit_j = (uint32_t)1 << j;
    uint64_t others = low_bits(view->n_free) & ~(uint64_t)(bit_i | bit_j);
    uint32_t mates_i[VERIFY_MILLS], mates_j[VERIFY_MILLS];
    for (int k = 0; k < n_mates; k++) {
        mates_i[k] = row->mates[i][k];
        mates_j[k] = row->mates[j][k];
    }
    const uint32_t *stay = view->stay;
    uint32_t n_stay = view->n_stay;
    int n_free = view->n_free;
    for (uint32_t k = 0; k < n_stay; k++) {
        uint32_t base = (uint32_t)bit_deposit(stay[k], others);
        uint32_t on_i = base | bit_i, on_j = base | bit_j;
        keep_best(&best[on_i], worth[on_j | closes(base, mates_j, n_mates) << n_free]);
        keep_best(&best[on_j], worth[on_i | closes(base, mates_i, n_mates) << n_free]);
    }
}

static void all_moves(const struct table_view *view, const struct row *row, struct room *room)
{
    for (int i = 0; i < view->n_free; i++)
        for (int j = i + 1; j < view->n_free; j++) {
            if (!(row->joined[i] >> j & 1))
                continue;
            if (row->n_mates <= 2)
                moves_between(view, row, i, j, 2, room->best, room->worth);
            else
                moves_between(view, row, i, j, row->n_mates, room->best, room->worth);
        }
}

static void all_placements(const struct table_view *view, const struct row *row,
                           struct room *room)
{
    for (int j = 0; j < view->n_free; j++) {
        uint64_t others = low_bits(view->n_free) & ~((uint64_t)1 << j);
        for (uint32_t k = 0; k < view->n_stay; k++) {
            uint32_t base = (uint32_t)bit_deposit(view->stay[k], others);
            uint32_t closed = closes(base, row->mates[j], row->n_mates);
            keep_best(&room->best[base],
                      room->worth[base | (uint32_t)1 << j | closed << view->n_free]);
        }
    }
}

static uint32_t check_row(const struct table_view *view, uint32_t set, const uint8_t *stored,
                          struct room *room)
{
    struct row row;
    assert(!view->plies.over && bit_count(set) == view->b && view->pairs != NULL);
    open_row(view, set, &row);
    fetch(view, &row, room);
    for (uint32_t k = 0; k < view->n_columns; k++)
        room->best[view->columns[k]] = MARK_NONE;
    if (view->plies.places)
        all_placements(view, &row, room);
    else
        all_moves(view, &row, room);
    for (uint32_t k = 0; k < view->n_columns; k++)
        if (stored[k] != view->values[room->best[view->columns[k]]])
            return k;
    return view->n_columns;
}

// ---- counting -------------------------------------------------------------------------------

// Each position of a row with symmetries counts where its own set is the smallest of its
// images.
static bool count_symmetric(const struct table_view *view, uint32_t free, const int *maps,
                            int n_maps, const uint8_t *stored, uint32_t counts[256],
                            struct twins *twins)
{
    const struct verify_index *index = view->index;
    for (uint32_t k = 0; k < view->n_columns; k++) {
        uint32_t set = (uint32_t)bit_deposit(view->columns[k], free);
        bool smallest = true;
        for (int m = 0; m < n_maps; m++) {
            uint32_t image = verify_image(index, maps[m], set);
            uint32_t other = verify_rank(index, view->a, (uint32_t)bit_extract(image, free));
            smallest &= image >= set;
            *twins = (struct twins){k, other};
            if (stored[other] != stored[k])
                return false;
        }
        counts[stored[k]] += smallest;
    }
    return true;
}

static bool tally_row(const struct table_view *view, uint32_t number, const uint8_t *stored,
                      struct tally *tally, struct twins *twins)
{
    assert(number < view->rows->n_rows && view->rows->men == view->b);
    uint32_t counts[256] = {0}, set = view->rows->smallest[number];
    int maps[VERIFY_MAPS], n_maps = merels_verify_stabilizer(view->index, set, maps);
    uint64_t first_slot = (uint64_t)number * view->n_columns;
    if (n_maps == 0)
        for (uint32_t k = 0; k < view->n_columns; k++)
            counts[stored[k]]++;
    else if (!count_symmetric(view, view->index->rules.all & ~set, maps, n_maps, stored, counts,
                              twins))
        return false;
    for (int v = 0; v < 256; v++) {
        tally->orbits[v] += counts[v];
        if (counts[v] > 0 && first_slot < tally->first[v])
            tally->first[v] =
                first_slot +
                (uint64_t)((const uint8_t *)memchr(stored, v, view->n_columns) - stored);
    }
    return true;
}

const struct row_checks AT_LEVEL(checks) = {
    .level = MERELS_LEVEL_TEXT,
    .prepare_row = prepare_row,
    .check_row = check_row,
    .tally_row = tally_row,
};
