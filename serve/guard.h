// guard.h: the open connections, and the end of those that take too long.
//
// A request has a time in which it must have come and been answered; every kilobyte that the
// client takes of the answer gives it more (MIN_RATE). When the time is over, `cut` tells who
// still works on the answer, which then has a moment to say so; else the socket is shut down,
// which ends whatever waits for it.
// A thread of its own looks four times a second. All functions may be called by any thread.

#ifndef MERELS_SERVE_GUARD_H
#define MERELS_SERVE_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "game/status.h"

enum { MIN_RATE = 4096 /* bytes a second */, MOMENT_MS = 2000 };

struct guarded {
    int fd;
    bool excess;          // beyond the limit when it was opened
    atomic_ullong due_ms; // on the monotonic clock
    atomic_int cut;       // its time is over, or the server ends
    atomic_bool busy;     // its request is being answered
    bool warned, shut;
    struct guarded *before, *next;
};

struct guard;

// STATUS_NO_MEMORY, also if no thread can be started.
MERELS_CHECKED enum status merels_guard_start(unsigned limit, unsigned seconds,
                                              struct guard **guard, struct error *err);

// Ends the thread; no connection may be left. NULL is allowed.
void merels_guard_stop(struct guard *guard);

// A connection was opened: a socket that stays open until it is removed. NULL without memory.
struct guarded *merels_guard_add(struct guard *guard, int fd);
void merels_guard_remove(struct guard *guard, struct guarded *guarded);

// The whole time begins anew: a request was answered.
void merels_guard_renew(struct guard *guard, struct guarded *guarded);

// The client takes n bytes of the answer.
void merels_guard_sent(struct guarded *guarded, uint64_t n_bytes);

// Shuts all connections down.
void merels_guard_cut(struct guard *guard);

#endif
