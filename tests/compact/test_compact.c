// test_compact.c: edition compact, read by the two files of embed/: every value of every
// subspace as the tables have it, whatever is stored and whatever follows by plies; the same
// bytes from any number of threads; a source that has to fetch; damage.

#include "compact/export_compact.h"
#include "tests/solver/support.h"
#include "tests/support/own_boards.h"

enum { MEMORY = MERELS_COMPACT_MEMORY };

static enum status export_with(const struct rules *rules, const char *dir, const char *name,
                               int n_plies, int n_threads, struct compact_result *result)
{
    const struct compact_options options = {.dir = dir,
                                            .out_dir = dir,
                                            .out_name = name,
                                            .n_plies = n_plies,
                                            .n_threads = n_threads};
    return merels_export_compact(rules, &options, NULL, result, &test_error);
}

// ---- a file in memory ----------------------------------------------------------------------

// The caller of a reader. With `slow` nothing is here until it has been asked for.
struct host {
    uint8_t *bytes, *here; // here: by pages of 64 bytes
    size_t n_bytes;
    bool slow;
    size_t n_wanted, n_rounds;
    uint64_t *memory;
    struct merels_compact *reader;
};

static int host_read(void *context, uint64_t offset, void *to, uint32_t n_bytes)
{
    struct host *host = context;
    if (offset + n_bytes > host->n_bytes)
        return MERELS_COMPACT_FAILED;
    for (uint64_t k = offset; host->slow && k < offset + n_bytes; k++)
        if (!host->here[k])
            return MERELS_COMPACT_LATER;
    memcpy(to, host->bytes + offset, n_bytes);
    return MERELS_COMPACT_HERE;
}

static void host_want(void *context, uint64_t offset, uint32_t n_bytes)
{
    struct host *host = context;
    cr_assert(offset + n_bytes <= host->n_bytes);
    memset(host->here + offset, 1, n_bytes);
    host->n_wanted++;
}

static int open_host(struct host *host)
{
    const struct merels_compact_source source = {
        .context = host, .read = host_read, .want = host_want};
    if (host->memory == NULL)
        host->memory = malloc(MEMORY);
    int status = merels_compact_open(host->memory, MEMORY, &source, &host->reader);
    while (status == MERELS_COMPACT_NOT_YET && ++host->n_rounds < 100)
        status = merels_compact_open(host->memory, MEMORY, &source, &host->reader);
    return status;
}

static struct host host_of(const char *dir, const char *name)
{
    struct host host = {0};
    host.bytes = load_bytes(dir, name, &host.n_bytes);
    host.here = calloc(host.n_bytes, 1);
    return host;
}

static void free_host(struct host *host)
{
    free(host->bytes);
    free(host->here);
    free(host->memory);
}

static int ask(struct host *host, const struct position *pos, int *value)
{
    const struct merels_compact_position p = {.own = pos->own,
                                              .other = pos->other,
                                              .own_hand = pos->own_hand,
                                              .other_hand = pos->other_hand,
                                              .due = pos->due};
    int status = merels_compact_value(host->reader, &p, value);
    for (int k = 0; status == MERELS_COMPACT_NOT_YET && k < 100; k++) {
        host->n_rounds++;
        status = merels_compact_value(host->reader, &p, value);
    }
    return status;
}

// ---- values --------------------------------------------------------------------------------

// The position of a slot, and if there can be one, the same with a removal due.
static void compare_slot(struct tablebase *base, const struct rules *rules, struct host *host,
                         struct position pos, bool with_due)
{
    for (int due = 0; due <= with_due; due++) {
        struct answer answer;
        int value = 7;
        pos.due = (uint8_t)due;
        if (merels_position_check(rules, &pos, NULL) != STATUS_OK)
            continue;
        enum status status = merels_tablebase_probe(base, &pos, &answer, &test_error);
        if (due > 0 && status == STATUS_NOT_COVERED) // counts that no game comes to
            continue;
        cr_assert_eq(status, STATUS_OK);
        cr_assert_eq(ask(host, &pos, &value), MERELS_COMPACT_OK);
        cr_assert_eq(value, (int)answer.value, "%06x %06x %d %d due %d: %d, not %d", pos.own,
                     pos.other, pos.own_hand, pos.other_hand, due, value, (int)answer.value);
    }
}

