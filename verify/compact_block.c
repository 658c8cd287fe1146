// compact_block.c: the walk over a block: arrivals and their nodes, features, weights, the
// coder.
//
// Sets of a row are compact: bit j is the j-th point outside the other side's set.

#include "verify/compact_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/judge_slot.h"
#include "verify/table_files.h"
#include "verify/verify_plies.h"
#include "verify/verify_value.h"

enum { N_TABLES = 23, PIECE_COLUMNS = 32768, FREE_NODE = 3, WON_NODE = 255 };
enum { MOST_SUM = 176 * 4096, MOST_STEPS = VERIFY_POINTS * VERIFY_POINTS, NO_KIND = 8 };
enum { MOST_FEATURES = MOST_IMAGES + N_TABLES, PAGE_WEIGHTS = 64 }; // of each decision

// Values in the order of what they are worth, as features count them.
enum { RANK_LOST, RANK_DRAWN, RANK_WON, RANK_UNKNOWN };

static const int table_entries[N_TABLES] = {400, 256, 100, 256, 400, 144, 100, 576,
                                            81,  27,  257, 288, 108, 256, 225, 972,
                                            972, 136, 102, 64,  512, 216, 1};

struct compact_decoder {
    const struct compact_file *file;
    const struct compact_subspace *subspace;
    const struct classes *classes;
    uint32_t n_columns, n_groups;
    bool parity, places, moves, flies;
    int n_free, most_class;
    // A feature for each image of a pattern: its points, and where its weights begin.
    int n_images;
    uint32_t first_weight[MOST_FEATURES];
    uint32_t own_part[3][256][MOST_IMAGES]; // of an index, by the bytes of the mover's set
    uint32_t n_weights;                     // of each decision
    int32_t *begin; // weights when a block begins: won?, lost?, won?, ...
    uint32_t chances[MOST_SUM / 4096 + 1]; // of 65536, for sums of 0, 1, ...
    uint32_t n_sets[2];                    // arrivals of steps on the board, and of placements
};

struct compact_room {
    int32_t *weights;
    uint8_t *changed; // by page of weights: some are not as they begin
    uint8_t *nodes;
    uint32_t n_nodes;
    uint8_t ranks[PIECE_COLUMNS]; // of the block's slots
};

static enum status damaged(struct error *err, const char *what)
{
    return merels_error(err, STATUS_CORRUPT, "edition compact: damaged: %s", what);
}

// ---- the coder -----------------------------------------------------------------------------

struct coder {
    const uint8_t *at, *end;
    uint32_t range, code;
};

static inline uint32_t next_byte(struct coder *coder)
{
    return coder->at < coder->end ? *coder->at++ : 0;
}

static struct coder start_coder(const uint8_t *bytes, const uint8_t *end)
{
    struct coder coder = {.at = bytes, .end = end, .range = UINT32_MAX};
    for (int k = 0; k < 4; k++)
        coder.code = coder.code << 8 | next_byte(&coder);
    return coder;
}

// A decision whose "yes" has the probability p of 65536.
static inline bool decide(struct coder *coder, uint32_t p)
{
    uint32_t bound = (uint32_t)((uint64_t)coder->range * p >> 16);
    bool yes = coder->code < bound;
    coder->code -= yes ? 0 : bound;
    coder->range = yes ? bound : coder->range - bound;
    for (int k = 0; k < 4 && coder->range < 1 << 24; k++) {
        coder->range <<= 8;
        coder->code = coder->code << 8 | next_byte(coder);
    }
    return yes;
}

// ---- models --------------------------------------------------------------------------------

// A signed byte for each entry and decision.
static void read_model(const uint8_t *bytes, uint32_t n_bytes, uint32_t n_entries,
                       int8_t *entries)
{
    struct coder coder = start_coder(bytes, bytes + n_bytes);
    uint32_t chances[2][256];
    for (int k = 0; k < 512; k++)
        chances[k / 256][k % 256] = 32768;
    for (uint32_t k = 0; k < 2 * n_entries; k++) {
        uint32_t place = 1;
        while (place < 256) {
            uint32_t *chance = &chances[k % 2][place];
            bool one = decide(&coder, *chance);
            *chance = one ? *chance + (65536 - *chance) / 32 : *chance - *chance / 32;
            place = 2 * place + one;
        }
        entries[k] = (int8_t)(uint8_t)place;
    }
}

static uint32_t power_of_3(int k)
{
    return k == 0 ? 1 : 3 * power_of_3(k - 1);
}

// The index after a symmetry has moved the places of a pattern; `places`: where each goes.
static uint32_t permuted(uint32_t index, int n, const int *places)
{
    uint32_t out = 0;
    for (int i = 0; i < n; i++, index /= 3)
        out += index % 3 * power_of_3(places[i]);
    return out;
}

static int place_in(const struct compact_pattern *pattern, int point)
{
    for (int i = 0; i < pattern->n_points; i++)
        if (pattern->points[i] == point)
            return i;
    return -1;
}

