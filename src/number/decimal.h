/* x -> the shortest decimal d 10^e that lies nearest to x among all floating-point numbers.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_NUMBER_DECIMAL_H
#define NOE_NUMBER_DECIMAL_H

#include "number/quad.h"

#include <stdbool.h>

enum { NOE_NUMBER_SIZE = 64 };

/* Writes the shortest decimal that reads back to the same double (digits 15) or to the same
 * quad, of at most 36 digits (digits 33).  Also nan, inf, -inf.  A decimal point whatever the
 * locale.  Returns the length; out has NOE_NUMBER_SIZE bytes. */
int  noe_decimal_write(char *out, quad x, int digits);
bool noe_decimal_read(const char *text, quad *x); /* false unless the whole text is a number */

#endif
