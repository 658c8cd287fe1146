// test_search.c: the forward search against the placing tables, and its parts.
//
// The search runs in a directory that holds the moving phase alone; what it says is compared
// with a probe of the whole game, solved beside it.

#include "search/search.h"

#include "export/export_wdl.h"
#include "game/moves.h"
#include "search/leaves.h"
#include "search/position_key.h"
#include "search/transposition.h"
#include "tests/solver/support.h"
#include "tests/support/tsv.h"
#include "work/table_output.h"

// ---- keys ----------------------------------------------------------------------------------

static struct images *images_of(const struct board *board)
{
    struct images *images = malloc(sizeof *images);
    cr_assert_not_null(images);
    merels_images_init(board, images);
    return images;
}

// Positions of different keys, in the order in which they were found, and the set of their keys
// (open addressing; no key is 0, since no position here is an empty board without men in hand).
struct collection {
    struct position *positions;
    size_t n, room, mask;
    uint64_t *keys;
};

static struct collection collection_of(size_t room)
{
    struct collection made = {.room = room, .mask = 1};
    while (made.mask < 2 * room)
        made.mask *= 2;
    made.positions = malloc(room * sizeof *made.positions);
    made.keys = calloc(made.mask, sizeof *made.keys);
    cr_assert(made.positions && made.keys);
    made.mask--;
    return made;
}

static void collection_free(const struct collection *collection)
{
    free(collection->positions);
    free(collection->keys);
}

static void collect(struct collection *collection, uint64_t key, const struct position *pos)
{
    size_t k = key * 0x9E3779B97F4A7C15u >> 20;
    cr_assert_neq(key, 0);
    while (collection->keys[k & collection->mask] != 0) {
        if (collection->keys[k & collection->mask] == key)
            return;
        k++;
    }
    cr_assert_lt(collection->n, collection->room, "more than %zu positions", collection->room);
    collection->keys[k & collection->mask] = key;
    collection->positions[collection->n++] = *pos;
}

static struct collection the_start(const struct images *images, const struct start *start)
{
    struct position first = merels_position_start(start);
    struct collection made = collection_of(1);
    collect(&made, merels_position_key(images, &first), &first);
    return made;
}

// Replaces *now by the canonical positions one ply later, of which there are at most `room`.
static void advance(const struct rules *rules, const struct images *images,
                    struct collection *now, size_t room)
{
    static struct ply plies[MAX_PLIES];
    const struct collection from = *now;
    *now = collection_of(room);
    for (size_t k = 0; k < from.n; k++) {
        int n_plies = merels_plies(rules, &from.positions[k], plies);
        for (int i = 0; i < n_plies; i++) {
            struct position after = merels_play(rules, &from.positions[k], plies[i]);
            collect(now, merels_position_key(images, &after), &after);
        }
    }
    collection_free(&from);
}

Test(search, canonical_positions_reachable, .timeout = 600)
{
    struct start start;
    struct rules *rules = rules_with_start("nine", &start);
    struct images *images = images_of(&rules->board);
    struct tsv *figures = tsv_open("placing-reachable.tsv");
    struct collection now = the_start(images, &start);
    int n_rows = MERELS_SHORT_TESTS ? 6 : 9;
    for (int row = 0; row < n_rows; row++) {
        size_t expected = (size_t)tsv_number(figures, row, "positions");
        advance(rules, images, &now, expected + expected / 8 + 1);
        cr_expect_eq(tsv_number(figures, row, "plies"), row + 1);
        cr_expect_eq(now.n, expected, "ply %d: %zu", row + 1, now.n);
    }
    collection_free(&now);
    tsv_close(figures);
    free(images);
    free(rules);
}

static struct position random_position(const struct board *board, uint64_t *state)
{
    struct position pos = {.own = (point_set)next_random(state) & board->points,
                           .own_hand = (uint8_t)(next_random(state) % 10),
                           .other_hand = (uint8_t)(next_random(state) % 10),
                           .mover = (uint8_t)(next_random(state) % 2)};
    pos.other = (point_set)next_random(state) & board->points & ~pos.own;
    return pos;
}