// Of every index its class; returns the number of classes.
static uint32_t find_classes(const struct compact_file *file,
                             const struct compact_pattern *pattern, uint32_t *class_of)
{
    const struct verify_index *index = file->index;
    uint32_t n = power_of_3(pattern->n_points), n_classes = 0;
    for (uint32_t k = 0; k < n; k++)
        class_of[k] = UINT32_MAX;
    for (uint32_t k = 0; k < n; k++) {
        if (class_of[k] != UINT32_MAX)
            continue;
        for (int m = 0; m < index->n_maps; m++) {
            int places[PATTERN_POINTS], least = 0;
            for (int i = 0; i < pattern->n_points; i++) {
                places[i] = place_in(pattern, index->maps[m][pattern->points[i]]);
                least = places[i] < least ? places[i] : least;
            }
            if (least == 0) // the symmetry keeps the pattern's points
                class_of[permuted(k, pattern->n_points, places)] = n_classes;
        }
        n_classes++;
    }
    return n_classes;
}

static uint32_t image_set(const struct compact_file *file,
                          const struct compact_pattern *pattern, int map)
{
    uint32_t set = 0;
    for (int i = 0; i < pattern->n_points; i++)
        set |= (uint32_t)1 << file->index->maps[map][pattern->points[i]];
    return set;
}

// True if no symmetry before the k-th of the file's list gives the same image.
static bool is_first(const struct compact_file *file, const struct compact_pattern *pattern,
                     int k)
{
    for (int j = 0; j < k; j++)
        if (image_set(file, pattern, file->order[j]) ==
            image_set(file, pattern, file->order[k]))
            return false;
    return true;
}

static void add_image(struct compact_decoder *decoder, const struct compact_pattern *pattern,
                      int map)
{
    const uint8_t *to = decoder->file->index->maps[map];
    for (int i = 0; i < pattern->n_points; i++) {
        int point = to[pattern->points[i]];
        for (int byte = 0; byte < 256; byte++)
            if (byte >> (point % 8) & 1)
                decoder->own_part[point / 8][byte][decoder->n_images] += power_of_3(i);
    }
    decoder->n_images++;
}

static enum status lay_out_images(struct compact_decoder *decoder, struct error *err)
{
    const struct compact_file *file = decoder->file;
    uint32_t n_indices = 0;
    for (int k = 0; k < file->n_patterns; k++) {
        n_indices += power_of_3(file->patterns[k].n_points);
        for (int j = 0; j < file->index->n_maps; j++) {
            if (!is_first(file, &file->patterns[k], j))
                continue;
            if (decoder->n_images == MOST_IMAGES)
                return damaged(err, "too many images of patterns");
            decoder->first_weight[decoder->n_images] = decoder->n_weights;
            decoder->n_weights += power_of_3(file->patterns[k].n_points);
            add_image(decoder, &file->patterns[k], file->order[j]);
        }
    }
    if (n_indices > MOST_INDICES)
        return damaged(err, "too many indices of patterns");
    for (int t = 0; t < N_TABLES; t++) {
        decoder->first_weight[decoder->n_images + t] = decoder->n_weights;
        decoder->n_weights += (uint32_t)table_entries[t];
    }
    return STATUS_OK;
}

static uint32_t count_entries(const struct compact_file *file, uint32_t *class_of)
{
    uint32_t n = 0;
    for (int k = 0; k < file->n_patterns; k++)
        n += find_classes(file, &file->patterns[k], class_of);
    for (int t = 0; t < N_TABLES; t++)
        n += (uint32_t)table_entries[t];
    return n;
}

// Every image has a copy of its pattern's table, every index of a class the class's weight.
static void begin_weights(struct compact_decoder *decoder, const int8_t *entries,
                          uint32_t *class_of)
{
    const struct compact_file *file = decoder->file;
    int32_t *to = decoder->begin;
    for (int k = 0; k < file->n_patterns; k++) {
        uint32_t n_classes = find_classes(file, &file->patterns[k], class_of);
        uint32_t n = power_of_3(file->patterns[k].n_points);
        for (int j = 0; j < file->index->n_maps; j++)
            if (is_first(file, &file->patterns[k], j))
                for (uint32_t i = 0; i < n; i++) {
                    *to++ = 4096 * entries[2 * class_of[i]];
                    *to++ = 4096 * entries[2 * class_of[i] + 1];
                }
        entries += 2 * (size_t)n_classes;
    }
    while (to < decoder->begin + 2 * (size_t)decoder->n_weights)
        *to++ = 4096 * *entries++;
}

static enum status load_model(struct compact_decoder *decoder, struct error *err)
{
    const struct compact_file *file = decoder->file;
    const struct compact_model *model = &file->models[decoder->subspace->model];
    if (model->n_bytes > file->most_bytes || model->offset > file->n_bytes ||
        model->n_bytes > file->n_bytes - model->offset ||
        merels_verify_sum(file->bytes + model->offset, model->n_bytes) != model->sum)
        return damaged(err, "a model");
    enum status status = lay_out_images(decoder, err);
    if (status != STATUS_OK)
        return status;
    uint32_t *class_of = malloc(power_of_3(PATTERN_POINTS) * sizeof *class_of);
    int8_t *entries = malloc(2 * (size_t)decoder->n_weights); // more than there are
    decoder->begin = malloc(2 * (size_t)decoder->n_weights * sizeof *decoder->begin);
    if (class_of != NULL && entries != NULL && decoder->begin != NULL) {
        read_model(file->bytes + model->offset, model->n_bytes, count_entries(file, class_of),
                   entries);
        begin_weights(decoder, entries, class_of);
    } else
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for a model");
    free(class_of);
    free(entries);
    return status;
}

