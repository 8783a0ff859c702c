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
    int                      columns, digits;
    /* [columns] decimals to write in place of the numbers of this row; or NULL */
    char *const *text;
    noe_status   status; /* the first failure of a row */
    size_t       rows;
    char        *ended;  /* why the run stopped before its end; NULL: it did not */
    bool         judged; /* a file of a run has a local error, */
    double       local_error;
    const char  *warning; /* and a warning, or "" */
    void        *own;     /* the format's */
};

typedef struct noe_format {
    const char *ending;
    noe_status (*open)(noe_sink *, const noe_head *);
    noe_status (*row)(noe_sink *, const quad *);
    noe_status (*finish)(noe_sink *, const void *state, size_t bytes);
    void (*close)(noe_sink *); /* frees own; may be NULL */
} noe_format;

#endif
