/* Multipliers of constrained steps: 25 digits, and the low order with which they converge.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The digits were computed by another program in 40 digits.  lambda_0 .. lambda_s of a step with s
 * modes weigh G' at the nodes of Lobatto's rule; the last one projects the momenta.  The structures
 * of the engine of binary128 are read directly: nothing that users see contains these numbers. */
#define NOE_REAL NOE_QUAD
#pragma GCC diagnostic ignored "-Wunused-function" /* of the interpreter of tapes */
#include "step/engine_state.h"

#include "integrator.h"
#include "pendulums.h"

/* lambda_k of constraint a in the last step; k = s is that of the projection. */
static quad multiplier(const noe_integrator *g, int k, int a)
{
    const work              *w = g->work;
    const constraint_solver *c = &w->constraint;
    return k < w->s ? c->lambda[k * c->count + a] : c->mu[a] / (*w->state.h * c->weight[w->s]);
}

static const struct {
    const char *method;
    int         steps;
    const char *lambda[4];
} pendulum[] = {
    { "lobatto 1", 1, { "-0.97468466671472987489896775", "-2.9228664873947786196277744" } },
    { "lobatto 1", 5, { "-95.954754412550535733416362", "-104.84700637880904798857782" } },
    { "simpson",
      1,
      { "0.48710114029575950449629507", "-1.7046685453899679011659078",
        "-5.3574450591432523056804923" } },
    { "simpson",
      5,
      { "-83.650659162340041281170073", "-96.96837854993631780428321",
        "-110.74507036095931841792935" } },
    { "lobatto 3",
      1,
      { "0.00016600156034671456730400622", "-0.44658551192285717267672362",
        "-3.0595820981868099155614036", "-5.8426718817565549948920718" } },
    { "lobatto 3",
      5,
      { "-82.646124727173037021905972", "-91.249345196202882520594952",
        "-103.21716593214438046106271", "-109.40521891704534136815961" } },
};

/* lambda_0 and lambda_s of both rods after two steps of 1/40. */
static const struct {
    const char *method, *first[2], *last[2];
} rods[] = {
    { "lobatto 1",
      { "-5.3546299802267214299222691", "-2.6771117887555599026155766" },
      { "-8.2555815663408445269226856", "-4.1227729231732483081310145" } },
    { "simpson",
      { "-2.6806548475333579989765052", "-1.3402241978636505083334225" },
      { "-11.397022138560803875583304", "-5.6916021702718856431668502" } },
    { "lobatto 3",
      { "-2.9204142325320422191199833", "-1.4600967124226982014983838" },
      { "-11.632473547652759856141615", "-5.8091916740040354487330185" } },
};

static void test_digits(void **unused)
{
    (void)unused;
    noe_system *s = parse(PENDULUM);
    for (size_t k = 0; k < sizeof pendulum / sizeof *pendulum; k++) {
        noe_integrator *g = integrator(s, pendulum[k].method, (quad)1 / 20, 33);
        steps(g, pendulum[k].steps);
        for (int i = 0; i < 4 && pendulum[k].lambda[i]; i++)
            small(multiplier(g, i, 0) - number(pendulum[k].lambda[i]), 1, 1e-22,
                  pendulum[k].method);
        noe_integrator_free(g);
    }
    noe_system_free(s);
    s = parse(DOUBLE_PENDULUM);
    for (size_t k = 0; k < sizeof rods / sizeof *rods; k++) {
        noe_integrator *g = integrator(s, rods[k].method, (quad)1 / 40, 33);
        steps(g, 2);
        const int last = ((const work *)g->work)->s;
        for (int a = 0; a < 2; a++) {
            small(multiplier(g, 0, a) - number(rods[k].first[a]), 1, 5e-24, rods[k].method);
            small(multiplier(g, last, a) - number(rods[k].last[a]), 1, 5e-24, rods[k].method);
        }
        noe_integrator_free(g);
    }
    noe_system_free(s);
}

/* The last multiplier of a step has order s, the force from the equations of motion 2 s. */
static void test_order(void **unused)
{
    (void)unused;
    noe_system *s = parse(PENDULUM),
               *angle = parse("coordinate a\nkinetic a'^2/2\npotential -4*pi^2*cos(a)\n"
                              "start a = pi/2\n");
    const quad      until = number("0.39344686633869873"); /* a third of the period */
    noe_integrator *exact = integrator(angle, "gauss 8", until / 100, 33);
    quad            a, v;
    noe_column      force;
    assert_true(noe_column_name_find(s, "rod.force", &force));
    steps(exact, 100);
    noe_integrator_state_get(exact, NOE_AT_Q, &a), noe_integrator_state_get(exact, NOE_AT_V, &v);
    const quad pi = acosq(-1), lambda = -4 * pi * pi * cosq(a) - v * v;
    for (int degree = 1; degree <= 3; degree++) {
        quad error[2][2];
        char name[20];
        snprintf(name, sizeof name, "lobatto %d", degree);
        for (int i = 0; i < 2; i++) {
            const int       count = 320 << i;
            noe_integrator *g = integrator(s, name, until / count, 33);
            steps(g, count);
            error[0][i] = fabsq(multiplier(g, degree, 0) - lambda);
            error[1][i] = fabsq(noe_column_value(g, &force) - lambda);
            noe_integrator_free(g);
        }
        const double low = (double)log2q(error[0][0] / error[0][1]),
                     high = (double)log2q(error[1][0] / error[1][1]);
        if (!(fabs(low - degree) < 0.05) || !(fabs(high - 2 * degree) < 0.05))
            fail_msg("%s: order %.3f of the multiplier (%.3g, %.3g), %.3f of the force", name, low,
                     (double)error[0][0], (double)error[0][1], high);
    }
    noe_integrator_free(exact), noe_system_free(s), noe_system_free(angle);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_digits),
                                        cmocka_unit_test(test_order) };
    const int               failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("tightest bound: %.2g\n", tightest);
    return failed;
}
