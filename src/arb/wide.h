/* A number of any precision: an Arb ball [m - r, m + r].
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * F. Johansson, Arb: efficient arbitrary-precision midpoint-radius interval arithmetic, IEEE
 * Trans. Comput. 66 (2017) 1281. */
#ifndef NOE_ARB_WIDE_H
#define NOE_ARB_WIDE_H

#include "number/quad.h"
#include "step/engine_interface.h"

#if __has_include(<arb.h>)
#include <arb.h>
#include <arb_mat.h>
#else
#include <flint/arb.h>
#include <flint/arb_mat.h>
#endif

struct noe_wide {
    arb_t x; /* the ball */
};

/* Bits for this number of decimal digits. */
static inline slong noe_wide_bits(int digits) { return (slong)(digits * 3.3219280948873624) + 1; }

static inline void noe_wide_middle(arb_t x) { mag_zero(arb_radref(x)); } /* sets the radius to 0 */

void noe_wide_from(arb_t, quad); /* exact */
quad noe_wide_to(const arb_t);   /* the midpoint, rounded */

#endif
