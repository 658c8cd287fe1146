// leaves.c: bit planes of the moving-phase tables, loaded piece by piece when first needed.
//
// A piece is some blocks of the table: to read few of many tables is then quick, and to read
// all of them takes no small reads from here and there. The thread that is the first to need
// one loads it, whoever needs it meanwhile waits. A piece is ready when its state says so
// (release and acquire), and never changes after that; it begins at a word of its own. A
// failure is not remembered.
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

enum { COUNTS = MAX_POINTS + 1 };
enum { PIECE_SLOTS = 1 << 18 }; // a multiple of the slots of a block, in each edition
enum piece_state { PIECE_ABSENT, PIECE_LOADING, PIECE_READY };

struct plane {
    const struct table *table; // NULL: the subspace was not announced
    uint64_t n_slots;
    _Atomic(uint64_t *) words; // NULL until the first piece is needed
    _Atomic uint8_t *pieces;   // enum piece_state of each
};

struct leaves {
    const struct rules *rules;
    const struct rank_tables *ranks;
    uint32_t *canon[MAX_POINTS + 1]; // by number of men: merels_index_fill_canon
    uint8_t pushed[256][256];        // [mask][set]: bits of the set at the places of the mask
    uint8_t counts[256];
    uint64_t n_columns[COUNTS][COUNTS];
    uint64_t n_bytes; // if all that was announced is loaded for one question
    uint8_t *seen; // a byte for every four counts: what a search from there needs is announced
    pthread_mutex_t opening;
    struct plane planes[N_QUESTIONS][COUNTS][COUNTS];
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
                            struct error *err)
{
    const struct table *table;
    struct error cause;
    if (s.a + s.b == 0 || merels_too_few(leaves->rules, s.a) ||
        merels_too_few(leaves->rules, s.b) || leaves->planes[0][s.a][s.b].table != NULL)
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
    }
    leaves->n_columns[s.a][s.b] = header->n_columns;
    leaves->n_bytes += (header->n_slots + 63) / 64 * sizeof(uint64_t);
    return add_canon(leaves, merels_tablebase_index(base), s.b, err);
}

// Walks the subspaces with men in hand; the walk ends where the hands are empty. As deep as a
// game's placements.
static enum status walk(struct leaves *leaves, struct tablebase *base, struct subspace s,
                        struct error *err)
{
    struct subspace next[MAX_SUCCESSORS];
    if (s.ha == 0 && s.hb == 0)
        return announce(leaves, base, s, err);
    uint8_t *mark = &leaves->seen[((s.a * COUNTS + s.b) * COUNTS + s.ha) * COUNTS + s.hb];
    if (*mark)
        return STATUS_OK;
    enum status status = STATUS_OK;
    int n = merels_subspace_successors(leaves->rules, s, next);
    for (int k = 0; k < n && status == STATUS_OK; k++)
        status = walk(leaves, base, next[k], err);
    *mark = status == STATUS_OK;
    return status;
}

enum status merels_leaves_announce(struct leaves *leaves, struct tablebase *base,
                                   struct subspace root, struct error *err)
{
    return walk(leaves, base, root, err);
}

enum status merels_leaves_create(const struct rules *rules, struct tablebase *base,
                                 struct subspace root, struct leaves **leaves,
                                 uint64_t *n_bytes, struct error *err)
{
    struct leaves *made = calloc(1, sizeof *made);
    uint8_t *seen = calloc((size_t)COUNTS * COUNTS * COUNTS * COUNTS, 1);
    if (made == NULL || seen == NULL || pthread_mutex_init(&made->opening, NULL) != 0) {
        free(made);
        free(seen);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the leaves of a search");
    }
    made->rules = rules;
    made->ranks = merels_rank_tables();
    made->seen = seen;
    fill_pushed(made);
    enum status status = walk(made, base, root, err);
    if (status != STATUS_OK) {
        merels_leaves_destroy(made);
        return status;
    }
    *n_bytes = made->n_bytes;
    *leaves = made;
    return STATUS_OK;
}

