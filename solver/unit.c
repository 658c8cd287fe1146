// unit.c: how much memory a unit takes, and taking it.

#include "solver/unit.h"

#include <stdlib.h>
#include <string.h>

const char *merels_unit_name(const struct work_unit *unit, char out[UNIT_NAME_BYTES])
{
    char *end = out;
    *end = '\0';
    for (int i = 0; i < unit->n_subspaces; i++) {
        if (i > 0)
            *end++ = ' ';
        end += merels_subspace_name(unit->subspaces[i], end);
    }
    return out;
}

static bool is_inside(const void *context, struct subspace after)
{
    const struct work_unit *work = context;
    return merels_subspace_among(work->subspaces, (size_t)work->n_subspaces, after);
}

bool merels_unit_has_turns(const struct rules *rules, const struct work_unit *work)
{
    struct effect effects[MAX_EFFECTS];
    for (int i = 0; i < work->n_subspaces; i++) {
        int n = merels_effects(rules, work->subspaces[i], effects);
        for (int k = 0; k < n; k++)
            if (!effects[k].ends && is_inside(work, effects[k].after))
                return true;
    }
    return false;
}

enum way_to_solve merels_unit_way(const struct rules *rules, const struct work_unit *work)
{
    struct effect effects[MAX_EFFECTS];
    if (work->n_subspaces != 1)
        return SOLVE_BY_DEPTHS;
    int n = merels_effects(rules, work->subspaces[0], effects);
    for (int k = 0; k < n; k++)
        if (effects[k].kind != PLY_PLACES || is_inside(work, effects[k].after))
            return SOLVE_BY_DEPTHS;
    return n > 0 ? SOLVE_BY_SWEEP : SOLVE_BY_DEPTHS;
}

// ---- how much ------------------------------------------------------------------------------

// Ranks have whole buckets, of whatever list of a side; so they have rows in multiples of
// 2^bits, the buckets of its narrowest list.
static int slice_bits(uint32_t n_rows, uint32_t columns, uint32_t placed, int n_ranks)
{
    int bits = merels_turn_row_bits(n_rows, columns, n_ranks);
    int more = placed > 0 ? merels_turn_row_bits(n_rows, placed, n_ranks) : 0;
    return more > bits ? more : bits;
}

// Rows of `n` that a rank has, counted from the first one.
static struct row_range slice_of(uint32_t n, int bits, int n_ranks, int rank)
{
    uint64_t n_parts = n == 0 ? 0 : ((n - 1) >> bits) + 1;
    uint64_t first = n_parts * (uint64_t)rank / (uint64_t)n_ranks << bits;
    uint64_t last = n_parts * ((uint64_t)rank + 1) / (uint64_t)n_ranks << bits;
    first = first < n ? first : n;
    last = last < n ? last : n;
    return (struct row_range){(uint32_t)first, (uint32_t)(last - first)};
}

static int ranks_of(struct holding holding)
{
    return holding.n_ranks > 1 ? holding.n_ranks : 1;
}

// What decides the size of a side's arrays.
struct side_sizes {
    uint64_t rows;  // in memory
    uint64_t reach; // worked on at a time, by all ranks
    int n_ranks;
    uint64_t columns; // of its own
    uint64_t placed;  // of one man more; 0 if no ply is a placement
    int n_sources[N_PLY_KINDS];
    bool moves_stay, passes;
    int n_fresh; // lists of turned positions, if moves stay
};

