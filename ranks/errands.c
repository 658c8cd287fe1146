// errands.c: names out, outcomes in.

#include "ranks/errands.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct errand {
    bool last; // nothing more is to be done
    uint64_t number;
    char name[ERRAND_NAME_BYTES];
};

struct outcome {
    bool gone; // the rank has ended; else about an errand
    uint64_t number;
    enum status status;
    char text[ERROR_TEXT_BYTES];
    uint32_t n_bytes;
    _Alignas(max_align_t) uint8_t result[ERRAND_RESULT_BYTES];
};

_Static_assert(sizeof(struct outcome) <= LETTER_BYTES, "letters are short");

// ---- doing ---------------------------------------------------------------------------------

static const double look_seconds = 0.1;

static enum status answer(struct ranks *world, struct outcome *outcome, enum status status,
                          const struct error *reason, struct error *err)
{
    outcome->status = status;
    if (status != STATUS_OK)
        memcpy(outcome->text, reason->text, sizeof outcome->text);
    return merels_ranks_send(world, RANKS_TO_CHIEF, 0, outcome, sizeof *outcome, err);
}

static enum status do_errand(struct ranks *world, const struct errand *errand,
                             errand_work *work, void *context, struct error *err)
{
    struct error reason = {.status = STATUS_OK};
    struct outcome outcome = {.number = errand->number};
    size_t n_bytes = 0;
    enum status worked = work(context, errand->name, outcome.result, &n_bytes, &reason);
    outcome.n_bytes = (uint32_t)n_bytes;
    enum status status = answer(world, &outcome, worked, &reason, err);
    return worked == STATUS_OK ? status : merels_error(err, worked, "%s", reason.text);
}

static enum status do_errands(struct ranks *world, errand_work *work, void *context,
                              struct error *err)
{
    for (;;) {
        struct errand errand;
        int from;
        enum status status = merels_ranks_receive(world, RANKS_TO_CREW, look_seconds, &errand,
                                                  sizeof errand, &from, err);
        if (merels_ranks_stops(world))
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
        if (status == STATUS_NOT_YET)
            continue;
        if (status != STATUS_OK || errand.last)
            return status;
        status = do_errand(world, &errand, work, context, err);
        if (status != STATUS_OK)
            return status;
    }
}

enum status merels_errands_follow(struct ranks *world, errand_work *work, void *context,
                                  struct error *err)
{
    struct error reason = {.status = STATUS_OK};
    enum status status = do_errands(world, work, context, &reason);
    if (status == STATUS_OK)
        return status;
    struct outcome outcome = {.gone = true};
    if (answer(world, &outcome, status, &reason, NULL) != STATUS_OK) {
        // There is nobody to be told.
    }
    return merels_error(err, status, "%s", reason.text);
}

// ---- leading -------------------------------------------------------------------------------

struct leader {
    struct ranks *world;
    const struct errands *errands;
    int n_ranks;
    bool *at_work, *gone; // by rank
    size_t n_sent, n_done;
    enum status status;
    struct error error;
};

static enum status send_out(struct leader *leader, struct error *err)
{
    const struct errands *errands = leader->errands;
    enum status status = STATUS_OK;
    for (int r = 0; r < leader->n_ranks && status == STATUS_OK; r++) {
        if (leader->at_work[r] || leader->n_sent == errands->n)
            continue;
        struct errand errand = {.number = leader->n_sent};
        strncpy(errand.name, errands->names[leader->n_sent++], ERRAND_NAME_BYTES - 1);
        leader->at_work[r] = true;
        status =
            merels_ranks_send(leader->world, RANKS_TO_CREW, r, &errand, sizeof errand, err);
    }
    return status;
}

static enum status take_done(struct leader *leader, const struct outcome *outcome,
                             struct error *err)
{
    const struct errands *errands = leader->errands;
    double until = 0;
    enum status status;
    do
        status = errands->done(errands->done_context, (size_t)outcome->number, outcome->result,
                               outcome->n_bytes, err);
    while (status == STATUS_MISSING &&
           merels_ranks_waits(leader->world, RANKS_SECONDS_TO_APPEAR, &until));
    leader->n_done++;
    return status;
}

