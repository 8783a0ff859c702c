/* noether.h, tables: what is recorded and written, and what threads make of their own systems.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "api.h"
#include "base/optional_library.h"

#include <math.h>
#include <pthread.h>

/* ---- tables ---- */

static void test_record(void **state)
{
    (void)state;
    orbit             o = begin(kepler, "simpson", 0.125), second = begin(kepler, "simpson", 0.125);
    noe_table        *t = noe_record(o.g, 1.25, 3, NULL);
    const char *const name[] = { "t", "x", "y", "p(x)", "p(y)", "energy", "L", "axis" };
    no_error();
    assert_int_equal(noe_table_rows(t), 5);
    assert_int_equal(noe_table_columns(t), 8);
    for (size_t j = 0; j < 8; j++) assert_string_equal(noe_table_name(t, j), name[j]);
    assert_null(noe_table_name(t, 8));
    for (int i = 0, k = 0; k <= 10;
         k++) { /* rows 0, 3, 6, 9 and the last, as stepping by hand has them */
        if (k) noe_step(second.g);
        if (k % 3 && k != 10) continue;
        for (int j = 0; j < 8; j++)
            assert_true(equal_bits(noe_table_column(t, name[j])[i], noe_get(second.g, name[j])));
        i++;
    }
    assert_ptr_equal(noe_table_column(t, "x.p"), noe_table_column(t, "p(x)"));
    assert_null(noe_table_column(t, "z"));
    says("no column 'z'");
    noe_table *more = noe_record(o.g, 2.5, 1,
                                 "x.v, y', e ,t"); /* goes on; its first row is where it was */
    assert_int_equal(noe_table_rows(more), 11);
    assert_string_equal(noe_table_name(more, 0), "x.v");
    assert_true(equal_bits(noe_table_column(more, "t")[0], 1.25)
                && equal_bits(noe_table_column(more, "t")[10], 2.5));
    assert_true(equal_bits(noe_table_column(more, "e")[5], 0.5)
                && equal_bits(noe_table_column(more, "y.v")[10], noe_v(o.g)[1]));
    noe_table *still = noe_record(o.g, 2.5, 1, "t");
    assert_int_equal(noe_table_rows(still), 1);
    no_error();
    static const struct {
        double      until;
        int         every;
        const char *columns, *message;
    } wrong[] = { { 3, 0, NULL, "expected 1 or more" },
                  { 3, -1, NULL, "expected 1 or more" },
                  { 3, 1, "t,z", "unknown column or option 'z'" },
                  { 3, 1, "", "an empty name" },
                  { 1, 1, NULL, "lies behind the start" },
                  { NAN, 1, NULL, "a finite time" },
                  { INFINITY, 1, NULL, "a finite time" } };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(noe_record(o.g, wrong[i].until, wrong[i].every, wrong[i].columns));
        says(wrong[i].message);
    }
    noe_table_free(t);
    noe_table_free(more);
    noe_table_free(still);
    end(o);
    end(second);
    o = begin(fall, "simpson", 0.05); /* what was recorded before a failure is kept */
    t = noe_record(o.g, 2, 1, "t,x");
    says("the state before the step is kept");
    assert_true(noe_table_rows(t) > 10);
    assert_int_equal(noe_table_rows(t), noe_get(o.g, "steps") + 1);
    assert_true(equal_bits(noe_table_column(t, "t")[noe_table_rows(t) - 1], noe_time(o.g)));
    noe_table_free(t);
    end(o);
}

