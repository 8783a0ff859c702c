/* Measures symplecticity, reversibility, order and equality of SIMD lanes on a given system.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "certify/laws.h"

#include "base/status.h"
#include "base/stopwatch.h"
#include "certify/manifold_form.h"
#include "certify/symplectic_form.h"
#include "system/constraint_point.h"
#include "tape/coupled_blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* by which a measured order may fall short of the computed */
static const double ORDER_LACK = 0.35;

/* Starts an integrator at time t from positions q and momenta (or velocities) z. */
static noe_status begin(noe_integrator *g, quad t, const quad *q, const quad *z, bool momenta)
{
    bool momentum[g->system->dyn.n];
    memset(momentum, momenta, sizeof momentum);
    return noe_integrator_start_from(g, &t, q, z, z, momentum);
}

static noe_integrator *started(const noe_system *s, const noe_method *f, quad h, int digits)
{
    noe_integrator *g = noe_integrator_make(s, f, h, digits);
    if (g && !noe_integrator_start_ready(g)) return g;
    noe_integrator_free(g);
    return NULL;
}

/* Largest |x_i - y_i| / size_i of two states x, y = (q, p), n = 2 coordinates x system size;
 * size: the largest moduli so far.  A coordinate whose position and momentum both stay below 2^-20
 * of the largest position and momentum is at rest but for rounding; 2^-20 of the largest then is
 * its size. */
static double distance(const quad *x, const quad *y, const quad *size, int n)
{
    enum { REST = 20 };
    const int half = n / 2;
    quad      least[2] = { 0, 0 };
    double    most = 0;
    for (int i = 0; i < n; i++) least[i / half] = fmaxq(least[i / half], ldexpq(size[i], -REST));
    for (int i = 0; i < n; i++) {
        const bool rests = size[i % half] <= least[0] && size[half + i % half] <= least[1];
        most = fmax(most, (double)(fabsq(x[i] - y[i])
                                   / ((rests ? least[i / half] : size[i]) + (quad)1e-300)));
    }
    return most;
}

/* With constraints, sizes of positions and momenta that are as large in any frame: the largest of
 * q_j sqrt(M_jj) and of p_j / sqrt(M_jj) among coordinates that are coupled, where p_j is at least
 * the impulses of a step.  One that constraints hold at rest, at 0 or elsewhere, has the rounding
 * of what holds it. */
static void share_sizes(noe_integrator *g, quad *size)
{
    const noe_dynamics   *d = &g->system->dyn;
    const int             n = d->n;
    noe_constraint_point *at = d->constraints ? noe_constraint_point_new(d) : NULL;
    int                   block[n];
    quad                  t, h, q[n], v[n], most[2 * n], push[n];
    if (!at) return;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    noe_integrator_state_get(g, NOE_AT_Q, q), noe_integrator_state_get(g, NOE_AT_V, v);
    noe_integrator_state_get(g, NOE_AT_STEP, &h);
    noe_constraint_point_at(at, t, q, v, 1e-30);
    noe_constraint_point_pushes(at, h, push);
    noe_coupled_blocks_find(d, block);
    for (int j = 0; j < n; j++) {
        size[j] = fmaxq(size[j], fabsq(h) * push[j]);
        size[n + j] = fmaxq(size[n + j], fabsq(at->M[j * n + j]) * push[j]);
    }
    for (int i = 0; i < 2 * n; i++) most[i] = 0;
    for (int k = 0; k < 2; k++) /* max first, then each by its root */
        for (int i = 0; i < 2 * n; i++) {
            const int   j = i % n;
            const quad  root = sqrtq(fabsq(at->M[j * n + j])), unit = i < n ? 1 / root : root;
            quad *const all = &most[(i / n) * n + block[j]];
            if (!k && root > 0) *all = fmaxq(*all, size[i] / unit);
            if (k && root > 0) size[i] = fmaxq(size[i], *all * unit);
        }
    noe_constraint_point_free(at);
}