// ---- a row ---------------------------------------------------------------------------------

// A mill of the other side, and the points outside that its men are joined to, man by man.
struct held_mill {
    uint32_t beside[3];
};

// What all slots of a row share.
struct row {
    uint32_t other, free, all; // all: the compact set of all free points
    int parity;                // of the other side's men
    uint32_t dark;
    int n_maps, maps[VERIFY_MAPS];
    uint32_t pattern_part[MOST_IMAGES];
    // The board outside the other side's set.
    uint32_t joined[VERIFY_POINTS];
    int n_mates[VERIFY_POINTS];
    uint32_t mates[VERIFY_POINTS][VERIFY_MILLS_AT]; // the other points of each mill of a point
    int n_mills;
    uint32_t mills[VERIFY_MILLS];
    // The other side.
    int n_men, n_held, n_thirds, n_in_mills;
    uint32_t beside[VERIFY_POINTS];      // of each man the free points joined to it
    uint32_t degrees[VERIFY_POINTS];     // points joined to more than 0, 1, 2, ... of its men
    struct held_mill held[VERIFY_MILLS]; // its mills
    uint32_t thirds[VERIFY_MILLS];       // of mills with two of its men: the third point
    uint32_t closable;
};

static uint32_t compact(const struct compact_decoder *decoder, const struct row *row,
                        uint32_t set)
{
    return verify_together(&decoder->file->index->bits, set & row->free, row->free);
}

static void open_free(const struct compact_decoder *decoder, struct row *row)
{
    const struct verify_rules *rules = &decoder->file->index->rules;
    int j = 0;
    for (int k = 0; k < rules->n_mills; k++)
        if ((rules->mills[k] & row->other) == 0)
            row->mills[row->n_mills++] = compact(decoder, row, rules->mills[k]);
    for (int p = 0; p < rules->n_points; p++) {
        if (!(row->free >> p & 1))
            continue;
        row->joined[j] = compact(decoder, row, rules->joined[p]);
        for (int k = 0; k < row->n_mills; k++)
            if (row->mills[k] >> j & 1)
                row->mates[j][row->n_mates[j]++] = row->mills[k] & ~((uint32_t)1 << j);
        j++;
    }
}

// A mill with two men of the other side: does one more close it at the third point?
static void note_third(const struct compact_decoder *decoder, struct row *row, uint32_t mill)
{
    const struct verify_rules *rules = &decoder->file->index->rules;
    uint32_t third = mill & ~row->other;
    bool comes = decoder->subspace->counts.hb > 0 ||
                 (rules->joined[__builtin_ctz(third)] & row->other & ~mill) != 0;
    row->thirds[row->n_thirds++] = compact(decoder, row, third);
    if (comes)
        row->closable |= compact(decoder, row, third);
}

static void note_held(const struct compact_decoder *decoder, struct row *row, uint32_t mill)
{
    const struct verify_rules *rules = &decoder->file->index->rules;
    struct held_mill *held = &row->held[row->n_held++];
    int n = 0;
    for (int p = 0; p < rules->n_points; p++)
        if (mill >> p & 1)
            held->beside[n++] = compact(decoder, row, rules->joined[p]);
}

static void open_other(const struct compact_decoder *decoder, struct row *row)
{
    const struct verify_rules *rules = &decoder->file->index->rules;
    for (int p = 0; p < rules->n_points; p++) {
        if (!(row->other >> p & 1))
            continue;
        uint32_t beside = compact(decoder, row, rules->joined[p]);
        row->beside[row->n_men++] = beside;
        for (int k = 0; beside != 0; k++) { // one more for each of these points
            uint32_t had = row->degrees[k] & beside;
            row->degrees[k] |= beside;
            beside = had;
        }
    }
    for (int k = 0; k < rules->n_mills; k++) {
        int n = __builtin_popcount(rules->mills[k] & row->other);
        if (n == 3)
            note_held(decoder, row, rules->mills[k]);
        else if (n == 2)
            note_third(decoder, row, rules->mills[k]);
    }
    row->n_in_mills = __builtin_popcount(merels_verify_in_mills(rules, row->other));
}

static void open_row(const struct compact_decoder *decoder, uint32_t number, struct row *row)
{
    const struct verify_index *index = decoder->file->index;
    memset(row, 0, sizeof *row);
    row->other = decoder->classes->smallest[number];
    row->free = index->rules.all & ~row->other;
    row->all = ((uint32_t)1 << decoder->n_free) - 1;
    row->parity = __builtin_popcount(row->other & decoder->file->dark) & 1;
    row->dark = compact(decoder, row, decoder->file->dark);
    row->n_maps = merels_verify_stabilizer(index, row->other, row->maps);
    for (int byte = 0; byte < 3; byte++)
        for (int g = 0; g < decoder->n_images; g++)
            row->pattern_part[g] +=
                2 * decoder->own_part[byte][row->other >> (8 * byte) & 255][g];
    open_free(decoder, row);
    open_other(decoder, row);
}

// ---- a slot --------------------------------------------------------------------------------

struct arrival {
    uint32_t node;
    bool closing;
};

