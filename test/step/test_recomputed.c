/* (q, p)_j and |H - H_0| / H_0 as recomputed elsewhere:  double pendulum and heavy top.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Digit by digit. The systems of J. A. Rojas-Quintero, F. Dubois, F. Jourdan, arXiv:2512.03330
 * (the paper), sections 3 and 4, with the parameters of systems/double_pendulum.lag and
 * lagrange_top.lag.  All numbers were computed in binary128 by another program from the papers'
 * schemes. */
#include "exact.h"

/* ---- states ---- */

static const struct state {
    const char *system, *method, *period; /* the step is period / parts */
    int         parts, steps;
    const char *q[3], *p[3];
} states[] = {
#define DOUBLE "systems/double_pendulum.lag", "simpson", "1", 40
    { DOUBLE,
      1,
      { "1.558459751505644956508237", "1.570795544583376261030868" },
      { "-0.1218825118346800278624231", "-0.06094222265390017319592855" } },
    { DOUBLE,
      40,
      { "-0.4645489098551420694686888", "-1.305731010142376104195324" },
      { "1.004560628979818044644722", "0.6307160191068667102999475" } },
#define LOOPS(method) "systems/lagrange_top.lag", method, "1.08746005479562446215826289879e-01", 20
#define CUSPS(method) \
    "systems/lagrange_top_cusps.lag", method, "2.64291785114457893333273594049e-01", 20
    { LOOPS("simpson"),
      1,
      { "1.349975957254808504949e-01", "1.035554769466811711504e+00",
        "5.437459157170728712675e-01" },
      { "5.601562500000000000000e-04", "-4.736506729465894043706e-05",
        "7.031250000000000000000e-04" } },
    { LOOPS("simpson"),
      20,
      { "5.940639663695306733286e-01", "1.047197531414011545407e+00",
        "1.208335204990427383714e+01" },
      { "5.601562500000000000000e-04", "6.216819737475643752874e-08",
        "7.031250000000000000000e-04" } },
    { LOOPS("midpoint"),
      1,
      { "1.345498381950995690015e-01", "1.035688427169326696761e+00",
        "5.437519371712990521931e-01" },
      { "5.601562500000000000000e-04", "-4.709653627781440646158e-05",
        "7.031250000000000000000e-04" } },
    { LOOPS("midpoint"),
      20,
      { "5.721871190414917575510e-01", "1.046686148636563018842e+00",
        "1.208924850097133360515e+01" },
      { "5.601562500000000000000e-04", "1.001088366186596814896e-05",
        "7.031250000000000000000e-04" } },
    { LOOPS("gauss 2"),
      1,
      { "1.349969812237794283447e-01", "1.035554718386509299330e+00",
        "5.437459807689095747350e-01" },
      { "5.601562500000000000000e-04", "-4.736477179817207584401e-05",
        "7.031250000000000000000e-04" } },
    { LOOPS("gauss 2"),
      20,
      { "5.941596492253873785614e-01", "1.047197546591224535205e+00",
        "1.208330443171052630293e+01" },
      { "5.601562500000000000000e-04", "2.998883869330226480398e-08",
        "7.031250000000000000000e-04" } },
    { LOOPS("lobatto 3"),
      1,
      { "1.349974447942429387487e-01", "1.035554599629750220389e+00",
        "5.437461917687965452939e-01" },
      { "5.601562500000000000000e-04", "-4.736513941618461755528e-05",
        "7.031250000000000000000e-04" } },
    { LOOPS("lobatto 3"),
      20,
      { "5.942337577908349053496e-01", "1.047197551195771745836e+00",
        "1.208328400564747546764e+01" },
      { "5.601562500000000000000e-04", "4.128883217460002881839e-10",
        "7.031250000000000000000e-04" } },
    { CUSPS("simpson"),
      1,
      { "3.793608027868351238596e-04", "1.050156160888035080610e+00",
        "1.658703133284316065362e-01" },
      { "1.256637061435917295385e+01", "4.437986872367776239844e-01",
        "2.513274122871834590770e+01" } },
    { CUSPS("simpson"),
      20,
      { "4.259473884807937694396e-01", "1.047197551445291045552e+00",
        "3.141589195501107754456e+00" },
      { "1.256637061435917295385e+01", "-1.304039827309226470521e-04",
        "2.513274122871834590770e+01" } },
};
enum { STATES = sizeof states / sizeof *states };

