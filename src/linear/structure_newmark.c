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

/* g = h^2 f_l - 24 k q - h C v for predicted q (in d) and v. */
static void residual(noe_structure_engine *w, int l, double *q, double *v)
{
    const double h2 = *w->at.h * *w->at.h;
    noe_structure_product_damping(w, v);
    noe_structure_product_stiffness(w, q, w->scratch.u);
    for (int i = 0; i < w->at.n; i++)
        w->scratch.g[i] = (w->scratch.f ? h2 * w->scratch.f[l][i] : 0)
                        - NOE_STIFFNESS_DIVISOR * w->scratch.u[i] - w->scratch.e[i];
}

noe_status noe_structure_newmark_factorise(noe_structure_engine *w)
{
    const double b = (double)w->method.beta, c = (double)w->method.gamma, h = *w->at.h;
    const double mass = 1 + c * h * w->s->alpha,
                 stiff = NOE_STIFFNESS_DIVISOR * (b + c * w->s->beta / h);
    w->prepared.x = (noe_stage_pencil){ .s = 1,
                                        .r = 2,
                                        .count = 1,
                                        .lambda = { stiff / mass },
                                        .multiplicity = { 1 },
                                        .c = { 0, 1 },
                                        .b = { 0.5, 0.5 } };
    w->prepared.scale = mass;
    if (w->s->C) return noe_coupled_solve_factorise(w);
    if (stiff == 0) return NOE_OK;
    w->prepared.shift[0] = noe_factorization_new(w->s, stiff / mass, h * h / NOE_STIFFNESS_DIVISOR,
                                                 w->option.bits);
    return w->prepared.shift[0] ? NOE_OK : NOE_SINGULAR;
}

void noe_structure_newmark_start(noe_structure_engine *w)
{
    noe_factorization_solve(w->matrix.mass, w->state.p, w->state.vh);
    residual(w, 0, w->state.q, w->state.vh);
    noe_factorization_solve(w->matrix.mass, w->scratch.g, w->state.ah);
}

void noe_structure_newmark_step(noe_structure_engine *w)
{
    const double b = (double)w->method.beta, c = (double)w->method.gamma;
    const int    n = w->at.n;
    double *new = w->scratch.y[0];
    for (int i = 0; i < n; i++) {
        w->scratch.d[i] = w->state.vh[i] + (0.5 - b) * w->state.ah[i];
        w->state.vh[i] += (1 - c) * w->state.ah[i];
        new[i] = w->state.q[i] + w->scratch.d[i];
    }
    residual(w, 1, new, w->state.vh);
    if (w->prepared.whole) noe_factorization_solve(w->prepared.whole, w->scratch.g, new);
    else {
        for (int i = 0; i < n; i++) w->scratch.g[i] /= w->prepared.scale;
        noe_factorization_solve(w->prepared.shift[0] ? w->prepared.shift[0] : w->matrix.mass,
                                w->scratch.g, new);
    }
    for (int i = 0; i < n; i++) {
        const double d = w->scratch.d[i] + b * new[i] + w->state.dq[i], s = w->state.q[i] + d,
                     back = s - w->state.q[i];
        if (w->balance.kept) w->scratch.hv[0][i] = d;
        w->state.dq[i] = (w->state.q[i] - (s - back)) + (d - back);
        w->state.q[i] = s;
        w->state.vh[i] += c * new[i];
        w->state.ah[i] = new[i];
    }
    noe_structure_share_times(w->s, w->s->M, w->state.vh, w->state.p);
    noe_structure_product_stiffness(w, w->state.q, w->state.r);
}
