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

static void fill_near(game *g)
{
    for (int k = 0; k < 3; k++)
        for (int x = 1; x < 256; x++) {
            int p = 8 * k + lowest((uint32_t)x);
            uint32_t near = p < g->n_points ? g->neighbours[p] : 0;
            g->near[k][x] = g->near[k][x & (x - 1)] | near;
        }
}

/* The neighbours of all points of a set. */
static uint32_t near_to(const game *g, uint32_t set)
{
    return g->near[0][set & 255] | g->near[1][set >> 8 & 255] | g->near[2][set >> 16 & 255];
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

/* Entries of the tables of counts, in order. */
static const uint16_t count_entries[COMPACT_COUNTS] = {400, 256, 100, 256, 400, 144, 100, 576,
                                                       81,  27,  257, 288, 108, 256, 225, 972,
                                                       972, 136, 102, 64,  512, 216, 1};

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
    fill_near(g);
    if (!in.failed)
        read_symmetries(g, &in);
    if (!in.failed)
        read_patterns(g, &in);
    for (int k = 0; k < COMPACT_COUNTS; k++) {
        g->count_entry[k] = g->n_entries;
        g->n_entries += count_entries[k];
    }
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

/* All that a row has in common. "Pushed" sets are sets of free points, numbered anew. */
typedef struct {
    const game *g;
    const struct compact_block *block;
    uint32_t other, free;
    int n_free, places, moves, flies, places_other;
    uint32_t deposit[3][256];      /* pushed set to set */
    uint32_t near[COMPACT_POINTS]; /* pushed point to pushed set */
    int n_mates[COMPACT_POINTS];   /* mills on free points */
    uint32_t mates[COMPACT_POINTS][COMPACT_MILLS_AT];
    int n_stabilizers; /* symmetries that keep the row's set, less the identity */
    uint8_t stabilizers[COMPACT_SYMMETRIES];
    uint8_t *slides[3], *placed[3]; /* arrivals by class: slides, placements */
    uint16_t pattern_other[COMPACT_INSTANCES];
    /* of the position at work */
    int n_arrivals, n_placed; /* placements first */
    uint8_t *arrivals[192];
    uint32_t arrival_rank[192];
    uint8_t arrival_class[192];
    const uint8_t *values;    /* of the block */
    uint32_t first, n_values; /* its columns */
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

static void start_points(row_work *r)
{
    int points[COMPACT_POINTS];
    r->n_free = 0;
    for (uint32_t rest = r->free; rest != 0; rest &= rest - 1)
        points[r->n_free++] = lowest(rest);
    for (int q = 0; q < r->n_free; q++) {
        int p = points[q];
        r->near[q] = push(r, r->g->neighbours[p] & r->free);
        r->n_mates[q] = 0;
        for (int k = 0; k < r->g->n_mates[p]; k++)
            if ((r->g->mates[p][k] & ~r->free) == 0)
                r->mates[q][r->n_mates[q]++] = push(r, r->g->mates[p][k]);
    }
    for (int k = 0; k < 3; k++) {
        r->deposit[k][0] = 0;
        for (int x = 1; x < 256; x++) {
            int q = 8 * k + lowest((uint32_t)x);
            r->deposit[k][x] =
                r->deposit[k][x & (x - 1)] | (q < r->n_free ? bit(points[q]) : 0);
        }
    }
}

static uint32_t deposited(const row_work *r, uint32_t pushed)
{
    return r->deposit[0][pushed & 255] | r->deposit[1][pushed >> 8 & 255] |
           r->deposit[2][pushed >> 16];
}

uint32_t merels_compact_nodes(const game *g, int a, int b, int ha)
{
    int n = g->n_points - b;
    uint32_t slides = may_move(g, ha) ? g->choose[n][a] : 0;
    uint32_t placed = ha > 0 ? g->choose[n][a + 1] : 0;
    return (uint32_t)n_classes(g) * (slides + placed);
}

static uint32_t pattern_part(const struct compact_instance *instance, uint32_t set)
{
    return (uint32_t)instance->part[0][set & 255] + instance->part[1][set >> 8 & 255] +
           instance->part[2][set >> 16 & 255];
}

enum { NODE_LOST, NODE_DRAWN, NODE_SURELY_DRAWN, NODE_OPEN, NODE_MOST = 254, NODE_WON = 255 };

static void start_row(row_work *r, const game *g, const struct compact_block *block,
                      const struct compact_room *room)
{
    uint32_t n_nodes = merels_compact_nodes(g, block->a, block->b, block->ha);
    r->g = g;
    r->block = block;
    r->other = block->other;
    r->free = g->points & ~block->other;
    r->places = block->ha > 0;
    r->places_other = block->hb > 0;
    r->moves = may_move(g, block->ha);
    r->flies = may_fly(g, block->a, block->ha);
    start_points(r);
    uint8_t *node = room->nodes;
    for (int c = 0; c < n_classes(g); c++) {
        r->slides[c] = node;
        node += r->moves ? g->choose[r->n_free][block->a] : 0;
        r->placed[c] = node;
        node += r->places ? g->choose[r->n_free][block->a + 1] : 0;
    }
    for (uint32_t k = 0; k < n_nodes; k++)
        room->nodes[k] = NODE_OPEN;
    r->n_stabilizers = 0;
    for (int s = 1; s < g->n_symmetries; s++)
        if (merels_compact_image(g, s, r->other) == r->other)
            r->stabilizers[r->n_stabilizers++] = (uint8_t)s;
    for (int k = 0; k < g->n_instances; k++)
        r->pattern_other[k] = (uint16_t)(2 * pattern_part(&g->instances[k], r->other));
    r->last[0] = r->last[1] = r->last[2] = 0;
}

/* ---- arrivals: what the mover's plies lead to, before anything is removed ------------------
 */

static void add_arrivals(row_work *r, uint32_t rest, uint32_t targets, uint8_t *const nodes[3],
                         int men)
{
    int each = r->g->options[COMPACT_REMOVALS] == 1;
    for (; targets != 0; targets &= targets - 1) {
        int q = lowest(targets), closes = 0;
        for (int k = 0; k < r->n_mates[q]; k++)
            closes += (r->mates[q][k] & ~rest) == 0;
        closes = at_most(closes, each ? 2 : 1);
        uint32_t rank = rank_of(r->g, men, rest | bit(q));
        r->arrival_class[r->n_arrivals] = (uint8_t)closes;
        r->arrival_rank[r->n_arrivals] = rank;
        r->arrivals[r->n_arrivals++] = nodes[closes] + rank;
    }
}

static void find_arrivals(row_work *r, uint32_t pushed)
{
    uint32_t empty = (((uint32_t)1 << r->n_free) - 1) & ~pushed;
    r->n_arrivals = 0;
    if (r->places)
        add_arrivals(r, pushed, empty, r->placed, r->block->a + 1);
    r->n_placed = r->n_arrivals;
    if (r->moves)
        for (uint32_t men = pushed; men != 0; men &= men - 1) {
            int q = lowest(men);
            add_arrivals(r, pushed & ~bit(q), r->flies ? empty : r->near[q] & empty, r->slides,
                         r->block->a);
        }
}

/* A position's value tells what each of its arrivals can be worth at most; a win that only one
 * arrival can have given is that arrival's. */
static void learn(row_work *r, int value)
{
    int able = 0;
    uint8_t *last = 0;
    for (int k = 0; k < r->n_arrivals; k++) {
        uint8_t *node = r->arrivals[k];
        if (value == 0)
            *node = NODE_LOST;
        else if (value == 1 && *node >= NODE_OPEN)
            *node = NODE_DRAWN;
        if (value == 1 ? *node == NODE_DRAWN || *node == NODE_SURELY_DRAWN
                       : *node >= NODE_OPEN) {
            able++;
            last = node;
        }
    }
    if (value == 0 || able == 0)
        return;
    if (able == 1) {
        *last = value == 1 ? NODE_SURELY_DRAWN : NODE_WON;
        return;
    }
    for (int k = 0; value == 2 && k < r->n_arrivals; k++) {
        uint8_t *node = r->arrivals[k];
        if (*node >= NODE_OPEN && *node < NODE_WON)
            *node = (uint8_t)at_most(*node + 1 + 11 / able, NODE_MOST);
    }
}

/* ---- features --------------------------------------------------------------------------- */

/* What is counted of one side. */
typedef struct {
    int slides, blocked, n_closable, safe, mills, open, running, pairs, n_in_mills;
    uint32_t closable, in_mills; /* points */
} tally;

/* Of both sides at once: [0] the mover, [1] the other. */
static void tally_slides(const game *g, const uint32_t men[2], uint32_t free, tally t[2])
{
    uint32_t open = near_to(g, free);
    t[0].blocked = count(men[0] & ~open);
    t[1].blocked = count(men[1] & ~open);
    for (; free != 0; free &= free - 1) {
        uint32_t near = g->neighbours[lowest(free)];
        t[0].slides += count(near & men[0]);
        t[1].slides += count(near & men[1]);
    }
}

/* A mill that a side has, or on which it has men and its opponent none. */
static void tally_mill(const game *g, uint32_t mill, uint32_t own, uint32_t open, uint32_t held,
                       int places, tally *t)
{
    uint32_t men = mill & own;
    if (men == mill) {
        t->mills++;
        t->open += (mill & open) != 0;
        t->running += (mill & open & ~held) != 0;
        t->in_mills |= mill;
    } else if ((men & (men - 1)) != 0) {
        uint32_t point = mill & ~own;
        t->pairs++;
        if (places || (g->neighbours[lowest(point)] & own & ~mill) != 0)
            t->closable |= point;
    }
}

static void tally_sides(const row_work *r, uint32_t own, tally t[2])
{
    const game *g = r->g;
    uint32_t men[2], held[2], open = near_to(g, r->free & ~own);
    clear(t, 2 * sizeof *t);
    men[0] = own;
    men[1] = r->other;
    held[0] = near_to(g, r->other);
    held[1] = near_to(g, own);
    tally_slides(g, men, r->free & ~own, t);
    for (int k = 0; k < g->n_mills; k++) {
        uint32_t mill = g->mills[k];
        if ((mill & own) == 0)
            tally_mill(g, mill, r->other, open, held[1], r->places_other, &t[1]);
        else if ((mill & r->other) == 0)
            tally_mill(g, mill, own, open, held[0], r->places, &t[0]);
    }
    for (int k = 0; k < 2; k++) {
        t[k].n_closable = count(t[k].closable);
        t[k].safe = count(t[k].closable & ~held[k]);
        t[k].n_in_mills = count(t[k].in_mills);
    }
}

static void features_of_tallies(const tally *o, const tally *x, uint32_t *f)
{
    int c = at_most(o->n_closable, 3), cx = at_most(x->n_closable, 3);
    int c2 = at_most(c, 2), cx2 = at_most(cx, 2);
    f[0] = (uint32_t)(at_most(o->slides, 19) * 20 + at_most(x->slides, 19));
    f[1] = (uint32_t)(((c * 4 + cx) * 4 + at_most(o->mills, 3)) * 4 + at_most(x->mills, 3));
    f[2] = (uint32_t)(at_most(o->blocked, 9) * 10 + at_most(x->blocked, 9));
    f[3] = (uint32_t)(((at_most(o->open, 3) * 4 + at_most(x->open, 3)) * 4 +
                       at_most(o->running, 3)) *
                          4 +
                      at_most(x->running, 3));
    f[4] = (uint32_t)(((at_most(o->pairs, 4) * 5 + at_most(x->pairs, 4)) * 4 + c) * 4 + cx);
    f[5] = (uint32_t)(((at_most(o->safe, 2) * 3 + at_most(x->safe, 2)) * 4 + c) * 4 + cx);
    f[6] = (uint32_t)(at_most(o->n_in_mills, 9) * 10 + at_most(x->n_in_mills, 9));
    f[7] = (uint32_t)(((at_most(x->slides, 7) * 3 + c2) * 3 + cx2) * 8 + at_most(o->slides, 7));
    f[8] =
        (uint32_t)(((at_most(o->running, 2) * 3 + at_most(x->running, 2)) * 3 + c2) * 3 + cx2);
}

/* What is known of a position's arrivals, quiet ones [0] and closing ones [1]: how many of each
 * kind, the best kind, the most that speaks for a win, and the sum of it. */
typedef struct {
    int kinds[2][8], best[2], evidence[2], sum;
} outlook;

static int kind_of_node(int node)
{
    if (node <= NODE_OPEN)
        return node;
    if (node == NODE_WON)
        return 7;
    return node < NODE_OPEN + 6 ? 4 : node < NODE_OPEN + 12 ? 5 : 6;
}

static void look_out(const row_work *r, outlook *l)
{
    clear(l, sizeof *l);
    l->best[0] = l->best[1] = 8;
    for (int k = 0; k < r->n_arrivals; k++) {
        int node = *r->arrivals[k], kind = kind_of_node(node), c = r->arrival_class[k] > 0;
        int evidence = node == NODE_WON ? 96 : node < NODE_OPEN ? 0 : node - NODE_OPEN;
        l->kinds[c][kind]++;
        l->best[c] = l->best[c] == 8 || kind > l->best[c] ? kind : l->best[c];
        l->evidence[c] = evidence > l->evidence[c] ? evidence : l->evidence[c];
        l->sum += node == NODE_WON ? 96 : node < NODE_OPEN ? 0 : evidence + 2;
    }
}

static int evidence_level(const outlook *l, int c)
{
    if (l->best[c] == 8)
        return 0;
    return l->best[c] < NODE_OPEN ? 1 : 2 + at_most(l->evidence[c] / 3, 31);
}

static void features_of_outlook(const outlook *l, const tally *o, const tally *x, uint32_t *f)
{
    int k[8], open[2], best;
    open[0] = open[1] = 0;
    for (int q = 0; q < 8; q++)
        k[q] = l->kinds[0][q] + l->kinds[1][q];
    for (int c = 0; c < 2; c++)
        for (int q = NODE_OPEN; q < 8; q++)
            open[c] += l->kinds[c][q];
    best = l->best[0] == 8   ? l->best[1]
           : l->best[1] == 8 ? l->best[0]
                             : at_most(7, l->best[0] > l->best[1] ? l->best[0] : l->best[1]);
    int sure = k[7] > 0, pair = l->best[0] * 9 + l->best[1];
    f[0] = (uint32_t)(sure ? 0
                           : 1 +
                                 ((at_most(k[6], 3) * 4 + at_most(k[5], 3)) * 4 +
                                  at_most(k[4], 3)) *
                                     4 +
                                 at_most(k[3], 3));
    f[1] = (uint32_t)((at_most(open[0], 7) * 4 + at_most(open[1], 3)) * 9 + best);
    f[2] = (uint32_t)((best * 4 + at_most(k[1], 3)) * 3 + at_most(k[2], 2));
    f[3] = (uint32_t)(((sure * 8 + at_most(k[3], 7)) * 4 + at_most(l->kinds[1][3], 3)) * 4 +
                      at_most(o->n_closable, 3));
    f[4] = (uint32_t)((at_most(k[6], 4) * 5 + at_most(l->kinds[1][6], 4)) * 9 + best);
    f[5] = (uint32_t)((pair * 4 + at_most(l->kinds[0][3], 3)) * 3 + at_most(l->kinds[1][3], 2));
    f[6] = (uint32_t)((pair * 4 + at_most(x->n_closable, 3)) * 3 + at_most(x->slides / 3, 2));
    f[7] = (uint32_t)(evidence_level(l, 0) * 4 + at_most(l->kinds[0][3], 3));
    f[8] = (uint32_t)(evidence_level(l, 1) * 3 + at_most(l->kinds[1][3], 2));
    f[9] = (uint32_t)at_most(l->sum * 2 / 3, 63);
}

enum { UNKNOWN = 3 };

/* The values of slots of the block that one slide leads to, as far as they are known: [0] of
 * quiet slides, [1] of those that close a mill. */
static void count_value(const row_work *r, uint32_t column, int closes, int n[2][4])
{
    if (column - r->first < r->n_values)
        n[closes][r->values[column - r->first]]++;
}

static void count_values(const row_work *r, uint32_t pushed, int n[2][4])
{
    uint32_t empty = (((uint32_t)1 << r->n_free) - 1) & ~pushed;
    clear(n, 8 * sizeof n[0][0]);
    if (r->moves && !r->flies) {
        for (int k = r->n_placed; k < r->n_arrivals; k++)
            count_value(r, r->arrival_rank[k], r->arrival_class[k] > 0, n);
        return;
    }
    for (uint32_t men = pushed; men != 0; men &= men - 1) {
        int from = lowest(men);
        uint32_t rest = pushed & ~bit(from);
        for (uint32_t to = r->near[from] & empty; to != 0; to &= to - 1) {
            int q = lowest(to), closes = 0;
            for (int k = 0; k < r->n_mates[q]; k++)
                closes |= (r->mates[q][k] & ~rest) == 0;
            count_value(r, rank_of(r->g, r->block->a, rest | bit(q)), closes, n);
        }
    }
}

static void features_of_values(const row_work *r, uint32_t pushed, uint32_t *f)
{
    int n[2][4];
    count_values(r, pushed, n);
    f[0] =
        (uint32_t)((at_most(n[0][2], 7) * 8 + at_most(n[0][1], 7)) * 8 + at_most(n[0][0], 7));
    f[1] =
        (uint32_t)(((at_most(n[1][2], 2) * 3 + at_most(n[1][1], 2)) * 3 + at_most(n[1][0], 2)) *
                       8 +
                   at_most(n[0][2], 7));
}

/* The entries of a position in a model. Returns how many there are. */
static int find_entries(row_work *r, uint32_t pushed, uint32_t own, uint32_t *entries)
{
    const game *g = r->g;
    uint32_t f[COMPACT_COUNTS];
    tally t[2];
    outlook l;
    int n = 0;
    for (int k = 0; k < g->n_instances; k++) {
        int type = g->instances[k].type;
        uint32_t index = r->pattern_other[k] + pattern_part(&g->instances[k], own);
        entries[n++] = g->type_entry[type] + g->classes[g->type_first[type] + index];
    }
    tally_sides(r, own, t);
    features_of_tallies(&t[0], &t[1], f);
    f[9] = (uint32_t)((r->last[0] * 3 + r->last[1]) * 3 + r->last[2]);
    look_out(r, &l);
    features_of_outlook(&l, &t[0], &t[1], f + 10);
    features_of_values(r, pushed, f + 20);
    f[22] = 0;
    for (int k = 0; k < COMPACT_COUNTS; k++)
        entries[n++] = g->count_entry[k] + f[k];
    return n;
}

/* ---- the walk --------------------------------------------------------------------------- */

static uint32_t next_set(uint32_t set)
{
    uint32_t ripple = set + (set & (0 - set));
    return set == 0 ? 0 : ripple | (set ^ ripple) >> (2 + lowest(set));
}

/* The column of an earlier slot of the block that holds the same position, or this column. */
static uint32_t first_image(const row_work *r, uint32_t own, uint32_t column)
{
    uint32_t least = column;
    for (int k = 0; k < r->n_stabilizers; k++) {
        uint32_t image = merels_compact_image(r->g, r->stabilizers[k], own);
        uint32_t other = rank_of(r->g, r->block->a, push(r, image));
        if (other < least && other >= r->block->first_column)
            least = other;
    }
    return least;
}

/* One strand of the block, from the first column on; true unless a step ended it. */
static int walk_strand(row_work *r, const struct compact_room *room, uint8_t strand,
                       compact_step step, void *context)
{
    uint32_t entries[COMPACT_FEATURES], first = r->first;
    uint32_t pushed = set_of_rank(r->g, r->block->a, first);
    int other_dark = count(r->other & r->g->dark);
    for (uint32_t k = 0; k < r->n_values; k++, pushed = next_set(pushed)) {
        uint32_t own = deposited(r, pushed), same;
        int odd = (count(own & r->g->dark) + other_dark) & 1, value;
        if (strand != COMPACT_WHOLE && odd != (strand == COMPACT_ODD))
            continue;
        find_arrivals(r, pushed);
        same = r->n_stabilizers > 0 ? first_image(r, own, first + k) : first + k;
        if (same < first + k)
            value = room->values[same - first];
        else
            value = step(context, first + k, entries, find_entries(r, pushed, own, entries));
        if (value < 0)
            return 0;
        learn(r, value);
        r->last[2] = r->last[1];
        r->last[1] = r->last[0];
        r->last[0] = (uint8_t)value;
        room->values[k] = (uint8_t)value;
    }
    return 1;
}

void merels_compact_walk(const game *g, const struct compact_block *block,
                         const struct compact_room *room, compact_step step, void *context)
{
    row_work r;
    start_row(&r, g, block, room);
    uint32_t end = g->choose[r.n_free][block->a] - block->first_column;
    r.values = room->values;
    r.first = block->first_column;
    r.n_values = end < COMPACT_PIECE ? end : (uint32_t)COMPACT_PIECE;
    for (uint32_t k = 0; k < r.n_values; k++)
        room->values[k] = UNKNOWN;
    for (uint8_t strand = COMPACT_EVEN; strand <= COMPACT_WHOLE; strand = (uint8_t)(2 * strand))
        if ((block->stored & strand) != 0 && !walk_strand(&r, room, strand, step, context))
            return;
}

/* ---- the range decoder ------------------------------------------------------------------ */

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

/* What a block is decoded with: entries [2 k] of a model decide "won?", [2 k + 1] "lost?". */
typedef struct {
    decoder d;
    const int8_t *model;
    const uint8_t *wanted; /* the walk ends when this value is known */
} block_decoder;

static int decode_step(void *context, uint32_t column, const uint32_t *entries, int n)
{
    block_decoder *c = (block_decoder *)context;
    int won = 0, lost = 0;
    (void)column;
    if (*c->wanted != UNKNOWN)
        return -1;
    for (int k = 0; k < n; k++) {
        won += c->model[2 * entries[k]];
        lost += c->model[2 * entries[k] + 1];
    }
    if (decide(&c->d, merels_compact_squash(won)))
        return 2;
    return decide(&c->d, merels_compact_squash(lost)) ? 0 : 1;
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
    if (load32(fixed + 8) != COMPACT_VERSION ||
        load64(fixed + 56) != merels_compact_hash(fixed, 56))
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
    if (r->group == 0 || r->room.nodes == 0 || r->room.values == 0)
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
    if (merels_compact_hash(body, n - COMPACT_HEAD) != load64(r->fixed + 48))
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
    if (merels_compact_hash(r->group, m->n_bytes) != m->hash)
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
    if (merels_compact_hash(r->group, n_bytes) != hash)
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
    block_decoder decoding;
    const uint8_t *bytes = 0;
    uint32_t n_bytes = 0, piece = block->first_column / COMPACT_PIECE;
    uint32_t row = row_number(r, block->other, s->b);
    uint8_t never = UNKNOWN;
    int status = find_model(r, s->model, &decoding.model);
    if (status <= MERELS_COMPACT_NOT_YET) {
        int found = find_block(r, s, row, piece, &bytes, &n_bytes);
        status = found > status ? found : status;
    }
    if (status != MERELS_COMPACT_OK)
        return status;
    start_decoder(&decoding.d, bytes, n_bytes);
    decoding.wanted = all ? &never : &r->room.values[wanted];
    merels_compact_walk(&r->play, block, &r->room, decode_step, &decoding);
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
 * mover, the first of several. */
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
