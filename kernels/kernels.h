// kernels.h: the work on one row, compiled once per processor level and picked at run time.
//
// The sources kernel_*.c are compiled with MERELS_LEVEL set to `portable` (any processor:
// vectors of 16 bytes, which x86-64 and aarch64 always have), `v3-slow-pext` (x86-64 with
// AVX2), `v3` (with BMI2, too: pext and pdep, which some processors carry out bit by bit) or
// `v4` (AVX-512 with VBMI2; a processor with less of AVX-512 takes v3). All levels give the
// same results; tests compare them, and say which the machine cannot run.

#ifndef MERELS_KERNELS_KERNELS_H
#define MERELS_KERNELS_KERNELS_H

#include "kernels/metric.h"
#include "kernels/side.h"

enum { TURN_BATCH = 512, N_SCRATCH = 3, N_OWN_BITS = 2, BYTES_MARGIN = 64 };

// Byte planes of a sweep beside those of its arrivals, and of a removal.
enum { N_SWEEP_PLANES = 2, N_REMOVAL_PLANES = 3 };

// Costs of the two ways to decide a row, in single operations: they choose the faster way,
// never a result. A level with smaller cells has more of them. What an operation of the dense
// way takes, in those of the other, is measured for each level and machine (solver/rates.h) and
// stands in the workspace, in parts of DENSE_COST_ONE. At v3 it was tried on 6-6 and on 5-7
// with 7-5: at half or less they take longer, from 0.7 to 2.2 times as much makes no difference
// that stands out from noise.
enum { DENSE_UNMOVE = 32, DENSE_CHECK = 10, DENSE_WORD = 12, DENSE_CELL = 9 };
enum { DENSE_COST_ONE = 64 };

// The way to decide a row: a test takes one of them throughout.
enum way { WAY_CHEAPER, WAY_SPARSE, WAY_DENSE };

// Turns waiting for their canonical look-up; see kernel_turn.c.
struct turn_batch {
    uint32_t ranks[TURN_BATCH];
    uint8_t codes[TURN_BATCH];
};

// What the rows that a thread works on ask of its workspace.
struct workspace_sizes {
    int max_points;             // free points of a row
    uint32_t max_columns;       // of any row, arrivals included
    int n_classes[N_PLY_KINDS]; // bit planes of arrivals
    int n_sources;              // of a side
    bool steps;                 // rows are decided by decide_row
    int n_byte_planes;          // of a sweep; 0: none are needed
};

// What one thread needs.
struct workspace {
    struct workspace_sizes sizes;
    size_t plane_bytes, bits_bytes, bytes_bytes;
    uint64_t *arrivals[N_PLY_KINDS][MAX_ARRIVAL_CLASSES]; // bit planes
    uint64_t *result, *scratch[N_SCRATCH];                // bit planes
    uint64_t *bits[N_OWN_BITS + MAX_EFFECTS];             // rows of bits: decided now, scratch,
                                                          // then one for each source
    uint8_t *bytes[MAX_ARRIVAL_CLASSES +
                   N_SWEEP_PLANES]; // byte planes, BYTES_MARGIN bytes before and behind
    const struct side *clean_for;   // planes are zero outside the words of this side's columns
    int thread;                     // number of the thread: its lists of turns
    enum way way;                   // WAY_CHEAPER after create
    uint32_t dense_cost;            // DENSE_COST_ONE after create
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
    int n_classes[N_PLY_KINDS];      // those of the side, as far as men of `set` can be taken
    uint32_t neighbours[MAX_POINTS]; // compact
    int n_mates[MAX_POINTS];
    uint32_t mates[MAX_POINTS][MAX_MILLS_AT];
};

// What is known of the arrivals in a row, by the step that leads there and its class. Rows of
// bits over the arrived columns.
struct arrivals {
    const uint64_t *now; // the other side's outcome was decided at the step worked on
    const uint64_t *won; // the other side wins, this step included
};

struct known {
    struct arrivals arrivals[N_PLY_KINDS][MAX_ARRIVAL_CLASSES];
};

struct kernels {
    const char *level;
    int cell_points; // low points of a cell (game/bits.h)

    // Works off what became known in a row at step s = -1, 0, 1, ... of the metric: decides its
    // predecessors, writes their codes and sends the turned positions. s = -1 finds the blocked
    // positions. Returns how many slots were decided; unless it is 0, their columns are left in
    // work->bits[0].
    uint32_t (*decide_row)(const struct side *side, uint32_t row, int step,
                           struct workspace *work);

    // Chosen removals when the arrived set number `row` of a source has closed mills: `smaller`
    // holds that set's row in the finished table, as codes up to NARROW_STEPS. men[0] are the
    // columns of that table, men[k] those of k men of the other side more, up to all of them.
    // Sends them to the source.
    void (*removal_row)(const struct side *side, const struct source *source,
                        const struct columns *men, uint32_t row, const uint8_t *smaller,
                        struct workspace *work);

    // Codes after a ply that takes nothing: `values` holds the row of the arrived set number
    // `row` in the finished table; draws are not sent.
    void (*arrival_row)(const struct side *side, const struct source *source,
                        const struct columns *victims, uint32_t row, const uint8_t *values,
                        struct workspace *work);

    // Decides a row whose plies are placements that all leave the unit, given the values of its
    // sources as codes of steps up to NARROW_STEPS - 1: writes values.
    void (*place_row)(const struct side *side, uint32_t row, struct workspace *work);

    // Opens row `number`, whose set is `set`, with `columns` of the men that stand on its free
    // points.
    void (*row_open)(const struct side *side, uint32_t number, point_set set,
                     const struct columns *columns, struct row *row);

    // A row of bits, one for each column, spread over a plane: words with columns are written,
    // no others. A row of bits is read up to 8 bytes behind its last one.
    void (*bits_to_plane)(const struct columns *columns, const uint64_t *bits, uint64_t *plane);

    // And back; the words with columns are cleared.
    void (*plane_to_bits)(const struct columns *columns, uint64_t *plane, uint64_t *bits);

    // out |= every set from which a move leads to a good arrival: a set of plane k if it closes
    // k mills, of the last one if it closes more (planes of 2^max(n_points, 9) bits).
    void (*step_back)(const struct row *row, uint64_t *const *good, int n_classes,
                      uint64_t *out, uint64_t *const scratch[N_SCRATCH]);

    // The same for placements; the good arrivals are sets of columns `placed`, one man more.
    void (*place_back)(const struct row *row, const struct columns *placed,
                       uint64_t *const *good, int n_classes, uint64_t *out,
                       uint64_t *const scratch[N_SCRATCH]);
};

// The kernels of a level, or of the one that is the fastest on this processor (NULL: measured
// by the first call, some milliseconds; see fastest.h). Returns NULL for an unknown level or
// one that this processor or build does not have. Any thread.
const struct kernels *merels_kernels(const char *level);

// Operations of the dense way in a row of a side, and those of all unmoves of one new arrival.
uint64_t merels_dense_operations(const struct side *side);
uint64_t merels_unmove_operations(const struct side *side, bool wins);

// A workspace for thread number `thread` of those that work on the unit. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_workspace_create(const struct workspace_sizes *sizes,
                                                   int thread, struct workspace *work,
                                                   struct error *err);
void merels_workspace_destroy(struct workspace *work);
uint64_t merels_workspace_bytes(const struct workspace_sizes *sizes);

// Widens sizes to what the rows of a subspace ask for, those of the finished tables behind it
// included. `sweeps`: they are decided by place_row.
void merels_workspace_foresee(const struct rules *rules, struct subspace s, bool sweeps,
                              struct workspace_sizes *sizes);

#endif
