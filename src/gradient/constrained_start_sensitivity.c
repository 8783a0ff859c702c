/* S at a start on the constraints: what is given of it is projected as the start itself is.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     M x - G^T y = M dq,  G x = -g_c   gives the derivative x of the positions from dq as given,
 * exact where the start satisfies the constraints as it is given.  Momenta p = p0 + G^T mu move by
 * the same matrix, as at the end of a step (derivative/galerkin_sensitivity.h). */
#include "base/status.h"
#include "gradient/gradient.h"
#include "matrix/small_solve.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    const noe_dynamics *d;
    int                 n, m, N;              /* coordinates, constraints, both */
    const quad         *left_out, *value, *v; /* [m]; outputs of d->constraint_by; [n] */
    noe_state_jet       jet;                  /* at (q, v) */
    quad               *K, *A;                /* [N][N] the matrix; scratch */
} start;

static bool counts(const start *x, int a) { return !(x->left_out[a] > 0); }

void noe_constrained_start_sensitivity_matrix(const noe_dynamics *d, const quad *left_out,
                                              const quad *M, const quad *value, bool transposed,
                                              quad *K)
{
    const int n = d->n, N = n + d->constraints;
    memset(K, 0, (size_t)(N * N) * sizeof *K);
    for (int i = 0; i < n; i++) memcpy(K + i * N, M + i * n, (size_t)n * sizeof *K);
    for (const noe_constraint_entry *y = d->G_entry; y < d->G_entry + d->G_entries; y++) {
        if (left_out[y->constraint] > 0) continue;
        const quad G = transposed ? -value[y->output] : value[y->output];
        K[y->row * N + n + y->constraint] = -G;
        K[(n + y->constraint) * N + y->row] = G;
    }
    for (int a = 0; a < d->constraints; a++)
        if (left_out[a] > 0) K[(n + a) * N + n + a] = 1;
}

static bool solve(const start *x, quad *b)
{
    memcpy(x->A, x->K, (size_t)(x->N * x->N) * sizeof *x->A);
    return noe_small_solve_columns(x->A, x->N, b, 1);
}

/* g_c (which = 0) or g_tc (1) of constraint a. */
static quad rate(const start *x, int a, int which, int c)
{
    const int at = x->d->constraint_by_at[c];
    return at < 0 ? (quad)0 : x->value[at + which * x->m + a];
}

/* dq [n] of the positions that the constraints allow, from dq as given. */
static bool move(const start *x, int c, quad *dq, quad *b)
{
    for (int i = 0; i < x->n; i++) {
        b[i] = 0;
        for (int j = 0; j < x->n; j++) b[i] += x->jet.M[i * x->n + j] * dq[j];
    }
    for (int a = 0; a < x->m; a++) b[x->n + a] = counts(x, a) ? -rate(x, a, 0, c) : (quad)0;
    if (!solve(x, b)) return false;
    memcpy(dq, b, (size_t)x->n * sizeof *dq);
    return true;
}

/* Column c of S, whose q and unprojected p it has, with the impulses mu of the projection. */
static bool project(const start *x, int c, const quad *mu, quad *S, quad *b)
{
    const noe_dynamics *d = x->d;
    const int           n = x->n, k = d->columns, at = d->constraint_by_at[c];
    quad               *dp = b + x->N;
    for (int j = 0; j < n; j++) dp[j] = S[(n + j) * k + c];
    for (int a = 0; a < x->m; a++) {
        b[n + a] = counts(x, a) ? -rate(x, a, 1, c) : (quad)0;
        for (int j = 0; j < n && counts(x, a); j++)
            b[n + a] -= x->value[d->constraint_tq + a * n + j] * S[j * k + c];
    }
    for (const noe_constraint_entry *y = d->G_q_entry; y < d->G_q_entry + d->G_q_entries; y++) {
        const int a = y->constraint, i = y->row, j = y->col;
        if (!counts(x, a)) continue;
        const quad D = x->value[y->output];
        dp[i] += D * mu[a] * S[j * k + c];
        b[n + a] -= D * x->v[i] * S[j * k + c];
        if (i == j) continue;
        dp[j] += D * mu[a] * S[i * k + c];
        b[n + a] -= D * x->v[j] * S[i * k + c];
    }
    for (int i = 0; i < d->G_entries && at >= 0; i++) {
        const noe_constraint_entry *y = &d->G_entry[i];
        if (!counts(x, y->constraint)) continue;
        const quad D = x->value[at + 2 * x->m + i];
        dp[y->row] += D * mu[y->constraint];
        b[n + y->constraint] -= D * x->v[y->row];
    }
    for (int i = 0; i < n; i++) {
        b[i] = dp[i] - x->jet.P[c * n + i];
        for (int j = 0; j < n; j++) b[i] -= x->jet.G[i * n + j] * S[j * k + c];
    }
    if (!solve(x, b)) return false;
    for (const noe_constraint_entry *y = d->G_entry; y < d->G_entry + d->G_entries; y++)
        if (counts(x, y->constraint)) dp[y->row] += x->value[y->output] * b[n + y->constraint];
    for (int j = 0; j < n; j++) {
        S[(n + j) * k + c] = dp[j];
        if (!finiteq(dp[j]) || !finiteq(S[j * k + c])) return false;
    }
    return true;
}

