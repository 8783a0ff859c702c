/* Properties as text and JSON; what is refused, and memory that runs out.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "found.h"
#include "failing.h"
#include "inspect/properties.h"

/* ---- text ---- */

static char *as_text(const noe_properties *x)
{
    char  *text;
    size_t length;
    FILE  *f = open_memstream(&text, &length);
    noe_properties_text(x, f);
    fclose(f);
    return text;
}

static char *as_json(const noe_properties *x)
{
    noe_text t = noe_text_new(NULL);
    noe_json j = { .text = &t };
    noe_json_open(&j, NULL, '{');
    noe_properties_json(x, &j, "properties");
    noe_json_close(&j);
    return t.data;
}

/* Brackets match outside strings, and no number is nan or inf. */
static void assert_json(const char *p)
{
    char open[32];
    int  depth = 0;
    for (bool string = false; *p; p++) {
        if (*p == '"') string = !string;
        if (string) continue;
        if (*p == '{' || *p == '[') open[depth++] = *p;
        if (*p == '}' || *p == ']') assert_true(depth > 0 && open[--depth] == *p - 2);
        if (strchr("}]", *p) && p[-1] == ',') fail_msg("a comma before %s", p);
        assert_false(!strncmp(p, "nan", 3) || !strncmp(p, "inf", 3));
    }
    assert_int_equal(depth, 0);
}

static void text_law(const noe_system *s, const char *path)
{
    const double    h = (double)suggested_step(s);
    noe_properties *x = find(s, "simpson", h), *y = find(s, "simpson", h);
    char           *text = as_text(x), *json = as_json(x), *again = as_json(y);
    assert_string_equal(json, again); /* the seed is fixed */
    assert_json(json);
    for (int i = 0; i < x->n && i < 12; i++)
        if (!strstr(text, x->name[i]) || !strstr(json, x->name[i]))
            fail_msg("%s: %s is not named", path, x->name[i]);
    for (const char *p = text; *p; p = strchr(p, '\n') + 1)
        if (p[19] != ' ' || p[20] == ' ' || strcspn(p, "\n") > 160)
            fail_msg("%s: a line not aligned:\n%s", path, p);
    free(text);
    free(json);
    free(again);
    noe_properties_free(x);
    noe_properties_free(y);
}

static void test_text(void **unused)
{
    static const struct {
        const char *text, *print[3], *json;
    } model[] = {
        { "coordinate q\nkinetic q'^2/2\npotential 2*q^2",
          { "equations           linear, L is quadratic", "start               an equilibrium",
            "2 radians per unit time: fastest period 3.14159" },
          "\"equilibrium\": true" },
        { "coordinate q\nkinetic q'^2/2*(sin(q)^2 + cos(q)^2)\npotential -cos(q)\nstart q = pi",
          { "constant on sampled states", "growth              1 per unit time: unstable",
            "not known: nothing oscillates" },
          "\"constant_mass\": {\"holds\": true, \"sampled\": true}" },
        { PLANE "kinetic (x' + y')^2/2\npotential 1e6*(x - y)^2 + abs(x)",
          { "mass at the start   singular", "mass elsewhere      nonsingular at 0 of 24",
            "kinks               abs" },
          "\"singular\": true" },
        { PLANE "kinetic 1e-6*(x'^2 + y'^2)\npotential x^2 + y^2",
          { "{x} {y}: each moves independently", "BEYOND IT", "1000 radians per unit time" },
          "\"inside\": false" },
    };
    (void)unused;
    every_system(text_law);
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        noe_properties *x = find_in(model[i].text);
        char           *text = as_text(x), *json = as_json(x);
        for (int k = 0; k < 3; k++)
            if (!strstr(text, model[i].print[k]))
                fail_msg("'%s' is not in\n%s", model[i].print[k], text);
        if (!strstr(json, model[i].json)) fail_msg("'%s' is not in\n%s", model[i].json, json);
        assert_json(json);
        free(text);
        free(json);
        noe_properties_free(x);
    }
}

/* ---- refusals ---- */

static void test_refusals(void **unused)
{
    (void)unused;
    noe_error_clear();
    noe_system *s = parse("coordinate x\nkinetic x'^2/2");
    noe_method *m = method("simpson");
    assert_null(noe_properties_find(NULL, m, 1));
    assert_null(noe_properties_find(s, NULL, 1));
    noe_properties_free(NULL);
    noe_properties_text(NULL, stdout);
    noe_json out = { .file = stdout };
    noe_properties_json(NULL, &out, NULL);
    assert_null(noe_error());
    for (int i = 0; i < 3; i++) {
        noe_error_clear();
        assert_null(noe_properties_find(s, m, i == 0 ? 0 : i == 1 ? NAN : INFINITY));
        assert_non_null(strstr(noe_error(), "the step is"));
    }
    noe_system_free(s);
    noe_error_clear();
    int nowhere = 1;
    s = noe_system_new(1, 0, attracting, NULL, &nowhere);
    assert_null(noe_properties_find(s, m, 1));
    assert_non_null(strstr(noe_error(), "not finite"));
    noe_system_free(s);
    noe_error_clear();
    s = parse("coordinate x\nkinetic sqrt(-1 - x^2)*x'^2/2");
    assert_null(noe_properties_find(s, m, 1));
    assert_non_null(strstr(noe_error(), "not finite"));
    noe_system_free(s);
    noe_error_clear();
    /* Where only a small neighbourhood of the start is good, states are drawn there. */
    s = parse("coordinate x\nkinetic x'^2/2\npotential sqrt(1e-6 - (x - 1)^2)\nstart x = 1");
    noe_properties *x = noe_properties_find(s, m, 1);
    assert_true(x && x->states == 24);
    noe_properties_free(x);
    noe_system_free(s);
    noe_method_free(m);
}

static void test_memory(void **unused)
{
    (void)unused;
    noe_system     *s = load("systems/lagrange_top.lag");
    noe_method     *m = method("simpson");
    noe_properties *x = NULL;
    for (long k = 0; !x; k++) {
        noe_error_clear();
        calls_left = k;
        x = noe_properties_find(s, m, 0.0005);
        calls_left = -1;
        if (!x && (!noe_error() || !strstr(noe_error(), "memory")))
            fail_msg("call %ld failed without a message", k);
        assert_true(k < 10000);
    }
    noe_properties_free(x);
    noe_method_free(m);
    noe_system_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_memory),
    };
    print_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
