/* Decides on random states which derivatives of L are identically 0 and which are constant.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "inspect/survey.h"

#include "base/status.h"
#include "inspect/active_region.h"
#include "matrix/quadratic_eigen.h"
#include "inspect/random_state.h"
#include "integrate/integrator.h"
#include "number/random.h"
#include "constraint/constraint_point.h"
#include "system/zero_test.h"

#include <math.h>
#include <string.h>

enum { STATES = NOE_SURVEY_STATES, ROUNDS = 60 };

static quad *numbers(noe_survey *s, int n)
{
    return noe_arena_take(s->arena, (size_t)n * sizeof(quad));
}

/* The start of a model.  Where momenta are given, the velocities are computed from them; if that
 * fails, the velocities are 0, and the condition of L_vv shows the reason.  With constraints it is
 * the start of a run, which is projected onto them. */
static void start_of_model(noe_survey *s, const noe_system *system, const noe_method *f)
{
    const noe_model *m = system->model;
    bool             momenta = false, clean = !noe_error();
    for (int i = 0; i < m->n; i++) {
        s->q0[i] = m->begin[i].q, s->v0[i] = m->begin[i].v;
        momenta |= m->begin[i].has_p;
    }
    s->t0 = m->t0;
    if (!momenta && !system->dyn.constraints) return;
    noe_integrator *g = noe_integrator_make(system, f, 1, NOE_DIGITS_QUAD);
    if (g && !noe_integrator_start_ready(g)) {
        noe_integrator_state_get(g, NOE_AT_V, s->v0);
        if (system->dyn.constraints) {
            char text[2];
            noe_integrator_state_get(g, NOE_AT_Q, s->q0);
            s->redundant = noe_redundant_constraints_name(g, text, sizeof text);
        }
    }
    noe_integrator_free(g);
    if (clean) noe_error_clear();
}

/* Where the random states are drawn. */
static noe_zero_region around(const noe_survey *s)
{
    return (noe_zero_region){ s->probe.n, s->q0, s->v0, s->t0, s->time, s->q_scale, s->v_scale };
}

void noe_survey_mass(const noe_survey *s, const quad *out, quad *M)
{
    const int n = s->probe.n;
    for (int i = 0; i < n * n; i++) {
        const int k = s->probe.hess[(n + i / n) * 2 * n + n + i % n];
        M[i] = k < 0 ? 0 : out[k];
    }
}

/* Takes the outputs x of one more state into account; rounded: in double; before: at another t,
 * or NULL. */
static void note(noe_survey *s, const quad *x, const quad *rounded, const quad *before,
                 const quad *first)
{
    for (int i = 0; i < s->probe.outputs; i++) {
        s->most[i] = fmaxq(s->most[i], fabsq(x[i]));
        s->noise[i] = fmaxq(s->noise[i], fabsq(x[i] - rounded[i]));
        if (before) s->drift[i] = fmaxq(s->drift[i], fabsq(x[i] - before[i]));
        else s->spread[i] = fmaxq(s->spread[i], fabsq(x[i] - first[i]));
    }
}

static void draw(noe_survey *s, double rho, quad *q, quad *v)
{
    const noe_zero_region region = around(s);
    noe_zero_test_draw(&region, rho, &s->seed, q, v);
    /* rounded to double: the evaluations differ only in their arithmetic */
    for (int i = 0; i < s->probe.n; i++) q[i] = (double)q[i], v[i] = (double)v[i];
}

/* The outputs at a state. */
struct outputs {
    quad *x, *rounded,          /* [outputs] in binary128 and in double */
        *later, *later_rounded, /* [outputs] the same at another time */
        *first;                 /* [outputs] in binary128 at the first state of all */
};

static bool look(noe_survey *s, quad t, quad later, const quad *q, const quad *v,
                 struct outputs *at)
{
    return noe_derivative_probe_at(&s->probe, t, q, v, false, at->x)
        && noe_derivative_probe_at(&s->probe, t, q, v, true, at->rounded)
        && noe_derivative_probe_at(&s->probe, later, q, v, false, at->later)
        && noe_derivative_probe_at(&s->probe, later, q, v, true, at->later_rounded);
}

static void note_both(noe_survey *s, const struct outputs *at)
{
    note(s, at->x, at->rounded, NULL, at->first);
    note(s, at->later, at->later_rounded, at->x, at->first);
}

/* Visits states where local terms of L act, which are none of those around the start. */
static bool visit_active(noe_survey *s, struct outputs *at)
{
    enum { STATES_EACH = 8 };
    const int         n = s->probe.n;
    noe_active_region region;
    quad              scale[2 * n + 1], z[2 * n + 1];
    bool              ok = noe_active_region_open(&region, s->probe.model);
    scale[0] = s->time;
    memcpy(scale + 1, s->q_scale, (size_t)n * sizeof *scale);
    memcpy(scale + 1 + n, s->v_scale, (size_t)n * sizeof *scale);
    for (int k = 0; ok && k < region.count * STATES_EACH; k++) {
        const quad later = s->t0 + s->time * noe_random_normal(&s->seed);
        z[0] = s->t0;
        draw(s, 1, z + 1, z + 1 + n);
        if (!noe_active_region_move(&region, k / STATES_EACH, k % STATES_EACH, &s->seed, scale, z,
                                    z + 1, z + 1 + n))
            continue;
        for (int i = 0; i <= 2 * n; i++) z[i] = (double)z[i];
        if (!look(s, z[0], later, z + 1, z + 1 + n, at)) continue;
        note_both(s, at);
        s->states_active++;
    }
    noe_active_region_close(&region);
    return ok;
}

