/* Bounces: times and limits of a ball's, energies of many, the metric of the mass.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "event_record.h"

/* A ball falls from 1 and bounces with restitution e: t_1 = sqrt(2/g), then 2 e^k t_1; the
 * limit. */
static void test_ball(void **unused)
{
    (void)unused;
    static const char        text[] = "parameter g = 9.81, e = 0.8\ncoordinate x, y\n"
                                      "kinetic (x'^2 + y'^2)/2\npotential g*y\n"
                                      "start y = 1, x' = 0.3\n"
                                      "event floor: y = 0 falling then bounce e\n";
    static const char *const names[] = { "simpson", "midpoint", "gauss 3",
                                         "verlet",  "rk4",      "gauss 8" };
    static record            r;
    noe_system              *s = parse(text);
    const double             e = 0.8, t1 = sqrt(2 / 9.81), limit = t1 * (1 + e) / (1 - e);
    for (int i = 0; i < 6; i++) {
        noe_integrator *g = make(s, names[i], (quad)1 / 10, 15, &r);
        assert_int_equal(noe_run(g, 5, NULL, NULL), NOE_NOT_CONVERGED);
        assert_non_null(strstr(noe_error(), "'floor' happens infinitely often"));
        double t = t1;
        for (int k = 0; k < r.count; k++) {
            small(r.t[k] - t, 1, 60 * 0x1p-53, "time of a bounce");
            small(r.p[k][0] - 0.3, 1, 0, "momentum along the floor");
            t += 2 * pow(e, k + 1) * t1;
        }
        assert_in_range(r.count, 15, 60);
        small(strtod(strstr(noe_error(), "t = ") + 4, NULL) - limit, 1, 1e-13,
              "limit of the times");
        small(noe_time(g) - 4.0, 1, 1e-14, "the state is that before the step");
        noe_error_clear();
        noe_integrator_free(g);
    }
    noe_system_free(s);
    s = parse(
        "coordinate y\nkinetic y'^2/2\npotential y\nstart y = 1\nevent f: y = 0 then bounce 0\n");
    noe_integrator *g = make(s, "simpson", (quad)1 / 10, 15, &r);
    assert_int_equal(noe_run(g, 5, NULL, NULL), NOE_NOT_CONVERGED);
    assert_non_null(strstr(noe_error(), "the body rests on"));
    noe_error_clear();
    noe_integrator_free(g);
    noe_system_free(s);
}

/* The relative energy error of a run in equal blocks: d_b, the change of its mean from one block to
 * the next, with the mean of all d_b and their standard deviation. */
typedef struct {
    double bounces, first, most; /* largest error in the first block, and in the run */
    double mean, deviation;      /* of d_b */
} energy_blocks;
enum { BLOCKS = 17 };

static energy_blocks energy_of_blocks(const noe_system *s, const char *name, double h, int steps)
{
    energy_blocks   to = { 0 };
    double          mean[BLOCKS] = { 0 };
    const int       each = steps / BLOCKS;
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    const double    H0 = noe_get(g, "energy");
    for (int i = 0; i < BLOCKS * each; i++) {
        if (noe_step(g)) fail_msg("%s", noe_error());
        const double off = noe_get(g, "energy") / H0 - 1;
        mean[i / each] += off / each;
        to.most = fmax(to.most, fabs(off));
        if (i < each) to.first = to.most;
    }
    for (int k = 0; k < g->system->model->events; k++) to.bounces += g->events->tally[k].count;
    to.mean = (mean[BLOCKS - 1] - mean[0]) / (BLOCKS - 1);
    for (int b = 1; b < BLOCKS; b++)
        to.deviation += pow(mean[b] - mean[b - 1] - to.mean, 2) / (BLOCKS - 2);
    to.deviation = sqrt(to.deviation);
    if (getenv("NOE_SHOW"))
        printf("%.0f bounces in %g, energy error %.3g, then at most %.3g; a block %.3g +- %.3g\n",
               to.bounces, BLOCKS * each * h, to.first, to.most, to.mean, to.deviation);
    noe_method_free(m);
    noe_integrator_free(g);
    return to;
}

