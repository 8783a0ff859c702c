/* noether.h, integrators: start, options, steps, runs, failures, and back in time.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "api.h"

#include <math.h>

static const char free_particle[] = "coordinate x\nkinetic x'^2/2\nstart x' = 1\n";

/* ---- integrators ---- */

static void test_get(void **state)
{
    (void)state;
    orbit o = begin(kepler, "gauss 3", 0.05);
    assert_int_equal(noe_run(o.g, 3, NULL, NULL), NOE_OK);
    const double *q = noe_q(o.g), *v = noe_v(o.g), *p = noe_p(o.g), t = noe_time(o.g);
    const struct {
        const char *name;
        double      value;
    } known[] = { { "t", t },      { "x", q[0] },    { "y", q[1] },   { "x'", v[0] },
                  { "x.v", v[0] }, { "y'", v[1] },   { "y.v", v[1] }, { "p(x)", p[0] },
                  { "x.p", p[0] }, { "p(y)", p[1] }, { "y.p", p[1] }, { "mu", 1 },
                  { "e", 0.5 },    { "step", 0.05 }, { "steps", 60 }, { "subdivided", 0 } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!equal_bits(noe_get(o.g, known[i].name), known[i].value))
            fail_msg("%s is %.17g", known[i].name, known[i].value);
    assert_true(equal_bits(v[0], p[0]) && equal_bits(v[1], p[1])); /* of this L */
    const double H = (v[0] * v[0] + v[1] * v[1]) / 2 - 1 / sqrt(q[0] * q[0] + q[1] * q[1]);
    assert_true(fabs(noe_get(o.g, "energy") - H) < 1e-15);
    assert_true(fabs(noe_get(o.g, "L") - (q[0] * p[1] - q[1] * p[0])) < 1e-15);
    assert_true(fabs(noe_get(o.g, "axis") + 1 / (2 * noe_get(o.g, "energy"))) < 1e-15);
    no_error();
    assert_true(isnan(noe_get(o.g, "energi")));
    says("unknown column or option 'energi'; did you mean 'energy'?");
    assert_true(isnan(noe_get(o.g, "simpson_enery")));
    says("did you mean 'simpson_energy'?");
    assert_true(isnan(noe_get(o.g, "")));
    says("unknown");
    assert_true(isnan(noe_get(o.g, "r")));
    says("'r' is a definition: observe it");
    assert_int_equal(noe_step(o.g), NOE_OK); /* nothing read before is taken for the new state */
    assert_true(equal_bits(noe_get(o.g, "x"), noe_q(o.g)[0]) && noe_q(o.g)[0] != known[1].value);
    assert_true(noe_v(o.g)[0] != known[3].value && noe_p(o.g)[0] != known[7].value
                && noe_time(o.g) > t);
    end(o);
}

static void test_options(void **state)
{
    (void)state;
    orbit       o = begin(kepler, "simpson", 0.1);
    const char *name, *meaning;
    double      standard;
    int         i = 0;
    for (; (name = noe_option_name(i, &meaning, &standard)); i++) {
        assert_true(*name && strlen(meaning) > 10);
        const double now = noe_get(o.g, name);
        assert_true(isfinite(now) || (isnan(now) && strstr(meaning, "NAN: not measured")));
        no_error();
        const noe_status s = noe_set(o.g, name, isnan(standard) ? 1 : standard);
        assert_int_equal(s, isnan(standard) ? NOE_INVALID : NOE_OK);
        if (s) says("cannot be set");
        else assert_true(equal_bits(noe_get(o.g, name), standard));
    }
    assert_true(i >= 6);
    assert_string_equal(noe_option_name(0, NULL, NULL), "step");
    end(o);
}

static void test_set(void **state)
{
    (void)state;
    orbit o = begin(kepler, "simpson", 0.05), other = begin(kepler, "simpson", 0.02);
    assert_int_equal(noe_set(o.g, "step", 0.02), NOE_OK); /* before the start: as if made with it */
    assert_int_equal(noe_run(o.g, 1, NULL, NULL), NOE_OK);
    assert_int_equal(noe_run(other.g, 1, NULL, NULL), NOE_OK);
    assert_memory_equal(noe_q(o.g), noe_q(other.g), 2 * sizeof(double));
    assert_int_equal(noe_set(o.g, "step", -0.02), NOE_OK); /* a step of -h undoes a step of h */
    assert_true(equal_bits(noe_time(o.g), 1) && noe_get(o.g, "steps") == 0);
    assert_int_equal(noe_run(o.g, 0, NULL, NULL), NOE_OK);
    assert_true(fabs(noe_time(o.g)) < 1e-15 && noe_get(o.g, "steps") == 50);
    assert_true(fabs(noe_q(o.g)[0] - 0.5) < 1e-14 && fabs(noe_q(o.g)[1]) < 1e-14);
    no_error();
    static const struct {
        const char *name;
        double      value;
        const char *message;
    } wrong[] = { { "step", 0, "the step is 0" },  { "step", NAN, "finite" },
                  { "step", INFINITY, "finite" },  { "stepp", 1, "did you mean 'step'?" },
                  { "t", 1, "'t' cannot be set" }, { "x", 1, "'x' cannot be set" },
                  { "mu", 1, "noe_system_with" },  { "L", 1, "'L' cannot be set" } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(noe_set(o.g, wrong[i].name, wrong[i].value), NOE_INVALID);
        says(wrong[i].message);
    }
    assert_true(equal_bits(noe_get(o.g, "step"), -0.02));
    static const double steps[] = { 0, NAN, INFINITY };
    for (int i = 0; i < 3; i++) {
        assert_null(noe_integrator_new(o.s, o.f, steps[i]));
        says("expected a finite number that is not zero");
    }
    end(o);
    end(other);
}

