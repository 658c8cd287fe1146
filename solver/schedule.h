// schedule.h: which unit of a plan is worked on next, and on how many ranks.
//
// A unit is *ready* when all that it reads is finished. Of those that are ready the one comes
// first from which the longest way leads to the end of the run, by the time that the plan
// states; a unit for which too few ranks are free is waited for, so that none waits for ever.
//
//     level 2            [ 4-4 ]   [ 5-3 3-5 ]  [ 6-2 ]      units that could be worked on
//                           |  \      |                      side by side share the ranks
//     level 1            [ 4-3 3-4 ] [ 5-2 ]                 by their times
//
// A unit gets its share of the ranks, by its time among those of its level, as a power of two,
// but no less than it takes to hold it in memory, and no more than it has work for.

#ifndef MERELS_SOLVER_SCHEDULE_H
#define MERELS_SOLVER_SCHEDULE_H

#include "solver/plan.h"

struct schedule;

// Of the units of a plan that are not finished, which must outlive it. `group`: so many ranks
// for every unit; 0: by the rule above. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_schedule_create(const struct rules *rules,
                                                  const struct plan *plan, int n_ranks,
                                                  int group, struct schedule **schedule,
                                                  struct error *err);
void merels_schedule_destroy(struct schedule *schedule); // NULL is allowed

// The next unit to begin while n_free ranks have nothing to do, and how many it gets; false if
// none can begin now.
bool merels_schedule_next(struct schedule *schedule, int n_free, size_t *unit, int *n_ranks);

// A unit that was begun is finished.
void merels_schedule_done(struct schedule *schedule, size_t unit);

size_t merels_schedule_left(const struct schedule *schedule); // units not yet done

// A whole run with n_threads on each rank, by the plan's times and a network that takes in
// NETWORK_BYTES_PER_SECOND on each rank: how long it takes, the longest chain of units that
// wait for each other, with the ranks that each of them gets, and what goes between ranks.
// STATUS_NO_MEMORY.
#define NETWORK_BYTES_PER_SECOND 1e9
struct forecast {
    double seconds, path_seconds;
    size_t path_units;
    int largest_group;
    double traffic_bytes;
    double rank_bytes;     // the most of one rank in one unit
    uint64_t memory_bytes; // of a rank at most
};
MERELS_CHECKED enum status
merels_schedule_foresee(const struct rules *rules, const struct plan *plan, int n_ranks,
                        int group, int n_threads, struct forecast *forecast, struct error *err);

#endif
