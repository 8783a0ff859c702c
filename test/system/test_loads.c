/* f(t) from files, tables of a position, the ground that moves, what has no mass under a load.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "files_of_model.h"
#include "expr/tabulated.h"

/* ---- y(x) through points ---- */

enum { POINTS = 60 };

static void test_samples(void **unused)
{
    (void)unused;
    for (int round = 0; round < 8; round++) {
        noe_arena    *arena = noe_arena_new();
        noe_tables   *t = calloc(1, sizeof *t);
        noe_tabulated s = { .cubic = round % 2,
                            .outside = (noe_outside)(round % 3),
                            .pieces = POINTS - 1 };
        quad          x[POINTS], y[POINTS];
        for (int k = 0; k < POINTS; k++)
            x[k] = (k ? x[k - 1] : 0)
                 + (round % 4 < 2 ? (quad)0.125 : (quad)(0.01 + fabs(random_number()))),
            y[k] = random_number();
        assert_true(noe_tabulated_make(&s, arena, x, y));
        t->item[t->count++] = &s;
        const quad last = x[POINTS - 1], tiny = (quad)1e-12;
        for (int k = 0; k < POINTS;
             /* through the points, and smooth there; what is natural has no bend at its ends */
             k++) {
            small(noe_tabulated_at(t, 0, x[k]) - y[k], 1, 1e-30, "points");
            small(noe_tabulated_near(t, 0, (double)x[k]) - (double)y[k], 1, 1e-12,
                  "points in double");
            if (k == 0 || k == POINTS - 1) {
                if (s.cubic) small(noe_tabulated_at(t, 2, x[k]), 1e4, 1e-24, "ends");
                continue;
            }
            for (int d = 0; d < (s.cubic ? 3 : 1); d++)
                small(noe_tabulated_at(t, d, x[k] - tiny) - noe_tabulated_at(t, d, x[k] + tiny),
                      d == 2 ? 1e8
                      : d    ? 1e5
                             : 1e3,
                      1e-11, "smooth");
        }
        for (int trial = 0; trial < 200;
             /* each order is the derivative of the one below; straight lines where linear */
             trial++) {
            const quad at = (random_number() + 1) / 2 * last, d = (quad)1e-10;
            int        k = 0;
            while (x[k + 1] <= at) k++;
            if (at - x[k] < 2 * d || x[k + 1] - at < 2 * d) continue;
            const quad line = y[k] + (y[k + 1] - y[k]) * (at - x[k]) / (x[k + 1] - x[k]);
            if (!s.cubic) small(noe_tabulated_at(t, 0, at) - line, 1, 1e-30, "straight");
            for (int i = 0; i < 3; i++) {
                const quad slope = (noe_tabulated_at(t, i, at + d) - noe_tabulated_at(t, i, at - d))
                                 / (2 * d);
                if (s.cubic || i < 1)
                    small(slope - noe_tabulated_at(t, i + 1, at), 1e8, 1e-16, "derivative");
            }
            small(noe_tabulated_near(t, 0, (double)at) - (double)noe_tabulated_at(t, 0, (double)at),
                  1e2, 1e-13, "double");
        }
        for (int side = 0; side < 2; side++) {
            const quad far = side ? last + 1 : -1, value = noe_tabulated_at(t, 0, far),
                       near = noe_tabulated_near(t, 0, (double)far);
            if (s.outside == NOE_OUTSIDE_REFUSED) assert_true(isnanq(value) && isnanq(near));
            if (s.outside == NOE_OUTSIDE_ZERO) assert_true(value == 0 && near == 0);
            if (s.outside == NOE_OUTSIDE_HELD)
                small(value - (side ? y[POINTS - 1] : y[0]), 1, 1e-30, "held"),
                    small(near - value, 1, 1e-12, "held");
        }
        /* what rounding does to t is inside */
        assert_false(isnanq(noe_tabulated_at(t, 0, last * (1 + (quad)1e-14))));
        free(t);
        noe_arena_free(arena);
    }
}

/* x'' + x = a + b t on each piece, in closed form; by text, eight nodes in lanes, and by
 * matrices. */
