// together.h: a command carried out by all ranks of a run: rank 0 leads, says everything and
// has the outcome, the others follow and are silent.

#ifndef MERELS_QUERY_TOGETHER_H
#define MERELS_QUERY_TOGETHER_H

#include <stdatomic.h>

#include "query/command.h"
#include "ranks/errands.h"
#include "work/hands.h"
#include "work/progress.h"

// The two parts of a command. `world` is NULL where there is one process alone, which leads.
typedef enum status rank_part(struct context *context, struct ranks *world, struct error *err);

// Joins the other ranks, if there are any, sees that they are of the same program, version,
// rules and options, and does this rank's part. Who leads and fails tells the others to stop.
// A rank leaves with the status of its part; what rank 0 has said of it is not said again.
MERELS_CHECKED enum status merels_together(struct context *context, rank_part *lead,
                                           rank_part *follow, struct error *err);

// For what is the work of one process, edition compact: STATUS_UNSUPPORTED where there are
// others.
MERELS_CHECKED enum status merels_together_alone(struct error *err);

// ---- tables side by side -------------------------------------------------------------------

// What a rank does for each table that it is told of, and the run in which it does so.
struct table_work {
    struct ranks *world;
    errand_work *work;
    void *context;
    const atomic_int *stop; // this rank's own (stop.h)
    atomic_int stopped;     // by that or by another rank, as `watch` sees
    struct watch watch;     // for the work
};
void merels_together_work(struct ranks *world, errand_work *work, void *context,
                          const atomic_int *stop, struct table_work *made);

// Rank 0: hands for a run. After it, the others have to be dismissed if it has not used them.
struct table_hands {
    struct hands hands;
    struct table_work *work;
    bool used;
};
void merels_together_hands(struct table_work *work, struct table_hands *made);
MERELS_CHECKED enum status merels_together_dismiss(struct table_hands *hands,
                                                   struct error *err);

// Another rank: until rank 0 has no more.
MERELS_CHECKED enum status merels_together_help(struct table_work *work, struct error *err);

// ---- limits --------------------------------------------------------------------------------

// Threads of this rank, without --threads a fair part of the machine's processors; and its
// memory, without --memory such a part of three quarters of what is free.
int merels_together_threads(const struct context *context, const struct ranks *world);
uint64_t merels_together_memory(const struct context *context, const struct ranks *world);

#endif
