/* a <- a - J^-1 R(a): the modes of one step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrix is fresh at the first iteration (unless the last step found the old one good enough) and kept
 * while each iteration makes the residual 64 times smaller.  The iteration ends at the floor of rounding:
 * when R is a few units of what cancels in it, or stops shrinking at a level where the energy it stands for
 * is far below the resolution of the step's energy. */
#ifndef NOE_CORE_NEWTON_H
#define NOE_CORE_NEWTON_H

#include "core/action.h"
#include "core/lu.h"

enum { ITERATIONS = 30,
       FLOOR = 4,         /* units of rounding in R that end the iteration */
       STALL = 1 << 20 }; /* and those at which it may stop shrinking: sums in F and P that cancel */

/* max_jm |R_jm| / scale_j; not finite when any R is not. */
static real worst_residual(const work *w)
{
    real worst = r_set(0), poison = r_set(0);
    for (int j = 0; j < w->n; j++)
        for (int m = j * w->s; m < (j + 1) * w->s; m++) {
            const real ratio = r_abs(w->e[m]) / (w->scale[j] + (num)1e-300);
            worst = r_max(worst, ratio);
            poison += w->e[m] - w->e[m]; /* a maximum can lose a nan */
        }
    return worst + poison;
}

/* The energy that the correction stands for, sum |R d|, and that of the step, sum_j scale_j max_m |a_jm|. */
static void energies(const work *w, real *correction, real *size)
{
    *correction = *size = r_set(0);
    for (int j = 0; j < w->n; j++) {
        real a = r_set(0);
        for (int m = j * w->s; m < (j + 1) * w->s; m++) {
            *correction += r_abs(w->e[m] * w->d[m]);
            a = r_max(a, r_abs(w->a[m]));
        }
        *size += w->scale[j] * a;
    }
}

static void keep_if(mask m, real *to, const real *from, int count)
{
    for (int i = 0; i < count; i++) to[i] = r_if(m, from[i], to[i]);
}

static void refactor(work *w, real h, mask which)
{
    jacobian(w, h);
    lu_factor(w->J, w->x, w->N);
    keep_if(which, w->LU, w->J, w->N * w->N);
    keep_if(which, w->pivot, w->x, w->N);
    *w->refreshes += r_if(which, r_set(1), r_set(0));
}

/* Solves for the wanted members from the prediction in w->a, h the length of the step; returns those that
 * converged, with h sum b F in `kick`.  limit: the first correction may stand for no more energy than this
 * (0 = no limit). */
static mask newton(work *w, real h, mask want, real limit, real *kick)
{
    const real one = r_set(1), zero = r_set(0);
    mask       going = want, done = m_all(0), old = zero < *w->keep; /* old: the matrix is not of this step */
    real       last = zero, rounds = zero;
    for (int it = 0; it < ITERATIONS && m_any(going); it++) {
        const mask first = m_all(it == 0);
        mask       fresh = going & m_not(old) & first;
        int        hessian = m_any(fresh);
        nodes(w, h);
        jet(w, hessian ? HESSIAN : GRADIENT, w->r, w->B, w->t, w->Q, w->V, w->out);
        residual(w, h);
        if (it == 0) scales(w, h);
        const real worst = worst_residual(w);
        const mask finite = r_finite(worst), shrinks = first | (2 * worst < last);
        if (it > 0) {
            fresh = going & finite & m_not(64 * worst < last) & m_not(worst <= FLOOR * EPS);
            if (m_any(fresh) && !hessian) jet(w, HESSIAN, w->r, w->B, w->t, w->Q, w->V, w->out);
            hessian = m_any(fresh);
        }
        if (hessian) refactor(w, h, fresh);
        lu_solve(w->LU, w->pivot, w->N, w->e, w->d);
        real correction, size;
        energies(w, &correction, &size);
        for (int i = 0; i < w->N; i++) w->a[i] = r_if(going, w->a[i] - w->d[i], w->a[i]);

        const num  level = STALL * EPS;
        const mask tiny = (worst <= level) | (correction <= level * level * size);
        const mask end = going & finite & ((worst <= FLOOR * EPS) | (m_not(shrinks) & tiny));
        const mask jump = first & (zero < limit) & (limit < correction);
        const mask fail = m_not(finite) | jump | (m_not(shrinks) & m_not(old));
        rounds += r_if(going, one, zero);
        keep_if(end, kick, w->kick, w->n);
        *w->residual = r_if(end, r_max(*w->residual, worst), *w->residual);
        *w->energy = r_if(end, r_max(*w->energy, size), *w->energy);
        done = done | end;
        going = going & m_not(end) & m_not(fail);
        old = old & m_not(fresh);
        last = worst;
    }
    *w->iterations += rounds;
    *w->keep = r_if(want, r_if(done & (rounds <= r_set(3)), one, zero), *w->keep);
    return done;
}

#endif
