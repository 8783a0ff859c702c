/* z <- z + E z: small linear systems, by their transition matrix.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_DENSE_ENGINE_H
#define NOE_LINEAR_DENSE_ENGINE_H

#include "step/engine.h"

enum {
    NOE_DENSE_MOST = 32,
    NOE_DENSE_MODES = 128
}; /* n and n s: its equations are solved in binary128, under 0.1 s */

/* The route when it covers the system and the method, else NULL: structures and quadratic L without t. */
const noe_engine *noe_dense_engine(const noe_dynamics *, const noe_method *);

#endif
