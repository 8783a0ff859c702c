/* e(h) = C h^p: orders with and without a plateau, verdicts on printed numbers, norms, drift.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study_words.h"
#include "exact.h"
#include "study/error_norm.h"
#include "study/order_fit.h"
#include "ensemble/task_pool.h"
#include "study/study_drift.h"
#include "study/study_verdict.h"

#include <string.h>

/* Uniform in (0, 1). */
static double uniform(void) { return (1 + random_number()) / 2; }

/* ---- orders ---- */

/* C h^p (1 + a h) above a plateau of noise whose bound is known: the regression finds p, without
 * the mask it does not. */
static void the_plateau_is_masked(void **state)
{
    (void)state;
    for (int trial = 0; trial < 500; trial++) {
        enum { N = 16 };
        const double p = 2 * (1 + (int)(bits() % 4)), C = pow(10, 3 * uniform() - 1),
                     noise = pow(10, -14 + 3 * uniform());
        double h[N], e[N], floor[N];
        bool   masked[N], none[N] = { false };
        int    on = 0, clear = 0;
        for (int i = 0; i < N; i++) {
            h[i] = 0.1 * pow(2, -i);
            const double truth = C * pow(h[i], p) * (1 + 0.5 * h[i] * (2 * uniform() - 1));
            e[i] = truth + noise * (0.2 + 0.8 * uniform());
            floor[i] = 3 * noise;
            clear += truth > 100 * noise;
            on += truth < noise / 100;
        }
        noe_order_fit_mask(N, h, e, floor, p, masked);
        for (int i = 0; i < N; i++) {
            if (i < clear) assert_false(masked[i]);
            if (i >= N - on && on > 1 && i > N - on) assert_true(masked[i]);
        }
        if (clear < 3 || on < 4) continue;
        /* a pair at the edge may have lost a fifth of its order */
        const double far = 0.1 * p + 0.02;
        assert_true(fabs(noe_order_fit_slope(N, h, e, masked) - p) < far);
        assert_true(fabs(noe_order_fit_slope(N, h, e, none) - p) > far); /* what the mask is for */
    }
}

static void a_coarse_step_or_a_saturated_error_is_no_plateau(void **state)
{
    (void)state;
    const double h[] = { 0.4, 0.2, 0.1, 0.05 }, saturated[] = { 1.25, 1.258, 1.258, 0.854 },
                 floor[] = { 1e-13, 1e-13, 1e-13, 1e-13 };
    const double round_off[] = { 1e-14, 2e-14, 1.5e-14, 1e-14 }, exact[] = { 1e-3, 0, 0, 0 };
    bool         masked[4];
    noe_order_fit_mask(4, h, saturated, floor, 2, masked);
    for (int i = 0; i < 4; i++) assert_false(masked[i]);
    noe_order_fit_mask(4, h, round_off, floor, 4, masked);
    for (int i = 0; i < 4; i++) assert_true(masked[i]);
    assert_true(isnan(noe_order_fit_slope(4, h, round_off, masked)));
    assert_true(isnan(noe_order_fit_pair(0.2, exact[0], 0.1, exact[1])));
    assert_true(fabs(noe_order_fit_pair(0.4, 16, 0.1, 0.0625) - 4) < 1e-14);
}

/* ---- verdicts ---- */

