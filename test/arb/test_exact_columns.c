/* Exact columns of runs: periods from outside, refusals, wrong families, a start by hand.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Needs: flint. */
#include "exact_solution.h"
#include "arb/closed_form.h"

/* Periods from outside: another program, 40 to 50 digits. */
static void test_periods(void **unused)
{
    (void)unused;
    noe_system *s = load("systems/pendulum.lag");
    const quad  half = acosq(0);
    small(at(s, "q'", "1.18034059901609622604533794056"), 1, 5e-28,
          "a period of the pendulum"); /* q'' is -39 */
    small(at(s, "q'", "0.59017029950804811302266897028"), 1, 5e-28, "half a period");
    small(at(s, "q'", "0.29508514975402405651133448514") + 4 * half * sqrtq(2), 1, 1e-27,
          "fastest below");
    noe_system_free(s);
    s = load("systems/lagrange_top.lag");
    small(at(s, "theta'", "0.10874600547956244621582628987883"), 1, 1e-30,
          "loops"); /* theta'' is 5000 */
    small(cosq(at(s, "theta", "0.054373002739781223107913144939415"))
              - number("0.8943678364676486740"),
          1, 1e-19, "loops, upright");
    small(at(s, "phi'", "0.054373002739781223107913144939415") + number("30.86"), 1, 5e-3,
          "loops, backwards");
    noe_system_free(s);
    s = load("systems/lagrange_top_cusps.lag");
    small(at(s, "theta'", "0.264291785114457893333273594049"), 1, 3e-28, "cusps");
    small(cosq(at(s, "theta", "0.1321458925572289466666367970245")) - (4 - sqrtq(13)), 1, 1e-32,
          "cusps, lowest");
    noe_system_free(s);
    static const char *const samples[][3] = {
        /* of a run of Taylor's method with 40 digits */
        { "systems/lagrange_top.lag", "0.030125582599067974965195120844811",
          "0.74588511091696061768537032052249" },
        { "systems/lagrange_top.lag", "0.11168508670873980962706483825393",
          "1.0437815173051441221996048970829" },
        { "systems/lagrange_top_cusps.lag", "0.040179494358616909459450377473638",
          "1.0726154813150288875939197114507" },
        { "systems/lagrange_top_cusps.lag", "0.27143480633376756612606477226636",
          "1.0480675013160265293508935067497" },
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        s = load(samples[i][0]);
        small(at(s, "theta", samples[i][1]) - number(samples[i][2]), 1, 1e-30,
              "a sample of the nutation");
        noe_system_free(s);
    }
    s = load("systems/duffing.lag");
    small(at(s, "x'", "4.768022029102460"), 1, 2e-15,
          "a period of Duffing's oscillator"); /* x'' is -2 */
    noe_system_free(s);
    static const char *const detest[][5] = {
        /* of the test set DETEST: 15 digits; of e = 0.5: Kepler's equation by bc */
        { "0.1", "0.219883535200840", "0.942707684634181", "-0.978765984105818",
          "0.328797799096204" },
        { "0.5", "-0.578043295303536123275145836160", "0.863384000919419280133573065244",
          "-0.959508373038073", "-0.065049151267120" },
        { "0.9", "-1.295266250987576", "0.400393896379232", "-0.677539092470755",
          "-0.127083815427869" },
    };
    static const char *const column[] = { "x", "y", "x'", "y'" };
    for (size_t i = 0; i < sizeof detest / sizeof *detest; i++) {
        s = with(load("systems/kepler.lag"), "e = %s", detest[i][0]);
        for (int k = 0; k < 4; k++)
            small(at(s, column[k], "20") - number(detest[i][1 + k]), 1,
                  strlen(detest[i][1 + k]) > 20 ? 5e-30 : 2e-15, column[k]);
        noe_system_free(s);
    }
}

/* Times of so many turns that Newton's iteration for Kepler's equation may not end: such a state is
 * refused, and others satisfy the equation. */
