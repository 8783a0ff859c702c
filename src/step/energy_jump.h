/* Second test of a step found by continuation: its change of energy, for each uncoupled block B.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A solution on the branch of the motion may still be wrong: that of a step far beyond the
 * stability limit.  Then |H_B(after) - H_B(before)| is more than
 *     EXCHANGED_PART X_B + KINETIC_PART |change of its kinetic energy in the step| + rounding,
 *     X_B = sum_{j,k in B} |M_jk| range_j range_k / 2,
 * X_B what the block has ever exchanged between its kinetic and its potential energy.  H_B is H
 * where the coordinates of this block alone have moved.  Neither scale depends on constants in the
 * potential, boosts or other blocks.  In the first FIRST_STEPS steps and at the end of a free
 * flight, which have no ranges yet, the kinetic energy before the step is a scale, too, and depends
 * on the frame.  The blocks that t or forces act on count as one, DRIVEN: the energy balance less
 * the changes of all others takes the place of its H_B. */
#ifndef NOE_STEP_ENERGY_JUMP_H
#define NOE_STEP_ENERGY_JUMP_H

#include "step/step_update.h"

enum { DRIVEN = -1, ALL = -2, NONE = -3 }; /* in place of a block */

/* Is coordinate j in a block, or in one of those that t or forces act on? */
static bool in_block(const work *w, int j, int block)
{
    return block == DRIVEN ? w->driven[w->block_of[j]] : w->block_of[j] == block;
}

/* H at t where the coordinates of one block, ALL or NONE are in the present state and the others in
 * the saved one; *size: the sum of the absolute values of its terms. */
static real mixed_energy(work *w, real t, int block, real *size)
{
    const int n = w->n;
    for (int j = 0; j < n; j++) {
        const bool now = block == ALL || w->block_of[j] == block;
        w->stages.stage_q[j] = now ? w->state.q[j] : w->state.saved_state[j];
        w->stages.stage_v[j] = now ? w->state.v[j] : w->state.saved_state[4 * n + j];
    }
    const site x = { t, w->stages.stage_q, NULL, NULL };
    jet_at(w, LEGENDRE, &x, w->stages.stage_v);
    real H = -output(w, n);
    *size = r_abs(H);
    for (int j = 0; j < n; j++) {
        const real term = w->stages.stage_v[j] * output(w, j);
        H += term, *size += r_abs(term);
    }
    return H;
}

/* Members of which a block, or DRIVEN, has no ranges yet: in the first FIRST_STEPS steps, and after
 * free flight, whose velocities have varied by rounding. */
static mask has_no_ranges(const work *w, int block)
{
    mask flies = m_all(1);
    for (int j = 0; j < w->n; j++) {
        const real high = w->stats.velocity_max[j], low = w->stats.velocity_min[j];
        if (in_block(w, j, block))
            flies = flies
                  & r_at_most(high - low, FREE_FLIGHT_ROUNDINGS * EPS * (r_abs(high) + r_abs(low)));
    }
    return flies | r_less(*w->history.length, r_set(FIRST_STEPS));
}

/* X of one block, or DRIVEN.  Where there are no ranges yet they include this step, whose
 * velocities are in w->scratch.end_velocities. */
static real exchanged(const work *w, int block)
{
    const int  n = w->n;
    real       sum = r_set(0);
    const mask begins = has_no_ranges(w, block);
    for (int j = 0; j < n; j++) {
        const real *ends = w->scratch.end_velocities;
        const real  high = r_max(w->stats.velocity_max[j], r_max(ends[j], ends[n + j]));
        const real  low = r_min(w->stats.velocity_min[j], r_min(ends[j], ends[n + j]));
        w->scratch.most[j] = r_if(begins, high - low,
                                  w->stats.velocity_max[j] - w->stats.velocity_min[j]);
    }
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n && in_block(w, j, block); k++)
            sum += w->newton.mass_bound[j * n + k] * w->scratch.most[j] * w->scratch.most[k];
    return sum / 2;
}

/* H1 - H0 = [v.P] - int F.dq + P.dv of one block along the straight line from the saved state to
 * the present one, by Gauss quadrature with 2 or 4 nodes: near an equilibrium the change of H
 * itself is lost in rounding, 1 - cos(q) = 0.  Nodes and weights of double are enough in binary128,
 * too: the sum is compared with a quarter of the energy exchanged. */
static real change_by_forces(work *w, real t, int block, int nodes)
{
    static const num at[2][2] = { { (num)0.28867513459481288 },
                                  { (num)0.16999052179242813, (num)0.43056815579702629 } },
                     weight[2][2] = { { (num)0.5 },
                                      { (num)0.32607257743127307, (num)0.17392742256872693 } };
    const int   n = w->n, half = nodes / 2;
    const real *q0 = w->state.saved_state, *p0 = q0 + n, *dq0 = p0 + n, *v0 = q0 + 4 * n;
    real        sum = r_set(0);
    for (int j = 0; j < n; j++)
        if (w->block_of[j] == block) sum += w->state.v[j] * w->state.p[j] - v0[j] * p0[j];
    for (int i = 0; i < nodes; i++) {
        const num c = (num)0.5 + (i < half ? -1 : 1) * at[half - 1][i % half];
        for (int j = 0; j < n; j++) {
            w->stages.stage_q[j] = q0[j]
                                 + c * ((w->state.q[j] - q0[j]) + (w->state.dq[j] - dq0[j]));
            w->stages.stage_v[j] = v0[j] + c * (w->state.v[j] - v0[j]);
        }
        const site x = { t, w->stages.stage_q, NULL, NULL };
        jet_at(w, GRADIENT, &x, w->stages.stage_v);
        for (int j = 0; j < n; j++)
            if (w->block_of[j] == block)
                sum -= weight[half - 1][i % half]
                     * (output(w, j) * ((w->state.q[j] - q0[j]) + (w->state.dq[j] - dq0[j]))
                        + output(w, n + j) * (w->state.v[j] - v0[j]));
    }
    return sum;
}

