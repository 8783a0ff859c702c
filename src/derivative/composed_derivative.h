/* Derivatives over the parts of a step, forward and back: step/composition_step.h.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Forward M = M_parts .. M_2 M_1 and S <- M S + .., part by part; back the parts in the other
 * order, each from the state before it. */
#ifndef NOE_DERIVATIVE_COMPOSED_DERIVATIVE_H
#define NOE_DERIVATIVE_COMPOSED_DERIVATIVE_H

#include "derivative/monitored_adjoint.h"
#include "step/composition_step.h"

/* M [2n][2n] = the product of the derivatives of the parts, the last on the left. */
static bool composed_jacobian(work *w, int member, quad *M)
{
    const int N = 2 * w->n;
    quad     *part = w->newton.product, *so_far = part + N * N;
    real      which = r_set(0);
    if (w->method.parts == 1) return galerkin_jacobian(w, member, M);
    r_put(&which, member, 1);
    for (int i = 0; i < w->method.parts; i++) {
        select_part(w, i);
        const bool finite = galerkin_jacobian(w, member, part);
        select_part(w, 0);
        if (!finite) {
            if (i) swap_saved(w, r_less(r_set(0), which), 0);
            return false;
        }
        if (i) memcpy(so_far, M, (size_t)(N * N) * sizeof *M);
        for (int a = 0; a < N; a++)
            for (int b = 0; b < N; b++) {
                quad sum = i ? 0 : part[a * N + b];
                for (int k = 0; k < N && i; k++) sum += part[a * N + k] * so_far[k * N + b];
                M[a * N + b] = sum;
            }
    }
    return true;
}

/* S [2n][columns], with a monitor [2n + 2][columns + 1], over all parts; false where
 * a derivative is not finite: then the member is where it was before the step. */
static bool composed_sensitivity(work *w, int member, real *S)
{
    real which = r_set(0);
    r_put(&which, member, 1);
    for (int i = 0; i < w->method.parts; i++) {
        select_part(w, i);
        const bool finite = w->dyn->constraints ? constrained_sensitivity(w, member, S)
                          : w->dyn->transformed ? monitored_sensitivity(w, member, S)
                                                : galerkin_sensitivity(w, member, S);
        select_part(w, 0);
        if (finite) continue;
        if (i) swap_saved(w, r_less(r_set(0), which), 0);
        return false;
    }
    return true;
}

/* ---- the way back over all parts ----
 *
 * A record of a step holds the state before each part and the modes of the part; with a monitor
 * also time and energy there, the density of the step, and whether its end was held at a time. */

/* Numbers before those of the parts: t0, count and length; with a monitor the density and whether
 * the end was held. */
enum { RECORD_HEAD = 3, CLOCK_HEAD = 2 };
INLINE size_t numbers_of_head(const work *w)
{
    return RECORD_HEAD + (w->eval.tape[CLOCK] ? CLOCK_HEAD : 0);
}

/* Numbers of the state before a part: q, p, dq, dp, v and, with a monitor, the rows of
 * `balance` before START. */
INLINE size_t numbers_of_state(const work *w)
{
    return 5 * (size_t)w->n + (w->eval.tape[CLOCK] ? START : 0);
}

/* noe_engine_adjoint.add */
static void add_adjoint(void *self, const double *x)
{
    const work *w = self;
    for (size_t i = 0; i < noe_equations_adjoint_numbers(w->dyn); i++)
        w->state.adjoint[i] += (num)x[i];
}

/* Numbers of each part. */
INLINE size_t numbers_of_part(const work *w)
{
    return numbers_of_state(w) + (w->kind == NOE_GALERKIN ? (size_t)w->N_row : 0)
         + numbers_of_constraints(w);
}

static size_t record_bytes(const void *self)
{
    const work *w = self;
    return (numbers_of_head(w) + (size_t)w->method.parts * numbers_of_part(w)) * sizeof(real);
}

