/* Stumpff functions: cos, sin, cosh and sinh in one entire function.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     c_k(z) = 1/k! - z/(k+2)! + z^2/(k+4)! - .. */
#include "arb/stumpff.h"

/* For |z| < 1: the series; its remainder is smaller than the first term left out. */
static void series(arb_ptr c, const arb_t z, slong prec)
{
    arb_t term;
    arb_init(term);
    for (int k = 0; k < NOE_STUMPFF_FUNCTIONS; k++) {
        arb_one(term);
        for (int i = 2; i <= k; i++) arb_div_ui(term, term, (ulong)i, prec);
        arb_zero(c + k);
        for (ulong i = (ulong)k + 1; arf_cmpabs_2exp_si(arb_midref(term), -prec) > 0; i += 2) {
            arb_add(c + k, c + k, term, prec);
            arb_mul(term, term, z, prec), arb_neg(term, term);
            arb_div_ui(term, term, i * (i + 1), prec);
        }
        arb_add_error_2exp_si(c + k, -prec);
    }
    arb_clear(term);
}

void noe_stumpff(arb_ptr c, const arb_t z, slong prec)
{
    arb_t a;
    arb_init(a);
    arb_abs(a, z);
    if (arf_cmpabs_2exp_si(arb_midref(z), 0) < 0) series(c, z, prec);
    else {
        const bool round = arb_is_positive(z);
        arb_sqrt(a, a, prec);
        if (round) arb_sin_cos(c + 1, c, a, prec);
        else arb_sinh_cosh(c + 1, c, a, prec);
        arb_div(c + 1, c + 1, a, prec);
        for (int k = 2; k < NOE_STUMPFF_FUNCTIONS; k++) {
            arb_sub_ui(c + k, c + k - 2, 1, prec), arb_neg(c + k, c + k);
            arb_div(c + k, c + k, z, prec);
        }
    }
    arb_clear(a);
}
