/* Constrained steps: known digits, orders against angles, forces of rods; what is refused.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The digits were computed by another program in 40 digits (generic Newton on the equations). */
#include "integrator.h"
#include "mechanism.h"
#include "pendulums.h"

/* ---- the digits ---- */

static const struct {
    const char *text, *method;
    int         inverse_step, steps;
    const char *q[4], *p[4];
} known[] = { { PENDULUM,
                "lobatto 1",
                20,
                1,
                { "0.99878164416660658765637629", "-0.049348022005446793094172455" },
                { "-0.097349751566859023831671745", "-1.9703149382243982110917669" } },
              { PENDULUM,
                "lobatto 1",
                20,
                5,
                { "0.36164603202449054567744725", "-0.93231547639248226665382029" },
                { "-7.8578461131093271546537901", "-3.0480657449354005299679672" } },
              { PENDULUM,
                "simpson",
                20,
                1,
                { "0.99878250975863455338715322", "-0.0493304996958582726684378" },
                { "-0.097349806007624975951564911", "-1.9710176091521588766250653" } },
              { PENDULUM,
                "simpson",
                20,
                5,
                { "0.38498434330093392157205166", "-0.92292310373787298246846604" },
                { "-7.8784052577427757393388757", "-3.2863655293996982501503222" } },
              { PENDULUM,
                "lobatto 3",
                20,
                1,
                { "0.99878283098779455020251132", "-0.049323995418119023304537235" },
                { "-0.097337960253000736696748325", "-1.9710382883612913842509301" } },
              { PENDULUM,
                "lobatto 3",
                20,
                5,
                { "0.38510463864098494231959654", "-0.92287291503066466753839003" },
                { "-7.8778493998567183446811955", "-3.2873392392267969510289985" } },
              { DOUBLE_PENDULUM,
                "lobatto 1",
                40,
                2,
                { "0.24818777591266597128437093", "-0.0122559706378563734109941",
                  "0.49667797870971615481261047", "-0.0122625" },
                { "-0.024146459223507931572321803", "-0.48897440993677930665898482",
                  "-0.024146499301276947496922475", "-0.49049966351153185829826099" } },
              { DOUBLE_PENDULUM,
                "simpson",
                40,
                2,
                { "0.24818803214784938189089972", "-0.012250780682461774703343094",
                  "0.49667823475440740220527784", "-0.012262498337624086792631482" },
                { "-0.024140986400240151587661872", "-0.4890711917944166787044501",
                  "-0.024141053756972198900323174", "-0.4904995908863430002987687" } },
              { DOUBLE_PENDULUM,
                "lobatto 3",
                40,
                2,
                { "0.24818804200815287596702703", "-0.012250580921370227418272516",
                  "0.49667824460522310687467672", "-0.012262498080760228952607704" },
                { "-0.024140620429854797487240146", "-0.48907177184521111391596832",
                  "-0.024140688906684439980533806", "-0.49049961389332070389968142" } } };

static void test_digits(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        noe_system *s = parse(known[k].text);
        const int   n = s->dyn.n;
        for (int digits = 15; digits <= 33; digits += 18) {
            noe_integrator *g = integrator(s, known[k].method, (quad)1 / known[k].inverse_step,
                                           digits);
            quad            q[4], p[4];
            steps(g, known[k].steps);
            noe_integrator_state_get(g, NOE_AT_Q, q);
            noe_integrator_state_get(g, NOE_AT_P, p);
            for (int j = 0; j < n; j++) {
                small(q[j] - number(known[k].q[j]), 1, digits > 15 ? 2e-25 : 5e-15,
                      known[k].method);
                small(p[j] - number(known[k].p[j]), 1, digits > 15 ? 2e-24 : 2e-14,
                      known[k].method);
            }
            noe_integrator_free(g);
        }
        noe_system_free(s);
    }
}

/* ---- the same mechanism in angles and in Cartesian coordinates ---- */

enum { TEXT = 2500 };

typedef struct {
    char tied[TEXT], free[TEXT];
} two_forms;

