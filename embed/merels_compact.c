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

static void count_two(uint32_t x, uint32_t y, int *n_x, int *n_y)
{
    *n_x = count(x);
    *n_y = count(y);
}
#else
static int count(uint32_t set)
{
    set -= set >> 1 & 0x55555555;
    set = (set & 0x33333333) + (set >> 2 & 0x33333333);
    return (int)(((set + (set >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24);
}

static void count_two(uint32_t x, uint32_t y, int *n_x, int *n_y)
{
    uint64_t sets = (uint64_t)y << 32 | x;
    sets -= sets >> 1 & UINT64_C(0x5555555555555555);
    sets = (sets & UINT64_C(0x3333333333333333)) + (sets >> 2 & UINT64_C(0x3333333333333333));
    sets = ((sets + (sets >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F)) * 0x01010101;
    *n_x = (int)(sets >> 24 & 255);
    *n_y = (int)(sets >> 56);
}
#endif

static int parity(uint32_t set)
{
    set ^= set >> 16;
    set ^= set >> 8;
    set ^= set >> 4;
    return 0x6996 >> (set & 15) & 1;
}

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__) || defined(__wasm__))
static int lowest64(uint64_t set)
{
    return __builtin_ctzll(set);
}
#else
static int lowest64(uint64_t set)
{
    return (uint32_t)set != 0 ? lowest((uint32_t)set) : 32 + lowest((uint32_t)(set >> 32));
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
        if (count(g->mills[k]) != 3)
            in->failed = 1;
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

/* A counter in base 3, and what it is after each of the symmetries that map a pattern to itself
 * have moved its digits: `weights` are those of its digits after them. */
typedef struct {
    int n_digits, n;
    uint8_t digits[COMPACT_PATTERN_POINTS];
    uint32_t weights[COMPACT_SYMMETRIES][COMPACT_PATTERN_POINTS], after[COMPACT_SYMMETRIES];
} moved_counter;

static void count_up(moved_counter *c)
{
    int i = 0;
    for (; i < c->n_digits && c->digits[i] == 2; i++) {
        c->digits[i] = 0;
        for (int k = 0; k < c->n; k++)
            c->after[k] -= 2 * c->weights[k][i];
    }
    if (i == c->n_digits)
        return;
    c->digits[i]++;
    for (int k = 0; k < c->n; k++)
        c->after[k] += c->weights[k][i];
}

/* Numbers the classes of a pattern's indices under the symmetries that map it to itself, in the
 * order of their smallest indices. Returns how many there are. */
static uint32_t number_classes(const game *g, const pattern *p, uint16_t *classes)
{
    uint8_t places[COMPACT_PATTERN_POINTS];
    moved_counter c;
    uint32_t n = 0;
    clear(&c, sizeof c);
    c.n_digits = p->n;
    for (int s = 1; s < g->n_symmetries; s++)
        if (pattern_image(g, p, s) == pattern_image(g, p, 0)) {
            places_after(g, p, s, places);
            for (int i = 0; i < p->n; i++)
                c.weights[c.n][i] = power_of_3[places[i]];
            c.n++;
        }
    for (uint32_t index = 0; index < power_of_3[p->n]; index++, count_up(&c)) {
        uint32_t least = index;
        for (int k = 0; k < c.n; k++)
            least = c.after[k] < least ? c.after[k] : least;
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
    COUNT_ENTRIES = AT_ALWAYS + 1,
    AT_NOTHING = COUNT_ENTRIES /* no entry of a model, a weight of 0 */
};

/* ---- places in tables, from counts ----------------------------------------------------------
 *
 * The place of a feature in its table is a sum of parts, one for each of the counts that it is
 * made of. Four places stand in one number of 64 bits, and so do the parts of a count:
 *
 *     63         48 47         32 31         16 15          0
 *     | IN_SURE    | IN_BEST_... | IN_FREEDOM  | IN_SLIDES   |  word 0, 16 bits for each place
 *     + parts of slides, closable points, kinds ...             from g->parts[what][count]
 *
 * so that a few additions give them all. */

/* Places by their words: word times four and the place in it. */
enum {
    IN_SLIDES,
    IN_FREEDOM,
    IN_BEST_OTHER,
    IN_SURE,
    IN_MILLS,
    IN_PAIRS,
    IN_SAFE,
    IN_RUNNING,
    IN_BLOCKED,
    IN_OPEN,
    IN_IN_MILLS,
    IN_ALWAYS,
    IN_KINDS = 12,
    IN_ABLE,
    IN_DRAWN,
    IN_LIKELY,
    IN_BEST,
    IN_QUIET,
    IN_CLOSING,
    IN_NOTHING, /* a weight that is always 0 */
    IN_LAST = 20,
    IN_EVIDENCE,
    IN_VALUES,
    IN_VALUES_CLOSING,
    WORDS = 6
};

/* What is counted, with the word that it has parts in. `BEST`: the best node and 1, 0 if there
 * is none. */
enum {
    OWN_SLIDES_0,
    OTHER_SLIDES_0,
    CLOSABLE_0,
    KIND_3_0,
    CLOSING_3_0,
    BEST_QUIET_0,
    BEST_CLOSING_0,
    CLOSABLE_1,
    OWN_MILLS_1,
    OTHER_MILLS_1,
    OWN_PAIRS_1,
    OTHER_PAIRS_1,
    OWN_SAFE_1,
    OTHER_SAFE_1,
    OWN_RUNNING_1,
    OTHER_RUNNING_1,
    OWN_BLOCKED_2,
    OTHER_BLOCKED_2,
    OWN_OPEN_2,
    OTHER_OPEN_2,
    OWN_RUNNING_2,
    OTHER_RUNNING_2,
    OWN_IN_MILLS_2,
    OTHER_IN_MILLS_2,
    KIND_6_3,
    KIND_5_3,
    KIND_4_3,
    KIND_3_3,
    KIND_1_3,
    KIND_2_3,
    ABLE_QUIET_3,
    ABLE_CLOSING_3,
    CLOSING_6_3,
    BEST_3,
    BEST_QUIET_4,
    BEST_CLOSING_4,
    QUIET_3_4,
    CLOSING_3_4
};

/* A count x adds `times` * [x]most to a place. */
static const struct {
    uint8_t what, in, most;
    uint16_t times;
} simple_parts[] = {
    {OWN_SLIDES_0, IN_SLIDES, 19, 20},
    {OTHER_SLIDES_0, IN_SLIDES, 19, 1},
    {OWN_SLIDES_0, IN_FREEDOM, 7, 1},
    {OTHER_SLIDES_0, IN_FREEDOM, 7, 72},
    {KIND_3_0, IN_SURE, 7, 16},
    {CLOSING_3_0, IN_SURE, 3, 4},
    {CLOSABLE_1, IN_MILLS, 15, 16},
    {OWN_MILLS_1, IN_MILLS, 3, 4},
    {OTHER_MILLS_1, IN_MILLS, 3, 1},
    {CLOSABLE_1, IN_PAIRS, 15, 1},
    {OWN_PAIRS_1, IN_PAIRS, 4, 80},
    {OTHER_PAIRS_1, IN_PAIRS, 4, 16},
    {CLOSABLE_1, IN_SAFE, 15, 1},
    {OWN_SAFE_1, IN_SAFE, 2, 48},
    {OTHER_SAFE_1, IN_SAFE, 2, 16},
    {OWN_RUNNING_1, IN_RUNNING, 2, 27},
    {OTHER_RUNNING_1, IN_RUNNING, 2, 9},
    {OWN_BLOCKED_2, IN_BLOCKED, 9, 10},
    {OTHER_BLOCKED_2, IN_BLOCKED, 9, 1},
    {OWN_OPEN_2, IN_OPEN, 3, 64},
    {OTHER_OPEN_2, IN_OPEN, 3, 16},
    {OWN_RUNNING_2, IN_OPEN, 3, 4},
    {OTHER_RUNNING_2, IN_OPEN, 3, 1},
    {OWN_IN_MILLS_2, IN_IN_MILLS, 9, 10},
    {OTHER_IN_MILLS_2, IN_IN_MILLS, 9, 1},
    {KIND_6_3, IN_KINDS, 3, 64},
    {KIND_5_3, IN_KINDS, 3, 16},
    {KIND_4_3, IN_KINDS, 3, 4},
    {KIND_3_3, IN_KINDS, 3, 1},
    {ABLE_QUIET_3, IN_ABLE, 7, 36},
    {ABLE_CLOSING_3, IN_ABLE, 3, 9},
    {KIND_1_3, IN_DRAWN, 3, 3},
    {KIND_2_3, IN_DRAWN, 2, 1},
    {KIND_6_3, IN_LIKELY, 4, 45},
    {CLOSING_6_3, IN_LIKELY, 4, 9},
    {QUIET_3_4, IN_BEST, 3, 3},
    {CLOSING_3_4, IN_BEST, 2, 1},
    {QUIET_3_4, IN_QUIET, 3, 1},
    {CLOSING_3_4, IN_CLOSING, 2, 1},
};

/* The place of a node in the row of kinds, eight times: 0, 1, 2, 3 as they are, 4 up to 8, 5 up
 * to 14, 6 up to 254, 7 for 255. */
static int kind_of(int node)
{
    return node <= 3 ? node : node <= 8 ? 4 : node <= 14 ? 5 : node < 255 ? 6 : 7;
}

static int evidence_level(int node)
{
    if (node < 3)
        return node >= 0;
    return 2 + at_most((node - 3) / 3, 31);
}

static void add_part(game *g, int what, int x, int in, int part)
{
    g->parts[what][x] += (uint64_t)part << 16 * (in % 4);
}

static void fill_parts(game *g)
{
    for (size_t k = 0; k < sizeof simple_parts / sizeof *simple_parts; k++)
        for (int x = 0; x < COMPACT_PART_COUNTS; x++)
            add_part(g, simple_parts[k].what, x, simple_parts[k].in,
                     at_most(x, simple_parts[k].most) * simple_parts[k].times);
    for (int x = 0; x < COMPACT_PART_COUNTS; x++)
        add_part(g, OTHER_SLIDES_0, x, IN_BEST_OTHER, at_most(x / 3, 2));
    for (int c = 0; c < 16; c++) { /* [c o]3 and [c x]3 */
        int both = at_most(c / 4, 2) * 3 + at_most(c % 4, 2);
        add_part(g, CLOSABLE_0, c, IN_FREEDOM, both * 8);
        add_part(g, CLOSABLE_0, c, IN_BEST_OTHER, c % 4 * 3);
        add_part(g, CLOSABLE_0, c, IN_SURE, c / 4);
        add_part(g, CLOSABLE_1, c, IN_RUNNING, both);
    }
    for (int node = -1; node < 256; node++) {
        int kind = node < 0 ? 8 : kind_of(node), level = evidence_level(node), x = node + 1;
        add_part(g, BEST_QUIET_0, x, IN_BEST_OTHER, kind * 108);
        add_part(g, BEST_QUIET_4, x, IN_BEST, kind * 108);
        add_part(g, BEST_QUIET_4, x, IN_QUIET, level * 4);
        add_part(g, BEST_CLOSING_0, x, IN_BEST_OTHER, kind * 12);
        add_part(g, BEST_CLOSING_4, x, IN_BEST, kind * 12);
        add_part(g, BEST_CLOSING_4, x, IN_CLOSING, level * 3);
        add_part(g, BEST_3, x, IN_ABLE, kind);
        add_part(g, BEST_3, x, IN_DRAWN, kind * 12);
        add_part(g, BEST_3, x, IN_LIKELY, kind);
    }
}

enum { NODE_LOST, NODE_DRAWN, NODE_SURELY_DRAWN, NODE_OPEN, NODE_MOST = 254, NODE_WON = 255 };

/* What values make of nodes: a loss, a draw, the draw of the only one that can have given it,
 * [n] a win where a node grows by n, the win of the only one that can have given it. */
enum { AFTER_LOSS = 0, AFTER_DRAW = 13, AFTER_ONLY_DRAW, AFTER_ONLY_WIN };

static void fill_nodes(game *g)
{
    for (int node = 0; node < 256; node++) {
        int open = node >= NODE_OPEN && node < NODE_WON;
        g->kinds[node] = (uint64_t)1 << 8 * kind_of(node);
        g->evidence[node] = (uint8_t)(node >= NODE_OPEN ? node - NODE_OPEN + 2 : 0);
        g->after[AFTER_LOSS][node] = NODE_LOST;
        g->after[AFTER_DRAW][node] = (uint8_t)(node >= NODE_OPEN ? NODE_DRAWN : node);
        g->after[AFTER_ONLY_DRAW][node] =
            (uint8_t)(node == NODE_LOST ? NODE_LOST : NODE_SURELY_DRAWN);
        for (int more = 1; more < AFTER_DRAW; more++)
            g->after[more][node] = (uint8_t)(open ? at_most(node + more, NODE_MOST) : node);
        g->after[AFTER_ONLY_WIN][node] = (uint8_t)(open ? NODE_WON : node);
    }
}

/* The bytes with so many bits, ascending. */
static void fill_bytes(game *g)
{
    for (int x = 0; x < 256; x++) {
        int n = count((uint32_t)x);
        g->bytes[n][g->n_bytes[n]++] = (uint8_t)x;
    }
}

uint32_t merels_compact_read_game(game *g, const uint8_t *bytes, uint32_t n_bytes)
{
    input in;
    in.at = bytes;
    in.end = bytes + n_bytes;
    in.failed = 0;
    clear(g, sizeof *g);
    fill_ranks(g);
    fill_parts(g);
    fill_nodes(g);
    fill_bytes(g);
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
    uint64_t inner; /* edges between its points */
} free_mill;

/* A mill of the other side: the free neighbours of all its men, and of each. */
typedef struct {
    uint32_t near, near_man[3];
} other_mill;

/* What is known of a position's arrivals, quiet ones or closing ones: how many of each kind (a
 * byte for each), the best node and what speaks for a win in sum. */
typedef struct {
    uint64_t kinds;
    int best, sum;
} prospects;

/* What is counted of the mover's mills. */
typedef struct {
    uint32_t completing; /* points that make three of two men */
    uint64_t closing;    /* edges that a man comes along who does so, if they are listed */
    int closable, safe, mills, open, running, pairs, in_mills;
} tally;

/* What follows from one byte of a pushed set. */
typedef struct {
    uint64_t edges;        /* with one end in it */
    uint64_t men_in_mills; /* two bits for each mill of free points */
    uint64_t sums;         /* of what is added up by points, 16 bits for each */
    uint32_t deposit;      /* the set itself */
    uint32_t near;         /* all its neighbours */
    uint32_t near_empty;   /* those of the byte's points outside of it */
    uint32_t men_near;     /* men of the other side next to the points outside of it */
    int odd;               /* the parity of its dark points */
} byte_part;

/* The places of features in the weights: of patterns, then of counts. Sums of parts are made in
 * words; in what order a word's places stand in memory does not matter, since all features of a
 * kind are treated alike. */
enum { PATTERN_WORDS = COMPACT_INSTANCES / 4, PLACES = COMPACT_INSTANCES + 4 * WORDS };
typedef union {
    uint64_t words[PATTERN_WORDS + WORDS];
    uint16_t places[PLACES];
} features;

/* Bytes with so many bits, and which of all with so many each is. */
typedef struct {
    int n;
    uint8_t bytes[70], at[70];
} byte_list;

/* All that a row has in common. "Pushed" sets are sets of free points, numbered anew; what
 * follows from one byte of such a set stands in tables. */
typedef struct {
    const game *g;
    struct compact_block block;
    const struct compact_walker *walker;
    uint32_t other, free, all;   /* all: the pushed set of all free points */
    uint32_t pushed_of[3][BYTE]; /* by a byte of a set */
    int n_free, places, moves, flies, most_closed;
    uint32_t near[COMPACT_POINTS]; /* pushed point to pushed set */
    byte_part parts[3][BYTE];
    uint64_t all_sums;
    int n_edges, listed;               /* between free points, listed if there is room */
    uint32_t edges[EDGES];             /* both ends */
    uint64_t edges_of[COMPACT_POINTS]; /* by pushed point */
    uint32_t dark;                     /* pushed */
    int n_mates[COMPACT_POINTS];       /* mills on free points */
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
    uint64_t bits[COMPACT_POINTS][PATTERN_WORDS]; /* of a pushed point in the indices */
    uint64_t pattern_low[BYTE][PATTERN_WORDS];    /* sums of them by the low byte */
    uint64_t patterns[PATTERN_WORDS];             /* where the weights of patterns begin */
    uint64_t *weights;                            /* of patterns, then of counts */
    uint64_t first_places[WORDS];                 /* of tables, and what a row adds */
    uint32_t counts;                              /* where the weights of counts begin */
    /* of the positions with one set above the low byte */
    uint32_t high;
    byte_part of_high;
    uint64_t pattern_high[PATTERN_WORDS];
    /* of the position at work */
    uint32_t pushed, empty;
    uint64_t steps; /* edges that a man of the mover can go along */
    tally own;
    int n_arrivals;
    uint32_t arrivals[MOST_ARRIVALS];
    uint8_t seen[MOST_ARRIVALS]; /* their nodes */
    prospects outlook[2];
    uint32_t around[2]; /* values that slides lead to, a byte for each value */
    features used;
    /* the walk */
    uint8_t *values;          /* of the block */
    uint32_t first, n_values; /* its columns */
    int strand, odd;          /* its strand */
    int low_men, low_at;      /* men in its low byte; which of their list comes next */
    byte_list lists[9][3];    /* by men: with an even number of dark points, an odd one, all */
    uint32_t high_at;         /* the slot of the high set's first byte */
    int slides_known;         /* can the values of slots that one slide leads to be known? */
    int last;                 /* the last three values */
} row_work;

/* The free points of a set, numbered anew. */
static uint32_t push(const row_work *r, uint32_t set)
{
    return r->pushed_of[0][set & 255] | r->pushed_of[1][set >> 8 & 255] |
           r->pushed_of[2][set >> 16 & 255];
}

static void start_push(row_work *r)
{
    for (int k = 0; k < 3; k++) {
        uint32_t *of = r->pushed_of[k];
        of[0] = 0;
        for (int x = 1; x < BYTE; x++) {
            uint32_t point = bit(8 * k + lowest((uint32_t)x)) & r->free;
            of[x] = of[x & (x - 1)] | (point != 0 ? bit(count(r->free & (point - 1))) : 0);
        }
    }
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
    const game *g = r->g;
    r->n_free = count(r->free);
    r->all = bit(r->n_free) - 1;
    r->dark = push(r, g->dark);
    r->held = 0;
    uint32_t rest = r->free;
    for (int q = 0; q < r->n_free; q++, rest &= rest - 1) {
        int p = lowest(rest);
        r->held |= (g->neighbours[p] & r->other) != 0 ? bit(q) : 0;
        r->near[q] = push(r, g->neighbours[p]);
        r->n_mates[q] = 0;
        for (int k = 0; k < g->n_mates[p]; k++)
            if ((g->mates[p][k] & ~r->free) == 0)
                r->mates[q][r->n_mates[q]++] = push(r, g->mates[p][k]);
    }
}

static void start_edges(row_work *r)
{
    clear(r->edges_of, sizeof r->edges_of);
    r->n_edges = 0;
    for (int p = 0; p < r->n_free; p++)
        for (uint32_t rest = r->near[p] & ~(bit(p) - 1); rest != 0; rest &= rest - 1) {
            uint64_t one = (uint64_t)1 << r->n_edges % EDGES;
            r->edges_of[p] |= one;
            r->edges_of[lowest(rest)] |= one;
            r->edges[r->n_edges % EDGES] = bit(p) | (rest & (0 - rest));
            r->n_edges++;
        }
    r->listed = r->n_edges <= EDGES;
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
        m->inner = 0;
        for (int k = 0; k < r->n_edges && r->listed; k++)
            if ((r->edges[k] & ~m->points) == 0)
                m->inner |= (uint64_t)1 << k;
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

/* Mills. `sums`: to each free point what the other side has there: mills that it can close,
 * counted once as pairs of its men and once as a point. */
static void start_mills(row_work *r, uint64_t *sums)
{
    uint32_t in_mills = 0;
    const game *g = r->g;
    r->n_mills = r->n_other_mills = 0;
    r->closable = 0;
    for (int k = 0; k < g->n_mills; k++) {
        start_mill(r, g->mills[k], r->block.hb > 0, sums);
        in_mills |= (g->mills[k] & r->free) == 0 ? g->mills[k] : 0;
    }
    r->n_other_in_mills = count(in_mills);
}

/* What follows from one point. */
static byte_part part_of_point(const row_work *r, int q, int p, uint64_t sums)
{
    byte_part part;
    part.edges = r->edges_of[q];
    part.men_in_mills = 0;
    for (int k = 0; k < r->n_mills; k++)
        part.men_in_mills += (uint64_t)(r->mills[k].points >> q & 1) << 2 * k;
    part.sums = sums + ((uint64_t)count(r->g->neighbours[p] & r->other) << 16) +
                ((uint64_t)(r->closable >> q & 1) << 48);
    part.deposit = bit(p);
    part.near = r->near[q];
    part.near_empty = 0;
    part.men_near = men_next_to(r, p);
    part.odd = r->dark >> q & 1;
    return part;
}

static void join_parts(byte_part *sum, const byte_part *x)
{
    sum->edges ^= x->edges;
    sum->men_in_mills += x->men_in_mills;
    sum->sums += x->sums;
    sum->deposit |= x->deposit;
    sum->near |= x->near;
    sum->near_empty |= x->near_empty;
    sum->men_near |= x->men_near;
    sum->odd ^= x->odd;
}

/* Sums over the points of each byte; then what is told of the points outside of it. */
static void start_byte(row_work *r, int k, const byte_part *points)
{
    byte_part *parts = r->parts[k];
    uint32_t men_near[BYTE];
    int all = (int)(r->all >> 8 * k & 255);
    clear(&parts[0], sizeof parts[0]);
    for (int x = 1; x < BYTE; x++) {
        parts[x] = parts[x & (x - 1)];
        if ((x & ~all) == 0)
            join_parts(&parts[x], &points[8 * k + lowest((uint32_t)x)]);
    }
    for (int x = 0; x < BYTE; x++)
        men_near[x] = parts[x].men_near;
    for (int x = 0; x < BYTE; x++) {
        parts[x].near_empty = parts[all & ~x].near;
        parts[x].men_near = men_near[all & ~x];
    }
}

static void start_parts(row_work *r, const uint64_t *sums)
{
    byte_part points[COMPACT_POINTS];
    uint32_t rest = r->free;
    r->all_sums = 0;
    for (int q = 0; q < r->n_free; q++, rest &= rest - 1) {
        points[q] = part_of_point(r, q, lowest(rest), sums[q]);
        r->all_sums += points[q].sums;
    }
    for (int k = 0; k < 3; k++)
        start_byte(r, k, points);
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
        uint32_t one = pattern_part(instance, r->parts[q / 8][bit(q % 8)].deposit);
        if (one == 0)
            continue;
        r->bits[q][k / 4] += (uint64_t)bit(n) << 16 * (k % 4);
        part[n++] = (uint16_t)one;
    }
    r->patterns[k / 4] += (uint64_t)at << 16 * (k % 4);
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
    clear(r->bits, sizeof r->bits);
    clear(r->patterns, sizeof r->patterns);
    for (int k = 0; k < g->n_instances; k++)
        start_pattern(r, k, model, r->counts);
    for (uint32_t k = 0; k < COUNT_ENTRIES; k++)
        r->weights[r->counts + k] = weight_of(model, g->first_count + k);
    r->weights[r->counts + AT_NOTHING] = 0;
    for (int k = g->n_instances; k < COMPACT_INSTANCES; k++)
        r->patterns[k / 4] += (uint64_t)(r->counts + AT_NOTHING) << 16 * (k % 4);
    clear(r->pattern_low[0], sizeof r->pattern_low[0]);
    for (int x = 1; x < BYTE; x++)
        for (int k = 0; k < PATTERN_WORDS; k++)
            r->pattern_low[x][k] =
                r->pattern_low[x & (x - 1)][k] + r->bits[lowest((uint32_t)x)][k];
}

uint32_t merels_compact_weights(const game *g)
{
    uint32_t n = COUNT_ENTRIES + 1;
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

static void start_nodes(row_work *r)
{
    const game *g = r->g;
    uint32_t n_nodes = merels_compact_nodes(g, r->block.a, r->block.b, r->block.ha), at = 0;
    for (int c = 0; c < n_classes(g); c++) {
        r->slides[c] = at;
        at += r->moves ? g->choose[r->n_free][r->block.a] : 0;
        r->placed[c] = at;
        at += r->places ? g->choose[r->n_free][r->block.a + 1] : 0;
    }
    for (uint32_t k = 0; k < n_nodes; k++)
        r->nodes[k] = NODE_OPEN;
}

/* Where tables begin, by their places in words. */
static const uint16_t table_at[4 * WORDS] = {
    AT_SLIDES,  AT_FREEDOM, AT_BEST_OTHER, AT_SURE,     AT_MILLS,    AT_PAIRS,
    AT_SAFE,    AT_RUNNING, AT_BLOCKED,    AT_OPEN,     AT_IN_MILLS, AT_ALWAYS,
    AT_KINDS,   AT_ABLE,    AT_DRAWN,      AT_LIKELY,   AT_BEST,     AT_QUIET,
    AT_CLOSING, AT_NOTHING, AT_LAST,       AT_EVIDENCE, AT_VALUES,   AT_VALUES_CLOSING};

/* The first entries of the tables, and what is the same for all positions of a row. */
static void start_places(row_work *r)
{
    clear(r->first_places, sizeof r->first_places);
    for (int k = 0; k < 4 * WORDS; k++)
        r->first_places[k / 4] += (uint64_t)(r->counts + table_at[k]) << 16 * (k % 4);
    r->first_places[1] += r->g->parts[OTHER_MILLS_1][r->n_other_mills];
    r->first_places[2] += r->g->parts[OTHER_IN_MILLS_2][r->n_other_in_mills];
}

static void add_byte(byte_list *list, int byte, int at)
{
    list->bytes[list->n] = (uint8_t)byte;
    list->at[list->n++] = (uint8_t)at;
}

/* The bytes that the low byte can be, by men and parity. */
static void start_lists(row_work *r)
{
    clear(r->lists, sizeof r->lists);
    for (int men = 0; men <= 8; men++)
        for (int k = 0; k < r->g->n_bytes[men]; k++) {
            int byte = r->g->bytes[men][k];
            add_byte(&r->lists[men][r->parts[0][byte].odd], byte, k);
            add_byte(&r->lists[men][2], byte, k);
        }
}

static void start_stabilizers(row_work *r)
{
    r->n_stabilizers = 0;
    for (int s = 1; s < r->g->n_symmetries; s++)
        if (merels_compact_image(r->g, s, r->other) == r->other)
            r->stabilizers[r->n_stabilizers++] = (uint8_t)s;
}

static void start_row(row_work *r, const game *g, const struct compact_block *block,
                      const struct compact_room *room, const struct compact_walker *walker)
{
    uint64_t sums[COMPACT_POINTS];
    clear(sums, sizeof sums);
    r->g = g;
    r->block = *block;
    r->walker = walker;
    r->other = block->other;
    r->free = g->points & ~block->other;
    r->places = block->ha > 0;
    r->moves = may_move(g, block->ha);
    r->flies = may_fly(g, block->a, block->ha);
    r->most_closed = n_classes(g) - 1;
    r->nodes = room->nodes;
    r->weights = room->weights;
    r->counts = 0;
    r->last = 0;
    start_push(r);
    start_points(r);
    start_edges(r);
    start_mills(r, sums);
    start_parts(r, sums);
    start_nodes(r);
    start_stabilizers(r);
    start_lists(r);
    for (int k = 0; k < g->n_instances; k++)
        r->pattern_other[k] = (uint16_t)(2 * pattern_part(&g->instances[k], r->other));
    if (walker->model != 0)
        start_weights(r, walker->model);
    start_places(r);
}

/* What the positions with this set above the low byte have in common. */
static void start_high(row_work *r, uint32_t high)
{
    r->high = high;
    r->of_high = r->parts[1][high & 255];
    join_parts(&r->of_high, &r->parts[2][high >> 8]);
    if (r->walker->model == 0)
        return;
    for (int k = 0; k < PATTERN_WORDS; k++)
        r->pattern_high[k] = r->patterns[k];
    for (uint32_t men = high << 8; men != 0; men &= men - 1)
        for (int k = 0; k < PATTERN_WORDS; k++)
            r->pattern_high[k] += r->bits[lowest(men)][k];
}

/* ---- the mover's mills ------------------------------------------------------------------ */

/* What depends on the mover's mills, and the points on which its men would complete one. */
static void tally_mills(const row_work *r, uint64_t men, tally *t)
{
    uint32_t own = r->pushed, in_mills = 0, closable = 0;
    const uint64_t ones = UINT64_C(0x5555555555555555);
    t->completing = 0;
    t->closing = 0;
    t->closable = t->safe = t->mills = t->open = t->running = t->pairs = 0;
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
        uint64_t closing = r->edges_of[lowest(point)] & r->steps & ~m->inner;
        t->pairs++;
        t->completing |= point;
        t->closing |= closing;
        int comes = r->listed ? closing != 0 : (r->near[lowest(point)] & own & ~m->points) != 0;
        if ((comes || r->places) && (closable & point) == 0) {
            closable |= point;
            t->closable++;
            t->safe += (point & r->held) == 0;
        }
    }
    t->in_mills = t->mills <= 1 ? 3 * t->mills : count(in_mills);
}

/* ---- arrivals: what the mover's steps lead to, before anything is removed ------------------
 */

static int closed(const row_work *r, uint32_t rest, int q)
{
    int n = 0;
    for (int k = 0; k < r->n_mates[q]; k++)
        n += (r->mates[q][k] & ~rest) == 0;
    return at_most(n, r->most_closed);
}

enum { UNKNOWN = 3 };

/* The value of the slot of this column, if it lies in the block, as one in its byte. */
static uint32_t value_around(const row_work *r, uint32_t rank)
{
    static const uint32_t ones[4] = {1, 1 << 8, 1 << 16, 0};
    uint32_t slot = rank - r->first;
    return slot < r->n_values ? ones[r->values[slot]] : 0;
}

/* Arrivals that are looked at one after another; what is the same for all stands here as well,
 * so that it stays in registers. */
typedef struct {
    const game *g;
    const uint8_t *nodes;
    uint32_t *arrivals;
    uint8_t *seen;
    prospects outlook;
} sight;

static sight start_sight(row_work *r, const prospects *outlook)
{
    sight x;
    x.g = r->g;
    x.nodes = r->nodes;
    x.arrivals = r->arrivals + r->n_arrivals;
    x.seen = r->seen + r->n_arrivals;
    x.outlook = *outlook;
    return x;
}

/* An arrival by its node's number. */
static void see(sight *x, uint32_t arrival)
{
    int node = x->nodes[arrival];
    *x->arrivals++ = arrival;
    *x->seen++ = (uint8_t)node;
    x->outlook.kinds += x->g->kinds[node];
    x->outlook.best = node > x->outlook.best ? node : x->outlook.best;
    x->outlook.sum += x->g->evidence[node];
}

static void end_sight(row_work *r, const sight *x, prospects *outlook)
{
    r->n_arrivals = (int)(x->seen - r->seen);
    *outlook = x->outlook;
}

static void see_placements(row_work *r)
{
    int men = r->block.a + 1;
    uint32_t pushed = r->pushed, to = r->empty & ~r->own.completing, first = r->placed[0];
    sight quiet = start_sight(r, &r->outlook[0]);
    for (; to != 0; to &= to - 1)
        see(&quiet, first + rank_of(quiet.g, men, pushed | (to & (0 - to))));
    end_sight(r, &quiet, &r->outlook[0]);
    if (r->own.completing == 0)
        return;
    sight closing = start_sight(r, &r->outlook[1]);
    for (to = r->own.completing; to != 0; to &= to - 1) {
        int c = r->most_closed == 1 ? 1 : closed(r, pushed, lowest(to));
        see(&closing, r->placed[c] + rank_of(closing.g, men, pushed | (to & (0 - to))));
    }
    end_sight(r, &closing, &r->outlook[1]);
}

/* Slides that close no mill. */
static void see_quiet_slides(row_work *r)
{
    int a = r->block.a;
    uint32_t pushed = r->pushed;
    const uint32_t *edges = r->edges;
    sight x = start_sight(r, &r->outlook[0]);
    for (uint64_t steps = r->steps & ~r->own.closing; steps != 0; steps &= steps - 1)
        see(&x, rank_of(x.g, a, pushed ^ edges[lowest64(steps)]));
    end_sight(r, &x, &r->outlook[0]);
}

static void see_slides(row_work *r)
{
    int first = r->n_arrivals;
    see_quiet_slides(r);
    if (r->slides_known)
        for (int k = first; k < r->n_arrivals; k++)
            r->around[0] += value_around(r, r->arrivals[k]);
    if (r->own.closing == 0)
        return;
    sight x = start_sight(r, &r->outlook[1]);
    for (uint64_t steps = r->own.closing; steps != 0; steps &= steps - 1) {
        uint32_t ends = r->edges[lowest64(steps)];
        uint32_t rank = rank_of(x.g, r->block.a, r->pushed ^ ends);
        int c = 1;
        if (r->most_closed > 1)
            c = closed(r, r->pushed & ~ends, lowest(ends & ~r->pushed));
        see(&x, r->slides[c] + rank);
        if (r->slides_known)
            r->around[1] += value_around(r, rank);
    }
    end_sight(r, &x, &r->outlook[1]);
}

/* Steps of all men to their neighbours, or anywhere: as arrivals, or as values around. */
static void see_all_steps(row_work *r, int anywhere, int arrive)
{
    for (uint32_t men = r->pushed; men != 0; men &= men - 1) {
        uint32_t rest = r->pushed & ~(men & (0 - men));
        uint32_t to = anywhere ? r->empty : r->near[lowest(men)] & r->empty;
        for (; to != 0; to &= to - 1) {
            uint32_t one = to & (0 - to), rank = rank_of(r->g, r->block.a, rest | one);
            int c = (one & r->own.completing) != 0 ? closed(r, rest, lowest(to)) : 0;
            if (arrive) {
                sight x = start_sight(r, &r->outlook[c > 0]);
                see(&x, r->slides[c] + rank);
                end_sight(r, &x, &r->outlook[c > 0]);
            } else {
                r->around[c > 0] += value_around(r, rank);
            }
        }
    }
}

/* The arrivals of the position at work and what is known of them, and the values of slots of
 * the block that one slide leads to. */
static void find_arrivals(row_work *r)
{
    static const prospects none = {0, -1, 0};
    int slides = r->moves && !r->flies && r->listed;
    r->outlook[0] = r->outlook[1] = none;
    r->around[0] = r->around[1] = 0;
    r->n_arrivals = 0;
    if (r->places)
        see_placements(r);
    if (slides) {
        see_slides(r);
        return;
    }
    if (r->moves)
        see_all_steps(r, r->flies, 1);
    if (r->slides_known)
        see_all_steps(r, 0, 0);
}

/* The sum of the bytes from 3 on: arrivals of which nothing worse than a win is known. */
static int n_able(uint64_t kinds)
{
    return (int)((kinds >> 24) * UINT64_C(0x0101010101) >> 32 & 255);
}

/* A position's value tells what each of its arrivals can be worth at most; a win that only one
 * arrival can have given is that arrival's, and so is a draw. */
static void learn(row_work *r, int value)
{
    uint64_t kinds = r->outlook[0].kinds + r->outlook[1].kinds;
    int n = r->n_arrivals, able = n_able(kinds), after = AFTER_LOSS;
    uint8_t *nodes = r->nodes;
    if (value == 2)
        after = able == 1 ? (int)AFTER_ONLY_WIN : 1 + 11 / (able + (able == 0));
    if (value == 1)
        after = n - (int)(kinds & 255) == 1 ? (int)AFTER_ONLY_DRAW : (int)AFTER_DRAW;
    if (value == 0 ? kinds >> 8 == 0 : able == 0 && after != AFTER_ONLY_DRAW)
        return; /* nothing new */
    const uint8_t *become = r->g->after[after];
    for (int k = 0; k < n; k++)
        nodes[r->arrivals[k]] = become[r->seen[k]];
}

/* ---- features --------------------------------------------------------------------------- */

static int byte_of(uint64_t kinds, int k)
{
    return (int)(kinds >> 8 * k & 255);
}

static int n_slides(const row_work *r)
{
    int n = 0, n_high;
    if (r->moves && !r->places && !r->flies)
        return r->n_arrivals;
    if (r->listed) {
        count_two((uint32_t)r->steps, (uint32_t)(r->steps >> 32), &n, &n_high);
        return n + n_high;
    }
    for (uint32_t men = r->pushed; men != 0; men &= men - 1)
        n += count(r->near[lowest(men)] & r->empty);
    return n;
}

/* What is counted of the two sides, as parts of the words 0 to 2. */
static void add_sides(const row_work *r, const byte_part *low, uint64_t *words)
{
    const uint64_t(*parts)[COMPACT_PART_COUNTS] = r->g->parts;
    const byte_part *high = &r->of_high;
    const tally *o = &r->own;
    uint64_t sums = r->all_sums - high->sums - low->sums;
    int other_closable = (int)(sums >> 48), own_blocked, other_free, safe = 0, open = 0,
        running = 0;
    int c = at_most(o->closable, 3) * 4 + at_most(other_closable, 3);
    uint32_t other_safe = r->closable & r->empty & ~(high->near | low->near);
    count_two(r->pushed & ~(high->near_empty | low->near_empty), high->men_near | low->men_near,
              &own_blocked, &other_free);
    for (; other_safe != 0; other_safe &= other_safe - 1)
        safe++;
    for (int k = 0; k < r->n_other_mills; k++) {
        const other_mill *m = &r->other_mills[k];
        int runs = 0;
        for (int i = 0; i < 3; i++)
            runs |= m->near_man[i] != 0 && (m->near_man[i] & r->pushed) == 0;
        open += (m->near & r->empty) != 0;
        running += runs;
    }
    words[0] += parts[OWN_SLIDES_0][n_slides(r)] + parts[OTHER_SLIDES_0][sums >> 16 & 255] +
                parts[CLOSABLE_0][c];
    words[1] += parts[CLOSABLE_1][c] + parts[OWN_MILLS_1][o->mills] +
                parts[OWN_PAIRS_1][o->pairs] + parts[OTHER_PAIRS_1][sums >> 32 & 255] +
                parts[OWN_SAFE_1][o->safe] + parts[OTHER_SAFE_1][safe] +
                parts[OWN_RUNNING_1][o->running] + parts[OTHER_RUNNING_1][running];
    words[2] += parts[OWN_BLOCKED_2][own_blocked] +
                parts[OTHER_BLOCKED_2][r->block.b - other_free] + parts[OWN_OPEN_2][o->open] +
                parts[OTHER_OPEN_2][open] + parts[OWN_RUNNING_2][o->running] +
                parts[OTHER_RUNNING_2][running] + parts[OWN_IN_MILLS_2][o->in_mills];
}

/* What is known of the arrivals, as parts of words. */
static void add_outlook(const row_work *r, uint64_t *words)
{
    const uint64_t(*parts)[COMPACT_PART_COUNTS] = r->g->parts;
    const prospects *quiet = &r->outlook[0], *closing = &r->outlook[1];
    uint64_t kinds = quiet->kinds + closing->kinds;
    int best = quiet->best > closing->best ? quiet->best : closing->best;
    int z3 = byte_of(closing->kinds, 3);
    words[0] += parts[KIND_3_0][byte_of(kinds, 3)] + parts[CLOSING_3_0][z3] +
                parts[BEST_QUIET_0][quiet->best + 1] + parts[BEST_CLOSING_0][closing->best + 1];
    words[3] += parts[KIND_6_3][byte_of(kinds, 6)] + parts[KIND_5_3][byte_of(kinds, 5)] +
                parts[KIND_4_3][byte_of(kinds, 4)] + parts[KIND_3_3][byte_of(kinds, 3)] +
                parts[KIND_2_3][byte_of(kinds, 2)] + parts[KIND_1_3][byte_of(kinds, 1)] +
                parts[ABLE_QUIET_3][n_able(quiet->kinds)] +
                parts[ABLE_CLOSING_3][n_able(closing->kinds)] +
                parts[CLOSING_6_3][byte_of(closing->kinds, 6)] + parts[BEST_3][best + 1];
    words[4] += parts[BEST_QUIET_4][quiet->best + 1] +
                parts[BEST_CLOSING_4][closing->best + 1] +
                parts[QUIET_3_4][byte_of(quiet->kinds, 3)] + parts[CLOSING_3_4][z3];
}

/* The features that are values, and the evidence. */
static uint64_t value_places(const row_work *r)
{
    uint32_t quiet = r->around[0], closing = r->around[1];
    int sum = at_most(r->outlook[0].sum + r->outlook[1].sum, 95);
    uint32_t places = (uint32_t)r->last + ((uint32_t)sum * 2 / 3 << 16);
    if ((quiet | closing) == 0)
        return places;
    int won = at_most((int)(quiet >> 16), 7);
    int drawn = at_most((int)(quiet >> 8 & 255), 7), lost = at_most((int)(quiet & 255), 7);
    int won_closing = at_most((int)(closing >> 16), 2);
    int drawn_closing = at_most((int)(closing >> 8 & 255), 2);
    int lost_closing = at_most((int)(closing & 255), 2);
    return places | (uint64_t)((won * 8 + drawn) * 8 + lost) << 32 |
           (uint64_t)(((won_closing * 3 + drawn_closing) * 3 + lost_closing) * 8 + won) << 48;
}

/* The features of counts, as places in the weights. */
static void find_counts(row_work *r, const byte_part *low)
{
    uint64_t *words = r->used.words + PATTERN_WORDS;
    for (int k = 0; k < WORDS; k++)
        words[k] = r->first_places[k];
    add_sides(r, low, words);
    add_outlook(r, words);
    words[5] += value_places(r);
    if ((r->outlook[0].kinds | r->outlook[1].kinds) >> 56 != 0) { /* an arrival is won */
        words[3] += (r->first_places[3] & 0xFFFF) - (words[3] & 0xFFFF);
        words[0] += (uint64_t)128 << 48;
    } else {
        words[3]++;
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
    const uint16_t *used = r->used.places;
    uint64_t *weights = r->weights;
    uint64_t step = both(step_of(won, PATTERN_RATE), step_of(lost, PATTERN_RATE));
    if (step == 0)
        return;
    for (int k = 0; k < COMPACT_INSTANCES; k++)
        weights[used[k]] += step;
    step = both(step_of(won, COUNT_RATE), step_of(lost, COUNT_RATE));
    for (int k = COMPACT_INSTANCES; k < PLACES; k++)
        weights[used[k]] += step;
    weights[r->counts + AT_NOTHING] = 0;
}

/* A decision about the position at work. */
static int decide_value(const row_work *r, uint32_t column, int decision, int32_t p)
{
    const struct compact_walker *w = r->walker;
    if (w->decide == 0)
        return decide((decoder *)w->context, (uint32_t)p);
    return w->decide(w->context, column, decision, (uint32_t)p);
}

/* The sum of the weights of the position at work. */
static uint64_t sum_weights(const row_work *r)
{
    const uint16_t *used = r->used.places;
    const uint64_t *weights = r->weights;
    uint64_t even = 0, odd = 0;
    for (int k = 0; k < PLACES; k += 8, used += 8) {
        even += weights[used[0]] + weights[used[2]] + weights[used[4]] + weights[used[6]];
        odd += weights[used[1]] + weights[used[3]] + weights[used[5]] + weights[used[7]];
    }
    return even + odd;
}

/* Codes the value of the position at work. */
static int code_value(row_work *r, const byte_part *low, uint32_t column)
{
    const uint64_t *of_low = r->pattern_low[r->pushed & 255];
    for (int k = 0; k < PATTERN_WORDS; k++)
        r->used.words[k] = r->pattern_high[k] + of_low[k];
    find_counts(r, low);
    uint64_t sum = sum_weights(r);
    int32_t won = (int32_t)(uint32_t)sum, p = (int32_t)probability(won);
    if (decide_value(r, column, 0, p)) {
        adapt(r, 65536 - p, 0);
        return 2;
    }
    sum -= (uint64_t)(int64_t)won;
    int32_t q = (int32_t)probability((int32_t)(uint32_t)(sum >> 32));
    int value = decide_value(r, column, 1, q) ? 0 : 1;
    adapt(r, -p, value == 0 ? 65536 - q : -q);
    return value;
}

/* The entries of the position at work in a model, for who fits one. */
static int take_entries(row_work *r, const byte_part *low, uint32_t column)
{
    static const uint8_t in[COMPACT_COUNTS] = {
        /* by table */
        IN_SLIDES,   IN_MILLS,    IN_BLOCKED, IN_OPEN,           IN_PAIRS,      IN_SAFE,
        IN_IN_MILLS, IN_FREEDOM,  IN_RUNNING, IN_LAST,           IN_KINDS,      IN_ABLE,
        IN_DRAWN,    IN_SURE,     IN_LIKELY,  IN_BEST,           IN_BEST_OTHER, IN_QUIET,
        IN_CLOSING,  IN_EVIDENCE, IN_VALUES,  IN_VALUES_CLOSING, IN_ALWAYS};
    const struct compact_walker *w = r->walker;
    const game *g = r->g;
    uint32_t entries[COMPACT_FEATURES], own = r->of_high.deposit | low->deposit;
    int n = 0;
    if (w->wants(w->context, column)) {
        for (; n < g->n_instances; n++) {
            const struct compact_instance *instance = &g->instances[n];
            uint32_t index = r->pattern_other[n] + pattern_part(instance, own);
            entries[n] = pattern_entry(g, instance, index);
        }
        find_counts(r, low);
        for (int k = 0; k < COMPACT_COUNTS; k++)
            entries[n++] =
                g->first_count +
                (uint32_t)(r->used.words[PATTERN_WORDS + in[k] / 4] >> 16 * (in[k] % 4) &
                           0xFFFF);
        w->take(w->context, column, entries, n);
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
static uint32_t first_image(const row_work *r, uint32_t own, uint32_t column)
{
    uint32_t least = column;
    for (int k = 0; k < r->n_stabilizers; k++) {
        uint32_t image = merels_compact_image(r->g, r->stabilizers[k], own);
        uint32_t other = rank_of(r->g, r->block.a, push(r, image));
        if (other < least && other >= r->first)
            least = other;
    }
    return least;
}

/* The value of the position with this low byte, in the slot of this column. */
static int value_of_slot(row_work *r, uint32_t low_byte, uint32_t column)
{
    const byte_part *low = &r->parts[0][low_byte];
    r->pushed = r->high << 8 | low_byte;
    r->empty = r->all & ~r->pushed;
    r->steps = r->of_high.edges ^ low->edges;
    tally_mills(r, r->of_high.men_in_mills + low->men_in_mills, &r->own);
    find_arrivals(r);
    if (r->n_stabilizers > 0) {
        uint32_t same = first_image(r, r->of_high.deposit | low->deposit, column);
        if (same < column)
            return r->values[same - r->first];
    }
    return r->walker->model != 0 ? code_value(r, low, column) : take_entries(r, low, column);
}

/* The bytes to be gone through with the high set at work. */
static const byte_list *list_of(const row_work *r)
{
    int odd = r->of_high.odd ^ r->odd;
    return &r->lists[r->low_men][r->strand == COMPACT_WHOLE ? 2 : odd];
}

static void start_strand(row_work *r, int strand)
{
    uint32_t pushed = set_of_rank(r->g, r->block.a, r->first), low = pushed & 255;
    int first = (r->block.stored & COMPACT_EVEN) != 0 ? COMPACT_EVEN : COMPACT_ODD;
    r->strand = strand;
    r->slides_known = strand == COMPACT_WHOLE || strand != first;
    r->odd = parity(r->other & r->g->dark) ^ (strand == COMPACT_ODD);
    r->low_men = count(low);
    start_high(r, pushed >> 8);
    const byte_list *l = list_of(r);
    r->low_at = 0;
    while (r->low_at < l->n && l->bytes[r->low_at] < low)
        r->low_at++;
    r->high_at = 0;
    while (r->g->bytes[r->low_men][-(int)r->high_at] != low)
        r->high_at--;
}

/* The next set above the low byte for which this has room for the rest of the men. */
static void next_high(row_work *r)
{
    uint32_t high = r->high;
    r->high_at += r->g->n_bytes[r->low_men];
    do {
        r->low_men = r->block.a - count(++high);
    } while (r->low_men < 0 || r->low_men > 8);
    r->low_at = 0;
    start_high(r, high);
}

/* One strand of the block, from the slot that comes next on; true if the walk ends in it. */
static int walk_strand(row_work *r, uint32_t until)
{
    for (const byte_list *l = list_of(r);; next_high(r), l = list_of(r)) {
        while (r->low_at < l->n) {
            uint32_t low = l->bytes[r->low_at], slot = r->high_at + l->at[r->low_at];
            if (slot >= r->n_values)
                return 0;
            r->low_at++;
            int value = value_of_slot(r, low, r->first + slot);
            learn(r, value);
            r->last = value * 9 + r->last / 3;
            r->values[slot] = (uint8_t)value;
            if (slot == until)
                return 1;
        }
        if (r->high_at + r->g->n_bytes[r->low_men] >= r->n_values)
            return 0;
    }
}

/* Goes on until a value is known (as in a wish), or to the end. */
static void walk_on(row_work *r, uint32_t until)
{
    while (!walk_strand(r, r->strand == COMPACT_ODD ? until - COMPACT_PIECE : until)) {
        int next = 2 * r->strand;
        while (next <= COMPACT_WHOLE && (r->block.stored & next) == 0)
            next *= 2;
        if (next > COMPACT_WHOLE)
            return;
        start_strand(r, next);
    }
}

size_t merels_compact_row_bytes(void)
{
    return sizeof(row_work);
}

static void start_walk(const game *g, const struct compact_block *block,
                       const struct compact_room *room, const struct compact_walker *walker)
{
    row_work *r = (row_work *)room->row;
    start_row(r, g, block, room, walker);
    uint32_t end = g->choose[r->n_free][block->a] - block->first_column;
    r->values = room->values;
    r->first = block->first_column;
    r->n_values = end < COMPACT_PIECE ? end : (uint32_t)COMPACT_PIECE;
    for (uint32_t k = 0; k < r->n_values; k++)
        room->values[k] = UNKNOWN;
    start_strand(r, block->stored & COMPACT_EVEN  ? COMPACT_EVEN
                    : block->stored & COMPACT_ODD ? COMPACT_ODD
                                                  : COMPACT_WHOLE);
}

void merels_compact_walk(const game *g, const struct compact_block *block,
                         const struct compact_room *room, const struct compact_walker *walker)
{
    start_walk(g, block, room, walker);
    walk_on((row_work *)room->row, ~(uint32_t)0);
}

/* ---- models ------------------------------------------------------------------------------ */

/* A model is its entries, each a byte coded bit by bit with adaptive probabilities: one set for
 * "won?", one for "lost?". The decoder is a copy, so that it stays in registers. */
static uint32_t decode_byte(decoder *of, uint16_t *probabilities)
{
    decoder d = *of;
    uint32_t byte = 1;
    while (byte < 256) {
        uint32_t p = probabilities[byte], bound = (uint32_t)((uint64_t)d.range * p >> 16);
        if (d.code < bound) {
            d.range = bound;
            probabilities[byte] = (uint16_t)(p + ((65536 - p) >> 5));
            byte = 2 * byte + 1;
        } else {
            d.code -= bound;
            d.range -= bound;
            probabilities[byte] = (uint16_t)(p - (p >> 5));
            byte = 2 * byte;
        }
        while (d.range < (uint32_t)1 << 24) {
            d.range <<= 8;
            d.code = d.code << 8 | next_byte(&d);
        }
    }
    *of = d;
    return byte;
}

static void decode_model(const game *g, const uint8_t *bytes, size_t n_bytes, int8_t *model)
{
    uint16_t p[2][256];
    decoder d;
    start_decoder(&d, bytes, n_bytes);
    for (int k = 0; k < 512; k++)
        p[k >> 8][k & 255] = 32768;
    for (uint32_t k = 0; k < 2 * g->n_entries; k++) {
        uint32_t byte = decode_byte(&d, p[k & 1]);
        model[k] = (int8_t)((int32_t)byte - (byte < 384 ? 256 : 512));
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

/* The last value of a block that the call at work may want, in the order in which values are
 * decoded: the slot, and in the odd strand IN_ODD more. */
enum { IN_ODD = COMPACT_PIECE };
typedef struct {
    uint64_t key; /* 0: empty */
    uint32_t last;
} wish;

/* A block can stand in the WAYS places of one set of the cache, a wish in as many from the
 * first that its key gives on. */
enum {
    MODELS_CACHED = 12,
    WAYS = 8,
    MOST_SETS = 128,
    MOST_SUBSPACES = 4096,
    NO_SUBSPACE = 0xFFFF,
    NO_SLOTS = 0x7FFFFFFF,
    MODEL_ENTRIES_A_SLOT = 4, /* take as long to decode as a slot does */
    MOST_DEPTH = 64,
    WANTS_KEPT = 256,
    WISHES = 4096
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
    wish *wishes;                /* of this call */
    int wishing;                 /* are there any? */
    uint32_t cheapest;           /* slots of the block that was too dear and is least so */
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
    if (take(in, 2) != 0) /* layers of depths: none in this version */
        in->failed = 1;
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

/* The rest of the memory: sets of blocks. */
static int make_cache(struct merels_compact *r, memory_left *m)
{
    size_t set_bytes = WAYS * (COMPACT_PIECE / 4 + sizeof *r->blocks + 8);
    size_t n_sets = m->left / set_bytes;
    r->n_sets = n_sets < MOST_SETS ? (uint32_t)n_sets : (uint32_t)MOST_SETS;
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
    r->wishes = (wish *)carve(m, (WISHES + WAYS) * sizeof *r->wishes);
    r->wishing = 1; /* what stands there is to be cleared */
    r->room.values = (uint8_t *)carve(m, COMPACT_PIECE);
    r->room.nodes = (uint8_t *)carve(m, most_nodes(r));
    r->room.weights =
        (uint64_t *)carve(m, merels_compact_weights(&r->play) * sizeof *r->room.weights);
    r->room.row = carve(m, merels_compact_row_bytes());
    if (r->group == 0 || r->wishes == 0 || r->room.nodes == 0 || r->room.values == 0 ||
        r->room.weights == 0 || r->room.row == 0)
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
    if (n < COMPACT_HEAD || n > 1 << 20 || r->file_bytes < n ||
        (r->source.n_bytes != 0 && r->source.n_bytes != r->file_bytes))
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
    if ((uintptr_t)memory % 8 != 0)
        return MERELS_COMPACT_MISALIGNED;
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
    static const char *const words[] = {"ok",
                                        "not here yet",
                                        "no position of these rules",
                                        "not covered",
                                        "damaged",
                                        "newer than this reader",
                                        "too little memory",
                                        "reading failed",
                                        "memory that is not aligned"};
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
static uint64_t key_of(int number, const struct compact_block *block)
{
    return (uint64_t)(number + 1) << 48 ^ (uint64_t)block->first_column << 20 ^ block->other;
}

static cached_block *find_cached(struct merels_compact *r, int number,
                                 const struct compact_block *block, int *found)
{
    uint64_t key = key_of(number, block);
    cached_block *set = &r->blocks[(uint32_t)(key * P1 >> 40) % r->n_sets * WAYS],
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

/* The wish for a block, or the place for it; NULL if there is no room for more. */
static wish *find_wish(const struct merels_compact *r, uint64_t key)
{
    wish *first = &r->wishes[(uint32_t)(key * P1 >> 40) % WISHES];
    for (wish *w = first; w < first + WAYS; w++)
        if (w->key == key || w->key == 0)
            return w;
    return 0;
}

static void add_wish(struct merels_compact *r, uint64_t key, uint32_t value)
{
    wish *w = find_wish(r, key);
    if (w == 0)
        return;
    w->last = w->key == 0 || value > w->last ? value : w->last;
    w->key = key;
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

/* Decodes a block until the value `until` is known. */
static int decode_block(struct merels_compact *r, const subspace *s,
                        const struct compact_block *block, uint32_t until)
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
    walker.decide = 0;
    start_walk(&r->play, block, &r->room, &walker);
    walk_on((row_work *)r->room.row, until);
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

/* How far a look-up may go for a value: no further than to what is decoded; the same, noting
 * what may be wanted besides; to blocks that take no more than so many slots; to what is
 * derived from further blocks. Plies that the first ones decide need no more. */
enum { LOOK_CACHED, LOOK_WISHED, LOOK_STORED, LOOK_ALL };
enum { DEFERRED = -1 }; /* a status: not looked up this time */

/* What a value is asked for: all that is at most `low`, or at least `high`, is the same. */
typedef struct {
    int low, high;
    uint32_t depth; /* plies of derivation left */
    int look;
    uint32_t most_slots; /* of a block, with LOOK_STORED */
} question;

/* Up to which value a block is to be decoded if this one is needed: as far as the call may want
 * it; all of one that was decoded in part before. */
static uint32_t decode_until(const struct merels_compact *r, uint64_t key, uint32_t value,
                             int again)
{
    const wish *w = find_wish(r, key);
    if (w != 0 && w->key == key && w->last > value)
        value = w->last;
    return again || w == 0 ? value | (IN_ODD - 1) : value;
}

static int has_model(const struct merels_compact *r, int number)
{
    for (int k = 0; k < MODELS_CACHED; k++)
        if (r->cached_models[k].model == number)
            return 1;
    return 0;
}

/* What it takes to decode a block up to a value, in slots: a model takes as long as some. */
static uint32_t slots_until(const struct merels_compact *r, const subspace *s,
                            const struct compact_block *block, uint32_t until)
{
    uint32_t end = r->play.choose[r->play.n_points - s->b][s->a] - block->first_column;
    uint32_t n = end < COMPACT_PIECE ? end : (uint32_t)COMPACT_PIECE, last = until % IN_ODD;
    uint32_t slots = last < n ? last : n;
    if (s->stored != COMPACT_WHOLE)
        slots = ((until >= IN_ODD && (s->stored & COMPACT_EVEN) != 0 ? n : 0) + slots) / 2;
    return slots + (has_model(r, s->model) ? 0 : r->play.n_entries / MODEL_ENTRIES_A_SLOT);
}

/* The value of a position whose strand is stored. */
static int stored_value(struct merels_compact *r, const subspace *s, const place *p,
                        uint8_t strand, question q, int *value)
{
    int symmetry, found, number = (int)(s - r->subspaces);
    struct compact_block block;
    block.a = s->a;
    block.b = s->b;
    block.ha = s->ha;
    block.hb = s->hb;
    block.other = canonical(&r->play, p->other, &symmetry);
    uint32_t column =
        column_of(&r->play, merels_compact_image(&r->play, symmetry, p->own), block.other);
    block.first_column = column - column % COMPACT_PIECE;
    column -= block.first_column;
    cached_block *c = find_cached(r, number, &block, &found);
    if (!found || packed_value(c, column) == UNKNOWN) {
        uint64_t key = key_of(number, &block);
        uint32_t until = column + (strand == COMPACT_ODD ? (int)IN_ODD : 0);
        if (q.look == LOOK_WISHED)
            add_wish(r, key, until);
        if (q.look <= LOOK_WISHED)
            return DEFERRED;
        until = decode_until(r, key, until, found);
        block.stored = until < IN_ODD ? strand : s->stored; /* the even strand comes first */
        uint32_t slots = slots_until(r, s, &block, until);
        if (q.look == LOOK_STORED && slots > q.most_slots) {
            r->cheapest = slots < r->cheapest ? slots : r->cheapest;
            return DEFERRED;
        }
        int status = decode_block(r, s, &block, until);
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

/* All plies anew, as far as a look goes. */
static void try_plies(struct merels_compact *r, const place *p, question q, choice *c)
{
    const game *g = &r->play;
    start_choice(c, 1, q.high);
    if (p->own_hand > 0 && try_steps(r, p, -1, g->points & ~(p->own | p->other), q, c))
        return;
    if (!may_move(g, p->own_hand))
        return;
    for (uint32_t men = p->own; men != 0; men &= men - 1)
        if (try_steps(r, p, lowest(men), targets_of(g, p, lowest(men)), q, c))
            return;
}

/* True if one more attempt at the plies could tell more. */
static int is_open(const choice *c)
{
    return !is_decided(c) && c->deferred && c->status != MERELS_COMPACT_READ_FAILED;
}

/* The best that the plies of a position lead to: first those that are known, then those that
 * are stored, the cheapest first, then those that are derived themselves. */
static int derived_value(struct merels_compact *r, const place *p, question q, int *value)
{
    choice c;
    int look = q.look;
    if (q.depth == 0)
        return MERELS_COMPACT_DAMAGED;
    q.depth--;
    if (!has_step(&r->play, p->own, p->own_hand, r->play.points & ~(p->own | p->other)))
        return value_turned(r, p, q, value); /* a pass */
    q.look = look == LOOK_ALL ? (int)LOOK_CACHED : look;
    try_plies(r, p, q, &c);
    q.look = LOOK_STORED;
    for (q.most_slots = 0; look == LOOK_ALL && is_open(&c) && q.most_slots != NO_SLOTS;) {
        r->cheapest = NO_SLOTS;
        try_plies(r, p, q, &c);
        q.most_slots = r->cheapest;
    }
    q.look = LOOK_ALL;
    if (look == LOOK_ALL && is_open(&c))
        try_plies(r, p, q, &c);
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
            return stored_value(r, s, p, strand, q, value);
    }
    if (q.look == LOOK_STORED)
        return DEFERRED;
    return derived_value(r, p, q, value);
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

/* The exact value, from what a look goes to. */
static question exactly(const struct merels_compact *r, int look)
{
    question q;
    q.low = -1;
    q.high = 1;
    q.depth = r->most_depth;
    q.look = look;
    q.most_slots = 0;
    return q;
}

static void start_call(struct merels_compact *r)
{
    clear(r->wanted, sizeof r->wanted);
    if (r->wishing)
        clear(r->wishes, (WISHES + WAYS) * sizeof *r->wishes);
    r->wishing = 0;
}

static int ask(struct merels_compact *r, const place *p, question q, int *value)
{
    return p->due > 0 ? value_of_step(r, p, q, value) : value_of(r, p, q, value);
}

/* Looks at what is decoded; `look` LOOK_WISHED: notes what else is needed; LOOK_ALL: decodes.
 * It then asks twice, "won?" and if not "lost?": each needs fewer plies than the value does. */
static int look_up(struct merels_compact *r, const place *p, int look, int *value)
{
    question q = exactly(r, look);
    r->wishing |= look == LOOK_WISHED;
    if (look == LOOK_ALL) {
        q.low = 0;
        int status = ask(r, p, q, value);
        if (status != MERELS_COMPACT_OK || *value > 0)
            return status;
        q.low = -1;
        q.high = 0;
    }
    return ask(r, p, q, value);
}

int merels_compact_value(struct merels_compact *r, const struct merels_compact_position *p,
                         int *value)
{
    int v = 0, status = DEFERRED;
    if (!is_legal(&r->play, p))
        return MERELS_COMPACT_ILLEGAL;
    start_call(r);
    for (int look = LOOK_CACHED; look <= LOOK_ALL && status == DEFERRED; look++)
        if (look != LOOK_STORED)
            status = look_up(r, p, look, &v);
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

/* The values of plies as far as a look goes; those that have none yet are UNVALUED. DEFERRED if
 * there are such after it that may get one. */
enum { UNVALUED = 2 };
static int value_plies(struct merels_compact *r, const place *p, ply *plies, size_t n, int look)
{
    int status = MERELS_COMPACT_OK, deferred = 0;
    for (size_t k = 0; k < n && status != MERELS_COMPACT_READ_FAILED; k++) {
        int v = 0, found = MERELS_COMPACT_OK;
        if (plies[k].value != UNVALUED)
            continue;
        place next = merels_compact_play(p, &plies[k]);
        found = look_up(r, &next, look, &v);
        deferred |= found == DEFERRED;
        status = found > status ? found : status;
        if (found == MERELS_COMPACT_OK)
            plies[k].value = (int8_t)-v;
    }
    return deferred && status != MERELS_COMPACT_READ_FAILED ? (int)DEFERRED : status;
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
    start_call(r);
    for (size_t k = 0; k < list.n; k++)
        plies[k].value = UNVALUED;
    int status = value_plies(r, p, plies, list.n, LOOK_CACHED);
    if (status == DEFERRED)
        status = value_plies(r, p, plies, list.n, LOOK_WISHED);
    if (status == DEFERRED)
        status = value_plies(r, p, plies, list.n, LOOK_ALL);
    if (status != MERELS_COMPACT_OK)
        return status;
    if (r->play.options[COMPACT_CHOOSER] == 1)
        let_the_other_side_pick(plies, list.n);
    sort_plies(plies, list.n);
    *n_plies = list.n;
    return MERELS_COMPACT_OK;
}
