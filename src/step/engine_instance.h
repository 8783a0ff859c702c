/* The functions of noe_engine (set, get, start, step, ..) for the `real` of the including file.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_STEP_ENGINE_INSTANCE_H
#define NOE_STEP_ENGINE_INSTANCE_H

#include "step/composition_step.h"
#include "step/engine_setup.h"
#include "step/fractional_prediction.h"
#include "step/runge_kutta_jacobian.h"
#include "step/splitting_jacobian.h"

/* The numbers of the engine state that a noe_engine_value reads, and how many; NULL for what has to be
 * computed. */
static real *numbers_of(work *w, noe_engine_value what, int *count)
{
    *count = 1;
    switch (what) {
    case NOE_AT_T0: return w->t0;
    case NOE_AT_STEP: return w->h;
    case NOE_AT_COUNT: return w->count;
    case NOE_AT_ITERATIONS: return w->iterations;
    case NOE_AT_REFRESHES: return w->refreshes;
    case NOE_AT_SUBDIVIDED: return w->subdivided;
    case NOE_AT_SOLVER: return w->solver;
    case NOE_AT_CONTRACTED: return w->contracted;
    case NOE_AT_ROUNDS: return w->rounds;
    case NOE_AT_CONTRACTION: return w->contraction;
    case NOE_AT_SINGLE: return w->single;
    case NOE_AT_GROWTH: return w->growth;
    case NOE_AT_RESIDUAL: return w->residual;
    case NOE_AT_WORK: return &w->balance[WORK];
    case NOE_AT_DISSIPATED: return &w->balance[DISSIPATED];
    case NOE_AT_Q: *count = w->n; return w->q;
    case NOE_AT_P: *count = w->n; return w->p;
    case NOE_AT_V: *count = w->n; return w->v;
    default: return NULL;
    }
}

static void set_work(void *self, noe_engine_value what, int member, const quad *x)
{
    work *w = self;
    int   count;
    real *to = numbers_of(w, what, &count);
    w->v_known = w->F_known = false;
    for (int i = 0; to && i < count; i++) r_put(&to[i], member, (num)x[i]);
    for (int i = 0; what == NOE_AT_PARAM && i < w->dyn->params; i++)
        w->param[i] = (double)x[i], w->mass_known = false;
}

/* Solves for the velocities when they are read; where that fails they read as nan. */
static void update_velocities(work *w)
{
    if (w->v_known) return;
    *w->unsolved = r_if(velocities(w, NULL, m_all(1), w->v), r_set(0),
                        r_set((num)__builtin_nan("")));
    w->v_known = true;
}

static void get_work(void *self, noe_engine_value what, int member, quad *x)
{
    work *w = self;
    if (what == NOE_AT_V || what == NOE_AT_ENERGY || what == NOE_AT_BALANCE) update_velocities(w);
    int         count;
    const real *from = numbers_of(w, what, &count),
               bad = what == NOE_AT_V ? *w->unsolved : r_set(0);
    if (!from) *x = what == NOE_AT_SIMPSON ? (quad)__builtin_nan("") : what == NOE_AT_WINDOW;
    for (int i = 0; from && i < count; i++) x[i] = r_member(from[i] + bad, member);
    if (what == NOE_AT_CONTRACTS) *x = w->natural ? 2 : w->has_fixed_point;
    if (what == NOE_AT_KEEPS) *x = w->may_reuse_matrix;
    if (what == NOE_AT_MACHINE)
        *x = w->run[GRADIENT] ? (quad)noe_tape_compiler_size(w->machine) : 0;
    if (what == NOE_AT_T) *x = r_member(*w->t0 + *w->count * *w->h, member);
    if (what == NOE_AT_JUMP || what == NOE_AT_JUMP_PLACE || what == NOE_AT_JUMP_COUNT) {
        int       place;
        num       after;
        const num most = largest_jump(w, member, &place, &after);
        *x = what == NOE_AT_JUMP ? most : what == NOE_AT_JUMP_PLACE ? place : after;
    }
    if (what == NOE_AT_SPREAD) deviations(w, member, x);
    for (int i = 0; what == NOE_AT_DOUBLED && i < w->n; i++)
        x[i] = r_member(w->doubled_at[i], member);
    if (what == NOE_AT_ENERGY) *x = r_member(energy(w) + *w->unsolved, member);
    if (what == NOE_AT_BALANCE) *x = r_member(balance_error(w) + *w->unsolved, member);
}

