// divided_output.c: pieces to their ranks, blocks to their places.

#include "solver/divided_output.h"

#include <stdlib.h>
#include <string.h>

#include "db/value_hash.h"
#include "solver/exchange.h"
#include "work/table_output.h"

// Of all tables: a block is stored in some 3 bits a slot, in 4 at most but for the smallest.
enum { STORED_SLOTS_PER_BYTE = 2, VALUE_BYTES_MOST = 2 };

struct divided {
    struct engine *engine;
    const struct divided_table *table;
    struct ranks *ranks;
    int n, me;
    uint64_t n_slots;        // of the table
    uint64_t *first, *begin; // by rank, and behind the last: its first slot; that of its pieces
    uint8_t *head, *tail;    // slots of pieces of others; slots of others of pieces here
    uint64_t n_given;        // of the head that have been sent
    uint64_t *n_got;         // of the tail, by rank
};

uint64_t merels_divided_bytes(uint64_t n_slots)
{
    return n_slots / STORED_SLOTS_PER_BYTE + 2 * (uint64_t)VALUE_BYTES_MOST * HASH_PIECE_SLOTS;
}

// ---- who has what --------------------------------------------------------------------------

static uint64_t next_piece(uint64_t slot, uint64_t n_slots)
{
    uint64_t pieces = (slot + HASH_PIECE_SLOTS - 1) / HASH_PIECE_SLOTS;
    return pieces * HASH_PIECE_SLOTS < n_slots ? pieces * HASH_PIECE_SLOTS : n_slots;
}

