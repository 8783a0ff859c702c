/* (q, p)(t) -> (q, p)(t + h): what the tests of the laws share.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef LAWS_H
#define LAWS_H

#include "method/method.h"
#include "random.h"
#include "system/event_tapes.h"
#include "system/system.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOFS = 16 };
#define QUAD_EPS 0x1p-113

static UNUSED quad number(const char *text) { return strtoflt128(text, NULL); }

/* |error| <= bound * scale, and remembers the largest |error| / (bound scale), so that a bound
 * can be kept within 50 times what is measured. */
static double tightest;
#define small(error, scale, bound, what) small_at(error, scale, bound, what, __LINE__)
static UNUSED void small_at(quad error, quad scale, double bound, const char *what, int line)
{
    const double part = (double)(fabsq(error) / scale) / bound;
    if (part > tightest) tightest = part;
    if (!(fabsq(error) <= bound * scale))
        fail_msg("line %d: %s: %.3g of a scale of %.3g, relative %.3g, bound %.3g", line, what,
                 (double)error, (double)scale, (double)(error / scale), bound);
}

/* The three digits of a table: |x - y| <= half a unit of the last of them. */
#define digits(x, y, relative, what) digits_at(x, y, relative, what, __LINE__)
static UNUSED void digits_at(double x, double y, double relative, const char *what, int line)
{
    if (!(fabs(x - y) <= relative * fabs(y)))
        fail_msg("line %d: %s: %.6e instead of %.6e", line, what, x, y);
}

/* ---- systems and methods ---- */

static UNUSED noe_system *load(const char *path)
{
    noe_error_clear();
    noe_system *s = noe_system_load(path);
    if (!s) fail_msg("%s", noe_error());
    return s;
}

static UNUSED noe_system *parse(const char *text)
{
    noe_error_clear();
    noe_system *s = noe_system_parse(text);
    if (!s) fail_msg("%s\n%s", noe_error(), text);
    return s;
}

static UNUSED noe_method *method(const char *name)
{
    noe_error_clear();
    noe_method *m = noe_method_parse(name);
    if (!m) fail_msg("%s", noe_error());
    return m;
}

static UNUSED const char *const every_method[] = {
    "simpson", "midpoint", "lobatto 1",  "lobatto 3",       "lobatto 4",     "gauss 2",
    "gauss 3", "gauss 6",  "P2 gauss 3", "P3 radau-left 3", "P4 clenshaw 5", "P2 lobatto 4"
};
enum { METHODS = sizeof every_method / sizeof *every_method };

/* A method of which one number of node r/2 is wrong: l, I or X of the first mode. */
static UNUSED noe_method spoiled(const noe_method *m, int which)
{
    noe_method  s = *m;
    const int   i = m->r / 2;
    quad *const number[] = { &s.l[i][0], &s.I[i][0], &s.X[i][0] };
    *number[which] += (quad)1e-3;
    return s;
}

/* What a model suggests; where it has a monitor, which shortens the steps on the way, a hundredth,
 * since laws are for equal steps, too. */
static UNUSED quad suggested_step(const noe_system *s)
{
    quad h = 0;
    if (!noe_parse_model_value(s->model, "step", noe_system_suggest(s, "step"), &h))
        fail_msg("%s", noe_error());
    return noe_system_monitored(s) ? h / 100 : h;
}

/* A model of the library; chains and lattices in a small size. */
static UNUSED noe_system *load_small(const char *path)
{
    noe_system *s = load(path);
    if (s->dyn.n <= DOFS) return s;
    noe_system *small = noe_system_with(s, noe_model_find(s->model, "N", 1) ? "N" : "n", 3);
    if (!small || small->dyn.n > DOFS)
        fail_msg("%s: too many coordinates, or no size N: %s", path, noe_error());
    noe_system_free(s);
    return small;
}

/* Its model once more, to add nodes to. */
static UNUSED noe_model *own_model(const noe_system *s)
{
    const noe_model *old = s->model;
    noe_model       *m = noe_parse_model_text(old->name, old->text, old->length, old->change,
                                              old->changes);
    if (!m) fail_msg("%s", noe_error());
    return m;
}

static UNUSED void every_model(void (*law)(const noe_system *, const char *), bool constrained)
{
    glob_t found;
    int    count = 0;
    if (glob("systems/*.lag", 0, NULL, &found))
        fail_msg("systems/*.lag: no models; run the tests in the root of the sources");
    for (size_t i = 0; i < found.gl_pathc; i++) {
        noe_system *s = load(found.gl_pathv[i]);
        if ((s->model->constraints > 0) == constrained) {
            if (!constrained) noe_system_free(s), s = load_small(found.gl_pathv[i]);
            law(s, found.gl_pathv[i]), count++;
        }
        noe_system_free(s);
    }
    globfree(&found);
    if (count < 10) fail_msg("systems/*.lag: %d models, too few", count);
}

