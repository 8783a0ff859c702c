/* lambda at a start on the constraints: constrained_start_sensitivity.c, transposed.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Over the projection of the momenta as over that at the end of a step, derivative/step_adjoint.h;
 * then p as given, or p = L_v(q, v) of the velocities as given; then the projection of the
 * positions, [M G^T; -G 0] (x, z) = (lambda_q, 0):  M x is dJ/d(q as given), -z.g_c adds to
 * dJ/dc. */
#include "base/status.h"
#include "gradient/adjoint_tapes.h"
#include "matrix/small_solve.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const noe_dynamics *d;
    int                 n, m, N;              /* coordinates, constraints, both */
    const quad         *left_out, *q, *v, *p; /* [m]; of the start [n] */
    quad                t;                    /* its time */
    noe_state_jet       jet, from;            /* there, and with the velocities as given */
    quad               *in, *slot, *value;    /* of d->constraint_by */
    quad               *b;                    /* [N] right side, then solution */
} start;

static bool counts(const start *x, int a) { return !(x->left_out[a] > 0); }

/* b <- K^-1 b, or K^-T b. */
static bool solve(const start *x, bool transposed)
{
    quad K[x->N * x->N];
    noe_constrained_start_sensitivity_matrix(x->d, x->left_out, x->jet.M, x->value, transposed, K);
    return noe_small_solve_columns(K, x->N, x->b, 1);
}

/* to += (G_q^T y) from */
static void add_bend(const start *x, const quad *y, const quad *from, quad *to)
{
    const noe_constraint_entry *e = x->d->G_q_entry, *end = e + x->d->G_q_entries;
    for (; e < end; e++) {
        if (!counts(x, e->constraint)) continue;
        const quad D = x->value[e->output] * y[e->constraint];
        to[e->row] += D * from[e->col];
        if (e->row != e->col) to[e->col] += D * from[e->row];
    }
}

/* by += the derivatives of sum_a (of_g g + of_rate g_t + of_slope (V.g_q)), [m] or NULL each. */
static void add_rates(const start *x, const quad *V, const quad *of_g, const quad *of_rate,
                      const quad *of_slope, quad *by)
{
    const noe_tape   *tape = x->d->constraint_by;
    const quad *const of[] = {
        [NOE_RATE_OF_VALUE] = of_g, [NOE_RATE_OF_TIME] = of_rate, [NOE_RATE_OF_SLOPE] = of_slope
    };
    memcpy(x->in + noe_tape_input(NOE_V, 0, x->n), V, (size_t)x->n * sizeof *V);
    noe_tape_quad_run(tape, x->in, x->slot, x->value);
    const noe_constraint_rate *e = x->d->constraint_rate, *end = e + x->d->constraint_rates;
    for (; e < end; e++)
        if (of[e->kind] && counts(x, e->constraint))
            by[e->parameter] += of[e->kind][e->constraint] * x->value[e->output];
}

/* Over p = p0 + G^T mu with G v + g_t = 0. */
static bool projection_back(start *x, const quad *before, quad *lambda, quad *by)
{
    const int           n = x->n, m = x->m;
    quad *const         lp = lambda + n;
    quad                mu[m], z[m], y[n];
    const noe_row_state s = { .t = x->t, .q = x->q, .v = x->v, .p = x->p };
    for (int i = 0; i < n; i++) x->b[i] = x->p[i] - before[i];
    for (int a = 0; a < m; a++) x->b[n + a] = 0;
    if (!solve(x, false)) return false;
    for (int a = 0; a < m; a++) mu[a] = -x->b[n + a];
    memset(x->b, 0, (size_t)x->N * sizeof *x->b);
    for (const noe_constraint_entry *e = x->d->G_entry; e < x->d->G_entry + x->d->G_entries; e++)
        if (counts(x, e->constraint)) x->b[n + e->constraint] += x->value[e->output] * lp[e->row];
    if (!solve(x, true)) return false;
    for (int a = 0; a < m; a++) z[a] = -x->b[n + a];
    for (int i = 0; i < n; i++) {
        lp[i] += x->b[i], y[i] = -x->b[i];
        for (int j = 0; j < n; j++) lambda[j] += x->jet.G[i * n + j] * y[i];
    }
    add_bend(x, mu, lp, lambda);
    add_bend(x, z, x->v, lambda);
    for (int a = 0; a < m; a++)
        for (int j = 0; j < n && counts(x, a); j++)
            lambda[j] += x->value[x->d->constraint_tq + a * n + j] * z[a];
    add_rates(x, x->v, NULL, z, z, by);
    add_rates(x, lp, NULL, NULL, mu, by);
    return noe_adjoint_ends_momenta(x->d, &s, y, by);
}