static struct side_sizes sizes_of(const struct rules *rules, const struct work_unit *work,
                                  struct subspace s, struct holding holding)
{
    uint32_t n_rows = holding.n_rows;
    struct effect effects[MAX_EFFECTS];
    const struct board *board = &rules->board;
    struct side_sizes z = {.rows = merels_subspace_rows(board, s),
                           .columns = merels_subspace_columns(board, s),
                           .passes = merels_side_may_pass(rules, s),
                           .n_fresh = n_fresh_lists(rules->metric)};
    z.reach = n_rows > 0 && n_rows < z.rows ? n_rows : z.rows;
    z.n_ranks = ranks_of(holding);
    int n = merels_effects(rules, s, effects);
    for (int k = 0; k < n; k++)
        if (effects[k].ends || !is_inside(work, effects[k].after))
            z.n_sources[effects[k].kind]++;
        else
            z.moves_stay = true;
    if (z.n_sources[PLY_PLACES] > 0)
        z.placed = merels_choose(board->n_points - s.b, s.a + 1);
    z.rows = z.reach;
    if (z.n_ranks > 1) { // as many as the rank with most of them
        int bits =
            slice_bits((uint32_t)z.reach, (uint32_t)z.columns, (uint32_t)z.placed, z.n_ranks);
        uint64_t parts = ((z.reach - 1) >> bits) + 1, n_ranks = (uint64_t)z.n_ranks;
        uint64_t most = (parts + n_ranks - 1) / n_ranks << bits;
        z.rows = most < z.reach ? most : z.reach;
    }
    return z;
}

static uint64_t lists_bytes(const struct side_sizes *z, uint64_t columns, int n_threads)
{
    return merels_turn_lists_bytes(n_threads, (uint32_t)z->reach, (uint32_t)columns,
                                   z->n_ranks);
}

static uint64_t source_bytes(const struct side_sizes *z, uint64_t columns,
                             enum way_to_solve way, bool stored, int n_threads)
{
    uint64_t rows = z->rows, bytes = lists_bytes(z, columns, n_threads);
    if (way == SOLVE_BY_DEPTHS)
        bytes += rows * words_of_bits(columns) * 8;
    if (!stored)
        bytes += rows * columns;
    if (!stored && way == SOLVE_BY_DEPTHS)
        bytes += rows * sizeof(uint64_t[4]);
    return bytes;
}

static uint64_t side_bytes(const struct side_sizes *z, enum way_to_solve way, bool stored,
                           int n_threads)
{
    uint64_t bits = z->rows * words_of_bits(z->columns) * 8;
    uint64_t bytes = stored ? 0 : z->rows * z->columns, n_fresh = (uint64_t)z->n_fresh;
    if (way == SOLVE_BY_DEPTHS)
        bytes += bits * (z->passes ? 2 : 1) + z->rows * sizeof(uint32_t);
    if (z->moves_stay)
        bytes += (1 + n_fresh) * bits + n_fresh * z->rows +
                 n_fresh * lists_bytes(z, z->columns, n_threads);
    bytes +=
        (uint64_t)z->n_sources[PLY_MOVES] * source_bytes(z, z->columns, way, stored, n_threads);
    bytes +=
        (uint64_t)z->n_sources[PLY_PLACES] * source_bytes(z, z->placed, way, stored, n_threads);
    return bytes;
}

// Room for turns, a word each: for one slot in 32 where they stay in the unit (a pool for each
// list), for one in 16 of the larger arrivals where they only come from sources. Where there
// are more, they are carried out in between.
enum { STAYING_SLOTS_PER_BYTE = 8, LEAVING_SLOTS_PER_BYTE = 4 };

struct pool_sizes {
    int n;
    uint64_t bytes; // of each
};

static struct pool_sizes size_pools(const struct rules *rules, const struct work_unit *work,
                                    struct holding holding, int n_threads)
{
    uint64_t staying = 0, leaving = 0, begun = 0;
    bool turns = false;
    for (int k = 0; k < work->n_subspaces; k++) {
        struct side_sizes z = sizes_of(rules, work, work->subspaces[k], holding);
        uint64_t moved = z.n_sources[PLY_MOVES] > 0 ? z.columns : 0;
        uint64_t widest = z.placed > moved ? z.placed : moved;
        turns |= z.moves_stay;
        staying += z.rows * z.columns;
        leaving = z.rows * widest > leaving ? z.rows * widest : leaving;
        if (z.n_ranks > 1) // a chunk may be begun for each bucket of all ranks
            begun += 2 * merels_turn_begun_bytes(
                             n_threads, (uint32_t)z.reach,
                             (uint32_t)(widest > z.columns ? widest : z.columns), z.n_ranks);
    }
    uint64_t share =
        turns ? staying / STAYING_SLOTS_PER_BYTE : leaving / LEAVING_SLOTS_PER_BYTE;
    uint64_t beside = begun > 0 ? begun : (uint64_t)n_threads * (4u << 20);
    return (struct pool_sizes){turns ? n_fresh_lists(rules->metric) : 1,
                               (share >> holding.thin) + beside};
}

