/* All that is not a model, soon: nesting, length, bytes, many of a kind, mutations of the library.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "refusal.h"

static char *repeated(const char *before, const char *piece, int count, const char *after)
{
    const size_t a = strlen(before), p = strlen(piece), b = strlen(after);
    char        *text = malloc(a + p * (size_t)count + b + 1), *at = text + a;
    assert_non_null(text);
    memcpy(text, before, a);
    for (int i = 0; i < count; i++, at += p) memcpy(at, piece, p);
    memcpy(at, after, b + 1);
    return text;
}

/* Parses bytes, within half a minute of processor time, which work in proportion to the square of a
 * long text would exceed by far, to a system or to a well-formed message. */
static bool accepts(const char *bytes, size_t length, bool place)
{
    const char *what;
    int         line, column;
    clock_t     begun = clock();
    noe_error_clear();
    noe_model *m = noe_parse_model_text("model", bytes, length, NULL, 0);
    if (!m && !noe_error()) fail_msg("neither a model nor a message");
    if (!m && place && !well_formed(noe_error(), NULL, &line, &column, &what))
        fail_msg("no place: %s", noe_error());
    const double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    if (seconds > 30) fail_msg("took %g s", seconds);
    noe_model_free(m);
    return m != NULL;
}

static void stress(const char *before, const char *piece, int count, const char *after, bool good,
                   const char *words)
{
    char *text = repeated(before, piece, count, after);
    if (accepts(text, strlen(text), true) != good)
        fail_msg("%d of '%.20s' are %s", count, piece, good ? "refused" : "accepted");
    if (words && !strstr(noe_error(), words)) fail_msg("expected \"%s\": %s", words, noe_error());
    free(text);
}

#define X "coordinate x\nkinetic x'^2/2\npotential "

static void test_nesting(void **state)
{
    (void)state;
    stress(X, "(", 199, "x", false, "expected ')'");
    stress(X, "(", 60000, "x", false, "nested deeper than 200 levels");
    stress(X "(", "\n(", 100000, "x", false, "nested deeper than 200 levels");
    stress(X, "-", 60000, "x", false, "nested deeper than 200 levels");
    stress(X "x", "^x", 30000, "", false, "nested deeper than 200 levels");
    stress(X, "sin(", 15000, "x", false, "nested deeper than 200 levels");
    stress(X "x", "'", 60000, "", false, "no accelerations");
    stress(X "t", "'", 60000, "", true, NULL);
    stress(X "x", "+x*2", 15000, "", true, NULL);
    stress(X "x", ")", 60000, "", false, "found ')'");
    char *deep = repeated(X, "(", 199, "x"), *text = repeated(deep, ")", 199, "\n");
    assert_true(accepts(text, strlen(text), true));
    free(text);
    free(deep);
}

/* An index or a definition inside an expression may be nested as deep as what it stands in leaves:
 * 200 levels in all, and 200 of the text of the definition. */
static void test_nested_indices(void **state)
{
    static const char family[] = "coordinate x[1..99]\nkinetic sum(i in 1..99) x[i]'^2/2\n";
    (void)state;
    for (int round = 0; round < 20; round++) {
        const int outer = 1 + (int)(bits() % 190), inner = 1 + (int)(bits() % 190),
                  body = 1 + (int)(bits() % 190), around = 1 + (int)(bits() % 50);
        char       text[2000], open[201], close[201];
        const bool good = outer + inner < 198;
        memset(open, '(', 200), open[200] = 0;
        memset(close, ')', 200), close[200] = 0;
        snprintf(text, sizeof text, "%spotential %.*sx[%.*s1%.*s]^2%.*s", family, outer, open,
                 inner, open, inner, close, outer, close);
        if ((good || outer + inner > 202) && accepts(text, strlen(text), true) != good)
            fail_msg("%d levels in %d: %s", inner, outer, noe_error());
        if (outer + inner > 202) assert_non_null(strstr(noe_error(), "deeper than 200 levels"));
        snprintf(text, sizeof text,
                 "%sX[i in 1..99] = %.*sx[i]^2%.*s\npotential sum(i in 1..99) "
                 "%.*sX[i]%.*s",
                 family, body, open, body, close, around, open, around, close);
        if (!accepts(text, strlen(text), true))
            fail_msg("a definition of %d levels in %d: %s", body, around, noe_error());
    }
}

static void test_long(void **state)
{
    (void)state;
    stress(X, "x+", 500000, "x", false, "the line is longer than 65536 bytes");
    stress(X "x #", "y", 1 << 20, "\n", false, "the line is longer than 65536 bytes");
    stress(X "(", "x +\n", 200000, "x)", true, NULL);
    stress(X "(", "x+\n", 2200000, "x)", false, "too large a model");
    stress(X, "1", 1001, "", false, "a number of more than 1000 characters");
    stress(X, "1", 1000, "", true, NULL);
    stress(X, "y", 60000, "", false, "unknown name");
    stress(X "x\n", "\n", 1 << 23, "", true, NULL);
    stress(X "x\n", "#", 60000, "", true, NULL);
    char *text = repeated(X, " ", (1 << 24), "");
    assert_false(accepts(text, strlen(text), false));
    assert_non_null(strstr(noe_error(), "larger than 16 MB"));
    free(text);
}

