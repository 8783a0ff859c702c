/* |H_B(after) - H_B(before)| against the kinetic energy of what velocities have varied, block by block: the second witness of a step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A solution that lies on the branch of the motion may still be none: of a step far beyond the stability limit.  Then H changes
 * by more than the block has ever exchanged between its kinetic and its potential energy,
 *     X_B = sum_{j,k in B} |M_jk| range_j range_k / 2,
 * which, as differences of H, does not depend on constants in V, boosts or other blocks.  H_B is H where this block alone has
 * moved.  Where t or forces are present the energy balance is witness of all blocks at once. */
#ifndef NOE_CORE_WITNESS_H
#define NOE_CORE_WITNESS_H

#include "core/step.h"

/* H may change by this part of X and by so many roundings of its terms. */
static const num EXCHANGED = 0.25;
enum { ROUNDINGS = 1 << 10 };

/* H at t where the coordinates of one block (-1: all) are in the present state and the others in the saved one; the size of its
 * terms. */
static real mixed_energy(work *w, real t, int block, real *size)
{
    const int n = w->n;
    for (int j = 0; j < n; j++) {
        const bool now = block == -1 || w->block_of[j] == block;
        w->stage_q[j] = now ? w->q[j] : w->before[j];
        w->stage_v[j] = now ? w->v[j] : w->before[4 * n + j];
    }
    const site x = { t, w->stage_q, NULL, NULL };
    jet_at(w, LEGENDRE, &x, w->stage_v);
    real H = -output(w, n);
    *size = r_abs(H);
    for (int j = 0; j < n; j++) {
        const real term = w->stage_v[j] * output(w, j);
        H += term, *size += r_abs(term);
    }
    return H;
}

/* X of one block (-1: of all); ranges with this step's, whose velocities are in w->ends. */
static real exchanged(const work *w, int block)
{
    const int n = w->n;
    real      sum = r_set(0);
    for (int j = 0; j < n; j++) {
        const real *ends = w->ends;
        w->most[j] = r_max(w->fastest[j], r_max(ends[j], ends[n + j])) - r_min(w->slowest[j], r_min(ends[j], ends[n + j]));
    }
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n && (block < 0 || w->block_of[j] == block); k++) sum += w->inertia[j * n + k] * w->most[j] * w->most[k];
    return sum / 2;
}

/* Of steps just made, whose state before is saved: takes back those whose energy contradicts them; returns the others. */
static mask with_witness(work *w, mask made)
{
    enum { ALL = -1, NONE = -2 };
    const int  n = w->n;
    const bool whole = !w->dyn->autonomous;
    const real begin = *w->t0 + (*w->count - 1 + w->moved) * *w->h, end = begin + w->length;
    real *const saved = w->before, *const v0 = saved + 4 * n;
    const site now = { end, w->q, w->p, w->dp }, was = { begin, saved, saved + n, saved + 3 * n };
    guess_velocities(w, made, w->v);
    keep_if(made, v0, w->v, n);
    mask       good = made & velocities_at(w, &was, NULL, made, v0) & velocities_at(w, &now, NULL, made, w->v);
    real       less, more;
    const real before = mixed_energy(w, begin, NONE, &less), gain = whole ? w->gain[WORK] - w->gain[DISSIPATED] : r_set(0);
    for (int b = whole ? ALL : 0; b < (whole ? 0 : w->blocks); b++) {
        const real change = mixed_energy(w, end, b, &more) - before - gain;
        good = good & (r_abs(change) <= EXCHANGED * exchanged(w, b) + ROUNDINGS * EPS * (less + more));
    }
    swap_saved(w, made & m_not(good), -1);
    return good;
}

#endif
