// index.c: rank and unrank of positions inside their subspace.
//
// Owns the row sets: for each number of men the ascending list of canonical sets, built when
// first asked for by walking all sets in ascending order and keeping those of which no image is
// smaller. A row is found by binary search in that list (17 steps at most, 190 KB for nine
// men): a direct table over 2^24 sets would be faster but takes 64 MB, which a prober must not.
//
// Invariant: a published list (atomic pointer) never changes; it is freed with the index.

#include "db/index.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct index {
    const struct board *board;
    pthread_mutex_t building;
    _Atomic(struct row_sets *) rows[MAX_POINTS + 1];
};

// ---- ranks ---------------------------------------------------------------------------------

static struct rank_tables rank_tables;
static pthread_once_t rank_tables_once = PTHREAD_ONCE_INIT;

// Each rank from that of the set without its highest man, which is number k of the whole set:
// one addition an entry, 2 ms in all. A high part of more than k men has rank 0.
static void build_rank_tables(void)
{
    uint32_t choose[MAX_POINTS][MAX_POINTS + 1];
    for (int n = 0; n < MAX_POINTS; n++)
        for (int k = 0; k <= MAX_POINTS; k++)
            choose[n][k] = (uint32_t)merels_choose(n, k);
    for (point_set x = 1; x < 1 << 12; x++) {
        int top = 31 - __builtin_clz(x), men = bit_count(x);
        point_set rest = x & ~((point_set)1 << top);
        rank_tables.low[x] = rank_tables.low[rest] + choose[top][men];
        for (int k = men; k <= MAX_POINTS; k++)
            rank_tables.high[k][x] = rank_tables.high[k - 1][rest] + choose[top + 12][k];
    }
    for (uint32_t mask = 0; mask < 64; mask++) {
        rank_tables.counts[mask] = (uint8_t)bit_count(mask);
        for (uint32_t set = 0; set < 64; set++)
            rank_tables.together[mask][set] = (uint8_t)bit_extract(set, mask);
    }
}

const struct rank_tables *merels_rank_tables(void)
{
    pthread_once(&rank_tables_once, build_rank_tables);
    return &rank_tables;
}

point_set merels_unrank_set(int k, uint32_t rank)
{
    assert(k >= 0 && k <= MAX_POINTS && rank < merels_choose(MAX_POINTS, k));
    point_set set = 0;
    uint64_t rest = rank;
    for (int point = MAX_POINTS - 1; k > 0; point--) {
        uint64_t below = merels_choose(point, k); // k-sets that lie below this point
        if (rest < below)
            continue;
        rest -= below;
        set |= (point_set)1 << point;
        k--;
    }
    return set;
}

// ---- row sets ------------------------------------------------------------------------------

static bool is_canonical(const struct board *board, point_set set)
{
    for (int s = 1; s < board->n_symmetries; s++)
        if (board_image(board, s, set) < set)
            return false;
    return true;
}

static uint64_t stabilizer_of(const struct board *board, point_set set)
{
    uint64_t stabilizer = 0;
    for (int s = 0; s < board->n_symmetries; s++)
        if (board_image(board, s, set) == set)
            stabilizer |= (uint64_t)1 << s;
    return stabilizer;
}

// Stabilizers are subgroups, of which a group of at most 48 has some hundreds at most: the room
// is for every one that a set can have.
enum { MAX_STABILIZERS = 4096 };

// The number of a stabilizer, which gets one if it has none.
static uint16_t stabilizer_number(struct row_sets *rows, uint64_t stabilizer)
{
    uint16_t k = 0;
    while (k < rows->n_stabilizers && rows->stabilizers[k] != stabilizer)
        k++;
    assert(k < MAX_STABILIZERS);
    if (k == rows->n_stabilizers)
        rows->stabilizers[rows->n_stabilizers++] = stabilizer;
    return k;
}

// The next larger set of as many points; the set must not be empty.
static point_set next_set(point_set set)
{
    point_set ripple = set + (set & -set);
    return ripple | (set ^ ripple) >> (2 + bit_lowest(set));
}