/* Does the energy drift?  Not if the mean of all d_b is 0 within 6 of its standard deviations: of a
 * walk that one is the deviation over the root of their number, of a bounded error less. */
static bool drifts(const energy_blocks *x)
{
    return fabs(x->mean) > 6 * x->deviation / sqrt(BLOCKS - 1);
}

/* A box that is open above, a potential that is not harmonic, five impacts in a unit of time.  A
 * step to an impact and the one back to the grid have other lengths than those of the grid, and
 * preserve other numbers near the energy: with every impact it goes a little up or down.  10^5
 * impacts do not drift; with a restitution of 1 - 1e-11 a tenth of them do. */
static void test_energy_of_many_bounces(void **unused)
{
    (void)unused;
    noe_system *s = parse("parameter e = 1\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                          "potential 2*y + y^2/20 + x^4\nstart y = 1, x' = 6, x = 0.1\n"
                          "event floor: y = 0 falling then bounce e\n"
                          "event left: x = -0.7 falling then bounce e\n"
                          "event right: x = 0.7 - y/10 rising then bounce e\n"),
               *lossy = noe_system_with(s, "e", 1 - 1e-11);
    const energy_blocks one = energy_of_blocks(s, "simpson", 0.05, 400000),
                        coarse = energy_of_blocks(s, "simpson", 0.05, 40000),
                        fine = energy_of_blocks(s, "simpson", 0.025, 80000),
                        high = energy_of_blocks(s, "gauss 4", 0.05, 40000),
                        broken = energy_of_blocks(lossy, "gauss 4", 0.05, 40000);
    assert_true(one.bounces > 1e5);
    assert_false(drifts(&one) || drifts(&coarse) || drifts(&fine) || drifts(&high));
    assert_true(drifts(&broken));
    /* the oscillation between impacts, and a walk of the means */
    small(one.most, 1, one.first + 6 * sqrt(BLOCKS) * one.deviation, "energy error");
    const double order = log2(coarse.most / fine.most);
    if (!(order > 3.3)) fail_msg("the energy error of impacts has the order %.2f, not 4", order);
    noe_system_free(s);
    noe_system_free(lossy);
}

/* A stadium: between impacts nothing changes, and an impact changes the energy by roundings alone,
 * which walk at random: 6 eps sqrt(impacts), where a bias would make eps times the impacts. */
static void test_energy_of_a_billiard(void **unused)
{
    (void)unused;
    enum { IMPACTS = 5000 };
    noe_system *s = parse(
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
        "event wall: sqrt(max(abs(x) - 1, 0)^2 + y^2) = 1 rising then bounce 1\n");
    noe_method     *m = method("simpson");
    noe_integrator *g = noe_integrator_new(s, m, 0.1);
    const double    q[] = { random_number() / 2, random_number() / 2 },
                 v[] = { random_number(), random_number() };
    double worst = 0;
    assert_int_equal(noe_start(g, 0, q, v), NOE_OK);
    const double H0 = noe_get(g, "energy");
    for (int i = 0; i < IMPACTS; i++) {
        const noe_integrator *at = noe_next_event(g, 1e7);
        if (!at) fail_msg("%s", noe_error());
        const double x = fmax(fabs(noe_q(at)[0]) - 1, 0), y = noe_q(at)[1];
        small(x * x + y * y - 1, 1, 64 * 0x1p-53, "the wall");
        worst = fmax(worst, fabs(noe_get(at, "energy") / H0 - 1));
    }
    if (getenv("NOE_SHOW")) printf("stadium: %.3g\n", worst);
    small(worst, 1, 6 * 0x1p-53 * sqrt(IMPACTS), "energy of a billiard");
    noe_method_free(m);
    noe_integrator_free(g);
    noe_system_free(s);
}

