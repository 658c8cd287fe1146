// plan.c: what a solve will take: units, memory, disk, time; and whether the machine has it.

#include <stdio.h>
#include <stdlib.h>

#include "solver/plan.h"

#include "db/file.h"
#include "ranks/ranks.h"
#include "solver/divided_output.h"
#include "solver/engine.h"
#include "solver/exchange.h"
#include "solver/graph.h"
#include "solver/standing.h"
#include "solver/store.h"
#include "work/memory.h"

// With some room: complete solves of `nine` (docs/PERFORMANCE.md).
static const double CHECK_SECONDS_PER_SLOT = 64e-9;
static const double CONVERT_SECONDS_PER_SLOT = 68e-9;
static const double FILE_BITS_PER_SLOT = 3.1;

// Memory of the process apart from the unit and the workspaces: program, libraries, index,
// board.
enum { MIB = 1 << 20 };
static const uint64_t BASE_BYTES = 24 * MIB;

enum status merels_solve_kernels(const struct solve_options *options,
                                 const struct kernels **kernels, struct error *err)
{
    *kernels = merels_kernels(options->cpu_level);
    if (*kernels != NULL)
        return STATUS_OK;
    return merels_error(err, STATUS_UNSUPPORTED, "this processor or build has no level '%s'",
                        options->cpu_level);
}

int merels_solve_threads(const struct solve_options *options)
{
    return merels_threads((uint64_t)options->n_threads);
}

int merels_solve_ranks(const struct solve_options *options)
{
    int n = options->n_ranks > 0 ? options->n_ranks : merels_ranks_count(options->ranks);
    return n > 1 ? n : 1;
}

uint64_t merels_solve_memory_limit(const struct solve_options *options)
{
    return merels_memory_limit(options->memory_bytes);
}

static uint64_t larger(uint64_t x, uint64_t y)
{
    return x > y ? x : y;
}

// A way to hold a unit, with the bytes of its arrays and those beside.
struct choice {
    struct holding holding;
    uint64_t arena, store;
};

enum { MAX_DIVISIONS = 31 }; // powers of two, and all

// All of them for a unit, the fastest first, and what its threads take.
struct choices {
    struct choice list[MAX_HOLDINGS + MAX_DIVISIONS];
    int n;
    uint64_t threads;
};

static void add_choice(const struct rules *rules, const struct work_unit *work,
                       struct holding holding, int n_threads, struct choices *choices)
{
    enum way_to_solve way = merels_unit_way(rules, work);
    choices->list[choices->n++] = (struct choice){
        .holding = holding,
        .arena = merels_unit_bytes(rules, work, way, holding, n_threads),
        .store = holding.room_bytes > 0 ? merels_store_bytes(rules, work, n_threads) : 0};
}

// Tests choose by themselves.
static bool is_given(const struct rules *rules, const struct solve_options *options,
                     const struct work_unit *work, struct holding *holding)
{
    *holding = (struct holding){.n_rows = options->max_rows};
    return merels_unit_has_turns(rules, work)
               ? options->holding > 0 &&
                     merels_unit_holding(rules, work, options->holding, holding)
               : options->max_rows > 0;
}

// Units are divided where tests do not choose how they are held.
static bool divides(const struct solve_options *options)
{
    return merels_solve_ranks(options) > 1 && options->max_rows == 0 && options->holding == 0;
}

static uint64_t division_bytes(const struct work_unit *work, int n_ranks)
{
    return merels_exchange_bytes(n_ranks) +
           merels_divided_bytes(work->n_slots / (uint64_t)n_ranks);
}

// All of a unit is held, by more and more ranks together: powers of two, and all.
static void add_divisions(const struct rules *rules, const struct solve_options *options,
                          const struct work_unit *work, int n_threads, struct choices *choices)
{
    int most = merels_solve_ranks(options);
    choices->list[0].store = division_bytes(work, 2); // who can hold it alone may be given help
    for (int n = 2; n <= most; n = n < most && 2 * n > most ? most : 2 * n) {
        add_choice(rules, work, (struct holding){.n_ranks = n}, n_threads, choices);
        choices->list[choices->n - 1].store = division_bytes(work, n);
    }
}

