// test_library.c: the public interface: every kind of failure, threads, small stacks, few file
// descriptors, closing while others ask, and directories in which tables are missing.

#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "export/export_wdl.h"
#include "query/merels.h"
#include "tests/solver/support.h"

static const char *const wins_in_one = "w a7,d7,g4 a1,d1,g1 0/0";

// The moving phase of nine men's morris with at most 7 men: 3-3, 3-4, 4-3.
static char *nine_dir(void)
{
    struct start start;
    struct rules *rules = rules_with_start("nine", &start);
    char *dir = make_dir("merels-library");
    const struct solve_options options = moving(dir, 7);
    solve(rules, start, &options);
    free(rules);
    return dir;
}

static struct merels_failure failure;

#define GOOD(call) cr_assert_eq((call), MERELS_OK, "%s: %s", #call, failure.text)
#define BAD(call, expected)                                                              \
    do {                                                                                 \
        failure = (struct merels_failure){MERELS_OK, ""};                                \
        cr_assert_eq((call), (expected), "%s: %s", #call, failure.text);                 \
        cr_assert(failure.status == (expected) && failure.text[0] != '\0', "%s", #call); \
    } while (0)

static struct merels *open_handle(const char *dir, size_t cache_bytes)
{
    struct merels *handle;
    GOOD(merels_open("nine", dir, cache_bytes, &handle, &failure));
    return handle;
}

static struct merels_position position_of(struct merels *handle, const char *text)
{
    struct merels_position position;
    GOOD(merels_parse(handle, text, &position, &failure));
    return position;
}

// ---- answers -------------------------------------------------------------------------------

Test(library, answers)
{
    char *dir = nine_dir();
    struct merels *handle = open_handle(dir, 1 << 20);
    struct merels_position position = position_of(handle, wins_in_one), after;
    struct merels_answer answer;
    struct merels_ply plies[3];
    size_t n;
    cr_assert(position.white == 0xb && position.black == 0x70 && !position.black_to_move);
    GOOD(merels_probe(handle, &position, &answer, &failure));
    cr_assert(answer.value == MERELS_WIN && answer.plies == 1 && answer.has_depths);
    GOOD(merels_rank(handle, &position, plies, 3, &n, &answer, &failure));
    cr_assert(n == 56 && answer.plies == 1, "%zu", n);
    cr_assert_str_eq(plies[0].text, "g4-g7xa1");
    cr_assert(plies[0].value == MERELS_WIN && plies[0].plies == 1 && plies[0].n_removed == 1);
    cr_assert_str_eq(merels_point_name(handle, plies[0].removed[0]), "a1");
    GOOD(merels_apply(handle, &position, plies[0].text, &after, &failure));
    cr_assert(after.black_to_move && after.black == 0x30 && after.white == 0x7);
    GOOD(merels_probe(handle, &after, &answer, &failure));
    cr_assert(answer.value == MERELS_LOSS && answer.plies == 0);
    GOOD(merels_rank(handle, &after, NULL, 0, &n, NULL, &failure));
    cr_assert_eq(n, 0);
    merels_close(handle);
    remove_dir(dir);
}

// Values and plies are the mover's, whoever is White; the texts come back the same.
Test(library, colours_and_texts)
{
    char *dir = nine_dir();
    struct merels *handle = open_handle(dir, 1 << 20);
    const char *const texts[] = {"w d7,g7,a7 a1,d1,b2 0/0", "b d7,g7,a7 a1,d1,b2 0/0",
                                 "b a1,d1,b2 d7,g7,a7 0/0", "w! d7,g7,a7 a1,d1,b2 0/0"};
    struct merels_answer answers[4];
    for (int i = 0; i < 4; i++) {
        struct merels_position position = position_of(handle, texts[i]), again;
        GOOD(merels_probe(handle, &position, &answers[i], &failure));
        for (int form = MERELS_FORM_SHORT; form <= MERELS_FORM_FEN; form++) {
            char text[MERELS_POSITION_BYTES];
            GOOD(merels_format(handle, &position, form, text, &failure));
            again = position_of(handle, text);
            cr_assert(again.white == position.white && again.black == position.black &&
                          again.black_to_move == position.black_to_move &&
                          again.removals_due == position.removals_due,
                      "%s", text);
        }
    }
    cr_assert(answers[0].value == answers[2].value && answers[0].plies == answers[2].plies);
    cr_assert(answers[3].value == MERELS_WIN && answers[3].plies == 1);
    merels_close(handle);
    remove_dir(dir);
}

Test(library, without_depths)
{
    char *dir = nine_dir(), *wdl = make_dir("merels-library");
    struct start start;
    struct rules *rules = rules_with_start("nine", &start);
    struct export_result result;
    const struct export_options options = {.dir = dir, .out_dir = wdl, .n_threads = 1};
    OK(merels_export_wdl(rules, &options, NULL, &result, &test_error));
    struct merels *handle = open_handle(wdl, 1 << 20);
    struct merels_position position = position_of(handle, wins_in_one);
    struct merels_answer answer;
    struct merels_ply plies[64];
    size_t n;
    GOOD(merels_rank(handle, &position, plies, 64, &n, &answer, &failure));
    cr_assert(answer.value == MERELS_WIN && answer.plies == -1 && !answer.has_depths);
    for (size_t i = 1; i < n; i++)
        cr_assert(plies[i - 1].value >= plies[i].value);
    cr_assert_eq(plies[0].plies, 1, "a ply that ends the game has a depth");
    merels_close(handle);
    free(rules);
    remove_dir(dir);
    remove_dir(wdl);
}

// data/conversions.tsv says what holds of the first: lost, a removal is two plies away.
static const char *const lost_in_two = "b e1,c1,a3,b4,c4,d3 a5,c5,e3 0/0";

static struct merels_position counted_ply(struct merels *handle, struct merels_position before,
                                          const char *ply, int quiet_plies)
{
    struct merels_position after;
    GOOD(merels_apply(handle, &before, ply, &after, &failure));
    cr_expect_eq(after.quiet_plies, quiet_plies, "%s: %d", ply, after.quiet_plies);
    return after;
}

static void check_count_texts(struct merels *handle, struct merels_position position)
{
    char text[MERELS_POSITION_BYTES];
    position.quiet_plies = 2;
    GOOD(merels_format(handle, &position, MERELS_FORM_SHORT, text, &failure));
    cr_expect(strcmp(text + strlen(lost_in_two), " n2") == 0, "%s", text);
    cr_expect_eq(position_of(handle, text).quiet_plies, 2);
}

// Under rules that count plies without a removal.
Test(library, counted_plies)
{
    struct start start;
    struct rules *rules = rules_with_start("six,n-move=2", &start);
    char *dir = make_dir("merels-library");
    const struct solve_options options = moving(dir, 9);
    struct merels *handle, *plain;
    struct merels_answer answer;
    struct merels_ply ply;
    size_t n;
    solve(rules, start, &options);
    GOOD(merels_open("six,n-move=2", dir, 0, &handle, &failure));
    struct merels_position position = position_of(handle, lost_in_two), lost = position;
    GOOD(merels_probe(handle, &position, &answer, &failure));
    cr_expect(position.quiet_plies == 0 && answer.value == MERELS_LOSS && answer.plies == 2);
    position.quiet_plies = 1; // one more is played, and the removal would be the second
    GOOD(merels_rank(handle, &position, &ply, 1, &n, &answer, &failure));
    cr_expect(answer.value == MERELS_DRAW && answer.plies == -1 && ply.value == MERELS_DRAW);
    position.quiet_plies = 2;
    GOOD(merels_rank(handle, &position, &ply, 1, &n, &answer, &failure));
    cr_expect(answer.value == MERELS_DRAW && n == 0);
    position.quiet_plies = 3;
    BAD(merels_probe(handle, &position, &answer, &failure), MERELS_ILLEGAL);
    struct merels_position next = counted_ply(handle, lost, "c5-e5", 1);
    counted_ply(handle, next, "d3-d4xe3", 0);
    check_count_texts(handle, lost);
    char *none = nine_dir();
    plain = open_handle(none, 0);
    struct merels_position of_nine = position_of(plain, wins_in_one);
    of_nine.quiet_plies = 1;
    BAD(merels_probe(plain, &of_nine, &answer, &failure), MERELS_ILLEGAL);
    merels_close(handle);
    merels_close(plain);
    free(rules);
    remove_dir(dir);
    remove_dir(none);
}

Test(library, version_is_the_projects)
{
    char numbers[32];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", MERELS_VERSION_MAJOR, MERELS_VERSION_MINOR,
             MERELS_VERSION_PATCH);
    cr_assert_str_eq(MERELS_VERSION, MERELS_PROJECT_VERSION);
    cr_assert_str_eq(numbers, MERELS_PROJECT_VERSION);
    cr_assert_str_eq(merels_version(), MERELS_VERSION);
}

// ---- failures ------------------------------------------------------------------------------

Test(library, bad_arguments)
{
    char *dir = nine_dir(), text[MERELS_POSITION_BYTES];
    struct merels *handle = open_handle(dir, 0), *other;
    struct merels_position p = position_of(handle, wins_in_one), q;
    struct merels_answer answer = {MERELS_WIN, 77, 1};
    size_t n;
    BAD(merels_open("nein", dir, 0, &other, &failure), MERELS_BAD_INPUT);
    BAD(merels_open(NULL, dir, 0, &other, &failure), MERELS_BAD_INPUT);
    BAD(merels_open("nine", "/nonexistent", 0, &other, &failure), MERELS_MISSING);
    BAD(merels_open("nine-nofly", dir, 0, &other, &failure), MERELS_OTHER_RULES);
    BAD(merels_parse(handle, "w a7 a7 0/0", &q, &failure), MERELS_BAD_INPUT);
    BAD(merels_parse(handle, "rubbish", &q, &failure), MERELS_BAD_INPUT);
    BAD(merels_parse(handle, "w a7,d7,g4 a1,d1 0/0", &q, &failure), MERELS_ILLEGAL);
    BAD(merels_apply(handle, &p, "a7-a1", &q, &failure), MERELS_ILLEGAL);
    BAD(merels_apply(handle, &p, "?", &q, &failure), MERELS_BAD_INPUT);
    BAD(merels_format(handle, &p, (enum merels_form)7, text, &failure), MERELS_BAD_INPUT);
    BAD(merels_probe(handle, NULL, &answer, &failure), MERELS_BAD_INPUT);
    BAD(merels_rank(handle, &p, NULL, 5, &n, NULL, &failure), MERELS_BAD_INPUT);
    cr_assert(answer.plies == 77, "a failure changes no output");
    cr_assert_eq(merels_probe(NULL, &p, &answer, NULL), MERELS_BAD_INPUT);
    cr_assert_null(merels_point_name(handle, 24));
    cr_assert_str_eq(merels_status_text(MERELS_NOT_COVERED), "not covered");
    cr_assert_str_eq(merels_status_text((enum merels_status)99), "unknown status");
    merels_close(handle);
    merels_close(NULL);
    remove_dir(dir);
}

// Any bytes as a position: an answer or a failure, never a crash.
Test(library, random_positions_are_judged)
{
    char *dir = nine_dir();
    struct merels *handle = open_handle(dir, 1 << 20);
    uint64_t random = 11;
    int n_failures = 0;
    for (int i = 0; i < 20000; i++) {
        uint64_t x = next_random(&random), y = next_random(&random);
        bool wild = i % 2 == 0;
        struct merels_position p = {.white = (uint32_t)x & (uint32_t)(x >> 32),
                                    .black = (uint32_t)y & (uint32_t)(y >> 32),
                                    .white_hand = wild ? (uint8_t)(x >> 8) : 0,
                                    .black_hand = wild ? (uint8_t)(y >> 8) : 0,
                                    .black_to_move = (uint8_t)(x >> 16),
                                    .removals_due = wild ? (uint8_t)(y >> 16) : 0,
                                    .quiet_plies = i % 4 == 0 ? (uint16_t)(y >> 24) : 0};
        struct merels_answer answer;
        struct merels_ply ply;
        char text[MERELS_POSITION_BYTES];
        size_t n;
        n_failures += merels_probe(handle, &p, &answer, &failure) != MERELS_OK;
        n_failures += merels_rank(handle, &p, &ply, 1, &n, NULL, NULL) != MERELS_OK;
        n_failures += merels_format(handle, &p, MERELS_FORM_SHORT, text, NULL) != MERELS_OK;
    }
    cr_assert_gt(n_failures, 10000);
    merels_close(handle);
    remove_dir(dir);
}

// Distinct failures for what can be wrong with a table; the other tables answer on.
Test(library, damage_and_gaps)
{
    char *dir = nine_dir(), path[512];
    struct merels_answer answer;
    size_t n;
    uint8_t *bytes = load_bytes(dir, "4-3.mtb", &n);
    struct merels *handle = open_handle(dir, 0);
    struct merels_position good = position_of(handle, wins_in_one);
    struct merels_position bad = position_of(handle, "w a7,d7,g4,b6 a1,d1,g1 0/0");
    bytes[8]++;
    put_le(bytes + 12, 4, merels_xxh64(bytes, 12));
    store_bytes(dir, "4-3.mtb", bytes, n);
    BAD(merels_probe(handle, &bad, &answer, &failure), MERELS_NEWER);
    bytes[8]--;
    bytes[16] ^= 1;
    fix_header(bytes);
    store_bytes(dir, "4-3.mtb", bytes, n);
    BAD(merels_probe(handle, &bad, &answer, &failure), MERELS_OTHER_RULES);
    bytes[100] ^= 1;
    store_bytes(dir, "4-3.mtb", bytes, n);
    BAD(merels_probe(handle, &bad, &answer, &failure), MERELS_CORRUPT);
    file_path(path, dir, "4-3.mtb");
    cr_assert_eq(remove(path), 0);
    BAD(merels_probe(handle, &bad, &answer, &failure), MERELS_NOT_COVERED);
    cr_assert(strstr(failure.text, "4-3") != NULL, "%s", failure.text);
    cr_assert_eq(mkdir(path, 0700), 0);
    BAD(merels_probe(handle, &bad, &answer, &failure), MERELS_CORRUPT);
    cr_assert_eq(rmdir(path), 0);
    GOOD(merels_probe(handle, &good, &answer, &failure));
    cr_assert_eq(answer.plies, 1);
    free(bytes);
    merels_close(handle);
    remove_dir(dir);
}

// ---- threads -------------------------------------------------------------------------------

enum { N_THREADS = 32, SMALL_STACK = 128 << 10 };

struct asker {
    struct merels *handle;
    const char *text;
    enum merels_status expected;
    int n_questions;
    atomic_int *n_running;
    bool right;
};

static void *ask(void *argument)
{
    struct asker *asker = argument;
    struct merels_position position;
    struct merels_ply plies[8];
    struct merels_answer answer;
    size_t n;
    asker->right = merels_parse(asker->handle, asker->text, &position, NULL) == MERELS_OK;
    atomic_fetch_add(asker->n_running, 1);
    for (int i = 0; i < asker->n_questions && asker->right; i++)
        asker->right = merels_rank(asker->handle, &position, plies, 8, &n, &answer, NULL) ==
                       asker->expected;
    merels_close(asker->handle);
    return NULL;
}

// Every thread holds a reference; the handle that they got it from is closed at once.
static void ask_by_threads(struct merels *handle, const char *text, enum merels_status expected)
{
    pthread_t threads[N_THREADS];
    struct asker askers[N_THREADS];
    atomic_int n_running = 0;
    pthread_attr_t attributes;
    cr_assert_eq(pthread_attr_init(&attributes), 0);
    cr_assert_eq(pthread_attr_setstacksize(&attributes, SMALL_STACK), 0);
    for (int i = 0; i < N_THREADS; i++) {
        askers[i] = (struct asker){merels_share(handle), text, expected, 40, &n_running, false};
        cr_assert_eq(pthread_create(&threads[i], &attributes, ask, &askers[i]), 0);
    }
    merels_close(handle);
    for (int i = 0; i < N_THREADS; i++) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
        cr_assert(askers[i].right, "thread %d", i);
    }
    cr_assert_eq(n_running, N_THREADS);
    pthread_attr_destroy(&attributes);
}

