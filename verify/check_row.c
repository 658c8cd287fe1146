// check_row.c: preparing and checking one row.

#include "verify/check_row.h"

#include <assert.h>
#include <string.h>

#include "verify/verify_bits.h"

#ifndef MERELS_LEVEL
#define MERELS_LEVEL portable
#define MERELS_LEVEL_TEXT "portable"
#endif
#define PASTE(name, level) merels_verify_##name##_##level
#define EXPAND(name, level) PASTE(name, level)
#define AT_LEVEL(name) EXPAND(name, MERELS_LEVEL)

extern const struct row_checks AT_LEVEL(wide_checks);

#if MERELS_MARK_BYTES == 2
enum { ENDED = WIDE_MARK_ENDED };
typedef struct wide_pair mark_pair;
typedef struct wide_marks mark_maps;
#else
enum { ENDED = MARK_ENDED };
typedef struct pair mark_pair;
typedef struct marks mark_maps;
extern const struct row_checks AT_LEVEL(checks);
#endif

enum { LOOKUPS = 128 };

// ---- preparing: pairs of one row -----------------------------------------------------------

// Mills whose points are all outside `set`, in numbers of the free points.
static int open_mills(const struct verify_index *index, uint32_t set,
                      uint32_t mills[VERIFY_MILLS])
{
    const struct verify_rules *rules = &index->rules;
    int n = 0;
    for (int k = 0; k < rules->n_mills; k++)
        if ((rules->mills[k] & set) == 0)
            mills[n++] = verify_together(&index->bits, rules->mills[k], rules->all & ~set);
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
static inline verify_mark best_removal(const struct verify_index *index, int men_left,
                                       uint32_t men, uint32_t may_go,
                                       const verify_mark *smaller)
{
    verify_mark best = MARK_NONE;
    for (; may_go != 0; may_go &= may_go - 1) {
        uint32_t left = men ^ (may_go & (~may_go + 1));
        verify_mark worth = smaller[verify_rank(index, men_left, left)];
        best = worth > best ? worth : best;
    }
    return best;
}

static void close_row(const struct table_view *view, uint32_t set, const verify_mark *smaller,
                      verify_mark *marks, mark_pair *pairs)
{
    const struct verify_index *index = view->index;
    const struct verify_rules *rules = &index->rules;
    const mark_maps *maps = view->marks;
    uint32_t mills[VERIFY_MILLS];
    int n_mills = open_mills(index, set, mills);
    uint32_t n_smaller =
        smaller ? (uint32_t)index->choose[rules->n_points - view->a_after][view->b - 1] : 0;
    for (uint32_t k = 0; k < n_smaller; k++)
        marks[k] = maps->taken[smaller[k]];
    for (uint32_t k = 0; k < view->n_pair_columns; k++) {
        uint32_t men = view->pair_columns[k];
        uint32_t may_go = verify_takable(rules->taking, men, men_in_mills(men, mills, n_mills));
        if (may_go == 0)
            continue; // nothing is removed: the ply is a quiet one
        pairs[k].closed = view->plies.removal_ends
                              ? ENDED
                              : best_removal(index, view->b - 1, men, may_go, marks);
    }
}

static void prepare_row(const struct table_view *view, uint32_t set, const void *plain,
                        const void *smaller, struct room *room, void *pairs)
{
    const mark_maps *maps = view->marks;
    const verify_mark *values = plain;
    mark_pair *out = pairs;
    assert(!view->plies.over && __builtin_popcount(set) == view->a_after);
    assert((smaller != NULL) == view->plies.removes);
    assert(view->mark_bytes == sizeof(verify_mark));
    for (uint32_t k = 0; k < view->n_pair_columns; k++) {
        verify_mark worth = maps->quiet[values[k]];
        out[k] = (mark_pair){worth, worth};
    }
    if (merels_verify_in_mills(&view->index->rules, set) != 0)
        close_row(view, set, smaller, room->smaller, out);
}

// ---- checking: one row: what each ply leads to ---------------------------------------------

// Fetches what every set that a ply can make is worth. Three loops over a batch, so that many
// accesses are under way at once: class of the set; place of the pair; the pair.
static void fetch(const struct table_view *view, uint32_t free, const uint32_t *images,
                  struct room *room)
{
    const struct verify_index *index = view->index;
    const struct classes *arrived = view->arrived;
    const mark_pair *pairs = view->pairs;
    const uint32_t *entries[LOOKUPS];
    const mark_pair *places[LOOKUPS];
    verify_mark *quiet = room->quiet, *closed = room->closed;
    for (uint32_t first = 0; first < view->n_targets; first += LOOKUPS) {
        uint32_t n = view->n_targets - first < LOOKUPS ? view->n_targets - first : LOOKUPS;
        const uint32_t *targets = view->targets + first;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t set = verify_apart(&index->bits, targets[k], free);
            entries[k] = &arrived->entries[verify_rank(index, arrived->men, set)];
            __builtin_prefetch(entries[k]);
        }
        for (uint32_t k = 0; k < n; k++) {
            uint32_t number = *entries[k] >> 8;
            uint32_t outside = index->rules.all & ~arrived->smallest[number];
            uint32_t men = verify_together(&index->bits, images[*entries[k] & 255], outside);
            places[k] = &pairs[(uint64_t)number * view->n_pair_columns +
                               verify_rank(index, view->b, men)];
            __builtin_prefetch(places[k]);
        }
        for (uint32_t k = 0; k < n; k++) {
            quiet[targets[k]] = places[k]->quiet;
            closed[targets[k]] = places[k]->closed;
        }
    }
}

