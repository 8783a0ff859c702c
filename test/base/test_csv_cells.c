/* A text of data -> its lines, and their cells: byte order mark, comments, quotes, separators.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "random.h"

#include "base/csv_cells.h"

enum { CELLS_MOST = 40, ROWS = 200 };

/* The cells of a line with '|' after each of them. */
static const char *cells(const char *line, const char *end, const char *apart)
{
    static char text[1000];
    size_t      length, used = 0;
    for (const char *c = line; c;) {
        const char *word = noe_csv_cells_next(&c, end, apart, &length);
        assert_true(word >= line && word + length <= end && used + length + 1 < sizeof text);
        memcpy(text + used, word, length);
        used += length;
        text[used++] = '|';
    }
    text[used] = 0;
    return text;
}

static void test_cells(void **state)
{
    static const struct {
        const char *line, *apart, *cells;
    } is[] = {
        { "1,2;3 4\t5", ",; ", "1|2|3|4|5|" },
        { "1 ,\t2\r", ",; ", "1|2|" },
        { ",1,,2,", ",; ", "|1||2||" },
        { "\"a b\",\"c;d\"e", ",; ", "a b|c;d|e|" },
        { "1, 2 ;3", ",", "1|2 ;3|" },
        { "1,2;3\t", ";", "1,2|3|" },
        { "1 a\t\t2", "\t", "1 a||2|" },
        { "1\t\r", "\t", "1||" },
        { "1  2 \t3 \r", " ", "1|2|3|" },
        { "1,2", " ", "1,2|" },
        { " \"a,b\" , \"\" ,c\r", ",", "a,b||c|" },
        { "\"a\"b,c", ",", "\"a\"b|c|" },
        { "a\"b,c\"", ",", "a\"b|c\"|" },
        { "\" a \",\"b,c \r", ",", " a |b,c|" },
        { "\"", ",", "|" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof is / sizeof *is; i++)
        assert_string_equal(cells(is[i].line, is[i].line + strlen(is[i].line), is[i].apart),
                            is[i].cells);
}

static void test_lines(void **state)
{
    static const char text[] = "\xEF\xBB\xBF a\r\n\n \t\r\n# c\n\t# d\n#\0\nb\0c\n\n\xEF\xBB\xBF";
    static const struct {
        int         line;
        const char *is;
        int         zero;
    } row[] = { { 1, "a\r", 0 }, { 7, "b", 6 }, { 9, "\xEF\xBB\xBF", 6 } };
    noe_csv_lines x = noe_csv_cells_begin(text, sizeof text - 1);
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_true(noe_csv_cells_row(&x));
        assert_int_equal(x.line, row[i].line);
        assert_int_equal(x.zero, row[i].zero);
        assert_memory_equal(x.from, row[i].is, strlen(row[i].is));
        assert_true(i == 1 || x.end == x.from + strlen(row[i].is));
    }
    assert_false(noe_csv_cells_row(&x));
    x = noe_csv_cells_begin(text, sizeof text - 1);
    while (noe_csv_cells_line(&x)) assert_int_equal(x.zero, x.line < 6 ? 0 : 6);
    assert_int_equal(x.line, 9);
    x = noe_csv_cells_begin("", 0);
    assert_false(noe_csv_cells_line(&x));
    x = noe_csv_cells_begin("\n", 1);
    assert_true(noe_csv_cells_line(&x) && !noe_csv_cells_line(&x) && x.line == 1);
}

/* What is written with any blanks and quotes is read back. */
static void test_random(void **state)
{
    static const char *const separators[] = { ",", ";", "\t", " ", ",; " };
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        const char *apart = separators[bits() % 5];
        char        line[CELLS_MOST * 20], expected[CELLS_MOST * 10];
        char       *to = line, *is = expected;
        const int   n = 1 + (int)(bits() % CELLS_MOST);
        for (int j = 0; j < n; j++) {
            const bool quoted = bits() % 3 == 0;
            if (j) *to++ = *apart;
            if (bits() % 2) *to++ = ' ';
            if (quoted) *to++ = '"';
            for (int k = 0, most = 1 + (int)(bits() % 6); k < most; k++)
                *to++ = *is++ = quoted ? "a1 ,;\t#"[bits() % 7] : "a1.+"[bits() % 4];
            if (quoted) *to++ = '"';
            if (bits() % 2) *to++ = ' ';
            *is++ = '|';
        }
        *is = 0;
        if (bits() % 2) *to++ = '\r';
        assert_string_equal(cells(line, to, apart), expected);
    }
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_cells), cmocka_unit_test(test_lines),
                                        cmocka_unit_test(test_random) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
