// schedule.c: list scheduling by the longest way to the end.

#include "solver/schedule.h"

#include <stdlib.h>

#include "db/arise.h"

// Fewer slots than this are not worth another rank: a step would be over before the ranks have
// met.
static const double MIN_SLOTS_PER_RANK = 1 << 22;

struct task {
    size_t first_user, n_users; // in `users`: units that read it
    size_t n_open;              // reads of units that are not finished
    double seconds;             // of one processor, on what all its ranks do
    double lone_seconds;        // and on what the first of them does afterwards
    double turn_bytes;          // of all its turns
    double way;                 // to the end, with what is chosen for each
    size_t next_on_way;         // the user on it; NO_UNIT: none
    int level, n_ranks;
    bool waits; // not finished, not begun
};
enum { NO_UNIT = -1 };

struct schedule {
    const struct plan *plan;
    struct task *tasks;
    size_t *users;
    size_t n_left;
    int n_ranks;
};

// ---- who reads what ------------------------------------------------------------------------

enum { COUNTS = MAX_POINTS + 1 };

static size_t place_of(struct subspace s)
{
    return ((s.a * (size_t)COUNTS + s.b) * COUNTS + s.ha) * COUNTS + s.hb;
}

// By counts: the unit of a subspace, 1 more than its number; 0: none.
static uint32_t *number_units(const struct plan *plan)
{
    uint32_t *numbers = calloc((size_t)COUNTS * COUNTS * COUNTS * COUNTS, sizeof *numbers);
    for (size_t k = 0; numbers != NULL && k < plan->n_units; k++)
        for (int i = 0; i < plan->units[k].n_subspaces; i++)
            numbers[place_of(plan->units[k].subspaces[i])] = (uint32_t)k + 1;
    return numbers;
}

// Calls for every read of an unfinished unit by another one.
typedef void take_read(struct schedule *schedule, size_t reader, size_t read);

static void go_through_reads(struct schedule *schedule, const struct rules *rules,
                             const uint32_t *numbers, size_t reader, take_read *take)
{
    const struct work_unit *work = &schedule->plan->units[reader];
    for (int i = 0; i < work->n_subspaces; i++) {
        struct subspace next[MAX_SUCCESSORS];
        int n = merels_subspace_successors(rules, work->subspaces[i], next);
        for (int k = 0; k < n; k++) {
            size_t unit = numbers[place_of(next[k])];
            if (unit != 0 && unit - 1 != reader && !schedule->plan->units[unit - 1].finished)
                take(schedule, reader, unit - 1);
        }
    }
}

static void count_read(struct schedule *schedule, size_t reader, size_t read)
{
    schedule->tasks[reader].n_open++;
    schedule->tasks[read].n_users++;
    int level = schedule->tasks[read].level + 1;
    if (schedule->tasks[reader].level < level)
        schedule->tasks[reader].level = level;
}

static void note_read(struct schedule *schedule, size_t reader, size_t read)
{
    struct task *task = &schedule->tasks[read];
    schedule->users[task->first_user + task->n_users++] = reader;
}

