// guard.c: a list under a lock. A socket is shut down under it, so that it cannot have been
// closed and opened again as another one.

#include "serve/guard.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

enum { LOOK_MS = 250 };

struct guard {
    unsigned limit, seconds, n_open;
    bool ended;
    struct guarded *first;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t end;
};

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void cut(struct guarded *guarded)
{
    atomic_store(&guarded->cut, 1);
    guarded->shut = true;
    shutdown(guarded->fd, SHUT_RDWR);
}

static void warn(struct guarded *guarded)
{
    atomic_store(&guarded->cut, 1);
    guarded->warned = true;
    atomic_fetch_add(&guarded->due_ms, MOMENT_MS);
}

static void cut_overdue(struct guard *guard)
{
    uint64_t now = now_ms();
    for (struct guarded *g = guard->first; g; g = g->next) {
        if (g->shut || atomic_load(&g->due_ms) > now)
            continue;
        if (atomic_load(&g->busy) && !g->warned)
            warn(g);
        else
            cut(g);
    }
}

static void *watch(void *context)
{
    struct guard *guard = context;
    pthread_mutex_lock(&guard->lock);
    while (!guard->ended) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += LOOK_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&guard->end, &guard->lock, &until);
        cut_overdue(guard);
    }
    pthread_mutex_unlock(&guard->lock);
    return NULL;
}

// Starts the thread with all signals blocked: they are for the thread that waits for them.
static int start_thread(struct guard *guard)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&guard->thread, NULL, watch, guard);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

enum status merels_guard_start(unsigned limit, unsigned seconds, struct guard **guard,
                               struct error *err)
{
    pthread_condattr_t attributes;
    struct guard *made = calloc(1, sizeof *made);
    if (!made)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the connections");
    made->limit = limit;
    made->seconds = seconds;
    pthread_mutex_init(&made->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&made->end, &attributes);
    pthread_condattr_destroy(&attributes);
    if (start_thread(made) != 0) {
        free(made);
        return merels_error(err, STATUS_NO_MEMORY, "no thread can be started");
    }
    *guard = made;
    return STATUS_OK;
}

void merels_guard_stop(struct guard *guard)
{
    if (!guard)
        return;
    pthread_mutex_lock(&guard->lock);
    guard->ended = true;
    pthread_cond_signal(&guard->end);
    pthread_mutex_unlock(&guard->lock);
    pthread_join(guard->thread, NULL);
    pthread_cond_destroy(&guard->end);
    pthread_mutex_destroy(&guard->lock);
    free(guard);
}

struct guarded *merels_guard_add(struct guard *guard, int fd)
{
    struct guarded *guarded = calloc(1, sizeof *guarded);
    if (!guarded)
        return NULL;
    guarded->fd = fd;
    merels_guard_renew(guard, guarded);
    pthread_mutex_lock(&guard->lock);
    guarded->excess = guard->n_open++ >= guard->limit;
    guarded->next = guard->first;
    if (guard->first)
        guard->first->before = guarded;
    guard->first = guarded;
    pthread_mutex_unlock(&guard->lock);
    return guarded;
}

void merels_guard_remove(struct guard *guard, struct guarded *guarded)
{
    pthread_mutex_lock(&guard->lock);
    guard->n_open--;
    if (guarded->next)
        guarded->next->before = guarded->before;
    if (guarded->before)
        guarded->before->next = guarded->next;
    else
        guard->first = guarded->next;
    pthread_mutex_unlock(&guard->lock);
    free(guarded);
}

void merels_guard_renew(struct guard *guard, struct guarded *guarded)
{
    atomic_store(&guarded->due_ms, now_ms() + guard->seconds * UINT64_C(1000));
}

void merels_guard_sent(struct guarded *guarded, uint64_t n_bytes)
{
    atomic_fetch_add(&guarded->due_ms, n_bytes * 1000 / MIN_RATE);
}

void merels_guard_cut(struct guard *guard)
{
    pthread_mutex_lock(&guard->lock);
    for (struct guarded *g = guard->first; g; g = g->next)
        cut(g);
    pthread_mutex_unlock(&guard->lock);
}