#if defined(__SANITIZE_ADDRESS__)
#define SMALL_STACKS_DISABLED true
#else
#define SMALL_STACKS_DISABLED false
#endif

Test(library, threads_small_stacks_closed_meanwhile, .disabled = SMALL_STACKS_DISABLED)
{
    char *dir = nine_dir();
    ask_by_threads(open_handle(dir, 1 << 20), wins_in_one, MERELS_OK);
    ask_by_threads(open_handle(dir, 0), "w a7,d7,g4 a1,d1,g1,b2 0/0", MERELS_OK);
    ask_by_threads(open_handle(dir, 0), "w a7,d7,g4,b6,b4 a1,d1,g1 0/0", MERELS_NOT_COVERED);
    size_t n;
    uint8_t *bytes = load_bytes(dir, "4-3.mtb", &n);
    store_bytes(dir, "4-3.mtb", bytes, n - 1);
    free(bytes);
    ask_by_threads(open_handle(dir, 0), "w a7,d7,g4,b6 a1,d1,g1 0/0", MERELS_CORRUPT);
    remove_dir(dir);
}

// Opening, too, fits a small stack.
static void *open_and_ask(void *argument)
{
    struct merels *handle;
    struct merels_position position;
    struct merels_answer answer;
    if (merels_open("nine", argument, 0, &handle, NULL) != MERELS_OK ||
        merels_parse(handle, "w! d7,g7,a7 a1,d1,b2 0/0", &position, NULL) != MERELS_OK ||
        merels_probe(handle, &position, &answer, NULL) != MERELS_OK)
        return NULL;
    merels_close(handle);
    return argument;
}

