/* q(t) as others published it:  Kepler, Pleiades, Arenstorf, Duffing, a trapezoidal trajectory.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Coarse steps. Sources: DETEST (T. E. Hull et al., SIAM J. Numer. Anal. 9 (1972) 603), problems
 * D1, D3, D5; E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I,
 * II.0 and II.10; the Jacobi function cn for Duffing's oscillator; permas4edu for the damped
 * chain; the tests of github.com/Ipuch/variational_integrator. */
#include "laws.h"

#include "base/lapack.h"

#include <complex.h>

/* A run in double to the end of the time; the state there, with velocities. */
static point run_until(const noe_system *s, const char *name, quad h, quad until)
{
    noe_method *m = method(name);
    run         r = make_run(noe_engine_double(), s, m, h);
    const point x = model_start(s);
    start_run(r, &x, false);
    for (int k = 0, steps = (int)roundq(until / h); k < steps; k++) step_run(r);
    point y = get_point(r, 0);
    r.engine->get(r.work, NOE_AT_V, 0, y.v);
    r.engine->drop(r.work);
    noe_method_free(m);
    return y;
}

static void test_kepler(void **unused)
{
    (void)unused;
    static const struct {
        const char *e;
        double      x, y, vx, vy; /* at t = 20 */
    } orbit[] = {
        { "e = 0.1", 0.219883535200840, 0.942707684634181, -0.978765984105818, 0.328797799096204 },
        { "e = 0.5", -0.578043295303535, 0.863384000919419, -0.959508373038073,
          -0.065049151267120 },
        { "e = 0.9", -1.295266250987576, 0.400393896379232, -0.677539092470755,
          -0.127083815427869 },
    };
    noe_system *s = load("systems/kepler.lag");
    for (int i = 0; i < 3; i++) {
        noe_system *now = noe_system_let(s, orbit[i].e);
        assert_non_null(now);
        const point  y = run_until(now, "gauss 8", (quad)1 / 200, 20);
        const double error[] = { (double)y.q[0] - orbit[i].x, (double)y.q[1] - orbit[i].y,
                                 (double)y.v[0] - orbit[i].vx, (double)y.v[1] - orbit[i].vy };
        for (int k = 0; k < 4; k++)
            small(error[k], 1, 2e-12, orbit[i].e); /* measured: 7.5e-14, e = 0.9 */
        noe_system_free(now);
    }
    noe_system_free(s);
}

static void test_pleiades(void **unused)
{
    (void)unused;
    static const double exact[] = { 0.3706139143970502,  3.237284092057233,  -3.222559032418324,
                                    0.6597091455775310,  0.3425581707156584, 1.562172101400631,
                                    -0.7003092922212495, -3.943437585517392, -3.271380973972550,
                                    5.225081843456543,   -2.590612434977470, 1.198213693392275,
                                    -0.2429682344935824, 1.091449240428980 };
    noe_system         *s = load("systems/pleiades.lag");
    const point         y = run_until(s, "gauss 6", (quad)1 / 2000, 3);
    for (int j = 0; j < 14; j++) /* measured: 1e-13 */
        small(y.q[j] - exact[j], 1, 5e-12, noe_system_name(s, j));
    noe_system_free(s);
}

/* Closes; the double nearest to the start's velocity opens it by about 1e-10. */
static void test_arenstorf(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/arenstorf.lag");
    const point x = model_start(s);
    const quad  period = number("17.0652165601579625588917206249");
    const point y = run_until(s, "gauss 8", period / 12000, period);
    for (int j = 0; j < 2; j++) {
        small(y.q[j] - x.q[j], 1, 2e-11, "place");   /* measured: 5e-13 */
        small(y.v[j] - x.v[j], 1, 4e-9, "velocity"); /* measured: 9e-11 */
    }
    noe_system_free(s);
}

static void test_duffing(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/duffing.lag");
    const quad  period = number("4.768022029102460");
    for (int periods = 1; periods <= 10; periods += 9) {
        const point y = run_until(s, "gauss 6", period / 100, periods * period);
        small(y.q[0] - 1, 1, 1e-14, "place");
        small(y.v[0], 1, 5e-14 * periods,
              "velocity"); /* measured: 1.4e-15 a period; its 16 digits */
    }
    noe_system_free(s);
}