bool noe_constrained_start_sensitivity_alike(const noe_dynamics *d, const bool *momentum)
{
    for (int i = 1; i < d->n; i++)
        if (momentum[i] != momentum[0])
            return noe_status_fail(
                       NOE_INVALID,
                       "%s: with constraints the derivatives of a start want velocities "
                       "of all coordinates, or momenta of all",
                       d->model->name),
                   false;
    return true;
}

/* All columns; b [N + 2n]: scratch; from: the jet where velocities are given. */
static bool columns(start *x, const noe_state_jet *from, bool own, const quad *p, const quad *p0,
                    const bool *momentum, quad *b, quad *S)
{
    const noe_dynamics *d = x->d;
    const int           n = x->n;
    quad                mu[x->m], given[3 * n], scratch[n * n + n];
    bool                other[n];
    for (int i = 0; i < n; i++) b[i] = p[i] - (momentum[0] ? p0[i] : from->F[n + i]);
    for (int a = 0; a < x->m; a++) b[n + a] = 0;
    if (!solve(x, b)) return false;
    for (int a = 0; a < x->m; a++) mu[a] = -b[n + a];
    for (int c = 0; c < d->columns; c++) {
        noe_start_sensitivity_given(d, c, own, momentum, given, other);
        if (!move(x, c, given, b)
            || !noe_start_sensitivity_column(d, from, c, given, other, scratch, S)
            || !project(x, c, mu, S, b))
            return false;
    }
    return true;
}

bool noe_constrained_start_sensitivity_find(const noe_dynamics *d, const quad *left_out, bool own,
                                            quad t, const quad *q, const quad *v, const quad *p,
                                            const quad *v0, const quad *p0, const bool *momentum,
                                            quad *S)
{
    if (!noe_constrained_start_sensitivity_alike(d, momentum)) return false;
    start x = { .d = d, .n = d->n, .m = d->constraints, .left_out = left_out, .v = v };
    x.N = x.n + x.m;
    const noe_tape *tape = d->constraint_by;
    const size_t    N = (size_t)x.N, inputs = (size_t)tape->inputs,
                 slots = (size_t)(tape->slots + tape->outputs);
    noe_state_jet from;
    quad *in = noe_status_alloc(inputs + slots + 2 * N * N + N + 2 * (size_t)x.n, sizeof *in);
    void *at = noe_state_jet_at(d, t, q, v, &x.jet),
         *before = noe_state_jet_at(d, t, q, momentum[0] ? v : v0, &from);
    bool ok = in && at && before;
    if (ok) {
        in[0] = t;
        memcpy(in + noe_tape_input(NOE_Q, 0, x.n), q, (size_t)x.n * sizeof *q);
        noe_tape_quad_run(tape, in, in + inputs, in + inputs + tape->slots);
        x.value = in + inputs + tape->slots;
        x.K = in + inputs + slots, x.A = x.K + N * N;
        noe_constrained_start_sensitivity_matrix(d, left_out, x.jet.M, x.value, false, x.K);
        ok = columns(&x, &from, own, p, p0, momentum, x.A + N * N, S);
        if (!ok)
            noe_status_fail(NOE_NOT_FINITE, "%s: the start has no finite derivatives",
                            d->model->name);
    }
    free(in), free(at), free(before);
    return ok;
}
