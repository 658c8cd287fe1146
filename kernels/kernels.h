// kernels.h: the work on one row, compiled once per processor level and picked at run time.
//
// The sources kernel_*.c are compiled with MERELS_LEVEL set to `portable` (any processor), `v3`
// (x86-64 with AVX2 and BMI2) or `v4` (AVX-512 with VBMI2). All levels give the same results; a
// test compares them.

#ifndef MERELS_KERNELS_KERNELS_H
#define MERELS_KERNELS_KERNELS_H

#include "solver/unit.h"

enum { TURN_BATCH = 512, N_PLANES = 6, N_BIT_ROWS = 3, N_BYTE_PLANES = 4, BYTES_MARGIN = 64 };

// Costs of the two ways to decide a row, in single operations, measured on one x86-64 machine
// with AVX-512 (docs/PERFORMANCE.md): they choose the faster way, never a result.
enum { DENSE_UNMOVE = 32, DENSE_CHECK = 10, DENSE_WORD = 12, DENSE_CELL = 9 };

// The way to decide a row: a test takes one of them throughout.
enum way { WAY_CHEAPER, WAY_SPARSE, WAY_DENSE };

// Turns waiting for their canonical look-up; see kernel_turn.c.
struct turn_batch {
    uint32_t n;
    uint32_t column[TURN_BATCH];
    uint32_t rank[TURN_BATCH];
    uint32_t entry[TURN_BATCH];
    uint8_t value[TURN_BATCH];
};

// What one thread needs to work on rows of up to max_points free points.
struct workspace {
    size_t plane_bytes;
    size_t bits_bytes;
    size_t bytes_bytes;
    uint64_t *planes[N_PLANES];    // bit planes: arrivals, removals, result, three for scratch
    uint64_t *bits[N_BIT_ROWS];    // rows of bits: decided now, good arrivals, good removals
    uint8_t *bytes[N_BYTE_PLANES]; // byte planes, BYTES_MARGIN bytes before and behind
    const struct columns *clean_for; // planes are zero outside the words of these columns
    int thread;                      // number of the thread: its lists of turns
    enum way way;                    // WAY_CHEAPER after create
    struct turn_batch turns;
};

// A row as the mover sees it, in compact numbers (points that are free, pushed together).
struct row {
    const struct side *side;
    const struct columns *columns;
    uint32_t number;
    point_set set; // the other side's men
    point_set free;
    point_set images[MAX_SYMMETRIES]; // of `set`
    int n_points;
    uint32_t neighbours[MAX_POINTS]; // compact
    int n_mates[MAX_POINTS];
    uint32_t mates[MAX_POINTS][MAX_MILLS_AT];
};

struct kernels {
    const char *level;
    int cell_points; // low points of a cell (game/bits.h)

    // Works off what became known in a row at depth t = -1, 0, 1, ...: decides its predecessors
    // at depth t + 1, writes their values and sets the fresh bits of the turned positions. t =
    // -1 finds the blocked positions. Returns how many slots were decided.
    uint32_t (*decide_row)(const struct side *side, uint32_t row, int depth,
                           struct workspace *work);

    // Best removals when the mover's canonical set number `row` has closed a mill: `smaller`
    // holds that set's row in the finished smaller subspace (columns `fewer`: the other side's
    // men less one; `victims`: all of them). Writes into side->removal.
    void (*removal_row)(struct side *side, const struct columns *victims,
                        const struct columns *fewer, uint32_t row, const uint8_t *smaller,
                        struct workspace *work);

    // Values after a placement that removes nothing: `values` holds the row of the mover's
    // canonical set number `row`, new man included, in the finished subspace. Writes into
    // side->value.
    void (*arrival_row)(struct side *side, const struct columns *victims, uint32_t row,
                        const uint8_t *values, struct workspace *work);

    // Decides a row of a placing subspace: the best placement from each column, given the
    // values and removal values of `arrivals` (same rows, one man more). Writes side->value;
    // returns the greatest depth written, -1 if there is none. A depth over MAX_DEPTH is
    // returned, not written.
    int (*place_row)(const struct side *side, const struct side *arrivals, uint32_t row,
                     struct workspace *work);

    // Opens row `number`, whose set is `set`, with `columns` of the men that stand on its free
    // points.
    void (*row_open)(const struct side *side, uint32_t number, point_set set,
                     const struct columns *columns, struct row *row);

    // out = every set from which a step leads to a set of `arrivals`, or by closing a mill to
    // one of `removals` (planes of 2^max(n_points, 9) bits); added to `out`; scratch: three
    // planes.
    void (*step_back)(const struct row *row, const uint64_t *arrivals, const uint64_t *removals,
                      uint64_t *out, uint64_t *const scratch[3]);
};

// The kernels of a level, or of the best level that this processor has (NULL). Returns NULL for
// an unknown level or one that this processor or build does not have.
const struct kernels *merels_kernels(const char *level);

// A workspace for rows of up to max_points free points and max_columns columns, for thread
// number `thread` of those that work on the unit. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_workspace_create(int max_points, uint32_t max_columns,
                                                   int thread, struct workspace *work,
                                                   struct error *err);
void merels_workspace_destroy(struct workspace *work);
uint64_t merels_workspace_bytes(int max_points, uint32_t max_columns);

#endif
