/* "2^3^2" = 512: expressions and functions have the values that their text says.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "expressions.h"

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

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