static void test_forced_by_a_file(void **unused)
{
    (void)unused;
    enum { PIECES = 20 };
    quad  y[PIECES + 1], x = 0.3, v = -0.2;
    FILE *f = fopen(in_scratch("load.csv"), "w");
    fprintf(f, "# of the tests\ntime; unused; \"the load\"\r\n");
    for (int k = 0; k <= PIECES; k++)
        y[k] = random_number(), fprintf(f, "%.17g;7;%.17g\r\n", k * 0.25, (double)y[k]);
    fclose(f);
    for (int k = 0; k < PIECES; k++) {
        const quad h = 0.25, b = (y[k + 1] - y[k]) / h, A = x - y[k], B = v - b;
        x = A * cosq(h) + B * sinq(h) + y[k] + b * h;
        v = -A * sinq(h) + B * cosq(h) + b;
    }
    put("one.mtx", "1 1 1\n");
    const char *const text[] = {
        "coordinate x\nkinetic x'^2/2\npotential x^2/2\n"
        "force x = table(\"load.csv\", t, \"the load\")\nstart x = 0.3, x' = -0.2\n",
        ("coordinate x[1..1]\nmass \"one.mtx\"\nstiffness \"one.mtx\"\n"
         "force x[1] = -2*table(\"load.csv\", t, 3, linear)/(-2)\n"
         "start x[1] = 0.3, x[1]' = -0.2\n"),
        "coordinate x, z\nkinetic x'^2/2 + z'^2/2\n"
        "potential x^2/2 - x*table(\"load.csv\", t, 3) + z^4\nstart x = 0.3, x' = -0.2, z = 1\n",
    };
    for (int i = 0; i < 3; i++) {
        noe_system     *s = model(text[i]);
        noe_integrator *g = from(s, "gauss 8", 0.125);
        steps(g, 2 * PIECES);
        small(noe_q(g)[0] - x, 1, 1e-13, "position");
        small(noe_v(g)[0] - v, 1, 1e-13, "velocity");
        noe_error_clear();
        assert_int_equal(noe_step(g), NOE_NOT_FINITE);
        if (!strstr(noe_error(), "'load.csv' has values from 0 to 5 alone"))
            fail_msg("%s", noe_error());
        noe_error_clear();
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* A spring whose law is measured: a table of the position, in the potential and in the sum of a
 * chain. */
static void test_of_the_position(void **unused)
{
    (void)unused;
    FILE *f = fopen(in_scratch("spring.csv"), "w");
    for (int k = -40; k <= 40; k++) fprintf(f, "%.17g %.17g\n", k * 0.05, pow(k * 0.05, 2) / 2);
    fclose(f);
    noe_system *s = model(
        "coordinate x\nkinetic x'^2/2\npotential table(\"spring.csv\", x, cubic)\nstart x = 1\n");
    noe_integrator *g = from(s, "gauss 4", 0.01);
    steps(g, 300);
    /* natural at its ends, where x^2/2 bends: elsewhere the error falls by 3.7 a piece */
    small(noe_q(g)[0] - cosq(3), 1, 1e-7, "spring");
    noe_integrator_free(g);
    noe_system_free(s);
    s = model("coordinate q[0..200]\nkinetic sum(i in 0..200) q[i]'^2/2\n"
              "potential sum(i in 0..200) table(\"spring.csv\", q[i], cubic)\n"
              "start q[i] = cos(i)\n");
    assert_non_null(s->dyn.groups);
    g = from(s, "gauss 4", 0.01);
    steps(g, 300);
    for (int i = 0; i <= 200; i++) small(noe_q(g)[i] - cosq(3) * cosq(i), 1, 1e-7, "chain");
    noe_integrator_free(g);
    noe_system_free(s);
}

/* ---- the ground ---- */

/* Three masses with a consistent mass matrix on a support that moves by w(t): seen from the
 * support, and all of it as text. */
static void test_ground(void **unused)
{
    (void)unused;
    put("m.mtx", "1 1 2\n2 2 3\n3 3 1.5\n4 4 1\n2 1 0.5\n3 2 0.4\n4 3 0.3\n");
    put("k.mtx", "1 1 1\n2 2 3\n3 3 5\n4 4 3\n2 1 -1\n3 2 -2\n4 3 -3\n");
    noe_system *a = model("coordinate u[1..4]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\nfix u[1] = 0\n"
                          "ground u[i] = 0.4*cos(2*t)\n");
    noe_system *b = model(
        "coordinate x[2..4]\nw = 0.1*(1 - cos(2*t))\n"
        "kinetic (2*w'^2 + 3*x[2]'^2 + 1.5*x[3]'^2 + x[4]'^2)/2 + 0.5*w'*x[2]' + 0.4*x[2]'*x[3]' + "
        "0.3*x[3]'*x[4]'\n"
        "potential ((x[2] - w)^2 + 2*(x[3] - x[2])^2 + 3*(x[4] - x[3])^2)/2\n");
    assert_int_equal(noe_system_dim(a), 3);
    noe_integrator *g = from(a, "gauss 6", 0.05), *h = from(b, "gauss 6", 0.05);
    steps(g, 100), steps(h, 100);
    const double w = 0.1 * (1 - cos(10));
    for (int i = 0; i < 3; i++) small(noe_q(g)[i] - (noe_q(h)[i] - w), 1, 1e-12, "ground");
    assert_true(fabs(noe_q(g)[0]) + fabs(noe_q(g)[1]) + fabs(noe_q(g)[2]) > 0.05);
    noe_integrator_free(g);
    noe_integrator_free(h);
    noe_system_free(a);
    noe_system_free(b);
    /* along some of the coordinates, by a factor: -M r a is the sum of its columns */
    a = model("parameter r[1..4] = (0, 1, 0, 2)\ncoordinate u[1..4]\nmass \"m.mtx\"\n"
              "stiffness \"k.mtx\"\nground u[i] = r[i]*sin(t)\n");
    b = model("coordinate u[1..4]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\n"
              "force u[1] = -0.5*sin(t), u[2] = -3*sin(t), u[3] = -(0.4 + 0.6)*sin(t), u[4] = "
              "-2*sin(t)\n");
    noe_system *c = model("coordinate u[1..4]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\n"
                          "ground u[i in 2..4 by 2] = i/2*sin(t)\n");
    g = from(a, "simpson", 0.05), h = from(b, "simpson", 0.05);
    noe_integrator *k = from(c, "simpson", 0.05);
    steps(g, 100), steps(h, 100), steps(k, 100);
    for (int i = 0; i < 4; i++)
        small(noe_q(g)[i] - noe_q(h)[i], 1, 1e-14, "columns"),
            small(noe_q(k)[i] - noe_q(g)[i], 1, 1e-14, "by");
    noe_integrator_free(g), noe_integrator_free(h), noe_integrator_free(k);
    noe_system_free(a), noe_system_free(b), noe_system_free(c);
}

/* A loaded coordinate without mass is where statics puts it: (k1 u1 + k2 u3 + f)/(k1 + k2); the
 * others are those of L. */
static void test_load_without_mass(void **unused)
{
    (void)unused;
    put("m.mtx", "1 1 1\n3 3 2\n");
    put("k.mtx", "1 1 5\n2 2 5\n3 3 3\n2 1 -2\n3 2 -3\n");
    noe_system *a = model(
        "coordinate u[1..3]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\nforce u[2] = 0.3*sin(2*t)\n"
        "observe mid = u[2]\n");
    noe_system *b = model(
        "coordinate u, v\nmid = (2*u + 3*v + 0.3*sin(2*t))/5\nkinetic u'^2/2 + v'^2\n"
        "potential 3/2*u^2 + (u - mid)^2 + 3/2*(v - mid)^2 - 0.3*sin(2*t)*mid\nobserve m = mid\n");
    noe_integrator *g = from(a, "gauss 6", 0.05), *h = from(b, "gauss 6", 0.05);
    steps(g, 77), steps(h, 77);
    for (int i = 0; i < 2; i++) small(noe_q(g)[i] - noe_q(h)[i], 1, 1e-13, "masses");
    small(noe_get(g, "mid") - noe_get(h, "m"), 1, 1e-13, "between");
    assert_true(fabs(0.3 * sin(2 * 77 * 0.05)) > 0.05);
    noe_integrator_free(g);
    noe_integrator_free(h);
    noe_system_free(a);
    noe_system_free(b);
    put("c.mtx", "2 2 1\n");
    refused("coordinate u[1..3]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\ndamping \"c.mtx\"\n",
            "a damper acts on what has no mass (about coordinate 2)");
    /* beside a damper that is much larger, elsewhere */
    put("c.mtx", "1 1 1e30\n2 2 1\n");
    refused("coordinate u[1..3]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\ndamping \"c.mtx\"\n",
            "a damper acts on what has no mass (about coordinate 2)");
    noe_system_free(model("coordinate u[1..3]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\n"
                          "damping beta = 0.1, alpha = 1\n"));
}

/* Damping that is a part of the stiffness acts on nothing without mass: chains of springs, tied to
 * the ground, between masses at their ends; what a mass moves becomes smaller than rounding along
 * them.  The second one is too long for a dense search. */
static void test_damped_stiffness(void **unused)
{
    (void)unused;
    char text[200];
    for (int n = 70; n <= 2700; n += 2630) {
        FILE *m = fopen(in_scratch("m.mtx"), "w"), *k = fopen(in_scratch("k.mtx"), "w"),
             *c = fopen(in_scratch("c.mtx"), "w");
        fprintf(m, "1 1 1\n%d %d 2\n", n, n);
        for (int i = 1; i <= n; i++) {
            const double tie = 5 + sin(i * i), spring = 1.3 + sin(i);
            fprintf(k, "%d %d %.17g\n", i, i, tie), fprintf(c, "%d %d %.17g\n", i, i, tie / 7);
            if (i < n)
                fprintf(k, "%d %d %.17g\n", i + 1, i, -spring),
                    fprintf(c, "%d %d %.17g\n", i + 1, i, -spring / 7);
        }
        fclose(m), fclose(k), fclose(c);
        snprintf(text, sizeof text,
                 "coordinate u[1..%d]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\ndamping \"c.mtx\"\n",
                 n);
        noe_system *s = model(text);
        assert_int_equal(noe_system_dim(s), 2);
        noe_system_free(s);
    }
}

/* Too many for a dense search: 900 of the chains above, side by side, each as it is alone. */
static void test_many_without_mass(void **unused)
{
    (void)unused;
    enum { COPIES = 900 };
    put("m.mtx", "1 1 1\n3 3 2\n");
    put("k.mtx", "1 1 5\n2 2 5\n3 3 3\n2 1 -2\n3 2 -3\n");
    static const char law[] = "damping alpha = 0.1, beta = 0.02\n";
    char              text[400];
    snprintf(
        text, sizeof text,
        "coordinate u[1..3]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\n%sforce u[2] = 0.3*sin(2*t)\n"
        "observe mid = u[2]\n",
        law);
    noe_system     *a = model(text);
    noe_integrator *g = from(a, "gauss 3", 0.05);
    steps(g, 40);
    FILE *m = fopen(in_scratch("m.mtx"), "w"), *k = fopen(in_scratch("k.mtx"), "w");
    for (int i = 0; i < 3 * COPIES; i += 3) {
        fprintf(m, "%d %d 1\n%d %d 2\n", i + 1, i + 1, i + 3, i + 3);
        fprintf(k, "%d %d 5\n%d %d 5\n%d %d 3\n%d %d -2\n%d %d -3\n", i + 1, i + 1, i + 2, i + 2,
                i + 3, i + 3, i + 2, i + 1, i + 3, i + 2);
    }
    fclose(m), fclose(k);
    snprintf(text, sizeof text,
             "coordinate u[1..%d]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\n"
             "%sforce u[i in 2..%d by 3] = 0.3*sin(2*t)\n"
             "observe first = u[2], other = u[1001], end = u[%d]\n",
             3 * COPIES, law, 3 * COPIES, 3 * COPIES - 1);
    noe_system *b = model(text);
    assert_int_equal(noe_system_dim(b), 2 * COPIES);
    noe_integrator *h = from(b, "gauss 3", 0.05);
    steps(h, 40);
    for (int i = 0; i < 2 * COPIES; i++) small(noe_q(h)[i] - noe_q(g)[i % 2], 1, 1e-13, "copies");
    static const char *const seen[] = { "first", "other", "end" };
    for (int i = 0; i < 3; i++) small(noe_get(h, seen[i]) - noe_get(g, "mid"), 1, 1e-13, seen[i]);
    noe_integrator_free(g), noe_integrator_free(h);
    noe_system_free(a), noe_system_free(b);
    put("c.mtx", "1001 1001 1\n");
    snprintf(text, sizeof text,
             "coordinate u[1..%d]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\ndamping \"c.mtx\"\n",
             3 * COPIES);
    refused(text, "a damper acts on what has no mass (about coordinate 1001)");
    put("c.mtx", "1 1 1e30\n1001 1001 1\n");
    refused(text, "a damper acts on what has no mass (about coordinate 1001)");
    k = fopen(in_scratch("k.mtx"), "a"), fprintf(k, "5 5 -5\n5 4 2\n6 5 3\n"), fclose(k);
    snprintf(text, sizeof text, "coordinate u[1..%d]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\n",
             3 * COPIES);
    refused(text, "neither mass nor stiffness, among the 900 coordinates without mass");
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),           cmocka_unit_test(test_forced_by_a_file),
        cmocka_unit_test(test_of_the_position),   cmocka_unit_test(test_ground),
        cmocka_unit_test(test_load_without_mass), cmocka_unit_test(test_damped_stiffness),
        cmocka_unit_test(test_many_without_mass),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
