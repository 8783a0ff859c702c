/* After n steps a linear system has the same bits, whatever was looked at on the way.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Single steps against runs that stop here and there, and blocks of 16^k steps against
 *     q_n = q_0 cos(n theta) + p_0 sin(n theta) / w,   tan(theta/2) = w h/2. */
#include "linear.h"

#include "between/fractional_step.h"

#include <stdlib.h>
#include <string.h>

static const char *const name_of[] = { "midpoint",  "simpson",         "gauss 3",
                                       "lobatto 3", "newmark 1/4 1/2", "verlet" };
enum { NAMES = sizeof name_of / sizeof *name_of };

static void start_at_random(noe_integrator *g, noe_integrator *h)
{
    double q[MOST], p[MOST];
    for (int i = 0; i < x.n; i++) q[i] = random_number(), p[i] = random_number();
    assert_int_equal(noe_start_momentum(g, 0, q, p), NOE_OK);
    assert_int_equal(noe_start_momentum(h, 0, q, p), NOE_OK);
}

static bool same_state(noe_integrator *a, noe_integrator *b)
{
    const size_t bytes = (size_t)x.n * sizeof(double);
    const double lost = noe_get(a, "dissipated");
    return noe_get(a, "steps") == noe_get(b, "steps") && !memcmp(noe_q(a), noe_q(b), bytes)
        && !memcmp(noe_p(a), noe_p(b), bytes) && lost == noe_get(b, "dissipated");
}

/* Something that looks at the run: a state between two steps, or a restart. */
static void look(noe_integrator **g, noe_integrator **other)
{
    double q[MOST], p[MOST], h = noe_get(*g, "step");
    size_t bytes, same;
    if (chance(2)) {
        assert_int_equal(noe_at(*g, noe_time(*g) + h * between(0.1, 0.9), q, p), NOE_OK);
        return;
    }
    const void *from = (*g)->engine->memory((*g)->work, &bytes);
    (*other)->engine->memory((*other)->work, &same);
    assert_int_equal(bytes, same);
    assert_true(noe_integrator_start_restore(*other, from, bytes));
    noe_integrator *swap = *g;
    *g = *other, *other = swap;
}

/* Up to the third level with one coordinate, the second with two, the first with more. */
static void test_same_bits(void **state)
{
    (void)state;
    for (int round = 0; round < 24; round++) {
        const int    n = 1 + round % 4, damped = chance(2), steps[] = { 540000, 67000, 9000, 9000 };
        const char  *name = name_of[below(damped ? NAMES - 1 : NAMES)];
        const double end = below(steps[n - 1] / 2) + steps[n - 1] / 2;
        random_structure(n, 2 * n, true);
        if (damped)
            for (int i = 0; i < n * n; i++) x.C[i / n][i % n] *= 1e-4;
        noe_system     *s = structure(&x, damped, NULL, NULL);
        noe_integrator *g = integrator(s, name, 0.1), *run = integrator(s, name, 0.1),
                       *other = integrator(s, name, 0.1);
        double k = 0, done;
        start_at_random(g, run);
        assert_int_equal(noe_start(other, 0, noe_q(g), noe_q(g)), NOE_OK);
        while (k < end) {
            const double most = pow(10, between(0, 5)), next = fmin(end, k + floor(most));
            assert_int_equal(noe_advance_steps(run, next - k, &done), NOE_OK);
            assert_true(done == next - k);
            for (; k < next; k++) assert_int_equal(noe_step(g), NOE_OK);
            if (!same_state(g, run))
                fail_msg("%s, n = %d, damped %d: other bits after %g steps", name, n, damped, k);
            if (chance(2)) look(&run, &other);
        }
        noe_integrator_free(other);
        noe_integrator_free(run);
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

/* Every product rounds once, by half a unit in the last place of a number of order 1: what n steps
 * err by is at most their number. */
static void test_far(void **state)
{
    (void)state;
    double worst = 0;
    for (int round = 0; round < 20; round++) {
        const double h = 0.125, K = between(0.5, 2), n = floor(pow(10, between(2, 10)));
        const quad   w = sqrtq(K), angle = (quad)n * 2 * atanq(w * h / 2);
        x.n = 1, x.M[0][0] = 1, x.K[0][0] = K;
        noe_system     *s = structure(&x, false, NULL, NULL);
        noe_integrator *g = integrator(s, "midpoint", h);
        const double    q = random_number(), p = random_number();
        assert_int_equal(noe_start_momentum(g, 0, &q, &p), NOE_OK);
        assert_int_equal(noe_run(g, n * h, NULL, NULL), NOE_OK);
        double products = fmin(n, 2048);
        for (double block = 16, left = n - 2048; left > 0; block *= 16, left -= 1920 * block / 16)
            products += fmin(left / block, 1920) + 15;
        const double size = (double)sqrtq(q * q + p * p / (w * w)),
                     error = (double)hypotq(noe_q(g)[0] - (q * cosq(angle) + p / w * sinq(angle)),
                                            noe_p(g)[0] / w
                                                - (p / w * cosq(angle) - q * sinq(angle)));
        worst = fmax(worst, error / (size * products * 0x1p-52));
        noe_integrator_free(g);
        noe_system_free(s);
    }
    print_message("error / roundings of its products: %.3g\n", worst);
    assert_true(worst < 1);
}

/* x'' = k x from a random place ends where single steps end; from 0 it stays there for ever. */
static void test_overflow(void **state)
{
    (void)state;
    for (int round = 0; round < 8; round++) {
        x.n = 1, x.M[0][0] = 1, x.K[0][0] = -between(1e-4, 1e-2);
        noe_system     *s = structure(&x, false, NULL, NULL);
        noe_integrator *g = integrator(s, "gauss 2", 1), *run = integrator(s, "gauss 2", 1);
        double          steps = 0, done;
        start_at_random(g, run);
        while (!noe_step(g)) steps++;
        assert_true(steps > 5000 && steps < 1e5);
        assert_int_equal(noe_advance_steps(run, 1e6, &done), noe_step(g));
        assert_true(done == steps && same_state(g, run));
        const double zero = 0;
        assert_int_equal(noe_start_momentum(run, 0, &zero, &zero), NOE_OK);
        assert_int_equal(noe_run(run, 1e9, NULL, NULL), NOE_OK);
        assert_true(noe_q(run)[0] == 0 && noe_get(run, "steps") == 1e9);
        noe_integrator_free(run);
        noe_integrator_free(g);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_same_bits),
                                        cmocka_unit_test(test_far),
                                        cmocka_unit_test(test_overflow) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