static void test_write(void **state)
{
    (void)state;
    orbit           o = begin(kepler, "simpson", 0.125);
    noe_system     *s = noe_system_with(o.s, "e", 0.25);
    noe_integrator *g = noe_integrator_new(s, o.f, 0.125);
    noe_table      *t = noe_record(g, 0.25, 1, "t,e");
    assert_int_equal(noe_table_write(t, in_scratch("a.csv")), NOE_OK);
    assert_int_equal(noe_table_write(t, in_scratch("a.json")), NOE_OK);
    char *csv = slurp(in_scratch("a.csv")), *json = slurp(in_scratch("a.json"));
    assert_string_equal(csv, "t,e\n0,0.25\n0.125,0.25\n0.25,0.25\n");
    static const char *const holds[] = { "\"method\": \"simpson\"", "\"step\": 0.125", "e = 2.5",
                                         "kinetic", "[0.125,0.25]" };
    for (int i = 0; i < 5; i++)
        if (!strstr(json, holds[i])) fail_msg("no %s in %s", holds[i], json);
    no_error();
    assert_int_equal(noe_table_write(t, in_scratch("a.txt")), NOE_INVALID);
    says("the name must end in");
    assert_int_equal(noe_table_write(t, in_scratch("none/a.csv")), NOE_IO);
    says("No such file");
    free(csv);
    free(json);
    noe_table_free(t);
    noe_integrator_free(g);
    noe_system_free(s);
    end(o);
}

/* ---- threads ---- */

enum { THREADS = 6 };

typedef struct {
    const noe_system *system;
    const noe_method *method;
    int               number;
    double            q[2], v[2], energy, L, axis;
    const char       *wrong;
    char              message[300]; /* that of the failure */
} task;

static void *work(void *of)
{
    task           *x = of;
    noe_integrator *g = noe_integrator_new(x->system, x->method, 0.02);
    x->wrong = noe_start(g, 0, x->q, x->v) || noe_run(g, 20, NULL, NULL) ? "the run failed" : NULL;
    memcpy(x->q, noe_q(g), sizeof x->q);
    memcpy(x->v, noe_v(g), sizeof x->v);
    x->energy = noe_get(g, "energy"), x->L = noe_get(g, "L"), x->axis = noe_get(g, "axis");
    noe_table  *t = noe_record(g, 21, 10, NULL);
    noe_system *other = noe_system_with(x->system, "e", 0.1 * x->number);
    noe_method *own = noe_method_parse("gauss 5");
    char       *c = noe_system_emit(other, "planet"), name[64], path[400];
    snprintf(path, sizeof path, "%s/%d.%s", scratch, x->number,
             x->number % 2 && noe_optional_library_has(NOE_OF_HDF5) ? "h5" : "json");
    if (!x->wrong && (!c || !own || noe_table_write(t, path) || noe_error()))
        x->wrong = "something failed beside the run";
    snprintf(name, sizeof name, "unknown_%d", x->number);
    noe_get(g, name); /* a message of its own */
    if (!noe_error() || !strstr(noe_error(), name)) {
        x->wrong = x->wrong ? x->wrong : "no message, or another's";
        snprintf(x->message, sizeof x->message, "%s", noe_error() ? noe_error() : "none");
    }
    free(c);
    noe_table_free(t);
    noe_method_free(own);
    noe_system_free(other);
    noe_integrator_free(g);
    noe_error_clear();
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    orbit     o = begin(kepler, "gauss 3", 0.1);
    task      alone[THREADS], together[THREADS];
    pthread_t thread[THREADS];
    memset(alone, 0, sizeof alone);
    for (int i = 0; i < THREADS; i++) {
        alone[i] = (task){ o.s,
                           o.f,
                           i,
                           { 0.75 + 0.25 * random_number(), 0.1 * random_number() },
                           { 0, 1 + 0.2 * random_number() },
                           0,
                           0,
                           0,
                           NULL,
                           "" };
        together[i] = alone[i];
    }
    for (int i = 0; i < THREADS; i++) work(&alone[i]);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, work, &together[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        if (alone[i].wrong || together[i].wrong)
            fail_msg("%s (%s), %s (%s)", alone[i].wrong, alone[i].message, together[i].wrong,
                     together[i].message);
        assert_memory_equal(alone[i].q, together[i].q, sizeof alone[i].q);
        assert_memory_equal(alone[i].v, together[i].v, sizeof alone[i].v);
        assert_true(equal_bits(alone[i].energy, together[i].energy)
                    && equal_bits(alone[i].L, together[i].L));
        assert_true(equal_bits(alone[i].axis, together[i].axis));
    }
    no_error();
    end(o);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
