/* Solves the equations of all modes of a structure together, for any damping matrix C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     ( Pi (x) M + h Xi (x) C + Theta (x) 24 k ) a = w (x) pi - X (x) 24 rho + .. */
#include "base/status.h"
#include "linear/structure_engine.h"

#include <string.h>

enum { S = NOE_MAX_DEGREE };

/* Row (i, m) has the entries (j, k) of the rows i of M, C and K; entries at the same place are
 * added. */
static noe_sparse *equations(const noe_structure_engine *w, quad (*Pi)[S], quad (*Xi)[S],
                             quad (*Theta)[S])
{
    const noe_structure *x = w->s;
    const noe_sparse    *part[] = { x->M, x->C, x->K };
    const int            n = x->n, s = w->method.s;
    const quad           h = *w->at.h;
    int64_t              capacity = 0, at = 0;
    for (int a = 0; a < 3; a++) capacity += part[a]->start[n];
    noe_sparse *A = noe_sparse_new(n * s, capacity * s * s);
    for (int row = 0; A && row < n * s; row++) {
        const int i = row / s, m = row % s;
        int64_t   next[3];
        for (int a = 0; a < 3; a++) next[a] = part[a]->start[i];
        A->start[row] = at;
        for (;;) {
            int32_t j = INT32_MAX;
            double  v[3] = { 0, 0, 0 };
            for (int a = 0; a < 3; a++)
                if (next[a] < part[a]->start[i + 1] && part[a]->col[next[a]] < j)
                    j = part[a]->col[next[a]];
            if (j == INT32_MAX) break;
            for (int a = 0; a < 3; a++)
                if (next[a] < part[a]->start[i + 1] && part[a]->col[next[a]] == j)
                    v[a] = part[a]->value[next[a]++];
            for (int k = 0; k < s; k++) {
                const quad mass = Pi[m][k] + h * x->alpha * Xi[m][k],
                           stiff = h * h * Theta[m][k] + h * x->beta * Xi[m][k];
                const quad sum = mass * v[0] + h * Xi[m][k] * v[1] + stiff * v[2];
                if (sum != 0) A->col[at] = j * s + k, A->value[at++] = (double)sum;
            }
        }
    }
    if (A) A->start[n * s] = at;
    return A;
}

noe_status noe_coupled_solve_factorise(noe_structure_engine *w)
{
    const noe_method *f = &w->method;
    quad              Pi[S][S] = { { 0 } }, Xi[S][S] = { { 0 } }, Theta[S][S] = { { 0 } };
    for (int i = 0; i < f->r && f->kind == NOE_GALERKIN; i++)
        for (int m = 0; m < f->s; m++)
            for (int k = 0; k < f->s; k++) {
                Pi[m][k] += f->b[i] * f->l[i][m] * f->l[i][k];
                Xi[m][k] += f->b[i] * f->X[i][m] * f->l[i][k];
                Theta[m][k] += f->b[i] * f->X[i][m] * f->I[i][k];
            }
    if (f->kind == NOE_NEWMARK) Pi[0][0] = 1, Xi[0][0] = f->gamma, Theta[0][0] = f->beta;
    noe_sparse *A = equations(w, Pi, Xi, Theta);
    if (!A) return NOE_NO_MEMORY;
    w->prepared.whole = w->s->share ? noe_factorization_shared(w->s, A, w->method.s)
                                    : noe_factorization_general(A, w->option.bits);
    noe_sparse_free(A);
    return w->prepared.whole ? NOE_OK : NOE_SINGULAR;
}

/* In units of the step: d = a_0, u = 24 (sum_m I_m a_m + beta/h a_0); y[0] has the modes,
 * coordinate after coordinate. */
void noe_coupled_solve_modes(noe_structure_engine *w)
{
    const noe_method *f = &w->method;
    const int         n = w->at.n, s = f->s;
    const quad        h = *w->at.h;
    double           *g = w->scratch.g, *a = w->scratch.y[0], X[S], U[S], F[S][NOE_MAX_POINTS];
    for (int m = 0; m < s; m++) {
        quad x = 0, I = 0;
        for (int i = 0; i < f->r; i++) {
            x += f->b[i] * f->X[i][m], I += f->b[i] * f->I[i][m];
            F[m][i] = (double)(h * h * f->b[i] * f->X[i][m]);
        }
        X[m] = (double)(NOE_STIFFNESS_DIVISOR * x);
        U[m] = (double)(NOE_STIFFNESS_DIVISOR * (I + (m ? 0 : w->s->beta / h)));
    }
    for (int i = 0; i < n; i++)
        for (int m = 0; m < s; m++) {
            g[i * s + m] = (double)f->w[m] * w->state.p[i] - X[m] * w->state.r[i];
            for (int l = 0; w->scratch.f && l < f->r; l++)
                g[i * s + m] += F[m][l] * w->scratch.f[l][i];
        }
    noe_factorization_solve(w->prepared.whole, g, a);
    for (int i = 0; i < n; i++) {
        w->scratch.d[i] = a[i * s];
        w->scratch.u[i] = 0;
        for (int m = 0; m < s; m++) w->scratch.u[i] += U[m] * a[i * s + m];
        for (int l = 0; l < f->r; l++)
            for (int m = 0; m < s; m++) w->scratch.hv[l][i] += (double)f->l[l][m] * a[i * s + m];
    }
}
