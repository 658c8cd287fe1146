// together.c: joining, agreeing, and who says what went wrong.

#include "query/together.h"

#include <unistd.h>

#include "db/header.h"
#include "query/merels.h"
#include "solver/crew.h"
#include "work/memory.h"

// Mpirun often gives each rank processors of its own; else the ranks of a machine share all.
int merels_together_threads(const struct context *context, const struct ranks *world)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    int mine = merels_processors(), beside = merels_ranks_beside(world);
    if (context->args->n_threads > 0 || beside == 1 || mine < online)
        return merels_threads(context->args->n_threads);
    return merels_threads(mine > beside ? (uint64_t)(mine / beside) : 1);
}

uint64_t merels_together_memory(const struct context *context, const struct ranks *world)
{
    uint64_t asked = context->args->memory_bytes, beside = (uint64_t)merels_ranks_beside(world);
    return asked > 0 ? asked : merels_memory_limit(0) / beside;
}

static const char *or_none(const char *text)
{
    return text != NULL ? text : "-";
}

// What has to be the same of all ranks.
static void identify(const struct context *context, char out[CREW_IDENTITY_BYTES])
{
    const struct arguments *args = context->args;
    snprintf(out, CREW_IDENTITY_BYTES,
             "merels %s, format %d, letters %zu/%zu, rules %.16s, %d-%d men, --phase %s "
             "--max-men %llu --keep %s --edition %s%s",
             merels_version(), (int)TABLE_VERSION, sizeof(struct order), sizeof(struct report),
             context->variant.fingerprint, context->variant.start.first_men,
             context->variant.start.second_men, or_none(args->phase),
             (unsigned long long)args->max_men, or_none(args->keep), or_none(args->edition),
             args->verify ? " --verify" : "");
}

enum { SILENCE_LOOKS = 10 };

// Rank 0 says it. Where it is gone, somebody else has to, and soon: who started the ranks gives
// them a second.
static enum status fall_silent(struct ranks *world, enum status status,
                               const struct error *reason, struct error *err)
{
    char name[RANK_NAME_BYTES];
    merels_ranks_watch(world, NULL);
    for (int k = 0; k < SILENCE_LOOKS && !merels_ranks_stops(world); k++)
        (void)usleep(20000);
    if (merels_ranks_stops(world))
        return merels_error(err, status, "%s", "");
    return merels_error(err, status, "%s: %s; rank 0 does not answer",
                        merels_ranks_name(world, name), reason->text);
}

static enum status do_part(struct context *context, struct ranks *world, rank_part *lead,
                           rank_part *follow, struct error *err)
{
    struct error reason = {.status = STATUS_OK};
    char identity[CREW_IDENTITY_BYTES];
    identify(context, identity);
    enum status status = merels_crew_agree(world, identity, &reason);
    bool leads = merels_ranks_number(world) == 0, agreed = status == STATUS_OK;
    if (agreed)
        status = (leads ? lead : follow)(context, world, &reason);
    if (leads && status != STATUS_OK && agreed)
        merels_ranks_stop_all(world);
    if (status == STATUS_OK)
        return STATUS_OK;
    if (leads)
        return merels_error(err, status, "%s", reason.text);
    return agreed ? fall_silent(world, status, &reason, err)
                  : merels_error(err, status, "%s", "");
}

enum status merels_together(struct context *context, rank_part *lead, rank_part *follow,
                            struct error *err)
{
    struct ranks *world;
    struct error reason = {.status = STATUS_OK};
    enum status status = merels_ranks_begin(&world, err);
    if (status != STATUS_OK)
        return status;
    if (world == NULL)
        return lead(context, NULL, err);
    status = do_part(context, world, lead, follow, &reason);
    if (status != STATUS_OK && reason.text[0] != '\0')
        merels_complain(reason.text); // before MPI ends, which may take this process along
    merels_ranks_end(world, status == STATUS_OK);
    return status == STATUS_OK ? STATUS_OK : merels_error(err, status, "%s", "");
}

enum status merels_together_alone(struct error *err)
{
    int n = merels_ranks_launched();
    return n == 1 ? STATUS_OK
                  : merels_error(err, STATUS_UNSUPPORTED,
                                 "edition compact is the work of one process, not of %d; start "
                                 "it without mpirun",
                                 n);
}

// ---- tables side by side -------------------------------------------------------------------

static void look_out(const struct progress *now, void *context)
{
    struct table_work *work = context;
    (void)now;
    if (merels_ranks_stops(work->world))
        atomic_store(&work->stopped, 1);
}

void merels_together_work(struct ranks *world, errand_work *work, void *context,
                          const atomic_int *stop, struct table_work *made)
{
    *made = (struct table_work){.world = world, .work = work, .context = context, .stop = stop};
    made->watch = (struct watch){.report = look_out, .context = made, .stop = &made->stopped};
    merels_ranks_watch(world, stop);
}

static enum status go_through(void *context, const char *const *names, size_t n,
                              hands_done *done, void *done_context, struct error *err)
{
    struct table_hands *hands = context;
    const struct errands errands = {.names = names,
                                    .n = n,
                                    .work = hands->work->work,
                                    .work_context = hands->work->context,
                                    .done = done,
                                    .done_context = done_context};
    hands->used = true;
    return merels_errands_lead(hands->work->world, &errands, err);
}

void merels_together_hands(struct table_work *work, struct table_hands *made)
{
    *made = (struct table_hands){.work = work};
    made->hands = (struct hands){.go_through = go_through, .context = made};
}

enum status merels_together_dismiss(struct table_hands *hands, struct error *err)
{
    return hands->used ? STATUS_OK : go_through(hands, NULL, 0, NULL, NULL, err);
}

enum status merels_together_help(struct table_work *work, struct error *err)
{
    return merels_errands_follow(work->world, work->work, work->context, err);
}
