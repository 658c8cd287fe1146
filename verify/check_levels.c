// check_levels.c: which kernels this processor can run.

#include <string.h>

#include "verify/check_row.h"

extern const struct verify_kernels merels_verify_kernels_portable;
#ifdef MERELS_X86_LEVELS
extern const struct verify_kernels merels_verify_kernels_v3;
#endif

const struct verify_kernels *merels_verify_kernels(const char *level)
{
#ifdef MERELS_X86_LEVELS
    if ((level == NULL || strcmp(level, "v3") == 0) && __builtin_cpu_supports("avx2") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt"))
        return &merels_verify_kernels_v3;
#endif
    if (level == NULL || strcmp(level, "portable") == 0)
        return &merels_verify_kernels_portable;
    return NULL;
}
