/* The path of a step: the polynomial that the engine has at hand, or a straight line.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/singularity_guard.h"

#include <string.h>

/* The polynomial where there is one: by gauss 8 with two steps in a revolution of an orbit, the
 * chord would pass through the attracting centre. */
double noe_step_path_at(const noe_step_path *w, double share, double *dq, double *v)
{
    const int    n = w->g->system->dyn.n;
    const double h = w->t1 - w->t0;
    if (!w->curved || share == 1 || !w->g->engine->events->curve(w->g->work, share, dq, v))
        for (int i = 0; i < n; i++) {
            const double d = w->q1[i] - w->q0[i];
            dq[i] = share * d, v[i] = d / h;
        }
    return w->t0 + share * h;
}

void noe_step_path_place(const noe_step_path *w, double share, double *slot, bool moves)
{
    const int n = w->g->system->dyn.n;
    double    dq[n], v[n];
    if (share == 0 && !moves) memset(dq, 0, sizeof dq), slot[0] = w->t0;
    else slot[0] = noe_step_path_at(w, share, dq, v);
    for (int i = 0; i < n; i++) {
        slot[noe_tape_input(NOE_Q, i, n)] = w->q0[i] + dq[i];
        if (moves) slot[noe_tape_input(NOE_V, i, n)] = v[i];
    }
}

void noe_step_path_arguments(const noe_step_path *w, double share, double *slot, double *u)
{
    const noe_tape *tape = w->g->system->dyn.singular;
    noe_step_path_place(w, share, slot, false);
    noe_tape_double_run_again(tape, slot);
    for (int k = 0; k < tape->outputs; k++) u[k] = slot[tape->out[k]];
}

double noe_step_path_least_of_parabola(double a, double b, double c, double *share)
{
    const double curvature = 2 * (a - 2 * b + c), tilt = 4 * b - 3 * a - c,
                 s = curvature > 0 ? -tilt / (2 * curvature) : -1;
    if (!(s > 0 && s < 1)) return a < c ? a : c;
    *share = s;
    return a + s * (tilt + s * curvature);
}
