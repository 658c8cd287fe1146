// threads.c: many threads at one handle of the public library, as a program of its own with
// nothing but pthreads, so that ThreadSanitizer can watch it (scripts/check tsan).
//
//     merels_threads same RULES DIR            all answers are those of one thread
//     merels_threads fail RULES DIR POSITION STATUS GOOD
//         the first look-ups of POSITION, all at once, fail with STATUS and the same words;
//         GOOD is answered meanwhile
//     merels_threads open RULES DIR            handles are opened, shared and closed meanwhile
//
// Prints what differs; exit status 1 if something does.

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/merels.h"

enum { N_THREADS = 32, MOST_POSITIONS = 240, MOST_PLIES = 256, N_ROUNDS = 12 };
static const uint64_t seed = 20260101;

struct known {
    struct merels_position position;
    struct merels_answer answer;
    size_t n_plies;
    struct merels_ply best;
};

static const char *rules, *dir, *position_text, *good_text;
static enum merels_status expected;
static struct known known[MOST_POSITIONS];
static size_t n_known;
static struct merels *shared;
static pthread_barrier_t together;
static atomic_int n_wrong, n_answers;

static void complain(const char *what, const struct merels_failure *failure)
{
    if (atomic_fetch_add(&n_wrong, 1) < 20)
        fprintf(stderr, "%s: %s: %s\n", what, merels_status_text(failure->status),
                failure->text);
}

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static struct merels *open_handle(size_t cache_bytes)
{
    struct merels *handle = NULL;
    struct merels_failure failure;
    if (merels_open(rules, dir, cache_bytes, &handle, &failure) != MERELS_OK) {
        complain("cannot open", &failure);
        exit(EXIT_FAILURE);
    }
    return handle;
}