// ---- checking: one row: the best ply of every set ------------------------------------------
//
// Sets X of the mover's men are numbers of n_free bits, and the planes best, quiet and closed
// hold a mark for each. A step takes a man from point i to point j, so that Y stands 2^j - 2^i
// marks further on than X, whatever the other men (a man from the hand: 2^j). That is
// done for a block of sets at once, those that differ in their BLOCK_POINTS lowest points only:
//
//     best    .... |X X X X X X X X| ....              the block: the other points of all X
//                   ^ ^ ^ ^ ^ ^ ^ ^                    lane: the lowest points of each
//     quiet   ......|. Y . . Y Y . .| ..               only X that hold i and not j
//     closed  ......|Y . . . . . . .| ..               where the men that stay and j are a mill
//
// What a lane must hold or lack is a mask for its lowest points; for the others it is asked
// once, while the blocks are found: steps that the points so far forbid are left out.

enum { MAX_STEPS = VERIFY_POINTS * (VERIFY_POINTS - 1), STEP_WORDS = (MAX_STEPS + 63) / 64 };
enum { NO_LANE = BLOCK_LANES, USUAL_MILLS = 2 };

struct step {
    int32_t distance;                // from X to Y
    uint32_t holds, lacks;           // numbers of the lanes that must and must not be
    uint32_t mates[VERIFY_MILLS_AT]; // those of the mills that the step can close
};

struct steps {
    int a, n, n_words, n_mates;
    struct step list[MAX_STEPS];
    mark_block
        lanes[BLOCK_LANES + 1]; // that hold a set of the lowest points; the last: no lane
    uint64_t without[VERIFY_POINTS][STEP_WORDS]; // steps of sets without a point, and with it
    uint64_t with[VERIFY_POINTS][STEP_WORDS];
};

static void fill_lanes(mark_block lanes[BLOCK_LANES + 1])
{
    memset(lanes, 0, (BLOCK_LANES + 1) * sizeof *lanes);
    lanes[0] = ~lanes[0];
    for (int p = 0; p < BLOCK_POINTS; p++)
        for (int lane = 0; lane < BLOCK_LANES; lane++)
            lanes[1 << p][lane] = (verify_mark)(lane >> p & 1 ? -1 : 0);
    for (int set = 1; set < BLOCK_LANES; set++)
        lanes[set] = lanes[set & (set - 1)] & lanes[set & -set];
}

static inline uint32_t low_part(uint32_t set)
{
    return set & (BLOCK_LANES - 1);
}

static void forbid(uint64_t words[STEP_WORDS], int step)
{
    words[step / 64] &= ~((uint64_t)1 << (step % 64));
}