Test(library, opening_on_a_small_stack, .disabled = SMALL_STACKS_DISABLED)
{
    char *dir = nine_dir();
    pthread_t thread;
    pthread_attr_t attributes;
    void *result;
    cr_assert_eq(pthread_attr_init(&attributes), 0);
    cr_assert_eq(pthread_attr_setstacksize(&attributes, SMALL_STACK), 0);
    cr_assert_eq(pthread_create(&thread, &attributes, open_and_ask, dir), 0);
    cr_assert_eq(pthread_join(thread, &result), 0);
    cr_assert_eq(result, dir);
    pthread_attr_destroy(&attributes);
    remove_dir(dir);
}

Test(library, few_descriptors)
{
    char *dir = nine_dir();
    const struct rlimit few = {16, 16};
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    struct merels *handle = open_handle(dir, 0);
    const char *const texts[] = {wins_in_one, "w a7,d7,g4,b6 a1,d1,g1 0/0",
                                 "w a7,d7,g4 a1,d1,g1,b2 0/0"};
    for (int i = 0; i < 300; i++) {
        struct merels_position position = position_of(handle, texts[i % 3]);
        struct merels_answer answer;
        GOOD(merels_probe(handle, &position, &answer, &failure));
    }
    merels_close(handle);
    remove_dir(dir);
}

