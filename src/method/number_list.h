/* Reads a list of numbers, "1/6 -0.35 1/3", in binary128.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_METHOD_NUMBER_LIST_H
#define NOE_METHOD_NUMBER_LIST_H

#include "number/quad.h"

/* Reads decimals and quotients of decimals into x[most] up to ';' or the end of the text;
 * returns their number. *text is then past the ';'. */
int noe_number_list_read(const char **text, quad *x, int most);

#endif