static void check_images_share_key(const char *text)
{
    struct rules *rules = make_rules(text);
    const struct board *board = &rules->board;
    struct images *images = images_of(board);
    uint64_t state = 7;
    for (int k = 0; k < 2000; k++) {
        struct position pos = random_position(board, &state), other = pos;
        uint64_t key = merels_position_key(images, &pos);
        for (int s = 0; s < board->n_symmetries; s++) {
            other.own = board_image(board, s, pos.own);
            other.other = board_image(board, s, pos.other);
            cr_assert_eq(merels_position_key(images, &other), key, "%s: %x %x", text, pos.own,
                         pos.other);
        }
        other.mover = !pos.mover;
        cr_assert_neq(merels_position_key(images, &other), key);
    }
    free(images);
    free(rules);
}

Test(search, all_images_share_a_key)
{
    static const char *const texts[] = {"nine", "twelve", "six", "seven", "three"};
    for (int k = 0; k < 5; k++)
        check_images_share_key(texts[k]);
}

// ---- transpositions ------------------------------------------------------------------------

// What is found is right even where most entries had to go; the greatest effort stays.
Test(search, transpositions_are_right_or_absent)
{
    struct transposition table;
    enum { N = 5000, DEAR = 77 };
    OK(merels_transposition_create(1 << 12, &table, &test_error));
    int n_found = 0;
    for (uint64_t key = 1; key <= N; key++)
        merels_transposition_put(&table, key << 30, key % 3 == 0,
                                 key == DEAR ? (uint64_t)1 << 40 : key % 8);
    for (uint64_t key = 1; key <= N; key++) {
        int found = merels_transposition_get(&table, key << 30);
        cr_assert(found == -1 || found == (key % 3 == 0), "%d", (int)key);
        n_found += found >= 0;
    }
    cr_expect(n_found > (1 << 12) / 8 / 2 && n_found <= (1 << 12) / 8, "%d", n_found);
    cr_expect_eq(merels_transposition_get(&table, (uint64_t)DEAR << 30), DEAR % 3 == 0);
    merels_transposition_destroy(&table);
}

// ---- leaves --------------------------------------------------------------------------------

static void check_leaf(struct leaves *leaves, const struct position *pos, int plies)
{
    struct leaf lost, won;
    OK(merels_leaves_find(leaves, NOT_LOST, pos, &lost, &test_error));
    OK(merels_leaves_find(leaves, NOT_WON, pos, &won, &test_error));
    cr_assert_eq(leaf_value(lost), plies < 0 || plies % 2 == 1);
    cr_assert_eq(leaf_value(won), plies < 0 || plies % 2 == 0);
}

// `base` has the depths.
static void check_leaves(struct tablebase *base, struct leaves *leaves, struct subspace s)
{
    uint64_t n_slots = merels_table_header(table_of(base, s))->n_slots;
    int *plies = read_plies(base, s);
    for (uint64_t slot = 0; slot < n_slots; slot += 1 + slot % 3) {
        struct position pos;
        OK(merels_index_unrank(merels_tablebase_index(base), s, slot, &pos, &test_error));
        check_leaf(leaves, &pos, plies[slot]);
    }
    free(plies);
}

Test(search, leaves_say_what_the_tables_say)
{
    struct start start = {3, 4};
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("leaves");
    struct solve_options options = moving(dir, 7);
    struct leaves *leaves;
    uint64_t n_bytes;
    solve(rules, start, &options);
    struct tablebase *base = open_base(dir, rules);
    OK(merels_leaves_create(rules, base, (struct subspace){0, 0, 3, 4}, &leaves, &n_bytes,
                            &test_error));
    check_leaves(base, leaves, (struct subspace){3, 3, 0, 0});
    check_leaves(base, leaves, (struct subspace){3, 4, 0, 0});
    merels_leaves_clear(leaves);
    check_leaves(base, leaves, (struct subspace){3, 4, 0, 0});
    merels_leaves_destroy(leaves);
    merels_tablebase_close(base);
    remove_dir(dir);
    free(rules);
}

