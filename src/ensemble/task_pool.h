/* Runs task_0 .. task_{n-1} on all cores, with a progress bar.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENSEMBLE_TASK_POOL_H
#define NOE_ENSEMBLE_TASK_POOL_H

#include <signal.h>
#include <stdbool.h>

/* Progress of the tasks, shared by all threads, and the request to stop. */
typedef struct {
    const char            *what;         /* text before the bar */
    long                   done;         /* steps made so far by all tasks */
    double                 all;          /* steps of all tasks together */
    bool                   quiet, shown; /* no bar is wanted; a bar is on the screen */
    double                 began;        /* time of the start, seconds */
    volatile sig_atomic_t *interrupted;  /* nonzero: stop; or NULL */
    int                    threads;      /* 0: as many as the process may use processors */
    /* all tasks compute in double: the caches that FLINT has for each thread need not be freed */
    bool doubles;
} noe_progress;

/* Calls work(ctx, i) once for every i = 0 .. tasks - 1; tasks begin in order.  Shows a progress bar
 * where standard error is a terminal. */
void noe_task_pool_run(int tasks, void (*work)(void *ctx, int task), void *ctx, noe_progress *);

int noe_task_pool_threads(int tasks, const noe_progress *); /* number of threads to start */

static inline bool noe_task_pool_interrupted(const noe_progress *p)
{
    return p->interrupted && *p->interrupted;
}
static inline void noe_task_pool_progress_add(noe_progress *p, long steps)
{
    __atomic_fetch_add(&p->done, steps, __ATOMIC_RELAXED);
}

#endif