static void test_many_turns(void **unused)
{
    (void)unused;
    static const char *const e[] = { "0.5", "0.9", "0.99", "0.9999", "0.999999" };
    int                      had = 0;
    for (int i = 0; i < 5; i++)
        for (int k = 5; k < 21; k += 3) {
            char                t[30];
            noe_column          c;
            noe_system         *s = with(load("systems/kepler.lag"), "e = %s", e[i]);
            noe_wide           *w = noe_wide_new();
            noe_exact_solution *x = noe_exact_solution_new(s->model, 40, NULL);
            snprintf(t, sizeof t, "1.2345e%d", k);
            noe_wide_set(w, number(t));
            assert_true(noe_column_name_find(s, "x", &c));
            if (noe_exact_solution_get(x, w, (int)c.at, c.index, w)) {
                const quad E = acosq(noe_wide_get(w) + number(e[i])),
                           M = remainderq(number(t), 2 * acosq(-1));
                small(E - number(e[i]) * sinq(E) - fabsq(M), 1, 1e-32 * pow(10, k), t);
                had++;
            }
            noe_error_clear();
            noe_wide_free(w);
            noe_exact_solution_free(x);
            noe_system_free(s);
        }
    assert_true(had > 10);
}

static void refused(const char *text, const char *why)
{
    noe_system *s = parse(text);
    noe_error_clear();
    noe_exact_solution *x = noe_exact_solution_new(s->model, 20, NULL);
    if (x) fail_msg("not refused: %s", text);
    if (!strstr(noe_error(), why)) fail_msg("'%s' without '%s'", noe_error(), why);
    noe_system_free(s);
}

static void test_refused(void **unused)
{
    (void)unused;
    refused("coordinate x\nkinetic x'^2/2\npotential x^2/2 + x^4/4\nexact pendulum\nstart x = 1",
            "does not solve the equations");
    refused(
        "coordinate x\nkinetic x'^2/2\npotential x^2/2 + 1e-20*x^4\nexact harmonic\nstart x = 1",
        "does not solve the equations");
    refused("coordinate x\nkinetic x'^2/2\npotential 1 - cos(x) + 1e-22*x^2\nexact pendulum\n"
            "start x = 1",
            "does not solve the equations");
    refused("coordinate x\nkinetic x'^2/2\npotential 1 - cos(x)*(1 + 1e-9*t)\nexact pendulum\n"
            "start x = 1",
            "does not solve the equations");
    refused("coordinate x, y\nkinetic x'^2/2 + y'^2/2\npotential x^2\nexact pendulum",
            "one coordinate");
    refused("coordinate x, y\nkinetic x'^2/2 - y'^2/2\npotential x^2\nexact linear",
            "not positive definite");
    refused("coordinate x\nkinetic x'^2/2\npotential -x^2\nexact harmonic",
            "stiffness is not positive");
    refused("coordinate x\nkinetic x'^2/2\npotential x^2", "names no exact solution");
    refused("coordinate x\nkinetic x'^2/2\npotential x^2/2 - x^4/4\nexact duffing\nstart x = 1.1",
            "runs away");
    refused("coordinate phi, theta, psi\n"
            "kinetic (theta'^2 + phi'^2*sin(theta)^2)/2 + (psi' + phi'*cos(theta))^2/2\n"
            "potential cos(theta)\nexact top\nstart theta = 1",
            "its axis comes to the vertical");
    refused("coordinate x\nkinetic x'^2/2\npotential x^2/2 + x^4/4 + 1e-20*x^6\nexact duffing\n"
            "start x = 1",
            "does not solve");
    refused("coordinate x\nkinetic x'^2/2\npotential x^2/2 + x^4/4 + 1e-20*x\nexact duffing\n"
            "start x = 1",
            "does not solve");
    refused(
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
        "potential -1/(x^2 + y^2)^0.5000000000000000000001\nexact kepler\nstart x = 1, y' = 1.1",
        "does not solve");
    refused("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential -1/sqrt(x^2 + y^2*(1 + 1e-20))\n"
            "exact kepler\nstart x = 1, y' = 1.1",
            "does not solve");
    refused("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2\nexact top",
            "three coordinates");
    refused("coordinate f, t1, p1\nkinetic t1'^2/2 + f'^2*sin(t1)^2/2 + (p1' + f'*cos(t1))^2/4\n"
            "potential cos(t1) + 1e-20*cos(2*t1)\n"
            "exact top\nstart t1 = 1, p1' = 7",
            "does not solve");
    refused("coordinate f, t1, p1\nkinetic t1'^2/2 + f'^2*sin(t1)^2/2 + (p1' + f'*cos(t1))^2/4\n"
            "exact top\nstart t1 = 1, p1' = 7",
            "expected Euler's angles");
    refused("coordinate f, t1, p1\nkinetic t1'^2/2 + f'^2*sin(t1)^2/2 + (p1' + f'*cos(t1))^2/4\n"
            "potential cos(t1)\nexact top\nstart p1' = 7",
            "outside 0 .. pi");
    /* The same models with the right name, or the perturbation below what matters, are not. */
    noe_system *s = parse(
        "coordinate x\nkinetic x'^2/2\npotential 1 - cos(x) + 1e-32*x^2\nexact pendulum\n"
        "start x = 1");
    noe_exact_solution *x = noe_exact_solution_new(s->model, 20, NULL);
    assert_non_null(x);
    noe_exact_solution_free(x);
    noe_system_free(s);
}

