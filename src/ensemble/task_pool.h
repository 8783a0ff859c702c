/* Runs task_0 .. task_{n-1} on all cores.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ENSEMBLE_TASK_POOL_H
#define NOE_ENSEMBLE_TASK_POOL_H

#include <signal.h>
#include <stdbool.h>

/* What the tasks of a study share: how far they are, and whether to stop. */
typedef struct {
    const char            *what; /* before the bar */
    long                   done; /* steps */
    double                 all;
    bool                   quiet, shown;
    double                 began;
    volatile sig_atomic_t *interrupted;
    int                    threads; /* 0: as many as there are cores */
    /* no task asks for more digits: FLINT, which would have to be loaded for that, keeps nothing */
    bool doubles;
} noe_progress;

/* work(ctx, i) once for every i; tasks begin in order.  Meanwhile a bar on standard error, if it
 * is a terminal. */
void noe_task_pool_run(int tasks, void (*work)(void *ctx, int task), void *ctx, noe_progress *);

int noe_task_pool_threads(int tasks, const noe_progress *); /* so many, if they can be had */

static inline bool noe_task_pool_interrupted(const noe_progress *p)
{
    return p->interrupted && *p->interrupted;
}
static inline void noe_task_pool_progress_add(noe_progress *p, long steps)
{
    __atomic_fetch_add(&p->done, steps, __ATOMIC_RELAXED);
}
double noe_task_pool_seconds(void); /* seconds */

#endif
