// test_compact_reader.c: the reader of edition compact where not all is well: bytes that come
// late, in any order; little memory; positions without an answer; every byte damaged, every
// truncation.

#include "game/rules_text.h"
#include "tests/compact/host.h"

static struct position empty_board(struct start start)
{
    return merels_position_start(&start);
}

Test(compact_reader, no_position_and_none_that_is_covered)
{
    struct exported game = exported("three");
    struct host *host = &game.host;
    struct position pos = empty_board(game.start);
    int value = 7;
    cr_assert_eq(open_host(host), MERELS_COMPACT_OK);
    pos.own = pos.other = 1;
    cr_assert_eq(ask(host, &pos, &value), MERELS_COMPACT_ILLEGAL);
    pos.other = 1 << 9;
    cr_assert_eq(ask(host, &pos, &value), MERELS_COMPACT_ILLEGAL);
    pos = (struct position){.own_hand = 4, .other_hand = 4};
    cr_assert_eq(ask(host, &pos, &value), MERELS_COMPACT_NOT_COVERED);
    cr_assert_eq(value, 7);
    drop(&game);
}

// The room for plies is counted before anything is looked up.
Test(compact_reader, little_room_for_plies)
{
    struct exported game = exported("three");
    struct host *host = &game.host;
    struct merels_compact_ply plies[9];
    const struct position pos = empty_board(game.start);
    const struct merels_compact_position p = asked(&pos);
    size_t n = 7;
    cr_assert_eq(open_host(host), MERELS_COMPACT_OK);
    cr_assert_eq(merels_compact_rank(host->reader, &p, plies, 8, &n), MERELS_COMPACT_NO_MEMORY);
    cr_assert_eq(n, 9);
    cr_assert_eq(merels_compact_rank(host->reader, &p, plies, 9, &n), MERELS_COMPACT_OK);
    cr_assert(plies[0].from == -1 && plies[0].to == 4 && plies[0].value == 1);
    drop(&game);
}

Test(compact_reader, words_and_rules)
{
    struct exported game = exported("three");
    char text[RULES_TEXT_BYTES];
    size_t n, length = merels_rules_text(game.rules, text);
    cr_assert_eq(open_host(&game.host), MERELS_COMPACT_OK);
    const char *rules = merels_compact_rules(game.host.reader, &n);
    cr_assert(n == length && memcmp(rules, text, n) == 0);
    cr_assert_str_eq(merels_compact_words(MERELS_COMPACT_OK), "ok");
    cr_assert_str_eq(merels_compact_words(MERELS_COMPACT_READ_FAILED), "reading failed");
    cr_assert_str_eq(merels_compact_words(-1), "unknown status");
    cr_assert_str_eq(merels_compact_words(MERELS_COMPACT_MISALIGNED),
                     "memory that is not aligned");
    cr_assert_str_eq(merels_compact_words(MERELS_COMPACT_MISALIGNED + 1), "unknown status");
    drop(&game);
}

// Memory that begins between multiples of 8 bytes is refused; no byte of it is touched.
Test(compact_reader, memory_that_is_not_aligned)
{
    struct exported game = exported("three");
    struct host *host = &game.host;
    const struct merels_compact_source source = {
        .context = host, .read = host_read, .want = host_want};
    uint8_t *memory = malloc(MEMORY + 8);
    memset(memory, 171, 64);
    for (int k = 1; k < 8; k++)
        cr_assert_eq(merels_compact_open(memory + k, MEMORY, &source, &host->reader),
                     MERELS_COMPACT_MISALIGNED);
    for (int k = 0; k < 64; k++)
        cr_assert_eq(memory[k], 171);
    cr_assert_eq(merels_compact_open(memory + 8, MEMORY, &source, &host->reader),
                 MERELS_COMPACT_OK);
    free(memory);
    drop(&game);
}

