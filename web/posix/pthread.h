/* The threads of a platform that has one: locks hold, no second thread can be started (EAGAIN).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_WEB_PTHREAD_H
#define NOE_WEB_PTHREAD_H

#include <errno.h>
#include <stddef.h>
#include <time.h>

#define __NEED_pthread_t
#define __NEED_pthread_mutex_t
#define __NEED_pthread_cond_t
#include <bits/alltypes.h>

#define PTHREAD_MUTEX_INITIALIZER \
    {                             \
        0                         \
    }
#define PTHREAD_COND_INITIALIZER \
    {                            \
        0                        \
    }

static inline int pthread_create(pthread_t *t, const void *attributes, void *(*work)(void *),
                                 void *ctx)
{
    (void)t, (void)attributes, (void)work, (void)ctx;
    return EAGAIN;
}
static inline int pthread_join(pthread_t t, void **result) { return (void)t, (void)result, ESRCH; }
static inline int pthread_mutex_init(pthread_mutex_t *m, const void *attributes)
{
    return (void)m, (void)attributes, 0;
}
static inline int pthread_mutex_destroy(pthread_mutex_t *m) { return (void)m, 0; }
static inline int pthread_mutex_lock(pthread_mutex_t *m) { return (void)m, 0; }
static inline int pthread_mutex_unlock(pthread_mutex_t *m) { return (void)m, 0; }
static inline int pthread_cond_init(pthread_cond_t *c, const void *attributes)
{
    return (void)c, (void)attributes, 0;
}
static inline int pthread_cond_destroy(pthread_cond_t *c) { return (void)c, 0; }
static inline int pthread_cond_signal(pthread_cond_t *c) { return (void)c, 0; }
static inline int pthread_cond_broadcast(pthread_cond_t *c) { return (void)c, 0; }
/* Nobody else could signal. */
static inline int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    return (void)c, (void)m, EDEADLK;
}
static inline int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
                                         const struct timespec *until)
{
    return (void)c, (void)m, (void)until, ETIMEDOUT;
}

#endif
