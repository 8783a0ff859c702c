/* Divides a step of a run into halves until no part hides a variation of F or P.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * F = L_q + forces, P = L_v; the method: accuracy/divided_step.h. */
#include "accuracy/divided_step.h"

#include "base/status.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of halvings; largest number of parts of one step (PARTS), and of a step with a
 * kink that depends on the state (SLIDES_MOST): a motion may slide along a kink for a whole
 * step. */
enum { HALVINGS_MOST = 44, PARTS = 1 << 15, SLIDES_MOST = 1 << 10 };

/* A jump of L is neglected below the energy times WALL_PART times the neglected change of a
 * momentum.  Unlike a hidden force, a jump has no duration, so halving the step does not reduce the
 * jump. */
static const double WALL_PART = 1e3;

/* A relative hidden variation above this number means that there was no motion or load before, and
 * so no momentum or impulse as a scale. */
static const double NO_SCALE = 1e30;

/* The scale of each momentum is at least this fraction of the largest momentum. */
static const double MOMENTUM_PART_LEAST = 1e-12;

typedef struct {
    /* Parts of length h / 2^depth. */
    noe_integrator *g;         /* integrator with this step; NULL until needed, and at depth 0 */
    quad           *from, *to; /* [3n] q, v, p at the start and at the end of the part */
} level;

struct noe_divided_step {
    noe_enclosure    *e;                /* encloses F and P */
    const noe_system *s;                /* the system */
    const noe_method *f;                /* the method */
    int               n, nodes, digits; /* coordinates; pieces of a step; decimal digits */
    quad              h;                /* the undivided step */
    double            neglected,        /* neglected change of a momentum, relative */
        parts,                          /* parts that may still be made in the run */
        used;                           /* parts made of the present step */
    level   level[HALVINGS_MOST + 1];   /* [depth] the part in progress at each depth */
    double *momentum,                   /* [n] largest |p_i| so far */
        *cubic_error,                   /* [n] estimated error of q'' of the cubic */
        *last,                          /* [n] q'' at the end of the previous part's cubic */
        *weight;                        /* [2n + 1] or [loads], see noe_enclosure_look */
    double            energy;           /* largest sum over i of |p_i v_i| so far */
    int               loads;            /* number of loads of a structure; 0 for other systems */
    double           *impulse;          /* [loads] int |g_k| dt so far */
    noe_interval     *q, *v;            /* [n] box about the cubic */
    bool             *by_momentum; /* [n] true: the momenta, not the velocities, start a part */
    bool              begun;       /* `last` is set */
    noe_step_division division;    /* the result */
    int               deepest;     /* largest depth reached in the present step */
    double            kink_length; /* as in noe_step_division, for the present step */
};

const noe_step_division *noe_divided_step_division(const noe_divided_step *x)
{
    return &x->division;
}

void noe_divided_step_free(noe_divided_step *x)
{
    if (!x) return;
    for (int k = 0; k <= HALVINGS_MOST; k++)
        noe_integrator_free(x->level[k].g), free(x->level[k].from);
    free(x->momentum), free(x->q), free(x->by_momentum);
    free(x);
}

static bool open_level(noe_divided_step *x, int depth)
{
    level *l = &x->level[depth];
    if (!l->from && (l->from = noe_status_alloc(6 * (size_t)x->n, sizeof *l->from)))
        l->to = l->from + 3 * (size_t)x->n;
    if (l->from && depth && !l->g)
        l->g = noe_integrator_make(x->s, x->f, ldexpq(x->h, -depth), x->digits);
    return l->from && (!depth || l->g);
}