static const struct start three_four = {3, 4};

static void check_leaves_of(const struct rules *rules, const char *dir,
                            struct tablebase *depths)
{
    struct leaves *leaves;
    uint64_t n_bytes;
    struct tablebase *base = open_base(dir, rules);
    OK(merels_leaves_create(rules, base, (struct subspace){0, 0, 3, 4}, &leaves, &n_bytes,
                            &test_error));
    check_leaves(depths, leaves, (struct subspace){3, 3, 0, 0});
    check_leaves(depths, leaves, (struct subspace){3, 4, 0, 0});
    merels_leaves_destroy(leaves);
    merels_tablebase_close(base);
}

// The table of 3-3 again, with two bytes a value.
static void write_wide(const char *dir, const struct rules *rules, struct tablebase *base)
{
    const struct subspace s = {3, 3, 0, 0};
    struct table_output *output;
    const struct table_header *header = merels_table_header(table_of(base, s));
    int *plies = read_plies(base, s);
    uint8_t *values = malloc(header->n_slots * 2);
    for (uint64_t k = 0; k < header->n_slots; k++) {
        int value = plies[k] < 0 ? WIDE_DTM_DRAW : plies[k];
        values[2 * k] = (uint8_t)value;
        values[2 * k + 1] = (uint8_t)(value >> 8);
    }
    OK(merels_table_output_create(dir, rules, s, EDITION_DTM, 2, 1, &output, &test_error));
    OK(merels_table_output_append(output, values, header->n_slots, &test_error));
    OK(merels_table_output_finish(output, &header->stats, &test_error));
    free(values);
    free(plies);
}

Test(search, leaves_of_every_kind_of_table)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("leaves"), *wide = make_dir("leaves"), *wdl = make_dir("leaves");
    struct solve_options options = moving(dir, 7);
    struct export_result result;
    const struct export_options to_wdl = {.dir = dir, .out_dir = wdl, .n_threads = 1};
    solve(rules, three_four, &options);
    struct tablebase *base = open_base(dir, rules);
    write_wide(wide, rules, base);
    options.dir = wide;
    solve(rules, three_four, &options);
    OK(merels_export_wdl(rules, &to_wdl, NULL, &result, &test_error));
    check_leaves_of(rules, wide, base);
    check_leaves_of(rules, wdl, base);
    merels_tablebase_close(base);
    remove_dir(dir);
    remove_dir(wide);
    remove_dir(wdl);
    free(rules);
}

// ---- whole searches ------------------------------------------------------------------------

struct pair {
    struct rules *rules;
    char *moving_dir; // the moving phase alone
    char *whole_dir;
};

static struct pair make_pair(const char *text, struct start start)
{
    struct pair pair = {make_rules(text), make_dir("search-moving"), make_dir("search-whole")};
    struct solve_options options = moving(pair.moving_dir, 0);
    solve(pair.rules, start, &options);
    options.dir = pair.whole_dir;
    options.moving_only = false;
    solve(pair.rules, start, &options);
    return pair;
}

static void remove_pair(struct pair *pair)
{
    remove_dir(pair->moving_dir);
    remove_dir(pair->whole_dir);
    free(pair->rules);
}

static void check_value(const struct pair *pair, struct tablebase *whole,
                        const struct position *pos, int n_threads)
{
    struct search_options options = {.dir = pair->moving_dir, .n_threads = n_threads};
    struct search_result result;
    struct answer answer;
    OK(merels_tablebase_probe(whole, pos, &answer, &test_error));
    OK(merels_search(pair->rules, pos, &options, NULL, &result, &test_error));
    cr_assert_eq(result.value, answer.value, "own %x other %x: %d, not %d", pos->own,
                 pos->other, (int)result.value, (int)answer.value);
    bool wins = answer.value == VALUE_WIN, loses = answer.value == VALUE_LOSS;
    cr_expect_eq(result.sides[pos->mover].at_least_draws, !loses);
    cr_expect_eq(result.sides[!pos->mover].at_least_draws, !wins);
}

