/* M' Omega M = Omega for the Jacobian M of a step, in binary128: the law "symplectic".
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CERTIFY_SYMPLECTIC_FORM_H
#define NOE_CERTIFY_SYMPLECTIC_FORM_H

#include "integrate/integrator.h"

/* The sizes of the terms that the entries of M are made of, of a step h at the integrator's state, into S[2n][2n] where they are
 * larger than what stands there.  False: L has no second derivatives there, L_vv is singular, or there is no memory. */
bool noe_symplectic_form_terms(noe_integrator *, quad h, quad *S);
/* The largest entry of M' Omega M - Omega over what a relative unit in the terms S makes in it. */
double noe_symplectic_form_error(int n, const quad *M, const quad *S);

#endif
