// search.c: the value of a position of the placing phase, by two searches forwards.

#include "search/search.h"

#include <stdlib.h>
#include <time.h>

#include "search/leaves.h"
#include "search/position_key.h"
#include "search/prover.h"
#include "work/memory.h"

enum {
    LEAST_TABLE_BYTES = 1 << 20, // of a transposition table
    OTHER_BYTES = 64 << 20,      // process, row look-up tables, lists of plies
};

// Sixteen times the positions of nine men's morris; a larger table takes longer to clear.
static const uint64_t most_table_bytes = (uint64_t)1 << 30;

struct search {
    const struct position *root;
    int n_threads;
    struct tablebase *base;
    struct leaves *leaves;
    struct prover *prover;
    struct meter meter;
};

static enum status check_root(const struct rules *rules, const struct position *root,
                              struct error *err)
{
    if (rules->turn != TURN_PLACE_THEN_MOVE)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "the search needs rules by which a side with men in hand places "
                            "one (turn place-then-move)");
    if (rules->chooser != CHOOSER_MOVER)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "the search needs rules by which the mover picks the man that is "
                            "taken (chooser mover)");
    if (rules->board.n_symmetries > SEARCH_MAX_SYMMETRIES)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "the search needs a board of at most %d symmetries",
                            SEARCH_MAX_SYMMETRIES);
    enum status status = merels_position_check(rules, root, err);
    if (status != STATUS_OK)
        return status;
    if (root->due > 0 || root->own_hand > SEARCH_MAX_HAND || root->other_hand > SEARCH_MAX_HAND)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "the search begins at a position without a removal due and with "
                            "at most %d men in each hand",
                            SEARCH_MAX_HAND);
    return STATUS_OK;
}

// Shares the memory out: the planes of the leaves first, the rest to the transposition table,
// which for small games need not be large.
static enum status share_memory(const struct search_options *options, int n_threads,
                                struct search_result *result, struct error *err)
{
    uint64_t limit = options->memory_bytes, free_bytes = merels_memory_free();
    if (limit == 0)
        limit = free_bytes > 0 ? free_bytes / 4 * 3 : UINT64_MAX;
    uint64_t needed = result->leaf_bytes + OTHER_BYTES + (uint64_t)n_threads * (8 << 20);
    if (limit < needed + LEAST_TABLE_BYTES)
        return merels_error(err, STATUS_TOO_LITTLE,
                            "the search needs %llu MiB of memory, %llu MiB are allowed",
                            (unsigned long long)((needed + LEAST_TABLE_BYTES) >> 20) + 1,
                            (unsigned long long)(limit >> 20));
    uint64_t useful = 64 * result->leaf_bytes + LEAST_TABLE_BYTES, rest = limit - needed;
    useful = useful < most_table_bytes ? useful : most_table_bytes;
    result->table_bytes = rest < useful ? rest : useful;
    return STATUS_OK;
}

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum status search_side(struct search *search, enum colour side,
                               struct search_count *count, struct error *err)
{
    static const char *const pieces[] = {"White at least draws?", "Black at least draws?"};
    double wall = merels_clock_seconds(), cpu = cpu_seconds();
    const struct prover_limits limits = {.meter = &search->meter};
    struct proof proof;
    merels_meter_piece(&search->meter, (size_t)side, pieces[side], 0);
    enum status status = merels_prover_run(search->prover, search->root, side, &limits,
                                           search->n_threads, &proof, err);
    merels_leaves_clear(search->leaves);
    if (status == STATUS_OK)
        *count = (struct search_count){.at_least_draws = proof.at_least_draws,
                                       .nodes = proof.n_nodes,
                                       .leaves = proof.n_leaves,
                                       .seconds = merels_clock_seconds() - wall,
                                       .cpu_seconds = cpu_seconds() - cpu};
    return status;
}

static enum status search_both(struct search *search, struct search_result *result,
                               struct error *err)
{
    enum status status = STATUS_OK;
    for (int side = WHITE; side <= BLACK && status == STATUS_OK; side++)
        status = search_side(search, (enum colour)side, &result->sides[side], err);
    if (status != STATUS_OK)
        return status;
    enum colour mover = search->root->mover;
    bool mine = result->sides[mover].at_least_draws;
    bool theirs = result->sides[!mover].at_least_draws;
    if (!mine && !theirs)
        return merels_error(err, STATUS_CORRUPT, "the tables let both sides lose one position");
    result->value = !mine ? VALUE_LOSS : theirs ? VALUE_DRAW : VALUE_WIN;
    return STATUS_OK;
}

enum status merels_search(const struct rules *rules, const struct position *root,
                          const struct search_options *options, const struct watch *watch,
                          struct search_result *result, struct error *err)
{
    struct search search = {.root = root,
                            .n_threads = merels_threads((uint64_t)options->n_threads)};
    enum status status = check_root(rules, root, err);
    if (status != STATUS_OK)
        return status;
    *result = (struct search_result){.value = VALUE_DRAW};
    merels_meter_start(&search.meter, watch, "positions", 0, 2);
    status = merels_tablebase_open(options->dir, rules, 0, &search.base, err);
    if (status == STATUS_OK)
        status = merels_leaves_create(rules, search.base, merels_subspace_of(root),
                                      &search.leaves, &result->leaf_bytes, err);
    if (status == STATUS_OK)
        status = share_memory(options, search.n_threads, result, err);
    if (status == STATUS_OK)
        status = merels_prover_create(rules, search.leaves, result->table_bytes, &search.prover,
                                      err);
    if (status == STATUS_OK)
        status = search_both(&search, result, err);
    merels_prover_destroy(search.prover);
    merels_leaves_destroy(search.leaves);
    merels_tablebase_close(search.base);
    return status;
}
