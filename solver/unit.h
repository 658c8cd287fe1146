// unit.h: the memory of a work unit while it is solved: its sides, the look-ups of their turns,
// and the lists of turns.
//
// There are two ways to solve a unit. *Depths*: step by step of the metric, whatever its plies
// do. *Sweep*: once over the rows, if every ply is a placement and leaves the unit. Where no
// ply stays in the unit, a range of the rows can be solved after the other, in less memory.

#ifndef MERELS_SOLVER_UNIT_H
#define MERELS_SOLVER_UNIT_H

#include "kernels/kernels.h"
#include "work/memory.h"

enum { MAX_UNIT_SUBSPACES = 2 }; // plies that stay in a unit change its mover and nothing else

// A strongly connected component of the graph of subspaces: solved as one piece.
struct work_unit {
    int n_subspaces;
    struct subspace subspaces[MAX_UNIT_SUBSPACES];
    uint64_t n_slots;
    uint32_t n_rows;       // rows of its tables in memory at a time; 0: all
    uint64_t memory_bytes; // working memory while it is solved
    uint64_t disk_bytes;   // estimate of its files
    bool finished;         // its files are already there
};

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
    struct canon canons[MAX_POINTS + 1]; // by men
    struct turn_pool pools[2]; // of the lists, by their step's parity; [0] also of sources
    uint32_t max_rows;         // that the arrays of a side have room for
};

// Bytes that merels_unit_create takes (look-up tables included) with n_rows rows of each side
// in memory, 0: all of them.
uint64_t merels_unit_bytes(const struct rules *rules, const struct work_unit *work,
                           enum way_to_solve way, uint32_t n_rows, int n_threads);

// The most rows for which that is no more than `limit`, in ranges of like size: 0 if all rows
// fit, or if no part of them can be solved alone.
uint32_t merels_unit_rows(const struct rules *rules, const struct work_unit *work,
                          enum way_to_solve way, uint64_t limit, int n_threads);

// Allocates a unit for kernels that work on cells of cell_points points, on n_threads threads,
// with its first rows in range. The big arrays are taken from the arena, which grows if need be
// and must stay as it is as long as the unit; NULL: from one of the unit's own. Their contents
// are undefined. STATUS_NO_MEMORY.
MERELS_CHECKED enum status
merels_unit_create(const struct rules *rules, struct index *index, const struct work_unit *work,
                   enum way_to_solve way, uint32_t n_rows, int cell_points, int n_threads,
                   struct arena *arena, struct unit *unit, struct error *err);
void merels_unit_destroy(struct unit *unit);

// Puts the range of rows from `first` on into memory: the arrays belong to them from now on.
void merels_unit_set_range(struct unit *unit, uint32_t first);

// What a thread's workspace needs for the unit.
struct workspace_sizes merels_unit_workspace(const struct unit *unit);

#endif