/* Two masses that depend on position, on two rods under a support that moves, with friction. */
static two_forms random_two_rods(bool driven)
{
    const double l = 0.7 + 0.3 * random_number(), k = 0.7 + 0.3 * random_number(),
                 a = 1.2 * random_number(), b = 1.2 * random_number(), u = random_number(),
                 v = random_number(), A = driven ? 0.2 * random_number() : 0,
                 w = 2 + random_number(), c = driven ? 0.1 + 0.05 * random_number() : 0;
    char      common[TEXT / 2];
    two_forms x;
    snprintf(common, sizeof common,
             "kinetic (1 + %.3f*x1^2)/2*(x1'^2 + y1'^2) + 0.7/2*(x2'^2 + y2'^2) + %.3f*x1'*x2'\n"
             "potential 5*y1 + 4*y2 + %.3f*x2^4\n"
             "%s"
             "observe X = x1, Y = y1, U = x2, W = y2, X1 = x1', Y1 = y1', U1 = x2', W1 = y2'\n",
             0.3 + 0.2 * random_number(), 0.2 * random_number(), 0.5 * random_number(),
             driven ? "dissipation c/2*(x1'^2 + (x2' - x1')^2)\n" : "");
    snprintf(
        x.free, TEXT,
        "parameter l = %.17g, k = %.17g, A = %.17g, w = %.17g, c = %.17g\ncoordinate a, b\n"
        "x1 = A*sin(w*t) + l*sin(a)\ny1 = -l*cos(a)\nx2 = x1 + k*sin(b)\ny2 = y1 - k*cos(b)\n%s"
        "start a = %.17g, b = %.17g, a' = %.17g, b' = %.17g\n",
        l, k, A, w, c, common, a, b, u, v);
    snprintf(
        x.tied, TEXT,
        "parameter l = %.17g, k = %.17g, A = %.17g, w = %.17g, c = %.17g\n"
        "parameter a = %.17g, b = %.17g, u = %.17g, v = %.17g\ncoordinate x1, y1, x2, y2\n%s"
        "constraint upper: (x1 - A*sin(w*t))^2 + y1^2 = l^2\n"
        "constraint lower: sqrt((x2 - x1)^2 + (y2 - y1)^2) = k\n"
        "start x1 = l*sin(a), y1 = -l*cos(a), x2 = l*sin(a) + k*sin(b), y2 = -l*cos(a) - k*cos(b)\n"
        "start x1' = A*w + l*cos(a)*u, y1' = l*sin(a)*u, "
        "x2' = A*w + l*cos(a)*u + k*cos(b)*v, y2' = l*sin(a)*u + k*sin(b)*v\n",
        l, k, A, w, c, a, b, u, v, common);
    return x;
}

enum { LOOKS = 10 };

/* to [8] = positions and velocities of both masses at t = 1; *balance = largest of LOOKS until
 * then, as one of them may change its sign there */
static void at_one(const noe_system *s, const char *name, int count, quad *to, quad *balance)
{
    static const char *const column[] = { "X", "Y", "U", "W", "X1", "Y1", "U1", "W1", "balance" };
    noe_integrator          *g = integrator(s, name, (quad)1 / count, 33);
    *balance = 0;
    for (int look = 0; look < LOOKS; look++) {
        steps(g, count / LOOKS);
        for (int i = 0; i < 9; i++) {
            noe_column c;
            assert_true(noe_column_name_find(s, column[i], &c));
            const quad x = noe_column_value(g, &c);
            if (i < 8) to[i] = x;
            else *balance = fmaxq(*balance, fabsq(x));
        }
    }
    noe_integrator_free(g);
}

/* The slope of the last halving, or of both: one of the errors may change its sign, and then one of
 * the two shows it. */
static double slope(const quad *error)
{
    return (double)fmaxq(log2q(error[1] / error[2]), log2q(error[0] / error[2]) / 2);
}

static void test_orders(void **unused)
{
    (void)unused;
    static const char *const name[] = { "lobatto 1",       "simpson",           "lobatto 3",
                                        "lobatto 4",       "midpoint",          "gauss 2",
                                        "gauss 3",         "P2 gauss 3",        "P3 lobatto 5",
                                        "P3 radau-left 3", "compose 4 midpoint" };
    double                   last[2][sizeof name / sizeof *name];
    for (int driven = 0; driven < 2; driven++) {
        const two_forms x = random_two_rods(driven);
        noe_system     *tied = parse(x.tied), *angles = parse(x.free);
        quad            exact[8], y[8], ignored;
        at_one(angles, "gauss 8", 200, exact, &ignored);
        for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
            noe_method  *f = method(name[k]);
            const double order = noe_method_order(f);
            quad         error[3] = { 0 }, balance[3];
            const int count = strstr(name[k], "radau") ? 320 : order < 3 ? 80 : order < 6 ? 40 : 20;
            for (int i = 0; i < 3; i++) {
                at_one(tied, name[k], count << i, y, &balance[i]);
                for (int j = 0; j < 8; j++) error[i] += fabsq(y[j] - exact[j]);
            }
            last[driven][k] = (double)log2q(error[1] / error[2]);
            if (!(slope(error) > order - 0.5))
                fail_msg("%s, driven %d: errors %.3g %.3g %.3g, order %.0f\n%s", name[k], driven,
                         (double)error[0], (double)error[1], (double)error[2], order, x.tied);
            if (!(slope(balance) > order - 1))
                fail_msg("%s, driven %d: balance %.3g %.3g %.3g, order %.0f", name[k], driven,
                         (double)balance[0], (double)balance[1], (double)balance[2], order);
            noe_method_free(f);
        }
        noe_system_free(tied), noe_system_free(angles);
    }
    for (size_t k = 0; k < sizeof name / sizeof *name; k++)
        printf("%-20s %5.2f %5.2f\n", name[k], last[0][k], last[1][k]);
}

