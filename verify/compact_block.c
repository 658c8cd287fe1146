// compact_block.c: the walk over the blocks of a group: decisions, the weights that learn from
// them, and the nodes of arrivals.
//
// What a slot is made of is found by block_slot.c, in a row by block_row.c, with a model by
// block_model.c; bits come from block_coder.c.

#include "verify/compact_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/block_slot.h"
#include "verify/compact_sums.h"
#include "verify/judge_slot.h"
#include "verify/verify_value.h"

enum { PAGE_WEIGHTS = 64 }; // of each decision

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
    bool yes = merels_verify_decide(&block->room->coder, chance);
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

// What a win makes of a node, one of n that may have given it.
static uint8_t grown(int node, int n)
{
    int more = node + 1 + 11 / n;
    return (uint8_t)(n == 1 ? WON_NODE : more < WON_NODE ? more : WON_NODE - 1);
}

static void note_win(uint8_t *nodes, const struct slot *slot)
{
    int n = 0;
    for (int k = 0; k < slot->n_arrivals; k++)
        n += nodes[slot->arrivals[k].node] >= FREE_NODE;
    for (int k = 0; k < slot->n_arrivals; k++) {
        uint8_t *node = &nodes[slot->arrivals[k].node];
        if (*node >= FREE_NODE && *node < WON_NODE)
            *node = grown(*node, n);
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
        uint32_t image =
            compact_set(block->decoder, row, verify_image(index, row->maps[m], set));
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
    merels_verify_look_at(block, column, own, &slot);
    if (twin < column) {
        rank = block->room->ranks[twin - block->first];
    } else {
        merels_verify_features(block, &slot, features);
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
    block->room->coder = merels_verify_coder(bytes, bytes + n_bytes);
    memset(block->last, 0, sizeof block->last);
    memset(block->room->ranks, RANK_UNKNOWN, block->n);
    memset(block->room->nodes, FREE_NODE, block->room->n_nodes);
    reset_weights(decoder, block->room);
    uint32_t set = compact_set(decoder, &block->row,
                               merels_verify_column_set(decoder->file->index, block->row.other,
                                                        decoder->subspace->counts.a, first));
    for (int strand = 1; strand <= STRAND_ALL; strand *= 2)
        if ((strands & strand) != 0)
            decode_strand(block, strand, set);
    for (uint32_t k = 0; k < block->n; k++)
        values[k] = value_of(block->room->ranks[k]);
}

// ---- groups --------------------------------------------------------------------------------

static enum status damaged(const struct compact_decoder *decoder, const char *what,
                           struct error *err)
{
    return merels_verify_damaged(decoder->subspace->counts, what, err);
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
    enum status status =
        merels_verify_group_bytes(decoder->file, decoder->subspace, group, &lengths, &end, err);
    if (status != STATUS_OK)
        return status;
    at = lengths;
    for (uint32_t k = 0; k < n_rows * n_pieces; k++)
        if (!take_length(&at, end, &length))
            return damaged(decoder, "lengths of blocks", err);
    struct block block = {.decoder = decoder, .room = room};
    for (uint32_t k = 0; k < n_rows * n_pieces; k++) {
        uint32_t piece = k % n_pieces;
        if (!take_length(&lengths, end, &length) || length > (uint64_t)(end - at))
            return damaged(decoder, "lengths of blocks", err);
        if (piece == 0)
            merels_verify_open_row(decoder, first_row + k / n_pieces, &block.row);
        decode_block(&block, piece * PIECE_COLUMNS, at, length,
                     values + (size_t)(k / n_pieces) * decoder->n_columns +
                         piece * PIECE_COLUMNS);
        at += length;
    }
    return at == end ? STATUS_OK : damaged(decoder, "bytes behind the blocks of a group", err);
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
    enum status status = merels_verify_count_groups(file, subspace, &made->n_groups, err);
    if (status == STATUS_OK)
        status = merels_verify_load_model(made, err);
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