/* Over the projection of the positions. */
static bool positions_back(start *x, quad *lambda, quad *by)
{
    const int n = x->n;
    quad      z[x->m];
    memcpy(x->b, lambda, (size_t)n * sizeof *lambda);
    for (int a = 0; a < x->m; a++) x->b[n + a] = 0;
    if (!solve(x, true)) return false;
    for (int a = 0; a < x->m; a++) z[a] = -x->b[n + a];
    for (int i = 0; i < n; i++) {
        lambda[i] = 0;
        for (int j = 0; j < n; j++) lambda[i] += x->jet.M[i * n + j] * x->b[j];
    }
    add_rates(x, x->v, z, NULL, NULL, by);
    return true;
}

/* From p = L_v(q, v0) to the velocities v0 as given. */
static bool velocities_back(const start *x, const quad *v0, quad *lambda, quad *by)
{
    const int           n = x->n;
    const noe_row_state s = { .t = x->t, .q = x->q, .v = v0, .p = v0 };
    quad                lp[n];
    memcpy(lp, lambda + n, sizeof lp);
    for (int i = 0; i < n; i++) lambda[n + i] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            lambda[j] += x->from.G[i * n + j] * lp[i];
            lambda[n + j] += x->from.M[i * n + j] * lp[i];
        }
    return noe_adjoint_ends_momenta(x->d, &s, lp, by);
}

static bool go(start *x, const quad *v0, const quad *p0, quad *lambda, quad *by)
{
    const bool momenta = x->d->model->begin[0].has_p;
    if (!projection_back(x, momenta ? p0 : x->from.F + x->n, lambda, by)) return false;
    if (!momenta && !velocities_back(x, v0, lambda, by)) return false;
    return positions_back(x, lambda, by);
}

bool noe_constrained_adjoint_start(const noe_dynamics *d, const quad *left_out, quad t,
                                   const quad *q, const quad *v, const quad *p, quad *lambda,
                                   quad *by)
{
    const noe_tape *tape = d->constraint_by;
    const int       n = d->n;
    start           x = { .d = d,
                          .n = n,
                          .m = d->constraints,
                          .N = n + d->constraints,
                          .left_out = left_out,
                          .q = q,
                          .v = v,
                          .p = p,
                          .t = t };
    quad            v0[n], p0[n];
    bool            momentum[n];
    for (int i = 0; i < n; i++) {
        const noe_begin *y = &d->model->begin[i];
        v0[i] = y->v, p0[i] = y->p, momentum[i] = y->has_p;
    }
    if (!noe_constrained_start_sensitivity_alike(d, momentum)) return false;
    const bool momenta = momentum[0];
    x.in = noe_status_alloc((size_t)(tape->inputs + tape->slots + tape->outputs + x.N),
                            sizeof *x.in);
    void *at = noe_state_jet_at(d, t, q, v, &x.jet),
         *before = noe_state_jet_at(d, t, q, momenta ? v : v0, &x.from);
    bool ok = x.in && at && before;
    if (ok) {
        x.slot = x.in + tape->inputs, x.value = x.slot + tape->slots;
        x.b = x.value + tape->outputs;
        x.in[0] = t;
        memcpy(x.in + noe_tape_input(NOE_Q, 0, n), q, (size_t)n * sizeof *q);
        noe_tape_quad_run(tape, x.in, x.slot, x.value);
        ok = go(&x, v0, p0, lambda, by);
        for (int i = 0; i < 2 * n; i++) ok &= finiteq(lambda[i]) != 0;
        if (!ok)
            noe_status_fail(NOE_NOT_FINITE, "%s: the start has no finite derivatives",
                            d->model->name);
    }
    free(x.in), free(at), free(before);
    return ok;
}
