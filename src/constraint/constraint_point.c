/* The constraints of a system at one state, in binary128: g, G, G v + g_t, and G M^-1 G^T.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "constraint/constraint_point.h"

#include "base/status.h"
#include "matrix/small_solve.h"
#include "tape/constraint_functions.h"

#include <stdlib.h>
#include <string.h>

/* ---- functions in C ---- */

typedef struct {
    double *param, *z, *grad, *hess, *force, *outputs, *room; /* parts of x->call */
} call;

static call parts(const noe_constraint_point *x)
{
    const size_t  n = (size_t)x->n, outputs = (size_t)noe_constraint_functions_outputs(x->d);
    double *const p = x->call, *const z = p + x->d->params, *const hess = z + 4 * n;
    return (call){ p,
                   z,
                   z + 2 * n,
                   hess,
                   hess + 4 * n * n,
                   hess + 4 * n * n + n,
                   hess + 4 * n * n + n + outputs };
}

static size_t call_numbers(const noe_dynamics *d)
{
    const size_t n = (size_t)d->n;
    return (size_t)d->params + 5 * n + 4 * n * n + (size_t)noe_constraint_functions_outputs(d)
         + noe_constraint_functions_room(d);
}

void noe_constraint_point_parameters(noe_constraint_point *x, const quad *param, double step)
{
    for (int i = 0; i < x->d->params && x->call; i++) x->call[i] = (double)param[i];
    x->tick = step / 256;
}

/* z = (q, v) of x->in, and L there. */
static void call_L(const noe_constraint_point *x, const call *c, double t, double *hess)
{
    const noe_dynamics *d = x->d;
    for (int j = 0; j < x->n; j++) {
        c->z[j] = (double)x->in[noe_tape_input(NOE_Q, j, x->n)];
        c->z[x->n + j] = (double)x->in[noe_tape_input(NOE_V, j, x->n)];
    }
    d->L(t, c->z, c->param, c->grad, hess, d->ctx);
}

/* M = L_vv of functions in C. */
static void call_masses(noe_constraint_point *x)
{
    const int  n = x->n, N = 2 * n;
    const call c = parts(x);
    call_L(x, &c, (double)x->in[0], c.hess);
    for (int k = 0; k < n * n; k++) x->M[k] = c.hess[(n + k / n) * N + n + k % n];
}

/* F = L_q + f - L_vq v - L_vt of functions in C, L_vt by a difference of order 4. */
static void call_forces(noe_constraint_point *x, quad *F)
{
    static const double weight[] = { 1 / 12., -8 / 12., 8 / 12., -1 / 12. };
    const int           n = x->n, N = 2 * n;
    const double        t = (double)x->in[0], tick = x->tick != 0 ? x->tick : 0x1p-10;
    const call          c = parts(x);
    call_L(x, &c, t, c.hess);
    for (int j = 0; j < n; j++) {
        F[j] = c.grad[j];
        for (int k = 0; k < n; k++) F[j] -= (quad)c.hess[(n + j) * N + k] * c.z[n + k];
    }
    if (x->d->f) x->d->f(t, c.z, c.param, c.force, NULL, x->d->ctx);
    for (int j = 0; j < n && x->d->f; j++) F[j] += c.force[j];
    for (int i = 0; i < 4; i++) {
        call_L(x, &c, t + (i < 2 ? i - 2 : i - 1) * tick, NULL);
        for (int j = 0; j < n; j++) F[j] -= (quad)weight[i] * c.grad[n + j] / tick;
    }
}

/* ---- a point ---- */

void noe_constraint_point_outputs(noe_constraint_point *x)
{
    if (x->d->constraint) {
        noe_tape_quad_run(x->d->constraint, x->in, x->slot, x->out);
        return;
    }
    const call c = parts(x);
    for (int j = 0; j < x->n; j++) c.z[j] = (double)x->in[noe_tape_input(NOE_Q, j, x->n)];
    noe_constraint_functions_at(x->d, (double)x->in[0], c.z, c.param, c.room, c.outputs);
    for (int o = 0; o < noe_constraint_functions_outputs(x->d); o++) x->out[o] = c.outputs[o];
}