// Every step-th slot of every subspace.
static void compare_all(const struct rules *rules, const char *dir, struct host *host,
                        uint64_t step)
{
    struct tablebase *base = open_base(dir, rules);
    struct subspace *list;
    size_t n;
    OK(merels_tablebase_list(base, &list, &n, &test_error));
    cr_assert_eq(open_host(host), MERELS_COMPACT_OK);
    cr_assert_eq(merels_compact_points(host->reader), rules->board.n_points);
    for (size_t k = 0; k < n; k++) {
        uint64_t n_slots = merels_subspace_slots(&rules->board, list[k]);
        for (uint64_t slot = k % step; slot < n_slots; slot += step) {
            struct position pos;
            OK(merels_index_unrank(merels_tablebase_index(base), list[k], slot, &pos,
                                   &test_error));
            compare_slot(base, rules, host, pos, slot / step % 16 == 0);
        }
    }
    free(list);
    merels_tablebase_close(base);
}

static char *solved(const struct rules *rules, struct start start, bool moving_only)
{
    char *dir = make_dir("merels-compact");
    const struct solve_options options = {
        .dir = dir, .n_threads = 2, .moving_only = moving_only};
    solve(rules, start, &options);
    return dir;
}

static void round_trip(const char *text, bool moving_only, int n_plies, uint64_t step)
{
    struct rules *rules = calloc(1, sizeof *rules);
    struct start start;
    struct compact_result result;
    OK(merels_rules_parse(text, rules, &start, &test_error));
    char *dir = solved(rules, start, moving_only);
    OK(export_with(rules, dir, "game.mce", n_plies, 2, &result));
    struct host host = host_of(dir, "game.mce");
    cr_assert_eq(result.file_bytes, host.n_bytes);
    cr_assert(result.n_stored > 0 && result.n_stored <= result.n_subspaces);
    compare_all(rules, dir, &host, step);
    free_host(&host);
    remove_dir(dir);
    free(rules);
}

Test(compact, three)
{
    for (int n_plies = 1; n_plies <= 3; n_plies++)
        round_trip("three", false, n_plies, 1);
}

Test(compact, three_in_which_blocked_movers_pass)
{
    round_trip("three,blocked=passes", false, 2, 1);
    round_trip("three,fly=0,blocked=passes", false, 2, 1);
}

Test(compact, four_men_fly)
{
    round_trip("six-fly,men=4", false, 2, MERELS_SHORT_TESTS ? 211 : 11);
}

Test(compact, placing_or_moving)
{
    round_trip("six-fly,men=3,turn=place-or-move", false, 2, 3);
}

Test(compact, the_other_side_chooses_one_for_each_mill)
{
    round_trip("six,men=4,chooser=opponent,removals=each", false, 1, 13);
}

Test(compact, six)
{
    round_trip("six", false, 2, MERELS_SHORT_TESTS ? 10007 : 997);
}

Test(compact, moving_phase_of_seven)
{
    round_trip("seven", true, 2, MERELS_SHORT_TESTS ? 10007 : 1999);
}

// ---- the file ------------------------------------------------------------------------------

// The game of three men and its file.
struct game_of_three {
    struct rules *rules;
    struct start start;
    char *dir;
    struct host host;
};

static struct game_of_three three(void)
{
    struct compact_result result;
    struct game_of_three game = {.rules = calloc(1, sizeof *game.rules)};
    OK(merels_rules_parse("three", game.rules, &game.start, &test_error));
    game.dir = solved(game.rules, game.start, false);
    OK(export_with(game.rules, game.dir, "game.mce", 2, 1, &result));
    game.host = host_of(game.dir, "game.mce");
    return game;
}

static void drop(struct game_of_three *game)
{
    free_host(&game->host);
    remove_dir(game->dir);
    free(game->rules);
}

Test(compact, the_same_bytes_from_any_number_of_threads)
{
    struct rules *rules = calloc(1, sizeof *rules);
    struct start start;
    struct compact_result result;
    OK(merels_rules_parse("six-fly,men=4", rules, &start, &test_error));
    char *dir = solved(rules, start, false);
    OK(export_with(rules, dir, "one.mce", 2, 1, &result));
    OK(export_with(rules, dir, "three.mce", 2, 3, &result));
    size_t n, n_other;
    uint8_t *bytes = load_bytes(dir, "one.mce", &n),
            *other = load_bytes(dir, "three.mce", &n_other);
    cr_assert(n == n_other && memcmp(bytes, other, n) == 0);
    cr_assert(!has_file(dir, "one.mce.part"));
    free(bytes);
    free(other);
    remove_dir(dir);
    free(rules);
}

