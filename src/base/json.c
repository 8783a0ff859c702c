/* Writes JSON (RFC 8259): objects, arrays, texts, numbers; it sets commas, quotes and lines.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/json.h"

#include "base/utf8.h"
#include "number/decimal.h"

#include <string.h>

static void put(noe_json *j, const char *bytes, size_t length)
{
    if (j->file) fwrite(bytes, 1, length, j->file);
    else noe_text_add_long(j->text, bytes, length);
}

static void put_word(noe_json *j, const char *word) { put(j, word, strlen(word)); }

/* A character of n bytes, 0: it is none; what JSON or a page would misread is escaped. */
static void put_character(noe_json *j, const char *s, int n)
{
    static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    const char       *escape = n == 1 ? memchr(plain, *s, sizeof plain - 1) : NULL;
    char              code[8];
    if (escape) put(j, (char[]){ '\\', letter[escape - plain] }, 2);
    else if (n == 1 && ((unsigned char)*s < ' ' || (j->in_page && strchr("<>&", *s))))
        put(j, code, (size_t)snprintf(code, sizeof code, "\\u%04x", (unsigned)*s));
    else if (n) put(j, s, (size_t)n);
    else put_word(j, "\\ufffd");
}

static void put_text(noe_json *j, const char *s, size_t length)
{
    put_word(j, "\"");
    for (const char *end = s + length; s < end;) {
        int n = noe_utf8(s);
        if (n > end - s) n = 0;
        put_character(j, s, n);
        s += n ? n : 1;
    }
    put_word(j, "\"");
}

typedef enum { CONTAINER, TEXT, NUMBER } kind; /* of a value: numbers of an array stand close */

/* What stands before a value: the comma after the one before, a line, the name. */
static void begin(noe_json *j, const char *name, kind value)
{
    if (!j->depth) return;
    const int  top = j->depth - 1;
    const bool array = j->bracket[top] == '[', line = array ? value == CONTAINER : top < 2,
               first = j->members[top]++ == 0;
    if (!first) put_word(j, line ? ",\n" : array && value == NUMBER ? "," : ", ");
    else if (line && array) put_word(j, "\n");
    if (name) put_text(j, name, strlen(name)), put_word(j, ": ");
}

void noe_json_open(noe_json *j, const char *name, char bracket)
{
    begin(j, name, CONTAINER);
    put(j, &bracket, 1);
    j->bracket[j->depth] = bracket;
    j->members[j->depth++] = 0;
}

void noe_json_close(noe_json *j)
{
    put_word(j, j->bracket[--j->depth] == '{' ? "}" : "]");
    if (!j->depth) put_word(j, "\n");
}

void noe_json_name(noe_json *j, const char *name) { begin(j, name, NUMBER); }

static void put_value(noe_json *j, const char *name, const char *value)
{
    noe_json_name(j, name);
    put_word(j, value);
}

void noe_json_null(noe_json *j, const char *name) { put_value(j, name, "null"); }

void noe_json_bool(noe_json *j, const char *name, bool x)
{
    put_value(j, name, x ? "true" : "false");
}

void noe_json_part(noe_json *j, const char *name, const char *s, size_t length)
{
    begin(j, name, TEXT);
    put_text(j, s, length);
}

void noe_json_text(noe_json *j, const char *name, const char *s)
{
    if (s) noe_json_part(j, name, s, strlen(s));
    else noe_json_null(j, name);
}

void noe_json_number(noe_json *j, const char *name, quad x, int digits)
{
    char      text[NOE_NUMBER_SIZE + 1];
    const int n = noe_decimal_write(text, x, digits);
    text[n] = 0;
    put_value(j, name, text[n - 1] >= '0' && text[n - 1] <= '9' ? text : "null");
}

void noe_json_double(noe_json *j, const char *name, double x)
{
    noe_json_number(j, name, x, NOE_DIGITS_DOUBLE);
}

void noe_json_integer(noe_json *j, const char *name, long long x)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", x);
    put_value(j, name, text);
}