noe_constraint_point *noe_constraint_point_new(const noe_dynamics *d)
{
    const noe_tape *const tape[] = { d->constraint, d->velocity_terms, d->legendre, d->hessian,
                                     d->rate };
    const size_t          n = (size_t)d->n, m = (size_t)d->constraints;
    size_t                slots = 0, outputs = (size_t)noe_constraint_functions_outputs(d);
    for (size_t k = 0; k < sizeof tape / sizeof *tape; k++) {
        if (tape[k] && (size_t)tape[k]->slots > slots) slots = (size_t)tape[k]->slots;
        if (tape[k] && (size_t)tape[k]->outputs > outputs) outputs = (size_t)tape[k]->outputs;
    }
    const size_t inputs = (size_t)noe_tape_inputs(d->n), all = inputs + slots + outputs + 6 * m
                                                             + 2 * m * n + n * n + 2 * m * m
                                                             + (n * n + n + 2 * m + m * m + m * n);
    noe_constraint_point *x = noe_status_alloc(1, sizeof *x);
    if (!x) return NULL;
    x->d = d, x->n = d->n, x->m = d->constraints;
    x->in = noe_status_alloc(all, sizeof *x->in);
    x->order = noe_status_alloc(m, sizeof *x->order);
    x->left_out = noe_status_alloc(m, sizeof *x->left_out);
    x->call = d->constraint_function ? noe_status_alloc(call_numbers(d), sizeof *x->call) : NULL;
    if (!x->in || !x->order || !x->left_out || (d->constraint_function && !x->call)) {
        noe_constraint_point_free(x);
        return NULL;
    }
    x->slot = x->in + inputs, x->out = x->slot + slots, x->g = x->out + outputs;
    x->rate = x->g + m;
    x->hidden = x->rate + m;
    x->size = x->hidden + m;
    x->constants = x->size + m;
    x->scale = x->constants + m;
    x->G = x->scale + m;
    x->M = x->G + m * n, x->NG = x->M + n * n, x->S = x->NG + m * n, x->root = x->S + m * m;
    x->work = x->root + m * m;
    return x;
}

void noe_constraint_point_free(noe_constraint_point *x)
{
    if (!x) return;
    free(x->in), free(x->order), free(x->left_out), free(x->call), free(x);
}

/* Column c of the factor, and what it takes off the pivots `left`.  Of row c only the entries that
 * are not 0 are used: the factor of a chain or a tree is sparse. */
static void add_column(noe_constraint_point *x, int c, quad *left)
{
    const int m = x->m, a = x->order[c];
    quad     *R = x->root;
    int       filled[c + 1], count = 0; /* the columns j < c with R_cj != 0 */
    for (int j = 0; j < c; j++)
        if (R[c * m + j] != 0) filled[count++] = j;
    R[c * m + c] = sqrtq(left[a]);
    for (int i = c + 1; i < m; i++) {
        const int  b = x->order[i];
        const quad S = x->S[a * m + b], unit = S == 0 ? 0 : x->scale[a] * x->scale[b];
        quad       sum = unit > 0 ? S / unit : 0;
        for (int k = 0; k < count; k++) sum -= R[i * m + filled[k]] * R[c * m + filled[k]];
        R[i * m + c] = sum == 0 ? 0 : sum / R[c * m + c];
        if (sum != 0) left[b] -= R[i * m + c] * R[i * m + c];
    }
}

/* Pivoted Cholesky factorization of S scaled to a diagonal of 1: root, order, rank. */
static void find_rank(noe_constraint_point *x, double least)
{
    const int  m = x->m;
    quad      *R = x->root, *left = x->work;
    const quad equal = (quad)1e-9; /* equal pivots differ by this; in systems/ 5e-11, 1e-9 occur */
    for (int a = 0; a < m; a++) {
        x->order[a] = a, left[a] = !x->left_out[a] && x->S[a * m + a] > 0;
        x->scale[a] = sqrtq(x->S[a * m + a]);
    }
    x->rank = 0;
    for (int c = 0; c < m; c++) {
        int top = c;
        for (int a = c + 1; a < m; a++) /* the first of equals: a later copy is the dependent one */
            if (left[x->order[a]] > left[x->order[top]] * (1 + equal)) top = a;
        const int a = x->order[top];
        if (!(left[a] > least)) return;
        for (int k = top; k > c; k--) x->order[k] = x->order[k - 1];
        x->order[c] = a;
        for (int k = top; k > c; k--)
            for (int j = 0; j < c; j++) {
                const quad keep = R[k * m + j];
                R[k * m + j] = R[(k - 1) * m + j], R[(k - 1) * m + j] = keep;
            }
        add_column(x, c, left);
        x->rank++;
    }
}

void noe_constraint_point_solve(const noe_constraint_point *x, const quad *b, quad *to)
{
    const int   m = x->m, r = x->rank;
    const quad *R = x->root;
    quad        y[m];
    for (int a = 0; a < m; a++) to[a] = 0;
    for (int i = 0; i < r; i++) {
        y[i] = b[x->order[i]] / x->scale[x->order[i]];
        for (int j = 0; j < i; j++) y[i] -= R[i * m + j] * y[j];
        y[i] /= R[i * m + i];
    }
    for (int i = r; i-- > 0;) {
        for (int j = i + 1; j < r; j++) y[i] -= R[j * m + i] * y[j];
        y[i] /= R[i * m + i];
    }
    for (int i = 0; i < r; i++) to[x->order[i]] = y[i] / x->scale[x->order[i]];
}