static int count(void *ctx, const noe_integrator *g)
{
    int *left = ctx;
    assert_true(equal_bits(noe_get(g, "t"), noe_time(g)));
    return --*left == 0;
}

static void test_run(void **state)
{
    (void)state;
    static const struct {
        double step, until;
        int    steps;
    } rule[] = { { 0.1, 0.3, 3 },        { 0.1, 0.35, 3 },       { 0.1, 0.04, 0 },
                 { 0.1, 0, 0 },          { 0.1, 1 + 5e-11, 10 }, { 0.1, 1 - 5e-11, 10 },
                 { 0.1, 1 + 5e-10, 10 }, { 0.1, 1 - 5e-10, 9 },  { -0.1, -1, 10 },
                 { -0.1, -0.35, 3 },     { 0.3, 30000, 100000 } };
    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
        orbit o = begin(free_particle, "simpson", rule[i].step);
        assert_int_equal(noe_run(o.g, rule[i].until, NULL, NULL), NOE_OK);
        assert_int_equal((int)noe_get(o.g, "steps"), rule[i].steps);
        assert_true(equal_bits(noe_time(o.g), rule[i].steps * rule[i].step));
        assert_int_equal(noe_run(o.g, noe_time(o.g), NULL, NULL), NOE_OK); /* it is there */
        assert_int_equal((int)noe_get(o.g, "steps"), rule[i].steps);
        end(o);
    }
    orbit o = begin(free_particle, "simpson", 0.125);
    int   left = 3;
    assert_int_equal(noe_run(o.g, 1, count, &left), NOE_STOPPED);
    assert_true(equal_bits(noe_time(o.g), 0.375));
    assert_int_equal(noe_run(o.g, 1, count, &left), NOE_OK); /* and goes on */
    assert_true(equal_bits(noe_time(o.g), 1) && left == -5);
    no_error();
    assert_int_equal(noe_run(o.g, 0.5, NULL, NULL), NOE_INVALID);
    says("until 0.5 lies behind the start, t = 1");
    assert_int_equal(noe_run(o.g, NAN, NULL, NULL), NOE_INVALID);
    says("expected a finite time");
    assert_int_equal(noe_run(o.g, INFINITY, NULL, NULL), NOE_INVALID);
    says("expected a finite time");
    assert_true(equal_bits(noe_time(o.g), 1));
    end(o);
}

/* A fall into the centre ends at t = 1.11: the state is that before the step, and a smaller step
 * gets nearer. */
static void test_failure(void **state)
{
    (void)state;
    orbit            o = begin(fall, "simpson", 0.05);
    const noe_status s = noe_run(o.g, 2, NULL, NULL);
    assert_true(s == NOE_NOT_CONVERGED || s == NOE_NOT_FINITE);
    const double t = noe_time(o.g), x = noe_q(o.g)[0], v = noe_v(o.g)[0];
    char         place[64];
    snprintf(place, sizeof place, "step %.0f from t = %.12g", noe_get(o.g, "steps") + 1, t);
    says(place);
    assert_int_equal(noe_step(o.g), s); /* again */
    says(place);
    assert_true(equal_bits(noe_time(o.g), t) && equal_bits(noe_q(o.g)[0], x)
                && equal_bits(noe_v(o.g)[0], v));
    assert_true(t > 0.9 && t < 1.12
                && fabs(noe_get(o.g, "energy") + 1) < 2); /* the last step is far too long: 1.4 */
    assert_int_equal(noe_set(o.g, "step", 0.001), NOE_OK);
    assert_int_equal(noe_run(o.g, t + 0.005, NULL, NULL), NOE_OK);
    assert_true(noe_q(o.g)[0] < x);
    no_error();
    end(o);
}

