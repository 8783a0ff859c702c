/* Random mechanisms: g = 0 and G v = 0, back and on, starts, impacts, dead points.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrator.h"
#include "mechanism.h"
#include "constraint/constraint_point.h"

static void test_mechanisms(void **unused)
{
    (void)unused;
    enum { STEPS = 1000 };
    const int MECHANISMS = getenv("NOE_LONG") ? 200 : 20;
    double    worst = 0, hidden = 0, drift = 0;
    int       ended = 0;
    for (int k = 0; k < MECHANISMS; k++) {
        char                  text[8000];
        const bool            held = k % 2;
        int                   rods;
        noe_system           *s = random_mechanism(text, held, &rods);
        const int             n = s->dyn.n, space = text[11] && strchr(text, 'z') ? 3 : 2;
        noe_integrator       *g = integrator(s, k % 3 ? "simpson" : "gauss 3", 0.01, 15);
        noe_constraint_point *x = noe_constraint_point_new(&s->dyn);
        quad                  q[n], v[n], p[n], turn[2] = { 0 }, push[2] = { 0 };
        for (int i = 0; i <= STEPS; i++) {
            if (i && noe_smooth_step(g)) {
                ended++; /* a dead point: the message names it */
                assert_non_null(strstr(noe_error(), "constraint"));
                noe_error_clear();
                break;
            }
            if (i % 50) continue;
            quad scale = 0, speed = 0;
            noe_integrator_state_get(g, NOE_AT_Q, q), noe_integrator_state_get(g, NOE_AT_V, v);
            noe_integrator_state_get(g, NOE_AT_P, p);
            noe_constraint_point_at(x, i * 0.01, q, v, 1e-20);
            for (int j = 0; j < n; j++)
                scale = fmaxq(scale, fabsq(q[j])), speed = fmaxq(speed, fabsq(v[j]));
            for (int a = 0; a < rods; a++) {
                const quad size = x->size[a] * speed;
                small(x->g[a], x->size[a] * scale, 2e-15, text);
                small(x->hidden[a], size, 1e-14, text);
                worst = fmax(worst, (double)(fabsq(x->g[a]) / x->size[a] / scale));
                hidden = fmax(hidden, (double)(fabsq(x->hidden[a]) / size));
            }
            quad L = 0, P = 0, size = 0;
            for (int j = 0; j < n; j += space) {
                L += q[j] * p[j + 1] - q[j + 1] * p[j], P += p[j];
                size += fabsq(q[j] * p[j + 1]) + fabsq(q[j + 1] * p[j]) + fabsq(p[j]);
            }
            if (!i) turn[0] = L, push[0] = P;
            if (held) continue;
            small(L - turn[0], size, 1e-12, "angular momentum");
            small(P - push[0], size, 1e-12, "momentum");
            drift = fmax(drift, (double)(fabsq(L - turn[0]) / size));
        }
        noe_constraint_point_free(x);
        noe_integrator_free(g);
        noe_system_free(s);
    }
    printf("|g|/l %.2g  |G v| %.2g  momenta %.2g  ended %d\n", worst, hidden, drift, ended);
    assert_true(ended <= MECHANISMS / 4);
}

/* step(-h) undoes step(h), in binary128; in double a run goes on from its memory with the same
 * bits. */
static void test_back_and_on(void **unused)
{
    (void)unused;
    static const char *const name[] = { "lobatto 1", "simpson", "gauss 3", "lobatto 4" };
    for (int k = 0; k < 4; k++) {
        char            text[8000];
        int             rods;
        noe_system     *s = random_mechanism(text, true, &rods);
        const int       n = s->dyn.n;
        quad            t, q[n], p[n], q0[n], scale = 0;
        bool            momentum[n];
        noe_integrator *g = integrator(s, name[k], 0.02, 33);
        noe_integrator_state_get(g, NOE_AT_Q, q0);
        steps(g, 10);
        noe_integrator_state_get(g, NOE_AT_T, &t);
        noe_integrator_state_get(g, NOE_AT_Q, q), noe_integrator_state_get(g, NOE_AT_P, p);
        noe_integrator_free(g);
        g = integrator(s, name[k], -0.02, 33);
        for (int j = 0; j < n; j++) momentum[j] = true, scale = fmaxq(scale, fabsq(q[j]));
        assert_int_equal(noe_integrator_start_from(g, &t, q, p, p, momentum), NOE_OK);
        steps(g, 10);
        noe_integrator_state_get(g, NOE_AT_Q, q);
        for (int j = 0; j < n; j++) small(q[j] - q0[j], scale, 1e-30, "there and back");
        noe_integrator_free(g);

        noe_integrator *one = integrator(s, name[k], 0.02, 15),
                       *two = integrator(s, name[k], 0.02, 15);
        size_t bytes;
        steps(one, 7);
        const void *memory = one->engine->memory(one->work, &bytes);
        assert_true(noe_integrator_start_restore(two, memory, bytes));
        steps(one, 20), steps(two, 20);
        assert_memory_equal(noe_q(one), noe_q(two), (size_t)n * sizeof(double));
        assert_memory_equal(noe_p(one), noe_p(two), (size_t)n * sizeof(double));
        noe_integrator_free(one), noe_integrator_free(two);
        noe_system_free(s);
    }
}

