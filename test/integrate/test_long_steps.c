/* Steps far too long are refused, and refused alike, in whatever words the motion is told.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * What refuses them is the change of energy in one step (step/energy_jump.h).  Measured by the
 * total energy, which a constant in V makes as large as one likes, it lets them pass. */
#include "laws.h"

enum { STEPS = 8, PLACES = 2 };

typedef struct {
    int    done;
    double q[PLACES];
} outcome;

static outcome made(const char *text, const char *name, double h)
{
    noe_system     *s = parse(text);
    noe_method     *m = method(name);
    noe_integrator *g = noe_integrator_new(s, m, h);
    outcome         y = { .done = 0 };
    while (y.done < STEPS && !noe_step(g)) y.done++;
    y.q[0] = noe_get(g, "q1"), y.q[1] = noe_get(g, "q2");
    noe_error_clear();
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
    return y;
}

static bool alike(const outcome *x, const outcome *y, double bound)
{
    bool same = x->done == y->done;
    for (int i = 0; i < PLACES; i++) same = same && fabs(x->q[i] - y->q[i]) <= bound;
    return same;
}

static void test_refused_alike(void **unused)
{
    (void)unused;
    static const char *const words[] = {
        "",
        "potential 1e6\n",
        "potential 0 - 1e6\n",
        "coordinate z\nkinetic 1e6*z'^2/2\nstart z' = 1\n",
    };
    static const char *const name[] = { "simpson", "midpoint", "gauss 2",
                                        "gauss 3", "gauss 4",  "lobatto 3" };
    enum {
        WORDS = sizeof words / sizeof *words,
        METHODS = sizeof name / sizeof *name,
        NEAR = 2,
        RUNS = 1500
    };
    int refused = 0, compared = 0;
    for (int k = 0; k < RUNS; k++) {
        const double q1 = 3 * random_number(), q2 = 3 * random_number(), v1 = 6 * random_number(),
                     v2 = 6 * random_number(), h = pow(10, -1.1 + 0.5 * random_number());
        outcome plain = { 0 }, said[WORDS + NEAR];
        char    text[1000];
        for (int i = 0; i < WORDS + NEAR; i++) {
            snprintf(text, sizeof text,
                     "coordinate q1, q2\nkinetic q1'^2 + q2'^2/2 + q1'*q2'*cos(q1 - q2)\n"
                     "potential -19.62*cos(q1) - 9.81*cos(q2)\n%s"
                     "start q1 = %.17g, q2 = %.17g, q1' = %.17g, q2' = %.17g\n",
                     i < WORDS ? words[i] : "", q1 + (i < WORDS ? 0 : (i - WORDS + 1) * 1e-11), q2,
                     v1, v2);
            said[i] = made(text, name[k % METHODS], h);
        }
        plain = said[0];
        /* A verdict that turns on the last bits, as starts nearby show, is not compared. */
        if (!alike(&plain, &said[WORDS], 1e-6) || !alike(&plain, &said[WORDS + 1], 1e-6)) continue;
        compared++, refused += plain.done < STEPS;
        for (int i = 1; i < WORDS; i++)
            if (!alike(&plain, &said[i], 1e-4))
                fail_msg("%s, step %g: %d steps with '%s', %d without, of\n%s", name[k % METHODS],
                         h, said[i].done, words[i], plain.done, text);
    }
    printf("%d compared, %d of them refused\n", compared, refused);
    assert_true(compared > 0.9 * RUNS && refused > RUNS / 50);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_refused_alike) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
