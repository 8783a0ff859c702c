/* a step failed: which of singular mass, value that is not finite, collision, escape, step beyond the stability limit?
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The system is looked at in the last good state and on the straight way q + s h v ahead of it: where does L end,
 * where is L_vv singular, where does L_qq grow without bound, how fast does it oscillate. */
#include "base/status.h"
#include "method/stability.h"
#include "run/frequency.h"
#include "run/guard.h"
#include "run/local.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = NOE_WHOLE_MOST, NAMED = 6 }; /* coordinates up to which it is done; names in a list */

typedef struct {
    noe_integrator *g;
    noe_local       x;
    int             n;
    quad            t, h, *q, *v, *there; /* the last good state; a state ahead */
    double         *rate, *K;             /* [n], [n][n]: L_qq in units of the masses */
    char            cause[560], advice[320];
    noe_status      status;
} scene;

#define cause(s, ...) noe_append((s)->cause, sizeof (s)->cause, __VA_ARGS__)
#define advise(s, ...) snprintf((s)->advice, sizeof (s)->advice, __VA_ARGS__)

static const char *name(const scene *s, int i) { return noe_system_name(s->g->system, i); }

/* "x, y and z" of the chosen ones; how many. */
static int names(scene *s, const bool *chosen)
{
    int count = 0, shown = 0;
    for (int i = 0; i < s->n; i++) count += chosen[i];
    for (int i = 0; i < s->n && shown < NAMED; i++)
        if (chosen[i]) {
            cause(s, "%s%.40s", !shown ? "" : shown + 1 == count ? " and " : ", ", name(s, i));
            shown++;
        }
    if (count > shown) cause(s, " and %d others", count - shown);
    return count;
}

/* "theta = 0, phi = 1.2" at share s of the way d from q. */
static void places(scene *s, const bool *chosen, const quad *q, const quad *d, double share)
{
    for (int i = 0, shown = 0; i < s->n && shown < NAMED; i++) {
        if (!chosen[i]) continue;
        const quad x = q[i] + share * d[i], small = 1e-6 * fminq(fabsq(q[i]), fabsq(d[i])); /* from q it came down to 0 */
        cause(s, "%s%.40s = %.6g", shown++ ? ", " : "", name(s, i), fabsq(x) < small ? 0.0 : (double)x);
    }
}

static void ahead(scene *s, double share)
{
    for (int i = 0; i < s->n; i++) s->there[i] = s->q[i] + share * s->h * s->v[i];
}

static bool good(scene *s, double share)
{
    ahead(s, share);
    return noe_local_at(&s->x, s->t + share * s->h, s->there, s->v);
}

/* K_j = C v/q_j of the frozen scheme of paper 004. */
static bool divides(scene *s)
{
    bool zero[MOST], any = false;
    for (int i = 0; i < s->n; i++) any |= zero[i] = s->q[i] == 0;
    if (!any || !s->g->freezes) return false;
    cause(s, "this method divides what depends on velocities and on other coordinates by ");
    names(s, zero);
    cause(s, ", which is 0 there: 0/0, or infinite");
    advise(s, "take \"yoshida4\", the same kicks and drifts with the damping inside the kicks, or \"simpson\"");
    s->status = NOE_NOT_FINITE;
    return true;
}

static bool mass(scene *s, const quad *t1, const quad *q1)
{
    bool     lost[MOST], moved[MOST], any = false;
    quad     d[MOST];
    noe_pole y = { .lost = lost, .moved = moved };
    if (s->n > NOE_GUARD_MOST || !noe_guard_ready(s->g)) return false;
    for (int i = 0; i < s->n; i++) s->there[i] = q1 ? q1[i] : s->q[i] + 2 * s->h * s->v[i];
    const noe_way w = { s->g, s->t, t1 ? *t1 : s->t + 2 * s->h, s->q, s->there };
    if (!noe_pole_find(&w, &y)) return false;
    for (int i = 0; i < s->n; i++) d[i] = s->there[i] - s->q[i], any |= moved[i] &= d[i] != 0;
    cause(s, "the mass matrix L_vv is singular at t = %.6g", (double)(w.t0 + y.share * (w.t1 - w.t0)));
    if (any) cause(s, ", ");
    places(s, moved, s->q, d, y.share);
    cause(s, ": the velocities of ");
    names(s, lost);
    cause(s, " do not follow from the momenta there");
    advise(s, "choose coordinates that are regular there, turned axes for angles, or another start");
    s->status = NOE_SINGULAR;
    return true;
}

