/* Transients from textbooks; starts from files, and from positions, velocities and momenta mixed.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "files_of_model.h"

/* ---- starts ---- */

/* What a run has written goes on as it was; members by their numbers. */
static void test_start_from_a_file(void **unused)
{
    (void)unused;
    static const char text[] =
        "coordinate x, u[1..2]\nkinetic x'^2/2 + x'*u[1]' + u[1]'^2 + u[2]'^2\n"
        "potential x^4 + (u[1] - u[2])^2\nobserve d = u[1] - u[2]\n";
    char all[600];
    snprintf(all, sizeof all, "%sstart x = 0.3, u[1]' = 1, u[2] = 0.2\n", text);
    noe_system     *a = model(all);
    noe_integrator *g = from(a, "gauss 4", 0.05), *h;
    noe_table      *rows = noe_record(g, 1, 1, "t,d,x,u.1,u.2,p(x),u.1.p,u.2.v,energy");
    assert_int_equal(noe_table_write(rows, in_scratch("state.csv")), NOE_OK);
    snprintf(all, sizeof all, "%sstart \"state.csv\"\n", text);
    noe_system *b = model(all);
    h = from(b, "gauss 4", 0.05);
    assert_true(noe_time(h) == noe_time(g));
    for (int i = 0; i < 3; i++)
        small(noe_q(h)[i] - noe_q(g)[i], 1, 1e-15, "q"),
            small(noe_p(h)[i] - noe_p(g)[i], 1, 1e-14, "p");
    noe_integrator_free(g), noe_integrator_free(h), noe_table_free(rows);
    noe_system_free(a), noe_system_free(b);
    put("shape.csv", "i,q,v\n1,0.5,3\n2,-1,4\n3,2,5\n");
    a = model("coordinate u[1..3]\nkinetic sum(i in 1..3) u[i]'^2\n"
              "start u[i] = table(\"shape.csv\", i), u[i]' = table(\"shape.csv\", i, \"v\")\n"
              "parameter m[i in 1..3] = 2*table(\"shape.csv\", i)\n");
    g = from(a, "simpson", 0.1);
    static const double q[3] = { 0.5, -1, 2 };
    for (int i = 0; i < 3; i++) assert_true(noe_q(g)[i] == q[i] && noe_v(g)[i] == 3 + i);
    assert_true(noe_system_get(a, "m[3]") == 4);
    noe_integrator_free(g);
    noe_system_free(a);
#define TWO "coordinate x, y\nkinetic x'^2 + y'^2\nobserve s = x + y\n"
    put("a.csv", "x,z\n1,2\n");
    refused(TWO "start \"a.csv\"\n", "a.csv:1:1: unknown name 'z'");
    put("a.csv", "x,x.v,x.p\n1,2,3\n");
    refused(TWO "start \"a.csv\"\n", "both velocity and momentum of 'x' are given");
    put("a.csv", "x,y\n1,2\n");
    refused(TWO "start \"a.csv\", x = 3\n", "the start of the position of 'x' is given twice");
    put("a.csv", "s,energy\n1,2\n");
    refused(TWO "start \"a.csv\"\n", "'a.csv' has no column of the state");
    put("a.csv", "1,2\n");
    refused(TWO "start \"a.csv\"\n", "the first line of 'a.csv' has numbers");
    refused("coordinate u[1..3]\nkinetic sum(i in 1..3) u[i]'^2\n"
            "start u[i] = table(\"shape.csv\", 2*i)\n",
            "the value is not finite");
}

/* Positions, velocities and momenta, a consistent M: p = M v, whichever of them is given; small
 * and large. */