// Where the length of the file is known, another one than its head says is damage.
Test(compact_reader, length_of_the_file)
{
    struct exported game = exported("three");
    struct host *host = &game.host;
    struct merels_compact_source source = {
        .context = host, .read = host_read, .want = host_want};
    host->memory = malloc(MEMORY);
    const uint64_t lengths[] = {0, host->n_bytes, host->n_bytes + 1, host->n_bytes - 1, 1};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        source.n_bytes = lengths[k];
        cr_assert_eq(merels_compact_open(host->memory, MEMORY, &source, &host->reader),
                     k < 2 ? MERELS_COMPACT_OK : MERELS_COMPACT_DAMAGED);
    }
    drop(&game);
}

// A reader in too little memory says so, and one in the least memory that it takes answers.
Test(compact_reader, little_memory)
{
    struct exported game = exported("three");
    struct host *host = &game.host;
    const struct merels_compact_source source = {
        .context = host, .read = host_read, .want = host_want};
    host->memory = malloc(MEMORY);
    size_t n = 0;
    int status = MERELS_COMPACT_NO_MEMORY;
    for (; n < MEMORY && status == MERELS_COMPACT_NO_MEMORY; n += 4096)
        status = merels_compact_open(host->memory, n, &source, &host->reader);
    cr_assert_eq(status, MERELS_COMPACT_OK);
    struct position pos = empty_board(game.start);
    int value = 7;
    cr_assert_eq(ask(host, &pos, &value), MERELS_COMPACT_OK);
    cr_assert_eq(value, 1); // the middle point wins
    drop(&game);
}

// ---- positions with their answers ----------------------------------------------------------

enum { MOST_ASKED = 512 };

// What a reader with all bytes says of positions that are spread over the subspaces; the values
// are also those of the tables.
struct known_answers {
    size_t n;
    struct position positions[MOST_ASKED];
    int values[MOST_ASKED];
    size_t n_plies[MOST_ASKED];
    struct merels_compact_ply (*plies)[64];
};

static void add_known(struct known_answers *known, struct tablebase *base,
                      const struct rules *rules, struct host *host, const struct position *pos)
{
    static struct merels_compact_ply plies[MERELS_COMPACT_PLIES];
    struct answer answer;
    size_t k = known->n;
    if (merels_position_check(rules, pos, NULL) != STATUS_OK)
        return;
    OK(merels_tablebase_probe(base, pos, &answer, &test_error));
    known->positions[k] = *pos;
    cr_assert_eq(ask(host, pos, &known->values[k]), MERELS_COMPACT_OK);
    cr_assert_eq(known->values[k], (int)answer.value);
    cr_assert_eq(rank(host, pos, plies, &known->n_plies[k]), MERELS_COMPACT_OK);
    if (known->n_plies[k] > 64)
        return;
    memcpy(known->plies[k], plies, known->n_plies[k] * sizeof *plies);
    known->n++;
}

static struct known_answers choose(struct exported *game, size_t n_asked)
{
    struct tablebase *base = open_base(game->dir, game->rules);
    struct known_answers known = {.plies = calloc(MOST_ASKED, sizeof *known.plies)};
    struct subspace *list;
    uint64_t random = 5;
    size_t n;
    OK(merels_tablebase_list(base, &list, &n, &test_error));
    cr_assert(n_asked <= MOST_ASKED && open_host(&game->host) == MERELS_COMPACT_OK);
    for (int tries = 0; known.n < n_asked && tries < 10000; tries++) {
        struct subspace s = list[known.n * n / n_asked];
        struct position pos;
        OK(merels_index_unrank(merels_tablebase_index(base), s,
                               next_random(&random) %
                                   merels_subspace_slots(&game->rules->board, s),
                               &pos, &test_error));
        add_known(&known, base, game->rules, &game->host, &pos);
    }
    cr_assert_eq(known.n, n_asked);
    free(list);
    merels_tablebase_close(base);
    return known;
}