int noe_constraint_point_leave_out(noe_constraint_point *x, const quad *left_out)
{
    int count = 0;
    for (int a = 0; a < x->m; a++) count += x->left_out[a] = left_out[a] != 0;
    return count;
}

/* S = D L L^T D, D = diag(sqrt(S_aa)), L [m][rank] in x->root, rows in x->order.  Returns the
 * Cholesky factor of K = L^T L [rank][rank], in scratch. */
static quad *gram(const noe_constraint_point *x)
{
    const int   m = x->m, r = x->rank;
    const quad *L = x->root;
    quad       *K = x->work + x->n * x->n + x->n + 2 * m;
    for (int i = 0; i < r; i++)
        for (int j = 0; j <= i; j++) {
            quad sum = 0;
            for (int k = i; k < m; k++) sum += L[k * m + i] * L[k * m + j];
            for (int k = 0; k < j; k++) sum -= K[i * r + k] * K[j * r + k];
            K[i * r + j] = i == j ? sqrtq(sum) : sum / K[j * r + j];
        }
    return K;
}

/* y <- K^-1 y with the factor of gram(). */
static void gram_solve(const quad *K, int r, quad *y)
{
    for (int i = 0; i < r; i++) {
        for (int j = 0; j < i; j++) y[i] -= K[i * r + j] * y[j];
        y[i] /= K[i * r + i];
    }
    for (int i = r; i-- > 0;) {
        for (int j = i + 1; j < r; j++) y[i] -= K[j * r + i] * y[j];
        y[i] /= K[i * r + i];
    }
}

/* to = the solution of S x = b with the least |D x|: D^-1 L K^-2 L^T D^-1 b. */
static void solve_least(const noe_constraint_point *x, const quad *b, quad *to)
{
    const int   m = x->m, r = x->rank;
    const quad *L = x->root, *K = gram(x);
    quad        y[r + 1];
    for (int i = 0; i < r; i++) {
        y[i] = 0;
        for (int k = i; k < m; k++)
            if (x->scale[x->order[k]] > 0)
                y[i] += L[k * m + i] * b[x->order[k]] / x->scale[x->order[k]];
    }
    gram_solve(K, r, y), gram_solve(K, r, y);
    for (int k = 0; k < m; k++) {
        const int a = x->order[k];
        to[a] = 0;
        for (int j = 0; j <= k && j < r; j++) to[a] += L[k * m + j] * y[j];
        to[a] = x->scale[a] > 0 ? to[a] / x->scale[a] : 0;
    }
}

void noe_constraint_point_unique(const noe_constraint_point *x, bool *unique)
{
    const quad none = (quad)1e-9; /* squared part in the null space of S; in systems/ 0, >= 0.025 */
    const int  m = x->m, r = x->rank;
    const quad *L = x->root, *K = gram(x);
    quad        y[r + 1];
    for (int k = 0; k < m; k++) { /* 1 - (L K^-1 L^T)_kk */
        quad rest = 1;
        for (int j = 0; j < r; j++) y[j] = j <= k ? L[k * m + j] : 0;
        gram_solve(K, r, y);
        for (int j = 0; j <= k && j < r; j++) rest -= L[k * m + j] * y[j];
        unique[x->order[k]] = rest < none;
    }
}

/* M = L_vv. */
static void masses(noe_constraint_point *x)
{
    const noe_dynamics *d = x->d;
    const size_t        n = (size_t)x->n;
    if (!d->legendre) {
        call_masses(x);
        return;
    }
    noe_tape_quad_run(d->legendre, x->in, x->slot, x->out);
    memset(x->M, 0, n * n * sizeof *x->M);
    for (int k = 0; k < d->masses; k++)
        x->M[d->mass[k].row * x->n + d->mass[k].col] = x->out[d->mass[k].output];
}

