// prover.c: one AND/OR search over the placements.
//
// Where the defender is to move one good ply suffices (OR), elsewhere all must be good (AND). A
// position is worked off in this order: plies generated, their canonical positions looked up in
// the transposition table; one that decides ends the work at once, those that do not decide
// drop out; the rest is searched, best guess first.
//
// Threads all search the root and share the transposition table, in which only proofs stand.
// They part at AND positions: a thread leaves a child that another is working on for last (the
// simplified form of ABDADA). Which thread proves what is a matter of chance, what is proved is
// not; the first thread that has proved the root ends the search.

#include "search/prover.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "game/effects.h"
#include "game/moves.h"
#include "search/ordering.h"
#include "search/position_key.h"
#include "search/transposition.h"
#include "work/memory.h"

enum {
    MAX_LEVELS = 4 * SEARCH_MAX_HAND, // a side slides while the other still places
    BUSY_SLOTS = 1 << 14,
    SHARED_HAND = 6,       // with fewer men in hand a child is not worth sharing
    REPORT_NODES = 1 << 8, // nodes of a thread between two reports
};

// What the threads of a search share.
struct prover {
    const struct rules *rules;
    struct leaves *leaves;
    struct images images;
    struct transposition table;
    const struct prover_limits *limits; // of the search at work; the meter is thread 0's
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
    int order;  // the guess
    int number; // among its siblings, as they were generated
    uint64_t key;
    struct leaf leaf;
};

struct thread {
    struct prover *prover;
    struct ply *plies;
    uint64_t n_nodes, n_leaves, n_reported_nodes, n_reported_leaves;
};

static bool prove(struct thread *thread, const struct position *pos, uint64_t key,
                  struct child *room);

// The key of a question: its colour bit says whether the defender is to move, so that proofs
// serve searches of either side.
static uint64_t key_of(const struct prover *prover, const struct position *pos)
{
    return merels_position_key(&prover->images, pos) ^ (uint64_t)prover->defender
                                                           << SEARCH_COLOUR_BIT;
}

static bool is_over(const struct prover *prover)
{
    return atomic_load_explicit(&prover->over, memory_order_relaxed);
}

static void fail(struct prover *prover, enum status status, const struct error *error)
{
    if (!atomic_exchange(&prover->failed, true)) {
        prover->status = status;
        prover->error = *error;
    }
    atomic_store(&prover->over, true);
}

// Adds what the thread has counted since the last time.
static void add_counts(struct thread *thread)
{
    struct prover *prover = thread->prover;
    atomic_fetch_add(&prover->n_nodes, thread->n_nodes - thread->n_reported_nodes);
    atomic_fetch_add(&prover->n_leaves, thread->n_leaves - thread->n_reported_leaves);
    thread->n_reported_nodes = thread->n_nodes;
    thread->n_reported_leaves = thread->n_leaves;
}

// Called by thread 0. True if the search should stop.
static bool tell_counts(struct prover *prover)
{
    char leaves[PROGRESS_TEXT_BYTES];
    struct meter *meter = prover->limits->meter;
    if (meter == NULL)
        return false;
    (void)snprintf(leaves, sizeof leaves, "%llu leaves",
                   (unsigned long long)atomic_load(&prover->n_leaves));
    merels_meter_rename(meter, leaves);
    return merels_meter_count(meter, atomic_load(&prover->n_nodes));
}

static void report(struct thread *thread)
{
    static const struct error stopped = {STATUS_INTERRUPTED, "stopped"};
    const struct prover_limits *limits = thread->prover->limits;
    add_counts(thread);
    if (omp_get_thread_num() == 0 &&
        (tell_counts(thread->prover) || (limits->stops != NULL && limits->stops(limits->user))))
        fail(thread->prover, STATUS_INTERRUPTED, &stopped);
}

// Counts a position; the search is over if it was one too many.
static void count_node(struct thread *thread)
{
    struct prover *prover = thread->prover;
    struct error reached = {.status = STATUS_UNDECIDED};
    uint64_t max_nodes = prover->limits->max_nodes;
    if (thread->n_nodes++ % REPORT_NODES == 0)
        report(thread);
    if (max_nodes == 0 || atomic_load_explicit(&prover->n_nodes, memory_order_relaxed) +
                                  thread->n_nodes - thread->n_reported_nodes <=
                              max_nodes)
        return;
    (void)snprintf(reached.text, sizeof reached.text, "not decided in %llu nodes",
                   (unsigned long long)max_nodes);
    fail(prover, STATUS_UNDECIDED, &reached);
}

