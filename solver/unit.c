// unit.c: the memory of a work unit, and the look-up tables that its turns need.

#include "solver/unit.h"

#include <stdlib.h>
#include <string.h>

// ---- columns -------------------------------------------------------------------------------

static uint32_t next_set(uint32_t set) // the next larger integer with as many bits
{
    uint32_t low = set & -set, up = set + low;
    return up | ((set ^ up) / low >> 2);
}

static size_t plane_parts(int n_points, int part_points)
{
    return (size_t)1 << (n_points < part_points ? 0 : n_points - part_points);
}

// All lists together: every cell stands in `all` and for each high point in one of two.
static size_t lists_bytes(int n_points, int cell_points)
{
    int high = n_points < cell_points ? 0 : n_points - cell_points;
    return plane_parts(n_points, cell_points) * (size_t)(high + 1) * sizeof(uint32_t);
}

static uint64_t columns_bytes(int n_points, int n_men)
{
    return merels_choose(n_points, n_men) * sizeof(uint32_t) +
           plane_parts(n_points, 6) * sizeof(struct plane_word) + lists_bytes(n_points, 9);
}

static void fill_columns(struct columns *c)
{
    uint32_t set = (uint32_t)low_bits(c->n_men);
    for (uint32_t k = 0; k < c->n_columns; k++) {
        c->sets[k] = set;
        if (c->n_words == 0 || c->words[c->n_words - 1].word != set >> 6)
            c->words[c->n_words++] = (struct plane_word){set >> 6, k};
        if (set != 0)
            set = next_set(set);
    }
}

static void fill_lists(struct columns *c, int cell_points)
{
    c->all.cells = c->cells;
    for (uint32_t k = 0; k < c->n_words; k++) {
        uint32_t number = c->words[k].word >> (cell_points - 6);
        if (c->all.n == 0 || c->all.cells[c->all.n - 1] != number)
            c->all.cells[c->all.n++] = number;
    }
    uint32_t *next = c->cells + c->all.n;
    for (int p = 0; p < c->n_points - cell_points; p++)
        for (int has = 0; has < 2; has++) {
            struct cell_list *list = has ? &c->with[p] : &c->without[p];
            list->cells = next;
            for (uint32_t k = 0; k < c->all.n; k++)
                if ((int)(c->all.cells[k] >> p & 1) == has)
                    list->cells[list->n++] = c->all.cells[k];
            next += list->n;
        }
}

enum status merels_columns_create(int n_points, int n_men, int cell_points,
                                  struct columns *columns, struct error *err)
{
    *columns = (struct columns){.n_points = n_points, .n_men = n_men};
    columns->n_columns = (uint32_t)merels_choose(n_points, n_men);
    columns->sets = calloc(columns->n_columns, sizeof *columns->sets);
    columns->words = calloc(plane_parts(n_points, 6), sizeof *columns->words);
    columns->cells = malloc(lists_bytes(n_points, cell_points));
    if (columns->sets == NULL || columns->words == NULL || columns->cells == NULL) {
        merels_columns_destroy(columns);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the columns of %d men",
                            n_men);
    }
    fill_columns(columns);
    fill_lists(columns, cell_points);
    return STATUS_OK;
}

void merels_columns_destroy(struct columns *columns)
{
    free(columns->sets);
    free(columns->words);
    free(columns->cells);
    *columns = (struct columns){0};
}

// ---- canonical look-up ---------------------------------------------------------------------

static uint64_t canon_bytes(const struct board *board, int men)
{
    return merels_choose(board->n_points, men) * 4;
}

