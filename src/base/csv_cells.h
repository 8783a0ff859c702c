/* Lines and cells of a text file of data.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_BASE_CSV_CELLS_H
#define NOE_BASE_CSV_CELLS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *next, *stop; /* what has not been read yet */
    const char *from, *end;  /* the line, without its end and without the blanks before it */
    int         line;        /* its number, from 1 */
    int         zero;        /* the first line with a NUL byte of those up to it; 0: none */
} noe_csv_lines;

/* The lines of a text, after the byte order mark that it may begin with. */
noe_csv_lines noe_csv_cells_begin(const char *text, size_t length);
/* Goes to the next line; false: there is none. */
bool noe_csv_cells_line(noe_csv_lines *);
/* Goes to the next line that has cells: it is neither blank nor a comment, which begins with #. */
bool noe_csv_cells_row(noe_csv_lines *);

/* The next cell of a line that ends at `end`, without blanks and quotes around it; *c moves past
 * what separates it from the next one, to NULL after the last.  A cell is empty where nothing
 * stands before a separator; after the last separator *c is the end, and another call gives an
 * empty cell.  `apart`: the characters that separate; with ' ' among them blanks, tabs and carriage
 * returns separate, too, any number of them.  In quotes nothing separates; quotes that are not
 * closed go to the end of the line.  Where blanks do not separate, quotes with text after them
 * before the next separator are a part of the cell. */
const char *noe_csv_cells_next(const char **c, const char *end, const char *apart, size_t *length);

#endif
