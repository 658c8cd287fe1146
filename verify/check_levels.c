// check_levels.c: which row checks this processor can run.

#include "verify/check_levels.h"

#include <string.h>

extern const struct row_checks merels_verify_checks_portable;
#ifdef MERELS_X86_LEVELS
extern const struct row_checks merels_verify_checks_v3;
#endif

const struct row_checks *merels_verify_row_checks(const char *level)
{
#ifdef MERELS_X86_LEVELS
    if ((level == NULL || strcmp(level, "v3") == 0) && __builtin_cpu_supports("avx2") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt"))
        return &merels_verify_checks_v3;
#endif
    if (level == NULL || strcmp(level, "portable") == 0)
        return &merels_verify_checks_portable;
    return NULL;
}
