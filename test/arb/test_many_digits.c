/* R_k in FLINT/Arb with 64 digits = modes in binary128 = modes in double: one step, three times.
 * SPDX-License-Identifier: BSD-3-Clause
 * Needs: flint. */
#include "rows/column_list.h"
#include "arb/arb_engine.h"
#include "arb/arb_quadrature.h"
#include "laws.h"
#include "method/method_name.h"
#include "integrate/integrator.h"

static run wide_run(const noe_system *s, const noe_method *m, quad h, int digits)
{
    run r = { noe_arb_engine_select(), noe_arb_engine_select()->make(&s->dyn, m), s->dyn.n };
    assert_non_null(r.work);
    r.engine->digits->set(r.work, digits);
    r.engine->set(r.work, NOE_AT_STEP, 0, &h);
    return r;
}

/* The largest difference after some steps from x, relative to the motion in these steps and the
 * momenta. */
static double apart(const noe_system *s, const noe_method *m, const noe_engine *engine,
                    const point *x, quad h, int steps)
{
    run  a = wide_run(s, m, h, 64), b = make_run(engine, s, m, h);
    quad worst = 0, far = 0, high = momentum_scale(&s->dyn, x);
    start_run(a, x, false), start_run(b, x, false);
    for (int k = 0; k < steps; k++) step_run(a), step_run(b);
    const point y = get_point(a, 0), z = get_point(b, 0);
    for (int j = 0; j < a.n; j++) {
        far = fmaxq(far, fmaxq(fabsq(y.q[j]), fabsq(y.q[j] - x->q[j])));
        high = fmaxq(high, fmaxq(fabsq(x->p[j]), fabsq(y.p[j])));
    }
    for (int j = 0; j < a.n; j++)
        worst = fmaxq(worst, fmaxq(fabsq(y.q[j] - z.q[j]) / far, fabsq(y.p[j] - z.p[j]) / high));
    a.engine->drop(a.work), b.engine->drop(b.work);
    return (double)worst;
}

static const char *const methods[] = {
    "simpson",          "midpoint",      "gauss 3", "lobatto 4", "P2 gauss 3", "P3 radau-left 3",
    "P2 radau-right 3", "P4 clenshaw 5", "gauss 8", "rk4",       "rk4-v"
};

static void steps(const noe_system *s, const char *path)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        noe_method *m = method(methods[i]);
        const point x = random_point(s);
        const quad  h = suggested_step(s);
        char        what[200];
        snprintf(what, sizeof what, "%s, %s", path, methods[i]);
        small(apart(s, m, noe_engine_quad(), &x, h, 1), 1, 1e-32, what);   /* measured: 1e-33 */
        small(apart(s, m, noe_engine_double(), &x, h, 1), 1, 6e-14, what); /* measured: 1.5e-15 */
        noe_method_free(m);
    }
}

static void test_steps(void **unused)
{
    (void)unused;
    every_system(steps);
}

/* What is compared can differ: a weight wrong by 1e-25 is seen. */
static void test_saboteur(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/double_pendulum.lag");
    noe_method *m = method("simpson"), wrong = *m;
    const point x = random_point(s);
    wrong.b[1] += (quad)1e-25;
    run a = wide_run(s, m, (quad)1 / 40, 64),
        b = make_run(noe_engine_quad(), s, &wrong, (quad)1 / 40);
    start_run(a, &x, false), start_run(b, &x, false);
    step_run(a), step_run(b);
    const point y = get_point(a, 0), z = get_point(b, 0);
    /* what is compared is bound by 1e-32 */
    assert_true(fabsq(y.p[0] - z.p[0]) + fabsq(y.p[1] - z.p[1]) > (quad)1e-30);
    a.engine->drop(a.work), b.engine->drop(b.work);
    noe_method_free(m);
    noe_system_free(s);
}

/* Nodes and weights by roots of polynomials with whole coefficients, and by Newton's iteration
 * in binary128. */