/* The first share of the way where a value is not finite; alone: coordinates whose motion alone leads there. */
static bool not_finite(scene *s)
{
    enum { LOOKS = 40 };
    double inside = 0, outside = 0;
    bool   alone[MOST], moving[MOST], any = false;
    quad   d[MOST];
    for (int k = 1; k <= LOOKS && outside == 0; k++) {
        const double share = 1.25 * k / LOOKS;
        if (good(s, share)) inside = share;
        else outside = share;
    }
    if (outside == 0) return false;
    for (int k = 0; k < 60; k++) {
        const double share = (inside + outside) / 2;
        *(good(s, share) ? &inside : &outside) = share;
    }
    const quad t = s->t + outside * s->h;
    for (int i = 0; i < s->n; i++) {
        d[i] = s->h * s->v[i];
        moving[i] = d[i] != 0;
        for (int j = 0; j < s->n; j++) s->there[j] = s->q[j] + (j == i ? (quad)outside : 0) * s->h * s->v[j];
        any |= alone[i] = moving[i] && !noe_local_at(&s->x, t, s->there, s->v);
    }
    cause(s, "a value of L or of its derivatives is not finite from t = %.6g on, ", (double)t);
    places(s, any ? alone : moving, s->q, d, outside);
    cause(s, ": a division by zero, a root or logarithm of a negative number, or a number too large");
    advise(s, "the motion leaves the domain of L: end it before, or start elsewhere");
    s->status = NOE_NOT_FINITE;
    return true;
}

/* K = L_qq over the masses, rate = its rows' sums; the largest of them, with the state good. */
static double stiffness(scene *s)
{
    const int n = s->n;
    double    most = 0;
    for (int i = 0; i < n; i++) {
        s->rate[i] = 0;
        for (int j = 0; j < n; j++) {
            const quad m = fabsq(s->x.D[NOE_D_PV][i * n + i] * s->x.D[NOE_D_PV][j * n + j]);
            s->K[i * n + j] = m > 0 ? (double)(s->x.D[NOE_D_FQ][i * n + j] / sqrtq(m)) : 0;
            s->rate[i] += fabs(s->K[i * n + j]);
        }
        most = fmax(most, s->rate[i]);
    }
    return most;
}

/* Bodies: sets of two or three coordinates that L_qq knows by their differences alone. */
static bool together(scene *s, const int *body, int count)
{
    double off = 0, all = 0;
    for (int i = 0; i < s->n; i++) {
        quad sum = 0;
        for (int k = 0; k < count; k++) sum += s->x.D[NOE_D_FQ][i * s->n + body[k]];
        const quad m = fabsq(s->x.D[NOE_D_PV][i * s->n + i]);
        for (int k = 0; k < count && m > 0; k++) all += (double)(fabsq(s->x.D[NOE_D_FQ][i * s->n + body[k]]) / m);
        off += m > 0 ? (double)(fabsq(sum) / m) : 0;
    }
    return all > 0 && off < 0.02 * all;
}

static bool tell_bodies(scene *s, const bool *hot)
{
    bool told[MOST] = { false }, any = false;
    for (int count = 2; count <= 3 && !any; count++)
        for (int a = 0; a < s->n; a++)
            for (int b = a + 1; b < s->n; b++)
                for (int c = count == 2 ? s->n - 1 : b + 1; c < s->n; c++) {
                    const int body[3] = { a, b, c };
                    if (!hot[a] || !hot[b] || told[a] || told[b] || (count == 3 && (!hot[c] || told[c]))) continue;
                    if (!together(s, body, count)) continue;
                    bool these[MOST] = { false };
                    for (int k = 0; k < count; k++) these[body[k]] = told[body[k]] = true;
                    if (any) cause(s, ", ");
                    any = true;
                    names(s, these);
                    cause(s, " come together (%.40s - %.40s = %.3g)", name(s, a), name(s, b), (double)(s->q[a] - s->q[b]));
                }
    return any;
}

