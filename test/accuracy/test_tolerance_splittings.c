/* Where --tolerance chooses a splitting, and that its promise holds there.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "run_end.h"
#include "accuracy/tolerance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

static double between(double a, double b) { return (a + b + (b - a) * random_number()) / 2; }

/* Chains whose forces are evaluated as sums: by a splitting, in fewer evaluations than any Gauss
 * method, and the promise holds; by Gauss where a splitting has not its order or is not tried. */
static void chains_are_stepped_by_splittings(void **state)
{
    (void)state;
    print_seed();
    enum { CHAINS = 4 };
    static const struct {
        const char *path, *let, *method;
        double      tolerance;
        int         digits;
    } chain[CHAINS] = { { "systems/fput_beta.lag", "a", "srkn", 1e-5, 15 },
                        { "systems/klein_gordon.lag", "k", "srkn", 1e-8, 15 },
                        { "systems/fput_beta.lag", "a", "gauss", 1e-8, 33 },
                        { "systems/toda.lag", "q[3]'", "gauss", 1e-5, 15 } };
    for (int i = 0; i < CHAINS; i++) {
        char let[40];
        snprintf(let, sizeof let, "%s = %g", chain[i].let,
                 i == 1 ? between(0.08, 0.15) : between(0.7, 1.3));
        noe_system *given = noe_system_load(chain[i].path), *s = noe_system_let(given, let);
        assert_non_null(s);
        const int            n = noe_system_dim(s);
        const quad           T = i < 2 ? between(20, 40) : 2;
        quad                 q[MOST], ref[MOST];
        double               size[MOST];
        noe_tolerance_choice p;
        assert_int_equal(noe_tolerance_pick(s, s->model->t0 + T, chain[i].tolerance,
                                            chain[i].digits, 1, NULL, &p),
                         NOE_OK);
        printf("%s, %s: %s with %.0f steps; %s\n", chain[i].path, let, p.method, p.steps, p.why);
        assert_int_equal(strncmp(p.method, chain[i].method, strlen(chain[i].method)), 0);
        assert_true((strstr(p.why, "srkn") != NULL) == (i < 2));
        assert_true(end(s, "gauss 8", 15, ceil(T * (i < 2 ? 8 : 200)), T, ref, size)
                    && end(s, p.method, 15, p.steps, T, q, NULL));
        assert_true(distance(n, q, ref, size) <= 10 * chain[i].tolerance);
        const bool coarse = end(s, p.method, 15, ceil(p.steps / 16), T, q, NULL);
        assert_true(i > 1 || !coarse || distance(n, q, ref, size) > 10 * chain[i].tolerance);
        /* The method is the one with the least cost told. */
        int    costs = 0;
        double chosen = INFINITY, least = INFINITY;
        for (const char *at = strstr(p.why, "unit of time"); at && (at = strchr(at, '(')); at++) {
            const char *number = at - 1;
            while (number[-1] != ' ') number--;
            const double cost = atof(number);
            least = fmin(least, cost);
            if (!strncmp(at + 1, p.method, strlen(p.method))) chosen = cost;
            costs++;
        }
        assert_true(costs >= 3 && chosen == least);
        noe_system_free(s), noe_system_free(given);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(chains_are_stepped_by_splittings) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