static unsigned start_work(void *self, const bool *momentum)
{
    work          *w = self;
    const unsigned failed = begin_motion(w, momentum);
    if (w->kind == NOE_SPLITTING) split_begin(w);
    return failed;
}
static unsigned step_work(void *self)
{
    work *w = self;
    w->v_known = false;
    select_part(w, 0);
    switch (w->kind) {
    case NOE_RUNGE_KUTTA: return runge_kutta(w);
    case NOE_SPLITTING: return splitting(w);
    default: return composition(w);
    }
}
static bool derivative_work(void *self, int member, quad *M)
{
    work      *w = self;
    const bool finite = w->kind == NOE_RUNGE_KUTTA ? runge_kutta_jacobian(w, member, M)
                      : w->kind == NOE_SPLITTING   ? splitting_jacobian(w, member, M)
                                                   : composed_jacobian(w, member, M);
    if (!finite) w->v_known = w->F_known = false;
    return finite;
}
static noe_status why_work(void *self, int member) { return ((work *)self)->why[member]; }

static void *memory_work(void *self, size_t *bytes)
{
    ((work *)self)->v_known = ((work *)self)->F_known = false; /* the caller may write it */
    *bytes = ((work *)self)->numbers * sizeof(real);
    return ((work *)self)->memory;
}

static void position_work(void *self, int member, double *t, double *q)
{
    const work *w = self;
    *t = (double)r_member(*w->t0 + *w->count * *w->h, member);
    for (int j = 0; j < w->n; j++) q[j] = (double)r_member(w->q[j], member);
}

/* Saves all that a step changes except the history of the predictor, which is cleared when the
 * step is taken back. */
static void remember_work(void *self)
{
    work *w = self;
    memcpy((void *)w->marked, w->q, MARKED * (size_t)w->n * sizeof(real));
    memcpy((void *)(w->marked + MARKED * w->n), w->balance, BALANCE_ROWS * sizeof(real));
    w->marked[MARKED * w->n + BALANCE_ROWS] = *w->count;
}

static void take_back_work(void *self)
{
    work *w = self;
    memcpy((void *)w->q, w->marked, MARKED * (size_t)w->n * sizeof(real));
    memcpy((void *)w->balance, w->marked + MARKED * w->n, BALANCE_ROWS * sizeof(real));
    *w->count = w->marked[MARKED * w->n + BALANCE_ROWS];
    *w->history_length = *w->matrix_reuse = r_set(0);
    w->v_known = w->F_known = false;
}

/* The next step of each member is one of length tau that ends at time t [members].  It is predicted
 * from the modes of `ahead`, the same motion one step of the present length further, or of the last
 * step.  A Newton matrix of another length is of no use; nor is the curvature. */
static void shorten_work(void *self, const quad *t, const quad *tau, const void *ahead)
{
    work       *w = self;
    const work *run = ahead;
    real        theta = r_set(0);
    for (int i = 0; i < MEMBERS; i++) {
        const num length = (num)tau[i];
        r_put(&theta, i, length / r_member(*w->h, i));
        r_put(w->h, i, length), r_put(w->t0, i, (num)t[i]), r_put(w->count, i, -1);
    }
    *w->matrix_reuse = *w->curvature = r_set(0);
    w->v_known = w->F_known = false;
    w->given = w->kind == NOE_GALERKIN && (run || !m_any(*w->history_length <= r_set(0)));
    if (w->given) predict_fraction(w, run ? run->all_last : w->all_last, run ? 0 : 1, theta);
}

#define INSTANCE                                                                                  \
    {                                                                                             \
        MEMBERS, make_work, drop_work, adopt, clone, set_work, get_work, start_work, step_work,   \
            derivative_work, why_work, memory_work, position_work, remember_work, take_back_work, \
            NULL, NULL, NULL, NULL, NULL, NULL, NULL, shorten_work, NULL                          \
    }

#endif
