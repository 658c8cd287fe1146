// check_levels.c: which row checks this processor can run.

#include "verify/check_levels.h"

#include <string.h>

extern const struct row_checks merels_verify_checks_portable;
#ifdef MERELS_X86_LEVELS
extern const struct row_checks merels_verify_checks_v3_slow_pext;
extern const struct row_checks merels_verify_checks_v3;

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
}

static bool pext_is_slow(void)
{
    return __builtin_cpu_is("bdver4") || __builtin_cpu_is("znver1") ||
           __builtin_cpu_is("znver2");
}

static const struct row_checks *x86_checks(const char *level)
{
    bool bmi2 = __builtin_cpu_supports("bmi2");
    if (!has_avx2())
        return NULL;
    if (level == NULL)
        return bmi2 && !pext_is_slow() ? &merels_verify_checks_v3
                                       : &merels_verify_checks_v3_slow_pext;
    if (strcmp(level, "v3") == 0 && bmi2)
        return &merels_verify_checks_v3;
    return strcmp(level, "v3-slow-pext") == 0 ? &merels_verify_checks_v3_slow_pext : NULL;
}
#endif

const struct row_checks *merels_verify_row_checks(const char *level)
{
#ifdef MERELS_X86_LEVELS
    const struct row_checks *checks = x86_checks(level);
    if (checks != NULL)
        return checks;
#endif
    if (level == NULL || strcmp(level, "portable") == 0)
        return &merels_verify_checks_portable;
    return NULL;
}
