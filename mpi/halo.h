/* Values that other processes own: exchange with neighbours, and gathering of whole vectors.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_HALO_H
#define NOE_MPI_HALO_H

#include "together.h"

#include <stdint.h>

typedef struct halo halo;

/* A vector x[n] of which this process owns some places and knows others.  global[n]: their numbers
 * in the whole vector, ascending; owner[n]: the process that owns each.  NULL: out of memory. */
halo *halo_make(int n, const int64_t *global, const int *owner);
void  halo_free(halo *);
/* Sets the places of `count` vectors that other processes own: one message to each neighbour. */
void halo_exchange(halo *, int count, double *const *x);
/* Prepares gathering of whole vectors; global as above.  False: out of memory. */
bool halo_prepare_gather(halo *, const int64_t *global);
/* all[N] = the whole vector, in every process. */
void halo_gather(halo *, const double *x, double *all);

int        halo_owned(const halo *);      /* number of places that this process owns, */
const int *halo_own(const halo *);        /* [owned] and these, ascending */
int        halo_neighbours(const halo *); /* processes to which it sends */

#endif
