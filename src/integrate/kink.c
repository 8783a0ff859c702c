/* Diagnosis of a failed step: a kink of a force, abs(u) with u(t, q, v) = 0 within the step.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Where dry friction makes a body stick there is no smooth motion.  u can reach 0 within the step
 * where |u| <= h sum_i |u_vi F_i / M_ii|.  The step resolves a law that is smooth on the scale of
 * the change of velocities in a step: sqrt(u^2 + w^2) for abs(u), w = h max |u_vi F_i / M_ii|. */
#include "integrate/failure_context.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Factor on that bound: the acceleration of the whole step is not that of the state. */
static const double REACH_FACTOR = 4;

/* All u at (t, q, v) of the failure context, with v_i + d in place of v_i. */
static void arguments(const noe_failure_context *s, int i, quad d, quad *slot, quad *u)
{
    const noe_tape *tape = s->g->system->dyn.kink;
    quad            in[tape->inputs];
    memset(in, 0, sizeof in);
    in[0] = s->t;
    for (int j = 0; j < s->n; j++) {
        in[noe_tape_input(NOE_Q, j, s->n)] = s->q[j];
        in[noe_tape_input(NOE_V, j, s->n)] = s->v[j] + (j == i ? d : 0);
    }
    noe_tape_quad_run(tape, in, slot, u);
}

static void say(noe_failure_context *s, const bool *moves, double width)
{
    int only = -1, count = 0;
    for (int i = 0; i < s->n; i++)
        if (moves[i]) {
            only = i;
            count++;
        }
    noe_failure_context_cause(s, "a force has a kink or a jump where ");
    if (count == 1) noe_failure_context_cause(s, "%.40s' = 0", noe_failure_context_name(s, only));
    else
        noe_failure_context_cause(s, "a combination u of the velocities of "),
            noe_failure_context_names(s, moves), noe_failure_context_cause(s, " is 0");
    noe_failure_context_cause(
        s,
        ", in abs, sign, min, max or if(..), and the step meets it: at sticking no smooth motion "
        "goes on");
    noe_failure_context_advise(
        s,
        "write a force that is smooth there: with w = %.2g, sqrt(u^2 + w^2) for abs(u) and "
        "u/sqrt(u^2 + w^2) for "
        "sign(u)%s%.40s%s",
        width, count == 1 ? ", u being " : "", count == 1 ? noe_failure_context_name(s, only) : "",
        count == 1 ? "'" : "");
}

bool noe_kink_find(noe_failure_context *s)
{
    const noe_tape *tape = s->g->system->dyn.kink;
    if (!tape || !noe_failure_context_good(s, 0)) return false;
    const int    n = s->n, count = tape->outputs;
    const double h = fabs((double)s->h);
    quad        *slot = noe_status_alloc((size_t)tape->slots + 2 * (size_t)count, sizeof *slot),
         *u = slot + tape->slots, *du = u + count;
    double *reach = noe_status_alloc(2 * (size_t)count, sizeof *reach), *width = reach + count;
    bool   *moves = noe_status_alloc((size_t)count * (size_t)n, sizeof *moves);
    int     found = -1;
    if (slot && reach && moves) {
        arguments(s, -1, 0, slot, u);
        for (int i = 0; i < n; i++) {
            const double change = h * fabs((double)(s->x.F[i] / s->x.D[NOE_D_PV][i * n + i]));
            const quad   d = change > 0 && isfinite(change) ? change : 1;
            arguments(s, i, d, slot, du);
            for (int k = 0; k < count; k++) {
                const double slope = fabs((double)((du[k] - u[k]) / d));
                moves[k * n + i] = slope > 0;
                if (isfinite(change * slope)) {
                    reach[k] += change * slope;
                    width[k] = fmax(width[k], change * slope);
                }
            }
        }
        for (int k = 0; k < count && found < 0; k++)
            if (fabs((double)u[k]) <= REACH_FACTOR * reach[k]) found = k;
        if (found >= 0) say(s, moves + found * n, width[found]);
    }
    free(slot), free(reach), free(moves);
    return found >= 0;
}