/* Impacts between two discs and on a moving wall: momentum is conserved, the relative velocity is
 * turned by e; a wall at rest in a moving frame. */
static void test_impacts_in_the_metric_of_the_mass(void **unused)
{
    (void)unused;
    static record r;
    noe_system   *s = parse(
          "parameter m = 3, M = 5\ncoordinate a, b\nkinetic m*a'^2/2 + M*b'^2/2\n"
            "start a = 0, b = 1, a' = 2, b' = -1\nevent hit: a = b rising then bounce 1/2\n");
    noe_integrator *g = make(s, "simpson", (quad)1 / 10, 15, &r);
    assert_int_equal(noe_run(g, 1, NULL, NULL), NOE_OK);
    small(r.t[0] - 1.0 / 3, 1, 4 * 0x1p-53, "meeting");
    small(noe_p(g)[0] + noe_p(g)[1] - 1, 1, 8 * 0x1p-53, "total momentum");
    small(noe_v(g)[0] - noe_v(g)[1] + 1.5, 1, 8 * 0x1p-53, "relative velocity");
    small(noe_get(g, "balance"), 1, 32 * 0x1p-53, "the loss is work");
    noe_integrator_free(g);
    noe_system_free(s);
    s = parse(
        "coordinate x\nkinetic x'^2/2\nstart x = 1, x' = -1\nevent wall: x = t/2 then bounce 1\n");
    g = make(s, "simpson", (quad)1 / 10, 15, &r);
    assert_int_equal(noe_run(g, 2, NULL, NULL), NOE_OK);
    small(r.t[0] - 2.0 / 3, 1, 4 * 0x1p-53, "meeting of the wall");
    small(noe_v(g)[0] - 2, 1, 8 * 0x1p-53, "velocity after a moving wall");
    noe_integrator_free(g);
    noe_system_free(s);
    s = parse("parameter e = 1/4\ncoordinate x\nkinetic x'^2/2\nstart x = 1, x' = -1\n"
              "event wall: x = 0 falling then x' = -e*x'\n");
    g = make(s, "gauss 2", (quad)1 / 8, 15, &r);
    assert_int_equal(noe_run(g, 2, NULL, NULL), NOE_OK);
    small(noe_v(g)[0] - 0.25, 1, 0x1p-53, "assigned velocity");
    small(noe_q(g)[0] - 0.25, 1, 4 * 0x1p-53, "position after it");
    noe_integrator_free(g);
    noe_system_free(s);
}

/* An impact at a grid point, t = 1: what it takes of the energy, (1 - e^2)/2, is work, as
 * anywhere else. */
static void test_impact_at_a_grid_point(void **unused)
{
    (void)unused;
    static const char *const names[] = { "simpson", "gauss 3", "verlet", "rk4" };
    static const char *const then[] = { "bounce 0.9", "y' = -0.9*y'" };
    static record            r;
    for (int i = 0; i < 8; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate y\nkinetic y'^2/2\npotential y\nstart y = 1/2\n"
                 "event floor: y = 0 falling then %s\n",
                 then[i / 4]);
        noe_system     *s = parse(text);
        noe_integrator *g = make(s, names[i % 4], (quad)1 / 16, 15, &r);
        assert_int_equal(noe_run(g, 2, NULL, NULL), NOE_OK);
        assert_int_equal(r.count, 1);
        small(r.t[0] - 1, 1, 4 * 0x1p-53, "time");
        small(r.p[0][0] + 1, 1, 4 * 0x1p-53, "momentum before it");
        small(noe_get(g, "work") + 0.095, 1, 8 * 0x1p-53, "work");
        small(noe_get(g, "balance"), 1, 16 * 0x1p-53, "balance");
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_impact_at_a_grid_point),
        cmocka_unit_test(test_impacts_in_the_metric_of_the_mass),
        cmocka_unit_test(test_energy_of_many_bounces),
        cmocka_unit_test(test_energy_of_a_billiard),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
