/* merels_compact.c: the reader of edition compact. docs/COMPACT.md is the law.
 *
 *     value --stored?--> group of rows --> block --> value
 *        \--derived: the best of the plies' values
 *
 * Order of this file: bytes, the game (board, symmetries, patterns), a row, features, the walk
 * over a block, the range decoder, models, the open file, the rules of play, values.
 *
 * MIT License
 *
 * Copyright (c) 2026 The Merels authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 * SOFTWARE.
 */

#define MERELS_COMPACT_WRITER
#include "merels_compact.h"

typedef struct compact_game game;
typedef struct merels_compact_position place;

/* ---- bytes ------------------------------------------------------------------------------ */

static uint32_t load32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t load64(const uint8_t *p)
{
    return load32(p) | (uint64_t)load32(p + 4) << 32;
}

static uint64_t rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

#define P1 UINT64_C(0x9E3779B185EBCA87)
#define P2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define P3 UINT64_C(0x165667B19E3779F9)
#define P4 UINT64_C(0x85EBCA77C2B2AE63)
#define P5 UINT64_C(0x27D4EB2F165667C5)

static uint64_t hash_round(uint64_t sum, uint64_t lane)
{
    return rotate(sum + lane * P2, 31) * P1;
}

static uint64_t hash_stripes(const uint8_t **p, size_t n_stripes)
{
    uint64_t sum[4] = {P1 + P2, P2, 0, (uint64_t)0 - P1};
    for (; n_stripes > 0; n_stripes--)
        for (int k = 0; k < 4; k++, *p += 8)
            sum[k] = hash_round(sum[k], load64(*p));
    uint64_t h =
        rotate(sum[0], 1) + rotate(sum[1], 7) + rotate(sum[2], 12) + rotate(sum[3], 18);
    for (int k = 0; k < 4; k++)
        h = (h ^ hash_round(0, sum[k])) * P1 + P4;
    return h;
}

uint64_t merels_compact_hash(const uint8_t *p, size_t n_bytes)
{
    size_t rest = n_bytes;
    uint64_t h = P5;
    if (n_bytes >= 32) {
        h = hash_stripes(&p, n_bytes / 32);
        rest = n_bytes % 32;
    }
    h += n_bytes;
    for (; rest >= 8; rest -= 8, p += 8)
        h = rotate(h ^ hash_round(0, load64(p)), 27) * P1 + P4;
    for (; rest >= 4; rest -= 4, p += 4)
        h = rotate(h ^ load32(p) * P1, 23) * P2 + P3;
    for (; rest > 0; rest--, p++)
        h = rotate(h ^ *p * P5, 11) * P1;
    h = (h ^ h >> 33) * P2;
    h = (h ^ h >> 29) * P3;
    return h ^ h >> 32;
}

/* In a fuzz target every checksum is right: damage shall come through. */
static int is_damaged(const uint8_t *bytes, size_t n_bytes, uint64_t hash)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    (void)bytes, (void)n_bytes, (void)hash;
    return 0;
#else
    return merels_compact_hash(bytes, n_bytes) != hash;
#endif
}

static void clear(void *to, size_t n_bytes)
{
    uint8_t *p = (uint8_t *)to;
    while (n_bytes-- > 0)
        *p++ = 0;
}

#if defined(__GNUC__) && \
    (defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || defined(__wasm__))
static int lowest(uint32_t set)
{
    return __builtin_ctz(set);
}
#else
static int lowest(uint32_t set)
{
    int n = 0;
    for (; (set & 0xFF) == 0; set >>= 8)
        n += 8;
    for (; (set & 1) == 0; set >>= 1)
        n++;
    return n;
}
#endif

