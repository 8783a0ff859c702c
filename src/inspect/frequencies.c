/* Equilibrium of the start, frequencies w of the equations frozen there, and stability h w < edge.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * r(q0 + v0 t, v0) = 0: the start is an equilibrium or a steady motion. */
#include "integrate/integrator.h"
#include "inspect/property_parts.h"
#include "inspect/tangent_pencil.h"

#include "base/status.h"
#include "method/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An entry of L_qq below this part of its largest value over the states is 0.  In systems/ rounding
 * leaves 1e-35 of it, 1e-16 where the start is rounded to double; the stiffness of exponential
 * forces goes on below that without a gap. */
static const double STIFFNESS_ZERO = 1e-14;

static quad at(const quad *out, int k) { return k < 0 ? 0 : out[k]; }

/* Spectrum of A x'' + B x' + C x = 0, A = L_vv, B = L_vq - L_qv - f_v, C = -L_qq - f_q.  An
 * entry of L_qq may be rounding and is 0 then, STIFFNESS_ZERO: such as cos(q),
 * q = pi/2 rounded.  With constraints: of the tangent motions, the forces of constraints frozen. */
static bool spectrum(const noe_survey *s, quad t, const quad *q, const quad *v, const quad *out,
                     noe_quadratic_spectrum *to)
{
    const noe_derivative_probe *x = &s->probe;
    const int                   n = x->n, N = 2 * n;
    quad                       *A = noe_status_alloc(3 * (size_t)n * (size_t)n, sizeof *A);
    if (!A) return false;
    quad *B = A + n * n, *C = B + n * n;
    noe_survey_mass(s, out, A);
    for (int i = 0; i < n * n; i++) {
        const int row = i / n, col = i % n, stiff = x->hess[row * N + col];
        B[i] = at(out, x->hess[(n + row) * N + col]) - at(out, x->hess[row * N + n + col]);
        B[i] -= at(out, x->force[row * N + n + col]);
        C[i] = stiff < 0 || fabsq(out[stiff]) <= s->most[stiff] * STIFFNESS_ZERO ? 0 : -out[stiff];
        C[i] -= at(out, x->force[row * N + col]);
    }
    const bool ok = s->constraints ? noe_tangent_pencil_find(s->constraints, t, q, v, A, B, C, to)
                                   : noe_quadratic_eigen_find(n, A, B, C, to);
    free(A);
    return ok;
}

/* Residual of the equations of motion by that change.  In systems/ it is 0, or 1e-3 at least.  L in
 * C: (L_v)_t is a difference. */
static const double STEADY = 1e-10, STEADY_IN_C = 1e-6;

/* Does q0 + v0 t solve the equations of motion?  The residual is compared with the change of F by a
 * displacement of the size of the scales. */
static bool steady(noe_survey *s, quad *q, quad *force, quad *out)
{
    static const int            steps[] = { 0, 1, 3, 10 };
    const noe_derivative_probe *x = &s->probe;
    const int                   n = x->n, N = 2 * n;
    const double                small = x->tape ? STEADY : STEADY_IN_C;
    for (int k = 0; k < 4; k++) {
        const quad t = steps[k] * (quad)s->time / 40;
        for (int i = 0; i < n; i++) q[i] = s->q0[i] + s->v0[i] * t;
        if (!noe_derivative_probe_at(&s->probe, s->t0 + t, q, s->v0, false, out)) return false;
        quad size[n];
        memset(force, 0, (size_t)n * sizeof *force), memset(size, 0, sizeof size);
        if (s->constraints)
            noe_tangent_pencil_force(s->constraints, s->t0 + t, q, s->v0, force, size);
        for (int i = 0; i < n; i++) {
            quad scale = fabsq(out[noe_derivative_probe_F(x, i)]);
            for (int j = 0; j < n; j++) {
                scale += fabsq(at(out, x->hess[i * N + j])) * s->q_scale[j];
                scale += fabsq(at(out, x->hess[i * N + n + j])) * s->v_scale[j];
                scale += fabsq(at(out, x->hess[(n + i) * N + j])) * s->v_scale[j];
            }
            const quad left = out[noe_derivative_probe_r(x, i)] + force[i];
            if (!(fabsq(left) <= small * (scale + size[i]))) return false;
        }
    }
    return true;
}

/* Frequencies along the first steps of a run, because those of a start far from equilibrium are not
 * typical (a pendulum at pi/2 has frequency 0); work: about 100 small eigenvalue problems. */
static bool trial_run(noe_properties *to, noe_survey *s, const noe_system *system,
                      const noe_method *f, quad *q, quad *out)
{
    const int       n = to->n, steps = n <= 16 ? 100 : n <= 48 ? 10 : 0;
    const bool      clean = !noe_error();
    bool            ok = true;
    noe_integrator *g = steps ? noe_integrator_make(system, f, to->step, NOE_DIGITS_DOUBLE) : NULL;
    while (g && ok && to->visited < steps && !noe_step(g)) {
        noe_quadratic_spectrum here;
        for (int i = 0; i < n; i++) q[i] = noe_q(g)[i], q[n + i] = noe_v(g)[i];
        if (!noe_derivative_probe_at(&s->probe, noe_time(g), q, q + n, false, out)) break;
        if (!(ok = spectrum(s, noe_time(g), q, q + n, out, &here))) break;
        to->fastest_visited = fmax(to->fastest_visited, here.fastest);
        to->visited++;
    }
    noe_integrator_free(g);
    if (ok && clean)
        noe_error_clear(); /* a step that fails ends the trial run, without a message */
    return ok;
}

static void limits(noe_properties *to, const noe_method *f)
{
    to->edge = INFINITY;
    noe_stability_windows(f, INFINITY, &to->edge, 1);
    to->searched = noe_stability_searched(f);
    to->fastest = fmax(to->start.fastest, to->fastest_visited);
    to->stable_step = to->fastest > 0 ? to->edge / to->fastest : INFINITY;
    to->fine_step = to->fastest > 0 ? 2 * M_PI / (40 * to->fastest) : INFINITY;
    to->inside = fabs(to->step) < to->stable_step;
}

bool noe_frequencies_find(noe_properties *to, noe_survey *s, const noe_system *system,
                          const noe_method *f)
{
    const int n = to->n;
    quad     *q = noe_status_alloc(2 * (size_t)n, sizeof *q);
    quad     *out = noe_status_alloc((size_t)s->probe.outputs, sizeof *out);
    bool      ok = q && out;
    to->finite = s->finite;
    to->spectral = s->finite && n <= NOE_PENCIL_MOST;
    for (int i = 0; i < n; i++) to->moving |= s->v0[i] != 0;
    if (ok && s->finite) to->equilibrium = steady(s, q, q + n, out);
    if (ok && to->spectral) ok = spectrum(s, s->t0, s->q0, s->v0, s->start, &to->start);
    if (ok && to->spectral && !to->equilibrium && !to->quadratic.holds)
        ok = trial_run(to, s, system, f, q, out);
    if (ok) limits(to, f);
    if (!to->spectral) to->start.fastest = to->start.slowest = to->start.growth = NAN;
    if (!to->visited) to->fastest_visited = NAN;
    free(q);
    free(out);
    return ok;
}
