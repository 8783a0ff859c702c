/* The momentum I of a generator at a state.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "certify/laws.h"

#include <string.h>

/* The momentum of a declared generator that is no sum of basis terms: the model's observable. */
static quad of_declared(const noe_symmetry *y, noe_integrator *g, quad t, const quad *q,
                        const quad *p, const double *scale, quad *size, quad *rounded)
{
    const int        n = g->system->dyn.n;
    const noe_column column = { .kind = NOE_COL_OBSERVABLE, .index = y->observable };
    const quad       I = noe_column_value(g, &column);
    quad             in[noe_tape_inputs(n)], xi[n];
    memset(in, 0, sizeof in);
    in[0] = t;
    memcpy(in + noe_tape_input(NOE_Q, 0, n), q, sizeof xi);
    noe_tape_quad_run(y->xi, in, y->slot, xi);
    *size = *rounded = fabsq(I);
    for (int i = 0; i < n; i++) *size += fabsq(xi[i] * p[i]), *rounded += fabsq(xi[i] * scale[i]);
    return I;
}

quad noe_symmetry_momentum(const noe_symmetries *s, const noe_symmetry *y, noe_integrator *g,
                           const double *scale, quad *size, quad *rounded)
{
    quad q[s->n], p[s->n], P[s->n], t, H = 0, I = 0;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    noe_integrator_state_get(g, NOE_AT_Q, q);
    noe_integrator_state_get(g, NOE_AT_P, p);
    if (!y->coef) return of_declared(y, g, t, q, p, scale, size, rounded);
    for (int i = 0; i < s->n; i++) P[i] = scale[i];
    bool tau = false;
    for (int a = 0; a < s->terms; a++) tau |= s->term[a].kind == NOE_TERM_TAU && y->coef[a] != 0;
    if (tau) noe_integrator_state_get(g, NOE_AT_ENERGY, &H);
    *size = *rounded = 0;
    for (int a = 0; a < s->terms; a++) {
        if (y->coef[a] == 0) continue;
        const quad x = noe_generator_basis_momentum(&s->term[a], y->coef[a], t, q, p, H);
        I += x;
        *size += fabsq(x);
        *rounded += fabsq(noe_generator_basis_momentum(&s->term[a], y->coef[a], t, q, P, H));
    }
    return I;
}
