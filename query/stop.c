// stop.c: the stop flag, the one variable of the program that a signal handler writes.

#include "query/stop.h"

#include <signal.h>
#include <stddef.h>

// A handler may touch an atomic object only if it needs no lock.
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "an atomic int is always lock-free");

static atomic_int stop_requested;

static void request_stop(int signal_number)
{
    (void)signal_number;
    atomic_store(&stop_requested, 1);
}

const atomic_int *merels_stop_on_signals(void)
{
    struct sigaction before,
        action = {.sa_handler = request_stop, .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) // nohup
        sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    return &stop_requested;
}