// The start, and the canonical positions after one, two and three plies: of these some.
static void check_first_plies(const struct pair *pair, struct start start, int n_plies)
{
    struct images *images = images_of(&pair->rules->board);
    struct tablebase *whole = open_base(pair->whole_dir, pair->rules);
    struct collection now = the_start(images, &start);
    for (int ply = 0; ply <= n_plies; ply++) {
        for (size_t k = 0; k < now.n; k += 1 + now.n / 30)
            check_value(pair, whole, &now.positions[k], 1 + (int)(k % 2));
        advance(pair->rules, images, &now, MAX_PLIES * now.n);
    }
    collection_free(&now);
    merels_tablebase_close(whole);
    free(images);
}

static void check_game(const char *text, int first_men, int second_men, int n_plies)
{
    struct start start = {first_men, second_men};
    struct pair pair = make_pair(text, start);
    check_first_plies(&pair, start, n_plies);
    remove_pair(&pair);
}

Test(search, three_men_as_the_placing_tables_say)
{
    check_game("nine", 3, 3, 6); // ends at leaves
}

Test(search, four_men_as_the_placing_tables_say)
{
    if (!MERELS_SHORT_TESTS)
        check_game("nine", 4, 4, 3);
}

Test(search, other_rules_as_the_placing_tables_say)
{
    check_game("nine-nofly", 3, 3, 5);
    check_game("six", 4, 3, 6);
    check_game("nine,mill-men=removable,blocked=draws", 3, 3, 4);
    check_game("six", 4, 4, 5);
    check_game("six-fly", 4, 4, 4);
    check_game("twelve", 3, 3, 4);
}

// ---- one side slides, the other still places ------------------------------------------------

// The value by trying everything, with nothing remembered.
static int plain_value(struct tablebase *base, const struct rules *rules,
                       const struct position *pos)
{
    struct answer answer;
    int best = -1, value;
    if (merels_position_over(rules, pos, &value))
        return value;
    if (pos->own_hand + pos->other_hand == 0) {
        OK(merels_tablebase_probe(base, pos, &answer, &test_error));
        return (int)answer.value;
    }
    struct ply *plies = malloc(MAX_PLIES * sizeof *plies);
    cr_assert_not_null(plies);
    int n = merels_plies(rules, pos, plies);
    for (int k = 0; k < n; k++) {
        struct position after = merels_play(rules, pos, plies[k]);
        value = -plain_value(base, rules, &after);
        best = value > best ? value : best;
    }
    free(plies);
    return best;
}

// A position that has the mover's men on the board and `hand` men of the other side in hand.
static struct position late_position(const struct board *board, int own_men, int other_men,
                                     int hand, uint64_t *state)
{
    struct position pos = {.other_hand = (uint8_t)hand};
    while (bit_count(pos.own) < own_men)
        pos.own |= (point_set)1 << next_random(state) % (uint64_t)board->n_points;
    while (bit_count(pos.other) < other_men)
        pos.other |=
            ((point_set)1 << next_random(state) % (uint64_t)board->n_points) & ~pos.own;
    return pos;
}

Test(search, sliding_against_placing)
{
    struct start start = {5, 5};
    struct rules *rules = make_rules("six");
    char *dir = make_dir("search-unequal");
    struct solve_options solving = moving(dir, 0);
    struct search_options options = {.dir = dir};
    solve(rules, start, &solving);
    struct tablebase *base = open_base(dir, rules);
    uint64_t state = 11;
    int n_values[3] = {0};
    for (int k = 0; k < 60; k++) {
        struct position pos = late_position(&rules->board, 4 + k % 2, 3, 2, &state);
        struct search_result result;
        options.n_threads = 1 + k % 2;
        OK(merels_search(rules, &pos, &options, NULL, &result, &test_error));
        cr_assert_eq((int)result.value, plain_value(base, rules, &pos), "own %x other %x",
                     pos.own, pos.other);
        n_values[result.value + 1]++;
    }
    cr_expect(n_values[0] > 0 && n_values[1] > 0, "%d %d %d", n_values[0], n_values[1],
              n_values[2]);
    merels_tablebase_close(base);
    remove_dir(dir);
    free(rules);
}

