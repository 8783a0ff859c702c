/* The basis of the generators that are searched: xi = A t^k q + b t^k, tau = t^k, f.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "symmetry/generator_basis.h"

#include <math.h>

static void put(noe_basis_term *term, int *count, noe_term_kind kind, int i, int j, int k)
{
    if (term) term[*count] = (noe_basis_term){ kind, i, j, k };
    ++*count;
}

int noe_generator_basis_make(noe_level level, int n, noe_basis_term *term)
{
    int count = 0;
    for (int k = 0; k <= 2 && level >= NOE_TIME; k++) put(term, &count, NOE_TERM_TAU, 0, 0, k);
    for (int k = 0; k <= (level >= NOE_TIME); k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) put(term, &count, NOE_TERM_A, i, j, k);
    for (int k = level >= NOE_GAUGE; k >= 0; k--)
        for (int i = 0; i < n; i++) put(term, &count, NOE_TERM_B, i, 0, k);
    if (level < NOE_GAUGE) return count;
    for (int k = 0; k <= 1; k++)
        for (int i = 0; i < n; i++) put(term, &count, NOE_TERM_FQ, i, 0, k);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) put(term, &count, NOE_TERM_FQQ, i, j, 0);
    for (int k = 1; k <= 2; k++) put(term, &count, NOE_TERM_FT, 0, 0, k);
    return count;
}

/* t^k and its derivative. */
static quad power(quad t, int k) { return k == 0 ? 1 : k == 1 ? t : t * t; }
static quad rate(quad t, int k) { return k == 0 ? 0 : k == 1 ? 1 : 2 * t; }

quad noe_generator_basis_value(const noe_basis_term *x, const noe_random_state *s, const quad *c)
{
    const quad tk = power(s->t, x->k), dk = rate(s->t, x->k);
    const quad qi = s->q[x->i] - (c ? c[x->i] : 0), qj = s->q[x->j] - (c ? c[x->j] : 0);
    const quad vi = s->v[x->i], vj = s->v[x->j];
    switch (x->kind) {
    case NOE_TERM_A: return s->F[x->i] * tk * qj + s->P[x->i] * (tk * vj + dk * qj);
    case NOE_TERM_B: return s->F[x->i] * tk + s->P[x->i] * dk;
    case NOE_TERM_FQ: return -(tk * vi + dk * qi);
    case NOE_TERM_FQQ: return -(qi * vj + qj * vi);
    case NOE_TERM_FT: return -dk;
    case NOE_TERM_TAU: break;
    }
    return s->L_t * tk + (s->L - s->H) * dk;
}

double noe_generator_basis_rough(const noe_basis_term *x, const noe_random_state *s, const quad *c)
{
    const double tk = (double)power(s->t, x->k), dk = (double)rate(s->t, x->k);
    const double qi = (double)s->q[x->i] - (c ? (double)c[x->i] : 0),
                 qj = (double)s->q[x->j] - (c ? (double)c[x->j] : 0);
    const double vi = (double)s->v[x->i], vj = (double)s->v[x->j];
    switch (x->kind) {
    case NOE_TERM_A: return s->rough_F[x->i] * tk * qj + s->rough_P[x->i] * (tk * vj + dk * qj);
    case NOE_TERM_B: return s->rough_F[x->i] * tk + s->rough_P[x->i] * dk;
    case NOE_TERM_FQ: return -(tk * vi + dk * qi);
    case NOE_TERM_FQQ: return -(qi * vj + qj * vi);
    case NOE_TERM_FT: return -dk;
    case NOE_TERM_TAU: break;
    }
    return s->rough_L_t * tk + (s->rough_L - s->rough_H) * dk;
}

quad noe_generator_basis_momentum(const noe_basis_term *x, quad c, quad t, const quad *q,
                                  const quad *p, quad H)
{
    c *= power(t, x->k);
    switch (x->kind) {
    case NOE_TERM_A: return c * q[x->j] * p[x->i];
    case NOE_TERM_B: return c * p[x->i];
    case NOE_TERM_FQ: return -c * q[x->i];
    case NOE_TERM_FQQ: return -c * q[x->i] * q[x->j];
    case NOE_TERM_FT: return -c;
    case NOE_TERM_TAU: break;
    }
    return -c * H;
}