#if defined(__GNUC__) && (defined(__POPCNT__) || defined(__aarch64__) || defined(__wasm__))
static int count(uint32_t set)
{
    return __builtin_popcount(set);
}
#else
static int count(uint32_t set)
{
    set -= set >> 1 & 0x55555555;
    set = (set & 0x33333333) + (set >> 2 & 0x33333333);
    return (int)(((set + (set >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24);
}
#endif

static int parity(uint32_t set)
{
    set ^= set >> 16;
    set ^= set >> 8;
    set ^= set >> 4;
    return 0x6996 >> (set & 15) & 1;
}

static int count64(uint64_t set)
{
    return count((uint32_t)set) + count((uint32_t)(set >> 32));
}

static int lowest64(uint64_t set)
{
    return (uint32_t)set != 0 ? lowest((uint32_t)set) : 32 + lowest((uint32_t)(set >> 32));
}

static int at_most(int x, int most)
{
    return x < most ? x : most;
}

static uint32_t bit(int p)
{
    return (uint32_t)1 << p;
}

/* The bytes of the head, taken one after another; a failure stays. */
typedef struct {
    const uint8_t *at, *end;
    int failed;
} input;

static uint32_t take(input *in, int n_bytes)
{
    uint32_t x = 0;
    if (in->end - in->at < n_bytes) {
        in->failed = 1;
        return 0;
    }
    for (int k = 0; k < n_bytes; k++)
        x |= (uint32_t)*in->at++ << 8 * k;
    return x;
}

static uint64_t take64(input *in)
{
    uint64_t low = take(in, 4);
    return low | (uint64_t)take(in, 4) << 32;
}

/* A number in groups of seven bits, the lowest first. */
static uint32_t take_number(input *in)
{
    uint32_t x = 0;
    for (int shift = 0; shift < 28; shift += 7) {
        uint32_t byte = take(in, 1);
        x |= (byte & 127) << shift;
        if (byte < 128)
            return x;
    }
    in->failed = 1;
    return 0;
}

/* A number below `limit`; more is damage. */
static int take_below(input *in, uint32_t limit)
{
    uint32_t x = take(in, 1);
    if (x >= limit)
        in->failed = 1;
    return in->failed ? 0 : (int)x;
}

/* ---- the game --------------------------------------------------------------------------- */

static void fill_ranks(game *g)
{
    for (int n = 0; n < COMPACT_POINTS + 2; n++)
        for (int k = 0; k < COMPACT_POINTS + 2; k++)
            g->choose[n][k] = k == 0   ? 1
                              : n == 0 ? 0
                                       : g->choose[n - 1][k - 1] + g->choose[n - 1][k];
    clear(g->rank_low, sizeof g->rank_low);
    clear(g->rank_high, sizeof g->rank_high);
    for (uint32_t x = 1; x < 1 << 12; x++) {
        int top = 11, men;
        while ((x >> top & 1) == 0)
            top--;
        uint32_t rest = x & ~bit(top);
        men = count(x);
        g->rank_low[x] = g->rank_low[rest] + g->choose[top][men];
        for (int k = men; k <= COMPACT_POINTS; k++)
            g->rank_high[k][x] = g->rank_high[k - 1][rest] + g->choose[top + 12][k];
    }
}

static uint32_t rank_of(const game *g, int men, uint32_t set)
{
    return g->rank_low[set & 0xFFF] + g->rank_high[men][set >> 12];
}

static uint32_t set_of_rank(const game *g, int men, uint32_t rank)
{
    uint32_t set = 0;
    for (int p = COMPACT_POINTS - 1; men > 0; p--)
        if (p < 0) {
            return 0;
        } else if (rank >= g->choose[p][men]) {
            rank -= g->choose[p][men];
            set |= bit(p);
            men--;
        }
    return set;
}

uint32_t merels_compact_image(const game *g, int s, uint32_t set)
{
    return g->image[s][0][set & 255] | g->image[s][1][set >> 8 & 255] |
           g->image[s][2][set >> 16 & 255];
}

static void read_options(game *g, input *in)
{
    if (in->end - in->at < COMPACT_OPTIONS) {
        in->failed = 1;
        return;
    }
    for (int k = 0; k < COMPACT_OPTIONS; k++, in->at++) {
        g->options[k] = *in->at;
        in->failed |= *in->at > COMPACT_POINTS;
    }
}

static void read_board(game *g, input *in)
{
    g->n_points = take_below(in, COMPACT_POINTS + 1);
    if (g->n_points < 3)
        in->failed = 1;
    if (in->failed)
        return;
    g->points = ((uint32_t)1 << g->n_points) - 1;
    g->dark = take(in, 4) & g->points;
    int n_edges = take_below(in, 256);
    for (int k = 0; k < n_edges; k++) {
        int p = take_below(in, (uint32_t)g->n_points),
            q = take_below(in, (uint32_t)g->n_points);
        g->neighbours[p] |= bit(q);
        g->neighbours[q] |= bit(p);
    }
    g->n_mills = take_below(in, COMPACT_MILLS + 1);
    for (int k = 0; k < g->n_mills; k++) {
        for (int i = 0; i < 3; i++)
            g->mills[k] |= bit(take_below(in, (uint32_t)g->n_points));
        for (int p = 0; p < g->n_points; p++)
            if (g->mills[k] >> p & 1) {
                if (g->n_mates[p] == COMPACT_MILLS_AT)
                    in->failed = 1;
                else
                    g->mates[p][g->n_mates[p]++] = g->mills[k] & ~bit(p);
            }
    }
}

static void fill_image(game *g, int s)
{
    for (int k = 0; k < 3; k++)
        for (int x = 1; x < 256; x++) {
            int low = lowest((uint32_t)x), p = 8 * k + low;
            uint32_t one = p < g->n_points ? bit(g->symmetry[s][p]) : 0;
            g->image[s][k][x] = g->image[s][k][x & (x - 1)] | one;
        }
}

/* Symmetry 0 is the identity. */
static void read_symmetries(game *g, input *in)
{
    g->n_symmetries = take_below(in, COMPACT_SYMMETRIES + 1);
    for (int s = 0; s < g->n_symmetries; s++) {
        uint32_t seen = 0;
        for (int p = 0; p < g->n_points; p++) {
            g->symmetry[s][p] = (uint8_t)take_below(in, (uint32_t)g->n_points);
            seen |= bit(g->symmetry[s][p]);
        }
        if (seen != g->points)
            in->failed = 1;
        else
            fill_image(g, s);
    }
    for (int p = 0; p < g->n_points; p++)
        if (g->n_symmetries == 0 || g->symmetry[0][p] != p)
            in->failed = 1;
}

static const uint16_t power_of_3[COMPACT_PATTERN_POINTS + 1] = {1,   3,   9,    27,   81,
                                                                243, 729, 2187, 6561, 19683};

/* A pattern: points of the board in an order of their own. */
typedef struct {
    int n;
    uint8_t points[COMPACT_PATTERN_POINTS];
} pattern;

static uint32_t pattern_image(const game *g, const pattern *p, int s)
{
    uint32_t set = 0;
    for (int k = 0; k < p->n; k++)
        set |= bit(g->symmetry[s][p->points[k]]);
    return set;
}

/* The places of a pattern's points after a symmetry that maps it to itself. */
static void places_after(const game *g, const pattern *p, int s, uint8_t *places)
{
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++)
            if (g->symmetry[s][p->points[i]] == p->points[j])
                places[i] = (uint8_t)j;
}

static uint32_t index_after(const uint8_t *places, int n, uint32_t index)
{
    uint32_t after = 0;
    for (int i = 0; i < n; i++, index /= 3)
        after += power_of_3[places[i]] * (index % 3);
    return after;
}

/* Numbers the classes of a pattern's indices under the symmetries that map it to itself, in the
 * order of their smallest indices. Returns how many there are. */
static uint32_t number_classes(const game *g, const pattern *p, uint16_t *classes)
{
    uint8_t places[COMPACT_SYMMETRIES][COMPACT_PATTERN_POINTS];
    int n_places = 0;
    uint32_t n = 0;
    for (int s = 0; s < g->n_symmetries; s++)
        if (pattern_image(g, p, s) == pattern_image(g, p, 0))
            places_after(g, p, s, places[n_places++]);
    for (uint32_t index = 0; index < power_of_3[p->n]; index++) {
        uint32_t least = index;
        for (int k = 1; k < n_places; k++) {
            uint32_t after = index_after(places[k], p->n, index);
            least = after < least ? after : least;
        }
        classes[index] = (uint16_t)(least < index ? classes[least] : n++);
    }
    return n;
}

static void add_instance(game *g, int type, const pattern *p, int s)
{
    struct compact_instance *instance = &g->instances[g->n_instances++];
    instance->type = (uint8_t)type;
    for (int k = 0; k < 3; k++)
        for (int x = 0; x < 256; x++) {
            uint32_t sum = 0;
            for (int i = 0; i < p->n; i++) {
                int at = g->symmetry[s][p->points[i]] - 8 * k;
                if (at >= 0 && at < 8 && x >> at & 1)
                    sum += power_of_3[i];
            }
            instance->part[k][x] = (uint16_t)sum;
        }
}

/* One instance for each image of the pattern, by the first symmetry that gives it. */
static void add_instances(game *g, int type, const pattern *p, input *in)
{
    for (int s = 0; s < g->n_symmetries; s++) {
        int known = 0;
        for (int t = 0; t < s; t++)
            known |= pattern_image(g, p, t) == pattern_image(g, p, s);
        if (known)
            continue;
        if (g->n_instances == COMPACT_INSTANCES) {
            in->failed = 1;
            return;
        }
        add_instance(g, type, p, s);
    }
}

static void read_patterns(game *g, input *in)
{
    uint32_t n_indices = 0;
    g->n_types = take_below(in, COMPACT_PATTERNS + 1);
    for (int t = 0; t < g->n_types && !in->failed; t++) {
        pattern p;
        p.n = take_below(in, COMPACT_PATTERN_POINTS + 1);
        for (int k = 0; k < p.n; k++)
            p.points[k] = (uint8_t)take_below(in, (uint32_t)g->n_points);
        if (in->failed || count(pattern_image(g, &p, 0)) != p.n ||
            n_indices + power_of_3[p.n] > COMPACT_PATTERN_INDICES) {
            in->failed = 1;
            return;
        }
        g->type_first[t] = n_indices;
        g->type_entry[t] = g->n_entries;
        g->n_entries += number_classes(g, &p, g->classes + n_indices);
        n_indices += power_of_3[p.n];
        add_instances(g, t, &p, in);
    }
}

/* Where the tables of counts begin, the first at 0. */
enum {
    AT_SLIDES = 0,
    AT_MILLS = AT_SLIDES + 400,
    AT_BLOCKED = AT_MILLS + 256,
    AT_OPEN = AT_BLOCKED + 100,
    AT_PAIRS = AT_OPEN + 256,
    AT_SAFE = AT_PAIRS + 400,
    AT_IN_MILLS = AT_SAFE + 144,
    AT_FREEDOM = AT_IN_MILLS + 100,
    AT_RUNNING = AT_FREEDOM + 576,
    AT_LAST = AT_RUNNING + 81,
    AT_KINDS = AT_LAST + 27,
    AT_ABLE = AT_KINDS + 257,
    AT_DRAWN = AT_ABLE + 288,
    AT_SURE = AT_DRAWN + 108,
    AT_LIKELY = AT_SURE + 256,
    AT_BEST = AT_LIKELY + 225,
    AT_BEST_OTHER = AT_BEST + 972,
    AT_QUIET = AT_BEST_OTHER + 972,
    AT_CLOSING = AT_QUIET + 136,
    AT_EVIDENCE = AT_CLOSING + 102,
    AT_VALUES = AT_EVIDENCE + 64,
    AT_VALUES_CLOSING = AT_VALUES + 512,
    AT_ALWAYS = AT_VALUES_CLOSING + 216,
    COUNT_ENTRIES = AT_ALWAYS + 1
};

uint32_t merels_compact_read_game(game *g, const uint8_t *bytes, uint32_t n_bytes)
{
    input in;
    in.at = bytes;
    in.end = bytes + n_bytes;
    in.failed = 0;
    clear(g, sizeof *g);
    fill_ranks(g);
    read_options(g, &in);
    read_board(g, &in);
    if (!in.failed)
        read_symmetries(g, &in);
    if (!in.failed)
        read_patterns(g, &in);
    g->first_count = g->n_entries;
    g->n_entries += COUNT_ENTRIES;
    return in.failed ? 0 : (uint32_t)(in.at - bytes);
}

int merels_compact_has_parity(const game *g, int men)
{
    if (g->dark == 0)
        return 0;
    for (int s = 0; s < g->n_symmetries; s++)
        if (merels_compact_image(g, s, g->dark) != g->dark && men % 2 != 0)
            return 0;
    return 1;
}

/* ---- a row ------------------------------------------------------------------------------ */

static int may_fly(const game *g, int men, int hand)
{
    if (g->options[COMPACT_FLY_COUNT] == 1)
        return men + hand <= g->options[COMPACT_FLY];
    return hand == 0 && men <= g->options[COMPACT_FLY];
}

static int may_move(const game *g, int hand)
{
    return hand == 0 || g->options[COMPACT_TURN] == 1;
}

static int n_classes(const game *g)
{
    return g->options[COMPACT_REMOVALS] == 1 ? 3 : 2;
}

enum { MOST_ARRIVALS = 192, BYTE = 256, EDGES = 64 };

/* A mill of free points: the neighbours of its points, and of those of its points that no man
 * of the other side is next to. */
typedef struct {
    uint32_t points, near, near_safe;
} free_mill;

/* Two free points that are neighbours; [0] for a step to the lower one, [1] to the upper one:
 * what the mover needs besides to close a mill. */
typedef struct {
    uint32_t ends, mates[2][2];
} free_edge;

/* A mill of the other side: the free neighbours of all its men, and of each. */
typedef struct {
    uint32_t near, near_man[3];
} other_mill;

/* What is known of a position's arrivals, quiet ones [0] and closing ones [1]: how many of each
 * kind (a byte for each), the best node, and what speaks for a win in sum. */
typedef struct {
    uint64_t kinds[2];
    int best[2], sum;
} prospects;

/* What is counted of one side. */
typedef struct {
    int slides, blocked, closable, safe, mills, open, running, pairs, in_mills;
} tally;

/* All that a row has in common. "Pushed" sets are sets of free points, numbered anew; what
 * follows from one byte of such a set stands in tables. */
typedef struct {
    const game *g;
    const struct compact_block *block;
    const struct compact_walker *walker;
    uint32_t other, free, all; /* all: the pushed set of all free points */
    int n_free, places, moves, flies, most_closed;
    uint32_t deposit[3][BYTE];     /* pushed set to set */
    uint32_t near[COMPACT_POINTS]; /* pushed point to pushed set */
    uint32_t near_set[3][BYTE];    /* pushed set to all its neighbours */
    uint32_t men_near[3][BYTE];    /* pushed set to the men of the other side next to it */
    uint64_t sums[3][BYTE];        /* of what is added up by points, 16 bits for each */
    uint64_t all_sums;
    int n_edges, listed; /* between free points, listed if there is room */
    free_edge edges[EDGES];
    uint64_t edges_at[3][BYTE];     /* edges with one end in the set */
    uint64_t men_in_mills[3][BYTE]; /* two bits for each mill of free points */
    uint32_t dark;                  /* pushed */
    int n_mates[COMPACT_POINTS];    /* mills on free points */
    uint32_t mates[COMPACT_POINTS][COMPACT_MILLS_AT];
    int n_mills, n_other_mills, n_other_in_mills;
    free_mill mills[COMPACT_MILLS];
    other_mill other_mills[COMPACT_MILLS];
    uint32_t closable, held; /* by the other side; points next to its men */
    int n_stabilizers;       /* symmetries that keep the row's set, less the identity */
    uint8_t stabilizers[COMPACT_SYMMETRIES];
    uint32_t slides[3], placed[3]; /* where the nodes of arrivals begin, by class */
    uint8_t *nodes;
    uint16_t pattern_other[COMPACT_INSTANCES];
    uint32_t weights_of[COMPACT_INSTANCES];             /* where they begin */
    uint16_t bit_of[COMPACT_POINTS][COMPACT_INSTANCES]; /* of a pushed point in an index */
    uint16_t pattern_low[BYTE][COMPACT_INSTANCES];      /* sums of them by the low byte */
    uint64_t *weights;                                  /* of patterns, then of counts */
    uint32_t counts;                                    /* where the latter begin */
    /* of the positions with one set above the low byte */
    uint32_t high, high_deposit, high_near, high_near_empty, high_men_near;
    uint64_t high_sums, high_edges, high_men_in_mills;
    uint32_t pattern_high[COMPACT_INSTANCES];
    /* of the position at work */
    uint32_t pushed, empty, own, completing;
    tally tallies[2];
    int n_arrivals, n_placed; /* placements first */
    uint32_t arrivals[MOST_ARRIVALS], ranks[MOST_ARRIVALS];
    uint8_t closes[MOST_ARRIVALS];
    prospects outlook;
    uint32_t used[COMPACT_FEATURES]; /* places in weights */
    const uint8_t *values;           /* of the block */
    uint32_t first, n_values;        /* its columns */
    int slides_known; /* can the values of slots that one slide leads to be known? */
    uint8_t last[3];
} row_work;

static uint32_t push(const row_work *r, uint32_t set)
{
    uint32_t pushed = 0;
    int n = 0;
    for (uint32_t rest = r->free; rest != 0; rest &= rest - 1, n++)
        if ((set & rest & (0 - rest)) != 0)
            pushed |= bit(n);
    return pushed;
}

/* table[k][x]: the union of what belongs to the points of byte k of a pushed set. */
static void fill_unions(uint32_t table[3][BYTE], const uint32_t *of_point, int n)
{
    for (int k = 0; k < 3; k++) {
        table[k][0] = 0;
        for (int x = 1; x < BYTE; x++) {
            int q = 8 * k + lowest((uint32_t)x);
            table[k][x] = table[k][x & (x - 1)] | (q < n ? of_point[q] : 0);
        }
    }
}

static uint32_t union_of(uint32_t table[3][BYTE], uint32_t set)
{
    return table[0][set & 255] | table[1][set >> 8 & 255] | table[2][set >> 16];
}

/* The men of the other side, numbered anew, that are next to a point. */
static uint32_t men_next_to(const row_work *r, int point)
{
    uint32_t men = 0;
    int n = 0;
    for (uint32_t rest = r->other; rest != 0; rest &= rest - 1, n++)
        if (r->g->neighbours[point] & rest & (0 - rest))
            men |= bit(n);
    return men;
}

static void start_points(row_work *r)
{
    uint32_t points[COMPACT_POINTS], men[COMPACT_POINTS];
    const game *g = r->g;
    r->n_free = count(r->free);
    r->all = bit(r->n_free) - 1;
    r->dark = push(r, g->dark);
    r->held = 0;
    uint32_t rest = r->free;
    for (int q = 0; q < r->n_free; q++, rest &= rest - 1) {
        int p = lowest(rest);
        points[q] = bit(p);
        men[q] = men_next_to(r, p);
        r->held |= men[q] != 0 ? bit(q) : 0;
        r->near[q] = push(r, g->neighbours[p]);
        r->n_mates[q] = 0;
        for (int k = 0; k < g->n_mates[p]; k++)
            if ((g->mates[p][k] & ~r->free) == 0)
                r->mates[q][r->n_mates[q]++] = push(r, g->mates[p][k]);
    }
    fill_unions(r->deposit, points, r->n_free);
    fill_unions(r->near_set, r->near, r->n_free);
    fill_unions(r->men_near, men, r->n_free);
}

static void start_edge(row_work *r, uint32_t ends)
{
    free_edge *edge = &r->edges[r->n_edges];
    edge->ends = ends;
    for (int up = 0; up < 2; up++) {
        int to = lowest(up ? ends & (ends - 1) : ends), n = 0;
        edge->mates[up][0] = edge->mates[up][1] = ~(uint32_t)0;
        for (int k = 0; k < r->n_mates[to]; k++)
            if ((r->mates[to][k] & ends) == 0 && n++ < 2)
                edge->mates[up][n - 1] = r->mates[to][k];
        r->listed &= n <= 2;
    }
}

static void start_edges(row_work *r)
{
    uint64_t at[COMPACT_POINTS];
    clear(at, sizeof at);
    r->n_edges = 0;
    r->listed = 1;
    for (int p = 0; p < r->n_free; p++)
        for (uint32_t rest = r->near[p] & ~(bit(p) - 1); rest != 0; rest &= rest - 1) {
            uint64_t one = (uint64_t)1 << r->n_edges % EDGES;
            at[p] |= one;
            at[lowest(rest)] |= one;
            r->listed &= r->n_edges < EDGES;
            if (r->listed)
                start_edge(r, bit(p) | (rest & (0 - rest)));
            r->n_edges++;
        }
    for (int k = 0; k < 3; k++) {
        r->edges_at[k][0] = 0;
        for (int x = 1; x < BYTE; x++) {
            int q = 8 * k + lowest((uint32_t)x);
            r->edges_at[k][x] = r->edges_at[k][x & (x - 1)] ^ (q < r->n_free ? at[q] : 0);
        }
    }
}

/* A mill of free points, or one of the other side, or one that this can close. */
static void start_mill(row_work *r, uint32_t mill, int places_other, uint64_t *sums)
{
    const game *g = r->g;
    uint32_t men = mill & r->other, point = mill & r->free;
    if (men == 0) {
        free_mill *m = &r->mills[r->n_mills++];
        m->points = push(r, mill);
        m->near = m->near_safe = 0;
        for (uint32_t rest = m->points; rest != 0; rest &= rest - 1) {
            m->near |= r->near[lowest(rest)];
            if ((rest & (0 - rest) & r->held) == 0)
                m->near_safe |= r->near[lowest(rest)];
        }
    } else if (point == 0) {
        other_mill *m = &r->other_mills[r->n_other_mills++];
        m->near = 0;
        for (int k = 0; k < 3; k++, men &= men - 1) {
            m->near_man[k] = men == 0 ? 0 : push(r, g->neighbours[lowest(men)]);
            m->near |= m->near_man[k];
        }
    } else if ((point & (point - 1)) == 0) {
        uint32_t pushed = push(r, point);
        sums[lowest(pushed)] += (uint64_t)1 << 32;
        if (places_other || (g->neighbours[lowest(point)] & r->other & ~mill) != 0)
            r->closable |= pushed;
    }
}

/* table[k][x]: the sum of what belongs to the points of byte k of a pushed set. */
static void fill_sums(uint64_t table[3][BYTE], const uint64_t *of_point, int n)
{
    for (int k = 0; k < 3; k++) {
        table[k][0] = 0;
        for (int x = 1; x < BYTE; x++) {
            int q = 8 * k + lowest((uint32_t)x);
            table[k][x] = table[k][x & (x - 1)] + (q < n ? of_point[q] : 0);
        }
    }
}

/* Mills; and sums by points: their free neighbours, men of the other side next to them, mills
 * and points that it can close there. */
static void start_mills(row_work *r)
{
    uint64_t sums[COMPACT_POINTS];
    uint32_t in_mills = 0;
    const game *g = r->g;
    clear(sums, sizeof sums);
    r->n_mills = r->n_other_mills = 0;
    r->closable = 0;
    for (int k = 0; k < g->n_mills; k++) {
        start_mill(r, g->mills[k], r->block->hb > 0, sums);
        in_mills |= (g->mills[k] & r->free) == 0 ? g->mills[k] : 0;
    }
    r->n_other_in_mills = count(in_mills);
    for (int q = 0; q < r->n_free; q++)
        sums[q] += (uint64_t)count(r->men_near[q / 8][bit(q % 8)]) << 16 |
                   (uint64_t)(r->closable >> q & 1) << 48;
    fill_sums(r->sums, sums, r->n_free);
    r->all_sums = 0;
    for (int k = 0; k < 3; k++)
        r->all_sums += r->sums[k][r->all >> 8 * k & 255];
    clear(sums, sizeof sums);
    for (int k = 0; k < r->n_mills; k++)
        for (uint32_t rest = r->mills[k].points; rest != 0; rest &= rest - 1)
            sums[lowest(rest)] += (uint64_t)1 << 2 * k;
    fill_sums(r->men_in_mills, sums, r->n_free);
}

static uint32_t pattern_part(const struct compact_instance *instance, uint32_t set)
{
    return (uint32_t)instance->part[0][set & 255] + instance->part[1][set >> 8 & 255] +
           instance->part[2][set >> 16 & 255];
}

static uint32_t pattern_entry(const game *g, const struct compact_instance *instance,
                              uint32_t index)
{
    return g->type_entry[instance->type] + g->classes[g->type_first[instance->type] + index];
}

/* A model's entry as weights: both decisions in one number, "lost?" in the upper half. */
static uint64_t weight_of(const int8_t *model, uint32_t entry)
{
    return (uint64_t)((int64_t)model[2 * entry + 1] * ((int64_t)1 << 44) +
                      (int64_t)model[2 * entry] * 4096);
}

/* The weights of a pattern, by the subset of its free points that the mover holds. */
static void start_pattern(row_work *r, int k, const int8_t *model, uint32_t at)
{
    const struct compact_instance *instance = &r->g->instances[k];
    uint16_t part[COMPACT_PATTERN_POINTS], index[1 << COMPACT_PATTERN_POINTS];
    int n = 0;
    for (int q = 0; q < r->n_free; q++) {
        uint32_t one = pattern_part(instance, r->deposit[q / 8][bit(q % 8)]);
        r->bit_of[q][k] = (uint16_t)(one != 0 ? bit(n) : 0);
        if (one != 0)
            part[n++] = (uint16_t)one;
    }
    r->weights_of[k] = at;
    index[0] = r->pattern_other[k];
    for (uint32_t x = 0; x < bit(n); x++) {
        if (x != 0)
            index[x] = (uint16_t)(index[x & (x - 1)] + part[lowest(x)]);
        r->weights[at + x] = weight_of(model, pattern_entry(r->g, instance, index[x]));
    }
    r->counts = at + bit(n);
}

static void start_weights(row_work *r, const int8_t *model)
{
    const game *g = r->g;
    uint32_t first = g->first_count;
    r->counts = 0;
    clear(r->bit_of, sizeof r->bit_of);
    for (int k = 0; k < g->n_instances; k++)
        start_pattern(r, k, model, r->counts);
    for (uint32_t k = 0; k < COUNT_ENTRIES; k++)
        r->weights[r->counts + k] = weight_of(model, first + k);
    clear(r->pattern_low[0], sizeof r->pattern_low[0]);
    for (int x = 1; x < BYTE; x++) {
        const uint16_t *rest = r->pattern_low[x & (x - 1)];
        const uint16_t *low = r->bit_of[lowest((uint32_t)x)];
        for (int k = 0; k < COMPACT_INSTANCES; k++)
            r->pattern_low[x][k] = (uint16_t)(rest[k] + low[k]);
    }
}

uint32_t merels_compact_weights(const game *g)
{
    uint32_t n = COUNT_ENTRIES;
    for (int k = 0; k < g->n_instances; k++)
        n += 1 << COMPACT_PATTERN_POINTS;
    return n;
}

uint32_t merels_compact_nodes(const game *g, int a, int b, int ha)
{
    int n = g->n_points - b;
    uint32_t slides = may_move(g, ha) ? g->choose[n][a] : 0;
    uint32_t placed = ha > 0 ? g->choose[n][a + 1] : 0;
    return (uint32_t)n_classes(g) * (slides + placed);
}

enum { NODE_LOST, NODE_DRAWN, NODE_SURELY_DRAWN, NODE_OPEN, NODE_MOST = 254, NODE_WON = 255 };

static void start_nodes(row_work *r)
{
    const game *g = r->g;
    uint32_t n_nodes = merels_compact_nodes(g, r->block->a, r->block->b, r->block->ha), at = 0;
    for (int c = 0; c < n_classes(g); c++) {
        r->slides[c] = at;
        at += r->moves ? g->choose[r->n_free][r->block->a] : 0;
        r->placed[c] = at;
        at += r->places ? g->choose[r->n_free][r->block->a + 1] : 0;
    }
    for (uint32_t k = 0; k < n_nodes; k++)
        r->nodes[k] = NODE_OPEN;
}

static void start_row(row_work *r, const game *g, const struct compact_block *block,
                      const struct compact_room *room, const struct compact_walker *walker)
{
    r->g = g;
    r->block = block;
    r->walker = walker;
    r->other = block->other;
    r->free = g->points & ~block->other;
    r->places = block->ha > 0;
    r->moves = may_move(g, block->ha);
    r->flies = may_fly(g, block->a, block->ha);
    r->most_closed = n_classes(g) - 1;
    r->nodes = room->nodes;
    r->weights = room->weights;
    r->last[0] = r->last[1] = r->last[2] = 0;
    start_points(r);
    start_edges(r);
    start_mills(r);
    start_nodes(r);
    r->n_stabilizers = 0;
    for (int s = 1; s < g->n_symmetries; s++)
        if (merels_compact_image(g, s, r->other) == r->other)
            r->stabilizers[r->n_stabilizers++] = (uint8_t)s;
    for (int k = 0; k < g->n_instances; k++)
        r->pattern_other[k] = (uint16_t)(2 * pattern_part(&g->instances[k], r->other));
    if (walker->model != 0)
        start_weights(r, walker->model);
}

/* What the positions with this set above the low byte have in common. */
static void start_high(row_work *r, uint32_t high)
{
    uint32_t own = high << 8, empty = r->all & ~own & ~(uint32_t)255;
    r->high = high;
    r->high_deposit = union_of(r->deposit, own);
    r->high_near = union_of(r->near_set, own);
    r->high_near_empty = union_of(r->near_set, empty);
    r->high_men_near = union_of(r->men_near, empty);
    r->high_sums = r->sums[1][own >> 8 & 255] + r->sums[2][own >> 16];
    r->high_edges = r->edges_at[1][own >> 8 & 255] ^ r->edges_at[2][own >> 16];
    r->high_men_in_mills = r->men_in_mills[1][own >> 8 & 255] + r->men_in_mills[2][own >> 16];
    for (int k = 0; k < COMPACT_INSTANCES; k++)
        r->pattern_high[k] = r->weights_of[k];
    for (uint32_t men = own; men != 0; men &= men - 1)
        for (int k = 0; k < COMPACT_INSTANCES; k++)
            r->pattern_high[k] += r->bit_of[lowest(men)][k];
}

/* ---- arrivals: what the mover's steps lead to, before anything is removed ------------------
 */

/* Eight times the kind of a node: 0, 1, 2, 3 as they are, 4 up to 8, 5 up to 14, 6 up to 254, 7
 * for 255. */
#define K6 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48
static const uint8_t kind_shift[256] = {
    0,  8,  16, 24, 32, 32, 32, 32, 32, 40, 40, 40, 40, 40, 40, 48, K6, K6, K6, K6, K6, K6, K6,
    K6, K6, K6, K6, K6, K6, K6, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 56};

static int closed(const row_work *r, uint32_t rest, int q)
{
    int n = 0;
    for (int k = 0; k < r->n_mates[q]; k++)
        n += (r->mates[q][k] & ~rest) == 0;
    return at_most(n, r->most_closed);
}

/* An arrival: the set, and the mills that the step closes. */
static void add_arrival(row_work *r, uint32_t set, int c, const uint32_t *nodes, int men)
{
    int n = r->n_arrivals++;
    uint32_t rank = rank_of(r->g, men, set);
    r->arrivals[n] = nodes[c] + rank;
    r->ranks[n] = rank;
    r->closes[n] = (uint8_t)(c > 0);
}

static void add_placements(row_work *r)
{
    for (uint32_t rest = r->empty; rest != 0; rest &= rest - 1) {
        uint32_t to = rest & (0 - rest);
        int c = (to & r->completing) != 0;
        if (r->most_closed > 1 && c)
            c = closed(r, r->pushed, lowest(to));
        add_arrival(r, r->pushed | to, c, r->placed, r->block->a + 1);
    }
}

static void add_slides(row_work *r)
{
    uint64_t steps = r->high_edges ^ r->edges_at[0][r->pushed & 255];
    for (; steps != 0; steps &= steps - 1) {
        const free_edge *edge = &r->edges[lowest64(steps)];
        int up = (edge->ends & (0 - edge->ends) & r->pushed) != 0;
        int c =
            ((edge->mates[up][0] & ~r->pushed) == 0) + ((edge->mates[up][1] & ~r->pushed) == 0);
        add_arrival(r, r->pushed ^ edge->ends, at_most(c, r->most_closed), r->slides,
                    r->block->a);
    }
}

/* Flights; or slides where they are not listed. */
static void add_flights(row_work *r)
{
    for (uint32_t men = r->pushed; men != 0; men &= men - 1) {
        uint32_t rest = r->pushed & ~(men & (0 - men));
        uint32_t targets = r->flies ? r->empty : r->near[lowest(men)] & r->empty;
        for (; targets != 0; targets &= targets - 1) {
            uint32_t to = targets & (0 - targets);
            int c = (to & r->completing) != 0 ? closed(r, rest, lowest(to)) : 0;
            add_arrival(r, rest | to, c, r->slides, r->block->a);
        }
    }
}

/* The arrivals of the position at work, and what is known of them. What a node adds to the sum
 * may be anything above 95 for a won one. */
static void find_arrivals(row_work *r)
{
    uint64_t all = 0, closing = 0;
    int best[2] = {-1, -1}, sum = 0;
    r->n_arrivals = 0;
    if (r->places)
        add_placements(r);
    r->n_placed = r->n_arrivals;
    if (r->moves && r->listed && !r->flies)
        add_slides(r);
    else if (r->moves)
        add_flights(r);
    for (int k = 0; k < r->n_arrivals; k++) {
        int node = r->nodes[r->arrivals[k]], c = r->closes[k];
        all += (uint64_t)1 << kind_shift[node];
        closing += (uint64_t)c << kind_shift[node];
        best[0] = c == 0 && node > best[0] ? node : best[0];
        best[1] = c != 0 && node > best[1] ? node : best[1];
        sum += node >= NODE_OPEN ? node - NODE_OPEN + 2 : 0;
    }
    r->outlook.kinds[0] = all - closing;
    r->outlook.kinds[1] = closing;
    r->outlook.best[0] = best[0];
    r->outlook.best[1] = best[1];
    r->outlook.sum = sum;
}

/* The sum of the bytes from 3 on: arrivals of which nothing worse than a win is known. */
static int n_able(uint64_t kinds)
{
    return (int)((kinds >> 24) * UINT64_C(0x0101010101) >> 32 & 255);
}

/* A position's value tells what each of its arrivals can be worth at most; a win that only one
 * arrival can have given is that arrival's. */
static void learn_lost(row_work *r)
{
    for (int k = 0; k < r->n_arrivals; k++)
        r->nodes[r->arrivals[k]] = NODE_LOST;
}

static void learn_drawn(row_work *r)
{
    uint64_t kinds = r->outlook.kinds[0] + r->outlook.kinds[1];
    int only = r->n_arrivals - (int)(kinds & 255) == 1;
    for (int k = 0; k < r->n_arrivals; k++) {
        int node = r->nodes[r->arrivals[k]];
        node = node >= NODE_OPEN ? NODE_DRAWN : node;
        r->nodes[r->arrivals[k]] =
            (uint8_t)(only && node == NODE_DRAWN ? NODE_SURELY_DRAWN : node);
    }
}

static void learn_won(row_work *r)
{
    uint64_t kinds = r->outlook.kinds[0] + r->outlook.kinds[1];
    int able = n_able(kinds);
    int more = able == 0 ? 0 : able == 1 ? NODE_WON : 1 + 11 / able;
    int most = able == 1 ? NODE_WON : NODE_MOST;
    for (int k = 0; k < r->n_arrivals; k++) {
        int node = r->nodes[r->arrivals[k]];
        int raised = at_most(node + (node == NODE_WON ? 0 : more), most);
        r->nodes[r->arrivals[k]] =
            (uint8_t)(node >= NODE_OPEN && node < NODE_WON ? raised : node);
    }
}

static void learn(row_work *r, int value)
{
    if (value == 0)
        learn_lost(r);
    else if (value == 1)
        learn_drawn(r);
    else
        learn_won(r);
}

/* ---- features --------------------------------------------------------------------------- */

/* What depends on the mover's mills, and the points on which its men would complete one. */
static void tally_mills(row_work *r)
{
    tally *t = &r->tallies[0];
    uint32_t own = r->pushed, in_mills = 0, closable = 0;
    t->mills = t->open = t->running = t->pairs = 0;
    r->completing = 0;
    const uint64_t ones = UINT64_C(0x5555555555555555);
    uint64_t men = r->high_men_in_mills + r->men_in_mills[0][own & 255];
    for (uint64_t full = men & men >> 1 & ones; full != 0; full &= full - 1) {
        const free_mill *m = &r->mills[lowest64(full) / 2];
        t->mills++;
        t->open += (m->near & r->empty) != 0;
        t->running += (m->near_safe & r->empty) != 0;
        in_mills |= m->points;
    }
    for (uint64_t pairs = men >> 1 & ~men & ones; pairs != 0; pairs &= pairs - 1) {
        const free_mill *m = &r->mills[lowest64(pairs) / 2];
        uint32_t point = m->points & ~own;
        t->pairs++;
        r->completing |= point;
        if (r->places || (r->near[lowest(point)] & own & ~m->points) != 0)
            closable |= point;
    }
    t->closable = count(closable);
    t->safe = count(closable & ~r->held);
    t->in_mills = count(in_mills);
}

static void tally_other(row_work *r, uint64_t sums)
{
    tally *t = &r->tallies[1];
    uint32_t low = r->pushed & 255, low_empty = r->empty & 255;
    t->slides = (int)(sums >> 16 & 0xFFFF);
    t->pairs = (int)(sums >> 32 & 0xFFFF);
    t->closable = (int)(sums >> 48);
    t->blocked = r->block->b - count(r->high_men_near | r->men_near[0][low_empty]);
    t->safe = count(r->closable & r->empty & ~(r->high_near | r->near_set[0][low]));
    t->in_mills = r->n_other_in_mills;
    t->mills = r->n_other_mills;
    t->open = t->running = 0;
    for (int k = 0; k < r->n_other_mills; k++) {
        const other_mill *m = &r->other_mills[k];
        int running = 0;
        for (int i = 0; i < 3; i++)
            running |= m->near_man[i] != 0 && (m->near_man[i] & r->pushed) == 0;
        t->open += (m->near & r->empty) != 0;
        t->running += running;
    }
}

static void tally_sides(row_work *r)
{
    tally *t = &r->tallies[0];
    uint32_t low = r->pushed & 255, low_empty = r->empty & 255;
    uint64_t sums = r->high_sums + r->sums[0][low];
    uint32_t men = r->pushed;
    if (r->listed)
        t->slides = count64(r->high_edges ^ r->edges_at[0][low]);
    else
        for (t->slides = 0; men != 0; men &= men - 1)
            t->slides += count(r->near[lowest(men)] & r->empty);
    t->blocked = count(r->pushed & ~(r->high_near_empty | r->near_set[0][low_empty]));
    tally_other(r, r->all_sums - sums);
}

static void features_of_tallies(const tally *o, const tally *x, uint32_t *f)
{
    int c = at_most(o->closable, 3), cx = at_most(x->closable, 3), both = 4 * c + cx;
    int both2 = at_most(c, 2) * 3 + at_most(cx, 2);
    f[0] = (uint32_t)(AT_SLIDES + at_most(o->slides, 19) * 20 + at_most(x->slides, 19));
    f[1] = (uint32_t)(AT_MILLS + (both * 4 + at_most(o->mills, 3)) * 4 + at_most(x->mills, 3));
    f[2] = (uint32_t)(AT_BLOCKED + at_most(o->blocked, 9) * 10 + at_most(x->blocked, 9));
    f[3] = (uint32_t)(AT_OPEN +
                      ((at_most(o->open, 3) * 4 + at_most(x->open, 3)) * 4 +
                       at_most(o->running, 3)) *
                          4 +
                      at_most(x->running, 3));
    f[4] = (uint32_t)(AT_PAIRS + (at_most(o->pairs, 4) * 5 + at_most(x->pairs, 4)) * 16 + both);
    f[5] = (uint32_t)(AT_SAFE + (at_most(o->safe, 2) * 3 + at_most(x->safe, 2)) * 16 + both);
    f[6] = (uint32_t)(AT_IN_MILLS + at_most(o->in_mills, 9) * 10 + at_most(x->in_mills, 9));
    f[7] = (uint32_t)(AT_FREEDOM + (at_most(x->slides, 7) * 9 + both2) * 8 +
                      at_most(o->slides, 7));
    f[8] = (uint32_t)(AT_RUNNING + (at_most(o->running, 2) * 3 + at_most(x->running, 2)) * 9 +
                      both2);
}

/* The kind of the best node; 8: there is none. */
static int best_kind(int node)
{
    return node < 0 ? 8 : kind_shift[node] / 8;
}

static int evidence_level(int node)
{
    if (node < NODE_OPEN)
        return node >= 0;
    return 2 + at_most((node - NODE_OPEN) / 3, 31);
}

static int byte_of(uint64_t kinds, int k)
{
    return (int)(kinds >> 8 * k & 255);
}

static void features_of_outlook(const prospects *l, const tally *o, const tally *x, uint32_t *f)
{
    uint64_t kinds = l->kinds[0] + l->kinds[1];
    int quiet = at_most(byte_of(l->kinds[0], 3), 3), closing = byte_of(l->kinds[1], 3);
    int closing2 = at_most(closing, 2), k3 = byte_of(kinds, 3), k6 = byte_of(kinds, 6);
    int best = best_kind(l->best[0] > l->best[1] ? l->best[0] : l->best[1]);
    int pair = best_kind(l->best[0]) * 9 + best_kind(l->best[1]), sure = kinds >> 56 != 0;
    int open = ((at_most(k6, 3) * 4 + at_most(byte_of(kinds, 5), 3)) * 4 +
                at_most(byte_of(kinds, 4), 3)) *
                   4 +
               at_most(k3, 3);
    f[0] = (uint32_t)(AT_KINDS + (sure ? 0 : 1 + open));
    f[1] =
        (uint32_t)(AT_ABLE +
                   (at_most(n_able(l->kinds[0]), 7) * 4 + at_most(n_able(l->kinds[1]), 3)) * 9 +
                   best);
    f[2] = (uint32_t)(AT_DRAWN + (best * 4 + at_most(byte_of(kinds, 1), 3)) * 3 +
                      at_most(byte_of(kinds, 2), 2));
    f[3] = (uint32_t)(AT_SURE + ((sure * 8 + at_most(k3, 7)) * 4 + at_most(closing, 3)) * 4 +
                      at_most(o->closable, 3));
    f[4] = (uint32_t)(AT_LIKELY +
                      (at_most(k6, 4) * 5 + at_most(byte_of(l->kinds[1], 6), 4)) * 9 + best);
    f[5] = (uint32_t)(AT_BEST + (pair * 4 + quiet) * 3 + closing2);
    f[6] = (uint32_t)(AT_BEST_OTHER + (pair * 4 + at_most(x->closable, 3)) * 3 +
                      at_most(x->slides / 3, 2));
    f[7] = (uint32_t)(AT_QUIET + evidence_level(l->best[0]) * 4 + quiet);
    f[8] = (uint32_t)(AT_CLOSING + evidence_level(l->best[1]) * 3 + closing2);
    f[9] = (uint32_t)(AT_EVIDENCE + at_most(l->sum, 95) * 2 / 3);
}

enum { UNKNOWN = 3 };

/* The values of slots of the block that one slide leads to, as far as they are known: a byte
 * for each value, n[0] of quiet slides, n[1] of those that close a mill. */
static void count_value(const row_work *r, uint32_t column, int closing, uint32_t n[2])
{
    if (column - r->first < r->n_values)
        n[closing] += (uint32_t)1 << 8 * r->values[column - r->first];
}

static void count_values(const row_work *r, uint32_t n[2])
{
    n[0] = n[1] = 0;
    if (!r->slides_known)
        return;
    if (r->moves && !r->flies) {
        for (int k = r->n_placed; k < r->n_arrivals; k++)
            count_value(r, r->ranks[k], r->closes[k], n);
        return;
    }
    for (uint32_t men = r->pushed; men != 0; men &= men - 1) {
        uint32_t rest = r->pushed & ~(men & (0 - men));
        for (uint32_t to = r->near[lowest(men)] & r->empty; to != 0; to &= to - 1) {
            uint32_t one = to & (0 - to);
            int closing = (one & r->completing) != 0 && closed(r, rest, lowest(to)) > 0;
            count_value(r, rank_of(r->g, r->block->a, rest | one), closing, n);
        }
    }
}

static void features_of_values(const row_work *r, uint32_t *f)
{
    uint32_t n[2];
    count_values(r, n);
    int won = at_most(byte_of(n[0], 2), 7), won_closing = at_most(byte_of(n[1], 2), 2);
    int drawn_closing = at_most(byte_of(n[1], 1), 2);
    f[0] = (uint32_t)(AT_VALUES + (won * 8 + at_most(byte_of(n[0], 1), 7)) * 8 +
                      at_most(byte_of(n[0], 0), 7));
    f[1] =
        (uint32_t)(AT_VALUES_CLOSING +
                   ((won_closing * 3 + drawn_closing) * 3 + at_most(byte_of(n[1], 0), 2)) * 8 +
                   won);
}

/* The features of counts, as places behind the first of them. */
static void find_counts(row_work *r, uint32_t *f)
{
    tally_sides(r);
    features_of_tallies(&r->tallies[0], &r->tallies[1], f);
    f[9] = (uint32_t)(AT_LAST + (r->last[0] * 3 + r->last[1]) * 3 + r->last[2]);
    features_of_outlook(&r->outlook, &r->tallies[0], &r->tallies[1], f + 10);
    features_of_values(r, f + 20);
    f[22] = AT_ALWAYS;
}

/* ---- a value, predicted and learned ----------------------------------------------------- */

/* 65536 / (1 + exp(-x / 16)), to the nearest integer below 65536. */
static const uint16_t squash[177] = {
    32768, 33792, 34813, 35831, 36843, 37847, 38841, 39824, 40793, 41748, 42687, 43608, 44511,
    45393, 46254, 47094, 47911, 48704, 49474, 50220, 50941, 51638, 52310, 52957, 53581, 54179,
    54754, 55306, 55834, 56339, 56822, 57284, 57724, 58144, 58544, 58925, 59287, 59632, 59959,
    60270, 60565, 60844, 61109, 61360, 61598, 61823, 62036, 62238, 62428, 62608, 62778, 62938,
    63090, 63233, 63368, 63495, 63615, 63728, 63835, 63935, 64030, 64119, 64203, 64283, 64357,
    64427, 64494, 64556, 64614, 64669, 64721, 64770, 64816, 64859, 64900, 64938, 64974, 65008,
    65039, 65069, 65097, 65124, 65149, 65172, 65194, 65215, 65234, 65252, 65269, 65285, 65300,
    65315, 65328, 65341, 65352, 65364, 65374, 65384, 65393, 65402, 65410, 65417, 65425, 65431,
    65438, 65444, 65449, 65454, 65459, 65464, 65468, 65472, 65476, 65480, 65483, 65486, 65489,
    65492, 65495, 65497, 65500, 65502, 65504, 65506, 65508, 65509, 65511, 65513, 65514, 65515,
    65517, 65518, 65519, 65520, 65521, 65522, 65523, 65523, 65524, 65525, 65526, 65526, 65527,
    65527, 65528, 65528, 65529, 65529, 65530, 65530, 65530, 65531, 65531, 65531, 65532, 65532,
    65532, 65532, 65533, 65533, 65533, 65533, 65533, 65534, 65534, 65534, 65534, 65534, 65534,
    65534, 65534, 65535, 65535, 65535, 65535, 65535, 65535,
};

uint32_t merels_compact_squash(int sum)
{
    if (sum >= 0)
        return squash[at_most(sum, 176)];
    return 65536 - (uint32_t)squash[at_most(-sum, 176)];
}

/* The probability of a sum of weights. */
static uint32_t probability(int32_t sum)
{
    const int32_t most = 176 * 4096;
    sum = sum > most ? most : sum < -most ? -most : sum;
    return merels_compact_squash((sum + most + 2048) / 4096 - 176);
}

/* By how much a decision moves the weights of its features; small errors do not. */
static int32_t step_of(int32_t error, int32_t rate)
{
    return error < 1024 && error > -1024 ? 0 : error * rate / 1024;
}

enum { PATTERN_RATE = 72, COUNT_RATE = 20 };

static uint64_t both(int32_t won, int32_t lost)
{
    return ((uint64_t)(uint32_t)lost << 32) + (uint64_t)(int64_t)won;
}

static void adapt(row_work *r, int32_t won, int32_t lost)
{
    int n_patterns = r->g->n_instances;
    uint64_t step = both(step_of(won, PATTERN_RATE), step_of(lost, PATTERN_RATE));
    if (step == 0)
        return;
    for (int k = 0; k < n_patterns; k++)
        r->weights[r->used[k]] += step;
    step = both(step_of(won, COUNT_RATE), step_of(lost, COUNT_RATE));
    for (int k = 0; k < COMPACT_COUNTS; k++)
        r->weights[r->counts + r->used[n_patterns + k]] += step;
}

/* Codes the value of the position at work. */
static int code_value(row_work *r, uint32_t column)
{
    const struct compact_walker *w = r->walker;
    const uint16_t *low = r->pattern_low[r->pushed & 255];
    int n_patterns = r->g->n_instances, value = 2;
    const uint64_t *counts = r->weights + r->counts;
    uint64_t sum = 0;
    find_counts(r, r->used + n_patterns);
    for (int k = 0; k < n_patterns; k++) {
        r->used[k] = r->pattern_high[k] + low[k];
        sum += r->weights[r->used[k]];
    }
    for (int k = 0; k < COMPACT_COUNTS; k++)
        sum += counts[r->used[n_patterns + k]];
    int32_t won = (int32_t)(uint32_t)sum, e_lost = 0;
    int32_t p = (int32_t)probability(won), e_won = 65536 - p;
    if (!w->decide(w->context, column, 0, (uint32_t)p)) {
        e_won = -p;
        sum -= (uint64_t)(int64_t)won;
        p = (int32_t)probability((int32_t)(uint32_t)(sum >> 32));
        value = w->decide(w->context, column, 1, (uint32_t)p) ? 0 : 1;
        e_lost = value == 0 ? 65536 - p : -p;
    }
    adapt(r, e_won, e_lost);
    return value;
}

/* The entries of the position at work in a model, for who fits one. */
static int take_entries(row_work *r, uint32_t column)
{
    const struct compact_walker *w = r->walker;
    const game *g = r->g;
    int n = 0;
    if (w->wants(w->context, column)) {
        for (; n < g->n_instances; n++) {
            const struct compact_instance *instance = &g->instances[n];
            uint32_t index = r->pattern_other[n] + pattern_part(instance, r->own);
            r->used[n] = pattern_entry(g, instance, index);
        }
        find_counts(r, r->used + n);
        for (int k = 0; k < COMPACT_COUNTS; k++)
            r->used[n + k] += g->first_count;
        w->take(w->context, column, r->used, n + COMPACT_COUNTS);
    }
    return w->values[column];
}

/* ---- the walk --------------------------------------------------------------------------- */

static uint32_t next_set(uint32_t set)
{
    uint32_t ripple = set + (set & (0 - set));
    return set == 0 ? 0 : ripple | (set ^ ripple) >> (2 + lowest(set));
}

/* The column of an earlier slot of the block that holds the same position, or this column. */
static uint32_t first_image(const row_work *r, uint32_t column)
{
    uint32_t least = column;
    for (int k = 0; k < r->n_stabilizers; k++) {
        uint32_t image = merels_compact_image(r->g, r->stabilizers[k], r->own);
        uint32_t other = rank_of(r->g, r->block->a, push(r, image));
        if (other < least && other >= r->block->first_column)
            least = other;
    }
    return least;
}

/* The value of the position at work, in the slot of this column. */
static int value_of_slot(row_work *r, uint32_t column)
{
    uint32_t low = r->pushed & 255, same;
    r->empty = r->all & ~r->pushed;
    r->own = r->high_deposit | r->deposit[0][low];
    tally_mills(r);
    find_arrivals(r);
    same = r->n_stabilizers > 0 ? first_image(r, column) : column;
    if (same < column)
        return r->values[same - r->first];
    return r->walker->model != 0 ? code_value(r, column) : take_entries(r, column);
}

/* One strand of the block, from the first column on; true if the walk ends with it. */
static int walk_strand(row_work *r, const struct compact_room *room, uint8_t strand)
{
    int odd = parity(r->other & r->g->dark) ^ (strand == COMPACT_ODD);
    r->pushed = set_of_rank(r->g, r->block->a, r->first);
    start_high(r, r->pushed >> 8);
    for (uint32_t k = 0; k < r->n_values; k++, r->pushed = next_set(r->pushed)) {
        if (strand != COMPACT_WHOLE && parity(r->pushed & r->dark) != odd)
            continue;
        if (r->pushed >> 8 != r->high)
            start_high(r, r->pushed >> 8);
        int value = value_of_slot(r, r->first + k);
        learn(r, value);
        r->last[2] = r->last[1];
        r->last[1] = r->last[0];
        r->last[0] = (uint8_t)value;
        room->values[k] = (uint8_t)value;
        if (r->first + k == r->walker->until)
            return 1;
    }
    return 0;
}

size_t merels_compact_row_bytes(void)
{
    return sizeof(row_work);
}

void merels_compact_walk(const game *g, const struct compact_block *block,
                         const struct compact_room *room, const struct compact_walker *walker)
{
    row_work *r = (row_work *)room->row;
    uint8_t first = 0;
    start_row(r, g, block, room, walker);
    uint32_t end = g->choose[r->n_free][block->a] - block->first_column;
    r->values = room->values;
    r->first = block->first_column;
    r->n_values = end < COMPACT_PIECE ? end : (uint32_t)COMPACT_PIECE;
    for (uint32_t k = 0; k < r->n_values; k++)
        room->values[k] = UNKNOWN;
    for (uint8_t strand = COMPACT_EVEN; strand <= COMPACT_WHOLE; strand = (uint8_t)(2 * strand))
        if ((block->stored & strand) != 0) {
            first = first == 0 ? strand : first;
            r->slides_known = strand == COMPACT_WHOLE || strand != first;
            if (walk_strand(r, room, strand))
                return;
        }
}

/* ---- the range decoder ------------------------------------------------------------------ */

typedef struct {
    const uint8_t *at, *end;
    uint32_t range, code;
} decoder;

static uint32_t next_byte(decoder *d)
{
    return d->at < d->end ? *d->at++ : 0;
}

static void start_decoder(decoder *d, const uint8_t *bytes, size_t n_bytes)
{
    d->at = bytes;
    d->end = bytes + n_bytes;
    d->range = 0xFFFFFFFF;
    d->code = 0;
    for (int k = 0; k < 4; k++)
        d->code = d->code << 8 | next_byte(d);
}

/* A decision whose "yes" has probability p / 65536. */
static int decide(decoder *d, uint32_t p)
{
    uint32_t bound = (uint32_t)((uint64_t)d->range * p >> 16);
    int yes = d->code < bound;
    if (yes) {
        d->range = bound;
    } else {
        d->code -= bound;
        d->range -= bound;
    }
    while (d->range < (uint32_t)1 << 24) {
        d->range <<= 8;
        d->code = d->code << 8 | next_byte(d);
    }
    return yes;
}

static int decode_decision(void *context, uint32_t column, int decision, uint32_t p)
{
    (void)column;
    (void)decision;
    return decide((decoder *)context, p);
}

/* A model is its entries, each a byte coded bit by bit with adaptive probabilities: one set for
 * "won?", one for "lost?". */
static void decode_model(const game *g, const uint8_t *bytes, size_t n_bytes, int8_t *model)
{
    uint16_t p[2][256];
    decoder d;
    start_decoder(&d, bytes, n_bytes);
    for (int k = 0; k < 512; k++)
        p[k >> 8][k & 255] = 32768;
    for (uint32_t k = 0; k < 2 * g->n_entries; k++) {
        uint16_t *probability = p[k & 1];
        int byte = 1;
        while (byte < 256) {
            int yes = decide(&d, probability[byte]);
            if (yes)
                probability[byte] += (uint16_t)((65536 - probability[byte]) >> 5);
            else
                probability[byte] -= (uint16_t)(probability[byte] >> 5);
            byte = 2 * byte + yes;
        }
        model[k] = (int8_t)(byte < 384 ? byte - 256 : byte - 512);
    }
}

/* ---- the open file ---------------------------------------------------------------------- */

typedef struct {
    uint8_t a, b, ha, hb, stored;
    uint16_t model;
    uint16_t next; /* the next one with these men on the board, NO_SUBSPACE at the end */
    uint32_t rows_in_group, n_rows, n_groups;
    uint64_t index; /* where its index stands in the file */
} subspace;

typedef struct {
    uint64_t offset, hash;
    uint32_t n_bytes;
} model_place;

typedef struct {
    int8_t *entries;
    int model; /* -1: empty */
    uint32_t used;
} cached_model;

/* Values of a block, as far as they are known: two bits each, the first one lowest. */
typedef struct {
    uint8_t *packed;
    uint16_t subspace; /* NO_SUBSPACE: empty */
    uint32_t other, first_column, used;
} cached_block;

/* A block can stand in the WAYS places of one set of the cache. */
enum {
    MODELS_CACHED = 12,
    WAYS = 8,
    MOST_SETS = 128,
    MOST_SUBSPACES = 4096,
    NO_SUBSPACE = 0xFFFF,
    MOST_DEPTH = 64,
    WANTS_KEPT = 256
};

struct merels_compact {
    struct merels_compact_source source;
    uint8_t fixed[COMPACT_HEAD];
    game play;
    uint64_t file_bytes;
    uint32_t n_subspaces, n_models, most_group, most_depth;
    subspace *subspaces;
    uint16_t first_subspace[COMPACT_POINTS + 1][COMPACT_POINTS + 1]; /* by men on the board */
    model_place *models;
    uint32_t *row_starts[COMPACT_POINTS + 1]; /* by prefix; NULL: nothing with so many men */
    const char *text;
    uint32_t text_bytes;
    uint8_t *group;        /* the bytes of a model, or of a group of rows: */
    uint64_t group_offset; /* the one at this place of the file, if it is not 0 */
    struct compact_room room;
    cached_model cached_models[MODELS_CACHED];
    cached_block *blocks;
    uint32_t n_sets, clock;
    uint64_t wanted[WANTS_KEPT]; /* what this call has told the source, by their ends */
};

typedef struct {
    uint8_t *at;
    size_t left;
} memory_left;

static void *carve(memory_left *m, size_t n_bytes)
{
    uint8_t *at = m->at;
    n_bytes = (n_bytes + 7) & ~(size_t)7;
    if (n_bytes > m->left)
        return 0;
    m->at += n_bytes;
    m->left -= n_bytes;
    return at;
}

/* Tells the source what it lacks, most things only once a call. */
static void want(struct merels_compact *r, uint64_t offset, uint32_t n_bytes)
{
    uint64_t end = offset + n_bytes,
             *told = &r->wanted[(uint32_t)(end * P1 >> 40) % WANTS_KEPT];
    if (r->source.want && *told != end)
        r->source.want(r->source.context, offset, n_bytes);
    *told = end;
}

static int read_bytes(struct merels_compact *r, uint64_t offset, void *to, uint32_t n_bytes)
{
    if (r->file_bytes != 0 && (offset > r->file_bytes || n_bytes > r->file_bytes - offset))
        return MERELS_COMPACT_DAMAGED;
    int answer = r->source.read(r->source.context, offset, to, n_bytes);
    if (answer == MERELS_COMPACT_LATER) {
        want(r, offset, n_bytes);
        return MERELS_COMPACT_NOT_YET;
    }
    if (answer == MERELS_COMPACT_ENDS)
        return MERELS_COMPACT_DAMAGED;
    return answer == MERELS_COMPACT_HERE ? MERELS_COMPACT_OK : MERELS_COMPACT_READ_FAILED;
}

static const uint8_t magic[8] = {'M', 'E', 'R', 'E', 'L', 'S', 'C', 'E'};

/* The first 64 bytes: what file this is, and how long its head. */
static int check_fixed(const uint8_t *fixed)
{
    for (int k = 0; k < 8; k++)
        if (fixed[k] != magic[k])
            return MERELS_COMPACT_DAMAGED;
    if (load32(fixed + 12) != (uint32_t)merels_compact_hash(fixed, 12))
        return MERELS_COMPACT_DAMAGED;
    if (load32(fixed + 8) > COMPACT_VERSION)
        return MERELS_COMPACT_NEWER;
    if (load32(fixed + 8) != COMPACT_VERSION || is_damaged(fixed, 56, load64(fixed + 56)))
        return MERELS_COMPACT_DAMAGED;
    return MERELS_COMPACT_OK;
}

static int prefix_shift(const game *g)
{
    return at_most(g->n_points, 12);
}

/* How many rows begin with each prefix; runs of zeros are counted. */
static int read_row_starts(struct merels_compact *r, input *in, memory_left *m)
{
    uint32_t n_prefixes = (uint32_t)1 << (r->play.n_points - prefix_shift(&r->play));
    int n_sets = take_below(in, COMPACT_POINTS + 2);
    for (int k = 0; k < n_sets; k++) {
        int men = take_below(in, (uint32_t)r->play.n_points + 1);
        uint32_t *starts = (uint32_t *)carve(m, (n_prefixes + 1) * sizeof *starts);
        if (starts == 0)
            return MERELS_COMPACT_NO_MEMORY;
        uint32_t sum = 0, zeros = 0;
        for (uint32_t prefix = 0; prefix < n_prefixes; prefix++) {
            starts[prefix] = sum;
            if (zeros > 0) {
                zeros--;
                continue;
            }
            uint32_t n = take_number(in);
            if (n == 0)
                zeros = take_number(in);
            sum += n;
        }
        starts[n_prefixes] = sum;
        r->row_starts[men] = starts;
    }
    return MERELS_COMPACT_OK;
}

static int read_subspace(struct merels_compact *r, input *in, subspace *s)
{
    const game *g = &r->play;
    s->a = (uint8_t)take(in, 1);
    s->b = (uint8_t)take(in, 1);
    s->ha = (uint8_t)take(in, 1);
    s->hb = (uint8_t)take(in, 1);
    s->stored = (uint8_t)take(in, 1);
    take(in, 1);
    s->model = (uint16_t)take(in, 2);
    s->rows_in_group = take(in, 4);
    s->index = take64(in);
    s->n_rows = s->n_groups = 0;
    s->next = NO_SUBSPACE;
    if (in->failed || s->a + s->b > g->n_points || s->ha > COMPACT_POINTS ||
        s->hb > COMPACT_POINTS)
        return MERELS_COMPACT_DAMAGED;
    if (s->stored == 0)
        return MERELS_COMPACT_OK;
    int parity = merels_compact_has_parity(g, s->a + s->b);
    if (s->stored > COMPACT_WHOLE || (s->stored != COMPACT_WHOLE && !parity) ||
        s->model >= r->n_models || s->rows_in_group == 0 || r->row_starts[s->b] == 0)
        return MERELS_COMPACT_DAMAGED;
    s->n_rows = r->row_starts[s->b][(uint32_t)1 << (g->n_points - prefix_shift(g))];
    s->n_groups = (s->n_rows - 1) / s->rows_in_group + 1;
    return s->n_rows == 0 ? MERELS_COMPACT_DAMAGED : MERELS_COMPACT_OK;
}

static void chain_subspaces(struct merels_compact *r)
{
    for (int a = 0; a <= COMPACT_POINTS; a++)
        for (int b = 0; b <= COMPACT_POINTS; b++)
            r->first_subspace[a][b] = NO_SUBSPACE;
    for (uint32_t k = r->n_subspaces; k-- > 0;) {
        subspace *s = &r->subspaces[k];
        s->next = r->first_subspace[s->a][s->b];
        r->first_subspace[s->a][s->b] = (uint16_t)k;
    }
}

/* What stands at the end of the head. */
static int read_text(struct merels_compact *r, input *in)
{
    take(in, 2); /* layers: none that this reader knows */
    r->text_bytes = take(in, 2);
    r->text = (const char *)in->at;
    if (in->failed || (uint32_t)(in->end - in->at) < r->text_bytes)
        return MERELS_COMPACT_DAMAGED;
    return MERELS_COMPACT_OK;
}

static int read_lists(struct merels_compact *r, input *in, memory_left *m)
{
    r->most_depth = take(in, 1);
    r->most_group = take(in, 4);
    int status = read_row_starts(r, in, m);
    if (status != MERELS_COMPACT_OK)
        return status;
    r->n_models = take(in, 2);
    r->n_subspaces = take(in, 2);
    if (in->failed || r->n_subspaces > MOST_SUBSPACES || r->most_group > 1 << 22 ||
        r->most_depth > MOST_DEPTH)
        return MERELS_COMPACT_DAMAGED;
    r->models = (model_place *)carve(m, r->n_models * sizeof *r->models);
    r->subspaces = (subspace *)carve(m, r->n_subspaces * sizeof *r->subspaces);
    if (r->models == 0 || r->subspaces == 0)
        return MERELS_COMPACT_NO_MEMORY;
    for (uint32_t k = 0; k < r->n_models; k++) {
        r->models[k].offset = take64(in);
        r->models[k].n_bytes = take(in, 4);
        r->models[k].hash = take64(in);
        if (r->models[k].n_bytes > r->most_group)
            return MERELS_COMPACT_DAMAGED;
    }
    for (uint32_t k = 0; k < r->n_subspaces && status == MERELS_COMPACT_OK; k++)
        status = read_subspace(r, in, &r->subspaces[k]);
    if (status == MERELS_COMPACT_OK)
        chain_subspaces(r);
    return status == MERELS_COMPACT_OK ? read_text(r, in) : status;
}

static uint32_t most_nodes(const struct merels_compact *r)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < r->n_subspaces; k++) {
        const subspace *s = &r->subspaces[k];
        uint32_t n = s->stored ? merels_compact_nodes(&r->play, s->a, s->b, s->ha) : 0;
        most = n > most ? n : most;
    }
    return most;
}