// What the features of a slot are made of.
struct slot {
    uint32_t column, own; // own: compact
    int n_arrivals;
    struct arrival arrivals[2 * MOST_STEPS];
    int slides, blocked;
    uint32_t movable,
        safe_movable; // men with a free neighbour; and no neighbour of the other side
    uint32_t beside;  // points joined to a man of the mover
    uint32_t closable;
    int known[2][3]; // slots that slides lead to: quiet or closing, by what is known of them
};

struct block {
    const struct compact_decoder *decoder;
    struct compact_room *room;
    struct row row;
    struct coder coder;
    uint32_t first, n; // columns
    int last[3];       // values, the last one first
};

// Mills that a man who comes to j closes with the men that stay.
static inline int mills_closed(const struct row *row, uint32_t stay, int j)
{
    int n = 0;
    for (int k = 0; k < row->n_mates[j]; k++)
        n += (row->mates[j][k] & ~stay) == 0;
    return n;
}

static inline void add_arrival(const struct block *block, struct slot *slot, bool placed,
                               uint32_t rank, int n_closed)
{
    const struct compact_decoder *decoder = block->decoder;
    uint32_t class =
        (uint32_t)(n_closed < decoder->most_class ? n_closed : decoder->most_class);
    uint32_t first = placed ? (uint32_t)(decoder->most_class + 1) * decoder->n_sets[0] : 0;
    slot->arrivals[slot->n_arrivals++] =
        (struct arrival){first + class * decoder->n_sets[placed] + rank, class > 0};
}

static void try_steps(const struct block *block, struct slot *slot, int i, uint32_t slides,
                      uint32_t steps)
{
    const struct compact_decoder *decoder = block->decoder;
    uint32_t stay = slot->own & ~((uint32_t)1 << i);
    for (uint32_t to = slides | steps; to != 0; to &= to - 1) {
        int j = __builtin_ctz(to), n_closed = mills_closed(&block->row, stay, j);
        uint32_t point = to & (~to + 1);
        uint32_t rank =
            verify_rank(decoder->file->index, decoder->subspace->counts.a, stay | point);
        if ((slides & point) != 0) {
            uint32_t place = rank - block->first;
            int known = place < block->n ? block->room->ranks[place] : RANK_UNKNOWN;
            if (known != RANK_UNKNOWN)
                slot->known[n_closed > 0][known]++;
            if (n_closed > 0 && decoder->subspace->counts.ha == 0)
                slot->closable |= point;
        }
        if ((steps & point) != 0)
            add_arrival(block, slot, false, rank, n_closed);
    }
}

static void try_placements(const struct block *block, struct slot *slot, uint32_t free)
{
    const struct compact_decoder *decoder = block->decoder;
    for (; free != 0; free &= free - 1) {
        uint32_t point = free & (~free + 1);
        int n_closed = mills_closed(&block->row, slot->own, __builtin_ctz(free));
        uint32_t rank = verify_rank(decoder->file->index, decoder->subspace->counts.a + 1,
                                    slot->own | point);
        add_arrival(block, slot, true, rank, n_closed);
        if (n_closed > 0)
            slot->closable |= point;
    }
}

static void look_at(const struct block *block, uint32_t column, uint32_t own, struct slot *slot)
{
    const struct compact_decoder *decoder = block->decoder;
    const struct row *row = &block->row;
    uint32_t free = row->all & ~own;
    slot->column = column;
    slot->own = own;
    slot->n_arrivals = slot->slides = slot->blocked = 0;
    slot->movable = slot->safe_movable = slot->beside = slot->closable = 0;
    memset(slot->known, 0, sizeof slot->known);
    for (uint32_t men = own; men != 0; men &= men - 1) {
        int i = __builtin_ctz(men);
        uint32_t slides = row->joined[i] & free, point = men & (~men + 1);
        slot->slides += __builtin_popcount(slides);
        slot->beside |= row->joined[i];
        slot->blocked += slides == 0;
        slot->movable |= slides != 0 ? point : 0;
        slot->safe_movable |= slides != 0 ? point & ~row->degrees[0] : 0;
        try_steps(block, slot, i, slides, !decoder->moves ? 0 : decoder->flies ? free : slides);
    }
    if (decoder->places)
        try_placements(block, slot, free);
}

// ---- features ------------------------------------------------------------------------------

static inline int upto(int x, int most)
{
    return x < most ? x : most;
}

// What is counted for each side.
struct side {
    int slides, blocked, closable, safe, mills, open, running, pairs, in_mills;
};

static void count_own(const struct row *row, const struct slot *slot, struct side *side)
{
    uint32_t in_mills = 0;
    *side = (struct side){.slides = slot->slides,
                          .blocked = slot->blocked,
                          .closable = __builtin_popcount(slot->closable),
                          .safe = __builtin_popcount(slot->closable & ~row->degrees[0])};
    for (int k = 0; k < row->n_mills; k++) {
        uint32_t men = row->mills[k] & slot->own;
        if (men != row->mills[k]) {
            side->pairs += (men & (men - 1)) != 0;
            continue;
        }
        in_mills |= men;
        side->mills++;
        side->open += (men & slot->movable) != 0;
        side->running += (men & slot->safe_movable) != 0;
    }
    side->in_mills = __builtin_popcount(in_mills);
}

