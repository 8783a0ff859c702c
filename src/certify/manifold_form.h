/* The law "symplectic" with constraints: dq ^ dp of tangent vectors of T*C, before and after steps.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_CERTIFY_MANIFOLD_FORM_H
#define NOE_CERTIFY_MANIFOLD_FORM_H

#include "certify/laws.h"

void noe_manifold_form_law(const noe_system *, const noe_method *, quad step, noe_laws *);

#endif