/* The largest difference from the known state, each number relative to its largest value in a
 * period. */
static double difference(const noe_engine *engine, const struct state *x)
{
    noe_system *s = load(x->system);
    noe_method *m = method(x->method);
    run         r = make_run(engine, s, m, number(x->period) / x->parts);
    const point start = model_start(s);
    quad        q[DOFS], p[DOFS], worst = 0;
    start_run(r, &start, false);
    for (int j = 0; j < r.n; j++) q[j] = fabsq(start.q[j]), p[j] = fabsq(start.p[j]);
    point y = start;
    for (int k = 1; k <= x->parts; k++) {
        step_run(r);
        const point now = get_point(r, 0);
        for (int j = 0; j < r.n; j++) {
            q[j] = fmaxq(q[j], fabsq(now.q[j]));
            p[j] = fmaxq(p[j], fabsq(now.p[j]));
        }
        if (k == x->steps) y = now;
    }
    for (int j = 0; j < r.n; j++) {
        worst = fmaxq(worst, fabsq(y.q[j] - number(x->q[j])) / q[j]);
        worst = fmaxq(worst, fabsq(y.p[j] - number(x->p[j])) / p[j]);
    }
    engine->drop(r.work);
    noe_method_free(m);
    noe_system_free(s);
    return (double)worst;
}

static void test_states(void **unused)
{
    (void)unused;
    for (int i = 0; i < STATES; i++) {
        /* measured: 2.3e-15 */
        small(difference(noe_engine_double(), &states[i]), 1, 1e-13, states[i].method);
        /* of 22 digits */
        small(difference(noe_engine_quad(), &states[i]), 1, 1e-20, states[i].method);
    }
}

/* ---- energy errors, sup over the nodes of |H - H_0| / H_0 ---- */

static double energy_error(const noe_engine *engine, const noe_system *s, const noe_method *m,
                           quad h, int steps)
{
    run         r = make_run(engine, s, m, h);
    const point x = model_start(s);
    start_run(r, &x, false);
    const quad H0 = get_one(r, 0, NOE_AT_ENERGY);
    quad       worst = 0;
    for (int k = 0; k < steps; k++) {
        step_run(r);
        worst = fmaxq(worst, fabsq(get_one(r, 0, NOE_AT_ENERGY) - H0));
    }
    engine->drop(r.work);
    return (double)(worst / H0);
}

/* Double pendulum from (pi/2, pi/2), N steps a second, four digits; 0 where the other program
 * left the motion by a far root (midpoint, gauss 2) or did not run. */
static const struct energy {
    const char *method;
    double      to_1[6], to_10[6]; /* until t = 1 and 10; N = 10, 20, 40, 80, 160, 320 */
} energies[] = {
    { "midpoint",
      { 1.662e-02, 7.365e-03, 1.802e-03, 4.769e-04, 1.196e-04, 2.995e-05 },
      { 0, 0, 6.201e-02, 1.358e-02, 3.920e-03, 7.487e-04 } },
    { "simpson",
      { 4.294e-03, 1.813e-04, 1.122e-05, 7.531e-07, 4.721e-08, 2.967e-09 },
      { 0, 0, 4.103e-03, 1.121e-04, 7.080e-06, 4.174e-07 } },
    { "gauss 2",
      { 2.204e-03, 1.846e-04, 1.065e-05, 5.876e-07, 3.584e-08, 0 },
      { 0, 0, 2.678e-03, 1.027e-04, 4.857e-06, 0 } },
    { "lobatto 3",
      { 2.026e-04, 5.949e-06, 1.443e-07, 1.981e-09, 3.028e-11, 0 },
      { 0, 0, 9.249e-04, 4.481e-06, 4.785e-08, 0 } },
    { "rk4",
      { 0, 0, 9.4150e-05, 3.0939e-06, 1.0146e-07, 6.1087e-09 },
      { 0, 0, 4.1621e-02, 2.4868e-03, 8.4381e-05, 2.0954e-06 } },
    { "rk4-v",
      { 0, 0, 5.8343e-05, 2.1900e-06, 1.2900e-07, 9.4152e-09 },
      { 0, 0, 4.2402e-02, 2.7752e-03, 8.4031e-05, 2.4105e-06 } },
};
enum { ENERGIES = sizeof energies / sizeof *energies };