/* The rest of the memory: blocks, a power of two of sets. */
static int make_cache(struct merels_compact *r, memory_left *m)
{
    size_t set_bytes = WAYS * (COMPACT_PIECE / 4 + sizeof *r->blocks + 8);
    for (r->n_sets = MOST_SETS; r->n_sets > 0 && r->n_sets * set_bytes > m->left;)
        r->n_sets /= 2;
    r->blocks = (cached_block *)carve(m, r->n_sets * WAYS * sizeof *r->blocks);
    if (r->n_sets == 0 || r->blocks == 0)
        return MERELS_COMPACT_NO_MEMORY;
    for (uint32_t k = 0; k < r->n_sets * WAYS; k++) {
        r->blocks[k].packed = (uint8_t *)carve(m, COMPACT_PIECE / 4);
        r->blocks[k].subspace = NO_SUBSPACE;
        r->blocks[k].used = 0;
        if (r->blocks[k].packed == 0)
            return MERELS_COMPACT_NO_MEMORY;
    }
    return MERELS_COMPACT_OK;
}

static int make_room(struct merels_compact *r, memory_left *m)
{
    r->group = (uint8_t *)carve(m, r->most_group);
    r->room.values = (uint8_t *)carve(m, COMPACT_PIECE);
    r->room.nodes = (uint8_t *)carve(m, most_nodes(r));
    r->room.weights =
        (uint64_t *)carve(m, merels_compact_weights(&r->play) * sizeof *r->room.weights);
    r->room.row = carve(m, merels_compact_row_bytes());
    if (r->group == 0 || r->room.nodes == 0 || r->room.values == 0 || r->room.weights == 0 ||
        r->room.row == 0)
        return MERELS_COMPACT_NO_MEMORY;
    for (int k = 0; k < MODELS_CACHED; k++) {
        r->cached_models[k].entries = (int8_t *)carve(m, 2 * r->play.n_entries);
        r->cached_models[k].model = -1;
        if (r->cached_models[k].entries == 0)
            return MERELS_COMPACT_NO_MEMORY;
    }
    return make_cache(r, m);
}

