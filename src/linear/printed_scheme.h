/* Simpson's scheme by the formulas as printed: with the middle point and without.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_LINEAR_PRINTED_SCHEME_H
#define NOE_LINEAR_PRINTED_SCHEME_H

#include "step/engine_interface.h"

/* The engine of simpson-middle and simpson-ends, for a structure without damping and load; else
 * NULL. */
const noe_engine *noe_printed_scheme(const noe_dynamics *, const noe_method *);

#endif