/* From C: noe_get and noe_record know the columns; after a start by hand the exact solution is
 * that from there. */
static void test_from_c(void **unused)
{
    (void)unused;
    noe_system     *s = load("systems/pendulum.lag");
    noe_method     *m = method("gauss 6");
    noe_integrator *g = noe_integrator_new(s, m, 0.01);
    noe_table      *t = noe_record(
             g, 0.5, 10,
             "t, q, q.exact, q', q'.exact, q.v.exact, p(q), q.p.exact, p(q).exact, energy.exact, "
                  "k2.exact");
    assert_non_null(t);
    assert_int_equal(noe_table_rows(t), 6);
    const double *q = noe_table_column(t, "q"), *x = noe_table_column(t, "q.exact"),
                 *p = noe_table_column(t, "p(q)");
    for (int k = 0; k < 6; k++) {
        assert_true(fabs(q[k] - x[k]) < 1e-13);
        assert_true(noe_table_column(t, "q'.exact")[k] == noe_table_column(t, "q.v.exact")[k]);
        assert_true(fabs(noe_table_column(t, "q.p.exact")[k] - p[k]) < 1e-12);
        assert_true(fabs(noe_table_column(t, "k2.exact")[k] - 0.5) < 1e-15);
    }
    noe_table_free(t);
    const double q0 = 3, v0 = -1;
    assert_int_equal(noe_start(g, 2, &q0, &v0), NOE_OK);
    assert_true(noe_get(g, "q.exact") == 3 && noe_get(g, "q.v.exact") == -1);
    assert_int_equal(noe_run(g, 2.5, NULL, NULL), NOE_OK);
    assert_true(fabs(noe_get(g, "q") - noe_get(g, "q.exact")) < 1e-12);
    assert_null(noe_error());
    assert_true(isnan(noe_get(g, "omega.exact")));
    assert_non_null(noe_error());
    noe_error_clear();
    assert_int_not_equal(noe_set(g, "q.exact", 1), NOE_OK);
    noe_error_clear();
    noe_integrator_free(g), noe_system_free(s);
    s = load("systems/arenstorf.lag"); /* names none */
    g = noe_integrator_new(s, m, 0.01);
    assert_true(isnan(noe_get(g, "x.exact")));
    assert_non_null(strstr(noe_error(), "names no exact solution"));
    noe_error_clear();
    assert_null(noe_record(g, 0.1, 1, "t,x.exact"));
    assert_non_null(strstr(noe_error(), "names no exact solution"));
    noe_integrator_free(g), noe_method_free(m), noe_system_free(s);
}