static uint64_t canon_bytes(const struct board *board, int men)
{
    return merels_choose(board->n_points, men) * sizeof(uint32_t);
}

// Arrays of the arena, each rounded up: of a side, its sources, canonical look-ups, pools, room
// for codes.
enum { ARENA_ARRAYS = MAX_UNIT_SUBSPACES * (8 + 2 * MAX_EFFECTS) + 4 };

uint64_t merels_unit_bytes(const struct rules *rules, const struct work_unit *work,
                           enum way_to_solve way, struct holding holding, int n_threads)
{
    const struct board *board = &rules->board;
    bool stored = holding.room_bytes > 0;
    struct pool_sizes pools = size_pools(rules, work, holding, n_threads);
    uint64_t bytes =
        ARENA_ARRAYS * ARENA_ALIGNMENT + (uint64_t)pools.n * pools.bytes + holding.room_bytes;
    for (int k = 0; k < work->n_subspaces; k++) {
        struct subspace s = work->subspaces[k];
        struct side_sizes z = sizes_of(rules, work, s, holding);
        bytes += canon_bytes(board, s.b) + side_bytes(&z, way, stored, n_threads) +
                 merels_columns_bytes(board->n_points - s.b, s.a);
        if (z.placed > 0)
            bytes += merels_columns_bytes(board->n_points - s.b, s.a + 1);
    }
    return bytes;
}

// ---- holding less of it --------------------------------------------------------------------

// In ranges of like size, but no less than some rows each: a source is read once for each.
enum { MAX_RANGE_BITS = 6, FULL_POOL_RANGE_BITS = 2, THIN = 3 };

static uint64_t larger(uint64_t x, uint64_t y)
{
    return x > y ? x : y;
}

static bool hold_rows(const struct rules *rules, const struct work_unit *work, int number,
                      struct holding *holding)
{
    uint64_t n = merels_subspace_rows(&rules->board, work->subspaces[0]);
    uint64_t n_ranges = UINT64_C(1) << number;
    if (work->n_subspaces != 1 || number > MAX_RANGE_BITS || n_ranges >= n)
        return false;
    holding->n_rows = (uint32_t)((n + n_ranges - 1) / n_ranges);
    return true;
}

// Room for whole buckets, of the largest array of codes or a part of it. Where all of it has
// room, the pools have theirs.
static bool hold_room(const struct rules *rules, const struct work_unit *work, int number,
                      struct holding *holding)
{
    bool full_pools = number <= FULL_POOL_RANGE_BITS;
    int range_bits = full_pools ? number : number - FULL_POOL_RANGE_BITS - 1;
    uint64_t all = 0, bucket = 0;
    if (range_bits > MAX_RANGE_BITS)
        return false;
    for (int k = 0; k < work->n_subspaces; k++) {
        struct side_sizes z = sizes_of(rules, work, work->subspaces[k], (struct holding){0});
        uint64_t columns = larger(z.columns, z.placed);
        int bits = merels_turn_row_bits((uint32_t)z.rows, (uint32_t)z.columns, 1);
        all = larger(all, z.rows * columns);
        bucket = larger(bucket, columns << bits);
    }
    holding->room_bytes = larger((all >> range_bits) + 1, bucket);
    holding->thin = full_pools ? 0 : THIN;
    return true;
}