noe_divided_step *noe_divided_step_make(noe_enclosure *e, const noe_system *s, const noe_method *f,
                                        int nodes, quad h, int digits, double neglected,
                                        const double *p, double parts)
{
    const size_t      n = (size_t)s->dyn.n;
    noe_divided_step *x = noe_status_alloc(1, sizeof *x);
    if (!x) return NULL;
    *x = (noe_divided_step){ .e = e,
                             .s = s,
                             .f = f,
                             .n = s->dyn.n,
                             .nodes = nodes,
                             .digits = digits,
                             .h = h,
                             .neglected = neglected,
                             .parts = parts,
                             .division = { .least = INFINITY, .kink_length = INFINITY } };
    x->loads = noe_enclosure_loads(e);
    x->momentum = noe_status_alloc(5 * n + 1 + 2 * (size_t)x->loads, sizeof *x->momentum);
    x->q = noe_status_alloc(2 * n, sizeof *x->q);
    x->by_momentum = noe_status_alloc(n, sizeof *x->by_momentum);
    if (!x->momentum || !x->q || !x->by_momentum || !open_level(x, 0)) {
        noe_divided_step_free(x);
        return NULL;
    }
    x->cubic_error = x->momentum + n, x->last = x->cubic_error + n, x->weight = x->last + n;
    x->impulse = x->weight + (x->loads ? (size_t)x->loads : 2 * n + 1);
    x->v = x->q + n;
    for (size_t i = 0; i < n; i++) x->by_momentum[i] = true, x->momentum[i] = p[i];
    return x;
}

static void read(noe_integrator *g, int n, quad *to)
{
    noe_integrator_state_get(g, NOE_AT_Q, to);
    noe_integrator_state_get(g, NOE_AT_V, to + n);
    noe_integrator_state_get(g, NOE_AT_P, to + 2 * n);
}

/* d [3]: Bernstein coefficients over the step of the cubic's derivative, a quadratic. */
static void velocity_bezier(const noe_divided_step *x, const level *l, int i, double h, double *d)
{
    const int n = x->n;
    d[0] = (double)l->from[n + i], d[2] = (double)l->to[n + i];
    d[1] = 3 * (double)(l->to[i] - l->from[i]) / h - d[0] - d[2];
}

/* Estimates the error of q'' of the cubic: its jump from the previous cubic to this one; for the
 * first cubic a quarter of its variation over the step. */
static void measure_cubic_error(noe_divided_step *x, const level *l, double h)
{
    for (int i = 0; i < x->n; i++) {
        double d[3];
        velocity_bezier(x, l, i, h, d);
        const double first = 2 * (d[1] - d[0]) / h, end = 2 * (d[2] - d[1]) / h;
        x->cubic_error[i] = x->begun ? fabs(first - x->last[i]) : fabs(end - first) / 4;
    }
}

/* Accepts a part: keeps q'' at its end for the next estimate. */
static void accept_part(noe_divided_step *x, const level *l, double h)
{
    for (int i = 0; i < x->n; i++) {
        double d[3];
        velocity_bezier(x, l, i, h, d);
        x->last[i] = 2 * (d[2] - d[1]) / h;
    }
    x->begun = true;
}

/* Range of b [count], widened by `more` on both sides. */
static noe_interval about(const double *b, int count, double more)
{
    noe_interval y = { b[0], b[0] };
    for (int k = 1; k < count; k++) y.lo = fmin(y.lo, b[k]), y.hi = fmax(y.hi, b[k]);
    return (noe_interval){ y.lo - more, y.hi + more };
}

static double between(double a, double b, double u) { return a + u * (b - a); }

/* q, v: boxes that contain the Bezier points of the cubic, and of its derivative, from the
 * fraction u to the fraction w of the step, widened by the error of the cubic. */
static void enclose(noe_divided_step *x, const level *l, double h, double u, double w)
{
    for (int i = 0; i < x->n; i++) {
        const double q = (double)l->from[i];
        double       d[3];
        velocity_bezier(x, l, i, h, d);
        const double b[4] = { 0, h * d[0] / 3, h * (d[0] + d[1]) / 3,
                              h * (d[0] + d[1] + d[2]) / 3 };
        double       c[4], v[3];
        for (int k = 0; k < 4; k++) { /* Bezier point k: blossom at u (3 - k times), w (k times) */
            double a[4] = { b[0], b[1], b[2], b[3] };
            for (int r = 0; r < 3; r++)
                for (int j = 0; j < 3 - r; j++) a[j] = between(a[j], a[j + 1], r < k ? w : u);
            c[k] = q + a[0];
        }
        for (int k = 0; k < 3; k++) {
            double a[3] = { d[0], d[1], d[2] };
            for (int r = 0; r < 2; r++)
                for (int j = 0; j < 2 - r; j++) a[j] = between(a[j], a[j + 1], r < k ? w : u);
            v[k] = a[0];
        }
        x->q[i] = about(c, 4, x->cubic_error[i] * h * h / 32);
        x->v[i] = about(v, 3, x->cubic_error[i] * h / 8);
    }
}

