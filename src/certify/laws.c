/* The list of all laws; measures symplecticity, reversibility and order on a given system.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "certify/few_steps.h"
#include "certify/laws.h"

#include "base/status.h"
#include "certify/manifold_form.h"
#include "certify/symplectic_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Can so many steps be made before t is at infinity?  Else the law is not measurable. */
static bool reaches(noe_laws *laws, const char *name, int steps)
{
    if (laws->reach >= steps) return true;
    noe_law_list_add_unmeasurable(laws, name,
                                  "the monitor grows so that t is at infinity within a few steps: "
                                  "take a smaller step");
    return false;
}

/* By which a measured order may fall short of the computed one.  Orders are whole numbers, those of
 * symmetric methods even: a method that lacks one falls short by 1 or 2, while the last halving
 * still has a part h of the next term. */
static const double ORDER_LACK = 0.35;

/* |M' Omega M - Omega| of a step in binary128, in units of rounding of the terms of M' Omega M
 * (noe_symplectic_form_terms()), whose condition is in the terms; the double pendulum has 1.2. */
static const double SYMPLECTIC_MOST = 64 * 0x1p-113;
/* The same of central differences by this part of the sizes: they miss DIFFERENCE^2 = 1e-22 times a
 * third derivative, and rounding makes 1e-34/DIFFERENCE = 1e-23, times its condition.  The bound
 * leaves a million for these factors; no other values were tried. */
static const double DIFFERENCE = 1e-11, SYMPLECTIC_BY_DIFFERENCES = 1e-16;
/* |step(-h)^10 step(h)^10 z - z| in binary128, if perturbations do not grow: 2^10 units of rounding
 * for 20 steps.  What rounding makes at the start grows on the way forth and on the way back. */
static const double REVERSIBLE_MOST = 1e-31;

/* With constraints a step has no derivative here: by how much a relative change of 2^-40 of the
 * start x has grown at the end y of as many steps, at least 1. */
static double growth(const noe_system *s, const noe_method *f, quad h, int steps, const quad *x,
                     const quad *y)
{
    static const double by = 0x1p-40;
    const int           n = 2 * s->dyn.n, half = s->dyn.n;
    quad                t, z[n], size[n];
    double              grown = 1;
    noe_integrator     *g = s->dyn.constraints ? noe_few_steps_new(s, f, h, NOE_DIGITS_QUAD) : NULL;
    if (!g) return grown;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    memset(size, 0, sizeof size);
    for (int i = 0; i < n; i++) z[i] = x[i] * (1 + (i % 3 - 1) * (quad)by);
    if (!noe_few_steps_begin(g, t, z, z + half, true) && noe_few_steps_walk(g, steps, size)) {
        noe_few_steps_state(g, z);
        noe_few_steps_share_sizes(g, size);
        grown = fmax(grown, noe_few_steps_distance(y, z, size, n) / by);
    }
    noe_integrator_free(g);
    return grown;
}

/* *distance = |step(-h) step(h) z - z| after so many steps of each, relative; NAN where a step back
 * fails.  False where the steps forth cannot be made.  In binary128 also how a change of the start
 * grows.  With a monitor the time, too, is that of the start. */
static bool forth_and_back(const noe_system *s, const noe_method *f, quad h, int steps, int digits,
                           double *distance, double *grown)
{
    const int       n = 2 * s->dyn.n, half = s->dyn.n;
    quad            x[n], y[n], size[n], t0;
    bool            walked = false;
    noe_integrator *g = noe_few_steps_new(s, f, h, digits);
    *distance = NAN;
    memset(size, 0, sizeof size);
    if (g) {
        noe_few_steps_state(g, x);
        noe_integrator_state_get(g, NOE_AT_T, &t0);
        walked = noe_few_steps_walk_conditioned(g, steps, size);
        if (walked) {
            quad t, back = -h;
            noe_few_steps_state(g, y);
            if (grown) *grown = growth(s, f, h, steps, x, y);
            noe_integrator_state_get(g, NOE_AT_T, &t);
            noe_integrator *b = noe_integrator_make(s, f, back, digits);
            const bool      begun = b && !noe_few_steps_begin(b, t, y, y + half, true);
            if (begun) noe_monitored_way_turn(g, b);
            if (begun && noe_few_steps_walk(b, steps, size)) {
                noe_few_steps_state(b, y);
                noe_few_steps_share_sizes(b, size);
                *distance = fmax(noe_few_steps_distance(x, y, size, n),
                                 noe_monitored_way_missed(b, t0, t));
            }
            noe_integrator_free(b);
        }
    }
    noe_integrator_free(g);
    return walked;
}

