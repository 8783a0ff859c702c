/* Diagnosis of a failed step: finds its cause and sets the message.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Possible causes are a singular mass matrix, a value that is not finite, a kink of a force, a
 * collision, a motion that runs away, and a step beyond the stability limit.  The system is
 * examined in the last good state and on the straight path q + s h v ahead of it: where the domain
 * of L ends, where L_vv is singular, where L_qq grows without bound, and how fast the motion
 * oscillates. */
#include "base/status.h"
#include "matrix/quadratic_eigen.h"
#include "integrate/singularity_guard.h"
#include "integrate/failure_context.h"
#include "constraint/constraint_point.h"
#include "integrate/monitor_check.h"
#include "tape/left_out_bounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define cause(...) noe_failure_context_cause(__VA_ARGS__)
#define advise(...) noe_failure_context_advise(__VA_ARGS__)

/* Does the method divide by a position that is 0?  K_j = C v/q_j in the frozen scheme of paper
 * 004. */
static bool divides(noe_failure_context *s)
{
    bool zero[NOE_WHOLE_MOST], any = false;
    for (int i = 0; i < s->n; i++) any |= zero[i] = s->q[i] == 0;
    if (!any || !s->g->freezes) return false;
    cause(s, "this method divides what depends on velocities and on other coordinates by ");
    noe_failure_context_names(s, zero);
    cause(s, ", which is 0 there: 0/0, or infinite");
    advise(s, "take \"yoshida4\", the same kicks and drifts with the damping inside the kicks, or "
              "\"simpson\"");
    s->status = NOE_NOT_FINITE;
    return true;
}

/* Is L_vv singular on the way to (*t1, q1); NULL: on the straight path of two steps? */
static bool mass(noe_failure_context *s, const double *t1, const double *q1)
{
    bool              lost[NOE_WHOLE_MOST], moved[NOE_WHOLE_MOST], any = false;
    quad              d[NOE_WHOLE_MOST];
    noe_singular_mass y = { .lost = lost, .moved = moved, .dip = 1 };
    if (s->n > NOE_SINGULAR_MASS_MOST || !s->g->system->dyn.mass_moves
        || !noe_singularity_guard_ready(s->g))
        return false;
    for (int i = 0; i < s->n; i++) s->there[i] = q1 ? q1[i] : s->q[i] + 2 * s->h * s->v[i];
    double from[NOE_WHOLE_MOST], to[NOE_WHOLE_MOST];
    for (int i = 0; i < s->n; i++) from[i] = (double)s->q[i], to[i] = (double)s->there[i];
    const noe_step_path w = { s->g, (double)s->t, t1 ? *t1 : (double)(s->t + 2 * s->h),
                              from, to,           false };
    if (!noe_singular_mass_find(&w, &y)) return false;
    for (int i = 0; i < s->n; i++) d[i] = s->there[i] - s->q[i], any |= moved[i] &= d[i] != 0;
    cause(s, "the mass matrix L_vv is singular at t = %.6g", w.t0 + y.share * (w.t1 - w.t0));
    if (any) cause(s, ", ");
    noe_failure_context_places(s, moved, s->q, d, y.share);
    cause(s, ": the velocities of ");
    noe_failure_context_names(s, lost);
    cause(s, " do not follow from the momenta there");
    advise(
        s,
        "choose coordinates without a singularity there, turned axes for angles, or another start");
    s->status = NOE_SINGULAR;
    return true;
}

/* Did the step find that a constraint that the run leaves out, since it followed from the others,
 * does so no longer?  Then it is the one that is off most at the last good state. */