bool merels_unit_holding(const struct rules *rules, const struct work_unit *work, int number,
                         struct holding *holding)
{
    *holding = (struct holding){0};
    if (number == 0)
        return true;
    return merels_unit_has_turns(rules, work) ? hold_room(rules, work, number - 1, holding)
                                              : hold_rows(rules, work, number, holding);
}

// ---- taking it -----------------------------------------------------------------------------

// The rows of so many men, and their look-up if turns go there.
static enum status open_canon(struct unit *unit, struct index *index, int men, bool look_up,
                              struct error *err)
{
    struct canon *canon = &unit->canons[men];
    const struct board *board = &unit->rules->board;
    enum status status = STATUS_OK;
    canon->men = men;
    if (canon->rows == NULL)
        status = merels_index_rows(index, men, &canon->rows, err);
    if (status != STATUS_OK || !look_up || canon->entries != NULL)
        return status;
    canon->entries = merels_arena_take(unit->arena, (size_t)canon_bytes(board, men));
    if (canon->entries == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the sets of %d men", men);
    return merels_index_fill_canon(index, men, canon->entries, err);
}

// Rows worked on at a time, and those of them that this rank has at most.
static uint32_t rows_in_reach(const struct unit *unit, const struct side *side)
{
    return unit->max_rows < side->n_rows ? unit->max_rows : side->n_rows;
}

static int side_slice_bits(const struct unit *unit, const struct side *side)
{
    uint32_t placed = side->n_classes[PLY_PLACES] > 0 ? side->placed.n_columns : 0;
    return slice_bits(rows_in_reach(unit, side), side->n_columns, placed, unit->n_ranks);
}

static uint32_t rows_here(const struct unit *unit, const struct side *side)
{
    uint32_t n = rows_in_reach(unit, side), most = 0;
    if (unit->n_ranks == 1)
        return n;
    for (int r = 0; r < unit->n_ranks; r++) {
        struct row_range slice = slice_of(n, side_slice_bits(unit, side), unit->n_ranks, r);
        most = slice.n > most ? slice.n : most;
    }
    return most;
}

static enum status take_source(struct unit *unit, struct side *side, struct source *source,
                               int n_threads, struct error *err)
{
    uint32_t n_rows = rows_here(unit, side);
    size_t slots = (size_t)n_rows * source->n_columns;
    bool stored = unit->room != NULL, good = true;
    if (unit->way == SOLVE_BY_DEPTHS) {
        size_t bits_bytes = n_rows * source->row_words * 8;
        good &= (source->won = merels_arena_take(unit->arena, bits_bytes)) != NULL;
    }
    if (!stored)
        good &= (source->value = merels_arena_take(unit->arena, slots)) != NULL;
    if (!stored && unit->way == SOLVE_BY_DEPTHS)
        good &= (source->codes = calloc(n_rows + (size_t)1, sizeof *source->codes)) != NULL;
    if (!good)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a source of %zu slots",
                            slots);
    return merels_turn_lists_create(&unit->pools[0], n_threads, rows_in_reach(unit, side),
                                    source->n_columns, unit->n_ranks, &source->lists, err);
}

static enum status take_turns(struct unit *unit, struct side *side, uint32_t n_rows,
                              int n_threads, struct error *err)
{
    size_t bits_bytes = n_rows * side->row_words * 8;
    bool good = (side->won = merels_arena_take(unit->arena, bits_bytes)) != NULL;
    for (int k = 0; k < side->n_fresh; k++) {
        good &= (side->fresh[k] = merels_arena_take(unit->arena, bits_bytes)) != NULL;
        good &= (side->touched[k] = calloc(n_rows + (size_t)1, 1)) != NULL;
    }
    enum status status = STATUS_OK;
    if (!good)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for the turns of a side");
    for (int k = 0; k < side->n_fresh && status == STATUS_OK; k++)
        status = merels_turn_lists_create(&unit->pools[k], n_threads, rows_in_reach(unit, side),
                                          side->n_columns, unit->n_ranks, &side->lists[k], err);
    return status;
}

