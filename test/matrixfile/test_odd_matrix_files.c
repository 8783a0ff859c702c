/* file -> A: Fortran's fields in Harwell-Boeing files, NUL bytes, sizes beyond the model.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Fortran 2018, 13.7.2.3 and 13.8.5, says what a field means. */
#include "laws.h"

#include "scratch.h"

#include "matrixfile/matrix_file.h"

/* A diagonal matrix of two entries, in fields of the format. */
static void boeing(const char *format, int width, const char *const field[2])
{
    FILE *f = fopen(in_scratch("d.rsa"), "w");
    fprintf(f, "%-72s%-8s\n%14d%14d%14d%14d%14d\n", "of the tests", "NOETHER", 3, 1, 1, 1, 0);
    fprintf(f, "RSA           %14d%14d%14d%14d\n%-16s%-16s%-20s%-20s\n", 2, 2, 2, 0, "(3I4)",
            "(2I4)", format, "");
    fprintf(f, "   1   2   3\n   1   2\n%*s%*s\n", width, field[0], width, field[1]);
    fclose(f);
}

static noe_sparse *get(const char *name, int rows)
{
    noe_error_clear();
    return noe_matrix_file_read(in_scratch(name), rows);
}

static void refused(noe_sparse *A, const char *words)
{
    if (A) fail_msg("not refused: %s", words);
    if (!strstr(noe_error(), words)) fail_msg("'%s' instead of '%s'", noe_error(), words);
    noe_error_clear();
}

static void test_fields(void **unused)
{
    (void)unused;
    static const struct {
        const char *format;
        int         width;
        const char *field[2];
        double      value[2];
    } x[] = {
        { "(2F20.3)", 20, { "40.0", "-7." }, { 40, -7 } }, /* a point overrides implied decimals */
        { "(2F20.0)", 20, { "4000", "-7" }, { 4000, -7 } },
        { "(2F20.3)", 20, { "1.0", "0" }, { 1, 0 } },
        { "(1P2F20.3)", 20, { "40.0", "-7.5" }, { 4, -0.75 } },    /* 1P divides by 10 */
        { "(-2P,2F20.3)", 20, { "40.0", "1.5E1" }, { 4000, 15 } }, /* not with an exponent */
        { "(1P,2D20.3)", 20, { "4.000D+03", "0.0" }, { 4000, 0 } },
        { "(1P2E20.3)", 20, { "4.000E+03", "-2.5e-1" }, { 4000, -0.25 } },
        { "(2ES12.3)", 12, { "4.000E+03", "-2.500E-01" }, { 4000, -0.25 } },
        { "(2EN12.3E3)", 12, { "4.000E+003", "-2.500E-001" }, { 4000, -0.25 } },
        { "(2E12.3)", 12, { "1.5+03", "1.0-100" }, { 1500, 1e-100 } }, /* letter left out */
        { "(2e12.3)", 12, { "-.5-3", "1.Q+5" }, { -0.0005, 1e5 } },
        { "(1P,2(E12.3))", 12, { "1.5E 03", "+1.5D-1" }, { 1500, 0.15 } }, /* IBM's blank */
        { "(2(1P1E12.3E2))", 12, { "1.5E3", "1.5E-3" }, { 1500, 0.0015 } },
        { " ( 2 F 12 . 3 ) ", 12, { "1.5", "2.5" }, { 1.5, 2.5 } },
        { "(2I5)", 5, { "4000", "-7" }, { 4000, -7 } },
    };
    for (size_t k = 0; k < sizeof x / sizeof *x; k++) {
        boeing(x[k].format, x[k].width, x[k].field);
        noe_sparse *A = get("d.rsa", 2);
        if (!A) fail_msg("%s: %s", x[k].format, noe_error());
        for (int i = 0; i < 2; i++)
            if (noe_sparse_at(A, i, i) != x[k].value[i])
                fail_msg("%s of %s: %.17g", x[k].field[i], x[k].format, noe_sparse_at(A, i, i));
        noe_sparse_free(A);
    }
}

static void test_ambiguous_fields(void **unused)
{
    (void)unused;
    static const struct {
        const char *format, *field, *words;
    } x[] = {
        { "(2F20.3)", "4000",
          "'                4000' has no decimal point: by its format, F20.3, "
          "the last 3 digits" },
        { "(2E20.8)", "4E3", "has no decimal point" },
        { "(1P2E20.3)", "40.0", "has no exponent: by its format, 1P and E20.3" },
        { "(1P2G20.3)", "40.0", "divided by 10^(1)" },
        { "(2E20.3)", "1.5E", "expected a number" },
        { "(2E20.3)", "1.5 3", "expected a number" },
        { "(2E20.3)", ".", "expected a number" },
        { "(2E20.3)", "", "expected a number" },
        { "(1X,2E20.3)", "1.5", "expected Fortran formats of equal fields" },
        { "(E20.3,E20.4)", "1.5", "expected Fortran formats" },
        { "(2E20.3", "1.5", "expected Fortran formats" },
        { "2E20.3", "1.5", "expected Fortran formats" },
        { "(2EX20.3)", "1.5", "expected Fortran formats" },
    };
    for (size_t k = 0; k < sizeof x / sizeof *x; k++) {
        boeing(x[k].format, 20, (const char *[]){ x[k].field, "1.5E0" });
        refused(get("d.rsa", 2), x[k].words);
    }
    remove(in_scratch("d.rsa"));
}