/* The change of the kinetic energy, |sum_jk M_jk (v1 + v0)_j (v1 - v0)_k / 2|, of one block, or
 * DRIVEN, with L_vv where it was evaluated last; where there are no ranges yet, which are the other
 * scale, plus the kinetic energy before the step. */
static real kinetic_change(work *w, int block)
{
    const mask  begins = has_no_ranges(w, block);
    const real *v0 = w->state.saved_state + 4 * w->n, *v1 = w->state.v;
    real        sum = r_set(0), before = sum;
    for (int k = 0; k < w->dyn->masses; k++) {
        const noe_entry *x = &w->dyn->mass[k];
        if (!in_block(w, x->row, block)) continue;
        sum += output(w, x->output) * (v1[x->row] + v0[x->row]) * (v1[x->col] - v0[x->col]);
        before += output(w, x->output) * v0[x->row] * v0[x->col];
    }
    return (r_abs(sum) + r_if(begins, r_abs(before), r_set(0))) / 2;
}

/* The kinetic energy of velocities that are rounding of the positions: at an equilibrium all that
 * moves. */
static real rounding_of_motion(const work *w, int block)
{
    const num noise = VELOCITY_ROUNDINGS * EPS;
    real      sum = r_set(0);
    for (int j = 0; j < w->n; j++) {
        const real M = w->newton.mass_bound[j * w->n + j],
                   p = noise * w->newton.position_rounding[j];
        if (in_block(w, j, block)) sum += r_if(r_less(r_set(0), M), p * p / M, r_set(0));
    }
    return sum / 2;
}

/* What |H_B(after) - H_B(before)| may be. */
static real bound(work *w, int block)
{
    return EXCHANGED_PART * exchanged(w, block) + KINETIC_PART * kinetic_change(w, block)
         + rounding_of_motion(w, block);
}

/* Takes back those of the steps just made whose energy jumps; returns the members whose steps
 * remain.  The state before the steps is in w->state.saved_state. */
static mask reject_energy_jumps(work *w, mask made)
{
    const int  n = w->n;
    const bool clocked = w->dyn->clocked; /* G (H - E), which is 0, has to stay so */
    const real begin = clocked ? time_at(w, 0) - w->state.gain[ELAPSED]
                     : w->eval.tape[CLOCK]
                         ? time_at(w, w->state.part_start) /* the clock goes on after the step */
                         : *w->state.t0 + (*w->state.count - 1 + w->state.part_start) * *w->state.h,
               end = begin + (clocked ? w->state.gain[ELAPSED] : w->state.length);
    real *const saved = w->state.saved_state, *const v0 = saved + 4 * n;
    const site now = { end, w->state.q, w->state.p, w->state.dp },
               was = { begin, saved, saved + n, saved + 3 * n };
    guess_velocities(w, made, w->state.v);
    copy_where(made, v0, w->state.v, n);
    mask good = made & velocities_at(w, &was, NULL, made, v0)
              & velocities_at(w, &now, NULL, made, w->state.v);
    real less, more;
    if (clocked) place_level(w, saved[5 * n + LEVEL]);
    const real before = mixed_energy(w, begin, NONE, &less),
               gain = w->dyn->autonomous || clocked
                        ? r_set(0)
                        : w->state.gain[WORK] - w->state.gain[DISSIPATED];
    real others = r_set(0); /* change of the blocks that nothing acts on */
    bool acts = false;
    if (clocked) place_level(w, *w->state.level);
    for (int b = 0; b < w->blocks; b++) {
        acts |= w->driven[b];
        if (w->driven[b]) continue;
        const real change = mixed_energy(w, begin, b, &more) - before, most = bound(w, b);
        mask       fits = r_at_most(r_abs(change), most + ENERGY_ROUNDINGS * EPS * (less + more));
        others += change;
        if (m_any(good & m_not(fits))) {
            const real by = change_by_forces(w, end, b, 4),
                       roughly = change_by_forces(w, end, b, 2);
            fits = fits
                 | (r_at_most(r_abs(by), most)
                    & r_at_most(QUADRATURE_AGREEMENT * r_abs(by - roughly), most));
        }
        good = good & fits;
    }
    if (acts) {
        const real change = mixed_energy(w, end, ALL, &more) - before - gain - others;
        good = good
             & r_at_most(r_abs(change), bound(w, DRIVEN) + ENERGY_ROUNDINGS * EPS * (less + more));
    }
    swap_saved(w, made & m_not(good), -1);
    return good;
}

#endif
