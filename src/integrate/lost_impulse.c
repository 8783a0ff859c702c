/* Impulse that a step loses to what its nodes miss: int F dt - h sum_i b_i F(t + c_i h).
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The times at which F jumps are the zeros of the last dyn.times arguments of dyn.singular.
 * Between them F is smooth, and the integral is that of three Gauss nodes on the path of the
 * step, on parts so short that the other arguments, of smooth functions of time (dyn.pulses),
 * change by less than ARGUMENT_CHANGE_MOST in each.  The loss as a velocity, e_j/M_jj, is compared
 * with the standard deviation of velocity j: a measure without constants, frames, units and other
 * systems. */
#include "integrate/singularity_guard.h"

#include "base/status.h"
#include "method/time_quadrature.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES_MOST = 1024 };
/* Change of an argument of dyn.pulses up to which three nodes are enough: their error of exp(-u^2)
 * over 0.5 is 1e-6 of the part at most. */
static const double ARGUMENT_CHANGE_MOST = 0.5;
/* Loss of a velocity, by its standard deviation, from which on it is large.  It is 0 in
 * the runs of systems/ that take up to 4 s. */
static const double LARGE_LOSS = 0.05;
/* Times closer than this part of the step, or than this many roundings of t, are not told apart. */
static const double SAME_TIME_PART = 0x1p-40, SAME_TIME_ROUNDINGS = 8;
/* In units of that: the distance from a jump at which F is evaluated on its two sides, and a
 * part of a step that is not divided, which is twice that of both. */
static const double BESIDE = 2, UNDIVIDED = 8;

void noe_lost_impulse_free(noe_impulse_losses *x)
{
    if (!x) return;
    free(x->share), free(x);
}

void noe_lost_impulse_reset(noe_impulse_losses *x)
{
    if (!x) return;
    for (double *loss = x->loss; loss < x->when; loss++) *loss = 0;
    for (double *missed = x->missed; missed < x->passed; missed++) *missed = 0;
}

noe_impulse_losses *noe_lost_impulse_new(const noe_integrator *g)
{
    const noe_dynamics *d = &g->system->dyn;
    const bool          silent = !noe_error();
    if (!d->singular || !(d->times + d->pulses + g->system->places) || d->L || !g->engine->guard)
        return NULL;
    noe_method         *f = noe_method_parse(g->method);
    noe_impulse_losses *x = f ? noe_status_alloc(1, sizeof *x) : NULL;
    if (x) {
        const size_t n = (size_t)d->n, nodes = (size_t)noe_time_quadrature_count(f),
                     u = (size_t)d->singular->outputs, u_slots = (size_t)d->singular->slots,
                     slots = (size_t)d->gradient->slots, masses = (size_t)d->legendre->slots;
        double *room = noe_status_alloc(2 * nodes + 9 * n + 3 * u + u_slots + slots + masses,
                                        sizeof *room);
        x->nodes = (int)nodes;
        x->share = room;
        x->weight = room + nodes;
        x->loss = x->weight + nodes;
        x->when = x->loss + n;
        x->missed = x->when + n;
        x->passed = x->missed + n;
        x->sum = x->passed + n;
        x->low = x->sum + n;
        x->high = x->low + n;
        x->most = x->high + n;
        x->force = x->most + n;
        x->u = x->force + n;
        x->before = x->u + u;
        x->after = x->before + u;
        x->u_slot = x->after + u;
        x->slot = x->u_slot + u_slots;
        x->mass_slot = x->slot + slots;
        if (room) {
            noe_time_quadrature_fill(f, x->share, x->weight);
            memset(x->slot, 0, slots * sizeof *x->slot);
            memset(x->mass_slot, 0, masses * sizeof *x->mass_slot);
            noe_tape_double_run(d->singular, x->u_slot); /* these put constants in their slots */
            noe_tape_double_run(d->gradient, x->slot);
            noe_tape_double_run(d->legendre, x->mass_slot);
        } else free(x), x = NULL;
    }
    noe_method_free(f);
    if (silent) noe_error_clear();
    return x;
}

/* F at a fraction of the path, into x->force. */
const double *noe_lost_impulse_force(const noe_step_path *w, double share)
{
    noe_impulse_losses *x = w->g->guard->impulse;
    const noe_tape     *tape = w->g->system->dyn.gradient;
    noe_step_path_place(w, share, x->slot, true);
    noe_tape_double_run_again(tape, x->slot);
    for (int j = 0; j < w->g->system->dyn.n; j++) x->force[j] = x->slot[tape->out[j]];
    return x->force;
}

/* Adds a multiple of F at a fraction of the path to the sum. */
static void add_force(const noe_step_path *w, double share, double weight)
{
    double *const       sum = w->g->guard->impulse->sum;
    const double *const F = noe_lost_impulse_force(w, share);
    for (int j = 0; j < w->g->system->dyn.n; j++) sum[j] += weight * F[j];
}

static void look(const noe_step_path *w, double share, double *u)
{
    noe_step_path_arguments(w, share, w->g->guard->impulse->u_slot, u);
}

/* The first time between a and b at which argument k changes its sign, by bisection. */
static double jump(const noe_step_path *w, int k, double a, double b, bool negative, double close)
{
    noe_impulse_losses *x = w->g->guard->impulse;
    while (b - a > close) {
        const double c = (a + b) / 2;
        look(w, c, x->u);
        if ((x->u[k] < 0) == negative) a = c;
        else b = c;
    }
    return b;
}

