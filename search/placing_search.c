// placing_search.c: a prover that lives on from answer to answer, behind a lock.
//
// A question is asked only if its answer is not known and matters: who does not even draw has
// lost, whatever the other side does.

#include "search/placing_search.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "search/leaves.h"
#include "search/position_key.h"
#include "search/prover.h"
#include "work/memory.h"

static const uint64_t usual_table_bytes = (uint64_t)512 << 20;

struct placing_search {
    const struct rules *rules;
    struct tablebase *base;
    struct placing_values values; // as the tablebase calls it
    struct leaves *leaves;
    struct prover *prover;
    struct prover_limits limits; // of the next question
    uint64_t max_nodes, n_left;  // of the answer
    _Atomic uint64_t n_nodes;
    pthread_mutex_t one_at_a_time;
};

static void begin_answer(void *context)
{
    struct placing_search *search = context;
    pthread_mutex_lock(&search->one_at_a_time);
    search->n_left = search->max_nodes;
    pthread_mutex_unlock(&search->one_at_a_time);
}

static enum status probe(void *context, const struct position *pos, struct answer *answer,
                         struct error *err)
{
    return merels_placing_search_value(context, pos, answer, err);
}

static uint64_t table_bytes(const struct placing_options *options)
{
    uint64_t free_bytes = merels_memory_free();
    if (options->table_bytes > 0)
        return options->table_bytes;
    return free_bytes > 0 && free_bytes / 4 < usual_table_bytes ? free_bytes / 4
                                                                : usual_table_bytes;
}

static enum status create_parts(struct placing_search *search,
                                const struct placing_options *options, struct error *err)
{
    uint64_t n_bytes;
    const struct subspace nothing = {0, 0, 0, 0}; // the game is over there: no table
    enum status status = merels_leaves_create(search->rules, search->base, nothing,
                                              &search->leaves, &n_bytes, err);
    if (status == STATUS_OK)
        status = merels_prover_create(search->rules, search->leaves, table_bytes(options),
                                      &search->prover, err);
    return status;
}

enum status merels_placing_search_create(const struct rules *rules, struct tablebase *base,
                                         const struct placing_options *options,
                                         struct placing_search **search, struct error *err)
{
    if (rules->board.n_symmetries > SEARCH_MAX_SYMMETRIES)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "the search needs a board of at most %d symmetries",
                            SEARCH_MAX_SYMMETRIES);
    struct placing_search *made = calloc(1, sizeof *made);
    if (made == NULL || pthread_mutex_init(&made->one_at_a_time, NULL) != 0) {
        free(made);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a search");
    }
    made->rules = rules;
    made->base = base;
    made->max_nodes = made->n_left = options->max_nodes;
    made->values = (struct placing_values){probe, begin_answer, made};
    enum status status = create_parts(made, options, err);
    if (status != STATUS_OK) {
        merels_placing_search_destroy(made);
        return status;
    }
    merels_tablebase_attach(base, &made->values);
    *search = made;
    return STATUS_OK;
}

void merels_placing_search_destroy(struct placing_search *search)
{
    if (search == NULL)
        return;
    merels_tablebase_attach(search->base, NULL);
    merels_prover_destroy(search->prover);
    merels_leaves_destroy(search->leaves);
    pthread_mutex_destroy(&search->one_at_a_time);
    free(search);
}

void merels_placing_search_stop(struct placing_search *search, bool (*stops)(void *user),
                                void *user)
{
    pthread_mutex_lock(&search->one_at_a_time);
    search->limits.stops = stops;
    search->limits.user = user;
    pthread_mutex_unlock(&search->one_at_a_time);
}

uint64_t merels_placing_search_nodes(const struct placing_search *search)
{
    return atomic_load(&search->n_nodes);
}

static enum status undecided(const struct placing_search *search, struct error *err)
{
    return merels_error(err, STATUS_UNDECIDED, "not decided in %llu nodes",
                        (unsigned long long)search->max_nodes);
}

// Does the side at least draw? `known` is what was proved before, -1: nothing.
static enum status ask(struct placing_search *search, const struct position *pos,
                       enum colour side, int *known, struct error *err)
{
    struct proof proof;
    if (*known >= 0)
        return STATUS_OK;
    if (search->max_nodes > 0 && search->n_left == 0)
        return undecided(search, err);
    search->limits.max_nodes = search->n_left;
    enum status status =
        merels_prover_run(search->prover, pos, side, &search->limits, 1, &proof, err);
    atomic_fetch_add(&search->n_nodes, proof.n_nodes);
    if (search->max_nodes > 0)
        search->n_left -= proof.n_nodes < search->n_left ? proof.n_nodes : search->n_left;
    if (status == STATUS_UNDECIDED)
        return undecided(search, err);
    *known = proof.at_least_draws;
    return status;
}

static enum status decide(struct placing_search *search, const struct position *pos,
                          enum value *value, struct error *err)
{
    enum colour mover = (enum colour)pos->mover, other = mover == WHITE ? BLACK : WHITE;
    int mine = merels_prover_known(search->prover, pos, mover);
    int theirs = merels_prover_known(search->prover, pos, other);
    enum status status = STATUS_OK;
    if (theirs != 0)
        status = ask(search, pos, mover, &mine, err);
    if (status == STATUS_OK && theirs != 0 && mine != 0)
        status = ask(search, pos, other, &theirs, err);
    if (status == STATUS_OK)
        *value = theirs == 0 ? VALUE_WIN : mine == 0 ? VALUE_LOSS : VALUE_DRAW;
    return status;
}

enum status merels_placing_search_value(struct placing_search *search,
                                        const struct position *pos, struct answer *answer,
                                        struct error *err)
{
    enum value value = VALUE_DRAW;
    if (pos->own_hand > SEARCH_MAX_HAND || pos->other_hand > SEARCH_MAX_HAND)
        return merels_error(err, STATUS_UNSUPPORTED, "a search takes at most %d men in a hand",
                            SEARCH_MAX_HAND);
    pthread_mutex_lock(&search->one_at_a_time);
    enum status status =
        merels_leaves_announce(search->leaves, search->base, merels_subspace_of(pos), err);
    if (status == STATUS_OK)
        status = decide(search, pos, &value, err);
    pthread_mutex_unlock(&search->one_at_a_time);
    if (status == STATUS_OK)
        *answer = (struct answer){.value = value, .plies = -1, .edition = EDITION_SEARCH};
    return status;
}