/* Digits at random, with a point anywhere: the value is digits 10^(exponent - decimals - scale),
 * which a reader of plain decimals knows. */
static void test_random_fields(void **unused)
{
    (void)unused;
    for (int round = 0; round < 200; round++) {
        char        text[2][40], plain[60], format[32];
        double      value[2];
        const int   scale = (int)(bits() % 7) - 3;
        const bool  with = bits() % 2;
        const char *field[2] = { text[0], text[1] };
        const char  letter = "EeDd+"[bits() % 5];
        for (int i = 0; i < 2; i++) {
            const long digits = 100 + (long)(bits() % 900000);
            const int  power = (int)(bits() % 21) - 10, decimals = (int)(bits() % 3);
            char       whole[20];
            snprintf(whole, sizeof whole, "%ld", digits);
            const int before = (int)strlen(whole) - decimals;
            int       n = snprintf(text[i], 40, "%.*s.%s", before, whole, whole + before);
            if (with)
                snprintf(text[i] + n, 20, letter == '+' ? "%+d" : "%c%d",
                         letter == '+' ? power : letter, power);
            snprintf(plain, sizeof plain, "%lde%d", digits,
                     with ? power - decimals : -decimals - scale);
            value[i] = strtod(plain, NULL);
        }
        snprintf(format, sizeof format, "(%dP,2F30.4)", scale);
        boeing(format, 30, field);
        noe_sparse *A = get("d.rsa", 2);
        if (!A) fail_msg("%s", noe_error());
        for (int i = 0; i < 2; i++)
            if (noe_sparse_at(A, i, i) != value[i])
                fail_msg("%s of %s: %.17g", text[i], format, noe_sparse_at(A, i, i));
        noe_sparse_free(A);
    }
    remove(in_scratch("d.rsa"));
}

static void put_bytes(const char *text, size_t length)
{
    FILE *f = fopen(in_scratch("nul"), "wb");
    assert_int_equal(fwrite(text, 1, length, f), length);
    fclose(f);
}

/* A NUL at any place of any format, as for lists of numbers, is no end of the line. */
static void test_nul(void **unused)
{
    (void)unused;
    static const char *const text[] = {
        "%%MatrixMarket matrix coordinate real symmetric\n% why\n2 2 2\n1 1 4.5e3\n2 2 1.5\n",
        "%%MatrixMarket matrix array real symmetric\n2 2\n4.5e3\n0\n1.5",
        "2 2 2\n1 1 4.5e3\n2 2 1.5\n",
        "\xEF\xBB\xBF# list\n1 1 4.5e3\r\n2 2 1.5",
    };
    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        const size_t length = strlen(text[k]);
        put_bytes(text[k], length);
        noe_sparse *A = get("nul", 2);
        if (!A) fail_msg("%s", noe_error());
        assert_true(noe_sparse_at(A, 0, 0) == 4500 && noe_sparse_at(A, 1, 1) == 1.5);
        noe_sparse_free(A);
        for (size_t at = 0; at <= length; at++) { /* put between two bytes */
            char with[200];
            memcpy(with, text[k], at);
            with[at] = 0;
            memcpy(with + at + 1, text[k] + at, length - at);
            put_bytes(with, length + 1);
            refused(get("nul", 2), "a NUL byte: expected a text file");
        }
    }
    static const char *const field[2] = { "1.5", "2.5" };
    boeing("(2F20.3)", 20, field);
    char *whole = slurp(in_scratch("d.rsa"));
    for (size_t at = 0, length = strlen(whole); at < length; at += 7) {
        const char was = whole[at];
        whole[at] = 0;
        put_bytes(whole, length);
        refused(get("nul", 2), "a NUL byte");
        whole[at] = was;
    }
    free(whole);
    remove(in_scratch("nul")), remove(in_scratch("d.rsa"));
}

/* Refused from the line of sizes: nothing of that size is allocated (16 GB, 20 s). */
static void test_sizes(void **unused)
{
    (void)unused;
    static const char market[] = "%%MatrixMarket matrix coordinate real symmetric\n";
    static const struct {
        const char *head, *text, *words;
    } x[] = {
        { market, "2000000000 2000000000 1\n1 1 1\n",
          ":2: 2000000000 rows, but 5 coordinates are declared" },
        { market, "200000000 200000000 1\n1 1 1\n", "'coordinate u[1..200000000]'" },
        { market, "4 4 1\n1 1 1\n", ":2: 4 rows, but 5 coordinates are declared" },
        { "", "2000000000 2000000000 1\n2000000000 2000000000 1\n",
          ":1: 2000000000 rows, but 5 coordinates" },
        { "%%MatrixMarket matrix array real general\n", "100000 100000\n1\n",
          ":2: 100000 rows, but 5 coordinates" },
    };
    for (size_t k = 0; k < sizeof x / sizeof *x; k++) {
        char text[300];
        snprintf(text, sizeof text, "%s%s", x[k].head, x[k].text);
        put("large", text);
        refused(get("large", 5), x[k].words);
    }
    remove(in_scratch("large"));
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),        cmocka_unit_test(test_ambiguous_fields),
        cmocka_unit_test(test_random_fields), cmocka_unit_test(test_nul),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
