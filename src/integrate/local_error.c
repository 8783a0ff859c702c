/* Local error measure of a run: e = max_j (jump_j / range_j)^(p/k).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * jump_j is the jump of velocity j between two steps and range_j the range of that velocity, both
 * from step/velocity_jump.h.  jump falls as h^k, so with this power e falls as h^p, p the order of
 * the method: e is about the error of velocity j in one step relative to its range. */
#include "integrate/integrator.h"

#include <math.h>

/* jump / range for k = 1, 2, and 3 or more with about eight, seven and four steps a period of an
 * oscillation: with a larger jump the steps are called coarse. */
static const double coarse_jump[] = { 0.3, 0.15, 0.08 };

bool noe_local_error_known(const noe_integrator *g) { return g->core->guard != NULL; }

/* The mean length of the steps of a system with a monitor. */
static quad mean_step(noe_integrator *g, quad t0)
{
    quad t, count;
    g->core->get(g->work, NOE_AT_T, g->member, &t);
    g->core->get(g->work, NOE_AT_COUNT, g->member, &count);
    return count > 0 ? (t - t0) / count : 0;
}

noe_local_error noe_local_error_of(noe_integrator *g)
{
    noe_local_error e = { .size = NAN, .jump = NAN };
    quad            t0, h;
    if (!noe_local_error_known(g) || noe_integrator_start_ready(g)) return e;
    const noe_velocity_jump jump = g->core->guard->jump(g->work, g->member);
    g->core->get(g->work, NOE_AT_T0, g->member, &t0);
    g->core->get(g->work, NOE_AT_STEP, g->member, &h);
    if (g->as.clock) h = mean_step(g, t0); /* roughly: jumps have a count of steps, no time */
    e.jump = (double)jump.size;
    e.size = pow(e.jump, (double)g->order / g->error_exponent);
    e.place = jump.place;
    e.t = (double)(t0 + jump.count * h);
    e.coarse = e.jump > coarse_jump[g->error_exponent < 3 ? g->error_exponent - 1 : 2];
    return e;
}
