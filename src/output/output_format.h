/* Output formats: a file ending and the functions open, row, finish, close.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef NOE_OUTPUT_OUTPUT_FORMAT_H
#define NOE_OUTPUT_OUTPUT_FORMAT_H

#include "output/sink.h"
#include "base/atomic_file.h"

#include <stdbool.h>

struct noe_sink {
    const struct noe_format *format;          /* functions of the format */
    noe_atomic_file          temp;            /* the file until it is complete */
    int                      columns, digits; /* numbers in a row; decimal digits of a number */
    int                      event_columns;   /* numbers in a row of the table of events; 0: none */
    /* [columns] decimals to write in place of the numbers of this row; or NULL */
    char *const *text;
    noe_status   status;   /* the first failure of a row */
    size_t       rows;     /* rows written */
    char        *ended;    /* why the run stopped before its end; NULL: it did not */
    quad         reported; /* time up to which events after the state were reported, or NAN */
    const noe_judgement *judgement; /* what is said of the run; NULL: nothing */
    noe_results         *memory;    /* where the rows go in place of a file; or NULL */
    void                *own;       /* data of the format */
};

typedef struct noe_format {
    const char *ending;                               /* of file names, ".csv" */
    noe_status (*open)(noe_sink *, const noe_head *); /* writes the head */
    noe_status (*row)(noe_sink *, const quad *);      /* writes a row */
    /* writes the end; state: for a restart */
    noe_status (*finish)(noe_sink *, const void *state, size_t bytes);
    void (*close)(noe_sink *);                     /* frees own; may be NULL */
    noe_status (*event)(noe_sink *, const quad *); /* NULL: the format has no table of events */
    noe_status (*row_double)(noe_sink *, const double *); /* NULL: by way of row */
    /* writes all but the rows, for which there is room; NULL: the format cannot */
    noe_status (*place)(noe_sink *);
    bool stores_state; /* for a restart */
} noe_format;

#endif
