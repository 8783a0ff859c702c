/* The two ends of the way back: lambda = dJ/d(q, p) from weights of a row, gradient at the start.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * dv = L_vv^-1 (dp - L_vq dq - P_c dc): w = dJ/dv gives z = L_vv^-1 w to p, -L_vq^T z to q, and
 * -z.P_c to c.  At a start where v is given, p = L_v(q, v) moves with q, v and c. */
#include "base/status.h"
#include "gradient/adjoint_tapes.h"
#include "matrix/small_solve.h"

#include <stdlib.h>
#include <string.h>

/* A tape at a state; y: what stands in place of the momenta.  One block of memory to be freed,
 * with the outputs in *out; NULL with a message. */
static void *evaluate(const noe_tape *tape, int n, const noe_row_state *s, const quad *y,
                      const quad **out)
{
    const size_t inputs = (size_t)tape->inputs, numbers = (size_t)n;
    quad        *in = noe_status_alloc(inputs + (size_t)(tape->slots + tape->outputs), sizeof *in);
    if (!in) return NULL;
    in[0] = s->t;
    memcpy(in + noe_tape_input(NOE_Q, 0, n), s->q, numbers * sizeof *in);
    memcpy(in + noe_tape_input(NOE_V, 0, n), s->v, numbers * sizeof *in);
    memcpy(in + noe_tape_input(NOE_P, 0, n), y, numbers * sizeof *in);
    in[noe_tape_input(NOE_H, 0, n)] = s->H;
    noe_tape_quad_run(tape, in, in + inputs, in + inputs + tape->slots);
    *out = in + inputs + tape->slots;
    return in;
}

bool noe_adjoint_ends_momenta(const noe_dynamics *d, const noe_row_state *s, const quad *y,
                              quad *by)
{
    const noe_tape *tape = d->momentum_adjoint;
    const quad     *out;
    if (!tape) return true;
    void *memory = evaluate(tape, d->n, s, y, &out);
    for (int k = 0; memory && k < tape->outputs; k++) by[d->momentum_by[k]] += out[k];
    free(memory);
    return memory != NULL;
}

/* The parts of energy and observables; w [3n + 1]: weights of q, v, p and energy, to which the
 * observables add. */
static bool add_rows(const noe_dynamics *d, const noe_row_state *s, const quad *weight, quad *w,
                     quad *by)
{
    const noe_adjoint_tapes *a = d->adjoint;
    const int                n = d->n;
    const quad              *out;
    void                    *memory = evaluate(a->rows, n, s, s->p, &out);
    if (!memory) return false;
    for (int pass = 0; pass < 2; pass++) /* the energy last */
        for (const noe_row_entry *y = a->entry; y < a->entry + a->entries; y++) {
            const quad by_much = y->row ? weight[3 * n + y->row] : w[3 * n];
            if ((pass == 0) == (y->row == 0) || by_much == 0) continue;
            if (y->leaf <= 3 * n) w[y->leaf] += by_much * out[y->output];
            else by[y->leaf - 3 * n - 1] += by_much * out[y->output];
        }
    free(memory);
    return true;
}

/* w = dJ/d(q, v, p) becomes one by q and p. */
static bool add_velocities(const noe_dynamics *d, const noe_row_state *s, quad *w, quad *by)
{
    const int     n = d->n;
    noe_state_jet y;
    void         *memory = noe_state_jet_at(d, s->t, s->q, s->v, &y);
    quad *const   z = w + n;
    bool          ok = memory && noe_small_solve_columns(y.M, n, z, 1);
    if (memory && !ok)
        noe_status_fail(NOE_SINGULAR, "%s: L_vv is singular at t = %.12g: no derivative there",
                        d->model->name, (double)s->t);
    for (int i = 0; ok && i < n; i++) {
        w[2 * n + i] += z[i];
        for (int j = 0; j < n; j++) w[j] -= y.G[i * n + j] * z[i];
        z[i] = -z[i];
    }
    free(memory);
    return ok && noe_adjoint_ends_momenta(d, s, z, by);
}

static bool any(const quad *x, int count)
{
    for (int i = 0; i < count; i++)
        if (x[i] != 0) return true;
    return false;
}

bool noe_adjoint_ends_row(const noe_dynamics *d, const noe_row_state *s, const quad *weight,
                          quad *lambda, quad *by)
{
    const int n = d->n;
    quad      w[3 * n + 1];
    memcpy(w, weight, sizeof w);
    if (any(weight + 3 * n, 1 + d->model->observables) && !add_rows(d, s, weight, w, by))
        return false;
    if (any(w + n, n) && !add_velocities(d, s, w, by)) return false;
    for (int i = 0; i < n; i++) lambda[i] += w[i], lambda[n + i] += w[2 * n + i];
    return true;
}

/* lambda by q and by what is given of each coordinate, v or p; beta: weights of P_c. */
static bool to_given(const noe_dynamics *d, const noe_state_jet *y, quad *lambda, quad *beta)
{
    const int              n = d->n;
    const noe_begin *const b = d->model->begin;
    quad                   A[n * n], second[n];
    for (int i = 0; i < n; i++) { /* M_oo w = M_og lambda_g, o: where p is given */
        beta[i] = 0;
        for (int j = 0; j < n; j++) {
            A[i * n + j] = b[i].has_p && b[j].has_p ? y->M[i * n + j] : (quad)(i == j);
            if (b[i].has_p && !b[j].has_p) beta[i] += y->M[i * n + j] * lambda[n + j];
        }
    }
    if (!noe_small_solve_columns(A, n, beta, 1)) return false;
    for (int i = 0; i < n; i++) {
        second[i] = b[i].has_p ? lambda[n + i] + beta[i] : (quad)0;
        beta[i] = b[i].has_p ? -beta[i] : lambda[n + i];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            lambda[j] += y->G[i * n + j] * beta[i];
            if (!b[j].has_p) second[j] += y->M[i * n + j] * beta[i];
        }
    memcpy(lambda + n, second, sizeof second);
    return true;
}

void noe_adjoint_ends_given(const noe_dynamics *d, const quad *lambda, quad *by)
{
    const int                n = d->n, params = d->model->params;
    const noe_adjoint_tapes *a = d->adjoint;
    for (int k = a->starts; k-- > 0;) { /* a parameter follows earlier ones alone */
        const noe_start_entry *e = &a->start[k];
        const int              i = (e->of - params) / 3, kind = (e->of - params) % 3;
        const bool             momentum = e->of >= params && d->model->begin[i].has_p;
        if (e->of < params) by[e->by] += by[e->of] * e->value;
        else if (kind == 0) by[e->by] += lambda[i] * e->value;
        else if ((kind == 2) == momentum) by[e->by] += lambda[n + i] * e->value;
    }
}

bool noe_adjoint_ends_start(const noe_dynamics *d, quad t, const quad *q, const quad *v,
                            quad *lambda, quad *by)
{
    const noe_row_state s = { .t = t, .q = q, .v = v, .p = v };
    noe_state_jet       y;
    quad                beta[d->n];
    void               *memory = noe_state_jet_at(d, t, q, v, &y);
    const bool          ok = memory && to_given(d, &y, lambda, beta);
    if (memory && !ok)
        noe_status_fail(NOE_NOT_FINITE, "%s: the start has no finite derivatives", d->model->name);
    free(memory);
    if (!ok || !noe_adjoint_ends_momenta(d, &s, beta, by)) return false;
    noe_adjoint_ends_given(d, lambda, by);
    return true;
}
