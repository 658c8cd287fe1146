// worker.c: one rank of a crew does what the chief says.

#include "solver/worker.h"

#include <stdlib.h>
#include <string.h>

#include "db/arise.h"
#include "solver/crew.h"
#include "solver/engine.h"
#include "solver/exchange.h"

struct worker {
    struct ranks *world;
    const struct solve_options *options;
    struct engine engine;
    struct arena arena;
    struct meter meter;
    struct watch watch;     // of the meter: reports go to the chief
    atomic_int stop;        // own flag or the chief's word
    uint32_t n_removed;     // as of the tablebase that is open
    uint32_t unit;          // at work
    struct traffic traffic; // of it
    double reported;        // seconds of the clock
};

// ---- reports -------------------------------------------------------------------------------

static const double report_interval = 0.5;

static enum status send_report(const struct worker *worker, const struct report *report,
                               struct error *err)
{
    return merels_ranks_send(worker->world, RANKS_TO_CHIEF, 0, report, sizeof *report, err);
}

static bool look_out(struct worker *worker)
{
    if (merels_ranks_stops(worker->world))
        atomic_store(&worker->stop, 1);
    return atomic_load(&worker->stop) != 0;
}

// What the meter of the unit at work says.
static void report_part(const struct progress *now, void *context)
{
    struct worker *worker = context;
    double clock = merels_clock_seconds();
    if (look_out(worker) || clock < worker->reported + report_interval)
        return;
    worker->reported = clock;
    struct report report = {.kind = REPORT_PART, .unit = worker->unit};
    report.part = now->total > 0 ? (double)now->done / (double)now->total : 0;
    if (send_report(worker, &report, NULL) != STATUS_OK)
        atomic_store(&worker->stop, 1); // without a chief there is nothing to work for
}

// ---- a unit --------------------------------------------------------------------------------

static enum status open_base(struct worker *worker, uint32_t n_removed, struct error *err)
{
    struct engine *engine = &worker->engine;
    if (engine->base != NULL && worker->n_removed == n_removed)
        return STATUS_OK;
    merels_tablebase_close(engine->base);
    engine->base = NULL;
    worker->n_removed = n_removed;
    enum status status =
        merels_tablebase_open(engine->dir, engine->rules, 0, &engine->base, err);
    if (status == STATUS_OK)
        merels_tablebase_choose(engine->base, edition_of_rules(engine->rules));
    return status;
}

static enum status await_successors(struct worker *worker, const struct work_unit *work,
                                    struct error *err)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < work->n_subspaces; i++) {
        struct subspace next[MAX_SUCCESSORS];
        int n = merels_subspace_successors(worker->engine.rules, work->subspaces[i], next);
        for (int k = 0; k < n && status == STATUS_OK; k++)
            if (!merels_subspace_among(work->subspaces, (size_t)work->n_subspaces, next[k]))
                status = merels_crew_await(worker->world, worker->engine.base, next[k], err);
    }
    return status;
}

static void begin_meter(struct worker *worker, const struct work_unit *work)
{
    char name[UNIT_NAME_BYTES];
    bool checks = worker->options->verifier > 0;
    uint64_t n = (unit_is_to_solve(work) ? work->n_slots : 0) + (checks ? work->n_slots : 0);
    merels_meter_start(&worker->meter, &worker->watch, "slots", n, 1);
    merels_meter_piece(&worker->meter, 0, merels_unit_name(work, name), work->n_slots);
    worker->reported = merels_clock_seconds();
}

static void check(struct worker *worker, const struct work_unit *work, struct checked *checked)
{
    *checked = (struct checked){.status = STATUS_OK};
    if (worker->options->verifier == 0)
        return;
    merels_meter_piece(&worker->meter, 0, "", work->n_slots);
    merels_meter_stage(&worker->meter, "", 1);
    merels_arena_release(&worker->arena);
    merels_upkeep_check(worker->options, work, &worker->meter, checked);
}

// The members of an order, in ascending order.
static int list_members(const struct order *order, int n_ranks, int members[CREW_MOST])
{
    int n = 0;
    for (int r = 0; r < n_ranks; r++)
        if (order_has(order, r))
            members[n++] = r;
    return n;
}

// With the other ranks of the order, each with its part of the rows.
static enum status solve_in_group(struct worker *worker, const struct work_unit *whole,
                                  struct ranks *group, struct error *err)
{
    struct work_unit work = *whole;
    struct engine *engine = &worker->engine;
    work.holding = (struct holding){.n_ranks = merels_ranks_count(group),
                                    .rank = merels_ranks_number(group)};
    enum status status =
        merels_exchange_create(group, engine->n_threads, &engine->exchange, err);
    if (status == STATUS_OK)
        status = merels_engine_solve(engine, &work, err);
    if (engine->exchange != NULL)
        worker->traffic = merels_exchange_traffic(engine->exchange);
    merels_exchange_destroy(engine->exchange);
    engine->exchange = NULL;
    return status;
}

