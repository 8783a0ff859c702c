/* A run that cannot go on says why, where, when, and what to do.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "failing_run.h"
#include "scratch.h"

static const char euler[] =
    "parameter I1 = 1, I3 = 2\ncoordinate phi, theta, psi\n"
    "kinetic I1/2*(theta'^2 + phi'^2*sin(theta)^2) + I3/2*(psi' + phi'*cos(theta))^2\n"
    "start theta = 0.5, theta' = -1\n";
static const char three[] =
    "coordinate x1, y1, x2, y2, x3, y3\nkinetic (x1'^2+y1'^2+x2'^2+y2'^2+x3'^2+y3'^2)/2\n"
    "potential -1/sqrt((x1-x2)^2+(y1-y2)^2) - 1/sqrt((x1-x3)^2+(y1-y3)^2) - "
    "1/sqrt((x2-x3)^2+(y2-y3)^2)\n"
    "start x1 = 1, x2 = -1\n";
static const char pair[] =
    "coordinate ax, ay, bx, by, far\nkinetic (ax'^2+ay'^2+3*bx'^2+3*by'^2+far'^2)/2\n"
    "potential -5/sqrt((ax-bx)^2+(ay-by)^2) + far^2\nstart ax = 1, by = 2, far = 1\n";

static void test_causes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *method;
        double      step, until, from, to; /* where t must be */
        noe_status  status;
        const char *says[5];
    } rule[] = {
        { euler,
          "simpson",
          0.01,
          1,
          0.48,
          0.5,
          NOE_SINGULAR,
          { "singular at t = 0.5", "theta = 0", "phi and psi do not follow", "turned axes" } },
        { euler,
          "gauss 4",
          0.037,
          1,
          0.46,
          0.5,
          NOE_SINGULAR,
          { "singular at t = 0.5", "theta = 0" } },
        { "coordinate x, y\nkinetic x'^2*(1 - x)/2 + y'^2/2\npotential x*y\nstart x' = 1\n",
          "simpson",
          0.01,
          2,
          0.6,
          0.67,
          NOE_SINGULAR,
          { "singular at t = 0.66", "x = 1", "velocities of x do not" } },
        { three,
          "simpson",
          0.01,
          2,
          0.9,
          1,
          NOE_NOT_CONVERGED,
          { "collision", "x1, x2 and x3 come together", "smaller step than 0.01" } },
        { three,
          "gauss 3",
          0.002,
          2,
          0.95,
          1,
          NOE_NOT_CONVERGED,
          { "collision", "x1, x2 and x3 come together" } },
        { pair,
          "simpson",
          0.01,
          3,
          1,
          2,
          NOE_NOT_CONVERGED,
          { "collision", "ax and bx come together", "ay and by come together" } },
        { "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt((x - 3)^2 + y^2)\n"
          "start x = 4\n",
          "simpson",
          0.01,
          2,
          1,
          1.12,
          NOE_NOT_CONVERGED,
          { "collision", "grows without bound near x = 3.0" } },
        { "coordinate x\nkinetic x'^2/2\npotential sqrt(1 - x)/1000\nstart x' = 1\n",
          "simpson",
          0.01,
          2,
          0.98,
          1,
          NOE_NOT_FINITE,
          { "not finite from t = 0.999", "x = 1", "root or logarithm", "domain of L" } },
        { "coordinate x\nkinetic x'^2/2\npotential exp(x) - exp(2*x)\nstart x = 1\n",
          "verlet",
          0.01,
          1,
          0.44,
          0.46,
          NOE_NOT_FINITE,
          { "not finite from t = 0.45 on, x = 5",
            "a number too large" } }, /* exp(2x) of binary128 ends at 5678 */
        { "coordinate x\nkinetic x'^2/2\npotential exp(x) - exp(2*x)\nstart x = 1\n",
          "rk4",
          0.01,
          1,
          0.43,
          0.45,
          NOE_NOT_FINITE,
          { "the motion runs away", "the force on x grows on and on", "the forces change 3.54e+9",
            "-fold" } },
        { "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential y^2 - x^4\nstart x = 1\n",
          "simpson",
          0.01,
          9,
          0.8,
          1,
          NOE_NOT_CONVERGED,
          { "the motion runs away", "the force on x grows on and on", "from x = " } },
        { "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2 + 50*y^2 + 1e3*y^4 + x^2*y^2\n"
          "start x = 1, y = 1\n",
          "simpson",
          0.2,
          2,
          0,
          0,
          NOE_NOT_CONVERGED,
          { "beyond the stability limit of simpson", "mostly of y", "smaller step than 0.2",
            "gauss" } },
        { "coordinate x\nkinetic x'^2/2\npotential 50*x^2\nstart x = 1\n",
          "lobatto 1",
          1,
          3000,
          30,
          200,
          NOE_NOT_FINITE,
          { "beyond the stability limit of lobatto 1", "0.2 = 2/10", "mostly of x" } },
    };
    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
        noe_error_clear();
        noe_system *s = noe_system_parse(rule[i].text);
        noe_method *m = noe_method_parse(rule[i].method);
        double      t;
        if (rule[i].until > 2000) { /* found where a row is read: noe_run reads none */
            noe_integrator *g = noe_integrator_new(s, m, rule[i].step);
            noe_table      *table = noe_record(g, rule[i].until, 1, NULL);
            t = noe_time(g);
            assert_true(noe_table_column(table, "t")[noe_table_rows(table) - 1] == t);
            assert_true(isfinite(noe_table_column(table, "energy")[noe_table_rows(table) - 1]));
            noe_table_free(table);
            noe_integrator_free(g);
        } else {
            assert_int_equal(fails(rule[i].text, rule[i].method, rule[i].step, rule[i].until, &t),
                             rule[i].status);
        }
        for (int k = 0; k < 5 && rule[i].says[k]; k++) says(rule[i].says[k]);
        says("the state before the step is kept");
        if (!(t >= rule[i].from && t <= rule[i].to)) fail_msg("system %zu stopped at t = %g", i, t);
        noe_method_free(m);
        noe_system_free(s);
    }
    noe_error_clear();
}

