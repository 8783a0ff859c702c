/* u(q) = 0 between two states, where 1/u or log u is infinite?  There no motion passes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The nodes of a step that jumps over a singularity may stand so far from it on both sides that their forces do not show it.
 * Denominators do: a difference of coordinates changes its sign on the straight way, a sum of squares is a parabola there that
 * falls to 0.  What is singular, and not sin(x)/x, shows in the force, which grows without bound towards the place. */
#include "run/barrier.h"

#include <math.h>
#include <string.h>

enum { SEARCH = 60 };
static const double NOTHING = 1e-12,            /* u against its ends where it is 0 */
                    FAR = 1e-3, CLOSE = 1e-10,  /* shares of the way before and behind the place where forces are compared */
                    GROWN = 10;

/* All u at a share of the way, in double. */
static void look(const noe_way *w, double share, double *u)
{
    noe_guard      *x = w->g->guard;
    const noe_tape *tape = w->g->system->dyn.singular;
    const int       n = w->g->system->dyn.n;
    x->u_slot[0] = w->t0 + share * (w->t1 - w->t0);
    for (int i = 0; i < n; i++) x->u_slot[noe_tape_input(NOE_Q, i, n)] = w->q0[i] + share * (w->q1[i] - w->q0[i]);
    noe_tape_rough_again(tape, x->u_slot);
    for (int k = 0; k < tape->outputs; k++) u[k] = x->u_slot[tape->out[k]];
}

static double one(const noe_way *w, double share, int k)
{
    look(w, share, w->g->guard->u_there);
    return w->g->guard->u_there[k];
}

/* The largest |F_j| at a share of the way, in binary128. */
static double force(const noe_way *w, double share)
{
    noe_guard      *x = w->g->guard;
    const noe_tape *tape = w->g->system->dyn.gradient;
    const int       n = w->g->system->dyn.n;
    const quad      h = (quad)w->t1 - w->t0;
    double          most = 0;
    memset(x->f_in, 0, (size_t)tape->inputs * sizeof *x->f_in);
    x->f_in[0] = w->t0 + (quad)share * h;
    for (int i = 0; i < n; i++) {
        const quad d = (quad)w->q1[i] - w->q0[i];
        x->f_in[noe_tape_input(NOE_Q, i, n)] = w->q0[i] + (quad)share * d;
        x->f_in[noe_tape_input(NOE_V, i, n)] = d / h;
    }
    noe_tape_run(tape, x->f_in, x->f_slot, x->f_out);
    for (int i = 0; i < n; i++) {
        const double size = (double)fabsq(x->f_out[i]);
        if (!(size <= most)) most = size; /* nan, too */
    }
    return most;
}

static bool singular(const noe_way *w, double share)
{
    for (int side = -1; side <= 1; side += 2) {
        const double far = force(w, share + side * FAR), close = force(w, share + side * CLOSE);
        if (!(close <= GROWN * far)) return true;
    }
    return false;
}

/* Where u_k changes its sign, by bisection. */
static double crossing(const noe_way *w, int k, double u0)
{
    double a = 0, b = 1;
    for (int i = 0; i < SEARCH; i++) {
        const double c = (a + b) / 2, u = one(w, c, k);
        if ((u < 0) == (u0 < 0) && u != 0) a = c;
        else b = c;
    }
    return (a + b) / 2;
}

static double least_of(double a, double b) { return a < b ? a : b; }

/* The least of a parabola through |u| at 0, 1/2 and 1, and where. */
static double dip(double a, double b, double c, double *share)
{
    const double bend = 2 * (a - 2 * b + c), tilt = 4 * b - 3 * a - c, s = bend > 0 ? -tilt / (2 * bend) : -1;
    if (!(s > 0 && s < 1)) return least_of(a, c);
    *share = s;
    return a + s * (tilt + s * bend);
}

noe_barrier_look noe_barrier_between(const noe_way *w)
{
    noe_guard       *x = w->g->guard;
    const int        count = w->g->system->dyn.singular->outputs;
    noe_barrier_look y = { .near = 1 };
    double           calm = INFINITY; /* its square */
    if (!x->follows) look(w, 0, x->u0);
    look(w, 0.5, x->u_half), look(w, 1, x->u1);
    for (int k = 0; k < count && !y.passed; k++) {
        const double a = x->u0[k], b = x->u_half[k], c = x->u1[k], ends = least_of(fabs(a), fabs(c)), all = fabs(a) + fabs(c);
        if (a == 0) continue; /* nor does a motion begin there */
        if ((a < 0) != (c < 0) || c == 0 || (b < 0) != (a < 0)) {
            y.share = crossing(w, k, a);
            y.passed = singular(w, y.share);
            continue;
        }
        double       share = 0;
        const double least = dip(fabs(a), fabs(b), fabs(c), &share);
        if (least <= NOTHING * all) {
            y.share = share;
            y.passed = singular(w, share);
        }
        if (least < y.near * ends) y.near = least > 0 ? least / ends : 0;
        const double rate = c - a, bend = 4 * fabs(a - 2 * b + c);
        if (calm * 4 * rate * rate > c * c) calm = c * c / (4 * rate * rate);
        if (calm * 2 * bend > fabs(c)) calm = fabs(c) / (2 * bend);
    }
    y.calm = sqrt(calm);
    return y;
}
