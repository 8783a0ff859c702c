/* Output formats: a file ending and the functions open, row, finish, close.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_OUTPUT_OUTPUT_FORMAT_H
#define NOE_OUTPUT_OUTPUT_FORMAT_H

#include "output/sink.h"
#include "base/atomic_file.h"

#include <stdbool.h>

struct noe_sink {
    const struct noe_format *format;
    noe_atomic_file          temp;
    int                      columns, digits; /* numbers in a row; decimal digits of a number */
    /* [columns] decimals to write in place of the numbers of this row; or NULL */
    char *const *text;
    noe_status   status; /* the first failure of a row */
    size_t       rows;   /* rows written */
    char        *ended;  /* why the run stopped before its end; NULL: it did not */
    bool         judged; /* local_error and warning are set */
    double       local_error;
    const char  *warning; /* warning of the run, or "" */
    void        *own;     /* data of the format */
};

typedef struct noe_format {
    const char *ending; /* of file names, ".csv" */
    noe_status (*open)(noe_sink *, const noe_head *);
    noe_status (*row)(noe_sink *, const quad *);
    noe_status (*finish)(noe_sink *, const void *state, size_t bytes);
    void (*close)(noe_sink *); /* frees own; may be NULL */
} noe_format;

#endif
