/* no allocation in a step; a state saved and put back goes on bit for bit.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Malloc failing at every k-th call. */
#include "integrate/integrator.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "failing.h"

#include <stdlib.h>
#include <string.h>

static const char *const system_file[] = { "systems/double_pendulum.lag", "systems/kepler.lag",
                                           "systems/moving_pivot.lag" };
static const char *const method_name[] = { "simpson", "gauss 6", "lobatto 3" };
enum { CASES = 3 };

/* One of every kind of engine and iteration. */
static const struct {
    const char *system, *change, *method; /* change: NULL, none */
    double      step;
} stepped[] = { { "systems/double_pendulum.lag", NULL, "simpson", 0.01 },
                { "systems/kepler.lag", NULL, "gauss 6", 0.01 },
                { "systems/moving_pivot.lag", NULL, "lobatto 3", 0.01 },
                { "systems/damped_double_pendulum.lag", NULL, "gauss 2", 0.01 },
                { "systems/lagrange_top.lag", NULL, "gauss 8", 0.001 },
                { "systems/henon_heiles.lag", NULL, "verlet", 0.01 },
                { "systems/double_pendulum.lag", NULL, "rk4", 0.01 },
                { "systems/kepler.lag", NULL, "compose 4 midpoint", 0.01 },
                { "systems/double_pendulum_rods.lag", NULL, "simpson", 0.01 },
                { "systems/ring_of_rods.lag", NULL, "gauss 2", 0.001 },
                { "systems/comet.lag", NULL, "gauss 8", 1e-5 },
                { "systems/pendulum_over_top.lag", NULL, "simpson", 0.001 },
                { "systems/klein_gordon.lag", "N = 200", "verlet", 0.01 },
                { "systems/klein_gordon.lag", "N = 200", "simpson", 0.01 },
                { "systems/toda.lag", "N = 200", "gauss 2", 0.01 } };

/* The first allocation in a step would fail, and the step with it. */
static void test_no_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof stepped / sizeof *stepped; i++) {
        noe_system *plain = noe_system_load(stepped[i].system), *s = plain;
        noe_method *m = noe_method_parse(stepped[i].method);
        if (stepped[i].change) s = noe_system_let(plain, stepped[i].change);
        noe_integrator *g = noe_integrator_new(s, m, stepped[i].step);
        if (!g || noe_step(g)) fail_msg("%s: %s", stepped[i].system, noe_error()); /* starts */
        for (int k = 0; k < 1000; k++) {
            calls_left = 0;
            const noe_status now = noe_step(g);
            const bool       called = calls_left < 0;
            /* the observables of sums are evaluated with velocities in memory of their own */
            if (!s->dyn.groups) noe_get(g, "energy"), noe_v(g);
            const bool called_later = calls_left < 0;
            calls_left = -1;
            if (now || called || called_later)
                fail_msg("%s, %s: step %d: status %d, allocates %d, afterwards %d",
                         stepped[i].system, stepped[i].method, k, now, called, called_later);
        }
        noe_integrator_free(g);
        noe_method_free(m);
        if (s != plain) noe_system_free(s);
        noe_system_free(plain);
    }
}

static void test_restart(void **state)
{
    (void)state;
    for (int digits = 15; digits <= 33; digits += 18)
        for (int i = 0; i < CASES; i++) {
            noe_system     *s = noe_system_load(system_file[i]);
            noe_method     *m = noe_method_parse(method_name[i]);
            const quad      h = (quad)1 / 100;
            noe_integrator *a = noe_integrator_make(s, m, h, digits),
                           *b = noe_integrator_make(s, m, h, digits);
            const int n = s->dyn.n;
            quad      x[2][2 * n + 1];
            size_t    bytes;
            for (int k = 0; k < 37; k++) assert_int_equal(noe_step(a), NOE_OK);
            void *saved = a->engine->memory(a->work, &bytes);
            assert_true(noe_integrator_start_restore(b, saved, bytes));
            assert_false(noe_integrator_start_restore(b, saved, bytes - 1));
            for (int k = 0; k < 50; k++) {
                assert_int_equal(noe_step(a), NOE_OK);
                assert_int_equal(noe_step(b), NOE_OK);
            }
            noe_integrator *const both[] = { a, b };
            for (int j = 0; j < 2; j++) {
                noe_integrator_state_get(both[j], NOE_AT_Q, x[j]);
                noe_integrator_state_get(both[j], NOE_AT_P, x[j] + n);
                noe_integrator_state_get(both[j], NOE_AT_ENERGY, x[j] + 2 * n);
            }
            assert_memory_equal(x[0], x[1], sizeof x[0]);
            noe_integrator_free(a);
            noe_integrator_free(b);
            noe_method_free(m);
            noe_system_free(s);
        }
}

/* Steps taken back leave no trace in what is told of the run. */
static void test_taken_back(void **state)
{
    (void)state;
    enum { MOST = 8 };
    for (int i = 0; i < 2 * CASES; i++) {
        noe_system             *s = noe_system_load(system_file[i % CASES]);
        noe_method             *m = noe_method_parse(method_name[i % CASES]);
        noe_integrator         *g = noe_integrator_make(s, m, (quad)1 / 100, i < CASES ? 15 : 33);
        const noe_engine_guard *guard = g->engine->guard;
        quad                    spread[2][2 * MOST] = { { 0 } };
        double                  jumps[2][2 * MOST] = { { 0 } };
        assert_true(s->dyn.n <= MOST);
        for (int k = 0; k < 20 + i; k++) assert_int_equal(noe_step(g), NOE_OK);
        for (int after = 0; after < 2; after++) {
            guard->spread(g->work, 0, spread[after], spread[after] + MOST);
            guard->jumps(g->work, 0, jumps[after], jumps[after] + MOST);
            if (after) break;
            guard->save(g->work);
            for (int k = 0; k <= i; k++) assert_int_equal(g->engine->step(g->work), 0);
            guard->restore(g->work);
        }
        assert_true(spread[0][0] > 0);
        assert_memory_equal(spread[0], spread[1], sizeof spread[0]);
        assert_memory_equal(jumps[0], jumps[1], sizeof jumps[0]);
        noe_integrator_free(g);
        noe_method_free(m);
        noe_system_free(s);
    }
}

/* k = 0, 1, ..: until nothing fails any more.  Leaks are the sanitizer's to find. */
static void test_failing(void **state)
{
    (void)state;
    noe_system *s = noe_system_load(system_file[0]);
    bool        through = false;
    long        k = 0;
    for (; !through && k < 10000; k++) {
        noe_error_clear();
        calls_left = k;
        noe_method      *m = noe_method_parse("gauss 3");
        noe_integrator  *g = noe_integrator_new(s, m, 0.01);
        const noe_status now = g ? noe_step(g) : NOE_NO_MEMORY;
        noe_table       *t = g ? noe_record(g, 0.1, 1, NULL) : NULL;
        through = calls_left >= 0;
        calls_left = -1;
        if (through) {
            assert_non_null(t);
            assert_int_equal(now, NOE_OK);
            assert_null(noe_error());
        } else {
            assert_non_null(noe_error());
        }
        noe_table_free(t);
        noe_integrator_free(g);
        noe_method_free(m);
    }
    assert_true(through);
    assert_true(k > 5);
    noe_error_clear();
    noe_system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_allocation),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_taken_back),
        cmocka_unit_test(test_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
