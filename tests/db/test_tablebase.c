// test_tablebase.c: looking up positions: values, errors, threads, few descriptors, small
// stacks.

#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "game/moves.h"
#include "tests/db/place.h"

// ---- a tablebase of made-up values ---------------------------------------------------------

static uint64_t seed_of(struct subspace s)
{
    return 1000u * s.a + 100u * s.b + 10u * s.ha + s.hb;
}

static struct tablebase *open_base(const char *dir, const struct rules *rules,
                                   size_t cache_bytes)
{
    struct tablebase *base;
    OK(merels_tablebase_open(dir, rules, cache_bytes, &base, &test_error));
    return base;
}

static struct tablebase *open_base_of(const struct shelf *shelf, const struct rules *rules,
                                      size_t cache_bytes)
{
    struct tablebase *base;
    OK(merels_tablebase_open_source(&shelf->source, rules, cache_bytes, &base, &test_error));
    return base;
}

// A position of a subspace with random sets.
static struct position random_position(const struct board *board, struct subspace s,
                                       uint64_t *seed)
{
    struct position pos = {.own_hand = s.ha, .other_hand = s.hb};
    while (bit_count(pos.own) < s.a)
        pos.own |= (point_set)1 << next_random(seed) % (uint64_t)board->n_points;
    while (bit_count(pos.other) < s.b)
        pos.other |= ((point_set)1 << next_random(seed) % (uint64_t)board->n_points) & ~pos.own;
    return pos;
}

// What a probe of a position with nothing due has to answer, written once more.
static struct answer expected_answer(const struct rules *rules, const struct position *pos)
{
    int over, depth;
    if (merels_position_over(rules, pos, &over))
        return (struct answer){(enum value)over, over == 0 ? -1 : 0, EDITION_DTM};
    depth = value_of(&rules->board, pos, seed_of(merels_subspace_of(pos)));
    if (depth == DTM_DRAW)
        return (struct answer){VALUE_DRAW, -1, EDITION_DTM};
    return (struct answer){depth % 2 == 1 ? VALUE_WIN : VALUE_LOSS, depth, EDITION_DTM};
}

static bool same(struct answer x, struct answer y)
{
    return x.value == y.value && x.plies == y.plies && x.edition == y.edition;
}

static void check_values(enum place place, size_t cache_bytes)
{
    static const struct subspace subspaces[] = {
        {3, 3, 0, 0}, {2, 3, 2, 1}, {4, 2, 0, 2}, {0, 0, 9, 9}};
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    uint64_t seed = 1;
    for (size_t i = 0; i < 4; i++)
        make_table(dir, rules, subspaces[i], seed_of(subspaces[i]));
    struct shelf *shelf = open_shelf(place, dir);
    struct tablebase *base = open_base_of(shelf, rules, cache_bytes);
    for (int i = 0; i < 3000; i++) {
        struct position pos = random_position(&rules->board, subspaces[i % 4], &seed),
                        image = pos;
        struct answer answer;
        int t = i % 16;
        image.own = board_image(&rules->board, t, pos.own);
        image.other = board_image(&rules->board, t, pos.other);
        image.mover = (uint8_t)(i / 16 % 2);
        OK(merels_tablebase_probe(base, &image, &answer, &test_error));
        cr_assert(same(answer, expected_answer(rules, &pos)));
    }
    merels_tablebase_close(base);
    merels_tablebase_close(NULL);
    close_shelf(shelf);
    remove_dir(dir);
    free(rules);
}

IN_EVERY_PLACE(tablebase, values_of_positions_and_their_images)
{
    check_values(*place, 1 << 17); // room for one block
}

IN_EVERY_PLACE(tablebase, a_cache_of_no_bytes)
{
    check_values(*place, 0);
}

// ---- the middle of a turn ------------------------------------------------------------------