// Every image of a canonical set leads back to it by the inverse symmetry.
static enum status fill_canon(const struct board *board, struct arena *arena,
                              struct canon *canon, struct error *err)
{
    int men = canon->men;
    canon->n_sets = (uint32_t)merels_choose(board->n_points, men);
    canon->entries = merels_arena_take(arena, (size_t)canon_bytes(board, men));
    if (canon->entries == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the sets of %d men", men);
    for (uint32_t row = 0; row < canon->rows->n_rows; row++)
        for (int s = board->n_symmetries - 1; s >= 0; s--) {
            point_set image = board_image(board, s, canon->rows->sets[row]);
            uint32_t symmetric = canon->rows->stabilizers[row] != 1 ? TURN_SYMMETRIC : 0;
            canon->entries[rank_set(merels_rank_tables(), men, image)] =
                row << TURN_ROW_SHIFT | symmetric | board->inverse[s];
        }
    return STATUS_OK;
}

static enum status create_canon(struct unit *unit, struct index *index, int men, bool look_up,
                                struct canon *canon, struct error *err)
{
    *canon = (struct canon){.men = men};
    enum status status = merels_index_rows(index, men, &canon->rows, err);
    if (status == STATUS_OK && look_up)
        status = fill_canon(&unit->rules->board, unit->arena, canon, err);
    return status;
}

// ---- sides ---------------------------------------------------------------------------------

enum arrays { ARRAY_VALUE = 1, ARRAY_REMOVAL = 2, ARRAY_DEPTHS = 4 };

struct side_sizes {
    uint64_t rows, columns, slots, bits_bytes;
};

static struct side_sizes side_sizes(const struct board *board, struct subspace s)
{
    struct side_sizes z;
    z.rows = merels_subspace_rows(board, s);
    z.columns = merels_subspace_columns(board, s);
    z.slots = z.rows * z.columns;
    z.bits_bytes = z.rows * ((z.columns + 63) / 64) * 8;
    return z;
}

static uint64_t side_bytes(const struct board *board, struct subspace s, unsigned arrays)
{
    struct side_sizes z = side_sizes(board, s);
    uint64_t bytes = columns_bytes(board->n_points - s.b, s.a);
    bytes += arrays & ARRAY_VALUE ? z.slots : 0;
    bytes += arrays & ARRAY_REMOVAL ? z.slots : 0;
    bytes += arrays & ARRAY_DEPTHS ? 5 * z.bits_bytes + z.rows * (2 + 4 + 32) : 0;
    return bytes;
}

static bool is_placing(const struct work_unit *work)
{
    return work->subspaces[0].ha > 0;
}

// The subspace after a placement, still seen by the side that placed.
static struct subspace arrivals_of(struct subspace s)
{
    return (struct subspace){(uint8_t)(s.a + 1), s.b, (uint8_t)(s.ha - 1), s.hb};
}

// Room for turns, a word each: for one slot in 32 while moving (two pools), in 16 while
// placing. Where there are more, they are carried out in between.
enum { MOVING_SLOTS_PER_BYTE = 8, PLACING_SLOTS_PER_BYTE = 4 };

static uint64_t pool_bytes(uint64_t n_slots, int slots_per_byte, int n_threads)
{
    return n_slots / (uint64_t)slots_per_byte + (uint64_t)n_threads * (4u << 20);
}

static uint64_t lists_of_side(const struct board *board, struct subspace s, int n_threads)
{
    struct side_sizes z = side_sizes(board, s);
    return merels_turn_lists_bytes(n_threads, (uint32_t)z.rows, (uint32_t)z.columns);
}

static uint64_t placing_bytes(const struct board *board, struct subspace s, int n_threads)
{
    struct subspace arrivals = arrivals_of(s);
    return canon_bytes(board, s.b) + side_bytes(board, s, ARRAY_VALUE) +
           side_bytes(board, arrivals, ARRAY_VALUE | ARRAY_REMOVAL) +
           pool_bytes(side_sizes(board, arrivals).slots, PLACING_SLOTS_PER_BYTE, n_threads) +
           lists_of_side(board, arrivals, n_threads);
}

// Two sides of seven arrays and a canonical look-up, two pools.
enum { ARENA_ROUNDING = 18 * ARENA_ALIGNMENT };

uint64_t merels_unit_bytes(const struct board *board, const struct work_unit *work,
                           int n_threads)
{
    if (is_placing(work))
        return ARENA_ROUNDING + placing_bytes(board, work->subspaces[0], n_threads);
    uint64_t bytes =
        ARENA_ROUNDING + 2 * pool_bytes(work->n_slots, MOVING_SLOTS_PER_BYTE, n_threads);
    for (int k = 0; k < work->n_subspaces; k++) {
        struct subspace s = work->subspaces[k];
        bytes += canon_bytes(board, s.b) +
                 side_bytes(board, s, ARRAY_VALUE | ARRAY_REMOVAL | ARRAY_DEPTHS) +
                 2 * lists_of_side(board, s, n_threads);
    }
    return bytes;
}

static enum status create_arrays(struct arena *arena, struct side *side, unsigned arrays,
                                 struct error *err)
{
    uint64_t slots = (uint64_t)side->n_rows * side->n_columns;
    size_t bits_bytes = side->n_rows * side->row_words * 8;
    bool good = true;
    if (arrays & ARRAY_VALUE)
        good &= (side->value = merels_arena_take(arena, slots)) != NULL;
    if (arrays & ARRAY_REMOVAL)
        good &= (side->removal = merels_arena_take(arena, slots)) != NULL;
    if (arrays & ARRAY_DEPTHS) {
        good &= (side->undecided = merels_arena_take(arena, bits_bytes)) != NULL;
        good &= (side->won = merels_arena_take(arena, bits_bytes)) != NULL;
        good &= (side->removal_won = merels_arena_take(arena, bits_bytes)) != NULL;
        for (int k = 0; k < 2; k++) {
            good &= (side->fresh[k] = merels_arena_take(arena, bits_bytes)) != NULL;
            good &= (side->touched[k] = calloc(side->n_rows, 1)) != NULL;
        }
        good &= (side->left = calloc(side->n_rows, sizeof *side->left)) != NULL;
        good &=
            (side->removal_depths = calloc(side->n_rows, sizeof *side->removal_depths)) != NULL;
    }
    if (!good)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a subspace of %llu slots",
                            (unsigned long long)slots);
    return STATUS_OK;
}

