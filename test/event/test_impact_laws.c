/* Laws of steps over impacts: Phi_{-h} Phi_h = 1; M^T J M = J between exact flows, else to order.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event_record.h"

static double uniform(void) { return (1 + random_number()) / 2; }

/* A slope of random shape below a quartic valley; an impact about every other unit of time. */
static noe_system *valley(double e)
{
    char text[600];
    snprintf(text, sizeof text,
             "coordinate x, y\nkinetic (1 + x^2/8)*x'^2/2 + y'^2/2 + %.17g*x'*y'\n"
             "potential y + x^4/4 + %.17g*x^2*y\nstart x = 0.3, y = 0.8, x' = %.17g\n"
             "event floor: y = x/8 falling then bounce %.17g\n",
             random_number() / 5, random_number() / 5, random_number(), e);
    return parse(text);
}

/* ---- there and back ---- */

/* Some steps there and as many back; the largest difference, relative to sizes. */
static double undone(const noe_system *s, const char *name, double h, int steps, double *impacts)
{
    static record   r;
    noe_integrator *g = make(s, name, h, 15, &r);
    const int       n = s->dyn.n;
    double          q[4], p[4], worst = 0, size_q = 0, size_p = 0;
    if (!g) fail_msg("%s: %s", name, noe_error());
    memcpy(q, noe_q(g), (size_t)n * sizeof *q), memcpy(p, noe_p(g), (size_t)n * sizeof *p);
    for (int way = 0; way < 2; way++) {
        if (noe_set(g, "step", way ? -h : h)) fail_msg("%s", noe_error());
        for (int k = 0; k < steps; k++) {
            if (noe_step(g)) fail_msg("%s, %s: %s", s->source, name, noe_error());
            for (int j = 0; j < n; j++)
                size_q = fmax(size_q, fabs(noe_q(g)[j])), size_p = fmax(size_p, fabs(noe_p(g)[j]));
        }
        if (!way) *impacts = r.count;
    }
    for (int j = 0; j < n; j++) {
        worst = fmax(worst, fabs(noe_q(g)[j] - q[j]) / size_q);
        worst = fmax(worst, fabs(noe_p(g)[j] - p[j]) / size_p);
    }
    assert_true(fabs(noe_time(g)) < 1e-13);
    /* each is met again on the way back; a top that is falling in time is not */
    assert_true(strstr(s->source, "bouncing") || r.count == 2 * *impacts);
    noe_integrator_free(g);
    return worst;
}

static const char *const reversible[] = { "simpson", "gauss 3", "verlet", "lobatto 4",
                                          "compose 6 simpson" };

/* Of random systems, elastic or not. */
static void test_minus_h_undoes_h(void **unused)
{
    (void)unused;
    for (int i = 0; i < 15; i++) {
        const bool   plain = !strcmp(reversible[i % 5], "verlet");
        const double h = 0.04 + 0.06 * uniform(), e = i % 2 ? 1 : 0.8 + 0.2 * uniform();
        double       impacts;
        noe_system  *s = plain ? parse("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                                        "potential y + x^4/4\nstart x = 0.3, y = 0.8, x' = 1/3\n"
                                        "event floor: y = x/5 falling then bounce 0.9\n")
                               : valley(e);
        const double error = undone(s, reversible[i % 5], h, 60, &impacts);
        assert_true(impacts >= 1);
        small(error, 1, 200 * 0x1p-53, reversible[i % 5]);
        noe_system_free(s);
    }
}

/* Of the library; on the way back every impact makes errors larger by 1/e. */
static void test_library(void **unused)
{
    (void)unused;
    static const struct {
        const char *path;
        double      h, e;
        int         steps;
    } row[] = { { "systems/bouncing_ball.lag", 0.01, 0.8, 300 },
                { "systems/stadium.lag", 0.1, 1, 100 },
                { "systems/vibrating_table.lag", 0.005, 0.5, 80 } };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int j = 0; j < 5; j++) {
            noe_system  *s = load(row[i].path);
            double       impacts;
            const double error = undone(s, reversible[j], row[i].h, row[i].steps, &impacts);
            assert_true(impacts >= 3);
            small(error, pow(1 / row[i].e, impacts), 200 * 0x1p-53, row[i].path);
            noe_system_free(s);
        }
}

