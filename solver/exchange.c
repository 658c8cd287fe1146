// exchange.c: rounds of letters from all to all.
//
// What goes to a rank in a round:
//
//     list << 24 | bucket, n, item 1 ... item n | list << 24 | bucket, n, ...

#include "solver/exchange.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

// Room for all letters of a round, each way, shared by the ranks.
enum { ROUND_BYTES = 8 << 20, LEAST_ROOM = 16 << 10, HEAD_WORDS = 2, LIST_SHIFT = 24 };

struct exchange {
    struct ranks *ranks;
    int n_ranks, me, n_threads;
    size_t room; // bytes of a letter
    uint8_t *out, *in;
    uint32_t *out_bytes, *in_bytes;
    uint32_t *next; // by rank: the next bucket to look at, over all lists
    struct traffic traffic;
    bool interrupted;
};

static size_t room_of(int n_ranks)
{
    size_t room = ROUND_BYTES / (size_t)n_ranks / sizeof(uint64_t) * sizeof(uint64_t);
    return room < LEAST_ROOM ? LEAST_ROOM : room;
}

uint64_t merels_exchange_bytes(int n_ranks)
{
    return 2 * (uint64_t)n_ranks * (room_of(n_ranks) + 2 * sizeof(uint32_t));
}

enum status merels_exchange_create(struct ranks *ranks, int n_threads,
                                   struct exchange **exchange, struct error *err)
{
    struct exchange *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for an exchange");
    size_t n = (size_t)merels_ranks_count(ranks);
    *made = (struct exchange){.ranks = ranks,
                              .n_ranks = (int)n,
                              .me = merels_ranks_number(ranks),
                              .n_threads = n_threads,
                              .room = room_of((int)n)};
    made->out = malloc(n * made->room);
    made->in = malloc(n * made->room);
    made->out_bytes = calloc(n, sizeof *made->out_bytes);
    made->in_bytes = calloc(n, sizeof *made->in_bytes);
    made->next = calloc(n, sizeof *made->next);
    if (made->out == NULL || made->in == NULL || made->out_bytes == NULL ||
        made->in_bytes == NULL || made->next == NULL) {
        merels_exchange_destroy(made);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for an exchange");
    }
    *exchange = made;
    return STATUS_OK;
}

void merels_exchange_destroy(struct exchange *exchange)
{
    if (exchange == NULL || exchange->interrupted)
        return;
    free(exchange->out);
    free(exchange->in);
    free(exchange->out_bytes);
    free(exchange->in_bytes);
    free(exchange->next);
    free(exchange);
}

struct ranks *merels_exchange_ranks(const struct exchange *exchange)
{
    return exchange->ranks;
}

struct traffic merels_exchange_traffic(const struct exchange *exchange)
{
    return exchange->traffic;
}

void merels_exchange_call(struct exchange *exchange)
{
    exchange->traffic.n_calls++;
    merels_ranks_call(exchange->ranks);
}

bool merels_exchange_called(struct exchange *exchange)
{
    return merels_ranks_called(exchange->ranks);
}

// ---- packing -------------------------------------------------------------------------------

struct letter {
    uint32_t *words;
    size_t n, room;
};

static void add_head(struct letter *letter, int list, uint32_t bucket, uint32_t n)
{
    letter->words[letter->n] = (uint32_t)list << LIST_SHIFT | bucket;
    letter->words[letter->n + 1] = n;
    letter->n += HEAD_WORDS + n;
}

// The lists of a bucket, as far as there is room; false if some are left.
static bool pack_bucket(struct turn_lists *lists, int list, uint32_t bucket,
                        struct letter *letter)
{
    for (;;) {
        if (letter->room < letter->n + HEAD_WORDS + 1)
            return false;
        size_t room = letter->room - letter->n - HEAD_WORDS;
        size_t n =
            merels_turn_take(lists, bucket, room, letter->words + letter->n + HEAD_WORDS);
        if (n == 0)
            return true;
        add_head(letter, list, bucket, (uint32_t)n);
    }
}

// All buckets of a rank in turn; the place where it stops is noted.
static bool pack_rank(const struct exchange *exchange, const struct exchanged *what, int rank,
                      struct letter *letter)
{
    uint32_t before = 0, *next = &exchange->next[rank];
    for (int k = 0; k < what->n; k++) {
        struct turn_lists *lists = what->lists[k];
        struct row_range slice = merels_unit_slice(what->unit, what->sides[k], rank);
        uint32_t first = (slice.first - what->sides[k]->reach.first) >> lists->row_bits;
        uint32_t n = slice.n == 0 ? 0 : ((slice.n - 1) >> lists->row_bits) + 1;
        for (; *next < before + n; ++*next)
            if (!pack_bucket(lists, k, first + *next - before, letter))
                return false;
        before += n;
    }
    return true;
}