static enum status take_arrays(struct unit *unit, struct side *side, int n_threads,
                               struct error *err)
{
    uint32_t n_rows = rows_here(unit, side);
    size_t slots = (size_t)n_rows * side->n_columns;
    bool good = true;
    if (unit->room == NULL)
        good &= (side->value = merels_arena_take(unit->arena, slots)) != NULL;
    if (unit->way == SOLVE_BY_DEPTHS) {
        size_t bits_bytes = n_rows * side->row_words * 8;
        good &= (side->undecided = merels_arena_take(unit->arena, bits_bytes)) != NULL;
        good &= (side->left = calloc(n_rows + (size_t)1, sizeof *side->left)) != NULL;
        if (merels_side_may_pass(unit->rules, side->subspace))
            good &= (side->passes = merels_arena_take(unit->arena, bits_bytes)) != NULL;
    }
    enum status status = STATUS_OK;
    if (!good)
        status = merels_error(err, STATUS_NO_MEMORY,
                              "out of memory for a subspace of %zu slots", slots);
    if (status == STATUS_OK && side->moves_stay)
        status = take_turns(unit, side, n_rows, n_threads, err);
    for (int k = 0; k < side->n_sources && status == STATUS_OK; k++)
        status = take_source(unit, side, &side->sources[k], n_threads, err);
    return status;
}

static enum status open_side(struct unit *unit, struct index *index,
                             const struct work_unit *work, int cell_points, int k,
                             struct error *err)
{
    struct subspace s = work->subspaces[k];
    struct side *side = &unit->sides[k];
    unit->n_sides = k + 1;
    enum status status = open_canon(unit, index, s.b, true, err);
    if (status == STATUS_OK)
        status = merels_side_describe(unit->rules, s, &unit->canons[s.b], cell_points,
                                      is_inside, work, side, err);
    for (int i = 0; i < side->n_sources && status == STATUS_OK; i++) {
        int men = side->sources[i].columns->n_men;
        status = open_canon(unit, index, men, false, err);
        side->sources[i].arrivals = &unit->canons[men];
    }
    return status;
}

static enum status open_pools(struct unit *unit, const struct work_unit *work,
                              struct holding holding, int n_threads, struct error *err)
{
    struct pool_sizes sizes = size_pools(unit->rules, work, holding, n_threads);
    for (int k = 0; k < sizes.n; k++) {
        void *memory = merels_arena_take(unit->arena, (size_t)sizes.bytes);
        if (memory == NULL)
            return merels_error(err, STATUS_NO_MEMORY, "out of memory for lists of turns");
        merels_turn_pool_open(memory, sizes.bytes, &unit->pools[k]);
    }
    return STATUS_OK;
}

// A turn leads to the side of which the mover is the other one, if moves from there stay.
static void join_turns(struct unit *unit)
{
    for (int k = 0; k < unit->n_sides; k++) {
        struct side *side = &unit->sides[k], *other = &unit->sides[unit->n_sides - 1 - k];
        side->turned = other->moves_stay ? other : NULL;
    }
}

static enum status open_room(struct unit *unit, uint64_t n_bytes, struct error *err)
{
    unit->room_bytes = n_bytes;
    if (n_bytes == 0)
        return STATUS_OK;
    unit->room = merels_arena_take(unit->arena, (size_t)n_bytes);
    return unit->room != NULL ? STATUS_OK
                              : merels_error(err, STATUS_NO_MEMORY, "out of memory for codes");
}

static enum status open_unit(struct unit *unit, struct index *index,
                             const struct work_unit *work, struct holding holding,
                             int cell_points, int n_threads, struct error *err)
{
    enum status status = open_pools(unit, work, holding, n_threads, err);
    if (status == STATUS_OK)
        status = open_room(unit, holding.room_bytes, err);
    for (int k = 0; k < work->n_subspaces && status == STATUS_OK; k++)
        status = open_side(unit, index, work, cell_points, k, err);
    for (int k = 0; k < unit->n_sides && status == STATUS_OK; k++)
        status = take_arrays(unit, &unit->sides[k], n_threads, err);
    if (status == STATUS_OK) {
        join_turns(unit);
        merels_unit_set_range(unit, 0);
    }
    return status;
}