static void find_choices(const struct rules *rules, const struct solve_options *options,
                         const struct work_unit *work, struct choices *choices)
{
    int n_threads = merels_solve_threads(options);
    struct holding holding;
    *choices = (struct choices){.threads = merels_engine_thread_bytes(rules, work, n_threads)};
    if (is_given(rules, options, work, &holding)) {
        add_choice(rules, work, holding, n_threads, choices);
        return;
    }
    for (int k = 0; k < MAX_HOLDINGS && merels_unit_holding(rules, work, k, &holding); k++) {
        add_choice(rules, work, holding, n_threads, choices);
        if (k == 0 && divides(options))
            add_divisions(rules, options, work, n_threads, choices);
    }
}

// As much as fits into `room` bytes for its arrays, or the least.
static const struct choice *choose(const struct choices *choices, uint64_t room)
{
    int k = 0;
    while (k + 1 < choices->n && choices->list[k].arena > room)
        k++;
    return &choices->list[k];
}

// What waits elsewhere, or comes range after range, is one rank's.
static void take_choice(const struct rules *rules, const struct solve_options *options,
                        const struct choices *choices, const struct choice *choice,
                        struct work_unit *work)
{
    work->holding = choice->holding;
    if (divides(options) && choice == &choices->list[0])
        work->least_ranks = 1;
    else
        work->least_ranks = choice->holding.n_ranks;
    work->memory_bytes = choice->arena + choices->threads + choice->store;
    work->disk_bytes = (uint64_t)((double)work->n_slots * FILE_BITS_PER_SLOT / 8) +
                       4096 * (uint64_t)work->n_subspaces;
    work->temporary_bytes = choice->holding.room_bytes > 0 ? merels_store_disk(rules, work) : 0;
}

static void add_unit(const struct solve_options *options, struct work_unit *work,
                     struct plan *plan)
{
    double n_slots = (double)work->n_slots;
    work->check_seconds = options->verifier > 0 ? n_slots * CHECK_SECONDS_PER_SLOT : 0;
    work->convert_seconds = options->keep == KEEP_WDL ? n_slots * CONVERT_SECONDS_PER_SLOT : 0;
    plan->n_subspaces += (size_t)work->n_subspaces;
    plan->n_slots += work->n_slots;
    plan->disk_bytes += work->disk_bytes;
    if (!unit_is_to_solve(work))
        return;
    plan->spill_bytes = larger(plan->spill_bytes, 2 * work->n_slots);
    plan->temporary_bytes = larger(plan->temporary_bytes, work->temporary_bytes);
}

// ---- time ----------------------------------------------------------------------------------

static void state_time(const struct rules *rules, struct plan *plan)
{
    double upkeep = 0;
    plan->effort = (struct effort){0};
    for (size_t k = 0; k < plan->n_units; k++) {
        struct work_unit *work = &plan->units[k];
        struct effort effort;
        merels_effort_of(rules, work, &effort);
        work->cpu_seconds = merels_rates_seconds(&plan->rates, &effort);
        if (unit_is_to_solve(work))
            merels_effort_add(&effort, &plan->effort);
        upkeep += work->finished ? 0 : work->check_seconds + work->convert_seconds;
    }
    plan->cpu_seconds = merels_rates_seconds(&plan->rates, &plan->effort) + upkeep;
}

// The unit that takes the most time, of those that are solved in a way; NULL: there is none.
static const struct work_unit *longest(const struct rules *rules, const struct plan *plan,
                                       enum way_to_solve way)
{
    const struct work_unit *found = NULL;
    for (size_t k = 0; k < plan->n_units; k++) {
        const struct work_unit *work = &plan->units[k];
        if (unit_is_to_solve(work) && merels_unit_way(rules, work) == way &&
            (found == NULL || work->cpu_seconds > found->cpu_seconds))
            found = work;
    }
    return found;
}

static const double MEASURED_FROM_SECONDS = 0.25, MEASURED_SHARE = 0.05, MEASURED_MOST = 0.8;

