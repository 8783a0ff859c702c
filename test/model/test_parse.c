/* "2^3^2" = 512,  x' = dx/dt,  l1 = g/40:  what the text says is what the model holds.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expressions.h"

#include <locale.h>

/* The value of an expression of numbers, in binary128. */
static quad value(const char *expression)
{
    writing w = { 0 };
    write_text(&w, "parameter r = ");
    write_text(&w, expression);
    write_text(&w, "\ncoordinate q\nkinetic q'^2/2\n");
    noe_model *m = model_of(w.text);
    const quad r = m->param[0];
    noe_model_free(m);
    free(w.text);
    return r;
}

static void test_precedence(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double      value;
    } table[] = {
        { "2^3^2", 512 },
        { "(2^3)^2", 64 },
        { "-2^2", -4 },
        { "(-2)^2", 4 },
        { "2^-1", 0.5 },
        { "-2^-2", -0.25 },
        { "2^-2^2", 0.0625 },
        { "2*3 + 4", 10 },
        { "2 + 3*4", 14 },
        { "8/4/2", 1 },
        { "8/(4/2)", 4 },
        { "8/4*2", 4 },
        { "6/2*3", 9 },
        { "8 - 4 - 2", 2 },
        { "8 - (4 - 2)", 6 },
        { "-3 - 4", -7 },
        { "2 - -3", 5 },
        { "2 + -3", -1 },
        { "- -3", 3 },
        { "--3", 3 },
        { "+3", 3 },
        { "-+3", -3 },
        { "2*-3", -6 },
        { "2/-4", -0.5 },
        { "-2*-3", 6 },
        { "2^3*4", 32 },
        { "4*2^3", 32 },
        { "1/2*4", 2 },
        { "-2^2*3", -12 },
        { "2*3^2", 18 },
        { "2 + 3^2", 11 },
        { "9^0.5", 3 },
        { "9^.5", 3 },
        { "1e3", 1000 },
        { "1E+2", 100 },
        { "25e-2", 0.25 },
        { "5.", 5 },
        { "5.e1", 50 },
        { "((((7))))", 7 },
        { "(1\n + # a comment\n 2)", 3 },
        { "if(1 < 2, 3, 4)", 3 },
        { "if(2 < 1, 3, 4)", 4 },
        { "if(2 < 2, 3, 4)", 4 },
        { "if(2 <= 2, 3, 4)", 3 },
        { "if(2 > 2, 3, 4)", 4 },
        { "if(2 >= 2, 3, 4)", 3 },
        { "if(3 > 2, 3, 4)", 3 },
        { "min(3, 2)", 2 },
        { "max(3, 2)", 3 },
        { "abs(-3)", 3 },
        { "abs(3)", 3 },
        { "sqrt(16)", 4 },
        { "exp(0)", 1 },
        { "log(1)", 0 },
        { "2*sqrt(4)^2", 8 },
        { "0^0", 1 },
        { "0 - 0", 0 },
        { "floor(2.75)", 2 },
        { "floor(-2.75)", -3 },
        { "floor(-3)", -3 },
        { "sign(-7)", -1 },
        { "sign(0)", 0 },
        { "sign(.5)", 1 },
        { "7 mod 3", 1 },
        { "-7 mod 3", -7 + 9 },
        { "(-7) mod 3", 2 },
        { "7 mod -3", -2 },
        { "5.5 mod 2", 1.5 },
        { "6 mod 3", 0 },
        { "2*7 mod 4", 2 },
        { "7 mod 4*2", 6 },
        { "1 + 7 mod 4", 4 },
        { "7 mod 2^2", 3 },
        { "0.75 mod 0.25", 0 },
        { "if(1 < 2 and 2 < 3, 4, 5)", 4 },
        { "if(1 < 2 and 3 < 2, 4, 5)", 5 },
        { "if(2 < 1 or 2 < 3, 4, 5)", 4 },
        { "if(2 < 1 or 3 < 2, 4, 5)", 5 },
        { "if(1 < 2 or 1 < 2 and 2 < 1, 4, 5)", 4 },
        { "if((1 < 2 or 1 < 2) and 2 < 1, 4, 5)", 5 },
        { "if((1 + 1) < 3 and (2) < (3), 4, 5)", 4 },
        { "if(((1 < 2)), 4, 5)", 4 },
        { "if((if(1 < 2, 3, 4)) < 4, 5, 6)", 5 },
        { "if(((1 < 2) and (max(1, 2) < 3)) or 2 < 1, 4, 5)", 4 },
        { "if(1 > 2, 1/0, 3)", 3 },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (value(table[i].text) != table[i].value)
            fail_msg("%s = %g, not %g", table[i].text, (double)value(table[i].text),
                     table[i].value);
}