// The best of the removals, found the plain way: all answers of the other side, worst for it
// first.
static struct answer best_removal(const struct rules *rules, const struct position *pos)
{
    struct answer best = {VALUE_LOSS, -1, EDITION_DTM};
    bool found = false;
    point_set removable = merels_position_removable(rules, pos->other);
    for (int p = 0; p < rules->board.n_points; p++) {
        if (!(removable >> p & 1))
            continue;
        struct position after = {.own = pos->other & ~((point_set)1 << p),
                                 .other = pos->own,
                                 .own_hand = pos->other_hand,
                                 .other_hand = pos->own_hand};
        struct answer theirs = expected_answer(rules, &after), ours = theirs;
        ours.value = (enum value) - theirs.value;
        ours.plies = theirs.plies < 0 ? -1 : theirs.plies + 1;
        // One number for the order: wins above 1000, fast ones higher; losses below, long ones
        // higher.
        int x = ours.value == VALUE_WIN    ? 3000 - ours.plies
                : ours.value == VALUE_DRAW ? 1500
                                           : ours.plies;
        int y = best.value == VALUE_WIN    ? 3000 - best.plies
                : best.value == VALUE_DRAW ? 1500
                                           : best.plies;
        if (!found || x > y)
            best = ours;
        found = true;
    }
    return best;
}

IN_EVERY_PLACE(tablebase, the_middle_of_a_turn)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    uint64_t seed = 3;
    int counts[3] = {0};
    make_table(dir, rules, (struct subspace){3, 3, 0, 0}, 3300);
    make_table(dir, rules, (struct subspace){3, 3, 1, 0}, 3310);
    struct shelf *shelf = open_shelf(*place, dir);
    struct tablebase *base = open_base_of(shelf, rules, 1 << 20);
    for (int i = 0; i < 2000; i++) {
        struct subspace s = {3, 4, 0, (uint8_t)(i % 2)};
        struct position pos = random_position(&rules->board, s, &seed);
        pos.own = rules->board.mills[i % 16];
        pos.other &= ~pos.own;
        pos.due = 1;
        if (bit_count(pos.other) != 4)
            continue;
        struct answer answer, expected = best_removal(rules, &pos);
        OK(merels_tablebase_probe(base, &pos, &answer, &test_error));
        cr_assert(same(answer, expected), "%d: %d %d, not %d %d", i, answer.value, answer.plies,
                  expected.value, expected.plies);
        counts[answer.value + 1]++;
    }
    cr_assert(counts[2] > 10 && counts[1] > 10);
    merels_tablebase_close(base);
    close_shelf(shelf);
    remove_dir(dir);
    free(rules);
}

// P1 with the mill closed and black down to three men: each removal wins at once, without a
// table.
IN_EVERY_PLACE(tablebase, positions_that_are_over_need_no_table)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct shelf *shelf = open_shelf(*place, dir);
    struct tablebase *base = open_base_of(shelf, rules, 0);
    struct answer answer;
    struct position pos = {.own = set_of(&rules->board, "a7,d7,g7,b6"),
                           .other = set_of(&rules->board, "a1,d1,g1"),
                           .due = 1};
    OK(merels_tablebase_probe(base, &pos, &answer, &test_error));
    cr_assert(answer.value == VALUE_WIN && answer.plies == 1);
    pos = (struct position){.own = set_of(&rules->board, "a1,d1"),
                            .other = set_of(&rules->board, "a7,d7,g7,b6")};
    OK(merels_tablebase_probe(base, &pos, &answer, &test_error));
    cr_assert(answer.value == VALUE_LOSS && answer.plies == 0);
    pos = (struct position){.own = set_of(&rules->board, "a7,d7,g7,a1"), // P4: no ply
                            .other = set_of(&rules->board, "a4,d6,g4,d1")};
    OK(merels_tablebase_probe(base, &pos, &answer, &test_error));
    cr_assert(answer.value == VALUE_LOSS && answer.plies == 0);
    pos = (struct position){.own = set_of(&rules->board, "a7,d7,g7,b6"),
                            .other = set_of(&rules->board, "a1,d1")};
    FAILS(merels_tablebase_probe(base, &pos, &answer, &test_error), STATUS_ILLEGAL);
    merels_tablebase_close(base);
    close_shelf(shelf);
    remove_dir(dir);
    free(rules);
}

// ---- errors --------------------------------------------------------------------------------