static void test_quadratures(void **unused)
{
    (void)unused;
    for (const noe_quadrature *q = noe_quadrature_rules; q->name; q++)
        for (int r = q->least; r <= 12; r++) {
            quad    c[12], b[12];
            arb_ptr C = _arb_vec_init(r), B = _arb_vec_init(r);
            q->fill(r, c, b);
            assert_true(noe_arb_quadrature_make(q->name, r, C, B, 300));
            for (int i = 0; i < r; i++) {
                small(noe_wide_to(C + i) - c[i], 1, 1e-32, q->name);
                small(noe_wide_to(B + i) - b[i], 1, 2e-32, q->name);
            }
            _arb_vec_clear(C, r), _arb_vec_clear(B, r);
        }
}

/* Long steps that end behind a turning point: on the way from a short step to the whole one the
 * increment of q passes 0. */
static void test_turning(void **unused)
{
    (void)unused;
    static const struct {
        const char *method;
        quad        h;
    } way[] = { { "midpoint", (quad)1 / 4 },
                { "midpoint", (quad)2 / 5 },
                { "simpson", (quad)1 / 4 },
                { "gauss 3", (quad)2 / 5 } };
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        noe_system *s = load("systems/pendulum.lag");
        noe_method *m = method(way[i].method);
        const quad  q = (quad)1 / 10;
        run   a = wide_run(s, m, way[i].h, 64), b = make_run(noe_engine_quad(), s, m, way[i].h);
        point x = random_point(s);
        x.q[0] = q, x.v[0] = x.p[0] = x.t = 0;
        start_run(a, &x, false), start_run(b, &x, false);
        for (int k = 0; k < 200; k++) step_run(a), step_run(b);
        const point y = get_point(a, 0), z = get_point(b, 0);
        small((double)fmaxq(fabsq(y.q[0] - z.q[0]) / q, fabsq(y.p[0] - z.p[0])), 1, 5e-31,
              way[i].method); /* measured: 1e-31 */
        a.engine->drop(a.work), b.engine->drop(b.work);
        noe_method_free(m), noe_system_free(s);
    }
}

/* The text of a column after so many steps. */
static char *column(const char *path, const char *name, int digits, const char *step, int count,
                    const char *which)
{
    noe_system     *s = load(path);
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_make(s, m, 1, digits);
    noe_column      c;
    if (!g || noe_exact_column_set_step(g, step)) fail_msg("%s", noe_error());
    for (int k = 0; k < count; k++)
        if (noe_step(g)) fail_msg("%s", noe_error());
    assert_true(noe_column_name_find(s, which, &c));
    char *text = noe_column_text(g, &c);
    assert_non_null(text);
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    return text;
}

/* Known states: 22 digits and more, by another program, where the step is the decimal that was
 * printed. */
static void test_known_states(void **unused)
{
    (void)unused;
    static const char loops[] = "0.108746005479562446215826289879/20";
    static const struct {
        const char *path, *method, *step;
        int         steps;
        const char *column, *digits;
    } state[] = {
        { "systems/double_pendulum.lag", "simpson", "1/40", 1, "q1", "1.5584597515056449565082" },
        { "systems/double_pendulum.lag", "simpson", "1/40", 1, "q2", "1.5707955445833762610308" },
        { "systems/double_pendulum.lag", "simpson", "1/40", 40, "q1", "-0.464548909855142069468" },
        { "systems/double_pendulum.lag", "simpson", "1/40", 40, "p(q2)",
          "0.630716019106866710299" },
        { "systems/double_pendulum.lag", "gauss 8", "1/80", 80, "q1",
          "-0.4644774554190288" }, /* the motion itself at t = 1 */
        { "systems/lagrange_top.lag", "simpson", loops, 1, "phi", "0.1349975957254808504949" },
        { "systems/lagrange_top.lag", "simpson", loops, 20, "theta", "1.04719753141401154540" },
        { "systems/lagrange_top.lag", "simpson", loops, 20, "psi", "12.0833520499042738371" },
        { "systems/lagrange_top.lag", "midpoint", loops, 20, "phi", "0.57218711904149175755" },
        { "systems/lagrange_top.lag", "gauss 2", loops, 20, "theta", "1.04719754659122453520" },
        { "systems/lagrange_top.lag", "lobatto 3", loops, 20, "psi", "12.083284005647475467" },
    };
    for (size_t i = 0; i < sizeof state / sizeof *state; i++) {
        char *text = column(state[i].path, state[i].method, 50, state[i].step, state[i].steps,
                            state[i].column);
        if (strncmp(text, state[i].digits, strlen(state[i].digits)))
            fail_msg("%s, %s, step %d: %s instead of %s", state[i].path, state[i].method,
                     state[i].steps, text, state[i].digits);
        free(text);
    }
}