/* A physical pendulum: mass 1, centre of mass at (0.0688, -0.9542), inertia about it 0.0391. */
static void test_trapezoidal_trajectory(void **unused)
{
    (void)unused;
    noe_system *s = parse("parameter y = 0.0688, z = -0.9542, I = 0.0391 + y^2 + z^2\n"
                          "coordinate q\n"
                          "kinetic I/2*q'^2\n"
                          "potential 9.81*(y*sin(q) + z*cos(q))\n"
                          "start q = 1.54\n");
    const point x = run_until(s, "lobatto 1", (quad)1 / 100, (quad)99 / 100);
    small(x.q[0] - number("-1.479865618493051"), 1, 1e-13, "q"); /* measured: 1.3e-14 */
    small(x.v[0] - number("-1.999894365826913"), 1, 1e-13, "v"); /* measured: 8.5e-15 */
    noe_system_free(s);
}

/* ---- coarse steps: the right root, or an error; never a jump of the energy ---- */

/* Until t = 100, or the error: the largest energy error, the largest change in one step,
 * relative to the largest energy so far. */
static noe_status coarse(const noe_system *s, const noe_method *m, int N, const point *x,
                         double *error, double *jump, double *local)
{
    run        r = make_run(noe_engine_double(), s, m, (quad)1 / N);
    noe_status status = NOE_OK;
    start_run(r, x, false);
    const double H0 = (double)get_one(r, 0, NOE_AT_ENERGY);
    double       H = H0, most = H0;
    for (int k = 0; k < 100 * N && !status; k++) {
        const double before = H;
        if (r.engine->step(r.work)) status = r.engine->why(r.work, 0);
        H = (double)get_one(r, 0, NOE_AT_ENERGY);
        if (status) assert_true(H == before); /* the state before the step is kept */
        *jump = fmax(*jump, fabs(H - before) / most);
        *error = fmax(*error, fabs(H - H0) / H0);
        most = fmax(most, H);
    }
    *local = (double)r.engine->guard->jump(r.work, 0).size;
    r.engine->drop(r.work);
    return status;
}

/* Twelve methods on the double pendulum, from the start of the model and 1e-10 beside it.  At
 * ten steps a second the methods' own energy error grows to 25 of the energy, mostly by roots
 * that continuation in h confirms; a far root in earnest shows as a jump of 1e6 and more. */
static void test_coarse_steps_fail_loudly(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/double_pendulum.lag");
    for (int trial = 0; trial < 4; trial++)
        for (int i = 0; i < METHODS; i++)
            for (int N = 5; N <= 40; N *= 2) {
                point       x = model_start(s);
                noe_method *m = method(every_method[i]);
                double      error = 0, jump = 0, local = 0;
                if (trial) x.q[0] += (quad)1e-10 * random_number();
                const noe_status status = coarse(s, m, N, &x, &error, &jump, &local);
                assert_true(status == NOE_OK || status == NOE_NOT_CONVERGED);
                /* measured: 12; else the run stops or warns */
                if (!status && local <= 0.08) small(jump, 1, 25, m->name);
                if (!status && local <= 0.08) small(error, 1, 500, m->name); /* measured: 25 */
                if (N == 40 && m->order > 2 && status)
                    fail_msg("%s stops at N = 40, energy error %g, local %g", m->name, error,
                             local);
                if (N == 40 && m->order > 2) small(error, 1, 1, m->name); /* measured: 0.08 */
                if (N < 40 && !strcmp(m->name, "midpoint"))               /* then the run warns */
                    assert_true(status == NOE_NOT_CONVERGED || local > 0.3);
                noe_method_free(m);
            }
    noe_system_free(s);
}

/* Ten masses in a row, three dashpots: every start of a unit is run for a tenth of a second;
 * what these runs make of the units is exp(A/10), and its eigenvalues have the published complex
 * frequencies (permas4edu 0012). */