/* Through the pole from anywhere, with any step: never past it, and always stopped. */
static void test_poles(void **state)
{
    (void)state;
    srand(1);
    for (int k = 0; k < 60; k++) {
        char         text[600];
        const double theta = 0.1 + rand() % 1000 * 1e-3, speed = 0.2 + rand() % 1000 * 2e-3,
                     h = 0.001 + rand() % 100 * 3e-4;
        double t;
        snprintf(text, sizeof text,
                 "%.*s, theta' = 0 - %.17g\npotential 0.1*cos(psi)*sin(theta)^2\n",
                 (int)(strstr(euler, "start") - euler), euler, speed);
        snprintf(strchr(text, 0), 200, "start theta = %.17g, phi = 1, psi = 1\n", theta);
        char *comma = strstr(text, ", theta' = 0");
        memmove(comma + 6, comma + 1, strlen(comma));
        memcpy(comma, "start ", 6);
        if (fails(text, k % 2 ? "simpson" : "gauss 2", h, 1e4 * h, &t) != NOE_SINGULAR)
            continue; /* turned back before it */
        says("theta = ");
        noe_error_clear();
    }
    for (int k = 0; k < 60; k++) { /* on a straight line through the origin of polar coordinates */
        char         text[300];
        const double r = 0.1 + rand() % 1000 * 1e-3, h = 0.001 + rand() % 100 * 3e-4;
        double       t;
        snprintf(text, sizeof text,
                 "coordinate r, phi\nkinetic (r'^2 + r^2*phi'^2)/2\nstart r = %.17g, r' = -1\n", r);
        assert_int_equal(fails(text, "simpson", h, 3, &t), NOE_SINGULAR);
        says("r = 0: the velocities of phi");
        assert_true(t < r && t > r - 1.01 * h);
        noe_error_clear();
    }
}

/* What comes near and goes by is let go by. */
static void test_no_alarm(void **state)
{
    (void)state;
    static const char *const text[] = {
        "coordinate r, phi\nkinetic (r'^2 + r^2*phi'^2)/2\nstart r = 1, r' = -1, phi' = 0.01\n",
        "coordinate r, phi\nkinetic (r'^2 + r^2*phi'^2)/2\npotential -1/r\n"
        "start r = 1, phi' = 0.3\n",
        "parameter I1 = 1, I3 = 2\ncoordinate phi, theta, psi\n"
        "kinetic I1/2*(theta'^2 + phi'^2*sin(theta)^2) + I3/2*(psi' + phi'*cos(theta))^2\n"
        "potential cos(theta)\n"
        "start theta = 0.01, psi' = 5\n",
        "coordinate x, y\nkinetic (x'^2 + y'^2)*(1 + x^2 + y^2)/2\npotential (x^2 + y^2)/2\n"
        "start x = 1, y' = 0.01\n",
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        double t;
        assert_int_equal(fails(text[i], "gauss 3", 0.0005, 3, &t), NOE_OK);
        assert_null(noe_error());
    }
}

/* Velocities of an L of the fourth power in them, at each turn and near it: v + v^3 = p,
 * whatever p is left. */
