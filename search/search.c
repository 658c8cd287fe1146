// search.c: the value of a position of the placing phase by searching forwards.
//
// One search asks whether one side, the defender, at least draws. Where the defender is to move
// one good ply suffices (OR), elsewhere all must be good (AND). A position is worked off in
// this order: plies generated, their canonical positions looked up in the transposition table;
// one that decides ends the work at once, those that do not decide drop out; the rest is
// searched, best guess first.
//
// Threads all search the root and share the transposition table, in which only proofs stand.
// They part at AND positions: a thread leaves a child that another is working on for last (the
// simplified form of ABDADA). Which thread proves what is a matter of chance, what is proved is
// not; the first thread that has proved the root ends the search.

#include "search/search.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "game/effects.h"
#include "game/moves.h"
#include "search/leaves.h"
#include "search/ordering.h"
#include "search/transposition.h"
#include "work/memory.h"

enum {
    MAX_LEVELS = 4 * SEARCH_MAX_HAND, // a side slides while the other still places
    BUSY_SLOTS = 1 << 14,
    SHARED_HAND = 6,             // with fewer men in hand a child is not worth sharing
    REPORT_NODES = 1 << 8,       // nodes of a thread between two looks at the clock
    LEAST_TABLE_BYTES = 1 << 20, // of a transposition table
    OTHER_BYTES = 64 << 20,      // process, row look-up tables, lists of plies
};

// Sixteen times the positions of nine men's morris; a larger table takes longer to clear.
static const uint64_t most_table_bytes = (uint64_t)1 << 30;

// What the threads of a search share.
struct search {
    const struct rules *rules;
    struct meter meter; // called by thread 0
    struct images images;
    struct leaves *leaves;
    struct transposition table;
    enum colour defender;
    _Atomic uint64_t busy[BUSY_SLOTS]; // positions being searched, by their keys
    _Atomic uint64_t n_nodes, n_leaves;
    atomic_bool over;   // the root is proved, or the search has failed or was stopped
    atomic_bool proved; // the answer
    atomic_bool failed;
    enum status status; // once `failed`: by the thread that set it
    struct error error;
};

struct child {
    struct position position;
    int order;
    uint64_t key;
    struct leaf leaf;
};

struct thread {
    struct search *search;
    struct child *children; // a stack: those of a position behind those of its parent
    struct ply *plies;
    uint64_t n_nodes, n_leaves, n_reported_nodes, n_reported_leaves;
};

static bool prove(struct thread *thread, const struct position *pos, uint64_t key,
                  struct child *room);

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_over(const struct search *search)
{
    return atomic_load_explicit(&search->over, memory_order_relaxed);
}

static void fail(struct search *search, enum status status, const struct error *error)
{
    if (!atomic_exchange(&search->failed, true)) {
        search->status = status;
        search->error = *error;
    }
    atomic_store(&search->over, true);
}

// Adds what the thread has counted since the last time.
static void add_counts(struct thread *thread)
{
    struct search *search = thread->search;
    atomic_fetch_add(&search->n_nodes, thread->n_nodes - thread->n_reported_nodes);
    atomic_fetch_add(&search->n_leaves, thread->n_leaves - thread->n_reported_leaves);
    thread->n_reported_nodes = thread->n_nodes;
    thread->n_reported_leaves = thread->n_leaves;
}

// Called by thread 0. True if the search should stop.
static bool tell_counts(struct search *search)
{
    char leaves[PROGRESS_TEXT_BYTES];
    (void)snprintf(leaves, sizeof leaves, "%llu leaves",
                   (unsigned long long)atomic_load(&search->n_leaves));
    merels_meter_rename(&search->meter, leaves);
    return merels_meter_count(&search->meter, atomic_load(&search->n_nodes));
}

static void report(struct thread *thread)
{
    static const struct error stopped = {STATUS_INTERRUPTED, "stopped"};
    add_counts(thread);
    if (omp_get_thread_num() == 0 && tell_counts(thread->search))
        fail(thread->search, STATUS_INTERRUPTED, &stopped);
}

// ---- leaves --------------------------------------------------------------------------------

static bool has_empty_hands(const struct position *pos)
{
    return pos->own_hand == 0 && pos->other_hand == 0;
}

// The defender's view of a position that is over; `false` while the game goes on. The tables
// know of blocked sides and full boards.
static bool is_decided(const struct search *search, const struct position *pos, bool *good)
{
    const struct rules *rules = search->rules;
    int value;
    if (has_empty_hands(pos) && rules->mill != MILL_WINS &&
        !merels_too_few(rules, bit_count(pos->own)) &&
        !merels_too_few(rules, bit_count(pos->other)))
        return false;
    if (!merels_position_over(rules, pos, &value))
        return false;
    *good = (pos->mover == search->defender ? value : -value) >= 0;
    return true;
}