static void a_number_is_held_to_its_last_printed_digit(void **state)
{
    (void)state;
    static const struct {
        const char *printed;
        double      computed;
        bool        same;
    } cases[] = {
        { "1.31e-03", 1.3168605e-3, true },
        { "1.32e-03", 1.3168605e-3, true }, /* truncated, rounded */
        { "1.33e-03", 1.3168605e-3, false },
        { "0.782", 0.078217, false },
        { "0.0782", 0.078217, true },
        { "2", 2.9, true },
        { "2", 3.1, false },
        { "-1.5", -1.56, true },
        { "6.08e-06", 6.0856e-6, true },
        { "0.000800", 0.0008772, false },
        { "1.05E-6", 1.0497e-6, true },
        { "5.25e-09", NAN, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(noe_study_verdict_digits_agree(cases[i].printed, cases[i].computed, 0),
                         cases[i].same);
    for (int i = 0; i < 10000;
         i++) { /* rounded and truncated to d digits it is the same, one unit further it is not */
        const int    d = 1 + (int)(bits() % 6);
        const double x = (2 * uniform() - 1) * pow(10, 20 * uniform() - 10);
        char         text[64];
        snprintf(text, sizeof text, "%.*e", d, x);
        assert_true(noe_study_verdict_digits_agree(text, x, 0));
        const double unit = pow(10, atoi(strchr(text, 'e') + 1) - d);
        assert_false(noe_study_verdict_digits_agree(text, x + 1.6 * unit, 0));
        assert_false(noe_study_verdict_digits_agree(text, x - 1.6 * unit, 0));
    }
}

/* ---- norms ---- */

static void norms_are_what_they_are_called(void **state)
{
    (void)state;
    enum { N = 3, K = 200 };
    for (int trial = 0; trial < 64; trial++) {
        const noe_quantity u = {
            .count = N, .l2 = trial & 1, .euclid = trial & 2, .scaling = trial / 4 % 3
        };
        quad           x[K][N], y[K][N];
        double         sup = 0, sum = 0, y_sup = 0, y_sum = 0, h = 0.01;
        noe_error_norm norm = { 0 };
        for (int k = 0; k < K; k++) {
            double e = 0, of = 0;
            for (int i = 0; i < N; i++) {
                y[k][i] = 2 * uniform() - 1, x[k][i] = y[k][i] + 1e-3 * uniform();
                const double d = fabs((double)(x[k][i] - y[k][i])), v = fabs((double)y[k][i]);
                if (u.euclid) e += d * d, of += v * v;
                else e = d > e ? d : e, of = v > of ? v : of;
            }
            if (u.euclid) e = sqrt(e), of = sqrt(of);
            if (u.scaling == NOE_RELATIVE) e /= of;
            sup = fmax(sup, e), sum += e * e, y_sup = fmax(y_sup, of), y_sum += of * of;
            noe_error_norm_add(&norm, &u, x[k], y[k], h * k);
        }
        double expected = u.l2 ? sqrt(h * sum) : sup;
        if (u.scaling == NOE_SCALED) expected = u.l2 ? sqrt(sum / y_sum) : sup / y_sup;
        assert_true(fabs(noe_error_norm_value(&norm, &u, h) / expected - 1) < 1e-13);
    }
    const noe_quantity relative = { .count = 1, .scaling = NOE_RELATIVE };
    const quad         one = 1, none = 0;
    noe_error_norm     norm = { 0 };
    noe_error_norm_add(&norm, &relative, &one, &none, 2);
    assert_true(isnan(noe_error_norm_value(&norm, &relative, 1)) && norm.zero && norm.zero_at == 2);
}

/* ---- drift ---- */

static void drift_is_told_from_bounded_errors(void **state)
{
    (void)state;
    noe_study_option word[] = { { "methods", "", "simpson, rk4, gauss 8", 0 },
                                { "until", "", "400", 0 },
                                { "step", "", "0.02", 0 },
                                { "error", "", "energy relative", 0 },
                                { "windows", "", "log 25", 0 } };
    noe_study_job    job = words("systems/pendulum.lag", NULL, 0, word, 5);
    noe_study        s = { .job = &job };
    noe_drift        d = { 0 };
    job.kind = "drift";
    assert_true(noe_study_setup_make(&s) && noe_study_drift_make(&s, &d));
    const noe_drift_growth *simpson = noe_study_drift_growth_at(&s, &d, 0, 0, 0),
                           *rk4 = noe_study_drift_growth_at(&s, &d, 0, 1, 0),
                           *fine = noe_study_drift_growth_at(&s, &d, 0, 2, 0);
    assert_true(fabs(simpson->power) < 0.05 && fabs(simpson->gained) < 0.01 * simpson->most[24]);
    assert_true(fabs(rk4->power - 1) < 0.1 && fabs(rk4->gained) > 0.8 * rk4->most[24]
                && fabs(rk4->gained) > 100 * rk4->scatter);
    /* round-off, and known to be */
    assert_true(fine->most[24] < fine->floor && fine->floor < 1e-9);
    double most = 0; /* the windows together hold the largest error of the run */
    for (int w = 0; w < d.windows; w++) most = fmax(most, simpson->most[w]);
    noe_system     *system = noe_system_load("systems/pendulum.lag");
    noe_method     *f = noe_method_parse("simpson");
    noe_integrator *g = noe_integrator_make(system, f, number("0.02"), 15);
    const double    H0 = noe_get(g, "energy");
    double          by_hand = 0;
    for (int k = 0; k < 20000; k++) {
        assert_int_equal(noe_step(g), NOE_OK);
        by_hand = fmax(by_hand, fabs(noe_get(g, "energy") - H0) / H0);
    }
    assert_true(fabs(most / by_hand - 1) < 1e-6);
    noe_method *explicit = noe_method_parse(
        "rk4"); /* a steady loss: what is gained is the error at the end, sign and all */
    noe_integrator *lossy = noe_integrator_make(system, explicit, number("0.02"), 15);
    assert_int_equal(noe_run(lossy, 400, NULL, NULL), NOE_OK);
    assert_true(fabs(rk4->gained / ((noe_get(lossy, "energy") - H0) / H0) - 1) < 0.1);
    noe_integrator_free(lossy), noe_method_free(explicit);
    noe_integrator_free(g), noe_method_free(f), noe_system_free(system), noe_study_setup_drop(&s);
}

/* A run that never begins has no numbers; one that cannot start says why, not what follows. */
static void runs_without_a_step(void **state)
{
    (void)state;
    noe_study_option      word[] = { { "methods", "", "simpson, rk4", 0 },
                                     { "until", "", "1", 0 },
                                     { "steps", "", "0.1, 0.05", 0 },
                                     { "error", "", "energy relative", 0 } };
    volatile sig_atomic_t interrupted = 1;
    put("singular.lag", "coordinate x\nkinetic x^2*x'^2/2\nstart x = 0, x' = 1\n");
    for (int round = 0; round < 2; round++) {
        noe_study_job job = words(round ? in_scratch("singular.lag") : "systems/pendulum.lag", NULL,
                                  0, word, 4);
        noe_study     s = { .job = &job };
        noe_drift     d = { 0 };
        job.kind = "drift", job.interrupted = round ? NULL : &interrupted;
        if (!noe_study_setup_make(&s) || !noe_study_drift_make(&s, &d)) fail_msg("%s", noe_error());
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                const noe_drift_growth *g = noe_study_drift_growth_at(&s, &d, 0, i, j);
                const char             *why = noe_study_run_at(&s, i, j)->why;
                assert_true(isnan(g->power) && isnan(g->power_error));
                assert_true(isnan(g->gained) && isnan(g->scatter) && isnan(g->most[0]));
                if (round ? strstr(why, "at the start: it has") || !*why
                          : strcmp(why, "interrupted"))
                    fail_msg("why: '%s'", why);
            }
        noe_study_setup_drop(&s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plateau_is_masked),
        cmocka_unit_test(a_coarse_step_or_a_saturated_error_is_no_plateau),
        cmocka_unit_test(a_number_is_held_to_its_last_printed_digit),
        cmocka_unit_test(norms_are_what_they_are_called),
        cmocka_unit_test(drift_is_told_from_bounded_errors),
        cmocka_unit_test(runs_without_a_step),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