static int open_head(struct merels_compact *r, memory_left *m)
{
    int status = read_bytes(r, 0, r->fixed, COMPACT_HEAD);
    if (status == MERELS_COMPACT_OK)
        status = check_fixed(r->fixed);
    if (status != MERELS_COMPACT_OK)
        return status;
    r->file_bytes = load64(r->fixed + 32);
    uint32_t n = load32(r->fixed + 40);
    if (n < COMPACT_HEAD || n > 1 << 20 || r->file_bytes < n)
        return MERELS_COMPACT_DAMAGED;
    uint8_t *body = (uint8_t *)carve(m, n - COMPACT_HEAD);
    if (body == 0)
        return MERELS_COMPACT_NO_MEMORY;
    status = read_bytes(r, COMPACT_HEAD, body, n - COMPACT_HEAD);
    if (status != MERELS_COMPACT_OK)
        return status;
    if (is_damaged(body, n - COMPACT_HEAD, load64(r->fixed + 48)))
        return MERELS_COMPACT_DAMAGED;
    uint32_t used = merels_compact_read_game(&r->play, body, n - COMPACT_HEAD);
    if (used == 0)
        return MERELS_COMPACT_DAMAGED;
    input in;
    in.at = body + used;
    in.end = body + (n - COMPACT_HEAD);
    in.failed = 0;
    status = read_lists(r, &in, m);
    return status == MERELS_COMPACT_OK ? make_room(r, m) : status;
}

