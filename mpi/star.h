/* Messages between a centre and each of the other processes, of which any may be lost.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * While losses are borne these take the place of collective calls, which would wait for a lost
 * process for ever.  The centre is the lowest process that lives.  Where it is lost, the calls of
 * the others do nothing more until all of them have called star_renew. */
#ifndef NOE_MPI_STAR_H
#define NOE_MPI_STAR_H

#include <stdbool.h>
#include <stddef.h>

/* Begins to bear losses of processes that are watched; all processes come.  Nothing where nothing
 * is watched. */
void star_begin(void);
/* The end: true, and losses are borne no more, where nobody was lost; all processes come.  False:
 * one was lost, and the others can make no collective call any more. */
bool star_end(void);
bool star_bears(void);

int star_centre(void);
/* Did process r not answer any more?  The centre leaves it out from then on.  The others know it
 * of the centre alone. */
bool star_lost(int r);
bool star_lost_centre(void);
/* After the loss of the centre: chooses the next one. */
void star_renew(void);

/* What process r gives; false: it is lost.  `bytes` is below the eager limit, 4 KB. */
bool star_take(int r, void *to, size_t bytes);
void star_give(const void *from, size_t bytes);
/* x of the centre in all of them. */
void star_tell(void *x, size_t bytes);
/* The centre gets `bytes` bytes from process r, of any number. */
void star_fetch(int r, void *at, size_t bytes);

#endif
