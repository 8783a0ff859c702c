/* L as text, too large for one matrix, is recognised as a structure.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "spring_grid.h"
#include "sums/sums.h"

/* One step of the same system by another core, from its start; then how far the integrator's
 * state is from it. */
static double beside(const noe_engine *engine, const noe_system *s, const char *name, double h,
                     noe_integrator *g, int steps)
{
    noe_method *f = noe_method_parse(name);
    const int   n = noe_system_dim(s);
    void       *w = engine->make(&s->dyn, f);
    quad       *z = calloc(3 * (size_t)n, sizeof *z), hh = h, zero = 0;
    bool       *momentum = calloc((size_t)n, sizeof *momentum);
    assert_non_null(w);
    for (int i = 0; i < n; i++) z[i] = noe_q(g)[i], z[n + i] = noe_v(g)[i];
    engine->set(w, NOE_AT_T0, 0, &zero), engine->set(w, NOE_AT_STEP, 0, &hh);
    engine->set(w, NOE_AT_Q, 0, z), engine->set(w, NOE_AT_V, 0, z + n),
        engine->set(w, NOE_AT_P, 0, z + 2 * n);
    assert_false(engine->start(w, momentum));
    qs = ps = 0;
    for (int k = 0; k < steps; k++) {
        step(g);
        assert_false(engine->step(w));
        engine->get(w, NOE_AT_Q, 0, z), engine->get(w, NOE_AT_P, 0, z + n);
        seen(n, z, z + n);
    }
    const double d = distance(g, n, z, z + n);
    quad         H;
    engine->get(w, NOE_AT_ENERGY, 0, &H);
    small(noe_get(g, "energy") - (double)H, fabs((double)H) + qs * qs * n, 1e-13,
          "energy by two routes");
    if (n <= MOST) { /* the derivative of a step */
        static double J[4 * MOST * MOST];
        static quad   M[4 * MOST * MOST];
        double        size[2][2] = { { 0 } }, apart = 0;
        if (noe_step_jacobian(g, J)) fail_msg("%s", noe_error());
        assert_false(engine->step(w));
        assert_true(engine->derivative(w, 0, M));
        for (int i = 0; i < 4 * n * n; i++)
            size[i / 2 / n / n][i / n % 2] = fmax(size[i / 2 / n / n][i / n % 2],
                                                  fabs((double)M[i]));
        for (int i = 0; i < 4 * n * n; i++)
            apart = fmax(apart, fabs(J[i] - (double)M[i]) / size[i / 2 / n / n][i / n % 2]);
        small(apart, 1, 1e-13, "the derivative of a step by two routes");
    }
    engine->drop(w);
    noe_method_free(f);
    free(z), free(momentum);
    return d;
}

static bool is_structure(const noe_integrator *g)
{
    char told[400] = "";
    if (g->engine->summarize) g->engine->summarize(g->work, told, sizeof told);
    return !strncmp(told, "structure", 9);
}

/* L as text, too large for one matrix: it takes the sparse route, and the general core says the
 * same. */
static void recognised(void **state)
{
    (void)state;
    static const char *const method[] = { "simpson", "gauss 2", "lobatto 3", "newmark 1/4 1/2" };
    char                     text[4000];
    for (int groups = 0; groups < 2; groups++)
        for (int other = 0; other < 4;
             other++) { /* quadratic; and not: a fourth power, a magnetic term, a kink */
            const int    n = groups ? 1000 : 40;
            const double a = 0.5 + 0.4 * fabs(random_number()), b = 0.3 * random_number(),
                         c = 0.2 * fabs(random_number()), w = random_number();
            snprintf(text, sizeof text,
                     "parameter m[i in 0..%d] = 1 + %.15g*cos(i)^2\ncoordinate x[0..%d]\n"
                     "fix x[0] = %.17g, x[%d] = 0\n"
                     "kinetic sum(i in 1..%d) m[i]/2*x[i]'^2\n%spotential sum(i in 1..%d) (x[i] - "
                     "x[i-1])^2/2\n"
                     "potential sum(i in 2..%d) %.15g/2*(x[i] - x[i-2])^2\n"
                     "potential sum(i in 1..%d) %.15g*x[i]\n"
                     "potential sum(i in 1..%d) %s\n"
                     "start x[i in 1..%d] = sin(7*i), x[i in 1..%d]' = cos(3*i)\n"
                     "observe mean = sum(i in 1..%d) x[i]*m[i]\nobserve third = x[3] + x[0]\n",
                     n + 1, a, n + 1, b, n + 1, n,
                     groups ? "" : "kinetic sum(i in 2..5) 0.1*x[i]'*x[i-1]'\n", n + 1, n + 1, c, n,
                     w, n,
                     other == 1   ? "0.001*x[i]^4"
                     : other == 3 ? "0.1*abs(x[i])"
                                  : "0.1*x[i]^2",
                     n, n, n);
            if (other == 2 && groups) continue; /* groups have none */
            if (other == 2) strcat(text, "lagrangian 0.1*x[1]*x[2]'\n");
            noe_system *s = noe_system_parse(text);
            if (!s) fail_msg("%s", noe_error());
            assert_true(!s->dyn.groups == !groups);
            for (int m = 0; m < (other ? 1 : groups ? 3 : 4); m++) {
                noe_integrator *g = integrator(s, method[m], 0.1);
                assert_true(is_structure(g) == !other);
                if (other) {
                    noe_integrator_free(g);
                    continue;
                }
                noe_error_clear();
                if (m < 3) {
                    noe_method       *f = noe_method_parse(method[m]);
                    const noe_engine *engine = groups ? noe_sums_engine(s->dyn.groups, f)
                                                      : noe_engine_double();
                    small(beside(engine, s, method[m], 0.1, g, 10), 1, 4e-14,
                          "a text by the sparse route");
                    noe_method_free(f);
                } else step(g);
                double mean = 0;
                for (int i = 0; i < n; i++)
                    mean += noe_q(g)[i] * (1 + a * cos(i + 1.0) * cos(i + 1.0));
                small(noe_get(g, "mean") - mean, 1 + qs * n, 1e-13, "an observable");
                if (!(fabs(noe_get(g, "third") - noe_q(g)[2] - b) < 1e-15
                      && noe_get(g, "x[3]") == noe_q(g)[2]
                      && fabs(noe_get(g, "x.3.v") - noe_v(g)[2]) < 1e-15 * (1 + fabs(noe_v(g)[2]))))
                    fail_msg("%s, %d: %.17g %.17g %.17g, %.17g %.17g, %.17g", method[m], groups,
                             noe_get(g, "third"), noe_q(g)[2], b, noe_get(g, "x[3]"),
                             noe_get(g, "x.3.v"), noe_v(g)[2]);
                noe_integrator_free(g);
            }
            noe_system_free(s);
        }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recognised),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    print_message("tightest %.3g\n", tightest);
    return failed;
}