static void test_functions(void **state)
{
    (void)state;
    const volatile quad x = (quad)7
                          / 16; /* the compiler's own sinh x rounds otherwise than libm's */
    const struct {
        const char *text;
        quad        value;
    } table[] = {
        { "sin(0.4375)", sinq(x) },
        { "cos(0.4375)", cosq(x) },
        { "tan(0.4375)", tanq(x) },
        { "asin(0.4375)", asinq(x) },
        { "acos(0.4375)", acosq(x) },
        { "atan(0.4375)", atanq(x) },
        { "sinh(0.4375)", sinhq(x) },
        { "cosh(0.4375)", coshq(x) },
        { "tanh(0.4375)", tanhq(x) },
        { "exp(0.4375)", expq(x) },
        { "log(0.4375)", logq(x) },
        { "sqrt(0.4375)", sqrtq(x) },
        { "atan2(0.4375, -1)", atan2q(x, -1) },
        { "0.4375^0.3", powq(x, (quad)3 / 10) },
        { "pi", acosq(-1) },
        { "0.3", (quad)3 / 10 },
        { "1/3", (quad)1 / 3 },
        { "0.1 + 0.2", (quad)1 / 10 + (quad)1 / 5 },
        { "6.62607015e-34", number("6.62607015e-34") },
        { "0.1234567890123456789012345678901234", number("0.1234567890123456789012345678901234") },
        { "1e400", number("1e400") },
        { "-0.3", (quad)-3 / 10 },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (value(table[i].text) != table[i].value) fail_msg("%s is not exact", table[i].text);
}

/* ---- a random tree, written with the fewest parentheses, has the value of the tree ---- */

typedef struct {
    writing w;
    quad    value;
    int     tightness; /* 1 sum, 2 product, 3 sign, 4 power, 5 atom */
} tree;

static tree atom(void)
{
    tree t = { .tightness = 5 };
    char text[16];
    snprintf(text, sizeof text, "%d.%d", below(4), 25 * below(4));
    write_text(&t.w, text);
    t.value = number(text);
    return t;
}

static void append(tree *to, tree part, int least)
{
    if (part.tightness < least) write_text(&to->w, "(");
    write_text(&to->w, part.w.text);
    if (part.tightness < least) write_text(&to->w, ")");
    free(part.w.text);
}

static tree grow_any(int depth);

/* Zeros have no sign in a model; what is not finite somewhere is not asked for. */
static tree grow(int depth)
{
    tree t;
    for (t = grow_any(depth); !finiteq(t.value); t = grow_any(depth)) free(t.w.text);
    if (t.value == 0) t.value = 0;
    return t;
}

static tree grow_any(int depth)
{
    if (depth == 0) return atom();
    const int  kind = below(6);
    const tree a = grow(depth - 1), b = kind < 5 ? grow(depth - 1) : (tree){ 0 };
    tree       t = { 0 };
    if (kind < 2) { /* a + b, a - b */
        append(&t, a, 1);
        write_text(&t.w, kind ? " - " : " + ");
        append(&t, b, 2);
        t.value = kind ? a.value - b.value : a.value + b.value, t.tightness = 1;
    } else if (kind < 4) { /* a*b, a/b */
        append(&t, a, 2);
        write_text(&t.w, kind == 2 ? "*" : "/");
        append(&t, b, 3);
        t.value = kind == 2 ? a.value * b.value : a.value / b.value, t.tightness = 2;
    } else if (kind == 4) { /* a^b, an exponent may have a sign */
        append(&t, a, 5);
        write_text(&t.w, "^");
        append(&t, b, 3);
        t.value = powq(a.value, b.value), t.tightness = 4;
    } else {
        write_text(&t.w, "-");
        append(&t, a, 3);
        t.value = -a.value, t.tightness = 3;
    }
    return t;
}

static void test_trees(void **state)
{
    (void)state;
    for (int i = 0; i < 3000; i++) {
        const tree t = grow(1 + i % 5);
        const quad read = value(t.w.text);
        if (read != t.value)
            fail_msg("%s = %.20g, not %.20g", t.w.text, (double)read, (double)t.value);
        free(t.w.text);
    }
}

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
        cmocka_unit_test(test_precedence), cmocka_unit_test(test_functions),
        cmocka_unit_test(test_trees),      cmocka_unit_test(test_primes),
        cmocka_unit_test(test_sum),        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_needless),   cmocka_unit_test(test_same_text),
        cmocka_unit_test(test_names),      cmocka_unit_test(test_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