static void test_mixed_start(void **unused)
{
    (void)unused;
    for (int n = 4; n <= 100; n += 96) {
        FILE *f = fopen(in_scratch("m.mtx"), "w"), *k = fopen(in_scratch("k.mtx"), "w"),
             *x = fopen(in_scratch("state.csv"), "w");
        for (int i = 1; i <= n; i++) fprintf(f, "%d %d 4\n", i, i), fprintf(k, "%d %d 2\n", i, i);
        for (int i = 1; i < n; i++)
            fprintf(f, "%d %d 1\n", i + 1, i), fprintf(k, "%d %d -1\n", i + 1, i);
        fclose(f), fclose(k);
        double given[100];
        for (int i = 0; i < n; i++)
            fprintf(x, "%su.%d%s", i ? "," : "", i + 1, i % 3 ? ".v" : ".p");
        fprintf(x, "\n");
        for (int i = 0; i < n; i++)
            given[i] = random_number(), fprintf(x, "%s%.17g", i ? "," : "", given[i]);
        fclose(x);
        char text[200];
        snprintf(text, sizeof text,
                 "coordinate u[1..%d]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\n"
                 "start \"state.csv\", u[2] = 0.5\n",
                 n);
        noe_system     *s = model(text);
        noe_integrator *g = from(s, "simpson", 0.01);
        const double   *v = noe_v(g), *p = noe_p(g);
        for (int i = 0; i < n; i++) {
            small((i % 3 ? v[i] : p[i]) - given[i], 1, 1e-14, "given");
            small(4 * v[i] + (i ? v[i - 1] : 0) + (i < n - 1 ? v[i + 1] : 0) - p[i], 1, 1e-14,
                  "p = M v");
        }
        assert_true(noe_q(g)[1] == 0.5 && noe_q(g)[0] == 0);
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* ---- textbooks ---- */

static void published(const char *text, const char *name, double h, const char *of, int rows,
                      const double *known, double within)
{
    noe_system     *s = model(text);
    noe_integrator *g = from(s, name, h);
    for (int k = 0; k < rows; k++) {
        steps(g, 1);
        /* of the third digit */
        const double unit = pow(10, floor(log10(fmax(fabs(known[k]), 1e-30))) - 2);
        if (known[k] != 0 && !(fabs(noe_get(g, of) - known[k]) <= within * unit))
            fail_msg("%s: %s row %d: %.6g instead of %.6g", name, of, k + 1, noe_get(g, of),
                     known[k]);
    }
    noe_integrator_free(g);
    noe_system_free(s);
}

/* K.-J. Bathe, Finite Element Procedures, examples 9.1, 9.3 and 9.7; the book carries three
 * digits on from step to step. */
static void test_bathe(void **unused)
{
    (void)unused;
    static const double newmark[2][12] = {
        { 0.00673, 0.0505, 0.189, 0.485, 0.961, 1.58, 2.23, 2.76, 3.00, 2.85, 2.28, 1.40 },
        { 0.364, 1.35, 2.68, 4.00, 4.95, 5.34, 5.13, 4.48, 3.64, 2.90, 2.44, 2.31 }
    };
    static const double central[2][12] = {
        { 0, 0.0307, 0.168, 0.487, 1.02, 1.70, 2.40, 2.91, 3.07, 2.77, 2.04, 1.02 },
        { 0.392, 1.45, 2.83, 4.14, 5.02, 5.26, 4.90, 4.17, 3.37, 2.78, 2.54, 2.60 }
    };
    put("m.mtx", "1 1 2\n2 2 1\n");
    put("k.mtx", "1 1 6\n1 2 -2\n2 2 4\n");
    static const char text[] =
        "coordinate u[1..2]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\nforce u[2] = 10\n";
    for (int i = 0; i < 2; i++) {
        published(text, "newmark 1/4 1/2", 0.28, i ? "u[2]" : "u[1]", 12, newmark[i], 1);
        published(text, "newmark 0 1/2", 0.28, i ? "u[2]" : "u[1]", 12, central[i], 1);
    }
    noe_system     *s = model(text);
    noe_integrator *g = from(s, "gauss 8", 0.28);
    for (int k = 1; k <= 12; k++) { /* the closed form of example 9.7 */
        const double t = 0.28 * k, x1 = 5 / sqrt(3) * (1 - cos(t * sqrt(2))),
                     x2 = 2 * sqrt(2. / 3) * (cos(t * sqrt(5)) - 1);
        steps(g, 1);
        small(noe_q(g)[0] - (x1 / sqrt(3) + x2 * sqrt(2. / 3) / 2), 1, 1e-14, "exact");
        small(noe_q(g)[1] - (x1 / sqrt(3) - x2 * sqrt(2. / 3)), 1, 1e-14, "exact");
    }
    noe_integrator_free(g);
    noe_system_free(s);
}

/* A. K. Chopra, Dynamics of Structures, examples 5.3 and 5.4: a half sine read from a file,
 * damping from a matrix. */
static void test_chopra(void **unused)
{
    (void)unused;
    static const double average[] = { 0.0437, 0.2326, 0.6121, 1.0825,  1.4309,
                                      1.4231, 0.9622, 0.1908, -0.6044, -1.1442 };
    static const double linear[] = { 0.0300, 0.2193, 0.6166, 1.1130,  1.4782,
                                     1.4625, 0.9514, 0.1273, -0.6954, -1.2208 };
    put("m.mtx", "1 1 0.2533\n");
    put("k.mtx", "1 1 10\n");
    FILE *f = fopen(in_scratch("c.mtx"), "w");
    fprintf(f, "1 1 %.17g\n", 2 * 0.05 * sqrt(10 * 0.2533));
    fclose(f);
    put("p.csv",
        "t,p\n0,0\n0.1,5\n0.2,8.6602540378443865\n0.3,10\n0.4,8.6602540378443865\n0.5,5\n0.6,0\n");
    static const char text[] =
        "coordinate u[1..1]\nmass \"m.mtx\"\nstiffness \"k.mtx\"\ndamping \"c.mtx\"\n"
        "force u[1] = table(\"p.csv\", t, zero)\n";
    published(text, "newmark 1/4 1/2", 0.1, "u[1]", 10, average, 0.5);
    published(text, "newmark 1/6 1/2", 0.1, "u[1]", 10, linear, 0.5);
}

static void test_refused(void **unused)
{
    (void)unused;
#define X "coordinate x\nkinetic x'^2/2\nforce x = "
    put("a.csv", "t,y\n0,1\n1,2\n2,x\n");
    put("b.csv", "t,y\n0,1\n1,2\n1,3\n");
    put("c.csv", "t,y\n0,1\n1\n");
    put("d.csv", "t,north,south\n0,1,2\n1,2,3\n");
    put("e.csv", "# nothing\n");
    put("f.csv", "0 1\n");
    put("g.csv", "0 1\n1 2\n");
    refused(X "table(\"none.csv\", t)\n", ":3:18: cannot read 'none.csv': No such file");
    refused(X "table(\"a.csv\", t)\n", "line 4 of 'a.csv': expected a number, found 'x'");
    refused(X "table(\"b.csv\", t)\n", "line 4 of 'b.csv': 1 follows 1 in the first column");
    refused(X "table(\"c.csv\", t)\n", "line 3 of 'c.csv': expected 2 columns, as before, found 1");
    refused(X "table(\"d.csv\", t, \"sout\")\n",
            "'d.csv' has no column 'sout'; did you mean 'south'?");
    refused(X "table(\"d.csv\", t, 4)\n", "'d.csv' has 3 columns: there is no number 4");
    refused(X "table(\"d.csv\", t, 1.5)\n", "expected the number of a column");
    refused(X "table(\"d.csv\", t, 2, 3)\n",
            "expected linear or cubic, zero or hold after the column");
    refused(X "table(\"g.csv\", t, \"y\")\n", "the columns of 'g.csv' have no names");
    refused(X "table(\"e.csv\", t)\n", "there are none");
    refused(X "table(\"f.csv\", t)\n", "'f.csv' has one row");
    refused(X "table(t)\n", "expected the name of a file of numbers in quotes");
    refused(X "table(\"g.csv\")\n", "and what to look up");
    refused("coordinate x\nkinetic x'^2/2\nground x = 1\n",
            "the ground moves under structures given by matrices");
    put("m.mtx", "1 1 1\n2 2 1\n");
    refused("coordinate u[1..2]\nmass \"m.mtx\"\nstiffness \"m.mtx\"\nground u[i] = u[1]\n",
            "the motion of the ground does not depend on the structure");
    refused(
        "coordinate u[1..2]\nmass \"m.mtx\"\nstiffness \"m.mtx\"\nground u[i in 1..2 by 0] = 1\n",
        "expected 1 or more after 'by', found 0");
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_from_a_file),
        cmocka_unit_test(test_mixed_start),
        cmocka_unit_test(test_bathe),
        cmocka_unit_test(test_chopra),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
