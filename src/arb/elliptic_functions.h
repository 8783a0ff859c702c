/* sn, cn, dn of modulus m = k^2 in [0, 1):  by theta functions.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ARB_ELLIPTIC_FUNCTIONS_H
#define NOE_ARB_ELLIPTIC_FUNCTIONS_H

#include "arb/wide.h"

#include <stdbool.h>

#if __has_include(<acb_modular.h>)
#include <acb_modular.h>
#else
#include <flint/acb_modular.h>
#endif

typedef struct {
    arb_t m, K;               /* K: a quarter of the period of sn */
    acb_t tau, th2, th3, th4; /* i K'/K; theta_j(0) */
    bool  circular;           /* m is 0 to the precision: sin, cos, 1 */
    slong prec;
} noe_elliptic_modulus;

/* K(m) is not finite where m is not in [0, 1) */
void noe_elliptic_functions_modulus_init(noe_elliptic_modulus *, const arb_t m, slong prec);
void noe_elliptic_functions_modulus_clear(noe_elliptic_modulus *);

typedef struct {
    acb_t sn, cn, dn;
} noe_elliptic_functions;

void noe_elliptic_functions_init(noe_elliptic_functions *);
void noe_elliptic_functions_clear(noe_elliptic_functions *);
void noe_elliptic_functions_at(noe_elliptic_functions *, const acb_t u,
                               const noe_elliptic_modulus *);
void noe_elliptic_functions_real(noe_elliptic_functions *, const arb_t u,
                                 const noe_elliptic_modulus *);
/* x(u + w) from x(u) = a, x(w) = b; Abramowitz & Stegun 16.17.  So a phase is known by its sn,
 * cn and dn, and no incomplete integral is needed. */
void noe_elliptic_functions_add(noe_elliptic_functions *, const noe_elliptic_functions *a,
                                const noe_elliptic_functions *b, const noe_elliptic_modulus *);
/* tanh(u + w) in sn, 1/cosh(u + w) in cn and dn, from those of w: the limit m = 1. */
void noe_elliptic_functions_add_hyperbolic(noe_elliptic_functions *, const arb_t u,
                                           const noe_elliptic_functions *w, slong prec);

#endif