/* Momenta off the cotangent space make the same motion; a fractional step is on the constraints. */
static void test_starts(void **unused)
{
    (void)unused;
    const double    up = 3 * random_number(), side = random_number(), w = random_number();
    noe_system     *s = parse("coordinate x, y, z\nkinetic (x'^2 + y'^2 + 2*z'^2)/2\npotential y\n"
                                  "constraint ball: x^2 + y^2 + z^2 = 1\nstart x = 0.6, z = 0.8\n");
    noe_integrator *g[2] = { integrator(s, "simpson", 0.05, 15),
                             integrator(s, "simpson", 0.05, 15) };
    const double    q[] = { 0.6, 0, 0.8 }, p[] = { 0.8 * w, side, -1.2 * w }, /* G M^-1 p = 0 */
        off[] = { 0.8 * w + 0.6 * up, side, -1.2 * w + 0.8 * up };
    double at[3], momenta[3];
    assert_int_equal(noe_start_momentum(g[0], 0, q, p), NOE_OK);
    assert_int_equal(noe_start_momentum(g[1], 0, q, off), NOE_OK);
    steps(g[0], 40), steps(g[1], 40);
    for (int j = 0; j < 3; j++) {
        close_to(noe_q(g[0])[j], noe_q(g[1])[j], 1e-13);
        close_to(noe_p(g[0])[j], noe_p(g[1])[j], 1e-13);
    }
    for (double c = 0.1; c < 1; c += 0.2) {
        assert_int_equal(noe_at(g[0], 2 + 0.05 * c, at, momenta), NOE_OK);
        close_to(at[0] * at[0] + at[1] * at[1] + at[2] * at[2], 1, 1e-15);
        close_to(at[0] * momenta[0] + at[1] * momenta[1] + at[2] * momenta[2] / 2, 0, 2e-15);
    }
    noe_integrator_free(g[0]), noe_integrator_free(g[1]);
    noe_system_free(s);
}

/* A pendulum against a wall, in angles and in Cartesian coordinates. */
static void test_impact(void **unused)
{
    (void)unused;
    char         text[2][600];
    const double e = 0.7 + 0.3 * random_number(), a = 0.9 + 0.3 * random_number();
    snprintf(text[0], sizeof text[0],
             "parameter a = %.17g\ncoordinate x, y\nkinetic (x'^2 + 3*y'^2)/2\npotential 9*y\n"
             "constraint rod: x^2 + y^2 = 1\nstart x = sin(a), y = -cos(a)\n"
             "event wall: x = -0.3 falling then bounce %.17g\n",
             a, e);
    snprintf(text[1], sizeof text[1],
             "coordinate a\nx = sin(a)\ny = -cos(a)\nkinetic (x'^2 + 3*y'^2)/2\npotential 9*y\n"
             "start a = %.17g\n"
             "event wall: x = -0.3 falling then bounce %.17g\nobserve X = x, Y = y\n",
             a, e);
    noe_method *f = method("lobatto 3");
    double      x[2][2] = { 0 };
    for (int k = 0; k < 2; k++) {
        noe_system     *s = parse(text[k]);
        noe_integrator *g = noe_integrator_new(s, f, 0.01);
        if (noe_run(g, 3, NULL, NULL)) fail_msg("%s", noe_error());
        x[k][0] = noe_get(g, k ? "X" : "x"), x[k][1] = noe_get(g, k ? "Y" : "y");
        if (!k) close_to(noe_get(g, "rod.error"), 0, 1e-15);
        noe_integrator_free(g), noe_system_free(s);
    }
    close_to(x[0][0], x[1][0], 1e-8), close_to(x[0][1], x[1][1], 1e-8);
    noe_method_free(f);
}

/* A rail drives the end of a rod until it is stretched: the message has the time and a
 * constraint. */
static void test_dead_point(void **unused)
{
    (void)unused;
    const double v = 1 + 0.5 * random_number();
    char         text[400], *time;
    snprintf(text, sizeof text,
             "coordinate x, y, u\nkinetic (x'^2 + y'^2 + u'^2)/2\n"
             "constraint drive: u = 1 + %.17g*t\nconstraint crank: x^2 + y^2 = 1\n"
             "constraint rod: (x - u)^2 + y^2 = 1\nstart x = 0.5, y = sqrt(3)/2, u = 1\n",
             v);
    noe_system     *s = parse(text);
    noe_integrator *g = integrator(s, "simpson", 0.01, 15);
    noe_status      status = NOE_OK;
    for (int k = 0; k < 1000 && !status; k++) status = noe_step(g);
    assert_int_equal(status, NOE_SINGULAR);
    assert_non_null(strstr(noe_error(), "(a dead point)"));
    time = strstr(noe_error(), "near t = ");
    assert_non_null(time);
    close_to(strtod(time + 9, NULL), 1 / v, 0.03); /* u = 2 */
    noe_error_clear();
    noe_integrator_free(g), noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mechanisms), cmocka_unit_test(test_back_and_on),
        cmocka_unit_test(test_starts),     cmocka_unit_test(test_impact),
        cmocka_unit_test(test_dead_point),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g\n", tightest);
    return failed;
}
