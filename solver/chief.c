// chief.c: hands out units, takes in what comes of them, keeps the manifest.

#include "solver/chief.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "solver/crew.h"
#include "solver/schedule.h"
#include "solver/worker.h"

enum { IDLE = -1 };

// A unit that is at work.
struct job {
    int n_left;          // members that have not reported yet; 0: it is not at work
    int first_rank;      // the first of its members
    double part;         // of it that is done
    struct report first; // of that one
};

struct chief {
    struct ranks *world;
    const struct rules *rules;
    const struct plan *plan;
    const struct solve_options *options;
    struct holdings holdings;
    struct schedule *schedule;
    struct meter meter;
    struct job *jobs; // by unit
    int *at_work;     // by rank: its unit, or IDLE
    bool *gone;       // by rank
    int n_ranks, n_idle;
    struct traffic traffic; // of all ranks
    uint64_t n_done;        // slots of finished units, those checked twice
    size_t n_units;         // to be done in all
    enum status status;
    struct error error;
    bool told; // all ranks, to stop
};

// ---- failures ------------------------------------------------------------------------------

static void fail(struct chief *chief, enum status status, const struct error *error)
{
    if (chief->status == STATUS_OK) {
        chief->status = status;
        chief->error = *error;
    }
    if (!chief->told)
        merels_ranks_stop_all(chief->world);
    chief->told = true;
}

// What a rank has failed at; that it was stopped because another one failed is no news.
static void fail_by(struct chief *chief, int rank, enum status status, const char *text)
{
    struct error error;
    merels_error(&error, status, "rank %d: %s", rank, text);
    fail(chief, status, &error);
}

// ---- progress ------------------------------------------------------------------------------

static uint64_t slots_of(const struct chief *chief, const struct work_unit *work)
{
    int times = (unit_is_to_solve(work) ? 1 : 0) + (chief->options->verifier > 0 ? 1 : 0);
    return work->finished ? 0 : (uint64_t)times * work->n_slots;
}

static enum status begin_progress(struct chief *chief, const struct watch *watch,
                                  struct error *err)
{
    char text[PROGRESS_TEXT_BYTES];
    const struct plan *plan = chief->plan;
    struct forecast forecast;
    uint64_t total = 0;
    for (size_t k = 0; k < plan->n_units; k++) {
        total += slots_of(chief, &plan->units[k]);
        chief->n_units += !plan->units[k].finished;
    }
    enum status status =
        merels_schedule_foresee(chief->rules, plan, chief->n_ranks, chief->options->group,
                                merels_solve_threads(chief->options), &forecast, err);
    if (status != STATUS_OK)
        return status;
    snprintf(text, sizeof text, "%d ranks", chief->n_ranks);
    merels_meter_start(&chief->meter, watch, "slots", total, 1);
    merels_meter_expect(&chief->meter, forecast.seconds);
    merels_meter_piece(&chief->meter, 0, text, total);
    merels_meter_expect_piece(&chief->meter, forecast.seconds);
    return STATUS_OK;
}

static void show_progress(struct chief *chief)
{
    char text[PROGRESS_TEXT_BYTES];
    size_t left = merels_schedule_left(chief->schedule);
    double done = (double)chief->n_done;
    int n_working = 0;
    for (size_t k = 0; k < chief->plan->n_units; k++)
        if (chief->jobs[k].n_left > 0) {
            done += chief->jobs[k].part * (double)slots_of(chief, &chief->plan->units[k]);
            n_working++;
        }
    snprintf(text, sizeof text, "%zu/%zu units, %d at work", chief->n_units - left,
             chief->n_units, n_working);
    merels_meter_rename(&chief->meter, text);
    (void)merels_meter_count(&chief->meter, (uint64_t)done); // stops are seen by the ranks
}

// ---- handing out ---------------------------------------------------------------------------

// The first idle ranks, as many as are asked for.
static void choose_members(const struct chief *chief, int n, struct order *order)
{
    for (int r = 0; r < chief->n_ranks && order->n_members < n; r++)
        if (chief->at_work[r] == IDLE)
            order_add(order, r);
}

static enum status send_order(const struct chief *chief, const struct order *order,
                              struct error *err)
{
    enum status status = STATUS_OK;
    for (int r = 0; r < chief->n_ranks && status == STATUS_OK; r++)
        if (order_has(order, r))
            status =
                merels_ranks_send(chief->world, RANKS_TO_CREW, r, order, sizeof *order, err);
    return status;
}

