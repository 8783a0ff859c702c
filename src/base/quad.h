/* quad = IEEE binary128, u = 2^-113.  The number in which coefficients and constants are kept.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_QUAD_H
#define NOE_BASE_QUAD_H

#include <quadmath.h>

typedef __float128 quad;

#endif