static void test_turning(void **state)
{
    (void)state;
    noe_system *s = noe_system_parse(
        "coordinate x\nkinetic x'^2/2 + x'^4/4\npotential x^4/4\nstart x = 2\n");
    noe_method *m = noe_method_parse("gauss 4");
    double      slowest = 1; /* v is solved for to 8 units of |p| + |L_v| + |L_vv v| */
    for (int k = 0; k < 40; k++) {
        noe_integrator *g = noe_integrator_new(s, m, 0.04 + 0.001 * k);
        for (int i = 0; i < 1000; i++) {
            assert_int_equal(noe_step(g), NOE_OK);
            const double v = noe_get(g, "x.v"), p = noe_get(g, "x.p");
            slowest = fmin(slowest, fabs(v));
            assert_true(fabs(v + v * v * v - p) <= 32 * 0x1p-52 * fabs(p));
        }
        noe_integrator_free(g);
    }
    assert_true(slowest < 1e-3); /* the turns were seen */
    noe_method_free(m);
    noe_system_free(s);
}

/* The same from functions in C: polar coordinates, and two bodies. */
static double polar(double t, const double *z, const double *param, double *grad, double *hess,
                    void *ctx)
{
    (void)t, (void)param, (void)ctx;
    if (grad)
        grad[0] = z[0] * z[3] * z[3], grad[1] = 0, grad[2] = z[2], grad[3] = z[0] * z[0] * z[3];
    if (hess) {
        memset(hess, 0, 16 * sizeof *hess);
        hess[0] = z[3] * z[3], hess[3] = hess[12] = 2 * z[0] * z[3], hess[10] = 1,
        hess[15] = z[0] * z[0];
    }
    return (z[2] * z[2] + z[0] * z[0] * z[3] * z[3]) / 2;
}

static double bodies(double t, const double *z, const double *param, double *grad, double *hess,
                     void *ctx)
{
    (void)t, (void)param, (void)ctx;
    const double r = fabs(z[0] - z[1]), s = z[0] < z[1] ? 1 : -1;
    if (grad) grad[0] = s / (r * r), grad[1] = -s / (r * r), grad[2] = z[2], grad[3] = z[3];
    if (hess) {
        memset(hess, 0, 16 * sizeof *hess);
        hess[0] = hess[5] = 2 / (r * r * r), hess[1] = hess[4] = -2 / (r * r * r),
        hess[10] = hess[15] = 1;
    }
    return (z[2] * z[2] + z[3] * z[3]) / 2 + 1 / r;
}

static void test_functions(void **state)
{
    (void)state;
    static const struct {
        noe_lagrangian *L;
        double          q[2], v[2];
        noe_status      status;
        const char     *says[2];
    } rule[] = { { polar, { 0.5, 0 }, { -1, 0 }, NOE_SINGULAR, { "x.1 = 0", "velocities of x.2" } },
                 { bodies,
                   { 0, 1 },
                   { 0, 0 },
                   NOE_NOT_CONVERGED,
                   { "collision", "x.1 and x.2 come together" } } };
    for (int i = 0; i < 2; i++) {
        noe_system     *s = noe_system_new(2, 0, rule[i].L, NULL, NULL);
        noe_method     *m = noe_method_parse("simpson");
        noe_integrator *g = noe_integrator_new(s, m, 0.01);
        assert_int_equal(noe_start(g, 0, rule[i].q, rule[i].v), NOE_OK);
        assert_int_equal(noe_run(g, 2, NULL, NULL), rule[i].status);
        for (int k = 0; k < 2; k++) says(rule[i].says[k]);
        noe_error_clear();
        noe_integrator_free(g);
        noe_method_free(m);
        noe_system_free(s);
    }
}

/* A table of a run that failed keeps its rows and does not call itself complete. */
static void test_files(void **state)
{
    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        noe_system     *s = noe_system_parse(euler);
        noe_method     *m = noe_method_parse("simpson");
        noe_integrator *g = noe_integrator_new(s, m, 0.01);
        noe_table      *t = noe_record(g, whole ? 0.3 : 2, 7, "t,theta,energy");
        char            text[40000];
        assert_int_equal((int)noe_table_rows(t), whole ? 6 : 8);
        noe_error_clear();
        assert_int_equal(noe_table_write(t, in_scratch("failure.json")), NOE_OK);
        FILE *f = fopen(in_scratch("failure.json"), "r");
        text[fread(text, 1, sizeof text - 1, f)] = 0;
        fclose(f);
        remove(in_scratch("failure.json"));
        assert_true(!strstr(text, "\"complete\": true") == !whole);
        assert_int_equal(
            strstr(text, "\"ended\": \"step 50 from t = 0.49: the mass matrix") == NULL, whole);
        noe_table_free(t);
        noe_integrator_free(g);
        noe_method_free(m);
        noe_system_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_causes),   cmocka_unit_test(test_poles),
        cmocka_unit_test(test_no_alarm), cmocka_unit_test(test_functions),
        cmocka_unit_test(test_turning),  cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