/* x[2n] = (q, p) */
static void state(noe_integrator *g, quad *x)
{
    noe_integrator_state_get(g, NOE_AT_Q, x);
    noe_integrator_state_get(g, NOE_AT_P, x + g->system->dyn.n);
}

static bool walk(noe_integrator *g, int steps, quad *size)
{
    const int n = 2 * g->system->dyn.n;
    quad      x[n];
    for (int k = 0; k <= steps; k++) {
        if (k && noe_step(g)) return false;
        state(g, x);
        for (int i = 0; i < n; i++) size[i] = fmaxq(size[i], fabsq(x[i]));
    }
    return true;
}

/* Steps as walk does, and raises size_i to sum_j |M_ij z_j|, M the derivative of the step and z the
 * state before it.  A relative rounding error in every z_j becomes one of this sum in coordinate i:
 * where large terms cancel, a coordinate still at rest has that size. */
static bool walk_conditioned(noe_integrator *g, int steps, quad *size)
{
    const int n = 2 * g->system->dyn.n;
    quad      z[n], *M = noe_integrator_has_jacobian(g)
                           ? noe_status_alloc((size_t)n * (size_t)n, sizeof *M)
                           : NULL;
    bool      ok = true;
    for (int k = 0; k < steps && ok; k++) {
        state(g, z);
        ok = walk(g, 1, size);
        if (!ok || !M || !g->core->derivative(g->work, 0, M)) continue;
        for (int i = 0; i < n; i++) {
            quad moved = 0;
            for (int j = 0; j < n; j++) moved += fabsq(M[i * n + j] * z[j]);
            size[i] = fmaxq(size[i], moved);
        }
    }
    free(M);
    return ok;
}

/* With constraints a step has no derivative here: by how much a relative change of 2^-40 of the
 * start x has grown at the end y of as many steps, at least 1. */
static double growth(const noe_system *s, const noe_method *f, quad h, int steps, const quad *x,
                     const quad *y)
{
    static const double by = 0x1p-40;
    const int           n = 2 * s->dyn.n, half = s->dyn.n;
    quad                t, z[n], size[n];
    double              grown = 1;
    noe_integrator     *g = s->dyn.constraints ? started(s, f, h, 33) : NULL;
    if (!g) return grown;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    memset(size, 0, sizeof size);
    for (int i = 0; i < n; i++) z[i] = x[i] * (1 + (i % 3 - 1) * (quad)by);
    if (!begin(g, t, z, z + half, true) && walk(g, steps, size)) {
        state(g, z);
        share_sizes(g, size);
        grown = fmax(grown, distance(y, z, size, n) / by);
    }
    noe_integrator_free(g);
    return grown;
}

/* |step(-h) step(h) z - z| in binary128: the law "reversible".  With a monitor the time, too, is
 * that of the start. */
static void reversible(const noe_system *s, const noe_method *f, quad h, noe_laws *laws)
{
    const int       n = 2 * s->dyn.n, half = s->dyn.n, steps = 10;
    quad            x[n], y[n], size[n], t0;
    double          value = NAN, grown = 1;
    noe_integrator *g = started(s, f, h, 33);
    memset(size, 0, sizeof size);
    if (g) {
        state(g, x);
        noe_integrator_state_get(g, NOE_AT_T, &t0);
        if (walk_conditioned(g, steps, size)) {
            quad t, back = -h;
            state(g, y);
            grown = growth(s, f, h, steps, x, y);
            noe_integrator_state_get(g, NOE_AT_T, &t);
            noe_integrator *b = noe_integrator_make(s, f, back, 33);
            const bool      begun = b && !begin(b, t, y, y + half, true);
            if (begun) noe_monitored_way_turn(g, b);
            if (begun && walk(b, steps, size)) {
                state(b, y);
                share_sizes(b, size);
                value = distance(x, y, size, n);
                value = fmax(value, noe_monitored_way_missed(b, t0, t));
            }
            noe_integrator_free(b);
        }
    }
    noe_integrator_free(g);
    noe_law *x1 = noe_law_list_add(laws, "reversible", value, 1e-31 * grown * grown,
                                   "%d steps forth and back, binary128", steps);
    noe_law_traits_judge(x1, noe_law_traits_find(NOE_LAW_REVERSIBLE, s, f));
}