static enum status lay_out(struct divided *d, struct error *err)
{
    const struct side *side = d->table->side;
    d->first = calloc((size_t)d->n + 1, sizeof *d->first);
    d->begin = calloc((size_t)d->n + 1, sizeof *d->begin);
    if (d->first == NULL || d->begin == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a divided table");
    for (int r = 0; r <= d->n; r++) {
        uint64_t row = side->n_rows;
        if (r < d->n)
            row = merels_unit_slice(d->engine->unit, side, r).first;
        d->first[r] = row * side->n_columns;
        d->begin[r] = next_piece(d->first[r], d->n_slots);
    }
    return STATUS_OK;
}

// Slots of this rank that are of a piece which begins before it.
static uint64_t head_slots(const struct divided *d)
{
    uint64_t end =
        d->begin[d->me] < d->first[d->me + 1] ? d->begin[d->me] : d->first[d->me + 1];
    return end - d->first[d->me];
}

// The rank whose pieces include a slot.
static int rank_of_piece(const struct divided *d, uint64_t slot)
{
    int r = 0;
    while (r + 1 < d->n && d->begin[r + 1] <= slot)
        r++;
    return r;
}

// ---- heads to their ranks ------------------------------------------------------------------

static size_t give_head(void *context, int rank, size_t room, uint8_t *bytes)
{
    struct divided *d = context;
    size_t value_bytes = (size_t)d->table->value_bytes;
    uint64_t left = head_slots(d) - d->n_given;
    if (left == 0 || rank != rank_of_piece(d, d->first[d->me]))
        return 0;
    uint64_t n = room / value_bytes < left ? room / value_bytes : left;
    memcpy(bytes, d->head + d->n_given * value_bytes, (size_t)n * value_bytes);
    d->n_given += n;
    return (size_t)n * value_bytes;
}

static void take_tail(void *context, int rank, const uint8_t *bytes, size_t n_bytes)
{
    struct divided *d = context;
    size_t value_bytes = (size_t)d->table->value_bytes;
    uint64_t at = d->first[rank] + d->n_got[rank] - d->first[d->me + 1];
    memcpy(d->tail + at * value_bytes, bytes, n_bytes);
    d->n_got[rank] += n_bytes / value_bytes;
}

// Slots of the pieces of this rank, and of them those that other ranks have.
static uint64_t part_slots(const struct divided *d)
{
    return d->begin[d->me + 1] - d->begin[d->me];
}

static uint64_t tail_slots(const struct divided *d)
{
    return part_slots(d) > 0 ? d->begin[d->me + 1] - d->first[d->me + 1] : 0;
}

static enum status send_heads(struct divided *d, struct error *err)
{
    size_t value_bytes = (size_t)d->table->value_bytes;
    const struct goods goods = {give_head, take_tail, d};
    d->head = malloc((size_t)head_slots(d) * value_bytes + 1);
    d->tail = malloc((size_t)tail_slots(d) * value_bytes + 1);
    d->n_got = calloc((size_t)d->n, sizeof *d->n_got);
    if (d->head == NULL || d->tail == NULL || d->n_got == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a divided table");
    enum status status =
        d->table->read(d->table->context, 0, (size_t)head_slots(d), d->head, err);
    return status == STATUS_OK ? merels_exchange_goods(d->engine->exchange, &goods, err)
                               : status;
}

// ---- pieces --------------------------------------------------------------------------------

static enum status append_own(struct divided *d, struct table_output *output, struct error *err)
{
    uint64_t batch = merels_table_output_batch(output);
    uint64_t done = head_slots(d), all = d->first[d->me + 1] - d->first[d->me], begun = done;
    uint8_t *room = malloc((size_t)batch * (size_t)d->table->value_bytes);
    if (room == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a divided table");
    enum status status = STATUS_OK;
    while (done < all && status == STATUS_OK) {
        uint64_t n = all - done < batch ? all - done : batch;
        status = d->table->read(d->table->context, done, (size_t)n, room, err);
        if (status == STATUS_OK)
            status = merels_table_output_append(output, room, n, err);
        done += n;
        if (status == STATUS_OK &&
            merels_meter_tick(d->engine->meter, (double)(done - begun) / (double)(all - begun)))
            status = merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    free(room);
    return status;
}

static enum status make_part(struct divided *d, struct table_part *part, struct error *err)
{
    struct table_output *output;
    uint64_t n_tail = tail_slots(d);
    enum status status = merels_table_output_create_part(edition_of_rules(d->engine->rules),
                                                         d->table->value_bytes, part_slots(d),
                                                         d->engine->n_threads, &output, err);
    if (status != STATUS_OK)
        return status;
    if (part_slots(d) > 0)
        status = append_own(d, output, err);
    if (status == STATUS_OK && n_tail > 0)
        status = merels_table_output_append(output, d->tail, n_tail, err);
    if (status == STATUS_OK)
        return merels_table_output_end_part(output, part, err);
    merels_table_output_abort(output);
    return status;
}

// ---- places --------------------------------------------------------------------------------

// What all have to know of each part; `start`, of rank 0: where the blocks begin in the file.
struct extent {
    uint64_t start, n_bytes, n_blocks, n_pieces;
};

static enum status write_part(const struct divided *d, const struct table_part *part,
                              const struct extent *extents, struct error *err)
{
    uint64_t offset = extents[0].start;
    for (int r = 0; r < d->me; r++)
        offset += extents[r].n_bytes;
    double until = 0;
    enum status status = STATUS_OK;
    if (part->n_bytes == 0)
        return STATUS_OK;
    do
        status = merels_table_write_part(d->engine->dir, d->table->side->subspace,
                                         edition_of_rules(d->engine->rules), offset,
                                         part->bytes, part->n_bytes, err);
    while (status == STATUS_MISSING &&
           merels_ranks_waits(d->ranks, RANKS_SECONDS_TO_APPEAR, &until));
    return status;
}

// A part's card, as all of them share it: checksums, digests, lengths, each with the room that
// the largest part needs.
struct card {
    size_t digests, lengths, n_bytes; // where these begin; of all
};

static struct card card_of(const struct extent *extents, int n)
{
    uint64_t n_blocks = 0, n_pieces = 0;
    for (int r = 0; r < n; r++) {
        n_blocks = extents[r].n_blocks > n_blocks ? extents[r].n_blocks : n_blocks;
        n_pieces = extents[r].n_pieces > n_pieces ? extents[r].n_pieces : n_pieces;
    }
    struct card card = {.digests = (size_t)n_blocks * sizeof(uint64_t)};
    card.lengths = card.digests + (size_t)n_pieces * SHA256_BYTES;
    card.n_bytes = card.lengths + (size_t)(n_blocks + n_blocks % 2) * sizeof(uint32_t);
    return card;
}

static void fill_card(const struct table_part *part, const struct card *card, uint8_t *bytes)
{
    size_t n = (size_t)part->blocks.n;
    memcpy(bytes, part->blocks.checksums, n * sizeof *part->blocks.checksums);
    memcpy(bytes + card->digests, part->digests, (size_t)part->n_pieces * SHA256_BYTES);
    memcpy(bytes + card->lengths, part->blocks.n_bytes, n * sizeof *part->blocks.n_bytes);
}

// Rank 0: enters the blocks of all, and gives the file its name.
static enum status finish_file(const struct divided *d, struct table_writer *writer,
                               const struct extent *extents, const struct card *card,
                               uint8_t *cards, const struct table_stats *stats,
                               struct error *err)
{
    uint8_t digest[SHA256_BYTES];
    struct value_hash hash;
    uint64_t n_pieces = 0;
    enum status status = merels_value_hash_create(d->n_slots, &hash, err);
    for (int r = 0; r < d->n && status == STATUS_OK; r++) {
        uint8_t *bytes = cards + (size_t)r * card->n_bytes;
        const struct written_blocks blocks = {.n = extents[r].n_blocks,
                                              .n_bytes =
                                                  (uint32_t *)(void *)(bytes + card->lengths),
                                              .checksums = (uint64_t *)(void *)bytes};
        memcpy(hash.digests + n_pieces * SHA256_BYTES, bytes + card->digests,
               (size_t)extents[r].n_pieces * SHA256_BYTES);
        n_pieces += extents[r].n_pieces;
        status = merels_table_append_written(writer, &blocks, err);
    }
    if (status == STATUS_OK)
        status = merels_value_hash_finish(&hash, digest, err);
    merels_value_hash_destroy(&hash);
    if (status == STATUS_OK)
        return merels_table_finish(writer, stats, digest, err);
    merels_table_abort(writer);
    return status;
}

// `writer` is rank 0's and is used up.
static enum status put_together(const struct divided *d, const struct table_part *part,
                                struct table_writer *writer, const struct extent *extents,
                                const struct table_stats *stats, struct error *err)
{
    struct card card = card_of(extents, d->n);
    uint8_t *mine = calloc(card.n_bytes + 1, 1),
            *cards = calloc((size_t)d->n, card.n_bytes + 1);
    enum status status = STATUS_OK;
    if (mine == NULL || cards == NULL)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for a divided table");
    if (status == STATUS_OK)
        status = write_part(d, part, extents, err);
    if (status == STATUS_OK) {
        fill_card(part, &card, mine);
        status = merels_ranks_share(d->ranks, mine, card.n_bytes, cards, err);
    }
    if (status == STATUS_OK && writer != NULL)
        status = finish_file(d, writer, extents, &card, cards, stats, err);
    else
        merels_table_abort(writer);
    free(mine);
    free(cards);
    return status;
}

// The file is there before any rank writes to it: rank 0 makes it before it tells where.
static enum status write_parts(const struct divided *d, const struct table_part *part,
                               const struct table_stats *stats, struct error *err)
{
    struct table_writer *writer = NULL;
    struct extent mine = {0, part->n_bytes, part->blocks.n, part->n_pieces};
    struct extent *extents = calloc((size_t)d->n, sizeof *extents);
    enum status status = STATUS_OK;
    if (extents == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a divided table");
    if (d->me == 0)
        status = merels_table_create(d->engine->dir, d->engine->rules, d->table->side->subspace,
                                     edition_of_rules(d->engine->rules), d->table->value_bytes,
                                     &writer, err);
    mine.start = writer != NULL ? merels_table_end(writer) : 0;
    if (status == STATUS_OK)
        status = merels_ranks_share(d->ranks, &mine, sizeof mine, extents, err);
    if (status == STATUS_OK)
        status = put_together(d, part, writer, extents, stats, err);
    else
        merels_table_abort(writer);
    free(extents);
    return status;
}

enum status merels_divided_write(struct engine *engine, const struct divided_table *table,
                                 const struct table_stats *stats, struct error *err)
{
    struct divided d = {.engine = engine,
                        .table = table,
                        .ranks = merels_exchange_ranks(engine->exchange),
                        .n_slots = (uint64_t)table->side->n_rows * table->side->n_columns};
    struct table_part part = {0};
    d.n = merels_ranks_count(d.ranks);
    d.me = merels_ranks_number(d.ranks);
    enum status status = lay_out(&d, err);
    if (status == STATUS_OK)
        status = send_heads(&d, err);
    if (status == STATUS_OK)
        status = make_part(&d, &part, err);
    if (status == STATUS_OK)
        status = write_parts(&d, &part, stats, err);
    merels_table_part_free(&part);
    free(d.first);
    free(d.begin);
    free(d.head);
    free(d.tail);
    free(d.n_got);
    return status;
}
