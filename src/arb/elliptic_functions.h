/* Jacobi's elliptic functions sn, cn, dn for the parameter m = k^2 in [0, 1), by theta functions.
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
    arb_t m, K;               /* parameter m; K(m), a quarter of the period of sn */
    acb_t tau, th2, th3, th4; /* tau = i K'/K; theta_j(0), j = 2, 3, 4 */
    bool  circular;           /* m is 0 to this precision: sn, cn, dn are sin, cos, 1 */
    slong prec;               /* precision in bits */
} noe_elliptic_modulus;

/* K(m) is not finite where m is outside of [0, 1). */
void noe_elliptic_functions_modulus_init(noe_elliptic_modulus *, const arb_t m, slong prec);
void noe_elliptic_functions_modulus_clear(noe_elliptic_modulus *);

typedef struct {
    acb_t sn, cn, dn; /* values at one argument */
} noe_elliptic_functions;

void noe_elliptic_functions_init(noe_elliptic_functions *);
void noe_elliptic_functions_clear(noe_elliptic_functions *);
/* values at the complex argument u */
void noe_elliptic_functions_at(noe_elliptic_functions *, const acb_t u,
                               const noe_elliptic_modulus *);
/* values at the real argument u */
void noe_elliptic_functions_real(noe_elliptic_functions *, const arb_t u,
                                 const noe_elliptic_modulus *);
/* Values at u + w from those at u (a) and w (b): Abramowitz & Stegun 16.17. A phase can
 * therefore be stored as its sn, cn and dn, and no incomplete integral is needed. */
void noe_elliptic_functions_add(noe_elliptic_functions *, const noe_elliptic_functions *a,
                                const noe_elliptic_functions *b, const noe_elliptic_modulus *);
/* The limit m = 1: values at u + w from those at w, which are tanh(w) in sn and 1/cosh(w) in cn
 * and dn. */
void noe_elliptic_functions_add_hyperbolic(noe_elliptic_functions *, const arb_t u,
                                           const noe_elliptic_functions *w, slong prec);
/* Adds to the amplitude phi, known but for whole turns, those that bring it nearest to first + pi
 * u/(2K), from which it differs by less than pi. */
void noe_elliptic_functions_unwind(arb_t phi, const arb_t u, const arb_t first,
                                   const noe_elliptic_modulus *, slong prec);

#endif