void noe_constraint_point_at(noe_constraint_point *x, quad t, const quad *q, const quad *v,
                             double least)
{
    const noe_dynamics *d = x->d;
    const int           n = x->n, m = x->m;
    quad               *A = x->work, *B = A + n * n; /* B = M^-1 G^T [n][m] */
    memset(x->in, 0, (size_t)noe_tape_inputs(n) * sizeof *x->in);
    x->in[0] = t;
    memcpy(x->in + noe_tape_input(NOE_Q, 0, n), q, (size_t)n * sizeof *q);
    memcpy(x->in + noe_tape_input(NOE_V, 0, n), v, (size_t)n * sizeof *v);
    noe_constraint_point_outputs(x);
    memset(x->G, 0, (size_t)(m * n) * sizeof *x->G);
    for (int a = 0; a < m; a++) {
        x->g[a] = x->out[a];
        x->rate[a] = x->hidden[a] = x->out[m + a];
        x->size[a] = 0;
        x->constants[a] = x->out[noe_constraint_functions_constants(d) + a];
    }
    for (const noe_constraint_entry *y = d->G_entry; y < d->G_entry + d->G_entries; y++) {
        const quad G = x->out[y->output];
        x->G[y->constraint * n + y->row] = G;
        x->hidden[y->constraint] += G * v[y->row];
        x->size[y->constraint] = hypotq(x->size[y->constraint], G);
    }
    masses(x);
    memcpy(A, x->M, (size_t)(n * n) * sizeof *A);
    for (int a = 0; a < m; a++)
        for (int j = 0; j < n; j++) B[j * m + a] = x->G[a * n + j];
    x->regular = noe_small_solve_columns(A, n, B, m);
    quad sum = 0;
    for (int a = 0; a < m; a++)
        for (int j = 0; j < n; j++) x->NG[a * n + j] = B[j * m + a];
    memset(x->S, 0, (size_t)(m * m) * sizeof *x->S);
    for (const noe_constraint_entry *y = d->G_entry; y < d->G_entry + d->G_entries; y++)
        for (int b = 0; b < m; b++) {
            const quad NG = x->NG[b * n + y->row];
            if (NG != 0) x->S[y->constraint * m + b] += x->G[y->constraint * n + y->row] * NG;
        }
    for (int a = 0; a < m; a++) {
        sum += x->hidden[a] + x->g[a];
        for (int b = 0; b < m; b++)
            if (x->S[a * m + b] != 0) sum += x->S[a * m + b];
    }
    x->regular = x->regular && finiteq(sum);
    x->rank = 0;
    if (x->regular) find_rank(x, least);
}

/* F = L_q + forces - L_vq v - L_vt. */
static void forces(noe_constraint_point *x, quad *F)
{
    const noe_dynamics *d = x->d;
    const int           n = x->n;
    const quad         *v = x->in + noe_tape_input(NOE_V, 0, n);
    if (!d->hessian) {
        call_forces(x, F);
        return;
    }
    noe_tape_quad_run(d->hessian, x->in, x->slot, x->out);
    memcpy(F, x->out, (size_t)n * sizeof *F);
    for (const noe_entry *y = d->entry; y < d->entry + d->entries; y++)
        if (y->kind == NOE_D_PQ) F[y->row] -= x->out[y->output] * v[y->col];
    if (!d->rate) return;
    noe_tape_quad_run(d->rate, x->in, x->slot, x->out);
    for (int j = 0; j < n; j++) F[j] -= x->out[j];
}

/* x->out = g_tt + 2 g_tq v + v.g_qq v. */
static void velocity_terms(noe_constraint_point *x)
{
    if (x->d->velocity_terms) {
        noe_tape_quad_run(x->d->velocity_terms, x->in, x->slot, x->out);
        return;
    }
    noe_constraint_point_outputs(x);
    const call c = parts(x);
    for (int j = 0; j < x->n; j++) c.z[x->n + j] = (double)x->in[noe_tape_input(NOE_V, j, x->n)];
    noe_constraint_functions_velocity_terms(x->d, c.z + x->n, c.room, c.outputs);
    for (int a = 0; a < x->m; a++) x->out[a] = c.outputs[a];
}

void noe_constraint_point_multipliers(noe_constraint_point *x, quad *lambda)
{
    const int n = x->n, m = x->m;
    quad     *F = x->work, *b = F + n;
    forces(x, F), velocity_terms(x);
    for (int a = 0; a < m; a++) {
        b[a] = -x->out[a];
        for (int j = 0; j < n; j++) b[a] -= x->NG[a * n + j] * F[j];
    }
    if (x->rank < m) solve_least(x, b, lambda);
    else noe_constraint_point_solve(x, b, lambda);
}

void noe_constraint_point_pushes(noe_constraint_point *x, quad h, quad *push)
{
    const int n = x->n, m = x->m;
    quad      lambda[m];
    noe_constraint_point_multipliers(x, lambda);
    for (int j = 0; j < n; j++) {
        push[j] = 0;
        for (int a = 0; a < m; a++) push[j] += fabsq(x->G[a * n + j] * lambda[a]);
        push[j] *= fabsq(h / x->M[j * n + j]);
        if (!finiteq(push[j])) push[j] = 0; /* at a dead point no force is known */
    }
}