/* What was before does not follow from what is after. */
static void test_what_cannot_be_undone(void **unused)
{
    (void)unused;
    static const char *const then[] = { "bounce 0", "x' = -x'/2" };
    for (int i = 0; i < 2; i++) {
        static record r;
        char          text[300];
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nstart x = -1, x' = 1\n"
                 "event wall: x = 0 then %s\n",
                 then[i]);
        noe_system     *s = parse(text);
        noe_integrator *g = make(s, "simpson", -0.25, 15, &r);
        const double    q[] = { 1, 0 }, v[] = { 1, 0 };
        assert_int_equal(noe_start(g, 0, q, v), NOE_OK);
        assert_int_equal(noe_run(g, -3, NULL, NULL), NOE_SINGULAR);
        assert_non_null(strstr(noe_error(), "what was before the event 'wall' does not follow"));
        noe_error_clear();
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* ---- the symplectic form ---- */

/* M = d(q, p)(after)/d(q, p) of some steps, in binary128, by differences of fourth order. */
static void derivative(const noe_system *s, const char *name, double h, int steps, const double *z,
                       quad M[8][8], int *impacts)
{
    static const int    weight[] = { 1, -8, 8, -1 }, at[] = { -2, -1, 1, 2 };
    static const double by = 0x1p-26;
    static record       r;
    noe_integrator     *g = make(s, name, h, 33, &r);
    const int           n = s->dyn.n;
    if (!g) fail_msg("%s: %s", name, noe_error());
    memset(M, 0, sizeof(quad[8][8]));
    *impacts = -1;
    for (int c = 0; c < 2 * n; c++)
        for (int k = 0; k < 4; k++) {
            double y[8];
            quad   end[8];
            memcpy(y, z, 2 * (size_t)n * sizeof *y);
            y[c] += at[k] * by;
            r.count = 0;
            assert_int_equal(noe_start_momentum(g, 0, y, y + n), NOE_OK);
            for (int i = 0; i < steps; i++)
                if (noe_step(g)) fail_msg("%s: %s", name, noe_error());
            assert_true(*impacts < 0 || *impacts == r.count);
            *impacts = r.count;
            noe_integrator_state_get(g, NOE_AT_Q, end),
                noe_integrator_state_get(g, NOE_AT_P, end + n);
            for (int i = 0; i < 2 * n; i++) M[i][c] += weight[k] * end[i] / (12 * (quad)by);
        }
    noe_integrator_free(g);
}

/* max |M^T J M - J| / max(1, |M|^2). */
static double broken_form(int n, quad M[8][8])
{
    quad worst = 0, most = 1;
    for (int a = 0; a < 2 * n; a++)
        for (int b = 0; b < 2 * n; b++) {
            quad form = (b == a + n) - (a == b + n);
            for (int j = 0; j < n; j++) form -= M[j][a] * M[n + j][b] - M[n + j][a] * M[j][b];
            worst = fmaxq(worst, fabsq(form)), most = fmaxq(most, fabsq(M[a][b]));
        }
    return (double)(worst / (most * most));
}

/* Numbers with few digits, so that differences of them are exact. */
static double short_number(double x) { return rint(x * 0x1p20) * 0x1p-20; }

/* Between impacts the flow is exact, and elastic impacts on walls, also on those that move, are
 * symplectic.  A restitution takes e^2 of the area. */
static void test_form_over_elastic_impacts(void **unused)
{
    (void)unused;
    static const struct {
        const char *path, *change;
        double      h, z[4];
        int         steps;
    } row[] = { { "systems/bouncing_ball.lag", "e=1", 0.01, { 0, 1, 0.3, 0.1 }, 150 },
                { "systems/stadium.lag", "R=1", 0.1, { 0.2, 0.1, 0.8, 0.6 }, 60 },
                { "systems/vibrating_table.lag", "e=1", 0.005, { 0.001, 0.49 }, 80 } };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        noe_system *s = load(row[i].path), *own = noe_system_let(s, row[i].change);
        const int   n = own->dyn.n;
        double      z[4];
        quad        M[8][8];
        int         impacts;
        for (int j = 0; j < 2 * n; j++) z[j] = short_number(row[i].z[j]);
        derivative(own, i % 2 ? "gauss 2" : "simpson", row[i].h, row[i].steps, z, M, &impacts);
        assert_true(impacts >= 2);
        const double off = broken_form(n, M);
        if (getenv("NOE_SHOW")) printf("%s: %d impacts, form %.3g\n", row[i].path, impacts, off);
        small(off, 1, 1e-24, row[i].path); /* the error of the differences */
        noe_system_free(own), noe_system_free(s);
    }
    noe_system  *s = load("systems/bouncing_ball.lag");
    const double z[] = { 0, 1, short_number(0.3), short_number(0.1) };
    quad         M[8][8];
    int          impacts;
    derivative(s, "simpson", 0.01, 60, z, M, &impacts); /* tops are told, too */
    small(M[1][1] * M[3][3] - M[1][3] * M[3][1] - number("0.64"), 1, 1e-24, "area after an impact");
    noe_system_free(s);
}

/* Steps to an impact and from it have lengths that depend on the state: the form is that of the
 * method's order, not of rounding. */
static void test_form_is_kept_to_order(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        int         order;
    } row[] = { { "midpoint", 2 }, { "simpson", 4 }, { "gauss 2", 4 }, { "gauss 3", 6 } };
    for (int i = 0; i < 4; i++) {
        noe_system *s = valley(1);
        double      off[2];
        for (int half = 0; half < 2; half++) {
            const double h = 0x1p-5 / (1 + half), x = short_number(0.3),
                         z[] = { x, short_number(x / 8 + 0.4 * h), short_number(0.2), -1 };
            quad M[8][8];
            int  impacts;
            derivative(s, row[i].name, h, 3, z, M, &impacts);
            assert_int_equal(impacts, 1);
            off[half] = broken_form(2, M);
        }
        const double order = log2(off[0] / off[1]);
        if (getenv("NOE_SHOW")) printf("%s: form %.3g, order %.2f\n", row[i].name, off[1], order);
        if (!(order > row[i].order - 0.5))
            fail_msg("%s: the form over an impact has the order %.2f", row[i].name, order);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minus_h_undoes_h),
        cmocka_unit_test(test_library),
        cmocka_unit_test(test_what_cannot_be_undone),
        cmocka_unit_test(test_form_over_elastic_impacts),
        cmocka_unit_test(test_form_is_kept_to_order),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
