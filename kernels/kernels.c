// kernels.c: which kernels this processor can run, and the memory that they work in.

#include "kernels/kernels.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/fastest.h"

extern const struct kernels merels_kernels_portable;

static bool always(void)
{
    return true;
}

#ifdef MERELS_X86_LEVELS
extern const struct kernels merels_kernels_v3_slow_pext;
extern const struct kernels merels_kernels_v3;
extern const struct kernels merels_kernels_v4;

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
}

static bool has_v3(void)
{
    return has_avx2() && __builtin_cpu_supports("bmi2");
}

static bool has_v4(void)
{
    return has_v3() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2");
}
#endif

// What is the fastest on most processors that have it comes first.
static const struct {
    const struct kernels *kernels;
    bool (*runs)(void);
} levels[] = {
#ifdef MERELS_X86_LEVELS
    {&merels_kernels_v4, has_v4},
    {&merels_kernels_v3, has_v3},
    {&merels_kernels_v3_slow_pext, has_avx2},
#endif
    {&merels_kernels_portable, always},
};

enum { N_LEVELS = sizeof levels / sizeof levels[0] };

static const struct kernels *fastest;
static pthread_once_t fastest_once = PTHREAD_ONCE_INIT;

static void find_fastest(void)
{
    const struct kernels *candidates[N_LEVELS];
    int n = 0;
    for (int k = 0; k < N_LEVELS; k++)
        if (levels[k].runs())
            candidates[n++] = levels[k].kernels;
    fastest = merels_fastest(candidates, n);
}

const struct kernels *merels_kernels(const char *level)
{
    for (int k = 0; k < N_LEVELS && level != NULL; k++)
        if (strcmp(level, levels[k].kernels->level) == 0)
            return levels[k].runs() ? levels[k].kernels : NULL;
    if (level != NULL)
        return NULL;
    pthread_once(&fastest_once, find_fastest);
    return fastest;
}

// ---- the ways to decide a row ---------------------------------------------------------------

// Plies of one position, on average.
static uint64_t usual_plies(const struct side *side)
{
    uint64_t free = (uint64_t)side->columns.n_points, men = (uint64_t)side->columns.n_men;
    uint64_t plies = side->flies ? men * (free - men) : men * 8 * (free - men) / (3 * free) + 1;
    return plies + (side->n_classes[PLY_PLACES] > 0 ? free - men : 0);
}

static uint64_t dense_operations(const struct columns *columns)
{
    return columns->n_words * DENSE_WORD +
           columns->all.n * (uint64_t)columns->n_points * DENSE_CELL;
}

uint64_t merels_dense_operations(const struct side *side)
{
    uint64_t n = dense_operations(&side->columns);
    return n + (side->n_classes[PLY_PLACES] > 0 ? dense_operations(&side->placed) : 0);
}

uint64_t merels_unmove_operations(const struct side *side, bool wins)
{
    uint64_t plies = usual_plies(side);
    return wins ? plies * DENSE_UNMOVE : plies * (DENSE_UNMOVE + DENSE_CHECK * plies);
}

// ---- workspaces ----------------------------------------------------------------------------

static void widen(struct workspace_sizes *z, int points, uint64_t columns)
{
    z->max_points = points > z->max_points ? points : z->max_points;
    z->max_columns = columns > z->max_columns ? (uint32_t)columns : z->max_columns;
}

static void raise(int *count, int n)
{
    *count = n > *count ? n : *count;
}

void merels_workspace_foresee(const struct rules *rules, struct subspace s, bool sweeps,
                              struct workspace_sizes *z)
{
    struct effect effects[MAX_EFFECTS];
    int n = merels_effects(rules, s, effects), n_points = rules->board.n_points;
    widen(z, n_points - s.b, merels_choose(n_points - s.b, s.a));
    raise(&z->n_sources, n);
    z->steps |= !sweeps;
    for (int k = 0; k < n; k++) {
        const struct effect *e = &effects[k];
        int placed = e->kind == PLY_PLACES ? 1 : 0;
        widen(z, n_points - s.b, merels_choose(n_points - s.b, s.a + placed));
        widen(z, n_points - e->after.b, merels_choose(n_points - e->after.b, s.b));
        if (!sweeps)
            raise(&z->n_classes[e->kind], e->class + 1);
        else
            raise(&z->n_byte_planes, e->class + 1 + N_SWEEP_PLANES);
        if (e->n_removed > 0)
            raise(&z->n_byte_planes, N_REMOVAL_PLANES);
    }
}