// Finds where the answer for a leaf stands; the search has failed if false.
static bool find_leaf(struct thread *thread, struct child *child)
{
    struct search *search = thread->search;
    const struct position *pos = &child->position;
    enum question question = pos->mover == search->defender ? NOT_LOST : NOT_WON;
    struct error error;
    enum status status =
        merels_leaves_find(search->leaves, question, pos, &child->leaf, &error);
    if (status != STATUS_OK)
        fail(search, status, &error);
    return status == STATUS_OK;
}

// The children are leaves: all their bits are asked for before the first is looked at.
static bool prove_by_leaves(struct thread *thread, bool defends, struct child *children, int n)
{
    int n_asked = 0;
    for (int k = 0; k < n; k++) {
        bool good;
        if (is_decided(thread->search, &children[k].position, &good)) {
            if (good == defends)
                return good;
            continue;
        }
        if (!find_leaf(thread, &children[k]))
            return false;
        __builtin_prefetch(children[k].leaf.word);
        children[n_asked++].leaf = children[k].leaf;
    }
    for (int k = 0; k < n_asked; k++) {
        thread->n_leaves++;
        if (leaf_value(children[k].leaf) == defends)
            return defends;
    }
    return !defends;
}

// ---- inner positions -----------------------------------------------------------------------

static int generate(struct thread *thread, const struct position *pos, struct child *children)
{
    const struct search *search = thread->search;
    int n = merels_plies(search->rules, pos, thread->plies);
    for (int k = 0; k < n; k++) {
        children[k].position = merels_play(search->rules, pos, thread->plies[k]);
    }
    return n;
}

// Looks all children up. True if one decides the position; else those that are known drop out.
static bool is_known(struct thread *thread, bool defends, struct child *children, int *n)
{
    const struct search *search = thread->search;
    int n_left = 0;
    for (int k = 0; k < *n; k++) {
        children[k].key = merels_position_key(&search->images, &children[k].position);
        merels_transposition_prefetch(&search->table, children[k].key);
    }
    for (int k = 0; k < *n; k++) {
        int known = merels_transposition_get(&search->table, children[k].key);
        if (known == (int)defends)
            return true;
        if (known < 0)
            children[n_left++] = children[k];
    }
    *n = n_left;
    return false;
}

static void put_in_order(const struct rules *rules, struct child *children, int n)
{
    for (int k = 0; k < n; k++) {
        struct child child = children[k];
        child.order = merels_order_value(rules, &child.position);
        int place = k;
        for (; place > 0 && children[place - 1].order < child.order; place--)
            children[place] = children[place - 1];
        children[place] = child;
    }
}

static bool prove_child(struct thread *thread, const struct child *child, struct child *room)
{
    struct search *search = thread->search;
    if (child->position.own_hand + child->position.other_hand < SHARED_HAND)
        return prove(thread, &child->position, child->key, room);
    _Atomic uint64_t *busy = &search->busy[child->key * 0x9E3779B97F4A7C15u >> 50];
    atomic_store_explicit(busy, child->key, memory_order_relaxed);
    bool good = prove(thread, &child->position, child->key, room);
    atomic_store_explicit(busy, 0, memory_order_relaxed);
    return good;
}

static bool is_busy(struct search *search, const struct child *child)
{
    if (child->position.own_hand + child->position.other_hand < SHARED_HAND)
        return false;
    _Atomic uint64_t *busy = &search->busy[child->key * 0x9E3779B97F4A7C15u >> 50];
    return atomic_load_explicit(busy, memory_order_relaxed) == child->key;
}

// Searches the children in order; at AND positions those that another thread has in hand last.
static bool prove_by_children(struct thread *thread, bool defends, struct child *children,
                              int n)
{
    struct search *search = thread->search;
    int n_deferred = 0;
    for (int k = 0; k < n + n_deferred && !is_over(search); k++) {
        const struct child *child = &children[k < n ? k : k - n];
        if (k < n && !defends && is_busy(search, child)) {
            children[n_deferred++] = *child;
            continue;
        }
        int known = merels_transposition_get(&search->table, child->key);
        bool good = known < 0 ? prove_child(thread, child, children + n) : known == 1;
        if (good == defends)
            return defends;
    }
    return !defends;
}

// Whether the defender at least draws in `pos`, whose game goes on or not. The result means
// nothing once the search is over. `room` is the free part of the stack of children.
static bool prove(struct thread *thread, const struct position *pos, uint64_t key,
                  struct child *room)
{
    struct search *search = thread->search;
    bool good, defends = pos->mover == search->defender;
    uint64_t before = thread->n_nodes++;
    if (thread->n_nodes % REPORT_NODES == 1)
        report(thread);
    if (is_decided(search, pos, &good))
        return good;
    int n = generate(thread, pos, room);
    if (has_empty_hands(&room[0].position)) {
        good = prove_by_leaves(thread, defends, room, n);
    } else if (is_known(thread, defends, room, &n)) {
        good = defends;
    } else {
        put_in_order(search->rules, room, n);
        good = prove_by_children(thread, defends, room, n);
    }
    if (!is_over(search))
        merels_transposition_put(&search->table, key, good, thread->n_nodes - before);
    return good;
}

// ---- a search ------------------------------------------------------------------------------

