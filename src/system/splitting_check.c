/* Checks whether a splitting method can step a system: L_vq = 0, L_vv constant, f affine in v.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The Hessian is evaluated at random states around the start, in binary128, or in double for
 * functions in C.  Entries that are not in its list are 0 as expressions; for the others the
 * numbers decide.  An entry that is identically 0 leaves rounding errors, some 1e-33 of the terms
 * that cancel; an entry taken for 0 by mistake would have to be below ENTRY_ZERO at every state. */
#include "system/splitting_check.h"

#include "base/status.h"
#include "matrix/structure.h"
#include "system/zero_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 24 }; /* the start and random states */
/* Scales of the random states of the zero test: times 1 + |q|, of velocities, of times.  Nearer
 * than its own, since functions in C may be good near the start alone. */
static const double NEAR_START = 0.1, SPEED = 0.3, TIME = 10;
/* Part of the mass, and of the terms, below which a number is 0: in binary128, and of functions in
 * C, in double.  Far above the part of the zero test (system/zero_test.c): an entry of the Hessian
 * comes without the sizes of the terms that cancel in it. */
static const double ENTRY_ZERO = 1e-20, ENTRY_ZERO_OF_C = 1e-9;

typedef struct {
    const noe_system *s;          /* the system */
    const char       *method;     /* name of the method, for messages */
    const quad       *param;      /* parameters of the system */
    int               n;          /* number of coordinates */
    noe_zero_states   at;         /* the states, in the order of the Hessian tape's inputs */
    quad             *q0, *speed; /* [n] each: the start; velocities of the present state */
    quad             *input, *slot, *out; /* of the Hessian tape */
    quad             *q, *v;              /* [n] each: the present state, part of input */
    quad             *M, *P0;             /* [n][n] L_vv and [n] L_v at rest of the first state */
    quad             *G, *F0;             /* [n][n] f_v and [n] F of the present state at rest */
    quad              mass, damping, coupling;      /* largest entries so far */
    double           *z, *grad, *hess, *dfdz, *own; /* arguments and results of functions in C */
    double            tolerance;                    /* relative size below which a number is 0 */
} splitting_survey;

/* F, P and D at the present state into x->out, in the order of the Hessian tape; are they
 * finite? */
static bool evaluate(splitting_survey *x)
{
    const noe_dynamics *d = &x->s->dyn;
    const int           n = x->n, N = 2 * n;
    int                 outputs = N;
    if (!d->L) {
        noe_tape_quad_run(d->hessian, x->input, x->slot, x->out);
        outputs = d->hessian->outputs;
    } else {
        double force[n + 1];
        for (int i = 0; i < N; i++) x->z[i] = (double)x->q[i];
        d->L((double)x->input[0], x->z, x->own, x->grad, x->hess, d->ctx);
        if (d->f) d->f((double)x->input[0], x->z, x->own, force, x->dfdz, d->ctx);
        for (int i = 0; i < N; i++) x->out[i] = x->grad[i] + (d->f && i < n ? force[i] : 0);
        for (int i = 0; i < N * N; i++)
            x->out[N + i] = x->hess[i] + (d->f && i < n * N ? x->dfdz[i] : 0);
        outputs += N * N;
    }
    quad finite_probe = 0;
    for (int i = 0; i < outputs; i++) finite_probe += x->out[i] - x->out[i];
    return finite_probe == 0;
}

static quad entry(const splitting_survey *x, const noe_entry *y) { return x->out[y->output]; }

/* The message that names the entry d2L/d(row') d(col), or d(col') where `mass`, as the obstacle. */
static noe_status refuse(const splitting_survey *x, const noe_entry *y, bool mass)
{
    const noe_system *s = x->s;
    return noe_status_fail(NOE_INVALID,
                           "%s: method '%s' splits L = v.M v/2 - V(q, t), M constant, into kicks "
                           "and drifts: here d2L/d(%s')d(%s%s) is not %s; take \"simpson\"",
                           s->source, x->method, noe_system_name(s, y->row),
                           noe_system_name(s, y->col), mass ? "'" : "",
                           mass ? "constant, the mass depends on the state or on t"
                                : "0, a term contains both");
}

