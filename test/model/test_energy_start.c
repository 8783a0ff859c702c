/* start energy = E by x': the energy of the start is E, for both velocities.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "ensemble/system_variant.h"
#include "laws.h"

/* A Lagrangian with a mass matrix that depends on x, a magnetic term and t; velocities of y and
 * z, and all positions, begin at random. */
static void random_text(char text[900], quad E, const char *by)
{
    snprintf(text, 900,
             "parameter E = %.17g, k = %.6f\ncoordinate x, y, z\n"
             "kinetic (1 + x^2)*x'^2 + y'^2 + (2 + cos(y))*z'^2 + %.6f*x'*y' + %.6f*sin(z)*x'*z'\n"
             "lagrangian %.6f*y*x' - x*z' + t*y'\npotential k*x^2 + cos(t)*y + z^4\n"
             "start t = %.6f, x = %.6f, y = %.6f + k/9, z = %.6f, y' = %.6f, z' = %.6f\n"
             "start energy = E by %s\nsuggest method = \"gauss 4\", step = 0.01, until = 1\n",
             (double)E, random_number(), random_number(), random_number(), 3 * random_number(),
             random_number(), random_number(), random_number(), random_number(), random_number(),
             random_number(), by);
}

/* Energy and velocity of x at the start, by the integrator. */
static void begin(const noe_system *s, double *H, double *v, double *size)
{
    noe_method     *m = method("gauss 4");
    noe_integrator *g = noe_integrator_new(s, m, 0.01);
    *H = noe_get(g, "energy"), *v = noe_v(g)[0], *size = 0;
    for (int i = 0; i < 3; i++) *size += fabs(noe_v(g)[i] * noe_p(g)[i]);
    noe_integrator_free(g);
    noe_method_free(m);
}

static void test_energy(void **unused)
{
    (void)unused;
    for (int i = 0; i < 60; i++) {
        char           text[2][900];
        double         H, v[2], size;
        const quad     E = 6 + random_number();
        const uint64_t same = seed;
        for (int k = 0; k < 2; k++) {
            seed = same;
            random_text(text[k], E, k ? "-x'" : "x'");
            noe_system *s = parse(text[k]);
            begin(s, &H, &v[k], &size);
            small(H - (double)E, 6 + size, 16 * 0x1p-53, "energy of the start");
            noe_system_free(s);
        }
        assert_true(v[0] > v[1]); /* the larger and the smaller */
        /* What an assignment changes is put in, too. */
        noe_system       *s = parse(text[0]);
        const char *const let[] = { "y = 0.3", "z' = 0.1", "k = 0.7" };
        noe_system       *t = noe_system_lets(s, let, 3);
        begin(t, &H, v, &size);
        small(H - (double)E, 6 + size, 16 * 0x1p-53, "energy after assignments");
        noe_system_free(t);
        noe_system_free(s);
    }
}

/* A variant with another E has every bit of the system that is read with it; one by a start is
 * refused, because the velocity depends on it. */
static void test_variants(void **unused)
{
    (void)unused;
    for (int i = 0; i < 20; i++) {
        char text[900], let[40];
        random_text(text, 8, "x'");
        const char *const energy[] = { "E" }, *const place[] = { "y" };
        quad                value;
        quad                step, until;
        noe_system_variant *v = noe_system_variant_new(parse(text), energy, 1, "0.01", "1");
        assert_non_null(v);
        sprintf(let, "E = %.17g", 9 + random_number());
        value = number(let + 4);
        assert_true(noe_system_variant_set(v, &value, &step, &until));
        noe_system *s = parse(text);
        noe_system *t = noe_system_let(s, let);
        assert_memory_equal(&t->model->begin[0].v, &v->system->model->begin[0].v, sizeof(quad));
        assert_true(t->model->begin[0].v != s->model->begin[0].v);
        noe_system_free(s);
        noe_system_free(t);
        noe_system_variant_free(v);
        assert_null(noe_system_variant_new(parse(text), place, 1, "0.01", "1"));
        noe_error_clear();
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_energy),
                                        cmocka_unit_test(test_variants) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest: %.3g of a bound\n", tightest);
    return failed;
}
