/* one of eight lanes = alone, bit for bit; one instruction set = another.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Binary128 = double to a few roundings. */
#include "integrate/integrator.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

NOE_BUILDS(noe_engine, noe_engine_double);
NOE_BUILDS(noe_engine, noe_engine_lanes);
#if defined __x86_64__ && !defined NOE_ONE_BUILD
static const noe_engine *const     narrowest = &noe_engine_double_sse2;
#else
static const noe_engine *const narrowest = &noe_engine_double_any;
#endif

/* Of many coordinates fewer steps: a dense matrix took nine tenths of the time.  They are more than
 * twice what the predictor looks back, and than the period of what is done now and then. */
enum { MOST = 64, STEPS = 200, MANY = 12, STEPS_OF_MANY = 40 };

/* Of every system by every method; fewer, and of small systems alone in binary128, where another
 * machine is emulated. */
static bool emulated(void) { return getenv("NOE_RUN"); }
static int  steps_of(const noe_system *s)
{
    return emulated() ? 5 : s->dyn.n > MANY ? STEPS_OF_MANY : STEPS;
}

typedef struct {
    quad t0, q[MOST], v[MOST];
    bool momentum[MOST];
} beginning;

/* Member m starts a little elsewhere; the model's own momenta are made velocities first. */
static beginning begin_at(const noe_system *s, int m)
{
    beginning       b = { .t0 = s->model->t0 };
    noe_method     *f = noe_method_parse("midpoint");
    noe_integrator *g = noe_integrator_make(s, f, 1, 15);
    noe_integrator_state_get(g, NOE_AT_Q, b.q);
    noe_integrator_state_get(g, NOE_AT_V, b.v);
    for (int i = 0; i < s->dyn.n; i++)
        b.q[i] = (double)(b.q[i] * (1 + m / (quad)1000)), b.v[i] = (double)b.v[i];
    noe_integrator_free(g);
    noe_method_free(f);
    return b;
}

static void place(const noe_engine *engine, void *w, int member, const beginning *b, quad h)
{
    engine->set(w, NOE_AT_T0, member, &b->t0), engine->set(w, NOE_AT_STEP, member, &h);
    engine->set(w, NOE_AT_Q, member, b->q), engine->set(w, NOE_AT_V, member, b->v);
}

/* q, p, v and energy after some steps. */
static int states(const noe_engine *engine, void *w, int member, int n, quad *x)
{
    engine->get(w, NOE_AT_Q, member, x), engine->get(w, NOE_AT_P, member, x + n),
        engine->get(w, NOE_AT_V, member, x + 2 * n);
    engine->get(w, NOE_AT_ENERGY, member, x + 3 * n);
    return 3 * n + 1;
}

static int alone(const noe_engine *engine, const noe_system *s, const noe_method *f,
                 const beginning *b, quad h, int steps, quad *x)
{
    void *w = engine->make(&s->dyn, f);
    place(engine, w, 0, b, h);
    assert_int_equal(engine->start(w, b->momentum), 0);
    for (int k = 0; k < steps; k++) engine->step(w);
    const int count = states(engine, w, 0, s->dyn.n, x);
    engine->drop(w);
    return count;
}

static quad step_of(const noe_system *s)
{
    quad h;
    assert_true(noe_parse_model_value(s->model, "step", noe_system_suggest(s, "step"), &h));
    return h;
}

static void each(void (*check)(const noe_system *, const noe_method *, quad))
{
    static const char *const method[] = { "simpson", "gauss 6", "P4 clenshaw 5",
                                          "rk4",     "rk4-v",   "compose 6 simpson" };
    glob_t                   files;
    assert_int_equal(glob("systems/*.lag", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
            noe_error_clear();
            noe_system *s = noe_system_load(files.gl_pathv[i]);
            noe_method *f = noe_method_parse(method[k]);
            if (!s->model->constraints) check(s, f, step_of(s)); /* lanes do not step those */
            noe_method_free(f);
            noe_system_free(s);
        }
    globfree(&files);
}

static void same_as_alone(const noe_system *s, const noe_method *f, quad h)
{
    const noe_engine *engine = noe_engine_lanes();
    void             *w = engine->make(&s->dyn, f);
    beginning         b[8];
    quad              x[3 * MOST + 1], y[3 * MOST + 1];
    for (int m = 0; m < engine->members; m++) {
        b[m] = begin_at(s, m);
        place(engine, w, m, &b[m], m == 6 ? 2 * h : h); /* one of them has the harder steps */
    }
    assert_int_equal(engine->start(w, b[0].momentum), 0);
    for (int k = 0; k < steps_of(s); k++) engine->step(w);
    for (int m = 0; m < engine->members; m++) {
        const int count = states(engine, w, m, s->dyn.n, x);
        alone(noe_engine_double(), s, f, &b[m], m == 6 ? 2 * h : h, steps_of(s), y);
        for (int i = 0; i < count; i++)
            if (!(x[i] == y[i] || (x[i] != x[i] && y[i] != y[i])))
                fail_msg("%s, %s: number %d of member %d differs", s->source, f->name, i, m);
    }
    engine->drop(w);
}

static void test_lanes(void **state)
{
    (void)state;
    each(same_as_alone);
}

static void same_on_all(const noe_system *s, const noe_method *f, quad h)
{
    const beginning b = begin_at(s, 1);
    quad            x[3 * MOST + 1], y[3 * MOST + 1];
    const int       count = alone(narrowest, s, f, &b, h, steps_of(s), x);
#if defined __x86_64__ && !defined NOE_ONE_BUILD
    const int         level = noe_engine_instruction_set();
    const noe_engine *other[] = { &noe_engine_lanes_sse2,
                                  level > 0 ? &noe_engine_double_avx2 : NULL,
                                  level > 0 ? &noe_engine_lanes_avx2 : NULL,
                                  level > 1 ? &noe_engine_double_avx512 : NULL,
                                  level > 1 ? &noe_engine_lanes_avx512 : NULL };
#else
    const noe_engine *other[] = { &noe_engine_lanes_any };
#endif
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        if (!other[k]) continue;
        if (other[k]->members == 1) alone(other[k], s, f, &b, h, steps_of(s), y);
        else {
            void *w = other[k]->make(&s->dyn, f);
            for (int m = 0; m < 8; m++) place(other[k], w, m, &b, h);
            assert_int_equal(other[k]->start(w, b.momentum), 0);
            for (int j = 0; j < steps_of(s); j++) other[k]->step(w);
            states(other[k], w, 5, s->dyn.n, y);
            other[k]->drop(w);
        }
        for (int i = 0; i < count; i++)
            if (x[i] != y[i])
                fail_msg("%s, %s: number %d differs on build %zu", s->source, f->name, i, k);
    }
}