/* Calls law(system, path) for every model of the library without constraints, or for those with
 * constraints, which the Galerkin methods alone can step.  An engine makes the smooth steps of a
 * model with impacts; test/event/test_impact_laws.c has the laws of its steps over impacts. */
static UNUSED void every_system(void (*law)(const noe_system *, const char *))
{
    every_model(law, false);
}
static UNUSED void every_mechanism(void (*law)(const noe_system *, const char *))
{
    every_model(law, true);
}

/* ---- one trajectory, in an instance of the core ---- */

typedef struct {
    quad t, q[DOFS], p[DOFS], v[DOFS];
} point;

typedef struct {
    const noe_engine *engine;
    void             *work;
    int               n;
} run;

static UNUSED run make_run(const noe_engine *engine, const noe_system *s, const noe_method *m,
                           quad h)
{
    run r = { engine, engine->make(&s->dyn, m), s->dyn.n };
    assert_non_null(r.work);
    for (int i = 0; i < engine->members; i++) engine->set(r.work, NOE_AT_STEP, i, &h);
    return r;
}

static UNUSED void put_point(run r, int member, const point *x)
{
    r.engine->set(r.work, NOE_AT_T0, member, &x->t);
    r.engine->set(r.work, NOE_AT_Q, member, x->q);
    r.engine->set(r.work, NOE_AT_P, member, x->p);
    r.engine->set(r.work, NOE_AT_V, member, x->v);
}

/* Starts from (q, p) or from (q, v); every member that stands nowhere starts there, too. */
static UNUSED void start_run(run r, const point *x, bool momenta)
{
    bool momentum[DOFS];
    for (int j = 0; j < DOFS; j++) momentum[j] = momenta;
    for (int i = 0; i < r.engine->members; i++) put_point(r, i, x);
    if (r.engine->start(r.work, momentum)) fail_msg("a start failed: %d", r.engine->why(r.work, 0));
}

static UNUSED void step_run(run r)
{
    if (r.engine->step(r.work)) fail_msg("a step failed: %d", r.engine->why(r.work, 0));
}

/* t, q and p; the velocities are not asked for. */
static UNUSED point get_point(run r, int member)
{
    point x = { 0 };
    r.engine->get(r.work, NOE_AT_T, member, &x.t);
    r.engine->get(r.work, NOE_AT_Q, member, x.q);
    r.engine->get(r.work, NOE_AT_P, member, x.p);
    return x;
}

static UNUSED quad get_solver(run r, int member, noe_solver_at what)
{
    return r.engine->solver->get(r.work, what, member);
}

static UNUSED quad get_one(run r, int member, noe_engine_value what)
{
    quad x[DOFS] = { 0 };
    r.engine->get(r.work, what, member, x);
    return x[0];
}

/* The model's own start, with velocities; all of them given as momenta are solved for. */
static UNUSED point model_start(const noe_system *s)
{
    noe_method *m = method("simpson");
    run         r = make_run(noe_engine_quad(), s, m, 1);
    bool        momentum[DOFS];
    point       x = { .t = s->model->t0 };
    for (int j = 0; j < r.n; j++) {
        const noe_begin *b = &s->model->begin[j];
        x.q[j] = b->q, x.v[j] = b->v, x.p[j] = b->p, momentum[j] = b->has_p;
    }
    put_point(r, 0, &x);
    assert_int_equal(r.engine->start(r.work, momentum), 0);
    r.engine->get(r.work, NOE_AT_P, 0, x.p);
    r.engine->get(r.work, NOE_AT_V, 0, x.v);
    r.engine->drop(r.work);
    noe_method_free(m);
    return x;
}

/* A random state near the motion: 8 to 40 steps from the start, then moved by about a thousandth
 * in every coordinate and every velocity. */
static UNUSED point random_point(const noe_system *s)
{
    noe_method *m = method("gauss 3");
    point       x = model_start(s);
    run         r = make_run(noe_engine_double(), s, m, suggested_step(s));
    quad        fastest = 0;
    start_run(r, &x, false);
    for (int k = (int)(24 + 16 * random_number()); k > 0; k--) step_run(r);
    x = get_point(r, 0);
    r.engine->get(r.work, NOE_AT_V, 0, x.v);
    for (int j = 0; j < r.n; j++) fastest = fmaxq(fastest, fabsq(x.v[j]));
    for (int j = 0; j < r.n; j++) {
        x.q[j] += (quad)1e-3 * random_number() * (1 + fabsq(x.q[j]));
        x.v[j] += (quad)1e-3 * random_number() * (1 + fastest);
    }
    start_run(r, &x, false);
    r.engine->get(r.work, NOE_AT_P, 0, x.p);
    r.engine->drop(r.work);
    noe_method_free(m);
    return x;
}