static enum status take_in(struct leader *leader, struct error *err)
{
    struct outcome outcome;
    int from;
    enum status status = merels_ranks_receive(leader->world, RANKS_TO_CHIEF, look_seconds,
                                              &outcome, sizeof outcome, &from, err);
    if (status != STATUS_OK)
        return status == STATUS_NOT_YET ? STATUS_OK : status;
    leader->gone[from] = outcome.gone;
    leader->at_work[from] = false;
    if (outcome.status != STATUS_OK)
        return merels_error(err, outcome.status, "rank %d: %s", from, outcome.text);
    return take_done(leader, &outcome, err);
}

static void dismiss(struct leader *leader)
{
    const struct errand last = {.last = true};
    for (int r = 0; r < leader->n_ranks && leader->status == STATUS_OK; r++)
        leader->status = merels_ranks_send(leader->world, RANKS_TO_CREW, r, &last, sizeof last,
                                           &leader->error);
}

// Waits for the last words of all ranks, but not for ever: soon who started them ends them.
static const double patience_seconds = 5, haste_seconds = 0.3;

static void see_off(struct leader *leader)
{
    int n_gone = 0, looks;
    double seconds = leader->status == STATUS_INTERRUPTED ? haste_seconds : patience_seconds;
    for (looks = (int)(seconds / look_seconds); looks > 0 && n_gone < leader->n_ranks;) {
        struct outcome outcome;
        int from;
        enum status status = merels_ranks_receive(leader->world, RANKS_TO_CHIEF, look_seconds,
                                                  &outcome, sizeof outcome, &from, NULL);
        looks -= status != STATUS_OK;
        if (status == STATUS_OK)
            leader->gone[from] |= outcome.gone;
        n_gone = 0;
        for (int r = 0; r < leader->n_ranks; r++)
            n_gone += leader->gone[r];
    }
}

static void *lead(void *context)
{
    struct leader *leader = context;
    while (leader->status == STATUS_OK && leader->n_done < leader->errands->n) {
        leader->status = send_out(leader, &leader->error);
        if (leader->status == STATUS_OK && merels_ranks_stops(leader->world))
            leader->status = merels_error(&leader->error, STATUS_INTERRUPTED, "stopped");
        if (leader->status == STATUS_OK)
            leader->status = take_in(leader, &leader->error);
    }
    if (leader->status == STATUS_OK)
        dismiss(leader);
    if (leader->status != STATUS_OK) {
        merels_ranks_stop_all(leader->world);
        see_off(leader);
    }
    return NULL;
}

static enum status run(struct leader *leader, struct error *err)
{
    const struct errands *errands = leader->errands;
    pthread_t thread;
    struct error own = {.status = STATUS_OK};
    if (pthread_create(&thread, NULL, lead, leader) != 0)
        return merels_error(err, STATUS_NO_MEMORY, "no thread for the chief of the ranks");
    enum status worked =
        merels_errands_follow(leader->world, errands->work, errands->work_context, &own);
    if (pthread_join(thread, NULL) != 0)
        return merels_error(err, STATUS_IO, "the thread of the chief is lost");
    if (leader->status != STATUS_OK)
        return merels_error(err, leader->status, "%s", leader->error.text);
    return worked == STATUS_OK ? STATUS_OK : merels_error(err, worked, "%s", own.text);
}

enum status merels_errands_lead(struct ranks *world, const struct errands *errands,
                                struct error *err)
{
    struct leader leader = {
        .world = world, .errands = errands, .n_ranks = merels_ranks_count(world)};
    enum status status;
    leader.at_work = calloc((size_t)leader.n_ranks, sizeof *leader.at_work);
    leader.gone = calloc((size_t)leader.n_ranks, sizeof *leader.gone);
    if (leader.at_work != NULL && leader.gone != NULL)
        status = run(&leader, err);
    else
        status =
            merels_error(err, STATUS_NO_MEMORY, "out of memory for %d ranks", leader.n_ranks);
    if (status != STATUS_OK)
        merels_ranks_stop_all(world);
    free(leader.at_work);
    free(leader.gone);
    return status;
}