static bool contradicts(noe_failure_context *s)
{
    const noe_system     *system = s->g->system;
    const int             n = s->n, m = system->dyn.constraints;
    int                   which = -1;
    quad                  most = 0;
    noe_constraint_point *x = s->status == NOE_SINGULAR && m
                                ? noe_constraint_point_new(&system->dyn)
                                : NULL;
    if (!x) return false;
    noe_redundant_constraints_at(s->g, x, s->t, s->q, s->v, NOE_DEPENDENT_ROUNDING);
    for (int a = 0; a < m; a++) {
        quad length = 0, speed = 0;
        if (!x->left_out[a]) continue;
        for (int j = 0; j < n; j++) {
            length = fmaxq(length, fabsq(s->q[j]));
            speed = fmaxq(speed, fabsq(s->v[j]));
        }
        length *= x->size[a], speed = speed * x->size[a] + fabsq(x->rate[a]);
        const quad off = fmaxq(x->g[a] == 0 ? 0 : fabsq(x->g[a]) / length,
                               x->hidden[a] == 0 ? 0 : fabsq(x->hidden[a]) / speed);
        if (which < 0 || off > most) which = a, most = off;
    }
    noe_constraint_point_free(x);
    if (which < 0) return false;
    cause(s,
          "the constraint '%.60s', which follows from the others at the start, does not at "
          "t = %.6g: they contradict each other",
          noe_system_constraint(system, which), (double)s->t);
    advise(s, "correct the lengths or the motion that it prescribes, or end the run before");
    s->status = NOE_SINGULAR;
    return true;
}

/* The square of the least sine of an angle between a gradient and those before it, the most
 * independent first, in the metric of the coordinates as they are: in that of very different masses
 * gradients are nearly parallel that are not. */
static double least_sine_squared(const noe_constraint_point *x)
{
    const int n = x->n, m = x->m;
    double   *U = noe_status_alloc((size_t)(m * n), sizeof *U), least = 1;
    bool      used[m];
    for (int a = 0; a < m; a++) used[a] = x->left_out[a] != 0;
    for (int a = 0; a < m && U; a++) {
        const quad size = sqrtq(noe_quad_dot(x->G + a * n, x->G + a * n, n));
        for (int j = 0; j < n; j++) U[a * n + j] = size > 0 ? (double)(x->G[a * n + j] / size) : 0;
    }
    for (int round = 0; round < m && U; round++) {
        int    next = -1;
        double best = -1;
        for (int a = 0; a < m; a++) {
            double size = 0;
            for (int j = 0; j < n; j++) size += U[a * n + j] * U[a * n + j];
            if (!used[a] && size > best) best = size, next = a;
        }
        if (next < 0) break;
        used[next] = true, least = fmin(least, best);
        for (int a = 0; a < m && best > 0; a++) {
            double along = 0;
            for (int j = 0; j < n; j++) along += U[a * n + j] * U[next * n + j] / best;
            for (int j = 0; j < n && !used[a]; j++) U[a * n + j] -= along * U[next * n + j];
        }
    }
    free(U);
    return least;
}

/* Do the constraints depend on each other on the path of 1.25 steps, at a dead point?  The least
 * pivot of G M^-1 G^T, scaled to a diagonal of 1, is the square of the sine of an angle between
 * gradients. */
static bool dead_point(noe_failure_context *s)
{
    enum { LOOKS = 50 };
    const double near = 0.01, /* sines of 1/10 */
        without_masses = 0.1; /* an open chain of rods has 1/2 or more, whatever its masses */
    const noe_system *system = s->g->system;
    const int         m = system->dyn.constraints;
    double            least = 1, share = 0;
    int               which = 0;
    if (!m) return false;
    noe_constraint_point *x = noe_constraint_point_new(&system->dyn);
    for (int k = 0; k <= LOOKS && x; k++) {
        const double part = 1.25 * k / LOOKS;
        for (int i = 0; i < s->n; i++) s->there[i] = s->q[i] + (quad)part * s->h * s->v[i];
        noe_redundant_constraints_at(s->g, x, s->t + (quad)part * s->h, s->there, s->v,
                                     NOE_DEPENDENT_ROUNDING);
        if (!x->regular) continue;
        int active = m;
        for (int a = 0; a < m; a++) active -= x->left_out[a];
        const quad   root = x->rank < active ? 0 : x->root[(active - 1) * (m + 1)];
        const double pivot = (double)(root * root);
        if (pivot < least && (pivot >= near || least_sine_squared(x) < without_masses)) {
            least = pivot, share = part;
            which = x->order[x->rank < active ? x->rank : active - 1];
        }
    }
    noe_constraint_point_free(x);
    if (!(least < near)) return false;
    cause(
        s,
        "the constraint '%.60s' %s near t = %.6g (a dead point): its force is not determined there",
        noe_system_constraint(system, which),
        m > 1 ? "follows from the others" : "has the gradient 0",
        (double)(s->t + (quad)share * s->h));
    advise(s, "end the run before; a shorter step, or another start, may pass that place");
    s->status = NOE_SINGULAR;
    return true;
}

