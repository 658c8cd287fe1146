// crew.h: the ranks that carry out a plan together, and the letters between them.
//
// Rank 0 is the *chief*: it has the plan, the manifest and the directory's lock, says who does
// what, and enters what is finished; that takes little time, so that it is a thread beside the
// work of the rank. Every rank, that one included, is a *worker*: it does what it is told.
//
//     chief    unit: solve it, with these ranks      worker    part ... part ... done
//              end
//
// A worker that fails says so; the chief then sends everyone a letter on RANKS_STOP.

#ifndef MERELS_SOLVER_CREW_H
#define MERELS_SOLVER_CREW_H

#include "solver/exchange.h"
#include "solver/upkeep.h"

enum { CREW_MOST = 4096 }; // ranks, as members are written down

enum order_kind { ORDER_UNIT, ORDER_END };

struct order {
    enum order_kind kind;
    uint32_t number; // unit: in the plan
    struct work_unit work;
    uint32_t dense_cost; // as of the engine
    uint32_t n_removed;  // table files so far: what is open is opened anew after more
    int n_members;
    uint8_t members[CREW_MOST / 8]; // a bit for each rank
};

enum report_kind { REPORT_PART, REPORT_DONE, REPORT_GONE };

struct report {
    enum report_kind kind;
    enum status status;
    uint32_t unit;
    double part; // of it, 0 to 1
    char text[ERROR_TEXT_BYTES];
    struct traffic traffic; // done
    struct checked checked; // done, of the first of its ranks
};

_Static_assert(sizeof(struct report) <= LETTER_BYTES && sizeof(struct order) <= LETTER_BYTES,
               "letters are short");

static inline bool order_has(const struct order *order, int rank)
{
    return (order->members[rank / 8] >> (rank % 8) & 1) != 0;
}

static inline void order_add(struct order *order, int rank)
{
    order->members[rank / 8] |= (uint8_t)(1 << (rank % 8));
    order->n_members++;
}

static inline int order_first(const struct order *order)
{
    int rank = 0;
    while (rank < CREW_MOST && !order_has(order, rank))
        rank++;
    return rank;
}

// Do all ranks say the same of themselves (program, version, rules)? Each calls it first of
// all, and each fails with STATUS_UNSUPPORTED if two differ, or where there are too many.
// `identity` is a text of CREW_IDENTITY_BYTES at most.
enum { CREW_IDENTITY_BYTES = 256 };
MERELS_CHECKED enum status merels_crew_agree(struct ranks *world, const char *identity,
                                             struct error *err);

// Do all ranks see the directory of rank 0, where that one may write? Each calls it, and each
// fails if one does not: STATUS_UNSUPPORTED; STATUS_IO.
MERELS_CHECKED enum status merels_crew_share_dir(struct ranks *world, const char *dir,
                                                 struct error *err);

// Waits for a table that another rank has made: its file may show here some seconds late. As
// merels_tablebase_table, or STATUS_INTERRUPTED.
MERELS_CHECKED enum status merels_crew_await(struct ranks *world, struct tablebase *base,
                                             struct subspace s, struct error *err);

#endif