static void test_damped_chain(void **unused)
{
    (void)unused;
    enum { MASSES = 10, Z = 2 * MASSES };
    static const double published[][2] = { { -6.10721e-4, 1.49460 },
                                           { -5.32214e-3, 4.45045 },
                                           { -9.84420e-3, 7.30697 },
                                           { -2.85706e-2, 10.0003 } };
    char                text[4000], *at = text;
    const quad          T = (quad)1 / 10;
    at += sprintf(at, "coordinate x1");
    for (int i = 2; i <= MASSES; i++) at += sprintf(at, ", x%d", i);
    at += sprintf(at,
                  "\nparameter m = 1e3, k = 1e5, c = 200\npotential k/2*x1^2\nkinetic m/2*x1'^2\n");
    for (int i = 2; i <= MASSES; i++)
        at += sprintf(at, "kinetic m/2*x%d'^2\npotential k/2*(x%d - x%d)^2\n", i, i, i - 1);
    for (int i = 1; i < MASSES; i += 4)
        at += sprintf(at, "dissipation c/2*(x%d' - x%d')^2\n", i + 1, i);
    noe_system *s = parse(text);
    noe_method *m = method("gauss 6");
    double      M[Z * Z], re[Z], im[Z], work[20 * Z];
    for (int c = 0; c < Z; c++) {
        run   r = make_run(noe_engine_double(), s, m, T / 10);
        point x = { 0 };
        *(c < MASSES ? &x.q[c] : &x.v[c - MASSES]) = 1;
        start_run(r, &x, false);
        for (int k = 0; k < 10; k++) step_run(r);
        x = get_point(r, 0);
        r.engine->get(r.work, NOE_AT_V, 0, x.v);
        for (int i = 0; i < Z; i++) M[c * Z + i] = (double)(i < MASSES ? x.q[i] : x.v[i - MASSES]);
        r.engine->drop(r.work);
    }
    const int n = Z, one = 1, room = 20 * Z;
    int       info;
    dgeev_("N", "N", &n, M, &n, re, im, NULL, &one, NULL, &one, work, &room, &info, 1, 1);
    assert_int_equal(info, 0);
    for (size_t k = 0; k < sizeof published / sizeof *published; k++) {
        double nearest = 1, loss = 0;
        for (int i = 0; i < Z; i++) {
            const double complex l = clog(re[i] + I * im[i]) / (double)T;
            if (!(cabs(l - published[k][0] - I * published[k][1]) < nearest)) continue;
            nearest = cabs(l - published[k][0] - I * published[k][1]);
            loss = creal(l);
        }
        small(nearest, published[k][1], 5e-6,
              "a complex frequency"); /* half a unit of the last digit printed */
        small(loss - published[k][0], fabs(published[k][0]), 2e-6,
              "its real part"); /* measured: 6e-7, as published */
    }
    noe_method_free(m);
    noe_system_free(s);
}

/* The limit cycle of Van der Pol: x and t where x' falls through 0, by Newton's method on the
 * length of a step. */
static void test_van_der_pol(void **unused)
{
    (void)unused;
    static const struct {
        const char *mu, *period, *amplitude;
    } cycle[] = { { "mu = 10", "19.07836956693901407", "2.01428536092640528" },
                  { "mu = 1", "6.6632868593231302", "2.0086198608748431" } };
    noe_system *model = load("systems/van_der_pol.lag");
    noe_method *m = method("gauss 8");
    for (int i = 0; i < 2; i++) {
        noe_system *s = noe_system_let(model, cycle[i].mu);
        const quad  mu = (quad)noe_system_get(s, "mu");
        run         r = make_run(noe_engine_quad(), s, m, (quad)1 / 100);
        const point start = model_start(s);
        quad        last = 0, period = 0;
        start_run(r, &start, false);
        for (int top = 0; top < 7; top++) {
            quad before = -1;
            for (;;) {
                step_run(r);
                const point y = get_point(r, 0);
                if (before > 0 && y.p[0] <= 0) break;
                before = y.p[0];
            }
            point x = get_point(r, 0); /* a copy goes on to the top, the run does not stop there */
            run   to = make_run(noe_engine_quad(), s, m, 1);
            for (int k = 0; k < 6 && x.p[0] != 0; k++) {
                const quad h = -x.p[0] / (mu * (1 - x.q[0] * x.q[0]) * x.p[0] - x.q[0]),
                           t = x.t + h;
                to.engine->set(to.work, NOE_AT_STEP, 0, &h);
                start_run(to, &x, true);
                step_run(to);
                x = get_point(to, 0), x.t = t;
            }
            to.engine->drop(to.work);
            period = x.t - last, last = x.t;
            if (top == 6) small(x.q[0] - number(cycle[i].amplitude), 2, 1e-16, "amplitude");
        }
        small(period - number(cycle[i].period), number(cycle[i].period), 1e-16, "period");
        r.engine->drop(r.work);
        noe_system_free(s);
    }
    noe_method_free(m);
    noe_system_free(model);
}

