/* The writer of JSON: commas, lines, what is escaped; random trees by a reader of their own.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/json.h"
#include "random.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

static void test_layout(void **unused)
{
    (void)unused;
    noe_text t = noe_text_new(NULL);
    noe_json j = { .text = &t };
    noe_json_open(&j, NULL, '{');
    noe_json_text(&j, "text", "a \"b\"\\\n\x01 \xc3\xa9 \xff <&>");
    noe_json_text(&j, "none", NULL);
    noe_json_open(&j, "numbers", '[');
    noe_json_double(&j, NULL, 0.1), noe_json_integer(&j, NULL, -3), noe_json_double(&j, NULL, NAN);
    noe_json_close(&j);
    noe_json_open(&j, "empty", '{'), noe_json_close(&j);
    noe_json_open(&j, "names", '[');
    noe_json_part(&j, NULL, "xyz", 1), noe_json_text(&j, NULL, "");
    noe_json_close(&j);
    noe_json_open(&j, "table", '[');
    for (int k = 0; k < 2; k++) {
        noe_json_open(&j, NULL, '{');
        noe_json_bool(&j, "odd", k), noe_json_null(&j, "and");
        noe_json_close(&j);
    }
    noe_json_close(&j);
    noe_json_close(&j);
    assert_string_equal(t.data, "{\"text\": \"a \\\"b\\\"\\\\\\n\\u0001 \xc3\xa9 \\ufffd <&>\",\n"
                                "\"none\": null,\n"
                                "\"numbers\": [0.1,-3,null],\n"
                                "\"empty\": {},\n"
                                "\"names\": [\"x\", \"\"],\n"
                                "\"table\": [\n"
                                "{\"odd\": false, \"and\": null},\n"
                                "{\"odd\": true, \"and\": null}]}\n");
    free(t.data);
}

static void test_in_a_page(void **unused)
{
    (void)unused;
    noe_text t = noe_text_new(NULL);
    noe_json j = { .text = &t, .in_page = true };
    noe_json_open(&j, NULL, '[');
    noe_json_text(&j, NULL, "</script>&");
    noe_json_close(&j);
    assert_string_equal(t.data, "[\"\\u003c/script\\u003e\\u0026\"]\n");
    free(t.data);
}

/* A random tree, of which `sum` adds up the numbers and `texts` counts the texts. */
typedef struct {
    long sum, texts, containers; /* of all values written or read */
} totals;

static void write_random(noe_json *j, const char *name, int depth, totals *x)
{
    const unsigned kind = depth ? bits() % 5 : 3 + bits() % 2;
    if (depth > 5 || kind == 0) {
        const int number = (int)(bits() % 2000) - 1000;
        noe_json_integer(j, name, number);
        x->sum += number;
    } else if (kind <= 2) {
        char word[8] = "";
        for (int k = 0; k < 7; k++) word[k] = (char)(1 + bits() % 126);
        noe_json_text(j, name, word);
        x->texts++;
    } else {
        noe_json_open(j, name, kind == 3 ? '{' : '[');
        for (int k = (int)(bits() % 5); k > 0; k--)
            write_random(j, kind == 3 ? "a" : NULL, depth + 1, x);
        noe_json_close(j);
        x->containers++;
    }
}

static const char *spaces(const char *s)
{
    while (isspace((unsigned char)*s)) s++;
    return s;
}

static const char *read_text(const char *s)
{
    assert_int_equal(*s, '"');
    for (s++; *s != '"'; s++) {
        assert_true((unsigned char)*s >= ' ');
        if (*s == '\\') assert_non_null(strchr("\"\\bfnrtu", *++s));
    }
    return s + 1;
}

/* The grammar of RFC 8259; what is read is counted. */
static const char *read_value(const char *s, totals *x)
{
    s = spaces(s);
    if (*s == '"') return x->texts++, read_text(s);
    if (*s != '{' && *s != '[') {
        char *end;
        x->sum += strtol(s, &end, 10);
        assert_true(end > s);
        return end;
    }
    const bool object = *s == '{';
    x->containers++;
    for (s = spaces(s + 1); *s != (object ? '}' : ']');) {
        if (object) {
            s = spaces(read_text(s));
            assert_int_equal(*s, ':');
            s++;
        }
        s = spaces(read_value(s, x));
        if (*s == ',') assert_true(!strchr("}]", *(s = spaces(s + 1))));
        else assert_int_equal(*s, object ? '}' : ']');
    }
    return s + 1;
}

static void test_random_trees(void **unused)
{
    (void)unused;
    for (int k = 0; k < 300; k++) {
        totals   written = { 0 }, read = { 0 };
        noe_text t = noe_text_new(NULL);
        noe_json j = { .text = &t };
        write_random(&j, NULL, 0, &written);
        assert_int_equal(j.depth, 0);
        assert_string_equal(read_value(t.data, &read), "\n");
        assert_memory_equal(&read, &written, sizeof read);
        free(t.data);
    }
}

static void test_a_file(void **unused)
{
    (void)unused;
    char     line[40];
    noe_json j = { .file = tmpfile() };
    noe_json_open(&j, NULL, '[');
    noe_json_double(&j, NULL, 1), noe_json_name(&j, NULL), fputs("2e0", j.file);
    noe_json_close(&j);
    rewind(j.file);
    assert_non_null(fgets(line, sizeof line, j.file));
    assert_string_equal(line, "[1,2e0]\n");
    fclose(j.file);
}

int main(void)
{
    print_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_in_a_page),
        cmocka_unit_test(test_random_trees),
        cmocka_unit_test(test_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