/* L_vv = ((1, 2 sin x), (2 sin x, 5)): the larger entry of the first column depends on x, so
 * members whose pivots were shared would round otherwise than alone. */
static void test_pivots(void **state)
{
    (void)state;
    noe_system *s = noe_system_parse(
        "coordinate x, y\nlagrangian x'^2/2 + 2*sin(x)*x'*y' + 5/2*y'^2 - x^2 - y^2\n");
    noe_method       *f = noe_method_parse("gauss 3");
    const noe_engine *engine = noe_engine_lanes();
    void             *w = engine->make(&s->dyn, f);
    beginning         b[8];
    quad              x[7], y[7];
    for (int m = 0; m < 8; m++) {
        b[m] = (beginning){ .q = { (m + 1) * (quad)0.1875, 1 }, .v = { m % 3, (quad)0.5 - m } };
        place(engine, w, m, &b[m], (quad)1 / 64);
    }
    assert_int_equal(engine->start(w, b[0].momentum), 0);
    for (int k = 0; k < STEPS; k++) engine->step(w);
    for (int m = 0; m < 8; m++) {
        const int count = states(engine, w, m, 2, x);
        alone(noe_engine_double(), s, f, &b[m], (quad)1 / 64, STEPS, y);
        for (int i = 0; i < count; i++)
            if (x[i] != y[i]) fail_msg("number %d of member %d differs", i, m);
    }
    engine->drop(w);
    noe_method_free(f);
    noe_system_free(s);
}

static void test_instruction_sets(void **state)
{
    (void)state;
    each(same_on_all);
}

/* One member that cannot go on leaves the others as they are alone, and itself as it was. */
static void test_failing_member(void **state)
{
    (void)state;
    noe_system       *s = noe_system_load("systems/kepler.lag");
    noe_method       *f = noe_method_parse("simpson");
    const noe_engine *engine = noe_engine_lanes();
    void             *w = engine->make(&s->dyn, f);
    beginning         b[8];
    quad              x[7], y[7], q[2];
    for (int m = 0; m < 8; m++) {
        b[m] = begin_at(s, m);
        if (m == 3) b[m].v[0] = b[m].v[1] = 0; /* falls into the centre */
        place(engine, w, m, &b[m], (quad)1 / 50);
    }
    assert_int_equal(engine->start(w, b[0].momentum), 0);
    unsigned failed = 0;
    for (int k = 0; k < STEPS; k++) failed |= engine->step(w);
    assert_int_equal(failed, 1u << 3);
    assert_int_not_equal(engine->why(w, 3), NOE_OK);
    engine->get(w, NOE_AT_Q, 3, q);
    assert_true(finiteq(q[0]) && finiteq(q[1]));
    for (int m = 0; m < 8; m++) {
        if (m == 3) continue;
        const int count = states(engine, w, m, 2, x);
        alone(noe_engine_double(), s, f, &b[m], (quad)1 / 50, STEPS, y);
        for (int i = 0; i < count; i++) assert_true(x[i] == y[i]);
    }
    engine->drop(w);
    noe_method_free(f);
    noe_system_free(s);
}

static double widest;

/* Five steps in double against binary128: a few roundings of each coordinate's size. */
static void near_quad(const noe_system *s, const noe_method *f, quad h)
{
    const beginning b = begin_at(s, 0);
    quad            x[3 * MOST + 1], y[3 * MOST + 1], size = 0;
    const quad      rounded = (double)h;
    if (emulated() && s->dyn.n > 3) return;
    alone(noe_engine_double(), s, f, &b, rounded, 5, x);
    alone(noe_engine_quad(), s, f, &b, rounded, 5, y);
    for (int half = 0; half < 2; half++) {
        const int n = s->dyn.n, at = half * n;
        size = 0;
        for (int i = at; i < at + n; i++) size = fmaxq(size, fabsq(y[i]));
        for (int i = at; i < at + n && size > 0; i++)
            widest = fmax(widest, (double)(fabsq(x[i] - y[i]) / size) * 0x1p53);
    }
}

static void test_quad(void **state)
{
    (void)state;
    each(near_quad);
    print_message("double differs from binary128 by %.1f roundings after 5 steps\n", widest);
    assert_true(widest < 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_pivots),
        cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_failing_member),
        cmocka_unit_test(test_quad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
