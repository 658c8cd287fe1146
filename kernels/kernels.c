// kernels.c: which kernels this processor can run, and the memory that they work in.

#include "kernels/kernels.h"

#include <stdlib.h>
#include <string.h>

extern const struct kernels merels_kernels_portable;
#ifdef MERELS_X86_LEVELS
extern const struct kernels merels_kernels_v3;
extern const struct kernels merels_kernels_v4;

static bool has_v3(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

static bool has_v4(void)
{
    return has_v3() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2");
}
#endif

const struct kernels *merels_kernels(const char *level)
{
    bool any = level == NULL;
#ifdef MERELS_X86_LEVELS
    if ((any || strcmp(level, "v4") == 0) && has_v4())
        return &merels_kernels_v4;
    if ((any || strcmp(level, "v3") == 0) && has_v3())
        return &merels_kernels_v3;
#endif
    return any || strcmp(level, "portable") == 0 ? &merels_kernels_portable : NULL;
}

// A plane has whole cells of 512 bits whatever the level; a row of bits has a word to spare,
// since it is read by eight bytes from any byte on.
static struct workspace workspace_sizes(int max_points, uint32_t max_columns)
{
    struct workspace work = {0};
    work.plane_bytes = ((size_t)1 << (max_points < 9 ? 9 : max_points)) / 8;
    work.bits_bytes = ((size_t)max_columns / 64 + 2) * 8;
    work.bits_bytes = (work.bits_bytes + 63) / 64 * 64;
    work.bytes_bytes = ((size_t)1 << (max_points < 6 ? 6 : max_points)) + 2 * BYTES_MARGIN;
    return work;
}

uint64_t merels_workspace_bytes(int max_points, uint32_t max_columns)
{
    struct workspace w = workspace_sizes(max_points, max_columns);
    return sizeof w + N_PLANES * w.plane_bytes + N_BIT_ROWS * w.bits_bytes +
           N_BYTE_PLANES * w.bytes_bytes;
}

enum status merels_workspace_create(int max_points, uint32_t max_columns, int thread,
                                    struct workspace *work, struct error *err)
{
    *work = workspace_sizes(max_points, max_columns);
    work->thread = thread;
    bool good = true;
    for (int k = 0; k < N_BYTE_PLANES; k++)
        good &= (work->bytes[k] = aligned_alloc(64, work->bytes_bytes)) != NULL;
    for (int k = 0; k < N_PLANES; k++)
        good &= (work->planes[k] = aligned_alloc(64, work->plane_bytes)) != NULL;
    for (int k = 0; k < N_BIT_ROWS; k++) {
        good &= (work->bits[k] = aligned_alloc(64, work->bits_bytes)) != NULL;
        if (work->bits[k] != NULL)
            memset(work->bits[k], 0, work->bits_bytes);
    }
    if (good)
        return STATUS_OK;
    merels_workspace_destroy(work);
    return merels_error(err, STATUS_NO_MEMORY, "out of memory for a thread's workspace");
}

void merels_workspace_destroy(struct workspace *work)
{
    for (int k = 0; k < N_BYTE_PLANES; k++)
        free(work->bytes[k]);
    for (int k = 0; k < N_PLANES; k++)
        free(work->planes[k]);
    for (int k = 0; k < N_BIT_ROWS; k++)
        free(work->bits[k]);
    *work = (struct workspace){0};
}