/* Checks that L_vq = 0 and that L_vv is that of the first state. */
static noe_status separable(splitting_survey *x, bool first)
{
    const noe_dynamics *d = &x->s->dyn;
    const int           n = x->n;
    quad                fast = 0;
    for (int i = 0; i < n; i++) fast = fmaxq(fast, fabsq(x->v[i]));
    if (first) memset(x->M, 0, (size_t)(n * n) * sizeof *x->M);
    for (const noe_entry *y = d->entry; y < d->entry + d->entries; y++)
        if (y->kind == NOE_D_PV) {
            if (first) x->M[y->row * n + y->col] = entry(x, y);
            x->mass = fmaxq(x->mass, fabsq(entry(x, y)));
        }
    for (const noe_entry *y = d->entry; y < d->entry + d->entries; y++) {
        if (y->kind == NOE_D_PQ && fabsq(entry(x, y)) > x->tolerance * x->mass * fmaxq(fast, 1))
            return refuse(x, y, false);
        if (y->kind == NOE_D_PV
            && fabsq(entry(x, y) - x->M[y->row * n + y->col]) > x->tolerance * x->mass)
            return refuse(x, y, true);
    }
    return NOE_OK;
}

/* L depends on the velocity of coordinate i otherwise than as v.M v/2: it `verb` q' `how`. */
static noe_status refuse_velocity(const splitting_survey *x, int i, const char *verb,
                                  const char *how)
{
    return noe_status_fail(
        NOE_INVALID,
        "%s: method '%s' splits L = v.M v/2 - V(q, t) into kicks and drifts: here L %s %s' %s; "
        "take \"simpson\"",
        x->s->source, x->method, verb, noe_system_name(x->s, i), how);
}

/* Checks that L_v at rest is that of the first state. */
static noe_status check_at_rest(splitting_survey *x, bool first)
{
    for (int i = 0; i < x->n; i++) {
        const quad P = x->out[x->n + i];
        if (first) x->P0[i] = P;
        if (fabsq(P - x->P0[i]) > x->tolerance * (x->mass + fabsq(P)))
            return refuse_velocity(x, i, "contains", "times something that is not constant");
    }
    return NOE_OK;
}

/* Does a force depend on coordinates other than its own?  Updates x->coupling. */
static void couple(splitting_survey *x)
{
    const noe_dynamics *d = &x->s->dyn;
    for (const noe_entry *y = d->entry; y < d->entry + d->entries; y++)
        if (y->kind == NOE_D_FQ && y->row != y->col)
            x->coupling = fmaxq(x->coupling, fabsq(entry(x, y)));
}

static void keep_rest(splitting_survey *x)
{
    const noe_dynamics *d = &x->s->dyn;
    memcpy(x->F0, x->out, (size_t)x->n * sizeof *x->F0);
    memset(x->G, 0, (size_t)(x->n * x->n) * sizeof *x->G);
    for (const noe_entry *y = d->entry; y < d->entry + d->entries; y++)
        if (y->kind == NOE_D_FV) x->G[y->row * x->n + y->col] = entry(x, y);
}

static noe_status refuse_nonlinear_force(const splitting_survey *x, int row, int col)
{
    return noe_status_fail(
        NOE_INVALID,
        "%s: method '%s' takes forces that are linear in the velocities into its kicks: "
        "here the force on %s is not linear in %s%s; take \"simpson\"",
        x->s->source, x->method, noe_system_name(x->s, row),
        col < 0 ? "the velocities" : noe_system_name(x->s, col), col < 0 ? "" : "'");
}

