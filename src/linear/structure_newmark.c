/* Newmark's step of a structure.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     (M + gamma h C + beta h^2 K) a_new = h^2 f_new - h C (v + (1 - gamma) a)
 *                                            - 24 k (q + v + (1/2 - beta) a)
 *
 * In units of the step: v is h v, a is h^2 a.  Both belong to the state, with q and pi = M v. */
#include "base/status.h"
#include "linear/structure_engine.h"

#include <math.h>

void noe_structure_newmark_damping(noe_structure_engine *w, const double *x)
{
    const noe_structure *s = w->s;
    const double         h = *w->at.h;
    const int            n = w->at.n;
    for (int i = 0; i < n; i++) w->e[i] = 0;
    if (s->C) {
        noe_sparse_times(s->C, x, w->e);
        for (int i = 0; i < n; i++) w->e[i] *= h;
    }
    if (s->alpha != 0) {
        noe_sparse_times(s->M, x, w->u);
        for (int i = 0; i < n; i++) w->e[i] += h * s->alpha * w->u[i];
    }
    if (s->beta != 0) {
        noe_chebyshev_sweep_product(w, x, w->u);
        for (int i = 0; i < n; i++) w->e[i] += NOE_UNIT * s->beta / h * w->u[i];
    }
}

/* g = h^2 f_l - 24 k q - h C v for predicted q (in d) and v. */
static void residual(noe_structure_engine *w, int l, const double *q, const double *v)
{
    const double h2 = *w->at.h * *w->at.h;
    noe_structure_newmark_damping(w, v);
    noe_chebyshev_sweep_product(w, q, w->u);
    for (int i = 0; i < w->at.n; i++)
        w->g[i] = (w->f ? h2 * w->f[l][i] : 0) - NOE_UNIT * w->u[i] - w->e[i];
}

noe_status noe_structure_newmark_factorize(noe_structure_engine *w)
{
    const double b = (double)w->method.beta, c = (double)w->method.gamma, h = *w->at.h;
    const double mass = 1 + c * h * w->s->alpha, stiff = NOE_UNIT * (b + c * w->s->beta / h);
    w->x = (noe_stage_pencil){ .s = 1,
                               .r = 2,
                               .count = 1,
                               .lambda = { stiff / mass },
                               .part = { 1 },
                               .c = { 0, 1 },
                               .b = { 0.5, 0.5 } };
    w->scale = mass;
    if (w->s->C) return noe_coupled_solve_factorize(w);
    if (stiff == 0) return NOE_OK;
    w->shift[0] = noe_factorization_new(w->s, stiff / mass, h * h / NOE_UNIT, w->bits);
    return w->shift[0] ? NOE_OK : NOE_SINGULAR;
}

void noe_structure_newmark_start(noe_structure_engine *w)
{
    noe_factorization_solve(w->mass, w->p, w->vh);
    residual(w, 0, w->q, w->vh);
    noe_factorization_solve(w->mass, w->g, w->ah);
}

void noe_structure_newmark_step(noe_structure_engine *w)
{
    const double b = (double)w->method.beta, c = (double)w->method.gamma;
    const int    n = w->at.n;
    double *new = w->y[0];
    for (int i = 0; i < n; i++) {
        w->d[i] = w->vh[i] + (0.5 - b) * w->ah[i];
        w->vh[i] += (1 - c) * w->ah[i];
        new[i] = w->q[i] + w->d[i];
    }
    residual(w, 1, new, w->vh);
    if (w->whole) noe_factorization_solve(w->whole, w->g, new);
    else {
        for (int i = 0; i < n; i++) w->g[i] /= w->scale;
        noe_factorization_solve(w->shift[0] ? w->shift[0] : w->mass, w->g, new);
    }
    for (int i = 0; i < n; i++) {
        const double d = w->d[i] + b * new[i] + w->dq[i], s = w->q[i] + d, back = s - w->q[i];
        if (w->balance) w->hv[0][i] = d;
        w->dq[i] = (w->q[i] - (s - back)) + (d - back);
        w->q[i] = s;
        w->vh[i] += c * new[i];
        w->ah[i] = new[i];
    }
    noe_sparse_times(w->s->M, w->vh, w->p);
    noe_chebyshev_sweep_product(w, w->q, w->r);
}