/* noe_engine_adjoint.record */
static void record_step(const void *self, void *to)
{
    const work  *w = self;
    const size_t state = numbers_of_state(w);
    real        *x = to;
    *x++ = w->eval.tape[CLOCK] ? w->state.last_t0 : *w->state.t0;
    *x++ = *w->state.count - 1, *x++ = w->state.last_length;
    if (w->eval.tape[CLOCK]) *x++ = w->state.density[0], *x++ = r_set(w->state.last_given);
    for (int i = 0; i < w->method.parts; i++, x += numbers_of_part(w)) {
        memcpy((void *)x, w->state.all_saved_states + i * (5 * w->n + START), state * sizeof *x);
        if (w->kind == NOE_GALERKIN)
            memcpy((void *)(x + state), w->history.all_last + (size_t)i * w->N_row,
                   (size_t)w->N_row * sizeof *x);
        if (w->constraint.count) record_constraints(w, x + state + w->N_row);
    }
}

static void parts_back(work *w, const real *x)
{
    for (int i = w->method.parts; i-- > 0;) {
        const real *part = x + numbers_of_head(w) + (size_t)i * numbers_of_part(w),
                   *modes = part + numbers_of_state(w);
        select_part(w, i);
        place_record(w, part);
        if (w->eval.tape[CLOCK])
            memcpy((void *)w->state.balance, part + 5 * w->n, START * sizeof *part);
        if (w->kind == NOE_RUNGE_KUTTA) runge_kutta_back(w);
        else if (w->kind == NOE_SPLITTING) splitting_back(w, part);
        else if (w->dyn->transformed) transformed_back(w, modes);
        else galerkin_back(w, modes);
    }
}

/* Over a step of a transformed Lagrangian that ends at a given time: with x the adjoint of a J that
 * does not depend on that time, and y that of the time, x - y (x of log h)/(y of log h). */
static void held_back(work *w, const real *record)
{
    const size_t numbers = noe_equations_adjoint_numbers(w->dyn);
    real *const y = w->state.adjoint, *const x = adjoint_aside(w);
    *pace_adjoint(w, OF_TIME) = *pace_adjoint(w, OF_LENGTH) = r_set(0);
    parts_back(w, record);
    memcpy((void *)x, y, numbers * sizeof *x);
    memset((void *)y, 0, numbers * sizeof *y);
    *pace_adjoint(w, OF_TIME) = r_set(1);
    parts_back(w, record);
    const int  at_length = 2 * w->n + w->dyn->model->params + OF_LENGTH;
    const real share = x[at_length] / y[at_length];
    for (size_t k = 0; k < numbers; k++) y[k] = x[k] - share * y[k];
}

/* noe_engine_adjoint.back */
static bool step_back(void *self, const void *record)
{
    work       *w = self;
    const real *x = record;
    const bool  clock = w->eval.tape[CLOCK] != NULL,
               held = clock && r_member(x[RECORD_HEAD + 1], 0) != 0;
    *w->state.t0 = x[0], *w->state.count = x[1], *w->state.h = x[2];
    if (has_density(w)) *time_weight(w, BY_BEGINNING) = *time_weight(w, BY_LENGTH) = r_set(0);
    if (w->dyn->transformed && held) held_back(w, x);
    else parts_back(w, x);
    if (has_density(w) && held)
        *pace_adjoint(w, OF_TIME) = *time_weight(w, BY_BEGINNING) - *time_weight(w, BY_LENGTH);
    else if (has_density(w)) density_back(w, x[RECORD_HEAD]);
    noe_upper_halves_empty();
    real         finite_probe = r_set(0);
    const size_t numbers = clock ? noe_equations_adjoint_numbers(w->dyn) : 2 * (size_t)w->n;
    for (size_t k = 0; k < numbers; k++) finite_probe += w->state.adjoint[k];
    return m_any(r_finite(finite_probe));
}

#endif
