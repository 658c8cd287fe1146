// waiting.c: threads that wait sleep.
//
// A thread that has done its part of a parallel loop waits for the others. The OpenMP library
// lets it spin for about a millisecond first, which saves a little on an idle machine; beside
// other processes the one that it waits for is often not running, and the spinning takes its
// time away: `solve six`, some 10,000 short loops, takes 10 CPU seconds in place of 0.5. The
// library reads its settings before main begins, so that they can only be given from outside.

#include "query/waiting.h"

#include <stdlib.h>
#include <unistd.h>

void merels_wait_asleep(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") != NULL || getenv("GOMP_SPINCOUNT") != NULL)
        return;
    if (setenv("OMP_WAIT_POLICY", "passive", 1) == 0)
        execv("/proc/self/exe", argv);
}