static uint64_t n_pieces(const struct plane *plane)
{
    return (plane->n_slots + PIECE_SLOTS - 1) / PIECE_SLOTS;
}

static size_t plane_bytes(const struct plane *plane)
{
    return (size_t)((plane->n_slots + 63) / 64 * 8);
}

static void clear_plane(struct plane *plane)
{
    merels_array_destroy(atomic_load(&plane->words), plane_bytes(plane));
    free((void *)plane->pieces);
    plane->pieces = NULL;
    atomic_store(&plane->words, NULL);
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
    free(leaves->seen);
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

static enum status out_of_memory(struct error *err)
{
    return merels_error(err, STATUS_NO_MEMORY, "out of memory for the leaves of a search");
}

// Makes room for the bits of a plane, once.
static enum status open_plane(struct leaves *leaves, struct plane *plane, struct error *err)
{
    enum status status = STATUS_OK;
    pthread_mutex_lock(&leaves->opening);
    if (atomic_load(&plane->words) == NULL) {
        uint64_t *words = merels_array_create(plane_bytes(plane));
        plane->pieces = calloc((size_t)n_pieces(plane), sizeof *plane->pieces);
        if (words == NULL || plane->pieces == NULL) {
            merels_array_destroy(words, plane_bytes(plane));
            free((void *)plane->pieces);
            plane->pieces = NULL;
            status = out_of_memory(err);
        } else {
            atomic_store_explicit(&plane->words, words, memory_order_release);
        }
    }
    pthread_mutex_unlock(&leaves->opening);
    return status;
}

static enum status load_piece(struct plane *plane, enum question question, uint64_t piece,
                              struct error *err)
{
    uint8_t yes[256];
    uint64_t first = piece * PIECE_SLOTS, rest = plane->n_slots - first;
    uint64_t n = rest < PIECE_SLOTS ? rest : PIECE_SLOTS;
    uint64_t *words = atomic_load_explicit(&plane->words, memory_order_relaxed);
    uint8_t *values = malloc((size_t)PIECE_SLOTS * MAX_VALUE_BYTES);
    if (values == NULL)
        return out_of_memory(err);
    for (int value = 0; value < 256; value++)
        yes[value] = answers(question, value);
    enum status status = merels_table_read(plane->table, first, n, values, err);
    if (status == STATUS_OK) {
        make_bytes(merels_table_header(plane->table), values, n);
        pack(yes, values, n, words + first / 64);
    }
    free(values);
    return status;
}

// Returns when the piece is ready, or this thread has failed to load it.
static enum status need_piece(struct plane *plane, enum question question, uint64_t piece,
                              struct error *err)
{
    _Atomic uint8_t *state = &plane->pieces[piece];
    for (;;) {
        uint8_t now = atomic_load_explicit(state, memory_order_acquire);
        if (now == PIECE_READY)
            return STATUS_OK;
        if (now == PIECE_ABSENT && atomic_compare_exchange_strong(state, &now, PIECE_LOADING)) {
            enum status status = load_piece(plane, question, piece, err);
            atomic_store_explicit(state, status == STATUS_OK ? PIECE_READY : PIECE_ABSENT,
                                  memory_order_release);
            return status;
        }
        sched_yield();
    }
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
    enum status status = STATUS_OK;
    if (atomic_load_explicit(&plane->words, memory_order_acquire) == NULL)
        status = open_plane(leaves, plane, err);
    if (status != STATUS_OK)
        return status;
    uint64_t slot = slot_of(leaves, pos, a, b), piece = slot / PIECE_SLOTS;
    if (atomic_load_explicit(&plane->pieces[piece], memory_order_acquire) != PIECE_READY)
        status = need_piece(plane, question, piece, err);
    if (status != STATUS_OK)
        return status;
    const uint64_t *words = atomic_load_explicit(&plane->words, memory_order_relaxed);
    *leaf = (struct leaf){words + slot / 64, (int)(slot % 64)};
    return STATUS_OK;
}