Test(tablebase, what_is_not_covered)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    char path[512];
    struct subspace listed = {2, 2, 1, 1};
    uint64_t seed = 9;
    struct answer answer = {VALUE_WIN, 77, EDITION_DTM};
    struct position in_33 =
        random_position(&rules->board, (struct subspace){3, 3, 0, 0}, &seed);
    struct position in_22 = random_position(&rules->board, listed, &seed);
    struct tablebase *base = open_base(dir, rules, 0);
    FAILS(merels_tablebase_probe(base, &in_33, &answer, &test_error), STATUS_NOT_COVERED);
    cr_assert(strstr(test_error.text, "missing: subspace 3-3: no file") != NULL);
    merels_tablebase_close(base);
    make_table(dir, rules, listed, 1);
    OK(merels_manifest_add(dir, rules, listed, EDITION_DTM, &test_error));
    base = open_base(dir, rules, 0);
    FAILS(merels_tablebase_probe(base, &in_33, &answer, &test_error), STATUS_NOT_COVERED);
    cr_assert(strstr(test_error.text, "missing: subspace 3-3 is outside") != NULL);
    file_path(path, dir, "2-2-1-1.mtb");
    remove(path);
    FAILS(merels_tablebase_probe(base, &in_22, &answer, &test_error), STATUS_NOT_COVERED);
    cr_assert(strstr(test_error.text, "missing: subspace 2-2-1-1: its file") != NULL);
    merels_tablebase_begin_from(base, (struct start){3, 3});
    FAILS(merels_tablebase_probe(base, &in_22, &answer, &test_error), STATUS_NOT_COVERED);
    cr_assert(strstr(test_error.text, "missing: subspace 2-2-1-1: its file") != NULL);
    merels_tablebase_begin_from(base, (struct start){3, 4});
    FAILS(merels_tablebase_probe(base, &in_22, &answer, &test_error), STATUS_NOT_COVERED);
    cr_assert(strstr(test_error.text, "not covered: cannot arise: subspace 2-2-1-1") != NULL);
    cr_assert(answer.value == VALUE_WIN && answer.plies == 77); // untouched
    make_table(dir, rules, listed, 1); // a file that comes later is found
    OK(merels_tablebase_probe(base, &in_22, &answer, &test_error));
    merels_tablebase_close(base);
    FAILS(merels_tablebase_open("/nonexistent", rules, 0, &base, &test_error), STATUS_MISSING);
    FAILS(merels_tablebase_open(path, rules, 0, &base, &test_error), STATUS_IO);
    remove_dir(dir);
    free(rules);
}

IN_EVERY_PLACE(tablebase, a_damaged_block_gives_no_value)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct subspace s = {3, 3, 0, 0};
    size_t n;
    uint64_t seed = 2;
    int n_corrupt = 0;
    make_table(dir, rules, s, seed_of(s));
    uint8_t *bytes = load_bytes(dir, "3-3.mtb", &n);
    bytes[start_of_block(bytes, 1) + 5] ^= 16; // in block 1
    store_bytes(dir, "3-3.mtb", bytes, n);
    struct shelf *shelf = open_shelf(*place, dir);
    struct tablebase *base = open_base_of(shelf, rules, 1 << 20);
    struct index *index = merels_tablebase_index(base);
    for (int i = 0; i < 2000; i++) {
        struct position pos = random_position(&rules->board, s, &seed);
        struct answer answer = {VALUE_WIN, 77, EDITION_DTM};
        uint64_t slot;
        OK(merels_index_rank(index, &pos, &slot, &test_error));
        enum status status = merels_tablebase_probe(base, &pos, &answer, &test_error);
        cr_assert_eq(status, slot / DTM_BLOCK_SLOTS == 1 ? STATUS_CORRUPT : STATUS_OK);
        cr_assert_eq(answer.plies == 77, status != STATUS_OK);
        n_corrupt += status == STATUS_CORRUPT;
    }
    cr_assert_gt(n_corrupt, 50);
    cr_assert(strstr(test_error.text, "3-3.mtb: block 1") != NULL || n_corrupt > 0);
    merels_tablebase_close(base);
    close_shelf(shelf);
    free(bytes);
    remove_dir(dir);
    free(rules);
}

IN_EVERY_PLACE(tablebase, lists_its_tables)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct subspace *found;
    size_t n;
    static const char *const others[] = {"MANIFEST.part", "x.mtb",       "3-3.mtb.part",
                                         "03-3.mtb",      "4-4-0-0.mtb", "9-8.txt",
                                         ".mtb",          "9-8-1.mtb"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        store_bytes(dir, others[i], "", 0);
    store_bytes(dir, "9-8.mtb", "", 0);
    store_bytes(dir, "3-4.mtb", "", 0);
    store_bytes(dir, "1-1-8-8.mtb", "", 0);
    struct shelf *shelf = open_shelf(*place, dir);
    struct tablebase *base = open_base_of(shelf, rules, 0);
    OK(merels_tablebase_list(base, &found, &n, &test_error));
    cr_assert_eq(n, 3);
    cr_assert(merels_subspace_equal(found[0], (struct subspace){3, 4, 0, 0}));
    cr_assert(merels_subspace_equal(found[1], (struct subspace){9, 8, 0, 0}));
    cr_assert(merels_subspace_equal(found[2], (struct subspace){1, 1, 8, 8}));
    free(found);
    merels_tablebase_close(base);
    close_shelf(shelf);
    remove_dir(dir);
    free(rules);
}

