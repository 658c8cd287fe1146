// exchange.h: turns between the ranks that work on a unit together.
//
// The lists of turns (kernels/turns.h) are by bucket of rows, and a bucket belongs to one rank,
// so a list goes to its rank as it is:
//
//     rank 0   bucket 0 [..] 1 [..] | 2 [..] 3 [..] | 4 [..] 5 [..]
//              stay here, until       to rank 1       to rank 2       and what comes from these
//              the bucket's turn                                      is carried out at once
//
// Ranks *meet*: at the end of a step, or when the pool of one runs low, which then calls the
// others (ranks.h). A meeting goes round by round, as much as fits the letters' room in each,
// until nothing is left that has to go to another rank.

#ifndef MERELS_SOLVER_EXCHANGE_H
#define MERELS_SOLVER_EXCHANGE_H

#include "ranks/ranks.h"
#include "solver/unit.h"

struct exchange;

// For the ranks of a group. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_exchange_create(struct ranks *ranks, int n_threads,
                                                  struct exchange **exchange,
                                                  struct error *err);

// After an interruption its memory is left to MPI. NULL is allowed.
void merels_exchange_destroy(struct exchange *exchange);

// Bytes that it takes.
uint64_t merels_exchange_bytes(int n_ranks);

struct ranks *merels_exchange_ranks(const struct exchange *exchange);

// What has gone between the ranks so far, as this one has seen it.
struct traffic {
    uint64_t n_bytes;    // that it has sent to others
    uint64_t n_meetings; // of all
    uint64_t n_calls;    // that it has made, since its pool was low
};
struct traffic merels_exchange_traffic(const struct exchange *exchange);

// The pool of this rank is low: the others are asked to meet. Whether one of them has asked.
void merels_exchange_call(struct exchange *exchange);
bool merels_exchange_called(struct exchange *exchange);

// Lists of turns to rows of some sides, and what is done with items that have come, by one
// thread for a bucket at a time.
enum { MAX_EXCHANGED = MAX_UNIT_SUBSPACES };
struct exchanged {
    const struct unit *unit;
    int n;
    const struct side *sides[MAX_EXCHANGED];
    struct turn_lists *lists[MAX_EXCHANGED];
    void (*carry_out)(void *context, int list, uint32_t bucket, const uint32_t *items,
                      size_t n);
    void *context;
};

// All ranks of the group meet. `finished`: this one has nothing more to do before; whether
// that holds for all comes back. STATUS_NO_MEMORY also if a turn was lost before.
MERELS_CHECKED enum status merels_exchange_meet(struct exchange *exchange,
                                                const struct exchanged *what, bool finished,
                                                bool *all_finished, struct error *err);

// Everyone has bytes for some ranks, of any length, and takes what comes piece by piece, those
// of one rank in order. `give` writes what goes to a rank next, at most `room` bytes (at least
// 64), and returns how much; 0: no more. Again all ranks meet.
struct goods {
    size_t (*give)(void *context, int rank, size_t room, uint8_t *bytes);
    void (*take)(void *context, int rank, const uint8_t *bytes, size_t n_bytes);
    void *context;
};
MERELS_CHECKED enum status merels_exchange_goods(struct exchange *exchange,
                                                 const struct goods *goods, struct error *err);

#endif
