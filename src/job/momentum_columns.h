/* Momenta of symmetries as observables of a system: columns of a run, lines of its summary.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_JOB_MOMENTUM_COLUMNS_H
#define NOE_JOB_MOMENTUM_COLUMNS_H

#include "job/verbs.h"
#include "symmetry/symmetry.h"

/* Does the job ask for momenta that a search of the symmetries finds, as columns or in its
 * summary? */
bool noe_momentum_columns_searched(const noe_job *, const noe_system *);
/* The symmetries, all that are found or those that the model declares; NULL: none, as where the
 * start is singular, without a message. */
noe_symmetries *noe_momentum_columns_find(const noe_system *, bool search);
/* The system with the momenta of these symmetries as observables; NULL: they add none. */
noe_system *noe_momentum_columns_add(const noe_system *, const noe_symmetries *);

#endif