enum status merels_unit_create(const struct rules *rules, struct index *index,
                               const struct work_unit *work, enum way_to_solve way,
                               struct holding holding, int cell_points, int n_threads,
                               struct arena *arena, struct unit *unit, struct error *err)
{
    *unit = (struct unit){.rules = rules, .way = way};
    unit->arena = arena != NULL ? arena : &unit->own;
    unit->max_rows = holding.n_rows > 0 ? holding.n_rows : UINT32_MAX;
    unit->n_ranks = ranks_of(holding);
    unit->rank = holding.rank;
    uint64_t n_bytes = merels_unit_bytes(rules, work, way, holding, n_threads);
    if (!merels_arena_reserve(unit->arena, (size_t)n_bytes))
        return merels_error(err, STATUS_NO_MEMORY,
                            "out of memory: a work unit needs %llu bytes",
                            (unsigned long long)n_bytes);
    enum status status = open_unit(unit, index, work, holding, cell_points, n_threads, err);
    if (status != STATUS_OK)
        merels_unit_destroy(unit);
    return status;
}

static void destroy_side(struct side *side)
{
    for (int k = 0; k < side->n_fresh; k++) {
        free(side->touched[k]);
        merels_turn_lists_destroy(&side->lists[k]);
    }
    free(side->left);
    for (int k = 0; k < side->n_sources; k++) {
        free(side->sources[k].codes);
        merels_turn_lists_destroy(&side->sources[k].lists);
    }
    merels_side_forget(side);
}

void merels_unit_destroy(struct unit *unit)
{
    for (int k = 0; k < unit->n_sides; k++)
        destroy_side(&unit->sides[k]);
    merels_arena_destroy(&unit->own);
    *unit = (struct unit){0};
}

struct row_range merels_unit_slice(const struct unit *unit, const struct side *side, int rank)
{
    struct row_range slice =
        slice_of(side->reach.n, unit->n_ranks == 1 ? 0 : side_slice_bits(unit, side),
                 unit->n_ranks, rank);
    slice.first += side->reach.first;
    return slice;
}

// The slices before a row are about as long as those behind it, so the first guess is near.
int merels_unit_owner(const struct unit *unit, const struct side *side,
                      const struct turn_lists *lists, uint32_t bucket)
{
    uint64_t place = (uint64_t)bucket << lists->row_bits;
    uint64_t row = side->reach.first + place;
    int rank = (int)(place * (uint64_t)unit->n_ranks / side->reach.n);
    struct row_range slice = merels_unit_slice(unit, side, rank);
    while (row < slice.first && rank > 0)
        slice = merels_unit_slice(unit, side, --rank);
    while (row >= (uint64_t)slice.first + slice.n && rank + 1 < unit->n_ranks)
        slice = merels_unit_slice(unit, side, ++rank);
    return rank;
}

void merels_unit_set_range(struct unit *unit, uint32_t first)
{
    for (int k = 0; k < unit->n_sides; k++) {
        struct side *side = &unit->sides[k];
        uint32_t rest = side->n_rows - first;
        side_set_range(side, first, rest < unit->max_rows ? rest : unit->max_rows);
        side->range = merels_unit_slice(unit, side, unit->rank);
    }
}

struct workspace_sizes merels_unit_workspace(const struct unit *unit)
{
    struct workspace_sizes sizes = {0};
    for (int k = 0; k < unit->n_sides; k++)
        merels_workspace_foresee(unit->rules, unit->sides[k].subspace,
                                 unit->way == SOLVE_BY_SWEEP, &sizes);
    return sizes;
}