/* The force of a rod of length l under a support A sin(w t): along the rod
 * lambda = m X'' sin a - m l a'^2 - m g cos a. */
static void test_force(void **unused)
{
    (void)unused;
    const double m = 1.5 + random_number(), l = 1 + 0.5 * random_number(),
                 A = 0.3 * random_number(), w = 3 + random_number(), a = 2 * random_number();
    char text[2][600];
    snprintf(text[0], sizeof text[0],
             "parameter m = %.17g, l = %.17g, A = %.17g, w = %.17g, a = %.17g\ncoordinate x, y\n"
             "kinetic m/2*(x'^2 + y'^2)\npotential 9.81*m*y\n"
             "constraint rod: sqrt((x - A*sin(w*t))^2 + y^2) = l\n"
             "start x = l*sin(a), y = -l*cos(a), x' = A*w\n",
             m, l, A, w, a);
    snprintf(text[1], sizeof text[1],
             "parameter m = %.17g, l = %.17g, A = %.17g, w = %.17g\ncoordinate a\n"
             "x = A*sin(w*t) + l*sin(a)\n"
             "y = -l*cos(a)\nkinetic m/2*(x'^2 + y'^2)\npotential 9.81*m*y\nstart a = %.17g\n"
             "observe force = -m*A*w^2*sin(w*t)*sin(a) - m*l*a'^2 - 9.81*m*cos(a)\n",
             m, l, A, w, a);
    noe_system *s[2] = { parse(text[0]), parse(text[1]) };
    noe_column  c[2];
    assert_true(noe_column_name_find(s[0], "rod.force", &c[0]));
    assert_true(noe_column_name_find(s[1], "force", &c[1]));
    noe_integrator *g = integrator(s[1], "gauss 8", (quad)1 / 200, 33);
    steps(g, 200);
    const quad exact = noe_column_value(g, &c[1]);
    noe_integrator_free(g);
    for (int degree = 1; degree <= 4; degree++) {
        quad error[3];
        char name[20];
        snprintf(name, sizeof name, "lobatto %d", degree);
        for (int i = 0; i < 3; i++) {
            const int count = (degree < 2 ? 80 : 20) << i;
            g = integrator(s[0], name, (quad)1 / count, 33);
            steps(g, count);
            error[i] = fabsq(noe_column_value(g, &c[0]) - exact);
            noe_integrator_free(g);
        }
        if (!(log2q(error[0] / error[2]) / 2 > 2 * degree - 0.6))
            fail_msg("%s: force of the rod: errors %.3g %.3g %.3g of %.3g", name, (double)error[0],
                     (double)error[1], (double)error[2], (double)exact);
    }
    noe_system_free(s[0]), noe_system_free(s[1]);
}

/* ---- random mechanisms ---- */

/* What cannot be done is refused with its reason. */
/* A bead on a sphere, with a mass that moves, from a random state: coordinates named by letters. */
static void write_bead(char *text, const char *letters)
{
    static const char model[] = "kinetic (1 + X^2/4)*(X'^2 + Y'^2 + X'*Y'/3)/2 + Z'^2/2\n"
                                "potential 9.81*Y + Z^2*X\nconstraint XX: X^2 + Y^2 + Z^2 = 1\n";
    double            at[3], size = 0;
    char             *to = text;
    for (const char *c = model; *c; c++) *to++ = *c < 'X' || *c > 'Z' ? *c : letters[*c - 'X'];
    *to = 0;
    for (int j = 0; j < 3; j++) at[j] = random_number(), size += at[j] * at[j];
    for (int j = 0; j < 3; j++)
        to += sprintf(to, "start %c = %.17g, %c' = %.17g\n", letters[j], at[j] / sqrt(size),
                      letters[j], random_number());
}