/* Past a collision the forces are small again; of a motion that runs away they grow on and on. */
static bool runs_away(scene *s, double share, double most)
{
    bool grows = false;
    for (double k = share + 0.25; k < 1e6; k *= 2) {
        if (!good(s, k)) continue;
        if (stiffness(s) < most / 2) return false;
        grows = true;
    }
    return grows;
}

/* A collision, or a motion that runs away. */
static bool growth(scene *s, double edge)
{
    bool   hot[MOST];
    double share = 0, most, here;
    if (!good(s, 0)) return false;
    here = most = stiffness(s);
    for (double k = 0.25; k <= 3; k += 0.25)
        if (good(s, k) && stiffness(s) > most) most = stiffness(s), share = k;
    const double h = (double)s->h;
    if (share == 0 || most < 4 * here || (here * h * h > edge * edge && most < 1e4 * here)) return false;
    const bool away = runs_away(s, share, most);
    good(s, share);
    stiffness(s);
    for (int i = 0; i < s->n; i++) hot[i] = s->rate[i] >= 0.1 * most;
    cause(s, away ? "the motion runs away: " : "a collision: ");
    if (away || !tell_bodies(s, hot)) {
        cause(s, "the force on ");
        names(s, hot);
        cause(s, away ? " grows on and on along the motion, from " : " grows without bound near ");
        const quad nowhere[MOST] = { 0 };
        places(s, hot, s->q, nowhere, 0);
    }
    cause(s, "; the forces change %.3g-fold within %.3g steps", most / here, share);
    if (away)
        advise(s, "end the run before, or look at the signs of the potential: nothing holds the motion back there; it can "
               "be followed farther with a smaller step than %.3g", h);
    else
        advise(s, "end the run before, give a start that misses, or soften the force; near the collision try a "
               "smaller step than %.3g", h);
    return true;
}

static bool too_long(scene *s, double edge, const char *method)
{
    const int    n = s->n;
    const double h = fabs((double)s->h);
    noe_spectrum w;
    if (!good(s, 0)) return false;
    quad *B = noe_alloc(2 * (size_t)n * (size_t)n, sizeof *B), *C = B + n * n;
    if (!B) return false;
    for (int i = 0; i < n * n; i++) {
        B[i] = s->x.D[NOE_D_PQ][i] - s->x.D[NOE_D_FV][i];
        C[i] = -s->x.D[NOE_D_FQ][i];
    }
    const bool found = noe_spectrum_of(n, s->x.D[NOE_D_PV], B, C, &w);
    free(B);
    if (!found || !(w.fastest * h > fmin(edge, 2))) return false;
    const double most = stiffness(s);
    bool         hot[MOST];
    for (int i = 0; i < n; i++) hot[i] = s->rate[i] >= 0.5 * most && most > 0;
    if (w.fastest * h > edge)
        cause(s, "the step is beyond the stability limit of %s there, %.3g = %.3g/%.3g: the fastest oscillation", method,
              edge / w.fastest, edge, w.fastest);
    else
        cause(s, "the step is too long for the fastest oscillation there");
    if (most > 0) cause(s, ", mostly of ");
    if (most > 0) names(s, hot);
    cause(s, ", turns by %.3g radians in a step", w.fastest * h);
    advise(s, "try a smaller step than %.3g (40 points in the fastest period: %.3g)%s", h, 2 * M_PI / (40 * w.fastest),
           isfinite(edge) ? ", or a gauss method, stable on every oscillator" : "");
    return true;
}