enum status merels_plan_measure(const struct rules *rules, const struct solve_options *options,
                                struct plan *plan, struct error *err)
{
    const struct kernels *kernels;
    enum status status = merels_solve_kernels(options, &kernels, err);
    if (status != STATUS_OK)
        return status;
    double seconds = plan->cpu_seconds * MEASURED_SHARE;
    plan->rates.level = kernels->level;
    if (plan->cpu_seconds < MEASURED_FROM_SECONDS)
        return STATUS_OK;
    status = merels_rates_measure(rules, kernels, longest(rules, plan, SOLVE_BY_DEPTHS),
                                  longest(rules, plan, SOLVE_BY_SWEEP),
                                  seconds < MEASURED_MOST ? seconds : MEASURED_MOST,
                                  &plan->rates, err);
    if (status == STATUS_OK)
        state_time(rules, plan);
    return status;
}

// ---- memory --------------------------------------------------------------------------------

// The parts of a run's memory: the arena keeps the size of the largest unit, what is beside it
// comes and goes.
struct parts {
    uint64_t arena, threads, stores;
};

static uint64_t sum_of(const struct parts *parts)
{
    return BASE_BYTES + parts->arena + parts->threads + parts->stores;
}

static void add_parts(const struct choices *choices, const struct choice *choice,
                      struct parts *parts)
{
    parts->arena = larger(parts->arena, choice->arena);
    parts->threads = larger(parts->threads, choices->threads);
    parts->stores = larger(parts->stores, choice->store);
}

// With as little as can be held of each unit by itself.
static uint64_t small_memory(const struct plan *plan, const struct choices *all)
{
    struct parts parts = {0};
    for (size_t k = 0; k < plan->n_units; k++) {
        const struct choice *least = &all[k].list[0];
        for (int i = 1; i < all[k].n; i++)
            if (all[k].list[i].arena + all[k].list[i].store < least->arena + least->store)
                least = &all[k].list[i];
        if (unit_is_to_solve(&plan->units[k]))
            add_parts(&all[k], least, &parts);
    }
    return sum_of(&parts);
}

// Chooses how much of each unit is held, so that all of it stays within the limit if it can;
// returns the bytes of all, and the room for a unit's arrays. Stores are beside the arena: with
// the room for them fewer units may fit, whose stores may be larger, so it is tried until that
// does not change.
static uint64_t choose_all(const struct plan *plan, const struct choices *all, uint64_t limit,
                           uint64_t *room)
{
    struct parts parts = {0};
    uint64_t before;
    for (size_t k = 0; k < plan->n_units; k++)
        if (unit_is_to_solve(&plan->units[k]))
            parts.threads = larger(parts.threads, all[k].threads);
    do {
        before = parts.stores;
        parts.arena = 0;
        uint64_t taken = sum_of(&parts);
        *room = limit > taken ? limit - taken : 0;
        for (size_t k = 0; k < plan->n_units; k++)
            if (unit_is_to_solve(&plan->units[k]))
                add_parts(&all[k], choose(&all[k], *room), &parts);
    } while (parts.stores != before);
    return sum_of(&parts);
}

// The lowest limit that is kept, in whole MiB, as they are asked for.
static uint64_t least_memory(const struct plan *plan, const struct choices *all)
{
    uint64_t bytes = small_memory(plan, all), limit, room;
    do {
        limit = (bytes - 1) / MIB * MIB; // the next lower
        bytes = choose_all(plan, all, limit, &room);
    } while (bytes <= limit);
    return limit + MIB;
}

uint64_t merels_plan_rank_bytes(const struct rules *rules, const struct plan *plan,
                                const int *n_ranks, int n_threads)
{
    struct parts parts = {0};
    for (size_t k = 0; k < plan->n_units; k++) {
        const struct work_unit *work = &plan->units[k];
        struct choices one = {.threads = merels_engine_thread_bytes(rules, work, n_threads)};
        struct holding holding = work->holding;
        if (!unit_is_to_solve(work))
            continue;
        if (n_ranks[k] > 1)
            holding = (struct holding){.n_ranks = n_ranks[k]};
        add_choice(rules, work, holding, n_threads, &one);
        if (n_ranks[k] > 1)
            one.list[0].store = division_bytes(work, n_ranks[k]);
        add_parts(&one, &one.list[0], &parts);
    }
    return sum_of(&parts);
}