/* G. N. I., section I.2.4: the energy of the published start; and a body's state against half
 * the step. */
static void test_outer(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/outer_solar_system.lag");
    assert_int_equal(noe_system_dim(s), 18);
    noe_method     *m = method("gauss 6");
    noe_integrator *g = noe_integrator_new(s, m, 100), *f = noe_integrator_new(s, m, 50);
    assert_true(fabs(noe_get(g, "energy") + 3.215453183208163e-8) < 1e-22);
    assert_int_equal(noe_run(g, 20000, NULL, NULL) | noe_run(f, 20000, NULL, NULL), NOE_OK);
    for (int i = 0; i < 18; i++)
        small(noe_q(g)[i] - noe_q(f)[i], 40, 1e-11, noe_system_name(s, i)); /* measured: 1e-13 */
    noe_integrator_free(g), noe_integrator_free(f), noe_method_free(m), noe_system_free(s);
}

/* The figure eight closes after its period, with its energy. */
static void test_eight(void **unused)
{
    (void)unused;
    noe_system     *s = load("systems/figure_eight.lag");
    noe_method     *m = method("gauss 6");
    noe_integrator *g = noe_integrator_new(s, m, 6.32591398 / 600);
    assert_true(fabs(noe_get(g, "energy") + 1.28714199643)
                < 2e-8); /* of eight-digit initial values */
    assert_int_equal(noe_run(g, 6.32591398, NULL, NULL), NOE_OK);
    small(noe_get(g, "x.1") - 0.97000436, 1, 5e-7,
          "x.1"); /* the eight digits of the period and the start */
    small(noe_get(g, "y.3"), 1, 5e-7, "y.3");
    small(noe_get(g, "x.3.v") + 0.93240737, 1, 5e-7, "x.3'");
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
}

/* Toda's ring: Henon's third integral keeps to the order of the method; thirteen atoms at rest
 * have the least energy. */
static void test_chains(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/toda.lag"), *big = noe_system_with(s, "N", 200),
               *l = load("systems/lennard_jones.lag");
    noe_method     *m = method("gauss 4");
    noe_integrator *g = noe_integrator_new(s, m, 0.1), *b = noe_integrator_new(big, m, 0.1),
                   *c = noe_integrator_new(l, m, 0.01);
    const double third = noe_get(g, "third"), more = noe_get(b, "third");
    assert_int_equal(noe_run(g, 20, NULL, NULL) | noe_run(b, 20, NULL, NULL), NOE_OK);
    small(noe_get(g, "third") - third, 10, 1e-9, "third integral, 16 particles");
    small(noe_get(b, "third") - more, 100, 1e-9, "third integral, 200 particles");
    const double kinetic = 0.02 * 39; /* at most, of the shaking */
    assert_true(fabs(noe_get(c, "energy") + 44.326801) < kinetic);
    noe_integrator_free(g), noe_integrator_free(b), noe_integrator_free(c), noe_method_free(m);
    noe_system_free(s), noe_system_free(big), noe_system_free(l);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kepler),
        cmocka_unit_test(test_pleiades),
        cmocka_unit_test(test_outer),
        cmocka_unit_test(test_eight),
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_arenstorf),
        cmocka_unit_test(test_duffing),
        cmocka_unit_test(test_trapezoidal_trajectory),
        cmocka_unit_test(test_damped_chain),
        cmocka_unit_test(test_van_der_pol),
        cmocka_unit_test(test_coarse_steps_fail_loudly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