// A source that has nothing until it is asked: each call comes to an end after some rounds, and
// what it asks for lies in the file.
Test(compact, bytes_that_come_late)
{
    struct game_of_three game = three();
    struct host *host = &game.host;
    host->slow = true;
    compare_all(game.rules, game.dir, host, 7);
    cr_assert(host->n_wanted > 4 && host->n_rounds > 4);
    drop(&game);
}

static struct position empty_board(struct start start)
{
    return merels_position_start(&start);
}

Test(compact, no_position_and_none_that_is_covered)
{
    struct game_of_three game = three();
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

// A reader in too little memory says so, and one in the least memory that it takes answers.
Test(compact, little_memory)
{
    struct game_of_three game = three();
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

// ---- damage --------------------------------------------------------------------------------

// Asks for positions of all subspaces: each answer is right, or an error.
static bool answers_are_right_or_none(struct host *host, const struct position *positions,
                                      const int *values, size_t n)
{
    bool all = true;
    for (size_t k = 0; k < n; k++) {
        int value = 7, status = ask(host, &positions[k], &value);
        cr_assert(status == MERELS_COMPACT_OK || status == MERELS_COMPACT_DAMAGED, "%d",
                  status);
        cr_assert_eq(value, status == MERELS_COMPACT_OK ? values[k] : 7);
        all &= status == MERELS_COMPACT_OK;
    }
    return all;
}

enum { N_ASKED = 12 };

// Positions spread over the subspaces, with their values.
static void choose_positions(const struct rules *rules, const char *dir,
                             struct position positions[N_ASKED], int values[N_ASKED])
{
    struct tablebase *base = open_base(dir, rules);
    struct subspace *list;
    size_t n;
    uint64_t random = 5;
    OK(merels_tablebase_list(base, &list, &n, &test_error));
    for (int k = 0; k < N_ASKED; k++) {
        struct subspace s = list[(size_t)k * n / N_ASKED];
        struct answer answer;
        OK(merels_index_unrank(merels_tablebase_index(base), s,
                               next_random(&random) % merels_subspace_slots(&rules->board, s),
                               &positions[k], &test_error));
        if (merels_position_check(rules, &positions[k], NULL) != STATUS_OK) {
            k--;
            continue;
        }
        OK(merels_tablebase_probe(base, &positions[k], &answer, &test_error));
        values[k] = answer.value;
    }
    free(list);
    merels_tablebase_close(base);
}

// Every byte changed: no reader opens, or no answer is wrong. Only the text of the rules at the
// end of the head is not read, and it is under the checksum.
Test(compact, every_byte_damaged)
{
    struct position positions[N_ASKED];
    int values[N_ASKED];
    struct game_of_three game = three();
    struct host *host = &game.host;
    choose_positions(game.rules, game.dir, positions, values);
    uint32_t n_head = (uint32_t)get_le(host->bytes + 40, 4);
    size_t n_damaged = 0;
    for (size_t at = 0; at < host->n_bytes; at += MERELS_SHORT_TESTS ? 7 : 1) {
        host->bytes[at] ^= (uint8_t)(1 << at % 8);
        int status = open_host(host);
        cr_assert(at < n_head || status == MERELS_COMPACT_OK, "byte %zu: %d", at, status);
        cr_assert(at >= n_head || status == MERELS_COMPACT_DAMAGED, "byte %zu: %d", at, status);
        if (status == MERELS_COMPACT_OK)
            n_damaged += !answers_are_right_or_none(host, positions, values, N_ASKED);
        host->bytes[at] ^= (uint8_t)(1 << at % 8);
    }
    cr_assert(n_damaged > 100, "%zu", n_damaged);
    drop(&game);
}

// A newer version is named, whatever stands behind it.
Test(compact, newer_version)
{
    struct game_of_three game = three();
    struct host *host = &game.host;
    host->bytes[8] = 2;
    cr_assert_eq(open_host(host), MERELS_COMPACT_DAMAGED);
    put_le(host->bytes + 12, 4, merels_compact_hash(host->bytes, 12) & 0xFFFFFFFF);
    cr_assert_eq(open_host(host), MERELS_COMPACT_NEWER);
    drop(&game);
}