/* omega h = 2.5: at the ends of every step the oscillator all but rests, in between it is fast.
 * What many digits take for a far root must not be stricter than what double does: both go on,
 * and meet. */
static void test_a_long_step_goes_on(void **unused)
{
    (void)unused;
    char           *text = column("systems/duffing.lag", "simpson", 40, "5/2", 20, "x");
    noe_system     *s = load("systems/duffing.lag");
    noe_method     *m = method("simpson");
    noe_integrator *g = noe_integrator_make(s, m, 2.5, 33);
    for (int k = 0; k < 20; k++) assert_int_equal(noe_step(g), NOE_OK);
    assert_true(noe_get(g, "subdivided") > 10); /* steps as hard as that */
    assert_true(fabs((double)number(text) - noe_q(g)[0]) < 1e-15);
    free(text);
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
}

/* The digits asked for are digits of the result: more of them agree with fewer; 0.3 is 3/10 and
 * pi is pi. */
static void test_digits(void **unused)
{
    (void)unused;
    static const int digits[] = { 34, 64, 100, 400 };
    char            *last = column("systems/pendulum.lag", "gauss 3", 450, "pi/60", 12, "p(q)");
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
        char *text = column("systems/pendulum.lag", "gauss 3", digits[i], "pi/60", 12, "p(q)");
        assert_int_equal(strncmp(text, last, (size_t)digits[i]), 0);
        assert_in_range(strlen(text), digits[i], digits[i] + 3);
        free(text);
    }
    free(last);
    noe_system *s = parse(
        "parameter a = 0.3, b = 3/10 - a, c = sin(pi), d = exp(1)\ncoordinate x\nkinetic a*x'^2/2\n"
        "observe e = 0.1 + 0.2 - a, f = log(d) - 1, g = 2^0.5*2^0.5 - 2, h = (x - a*10/9)^2\n"
        "start x = 1/3");
    noe_method              *m = method("simpson");
    noe_integrator          *g = noe_integrator_make(s, m, 1, 200);
    static const char *const zero[] = { "b", "c", "e", "f", "g", "h" };
    for (size_t i = 0; i < sizeof zero / sizeof *zero; i++) {
        noe_column c;
        assert_true(noe_column_name_find(s, zero[i], &c));
        char *text = noe_column_text(g, &c);
        if (fabsq(number(text)) > (quad)1e-199) fail_msg("%s = %s", zero[i], text);
        free(text);
    }
    noe_column c;
    assert_true(noe_column_name_find(s, "x", &c));
    char *text = noe_column_text(g, &c);
    assert_int_equal(strspn(text + 2, "3"), 200);
    free(text);
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
}