/* The state after STEPS steps of h, in 2^k times as many of h/2^k; *end: the time of the first,
 * and of all others where the steps follow a monitor. */
static bool walk_finer(noe_integrator *g, int k, int steps, quad *end, quad *size, quad *x)
{
    if (k && g->as.clock) return noe_monitored_way_state(g, *end, x);
    if (!(k ? walk(g, steps << k, size) : walk_conditioned(g, steps, size))) return false;
    state(g, x);
    if (!k) noe_integrator_state_get(g, NOE_AT_T, end);
    return true;
}

/* Order by halving the step: |y_h - y_h/2| / |y_h/2 - y_h/4| = 2^order, in binary128, over 8 steps
 * of h; while it falls short of the computed one, since an unresolved motion hides the order. */
static void order(const noe_system *s, const noe_method *f, quad h, noe_laws *laws)
{
    enum { LEVELS = 10, RATIOS_LEAST = 4, STEPS = 8 };
    const int n = 2 * s->dyn.n;
    quad      end[LEVELS][n], size[n], until = 0;
    double    last = NAN, measured = NAN;
    int       halvings = 0, computed = f->order;
    memset(size, 0, sizeof size);
    for (int k = 0; k < LEVELS && (k < RATIOS_LEAST || !(measured > computed - ORDER_LACK)); k++) {
        noe_integrator *g = started(s, f, ldexpq(h, -k), 33);
        const bool      ok = g && walk_finer(g, k, STEPS, &until, size, end[k]);
        if (ok) share_sizes(g, size), computed = noe_splitting_check_order(&g->splitting, f);
        noe_integrator_free(g);
        if (!ok) break;
        const double d = k ? distance(end[k - 1], end[k], size, n) : 0;
        if (d > 0 && d < 1e-26) break; /* at the rounding level of binary128 */
        if (last > 0 && d > 0) measured = log2(last / d), halvings++;
        last = d;
    }
    if (!halvings) {
        noe_law_list_add_unmeasurable(laws, "order", "the differences are at the floor");
        return;
    }
    noe_law_list_add(laws, "order", fmax(0, computed - measured), ORDER_LACK,
                     "measured %.2f over %d halvings in binary128, computed %d", measured,
                     halvings + 1, computed);
}

/* The lanes leave the same constraints out as g: those that follow from others. */
static void leave_out_alike(const noe_engine *core, void *w, noe_integrator *g)
{
    const int m = g->system->dyn.constraints;
    quad      now[m + 1], before[m + 1];
    if (!m) return;
    g->core->get(g->work, NOE_AT_LEFT_OUT, g->member, now);
    core->get(w, NOE_AT_LEFT_OUT, 0, before);
    for (int a = 0; a < m; a++)
        if (now[a] != before[a]) {
            for (int i = 0; i < core->members; i++) core->set(w, NOE_AT_LEFT_OUT, i, now);
            return;
        }
}

/* Starts all lanes where g starts, but for other positions or, with constraints, other momenta in
 * three lanes of four.  With constraints a start is projected, so that g starts first. */