// The man comes from point i, or from the hand if i < 0, and closes those mills through j that
// do not hold i.
static void add_step(struct steps *steps, const uint32_t *mills, int n_mills, int i, int j)
{
    uint32_t bit_i = i < 0 ? 0 : (uint32_t)1 << i, bit_j = (uint32_t)1 << j;
    struct step *step = &steps->list[steps->n];
    int n = 0;
    step->distance = (int32_t)bit_j - (int32_t)bit_i;
    step->holds = low_part(bit_i);
    step->lacks = low_part(bit_j) != 0 ? bit_j : NO_LANE;
    for (int k = 0; k < n_mills; k++)
        if ((mills[k] & bit_j) != 0 && (mills[k] & bit_i) == 0)
            step->mates[n++] = mills[k] & ~bit_j;
    steps->n_mates = n > steps->n_mates ? n : steps->n_mates;
    for (; n < VERIFY_MILLS_AT; n++)
        step->mates[n] = UINT32_MAX; // no set holds them
    if (i >= 0)
        forbid(steps->without[i], steps->n);
    forbid(steps->with[j], steps->n);
    steps->n++;
}

static void find_steps(const struct table_view *view, uint32_t set, uint32_t free,
                       struct steps *steps)
{
    const struct verify_index *index = view->index;
    uint32_t mills[VERIFY_MILLS];
    int n_mills = open_mills(index, set, mills), i = 0;
    steps->a = view->a;
    steps->n = steps->n_mates = 0;
    memset(steps->without, 0xFF, sizeof steps->without);
    memset(steps->with, 0xFF, sizeof steps->with);
    fill_lanes(steps->lanes);
    for (int p = 0; p < index->rules.n_points; p++) {
        if (!(free >> p & 1))
            continue;
        uint32_t joined =
            view->plies.flies ? free & ~((uint32_t)1 << p) : index->rules.joined[p] & free;
        joined = verify_together(&index->bits, joined, free);
        if (view->plies.places)
            add_step(steps, mills, n_mills, -1, i);
        for (int j = 0; j < view->n_free && !view->plies.places; j++)
            if (joined >> j & 1)
                add_step(steps, mills, n_mills, i, j);
        i++;
    }
    steps->n_words = (steps->n + 63) / 64;
}

// The lanes whose sets hold all mates; `set` are the points that the whole block holds.
static inline mark_block lanes_holding(const struct steps *steps, uint32_t set, uint32_t mates)
{
    bool rest = (mates & ~(uint32_t)(BLOCK_LANES - 1) & ~set) == 0;
    return steps->lanes[rest ? low_part(mates) : NO_LANE];
}

static inline void block_best(const struct steps *steps, uint32_t set, const uint64_t *words,
                              int n_mates, struct room *room)
{
    mark_block best = {MARK_NONE};
    const verify_mark *quiet = room->quiet, *closed = room->closed;
    for (int w = 0; w < steps->n_words; w++)
        for (uint64_t left = words[w]; left != 0; left &= left - 1) {
            const struct step *step = &steps->list[64 * w + __builtin_ctzll(left)];
            int64_t arrival = (int64_t)set + step->distance;
            mark_block closing = lanes_holding(steps, set, step->mates[0]);
            for (int k = 1; k < n_mates; k++)
                closing |= lanes_holding(steps, set, step->mates[k]);
            mark_block worth = verify_choose(closing, verify_block(closed + arrival),
                                             verify_block(quiet + arrival));
            worth &= steps->lanes[step->holds] & ~steps->lanes[step->lacks];
            best = verify_greatest(best, worth);
        }
    memcpy((verify_mark *)room->best + set, &best, sizeof best);
}

// All blocks with sets of `a` men whose points from p on are `set`, n_men of them; `words`: the
// steps that these allow.
static void blocks_below(const struct steps *steps, int p, uint32_t set, int n_men,
                         const uint64_t *words, struct room *room)
{
    uint64_t some[STEP_WORDS];
    if (n_men > steps->a || n_men + p < steps->a)
        return;
    if (p <= BLOCK_POINTS) {
        if (steps->n_mates <= USUAL_MILLS)
            block_best(steps, set, words, USUAL_MILLS, room);
        else
            block_best(steps, set, words, steps->n_mates, room);
        return;
    }
    p--;
    for (int w = 0; w < steps->n_words; w++)
        some[w] = words[w] & steps->without[p][w];
    blocks_below(steps, p, set, n_men, some, room);
    for (int w = 0; w < steps->n_words; w++)
        some[w] = words[w] & steps->with[p][w];
    blocks_below(steps, p, set | (uint32_t)1 << p, n_men + 1, some, room);
}

static void all_blocks(const struct steps *steps, int n_free, struct room *room)
{
    uint64_t words[STEP_WORDS] = {0};
    for (int k = 0; k < steps->n; k++)
        words[k / 64] |= (uint64_t)1 << (k % 64);
    blocks_below(steps, n_free, 0, 0, words, room);
}

