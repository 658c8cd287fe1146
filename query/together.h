// together.h: a command carried out by all ranks of a run: rank 0 leads, says everything and
// has the outcome, the others follow and are silent.

#ifndef MERELS_QUERY_TOGETHER_H
#define MERELS_QUERY_TOGETHER_H

#include "query/command.h"
#include "ranks/ranks.h"

// The two parts of a command. `world` is NULL where there is one process alone, which leads.
typedef enum status rank_part(struct context *context, struct ranks *world, struct error *err);

// Joins the other ranks, if there are any, sees that they are of the same program, version,
// rules and options, and does this rank's part. Who leads and fails tells the others to stop.
// A rank leaves with the status of its part; what rank 0 has said of it is not said again.
MERELS_CHECKED enum status merels_together(struct context *context, rank_part *lead,
                                           rank_part *follow, struct error *err);

// Threads of this rank, without --threads a fair part of the machine's processors; and its
// memory, without --memory such a part of three quarters of what is free.
int merels_together_threads(const struct context *context, const struct ranks *world);
uint64_t merels_together_memory(const struct context *context, const struct ranks *world);

#endif
