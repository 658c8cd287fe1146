// unit.h: a work unit in memory while it is solved.
//
// A side is one subspace of the unit. All its arrays have the shape of its table: a row for
// every canonical set of the side not to move, a column for every set of the mover's men on the
// free points.
//
//     value        1 byte  depth in plies; VALUE_DRAW = undecided, in the end a draw
//     removal      1 byte  the mover has just closed a mill and stands in this column: value of
//                          the best removal, as the *other* side's depth (even = good)
//     undecided    1 bit   no value yet
//     won          1 bit   arriving here lets the other side win: the turned position is won
//     removal_won  1 bit   closing a mill here lets the other side win: `removal` is odd and
//                          has been reached
//     fresh[2]     1 bit   turned positions decided at the depth being worked on, and at the
//                          next one: read one, write the other
//
// Moving phase: a step of the mover leads from one column to another in the same row; what the
// arrival is worth is `removal` there if the step closes a mill, else the turned position,
// known by `won` and `fresh`. Bit rows begin at a word of their own, so one row has one owner
// at a time and needs no atomic operations; turns reach the rows of others by the lists of
// turns.h.
//
// Placing phase: a unit is one subspace a-b-ha-hb, side 0, of which only `value` exists. Side 1
// is its arrivals: the same rows, columns of one man more; `value` there is the turned
// position's, as the other side's depth.

#ifndef MERELS_SOLVER_UNIT_H
#define MERELS_SOLVER_UNIT_H

#include "db/tablebase.h"
#include "work/memory.h"
#include "solver/solve.h"
#include "kernels/turns.h"

// Numbers of cells, ascending.
struct cell_list {
    uint32_t n;
    uint32_t *cells;
};

// The columns of a row with n free points and `men` men: each column's set, pushed together
// ("compact"), and the parts of a bit plane over all 2^n sets that hold any of them. A cell is
// the piece of a plane that a kernel works on at a time (game/bits.h): all subsets of the
// lowest cell_points points; the others, the high points, are the bits of the cell's number.
struct plane_word {
    uint32_t word; // number of the 64-bit word in the plane: the set without its low six points
    uint32_t column; // first column in that word
};

struct columns {
    int n_points;
    int n_men;
    uint32_t n_columns;
    uint32_t n_words;         // entries of `words`
    uint32_t *sets;           // n_columns compact sets, ascending
    struct plane_word *words; // ascending
    struct cell_list all;     // cells in use
    struct cell_list
        with[MAX_POINTS]; // those with a high point, by its number less cell_points
    struct cell_list without[MAX_POINTS]; // those without it
    uint32_t *cells;                      // the memory of the lists
};

// Canonical look-up of a set by its rank among the sets of as many men:
// row number << 8 | symmetric << 4 | symmetry that leads to the canonical set.
enum { TURN_SYMMETRIC = 16, TURN_ROW_SHIFT = 8, TURN_SYMMETRY_MASK = 15 };

struct canon {
    int men;
    uint32_t n_sets;
    uint32_t *entries;
    const struct row_sets *rows;
};

struct side {
    struct subspace subspace;
    const struct rules *rules;
    const struct rank_tables *ranks;
    struct side *turned; // the side that the turn leads to; itself if both have as many men
    const struct canon *rows;   // sets of the other side: the rows
    const struct canon *movers; // sets of the mover: rows of `turned`
    struct columns columns;
    bool flies;
    uint32_t n_rows;
    uint32_t n_columns;
    size_t row_words; // 64-bit words of a row of bits
    uint8_t *value;
    uint8_t *removal;
    uint64_t *undecided;
    uint64_t *won;
    uint64_t *removal_won;
    uint64_t *fresh[2];
    uint8_t *touched[2];             // per row: has fresh bits
    struct turn_lists lists[2];      // fresh bits on their way here; [0] also bytes
    uint32_t *left;                  // per row: slots whose value is still open
    uint64_t (*removal_depths)[4];   // per row: bit d: a removal value d occurs
    uint64_t decided[MAX_DEPTH + 1]; // by depth: slots of rows without symmetries
};

struct unit {
    const struct rules *rules;
    struct arena *arena;   // where the big arrays are
    struct arena own;      // if the caller gave none
    int n_subspaces;       // sides that become tables
    struct side *arrivals; // side 1 in the placing phase, else NULL
    int n_sides;
    struct side sides[2];
    struct canon
        canons[2]; // sets of each side's rows; while placing also of the arrivals' movers
    struct turn_pool pools[2]; // of the lists, by their depth's parity
};

// Bytes that merels_unit_create takes for these subspaces (look-up tables included).
uint64_t merels_unit_bytes(const struct board *board, const struct work_unit *work,
                           int n_threads);

// Allocates a unit for kernels that work on cells of cell_points points, on n_threads threads.
// The big arrays are taken from the arena, which grows if need be and must stay as it is as
// long as the unit; NULL: from one of the unit's own. Their contents are undefined if the arena
// was used before. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_unit_create(const struct rules *rules, struct index *index,
                                              const struct work_unit *work, int cell_points,
                                              int n_threads, struct arena *arena,
                                              struct unit *unit, struct error *err);
void merels_unit_destroy(struct unit *unit);

// Fills *columns. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_columns_create(int n_points, int n_men, int cell_points,
                                                 struct columns *columns, struct error *err);
void merels_columns_destroy(struct columns *columns);

#endif