static void best_row(const struct table_view *view, uint32_t set, struct room *room)
{
    const struct verify_index *index = view->index;
    uint32_t free = index->rules.all & ~set, images[VERIFY_MAPS];
    struct steps steps;
    assert(!view->plies.over && __builtin_popcount(set) == view->b && view->pairs != NULL);
    for (int m = 0; m < index->n_maps; m++)
        images[m] = verify_image(index, m, set);
    fetch(view, free, images, room);
    find_steps(view, set, free, &steps);
    all_blocks(&steps, view->n_free, room);
}

static uint32_t check_row(const struct table_view *view, uint32_t set, const void *stored,
                          struct room *room)
{
    const mark_maps *maps = view->marks;
    const verify_mark *best = room->best, *values = stored;
    best_row(view, set, room);
    for (uint32_t k = 0; k < view->n_columns; k++)
        if (values[k] != maps->values[best[view->columns[k]]])
            return k;
    return view->n_columns;
}

// ---- counting -------------------------------------------------------------------------------

static inline void count_one(struct tally *tally, verify_mark value, uint64_t slot)
{
    tally->orbits[value]++;
    if (slot < tally->first[value])
        tally->first[value] = slot;
}

#if MERELS_MARK_BYTES == 2
static void count_all(const struct table_view *view, const verify_mark *stored,
                      uint64_t first_slot, struct tally *tally)
{
    for (uint32_t k = 0; k < view->n_columns; k++)
        count_one(tally, stored[k], first_slot + k);
}
#else
// All columns at once: the first of a value is looked for only once a row.
static void count_all(const struct table_view *view, const verify_mark *stored,
                      uint64_t first_slot, struct tally *tally)
{
    uint32_t counts[256] = {0};
    for (uint32_t k = 0; k < view->n_columns; k++)
        counts[stored[k]]++;
    for (int v = 0; v < 256; v++) {
        tally->orbits[v] += counts[v];
        if (counts[v] > 0 && first_slot < tally->first[v])
            tally->first[v] =
                first_slot +
                (uint64_t)((const uint8_t *)memchr(stored, v, view->n_columns) - stored);
    }
}
#endif

// Each position of a row with symmetries counts where its own set is the smallest of its
// images, which is its first slot.
static bool count_symmetric(const struct table_view *view, uint32_t free, const int *maps,
                            int n_maps, const verify_mark *stored, uint64_t first_slot,
                            struct tally *tally, struct twins *twins)
{
    const struct verify_index *index = view->index;
    for (uint32_t k = 0; k < view->n_columns; k++) {
        uint32_t set = verify_apart(&index->bits, view->columns[k], free);
        bool smallest = true;
        for (int m = 0; m < n_maps; m++) {
            uint32_t image = verify_image(index, maps[m], set);
            uint32_t other =
                verify_rank(index, view->a, verify_together(&index->bits, image, free));
            smallest &= image >= set;
            *twins = (struct twins){k, other};
            if (stored[other] != stored[k])
                return false;
        }
        if (smallest)
            count_one(tally, stored[k], first_slot + k);
    }
    return true;
}

static bool tally_row(const struct table_view *view, uint32_t number, const void *stored,
                      struct tally *tally, struct twins *twins)
{
    assert(number < view->rows->n_rows && view->rows->men == view->b);
    uint32_t set = view->rows->smallest[number];
    int maps[VERIFY_MAPS], n_maps = merels_verify_stabilizer(view->index, set, maps);
    uint64_t first_slot = (uint64_t)number * view->n_columns;
    if (n_maps > 0)
        return count_symmetric(view, view->index->rules.all & ~set, maps, n_maps, stored,
                               first_slot, tally, twins);
    count_all(view, stored, first_slot, tally);
    return true;
}

#if MERELS_MARK_BYTES == 2
const struct row_checks AT_LEVEL(wide_checks) = {
#else
const struct row_checks AT_LEVEL(checks) = {
    .wide = &AT_LEVEL(wide_checks),
#endif
    .level = MERELS_LEVEL_TEXT,
    .mark_bytes = MERELS_MARK_BYTES,
    .prepare_row = prepare_row,
    .best_row = best_row,
    .check_row = check_row,
    .tally_row = tally_row,
};