// ---- many threads, many tables, few descriptors, small stacks ------------------------------

enum { N_THREADS = 32 };

struct many {
    const struct rules *rules;
    struct tablebase *base;
    struct subspace subspaces[400];
    int n;
    enum status expected;
    atomic_int n_begun; // threads, each with a seed of its own
};

static void *probe_all_over(void *context)
{
    struct many *many = context;
    uint64_t seed = mix((uint64_t)atomic_fetch_add(&many->n_begun, 1));
    for (int i = 0; i < 400; i++) {
        struct subspace s = many->subspaces[next_random(&seed) % (uint64_t)many->n];
        struct position pos = random_position(&many->rules->board, s, &seed);
        struct answer answer;
        struct error error;
        enum status status = merels_tablebase_probe(many->base, &pos, &answer, &error);
        if (status != many->expected)
            return strdup(error.text);
        if (status == STATUS_OK && !same(answer, expected_answer(many->rules, &pos)))
            return strdup("wrong value");
    }
    return NULL;
}

// All threads start on a fresh tablebase, on stacks of 128 KiB.
static void run_threads(struct many *many)
{
    pthread_t threads[N_THREADS];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    cr_assert_eq(pthread_attr_setstacksize(&attributes, 128 << 10), 0);
    for (int i = 0; i < N_THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], &attributes, probe_all_over, many), 0);
    for (int i = 0; i < N_THREADS; i++) {
        void *text;
        pthread_join(threads[i], &text);
        cr_assert_null(text, "%s", (char *)text);
    }
    pthread_attr_destroy(&attributes);
}

Test(tablebase, three_hundred_tables_and_thirty_two_descriptors, .timeout = 120)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct many *many = calloc(1, sizeof *many);
    many->rules = rules;
    for (int a = 0; a <= 1; a++)
        for (int b = 0; b <= 1; b++)
            for (int ha = 1; ha <= 9; ha++)
                for (int hb = 3; hb <= 11; hb++) {
                    struct subspace s = {(uint8_t)a, (uint8_t)b, (uint8_t)ha, (uint8_t)hb};
                    make_table(dir, rules, s, seed_of(s));
                    many->subspaces[many->n++] = s;
                }
    cr_assert_eq(many->n, 324);
    struct rlimit limit = {32, 32};
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
    many->base = open_base(dir, rules, 4096); // hardly any cache: files are read all the time
    // First when the host has used up all but one descriptor after opening.
    int taken[32], n_taken = 0;
    while (n_taken < 32 && (taken[n_taken] = dup(0)) >= 0)
        n_taken++;
    cr_assert(n_taken > 0);
    close(taken[--n_taken]);
    run_threads(many);
    while (n_taken > 0)
        close(taken[--n_taken]);
    run_threads(many);
    merels_tablebase_close(many->base);
    remove_dir(dir);
    free(many);
    free(rules);
}

Test(tablebase, first_probe_of_many_threads_on_missing_and_corrupt_files)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct many *many = calloc(1, sizeof *many);
    many->rules = rules;
    many->subspaces[0] = (struct subspace){3, 3, 0, 1};
    many->n = 1;
    many->base = open_base(dir, rules, 1 << 20);
    many->expected = STATUS_NOT_COVERED;
    run_threads(many);
    store_bytes(dir, "3-3-0-1.mtb", "MERELSTB and then nothing of use", 32);
    many->expected = STATUS_CORRUPT;
    run_threads(many);
    merels_tablebase_close(many->base);
    make_table(dir, rules, many->subspaces[0], seed_of(many->subspaces[0]));
    many->base = open_base(dir, rules, 1 << 20);
    many->expected = STATUS_OK;
    run_threads(many);
    merels_tablebase_close(many->base);
    remove_dir(dir);
    free(many);
    free(rules);
}
