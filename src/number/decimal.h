/* Writes a number as the shortest decimal d 10^e that reads back as the same number.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_NUMBER_DECIMAL_H
#define NOE_NUMBER_DECIMAL_H

#include "number/digits.h"
#include "number/quad.h"

#include <stdbool.h>

enum { NOE_NUMBER_SIZE = 64 };

/* Writes the shortest decimal that reads back as the same double (digits 15) or, with at most 36
 * digits, as the same quad (digits 33); also nan, inf, -inf. The decimal point is '.' in every
 * locale. Returns the length; out has NOE_NUMBER_SIZE bytes. */
int  noe_decimal_write(char *out, quad x, int digits);
int  noe_decimal_write_double(char *out, double x); /* the same with digits 15 */
bool noe_decimal_read(const char *text, quad *x);   /* false unless all of the text is a number */

#endif