int merels_compact_open(void *memory, size_t n_bytes,
                        const struct merels_compact_source *source,
                        struct merels_compact **reader)
{
    memory_left m;
    m.at = (uint8_t *)memory;
    m.left = n_bytes;
    struct merels_compact *r = (struct merels_compact *)carve(&m, sizeof *r);
    if (r == 0)
        return MERELS_COMPACT_NO_MEMORY;
    clear(r, sizeof *r);
    r->source = *source;
    int status = open_head(r, &m);
    if (status == MERELS_COMPACT_OK)
        *reader = r;
    return status;
}

int merels_compact_points(const struct merels_compact *r)
{
    return r->play.n_points;
}

const uint8_t *merels_compact_fingerprint(const struct merels_compact *r)
{
    return r->fixed + 16;
}

size_t merels_compact_subspaces(const struct merels_compact *r)
{
    return r->n_subspaces;
}

struct merels_compact_counts merels_compact_subspace(const struct merels_compact *r, size_t k)
{
    struct merels_compact_counts c;
    c.own = r->subspaces[k].a;
    c.other = r->subspaces[k].b;
    c.own_hand = r->subspaces[k].ha;
    c.other_hand = r->subspaces[k].hb;
    return c;
}

const char *merels_compact_rules(const struct merels_compact *r, size_t *n_bytes)
{
    *n_bytes = r->text_bytes;
    return r->text;
}