/* Is a value not finite on the path of 1.25 steps?  The first such place is found by bisection;
 * alone[i]: the motion of coordinate i alone leads to one. */
static bool not_finite(noe_failure_context *s)
{
    enum { LOOKS = 40 };
    double inside = 0, outside = 0;
    bool   alone[NOE_WHOLE_MOST], moving[NOE_WHOLE_MOST], any = false, moves = false;
    quad   d[NOE_WHOLE_MOST];
    for (int k = 1; k <= LOOKS && outside == 0; k++) {
        const double share = 1.25 * k / LOOKS;
        if (noe_failure_context_good(s, share)) inside = share;
        else outside = share;
    }
    if (outside == 0) return false;
    for (int k = 0; k < 60; k++) {
        const double share = (inside + outside) / 2;
        *(noe_failure_context_good(s, share) ? &inside : &outside) = share;
    }
    const quad t = s->t + outside * s->h;
    for (int i = 0; i < s->n; i++) {
        d[i] = s->h * s->v[i];
        moving[i] = d[i] != 0;
        for (int j = 0; j < s->n; j++)
            s->there[j] = s->q[j] + (j == i ? (quad)outside : 0) * s->h * s->v[j];
        any |= alone[i] = moving[i] && !noe_linearization_at(&s->x, t, s->there, s->v);
    }
    cause(s, "a value of L or of its derivatives is not finite from t = %.6g on", (double)t);
    for (int i = 0; i < s->n; i++) moves |= moving[i];
    if (moves) cause(s, ", ");
    noe_failure_context_places(s, any ? alone : moving, s->q, d, outside);
    cause(s,
          ": a division by zero, a root or logarithm of a negative number, or a number too large");
    advise(s, "the motion leaves the domain of L: end it before, or start elsewhere");
    s->status = NOE_NOT_FINITE;
    return true;
}

/* Is the step too long for the fastest oscillation of the linearised system, or beyond the
 * stability limit omega h = edge of the method? */
static bool too_long(noe_failure_context *s, double edge, const char *method)
{
    const int              n = s->n;
    const double           h = fabs((double)s->h);
    noe_quadratic_spectrum w;
    if (!noe_failure_context_good(s, 0)) return false;
    quad *B = noe_status_alloc(2 * (size_t)n * (size_t)n, sizeof *B), *C = B + n * n;
    if (!B) return false;
    for (int i = 0; i < n * n; i++) {
        B[i] = s->x.D[NOE_D_PQ][i] - s->x.D[NOE_D_FV][i];
        C[i] = -s->x.D[NOE_D_FQ][i];
    }
    const bool found = noe_quadratic_eigen_find(n, s->x.D[NOE_D_PV], B, C, &w);
    free(B);
    if (!found || !(w.fastest * h > fmin(edge, 2))) return false;
    const double most = noe_failure_context_stiffness(s);
    bool         stiff[NOE_WHOLE_MOST];
    for (int i = 0; i < n; i++) stiff[i] = s->rate[i] >= 0.5 * most && most > 0;
    if (w.fastest * h > edge)
        cause(s,
              "the step is beyond the stability limit of %s there, %.3g = %.3g/%.3g: the fastest "
              "oscillation",
              method, edge / w.fastest, edge, w.fastest);
    else cause(s, "the step is too long for the fastest oscillation there");
    if (most > 0) cause(s, ", mostly of ");
    if (most > 0) noe_failure_context_names(s, stiff);
    cause(s, ", turns by %.3g radians in a step", w.fastest * h);
    advise(s, "try a smaller step than %.3g (40 points in the fastest period: %.3g)%s", h,
           2 * M_PI / (40 * w.fastest),
           isfinite(edge) ? ", or a gauss method, stable on every oscillator" : "");
    return true;
}

