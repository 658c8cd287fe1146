// unit.h: the memory of a work unit while it is solved: its sides, the look-ups of their turns,
// and the lists of turns.
//
// There are two ways to solve a unit. *Depths*: step by step of the metric, whatever its plies
// do. *Sweep*: once over the rows, if every ply is a placement and leaves the unit.
//
// With less memory than all arrays take, it depends on the turns. Where no ply stays in the
// unit, a range of the rows is solved after the other. Where turns lead from row to row, what
// steps ask at random stays in memory, bits, and codes of a byte wait in a temporary file
// (store.h): they are brought in and handed over by ranges of rows, too.

#ifndef MERELS_SOLVER_UNIT_H
#define MERELS_SOLVER_UNIT_H

#include "kernels/kernels.h"
#include "work/memory.h"

enum { MAX_UNIT_SUBSPACES = 2 }; // plies that stay in a unit change its mover and nothing else

// How much of a unit is in memory at a time; all zero: everything.
struct holding {
    uint32_t n_rows; // where no ply stays: rows of its tables; 0: all
    uint64_t
        room_bytes; // where turns stay: room for codes, the rest in a temporary file; 0: all
    int thin;       // pools of turns are 2^thin times smaller
    int n_ranks;    // among which the rows of each side are divided; 0: this process has all
    int rank;       // of them, this process
};

// A strongly connected component of the graph of subspaces: solved as one piece.
struct work_unit {
    int n_subspaces;
    struct subspace subspaces[MAX_UNIT_SUBSPACES];
    uint64_t n_slots;
    struct holding holding;
    uint64_t memory_bytes;    // working memory while it is solved
    uint64_t disk_bytes;      // estimate of its files
    uint64_t temporary_bytes; // room for its temporary file
    double cpu_seconds;       // estimate of solving it
    double check_seconds;     // of checking it, if the run does
    double convert_seconds;   // and of converting it
    int least_ranks;          // among which it can be divided; 0: it cannot
    bool finished;            // nothing is left to do: its files are there, and checked if the
                              // run checks; or were made, and what is gone is not needed
    bool there;               // all its files are
    bool again;               // it was made, not all of it kept, and what is gone is needed
    struct {
        bool there;
        bool ours; // made by an earlier part of this run, which may drop it
    } files[MAX_UNIT_SUBSPACES];
};

// Its tables have to be made; else a unit that is not finished has only to be checked.
static inline bool unit_is_to_solve(const struct work_unit *work)
{
    return !work->finished && !work->there;
}

// Can several ranks work on it together?
static inline bool unit_can_be_divided(const struct work_unit *work)
{
    return work->least_ranks > 0;
}

// The subspaces of a unit, "9-8 8-9"; returns `out`.
enum { UNIT_NAME_BYTES = MAX_UNIT_SUBSPACES * SUBSPACE_NAME_BYTES };
const char *merels_unit_name(const struct work_unit *unit, char out[UNIT_NAME_BYTES]);

enum way_to_solve { SOLVE_BY_DEPTHS, SOLVE_BY_SWEEP };

// What the plies of a unit allow.
bool merels_unit_has_turns(const struct rules *rules, const struct work_unit *work);
enum way_to_solve merels_unit_way(const struct rules *rules, const struct work_unit *work);

struct unit {
    const struct rules *rules;
    enum way_to_solve way;
    struct arena *arena; // where the big arrays are
    struct arena own;    // if the caller gave none
    int n_sides;
    struct side sides[MAX_UNIT_SUBSPACES];
    struct canon canons[MAX_POINTS + 1];     // by men
    struct turn_pool pools[MAX_FRESH_LISTS]; // of the lists; [0] also of sources
    uint32_t max_rows;                       // that are worked on at a time, by all ranks
    int n_ranks, rank;                       // 1, 0: this process has all rows
    uint8_t *room;       // for codes of some rows of a side or source, if the others wait
    uint64_t room_bytes; // in a temporary file; 0: all are in memory
};

// The rows on which a thread works at a time: those of a bucket of turns, or as many.
static inline int side_bucket_bits(const struct side *side)
{
    return side->moves_stay ? side->lists[0].row_bits : 6;
}

static inline uint32_t side_buckets(const struct side *side)
{
    return side->range.n == 0 ? 0 : ((side->range.n - 1) >> side_bucket_bits(side)) + 1;
}

// The bucket of a list of the side that the first rows in memory are in.
static inline uint32_t side_first_bucket(const struct side *side,
                                         const struct turn_lists *lists)
{
    return (side->range.first - side->reach.first) >> lists->row_bits;
}

// The rank that has the rows of a bucket of a list of the side.
int merels_unit_owner(const struct unit *unit, const struct side *side,
                      const struct turn_lists *lists, uint32_t bucket);

// The rows of a side that a rank has.
struct row_range merels_unit_slice(const struct unit *unit, const struct side *side, int rank);

// Bytes that merels_unit_create takes, look-up tables included.
uint64_t merels_unit_bytes(const struct rules *rules, const struct work_unit *work,
                           enum way_to_solve way, struct holding holding, int n_threads);

// Ways to hold less and less of a unit at a time, the fastest first: number 0 is everything.
// False if there is no such number, as for MAX_HOLDINGS.
enum { MAX_HOLDINGS = 11 };
bool merels_unit_holding(const struct rules *rules, const struct work_unit *work, int number,
                         struct holding *holding);

// Allocates a unit for kernels that work on cells of cell_points points, on n_threads threads,
// with its first rows in range. The big arrays are taken from the arena, which grows if need be
// and must stay as it is as long as the unit; NULL: from one of the unit's own. Their contents
// are undefined. STATUS_NO_MEMORY.
MERELS_CHECKED enum status
merels_unit_create(const struct rules *rules, struct index *index, const struct work_unit *work,
                   enum way_to_solve way, struct holding holding, int cell_points,
                   int n_threads, struct arena *arena, struct unit *unit, struct error *err);
void merels_unit_destroy(struct unit *unit);

// Puts the range of rows from `first` on into memory, or what of it this rank has: the arrays
// belong to them from now on.
void merels_unit_set_range(struct unit *unit, uint32_t first);

// What a thread's workspace needs for the unit.
struct workspace_sizes merels_unit_workspace(const struct unit *unit);

#endif
