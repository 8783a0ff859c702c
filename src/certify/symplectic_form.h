/* The law "symplectic": M' Omega M = Omega for the Jacobian M of a step, in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CERTIFY_SYMPLECTIC_FORM_H
#define NOE_CERTIFY_SYMPLECTIC_FORM_H

#include "integrate/integrator.h"

/* Raises S[2n][2n] to the sizes of the terms of which the entries of M are sums, for a step h at
 * the integrator's state.  False: L has no second derivatives there, L_vv is singular, or there
 * is no memory. */
bool noe_symplectic_form_terms(noe_integrator *, quad h, quad *S);
/* Largest entry of M' Omega M - Omega, relative to the change of that entry if every term of M
 * changed by its size in S. */
double noe_symplectic_form_error(int n, const quad *M, const quad *S);

#endif
