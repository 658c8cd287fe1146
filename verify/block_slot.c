// block_slot.c: steps and counts of a slot, by loops over men and mills.

#include "verify/block_slot.h"

#include <string.h>

#include "verify/judge_slot.h"

enum { NO_KIND = 8 };

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

void merels_verify_look_at(const struct block *block, uint32_t column, uint32_t own,
                           struct slot *slot)
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

void merels_verify_features(const struct block *block, const struct slot *slot,
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
