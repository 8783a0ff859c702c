/* Writes a table to a file: row i is (x_i1 .. x_in).
 * SPDX-License-Identifier: BSD-3-Clause */
#include "output/sink.h"

#include <stdlib.h>

static void put_rows(noe_sink *s, const noe_table *t, double *row)
{
    noe_status status = NOE_OK;
    for (size_t i = 0; i < noe_table_rows(t) && !status; i++) {
        for (size_t j = 0; j < noe_table_columns(t); j++) row[j] = noe_table_at(t, j)[i];
        status = noe_sink_row_double(s, row);
    }
}

noe_status noe_table_write(const noe_table *t, const char *path)
{
    if (!t || !path) return NOE_INVALID;
    double *row = noe_status_alloc(noe_table_columns(t), sizeof *row);
    if (!row) return NOE_NO_MEMORY;
    noe_sink  *s;
    noe_status status = noe_sink_make(path, noe_table_about(t), &s);
    if (!status) {
        put_rows(s, t, row);
        noe_sink_ended(s, noe_table_about(t)->ended);
        status = noe_sink_close(s, NULL, 0); /* returns the status of a failed row, too */
    }
    free(row);
    return status;
}