/* Bytes that are no text: the message is text all the same. */
static void test_bytes(void **state)
{
    (void)state;
    static const char *const broken[] = { "\x80",     "\xC3",         "\xC0\x80",
                                          "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                                          "\xFF\xFE", "\xC2\x9B",     "\x1B[2J",
                                          "\x7F" };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char text[100];
        snprintf(text, sizeof text, "coordinate x\n\xC3\xA9 = 1 %sz\n", broken[i]);
        assert_false(accepts(text, strlen(text), true));
        assert_non_null(strstr(noe_error(), "model:2:7:"));
        for (const char *c = noe_error(); *c; c++)
            assert_true(*c == '\n' || (*c >= ' ' && *c < 127) || !strncmp(c, "\xC3\xA9", 2)
                        || !strncmp(c - 1, "\xC3\xA9", 2));
    }
    static const char nul[] = "coordinate x\nkinetic x'\0^2";
    assert_false(accepts(nul, sizeof nul - 1, true));
    assert_non_null(strstr(noe_error(), "model:2:11: a NUL byte"));
    char *noise = malloc(1 << 24);
    for (int i = 0; i < 1 << 24; i++) noise[i] = (char)below(256);
    assert_false(accepts(noise, 1 << 24, true));
    memset(noise, 'x', 1 << 24);
    assert_false(accepts(noise, 1 << 24, true));
    free(noise);
}

/* Many of one kind: the time is linear. */
static void test_many(void **state)
{
    (void)state;
    static const struct {
        const char *before, *line; /* line: printf of i, i - 1, i - 1 */
        int         count;
        const char *words;
    } table[] = {
        { "coordinate x\nkinetic x'^2\nparameter a0 = 1\n", "parameter a%1$d = a%2$d\n", 200000,
          NULL },
        { "coordinate x\nkinetic x'^2\nd0 = x\n", "d%1$d = d%2$d + x\n", 200000, NULL },
        { "coordinate x\nkinetic x'^2\nd0 = x\n", "d%1$d = sin(d%2$d)\ne%1$d = d%1$d'\n", 100000,
          NULL },
        { "parameter b = 1\ncoordinate x\nkinetic x'^2\nd0 = b\n",
          "d%1$d = cos(d%2$d)\nparameter a%1$d = d%1$d\n", 50000, NULL },
        { "coordinate x0\nkinetic x0'^2\n", "coordinate x%1$d\nkinetic x%1$d'^2 + x%2$d*x%1$d\n",
          1000, NULL },
        { "coordinate x\nkinetic x'^2\n", "observe o%1$d = x*%1$d\n", 100000, NULL },
        { "coordinate x\nkinetic x'^2\n", "potential z%1$d\n", 100000, "unknown name 'z1'" },
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const size_t room = (size_t)table[i].count * 80 + 200;
        char        *text = malloc(room), *at = text + sprintf(text, "%s", table[i].before);
        for (int k = 1; k <= table[i].count; k++)
            at += snprintf(at, room - (size_t)(at - text), table[i].line, k, k - 1);
        if (accepts(text, strlen(text), true) != !table[i].words)
            fail_msg("%s: %s", table[i].line, noe_error());
        if (table[i].words) assert_non_null(strstr(noe_error(), table[i].words));
        free(text);
    }
}

/* A path of any length: what is wrong and where stays readable. */
static void test_long_path(void **state)
{
    (void)state;
    char *name = repeated("", "\xC3\xA9/", 1000, "x.lag");
    noe_error_clear();
    assert_null(noe_parse_model_text(name, "foo bar", 7, NULL, 0));
    assert_non_null(strstr(noe_error(), "/x.lag:1:1: 'foo' begins no statement"));
    assert_non_null(strstr(noe_error(), "\n    foo bar\n    ^"));
    free(name);
    noe_error_clear();
    assert_null(noe_system_load("/nowhere/x.lag"));
    assert_non_null(strstr(noe_error(), "/nowhere/x.lag: cannot read"));
    noe_error_clear();
    assert_null(noe_system_load("systems"));
    assert_non_null(strstr(noe_error(), "systems: cannot read"));
}

/* The library's models with bytes changed, lost and doubled. */
static void mutate(const noe_system *s, const char *path)
{
    (void)path;
    static const char signs[] = "()'^*/+-,=<>#\"\n\t .0123456789exqptL\xCE\xB8[];";
    const char       *old = s->model->text;
    const size_t      length = strlen(old);
    char             *text = malloc(length + 300);
    for (int i = 0; i < 100; i++) {
        size_t n = length;
        memcpy(text, old, n);
        for (int k = 1 + below(3); k > 0; k--) {
            const size_t at = (size_t)below((int)n), span = (size_t)below(30);
            const int    kind = below(3);
            if (kind == 0) text[at] = signs[below(sizeof signs - 1)];
            if (kind == 1 && at + span < n)
                memmove(text + at, text + at + span, n -= span + at), n += at;
            if (kind == 2 && at + 2 * span < n)
                memmove(text + at + span, text + at, n - at), n += span;
        }
        accepts(text, n, true);
    }
    free(text);
}

static void test_mutations(void **state)
{
    (void)state;
    every_system(mutate);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nesting),   cmocka_unit_test(test_nested_indices),
        cmocka_unit_test(test_long),      cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_many),      cmocka_unit_test(test_long_path),
        cmocka_unit_test(test_mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
