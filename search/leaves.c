// leaves.c: bit planes of the moving-phase tables, loaded when first needed.
//
// A plane is loaded in pieces handed out by a counter. Each thread that needs the plane takes
// pieces until none is left and then waits for the last ones; so a load uses as many threads as
// want it, and none waits idle for long. A piece begins at a word of its own. A plane is ready
// when all its pieces are counted as done (release and acquire), and never changes after that.
//
// The row of a position is looked up by the rank of the other side's set, as in a turn of the
// solver; its men are pushed together by bytes, since the index's way needs a processor with
// that instruction (3 look-ups in 64 KB in place of a loop).

#include "search/leaves.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "db/arise.h"
#include "work/memory.h"

enum { PLANE_PIECE_SLOTS = 1 << 19 };

struct plane {
    const struct table *table; // NULL: the subspace was not announced
    uint64_t n_slots;
    uint64_t *words;
    uint64_t n_pieces;
    _Atomic uint64_t n_taken, n_done;
};

struct leaves {
    const struct rules *rules;
    const struct rank_tables *ranks;
    uint32_t *canon[MAX_POINTS + 1]; // by number of men: merels_index_fill_canon
    uint8_t pushed[256][256];        // [mask][set]: bits of the set at the places of the mask
    uint8_t counts[256];
    uint64_t n_columns[MAX_POINTS + 1][MAX_POINTS + 1];
    pthread_mutex_t opening;
    atomic_int status; // the first failure of a load; others stop
    struct error error;
    struct plane planes[N_QUESTIONS][MAX_POINTS + 1][MAX_POINTS + 1];
};

// ---- announcing ----------------------------------------------------------------------------

static void fill_pushed(struct leaves *leaves)
{
    for (unsigned mask = 0; mask < 256; mask++) {
        leaves->counts[mask] = (uint8_t)bit_count(mask);
        for (unsigned set = 0; set < 256; set++)
            leaves->pushed[mask][set] = (uint8_t)bit_extract(set, mask);
    }
}