static void test_energy_of_the_double_pendulum(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/double_pendulum.lag");
    for (const struct energy *x = energies; x < energies + ENERGIES; x++) {
        noe_method *m = method(x->method);
        for (int i = 0; i < 6; i++) {
            const int N = 10 << i;
            for (int which = 0; which < 2; which++) {
                const noe_engine *engine = which ? noe_engine_quad() : noe_engine_double();
                const quad        h = (quad)1 / N;
                if (x->to_1[i] != 0)
                    digits(energy_error(engine, s, m, h, N), x->to_1[i], 5.1e-4, x->method);
                if (x->to_10[i] != 0)
                    digits(energy_error(engine, s, m, h, 10 * N), x->to_10[i], 5.1e-4, x->method);
            }
        }
        noe_method_free(m);
    }
    noe_system_free(s);
}

/* ---- the heavy top: nutation sup |theta - exact| / exact, and energy, N steps a nutation
 * period ---- */

static const struct top {
    const char *method;
    int         periods;
    double      nutation[3], energy[3]; /* N = 10, 20, 40 */
} tops[] = {
    { "midpoint", 1, { 8.209e-02, 2.271e-02, 5.845e-03 }, { 1.466e-03, 4.068e-04, 1.048e-04 } },
    { "simpson", 1, { 2.061e-03, 1.607e-04, 1.033e-05 }, { 1.016e-04, 5.636e-06, 3.446e-07 } },
    { "gauss 2", 1, { 9.527e-04, 7.408e-05, 4.733e-06 }, { 6.552e-05, 3.390e-06, 2.045e-07 } },
    { "lobatto 3", 1, { 7.390e-05, 1.145e-06, 1.849e-08 }, { 1.178e-06, 2.900e-08, 4.389e-10 } },
    { "midpoint", 10, { 1.079e+00, 2.947e-01, 6.929e-02 }, { 1.510e-03, 4.078e-04, 1.048e-04 } },
    { "simpson", 10, { 2.321e-02, 1.759e-03, 1.129e-04 }, { 1.016e-04, 5.636e-06, 3.446e-07 } },
    { "gauss 2", 10, { 1.097e-02, 8.456e-04, 5.379e-05 }, { 6.552e-05, 3.390e-06, 2.045e-07 } },
    { "lobatto 3", 10, { 7.447e-04, 1.177e-05, 1.899e-07 }, { 1.393e-06, 2.900e-08, 4.389e-10 } },
    { "rk4", 1, { 5.388e-03, 3.785e-04, 2.442e-05 }, { 6.711e-04, 2.633e-05, 8.565e-07 } },
    { "rk4-v", 1, { 3.467e-03, 2.424e-04, 1.478e-05 }, { 5.266e-04, 2.796e-05, 1.695e-06 } },
    { "rk4", 10, { 1.651e-01, 9.069e-03, 4.329e-04 }, { 5.597e-03, 2.612e-04, 8.563e-06 } },
    { "rk4-v", 10, { 1.082e-01, 3.630e-03, 1.958e-04 }, { 2.091e-03, 4.938e-05, 2.736e-06 } },
};
enum { TOPS = sizeof tops / sizeof *tops };

static void test_heavy_top(void **unused)
{
    (void)unused;
    const nutation exact = loops();
    noe_system    *s = load("systems/lagrange_top.lag");
    small(exact.period - number("0.10874600547956244621582628987883"), exact.period, 1e-30,
          "period");
    for (const struct top *x = tops; x < tops + TOPS; x++) {
        noe_method *m = method(x->method);
        for (int i = 0; i < 3; i++) {
            const int  N = 10 << i, steps = N * x->periods;
            const quad h = exact.period / N;
            digits(nutation_error(s, m, &exact, h, steps), x->nutation[i], 5.1e-4, x->method);
            digits(energy_error(noe_engine_double(), s, m, h, steps), x->energy[i], 5.1e-4,
                   x->method);
        }
        noe_method_free(m);
    }
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states),
        cmocka_unit_test(test_energy_of_the_double_pendulum),
        cmocka_unit_test(test_heavy_top),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
