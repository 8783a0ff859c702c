/* Runs task_0 .. task_{n-1} on all cores.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * No two tasks write the same memory, so the results do not depend on the number of threads. */
#include "ensemble/task_pool.h"
#include "base/stopwatch.h"
#include "base/thread_team.h"

#include "base/optional_library.h"
#include "arb/exact_solution.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 30 };

typedef struct {
    int tasks;                 /* number of tasks */
    void (*work)(void *, int); /* called with the number of a task */
    void           *ctx;       /* first argument of work */
    noe_progress   *progress;  /* counts finished tasks */
    int             next;      /* first task that has not begun */
    pthread_mutex_t lock;      /* protects `running` */
    pthread_cond_t  end;       /* a thread has ended */
    int             running;   /* threads that have not ended */
    bool            threaded;  /* threads were started; false: the caller's thread does the work */
} pool;

static void *worker(void *ctx)
{
    pool *p = ctx;
    for (int i; (i = __atomic_fetch_add(&p->next, 1, __ATOMIC_RELAXED)) < p->tasks
                && !noe_task_pool_interrupted(p->progress);)
        p->work(p->ctx, i);
#ifdef NOE_ARB
    if (p->threaded && !p->progress->doubles) noe_wide_leave_thread();
#endif
    pthread_mutex_lock(&p->lock);
    p->running--;
    pthread_cond_signal(&p->end);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void put_progress(noe_progress *p)
{
    const double spent = noe_stopwatch_seconds() - p->began,
                 share = p->all > 0
                           ? fmin(1, (double)__atomic_load_n(&p->done, __ATOMIC_RELAXED) / p->all)
                           : 0;
    if (p->quiet || spent < 1 || !isatty(STDERR_FILENO)) return;
    char blocks[BAR + 1] = "";
    for (int i = 0; i < BAR; i++) blocks[i] = i < share * BAR ? '#' : '.';
    p->shown = true;
    fprintf(stderr, "\r  %-10.10s [%s] %3.0f %%  %.0f s left   ", p->what, blocks, 100 * share,
            share > 0 ? spent / share - spent : 0.0);
}

int noe_task_pool_threads(int tasks, const noe_progress *progress)
{
    const int cores = progress->threads ? progress->threads : noe_thread_team_processors(),
              most = tasks < NOE_THREADS_MOST ? tasks : NOE_THREADS_MOST;
    return cores < most ? cores : most;
}

void noe_task_pool_run(int tasks, void (*work)(void *ctx, int task), void *ctx,
                       noe_progress *progress)
{
    pool p = { tasks, work, ctx, progress, 0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
               0,     true };
    pthread_t thread[NOE_THREADS_MOST];
    const int wanted = noe_task_pool_threads(tasks, progress);
    int       threads = 0;
    progress->began = noe_stopwatch_seconds();
    progress->shown = false;
    progress->done = 0;
    p.running = 1 << 20; /* not 0 before all threads are started */
    while (threads < wanted && !pthread_create(&thread[threads], NULL, worker, &p)) threads++;
    pthread_mutex_lock(&p.lock);
    p.running -= (1 << 20) - threads;
    pthread_mutex_unlock(&p.lock);
    if (!threads) p.running = 1, p.threaded = false, worker(&p);
    pthread_mutex_lock(&p.lock);
    while (p.running > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 250000000;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        pthread_cond_timedwait(&p.end, &p.lock, &until);
        put_progress(progress);
    }
    pthread_mutex_unlock(&p.lock);
    for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
    if (progress->shown) fprintf(stderr, "\r%78s\r", "");
    pthread_mutex_destroy(&p.lock);
    pthread_cond_destroy(&p.end);
}