static enum status solve(struct worker *worker, const struct order *order, struct error *err)
{
    int members[CREW_MOST];
    struct ranks *group;
    if (order->n_members == 1)
        return merels_engine_solve(&worker->engine, &order->work, err);
    int n = list_members(order, merels_ranks_count(worker->world), members);
    enum status status =
        merels_ranks_group(worker->world, members, n, (int)order->number, &group, err);
    if (status != STATUS_OK)
        return status;
    status = solve_in_group(worker, &order->work, group, err);
    merels_ranks_part(group);
    return status;
}

static enum status do_unit(struct worker *worker, const struct order *order,
                           struct checked *checked, struct error *err)
{
    const struct work_unit *work = &order->work;
    worker->engine.dense_cost = order->dense_cost;
    begin_meter(worker, work);
    enum status status = open_base(worker, order->n_removed, err);
    if (status == STATUS_OK)
        status = await_successors(worker, work, err);
    if (status == STATUS_OK && unit_is_to_solve(work))
        status = solve(worker, order, err);
    if (status == STATUS_OK && merels_ranks_number(worker->world) == order_first(order))
        check(worker, work, checked); // what all have made
    return status;
}

static enum status obey_unit(struct worker *worker, const struct order *order,
                             struct error *err)
{
    struct error reason = {.status = STATUS_OK};
    struct report report = {.kind = REPORT_DONE, .unit = order->number};
    worker->unit = order->number;
    worker->traffic = (struct traffic){0};
    report.status = do_unit(worker, order, &report.checked, &reason);
    report.traffic = worker->traffic;
    memcpy(report.text, reason.text, sizeof report.text);
    enum status status = send_report(worker, &report, err);
    return report.status == STATUS_OK ? status
                                      : merels_error(err, report.status, "%s", reason.text);
}

// ---- orders --------------------------------------------------------------------------------

static enum status go_through_orders(struct worker *worker, struct error *err)
{
    for (;;) {
        struct order order;
        int from;
        enum status status = merels_ranks_receive(worker->world, RANKS_TO_CREW, 0.02, &order,
                                                  sizeof order, &from, err);
        if (look_out(worker))
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
        if (status == STATUS_NOT_YET)
            continue;
        if (status == STATUS_OK && order.kind == ORDER_END)
            return STATUS_OK;
        if (status == STATUS_OK)
            status = obey_unit(worker, &order, err);
        if (status != STATUS_OK)
            return status;
    }
}

// Who leaves without having been told to says so.
static void take_leave(const struct worker *worker, enum status status,
                       const struct error *reason)
{
    struct report report = {.kind = REPORT_GONE, .status = status};
    if (status == STATUS_OK)
        return;
    memcpy(report.text, reason->text, sizeof report.text);
    if (send_report(worker, &report, NULL) != STATUS_OK) {
        // There is nobody to be told.
    }
}

static void open_worker(const struct rules *rules, const struct solve_options *options,
                        struct worker *worker)
{
    *worker = (struct worker){.world = options->ranks, .options = options};
    worker->watch =
        (struct watch){.report = report_part, .context = worker, .stop = &worker->stop};
    struct engine *engine = &worker->engine;
    engine->rules = rules;
    engine->n_threads = merels_solve_threads(options);
    engine->dir = options->dir;
    engine->n_codes = options->n_codes > 0 ? options->n_codes : MAX_DEPTH + 1;
    engine->arena = &worker->arena;
    engine->meter = &worker->meter;
}

enum status merels_worker_run(const struct rules *rules, const struct solve_options *options,
                              const atomic_int *stop, struct error *err)
{
    struct error reason = {.status = STATUS_OK};
    struct worker *worker = malloc(sizeof *worker);
    if (worker == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a rank");
    open_worker(rules, options, worker);
    merels_ranks_watch(options->ranks, stop);
    enum status status = STATUS_OK;
    if (merels_ranks_number(options->ranks) != 0) // of that one the chief has done so
        status = merels_crew_share_dir(options->ranks, options->dir, &reason);
    if (status == STATUS_OK)
        status = merels_solve_kernels(options, &worker->engine.kernels, &reason);
    if (status == STATUS_OK)
        status = go_through_orders(worker, &reason);
    take_leave(worker, status, &reason);
    merels_tablebase_close(worker->engine.base);
    merels_arena_destroy(&worker->arena);
    free(worker);
    return status == STATUS_OK ? STATUS_OK : merels_error(err, status, "%s", reason.text);
}