static UNUSED quad state_distance(const point *a, const point *b, int n)
{
    quad sum = 0;
    for (int j = 0; j < n; j++) sum += fabsq(a->q[j] - b->q[j]) + fabsq(a->p[j] - b->p[j]);
    return sum;
}

/* |y_h - y_h/2| / |y_h/2 - y_h/4| = 2^order. */
static UNUSED double measured_order(const noe_system *s, const noe_method *m, quad h, int steps)
{
    const point x = model_start(s);
    point       y[3];
    for (int k = 0; k < 3; k++) {
        run r = make_run(noe_engine_quad(), s, m, ldexpq(h, -k));
        start_run(r, &x, false);
        for (int i = 0; i < steps << k; i++) step_run(r);
        y[k] = get_point(r, 0);
        r.engine->drop(r.work);
    }
    return (double)log2q(state_distance(&y[0], &y[1], s->dyn.n)
                         / state_distance(&y[1], &y[2], s->dyn.n));
}

/* How much a run at its start, which may go on, violates a law of this method: nothing, unless
 * its core has another. */
typedef double     violation(run, const noe_system *, const noe_method *, quad h);
static UNUSED void wrong_coefficients_are_seen(const noe_engine *engine, violation *violated)
{
    noe_system *s = load("systems/double_pendulum.lag");
    const quad  h = suggested_step(s);
    for (int i = 0; i < METHODS; i++)
        for (int which = 0; which < 3; which++) {
            noe_method      *m = method(every_method[i]);
            const noe_method wrong = spoiled(m, which);
            const point      x = random_point(s);
            run              r = make_run(engine, s, &wrong, h);
            start_run(r, &x, true);
            assert_true(violated(r, s, m, h) > 1e-12);
            engine->drop(r.work);
            noe_method_free(m);
        }
    noe_system_free(s);
}

/* ---- L and its derivatives, by another interpreter of the tapes ---- */

static UNUSED void jet_of(const noe_tape *tape, int n, quad t, const quad *q, const quad *v,
                          quad *out)
{
    quad input[2 + 3 * DOFS] = { t }, slot[tape->slots];
    memcpy(input + 1, q, (size_t)n * sizeof *q);
    memcpy(input + 1 + n, v, (size_t)n * sizeof *v);
    noe_tape_quad_run(tape, input, slot, out);
}

/* max_j ( |p_j| + |L_v(q, 0)_j| + sum_k |L_vv,jk v_k| ): what cancels in a momentum. */
static UNUSED quad momentum_scale(const noe_dynamics *d, const point *x)
{
    const quad zero[DOFS] = { 0 };
    quad       out[d->legendre->outputs], size[DOFS], most = 0;
    jet_of(d->legendre, d->n, x->t, x->q, zero, out);
    for (int j = 0; j < d->n; j++) size[j] = fabsq(x->p[j]) + fabsq(out[j]);
    jet_of(d->legendre, d->n, x->t, x->q, x->v, out);
    for (int i = 0; i < d->masses; i++)
        size[d->mass[i].row] += fabsq(out[d->mass[i].output] * x->v[d->mass[i].col]);
    for (int j = 0; j < d->n; j++) most = fmaxq(most, size[j]);
    return most;
}

/* The largest difference between M [4][4] and the derivative of a step at x in two coordinates, by
 * differences of fourth order over d; *size: the largest entry of that derivative. */
static UNUSED quad derivative_error(run r, const point *x, quad d, const quad *M, quad *size)
{
    static const int weight[] = { 1, -8, 8, -1 }, at[] = { -2, -1, 1, 2 };
    quad             worst = 0;
    *size = 0;
    for (int c = 0; c < 4; c++) {
        quad by[4] = { 0 };
        for (int k = 0; k < 4; k++) {
            point z = *x;
            *(c < 2 ? &z.q[c] : &z.p[c - 2]) += at[k] * d;
            start_run(r, &z, true);
            step_run(r);
            z = get_point(r, 0);
            for (int i = 0; i < 4; i++)
                by[i] += weight[k] * (i < 2 ? z.q[i] : z.p[i - 2]) / (12 * d);
        }
        for (int i = 0; i < 4; i++) {
            worst = fmaxq(worst, fabsq(by[i] - M[i * 4 + c]));
            *size = fmaxq(*size, fabsq(by[i]));
        }
    }
    return worst;
}

#endif