static void on_all_threads(void *(*run)(void *))
{
    pthread_t threads[N_THREADS];
    for (size_t i = 0; i < N_THREADS; i++)
        if (pthread_create(&threads[i], NULL, run, (void *)(uintptr_t)i) != 0) {
            fprintf(stderr, "cannot start a thread\n");
            exit(EXIT_FAILURE);
        }
    for (size_t i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
}

// ---- the same answers ----------------------------------------------------------------------

// Walks through random games, one thread, and keeps what is answered.
static void learn(struct merels *handle)
{
    struct merels_ply plies[MOST_PLIES];
    struct merels_position start, position;
    struct merels_failure failure;
    uint64_t state = seed;
    if (merels_parse(handle, "startpos", &start, &failure) != MERELS_OK)
        complain("startpos", &failure);
    position = start;
    while (n_known < MOST_POSITIONS && atomic_load(&n_wrong) == 0) {
        struct known *k = &known[n_known++];
        k->position = position;
        if (merels_rank(handle, &position, plies, MOST_PLIES, &k->n_plies, &k->answer,
                        &failure) != MERELS_OK)
            complain("rank", &failure);
        if (k->n_plies > 0)
            k->best = plies[0];
        const char *ply = k->n_plies > 0 ? plies[next(&state) % k->n_plies].text : NULL;
        if (ply == NULL || n_known % 30 == 0)
            position = start;
        else if (merels_apply(handle, &position, ply, &position, &failure) != MERELS_OK)
            complain(ply, &failure);
    }
}

static bool same_answer(const struct merels_answer *x, const struct merels_answer *y)
{
    return x->value == y->value && x->plies == y->plies && x->has_depths == y->has_depths;
}

static void ask(struct merels *handle, const struct known *k)
{
    struct merels_answer answer;
    struct merels_ply best = {.text = ""};
    struct merels_failure failure = {MERELS_OK, "another answer"};
    size_t n_plies;
    if (merels_probe(handle, &k->position, &answer, &failure) != MERELS_OK ||
        !same_answer(&answer, &k->answer))
        complain("probe", &failure);
    if (merels_rank(handle, &k->position, &best, 1, &n_plies, &answer, &failure) != MERELS_OK ||
        !same_answer(&answer, &k->answer) || n_plies != k->n_plies ||
        strcmp(best.text, k->best.text) != 0)
        complain("rank", &failure);
    atomic_fetch_add(&n_answers, 1);
}

static void *ask_all(void *number)
{
    size_t i = (uintptr_t)number;
    pthread_barrier_wait(&together);
    for (size_t k = 0; k < n_known; k++)
        ask(shared, &known[(k * (2 * i + 1) + i * 7) % n_known]);
    return NULL;
}

static void same(void)
{
    shared = open_handle(64 << 20);
    learn(shared);
    merels_close(shared);
    for (size_t cache_bytes = 0; cache_bytes <= 1 << 20; cache_bytes += 1 << 19) {
        shared = open_handle(cache_bytes);
        on_all_threads(ask_all);
        merels_close(shared);
    }
}

// ---- the same failure ----------------------------------------------------------------------

static char words[N_THREADS][MERELS_FAILURE_BYTES];

static void *fail_once(void *number)
{
    size_t i = (uintptr_t)number;
    struct merels_position position;
    struct merels_answer answer = {MERELS_DRAW, 77, 0};
    struct merels_failure failure = {MERELS_OK, "answered"};
    if (merels_parse(shared, position_text, &position, &failure) != MERELS_OK)
        complain(position_text, &failure);
    pthread_barrier_wait(&together);
    if (i % 8 == 7) {
        if (merels_parse(shared, good_text, &position, &failure) != MERELS_OK ||
            merels_probe(shared, &position, &answer, &failure) != MERELS_OK)
            complain(good_text, &failure);
        return NULL;
    }
    if (merels_probe(shared, &position, &answer, &failure) != expected || answer.plies != 77)
        complain("another failure", &failure);
    strcpy(words[i], failure.text);
    atomic_fetch_add(&n_answers, 1);
    return NULL;
}

static void fail(void)
{
    for (int round = 0; round < N_ROUNDS; round++) {
        shared = open_handle(round % 2 == 0 ? 0 : 1 << 20);
        on_all_threads(fail_once);
        for (size_t i = 1; i < N_THREADS; i++)
            if (i % 8 != 7 && strcmp(words[i], words[0]) != 0)
                complain("other words", &(struct merels_failure){expected, ""});
        merels_close(shared);
    }
    printf("%s\n", words[0]);
}

// ---- opening and closing -------------------------------------------------------------------

static void *open_and_close(void *number)
{
    size_t i = (uintptr_t)number;
    struct merels *mine = merels_share(shared);
    pthread_barrier_wait(&together); // main gives its own reference back now
    for (size_t round = 0; round < N_ROUNDS; round++) {
        struct merels *other = open_handle(1 << 18);
        ask(other, &known[(i * N_ROUNDS + round) % n_known]);
        struct merels *again = merels_share(other);
        merels_close(other);
        ask(again, &known[(i + round) % n_known]);
        merels_close(again);
        ask(mine, &known[(i * 3 + round) % n_known]);
    }
    merels_close(mine);
    return NULL;
}

static void *give_back(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&together);
    merels_close(shared);
    return NULL;
}

static void open_all(void)
{
    pthread_t closer;
    shared = open_handle(1 << 20);
    learn(shared);
    pthread_barrier_destroy(&together);
    pthread_barrier_init(&together, NULL, N_THREADS + 1);
    pthread_create(&closer, NULL, give_back, NULL);
    on_all_threads(open_and_close);
    pthread_join(closer, NULL);
}

int main(int argc, char **argv)
{
    pthread_barrier_init(&together, NULL, N_THREADS);
    rules = argc > 3 ? argv[2] : "";
    dir = argc > 3 ? argv[3] : "";
    if (argc == 4 && strcmp(argv[1], "same") == 0) {
        same();
    } else if (argc == 7 && strcmp(argv[1], "fail") == 0) {
        position_text = argv[4];
        expected = (enum merels_status)strtol(argv[5], NULL, 10);
        good_text = argv[6];
        fail();
    } else if (argc == 4 && strcmp(argv[1], "open") == 0) {
        open_all();
    } else {
        fprintf(stderr, "usage: merels_threads same|fail|open RULES DIR ...\n");
        return 2;
    }
    pthread_barrier_destroy(&together);
    printf("%s: seed %llu, %d threads, %d answers, %d wrong\n", argv[1],
           (unsigned long long)seed, N_THREADS, atomic_load(&n_answers), atomic_load(&n_wrong));
    return n_wrong == 0 && n_answers > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
