/* x' = dx/dt, l1 = g/40: primes, sums of L, parameters and names, in files of all editors.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expressions.h"

#include <locale.h>

/* ---- primes ---- */

/* The value of a definition at (t, q, v). */
static quad defined(noe_model *m, const char *name, quad t, const quad *q, const quad *v)
{
    const noe_symbol *s = noe_model_find(m, name, strlen(name));
    term             *x = calloc((size_t)m->graph.count, sizeof *x);
    quad              input[2 + 3 * DOFS] = { t };
    memcpy(input + 1, q, (size_t)m->n * sizeof *q);
    memcpy(input + 1 + m->n, v, (size_t)m->n * sizeof *v);
    evaluate(&m->graph, m->n, m->param, input, x);
    const quad y = x[s->ex].value;
    free(x);
    return y;
}

static void test_primes(void **state)
{
    (void)state;
    noe_model *m = model_of(
        "parameter l = 3, A = 2\ncoordinate s, q\nkinetic s'^2 + q'^2\n"
        "x = s + l*sin(q)\ny = -l*cos(q)\nu = x^2*y\npivot = A*cos(5*t)\nw = pivot*q\n"
        "dx = x'\ndy = y'\ndu = u'\ndp = pivot'\ndw = w'\ndl = l'\ndt = t'\n"
        "dpi = pi'\nddt = t''\n"
        "sq = x'^2\nsame = dx^2\nspaced = x '\nsquare = q'^2*s'\n");
    const quad l = 3, A = 2, t = random_number();
    const quad q[] = { random_number(), random_number() },
               v[] = { random_number(), random_number() };
    const quad x = q[0] + l * sinq(q[1]), y = -l * cosq(q[1]);
    const quad dx = v[0] + l * cosq(q[1]) * v[1], dy = l * sinq(q[1]) * v[1],
               dp = -5 * A * sinq(5 * t);
    const struct {
        const char *name;
        quad        value;
    } table[] = { { "dx", dx },
                  { "dy", dy },
                  { "du", 2 * x * dx * y + x * x * dy },
                  { "dp", dp },
                  { "dw", dp * q[1] + A * cosq(5 * t) * v[1] },
                  { "dl", 0 },
                  { "dt", 1 },
                  { "dpi", 0 },
                  { "ddt", 0 },
                  { "sq", dx * dx },
                  { "spaced", dx },
                  { "square", v[1] * v[1] * v[0] } };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        small(defined(m, table[i].name, t, q, v) - table[i].value, 1 + fabsq(table[i].value),
              60 * QUAD_EPS, table[i].name);
    assert_int_equal(noe_model_find(m, "sq", 2)->ex, noe_model_find(m, "same", 4)->ex);
    noe_model_free(m);
}

/* L = kinetic - potential + lagrangian, each any number of times, in any order. */
static void test_sum(void **state)
{
    (void)state;
    noe_model *m = model_of(
        "potential 3\ncoordinate x\nlagrangian 5*x'\nkinetic x'^2\npotential x\n"
        "kinetic 7*x\n"
        "lagrangian 11\n");
    const quad x = random_number(), v = random_number();
    term      *y = calloc((size_t)m->graph.count, sizeof *y);
    const quad input[5] = { 0, x, v };
    evaluate(&m->graph, 1, m->param, input, y);
    small(y[m->L].value - (v * v + 7 * x - 3 - x + 5 * v + 11), y[m->L].err, 4 * QUAD_EPS, "L");
    free(y);
    noe_model_free(m);
}

/* ---- parameters, start values and what changes them from outside ---- */

static const char pendulum[] =
    "parameter g = 8, l1 = g/4, l2 = l1 + 1\ncoordinate q1, q2\n"
    "kinetic q1'^2/2 + q2'^2/2\npotential -g/l1*cos(q1) - cos(q2)\n"
    "start q1 = l2/2, p(q2) = g, t = 1\nsuggest step = l1/100 # a comment\n";

static noe_system *let(noe_system *s, const char *assignment)
{
    noe_error_clear();
    noe_system *changed = noe_system_let(s, assignment);
    if (!changed) fail_msg("%s", noe_error());
    noe_system_free(s);
    return changed;
}

static void has(const noe_system *s, double g, double l1, double l2, double q1, double step)
{
    quad h;
    assert_true(noe_system_get(s, "g") == g);
    assert_true(noe_system_get(s, "l1") == l1 && noe_system_get(s, "l2") == l2);
    assert_true(s->model->begin[0].q == q1);
    assert_true(noe_parse_model_value(s->model, "step", noe_system_suggest(s, "step"), &h));
    assert_true(fabsq(h - (quad)step / 100) < 1e-30);
}