/* The law "reversible", in binary128.  How much rounding the equations of a step make is measured
 * in double, where it is 2^60 times as large: a step that is not reversible fails all the same. */
static void reversible(const noe_system *s, const noe_method *f, quad h, noe_laws *laws)
{
    enum { STEPS = 10, ROUNDING_SPREAD = 16 }; /* rounding may be so much smaller there by chance */
    double grown = 1, value, in_double;
    if (!reaches(laws, "reversible", STEPS)) return;
    if (!forth_and_back(s, f, h, STEPS, NOE_DIGITS_QUAD, &value, &grown)) {
        noe_law_list_add_unmeasurable(laws, "reversible",
                                      "the first ten steps cannot be made in binary128");
        return;
    }
    forth_and_back(s, f, h, STEPS, NOE_DIGITS_DOUBLE, &in_double, NULL);
    noe_law *x = noe_law_list_add(
        laws, "reversible", value,
        fmax(REVERSIBLE_MOST * grown * grown, ROUNDING_SPREAD * 0x1p-60 * in_double),
        "%d steps forth and back, binary128", STEPS);
    noe_law_traits_judge(x, noe_law_traits_find(NOE_LAW_REVERSIBLE, s, f));
}

/* The state after `steps` steps of h, reached by 2^k times as many of h/2^k; *end: the time of the
 * first, and of all others where the steps follow a monitor. */
static bool walk_finer(noe_integrator *g, int k, int steps, quad *end, quad *size, quad *x)
{
    if (k && g->stepped.clock) return noe_monitored_way_state(g, *end, x);
    if (!(k ? noe_few_steps_walk(g, steps << k, size)
            : noe_few_steps_walk_conditioned(g, steps, size)))
        return false;
    noe_few_steps_state(g, x);
    if (!k) noe_integrator_state_get(g, NOE_AT_T, end);
    return true;
}

/* Order by halving the step: |y_h - y_h/2| / |y_h/2 - y_h/4| = 2^order, in binary128, over 8 steps
 * of h.  The step is halved while the measured order is below the computed one, because an
 * unresolved motion hides the order. */
static void order(const noe_system *s, const noe_method *f, quad h, noe_laws *laws)
{
    enum { LEVELS = 10, LEVELS_LEAST = 4, STEPS = 8 };
    const int n = 2 * s->dyn.n;
    quad      end[LEVELS][n], size[n], until = 0;
    double    last = NAN, measured = NAN;
    int       ratios = 0, computed = f->order;
    bool      ok = true;
    if (!reaches(laws, "order", STEPS)) return;
    memset(size, 0, sizeof size);
    for (int k = 0; k < LEVELS && (k < LEVELS_LEAST || !(measured > computed - ORDER_LACK)); k++) {
        noe_integrator *g = noe_few_steps_new(s, f, ldexpq(h, -k), NOE_DIGITS_QUAD);
        ok = g && walk_finer(g, k, STEPS, &until, size, end[k]);
        if (ok)
            noe_few_steps_share_sizes(g, size),
                computed = noe_splitting_check_order(&g->splitting, f);
        noe_integrator_free(g);
        if (!ok) break;
        const double d = k ? noe_few_steps_distance(end[k - 1], end[k], size, n) : 0;
        if (d > 0 && d < 1e-26) break; /* at the rounding level of binary128 */
        if (last > 0 && d > 0) measured = log2(last / d), ratios++;
        last = d;
    }
    if (!ratios) {
        noe_law_list_add_unmeasurable(laws, "order",
                                      ok ? "the differences are rounding"
                                         : "the first steps cannot be made in binary128");
        return;
    }
    noe_law_list_add(laws, "order", fmax(0, computed - measured), ORDER_LACK,
                     "measured %.2f over %d halvings in binary128, computed %d", measured,
                     ratios + 1, computed);
}

/* M = d(q, p after)/d(q, p before) of three steps by central differences, for methods whose engine
 * has no derivative of a step.  S[2n][2n], the sizes of the terms in M, grows by the ratio of the
 * sizes of the states: size of row / size of column. */
