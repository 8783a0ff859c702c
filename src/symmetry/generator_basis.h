/* xi = A t^k q + b t^k, tau = t^k, f in {t^k q, q q, t^k}: the generators that are searched.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Noether's identity  L_q xi + L_v xi' + tau L_t + (L - L_v v) tau' - df/dt = 0  at every state is linear in the
 * coefficients: one column a term, one row a state (E. Noether, 1918; P. J. Olver, Applications of Lie Groups
 * to Differential Equations, 4.4). */
#ifndef NOE_SYMMETRY_GENERATOR_BASIS_H
#define NOE_SYMMETRY_GENERATOR_BASIS_H

#include "inspect/random_state.h"

typedef enum {
    NOE_TERM_TAU,
    NOE_TERM_A,
    NOE_TERM_B,
    NOE_TERM_FQ,
    NOE_TERM_FQQ,
    NOE_TERM_FT
} noe_term_kind;

typedef struct {
    noe_term_kind kind;
    int           i, j, k; /* xi_i has q_j t^k; f has q_i q_j or q_i t^k or t^k; tau has t^k */
} noe_basis_term;

typedef enum { NOE_STRICT, NOE_GAUGE, NOE_TIME } noe_level;

/* The terms of a level for n coordinates, in the order in which pivots are preferred: tau, A, b t, b, f.
 * Returns how many; writes them when term is not NULL. */
int noe_generator_basis_make(noe_level, int n, noe_basis_term *term);

/* The column's entry at a state, with q and v counted from `centre` (NULL: from 0); in binary128, or from the
 * sample's double values. */
quad   noe_generator_basis_value(const noe_basis_term *, const noe_random_state *,
                                 const quad *centre);
double noe_generator_basis_rough(const noe_basis_term *, const noe_random_state *,
                                 const quad *centre);

/* What a coefficient c of the term adds to I = p xi - tau H - f. */
quad noe_generator_basis_momentum(const noe_basis_term *, quad c, quad t, const quad *q,
                                  const quad *p, quad H);

/* Is the term part of a strict affine generator, xi = A q + b? */
static inline bool noe_generator_basis_strict(const noe_basis_term *x)
{
    return (x->kind == NOE_TERM_A || x->kind == NOE_TERM_B) && x->k == 0;
}

#endif