// ---- leaves --------------------------------------------------------------------------------

static bool has_empty_hands(const struct position *pos)
{
    return pos->own_hand == 0 && pos->other_hand == 0;
}

// The defender's view of a position that is over; `false` while the game goes on. The tables
// know of blocked sides and full boards.
static bool is_decided(const struct prover *prover, const struct position *pos, bool *good)
{
    const struct rules *rules = prover->rules;
    int value;
    if (has_empty_hands(pos) && rules->mill != MILL_WINS &&
        !merels_too_few(rules, bit_count(pos->own)) &&
        !merels_too_few(rules, bit_count(pos->other)))
        return false;
    if (!merels_position_over(rules, pos, &value))
        return false;
    *good = (pos->mover == prover->defender ? value : -value) >= 0;
    return true;
}

// Finds where the answer for a leaf stands; the search has failed if false.
static bool find_leaf(struct thread *thread, struct child *child)
{
    struct prover *prover = thread->prover;
    const struct position *pos = &child->position;
    enum question question = pos->mover == prover->defender ? NOT_LOST : NOT_WON;
    struct error error;
    enum status status =
        merels_leaves_find(prover->leaves, question, pos, &child->leaf, &error);
    if (status != STATUS_OK)
        fail(prover, status, &error);
    return status == STATUS_OK;
}