/* Checks that f_v is that at rest, x->G. */
static noe_status affine(splitting_survey *x)
{
    const noe_dynamics *d = &x->s->dyn;
    for (const noe_entry *y = d->entry; y < d->entry + d->entries; y++) {
        if (y->kind != NOE_D_FV) continue;
        const quad G = entry(x, y), old = x->G[y->row * x->n + y->col];
        x->damping = fmaxq(x->damping, fmaxq(fabsq(G), fabsq(old)));
        if (fabsq(G - old) > x->tolerance * (x->mass + x->damping))
            return refuse_nonlinear_force(x, y->row, y->col);
    }
    return NOE_OK;
}

/* Checks F = F_0 + G v, P = P_0 + M v: derivatives alone do not show a jump such as dry
 * friction. */
static noe_status check_affine(splitting_survey *x)
{
    const int n = x->n;
    for (int i = 0; i < n; i++) {
        quad F = x->F0[i], P = x->P0[i], size = fabsq(F), weight = fabsq(P);
        for (int j = 0; j < n; j++) {
            const quad f = x->G[i * n + j] * x->v[j], p = x->M[i * n + j] * x->v[j];
            F += f, size += fabsq(f), P += p, weight += fabsq(p);
        }
        if (fabsq(x->out[i] - F) > x->tolerance * (x->mass + size + fabsq(x->out[i])))
            return refuse_nonlinear_force(x, i, -1);
        if (fabsq(x->out[n + i] - P) > x->tolerance * (x->mass + weight))
            return refuse_velocity(x, i, "depends on", "in another way");
    }
    return NOE_OK;
}

/* Checks the present state twice: at rest, then moving.  *finite: were both? */
static noe_status look_at(splitting_survey *x, bool first, bool *finite)
{
    const size_t bytes = (size_t)x->n * sizeof *x->v;
    memcpy(x->speed, x->v, bytes), memset(x->v, 0, bytes);
    *finite = evaluate(x);
    if (!*finite) return NOE_OK;
    noe_status s = separable(x, first);
    if (!s) s = check_at_rest(x, first);
    couple(x);
    keep_rest(x);
    memcpy(x->v, x->speed, bytes);
    *finite = !s && evaluate(x);
    if (*finite) s = separable(x, false);
    if (*finite && !s) s = affine(x);
    if (*finite && !s) s = check_affine(x);
    return s;
}

/* The time and the positions of the start. */
static void place(splitting_survey *x)
{
    x->input[0] = x->at.around.t0;
    for (int i = 0; i < x->n; i++) x->q[i] = (double)x->q0[i];
}

static noe_status look(splitting_survey *x)
{
    bool finite;
    noe_zero_test_begin(&x->at, 41);
    noe_zero_test_draw(&x->at.around, 1, &x->at.seed, x->q, x->v);
    place(x);
    noe_status s = look_at(x, true, &finite);
    for (int seen = finite; !s && seen < STATES && noe_zero_test_next(&x->at, finite);) {
        s = look_at(x, seen == 0, &finite);
        seen += finite;
    }
    return s;
}

/* max_i sum_j |G M^-1|_ij at the start, by elimination. */
static double rate(splitting_survey *x)
{
    const int n = x->n;
    place(x);
    memset(x->v, 0, (size_t)n * sizeof *x->v);
    if (!evaluate(x)) return 0;
    keep_rest(x);
    for (int c = 0; c < n; c++) { /* columns: G <- G M^-1 with M = L D L^T on the fly */
        const quad pivot = x->M[c * n + c];
        if (pivot == 0) return INFINITY;
        for (int k = 0; k < n; k++) {
            if (k == c) continue;
            const quad f = x->M[c * n + k] / pivot;
            for (int i = 0; i < n && f != 0; i++) {
                x->M[i * n + k] -= f * x->M[i * n + c];
                x->G[i * n + k] -= f * x->G[i * n + c];
            }
        }
        for (int i = 0; i < n; i++) x->M[i * n + c] /= pivot, x->G[i * n + c] /= pivot;
    }
    quad most = 0;
    for (int i = 0; i < n; i++) {
        quad sum = 0;
        for (int j = 0; j < n; j++) sum += fabsq(x->G[i * n + j]);
        most = fmaxq(most, sum);
    }
    return (double)most;
}