// A plane has whole cells of 512 bits whatever the level; a row of bits has a word to spare,
// since it is read by eight bytes from any byte on.
static struct workspace open_workspace(const struct workspace_sizes *sizes)
{
    struct workspace work = {.sizes = *sizes};
    int points = sizes->max_points;
    work.plane_bytes = ((size_t)1 << (points < 9 ? 9 : points)) / 8;
    work.bits_bytes = ((size_t)sizes->max_columns / 64 + 2) * 8;
    work.bits_bytes = (work.bits_bytes + 63) / 64 * 64;
    work.bytes_bytes = ((size_t)1 << (points < 6 ? 6 : points)) + 2 * BYTES_MARGIN;
    return work;
}

static int bit_planes(const struct workspace_sizes *sizes)
{
    int n = sizes->n_classes[PLY_PLACES] + sizes->n_classes[PLY_MOVES];
    return sizes->steps ? n + 1 + N_SCRATCH : 0;
}

uint64_t merels_workspace_bytes(const struct workspace_sizes *sizes)
{
    struct workspace w = open_workspace(sizes);
    return sizeof w + (uint64_t)bit_planes(sizes) * w.plane_bytes +
           (uint64_t)(N_OWN_BITS + sizes->n_sources) * w.bits_bytes +
           (uint64_t)sizes->n_byte_planes * w.bytes_bytes;
}

static bool take_planes(struct workspace *work)
{
    bool good = true;
    if (!work->sizes.steps)
        return true;
    good &= (work->result = aligned_alloc(64, work->plane_bytes)) != NULL;
    for (int k = 0; k < N_SCRATCH; k++)
        good &= (work->scratch[k] = aligned_alloc(64, work->plane_bytes)) != NULL;
    for (int kind = 0; kind < N_PLY_KINDS; kind++)
        for (int k = 0; k < work->sizes.n_classes[kind]; k++)
            good &= (work->arrivals[kind][k] = aligned_alloc(64, work->plane_bytes)) != NULL;
    return good;
}

static bool take_rows(struct workspace *work)
{
    bool good = true;
    for (int k = 0; k < work->sizes.n_byte_planes; k++)
        good &= (work->bytes[k] = aligned_alloc(64, work->bytes_bytes)) != NULL;
    for (int k = 0; k < N_OWN_BITS + work->sizes.n_sources; k++) {
        good &= (work->bits[k] = aligned_alloc(64, work->bits_bytes)) != NULL;
        if (work->bits[k] != NULL)
            memset(work->bits[k], 0, work->bits_bytes);
    }
    return good;
}

enum status merels_workspace_create(const struct workspace_sizes *sizes, int thread,
                                    struct workspace *work, struct error *err)
{
    *work = open_workspace(sizes);
    work->thread = thread;
    work->dense_cost = DENSE_COST_ONE;
    bool good = take_planes(work);
    good &= take_rows(work);
    if (good)
        return STATUS_OK;
    merels_workspace_destroy(work);
    return merels_error(err, STATUS_NO_MEMORY, "out of memory for a thread's workspace");
}

void merels_workspace_destroy(struct workspace *work)
{
    for (int k = 0; k < MAX_ARRIVAL_CLASSES + N_SWEEP_PLANES; k++)
        free(work->bytes[k]);
    for (int kind = 0; kind < N_PLY_KINDS; kind++)
        for (int k = 0; k < MAX_ARRIVAL_CLASSES; k++)
            free(work->arrivals[kind][k]);
    free(work->result);
    for (int k = 0; k < N_SCRATCH; k++)
        free(work->scratch[k]);
    for (int k = 0; k < N_OWN_BITS + MAX_EFFECTS; k++)
        free(work->bits[k]);
    *work = (struct workspace){0};
}