/* A closed form knows of no impacts. */
static void test_impacts(void **unused)
{
    (void)unused;
    noe_system     *s = parse("coordinate y\nkinetic y'^2/2\npotential y\nexact linear\n"
                                  "start y = 1\nevent floor: y = 0 falling then bounce 1\n");
    noe_method     *m = method("simpson");
    noe_integrator *g = noe_integrator_new(s, m, 0.1);
    assert_null(noe_record(g, 1, 1, "t,y.exact"));
    assert_non_null(strstr(noe_error(), "which the event 'floor' changes"));
    noe_error_clear();
    noe_integrator_free(g);
    noe_method_free(m);
    noe_system_free(s);
}

/* Every system with every family: only the right ones solve it. */
static void families_of(const noe_system *s, const char *path)
{
    static const char *const family[] = {
#define EXACT(name) #name,
#include "model/exact_families.def"
#undef EXACT
    };
    static const char *const also[][2] = { { "harmonic", "linear" },
                                           { "harmonic", "duffing" } }; /* which holds the other */
    if (s->model->optimal.controls) return; /* at rest without them, which solves many a family */
    const char *own = s->model->exact ? s->model->exact : "";
    for (size_t i = 0; i < sizeof family / sizeof *family; i++) {
        bool right = !strcmp(own, family[i]);
        for (size_t k = 0; k < 2; k++)
            right |= !strcmp(own, also[k][0]) && !strcmp(family[i], also[k][1]);
        noe_error_clear();
        s->model->exact = family[i];
        noe_exact_solution *x = noe_exact_solution_new(s->model, 20, NULL);
        if (x && !right) fail_msg("%s: taken for %s", path, family[i]);
        if (!x && right) fail_msg("%s: %s", path, noe_error());
        noe_exact_solution_free(x);
    }
    s->model->exact = *own ? own : NULL;
}

static void test_families(void **unused)
{
    (void)unused;
    every_system(families_of);
}

/* A closed form with another amplitude, frequency or phase is found out. */
static const noe_closed_form *honest;

static int spoil;

static void spoiled_at(noe_exact_solution *x, const arb_t s, arb_ptr q, arb_ptr v)
{
    arb_t y;
    arb_init(y);
    arb_mul_2exp_si(y, s, -80), arb_add(y, y, s, x->prec);
    honest->at(x, spoil == 0 ? y : s, q, v); /* faster */
    /* wider, and from elsewhere */
    if (spoil == 1) arb_mul_2exp_si(y, q, -80), arb_add(q, q, y, x->prec);
    if (spoil == 2) arb_mul_2exp_si(y, v, -80), arb_add(v, v, y, x->prec); /* another velocity */
    arb_clear(y);
}

static void test_saboteur(void **unused)
{
    (void)unused;
    for (spoil = 0; spoil < 4; spoil++) {
        noe_system         *s = load("systems/pendulum.lag");
        noe_exact_solution *x = noe_exact_solution_new(s->model, 20, NULL);
        honest = x->family;
        const noe_closed_form spoiled = { honest->name, honest->derive, spoiled_at, honest->drop };
        x->family = &spoiled;
        noe_error_clear();
        assert_int_equal(noe_solution_check(x), spoil == 3); /* 3: untouched */
        assert_int_equal(noe_error() == NULL, spoil == 3);
        x->family = honest;
        noe_exact_solution_free(x);
        noe_system_free(s);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_periods), cmocka_unit_test(test_many_turns),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_saboteur),
        cmocka_unit_test(test_impacts), cmocka_unit_test(test_families),
        cmocka_unit_test(test_from_c),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("the tightest at %.2g of its bound\n", tightest);
    return failed;
}
