/* read(write(x)) = x, for every double and every quad, in every locale.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "number/decimal.h"
#include "base/utf8.h"
#include "scratch.h"

#include <locale.h>
#include <math.h>

static int significant(const char *s)
{
    int n = 0, zeros = 0;
    for (; *s && *s != 'e'; s++)
        if (*s >= '0' && *s <= '9' && (n || *s != '0')) n++, zeros = *s == '0' ? zeros + 1 : 0;
    return n - zeros;
}

static void check_double(double x)
{
    char text[NOE_NUMBER_SIZE], printed[64];
    int  n = noe_decimal_write(text, x, 15), digits = 1;
    assert_int_equal(n, strlen(text));
    assert_true(equal_bits(strtod(text, NULL), x));
    do snprintf(printed, sizeof printed, "%.*g", digits, x);
    while (strtod(printed, NULL) != x && digits++ < 17);
    if (significant(text) > significant(printed)) fail_msg("%s is longer than %s", text, printed);
    quad a, b; /* printf's decimal is the nearest of its length */
    if (noe_decimal_read(text, &a) && noe_decimal_read(printed, &b)
        && significant(text) == significant(printed) && finiteq(a)
        && fabsq(a - x) > fabsq(b - x) * (1 + (quad)1e-9))
        fail_msg("%s is farther from %.17g than %s", text, x, printed);
}

static void test_doubles(void **state)
{
    (void)state;
    static const double special[] = { 0.0,
                                      -0.0,
                                      1,
                                      -1,
                                      0.1,
                                      0.01,
                                      8115043742445503488.0,
                                      1e15,
                                      1e16,
                                      1e22,
                                      1e23,
                                      9007199254740992.0,
                                      5e-324,
                                      2.2250738585072014e-308,
                                      2.225073858507201e-308,
                                      1.7976931348623157e308,
                                      5.684341886080801e-14,
                                      999999999999999.9,
                                      1e-5,
                                      1e-6,
                                      4503599627370495.5 };
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) check_double(special[i]);
    for (int i = 0; i < 100000; i++) check_double(any_double());
    for (int k = 0; k < 2000; k++) check_double(k * 0.01);
}

static void check_quad(quad x)
{
    char text[NOE_NUMBER_SIZE];
    quad y;
    int  n = noe_decimal_write(text, x, 33);
    assert_int_equal(n, strlen(text));
    assert_true(significant(text) <= 36);
    assert_true(noe_decimal_read(text, &y));
    assert_memory_equal(&x, &y, sizeof x);
}

/* Between 10^31 and 2^103 = 1.0141 10^31 quads are densest among decimals: only there 36 digits
 * are needed. */
static void test_quads(void **state)
{
    (void)state;
    for (int i = 0; i < 5000; i++) {
        quad fraction = scalbnq((quad)bits(), -64) + scalbnq((quad)bits(), -128);
        quad x = scalbnq((quad)any_double() * (1 + fraction), (int)(bits() % 30000) - 15000);
        if (x - x == 0) check_quad(x);
        check_quad((quad)1e31 * (1 + fraction / 71));
    }
}

static void expect_number(const char *expected, quad x, int digits)
{
    char text[NOE_NUMBER_SIZE];
    noe_decimal_write(text, x, digits);
    assert_string_equal(text, expected);
}

static void test_looks(void **state)
{
    (void)state;
    expect_number("nan", NAN, 15);
    expect_number("inf", INFINITY, 33);
    expect_number("-inf", -INFINITY, 15);
    expect_number("inf", scalbnq(1, 16000), 15);
    expect_number("-0", -0.0, 33);
    expect_number("0", (quad)1 / 10 - (quad)1 / 10, 33);
    expect_number("-12", -12, 15);
    expect_number("1000000", 1e6, 15);
    expect_number("1e+23", 1e23, 15);
    expect_number("0.00001", 1e-5, 15);
    expect_number("-1.5e-7", -1.5e-7, 15);
    expect_number("5e-324", 5e-324, 15);
    expect_number("0.1", (quad)1 / 10, 33);
    expect_number("0.1", (quad)1 / 10, 15);
    expect_number("0.3333333333333333333333333333333333", (quad)1 / 3, 33);
    expect_number("0.010000000000000000208166817117216851", 0.01, 33);
    quad x;
    assert_false(noe_decimal_read("", &x));
    assert_false(noe_decimal_read("1.5x", &x));
    assert_false(noe_decimal_read("x", &x));
}

/* With a decimal comma in force nothing changes.  The locale is made here; systems rarely have
 * it. */
static void test_locale(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null",
             scratch);
    int made = system(command);
    setenv("LOCPATH", scratch, 1);
    bool comma = made != -1 && setlocale(LC_ALL, "de_DE.UTF-8")
              && localeconv()->decimal_point[0] == ',';
    if (comma) {
        quad x;
        expect_number("1.5", 1.5, 15);
        expect_number("1e+23", 1e23, 15);
        expect_number("0.3333333333333333333333333333333333", (quad)1 / 3, 33);
        assert_true(noe_decimal_read("-2.25", &x) && x == -2.25);
        assert_int_equal(localeconv()->decimal_point[0], ','); /* and it is as it was */
    }
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    snprintf(command, sizeof command, "rm -rf %s/de_DE.*", scratch);
    if (system(command) || !comma) {
        print_message("no German locale here\n");
        skip();
    }
}

static void test_utf8(void **state)
{
    (void)state;
    for (long c = 1; c < 0x120000; c += c < 0x3000 ? 1 : 7) { /* an independent encoder */
        char s[5] = { 0 };
        int  n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        for (long k = n - 1, rest = c; k > 0; k--, rest >>= 6) s[k] = (char)(0x80 | (rest & 63));
        s[0] = n == 1 ? (char)c : (char)((0xF00 >> n & 0xFF) | c >> 6 * (n - 1));
        assert_int_equal(noe_utf8(s), c > 0x10FFFF || (c >= 0xD800 && c < 0xE000) ? 0 : n);
        if (n > 1) s[n - 1] = 0; /* cut short */
        if (n > 1) assert_int_equal(noe_utf8(s), 0);
    }
    assert_int_equal(noe_utf8(""), 0);
    assert_int_equal(noe_utf8("\xC0\x80"), 0); /* overlong */
    assert_int_equal(noe_utf8("\xE0\x80\x80"), 0);
    assert_int_equal(noe_utf8("\xFF"), 0);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles), cmocka_unit_test(test_quads), cmocka_unit_test(test_looks),
        cmocka_unit_test(test_locale),  cmocka_unit_test(test_utf8),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
