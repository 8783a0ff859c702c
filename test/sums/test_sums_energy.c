/* The energy of a lattice in tiles, beside its sum in binary128, for any number of threads.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "kept_sums.h"
#include "random.h"
#include "integrate/integrator.h"

enum { CASES = 20 };

/* Ends of a random chain or ring of two families, of which the first has as many sites or more. */
typedef struct {
    int    N, M, reach; /* sites of x, of y; distance of neighbours */
    bool   ring;        /* the last neighbours of x are its first sites */
    double k;           /* strength of the coupling */
} lattice;

static noe_system *system_of(const lattice *x)
{
    char text[900];
    snprintf(text, sizeof text,
             "parameter N = %d, M = %d, k = %.17g\ncoordinate x[0..N-1], y[0..M-1]\n"
             "kinetic sum(i in 0..N-1) (2 + sin(i))*x[i]'^2/2\n"
             "kinetic sum(i in 0..M-1) 3*y[i]'^2/2\n"
             "potential sum(i in 0..N-1%s) k*(%s - x[i])^2/2\n"
             "potential sum(i in 0..M-1) (y[i] - x[i])^4/4\n"
             "potential 7\n"
             "start x[i] = sin(i^2), y[i] = cos(i^2), x[i]' = cos(3*i), y[i]' = sin(7*i)",
             x->N, x->M, x->k,
             x->ring         ? ""
             : x->reach == 1 ? "-1"
                             : "-2",
             x->ring ? (x->reach == 1 ? "x[(i+1) mod N]" : "x[(i+2) mod N]")
                     : (x->reach == 1 ? "x[i+1]" : "x[i+2]"));
    noe_system *s = noe_system_parse(text);
    if (!s || !s->dyn.groups) fail_msg("%s\n%s", text, noe_error() ? noe_error() : "not sums");
    return s;
}

/* The energy of positions q and momenta p, each term and all sums in binary128; *size: of the
 * absolute values. */
static quad energy_in_quad(const lattice *l, const double *q, const double *p, quad *size)
{
    const double *y = q + l->N;
    quad          H = 7;
    *size = 7;
    for (int i = 0; i < l->N + l->M; i++) {
        const quad m = i < l->N ? 2 + (quad)sin(i) : 3, T = (quad)p[i] * p[i] / m / 2;
        H += T, *size += T;
    }
    for (int i = 0; i < (l->ring ? l->N : l->N - l->reach); i++) {
        const quad d = (quad)q[(i + l->reach) % l->N] - q[i], U = l->k * d * d / 2;
        H += U, *size += U;
    }
    for (int j = 0; j < l->M; j++) {
        const quad d = (quad)y[j] - q[j], U = d * d * d * d / 4;
        H += U, *size += U;
    }
    return H;
}

static void test_beside_binary128(void **unused)
{
    (void)unused;
    double most = 0;
    for (int c = 0; c < CASES; c++) {
        const int       N = 600 + (int)(bits() % 4000);
        const lattice   l = { N, N - (int)(bits() % 500), 1 + (int)(bits() % 2), bits() % 2,
                              1 + fabs(random_number()) };
        noe_system     *s = system_of(&l);
        noe_method     *m = method(bits() % 2 ? "verlet" : "simpson");
        noe_integrator *g[3];
        for (int i = 0; i < 3; i++) {
            g[i] = noe_integrator_new(s, m, 0.05);
            if (!g[i] || noe_set(g[i], "threads", i + 1) || noe_run(g[i], 1, NULL, NULL))
                fail_msg("%s", noe_error());
        }
        quad         size;
        const quad   H = energy_in_quad(&l, noe_q(*g), noe_p(*g), &size);
        const double E = noe_get(*g, "energy"), error = (double)(fabsq(E - H) / size);
        most = fmax(most, error);
        assert_true(equal_bits(E, noe_get(g[1], "energy")));
        assert_true(equal_bits(E, noe_get(g[2], "energy")));
        for (int i = 0; i < 3; i++) noe_integrator_free(g[i]);
        noe_method_free(m), noe_system_free(s);
    }
    /* A term has up to ten roundings, which add up at random; one more is that of the sum. */
    if (!(most <= 0x1p-51)) fail_msg("the energy is wrong by %.2e of its terms", most);
    printf("energy: at most %.2e of its terms\n", most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beside_binary128),
    };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
