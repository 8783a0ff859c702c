/* Fortran's formats of lines of numbers, (1P,3D25.16), and the numbers in their fields.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_NUMBER_FORTRAN_FORMAT_H
#define NOE_NUMBER_FORTRAN_FORMAT_H

#include <stdbool.h>

typedef struct {
    char letter;                       /* edit descriptor: I, F, E (also ES, EN), D or G */
    int  each, width, decimals, scale; /* a line: kP, then `each` fields w.d */
} noe_fortran_format;

typedef enum {
    NOE_FIELD_READ,
    NOE_FIELD_WRONG,      /* no number */
    NOE_FIELD_NO_POINT,   /* Fortran would divide by 10^decimals, other programs would not */
    NOE_FIELD_NO_EXPONENT /* Fortran would divide by 10^scale, others (its own G, too) would not */
} noe_field_result;

/* Reads a format of equal fields, one of the letters between them; false: it is none. */
bool noe_fortran_format_read(noe_fortran_format *, const char *text, const char *letters);
/* The number in a field, which has at most 2000 characters. */
noe_field_result noe_fortran_format_number(const noe_fortran_format *, const char *field,
                                           double *x);

#endif
