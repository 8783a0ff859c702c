/* allocations in a step = 0;  a restart goes on bit for bit;  malloc that fails at the k-th call harms nobody.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "bits.h"
#include "failing.h"

#include <malloc.h>

enum { MANY = 1 << 30 };

static void count_calls(void) { calls_left = MANY; }

static long calls(void)
{
    const long n = MANY - calls_left;
    calls_left = -1;
    return n;
}

/* Bytes in use; always 0 under the address sanitizer, which finds leaks by itself. */
static size_t in_use(void) { return mallinfo2().uordblks; }

static const noe_core *core_of(int k) { return k == 0 ? noe_core_double() : k == 1 ? noe_core_lanes() : noe_core_quad(); }

/* ---- no allocation in a step, nor in reading where it led ---- */

static void step_law(const noe_system *s, const char *path)
{
    static const char *const name[] = { "midpoint", "simpson", "gauss 6", "P4 clenshaw 5" };
    for (int k = 0; k < 12; k++) {
        noe_method *m = method(name[k / 3]);
        const point x = random_point(s);
        run         r = make_run(core_of(k % 3), s, m, suggested_step(s));
        start_run(r, &x, true);
        count_calls();
        for (int i = 0; i < 10; i++) {
            step_run(r);
            get_point(r, 0);
            get_one(r, 0, NOE_AT_V);
            get_one(r, 0, NOE_AT_ENERGY);
        }
        const long n = calls();
        if (n) fail_msg("%s, %s: %ld allocations in ten steps", path, m->name, n);
        r.core->drop(r.work);
        noe_method_free(m);
    }
}

static void test_no_allocation_in_a_step(void **unused)
{
    (void)unused;
    every_system(step_law);
}

/* L = v^2/2 - q^4/4, f = -v/100 */
static double quartic(double t, const double *z, const double *param, double *grad, double *hess, void *ctx)
{
    (void)t, (void)param, (void)ctx;
    const double q = z[0], v = z[1];
    if (grad) grad[0] = -q * q * q, grad[1] = v;
    if (hess) hess[0] = -3 * q * q, hess[1] = hess[2] = 0, hess[3] = 1;
    return v * v / 2 - q * q * q * q / 4;
}

static void friction(double t, const double *z, const double *param, double *f, double *dfdz, void *ctx)
{
    (void)t, (void)param, (void)ctx;
    f[0] = -z[1] / 100;
    if (dfdz) dfdz[0] = 0, dfdz[1] = -1.0 / 100;
}

/* Also where steps are so coarse that they are solved again, and where L is a function in C. */
static void test_no_allocation_in_a_run(void **unused)
{
    (void)unused;
    noe_system *system[] = { load("systems/double_pendulum.lag"), noe_system_new(1, 0, quartic, friction, NULL) };
    for (int i = 0; i < 2; i++) {
        const double    q[] = { 1.5, 1.5 }, v[] = { 0, 0 };
        noe_method     *m = method("simpson");
        noe_integrator *g = noe_integrator_new(system[i], m, 0.05);
        assert_int_equal(noe_start(g, 0, q, v), NOE_OK);
        count_calls();
        assert_int_equal(noe_run(g, 20, NULL, NULL), NOE_OK);
        const double seen = noe_q(g)[0] + noe_v(g)[0] + noe_p(g)[0] + noe_time(g);
        assert_int_equal(calls(), 0);
        assert_true(isfinite(seen));
        if (i == 0) assert_true(noe_get(g, "subdivided") > 0);
        noe_integrator_free(g);
        noe_method_free(m);
        noe_system_free(system[i]);
    }
}

/* ---- restart ---- */

static void restart_law(const noe_system *s, const char *path)
{
    static const char *const name[] = { "simpson", "gauss 6", "P4 clenshaw 5" };
    const int steps = s->dyn.n > 6 ? 10 : 60;
    for (int k = 0; k < 9; k++) {
        noe_method *m = method(name[k / 3]);
        const point x = random_point(s);
        const quad  h = suggested_step(s) * (1 + (k % 2) * 4);
        run         r = make_run(core_of(k % 3), s, m, h), u = make_run(r.core, s, m, 1);
        size_t      bytes, room;
        start_run(r, &x, true);
        for (int i = (int)(10 + 10 * random_number()); i > 0; i--) step_run(r);
        if (random_number() > 0) get_one(r, 0, NOE_AT_V);
        void *from = r.core->memory(r.work, &bytes), *to = u.core->memory(u.work, &room);
        assert_true(bytes > 0 && bytes == room && bytes % sizeof(double) == 0);
        memcpy(to, from, bytes);
        compare(u, 0, r, 0, path, 0);
        for (int i = 1; i <= steps; i++) {
            step_run(r);
            step_run(u);
            for (int j = 0; j < r.core->members; j++) compare(u, j, r, j, path, i);
        }
        r.core->drop(r.work);
        u.core->drop(u.work);
        noe_method_free(m);
    }
}

static void test_restart_bit_for_bit(void **unused)
{
    (void)unused;
    every_system(restart_law);
}

/* ---- malloc fails ---- */

/* One life of an integrator; how far it came. */
static int life(const noe_system *s, const noe_method *m)
{
    const double    q[] = { 1, 0.5 }, v[] = { 0, 1 };
    noe_integrator *g = noe_integrator_new(s, m, 0.01);
    int             done = 0;
    noe_status      status = g ? NOE_OK : NOE_NO_MEMORY;
    if (g && !status && !(status = noe_step(g))) done = 1;
    if (g && !status && !(status = noe_start(g, 0, q, v))) done = 2;
    if (g && !status && !(status = noe_run(g, 1, NULL, NULL))) done = 3;
    if (g && !status && !(status = noe_start_momentum(g, 0, noe_q(g), noe_p(g)))) done = 4;
    const double t = noe_time(g);
    if (g && !status && !(status = noe_set(g, "step", 0.02))) done = 5;
    if (g && status) assert_true(noe_time(g) == t);
    if (g && !status && !(status = noe_run(g, 2, NULL, NULL))) done = 6;
    if (status) {
        assert_int_equal(status, NOE_NO_MEMORY);
        assert_non_null(noe_error());
        assert_non_null(strstr(noe_error(), "memory"));
    }
    noe_integrator_free(g);
    return done;
}

static void test_failing_malloc(void **unused)
{
    (void)unused;
    noe_system *system[] = { load("systems/double_pendulum.lag"), noe_system_new(1, 0, quartic, friction, NULL),
                             load("systems/kepler.lag") };
    for (int i = 0; i < 3; i++) {
        noe_method *m = method(i ? "gauss 6" : "simpson");
        int         done = 0, k = 0;
        life(system[i], m);
        for (; done < 6; k++) {
            const size_t before = in_use();
            noe_error_clear();
            calls_left = k;
            done = life(system[i], m);
            calls_left = -1;
            assert_int_equal(in_use(), before);
        }
        assert_true(k > 10);
        noe_method_free(m);
        noe_system_free(system[i]);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_allocation_in_a_step),
        cmocka_unit_test(test_no_allocation_in_a_run),
        cmocka_unit_test(test_restart_bit_for_bit),
        cmocka_unit_test(test_failing_malloc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
