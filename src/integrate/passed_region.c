/* A region between kinks of L or of forces that a step jumps over: what it would change.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A hill of L that a step jumps over has no impulse as a whole: it gives back what it took.  What
 * F_j exceeds its values outside by is therefore integrated from the first to the last kink that a
 * step passes, and the largest sum on the way counts.  Where L itself jumps F shows nothing. */
#include "integrate/singularity_guard.h"

#include <math.h>
#include <stdlib.h>

/* Places between two kinks at which F is measured. */
enum { PLACES_BETWEEN = 8 };
/* Distance from a region between kinks, by its width, at which F is that of outside. */
static const double OUTSIDE = 0x1p-6;
/* Distance from a kink, by that of the next one, at which L is compared: kinks are known to
 * 2^-20. */
static const double CLOSE_BY = 0x1p-14;
/* Rounding of three differences of L, by its size. */
static const double ROUNDED = 0x1p-49;

/* Widens [low, high] by F at a fraction of the path. */
static void outside(const noe_step_path *w, double share)
{
    noe_impulse_losses *x = w->g->guard->impulse;
    const double       *F = noe_lost_impulse_force(w, share);
    for (int j = 0; j < w->g->system->dyn.n; j++) {
        x->low[j] = fmin(x->low[j], F[j]);
        x->high[j] = fmax(x->high[j], F[j]);
    }
}

/* Adds what F at a fraction of the path exceeds [low, high] by. */
static void add_excess(const noe_step_path *w, double share, double weight)
{
    noe_impulse_losses *x = w->g->guard->impulse;
    const double       *F = noe_lost_impulse_force(w, share);
    for (int j = 0; j < w->g->system->dyn.n; j++) {
        x->sum[j] += weight * (F[j] - fmin(fmax(F[j], x->low[j]), x->high[j]));
        x->most[j] = fmax(x->most[j], fabs(x->sum[j]));
    }
}

/* L at a fraction of the path; what follows from L there stands in x->mass_slot. */
static double lagrangian(const noe_step_path *w, double share)
{
    noe_impulse_losses *x = w->g->guard->impulse;
    const noe_tape     *tape = w->g->system->dyn.legendre;
    noe_step_path_place(w, share, x->mass_slot, true);
    noe_tape_double_run_again(tape, x->mass_slot);
    return x->mass_slot[tape->out[w->g->system->dyn.n]];
}

/* The jump of L at a place of the path: what its differences over two distances have in common.
 * What they round is taken off. */
static double jump_of_lagrangian(const noe_step_path *w, double at, double before, double after)
{
    double D[2], size = 0;
    for (int i = 0; i < 2; i++) {
        const double close = ldexp(CLOSE_BY, -i), from = lagrangian(w, at - close * (at - before)),
                     to = lagrangian(w, at + close * (after - at));
        D[i] = to - from;
        size = fmax(size, fabs(from) + fabs(to));
    }
    return fmax(0, fabs(2 * D[1] - D[0]) - ROUNDED * size);
}

/* du_k/dq_j at a fraction of the path, by differences: u_k changes its sign there. */
static void gradient(const noe_step_path *w, int k, double share, double *slope)
{
    noe_impulse_losses *x = w->g->guard->impulse;
    const noe_tape     *tape = w->g->system->dyn.singular;
    const int           n = w->g->system->dyn.n;
    noe_step_path_place(w, share, x->u_slot, false);
    noe_tape_double_run_again(tape, x->u_slot);
    const double u = x->u_slot[tape->out[k]];
    for (int j = 0; j < n; j++) {
        double *const q = &x->u_slot[noe_tape_input(NOE_Q, j, n)], here = *q;
        *q += CLOSE_BY * (w->q1[j] - w->q0[j]);
        const double way = *q - here;
        noe_tape_double_run_again(tape, x->u_slot);
        slope[j] = way != 0 ? (x->u_slot[tape->out[k]] - u) / way : 0;
        *q = here;
    }
}

/* A jump D of L at u = 0 is a push along du/dq, after which v_j is another one by
 *     (1/M_jj) (du/dq_j) (du/dt)/S (sqrt(1 + 2 D S/(du/dt)^2) - 1),
 *     S = sum_j (du/dq_j)^2/M_jj. */
static void add_jump(const noe_step_path *w, const noe_kink *at, double jump)
{
    noe_impulse_losses *x = w->g->guard->impulse;
    const noe_dynamics *d = &w->g->system->dyn;
    double              slope[d->n], speed = 0, S = 0;
    gradient(w, at->argument, at->share, slope);
    lagrangian(w, at->share);
    for (int j = 0; j < d->n; j++) speed += slope[j] * x->mass_slot[noe_tape_input(NOE_V, j, d->n)];
    for (int e = 0; e < d->masses; e++)
        if (d->mass[e].row == d->mass[e].col)
            S += pow(slope[d->mass[e].row], 2) / x->mass_slot[d->legendre->out[d->mass[e].output]];
    const double push = fabs(speed) / S * (sqrt(1 + 2 * jump * S / (speed * speed)) - 1);
    for (int e = 0; e < d->masses; e++) {
        const int    j = d->mass[e].row;
        const double change = fabs(slope[j]) * push
                            / x->mass_slot[d->legendre->out[d->mass[e].output]];
        if (d->mass[e].col == j && isfinite(change) && change > x->missed[j]) {
            x->missed[j] = change;
            x->passed[j] = w->t1;
        }
    }
}

static int by_share(const void *a, const void *b)
{
    const noe_kink *x = a, *y = b;
    return (x->share > y->share) - (x->share < y->share);
}

/* What F exceeds its values outside by between the first and the last of several kinks. */
static void measure_forces(const noe_step_path *w, const noe_kink *kink, int kinks)
{
    noe_impulse_losses *x = w->g->guard->impulse;
    const int           n = w->g->system->dyn.n;
    const double        first = kink[0].share, last = kink[kinks - 1].share,
                 far = OUTSIDE * (last - first);
    for (int j = 0; j < n; j++) {
        x->low[j] = INFINITY;
        x->high[j] = -INFINITY;
        x->sum[j] = x->most[j] = 0;
    }
    outside(w, 0), outside(w, 1);
    outside(w, fmax(first - far, first / 2)), outside(w, fmin(last + far, (1 + last) / 2));
    for (int i = 0; i + 1 < kinks; i++) {
        const double part = (kink[i + 1].share - kink[i].share) / PLACES_BETWEEN;
        for (int k = 0; k < PLACES_BETWEEN && part > 0; k++)
            add_excess(w, kink[i].share + (k + 0.5) * part, part);
    }
    noe_lost_impulse_keep(w, x->most, x->missed, x->passed);
}

void noe_passed_region_measure(const noe_step_path *w, noe_kink *kink, int kinks)
{
    qsort(kink, (size_t)kinks, sizeof *kink, by_share);
    if (kinks > 1) measure_forces(w, kink, kinks);
    for (int i = 0; i < kinks; i++) {
        const double jump = jump_of_lagrangian(w, kink[i].share, i ? kink[i - 1].share : 0,
                                               i + 1 < kinks ? kink[i + 1].share : 1);
        if (jump > 0) add_jump(w, &kink[i], jump);
    }
}
