/* Writes texts and numbers of JSON (RFC 8259).
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_JSON_H
#define NOE_BASE_JSON_H

#include "number/digits.h"
#include "number/quad.h"

#include <stdio.h>

/* The text up to `end`, or to the closing 0 where end is NULL, in quotes; s NULL: null.  A byte
 * that is not UTF-8 becomes the replacement character. */
void noe_json_text(FILE *, const char *s, const char *end);
/* null where x is nan or infinite, as JSON knows neither. */
void noe_json_number(FILE *, quad x, int digits);

#endif