const char *merels_compact_words(int status)
{
    static const char *const words[] = {
        "ok",      "not here yet",           "no position of these rules", "not covered",
        "damaged", "newer than this reader", "too little memory",          "reading failed"};
    if (status < 0 || status >= (int)(sizeof words / sizeof *words))
        return "unknown status";
    return words[status];
}

/* ---- stored values ---------------------------------------------------------------------- */

static const subspace *find_subspace(const struct merels_compact *r, int a, int b, int ha,
                                     int hb)
{
    uint32_t k = r->first_subspace[a][b];
    while (k != NO_SUBSPACE && (r->subspaces[k].ha != ha || r->subspaces[k].hb != hb))
        k = r->subspaces[k].next;
    return k == NO_SUBSPACE ? 0 : &r->subspaces[k];
}

static int find_model(struct merels_compact *r, int number, const int8_t **model)
{
    cached_model *oldest = &r->cached_models[0];
    for (int k = 0; k < MODELS_CACHED; k++) {
        cached_model *c = &r->cached_models[k];
        if (c->model == number) {
            c->used = ++r->clock;
            *model = c->entries;
            return MERELS_COMPACT_OK;
        }
        if (c->used < oldest->used)
            oldest = c;
    }
    const model_place *m = &r->models[number];
    r->group_offset = 0;
    int status = read_bytes(r, m->offset, r->group, m->n_bytes);
    if (status != MERELS_COMPACT_OK)
        return status;
    if (is_damaged(r->group, m->n_bytes, m->hash))
        return MERELS_COMPACT_DAMAGED;
    decode_model(&r->play, r->group, m->n_bytes, oldest->entries);
    oldest->model = number;
    oldest->used = ++r->clock;
    *model = oldest->entries;
    return MERELS_COMPACT_OK;
}

