// side.h: one subspace of a work unit while it is solved, and the sources behind it.
//
// A side has the shape of its table: a row for every canonical set of the side not to move, a
// column for every set of the mover's men on the free points. What a ply of the mover arrives
// at is in the same row: at the same columns after a move, at those of one man more after a
// placement.
//
//     value       1 byte  code of the step that decided it, or DTM_DRAW: none has
//     undecided   1 bit   no value yet
//     won         1 bit   arriving here by a move that takes nothing lets the other side win
//     fresh[]     1 bit   turned positions that wait for being news, by step (metric.h): read
//                         one, write another
//
// A *source* is a way out of the unit: what a placement, or a ply that takes k men, leads to,
// from a finished table and brought into the shape of these rows.
//
//     value       1 byte  code of what the other side has after the ply; DTM_DRAW: no code of
//                         this window
//     won         1 bit   arriving here lets the other side win: its code has been reached
//
//                    a row of the side                         the rows of its sources
//     undecided  [columns of a men]      <-- move, takes 0 --  fresh, won   (stays in the unit)
//                                        <-- move, takes 1 --  [columns of a men]
//                                        <-- placement     --  [columns of a + 1 men]
//                                        <-- placement, takes 1 [columns of a + 1 men]
//
// Only a range of the rows need be in memory. Where several ranks work on a unit, each has a
// range of its own, and turns reach the rows of all of them. Bit rows begin at a word of their
// own, so one row has one owner at a time and needs no atomic operations; turns reach the rows
// of others by the lists of turns.h.

#ifndef MERELS_KERNELS_SIDE_H
#define MERELS_KERNELS_SIDE_H

#include <assert.h>

#include "db/reader.h"
#include "game/effects.h"
#include "kernels/columns.h"
#include "kernels/metric.h"
#include "kernels/turns.h"

// Rows of a table, from the first one on.
struct row_range {
    uint32_t first, n;
};

// Canonical sets, and the look-up of all sets that a turn needs (merels_index_fill_canon).
struct canon {
    int men;
    uint32_t *entries;           // NULL where only the rows are needed
    const struct row_sets *rows; // canonical sets of as many men
};

struct source {
    struct effect effect;          // of the plies that go this way
    const struct table *table;     // the finished one behind it; NULL if the ply ends the game
    int deepest;                   // the last step at which its values have news
    const struct columns *columns; // of the arrived sets
    uint32_t n_columns;
    size_t row_words;             // 64-bit words of a row of bits
    const struct canon *arrivals; // the arrived sets: the rows of the finished table
    uint8_t *value;
    uint64_t *won;           // NULL if the unit is solved by one sweep
    uint64_t (*codes)[4];    // by row: bit v: code v occurs; NULL as `won`
    struct turn_lists lists; // codes on their way here
};

// The number of classes of arrivals by a kind of ply (game/effects.h).
enum { MAX_ARRIVAL_CLASSES = MAX_MILLS_AT + 1 };

struct side {
    struct subspace subspace;
    const struct rules *rules;
    const struct rank_tables *ranks;
    struct side *turned; // the side on which a turn arrives; NULL if no move stays in the unit
    const struct canon *rows; // sets of the other side: the rows
    struct columns columns;
    struct columns placed; // of one man more, if a source is a placement
    uint32_t n_columns;
    uint32_t n_rows;        // of the table
    struct row_range range; // of the rows in memory
    struct row_range reach; // of the rows that turns reach, here or on another rank
    size_t row_words;
    bool flies;
    int value_base, source_base; // steps that code 0 stands for: in `value`, in the sources
    bool moves_stay;             // a move that takes nothing stays in the unit
    int n_classes[N_PLY_KINDS];  // 0: there is no such step
    int n_sources;
    struct source sources[MAX_EFFECTS];
    uint8_t *value;
    uint64_t *undecided; // from here on NULL if the unit is solved by one sweep
    uint64_t *won;
    int n_fresh; // lists of fresh turned positions; 0 if no move stays
    uint64_t *fresh[MAX_FRESH_LISTS];
    uint8_t *touched[MAX_FRESH_LISTS]; // by row: has fresh bits
    uint32_t *left;                    // by row: slots whose value is still open
    uint64_t *passes; // columns in which the mover can only pass; NULL if it never does
    struct turn_lists lists[MAX_FRESH_LISTS]; // fresh bits on their way here
};

// Describes the side of a subspace without its arrays: shape, effects, sources, columns.
// `inside` says of every effect whether it stays in the unit. `rows` is the caller's.
// STATUS_NO_MEMORY.
MERELS_CHECKED enum status
merels_side_describe(const struct rules *rules, struct subspace s, const struct canon *rows,
                     int cell_points, bool (*inside)(const void *unit, struct subspace after),
                     const void *unit, struct side *side, struct error *err);

// Frees what merels_side_describe took.
void merels_side_forget(struct side *side);

// True if a side has slots in which the mover passes: as far as counts tell.
bool merels_side_may_pass(const struct rules *rules, struct subspace s);

// Under rules by which a mill wins: true if the side not to move has one in this row, so that
// the mover has lost; and the columns in which the mover has one, so that the game was over
// before and the slot holds no position. `bits` has room for a row; false if there are none.
bool merels_side_row_is_lost(const struct side *side, uint32_t row);
bool merels_side_no_positions(const struct side *side, uint32_t row, uint64_t *bits);

// The source of a kind of ply of a class, or NULL: such plies stay in the unit, or there are
// none.
const struct source *merels_side_source(const struct side *side, enum ply_kind kind, int class);

// Rows in memory that no other rank has.
static inline void side_set_range(struct side *side, uint32_t first, uint32_t n)
{
    side->range = side->reach = (struct row_range){first, n};
}

// The place of a row in the arrays; the row is in memory.
static inline size_t side_place(const struct side *side, uint32_t row)
{
    assert(row - side->range.first < side->range.n);
    return row - side->range.first;
}

static inline uint8_t *side_values(const struct side *side, uint32_t row)
{
    return side->value + side_place(side, row) * side->n_columns;
}

static inline uint8_t *source_values(const struct side *side, const struct source *source,
                                     uint32_t row)
{
    return source->value + side_place(side, row) * source->n_columns;
}

static inline uint64_t *source_won(const struct side *side, const struct source *source,
                                   uint32_t row)
{
    return source->won + side_place(side, row) * source->row_words;
}

// A row of one of the side's own bit arrays.
static inline uint64_t *side_bits(const struct side *side, uint64_t *bits, uint32_t row)
{
    return bits + side_place(side, row) * side->row_words;
}

static inline size_t words_of_bits(uint64_t n_bits)
{
    return (size_t)((n_bits + 63) / 64);
}

#endif