static void test_overrides(void **state)
{
    (void)state;
    noe_system *s = parse(pendulum);
    has(s, 8, 2, 3, 1.5, 2);
    assert_string_equal(noe_system_suggest(s, "step"), "l1/100");
    s = let(s, "g = 16"); /* what depends on it follows */
    has(s, 16, 4, 5, 2.5, 4);
    assert_true(s->model->begin[1].has_p && s->model->begin[1].p == 16 && s->model->t0 == 1);
    s = let(s, "l1 = g/2"); /* takes the place of the expression */
    has(s, 16, 8, 9, 4.5, 8);
    s = let(s, "g=2"); /* a later one replaces an earlier one; l1 = g/2 stays */
    has(s, 2, 1, 2, 1, 1);
    s = let(s, "l2=7");
    has(s, 2, 1, 7, 3.5, 1);
    s = let(s, " q1 = 0.25 ");
    has(s, 2, 1, 7, 0.25, 1);
    s = let(s, "q1=-l2");
    has(s, 2, 1, 7, -7, 1);
    s = let(s, "t=5");
    assert_true(s->model->t0 == 5);
    s = let(s, "q2.v=3"); /* takes the place of the model's momentum */
    assert_true(s->model->begin[1].has_v && !s->model->begin[1].has_p && s->model->begin[1].v == 3);
    s = let(s, "q2' = 4");
    assert_true(s->model->begin[1].v == 4);
    s = let(s, "p(q1) = 6");
    assert_true(s->model->begin[0].has_p && s->model->begin[0].p == 6);
    noe_system *w = noe_system_with(s, "q1.p", 0.1), *u = noe_system_with(w, "g", 3);
    assert_true(w->model->begin[0].p == (quad)0.1 && u->model->param[0] == 3
                && s->model->begin[0].p == 6);
    noe_system_free(u);
    noe_system_free(w);
    noe_system_free(s);
}

/* An overridden parameter does not need its own expression. */
static void test_needless(void **state)
{
    (void)state;
    static const char *const change[] = { "a = 0", "b = 3" };
    const char text[] = "parameter a = 1, b = 1/a\ncoordinate q\nkinetic q'^2\nstart q = b\n";
    noe_model *m = noe_parse_model_text("model", text, strlen(text), change, 2);
    assert_non_null(m);
    assert_true(m->begin[0].q == 3);
    noe_model_free(m);
}

/* ---- text ---- */

/* Files of all kinds of editors say the same. */
static void test_same_text(void **state)
{
    (void)state;
    static const char *const same[] = {
        "coordinate x\nkinetic x'^2/2\nsuggest method = \"gauss 2\", step = 0.5\n",
        "coordinate x\nkinetic x'^2/2\nsuggest method = \"gauss 2\", step = 0.5",
        "\xEF\xBB\xBF"
        "coordinate x\r\nkinetic x'^2/2\r\nsuggest method = \"gauss 2\", step = 0.5  "
        "\r\n",
        "# x\n\n\n  coordinate\tx # x\n\tkinetic(x'^2\n\n/2)#\n suggest method=\"gauss 2\"\n"
        "suggest step=0.5# (\n#",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        noe_system *s = parse(same[i]);
        assert_string_equal(noe_system_suggest(s, "method"), "gauss 2");
        assert_string_equal(noe_system_suggest(s, "step"), "0.5");
        assert_string_equal(noe_system_name(s, 0), "x");
        assert_int_equal(noe_system_dim(s), 1);
        assert_int_equal(s->dyn.masses, 1);
        noe_system_free(s);
    }
}

/* The eight words that begin statements are names where a '=' follows; letters are of every
 * kind. */
static void test_names(void **state)
{
    (void)state;
    noe_model *m = model_of(
        "parameter parameter = 1, start = 2, mass = 3, _a1 = 4, \xCF\x89 = 5, Q = 6\n"
        "coordinate \xCE\xB8, q, kinetic\npotential = start*q\n"
        "force = potential*\xCF\x89\n"
        "kinetic mass*\xCE\xB8'^2 + q'^2 + kinetic'^2\npotential force\n"
        "observe observe = force\n");
    assert_int_equal(m->params, 6);
    assert_int_equal(m->n, 3);
    assert_string_equal(m->coordinate[0]->name, "\xCE\xB8");
    assert_string_equal(m->observable[0]->name, "observe");
    noe_model_free(m);
}

/* A decimal point is a point in every locale. */
static void test_locale(void **state)
{
    (void)state;
    static const char *const comma[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "nl_NL.UTF-8", "de_DE" };
    const char              *before = setlocale(LC_NUMERIC, NULL);
    char                     keep[200];
    snprintf(keep, sizeof keep, "%s", before);
    size_t i = 0;
    while (i < sizeof comma / sizeof *comma && !setlocale(LC_NUMERIC, comma[i])) i++;
    printf("locale: %s\n",
           i < sizeof comma / sizeof *comma ? comma[i] : "no other than C is installed");
    assert_true(value("0.3") == (quad)3 / 10);
    setlocale(LC_NUMERIC, keep);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_primes),    cmocka_unit_test(test_sum),
        cmocka_unit_test(test_overrides), cmocka_unit_test(test_needless),
        cmocka_unit_test(test_same_text), cmocka_unit_test(test_names),
        cmocka_unit_test(test_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
