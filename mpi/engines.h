/* The engines of many processes.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_MPI_ENGINES_H
#define NOE_MPI_ENGINES_H

#include "together.h"

/* noe_processes.engine */
const noe_engine *engine_together(const noe_engine *engine, const noe_dynamics *,
                                  const noe_method *);

/* structure_together.c: structures given by matrices, and sums that are one. */
const noe_engine *structure_together(void);
/* lattice_together.c: sums of local terms, whose tiles the processes share; the engine is noether's
 * own. */
void lattice_together(struct noe_sums *);

#endif
