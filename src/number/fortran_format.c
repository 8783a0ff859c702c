/* Fortran's formats of lines of numbers, and the numbers in their fields.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Fortran 2018 (ISO/IEC 1539-1), 13.7.2.3 and 13.8.5: a field is [sign] digits [. digits]
 * [exponent], the exponent E+05, D5 or +05. Without a point the last d digits are decimals;
 * without an exponent kP divides by 10^k. */
#include "number/fortran_format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_MOST = 2000, EXPONENT_DIGITS = 6, COUNT_DIGITS = 6 };

static void blanks(const char **c) { *c += strspn(*c, " \t"); }

/* Passes the character, in upper or lower case, and the blanks after it. */
static bool pass(const char **c, char is)
{
    if (toupper((unsigned char)**c) != is) return false;
    ++*c;
    blanks(c);
    return true;
}

/* Passes an unsigned number and the blanks after it; false: there is none. */
static bool count(const char **c, int *to)
{
    const size_t n = strspn(*c, "0123456789");
    if (!n || n > COUNT_DIGITS) return false;
    *to = atoi(*c);
    *c += n;
    blanks(c);
    return true;
}

/* "1P" or "-2P,". */
static void scale(const char **text, int *to)
{
    const char *c = *text;
    int         k;
    const bool  minus = pass(&c, '-');
    if (!minus) pass(&c, '+');
    if (!count(&c, &k) || !pass(&c, 'P')) return;
    pass(&c, ',');
    *to = minus ? -k : k;
    *text = c;
}

/* "5E16.8E3", without its repeat count. */
static bool descriptor(const char **c, const char *letters, noe_fortran_format *to)
{
    int ignored;
    to->letter = (char)toupper((unsigned char)**c);
    if (!to->letter || !strchr(letters, to->letter)) return false;
    pass(c, to->letter);
    if (to->letter == 'E' && !pass(c, 'S')) pass(c, 'N');
    if (!count(c, &to->width) || (pass(c, '.') && !count(c, &to->decimals))) return false;
    return !pass(c, 'E') || count(c, &ignored);
}

bool noe_fortran_format_read(noe_fortran_format *to, const char *text, const char *letters)
{
    int depth = 0, each = 1;
    *to = (noe_fortran_format){ .each = 1 };
    blanks(&text);
    while (pass(&text, '(')) {
        depth++;
        scale(&text, &to->scale);
        each = 1;
        count(&text, &each);
        to->each *= each;
        if (depth > 2) return false;
        if (each > FIELD_MOST) return false;
    }
    if (!depth || !descriptor(&text, letters, to)) return false;
    while (depth && pass(&text, ')')) depth--;
    return !depth && !*text && to->each > 0 && to->width > 0
        && (long)to->each * to->width <= FIELD_MOST;
}

/* Reads the exponent at c, which may be blank after its letter: "E+05", "D 5", "-100". */
static bool exponent(const char *c, bool *there, long *to)
{
    const bool letter = *c && strchr("EeDdQq", *c);
    *to = 0;
    *there = *c != 0;
    if (!*there) return true;
    if (letter) c++, blanks(&c);
    const bool minus = *c == '-', sign = minus || *c == '+';
    if (!letter && !sign) return false;
    c += sign;
    const size_t n = strspn(c, "0123456789");
    if (!n || n > EXPONENT_DIGITS || c[n]) return false;
    *to = minus ? -atol(c) : atol(c);
    return true;
}

/* "inf" and "nan" as the C library reads them. */
static noe_field_result no_digits(const char *field, double *x)
{
    char *end;
    *x = strtod(field, &end);
    return end > field && !*end ? NOE_FIELD_READ : NOE_FIELD_WRONG;
}

noe_field_result noe_fortran_format_number(const noe_fortran_format *f, const char *field,
                                           double *x)
{
    char        text[FIELD_MOST + 1], number[FIELD_MOST + 32];
    const char *c = text;
    long        power;
    bool        has_exponent, nonzero = false;
    blanks(&field);
    size_t length = strlen(field);
    while (length && strchr(" \t", field[length - 1])) length--;
    if (!length || length > FIELD_MOST) return NOE_FIELD_WRONG;
    memcpy(text, field, length);
    text[length] = 0;
    c += *c == '-' || *c == '+';
    if (isalpha((unsigned char)*c)) return no_digits(text, x);
    const size_t before = strspn(c, "0123456789"),
                 after = c[before] == '.' ? strspn(c + before + 1, "0123456789") : 0,
                 mantissa = before + after + (c[before] == '.');
    if (!(before + after) || !exponent(c + mantissa, &has_exponent, &power)) return NOE_FIELD_WRONG;
    for (size_t k = 0; k < mantissa; k++) nonzero |= c[k] >= '1' && c[k] <= '9';
    if (nonzero && c[before] != '.' && f->decimals > 0 && f->letter != 'I')
        return NOE_FIELD_NO_POINT;
    if (nonzero && !has_exponent && f->scale && strchr("EDG", f->letter))
        return NOE_FIELD_NO_EXPONENT;
    if (!has_exponent && f->letter == 'F') power -= f->scale;
    snprintf(number, sizeof number, "%.*se%ld", (int)(c - text) + (int)mantissa, text, power);
    *x = strtod(number, NULL);
    return NOE_FIELD_READ;
}