static bool differences(const noe_system *s, const noe_method *f, quad h, quad *M, quad *S)
{
    const int       n = s->dyn.n, N = 2 * n;
    quad            x[N], y[2][N], most[N], t, size[2] = { 0, 0 };
    noe_integrator *g = noe_few_steps_new(s, f, h, NOE_DIGITS_QUAD);
    bool            ok = g != NULL;
    if (ok) noe_few_steps_state(g, x), noe_integrator_state_get(g, NOE_AT_T, &t);
    memset(most, 0, sizeof most);
    ok = ok && noe_few_steps_walk(g, 3, most); /* a start from rest has no size of momenta */
    for (int i = 0; i < N && ok; i++) size[i / n] = fmaxq(size[i / n], most[i]);
    ok = ok && size[0] > 0 && size[1] > 0;
    for (int c = 0; c < N && ok; c++) {
        const quad d = size[c / n] * (quad)DIFFERENCE, old = x[c];
        for (int side = 0; side < 2 && ok; side++) {
            x[c] = side ? old + d : old - d;
            ok = !noe_few_steps_begin(g, t, x, x + n, true) && !noe_step(g) && !noe_step(g)
              && !noe_step(g);
            noe_few_steps_state(g, y[side]);
        }
        x[c] = old;
        for (int r = 0; r < N; r++) {
            M[r * N + c] = (y[1][r] - y[0][r]) / (2 * d);
            S[r * N + c] += size[r / n] / size[c / n];
        }
    }
    noe_integrator_free(g);
    return ok;
}

/* The law "symplectic": M' Omega M = Omega in binary128, M the exact Jacobian of each of three
 * steps, or the Jacobian of all three by differences where the engine has no exact one. */
static void symplectic(const noe_system *s, const noe_method *f, quad h, noe_laws *laws)
{
    const int       n = s->dyn.n, N = 2 * n;
    const size_t    NN = (size_t)N * (size_t)N;
    noe_integrator *g = noe_few_steps_new(s, f, h, NOE_DIGITS_QUAD);
    const bool      exact = g && noe_integrator_has_jacobian(g);
    quad           *M = noe_status_alloc(2 * NN, sizeof *M), *S = M ? M + NN : NULL;
    double          worst = g && M && noe_symplectic_form_terms(g, h, S) ? 0 : NAN;
    for (int k = 0; k < 3 && exact && worst == worst; k++) {
        if (noe_step(g) || !g->engine->derivative(g->work, 0, M)
            || !noe_symplectic_form_terms(g, h, S))
            worst = NAN;
        else worst = fmax(worst, noe_symplectic_form_error(n, M, S));
    }
    if (!exact && worst == worst)
        worst = differences(s, f, h, M, S) ? noe_symplectic_form_error(n, M, S) : NAN;
    free(M);
    noe_integrator_free(g);
    if (isnan(worst) && noe_law_traits_find(NOE_LAW_SYMPLECTIC, s, f) == NOE_PROMISED) {
        noe_law_list_add_unmeasurable(laws, "symplectic", "a step fails, or L_vv is singular");
        return;
    }
    noe_law *law = noe_law_list_add(laws, "symplectic", worst,
                                    exact ? SYMPLECTIC_MOST : SYMPLECTIC_BY_DIFFERENCES,
                                    "M' Omega M - Omega for the Jacobian of 3 steps%s, binary128%s",
                                    exact ? "" : " by differences", noe_law_traits_form(s));
    noe_law_traits_judge(law, noe_law_traits_find(NOE_LAW_SYMPLECTIC, s, f));
}

bool noe_laws_find(const noe_system *s, const noe_method *f, quad h, const noe_properties *facts,
                   const noe_symmetries *y, noe_laws *laws)
{
    *laws = (noe_laws){ .within = laws->within,
                        .since = laws->since,
                        .reach = noe_monitored_way_reach(s, f, h, NOE_RUN_STEPS) };
    if (s->model) { /* a Lagrangian in C computes in double: laws in binary128 do not apply to it */
        if (noe_law_list_due(laws, "derivatives")) noe_derivative_law(s, laws);
        if (noe_law_list_due(laws, "symplectic"))
            (s->dyn.constraints ? noe_manifold_form_law : symplectic)(s, f, h, laws);
        if (noe_law_list_due(laws, "reversible")) reversible(s, f, h, laws);
        if (noe_law_list_due(laws, "order")) order(s, f, h, laws);
        if (noe_law_list_due(laws, "solver floor, energy floor")) noe_roundoff_law(s, f, h, laws);
    }
    if (noe_law_list_due(laws, "same bits") && reaches(laws, "same bits", 1))
        noe_lanes_law(s, f, h, laws);
    if (noe_law_list_due(laws, "a run of 10000 steps"))
        noe_drift_laws_find(s, f, h, facts, y, laws);
    return laws->law != NULL || *laws->left;
}
