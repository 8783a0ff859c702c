/* Messages between the first process and each of the others, of which some may be lost.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * While losses are borne these take the place of collective calls, which would wait for a lost
 * process for ever.  Where the first process is lost, the others end (liveness.h). */
#ifndef NOE_MPI_STAR_H
#define NOE_MPI_STAR_H

#include <stdbool.h>
#include <stddef.h>

/* Begins to bear losses of processes that are watched; false: nothing is watched. */
bool star_begin(void);
/* Ends that, where nobody was lost; all processes come.  True in all: one was lost, and the others
 * can make no collective call any more. */
bool star_end(void);
bool star_bears(void);
/* In the first process: did process r not answer any more?  From then on it is left out. */
bool star_lost(int r);

/* Was any lost?  All processes come, and know the same. */
bool star_any_lost(void);
/* True: a call follows for which all are needed, and a loss ends the job; false: no more. */
void star_call_all(bool);

/* What process r gives; false: it is lost.  `bytes` is below the eager limit, 4 KB. */
bool star_take(int r, void *to, size_t bytes);
void star_give(const void *from, size_t bytes);
/* x of the first process in all of them. */
void star_tell(void *x, size_t bytes);
/* The first process gets `bytes` bytes from process r, of any number. */
void star_fetch(int r, void *at, size_t bytes);

#endif
