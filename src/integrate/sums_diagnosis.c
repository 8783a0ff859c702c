/* Diagnosis of a failed step of many bodies: the term of the sums, and the bodies, that caused it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * As in failure_diagnosis.c the system is examined in the last good state and on the straight path
 * q + s h v ahead of it, but term by term: the term whose force changes fastest with the position
 * has few coordinates, and the message can name them. */
#include "base/status.h"
#include "integrate/failure_context.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    noe_integrator *g;
    const noe_sums *x;
    /* Time, step and [places] positions and velocities of the last good state; a position ahead. */
    double t, h, *q, *v, *there;
    char   said[900]; /* the message so far */
} sums_context;

#define say(s, ...) noe_status_append((s)->said, sizeof(s)->said, __VA_ARGS__)

static bool open_context(sums_context *s, noe_integrator *g)
{
    const noe_sums *x = g->system->dyn.groups;
    const size_t    n = (size_t)x->places;
    *s = (sums_context){ .g = g, .x = x, .t = noe_time(g), .h = noe_get(g, "step") };
    s->q = noe_status_alloc(3 * n, sizeof *s->q);
    if (!s->q) return false;
    s->v = s->q + n, s->there = s->v + n;
    const double *q = noe_q(g), *v = noe_v(g);
    for (int i = 0, k = 0; i < x->places; i++) {
        const bool moves = x->inverse[i] != 0;
        s->q[i] = moves ? q[k] : x->q[i];
        s->v[i] = moves ? v[k] : 0;
        k += moves;
    }
    return true;
}

/* The stiffest term (largest rate of L_qq) at q + share h v, and its rate; 0 without memory. */
static double stiffest_at(sums_context *s, double share, noe_stiffest_term *to)
{
    for (int i = 0; i < s->x->places; i++) s->there[i] = s->q[i] + share * s->h * s->v[i];
    return noe_max_stiffness(s->x, s->t + share * s->h, s->there, s->v, to) ? to->rate : 0;
}

/* Number of the body of a coordinate: x[3] and y[3] belong to one body; a coordinate that is not in
 * a family is a body by itself. */
static int64_t body(const noe_sums *g, int place)
{
    const int f = noe_term_runs_family(g, place);
    return g->family[f].count > 1 ? place - g->family[f].first : -1 - f;
}

static const char *name(const sums_context *s, int place)
{
    int i = 0;
    for (int k = 0; k < place; k++) i += s->x->inverse[k] != 0;
    return noe_system_name(s->g->system, i);
}

/* Sorts the coordinates of a term by body, and within a body in the order of declaration. */
static void sort(const noe_sums *g, noe_stiffest_term *x)
{
    for (int i = 1; i < x->count; i++)
        for (int k = i; k > 0; k--) {
            const int     a = x->place[k - 1], b = x->place[k];
            const int64_t A = body(g, a), B = body(g, b);
            if (A < B || (A == B && a < b)) break;
            x->place[k - 1] = b, x->place[k] = a;
        }
}

/* For a term of two bodies with equally many coordinates of the same families: that number; else
 * 0. */
static int coordinates_each(const noe_sums *g, const noe_stiffest_term *x)
{
    const int half = x->count / 2;
    if (!half || x->count % 2 || x->count == NOE_STIFFEST_MOST) return 0;
    for (int k = 0; k < half; k++) {
        const int a = x->place[k], b = x->place[half + k];
        if (body(g, a) != body(g, x->place[0]) || body(g, b) != body(g, x->place[half])) return 0;
        if (body(g, a) == body(g, b) || noe_term_runs_family(g, a) != noe_term_runs_family(g, b))
            return 0;
    }
    return half;
}

static double distance(const sums_context *s, const noe_stiffest_term *x, int half, double share)
{
    double d = 0;
    for (int k = 0; k < half; k++) {
        const int a = x->place[k], b = x->place[half + k];
        d = hypot(d, s->q[a] - s->q[b] + share * s->h * (s->v[a] - s->v[b]));
    }
    return d;
}

/* "x[3], y[3]" */
static void names(sums_context *s, const int *place, int count)
{
    for (int k = 0; k < count; k++) say(s, "%s%.40s", k ? ", " : "", name(s, place[k]));
}

/* "x[3], y[3] and x[17], y[17]" */
static void bodies(sums_context *s, const noe_stiffest_term *x, int half)
{
    names(s, x->place, half ? half : x->count);
    if (half) say(s, " and "), names(s, x->place + half, half);
}

/* Beyond a collision the forces are small again; in a motion that runs away they grow on and on. */
static bool runs_away(sums_context *s, const noe_stiffest_term *stiffest, double share)
{
    noe_stiffest_term x;
    bool              grows = false;
    double            extent = 1;
    for (int i = 0; i < s->x->places; i++) extent = fmax(extent, fabs(s->x->q[i]));
    for (int i = 0; i < stiffest->count; i++)
        if (fabs(s->q[stiffest->place[i]]) > 1e6 * extent)
            return true; /* far outside the extent of the start */
    for (double k = share + 0.25; k < 1e6; k *= 2) {
        if (stiffest_at(s, k, &x) < stiffest->rate / 2) return false;
        grows |= isfinite(x.rate);
    }
    return grows;
}