static uint32_t canonical(const game *g, uint32_t set, int *symmetry)
{
    uint32_t least = set;
    *symmetry = 0;
    for (int s = 1; s < g->n_symmetries; s++) {
        uint32_t image = merels_compact_image(g, s, set);
        if (image < least) {
            least = image;
            *symmetry = s;
        }
    }
    return least;
}

static int is_canonical(const game *g, uint32_t set)
{
    for (int s = 1; s < g->n_symmetries; s++)
        if (merels_compact_image(g, s, set) < set)
            return 0;
    return 1;
}

/* The number of a canonical set: those with a smaller prefix, then one by one. */
static uint32_t row_number(const struct merels_compact *r, uint32_t set, int men)
{
    int shift = prefix_shift(&r->play);
    uint32_t prefix = set >> shift, low = set & (bit(shift) - 1);
    int low_men = men - count(prefix);
    uint32_t n = r->row_starts[men][prefix], x = ((uint32_t)1 << low_men) - 1;
    for (; x != low; x = next_set(x))
        n += (uint32_t)is_canonical(&r->play, prefix << shift | x);
    return n;
}

static uint32_t n_pieces(const game *g, const subspace *s)
{
    return (g->choose[g->n_points - s->b][s->a] - 1) / COMPACT_PIECE + 1;
}

/* The part of a subspace that a position belongs to. */
static uint8_t strand_of(const game *g, const subspace *s, uint32_t own, uint32_t other)
{
    if (s->stored == COMPACT_WHOLE)
        return COMPACT_WHOLE;
    return count((own | other) & g->dark) & 1 ? COMPACT_ODD : COMPACT_EVEN;
}

static int read_group(struct merels_compact *r, uint64_t offset, uint32_t n_bytes,
                      uint64_t hash)
{
    if (r->group_offset == offset && offset != 0)
        return MERELS_COMPACT_OK;
    r->group_offset = 0;
    int status = read_bytes(r, offset, r->group, n_bytes);
    if (status != MERELS_COMPACT_OK)
        return status;
    if (is_damaged(r->group, n_bytes, hash))
        return MERELS_COMPACT_DAMAGED;
    r->group_offset = offset;
    return MERELS_COMPACT_OK;
}

/* Reads and checks the group of a row, and finds the bytes of a block in it. */
static int find_block(struct merels_compact *r, const subspace *s, uint32_t row,
                      uint32_t number, const uint8_t **bytes, uint32_t *n_bytes)
{
    uint8_t entry[24];
    uint32_t group = row / s->rows_in_group, first = group * s->rows_in_group;
    int status = read_bytes(r, s->index + 16 * (uint64_t)group, entry, 24);
    if (status != MERELS_COMPACT_OK)
        return status;
    uint64_t begin = load64(entry), end = load64(entry + 16);
    if (begin > end || end - begin > r->most_group)
        return MERELS_COMPACT_DAMAGED;
    status = read_group(r, begin, (uint32_t)(end - begin), load64(entry + 8));
    if (status != MERELS_COMPACT_OK)
        return status;
    uint32_t n = s->n_rows - first < s->rows_in_group ? s->n_rows - first : s->rows_in_group;
    uint32_t in_row = n_pieces(&r->play, s), before = 0;
    uint32_t wanted = (row - first) * in_row + number;
    input in;
    in.at = r->group;
    in.end = r->group + (end - begin);
    in.failed = 0;
    *n_bytes = 0;
    for (uint32_t k = 0; k < n * in_row && !in.failed; k++) {
        uint32_t length = take_number(&in);
        before += k < wanted ? length : 0;
        *n_bytes = k == wanted ? length : *n_bytes;
    }
    if (in.failed || before > (uint32_t)(in.end - in.at) ||
        *n_bytes > (uint32_t)(in.end - in.at) - before)
        return MERELS_COMPACT_DAMAGED;
    *bytes = in.at + before;
    return MERELS_COMPACT_OK;
}

/* The place of a block in the cache, or the one that it may take: an empty one, else the one
 * that was not used for longest. */
static cached_block *find_cached(struct merels_compact *r, int number,
                                 const struct compact_block *block, int *found)
{
    uint64_t key = (uint64_t)number << 48 ^ (uint64_t)block->first_column << 20 ^ block->other;
    cached_block *set = &r->blocks[((uint32_t)(key * P1 >> 40) & (r->n_sets - 1)) * WAYS],
                 *oldest = set;
    *found = 1;
    for (cached_block *c = set; c < set + WAYS; c++) {
        if (c->subspace == number && c->other == block->other &&
            c->first_column == block->first_column)
            return c;
        if (c->used < oldest->used)
            oldest = c;
    }
    *found = 0;
    return oldest;
}

static void pack_values(const uint8_t *values, uint32_t n, uint8_t *packed)
{
    for (uint32_t k = 0; k < n; k += 4, values += 4)
        packed[k / 4] = (uint8_t)(values[0] | values[1] << 2 | values[2] << 4 | values[3] << 6);
}

static int packed_value(const cached_block *c, uint32_t k)
{
    return c->packed[k / 4] >> 2 * (k % 4) & 3;
}

/* Decodes a block until the value of slot `wanted` is known, or all of it. */
static int decode_block(struct merels_compact *r, const subspace *s,
                        const struct compact_block *block, uint32_t wanted, int all)
{
    decoder d;
    struct compact_walker walker;
    const uint8_t *bytes = 0;
    uint32_t n_bytes = 0, piece = block->first_column / COMPACT_PIECE;
    uint32_t row = row_number(r, block->other, s->b);
    int status = find_model(r, s->model, &walker.model);
    if (status <= MERELS_COMPACT_NOT_YET) {
        int found = find_block(r, s, row, piece, &bytes, &n_bytes);
        status = found > status ? found : status;
    }
    if (status != MERELS_COMPACT_OK)
        return status;
    start_decoder(&d, bytes, n_bytes);
    walker.context = &d;
    walker.decide = decode_decision;
    walker.until = all ? ~(uint32_t)0 : block->first_column + wanted;
    merels_compact_walk(&r->play, block, &r->room, &walker);
    return MERELS_COMPACT_OK;
}

static uint32_t column_of(const game *g, uint32_t own, uint32_t other)
{
    uint32_t column = 0;
    int n = 0, men = 0;
    for (int p = 0; p < g->n_points; p++) {
        if (own >> p & 1)
            column += g->choose[n][++men];
        n += (other >> p & 1) == 0;
    }
    return column;
}

/* How far a look-up may go for a value. Plies that the first ones decide need no more. */
enum { LOOK_CACHED, LOOK_STORED, LOOK_ALL };
enum { DEFERRED = -1 }; /* a status: not looked up this time */

/* The value of a position whose strand is stored. Of a block that is needed once more, or by a
 * position several plies away (others will share it), all is decoded. */
static int stored_value(struct merels_compact *r, const subspace *s, const place *p,
                        uint8_t strand, int look, int shared, int *value)
{
    int symmetry, found, number = (int)(s - r->subspaces);
    struct compact_block block;
    block.a = s->a;
    block.b = s->b;
    block.ha = s->ha;
    block.hb = s->hb;
    block.stored = strand == COMPACT_ODD ? s->stored : strand; /* the even strand comes first */
    block.other = canonical(&r->play, p->other, &symmetry);
    uint32_t column =
        column_of(&r->play, merels_compact_image(&r->play, symmetry, p->own), block.other);
    block.first_column = column - column % COMPACT_PIECE;
    column -= block.first_column;
    cached_block *c = find_cached(r, number, &block, &found);
    if (!found || packed_value(c, column) == UNKNOWN) {
        if (look == LOOK_CACHED)
            return DEFERRED;
        int status = decode_block(r, s, &block, column, found || shared);
        if (status != MERELS_COMPACT_OK)
            return status;
        pack_values(r->room.values, COMPACT_PIECE, c->packed);
        c->subspace = (uint16_t)number;
        c->other = block.other;
        c->first_column = block.first_column;
    }
    c->used = ++r->clock;
    *value = packed_value(c, column) - 1;
    return MERELS_COMPACT_OK;
}

/* ---- the rules of play ------------------------------------------------------------------ */

static uint32_t mill_men(const game *g, uint32_t men)
{
    uint32_t in_mills = 0;
    for (int k = 0; k < g->n_mills; k++)
        if ((g->mills[k] & ~men) == 0)
            in_mills |= g->mills[k];
    return in_mills;
}

/* The men that may be removed. */
static uint32_t removable(const game *g, uint32_t men)
{
    uint32_t loose = men & ~mill_men(g, men);
    if (g->options[COMPACT_MILL_MEN] == 1)
        return men;
    return loose == 0 && g->options[COMPACT_MILL_MEN] == 0 ? men : loose;
}

static int has_step(const game *g, uint32_t own, int hand, uint32_t free)
{
    if (free == 0 || hand > 0)
        return free != 0;
    if (own != 0 && may_fly(g, count(own), hand))
        return 1;
    for (; own != 0; own &= own - 1)
        if ((g->neighbours[lowest(own)] & free) != 0)
            return 1;
    return 0;
}

/* True if the game is over, with its value. */
static int is_over(const game *g, const place *p, int *value)
{
    uint32_t free = g->points & ~(p->own | p->other);
    int wins = g->options[COMPACT_MILL] == 1;
    if (count(p->own) + p->own_hand < g->options[COMPACT_LEAST] ||
        (wins && mill_men(g, p->other) != 0)) {
        *value = -1;
    } else if (free == 0) {
        *value = g->options[COMPACT_FULL_BOARD] == 0 ? 0 : -1;
    } else if (has_step(g, p->own, p->own_hand, free) ||
               (g->options[COMPACT_BLOCKED] == 2 &&
                has_step(g, p->other, p->other_hand, free))) {
        return 0;
    } else {
        *value = g->options[COMPACT_BLOCKED] == 0 ? -1 : 0;
    }
    return 1;
}

static place turned(const place *p)
{
    place q;
    q.own = p->other;
    q.other = p->own;
    q.own_hand = p->other_hand;
    q.other_hand = p->own_hand;
    q.due = 0;
    return q;
}

static int due_after(const game *g, uint32_t rest, int to)
{
    int n = 0;
    if (g->options[COMPACT_MILL] == 1)
        return 0;
    for (int k = 0; k < g->n_mates[to]; k++)
        n += (g->mates[to][k] & ~rest) == 0;
    return g->options[COMPACT_REMOVALS] == 1 ? n : at_most(n, 1);
}

/* ---- values ----------------------------------------------------------------------------- */

/* A choice among values by a side, the mover (sign 1) or the other one (sign -1): nothing that
 * is at least as good for it as `enough` need be told apart. What is not here yet, not covered
 * or damaged counts only if nothing decides. */
typedef struct {
    int sign, best, enough, none, deferred, status;
} choice;

static void start_choice(choice *c, int sign, int enough)
{
    c->sign = sign;
    c->best = -sign;
    c->enough = enough;
    c->none = 1;
    c->deferred = 0;
    c->status = MERELS_COMPACT_OK;
}

static int is_decided(const choice *c)
{
    return !c->none && c->sign * c->best >= c->sign * c->enough;
}

/* Takes in a value; true if no other is needed. */
static int choose(choice *c, int status, int value)
{
    if (status == DEFERRED) {
        c->deferred = 1;
    } else if (status != MERELS_COMPACT_OK) {
        c->status = status > c->status ? status : c->status;
    } else {
        if (c->sign * value > c->sign * c->best)
            c->best = value;
        c->none = 0;
    }
    return is_decided(c) || status == MERELS_COMPACT_READ_FAILED;
}

