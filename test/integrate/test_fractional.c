/* (q, p)(t_n + tau) by one step of length tau: order, momenta, the grid at both ends, and a run that is untouched.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "integrate/fractional_step.h"
#include "laws.h"
#include "symmetry/symmetry.h"

#include <unistd.h>

#define UNIT 0x1p-53

/* Methods of all kinds: Galerkin by Newton, by the fixed point and by its Nystrom form, quadratures of
 * more nodes than modes, compositions, splittings, Runge-Kutta. */
static const char *const kinds[] = {
    "midpoint", "simpson",    "lobatto 3",       "gauss 2",           "gauss 3",
    "gauss 8",  "P4 gauss 6", "P3 radau-left 3", "compose 6 simpson", "compose kahan-li8 midpoint",
    "verlet",   "yoshida4",   "luo-guo4-drift",  "newmark 1/4 1/2",   "rk4",
    "rk4-v"
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static noe_method *known_method(const char *name)
{
    noe_method *m = noe_method_parse(name);
    if (!m) fail_msg("%s", noe_error());
    return m;
}

/* An integrator of a system that takes the method, else NULL. */
static noe_integrator *splitting(const noe_system *s, const char *method, quad h, int digits)
{
    noe_method     *m = known_method(method);
    noe_integrator *g = noe_integrator_make(s, m, h, digits);
    if (g && noe_integrator_start_ready(g)) noe_integrator_free(g), g = NULL;
    noe_method_free(m);
    noe_error_clear();
    return g;
}

/* ---- numbers of a second computation ---- */

static const char kepler_text[] = "coordinate x, y\n"
                                  "kinetic (x'^2 + y'^2)/2\n"
                                  "potential -1/sqrt(x^2 + y^2)\n"
                                  "start x = 1/2, y = 0, x' = 0, y' = sqrt(3)\n";

static void test_numbers_of_a_second_computation(void **unused)
{
    (void)unused;
    /* (q, p) at 0.3 + 0.037 after three steps of 0.1, computed in 40 digits by another program. */
    static const struct {
        const char *method, *z[4];
    } row[] = { { "lobatto 1",
                  { "0.30558782367840246442845056", "0.51762538994338877446427082",
                    "-0.97571234655156474777466999", "1.181237902685511642710609" } },
                { "lobatto 2",
                  { "0.30649097665996870308136554", "0.51205054779295310848305544",
                    "-0.99076685265142791082530304", "1.170353196228454204278473" } },
                { "lobatto 3",
                  { "0.30647135601500104683059416", "0.51205756533554042012707236",
                    "-0.99079841001662578061841937", "1.1703527105333922607984056" } },
                { "gauss 2",
                  { "0.30644400286169117894851135", "0.51205208490029357869024988",
                    "-0.99089179981444472639650097", "1.170318845954747910658757" } } };
    noe_system *s = parse(kepler_text);
    const quad  h = number("0.1"), tau = number("0.037");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int digits = 15; digits <= 33; digits += 18)
            for (int ahead = 0; ahead < 2; ahead++) {
                noe_integrator *g = splitting(s, row[i].method, h, digits);
                for (int k = 0; k < 3; k++) assert_int_equal(noe_step(g), NOE_OK);
                assert_int_equal(noe_fractional_step_mark(g), NOE_OK);
                if (ahead) assert_int_equal(noe_step(g), NOE_OK);
                noe_integrator *x = noe_fractional_step_take(g, tau);
                assert_non_null(x);
                quad z[4];
                x->core->get(x->work, NOE_AT_Q, 0, z), x->core->get(x->work, NOE_AT_P, 0, z + 2);
                for (int j = 0; j < 4;
                     j++) /* measured: 1.3e-16 and 1.6e-26, where the numbers end */
                    small(z[j] - number(row[i].z[j]), 1, digits > 15 ? 1e-24 : 1e-15,
                          row[i].method);
                noe_integrator_free(g);
            }
    noe_system_free(s);
}

/* ---- every system, every kind of method ---- */

/* Two runs, one of them with states read between its steps: the same bits.  The fractional step at the
 * end of a step is the step; a short one is q + tau v. */
static void untouched(const noe_system *s, const char *path)
{
    enum { STEPS = 40 };
    const int n = s->dyn.n;
    double   *q = malloc(2 * (size_t)n * sizeof *q), *p = q + n;
    for (int i = 0; i < KINDS; i++) {
        const quad      h = suggested_step(s);
        noe_integrator *g = splitting(s, kinds[i], h, 15), *r = splitting(s, kinds[i], h, 15);
        for (int k = 0; g && k < STEPS; k++) {
            const double t = noe_time(g) + fabs(random_number()) * (double)h;
            /* before the step, from the last polynomial, and after it, from its own */
            if (noe_at(g, t, q, p)) fail_msg("%s, %s: %s", path, kinds[i], noe_error());
            assert_int_equal(noe_fractional_step_mark(g), NOE_OK);
            const noe_status a = noe_step(g), b = noe_step(r);
            assert_int_equal(a, b);
            if (a) break;
            noe_integrator *x = noe_fractional_step_at(g, t);
            assert_non_null(x);
            double size = 0, force = 0;
            for (int j = 0; j < n; j++) {
                size = fmax(size, fabs(q[j]) + fabs((double)h * noe_v(x)[j]));
                force = fmax(force, fmax(fabs(p[j]), fabs(noe_p(g)[j])));
            }
            for (int j = 0; j < n; j++) {
                small(noe_q(x)[j] - q[j], size, 1e-13, kinds[i]);
                small(noe_p(x)[j] - p[j], force, 1e-13, kinds[i]);
            }
            noe_fractional_step_leave(g);
            if (memcmp(noe_q(g), noe_q(r), (size_t)n * sizeof *q)
                || memcmp(noe_p(g), noe_p(r), (size_t)n * sizeof *q))
                fail_msg("%s, %s: the run has changed in step %d", path, kinds[i], k);
        }
        noe_integrator_free(g), noe_integrator_free(r);
    }
    free(q);
}

static void test_the_run_is_untouched(void **unused)
{
    (void)unused;
    every_system(untouched);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_numbers_of_a_second_computation),
                                        cmocka_unit_test(test_the_run_is_untouched) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound used to %.2g\n", tightest);
    return failed;
}