static void count_other(const struct row *row, const struct slot *slot, struct side *side)
{
    uint32_t free = row->all & ~slot->own, closable = row->closable & free;
    *side = (struct side){.closable = __builtin_popcount(closable),
                          .safe = __builtin_popcount(closable & ~slot->beside),
                          .mills = row->n_held,
                          .in_mills = row->n_in_mills};
    for (int k = 0; k < VERIFY_POINTS && row->degrees[k] != 0; k++)
        side->slides += __builtin_popcount(row->degrees[k] & free);
    for (int k = 0; k < row->n_men; k++)
        side->blocked += (row->beside[k] & free) == 0;
    for (int k = 0; k < row->n_thirds; k++)
        side->pairs += (row->thirds[k] & free) != 0;
    for (int k = 0; k < row->n_held; k++) {
        bool open = false, running = false;
        for (int i = 0; i < 3; i++) {
            uint32_t beside = row->held[k].beside[i];
            open |= (beside & free) != 0;
            running |= (beside & free) != 0 && (beside & slot->own) == 0;
        }
        side->open += open;
        side->running += running;
    }
}

// What is counted of the arrivals.
struct seen {
    int kinds[8], quiet[8], closing[8];   // how many of each kind
    int most_quiet, most_closing, best;   // greatest kinds, NO_KIND if there is none
    int evidence_quiet, evidence_closing; // greatest
    int sum;
};

static inline int kind_of(uint8_t node)
{
    return node <= FREE_NODE ? node : node <= 8 ? 4 : node <= 14 ? 5 : node < WON_NODE ? 6 : 7;
}

static inline void keep_most(int *most, int x)
{
    *most = *most == NO_KIND || x > *most ? x : *most;
}

static void count_arrivals(const struct block *block, const struct slot *slot,
                           struct seen *seen)
{
    *seen = (struct seen){.most_quiet = NO_KIND, .most_closing = NO_KIND, .best = NO_KIND};
    for (int k = 0; k < slot->n_arrivals; k++) {
        uint8_t node = block->room->nodes[slot->arrivals[k].node];
        int kind = kind_of(node), evidence = node == WON_NODE   ? 96
                                             : node > FREE_NODE ? node - 3
                                                                : 0;
        bool closing = slot->arrivals[k].closing;
        int *evident = closing ? &seen->evidence_closing : &seen->evidence_quiet;
        seen->kinds[kind]++;
        (closing ? seen->closing : seen->quiet)[kind]++;
        keep_most(closing ? &seen->most_closing : &seen->most_quiet, kind);
        keep_most(&seen->best, kind);
        *evident = evidence > *evident ? evidence : *evident;
        if (node >= FREE_NODE)
            seen->sum += evidence + (node == WON_NODE ? 0 : 2);
    }
}

static int free_of(const int kinds[8])
{
    return kinds[3] + kinds[4] + kinds[5] + kinds[6] + kinds[7];
}

// The places in tables 0 to 22 (docs/COMPACT.md, section 6.2).
static void find_places(const struct block *block, const struct slot *slot, int t[N_TABLES])
{
    struct side o, x;
    struct seen s;
    count_own(&block->row, slot, &o);
    count_other(&block->row, slot, &x);
    count_arrivals(block, slot, &s);
    const int *k = s.kinds, *q = s.quiet, *z = s.closing;
    int won = k[7] > 0, Q = s.most_quiet, Z = s.most_closing, B = s.best;
    int c3 = upto(o.closable, 3), d3 = upto(x.closable, 3);
    t[0] = upto(o.slides, 19) * 20 + upto(x.slides, 19);
    t[1] = ((c3 * 4 + d3) * 4 + upto(o.mills, 3)) * 4 + upto(x.mills, 3);
    t[2] = upto(o.blocked, 9) * 10 + upto(x.blocked, 9);
    t[3] = ((upto(o.open, 3) * 4 + upto(x.open, 3)) * 4 + upto(o.running, 3)) * 4 +
           upto(x.running, 3);
    t[4] = ((upto(o.pairs, 4) * 5 + upto(x.pairs, 4)) * 4 + c3) * 4 + d3;
    t[5] = ((upto(o.safe, 2) * 3 + upto(x.safe, 2)) * 4 + c3) * 4 + d3;
    t[6] = upto(o.in_mills, 9) * 10 + upto(x.in_mills, 9);
    t[7] = ((upto(x.slides, 7) * 3 + upto(o.closable, 2)) * 3 + upto(x.closable, 2)) * 8 +
           upto(o.slides, 7);
    t[8] = ((upto(o.running, 2) * 3 + upto(x.running, 2)) * 3 + upto(o.closable, 2)) * 3 +
           upto(x.closable, 2);
    t[9] = (block->last[0] * 3 + block->last[1]) * 3 + block->last[2];
    t[10] =
        won ? 0
            : 1 + ((upto(k[6], 3) * 4 + upto(k[5], 3)) * 4 + upto(k[4], 3)) * 4 + upto(k[3], 3);
    t[11] = (upto(free_of(q), 7) * 4 + upto(free_of(z), 3)) * 9 + B;
    t[12] = (B * 4 + upto(k[1], 3)) * 3 + upto(k[2], 2);
    t[13] = ((won * 8 + upto(k[3], 7)) * 4 + upto(z[3], 3)) * 4 + c3;
    t[14] = (upto(k[6], 4) * 5 + upto(z[6], 4)) * 9 + B;
    t[15] = ((Q * 9 + Z) * 4 + upto(q[3], 3)) * 3 + upto(z[3], 2);
    t[16] = ((Q * 9 + Z) * 4 + d3) * 3 + upto(x.slides / 3, 2);
    t[17] = (Q == NO_KIND ? 0
             : Q < 3      ? 1
                          : 2 + upto(s.evidence_quiet / 3, 31)) *
                4 +
            upto(q[3], 3);
    t[18] = (Z == NO_KIND ? 0
             : Z < 3      ? 1
                          : 2 + upto(s.evidence_closing / 3, 31)) *
                3 +
            upto(z[3], 2);
    t[19] = upto(2 * s.sum / 3, 63);
    t[20] = (upto(slot->known[0][RANK_WON], 7) * 8 + upto(slot->known[0][RANK_DRAWN], 7)) * 8 +
            upto(slot->known[0][RANK_LOST], 7);
    t[21] = ((upto(slot->known[1][RANK_WON], 2) * 3 + upto(slot->known[1][RANK_DRAWN], 2)) * 3 +
             upto(slot->known[1][RANK_LOST], 2)) *
                8 +
            upto(slot->known[0][RANK_WON], 7);
    t[22] = 0;
}