/* A tabulated function of t whose data end before the step does; NULL: none. */
static const noe_tabulated *ended(noe_integrator *g)
{
    quad t, h;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    noe_integrator_state_get(g, NOE_AT_STEP, &h);
    const noe_tabulated *x = g->system->model ? noe_table_lookup_outside(g->system->model, t)
                                              : NULL;
    return x || !g->system->model ? x : noe_table_lookup_outside(g->system->model, t + h);
}

noe_status noe_failure_diagnosis_find(noe_integrator *g, noe_status why)
{
    const noe_tabulated *x = ended(g);
    if (x)
        return noe_status_fail(
            NOE_NOT_FINITE,
            "step %.0f from t = %.12g: the table '%.100s' has values from %.10g to %.10g alone; "
            "the state "
            "before the step is kept; end the run there, or say what is outside: table(.., zero) "
            "or table(.., hold)",
            noe_get(g, "steps") + 1, noe_time(g), x->file, x->x_d[0], x->x_d[x->pieces]);
    const bool       silent = !noe_error();
    const noe_status unclocked = noe_monitor_check_path(g);
    if (unclocked) return unclocked;
    if (g->system->dyn.groups && g->system->dyn.n <= NOE_WHOLE_MOST) {
        noe_integrator *expanded = noe_expanded_integrator(g);
        if (silent) noe_error_clear();
        if (expanded) return noe_failure_diagnosis_find(expanded, why);
    }
    if (g->system->dyn.groups) return noe_sums_diagnosis_find(g, why);
    if (g->system->dyn.structure)
        return noe_status_fail(
            why,
            "step %.0f from t = %.12g: a position, a momentum or a force is not finite; the state "
            "before "
            "the step is kept",
            noe_get(g, "steps") + 1, noe_time(g));
    const double        edge = noe_failure_context_edge(g->method);
    noe_failure_context s;
    if (noe_failure_context_open(&s, g, why)
        && !(g->system->dyn.linear && too_long(&s, edge, g->method)))
        (void)(divides(&s) || mass(&s, NULL, NULL) || contradicts(&s) || dead_point(&s)
               || not_finite(&s) || noe_kink_find(&s) || noe_collision_find(&s, edge)
               || too_long(&s, edge, g->method) || noe_collision_find(&s, INFINITY));
    noe_failure_context_close(&s);
    if (silent) noe_error_clear(); /* messages of the search itself */
    return noe_failure_context_tell(&s);
}

noe_status noe_failure_diagnosis_of_singular_mass(noe_integrator *g, double t1, const double *q1)
{
    const bool          silent = !noe_error();
    noe_failure_context s;
    if (noe_failure_context_open(&s, g, NOE_SINGULAR)) mass(&s, &t1, q1);
    noe_failure_context_close(&s);
    if (silent) noe_error_clear();
    return noe_failure_context_tell(&s);
}

noe_status noe_failure_diagnosis_of_singular_lagrangian(noe_integrator *g, double t1,
                                                        const double *q1, double share)
{
    const bool          silent = !noe_error();
    bool                moving[NOE_SINGULAR_BARRIER_MOST];
    quad                d[NOE_SINGULAR_BARRIER_MOST];
    noe_failure_context s;
    if (noe_failure_context_open(&s, g, NOE_NOT_CONVERGED)) {
        for (int i = 0; i < s.n; i++) d[i] = q1[i] - s.q[i], moving[i] = d[i] != 0;
        cause(&s, "the step passes a singularity of L, where the force is infinite, at t = %.6g, ",
              (double)(s.t + share * (t1 - s.t)));
        noe_failure_context_places(&s, moving, s.q, d, share);
        advise(&s,
               "end the run before, start elsewhere, or try a smaller step than %.3g: if the force "
               "holds the motion back it must "
               "resolve that",
               (double)s.h);
    }
    noe_failure_context_close(&s);
    if (silent) noe_error_clear();
    return noe_failure_context_tell(&s);
}