// Asks again: each answer is as before, or the host's file is damaged and a call says so.
// Returns how many answers there were of two for each position.
static size_t ask_again(struct host *host, const struct known_answers *known, bool damaged)
{
    static struct merels_compact_ply plies[MERELS_COMPACT_PLIES];
    size_t n_answers = 0;
    for (size_t k = 0; k < known->n; k++) {
        int value = 7, status = ask(host, &known->positions[k], &value);
        cr_assert(status == MERELS_COMPACT_OK || (damaged && status == MERELS_COMPACT_DAMAGED),
                  "%d", status);
        cr_assert_eq(value, status == MERELS_COMPACT_OK ? known->values[k] : 7);
        n_answers += status == MERELS_COMPACT_OK;
        size_t n = 0;
        status = rank(host, &known->positions[k], plies, &n);
        cr_assert(status == MERELS_COMPACT_OK || (damaged && status == MERELS_COMPACT_DAMAGED),
                  "%d", status);
        if (status != MERELS_COMPACT_OK)
            continue;
        n_answers++;
        cr_assert(n == known->n_plies[k] &&
                  memcmp(plies, known->plies[k], n * sizeof *plies) == 0);
    }
    return n_answers;
}

// ---- bytes that come late ------------------------------------------------------------------

static void forget_all(struct host *host)
{
    memset(host->here, 0, host->n_bytes);
    host->n_rounds = host->n_fetched = host->n_fetched_bytes = 0;
    host->slow = true;
}

// Whatever comes first, in the end the answers are the same.
static void in_every_order(const char *text, size_t n_asked, uint64_t n_orders)
{
    struct exported game = exported(text);
    struct known_answers known = choose(&game, n_asked);
    for (uint64_t order = 0; order < n_orders; order++) {
        game.host.order = order;
        forget_all(&game.host);
        cr_assert_eq(open_host(&game.host), MERELS_COMPACT_OK);
        cr_assert_eq(game.host.n_rounds, 2);
        cr_assert_eq(ask_again(&game.host, &known, false), 2 * known.n);
        cr_assert(game.host.n_rounds > 4 && game.host.n_fetched > 4);
    }
    free(known.plies);
    drop(&game);
}

Test(compact_reader, bytes_in_every_order)
{
    in_every_order("three", 60, MERELS_SHORT_TESTS ? 5 : 30);
    in_every_order("six-fly,men=4", 60, MERELS_SHORT_TESTS ? 3 : 6);
}

// With nothing here but the head a ranking takes two rounds, whatever is derived: indexes with
// models, then groups.
Test(compact_reader, rounds_of_a_ranking)
{
    static struct merels_compact_ply plies[MERELS_COMPACT_PLIES];
    struct exported game = exported("six-fly,men=4");
    struct host *host = &game.host;
    struct known_answers known = choose(&game, 120);
    size_t most = 0, n;
    for (size_t k = 0; k < known.n; k++) {
        forget_all(host);
        cr_assert_eq(open_host(host), MERELS_COMPACT_OK);
        host->n_rounds = 0;
        cr_assert_eq(rank(host, &known.positions[k], plies, &n), MERELS_COMPACT_OK);
        most = host->n_rounds > most ? host->n_rounds : most;
    }
    cr_assert_eq(most, 2);
    free(known.plies);
    drop(&game);
}

// ---- damage --------------------------------------------------------------------------------

// Every byte changed: no reader opens, or no answer is wrong, and what needs other bytes has
// its answer.
Test(compact_reader, every_byte_damaged)
{
    struct exported game = exported("three");
    struct host *host = &game.host;
    struct known_answers known = choose(&game, 12);
    uint32_t n_head = (uint32_t)get_le(host->bytes + 40, 4);
    size_t n_damaged = 0, n_beside = 0;
    for (size_t at = 0; at < host->n_bytes; at += MERELS_SHORT_TESTS ? 7 : 1) {
        host->bytes[at] ^= (uint8_t)(1 << at % 8);
        int status = open_host(host);
        cr_assert_eq(status, at < n_head ? MERELS_COMPACT_DAMAGED : MERELS_COMPACT_OK,
                     "byte %zu: %d", at, status);
        if (status == MERELS_COMPACT_OK) {
            size_t n = ask_again(host, &known, true);
            n_damaged += n < 2 * known.n;
            n_beside += n > 0 && n < 2 * known.n;
        }
        host->bytes[at] ^= (uint8_t)(1 << at % 8);
    }
    cr_assert(n_damaged > (MERELS_SHORT_TESTS ? 14 : 100), "%zu", n_damaged);
    cr_assert(n_beside > (MERELS_SHORT_TESTS ? 14 : 100), "%zu", n_beside);
    free(known.plies);
    drop(&game);
}