static bool start_lanes(const noe_engine *core, void *w, noe_integrator *g, quad h)
{
    const int  n = g->system->dyn.n;
    const bool tied = g->system->dyn.constraints;
    quad       q[n], z[n], other[n], t;
    bool       momentum[n];
    memset(momentum, tied, sizeof momentum);
    noe_integrator_state_get(g, NOE_AT_T, &t);
    noe_integrator_state_get(g, NOE_AT_Q, q);
    noe_integrator_state_get(g, tied ? NOE_AT_P : NOE_AT_V, z);
    if (begin(g, t, q, z, tied)) return false;
    if (tied) noe_integrator_state_get(g, NOE_AT_Q, q), noe_integrator_state_get(g, NOE_AT_P, z);
    for (int m = 0; m < core->members; m++) {
        core->set(w, NOE_AT_T0, m, &t), core->set(w, NOE_AT_STEP, m, &h);
        for (int i = 0; i < n; i++)
            other[i] = (tied ? z[i] : q[i]) * (1 + (m % 4) * (quad)0.0009765625);
        core->set(w, NOE_AT_Q, m, tied ? q : other), core->set(w, NOE_AT_V, m, z);
        core->set(w, NOE_AT_P, m, tied ? other : z);
    }
    leave_out_alike(core, w, g);
    return !core->start(w, momentum);
}

/* The law "same bits": the trajectory by itself and in SIMD lanes of a batch whose other lanes have
 * other initial conditions.  A linear engine computes another way than the lanes, so there the law
 * is "linear route": the distance of the two results. */
static void same_bits(const noe_system *s, const noe_method *f, quad h, noe_laws *laws)
{
    const int         n = s->dyn.n, steps = 100;
    const noe_engine *core = noe_engine_lanes();
    void             *w = core->make(noe_system_steps(s), f);
    noe_integrator   *g = started(s, f, h, 15);
    quad              alone[2 * n], lane[2 * n];
    int               different = -1;
    double            apart = 0, size[2] = { 0, 0 };
    if (w && g) {
        different = 0;
        if (!start_lanes(core, w, g, h)) different = -1;
        for (int k = 0; k < steps && different == 0; k++) {
            if (noe_step(g)) break;
            core->step(w);
            leave_out_alike(core, w, g);
            core->get(w, NOE_AT_Q, 0, lane), core->get(w, NOE_AT_P, 0, lane + n);
            for (int i = 0; i < 2 * n; i++) size[i / n] = fmax(size[i / n], (double)fabsq(lane[i]));
        }
        state(g, alone);
        for (int m = 0; m < core->members && different >= 0; m += 4) {
            core->get(w, NOE_AT_Q, m, lane), core->get(w, NOE_AT_P, m, lane + n);
            for (int i = 0; i < 2 * n; i++) different += lane[i] != alone[i];
            for (int i = 0; i < 2 * n; i++)
                if (lane[i] != alone[i])
                    apart = fmax(apart, (double)fabsq(lane[i] - alone[i]) / size[i / n]);
        }
    }
    const bool linear = g && g->core->summarize;
    if (w) core->drop(w);
    noe_integrator_free(g);
    if (linear) {
        noe_law_list_add(laws, "linear route", different < 0 ? INFINITY : apart, 2e-14,
                         "its distance from the general engine after %d steps, of the largest "
                         "position or momentum",
                         steps);
        return;
    }
    if (different < 0) {
        noe_law_list_add_unmeasurable(laws, "same bits", "the lanes do not start");
        return;
    }
    noe_law_list_add(laws, "same bits", different, 0,
                     "numbers that differ between a SIMD lane and alone, after %d steps", steps);
}

/* M = d(q, p after)/d(q, p before) of three steps by central differences, for methods whose engine
 * has no derivative of a step.  S[2n][2n], the sizes of the terms in M, grows by the ratio of the
 * sizes of the states: size of row / size of column. */