/* Visits states around the start, rho times the scales away; nearer ones if L is not finite at too
 * many. */
static bool visit(noe_survey *s)
{
    const int      n = s->probe.n, m = s->probe.outputs;
    const double   t0 = (double)s->t0;
    quad          *q = numbers(s, 2 * n), *M = numbers(s, n * n), *x = numbers(s, 5 * m);
    struct outputs at = { x, x + m, x + 2 * m, x + 3 * m, x + 4 * m };
    if (!q || !M || !x) return false;
    double spread = 1;
    for (int k = 0, refused = 0; s->states < STATES && k < ROUNDS * STATES; k++) {
        static const double rho[] = { 0.3, 1, 3 };
        const double        t = t0 + spread * s->time * noe_random_normal(&s->seed);
        double              condition;
        draw(s, spread * rho[k % 3], q, q + n);
        if (!look(s, t0, t, q, q + n, &at)) {
            if (++refused % STATES == 0) spread /= 2;
            continue;
        }
        if (!s->states++) memcpy(at.first, x, (size_t)m * sizeof *x);
        note_both(s, &at);
        s->states_fed += s->probe.drain >= 0 && x[s->probe.drain] < 0;
        noe_survey_mass(s, x, M);
        if (!noe_quadratic_eigen_condition(n, M, &condition)) return false;
        s->states_regular += condition < INFINITY;
        s->worst_condition = fmax(s->worst_condition, condition);
    }
    if (!s->states)
        noe_status_fail(
            NOE_NOT_FINITE,
            "L or its derivatives are not finite at any of %d random states around the "
            "start: a division by zero, or a square root or logarithm of a negative number?",
            ROUNDS * STATES);
    return s->states > 0 && (!s->probe.model || visit_active(s, &at));
}

/* L in C computes in double alone, so its noise is assumed: 1e-13 of the entry, and 1e-14 of the
 * Hessian in units of the scales. */
static void assume_noise(noe_survey *s)
{
    const noe_derivative_probe *x = &s->probe;
    const int                   n = x->n, N = 2 * n;
    quad                        largest = 0;
#define UNIT(k) ((k) < n ? s->q_scale[k] : s->v_scale[(k)-n])
    for (int i = 0; i < x->outputs; i++) s->noise[i] = s->most[i] / 10;
    for (int i = 0; i < N * N; i++)
        largest = fmaxq(largest, s->most[x->hess[i]] * UNIT(i / N) * UNIT(i % N));
    for (int i = 0; i < N * N; i++)
        s->noise[x->hess[i]] = fmaxq(s->noise[x->hess[i]],
                                     largest / UNIT(i / N) / UNIT(i % N) / 100);
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            const int a = x->hess[(n + i) * N + j], b = x->hess[(n + j) * N + i];
            s->noise[x->gyro[i * n + j]] = fmaxq(s->noise[a], s->noise[b]);
        }
#undef UNIT
}

bool noe_survey_open(noe_survey *s, const noe_system *system, const noe_method *f, double step)
{
    const int n = system->dyn.n;
    *s = (noe_survey){ .arena = noe_arena_new(), .time = 40 * fabs(step), .seed = NOE_SURVEY_SEED };
    if (!s->arena || !noe_derivative_probe_open(&s->probe, system, fabs(step) / 1000)) return false;
    const int   m = s->probe.outputs;
    quad *const scale = numbers(s, 4 * n);
    s->start = numbers(s, m), s->most = numbers(s, m), s->noise = numbers(s, m);
    s->spread = numbers(s, m), s->drift = numbers(s, m);
    if (!scale || !s->start || !s->most || !s->noise || !s->spread || !s->drift) return false;
    s->q0 = scale, s->v0 = scale + n, s->q_scale = scale + 2 * n, s->v_scale = scale + 3 * n;
    if (system->model) start_of_model(s, system, f);
    if (system->dyn.constraints && !(s->constraints = noe_constraint_point_new(&system->dyn)))
        return false;
    noe_zero_region region = around(s);
    noe_zero_test_scale(&region);
    s->finite = noe_derivative_probe_at(&s->probe, s->t0, s->q0, s->v0, false, s->start);
    if (!visit(s)) return false;
    if (!system->model) assume_noise(s);
    return true;
}

void noe_survey_close(noe_survey *s)
{
    noe_constraint_point_free(s->constraints);
    noe_derivative_probe_close(&s->probe);
    noe_arena_free(s->arena);
}