// A file cut off anywhere: its head is damaged, or what lies behind the end. The copy has no
// byte more, so that a sanitizer sees any access behind it.
Test(compact_reader, every_truncation)
{
    struct exported game = exported("three");
    struct host *host = &game.host, cut = {0};
    struct known_answers known = choose(&game, 12);
    uint32_t n_head = (uint32_t)get_le(host->bytes + 40, 4);
    for (size_t n = 0; n < host->n_bytes; n += MERELS_SHORT_TESTS ? 13 : 1) {
        cut.bytes = malloc(n + (n == 0));
        cut.n_bytes = n;
        memcpy(cut.bytes, host->bytes, n);
        int status = open_host(&cut);
        cr_assert_eq(status, n < n_head ? MERELS_COMPACT_DAMAGED : MERELS_COMPACT_OK,
                     "%zu bytes: %d", n, status);
        if (status == MERELS_COMPACT_OK)
            cr_assert(ask_again(&cut, &known, true) < 2 * known.n || n + 16 > host->n_bytes);
        free(cut.bytes);
    }
    free(cut.memory);
    free(known.plies);
    drop(&game);
}

// Every byte of the head changed in four ways and its checksums made again: no reader opens, or
// none of its answers takes it out of its bounds or keeps it for ever.
Test(compact_reader, heads_that_contradict_themselves, .timeout = 280)
{
    struct exported game = exported("three");
    struct host *host = &game.host;
    struct known_answers known = choose(&game, 3);
    uint32_t n_head = (uint32_t)get_le(host->bytes + 40, 4);
    static struct merels_compact_ply plies[MERELS_COMPACT_PLIES];
    size_t n_refused = 0, n_plies;
    int value;
    for (size_t at = 64; at < n_head; at += MERELS_SHORT_TESTS ? 7 : 1)
        for (int way = 0; way < 4; way++) {
            uint8_t was = host->bytes[at];
            const uint8_t ways[] = {0, 0xFF, (uint8_t)(was + 1), (uint8_t)(was - 1)};
            host->bytes[at] = ways[way];
            put_le(host->bytes + 48, 8, merels_compact_hash(host->bytes + 64, n_head - 64));
            put_le(host->bytes + 56, 8, merels_compact_hash(host->bytes, 56));
            bool opens = open_host(host) == MERELS_COMPACT_OK;
            n_refused += !opens;
            for (size_t k = 0; k < known.n && opens; k++) {
                (void)ask(host, &known.positions[k], &value);
                (void)rank(host, &known.positions[k], plies, &n_plies);
            }
            host->bytes[at] = was;
        }
    cr_assert(n_refused > 10, "%zu", n_refused);
    free(known.plies);
    drop(&game);
}

// A mill that names a point twice is damage, not a search for a point that is not there.
Test(compact_reader, a_mill_of_two_points)
{
    struct exported game = exported("three");
    struct host *host = &game.host;
    uint32_t n_head = (uint32_t)get_le(host->bytes + 40, 4), first_mill = 113;
    cr_assert_eq(memcmp(host->bytes + first_mill, "\0\1\2", 3), 0);
    host->bytes[first_mill] = 1;
    put_le(host->bytes + 48, 8, merels_compact_hash(host->bytes + 64, n_head - 64));
    put_le(host->bytes + 56, 8, merels_compact_hash(host->bytes, 56));
    cr_assert_eq(open_host(host), MERELS_COMPACT_DAMAGED);
    drop(&game);
}

// A newer version is named, whatever stands behind it.
Test(compact_reader, newer_version)
{
    struct exported game = exported("three");
    struct host *host = &game.host;
    host->bytes[8] = 2;
    cr_assert_eq(open_host(host), MERELS_COMPACT_DAMAGED);
    put_le(host->bytes + 12, 4, merels_compact_hash(host->bytes, 12) & 0xFFFFFFFF);
    cr_assert_eq(open_host(host), MERELS_COMPACT_NEWER);
    drop(&game);
}
