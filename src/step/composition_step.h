/* The parts of a step, forward and back: of a composition, steps of gamma_1 h, gamma_2 h, ..
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every part has its own history, of the same part of earlier steps, because their polynomials
 * have the same length; and its own saved state before it, from which the derivative starts. */
#ifndef NOE_STEP_COMPOSITION_STEP_H
#define NOE_STEP_COMPOSITION_STEP_H

#include "step/monitored_adjoint.h"

/* Points the history, the saved state and the length of w at part i. */
INLINE void select_part(work *w, int i)
{
    w->history.modes = w->history.all_modes + (size_t)i * HISTORY_STEPS * w->N_row;
    w->history.last = w->history.all_last + (size_t)i * w->N_row;
    w->state.saved_state = w->state.all_saved_states + (size_t)i * (5 * w->n + START);
    w->state.length = w->method.gamma[i] * *w->state.h;
    w->state.part_start = w->method.gamma_from[i];
}

static unsigned composition(work *w)
{
    mask       going = m_all(1), begun = m_all(0), broken = m_all(0);
    const real known = *w->history.length;
    for (int i = 0; i < w->method.parts && m_any(going); i++) {
        select_part(w, i);
        if (i) *w->history.length = r_if(going, known, *w->history.length);
        if (w->method.parts > 1)
            *w->newton.matrix_reuse = r_set(0); /* the matrix is for another length */
        const mask done = galerkin(w, going, &broken);
        if (i + 1 < w->method.parts)
            *w->state.count = r_if(done, *w->state.count - 1, *w->state.count);
        if (i == 0) begun = done;
        going = done;
    }
    rotate_history(w, going);
    /* A part that failed: the whole step is undone, and its history is of no use.  The first part
     * undoes itself. */
    if (w->method.parts > 1) {
        select_part(w, 0);
        swap_saved(w, begun & m_not(going), 0);
        *w->history.length = r_if(going, *w->history.length, r_set(0));
    }
    return failure_reasons(w, m_not(going), broken);
}

/* M [2n][2n + columns] = the product of the derivatives of the parts, the last on the left; what a
 * part adds by parameters is added. */
static bool composed_jacobian(work *w, int member, quad *M)
{
    const int N = 2 * w->n, wide = N + w->dyn->columns;
    quad     *part = w->newton.product, *so_far = part + N * wide;
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
        if (i) memcpy(so_far, M, (size_t)(N * wide) * sizeof *M);
        for (int a = 0; a < N; a++)
            for (int b = 0; b < wide; b++) {
                quad sum = i && b < N ? 0 : part[a * wide + b];
                for (int k = 0; k < N && i; k++) sum += part[a * wide + k] * so_far[k * wide + b];
                M[a * wide + b] = sum;
            }
    }
    return true;
}

/* S [2n][columns], with a monitor [2n + 2][columns + 1], over all parts; false as of
 * galerkin_sensitivity(), and the member is where it was before the step. */
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

/* Numbers of the state before a part: q, p, dq, dp, v and, with a monitor, `balance`. */
INLINE size_t numbers_of_state(const work *w)
{
    return 5 * (size_t)w->n + (w->eval.tape[CLOCK] ? START : 0);
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
    *x++ = w->eval.tape[CLOCK] ? w->state.from : *w->state.t0;
    *x++ = *w->state.count - 1, *x++ = w->state.made;
    if (w->eval.tape[CLOCK]) *x++ = w->state.density[0], *x++ = r_set(w->state.timed);
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
    const size_t numbers = noe_adjoint_numbers(w->dyn);
    real *const y = w->state.adjoint, *const x = adjoint_aside(w);
    *pace_adjoint(w, OF_TIME) = *pace_adjoint(w, OF_LENGTH) = r_set(0);
    parts_back(w, record);
    memcpy((void *)x, y, numbers * sizeof *x);
    memset((void *)y, 0, numbers * sizeof *y);
    *pace_adjoint(w, OF_TIME) = r_set(1);
    parts_back(w, record);
    const int  length = 2 * w->n + w->dyn->model->params + OF_LENGTH;
    const real share = x[length] / y[length];
    for (size_t k = 0; k < numbers; k++) y[k] = x[k] - share * y[k];
}

/* noe_engine_adjoint.back */
static bool step_back(void *self, const void *record)
{
    work       *w = self;
    const real *x = record;
    const bool  clock = w->eval.tape[CLOCK] != NULL, held = clock && r_member(x[4], 0) != 0;
    *w->state.t0 = x[0], *w->state.count = x[1], *w->state.h = x[2];
    if (has_density(w)) *time_weight(w, BY_BEGINNING) = *time_weight(w, BY_LENGTH) = r_set(0);
    if (w->dyn->transformed && held) held_back(w, x);
    else parts_back(w, x);
    if (has_density(w) && held)
        *pace_adjoint(w, OF_TIME) = *time_weight(w, BY_BEGINNING) - *time_weight(w, BY_LENGTH);
    else if (has_density(w)) density_back(w, x[RECORD_HEAD]);
    noe_upper_halves_empty();
    real         finite_probe = r_set(0);
    const size_t numbers = clock ? noe_adjoint_numbers(w->dyn) : 2 * (size_t)w->n;
    for (size_t k = 0; k < numbers; k++) finite_probe += w->state.adjoint[k];
    return m_any(r_finite(finite_probe));
}

#endif