// Turns that found no chunk, one by one; those to this rank were carried out at once.
static bool pack_rests(const struct exchange *exchange, const struct exchanged *what)
{
    bool all = true;
    for (int k = 0; k < what->n; k++)
        for (int t = 0; t < what->lists[k]->n_threads; t++) {
            struct turn_rest *rest = &what->lists[k]->rests[t];
            while (rest->n > 0) {
                uint32_t bucket = (uint32_t)(rest->items[rest->n - 1] >> 32);
                int to = merels_unit_owner(what->unit, what->sides[k], what->lists[k], bucket);
                struct letter letter = {
                    .words = (uint32_t *)(void *)(exchange->out + (size_t)to * exchange->room),
                    .n = exchange->out_bytes[to] / sizeof(uint32_t),
                    .room = exchange->room / sizeof(uint32_t)};
                if (letter.room < letter.n + HEAD_WORDS + 1) {
                    all = false;
                    break;
                }
                letter.words[letter.n + HEAD_WORDS] = (uint32_t)rest->items[--rest->n];
                add_head(&letter, k, bucket, 1);
                exchange->out_bytes[to] = (uint32_t)(letter.n * sizeof(uint32_t));
            }
        }
    return all;
}

// Fills the letters of a round; false if something is left for another one.
static bool pack(struct exchange *exchange, const struct exchanged *what)
{
    bool all = true;
#pragma omp parallel for schedule(dynamic, 1) num_threads(exchange->n_threads)                 \
    reduction(&& : all)
    for (int r = 0; r < exchange->n_ranks; r++) {
        struct letter letter = {
            .words = (uint32_t *)(void *)(exchange->out + (size_t)r * exchange->room),
            .room = exchange->room / sizeof(uint32_t)};
        if (r != exchange->me)
            all = pack_rank(exchange, what, r, &letter) && all;
        exchange->out_bytes[r] = (uint32_t)(letter.n * sizeof(uint32_t));
    }
    return pack_rests(exchange, what) && all;
}

// ---- carrying out --------------------------------------------------------------------------

// Each thread goes through all heads and carries out the buckets that are its own.
static void carry_out(const struct exchange *exchange, const struct exchanged *what)
{
#pragma omp parallel num_threads(exchange->n_threads)
    {
        uint32_t me = (uint32_t)omp_get_thread_num(), n_threads = (uint32_t)exchange->n_threads;
        for (int r = 0; r < exchange->n_ranks; r++) {
            const uint32_t *at =
                (const uint32_t *)(const void *)(exchange->in + (size_t)r * exchange->room);
            const uint32_t *end = at + exchange->in_bytes[r] / sizeof *at;
            for (; at < end; at += HEAD_WORDS + at[1]) {
                uint32_t bucket = at[0] & ((1u << LIST_SHIFT) - 1);
                if (bucket % n_threads == me)
                    what->carry_out(what->context, (int)(at[0] >> LIST_SHIFT), bucket,
                                    at + HEAD_WORDS, at[1]);
            }
        }
    }
}

// ---- meeting -------------------------------------------------------------------------------

static enum status swap(struct exchange *exchange, struct error *err)
{
    for (int r = 0; r < exchange->n_ranks; r++)
        exchange->traffic.n_bytes += r != exchange->me ? exchange->out_bytes[r] : 0;
    return merels_ranks_swap(exchange->ranks, exchange->room, exchange->out,
                             exchange->out_bytes, exchange->in, exchange->in_bytes, err);
}

static bool has_lost(const struct exchanged *what)
{
    bool lost = false;
    for (int k = 0; k < what->n; k++)
        for (int t = 0; t < what->lists[k]->n_threads; t++)
            lost |= what->lists[k]->rests[t].lost;
    return lost;
}

static enum status note(struct exchange *exchange, enum status status)
{
    exchange->interrupted |= status == STATUS_INTERRUPTED;
    return status;
}

enum status merels_exchange_meet(struct exchange *exchange, const struct exchanged *what,
                                 bool finished, bool *all_finished, struct error *err)
{
    if (has_lost(what))
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for turns to other ranks");
    enum status status = merels_ranks_answer(exchange->ranks, err);
    memset(exchange->next, 0, (size_t)exchange->n_ranks * sizeof *exchange->next);
    exchange->traffic.n_meetings++;
    for (bool more = true; more && status == STATUS_OK;) {
        uint64_t open[2] = {!pack(exchange, what), !finished}; // ranks with more; not finished
        status = swap(exchange, err);
        if (status == STATUS_OK)
            carry_out(exchange, what);
        if (status == STATUS_OK)
            status = merels_ranks_sum(exchange->ranks, open, 2, err);
        more = open[0] != 0;
        *all_finished = open[1] == 0;
    }
    return note(exchange, status);
}

enum status merels_exchange_goods(struct exchange *exchange, const struct goods *goods,
                                  struct error *err)
{
    enum status status = STATUS_OK;
    for (bool more = true; more && status == STATUS_OK;) {
        uint64_t n_given = 0;
        for (int r = 0; r < exchange->n_ranks; r++) {
            uint8_t *bytes = exchange->out + (size_t)r * exchange->room;
            exchange->out_bytes[r] =
                (uint32_t)goods->give(goods->context, r, exchange->room, bytes);
            n_given += exchange->out_bytes[r];
        }
        status = swap(exchange, err);
        for (int r = 0; r < exchange->n_ranks && status == STATUS_OK; r++)
            if (exchange->in_bytes[r] > 0)
                goods->take(goods->context, r, exchange->in + (size_t)r * exchange->room,
                            exchange->in_bytes[r]);
        if (status == STATUS_OK)
            status = merels_ranks_sum(exchange->ranks, &n_given, 1, err);
        more = n_given != 0;
    }
    return note(exchange, status);
}
