/* A thread team: several threads work on one job, with a barrier at the end of every phase.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_THREAD_TEAM_H
#define NOE_BASE_THREAD_TEAM_H

#include <stdbool.h>

typedef struct noe_thread_team noe_thread_team;

enum { NOE_THREADS_MOST = 64 };

/* members: number of threads, including the calling one.  NULL with a message; for the other
 * functions NULL is a team of one. */
noe_thread_team *noe_thread_team_new(int members);
void             noe_thread_team_free(noe_thread_team *);
int              noe_thread_team_size(const noe_thread_team *);
/* Calls work(ctx, me) in every thread, me = 0 .. size - 1; returns when all have returned. */
void noe_thread_team_do(noe_thread_team *, void (*work)(void *ctx, int me), void *ctx);
/* Called inside work: a barrier, returns when every thread of the team has called it. */
void noe_thread_team_meet(noe_thread_team *);
/* Processors that this process may use, at most NOE_THREADS_MOST. */
int noe_thread_team_processors(void);

#endif
