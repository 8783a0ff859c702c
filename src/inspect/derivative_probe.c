/* Evaluates L and its first and second derivatives at a state, in binary128 or rounded to double.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/derivative_probe.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

/* A Lagrangian in C: no derivative is known to be 0, all are evaluated at states. */
static bool open_functions(noe_derivative_probe *x)
{
    const int    n = x->n, N = 2 * n;
    const size_t k = (size_t)n;
    int          next = 2 * n + 1;
    for (int i = 0; i < N * N; i++) x->hess[i] = next++;
    for (int i = 0; i < n * N && x->dyn->f; i++) x->force[i] = next++;
    x->checked = next;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) x->gyro[i * n + j] = next++;
    x->outputs = next;
    x->P_has = NOE_HAS_T | NOE_HAS_Q | NOE_HAS_V;
    x->has = noe_arena_take(x->arena, (size_t)next);
    x->param = noe_arena_take(x->arena, ((size_t)x->dyn->params + 1) * sizeof *x->param);
    x->z = noe_arena_take(x->arena, (9 * k + 6 * k * k) * sizeof *x->z);
    if (!x->has || !x->param || !x->z) return false;
    x->grad = x->z + N, x->late = x->grad + N, x->early = x->late + N;
    x->f = x->early + N, x->hessian = x->f + n, x->dfdz = x->hessian + N * N;
    memset(x->has, x->P_has, (size_t)next);
    return true;
}

bool noe_derivative_probe_open(noe_derivative_probe *x, const noe_system *s, double tick)
{
    const int    n = s->dyn.n;
    const size_t nn = (size_t)n * (size_t)n;
    *x = (noe_derivative_probe){
        .dyn = &s->dyn, .arena = noe_arena_new(), .n = n, .tick = tick, .drain = -1
    };
    x->hess = noe_arena_take(x->arena, 7 * nn * sizeof *x->hess);
    x->cyclic = noe_arena_take(x->arena, (size_t)n * sizeof *x->cyclic);
    if (!x->hess || !x->cyclic) return false;
    x->force = x->hess + 4 * nn, x->gyro = x->force + 2 * nn;
    for (size_t i = 0; i < 7 * nn; i++) x->hess[i] = -1;
    if (!s->model) return open_functions(x);
    if (!noe_derivative_list(x, s)) return false;
    x->input = noe_arena_take(x->arena, (size_t)x->tape->inputs * sizeof *x->input);
    x->slot = noe_arena_take(x->arena, (size_t)x->tape->slots * sizeof *x->slot);
    return x->input && x->slot;
}

void noe_derivative_probe_close(noe_derivative_probe *x)
{
    free(x->tape);
    noe_model_free(x->model);
    noe_arena_free(x->arena);
}

/* Runs the tape as noe_tape_quad_run() of tape/tape_quad.c does, with results rounded to double. */
static void run_rounded(const noe_tape *tape, const quad *input, quad *slot, quad *out)
{
    const noe_ins *i = tape->ins;
    for (int k = 0; k < tape->inputs; k++) slot[k] = (double)input[k];
    for (int k = 0; k < tape->constants; k++) slot[tape->inputs + k] = (double)tape->constant[k];
    for (int k = 0; k < tape->runs; k++)
        for (int left = tape->run[k].count; left > 0; left--, i++) {
            const noe_op op = (noe_op)tape->run[k].op;
            const quad   a = slot[i->a];
            const bool   sum = op == NOE_MULADD || op == NOE_SUBMUL; /* two roundings */
            const double product = sum ? (double)a * (double)slot[i->b] : 0;
            if (op == NOE_SINCOS) slot[i->d] = (double)sinq(a), slot[i->c] = (double)cosq(a);
            else if (sum) slot[i->d] = (double)slot[i->c] + (op == NOE_SUBMUL ? -product : product);
            else
                slot[i->d] = (double)noe_evaluate_apply(op, tape->tables, a, slot[i->b],
                                                        slot[i->c]);
        }
    for (int k = 0; k < tape->outputs; k++) out[k] = slot[tape->out[k]];
}

static double call(noe_derivative_probe *x, double t, double *grad, double *hess)
{
    return x->dyn->L(t, x->z, x->param, grad, hess, x->dyn->ctx);
}

static void run_functions(noe_derivative_probe *x, double t, const quad *q, const quad *v,
                          quad *out)
{
    const int n = x->n, N = 2 * n;
    for (int i = 0; i < n; i++) x->z[i] = (double)q[i], x->z[n + i] = (double)v[i];
    call(x, t + x->tick, x->late, NULL);
    call(x, t - x->tick, x->early, NULL);
    out[2 * n] = call(x, t, x->grad, x->hessian);
    if (x->dyn->f) x->dyn->f(t, x->z, x->param, x->f, x->dfdz, x->dyn->ctx);
    for (int i = 0; i < n; i++) {
        out[n + i] = x->grad[i] + x->f[i];
        out[i] = out[n + i] - (x->late[n + i] - x->early[n + i]) / (2 * x->tick);
        for (int j = 0; j < n; j++) out[i] -= x->hessian[(n + i) * N + j] * v[j];
    }
    for (int i = 0; i < N * N; i++) out[x->hess[i]] = x->hessian[i];
    for (int i = 0; i < n * N && x->dyn->f; i++) out[x->force[i]] = x->dfdz[i];
    for (int i = 0; i < n; i++) x->z[n + i] = 0;
    call(x, t, x->grad, x->hessian);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            out[x->gyro[i * n + j]] = x->hessian[(n + i) * N + j] - x->hessian[(n + j) * N + i];
}

bool noe_derivative_probe_at(noe_derivative_probe *x, quad t, const quad *q, const quad *v,
                             bool rounded, quad *out)
{
    if (!x->tape) {
        run_functions(x, (double)t, q, v, out);
    } else {
        const size_t size = (size_t)x->n * sizeof *q;
        x->input[0] = t;
        memcpy(x->input + noe_tape_input(NOE_Q, 0, x->n), q, size);
        memcpy(x->input + noe_tape_input(NOE_V, 0, x->n), v, size);
        if (rounded) run_rounded(x->tape, x->input, x->slot, out);
        else noe_tape_quad_run(x->tape, x->input, x->slot, out);
    }
    for (int i = 0; i < x->checked; i++)
        if (!finiteq(out[i])) return false;
    return true;
}