/* The number of steps after which two bodies are nearest; 0: they move apart. */
static double nearest(const sums_context *s, const noe_stiffest_term *x, int half)
{
    double rv = 0, vv = 0;
    for (int k = 0; k < half; k++) {
        const int    a = x->place[k], b = x->place[half + k];
        const double v = s->h * (s->v[a] - s->v[b]);
        rv += (s->q[a] - s->q[b]) * v, vv += v * v;
    }
    return rv < 0 ? -rv / vv : 0;
}

/* Does L_qq of one term grow at least fourfold within three steps?  Where the step is too long
 * already and the motion could be an oscillation, 10^4-fold is required. */
static bool growth(sums_context *s, double edge)
{
    noe_stiffest_term now, x, then;
    const double      here = stiffest_at(s, 0, &now);
    double            share = 0;
    x = now;
    for (double k = 0.0625; k <= 3; k += k < 1 ? 0.0625 : 0.25)
        if (stiffest_at(s, k, &then) > x.rate) {
            x = then;
            share = k;
        }
    sort(s->x, &now);
    const double close = 0.9 * nearest(s, &now, coordinates_each(s->x, &now));
    if (close > 0 && close < 3 && stiffest_at(s, close, &then) > x.rate) x = then, share = close;
    const bool resolved = here * s->h * s->h <= edge * edge || now.curvature < 0;
    if (share == 0 || !x.count || x.rate < (resolved ? 4 : 1e4) * here) return false;
    sort(s->x, &x);
    const int    half = coordinates_each(s->x, &x);
    const double d = distance(s, &x, half, 0);
    const bool   nearer = half && distance(s, &x, half, share) < d,
               away = !nearer && runs_away(s, &x, share);
    say(s, away ? "the motion runs away: " : "a collision: ");
    if (nearer) bodies(s, &x, half), say(s, " come together (at a distance of %.3g", d);
    else {
        say(s, "the force %s ", half ? "between" : "on");
        bodies(s, &x, half);
        say(s, away ? " grows on and on along the motion (" : " grows without bound (");
        if (half) say(s, "at a distance of %.3g", d);
        else say(s, "at %.40s = %.6g", name(s, x.place[0]), s->q[x.place[0]]);
    }
    if (isfinite(x.rate))
        say(s, "); the forces change %.3g-fold within %.3g steps; ", x.rate / here, share);
    else say(s, "); a value is not finite within %.3g steps; ", share);
    say(s, "the state before the step is kept; ");
    if (away)
        say(s,
            "end the run before, or look at the signs of the potential: nothing holds the motion "
            "back there");
    else
        say(s,
            "end the run before, give a start that misses, or soften the force; near it try a "
            "smaller step than %.3g",
            s->h);
    return true;
}

/* Is the step too long for the force of one term alone, sqrt(rate) h beyond the stability limit? */
static bool too_long(sums_context *s, double edge)
{
    noe_stiffest_term x;
    const double      turn = sqrt(stiffest_at(s, 0, &x)) * fabs(s->h);
    if (!x.count || !isfinite(turn) || turn < fmin(edge, 2)) return false;
    sort(s->x, &x);
    const int half = coordinates_each(s->x, &x);
    say(s, "the step is too long for the force %s ", half ? "between" : "on");
    bodies(s, &x, half);
    if (half) say(s, ", at a distance of %.3g", distance(s, &x, half, 0));
    if (half && nearest(s, &x, half) > 0) say(s, " and coming nearer");
    say(s,
        ": it changes at a rate of %.3g radians in a step; the state before the step is kept; try "
        "a smaller step than %.3g",
        turn, 2 * M_PI / (40 * turn) * fabs(s->h));
    return true;
}

noe_status noe_sums_diagnosis_find(noe_integrator *g, noe_status why)
{
    const double step = noe_get(g, "steps") + 1, t = noe_time(g);
    sums_context s;
    char         beginning[80];
    const double edge = noe_failure_context_edge(g->method);
    const bool   open = open_context(&s, g), grows = open && growth(&s, edge);
    snprintf(beginning, sizeof beginning, "step %.0f from t = %.12g: ", step, t);
    if (grows && noe_error() && !strncmp(noe_error(), beginning, strlen(beginning)))
        noe_error_clear(); /* the engine's message, which names no coordinate */
    const bool told = grows || (open && too_long(&s, edge));
    free(s.q);
    if (told) return noe_status_fail(why, "%s%s", beginning, s.said);
    return noe_status_fail(
        why, "%s%s; the state before the step is kept; try a smaller step", beginning,
        why == NOE_NOT_FINITE
            ? "a position, a momentum or a force is not finite, and no collision is ahead: a step "
              "too large"
            : "neither the fixed point nor Newton's method finds a solution of the step's "
              "equations near the motion");
}