/* Does a function of time vary by much from a to b?  Arguments there are in x->before and
 * x->after. */
static bool varies(const noe_step_path *w, double a, double b)
{
    const noe_dynamics *d = &w->g->system->dyn;
    noe_impulse_losses *x = w->g->guard->impulse;
    const int           last = d->singular->outputs - d->times;
    if (!d->pulses) return false;
    look(w, (a + b) / 2, x->u);
    for (int k = last - d->pulses; k < last; k++) {
        const double from = x->before[k], to = x->after[k], middle = x->u[k];
        if ((from < 0 || to < 0 || middle < 0)
            && (fabs(middle - from) > ARGUMENT_CHANGE_MOST
                || fabs(to - middle) > ARGUMENT_CHANGE_MOST))
            return true;
    }
    return false;
}

/* Adds int F from a to b, in pieces between which F jumps; `left` of them at most. */
static void integrate(const noe_step_path *w, double a, double b, double close, int *left)
{
    static const double at = 0.38729833462074170; /* sqrt(3/5)/2 */
    noe_impulse_losses *x = w->g->guard->impulse;
    const noe_dynamics *d = &w->g->system->dyn;
    const int           count = d->singular->outputs;
    const double        m = (a + b) / 2, h = b - a;
    if (--*left > 0 && h > UNDIVIDED * close) {
        look(w, a + BESIDE * close, x->before), look(w, b - BESIDE * close, x->after);
        for (int k = count - d->times; k < count; k++) {
            if ((x->before[k] < 0) == (x->after[k] < 0)) continue;
            const double c = jump(w, k, a + BESIDE * close, b - BESIDE * close, x->before[k] < 0,
                                  close);
            integrate(w, a, c, close, left), integrate(w, c, b, close, left);
            return;
        }
        if (varies(w, a, b)) {
            integrate(w, a, m, close, left), integrate(w, m, b, close, left);
            return;
        }
    }
    add_force(w, m - at * h, 5 * h / 18), add_force(w, m, 8 * h / 18);
    add_force(w, m + at * h, 5 * h / 18);
}

/* Adds int F of the whole step: from each split of the guard to the next. */
static void integrate_all(const noe_step_path *w, double close)
{
    const noe_singularity_guard *y = w->g->guard;
    int                          left = PIECES_MOST;
    for (double from = 0; from < 1;) {
        double to = from < 0.5 ? 0.5 : 1;
        for (int i = 0; i < y->splits; i++)
            if (y->split[i] > from && y->split[i] < to) to = y->split[i];
        integrate(w, from, to, close, &left);
        from = to;
    }
}

/* Keeps the impulses of one step, by the step, as losses of velocities that are the largest so
 * far. */
void noe_lost_impulse_keep(const noe_step_path *w, const double *impulse, double *largest,
                           double *when)
{
    noe_impulse_losses *x = w->g->guard->impulse;
    const noe_dynamics *d = &w->g->system->dyn;
    noe_step_path_place(w, 0.5, x->mass_slot, true);
    noe_tape_double_run_again(d->legendre, x->mass_slot);
    for (int k = 0; k < d->masses; k++) {
        const int    j = d->mass[k].row;
        const double M = x->mass_slot[d->legendre->out[d->mass[k].output]],
                     loss = fabs((w->t1 - w->t0) * impulse[j] / M);
        if (d->mass[k].col == j && loss > largest[j] && isfinite(loss)) {
            largest[j] = loss;
            when[j] = w->t1;
        }
    }
}

void noe_lost_impulse_add(const noe_step_path *w)
{
    noe_impulse_losses *x = w->g->guard->impulse;
    const noe_dynamics *d = &w->g->system->dyn;
    const double        h = w->t1 - w->t0;
    const double        latest = fmax(fabs(w->t0), fabs(w->t1)),
                 close = fmax(SAME_TIME_PART, SAME_TIME_ROUNDINGS * 0x1p-52 * latest / fabs(h));
    memset(x->sum, 0, (size_t)d->n * sizeof *x->sum);
    integrate_all(w, close);
    for (int i = 0; i < x->nodes; i++) add_force(w, x->share[i], -x->weight[i]);
    noe_lost_impulse_keep(w, x->sum, x->loss, x->when);
}

noe_lost_impulse noe_lost_impulse_of(const noe_integrator *g)
{
    const noe_impulse_losses *x = g->guard ? g->guard->impulse : NULL;
    const int                 n = x ? g->system->dyn.n : 0;
    quad                      sd[NOE_SINGULAR_BARRIER_MOST];
    noe_lost_impulse          y = { .passed = NAN };
    if (x) g->engine->guard->spread(g->work, g->member, sd, NULL);
    for (int j = 0; j < n; j++) {
        const double part = x->loss[j] > 0 ? x->loss[j] / (double)sd[j] : 0;
        if (part > y.size) y.size = part, y.place = j, y.t = x->when[j];
        if (x->missed[j] > LARGE_LOSS * (double)sd[j] && !(x->passed[j] >= y.passed))
            y.passed = x->passed[j];
    }
    y.large = y.size > LARGE_LOSS;
    return y;
}
