/* The path of a step: the polynomial that the engine has at hand, or a straight line.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/singularity_guard.h"

/* Of gauss 8 with two steps in a revolution the straight line leads through the centre. */
double noe_step_path_at(const noe_step_path *w, double share, double *dq, double *v)
{
    const int    n = w->g->system->dyn.n;
    const double h = w->t1 - w->t0;
    if (!w->curved || share == 1 || !w->g->core->events->curve(w->g->work, share, dq, v))
        for (int i = 0; i < n; i++) {
            const double d = w->q1[i] - w->q0[i];
            dq[i] = share * d, v[i] = d / h;
        }
    return w->t0 + share * h;
}
