/* q(t) as others published it:  Kepler, Pleiades, Arenstorf, Duffing, a trapezoidal trajectory; coarse steps.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Sources: DETEST (T. E. Hull et al., SIAM J. Numer. Anal. 9 (1972) 603), problems D1, D3, D5; E. Hairer,
 * S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, II.0 and II.10; the Jacobi function cn
 * for Duffing's oscillator; the test of a variational trapezoidal rule (github.com/Ipuch/variational_integrator). */
#include "laws.h"

/* A run in double to the end of the time; the state there, with velocities. */
static point run_until(const noe_system *s, const char *name, quad h, quad until)
{
    noe_method *m = method(name);
    run         r = make_run(noe_core_double(), s, m, h);
    const point x = model_start(s);
    start_run(r, &x, false);
    for (int k = 0, steps = (int)roundq(until / h); k < steps; k++) step_run(r);
    point y = get_point(r, 0);
    r.core->get(r.work, NOE_AT_V, 0, y.v);
    r.core->drop(r.work);
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
        { "e = 0.5", -0.578043295303535, 0.863384000919419, -0.959508373038073, -0.065049151267120 },
        { "e = 0.9", -1.295266250987576, 0.400393896379232, -0.677539092470755, -0.127083815427869 },
    };
    noe_system *s = load("systems/kepler.lag");
    for (int i = 0; i < 3; i++) {
        noe_system *now = noe_system_let(s, orbit[i].e);
        assert_non_null(now);
        const point y = run_until(now, "gauss 8", (quad)1 / 200, 20);
        if (getenv("SHOW")) printf("kepler %.2g %.2g %.2g %.2g\n", (double)(y.q[0] - orbit[i].x), (double)(y.q[1] - orbit[i].y), (double)(y.v[0] - orbit[i].vx),(double)( y.v[1] - orbit[i].vy));
        noe_system_free(now);
    }
    noe_system_free(s);
}

static void test_pleiades(void **unused)
{
    (void)unused;
    static const double exact[] = {
        0.3706139143970502, 3.237284092057233, -3.222559032418324, 0.6597091455775310, 0.3425581707156584,
        1.562172101400631, -0.7003092922212495, -3.943437585517392, -3.271380973972550, 5.225081843456543,
        -2.590612434977470, 1.198213693392275, -0.2429682344935824, 1.091449240428980
    };
    noe_system *s = load("systems/pleiades.lag");
    const point y = run_until(s, "gauss 6", (quad)1 / 1000, 3);
    double w = 0;
    for (int j = 0; j < 14; j++) w = fmax(w, (double)fabsq(y.q[j] - exact[j]));
    printf("plei %g\n", w);
    noe_system_free(s);
}

static void test_arenstorf(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/arenstorf.lag");
    const point x = model_start(s);
    const quad  period = number("17.0652165601579625588917206249");
    const point y = run_until(s, "gauss 8", period / 6000, period);
    for (int j = 0; j < 2; j++) printf("aren %g %g\n", (double)(y.q[j] - x.q[j]), (double)(y.v[j] - x.v[j]));
    noe_system_free(s);
}

static void test_duffing(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/duffing.lag");
    const quad  period = number("4.768022029102460");
    const point y = run_until(s, "gauss 6", period / 100, period), z = run_until(s, "gauss 6", period / 100, 10*period);
    printf("duff %g %g %g %g\n", (double)(y.q[0] - 1), (double)y.v[0],  (double)(z.q[0] - 1), (double)z.v[0]);
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
    printf("trap %g %g\n", (double)(x.q[0] - number("-1.479865618493051")), (double)(x.v[0] - number("-1.999894365826913")));
    noe_system_free(s);
}

/* ---- coarse steps: the right root, or an error; never a jump of the energy ---- */

static void test_coarse_steps_fail_loudly(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/double_pendulum.lag");
    const point x = model_start(s);
    for (int i = 0; i < METHODS; i++)
        for (int N = 3; N <= 40; N = N < 10 ? N + 1 : 2 * N) {
            noe_method *m = method(every_method[i]);
            run         r = make_run(noe_core_double(), s, m, (quad)1 / N);
            double      worst = 0;
            int         k = 0, failed = 0;
            start_run(r, &x, false);
            const quad H0 = get_one(r, 0, NOE_AT_ENERGY);
            for (; k < 100 * N; k++) {
                if ((failed = r.core->step(r.work) ? r.core->why(r.work, 0) : 0)) break;
                worst = fmax(worst, (double)(fabsq(get_one(r, 0, NOE_AT_ENERGY) - H0) / H0));
            }
            printf("%s N=%d: %d steps, status %d, energy %g, sub %g\n", every_method[i], N, k, failed, worst, (double)get_one(r,0,NOE_AT_SUBDIVIDED));
            r.core->drop(r.work);
            noe_method_free(m);
        }
    noe_system_free(s);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kepler),
        cmocka_unit_test(test_pleiades),
        cmocka_unit_test(test_arenstorf),
        cmocka_unit_test(test_duffing),
        cmocka_unit_test(test_trapezoidal_trajectory),
        cmocka_unit_test(test_coarse_steps_fail_loudly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