// Adds the canonical sets with exactly the men `top` on the points from 16 up, in ascending
// order.
static void add_rows_below(const struct board *board, point_set top, struct row_sets *rows,
                           uint32_t *n)
{
    int n_low = board->n_points < 16 ? board->n_points : 16;
    int men = rows->men - bit_count(top);
    uint64_t n_sets = merels_choose(n_low, men);
    point_set low = men > 0 ? ((point_set)1 << men) - 1 : 0;
    for (uint64_t i = 0; i < n_sets; i++) {
        if (is_canonical(board, top | low)) {
            rows->sets[*n] = top | low;
            uint64_t stabilizer = stabilizer_of(board, top | low);
            rows->stabilizer_of[(*n)++] = stabilizer_number(rows, stabilizer);
        }
        low = low == 0 ? 0 : next_set(low);
    }
}

// Can a set with the men `top` on the points from 16 up be canonical? Not if a symmetry that
// keeps these points among themselves makes `top` smaller: whatever the men below, the image is
// smaller. On the 24-point board this leaves 51 of 256 inner rings and makes the search
// twice as fast.
static bool top_may_be_canonical(const struct board *board, point_set top)
{
    point_set upper = board->points & ~(point_set)0xFFFF;
    for (int s = 1; s < board->n_symmetries; s++)
        if (board_image(board, s, upper) == upper && board_image(board, s, top) < top)
            return false;
    return true;
}

static void fill_rows(const struct board *board, struct row_sets *rows)
{
    uint32_t n = 0;
    for (point_set top = 0; top <= (board->points & ~(point_set)0xFFFF); top += 1 << 16)
        if (top_may_be_canonical(board, top))
            add_rows_below(board, top, rows, &n);
}

static void free_rows(struct row_sets *rows)
{
    if (rows == NULL)
        return;
    free(rows->sets);
    free(rows->stabilizer_of);
    free(rows->stabilizers);
    free(rows);
}

static struct row_sets *build_rows(const struct board *board, int men)
{
    struct row_sets *rows = calloc(1, sizeof *rows);
    if (rows == NULL)
        return NULL;
    rows->men = men;
    rows->n_rows = (uint32_t)merels_subspace_rows(board, (struct subspace){.b = (uint8_t)men});
    rows->sets = malloc(rows->n_rows * sizeof *rows->sets);
    rows->stabilizer_of = malloc(rows->n_rows * sizeof *rows->stabilizer_of);
    rows->stabilizers = malloc(MAX_STABILIZERS * sizeof *rows->stabilizers);
    if (rows->sets == NULL || rows->stabilizer_of == NULL || rows->stabilizers == NULL) {
        free_rows(rows);
        return NULL;
    }
    rows->stabilizers[rows->n_stabilizers++] = 1;
    fill_rows(board, rows);
    return rows;
}

// ---- the index -----------------------------------------------------------------------------

enum status merels_index_create(const struct board *board, struct index **index,
                                struct error *err)
{
    struct index *made = calloc(1, sizeof *made);
    if (made == NULL || pthread_mutex_init(&made->building, NULL) != 0) {
        free(made);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for an index");
    }
    made->board = board;
    merels_rank_tables();
    *index = made;
    return STATUS_OK;
}

void merels_index_destroy(struct index *index)
{
    if (index == NULL)
        return;
    for (int men = 0; men <= MAX_POINTS; men++)
        free_rows(atomic_load(&index->rows[men]));
    pthread_mutex_destroy(&index->building);
    free(index);
}

