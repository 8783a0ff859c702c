/* The basis of the generators that are searched: xi = A t^k q + b t^k, tau = t^k, f.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * f is in {t^k q, q q, t^k}.  Noether's identity L_q xi + L_v xi' + tau L_t + (L - L_v v) tau' -
 * df/dt = 0 at every state is linear in the coefficients: one column per term, one row per state
 * (E. Noether, 1918; P. J. Olver, Applications of Lie Groups to Differential Equations, 4.4). */
#ifndef NOE_SYMMETRY_GENERATOR_BASIS_H
#define NOE_SYMMETRY_GENERATOR_BASIS_H

#include "inspect/random_state.h"

typedef enum {
    NOE_TERM_TAU, /* tau = t^k */
    NOE_TERM_A,   /* xi_i = q_j t^k */
    NOE_TERM_B,   /* xi_i = t^k */
    NOE_TERM_FQ,  /* f = q_i t^k */
    NOE_TERM_FQQ, /* f = q_i q_j */
    NOE_TERM_FT   /* f = t^k */
} noe_term_kind;

typedef struct {
    noe_term_kind kind;    /* kind of the term */
    int           i, j, k; /* coordinates i and j, power k of t, as in noe_term_kind */
} noe_basis_term;

/* The terms searched: A q + b; these, b t and f; these, A t and tau. */
typedef enum { NOE_STRICT, NOE_GAUGE, NOE_TIME } noe_level;

/* Lists the terms of a level for n coordinates in the order of preferred pivots: tau, A, b t, b, f.
 * Returns their number; writes the terms if `term` is not NULL. */
int noe_generator_basis_make(noe_level, int n, noe_basis_term *term);

/* The term's entry in the row of a state, q counted from `centre` (NULL: from 0); value: in
 * binary128; rough: from the state's values in double. */
quad   noe_generator_basis_value(const noe_basis_term *, const noe_random_state *,
                                 const quad *centre);
double noe_generator_basis_rough(const noe_basis_term *, const noe_random_state *,
                                 const quad *centre);

/* The contribution of the term with coefficient c to I = p xi - tau H - f. */
quad noe_generator_basis_momentum(const noe_basis_term *, quad c, quad t, const quad *q,
                                  const quad *p, quad H);

/* True if the term is one of a strict affine generator, xi = A q + b. */
static inline bool noe_generator_basis_strict(const noe_basis_term *x)
{
    return (x->kind == NOE_TERM_A || x->kind == NOE_TERM_B) && x->k == 0;
}

/* True if the term's entry depends on coordinates of block b; block [n]. */
static inline bool noe_generator_basis_touches(const noe_basis_term *x, const int *block, int b)
{
    if (x->kind == NOE_TERM_FT) return false;
    const bool two = x->kind == NOE_TERM_A || x->kind == NOE_TERM_FQQ;
    return x->kind == NOE_TERM_TAU || block[x->i] == b || (two && block[x->j] == b);
}

#endif
