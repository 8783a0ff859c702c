/* The engine for linear systems of few coordinates: one product with a transition matrix a step.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_DENSE_ENGINE_H
#define NOE_LINEAR_DENSE_ENGINE_H

#include "step/engine_interface.h"

/* Limits of n and of n s (s modes): the equations are solved in binary128, which takes less than
 * 0.1 s. */
enum { NOE_DENSE_MOST = 32, NOE_DENSE_MODES = 128 };

/* The engine for structures and for quadratic L without t; NULL: it does not have the system or the
 * method. */
const noe_engine *noe_dense_engine(const noe_dynamics *, const noe_method *);

#endif