static bool open_scene(scene *s, noe_integrator *g, noe_status why)
{
    const int n = g->system->dyn.n;
    *s = (scene){ .g = g, .n = n, .status = why };
    if (n > MOST || !(g->system->dyn.L || g->system->dyn.hessian) || !noe_local_open(&s->x, g)) return false;
    s->q = noe_alloc(3 * (size_t)n, sizeof *s->q);
    s->rate = noe_alloc((size_t)n + (size_t)n * (size_t)n, sizeof *s->rate);
    if (!s->q || !s->rate) return false;
    s->v = s->q + n, s->there = s->v + n, s->K = s->rate + n;
    noe_integrator_get(g, NOE_AT_T, &s->t);
    noe_integrator_get(g, NOE_AT_STEP, &s->h);
    noe_integrator_get(g, NOE_AT_Q, s->q);
    noe_integrator_get(g, NOE_AT_V, s->v);
    quad sum = 0;
    for (int i = 0; i < n; i++) sum += s->v[i];
    return finiteq(sum);
}

static void close_scene(scene *s)
{
    noe_local_close(&s->x);
    free(s->q);
    free(s->rate);
}

static noe_status tell(scene *s)
{
    quad t, k, h;
    noe_integrator_get(s->g, NOE_AT_T, &t);
    noe_integrator_get(s->g, NOE_AT_COUNT, &k);
    noe_integrator_get(s->g, NOE_AT_STEP, &h);
    if (!s->cause[0])
        cause(s, "%s", s->status == NOE_NOT_FINITE ? "a value is not finite"
              : "no solution of the step's equations near the motion, down to subdivision");
    if (!s->advice[0]) advise(s, "try a smaller step than %.3g", (double)h);
    return noe_fail(s->status, "step %.0f from t = %.12g: %s; the state before the step is kept; %s", (double)k + 1,
                    (double)t, s->cause, s->advice);
}

/* A table of t that ends before the step does. */
static const noe_samples *ended(noe_integrator *g)
{
    quad t, h;
    noe_integrator_get(g, NOE_AT_T, &t);
    noe_integrator_get(g, NOE_AT_STEP, &h);
    const noe_samples *x = g->system->model ? noe_model_outside(g->system->model, t) : NULL;
    return x || !g->system->model ? x : noe_model_outside(g->system->model, t + h);
}

noe_status noe_diagnose(noe_integrator *g, noe_status why)
{
    const noe_samples *x = ended(g);
    if (x)
        return noe_fail(NOE_NOT_FINITE, "step %.0f from t = %.12g: the table '%.100s' has values from %.10g to %.10g alone; the state "
                        "before the step is kept; end the run there, or say what is outside: table(.., zero) or table(.., hold)",
                        noe_get(g, "steps") + 1, noe_time(g), x->file, x->x_d[0], x->x_d[x->pieces]);
    const bool silent = !noe_error();
    if (g->system->dyn.groups && g->system->dyn.n <= MOST) {
        noe_integrator *twin = noe_integrator_twin(g);
        if (silent) noe_error_clear();
        if (twin) return noe_diagnose(twin, why);
    }
    if (g->system->dyn.groups) return noe_diagnose_sums(g, why);
    if (g->system->dyn.structure)
        return noe_fail(why, "step %.0f from t = %.12g: a position, a momentum or a force is not finite; the state before "
                        "the step is kept", noe_get(g, "steps") + 1, noe_time(g));
    const bool  clean = !noe_error();
    scene       s;
    noe_method *m = noe_method_parse(g->method);
    double      edge = INFINITY;
    if (m && noe_stability_windows(m, INFINITY, &edge, 1) && edge == 0) edge = INFINITY; /* no step is stable */
    if (open_scene(&s, g, why) && !(g->system->dyn.linear && too_long(&s, edge, g->method)))
        (void)(divides(&s) || mass(&s, NULL, NULL) || not_finite(&s) || growth(&s, edge) || too_long(&s, edge, g->method));
    close_scene(&s);
    noe_method_free(m);
    if (clean) noe_error_clear(); /* what looking for the cause may have said */
    return tell(&s);
}

noe_status noe_diagnose_pole(noe_integrator *g, quad t1, const quad *q1)
{
    const bool clean = !noe_error();
    scene      s;
    if (open_scene(&s, g, NOE_SINGULAR)) mass(&s, &t1, q1);
    close_scene(&s);
    if (clean) noe_error_clear();
    return tell(&s);
}