static bool allocate(splitting_survey *x, quad **block, double **small)
{
    const noe_dynamics *d = &x->s->dyn;
    const size_t        n = (size_t)x->n, N = 2 * n, inputs = (size_t)noe_tape_inputs(x->n);
    const size_t        slots = d->L ? 0 : (size_t)d->hessian->slots,
                 outputs = d->L ? N + N * N : (size_t)d->hessian->outputs;
    *block = noe_status_alloc(inputs + slots + outputs + 2 * n * n + 7 * n, sizeof **block);
    *small = noe_status_alloc(N + N + N * N + n * N + (size_t)d->params, sizeof **small);
    if (!*block || !*small) return false;
    x->input = *block;
    x->slot = x->input + inputs;
    x->out = x->slot + slots;
    x->q0 = x->out + outputs;
    x->M = x->q0 + n, x->G = x->M + n * n, x->P0 = x->G + n * n, x->F0 = x->P0 + n;
    x->speed = x->F0 + n;
    quad *const v0 = x->speed + n, *const q_scale = v0 + n, *const v_scale = q_scale + n;
    x->at = (noe_zero_states){ .in = x->input,
                               .around = { x->n, x->q0, v0, 0, TIME, q_scale, v_scale } };
    x->q = x->input + 1, x->v = x->q + n;
    x->z = *small;
    x->grad = x->z + N;
    x->hess = x->grad + N;
    x->dfdz = x->hess + N * N;
    x->own = x->dfdz + n * N;
    for (int i = 0; i < d->params; i++) x->own[i] = x->param ? (double)x->param[i] : 0;
    return true;
}

noe_status noe_splitting_check_system(const noe_system *s, const char *method, const quad *q0,
                                      const quad *param, noe_splitting_check *to)
{
    splitting_survey x = { .s = s,
                           .method = method,
                           .param = param,
                           .n = s->dyn.n,
                           .tolerance = s->dyn.L ? ENTRY_ZERO_OF_C : ENTRY_ZERO };
    quad            *block = NULL;
    double          *small = NULL;
    *to = (noe_splitting_check){ 0 };
    if (!s->dyn.L && !s->dyn.hessian) { /* sums not written out, or matrices: see select_engine.c */
        const noe_structure *x = s->dyn.structure;
        to->damped = x && (x->C || x->alpha != 0 || x->beta != 0);
        to->coupled = x != NULL;
        return NOE_OK;
    }
    noe_status status = allocate(&x, &block, &small) ? NOE_OK : NOE_NO_MEMORY;
    if (!status) {
        const noe_zero_region *const to = &x.at.around;
        for (int i = 0; i < x.n; i++) {
            x.q0[i] = q0 ? q0[i] : s->model ? s->model->begin[i].q : 0;
            to->q[i] = NEAR_START * (1 + fabsq(x.q0[i])), to->v[i] = SPEED;
        }
        x.at.around.t0 = s->model ? s->model->t0 : 0;
        status = look(&x);
    }
    if (!status) {
        to->damped = x.damping > x.tolerance * x.mass;
        to->coupled = x.coupling > x.tolerance * x.mass;
        to->rate = to->damped ? rate(&x) : 0;
    }
    free(block);
    free(small);
    return status;
}

double noe_splitting_check_growth(const noe_splitting_check *x, const noe_method *f, double step)
{
    double worst = 0;
    for (int i = f->drift_first; f->kind == NOE_SPLITTING && i < f->flows; i += 2)
        worst = fmax(worst, -(double)f->flow[i]);
    return exp(x->rate * worst * fabs(step));
}
