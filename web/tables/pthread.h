// pthread.h: where there is one thread, a mutex is nothing.

#ifndef MERELS_WEB_PTHREAD_H
#define MERELS_WEB_PTHREAD_H

typedef char pthread_mutex_t;
typedef char pthread_once_t;

#define PTHREAD_MUTEX_INITIALIZER 0
#define PTHREAD_ONCE_INIT 0

static inline int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes)
{
    (void)mutex, (void)attributes;
    return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_once(pthread_once_t *once, void (*run)(void))
{
    if (*once == 0)
        run();
    *once = 1;
    return 0;
}

#endif