// The weights of a slot: numbers of pairs, won? and lost?.
static void find_features(const struct block *block, const struct slot *slot,
                          uint32_t features[MOST_FEATURES])
{
    const struct compact_decoder *decoder = block->decoder;
    uint32_t own = verify_apart(&decoder->file->index->bits, slot->own, block->row.free);
    int places[N_TABLES];
    for (int g = 0; g < decoder->n_images; g++)
        features[g] = decoder->first_weight[g] + block->row.pattern_part[g] +
                      decoder->own_part[0][own & 255][g] +
                      decoder->own_part[1][own >> 8 & 255][g] +
                      decoder->own_part[2][own >> 16][g];
    find_places(block, slot, places);
    for (int t = 0; t < N_TABLES; t++)
        features[decoder->n_images + t] =
            decoder->first_weight[decoder->n_images + t] + (uint32_t)places[t];
}

// ---- weights -------------------------------------------------------------------------------

enum { PATTERN_RATE = 72, TABLE_RATE = 20, LEAST_ERROR = 1024 };

static uint32_t chance_of(const struct compact_decoder *decoder, int64_t sum)
{
    sum = sum > MOST_SUM ? MOST_SUM : sum < -MOST_SUM ? -MOST_SUM : sum;
    int y = (int)((sum + 2048 + (INT64_C(1) << 40)) / 4096 - (INT64_C(1) << 28));
    return y >= 0 ? decoder->chances[y] : 65536 - decoder->chances[-y];
}

// One decision: 0 "won?", 1 "lost?".
static bool decide_by(struct block *block, const uint32_t *features, int decision)
{
    const struct compact_decoder *decoder = block->decoder;
    int32_t *weights = block->room->weights + decision;
    int n = decoder->n_images + N_TABLES;
    int64_t sum = 0;
    for (int k = 0; k < n; k++)
        sum += weights[2 * features[k]];
    uint32_t chance = chance_of(decoder, sum);
    bool yes = decide(&block->coder, chance);
    int error = (yes ? 65536 : 0) - (int)chance;
    if (abs(error) < LEAST_ERROR)
        return yes;
    for (int k = 0; k < n; k++) {
        int change = error * (k < decoder->n_images ? PATTERN_RATE : TABLE_RATE) / 1024;
        int32_t *weight = &weights[2 * features[k]];
        *weight = (int32_t)((uint32_t)*weight + (uint32_t)change);
        block->room->changed[features[k] / PAGE_WEIGHTS] = 1;
    }
    return yes;
}

static uint32_t n_pages(const struct compact_decoder *decoder)
{
    return (decoder->n_weights + PAGE_WEIGHTS - 1) / PAGE_WEIGHTS;
}

// All weights as they begin.
static void reset_weights(const struct compact_decoder *decoder, struct compact_room *room)
{
    for (uint32_t page = 0; page < n_pages(decoder); page++) {
        size_t first = 2 * (size_t)page * PAGE_WEIGHTS;
        size_t n = 2 * (size_t)decoder->n_weights - first;
        if (!room->changed[page])
            continue;
        n = n < 2 * PAGE_WEIGHTS ? n : 2 * PAGE_WEIGHTS;
        memcpy(room->weights + first, decoder->begin + first, n * sizeof *room->weights);
        room->changed[page] = 0;
    }
}

// ---- nodes ---------------------------------------------------------------------------------

static void note_draw(uint8_t *nodes, const struct slot *slot)
{
    uint8_t *last = NULL;
    int n = 0;
    for (int k = 0; k < slot->n_arrivals; k++) {
        uint8_t *node = &nodes[slot->arrivals[k].node];
        *node = *node >= FREE_NODE ? 1 : *node;
        if (*node == 1 || *node == 2) {
            last = node;
            n++;
        }
    }
    if (n == 1)
        *last = 2;
}

static void note_win(uint8_t *nodes, const struct slot *slot)
{
    int n = 0;
    for (int k = 0; k < slot->n_arrivals; k++)
        n += nodes[slot->arrivals[k].node] >= FREE_NODE;
    for (int k = 0; k < slot->n_arrivals; k++) {
        uint8_t *node = &nodes[slot->arrivals[k].node];
        if (*node >= FREE_NODE && *node < WON_NODE)
            *node = (uint8_t)(n == 1 ? WON_NODE : upto(*node + 1 + 11 / n, 254));
    }
}