static void destroy_side(struct side *side)
{
    for (int k = 0; k < 2; k++)
        free(side->touched[k]);
    free(side->left);
    free(side->removal_depths);
    merels_turn_lists_destroy(&side->lists[0]);
    merels_turn_lists_destroy(&side->lists[1]);
    merels_columns_destroy(&side->columns);
}

static enum status open_side(struct unit *unit, struct subspace s, int cell_points,
                             unsigned arrays, struct side *side, struct error *err)
{
    const struct rules *rules = unit->rules;
    struct side_sizes z = side_sizes(&rules->board, s);
    side->subspace = s;
    side->rules = rules;
    side->ranks = merels_rank_tables();
    side->flies = s.ha == 0 && rules->fly >= s.a;
    side->n_rows = (uint32_t)z.rows;
    side->n_columns = (uint32_t)z.columns;
    side->row_words = (size_t)(z.columns + 63) / 64;
    enum status status = merels_columns_create(rules->board.n_points - s.b, s.a, cell_points,
                                               &side->columns, err);
    return status != STATUS_OK ? status : create_arrays(unit->arena, side, arrays, err);
}

static enum status open_pool(struct unit *unit, int parity, uint64_t n_bytes, struct error *err)
{
    void *memory = merels_arena_take(unit->arena, (size_t)n_bytes);
    if (memory == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for lists of turns");
    merels_turn_pool_open(memory, n_bytes, &unit->pools[parity]);
    return STATUS_OK;
}

static enum status open_lists(struct unit *unit, struct side *side, int parity, int n_threads,
                              struct error *err)
{
    return merels_turn_lists_create(&unit->pools[parity], n_threads, side->n_rows,
                                    side->n_columns, &side->lists[parity], err);
}

static enum status open_moving_side(struct unit *unit, struct index *index, int cell_points,
                                    int n_threads, int k, struct subspace s, struct error *err)
{
    struct side *side = &unit->sides[k];
    side->turned = &unit->sides[unit->n_sides - 1 - k];
    side->rows = &unit->canons[k];
    side->movers = &unit->canons[unit->n_sides - 1 - k];
    unsigned arrays = ARRAY_VALUE | ARRAY_REMOVAL | ARRAY_DEPTHS;
    enum status status = create_canon(unit, index, s.b, true, &unit->canons[k], err);
    if (status == STATUS_OK)
        status = open_side(unit, s, cell_points, arrays, side, err);
    for (int parity = 0; parity < 2 && status == STATUS_OK; parity++)
        status = open_lists(unit, side, parity, n_threads, err);
    return status;
}

static enum status open_moving(struct unit *unit, struct index *index, int cell_points,
                               int n_threads, const struct work_unit *work, struct error *err)
{
    unit->n_sides = work->n_subspaces;
    enum status status = STATUS_OK;
    for (int k = 0; k < 2 && status == STATUS_OK; k++)
        status = open_pool(unit, k, pool_bytes(work->n_slots, MOVING_SLOTS_PER_BYTE, n_threads),
                           err);
    for (int k = 0; k < unit->n_sides && status == STATUS_OK; k++)
        status =
            open_moving_side(unit, index, cell_points, n_threads, k, work->subspaces[k], err);
    return status;
}

static enum status open_placing(struct unit *unit, struct index *index, int cell_points,
                                int n_threads, struct subspace s, struct error *err)
{
    const struct board *board = &unit->rules->board;
    struct subspace arrivals = arrivals_of(s);
    uint64_t n_bytes =
        pool_bytes(side_sizes(board, arrivals).slots, PLACING_SLOTS_PER_BYTE, n_threads);
    unit->n_sides = 2;
    unit->arrivals = &unit->sides[1];
    unit->sides[0].rows = unit->sides[1].rows = &unit->canons[0];
    unit->sides[1].movers = &unit->canons[1];
    enum status status = create_canon(unit, index, s.b, true, &unit->canons[0], err);
    if (status == STATUS_OK)
        status = create_canon(unit, index, s.a + 1, false, &unit->canons[1], err);
    if (status == STATUS_OK)
        status = open_side(unit, s, cell_points, ARRAY_VALUE, &unit->sides[0], err);
    if (status == STATUS_OK)
        status = open_side(unit, arrivals, cell_points, ARRAY_VALUE | ARRAY_REMOVAL,
                           unit->arrivals, err);
    if (status == STATUS_OK)
        status = open_pool(unit, 0, n_bytes, err);
    return status != STATUS_OK ? status : open_lists(unit, unit->arrivals, 0, n_threads, err);
}

enum status merels_unit_create(const struct rules *rules, struct index *index,
                               const struct work_unit *work, int cell_points, int n_threads,
                               struct arena *arena, struct unit *unit, struct error *err)
{
    *unit = (struct unit){.rules = rules, .n_subspaces = work->n_subspaces};
    unit->arena = arena != NULL ? arena : &unit->own;
    uint64_t n_bytes = merels_unit_bytes(&rules->board, work, n_threads);
    if (!merels_arena_reserve(unit->arena, (size_t)n_bytes))
        return merels_error(err, STATUS_NO_MEMORY,
                            "out of memory: a work unit needs %llu bytes",
                            (unsigned long long)n_bytes);
    enum status status =
        is_placing(work)
            ? open_placing(unit, index, cell_points, n_threads, work->subspaces[0], err)
            : open_moving(unit, index, cell_points, n_threads, work, err);
    if (status != STATUS_OK)
        merels_unit_destroy(unit);
    return status;
}

void merels_unit_destroy(struct unit *unit)
{
    for (int k = 0; k < unit->n_sides; k++)
        destroy_side(&unit->sides[k]);
    merels_arena_destroy(&unit->own);
    *unit = (struct unit){0};
}