/* Hidden variation of the loads g_k(t) of a structure from the fraction u to the fraction w of a
 * step.  The scale of each load is its own impulse so far, not a momentum: masses do not matter. */
static noe_hidden_variation look_at_loads(noe_divided_step *x, double t, double h, double u,
                                          double w)
{
    for (int k = 0; k < x->loads; k++)
        x->weight[k] = h * (w - u) / (x->neglected * fmax(x->impulse[k], DBL_MIN));
    return noe_enclosure_look(x->e, noe_interval_between(t + u * h, t + w * h), NULL, NULL,
                              x->weight);
}

static void add_impulses(noe_divided_step *x, double t, double h)
{
    look_at_loads(x, t, h, 1, 1);
    for (int k = 0; k < x->loads; k++) {
        const double size = h * noe_interval_largest(noe_enclosure_load(x->e, k));
        if (isfinite(size)) x->impulse[k] += size;
    }
}

/* Hidden variation of F, P and L from the fraction u to the fraction w of a step; 1 is the largest
 * that is neglected. */
static noe_hidden_variation look(noe_divided_step *x, const level *l, double t, double h, double u,
                                 double w)
{
    if (x->loads) return look_at_loads(x, t, h, u, w);
    double largest = DBL_MIN;
    for (int i = 0; i < x->n; i++) largest = fmax(largest, x->momentum[i]);
    for (int i = 0; i < x->n; i++) {
        const double whole = x->neglected * fmax(x->momentum[i], MOMENTUM_PART_LEAST * largest);
        x->weight[i] = fabs(h) * (w - u) / whole;
        x->weight[x->n + i] = fabs(h / (double)x->h) * (w - u) / whole;
    }
    x->weight[2 * x->n] = 1 / (WALL_PART * x->neglected * fmax(x->energy, DBL_MIN));
    enclose(x, l, h, u, w);
    return noe_enclosure_look(x->e, noe_interval_between(t + u * h, t + w * h), x->q, x->v,
                              x->weight);
}

/* Is a variation hidden in this part?  *what, *at: the largest one over the pieces, and the time in
 * the middle of its piece. */
static bool hides(noe_divided_step *x, const level *l, double t, double h,
                  noe_hidden_variation *what, double *at)
{
    measure_cubic_error(x, l, h);
    *what = look(x, l, t, h, 0, 1);
    *at = t + h / 2;
    if (!(what->part > 1) || x->nodes == 1) return what->part > 1;
    noe_hidden_variation most = { 0 };
    for (int k = 0; k < x->nodes; k++) {
        const double               u = (double)k / x->nodes, w = (double)(k + 1) / x->nodes;
        const noe_hidden_variation o = look(x, l, t, h, u, w);
        if (o.part > most.part) most = o, *at = t + h * (u + w) / 2;
    }
    *what = most;
    return most.part > 1;
}

/* May the present step be divided further?  Where a motion slides along a kink of the state, every
 * part contains the kink; the number of parts is then limited to SLIDES_MOST. */
static bool may_divide(const noe_divided_step *x, const noe_hidden_variation *what)
{
    const double most = what->kink && what->of_state ? SLIDES_MOST : PARTS;
    return x->used + 2 <= fmin(most, x->parts);
}

/* Records a hidden variation in a part of length h.  The hidden variation falls like h at a jump
 * and like h^2 at a kink of F; the power is measured between this depth and the one above. */
static void record(noe_divided_step *x, const noe_hidden_variation *what, double at, int depth,
                   double h)
{
    const double ratio = x->division.what.part / what->part;
    if (!what->kink) x->division.least = fmin(x->division.least, h / 2);
    if (depth > 0 && depth <= x->deepest) return;
    if (what->kink && depth > 1 && isfinite(ratio) && what->part < NO_SCALE) {
        const double power = fmin(4, fmax(1, log2(ratio)));
        x->kink_length = h * pow(noe_divided_step_kink_margin / what->part, 1 / power);
    }
    x->deepest = depth;
    x->division.t = at;
    x->division.t_error = h / x->nodes;
    x->division.what = *what;
}