// The children are leaves: all their bits are asked for before the first is looked at.
static bool prove_by_leaves(struct thread *thread, bool defends, struct child *children, int n)
{
    int n_asked = 0;
    for (int k = 0; k < n; k++) {
        bool good;
        if (is_decided(thread->prover, &children[k].position, &good)) {
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
    const struct prover *prover = thread->prover;
    int n = merels_plies(prover->rules, pos, thread->plies);
    for (int k = 0; k < n; k++) {
        children[k].position = merels_play(prover->rules, pos, thread->plies[k]);
    }
    return n;
}

// Looks all children up. True if one decides the position; else those that are known drop out.
static bool is_known(struct thread *thread, bool defends, struct child *children, int *n)
{
    const struct prover *prover = thread->prover;
    int n_left = 0;
    for (int k = 0; k < *n; k++) {
        children[k].key = key_of(prover, &children[k].position);
        merels_transposition_prefetch(&prover->table, children[k].key);
    }
    for (int k = 0; k < *n; k++) {
        int known = merels_transposition_get(&prover->table, children[k].key);
        if (known == (int)defends)
            return true;
        if (known < 0)
            children[n_left++] = children[k];
    }
    *n = n_left;
    return false;
}

// The best guess first; of equal ones that which was generated first.
static int compare_children(const void *left, const void *right)
{
    const struct child *x = left, *y = right;
    if (x->order != y->order)
        return x->order > y->order ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void put_in_order(const struct rules *rules, struct child *children, int n)
{
    for (int k = 0; k < n; k++) {
        children[k].order = merels_order_value(rules, &children[k].position);
        children[k].number = k;
    }
    qsort(children, (size_t)n, sizeof *children, compare_children);
}

static bool prove_child(struct thread *thread, const struct child *child, struct child *room)
{
    struct prover *prover = thread->prover;
    if (child->position.own_hand + child->position.other_hand < SHARED_HAND)
        return prove(thread, &child->position, child->key, room);
    _Atomic uint64_t *busy = &prover->busy[child->key * 0x9E3779B97F4A7C15u >> 50];
    atomic_store_explicit(busy, child->key, memory_order_relaxed);
    bool good = prove(thread, &child->position, child->key, room);
    atomic_store_explicit(busy, 0, memory_order_relaxed);
    return good;
}

static bool is_busy(struct prover *prover, const struct child *child)
{
    if (child->position.own_hand + child->position.other_hand < SHARED_HAND)
        return false;
    _Atomic uint64_t *busy = &prover->busy[child->key * 0x9E3779B97F4A7C15u >> 50];
    return atomic_load_explicit(busy, memory_order_relaxed) == child->key;
}

// Searches the children in order; at AND positions those that another thread has in hand last.
static bool prove_by_children(struct thread *thread, bool defends, struct child *children,
                              int n)
{
    struct prover *prover = thread->prover;
    int n_deferred = 0;
    for (int k = 0; k < n + n_deferred && !is_over(prover); k++) {
        const struct child *child = &children[k < n ? k : k - n];
        if (k < n && !defends && is_busy(prover, child)) {
            children[n_deferred++] = *child;
            continue;
        }
        int known = merels_transposition_get(&prover->table, child->key);
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
    struct prover *prover = thread->prover;
    bool good, defends = pos->mover == prover->defender;
    uint64_t before = thread->n_nodes;
    count_node(thread);
    if (is_over(prover))
        return false;
    if (is_decided(prover, pos, &good))
        return good;
    int n = generate(thread, pos, room);
    if (has_empty_hands(&room[0].position)) {
        good = prove_by_leaves(thread, defends, room, n);
    } else if (is_known(thread, defends, room, &n)) {
        good = defends;
    } else {
        put_in_order(prover->rules, room, n);
        good = prove_by_children(thread, defends, room, n);
    }
    if (!is_over(prover))
        merels_transposition_put(&prover->table, key, good, thread->n_nodes - before);
    return good;
}

// ---- the root ------------------------------------------------------------------------------

static size_t stack_bytes(void)
{
    return (size_t)MAX_LEVELS * MAX_PLIES * sizeof(struct child);
}

static void prove_root(struct prover *prover, const struct position *root)
{
    struct thread *thread = calloc(1, sizeof *thread);
    struct child *children = merels_array_create(stack_bytes());
    struct ply *plies = malloc(MAX_PLIES * sizeof *plies);
    if (thread == NULL || children == NULL || plies == NULL) {
        struct error error = {STATUS_NO_MEMORY, "out of memory for the plies of a search"};
        fail(prover, STATUS_NO_MEMORY, &error);
    } else {
        thread->prover = prover;
        thread->plies = plies;
        bool good = prove(thread, root, key_of(prover, root), children);
        if (!atomic_exchange(&prover->over, true))
            atomic_store(&prover->proved, good);
        add_counts(thread);
    }
    merels_array_destroy(children, stack_bytes());
    free(plies);
    free(thread);
}

// A root with empty hands is a leaf.
static void look_up_root(struct prover *prover, const struct position *root)
{
    struct thread thread = {.prover = prover};
    struct child child = {.position = *root};
    bool good = false;
    if (!is_decided(prover, root, &good)) {
        prover->n_leaves = 1;
        good = find_leaf(&thread, &child) && leaf_value(child.leaf);
    }
    atomic_store(&prover->proved, good);
}

enum status merels_prover_create(const struct rules *rules, struct leaves *leaves,
                                 uint64_t table_bytes, struct prover **prover,
                                 struct error *err)
{
    struct prover *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a search");
    made->rules = rules;
    made->leaves = leaves;
    merels_images_init(&rules->board, &made->images);
    enum status status = merels_transposition_create(table_bytes, &made->table, err);
    if (status == STATUS_OK)
        *prover = made;
    else
        free(made);
    return status;
}

void merels_prover_destroy(struct prover *prover)
{
    if (prover != NULL)
        merels_transposition_destroy(&prover->table);
    free(prover);
}

int merels_prover_known(struct prover *prover, const struct position *root,
                        enum colour defender)
{
    prover->defender = defender;
    return merels_transposition_get(&prover->table, key_of(prover, root));
}

static void begin(struct prover *prover, enum colour defender,
                  const struct prover_limits *limits)
{
    prover->defender = defender;
    prover->limits = limits;
    atomic_store(&prover->n_nodes, 0);
    atomic_store(&prover->n_leaves, 0);
    atomic_store(&prover->over, false);
    atomic_store(&prover->failed, false);
    for (int k = 0; k < BUSY_SLOTS; k++) // a search that failed has left some
        atomic_store_explicit(&prover->busy[k], 0, memory_order_relaxed);
}

enum status merels_prover_run(struct prover *prover, const struct position *root,
                              enum colour defender, const struct prover_limits *limits,
                              int n_threads, struct proof *proof, struct error *err)
{
    begin(prover, defender, limits);
    int known = merels_prover_known(prover, root, defender);
    if (known >= 0) {
        atomic_store(&prover->proved, known == 1);
    } else if (has_empty_hands(root)) {
        look_up_root(prover, root);
    } else {
#pragma omp parallel num_threads(n_threads)
        prove_root(prover, root);
    }
    (void)tell_counts(prover); // who stops now has the answer all the same
    *proof = (struct proof){.at_least_draws = atomic_load(&prover->proved),
                            .n_nodes = atomic_load(&prover->n_nodes),
                            .n_leaves = atomic_load(&prover->n_leaves)};
    if (atomic_load(&prover->failed))
        return merels_error(err, prover->status, "%s", prover->error.text);
    return STATUS_OK;
}