static void note_value(uint8_t *nodes, const struct slot *slot, int rank)
{
    if (rank == RANK_DRAWN)
        note_draw(nodes, slot);
    else if (rank == RANK_WON)
        note_win(nodes, slot);
    else
        for (int k = 0; k < slot->n_arrivals; k++)
            nodes[slot->arrivals[k].node] = 0;
}

// ---- a block -------------------------------------------------------------------------------

// The first slot of the block that holds the same position, if it comes before this one.
static uint32_t twin_of(const struct block *block, uint32_t column, uint32_t own)
{
    const struct verify_index *index = block->decoder->file->index;
    const struct row *row = &block->row;
    uint32_t set = verify_apart(&index->bits, own, row->free), first = column;
    for (int m = 0; m < row->n_maps; m++) {
        uint32_t image = compact(block->decoder, row, verify_image(index, row->maps[m], set));
        uint32_t other = verify_rank(index, block->decoder->subspace->counts.a, image);
        if (other >= block->first && other < first)
            first = other;
    }
    return first;
}

static void decode_slot(struct block *block, uint32_t column, uint32_t own)
{
    struct slot slot;
    uint32_t features[MOST_FEATURES], twin = twin_of(block, column, own);
    int rank;
    look_at(block, column, own, &slot);
    if (twin < column) {
        rank = block->room->ranks[twin - block->first];
    } else {
        find_features(block, &slot, features);
        rank = decide_by(block, features, 0)   ? RANK_WON
               : decide_by(block, features, 1) ? RANK_LOST
                                               : RANK_DRAWN;
    }
    block->room->ranks[column - block->first] = (uint8_t)rank;
    note_value(block->room->nodes, &slot, rank);
    block->last[2] = block->last[1];
    block->last[1] = block->last[0];
    block->last[0] = rank;
}

static void decode_strand(struct block *block, int strand, uint32_t own)
{
    const struct row *row = &block->row;
    for (uint32_t k = 0; k < block->n; k++, own = verify_set_after(own)) {
        int parity = (__builtin_popcount(own & row->dark) + row->parity) & 1;
        if (strand == STRAND_ALL || strand == (parity ? STRAND_ODD : STRAND_EVEN))
            decode_slot(block, block->first + k, own);
    }
}

static uint8_t value_of(int rank)
{
    static const uint8_t values[] = {[RANK_LOST] = LOSS,
                                     [RANK_DRAWN] = BYTE_DRAW,
                                     [RANK_WON] = WIN,
                                     [RANK_UNKNOWN] = NOT_STORED};
    return values[rank];
}

// The columns from `first` on of the row that is open.
static void decode_block(struct block *block, uint32_t first, const uint8_t *bytes,
                         uint32_t n_bytes, uint8_t *values)
{
    const struct compact_decoder *decoder = block->decoder;
    int strands = decoder->subspace->strands;
    block->first = first;
    block->n =
        decoder->n_columns - first < PIECE_COLUMNS ? decoder->n_columns - first : PIECE_COLUMNS;
    block->coder = start_coder(bytes, bytes + n_bytes);
    memset(block->last, 0, sizeof block->last);
    memset(block->room->ranks, RANK_UNKNOWN, block->n);
    memset(block->room->nodes, FREE_NODE, block->room->n_nodes);
    reset_weights(decoder, block->room);
    uint32_t set = compact(decoder, &block->row,
                           merels_verify_column_set(decoder->file->index, block->row.other,
                                                    decoder->subspace->counts.a, first));
    for (int strand = 1; strand <= STRAND_ALL; strand *= 2)
        if ((strands & strand) != 0)
            decode_strand(block, strand, set);
    for (uint32_t k = 0; k < block->n; k++)
        values[k] = value_of(block->room->ranks[k]);
}

// ---- groups --------------------------------------------------------------------------------

// The bytes of a group.
static enum status find_group(const struct compact_decoder *decoder, uint32_t group,
                              const uint8_t **bytes, const uint8_t **end, struct error *err)
{
    const struct compact_file *file = decoder->file;
    const uint8_t *entry = file->bytes + decoder->subspace->groups + 16 * (uint64_t)group;
    uint64_t from = compact_number(entry, 8), to = compact_number(entry + 16, 8);
    if (from > to || to > file->n_bytes || to - from > file->most_bytes ||
        merels_verify_sum(file->bytes + from, to - from) != compact_number(entry + 8, 8))
        return damaged(err, "a group");
    *bytes = file->bytes + from;
    *end = file->bytes + to;
    return STATUS_OK;
}

static bool take_length(const uint8_t **at, const uint8_t *end, uint32_t *length)
{
    *length = 0;
    for (int k = 0; k < 4 && *at < end; k++) {
        uint8_t byte = *(*at)++;
        *length |= (uint32_t)(byte & 127) << (7 * k);
        if (byte < 128)
            return true;
    }
    return false;
}