/* Makes a part from the state l->from at time t; *what: its hidden variation, part = 0 for none.  A
 * part whose step fails counts as too long: *what is then unchanged, the variation of the longer
 * step. */
static bool make_part(noe_divided_step *x, level *l, quad t, int depth, noe_hidden_variation *what)
{
    const int    n = x->n;
    const double h = (double)ldexpq(x->h, -depth);
    double       at;
    x->used++;
    if (noe_integrator_start_from(l->g, &t, l->from, l->from + n, l->from + 2 * n, x->by_momentum))
        return false;
    if (noe_step(l->g)) {
        noe_error_clear();
        return depth < HALVINGS_MOST;
    }
    read(l->g, n, l->to);
    if (!hides(x, l, (double)t, h, what, &at)) what->part = 0;
    else record(x, what, at, depth, h);
    return true;
}

/* Steps from the state `from` [3n] at time t over two parts of this depth, each divided further
 * where needed; to [3n]: the state at the end. */
static bool divide(noe_divided_step *x, int depth, quad t, const quad *from,
                   const noe_hidden_variation *why, quad *to)
{
    const size_t bytes = 3 * (size_t)x->n * sizeof *from;
    const quad   h = ldexpq(x->h, -depth);
    level       *l = &x->level[depth];
    if (!open_level(x, depth)) return x->division.lost = true, false;
    memcpy(l->from, from, bytes);
    for (int half = 0; half < 2; half++, t += h) {
        noe_hidden_variation what = *why;
        if (!make_part(x, l, t, depth, &what)) return false;
        if (what.part > 1 && depth < HALVINGS_MOST) {
            if (!may_divide(x, &what) || !divide(x, depth + 1, t, l->from, &what, l->to))
                return false;
        } else if (what.part > 1 && what.wall) {
            x->division.lost = true;
            return false;
        } else {
            accept_part(x, l, (double)h);
        }
        memcpy(l->from, l->to, bytes);
    }
    memcpy(to, l->from, bytes);
    return true;
}

bool noe_divided_step_step(noe_divided_step *x, noe_integrator *g)
{
    const int            n = x->n;
    level               *l = &x->level[0];
    noe_hidden_variation what;
    double               at;
    quad                 t, end;
    noe_integrator_state_get(g, NOE_AT_T, &t);
    read(g, n, l->from);
    if (noe_step(g)) return false;
    noe_integrator_state_get(g, NOE_AT_T, &end);
    read(g, n, l->to);
    double energy = 0;
    for (int i = 0; i < n; i++) energy += fabs((double)(l->to[n + i] * l->to[2 * n + i]));
    x->energy = fmax(x->energy, energy);
    for (int i = 0; i < n; i++) {
        const double a = fabs((double)l->from[2 * n + i]), b = fabs((double)l->to[2 * n + i]);
        x->momentum[i] = fmax(x->momentum[i], fmax(a, b));
    }
    if (x->loads) add_impulses(x, (double)t, (double)x->h);
    if (!hides(x, l, (double)t, (double)x->h, &what, &at)) {
        accept_part(x, l, (double)x->h);
        return true;
    }
    x->used = 0, x->kink_length = INFINITY, x->division.divided++;
    record(x, &what, at, 0, (double)x->h);
    const bool divided = divide(x, 1, t, l->from, &what, l->to);
    x->parts -= x->used, x->division.parts += x->used;
    x->division.kink_length = fmin(x->division.kink_length, x->kink_length);
    if (divided)
        return !noe_integrator_start_from(g, &end, l->to, l->to + n, l->to + 2 * n, x->by_momentum);
    x->division.lost |= !(x->division.what.kink && x->division.what.of_state);
    noe_error_clear();
    accept_part(x, l, (double)x->h); /* the undivided step is used */
    return !x->division.lost;
}
