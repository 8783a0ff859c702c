/* Writes texts and numbers of JSON (RFC 8259).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/json.h"

#include "base/utf8.h"
#include "number/decimal.h"

#include <stdbool.h>
#include <string.h>

void noe_json_text(FILE *f, const char *s, const char *end)
{
    if (!s) {
        fputs("null", f);
        return;
    }
    putc('"', f);
    while (*s && s != end) {
        static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
        int               n = noe_utf8(s);
        const char       *escape = n == 1 ? strchr(plain, *s) : NULL;
        if (escape) fprintf(f, "\\%c", letter[escape - plain]);
        else if (n == 1 && (unsigned char)*s < ' ') fprintf(f, "\\u%04x", (unsigned)*s);
        else if (n) fwrite(s, 1, (size_t)n, f);
        else fputs("\\ufffd", f);
        s += n ? n : 1;
    }
    putc('"', f);
}

void noe_json_number(FILE *f, quad x, int digits)
{
    char text[NOE_NUMBER_SIZE];
    int  n = noe_decimal_write(text, x, digits);
    bool finite = text[n - 1] >= '0' && text[n - 1] <= '9'; /* JSON knows neither nan nor inf */
    if (finite) fwrite(text, 1, (size_t)n, f);
    else fputs("null", f);
}