static enum status add_canon(struct leaves *leaves, struct index *index, int men,
                             struct error *err)
{
    if (leaves->canon[men] != NULL)
        return STATUS_OK;
    size_t n = (size_t)merels_choose(leaves->rules->board.n_points, men);
    leaves->canon[men] = malloc(n * sizeof *leaves->canon[men]);
    if (leaves->canon[men] == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the rows of %d men", men);
    return merels_index_fill_canon(index, men, leaves->canon[men], err);
}

static enum status name_missing(const char *dir_text, struct subspace s, struct error *err)
{
    char name[SUBSPACE_NAME_BYTES];
    merels_subspace_name(s, name);
    return merels_error(err, STATUS_NOT_COVERED,
                        "the search needs the table of subspace %s: %s", name, dir_text);
}

static enum status announce(struct leaves *leaves, struct tablebase *base, struct subspace s,
                            uint64_t *n_bytes, struct error *err)
{
    const struct table *table;
    struct error cause;
    if (merels_too_few(leaves->rules, s.a) || merels_too_few(leaves->rules, s.b) ||
        leaves->planes[0][s.a][s.b].table != NULL)
        return STATUS_OK; // over, or known
    enum status status = merels_tablebase_table(base, s, &table, &cause);
    if (status == STATUS_MISSING)
        return name_missing(cause.text, s, err);
    if (status != STATUS_OK)
        return merels_error(err, status, "%s", cause.text);
    const struct table_header *header = merels_table_header(table);
    for (int q = 0; q < N_QUESTIONS; q++) {
        struct plane *plane = &leaves->planes[q][s.a][s.b];
        plane->table = table;
        plane->n_slots = header->n_slots;
        plane->n_pieces = (header->n_slots + PLANE_PIECE_SLOTS - 1) / PLANE_PIECE_SLOTS;
    }
    leaves->n_columns[s.a][s.b] = header->n_columns;
    *n_bytes += (header->n_slots + 63) / 64 * sizeof(uint64_t);
    return add_canon(leaves, merels_tablebase_index(base), s.b, err);
}

// Walks the subspaces with men in hand; the walk ends where the hands are empty. `seen` has a
// byte for every four counts. As deep as a game's placements.
static enum status walk(struct leaves *leaves, struct tablebase *base, struct subspace s,
                        uint8_t *seen, uint64_t *n_bytes, struct error *err)
{
    enum { COUNTS = MAX_POINTS + 1 };
    struct subspace next[MAX_SUCCESSORS];
    if (s.ha == 0 && s.hb == 0)
        return announce(leaves, base, s, n_bytes, err);
    uint8_t *mark = &seen[((s.a * COUNTS + s.b) * COUNTS + s.ha) * COUNTS + s.hb];
    if (*mark)
        return STATUS_OK;
    *mark = 1;
    enum status status = STATUS_OK;
    int n = merels_subspace_successors(leaves->rules, s, next);
    for (int k = 0; k < n && status == STATUS_OK; k++)
        status = walk(leaves, base, next[k], seen, n_bytes, err);
    return status;
}

enum status merels_leaves_create(const struct rules *rules, struct tablebase *base,
                                 struct subspace root, struct leaves **leaves,
                                 uint64_t *n_bytes, struct error *err)
{
    enum { COUNTS = MAX_POINTS + 1 };
    struct leaves *made = calloc(1, sizeof *made);
    uint8_t *seen = calloc((size_t)COUNTS * COUNTS * COUNTS * COUNTS, 1);
    enum status status = STATUS_OK;
    if (made == NULL || seen == NULL || pthread_mutex_init(&made->opening, NULL) != 0) {
        free(made);
        free(seen);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the leaves of a search");
    }
    made->rules = rules;
    made->ranks = merels_rank_tables();
    fill_pushed(made);
    *n_bytes = 0;
    status = walk(made, base, root, seen, n_bytes, err);
    free(seen);
    if (status != STATUS_OK) {
        merels_leaves_destroy(made);
        return status;
    }
    *leaves = made;
    return STATUS_OK;
}

static void clear_plane(struct plane *plane)
{
    merels_array_destroy(plane->words, (size_t)((plane->n_slots + 63) / 64 * 8));
    plane->words = NULL;
    atomic_store(&plane->n_taken, 0);
    atomic_store(&plane->n_done, 0);
}

void merels_leaves_clear(struct leaves *leaves)
{
    for (int q = 0; q < N_QUESTIONS; q++)
        for (int a = 0; a <= MAX_POINTS; a++)
            for (int b = 0; b <= MAX_POINTS; b++)
                clear_plane(&leaves->planes[q][a][b]);
}

void merels_leaves_destroy(struct leaves *leaves)
{
    if (leaves == NULL)
        return;
    merels_leaves_clear(leaves);
    for (int men = 0; men <= MAX_POINTS; men++)
        free(leaves->canon[men]);
    pthread_mutex_destroy(&leaves->opening);
    free(leaves);
}

// ---- loading -------------------------------------------------------------------------------

static bool answers(enum question question, int value)
{
    if (value == DTM_DRAW)
        return true;
    return question == NOT_LOST ? value % 2 == 1 : value % 2 == 0;
}

// Values of two bytes, and codes of edition wdl, in place as values of one byte that mean the
// same: won, lost or drawn.
static void make_bytes(const struct table_header *header, uint8_t *values, uint64_t n)
{
    static const uint8_t of_code[4] = {
        [WDL_DRAW] = DTM_DRAW, [WDL_WIN] = 1, [WDL_LOSS] = 0, [3] = DTM_DRAW};
    for (uint64_t k = 0; header->edition == EDITION_WDL && k < n; k++)
        values[k] = of_code[values[k] & 3];
    for (uint64_t k = 0; header->value_bytes == 2 && k < n; k++) {
        int depth = table_value(values + 2 * k, 2);
        values[k] = depth < 0 ? DTM_DRAW : (uint8_t)(depth & 1);
    }
}

static void pack(const uint8_t yes[256], const uint8_t *values, uint64_t n, uint64_t *words)
{
    for (uint64_t i = 0; i < n; i += 64) {
        uint64_t word = 0, in_word = n - i < 64 ? n - i : 64;
        for (uint64_t k = 0; k < in_word; k++)
            word |= (uint64_t)yes[values[i + k]] << k;
        words[i / 64] = word;
    }
}

static enum status load_pieces(struct plane *plane, const uint8_t yes[256], uint8_t *values,
                               const atomic_int *stop, struct error *err)
{
    for (;;) {
        uint64_t piece = atomic_fetch_add(&plane->n_taken, 1);
        if (piece >= plane->n_pieces || atomic_load(stop) != STATUS_OK)
            return STATUS_OK;
        uint64_t first = piece * PLANE_PIECE_SLOTS, rest = plane->n_slots - first;
        uint64_t n = rest < PLANE_PIECE_SLOTS ? rest : PLANE_PIECE_SLOTS;
        enum status status = merels_table_read(plane->table, first, n, values, err);
        if (status != STATUS_OK)
            return status;
        make_bytes(merels_table_header(plane->table), values, n);
        pack(yes, values, n, plane->words + first / 64);
        atomic_fetch_add_explicit(&plane->n_done, 1, memory_order_release);
    }
}

static enum status open_plane(struct leaves *leaves, struct plane *plane, struct error *err)
{
    pthread_mutex_lock(&leaves->opening);
    if (plane->words == NULL)
        plane->words = merels_array_create((size_t)((plane->n_slots + 63) / 64 * 8));
    pthread_mutex_unlock(&leaves->opening);
    if (plane->words == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the leaves of a search");
    return STATUS_OK;
}

static enum status fail(struct leaves *leaves, enum status status, const struct error *cause)
{
    pthread_mutex_lock(&leaves->opening);
    if (atomic_load(&leaves->status) == STATUS_OK) {
        leaves->error = *cause;
        atomic_store(&leaves->status, (int)status);
    }
    pthread_mutex_unlock(&leaves->opening);
    return status;
}

static bool is_ready(const struct plane *plane)
{
    return atomic_load_explicit(&plane->n_done, memory_order_acquire) == plane->n_pieces;
}

// Takes part in the load and returns when the plane is ready or a load has failed.
static enum status load(struct leaves *leaves, enum question question, struct plane *plane,
                        struct error *err)
{
    uint8_t yes[256], *values = malloc(PLANE_PIECE_SLOTS * MAX_VALUE_BYTES);
    struct error cause = {STATUS_NO_MEMORY, "out of memory for a piece of a table"};
    for (int value = 0; value < 256; value++)
        yes[value] = answers(question, value);
    enum status status = values == NULL ? STATUS_NO_MEMORY : open_plane(leaves, plane, &cause);
    if (status == STATUS_OK)
        status = load_pieces(plane, yes, values, &leaves->status, &cause);
    free(values);
    if (status != STATUS_OK)
        fail(leaves, status, &cause);
    while (!is_ready(plane) && atomic_load(&leaves->status) == STATUS_OK)
        sched_yield();
    status = (enum status)atomic_load(&leaves->status);
    if (status != STATUS_OK)
        return merels_error(err, status, "%s", leaves->error.text);
    return STATUS_OK;
}

// ---- looking up ----------------------------------------------------------------------------

static point_set push_points(const struct leaves *leaves, point_set set, point_set mask)
{
    const uint8_t(*pushed)[256] = leaves->pushed;
    point_set low = mask & 0xFF, middle = mask >> 8 & 0xFF, high = mask >> 16 & 0xFF;
    int n_low = leaves->counts[low], n_middle = leaves->counts[middle];
    return pushed[low][set & 0xFF] | (point_set)pushed[middle][set >> 8 & 0xFF] << n_low |
           (point_set)pushed[high][set >> 16 & 0xFF] << (n_low + n_middle);
}

static uint64_t slot_of(const struct leaves *leaves, const struct position *pos, int a, int b)
{
    const struct board *board = &leaves->rules->board;
    uint32_t entry = leaves->canon[b][rank_set(leaves->ranks, b, pos->other)];
    int s = (int)(entry & CANON_SYMMETRY_MASK);
    point_set own = board_image(board, s, pos->own), other = board_image(board, s, pos->other);
    point_set column = push_points(leaves, own, board->points & ~other);
    return (entry >> CANON_ROW_SHIFT) * leaves->n_columns[a][b] +
           rank_set(leaves->ranks, a, column);
}

enum status merels_leaves_find(struct leaves *leaves, enum question question,
                               const struct position *pos, struct leaf *leaf, struct error *err)
{
    int a = bit_count(pos->own), b = bit_count(pos->other);
    struct plane *plane = &leaves->planes[question][a][b];
    if (plane->table == NULL)
        return merels_error(err, STATUS_NOT_COVERED, "subspace %d-%d was not announced", a, b);
    if (!is_ready(plane)) {
        enum status status = load(leaves, question, plane, err);
        if (status != STATUS_OK)
            return status;
    }
    uint64_t slot = slot_of(leaves, pos, a, b);
    *leaf = (struct leaf){plane->words + slot / 64, (int)(slot % 64)};
    return STATUS_OK;
}