static int chosen(const choice *c, int *value)
{
    *value = c->best;
    if (is_decided(c))
        return MERELS_COMPACT_OK;
    return c->deferred ? (int)DEFERRED : c->status;
}

/* What a value is asked for: all that is at most `low`, or at least `high`, is the same. */
typedef struct {
    int low, high;
    uint32_t depth; /* plies of derivation left */
    int look;
    int distance; /* plies from the position asked */
} question;

static int value_of(struct merels_compact *r, const place *p, question q, int *value);

static int value_turned(struct merels_compact *r, const place *p, question q, int *value)
{
    place next = turned(p);
    int low = q.low;
    q.low = -q.high;
    q.high = -low;
    int status = value_of(r, &next, q, value);
    *value = -*value;
    return status;
}

static int owes(const game *g, const place *p)
{
    return p->due > 0 && count(p->other) + p->other_hand >= g->options[COMPACT_LEAST] &&
           removable(g, p->other) != 0;
}

/* The value for the mover of p, who has stepped and owes p->due removals. */
static int value_of_step(struct merels_compact *r, const place *p, question q, int *value)
{
    const game *g = &r->play;
    choice c;
    int sign = g->options[COMPACT_CHOOSER] == 0 ? 1 : -1;
    if (!owes(g, p))
        return value_turned(r, p, q, value);
    start_choice(&c, sign, sign > 0 ? q.high : q.low);
    for (uint32_t men = removable(g, p->other); men != 0; men &= men - 1) {
        place next = *p;
        question rest = q;
        int v = 0;
        next.other &= ~(men & (0 - men));
        next.due--;
        if (sign > 0 && c.best > q.low)
            rest.low = c.best;
        if (sign < 0 && c.best < q.high)
            rest.high = c.best;
        int status = value_of_step(r, &next, rest, &v);
        if (choose(&c, status, v))
            break;
    }
    return chosen(&c, value);
}

static place stepped(const game *g, const place *p, int from, int to)
{
    place next = *p;
    if (from < 0)
        next.own_hand--;
    else
        next.own &= ~bit(from);
    next.due = (uint8_t)due_after(g, next.own, to);
    next.own |= bit(to);
    return next;
}

/* Steps that bring a man to each of the targets; true if no other is needed. */
static int try_steps(struct merels_compact *r, const place *p, int from, uint32_t targets,
                     question q, choice *c)
{
    for (; targets != 0; targets &= targets - 1) {
        place next = stepped(&r->play, p, from, lowest(targets));
        question rest = q;
        int v = 0;
        rest.low = c->best > q.low ? c->best : q.low;
        int status = value_of_step(r, &next, rest, &v);
        if (choose(c, status, v))
            return 1;
    }
    return 0;
}

static uint32_t targets_of(const game *g, const place *p, int from)
{
    uint32_t free = g->points & ~(p->own | p->other);
    return may_fly(g, count(p->own), p->own_hand) ? free : g->neighbours[from] & free;
}

static void try_plies(struct merels_compact *r, const place *p, question q, choice *c)
{
    const game *g = &r->play;
    if (p->own_hand > 0 && try_steps(r, p, -1, g->points & ~(p->own | p->other), q, c))
        return;
    if (!may_move(g, p->own_hand))
        return;
    for (uint32_t men = p->own; men != 0; men &= men - 1)
        if (try_steps(r, p, lowest(men), targets_of(g, p, lowest(men)), q, c))
            return;
}

/* The best that the plies of a position lead to: first those that are known, then those that
 * are stored, then those that are derived themselves. */
static int derived_value(struct merels_compact *r, const place *p, question q, int *value)
{
    choice c;
    if (q.depth == 0)
        return MERELS_COMPACT_DAMAGED;
    q.depth--;
    q.distance++;
    if (!has_step(&r->play, p->own, p->own_hand, r->play.points & ~(p->own | p->other)))
        return value_turned(r, p, q, value); /* a pass */
    for (q.look = LOOK_CACHED; q.look <= LOOK_ALL; q.look++) {
        start_choice(&c, 1, q.high);
        try_plies(r, p, q, &c);
        if (is_decided(&c) || !c.deferred || c.status == MERELS_COMPACT_READ_FAILED)
            break;
    }
    return chosen(&c, value);
}

static int value_of(struct merels_compact *r, const place *p, question q, int *value)
{
    if (is_over(&r->play, p, value))
        return MERELS_COMPACT_OK;
    const subspace *s =
        find_subspace(r, count(p->own), count(p->other), p->own_hand, p->other_hand);
    if (s == 0)
        return MERELS_COMPACT_NOT_COVERED;
    if (s->stored != 0) {
        uint8_t strand = strand_of(&r->play, s, p->own, p->other);
        if ((s->stored & strand) != 0)
            return stored_value(r, s, p, strand, q.look, q.distance > 1, value);
    }
    return q.look == LOOK_ALL ? derived_value(r, p, q, value) : (int)DEFERRED;
}

static int is_legal(const game *g, const place *p)
{
    if ((p->own & p->other) != 0 || ((p->own | p->other) & ~g->points) != 0 ||
        count(p->own) + p->own_hand > g->n_points ||
        count(p->other) + p->other_hand > g->n_points ||
        count(p->other) + p->other_hand < g->options[COMPACT_LEAST])
        return 0;
    if (g->options[COMPACT_MILL] == 1 && (p->due > 0 || mill_men(g, p->own) != 0))
        return 0;
    if (p->due == 0)
        return 1;
    return p->due <= COMPACT_MILLS_AT && mill_men(g, p->own) != 0 &&
           removable(g, p->other) != 0;
}

/* A question of its own: the exact value, from what is decoded or has to be. */
static question exactly(struct merels_compact *r, int distance)
{
    question q;
    q.low = -1;
    q.high = 1;
    q.depth = r->most_depth;
    q.look = LOOK_ALL;
    q.distance = distance;
    clear(r->wanted, sizeof r->wanted);
    return q;
}

int merels_compact_value(struct merels_compact *r, const struct merels_compact_position *p,
                         int *value)
{
    int v = 0, status;
    if (!is_legal(&r->play, p))
        return MERELS_COMPACT_ILLEGAL;
    status =
        p->due > 0 ? value_of_step(r, p, exactly(r, 1), &v) : value_of(r, p, exactly(r, 0), &v);
    if (status == MERELS_COMPACT_OK)
        *value = v;
    return status;
}

/* ---- rankings --------------------------------------------------------------------------- */

typedef struct merels_compact_ply ply;

/* A list of plies being made; those that find no room are only counted. */
typedef struct {
    const game *g;
    const place *p;
    ply *plies;
    size_t room, n;
} ply_list;

static void add_ply(ply_list *l, const ply *x)
{
    if (l->n < l->room)
        l->plies[l->n] = *x;
    l->n++;
}

/* Can the men of `set` be removed one after another, in some order? */
static int removable_in_turn(const game *g, uint32_t other, uint32_t set)
{
    if (set == 0)
        return 1;
    for (uint32_t men = set & removable(g, other); men != 0; men &= men - 1) {
        uint32_t man = men & (0 - men);
        if (removable_in_turn(g, other & ~man, set & ~man))
            return 1;
    }
    return 0;
}

/* Adds the plies that remove `set`, the men already in *x, and further ones from point `first`
 * on: `due` in all, or fewer if then none may be removed any more. */
static void add_removals(ply_list *l, ply *x, uint32_t set, int first, int due)
{
    uint32_t other = l->p->other;
    int all = x->n_removed == due;
    if ((all || removable(l->g, other & ~set) == 0) && removable_in_turn(l->g, other, set))
        add_ply(l, x);
    if (all)
        return;
    for (uint32_t men = other & ~(bit(first) - 1); men != 0; men &= men - 1) {
        int man = lowest(men);
        x->removed[x->n_removed++] = (int8_t)man;
        add_removals(l, x, set | bit(man), man + 1, due);
        x->n_removed--;
    }
}

/* Adds the plies of a step after which `due` men are to be removed: none after one that leaves
 * too few. */
static void add_turn(ply_list *l, int from, int to, int due)
{
    ply x;
    int until_end = count(l->p->other) + l->p->other_hand - l->g->options[COMPACT_LEAST] + 1;
    clear(&x, sizeof x);
    x.from = (int8_t)from;
    x.to = (int8_t)to;
    x.picked = 1;
    due = at_most(at_most(due, until_end), MERELS_COMPACT_REMOVED);
    if (removable(l->g, l->p->other) == 0)
        due = 0;
    add_removals(l, &x, 0, 0, due);
}

static void add_steps(ply_list *l, int from, uint32_t targets)
{
    uint32_t rest = from < 0 ? l->p->own : l->p->own & ~bit(from);
    for (; targets != 0; targets &= targets - 1)
        add_turn(l, from, lowest(targets), due_after(l->g, rest, lowest(targets)));
}

/* All plies, by from, to and removed men. */
static void list_plies(ply_list *l)
{
    const game *g = l->g;
    const place *p = l->p;
    uint32_t free = g->points & ~(p->own | p->other);
    int value;
    l->n = 0;
    if (p->due > 0) {
        add_turn(l, -1, -1, p->due);
        return;
    }
    if (is_over(g, p, &value))
        return;
    if (p->own_hand > 0)
        add_steps(l, -1, free);
    if (may_move(g, p->own_hand))
        for (uint32_t men = p->own; men != 0; men &= men - 1)
            add_steps(l, lowest(men), targets_of(g, p, lowest(men)));
    if (l->n == 0)
        add_turn(l, -1, -1, 0); /* blocked, and not over: a pass */
}

struct merels_compact_position merels_compact_play(const struct merels_compact_position *p,
                                                   const struct merels_compact_ply *x)
{
    place next = *p;
    if (x->from >= 0)
        next.own &= ~bit(x->from);
    else if (x->to >= 0)
        next.own_hand--;
    if (x->to >= 0)
        next.own |= bit(x->to);
    for (int k = 0; k < x->n_removed; k++)
        next.other &= ~bit(x->removed[k]);
    return turned(&next);
}

/* The values of all plies; what is not here is asked for together. */
static int value_plies(struct merels_compact *r, const place *p, ply *plies, size_t n)
{
    int status = MERELS_COMPACT_OK;
    question q = exactly(r, 1);
    for (size_t k = 0; k < n && status != MERELS_COMPACT_READ_FAILED; k++) {
        place next = merels_compact_play(p, &plies[k]);
        int v = 0, found = value_of(r, &next, q, &v);
        status = found > status ? found : status;
        plies[k].value = (int8_t)-v;
    }
    return status;
}

/* The other side picks among the plies of each step, which stand together: the worst for the
 * mover, the first of several. In the middle of a turn each pick keeps its own value. */
static void let_the_other_side_pick(ply *plies, size_t n)
{
    for (size_t first = 0, end; first < n; first = end) {
        size_t worst = first;
        for (end = first; end < n && plies[end].from == plies[first].from &&
                          plies[end].to == plies[first].to;
             end++)
            worst = plies[end].value < plies[worst].value ? end : worst;
        int8_t value = plies[worst].value;
        for (size_t k = first; k < end; k++) {
            plies[k].picked = k == worst;
            if (plies[k].to >= 0)
                plies[k].value = value;
        }
    }
}

static int place_in_order(const ply *x)
{
    return 2 * x->value + x->picked;
}

/* Best first; the order of those that are alike stays. Insertion in runs: there are six kinds.
 */
static void sort_plies(ply *plies, size_t n)
{
    size_t done = 0;
    for (int kind = 3; kind >= -2; kind--)
        for (size_t k = done; k < n; k++)
            if (place_in_order(&plies[k]) == kind) {
                ply x = plies[k];
                for (size_t j = k; j > done; j--)
                    plies[j] = plies[j - 1];
                plies[done++] = x;
            }
}

int merels_compact_rank(struct merels_compact *r, const struct merels_compact_position *p,
                        struct merels_compact_ply *plies, size_t room, size_t *n_plies)
{
    ply_list list;
    if (!is_legal(&r->play, p))
        return MERELS_COMPACT_ILLEGAL;
    list.g = &r->play;
    list.p = p;
    list.plies = plies;
    list.room = room;
    list_plies(&list);
    if (list.n > room) {
        *n_plies = list.n;
        return MERELS_COMPACT_NO_MEMORY;
    }
    int status = value_plies(r, p, plies, list.n);
    if (status != MERELS_COMPACT_OK)
        return status;
    if (r->play.options[COMPACT_CHOOSER] == 1)
        let_the_other_side_pick(plies, list.n);
    sort_plies(plies, list.n);
    *n_plies = list.n;
    return MERELS_COMPACT_OK;
}