static size_t stack_bytes(void)
{
    return (size_t)MAX_LEVELS * MAX_PLIES * sizeof(struct child);
}

static void prove_root(struct search *search, const struct position *root)
{
    struct thread *thread = calloc(1, sizeof *thread);
    struct child *children = merels_array_create(stack_bytes());
    struct ply *plies = malloc(MAX_PLIES * sizeof *plies);
    if (thread == NULL || children == NULL || plies == NULL) {
        struct error error = {STATUS_NO_MEMORY, "out of memory for the plies of a search"};
        fail(search, STATUS_NO_MEMORY, &error);
    } else {
        thread->search = search;
        thread->plies = plies;
        bool good = prove(thread, root, merels_position_key(&search->images, root), children);
        if (!atomic_exchange(&search->over, true))
            atomic_store(&search->proved, good);
        add_counts(thread);
    }
    merels_array_destroy(children, stack_bytes());
    free(plies);
    free(thread);
}

// A root with empty hands is a leaf.
static void look_up_root(struct search *search, const struct position *root)
{
    struct thread thread = {.search = search};
    struct child child = {.position = *root};
    bool good = false;
    if (!is_decided(search, root, &good)) {
        search->n_leaves = 1;
        good = find_leaf(&thread, &child) && leaf_value(child.leaf);
    }
    atomic_store(&search->proved, good);
}

static enum status run_search(struct search *search, const struct position *root,
                              uint64_t table_bytes, int n_threads, struct search_count *count,
                              struct error *err)
{
    double cpu = cpu_seconds();
    enum status status = merels_transposition_create(table_bytes, &search->table, err);
    if (status != STATUS_OK)
        return status;
    double start = merels_clock_seconds();
    atomic_store(&search->n_nodes, 0);
    atomic_store(&search->n_leaves, 0);
    atomic_store(&search->over, false);
    if (has_empty_hands(root)) {
        look_up_root(search, root);
    } else {
#pragma omp parallel num_threads(n_threads)
        prove_root(search, root);
    }
    merels_transposition_destroy(&search->table);
    merels_leaves_clear(search->leaves);
    *count = (struct search_count){
        .at_least_draws = atomic_load(&search->proved),
        .nodes = atomic_load(&search->n_nodes),
        .leaves = atomic_load(&search->n_leaves),
        .seconds = merels_clock_seconds() - start,
        .cpu_seconds = cpu_seconds() - cpu,
    };
    if (atomic_load(&search->failed))
        return merels_error(err, search->status, "%s", search->error.text);
    return STATUS_OK;
}

static enum status check_root(const struct rules *rules, const struct position *root,
                              struct error *err)
{
    if (rules->turn != TURN_PLACE_THEN_MOVE)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "the search needs rules by which a side with men in hand places "
                            "one (turn place-then-move)");
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

static enum status search_both(struct search *search, const struct position *root,
                               const struct search_options *options,
                               struct search_result *result, struct error *err)
{
    static const char *const pieces[] = {"White at least draws?", "Black at least draws?"};
    int n_threads = options->n_threads > 0 ? options->n_threads : merels_processors();
    enum status status = share_memory(options, n_threads, result, err);
    for (int side = WHITE; side <= BLACK && status == STATUS_OK; side++) {
        search->defender = (enum colour)side;
        merels_meter_piece(&search->meter, (size_t)side, pieces[side], 0);
        status =
            run_search(search, root, result->table_bytes, n_threads, &result->sides[side], err);
        if (tell_counts(search) && status == STATUS_OK && side == WHITE)
            status = merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    if (status != STATUS_OK)
        return status;
    bool mine = result->sides[root->mover].at_least_draws;
    bool theirs = result->sides[!root->mover].at_least_draws;
    if (!mine && !theirs)
        return merels_error(err, STATUS_CORRUPT, "the tables let both sides lose one position");
    result->value = !mine ? VALUE_LOSS : theirs ? VALUE_DRAWN : VALUE_WIN;
    return STATUS_OK;
}

enum status merels_search(const struct rules *rules, const struct position *root,
                          const struct search_options *options, const struct watch *watch,
                          struct search_result *result, struct error *err)
{
    struct tablebase *base = NULL;
    enum status status = check_root(rules, root, err);
    if (status != STATUS_OK)
        return status;
    struct search *search = calloc(1, sizeof *search);
    if (search == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a search");
    *result = (struct search_result){.value = VALUE_DRAWN};
    search->rules = rules;
    merels_meter_start(&search->meter, watch, "positions", 0, 2);
    merels_images_init(&rules->board, &search->images);
    status = merels_tablebase_open(options->dir, rules, 0, &base, err);
    if (status == STATUS_OK)
        status = merels_leaves_create(rules, base, merels_subspace_of(root), &search->leaves,
                                      &result->leaf_bytes, err);
    if (status == STATUS_OK)
        status = search_both(search, root, options, result, err);
    merels_leaves_destroy(search->leaves);
    merels_tablebase_close(base);
    free(search);
    return status;
}
