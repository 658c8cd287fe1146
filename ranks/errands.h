// errands.h: pieces of work with names, each done by one of the ranks, side by side.
//
// Rank 0 sends out the names in their order, one to a rank at a time, and takes in what has
// become of them, by a thread beside its own work.
//
//     rank 0   "9-8" to rank 1, "8-9" to rank 0 ...     done: "9-8" ... then the next name
//     rank k   does what it is told                      done or failed: what happened

#ifndef MERELS_RANKS_ERRANDS_H
#define MERELS_RANKS_ERRANDS_H

#include "ranks/ranks.h"

enum { ERRAND_NAME_BYTES = 32 };

// Does a piece: on any rank, in the thread that made the call below. Of the result it may write
// so many bytes.
enum { ERRAND_RESULT_BYTES = 1024 };
typedef enum status errand_work(void *context, const char *name, void *result, size_t *n_bytes,
                                struct error *err);

// Piece `number` is done: on rank 0, in another thread, one at a time. STATUS_MISSING: what it
// has left in the directory is not to be seen here yet; asked again then.
typedef enum status errand_done(void *context, size_t number, const void *result,
                                size_t n_bytes, struct error *err);

struct errands {
    const char *const *names; // shorter than ERRAND_NAME_BYTES
    size_t n;
    errand_work *work;
    void *work_context;
    errand_done *done;
    void *done_context;
};

// Rank 0: until all are done. The first failure, of whatever rank, ends it and tells all ranks
// to stop. STATUS_INTERRUPTED if this rank was to stop (merels_ranks_watch).
MERELS_CHECKED enum status
merels_errands_lead(struct ranks *world, const struct errands *errands, struct error *err);

// Every other rank: until rank 0 has no more. STATUS_INTERRUPTED if it was told to stop; what
// it failed at itself, rank 0 knows, too.
MERELS_CHECKED enum status merels_errands_follow(struct ranks *world, errand_work *work,
                                                 void *context, struct error *err);

#endif