static enum status begin_unit(struct chief *chief, size_t unit, int n, struct error *err)
{
    struct order order = {.kind = ORDER_UNIT, .number = (uint32_t)unit};
    order.work = chief->plan->units[unit];
    order.n_removed = (uint32_t)chief->holdings.n_removed;
    order.dense_cost = (uint32_t)(chief->plan->rates.dense_cost * DENSE_COST_ONE);
    choose_members(chief, n, &order);
    chief->jobs[unit] = (struct job){.n_left = n, .first_rank = order_first(&order)};
    for (int r = 0; r < chief->n_ranks; r++)
        if (order_has(&order, r))
            chief->at_work[r] = (int)unit;
    chief->n_idle -= n;
    return send_order(chief, &order, err);
}

static enum status hand_out(struct chief *chief, struct error *err)
{
    size_t unit;
    int n;
    enum status status = STATUS_OK;
    while (status == STATUS_OK &&
           merels_schedule_next(chief->schedule, chief->n_idle, &unit, &n))
        status = begin_unit(chief, unit, n, err);
    return status;
}

// ---- taking in -----------------------------------------------------------------------------

static enum status finish_unit(struct chief *chief, size_t unit, struct error *err)
{
    const struct work_unit *work = &chief->plan->units[unit];
    enum status status = STATUS_OK;
    for (int k = 0; k < work->n_subspaces && status == STATUS_OK; k++)
        status = merels_crew_await(chief->world, chief->holdings.base, work->subspaces[k], err);
    if (status == STATUS_OK)
        status =
            merels_holdings_take(&chief->holdings, work, &chief->jobs[unit].first.checked, err);
    if (status != STATUS_OK)
        return status;
    merels_schedule_done(chief->schedule, unit);
    chief->n_done += slots_of(chief, work);
    return STATUS_OK;
}

static void take_done(struct chief *chief, int rank, const struct report *report)
{
    struct error error;
    struct job *job = &chief->jobs[report->unit];
    if (report->status != STATUS_OK) {
        fail_by(chief, rank, report->status, report->text);
        return;
    }
    chief->at_work[rank] = IDLE; // the others of a group have gone on, or do so now
    chief->n_idle++;
    if (rank == job->first_rank)
        job->first = *report;
    chief->traffic.n_bytes += report->traffic.n_bytes;
    if (job->n_left == 1) // meetings are of all
        chief->traffic.n_meetings += report->traffic.n_meetings;
    chief->traffic.n_calls += report->traffic.n_calls;
    job->n_left--;
    if (job->n_left > 0)
        return;
    enum status status = finish_unit(chief, report->unit, &error);
    if (status != STATUS_OK)
        fail(chief, status, &error);
}

static void take_report(struct chief *chief, int rank, const struct report *report)
{
    switch (report->kind) {
    case REPORT_PART:
        chief->jobs[report->unit].part = report->part;
        break;
    case REPORT_DONE:
        take_done(chief, rank, report);
        break;
    case REPORT_GONE:
        chief->gone[rank] = true;
        fail_by(chief, rank, report->status, report->text);
        break;
    }
}

// ---- a run ---------------------------------------------------------------------------------

static const double look_seconds = 0.1, show_seconds = 0.5;

// For the last words of the ranks. Who is asked to stop by a signal, as mpirun does when a rank
// has died, has little time left.
static const double patience_seconds = 5, haste_seconds = 0.3;

static bool all_gone(const struct chief *chief)
{
    bool all = true;
    for (int r = 0; r < chief->n_ranks; r++)
        all = all && chief->gone[r];
    return all;
}

// Waits for the last words of all ranks, but not for ever.
static void see_off(struct chief *chief)
{
    bool haste = chief->status == STATUS_INTERRUPTED;
    double until = merels_clock_seconds() + (haste ? haste_seconds : patience_seconds);
    while (!all_gone(chief) && merels_clock_seconds() < until) {
        struct report report;
        int from;
        enum status status = merels_ranks_receive(chief->world, RANKS_TO_CHIEF, look_seconds,
                                                  &report, sizeof report, &from, NULL);
        if (status == STATUS_OK && report.kind == REPORT_GONE)
            chief->gone[from] = true;
    }
}

static void dismiss(struct chief *chief)
{
    const struct order end = {.kind = ORDER_END};
    struct error error;
    for (int r = 0; r < chief->n_ranks; r++) {
        enum status status =
            merels_ranks_send(chief->world, RANKS_TO_CREW, r, &end, sizeof end, &error);
        if (status != STATUS_OK)
            fail(chief, status, &error);
    }
}

static void look_at_letters(struct chief *chief)
{
    struct report report;
    struct error error;
    int from;
    enum status status = merels_ranks_receive(chief->world, RANKS_TO_CHIEF, look_seconds,
                                              &report, sizeof report, &from, &error);
    if (status == STATUS_OK)
        take_report(chief, from, &report);
    else if (status != STATUS_NOT_YET)
        fail(chief, status, &error);
}

