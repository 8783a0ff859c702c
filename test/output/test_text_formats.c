/* read(write(x)) = x in csv and json, also of tables without rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "table_file.h"
#include "number/decimal.h"
#include "base/utf8.h"

static void test_csv(void **state)
{
    (void)state;
    quad *x = random_rows();
    write_rows(in_scratch("a.csv"), &head, x, ROWS);
    char *text = slurp(in_scratch("a.csv")), *s = strchr(text, '\n');
    *s++ = 0;
    assert_string_equal(text, "t,p(q1),\"a,b\",\"say \"\"q\"\"\",\xCE\xB8'");
    for (size_t i = 0; i < ROWS * COLUMNS; i++) {
        double y = strtod(s, &s);
        assert_true(i == 7 ? isnan(y) : equal_bits(y, (double)x[i]));
        assert_int_equal(*s++, i % COLUMNS == COLUMNS - 1 ? '\n' : ',');
    }
    assert_int_equal(*s, 0);
    free(text);
    free(x);
}

/* A reader of JSON just large enough: every value is checked, numbers and nulls of "rows" are
 * kept. */
typedef struct {
    const char *s;
    quad        x[ROWS * COLUMNS];
    size_t      count;
    int         depth;
} json;

static void blank(json *j) { j->s += strspn(j->s, " \n"); }

static void read_string(json *j)
{
    assert_int_equal(*j->s++, '"');
    while (*j->s != '"') {
        int n = noe_utf8(j->s);
        assert_true(n > 0 && (unsigned char)*j->s >= ' ');
        if (*j->s == '\\') {
            assert_non_null(strchr("\"\\/bfnrtu", j->s[1]));
            if (j->s[1] == 'u') assert_int_equal(strspn(j->s + 2, "0123456789abcdef") >= 4, 1);
            n = 2;
        }
        j->s += n;
    }
    j->s++;
}

static void read_value(json *j)
{
    blank(j);
    char open = *j->s;
    if (open == '"') {
        read_string(j);
    } else if (open == '{' || open == '[') {
        j->s++;
        j->depth++;
        blank(j);
        while (*j->s != open + 2) { /* ] and } come two after [ and { */
            if (open == '{') {
                blank(j);
                read_string(j);
                blank(j);
                assert_int_equal(*j->s++, ':');
            }
            read_value(j);
            blank(j);
            if (*j->s != ',') assert_int_equal(*j->s, open + 2);
            else assert_int_not_equal(*++j->s, open + 2);
        }
        j->s++;
        j->depth--;
    } else if (!strncmp(j->s, "true", 4)) {
        j->s += 4;
    } else {
        char   number[64];
        size_t n = strcspn(j->s, ",] \n}");
        bool   null = n == 4 && !strncmp(j->s, "null", 4);
        assert_true(n < sizeof number);
        snprintf(number, sizeof number, "%.*s", (int)n, j->s);
        quad x = 0;
        assert_true(null || (noe_decimal_read(number, &x) && strchr("-0123456789", *number)));
        if (j->depth == 3) j->x[j->count++] = null ? (quad)NAN : x;
        j->s += n;
    }
}

static void test_json(void **state)
{
    (void)state;
    for (int digits = 15; digits <= 33; digits += 18) {
        noe_head h = head;
        h.digits = digits;
        quad *x = random_rows();
        for (size_t i = 20; i < ROWS * COLUMNS && digits == 33; i++) x[i] /= 3;
        write_rows(in_scratch("a.json"), &h, x, ROWS);
        char *text = slurp(in_scratch("a.json"));
        json *j = calloc(1, sizeof *j);
        j->s = text;
        read_value(j);
        assert_string_equal(j->s, "\n");
        assert_int_equal(j->count, ROWS * COLUMNS);
        for (size_t i = 0; i < ROWS * COLUMNS; i++) {
            if (x[i] - x[i] != 0) assert_true(isnanq(j->x[i]));
            else if (digits == 33) assert_memory_equal(&x[i], &j->x[i], sizeof *x);
            else assert_true(equal_bits((double)x[i], (double)j->x[i]));
        }
        assert_non_null(strstr(
            text,
            "{\"noether\": \"" NOE_VERSION "\",\n\"system\": \"pendulum\",\n"
            "\"source\": \"pen\\tdulum.lag\",\n\"changes\": [\"g = 1\", \"l = \\\"2\\\"\"],\n"));
        assert_non_null(strstr(
            text, "\"model\": \"# \\u0001 \\ufffd back\\\\slash\\r\\ncoordinate \xCE\xB8\""));
        assert_non_null(strstr(
            text, "\"columns\": [\"t\", \"p(q1)\", \"a,b\", \"say \\\"q\\\"\", \"\xCE\xB8'\"]"));
        assert_non_null(strstr(text, "],\n\"complete\": true}"));
        free(text);
        free(j);
        free(x);
    }
}

static void test_empty_json(void **state)
{
    (void)state;
    const noe_head h = { .columns = 1, .name = names, .digits = 15 };
    write_rows(in_scratch("empty.json"), &h, NULL, 0);
    char *text = slurp(in_scratch("empty.json"));
    json *j = calloc(1, sizeof *j);
    j->s = text;
    read_value(j);
    assert_string_equal(j->s, "\n");
    assert_non_null(strstr(text, "\"changes\": [],\n\"method\": null"));
    free(text);
    free(j);
}

static void test_table_write(void **state)
{
    (void)state;
    noe_table *t = noe_table_new(COLUMNS, names);
    noe_table_head(t, &head);
    for (int i = 0; i < 40; i++) {
        double row[COLUMNS];
        for (int k = 0; k < COLUMNS; k++) row[k] = any_double();
        noe_table_add(t, row);
    }
    assert_int_equal(noe_table_write(t, in_scratch("t.csv")), NOE_OK);
    char *text = slurp(in_scratch("t.csv")), *s = strchr(text, '\n') + 1;
    for (size_t i = 0; i < 40; i++)
        for (size_t k = 0; k < COLUMNS; k++, s++)
            assert_true(equal_bits(strtod(s, &s), noe_table_at(t, k)[i]));
    free(text);
    assert_int_equal(noe_table_write(t, in_scratch("t.json")), NOE_OK);
    text = slurp(in_scratch("t.json"));
    assert_non_null(strstr(text, "\"method\": \"simpson\",\n\"step\": 0.01,"));
    free(text);
    assert_int_equal(noe_table_write(NULL, "t.csv"), NOE_INVALID);
    assert_int_equal(noe_table_write(t, NULL), NOE_INVALID);
    assert_null(noe_error());
    assert_int_equal(noe_table_write(t, in_scratch("no/folder/t.csv")), NOE_IO);
    noe_error_clear();
    assert_int_equal(noe_table_write(t, in_scratch("t.xml")), NOE_INVALID);
    noe_error_clear();
    noe_table_free(t);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_empty_json),
        cmocka_unit_test(test_table_write),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
