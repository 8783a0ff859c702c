/* y_1 y_2 .. at t: a file of measurements, with names in its first line and cells that are missing.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_FIT_MEASUREMENTS_H
#define NOE_FIT_MEASUREMENTS_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct {
    const char  *path;   /* of the file */
    const char **change; /* [changes] assignments to the model of this file alone */
    int          changes;
    const char **name;  /* [columns] as in the first line */
    double      *value; /* [rows][columns]; NAN: missing */
    int         *line;  /* [rows] line of the file in which a row stands */
    int          rows, columns;
} noe_measurements;

/* Reads "measured.csv" or "measured.csv with q = 1, q' = 0"; false with a message. */
bool noe_measurements_read(noe_measurements *, noe_arena *, const char *text);
/* The number of a column, -1: none. */
int noe_measurements_column(const noe_measurements *, const char *name);

#endif