// ---- failures ------------------------------------------------------------------------------

static enum status search_start(const struct rules *rules, struct start start,
                                const struct search_options *options, const struct watch *watch)
{
    struct position root = merels_position_start(&start);
    struct search_result result;
    return merels_search(rules, &root, options, watch, &result, &test_error);
}

static void check_missing_and_damaged(struct rules *rules, struct start start,
                                      const struct search_options *options)
{
    char path[512];
    size_t n;
    uint8_t *bytes = load_bytes(options->dir, "4-4.mtb", &n);
    bytes[TABLE_HEADER_BYTES + 100] ^= 1;
    store_bytes(options->dir, "4-4.mtb", bytes, n);
    FAILS(search_start(rules, start, options, NULL), STATUS_CORRUPT);
    cr_expect_not_null(strstr(test_error.text, "4-4.mtb"), "%s", test_error.text);
    file_path(path, options->dir, "4-4.mtb");
    cr_assert_eq(unlink(path), 0);
    FAILS(search_start(rules, start, options, NULL), STATUS_NOT_COVERED);
    cr_expect_not_null(strstr(test_error.text, "4-4.mtb"), "%s", test_error.text);
    free(bytes);
}

Test(search, failures)
{
    struct start start = {4, 4};
    struct rules *rules = make_rules("six"), *lasker = make_rules("lasker");
    char *dir = make_dir("search-failures");
    struct solve_options solving = moving(dir, 0);
    struct search_options options = {.dir = dir, .n_threads = 2};
    solve(rules, start, &solving);
    OK(search_start(rules, start, &options, NULL));
    options.memory_bytes = 1 << 20;
    FAILS(search_start(rules, start, &options, NULL), STATUS_TOO_LITTLE);
    options.memory_bytes = 0;
    FAILS(search_start(lasker, start, &options, NULL), STATUS_UNSUPPORTED);
    check_missing_and_damaged(rules, start, &options);
    remove_dir(dir);
    free(rules);
    free(lasker);
}

Test(search, a_stop_is_heeded)
{
    const atomic_int stop = 1;
    struct start start = {5, 5};
    struct rules *rules = make_rules("six");
    char *dir = make_dir("search-stop");
    struct solve_options solving = moving(dir, 0);
    struct search_options options = {.dir = dir, .n_threads = 2};
    const struct watch watch = {.stop = &stop};
    solve(rules, start, &solving);
    FAILS(search_start(rules, start, &options, &watch), STATUS_INTERRUPTED);
    remove_dir(dir);
    free(rules);
}

// ---- progress ------------------------------------------------------------------------------

struct counted {
    int n_reports;
    struct progress last;
};

static void count_rising(const struct progress *now, void *context)
{
    struct counted *counted = context;
    cr_assert_geq(now->done, counted->last.done);
    cr_assert_geq(now->number, counted->last.number);
    cr_assert_eq(now->total, 0, "the total is not known");
    cr_assert_eq(now->n_pieces, 2);
    counted->n_reports++;
    counted->last = *now;
}

// The count of positions rises over both searches and ends at what the result says.
Test(search, progress_counts_the_positions)
{
    struct start start = {5, 5};
    struct rules *rules = make_rules("six");
    char *dir = make_dir("search-progress");
    struct solve_options solving = moving(dir, 0);
    struct search_options options = {.dir = dir, .n_threads = 2};
    struct counted counted = {0};
    struct search_result result;
    const struct watch watch = {.report = count_rising, .context = &counted};
    struct position root = merels_position_start(&start);
    solve(rules, start, &solving);
    OK(merels_search(rules, &root, &options, &watch, &result, &test_error));
    cr_expect_geq(counted.n_reports, 4);
    cr_expect_eq(counted.last.number, 1);
    cr_expect_eq(counted.last.done, result.sides[WHITE].nodes + result.sides[BLACK].nodes);
    remove_dir(dir);
    free(rules);
}