enum status merels_index_rows(struct index *index, int men, const struct row_sets **rows,
                              struct error *err)
{
    if (men < 0 || men > index->board->n_points)
        return merels_error(err, STATUS_BAD_INPUT, "no rows for %d men on %d points", men,
                            index->board->n_points);
    struct row_sets *found = atomic_load_explicit(&index->rows[men], memory_order_acquire);
    if (found == NULL) {
        pthread_mutex_lock(&index->building);
        found = atomic_load_explicit(&index->rows[men], memory_order_acquire);
        if (found == NULL)
            found = build_rows(index->board, men);
        atomic_store_explicit(&index->rows[men], found, memory_order_release);
        pthread_mutex_unlock(&index->building);
    }
    if (found == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the rows of %d men", men);
    *rows = found;
    return STATUS_OK;
}

// From the last symmetry to the first, so that of several the lowest stays.
static void fill_canon_row(const struct board *board, const struct row_sets *rows, uint32_t row,
                           uint32_t *entries)
{
    uint32_t entry = row << CANON_ROW_SHIFT;
    if (!row_is_plain(rows, row))
        entry |= CANON_SYMMETRIC;
    for (int s = board->n_symmetries - 1; s >= 0; s--) {
        point_set image = board_image(board, board->inverse[s], rows->sets[row]);
        entries[rank_set(&rank_tables, rows->men, image)] = entry | (uint32_t)s;
    }
}

enum status merels_index_fill_canon(struct index *index, int men, uint32_t *entries,
                                    struct error *err)
{
    const struct row_sets *rows;
    enum status status = merels_index_rows(index, men, &rows, err);
    if (status != STATUS_OK)
        return status;
    for (uint32_t row = 0; row < rows->n_rows; row++)
        fill_canon_row(index->board, rows, row, entries);
    return STATUS_OK;
}

// The smallest image of a set, and the first symmetry that leads to it.
static point_set canonical_set(const struct board *board, point_set set, int *symmetry)
{
    point_set best = set;
    *symmetry = 0;
    for (int s = 1; s < board->n_symmetries; s++) {
        point_set image = board_image(board, s, set);
        if (image < best) {
            best = image;
            *symmetry = s;
        }
    }
    return best;
}

// The number of a canonical set; branch-free halving, since the comparisons cannot be
// predicted.
static uint32_t row_number(const struct row_sets *rows, point_set set)
{
    const point_set *base = rows->sets;
    for (uint32_t n = rows->n_rows; n > 1; n -= n / 2)
        base = base[n / 2] <= set ? base + n / 2 : base;
    return (uint32_t)(base - rows->sets);
}

enum status merels_index_rank(struct index *index, const struct position *pos, uint64_t *slot,
                              struct error *err)
{
    const struct board *board = index->board;
    const struct row_sets *rows;
    int a = bit_count(pos->own), b = bit_count(pos->other);
    assert((pos->own & pos->other) == 0 && ((pos->own | pos->other) & ~board->points) == 0);
    enum status status = merels_index_rows(index, b, &rows, err);
    if (status != STATUS_OK)
        return status;
    int s;
    point_set row_set = canonical_set(board, pos->other, &s);
    point_set own = board_image(board, s, pos->own);
    point_set pushed = push_together(merels_rank_tables(), own, board->points & ~row_set);
    uint64_t columns = merels_choose(board->n_points - b, a);
    *slot = row_number(rows, row_set) * columns + rank_set(&rank_tables, a, pushed);
    return STATUS_OK;
}

enum status merels_index_unrank(struct index *index, struct subspace s, uint64_t slot,
                                struct position *pos, struct error *err)
{
    const struct board *board = index->board;
    uint64_t columns = merels_subspace_columns(board, s);
    const struct row_sets *rows;
    enum status status = merels_index_rows(index, s.b, &rows, err);
    if (status != STATUS_OK)
        return status;
    if (columns == 0 || slot / columns >= rows->n_rows)
        return merels_error(err, STATUS_BAD_INPUT, "no slot %llu in subspace %u-%u",
                            (unsigned long long)slot, (unsigned)s.a, (unsigned)s.b);
    point_set other = rows->sets[slot / columns];
    point_set pushed = merels_unrank_set(s.a, (uint32_t)(slot % columns));
    *pos = (struct position){.own = (point_set)bit_deposit(pushed, board->points & ~other),
                             .other = other,
                             .own_hand = s.ha,
                             .other_hand = s.hb,
                             .due = 0,
                             .mover = WHITE};
    return STATUS_OK;
}

enum status merels_index_copies(struct index *index, const struct position *pos, int *copies,
                                struct error *err)
{
    (void)err;
    int row = 0, pair = 0;
    for (int s = 0; s < index->board->n_symmetries; s++) {
        if (board_image(index->board, s, pos->other) != pos->other)
            continue;
        row++;
        pair += board_image(index->board, s, pos->own) == pos->own;
    }
    *copies = row / pair;
    return STATUS_OK;
}