enum status merels_verify_decode_group(const struct compact_decoder *decoder,
                                       struct compact_room *room, uint32_t group,
                                       uint8_t *values, struct error *err)
{
    const uint8_t *lengths = NULL, *end = NULL, *at;
    uint32_t first_row, length, n_rows = merels_verify_group_rows(decoder, group, &first_row);
    uint32_t n_pieces = (decoder->n_columns + PIECE_COLUMNS - 1) / PIECE_COLUMNS;
    enum status status = find_group(decoder, group, &lengths, &end, err);
    if (status != STATUS_OK)
        return status;
    at = lengths;
    for (uint32_t k = 0; k < n_rows * n_pieces; k++)
        if (!take_length(&at, end, &length))
            return damaged(err, "lengths of blocks");
    struct block block = {.decoder = decoder, .room = room};
    for (uint32_t k = 0; k < n_rows * n_pieces; k++) {
        uint32_t piece = k % n_pieces;
        if (!take_length(&lengths, end, &length) || length > (uint64_t)(end - at))
            return damaged(err, "lengths of blocks");
        if (piece == 0)
            open_row(decoder, first_row + k / n_pieces, &block.row);
        decode_block(&block, piece * PIECE_COLUMNS, at, length,
                     values + (size_t)(k / n_pieces) * decoder->n_columns +
                         piece * PIECE_COLUMNS);
        at += length;
    }
    return at == end ? STATUS_OK : damaged(err, "bytes behind the blocks of a group");
}

uint32_t merels_verify_groups(const struct compact_decoder *decoder)
{
    return decoder->n_groups;
}

uint32_t merels_verify_group_rows(const struct compact_decoder *decoder, uint32_t group,
                                  uint32_t *first_row)
{
    uint32_t each = decoder->subspace->group_rows, rest;
    *first_row = group * each;
    rest = decoder->classes->n_rows - *first_row;
    return rest < each ? rest : each;
}

// ---- making --------------------------------------------------------------------------------

static void know_steps(struct compact_decoder *decoder)
{
    const struct verify_rules *rules = &decoder->file->index->rules;
    struct counts k = decoder->subspace->counts;
    decoder->places = k.ha > 0;
    decoder->moves = k.ha == 0 || rules->place_or_move;
    decoder->flies =
        rules->fly_total ? k.a + k.ha <= rules->fly : k.ha == 0 && k.a <= rules->fly;
    decoder->most_class = rules->each ? 2 : 1;
    decoder->n_free = rules->n_points - k.b;
    decoder->n_columns = (uint32_t)decoder->file->index->choose[decoder->n_free][k.a];
    decoder->n_sets[0] = decoder->n_columns;
    decoder->n_sets[1] = k.a < decoder->n_free
                             ? (uint32_t)decoder->file->index->choose[decoder->n_free][k.a + 1]
                             : 0;
}

static void fill_chances(struct compact_decoder *decoder)
{
    for (int y = 0; y <= MOST_SUM / 4096; y++) {
        long chance = lround(65536 / (1 + exp(-y / 16.0)));
        decoder->chances[y] = chance > 65535 ? 65535 : (uint32_t)chance;
    }
}

static enum status check_groups(struct compact_decoder *decoder, struct error *err)
{
    const struct compact_subspace *s = decoder->subspace;
    const struct compact_file *file = decoder->file;
    uint64_t n_rows = decoder->classes->n_rows;
    decoder->n_groups = (uint32_t)((n_rows + s->group_rows - 1) / s->group_rows);
    uint64_t n_bytes = 16 * ((uint64_t)decoder->n_groups + 1);
    if (s->groups > file->n_bytes || n_bytes > file->n_bytes - s->groups ||
        compact_number(file->bytes + s->groups + n_bytes - 8, 8) != 0)
        return damaged(err, "the index of groups");
    return STATUS_OK;
}

enum status merels_verify_decoder_create(const struct compact_file *file,
                                         const struct compact_subspace *subspace,
                                         const struct classes *classes,
                                         struct compact_decoder **decoder, struct error *err)
{
    struct compact_decoder *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a model");
    made->file = file;
    made->subspace = subspace;
    made->classes = classes;
    know_steps(made);
    fill_chances(made);
    enum status status = check_groups(made, err);
    if (status == STATUS_OK)
        status = load_model(made, err);
    if (status == STATUS_OK)
        *decoder = made;
    else
        merels_verify_decoder_destroy(made);
    return status;
}

void merels_verify_decoder_destroy(struct compact_decoder *decoder)
{
    if (decoder != NULL)
        free(decoder->begin);
    free(decoder);
}

enum status merels_verify_compact_room(const struct compact_decoder *decoder,
                                       struct compact_room **room, struct error *err)
{
    struct compact_room *made = calloc(1, sizeof *made);
    uint32_t n_classes = (uint32_t)decoder->most_class + 1;
    if (made != NULL) {
        made->n_nodes = n_classes * (decoder->n_sets[0] + decoder->n_sets[1]);
        made->nodes = malloc(made->n_nodes + 1);
        made->weights = malloc(2 * (size_t)decoder->n_weights * sizeof *made->weights);
        made->changed = malloc(n_pages(decoder));
    }
    if (made == NULL || made->nodes == NULL || made->weights == NULL || made->changed == NULL) {
        merels_verify_compact_room_destroy(made);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a block");
    }
    memset(made->changed, 1, n_pages(decoder));
    *room = made;
    return STATUS_OK;
}

void merels_verify_compact_room_destroy(struct compact_room *room)
{
    if (room != NULL) {
        free(room->nodes);
        free(room->weights);
        free(room->changed);
    }
    free(room);
}
