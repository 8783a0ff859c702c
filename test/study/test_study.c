/* Whole studies, each computed a second time by hand; wrong digits and wrong files are told.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study_words.h"
#include "exact.h"
#include "ensemble/task_pool.h"
#include "study/reference.h"

#include <string.h>

/* ---- a study, and the same by hand ---- */

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
        const double amplitude = 1.5 + 1.2 * random_number();
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
                                         "expected an error of the study after the method" },
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
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_those_of_a_hand_made_run),
        cmocka_unit_test(references_agree),
        cmocka_unit_test(a_column_may_know_the_step),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(a_wrong_digit_is_told),
        cmocka_unit_test(study_files_are_refused_by_line),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