// ---- partial data --------------------------------------------------------------------------

// The tables of `whole` whose bit is set, in a new directory.
static char *part_of(const char *whole, int subset)
{
    static const char *const names[] = {"3-3.mtb", "3-4.mtb", "4-3.mtb"};
    char *dir = make_dir("merels-part");
    for (int i = 0; i < 3; i++) {
        size_t n;
        uint8_t *bytes = load_bytes(whole, names[i], &n);
        if (subset >> i & 1)
            store_bytes(dir, names[i], bytes, n);
        free(bytes);
    }
    return dir;
}

// The full answer, or "not covered" with the name of a subspace; true if it is the answer.
static bool same_or_not_covered(struct merels *full, struct merels *part, const char *text)
{
    struct merels_position p = position_of(full, text);
    struct merels_ply x[64], y[64];
    size_t n_x, n_y;
    GOOD(merels_rank(full, &p, x, 64, &n_x, NULL, &failure));
    enum merels_status status = merels_rank(part, &p, y, 64, &n_y, NULL, &failure);
    if (status != MERELS_OK) {
        cr_assert(status == MERELS_NOT_COVERED && strstr(failure.text, "subspace") != NULL,
                  "%s", failure.text);
        return false;
    }
    cr_assert_eq(n_x, n_y);
    for (size_t i = 0; i < n_x; i++)
        cr_assert(strcmp(x[i].text, y[i].text) == 0 && x[i].plies == y[i].plies &&
                  x[i].value == y[i].value);
    return true;
}

Test(library, partial_data)
{
    static const char *const texts[] = {
        "w a7,d7,g4 a1,d1,g1 0/0", "w a7,d7,g4,b6 a1,d1,g1 0/0", "b a7,d7,g4,b6 a1,d1,g1 0/0",
        "w a7,d7,g4 a1,d1,g1,b2 0/0", "w! a7,d7,g7,b6 a1,d1,g1 0/0"};
    char *whole = nine_dir();
    struct merels *full = open_handle(whole, 1 << 20);
    int n_answers = 0;
    for (int subset = 0; subset < 8; subset++) {
        char *dir = part_of(whole, subset);
        struct merels *part = open_handle(dir, 1 << 20);
        for (size_t t = 0; t < sizeof texts / sizeof texts[0]; t++) {
            bool answered = same_or_not_covered(full, part, texts[t]);
            cr_assert(answered || subset != 7, "%s", texts[t]);
            n_answers += answered;
        }
        merels_close(part);
        remove_dir(dir);
    }
    cr_assert(n_answers > 5 && n_answers < 40, "%d", n_answers);
    merels_close(full);
    remove_dir(whole);
}