/* The state as plain numbers: put back, the same digits follow. */
static void test_memory(void **unused)
{
    (void)unused;
    noe_system     *s = load("systems/double_pendulum.lag");
    noe_method     *m = method("gauss 3");
    noe_integrator *g = noe_integrator_make(s, m, (quad)1 / 10, 70),
                   *h = noe_integrator_make(s, m, 1, 70);
    noe_column c;
    size_t     bytes;
    assert_true(noe_column_name_find(s, "p(q1)", &c));
    for (int k = 0; k < 5; k++) assert_int_equal(noe_step(g), NOE_OK);
    void *memory = g->engine->memory(g->work, &bytes);
    assert_true(noe_integrator_start_restore(h, memory, bytes));
    for (int k = 0; k < 5; k++)
        assert_int_equal(noe_step(g), NOE_OK), assert_int_equal(noe_step(h), NOE_OK);
    char *a = noe_column_text(g, &c), *b = noe_column_text(h, &c);
    assert_string_equal(a, b);
    assert_true(noe_time(h) == 1);
    free(a), free(b);
    noe_integrator_free(g), noe_integrator_free(h), noe_method_free(m), noe_system_free(s);
}

/* Where 1 - cos(q) is 0 to 64 digits, a pendulum let go swings like the linear one, from which
 * it differs by q^2/16. */
static void test_near_an_equilibrium(void **unused)
{
    (void)unused;
    noe_system *s[2] = {
        noe_system_parse("coordinate q\nkinetic q'^2/2\npotential 1 - cos(q)\nstart q = 1e-60"),
        noe_system_parse("coordinate q\nkinetic q'^2/2\npotential q^2/2\nstart q = 1e-60")
    };
    noe_method *m = noe_method_parse("simpson");
    quad        x[2];
    for (int i = 0; i < 2; i++) {
        noe_integrator *g = noe_integrator_make(s[i], m, (quad)1 / 20, 64);
        assert_int_equal(noe_integrator_start_ready(g), NOE_OK);
        for (int k = 0; k < 100; k++)
            if (noe_step(g)) fail_msg("%s", noe_error());
        noe_integrator_state_get(g, NOE_AT_Q, &x[i]);
        assert_true(noe_get(g, "residual") < 1e-60);
        noe_integrator_free(g), noe_system_free(s[i]);
    }
    small(x[1] - x[0], fabsq(x[0]), 4 * 0x1p-113,
          "near an equilibrium"); /* as binary128 tells of 64 digits */
    noe_method_free(m);
}

/* A stage that cannot be computed says why: L_vv = 1 - t is 0 at the end of the first step,
 * Newton's method for v^3 - 2 v = -2 goes from 0 to 1 and back, and a root of less than 0 is not
 * finite. */
static void test_why_a_stage_fails(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *method;
        noe_status  why;
    } is[] = {
        { "coordinate x\nkinetic (1 - t)*x'^2/2\nstart x' = 1", "rk4", NOE_SINGULAR },
        { "coordinate x\nkinetic (1 - t)*x'^2/2\nstart x' = 1", "rk4-v", NOE_SINGULAR },
        { "coordinate x\nkinetic x'^4/4 - x'^2\npotential 4*x", "rk4", NOE_NOT_CONVERGED },
        { "coordinate x\nkinetic x'^2/2\npotential -sqrt(1 - x)\nstart x' = 4", "rk4",
          NOE_NOT_FINITE },
        { "coordinate x\nkinetic x'^2/2\npotential -sqrt(1 - x)\nstart x' = 4", "rk4-v",
          NOE_NOT_FINITE },
    };
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        noe_system     *s = parse(is[i].text);
        noe_method     *m = method(is[i].method);
        noe_integrator *g = noe_integrator_make(s, m, 1, 64);
        assert_int_equal(noe_integrator_start_ready(g), NOE_OK);
        assert_int_not_equal(g->engine->step(g->work), 0);
        if (g->engine->why(g->work, 0) != is[i].why)
            fail_msg("%s by %s: %d", is[i].text, is[i].method, g->engine->why(g->work, 0));
        noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quadratures),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_saboteur),
        cmocka_unit_test(test_turning),
        cmocka_unit_test(test_known_states),
        cmocka_unit_test(test_a_long_step_goes_on),
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_near_an_equilibrium),
        cmocka_unit_test(test_why_a_stage_fails),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("the tightest at %.2g of its bound\n", tightest);
    return failed;
}
