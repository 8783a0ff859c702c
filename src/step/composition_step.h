/* The parts of a step: of a composition, steps of gamma_1 h, gamma_2 h, ..
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Every part has its own history, of the same part of earlier steps, because their polynomials
 * have the same length; and its own saved state before it, from which the derivative starts. */
#ifndef NOE_STEP_COMPOSITION_STEP_H
#define NOE_STEP_COMPOSITION_STEP_H

#include "step/galerkin_step.h"

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

#endif