static enum status find_users(struct schedule *schedule, const struct rules *rules,
                              const uint32_t *numbers, struct error *err)
{
    const struct plan *plan = schedule->plan;
    size_t n = 0;
    for (size_t k = 0; k < plan->n_units; k++)
        if (!plan->units[k].finished)
            go_through_reads(schedule, rules, numbers, k, count_read);
    for (size_t k = 0; k < plan->n_units; k++) {
        schedule->tasks[k].first_user = n;
        n += schedule->tasks[k].n_users;
        schedule->tasks[k].n_users = 0;
    }
    schedule->users = calloc(n + 1, sizeof *schedule->users);
    if (schedule->users == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a schedule");
    for (size_t k = 0; k < plan->n_units; k++)
        if (!plan->units[k].finished)
            go_through_reads(schedule, rules, numbers, k, note_read);
    return STATUS_OK;
}

// ---- how many ranks, and in which order ----------------------------------------------------

static int power_of_two(double x) // not above x; at least 1
{
    int n = 1;
    while (n < 1 << 20 && 2 * n <= x)
        n *= 2;
    return n;
}

static void take_times(const struct work_unit *work, struct task *task)
{
    task->seconds = unit_is_to_solve(work) ? work->cpu_seconds : 0;
    task->lone_seconds = work->check_seconds + work->convert_seconds;
}

// A turn is a word on its way, to whatever rank.
static double turn_bytes_of(const struct rules *rules, const struct work_unit *work)
{
    struct effort effort;
    if (!unit_is_to_solve(work))
        return 0;
    merels_effort_of(rules, work, &effort);
    return effort.n[WORK_TURN] * (double)sizeof(uint32_t);
}

// What goes to other ranks, of all.
static double sent_bytes(const struct task *task)
{
    return task->turn_bytes * (task->n_ranks - 1) / task->n_ranks;
}

static double time_together(const struct task *task, int n_threads)
{
    return task->seconds / task->n_ranks / n_threads +
           sent_bytes(task) / task->n_ranks / NETWORK_BYTES_PER_SECOND;
}

static double time_of(const struct task *task, int n_threads)
{
    return time_together(task, n_threads) + task->lone_seconds / n_threads;
}

static int choose_ranks(const struct schedule *schedule, const struct work_unit *work,
                        double share, int group)
{
    int most = schedule->n_ranks;
    if (!unit_is_to_solve(work) || !unit_can_be_divided(work))
        return 1;
    if (group > 0) {
        int n = group < work->least_ranks ? work->least_ranks : group;
        return n < most ? n : most;
    }
    int n = power_of_two(share * most);
    int worth = power_of_two((double)work->n_slots / MIN_SLOTS_PER_RANK);
    n = n < worth ? n : worth;
    n = n < work->least_ranks ? work->least_ranks : n;
    return n < most ? n : most;
}

static enum status share_ranks(struct schedule *schedule, int group, struct error *err)
{
    const struct plan *plan = schedule->plan;
    int n_levels = 0;
    for (size_t k = 0; k < plan->n_units; k++)
        n_levels =
            schedule->tasks[k].level >= n_levels ? schedule->tasks[k].level + 1 : n_levels;
    double *all = calloc((size_t)n_levels + 1, sizeof *all);
    if (all == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a schedule");
    for (size_t k = 0; k < plan->n_units; k++)
        all[schedule->tasks[k].level] += schedule->tasks[k].seconds;
    for (size_t k = 0; k < plan->n_units; k++) {
        struct task *task = &schedule->tasks[k];
        double sum = all[task->level];
        task->n_ranks =
            choose_ranks(schedule, &plan->units[k], sum > 0 ? task->seconds / sum : 0, group);
    }
    free(all);
    return STATUS_OK;
}

// Who reads a unit stands behind it in the plan.
static void find_ways(struct schedule *schedule)
{
    for (size_t k = schedule->plan->n_units; k-- > 0;) {
        struct task *task = &schedule->tasks[k];
        task->next_on_way = (size_t)NO_UNIT;
        for (size_t i = 0; i < task->n_users; i++) {
            size_t user = schedule->users[task->first_user + i];
            if (schedule->tasks[user].way > task->way) {
                task->way = schedule->tasks[user].way;
                task->next_on_way = user;
            }
        }
        task->way += task->seconds / task->n_ranks + task->lone_seconds;
    }
}

enum status merels_schedule_create(const struct rules *rules, const struct plan *plan,
                                   int n_ranks, int group, struct schedule **schedule,
                                   struct error *err)
{
    struct schedule *made = calloc(1, sizeof *made);
    uint32_t *numbers = number_units(plan);
    enum status status = STATUS_OK;
    if (made != NULL) {
        *made = (struct schedule){.plan = plan, .n_ranks = n_ranks};
        made->tasks = calloc(plan->n_units + 1, sizeof *made->tasks);
    }
    if (made == NULL || numbers == NULL || made->tasks == NULL)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for a schedule");
    for (size_t k = 0; k < plan->n_units && status == STATUS_OK; k++) {
        made->tasks[k].waits = !plan->units[k].finished;
        if (made->tasks[k].waits)
            take_times(&plan->units[k], &made->tasks[k]);
        made->tasks[k].turn_bytes = turn_bytes_of(rules, &plan->units[k]);
        made->n_left += made->tasks[k].waits;
    }
    if (status == STATUS_OK)
        status = find_users(made, rules, numbers, err);
    if (status == STATUS_OK)
        status = share_ranks(made, group, err);
    free(numbers);
    if (status != STATUS_OK) {
        merels_schedule_destroy(made);
        return status;
    }
    find_ways(made);
    *schedule = made;
    return STATUS_OK;
}

void merels_schedule_destroy(struct schedule *schedule)
{
    if (schedule == NULL)
        return;
    free(schedule->tasks);
    free(schedule->users);
    free(schedule);
}

// ---- a run ---------------------------------------------------------------------------------

bool merels_schedule_next(struct schedule *schedule, int n_free, size_t *unit, int *n_ranks)
{
    struct task *best = NULL;
    for (size_t k = 0; k < schedule->plan->n_units; k++) {
        struct task *task = &schedule->tasks[k];
        if (task->waits && task->n_open == 0 && (best == NULL || task->way > best->way))
            best = task;
    }
    if (best == NULL || best->n_ranks > n_free)
        return false;
    best->waits = false;
    *unit = (size_t)(best - schedule->tasks);
    *n_ranks = best->n_ranks;
    return true;
}

void merels_schedule_done(struct schedule *schedule, size_t unit)
{
    const struct task *task = &schedule->tasks[unit];
    for (size_t i = 0; i < task->n_users; i++)
        schedule->tasks[schedule->users[task->first_user + i]].n_open--;
    schedule->n_left--;
}

size_t merels_schedule_left(const struct schedule *schedule)
{
    return schedule->n_left;
}

// ---- a run in figures ----------------------------------------------------------------------

struct running {
    size_t unit; // that is finished then; NO_UNIT: some of its ranks go on to others before
    int n_ranks;
    double until;
};

static void add_running(size_t unit, int n_ranks, double until, struct running *running,
                        int *n_running)
{
    if (n_ranks > 0)
        running[(*n_running)++] = (struct running){unit, n_ranks, until};
}

// Begins all that can begin now; returns how many ranks are still free.
static int begin_all(struct schedule *schedule, int n_threads, double now, int n_free,
                     struct running *running, int *n_running, struct forecast *forecast)
{
    size_t unit;
    int n;
    while (merels_schedule_next(schedule, n_free, &unit, &n)) {
        const struct task *task = &schedule->tasks[unit];
        double rank_bytes = sent_bytes(task) / n;
        add_running((size_t)NO_UNIT, n - 1, now + time_together(task, n_threads), running,
                    n_running);
        add_running(unit, 1, now + time_of(task, n_threads), running, n_running);
        n_free -= n;
        forecast->traffic_bytes += sent_bytes(task);
        if (n > forecast->largest_group)
            forecast->largest_group = n;
        if (rank_bytes > forecast->rank_bytes)
            forecast->rank_bytes = rank_bytes;
    }
    return n_free;
}

static void run_through(struct schedule *schedule, int n_threads, struct running *running,
                        struct forecast *forecast)
{
    int n_free = schedule->n_ranks, n_running = 0;
    while (schedule->n_left > 0) {
        n_free = begin_all(schedule, n_threads, forecast->seconds, n_free, running, &n_running,
                           forecast);
        int first = 0;
        for (int k = 1; k < n_running; k++)
            first = running[k].until < running[first].until ? k : first;
        forecast->seconds = running[first].until;
        n_free += running[first].n_ranks;
        if (running[first].unit != (size_t)NO_UNIT)
            merels_schedule_done(schedule, running[first].unit);
        running[first] = running[--n_running];
    }
}

static void find_path(const struct schedule *schedule, int n_threads, struct forecast *forecast)
{
    size_t unit = (size_t)NO_UNIT;
    for (size_t k = 0; k < schedule->plan->n_units; k++)
        if (schedule->tasks[k].waits &&
            (unit == (size_t)NO_UNIT || schedule->tasks[k].way > schedule->tasks[unit].way))
            unit = k;
    for (; unit != (size_t)NO_UNIT; unit = schedule->tasks[unit].next_on_way) {
        forecast->path_seconds += time_of(&schedule->tasks[unit], n_threads);
        forecast->path_units++;
    }
}

static uint64_t memory_of(const struct schedule *schedule, const struct rules *rules,
                          int n_threads, int *n_ranks)
{
    for (size_t k = 0; k < schedule->plan->n_units; k++)
        n_ranks[k] = schedule->tasks[k].n_ranks;
    return merels_plan_rank_bytes(rules, schedule->plan, n_ranks, n_threads);
}

enum status merels_schedule_foresee(const struct rules *rules, const struct plan *plan,
                                    int n_ranks, int group, int n_threads,
                                    struct forecast *forecast, struct error *err)
{
    struct schedule *schedule = NULL;
    *forecast = (struct forecast){.largest_group = 1};
    struct running *running = calloc(2 * (size_t)n_ranks, sizeof *running);
    int *groups = calloc(plan->n_units + 1, sizeof *groups);
    enum status status = STATUS_OK;
    if (running == NULL || groups == NULL)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for a schedule");
    if (status == STATUS_OK)
        status = merels_schedule_create(rules, plan, n_ranks, group, &schedule, err);
    if (status == STATUS_OK) {
        forecast->memory_bytes = memory_of(schedule, rules, n_threads, groups);
        find_path(schedule, n_threads, forecast);
        run_through(schedule, n_threads, running, forecast);
    }
    merels_schedule_destroy(schedule);
    free(running);
    free(groups);
    return status;
}