static void hold_within_limit(const struct rules *rules, const struct solve_options *options,
                              struct choices *all, struct plan *plan)
{
    uint64_t limit = merels_solve_memory_limit(options), room;
    for (size_t k = 0; k < plan->n_units; k++)
        find_choices(rules, options, &plan->units[k], &all[k]);
    plan->least_memory_bytes = least_memory(plan, all);
    plan->peak_memory_bytes = choose_all(plan, all, limit == 0 ? UINT64_MAX : limit, &room);
    for (size_t k = 0; k < plan->n_units; k++)
        take_choice(rules, options, &all[k], choose(&all[k], room), &plan->units[k]);
}

static enum status sum_up(const struct rules *rules, const struct solve_options *options,
                          struct plan *plan, struct error *err)
{
    enum status status = merels_standing_find(rules, options, plan, err);
    if (status != STATUS_OK)
        return status;
    struct choices *all = calloc(plan->n_units + 1, sizeof *all);
    if (all == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a plan");
    hold_within_limit(rules, options, all, plan);
    free(all);
    for (size_t k = 0; k < plan->n_units; k++)
        add_unit(options, &plan->units[k], plan);
    state_time(rules, plan);
    return merels_standing_disk(rules, options, plan, err);
}

enum status merels_plan_make(const struct rules *rules, const struct start *start,
                             const struct solve_options *options, struct plan *plan,
                             struct error *err)
{
    *plan = (struct plan){.start = *start, .rates = merels_rates_typical(options->cpu_level)};
    if (rules->closed_points == CLOSED_POINTS_YES)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "rules with closed-points have no tables of their own");
    enum status status =
        merels_graph_units(rules, start, options, &plan->units, &plan->n_units, err);
    if (status == STATUS_OK)
        status = sum_up(rules, options, plan, err);
    if (status != STATUS_OK)
        merels_plan_free(plan);
    return status;
}

void merels_plan_free(struct plan *plan)
{
    free(plan->units);
    *plan = (struct plan){0};
}

enum { AMOUNT_BYTES = 32 };

// "12 bytes", "81.0 KiB", "3.1 GiB": small amounts keep their figures.
static const char *amount(uint64_t n_bytes, char out[AMOUNT_BYTES])
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double x = (double)n_bytes / 1024;
    int k = 0;
    if (n_bytes < 1024) {
        snprintf(out, AMOUNT_BYTES, "%u bytes", (unsigned)n_bytes);
        return out;
    }
    for (; x >= 1024 && k < 3; k++)
        x /= 1024;
    snprintf(out, AMOUNT_BYTES, "%.1f %s", x, units[k]);
    return out;
}

static enum status check_disk(const struct plan *plan, const struct solve_options *options,
                              struct error *err)
{
    const char *dir = options->dir;
    char want[AMOUNT_BYTES], have[AMOUNT_BYTES];
    uint64_t free_bytes, there = 0;
    uint64_t needed = plan->temporary_bytes + plan->peak_disk_bytes[options->keep];
    for (size_t k = 0; k < plan->n_units; k++)
        there += plan->units[k].there ? plan->units[k].disk_bytes : 0;
    needed -= there < needed ? there : needed;
    enum status status = merels_dir_check(dir, err);
    if (status == STATUS_OK || status == STATUS_MISSING) // it will be made
        status = merels_disk_free(dir, &free_bytes, err);
    if (status != STATUS_OK || needed <= free_bytes)
        return status;
    return merels_error(err, STATUS_TOO_LITTLE, "%s: too little disk: %s needed, %s free", dir,
                        amount(needed, want), amount(free_bytes, have));
}

enum status merels_plan_check(const struct plan *plan, const struct solve_options *options,
                              struct error *err)
{
    char have[AMOUNT_BYTES];
    uint64_t limit = merels_solve_memory_limit(options);
    if (limit != 0 && plan->peak_memory_bytes > limit)
        return merels_error(err, STATUS_TOO_LITTLE,
                            "too little memory: at least %llu MiB needed, the limit is %s",
                            (unsigned long long)(plan->least_memory_bytes >> 20),
                            amount(limit, have));
    return check_disk(plan, options, err);
}