static bool differences(const noe_system *s, const noe_method *f, quad h, quad *M, quad *S)
{
    const int       n = s->dyn.n, N = 2 * n;
    quad            x[N], y[2][N], most[N], t, size[2] = { 0, 0 };
    noe_integrator *g = started(s, f, h, 33);
    bool            ok = g != NULL;
    if (ok) state(g, x), noe_integrator_state_get(g, NOE_AT_T, &t);
    memset(most, 0, sizeof most);
    ok = ok && walk(g, 3, most); /* a start from rest has no size of momenta */
    for (int i = 0; i < N && ok; i++) size[i / n] = fmaxq(size[i / n], most[i]);
    ok = ok && size[0] > 0 && size[1] > 0;
    for (int c = 0; c < N && ok; c++) {
        const quad d = size[c / n] * (quad)1e-11, old = x[c];
        for (int side = 0; side < 2 && ok; side++) {
            x[c] = side ? old + d : old - d;
            ok = !begin(g, t, x, x + n, true) && !noe_step(g) && !noe_step(g) && !noe_step(g);
            state(g, y[side]);
        }
        x[c] = old;
        for (int r = 0; r < N; r++)
            M[r * N + c] = (y[1][r] - y[0][r]) / (2 * d), S[r * N + c] += size[r / n] / size[c / n];
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
    noe_integrator *g = started(s, f, h, 33);
    const bool exact = g && noe_integrator_has_jacobian(g) && !(g->as.clock && !g->as.transformed);
    quad      *M = noe_status_alloc(2 * NN, sizeof *M), *S = M ? M + NN : NULL;
    double     worst = g && M && noe_symplectic_form_terms(g, h, S) ? 0 : NAN;
    for (int k = 0; k < 3 && exact && worst == worst; k++) {
        if (noe_step(g) || !g->core->derivative(g->work, 0, M)
            || !noe_symplectic_form_terms(g, h, S))
            worst = NAN;
        else worst = fmax(worst, noe_symplectic_form_error(n, M, S));
    }
    if (!exact && M) worst = differences(s, f, h, M, S) ? noe_symplectic_form_error(n, M, S) : NAN;
    free(M);
    noe_integrator_free(g);
    if (isnan(worst) && noe_law_traits_find(NOE_LAW_SYMPLECTIC, s, f) == NOE_PROMISED) {
        noe_law_list_add_unmeasurable(laws, "symplectic", "a step fails, or L_vv is singular");
        return;
    }
    noe_law *law = noe_law_list_add(laws, "symplectic", worst, exact ? 64 * 0x1p-113 : 1e-16,
                                    "M' Omega M - Omega for the Jacobian of 3 steps%s, binary128%s",
                                    exact ? "" : " by differences", noe_law_traits_form(s));
    noe_law_traits_judge(law, noe_law_traits_find(NOE_LAW_SYMPLECTIC, s, f));
}

/* True while the time limit is not reached; else notes the name among the laws left out. */
static bool due(noe_laws *laws, const char *name)
{
    if (laws->within <= 0 || noe_stopwatch_computing() - laws->since < laws->within) return true;
    noe_status_append(laws->left, sizeof laws->left, "%s%s", *laws->left ? ", " : "", name);
    return false;
}

bool noe_laws_find(const noe_system *s, const noe_method *f, quad h, const noe_properties *facts,
                   const noe_symmetries *y, noe_laws *laws)
{
    *laws = (noe_laws){ .within = laws->within, .since = laws->since };
    if (s->model) { /* a Lagrangian in C computes in double: laws in binary128 do not apply to it */
        if (due(laws, "derivatives")) noe_derivative_law(s, laws);
        if (due(laws, "symplectic"))
            (s->dyn.constraints ? noe_manifold_form_law : symplectic)(s, f, h, laws);
        if (due(laws, "reversible")) reversible(s, f, h, laws);
        if (due(laws, "order")) order(s, f, h, laws);
        if (due(laws, "solver floor, energy floor")) noe_roundoff_law(s, f, h, laws);
    }
    if (due(laws, "same bits")) same_bits(s, f, h, laws);
    if (due(laws, "a run of 10000 steps")) noe_drift_laws_find(s, f, h, facts, y, laws);
    return laws->law != NULL || *laws->left;
}
