/* A thread team, with a sense-reversing barrier: the last thread to arrive turns the sense.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads spin between phases and for some ten microseconds between jobs, then they sleep; where
 * there are more threads than processors they yield the processor while they wait. */
#define _GNU_SOURCE
#include "base/thread_team.h"

#include "base/status.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

struct noe_thread_team {
    int             size, started, spins;     /* spins: rounds of waiting before sched_yield */
    pthread_t       thread[NOE_THREADS_MOST]; /* [size] the threads; 0 is the caller's */
    pthread_mutex_t lock;                     /* protects job and over */
    pthread_cond_t  wake;                     /* a job has begun, or the threads must end */
    long            job;                      /* number of the job; written under the lock */
    bool            over;                     /* the threads must end; written under the lock */
    void (*work)(void *, int);                /* the job, called by each thread with its number */
    void *ctx;                                /* first argument of work */
    int   here, joined; /* threads at the barrier; threads that ended the job; atomic */
    long  sense;        /* number of barriers passed; atomic */
};

typedef struct {
    noe_thread_team *team; /* the team */
    int              me;   /* number of the thread */
} member;

int noe_thread_team_processors(void)
{
    cpu_set_t set;
    int       n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    return n < 1 ? 1 : n > NOE_THREADS_MOST ? NOE_THREADS_MOST : n;
}

static void pause_for(const noe_thread_team *t, int *rounds)
{
    if (++*rounds < t->spins) {
#if defined __x86_64__
        __builtin_ia32_pause();
#endif
    } else sched_yield();
}

void noe_thread_team_meet(noe_thread_team *t)
{
    int rounds = 0;
    if (noe_thread_team_size(t) == 1) return;
    const long sense = __atomic_load_n(&t->sense, __ATOMIC_ACQUIRE);
    if (__atomic_fetch_add(&t->here, 1, __ATOMIC_ACQ_REL) == t->size - 1) {
        __atomic_store_n(&t->here, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&t->sense, sense + 1, __ATOMIC_RELEASE);
    } else
        while (__atomic_load_n(&t->sense, __ATOMIC_ACQUIRE) == sense) pause_for(t, &rounds);
}

static void *worker(void *arg)
{
    const member     m = *(member *)arg;
    noe_thread_team *t = m.team;
    long             seen = 0;
    free(arg);
    for (;;) {
        for (int i = 0; i < t->spins && __atomic_load_n(&t->job, __ATOMIC_RELAXED) == seen; i++) {
#if defined __x86_64__
            __builtin_ia32_pause();
#endif
        }
        pthread_mutex_lock(&t->lock);
        while (t->job == seen && !t->over) pthread_cond_wait(&t->wake, &t->lock);
        seen = t->job;
        const bool over = t->over;
        pthread_mutex_unlock(&t->lock);
        if (over) return NULL;
        t->work(t->ctx, m.me);
        __atomic_fetch_add(&t->joined, 1, __ATOMIC_ACQ_REL);
    }
}

noe_thread_team *noe_thread_team_new(int members)
{
    noe_thread_team *t = noe_status_alloc(1, sizeof *t);
    if (!t) return NULL;
    t->size = members < 1 ? 1 : members > NOE_THREADS_MOST ? NOE_THREADS_MOST : members;
    t->spins = t->size > noe_thread_team_processors() ? 16 : 4096;
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->wake, NULL);
    for (int i = 1; i < t->size; i++) {
        member *m = noe_status_alloc(1, sizeof *m);
        if (m) *m = (member){ t, i };
        if (!m || pthread_create(&t->thread[i], NULL, worker, m)) {
            if (m) noe_status_fail(NOE_NO_MEMORY, "cannot start a thread");
            free(m);
            noe_thread_team_free(t);
            return NULL;
        }
        t->started = i;
    }
    return t;
}

void noe_thread_team_free(noe_thread_team *t)
{
    if (!t) return;
    pthread_mutex_lock(&t->lock);
    t->over = true;
    __atomic_store_n(&t->job, t->job + 1, __ATOMIC_RELAXED);
    pthread_cond_broadcast(&t->wake);
    pthread_mutex_unlock(&t->lock);
    for (int i = 1; i <= t->started; i++) pthread_join(t->thread[i], NULL);
    pthread_cond_destroy(&t->wake);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

int noe_thread_team_size(const noe_thread_team *t) { return t ? t->size : 1; }

void noe_thread_team_do(noe_thread_team *t, void (*work)(void *, int), void *ctx)
{
    int        rounds = 0;
    const bool many = noe_thread_team_size(t) > 1;
    if (many) {
        pthread_mutex_lock(&t->lock);
        t->work = work;
        t->ctx = ctx;
        __atomic_store_n(&t->joined, 0, __ATOMIC_RELEASE);
        __atomic_store_n(&t->job, t->job + 1, __ATOMIC_RELAXED);
        pthread_cond_broadcast(&t->wake);
        pthread_mutex_unlock(&t->lock);
    }
    work(ctx, 0);
    while (many && __atomic_load_n(&t->joined, __ATOMIC_ACQUIRE) < t->size - 1)
        pause_for(t, &rounds);
}
