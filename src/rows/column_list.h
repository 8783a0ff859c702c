/* Columns by a list of names, and their values as text.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_ROWS_COLUMN_LIST_H
#define NOE_ROWS_COLUMN_LIST_H

#include "integrate/integrator.h"

/* The columns of a list ("t,q1,energy"; NULL: the default columns), in one block of memory for
 * free(); NULL with a message. */
noe_columns *noe_column_list_parse(const noe_system *, const char *list);
/* "x, x:y" -> "x[1],x[2],x[1]:y[1],x[2]:y[2]": families written out, pairs element by element; the
 * caller frees the text. */
char *noe_column_list_spread(const noe_system *, const char *list);
/* Replaces "x[*]" by at most `most` of x[1], x[2], .., at equal distances, and leaves all other
 * names as they are; the caller frees the text. */
char *noe_column_list_sampled(const noe_system *, const char *list, int most);
/* column_text.c: a column's value in all digits, of an integrator of more than 33; the caller frees
 * it. */
char *noe_column_text(noe_integrator *, const noe_column *);

#endif