static void test_starts(void **state)
{
    (void)state;
    orbit o = begin("coordinate x, y\nkinetic (x'^2 + x'*y' + y'^2)/2\npotential cos(x - y)\n"
                    "start x = 1, x' = 1, p(y) = 2\n",
                    "simpson", 0.1);
    const double q[2] = { 1, 0 }, v[2] = { 1, 1.5 }, p[2] = { 1.75, 2 };
    /* a velocity and a momentum, solved together */
    assert_true(equal_bits(noe_v(o.g)[1], 1.5) && equal_bits(noe_p(o.g)[0], 1.75));
    assert_true(equal_bits(noe_v(o.g)[0], 1) && equal_bits(noe_p(o.g)[1], 2));
    orbit other = begin("coordinate x, y\nkinetic (x'^2 + x'*y' + y'^2)/2\npotential cos(x - y)\n",
                        "simpson", 0.1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(i ? noe_start(o.g, 2, q, v) : noe_start_momentum(o.g, 2, q, p), NOE_OK);
        assert_true(equal_bits(noe_time(o.g), 2) && noe_get(o.g, "steps") == 0);
        assert_memory_equal(noe_q(o.g), q, sizeof q);
        assert_memory_equal(noe_v(o.g), v, sizeof v);
        assert_memory_equal(noe_p(o.g), p, sizeof p);
        assert_int_equal(noe_run(o.g, 3, NULL, NULL), NOE_OK);
    }
    assert_int_equal(noe_start(o.g, NAN, q, v), NOE_INVALID);
    says("expected a finite time");
    const double bad[2] = { 1, NAN };
    assert_int_equal(noe_start(o.g, 0, bad, v), NOE_NOT_FINITE);
    says("not finite");
    assert_int_equal(noe_start_momentum(o.g, 0, q, bad), NOE_NOT_FINITE);
    says("not finite");
    end(o);
    end(other);
    static const struct {
        const char *text;
        noe_status  status;
        const char *message;
    } wrong[] = { { "coordinate x\nkinetic x'^2/2\npotential 1/x\n", NOE_NOT_FINITE,
                    "not finite at the start" },
                  { "coordinate x\nkinetic x'^2/2\npotential log(x - 1)\n", NOE_NOT_FINITE,
                    "not finite at the start" },
                  { "coordinate x\nkinetic x*x'^2/2\n", NOE_SINGULAR,
                    "the mass matrix L_vv is singular at the start" },
                  { "coordinate x, y\nkinetic (x' + y')^2/2\n", NOE_SINGULAR, "singular" } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        o = begin(wrong[i].text, "simpson", 0.1);
        assert_int_equal(noe_step(o.g), wrong[i].status);
        says(wrong[i].message);
        assert_int_equal(noe_run(o.g, 1, NULL, NULL), wrong[i].status); /* it stays so */
        assert_null(noe_record(o.g, 1, 1, NULL));
        end(o);
    }
    o = begin(wrong[2].text, "simpson", 0.1); /* elsewhere it starts */
    assert_int_equal(noe_step(o.g), NOE_SINGULAR);
    noe_error_clear();
    assert_int_equal(noe_start(o.g, 0, q, v), NOE_OK);
    assert_int_equal(noe_step(o.g), NOE_OK);
    no_error();
    end(o);
}

/* ---- functions in C ---- */

/* One thread is what every run has; back in time as forth. */
static void test_backwards(void **state)
{
    (void)state;
    orbit o = begin("coordinate x\nkinetic x'^2/2\npotential 1 - cos(x)\nstart x = 1\n", "simpson",
                    -0.01);
    const double x = 1, v = 0;
    assert_int_equal(noe_set(o.g, "threads", 1), NOE_OK);
    assert_int_equal(noe_set(o.g, "threads", 2), NOE_INVALID);
    says("stepped by one thread");
    noe_error_clear();
    assert_int_equal(noe_run(o.g, 1, NULL, NULL), NOE_INVALID);
    says("lies behind the start, t = 0, for a step of -0.01");
    noe_error_clear();
    noe_table *t = noe_record(o.g, -1.005, 50, "t,x");
    assert_int_equal(noe_table_rows(t), 3);
    assert_true(fabs(noe_table_column(t, "t")[2] + 1) < 1e-15);
    assert_int_equal(noe_set(o.g, "step", 0.01), NOE_OK);
    assert_int_equal(noe_run(o.g, 0, NULL, NULL), NOE_OK);
    assert_true(fabs(noe_get(o.g, "x") - x) < 1e-14 && fabs(noe_get(o.g, "x.v") - v) < 1e-14);
    noe_table_free(t);
    end(o);
    no_error();
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_backwards), cmocka_unit_test(test_get),
        cmocka_unit_test(test_options),   cmocka_unit_test(test_set),
        cmocka_unit_test(test_run),       cmocka_unit_test(test_failure),
        cmocka_unit_test(test_starts),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