/* Two beads that do not know of each other, their coordinates by turns, move as each alone. */
static void test_parts(void **unused)
{
    (void)unused;
    enum { STEPS = 100 };
    static const char *const name[] = { "lobatto 1", "simpson", "gauss 2", "gauss 3" };
    static const char *const letters[] = { "acd", "uwy" };
    for (int k = 0; k < 8; k++) {
        char            part[2][800], text[3][2000];
        noe_integrator *g[3];
        noe_system     *s[3];
        for (int b = 0; b < 2; b++) {
            write_bead(part[b], letters[b]);
            sprintf(text[b], "coordinate %c, %c, %c\n%s", letters[b][0], letters[b][1],
                    letters[b][2], part[b]);
        }
        sprintf(text[2], "coordinate a, u, c, w, d, y\n%s%s", part[0], part[1]);
        for (int i = 0; i < 3; i++) {
            noe_method *m = method(name[k % 4]);
            s[i] = parse(text[i]), g[i] = noe_integrator_new(s[i], m, 0.01);
            if (!g[i] || noe_run(g[i], 0.01 * STEPS, NULL, NULL))
                fail_msg("%s: %s\n%s", name[k % 4], noe_error(), text[i]);
            noe_method_free(m);
        }
        for (int j = 0; j < 6; j++) {
            const double size = 1 + fabs(noe_p(g[j % 2])[j / 2]);
            small(noe_q(g[2])[j] - noe_q(g[j % 2])[j / 2], size, 5e-15, text[2]);
            small(noe_p(g[2])[j] - noe_p(g[j % 2])[j / 2], size, 5e-15, text[2]);
        }
        for (int i = 0; i < 3; i++) noe_integrator_free(g[i]), noe_system_free(s[i]);
    }
}

static void refused(const char *text, const char *name, int digits, const char *words)
{
    noe_error_clear();
    noe_system     *s = parse(text);
    noe_method     *f = method(name);
    noe_integrator *g = noe_integrator_make(s, f, 0.01, digits);
    const bool      failed = !g || noe_integrator_start_ready(g);
    if (!failed || !strstr(noe_error(), words)) fail_msg("'%s' not in '%s'", words, noe_error());
    noe_integrator_free(g), noe_method_free(f), noe_system_free(s);
}

static void test_refused(void **unused)
{
    (void)unused;
#define PLANE "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
    refused(PENDULUM, "rk4", 15, "'rk4' cannot keep the constraint 'rod'");
    refused(PENDULUM, "verlet", 15, "its drifts leave the surface");
    refused(PENDULUM, "simpson", 50, "up to 33 digits");
    refused(PLANE "constraint rod: x^2 + y^2 = 1\nstart x = 0.9", "simpson", 15,
            "'rod' does not hold at the start: its sides differ by 0.19; the nearest start that "
            "satisfies "
            "all constraints is x = 1, y = 0");
    refused(PLANE "constraint rod: x^2 + y^2 = -1\nstart x = 0.9", "simpson", 15,
            "no start near it satisfies all constraints");
    refused(PLANE "constraint rod: x^2 + y^2 = -1\nstart x = 1", "simpson", 15, /* ends in 0 */
            "no start near it satisfies all constraints");
    refused(PLANE "constraint line: y^2 = 0\nstart x = 1", "simpson", 15,
            "'line' has the gradient 0 at the start");
    noe_system *s = parse(PENDULUM);
    noe_method *f = method("simpson");
    noe_method *leaves = method("verlet");
    assert_null(noe_check(s, leaves, 0.01));
    assert_non_null(strstr(noe_error(), "cannot keep the constraint 'rod'"));
    noe_method_free(leaves);
    noe_error_clear();
    assert_null(noe_system_emit(s, "pendulum"));
    assert_non_null(strstr(noe_error(), "is not written for systems with constraints"));
    noe_method_free(f), noe_system_free(s);
}

/* A place held at 0, written with a few digits of rounding, alone and turned: what Newton's method
 * leaves there is no length. */
static void test_held_at_zero(void **unused)
{
    (void)unused;
    for (int i = 0; i < 12; i++) {
        char         text[400];
        const double off = pow(10, -12 + 5 * random_number()), a = 1 + 0.4 * random_number();
        snprintf(text, sizeof text,
                 "coordinate x, y, u\nkinetic x'^2/2 + %.17g*y'^2 + u'^2/2\npotential u^4\n"
                 "constraint %s\nstart x = %.17g, y = %.17g, u = 1\n",
                 a,
                 i % 3 ? "k: x + y = 0\nconstraint l: 2*x - 3*y = 0"
                       : "k: x = 0\nconstraint l: y*(3 + y) = 0",
                 off, -a * off);
        noe_system     *s = parse(text);
        noe_integrator *g = integrator(s, "simpson", 0.01, 15);
        if (noe_step(g)) fail_msg("%s\n%s", noe_error(), text);
        assert_true(fabs(noe_q(g)[0]) <= 1e-30 && fabs(noe_q(g)[1]) <= 1e-30);
        noe_integrator_free(g), noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits),  cmocka_unit_test(test_orders),
        cmocka_unit_test(test_force),   cmocka_unit_test(test_parts),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_held_at_zero),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g\n", tightest);
    return failed;
}
