/* e(h) = C h^p: errors, orders and verdicts of a study, each computed a second time here.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/optional_library.h"
#include "exact.h"
#include "scratch.h"
#include "study/error_norm.h"
#include "study/order_fit.h"
#include "ensemble/task_pool.h"
#include "study/reference.h"
#include "study/study_drift.h"
#include "study/study_verdict.h"

#include <string.h>

static double uniform(void) { return rand() / (RAND_MAX + 1.0); }

/* ---- orders ---- */

/* C h^p (1 + a h) above a plateau of noise whose bound is known: the regression finds p, without
 * the mask it does not. */
static void the_plateau_is_masked(void **state)
{
    (void)state;
    for (int trial = 0; trial < 500; trial++) {
        enum { N = 16 };
        const double p = 2 * (1 + rand() % 4), C = pow(10, 3 * uniform() - 1),
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
        const int    d = 1 + rand() % 6;
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

/* ---- a study, and the same by hand ---- */

static noe_study_job words(const char *model, const char *const *let, int lets,
                           noe_study_option *word, int count)
{
    return (noe_study_job){ .kind = "convergence",
                            .model = model,
                            .word = word,
                            .words = count,
                            .let = let,
                            .lets = lets,
                            .quiet = 1 };
}

/* sup and l2 of q1 of one run against the nutation by the arithmetic-geometric mean. */
static void the_top_by_hand(double *sup, double *l2, const char *name, quad h, int steps)
{
    noe_system     *s = noe_system_load("systems/lagrange_top.lag");
    noe_method     *f = noe_method_parse(name);
    noe_integrator *g = noe_integrator_make(s, f, h, 15);
    const nutation  exact = loops();
    *sup = *l2 = 0;
    for (int k = 0; k <= steps; k++) {
        if (k) assert_int_equal(noe_step(g), NOE_OK);
        const quad theta = top_theta(&exact, h * k), e = fabsq((quad)noe_q(g)[1] - theta) / theta;
        *sup = fmax(*sup, (double)e);
        *l2 += (double)(h * e * e);
    }
    *l2 = sqrt(*l2);
    noe_integrator_free(g);
    noe_method_free(f);
    noe_system_free(s);
}

/* Against the reference in 33 digits, which knows nothing of elliptic functions; two windows of
 * one run. */
static void errors_are_those_of_a_hand_made_run(void **state)
{
    (void)state;
    static const char T[] = "0.10874600547956244621582628987883";
    char              until[160], steps[160];
    snprintf(until, sizeof until, "%s, 2*%s", T, T);
    snprintf(steps, sizeof steps, "%s/20, %s/30, %s/40", T, T,
             T); /* 20 and 40 share a grid, 30 has its own */
    noe_study_option word[] = { { "methods", "", "simpson, midpoint, rk4-v", 0 },
                                { "until", "", until, 0 },
                                { "steps", "", steps, 0 },
                                { "error", "", "theta relative, far: theta relative l2", 0 },
                                { "reference", "", "33", 0 } };
    noe_study_job    job = words("systems/lagrange_top.lag", NULL, 0, word, 5);
    noe_study        s = { .job = &job };
    const int        per[] = { 20, 30, 40 };
    assert_true(noe_study_setup_make(&s) && noe_convergence_find(&s));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int w = 0; w < 2; w++) {
                double sup, l2;
                the_top_by_hand(&sup, &l2, s.method[i].label, number(T) / per[j], (w + 1) * per[j]);
                assert_true(fabs(noe_study_setup_cell(&s, w, 0, i, j)->value / sup - 1) < 1e-9);
                assert_true(fabs(noe_study_setup_cell(&s, w, 1, i, j)->value / l2 - 1) < 1e-9);
            }
    assert_true(noe_study_setup_cell(&s, 1, 0, 0, 0)->doubt < 1e-15
                && noe_study_setup_cell(&s, 1, 0, 0, 0)->doubt >= 0);
    noe_study_setup_drop(&s);
}

/* exact, 33 and self agree at random amplitudes; a reference of another amplitude (the saboteur)
 * would not. */
static void references_agree(void **state)
{
    (void)state;
    for (int trial = 0; trial < 3; trial++) {
        char         q0[64], other[64];
        const char  *let[] = { q0 }, *wrong[] = { other };
        const double amplitude = 0.3 + 2.4 * uniform();
        double       e[4][3];
        snprintf(q0, sizeof q0, "q=%.6f", amplitude);
        snprintf(other, sizeof other, "q=%.6f", amplitude + 1e-4);
        for (int r = 0; r < 4; r++) {
            static const char *const reference[] = { "33", "64", "self",
#ifdef NOE_ARB
                                                     "exact"
#else
                                                     "33"
#endif
            };
            noe_study_option word[] = {
                { "methods", "", "simpson", 0 }, { "until", "", "2", 0 },
                { "step", "", "0.04", 0 },       { "halvings", "", "2", 0 },
                { "error", "", "q", 0 },         { "reference", "", reference[r], 0 }
            };
            noe_study_job job = words("systems/pendulum.lag", let, 1, word, 6);
            noe_study     s = { .job = &job };
            assert_true(noe_study_setup_make(&s) && noe_convergence_find(&s));
            for (int j = 0; j < 3; j++) {
                assert_string_equal(noe_study_run_at(&s, 0, j)->why, "");
                e[r][j] = noe_study_setup_cell(&s, 0, 0, 0, j)->value;
                /* of the truncation error: its own reference's, or round-off */
                const double far = r == 2 ? 1e-3 : 1e-7;
                assert_true(fabs(e[r][j] / e[0][j] - 1) < far);
                if (r == 2)
                    assert_true(fabs(e[r][j] - e[0][j])
                                < 3 * noe_study_setup_cell(&s, 0, 0, 0, j)->doubt + 1e-14);
            }
            noe_study_setup_drop(&s);
        }
        noe_study_option word[] = { { "until", "", "2", 0 },
                                    { "steps", "", "0.01", 0 },
                                    { "error", "", "q", 0 } };
        noe_study_job    right = words("systems/pendulum.lag", let, 1, word, 3),
                      off = words("systems/pendulum.lag", wrong, 1, word, 3);
        noe_study     a = { .job = &right }, b = { .job = &off };
        noe_reference ra, rb;
        noe_progress  progress = { .quiet = true };
        assert_true(noe_study_setup_make(&a) && noe_reference_choose(&a)
                    && noe_reference_make(&a, &ra, &progress));
        assert_true(noe_study_setup_make(&b) && noe_reference_choose(&b)
                    && noe_reference_make(&b, &rb, &progress));
        quad worst = 0;
        for (int k = 0; k <= 200; k++)
            worst = fmaxq(worst, fabsq(ra.grid[0].x[k] - rb.grid[0].x[k]));
        assert_true(worst > 9e-5); /* thousands of times the errors above */
        noe_reference_drop(&ra), noe_reference_drop(&rb), noe_study_setup_drop(&a),
            noe_study_setup_drop(&b);
    }
}

static char *printed(noe_study_job *job, int *status)
{
    char  *text = NULL;
    size_t length;
    FILE  *to = open_memstream(&text, &length);
    *status = noe_study_run(job, to);
    fclose(to);
    return text;
}

static int table(const char *line, char **text)
{
    const char *path = in_scratch("t.study");
    FILE       *f = fopen(path, "w");
    char        folder[1000], copy[400];
    strcpy(copy, path);
    assert_non_null(getcwd(folder, sizeof folder));
    fprintf(f,
            "study = convergence\nmodel = %s/systems/pendulum.lag\nmethods = newmark, simpson\n"
            "parameter T = 1.18034059901609622604533794056\nuntil = T\nsteps = T/50, T/100, T/200\n"
            "error = p, q, relH: energy relative\n%s\n",
            folder, line);
    fclose(f);
    noe_study_job job = { .file = copy, .quiet = 1 };
    int           status;
    *text = printed(&job, &status);
    remove(copy);
    return status;
}

/* An observable that knows the step has a reference of its own at every step: it is step times
 * another one. */
static void a_column_may_know_the_step(void **state)
{
    (void)state;
    char *text;
    assert_int_equal(table("observe plain = q'^2\nobserve scaled_by_step = step*q'^2", &text), 0);
    free(text);
    static const noe_study_option word[] = { { "until", "", "1", 0 },
                                             { "steps", "", "1/20, 1/40, 1/60", 0 },
                                             { "observe", "plain", "q'^2", 0 },
                                             { "observe", "longer", "step*q'^2", 0 },
                                             { "error", "", "plain, longer", 0 } };
    noe_study_job job = words("systems/pendulum.lag", NULL, 0, (noe_study_option *)word, 5);
    noe_study     s = { .job = &job };
    assert_true(noe_study_setup_make(&s) && noe_convergence_find(&s));
    for (int j = 0; j < 3; j++) {
        const double h = (double)s.step[j].h, plain = noe_study_setup_cell(&s, 0, 0, 0, j)->value,
                     longer = noe_study_setup_cell(&s, 0, 1, 0, j)->value;
        assert_true(plain > 0 && fabs(longer / (h * plain) - 1) < 1e-9);
    }
    noe_study_setup_drop(&s);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    char *text[3];
    int   status[3];
    for (int threads = 1; threads <= 3; threads++) {
        noe_study_option word[] = { { "methods", "", "simpson, gauss 2, rk4", 0 },
                                    { "until", "", "1", 0 },
                                    { "steps", "", "1/20, 1/30, 1/40", 0 } };
        noe_study_job    job = words("systems/double_pendulum.lag", NULL, 0, word, 3);
        job.threads = threads;
        text[threads - 1] = printed(&job, &status[threads - 1]);
        assert_int_equal(status[threads - 1], 0);
        assert_string_equal(text[threads - 1], text[0]);
    }
    for (int i = 0; i < 3; i++) free(text[i]);
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

/* ---- a paper's table, with its numbers falsified one by one ---- */

static void a_wrong_digit_is_told(void **state)
{
    (void)state;
    static const struct {
        int         status;
        const char *line;
    } cases[] = {
        { 0, "published simpson p = 6.08e-06 3.78e-07 2.36e-08" },
        { 0, "published newmark q = 5.26e-03 1.31e-03 3.29e-04" },
        { 1, "published simpson p = 6.08e-06 3.78e-07 2.38e-08" },
        { 1, "published newmark q = 5.24e-03 1.31e-03 3.29e-04" },
        { 0, "published simpson p = 6.08e-06 - -" },
        { 0, "order simpson p = 4.0" },
        { 0, "order simpson p = 4.02" },
        { 1, "order simpson p = 4.03" },
        { 1, "order simpson p = 2" },
        { 0, "published simpson p = 6.08e-06 3.78e-07 2.38e-08\n"
             "erratum simpson p at 3 = 2.36e-08 a digit" },
        { 1, "published simpson p = 6.08e-06 3.78e-07 2.38e-08\n"
             "erratum simpson p at 3 = 2.39e-08 a wrong one" },
        { 1, "published simpson p = 6.08e-06 3.78e-07 2.36e-08\n"
             "erratum simpson p at 3 = 2.36e-08 there is none" },
        { 1, "published simpson p = 6.08e-06 3.78e-07 2.38e-08\n"
             "erratum simpson p at 2 = 3.78e-07 another" },
        { 0, "bound simpson relH = 2e-6" },
        { 1, "bound simpson relH = 1e-6" },
        { 0, "order simpson p = 3.0\nerratum simpson p at order = 4.0 misprint" },
        { 0, "recomputed simpson p = 6.08e-06 3.78e-07 2.36e-08" },
        { 1, "recomputed simpson p = 6.08e-06 3.78e-07 2.38e-08" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text;
        if (table(cases[i].line, &text) != cases[i].status)
            fail_msg("%s: not %d\n%s", cases[i].line, cases[i].status, text);
        free(text);
        assert_null(noe_error());
    }
}

static void study_files_are_refused_by_line(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } cases[] = {
        { "published simpson p = 6.08e-06 3.78e-07",
          "t.study:8: published simpson p 6.08e-06 3.78e-07: expected 3 numbers, one a step; found "
          "2" },
        { "published simpson v = 1 2 3", "t.study:8: published simpson v 1 2 3: "
                                         "expected an error of the study behind the method" },
        { "published verlet p = 1 2 3",
          "t.study:8: published verlet p 1 2 3: expected a method of the study first" },
        { "published simpson p until 2 = 1 2 3", "t.study:8: published simpson p until 2 1 2 3: "
                                                 "expected 'until T' with a T of the study" },
        { "published simpson p = 1 2 x", "t.study:8: published simpson p 1 2 x: 'x' is no number" },
        { "recomputed simpson p = 1 2 3\npublished newmark p = 1 2 3",
          "t.study:8: recomputed simpson p 1 2 3: the study has published numbers; recomputed ones "
          "make a study of their own" },
        { "recomputed simpson p = 1 2 3\nerratum simpson p at 1 = 2 why",
          "t.study:9: erratum simpson p at 1 2 why: an erratum is of what is published, not of "
          "recomputed numbers" },
        { "published simpson p = 1 2 3\n\npublished simpson p = 1 2 3",
          "t.study:10: published simpson p 1 2 3: given twice" },
        { "erratum simpson p = 1 why",
          "t.study:8: erratum simpson p 1 why: which number?  'at 2' is the second, 'at order' the "
          "order" },
        { "erratum simpson p at 4 = 1 why",
          "t.study:8: erratum simpson p at 4 1 why: expected 'at order' or 'at 1' .. 'at 3'" },
        { "erratum simpson p at 1 = 1",
          "t.study:8: erratum simpson p at 1 1: expected the right number and the reason" },
        { "method = simpson", "t.study:8: unknown key 'method'; did you mean 'methods'?" },
        { "observe K = nosuch^2",
          "t.study:8: observe K = nosuch^2: unknown name 'nosuch': declare it above this line" },
        { "parameter = 3", "t.study:8: parameter: expected 'parameter NAME = ..'" },
        { "norm", "t.study:8: expected KEY = VALUE, found 'norm'" },
        { "norm = l3", "t.study:8: norm l3: expected sup or l2" },
        { "windows = log 3", "t.study:8: windows: not for a study of convergence" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text;
        assert_int_equal(table(cases[i].line, &text), 2);
        assert_string_equal(text ? text : "", "");
        free(text);
        if (!noe_error() || !strstr(noe_error(), cases[i].message))
            fail_msg("%s:\n%s\nnot\n%s", cases[i].line, noe_error(), cases[i].message);
        noe_error_clear();
    }
}

int main(void)
{
    const char *given = getenv("NOE_SEED");
    seed = given ? strtoull(given, NULL, 10) : 1;
    printf("random seed %llu\n", (unsigned long long)seed);
    srand((unsigned)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plateau_is_masked),
        cmocka_unit_test(a_coarse_step_or_a_saturated_error_is_no_plateau),
        cmocka_unit_test(a_number_is_held_to_its_last_printed_digit),
        cmocka_unit_test(norms_are_what_they_are_called),
        cmocka_unit_test(errors_are_those_of_a_hand_made_run),
        cmocka_unit_test(references_agree),
        cmocka_unit_test(a_column_may_know_the_step),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(drift_is_told_from_bounded_errors),
        cmocka_unit_test(a_wrong_digit_is_told),
        cmocka_unit_test(study_files_are_refused_by_line),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