// At once, since there may be no time to say it in the end: a rank may have died, for which the
// one beside this thread waits.
static void say_so(const struct chief *chief)
{
    const struct watch *watch = chief->meter.watch;
    if (watch != NULL && watch->note != NULL && merels_meter_stops(&chief->meter))
        watch->note("a signal stops all ranks; what is finished is kept", watch->context);
}

static void *lead(void *context)
{
    struct chief *chief = context;
    double shown = 0;
    while (chief->status == STATUS_OK && merels_schedule_left(chief->schedule) > 0) {
        struct error error;
        enum status status = hand_out(chief, &error);
        if (status == STATUS_OK && merels_ranks_stops(chief->world))
            status = merels_error(&error, STATUS_INTERRUPTED, "stopped");
        if (status != STATUS_OK) {
            fail(chief, status, &error);
            break;
        }
        look_at_letters(chief);
        if (merels_clock_seconds() >= shown + show_seconds) {
            shown = merels_clock_seconds();
            show_progress(chief);
        }
    }
    if (chief->status != STATUS_OK)
        say_so(chief);
    if (chief->status == STATUS_OK)
        dismiss(chief);
    if (chief->status == STATUS_OK)
        (void)merels_meter_finish(&chief->meter);
    else
        see_off(chief);
    return NULL;
}

static void note_traffic(const struct chief *chief, const struct watch *watch)
{
    struct error line;
    const struct traffic *t = &chief->traffic;
    if (watch == NULL || watch->note == NULL || t->n_meetings == 0)
        return;
    merels_error(
        &line, STATUS_OK,
        "the ranks sent each other %.1f MB in %llu meetings, %llu of them called for by a low "
        "pool",
        (double)t->n_bytes / 1e6, (unsigned long long)t->n_meetings,
        (unsigned long long)t->n_calls);
    watch->note(line.text, watch->context);
}

// The ranks work, this one too, and the chief beside it.
static enum status work_together(struct chief *chief, const atomic_int *stop, struct error *err)
{
    pthread_t thread;
    struct error own = {.status = STATUS_OK};
    if (pthread_create(&thread, NULL, lead, chief) != 0)
        return merels_error(err, STATUS_NO_MEMORY, "no thread for the chief of the ranks");
    enum status worked = merels_worker_run(chief->rules, chief->options, stop, &own);
    if (pthread_join(thread, NULL) != 0)
        return merels_error(err, STATUS_IO, "the thread of the chief is lost");
    if (chief->status != STATUS_OK)
        return merels_error(err, chief->status, "%s", chief->error.text);
    return worked == STATUS_OK ? STATUS_OK : merels_error(err, worked, "%s", own.text);
}

// ---- the beginning -------------------------------------------------------------------------

static enum status open_chief(struct chief *chief, struct error *err)
{
    chief->jobs = calloc(chief->plan->n_units + 1, sizeof *chief->jobs);
    chief->at_work = calloc((size_t)chief->n_ranks, sizeof *chief->at_work);
    chief->gone = calloc((size_t)chief->n_ranks, sizeof *chief->gone);
    if (chief->jobs == NULL || chief->at_work == NULL || chief->gone == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for %d ranks",
                            chief->n_ranks);
    for (int r = 0; r < chief->n_ranks; r++)
        chief->at_work[r] = IDLE;
    chief->n_idle = chief->n_ranks;
    return merels_schedule_create(chief->rules, chief->plan, chief->n_ranks,
                                  chief->options->group, &chief->schedule, err);
}

static void close_chief(struct chief *chief)
{
    merels_schedule_destroy(chief->schedule);
    free(chief->jobs);
    free(chief->at_work);
    free(chief->gone);
}

enum status merels_chief_lead(const struct rules *rules, const struct plan *plan,
                              const struct solve_options *options, const struct watch *watch,
                              struct error *err)
{
    struct chief chief = {.world = options->ranks,
                          .rules = rules,
                          .plan = plan,
                          .options = options,
                          .n_ranks = merels_ranks_count(options->ranks)};
    const atomic_int *stop = watch != NULL ? watch->stop : NULL;
    merels_ranks_watch(options->ranks, stop);
    enum status status = merels_crew_share_dir(options->ranks, options->dir, err);
    if (status == STATUS_OK)
        status = open_chief(&chief, err);
    if (status == STATUS_OK)
        status = begin_progress(&chief, watch, err);
    if (status == STATUS_OK) {
        status =
            merels_holdings_begin(rules, plan, options, &chief.meter, &chief.holdings, err);
        if (status == STATUS_OK)
            status = work_together(&chief, stop, err);
        if (status == STATUS_OK)
            note_traffic(&chief, watch);
        merels_holdings_end(&chief.holdings);
    }
    if (status != STATUS_OK && !chief.told)
        merels_ranks_stop_all(options->ranks);
    close_chief(&chief);
    return status;
}
